"""The facts of the game as they stand in its data files: board, tiles, companies, cards, phases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from workshop.referees.common import hexes
from workshop.referees.common.hexes import COLOURS, Facts, Stop, files

__all__ = ["COLOURS", "Drawing", "Sheet", "home", "sheet"]

SIDES = {"N": 0, "NE": 1, "SE": 2, "S": 3, "SW": 4, "NW": 5}


@dataclass(frozen=True, eq=False)
class Drawing(hexes.Drawing):
    """What is drawn on a hex or on a tile; `category` is "double town" for tiles that two towns become."""

    becomes: str = ""


def home(stop: Stop) -> str:
    """Whose home is printed at a stop; a stop that is open never blocks (Lünen, green Steele)."""
    return next((word for word in stop.words if word != "open"), "")


@dataclass(frozen=True, eq=False)
class Sheet(Facts[Drawing]):
    """All facts."""

    #: Sizes of certificates by company, the director's first.
    shares: dict[str, tuple[int, ...]]
    kind: dict[str, str]
    homes: dict[str, str]
    values: tuple[int, ...]
    #: The colour from which on a railway may start at a value, by box.
    starts: dict[int, str]


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    raw = files("ruhr", "game", "map", "tiles")
    legend = raw["market"]["legend"]
    cells = raw["market"]["rows"][0]
    printed = [(at, row) for row in raw["hex"] for at in row["at"]]
    return Sheet(
        raw,
        {at: Drawing(**hexes.drawn(row, SIDES), becomes=row.get("becomes", "")) for at, row in printed},
        {name: Drawing(**hexes.drawn(row, SIDES), becomes=row.get("becomes", "")) for name, row in raw["tile"].items()},
        {name: row["count"] for name, row in raw["tile"].items()},
        {row["id"]: tuple(row["shares"]) for row in raw["corporation"]},
        {row["id"]: row.get("kind", "railway") for row in raw["corporation"]},
        {row["id"]: row["home"][0].split(":")[0] for row in raw["corporation"] if row["home"]},
        tuple(int(cell.rstrip("ygb")) for cell in cells),
        {box: legend[cell[-1]] for box, cell in enumerate(cells) if cell[-1] in legend},
    )
