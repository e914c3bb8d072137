"""Prints for each title and section how many clauses have a test, and which have none; and which no code names.

`python -m workshop where CLAUSE` leads from a clause to its code, also where nothing names it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

from titles.ledger import clauses
from workshop.marks import marked_tests
from workshop.where import named_clauses


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop rules", description=__doc__)
    parser.add_argument("titles", nargs="*", metavar="TITLE")
    wanted = parser.parse_args(arguments).titles
    shown = marked_tests()
    if shown is None:
        print("the tests could not be collected; an unknown rule id is one reason (see `make test`)")
        return 1
    sections: dict[tuple[str, str], list[str]] = defaultdict(list)
    for clause in clauses().values():
        if not wanted or clause.title in wanted:
            sections[clause.title, clause.section].append(clause.id)
    named = named_clauses()
    for title in dict.fromkeys(title for title, _ in sections):
        ids = [name for (other, _), names in sections.items() if other == title for name in names]
        print(f"\n{title}: {sum(name in shown for name in ids)} of {len(ids)} clauses have a test")
        for (other, section), names in sections.items():
            if other != title:
                continue
            bare = [name for name in names if name not in shown]
            print(f"  {section:<60} {len(names) - len(bare):>3}/{len(names)}")
            if bare and len(bare) < len(names):
                print(f"    without: {' '.join(bare)}")
            elif bare:
                print(f"    none yet: {bare[0]} … {bare[-1]}")
        silent = [name for name in ids if name not in named]
        print(f"  {len(ids) - len(silent)} are named in code or cited by a refusal; not named: {' '.join(silent)}")
    return 0
