"""The facts of 18LRA as they stand in its data files: board, tiles, companies, cards, phases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Self

from workshop.referees.common import hexes
from workshop.referees.common.hexes import COLOURS, Facts, files

__all__ = ["COLOURS", "HARBOUR", "KEPT", "SIDES", "Drawing", "Sheet", "facts", "sheet"]

SIDES = {"NE": 0, "E": 1, "SE": 2, "SW": 3, "W": 4, "NW": 5}
#: Words at a stop: its last space is for a harbour token; its space is kept for somebody without shares (Kevelaer).
HARBOUR, KEPT = "harbour", "gkb"


@dataclass(frozen=True, eq=False)
class Drawing(hexes.Drawing):
    """What is drawn on a hex or on a tile."""

    closed: frozenset[int] = frozenset()
    stubs: frozenset[int] = frozenset()
    since: str = ""
    group: str = ""
    ferry: frozenset[int] = frozenset()
    ferry_value: int = 0
    #: Which stop of this tile the tokens of the old stops go to, where their track does not tell.
    tokens: tuple[str, ...] = ()
    locations: int = 0

    def turn(self, rotation: int) -> Self:
        return replace(super().turn(rotation), ferry=frozenset((side + rotation) % 6 for side in self.ferry))


def _drawing(row: dict[str, Any]) -> Drawing:
    ferry = [track.split("-")[0] for track in row.get("ferry", ())]
    return Drawing(
        **hexes.drawn(row, SIDES),
        closed=frozenset(SIDES[side] for side in row.get("impassable", ())),
        stubs=frozenset(SIDES[side] for side in row.get("stubs", ())),
        since=row.get("tiles_from", ""),
        group=row.get("group", ""),
        ferry=frozenset(SIDES[end] if end in SIDES else int(end) for end in ferry if end in SIDES or end.isdigit()),
        ferry_value=row.get("ferry_value", 0),
        tokens=tuple(row.get("tokens", ())),
        locations=sum(icon in ("coal", "steel") for icon in row.get("icons", ())),
    )


@dataclass(frozen=True, eq=False)
class Sheet(Facts[Drawing]):
    """All facts."""

    #: Prices by row and column, and the pink spaces by value.
    grid: tuple[tuple[int, ...], ...]
    pars: dict[int, list[tuple[int, int]]]


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    return facts(files("lra", "game", "map", "tiles", "investor"))


def facts(raw: dict[str, Any]) -> Sheet:
    """The facts of a title whose data files are read."""
    rows = raw["market"]["rows"]
    pars: dict[int, list[tuple[int, int]]] = {}
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell.endswith("p"):
                pars.setdefault(int(cell[:-1]), []).append((number, column))
    return Sheet(
        raw,
        {at: _drawing(row) for row in raw["hex"] for at in row["at"]},
        {name: _drawing(row) for name, row in raw["tile"].items()},
        {name: row["count"] for name, row in raw["tile"].items()},
        tuple(tuple(int(cell.rstrip("p")) for cell in row) for row in rows),
        pars,
    )
