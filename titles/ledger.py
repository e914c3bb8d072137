"""The ledger of rulebook clauses: every rule in our own words, by the id that refusals and tests cite.

The English ledger is the whole one; `de/` beside it has the same rules in German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

#: Beside the titles where they are installed, in the project's documentation where they are worked on.
_FOLDERS = (Path(__file__).parent / "clauses", Path(__file__).parents[1] / "docs" / "ledger")
_ROW = re.compile(r"^\| *([A-Z]+-[\w.*-]+) *\|([^|]*)\|(.*)\|([^|]*)\|\s*$")
#: In another language a row has only the clause and its words.
_OTHER = re.compile(r"^\| *([A-Z]+-[\w.*-]+) *\|(.*)\|\s*$")


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
def clauses(language: str = "en") -> dict[str, Clause]:
    """All clauses by their id, in a language as far as it has them; an id that stands twice is a fault."""
    if language != "en":
        book = dict(clauses())
        for clause in translated(language).values():
            if clause.id not in book:
                raise ValueError(f"{language}/{clause.title}.md: {clause.id} is not in the ledger")
            book[clause.id] = replace(book[clause.id], section=clause.section, text=clause.text)
        return book
    return _unique(_rows(folder(), _ROW, 3))


def translated(language: str) -> dict[str, Clause]:
    """The clauses that are there in another language."""
    return _unique(_rows(folder() / language, _OTHER, 2))


def _rows(place: Path, pattern: re.Pattern[str], column: int) -> Iterator[Clause]:
    for path in sorted(place.glob("*.md")):
        if path.stem.endswith("rulings"):
            continue
        section = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("## "):
                section = line[3:].strip()
            match = pattern.match(line)
            if match:
                yield Clause(match[1], path.stem, section, match[column].strip())


def _unique(found: Iterator[Clause]) -> dict[str, Clause]:
    result: dict[str, Clause] = {}
    for clause in found:
        if clause.id in result:
            raise ValueError(f"{clause.title}.md: {clause.id} stands twice")
        result[clause.id] = clause
    return result


def find(text: str, language: str = "en") -> Clause | None:
    """A clause by its id as somebody types it."""
    wanted = text.strip().lower()
    return next((clause for clause in clauses(language).values() if clause.id.lower() == wanted), None)
