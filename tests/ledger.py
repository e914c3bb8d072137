"""The ledger of rulebook clauses in docs/ledger: ids, titles, sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "ledger"
_ROW = re.compile(r"^\| *([A-Z]+-[\w.*-]+) *\|([^|]*)\|(.*)\|([^|]*)\|\s*$")


@dataclass(frozen=True)
class Clause:
    """One row of a ledger."""

    id: str
    title: str
    section: str
    text: str


@cache
def clauses() -> dict[str, Clause]:
    """All clauses by their id; an id that stands twice is a fault."""
    result: dict[str, Clause] = {}
    for path in sorted(FOLDER.glob("*.md")):
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
