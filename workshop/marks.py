"""Which tests show which clauses: what the marks of the collected tests say."""

from __future__ import annotations

import contextlib
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence

import pytest


class _Collector:
    def __init__(self) -> None:
        self.shown: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("rule"):
                for clause in mark.args:
                    self.shown[clause].append(item.nodeid)


def marked_tests(*places: str) -> Mapping[str, Sequence[str]] | None:
    """The tests that are marked with each clause, of all tests or of some places; None if none can be collected."""
    collector = _Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *places], plugins=[collector])
    return collector.shown if code in (0, 5) else None
