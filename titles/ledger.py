"""The ledger of rulebook clauses: every rule in our own words, by the id that refusals and tests cite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: Beside the titles where they are installed, in the project's documentation where they are worked on.
_FOLDERS = (Path(__file__).parent / "ledger", Path(__file__).parents[1] / "docs" / "ledger")
_ROW = re.compile(r"^\| *([A-Z]+-[\w.*-]+) *\|([^|]*)\|(.*)\|([^|]*)\|\s*$")


@dataclass(frozen=True)
class Clause:
    """One row of a ledger."""

    id: str
    title: str
    section: str
    text: str


def folder() -> Path:
    """Where the ledger is."""
    return next(each for each in _FOLDERS if each.is_dir())


@cache
def clauses() -> dict[str, Clause]:
    """All clauses by their id; an id that stands twice is a fault."""
    result: dict[str, Clause] = {}
    for path in sorted(folder().glob("*.md")):
        if path.stem.endswith("rulings"):
            continue
        section = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("## "):
                section = line[3:].strip()
            match = _ROW.match(line)
            if match:
                clause = Clause(match[1], path.stem, section, match[3].strip())
                if clause.id in result:
                    raise ValueError(f"{path.name}: {clause.id} stands twice")
                result[clause.id] = clause
    return result


def find(text: str) -> Clause | None:
    """A clause by its id as somebody types it."""
    wanted = text.strip().lower()
    return next((clause for clause in clauses().values() if clause.id.lower() == wanted), None)
