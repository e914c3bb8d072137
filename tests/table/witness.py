"""Hears what every table of a test takes and answers, and holds it against Discord's description of its API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from table.rest.frame import Traffic
from table.server import Table
from tests.table.description import Description, description, shape


class Witness:
    """Judges every exchange whose shape it has not met."""

    def __init__(self, known: Description) -> None:
        self._known = known
        self._shapes: set[Any] = set()
        self.heard = 0
        self.problems: list[str] = []

    @property
    def judged(self) -> int:
        """How many different exchanges there were."""
        return len(self._shapes)

    def hear(self, exchange: Traffic) -> None:
        """Judge an exchange by its shape."""
        self.heard += 1
        operation = self._known.operation(exchange.method, exchange.path)
        where = f"{exchange.method} {operation.path if operation else exchange.path}"
        key = (where, shape(exchange.body), exchange.status, shape(exchange.answer))
        if key in self._shapes:
            return
        self._shapes.add(key)
        if operation is None:
            self.problems.append(f"{where}: Discord has no such route")
        elif exchange.status not in operation.statuses:
            self.problems.append(f"{where}: Discord does not answer {exchange.status}")
        else:
            self.problems += [f"{where} asked {each}" for each in self._asked(operation.request, exchange.body)]
            told = operation.answer(exchange.status)
            if told is not None:
                self.problems += [
                    f"{where} answered {each}" for each in self._known.problems(told, exchange.answer, closed=True)
                ]

    def _asked(self, schema: Any, body: Any) -> list[str]:
        return [] if schema is None else self._known.problems(schema, body)


_known = description()
#: One for a whole run, so that each shape is judged once.
_witness = Witness(_known) if _known else None


@pytest.fixture(autouse=True)
def discord_agrees(monkeypatch: pytest.MonkeyPatch) -> Iterator[Witness | None]:
    """What the tables of this test took and answered is what Discord takes and answers."""
    if _witness is not None:
        monkeypatch.setattr(Table, "ears", [_witness.hear])
        _witness.problems.clear()
    yield _witness
    if _witness is not None and _witness.problems:
        pytest.fail("\n".join(_witness.problems[:20]))
