"""Prints for each title and section how many clauses have a test, and which have none.

Usage: python -m tests.rules [TITLE ...]
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import defaultdict

import pytest

from tests.ledger import clauses


class _Collector:
    """Notes which clauses the collected tests are marked with."""

    def __init__(self) -> None:
        self.shown: set[str] = set()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("rule"):
                self.shown.update(mark.args)


def main(arguments: list[str]) -> int:
    collector = _Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(["--collect-only", "-q"], plugins=[collector])
    if code not in (0, 5):
        print("the tests could not be collected; an unknown rule id is one reason (see `make test`)")
        return 1
    sections: dict[tuple[str, str], list[str]] = defaultdict(list)
    for clause in clauses().values():
        if not arguments or clause.title in arguments:
            sections[clause.title, clause.section].append(clause.id)
    for title in dict.fromkeys(title for title, _ in sections):
        ids = [name for (other, _), names in sections.items() if other == title for name in names]
        print(f"\n{title}: {sum(name in collector.shown for name in ids)} of {len(ids)} clauses have a test")
        for (other, section), names in sections.items():
            if other != title:
                continue
            bare = [name for name in names if name not in collector.shown]
            print(f"  {section:<60} {len(names) - len(bare):>3}/{len(names)}")
            if bare and len(bare) < len(names):
                print(f"    without: {' '.join(bare)}")
            elif bare:
                print(f"    none yet: {bare[0]} … {bare[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
