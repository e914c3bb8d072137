"""What rules remember is typed: no bag with text keys, in a position or in the code that reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import titles
from engine.records import OfGame, OfPlayer, OfRound, OfTurn
from engine.state import Pause, State

ROOT = Path(__file__).parents[2]
#: An access of what a position or a round remembers by a key in the code.
ACCESS = re.compile(r"\b(?:state|round_?)\.(?:facts|memory|turn|own|secrets)(?:\[|\.get\(|\.setdefault\(|\.pop\()[\"']")
#: What a question is about is still told in data of its own.
UNTYPED = {(Pause, "data")}


def untyped(kind: Any, seen: set[Any]) -> Iterator[str]:
    """The fields within a kind of data that say nothing of their values."""
    if is_dataclass(kind):
        if kind in seen:
            return
        seen.add(kind)
        hints = get_type_hints(kind)
        for field in fields(kind):
            if (kind, field.name) not in UNTYPED:
                for found in untyped(hints[field.name], seen):
                    yield f"{kind.__name__}.{field.name}{found}"  # type: ignore[union-attr]
    elif kind is Any or kind is object:
        yield ""
    else:
        for part in get_args(kind):
            yield from untyped(part, seen)


def test_a_position_has_no_bag() -> None:
    assert list(untyped(State, set())) == []


def test_no_record_has_a_bag() -> None:
    assert titles.known()
    for life in (OfGame, OfRound, OfTurn, OfPlayer):
        for kind in life.KINDS.values():
            assert list(untyped(kind, set())) == []


def test_what_says_nothing_is_found() -> None:
    assert list(untyped(dict[str, list[Any]], set())) == [""]


@pytest.mark.parametrize("room", ["engine", "titles"])
def test_nobody_reads_what_is_remembered_by_a_key(room: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if ACCESS.search(line)
    ]
    assert found == []
