"""The facts of 18BL as they stand in its data files: board, tiles, companies, cards, phases, stock values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from workshop.referees.common import hexes
from workshop.referees.common.hexes import COLOURS, Facts, files

#: Steps of the colours: a hex without track, tiles, red fields; the orange bridge comes like a yellow tile.
LEVELS = {"plain": -1, "orange": 0, "red": len(COLOURS)} | {colour: number for number, colour in enumerate(COLOURS)}
SIDES = {"N": 0, "NE": 1, "SE": 2, "S": 3, "SW": 4, "NW": 5}


@dataclass(frozen=True, eq=False)
class Drawing(hexes.Drawing):
    """What is drawn on a hex or on a tile."""

    #: Sides with a brown bar, and sides to which track is printed that a tile must join.
    closed: frozenset[int] = frozenset()
    stubs: frozenset[int] = frozenset()
    #: The colour from which on the letter of a hex counts.
    letter_from: str = "yellow"

    @property
    def level(self) -> int:
        """Which step of the colours it is."""
        return LEVELS[self.colour]


def _drawing(row: dict[str, Any]) -> Drawing:
    return Drawing(
        **hexes.drawn(row, SIDES),
        closed=frozenset(SIDES[side] for side in row.get("impassable", ())),
        stubs=frozenset(SIDES[side] for side in row.get("stubs", ())),
        letter_from=row.get("label_from", "yellow"),
    )


@dataclass(frozen=True)
class Space:
    """A space of the stock value table."""

    value: int
    #: "yellow", "brown", "red", "blue" or nothing.
    area: str
    #: A red and a green arrow, and whether a sale follows the red one too.
    red: bool
    green: bool
    falls: bool


def _space(text: str) -> Space:
    value = "".join(sign for sign in text if sign.isdigit())
    signs = text[len(value) :]
    area = next((name for sign, name in AREAS.items() if sign in signs), "")
    return Space(int(value), area, "d" in signs or "D" in signs, "u" in signs, "D" in signs)


#: How the data file marks areas.
AREAS = {"p": "blue", "y": "yellow", "b": "brown", "x": "red"}


@dataclass(frozen=True, eq=False)
class Sheet(Facts[Drawing]):
    """All facts."""

    spaces: dict[tuple[int, int], Space]

    @property
    def pars(self) -> dict[int, tuple[int, int]]:
        """The blue spaces by their value."""
        return {space.value: cell for cell, space in self.spaces.items() if space.area == "blue"}


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    raw = files("bl", "game", "map", "tiles")
    return Sheet(
        raw,
        {at: _drawing(row) for row in raw["hex"] for at in row["at"]},
        {name: _drawing(row) for name, row in raw["tile"].items()},
        {name: row["count"] for name, row in raw["tile"].items()},
        {
            (number, column): _space(text)
            for number, row in enumerate(raw["market"]["rows"])
            for column, text in enumerate(row)
            if text
        },
    )
