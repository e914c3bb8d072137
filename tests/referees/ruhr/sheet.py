"""The facts of the game as they stand in its data files: board, tiles, companies, cards, phases."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILES = Path(__file__).parents[3] / "titles" / "ruhr"
COLOURS = ("yellow", "green", "brown", "grey")


@dataclass(frozen=True)
class Stop:
    """A town, a city or a red destination as it is drawn: values by colour, spaces, whose home it shows."""

    kind: str
    values: tuple[tuple[str, int], ...]
    spaces: int = 0
    #: Its marker never blocks (Lünen, green Steele).
    open: bool = False
    home: str = ""

    def worth(self, colour: str) -> int:
        """The value in a phase of this colour: the last that counts from a colour up to it."""
        now = COLOURS.index(colour)
        return [value for since, value in self.values if COLOURS.index(since) <= now][-1]


#: A piece of track joins two ends: sides of the hex 0 to 5, or stops "a", "b".
End = int | str
Piece = tuple[End, End]


@dataclass(frozen=True)
class Drawing:
    """What is drawn on a hex or on a tile that is not turned."""

    colour: str
    stops: tuple[Stop, ...]
    pieces: tuple[Piece, ...]
    label: str = ""
    #: "double town" for tiles that two towns become.
    category: str = ""
    becomes: str = ""
    hexes: tuple[str, ...] = ()
    rotations: tuple[int, ...] = ()
    cost: int = 0


SIDES = {"N": 0, "NE": 1, "SE": 2, "S": 3, "SW": 4, "NW": 5}


def _stop(text: str) -> Stop:
    kind, *words = text.split()
    values: tuple[tuple[str, int], ...] = ()
    spaces = 1 if kind == "city" else 0
    home, is_open = "", False
    for word in words:
        since, colon, value = word.partition(":")
        if colon or word.isdigit():
            values += ((since, int(value)) if colon else ("yellow", int(word)),)
        elif word == "open":
            is_open = True
        elif word[0] == "x" and word[1:].isdigit():
            spaces = int(word[1:])
        else:
            home = word
    return Stop(kind, values, spaces, is_open, home)


def _end(text: str) -> End:
    if text in SIDES:
        return SIDES[text]
    return int(text) if text.isdigit() else text


def _drawing(row: dict[str, Any]) -> Drawing:
    pieces = tuple((_end(one), _end(two)) for one, two in (track.split("-") for track in row.get("track", ())))
    return Drawing(
        row["color"],
        tuple(_stop(text) for text in row.get("stops", ())),
        pieces,
        row.get("label", ""),
        row.get("category", ""),
        row.get("becomes", ""),
        tuple(row.get("hexes", ())),
        tuple(row.get("rotations", ())),
        row.get("cost", 0),
    )


@dataclass(frozen=True)
class Sheet:
    """All facts; `raw` are the tables as they are written."""

    raw: dict[str, Any]
    hexes: dict[str, Drawing]
    tiles: dict[str, Drawing]
    counts: dict[str, int]
    #: Sizes of certificates by company, the director's first.
    shares: dict[str, tuple[int, ...]]
    kind: dict[str, str]
    homes: dict[str, str]
    values: tuple[int, ...]
    #: The colour from which on a railway may start at a value, by box.
    starts: dict[int, str]

    def rows(self, table: str, key: str) -> dict[Any, dict[str, Any]]:
        """A list of tables by one of its keys."""
        return {row[key]: row for row in self.raw[table]}


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    raw: dict[str, Any] = {}
    for name in ("game", "map", "tiles"):
        raw |= tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))
    legend = raw["market"]["legend"]
    cells = raw["market"]["rows"][0]
    hexes = {at: _drawing(row) for row in raw["hex"] for at in row["at"]}
    return Sheet(
        raw,
        hexes,
        {name: _drawing(row) for name, row in raw["tile"].items()},
        {name: row["count"] for name, row in raw["tile"].items()},
        {row["id"]: tuple(row["shares"]) for row in raw["corporation"]},
        {row["id"]: row.get("kind", "railway") for row in raw["corporation"]},
        {row["id"]: row["home"][0].split(":")[0] for row in raw["corporation"] if row["home"]},
        tuple(int(cell.rstrip("ygb")) for cell in cells),
        {box: legend[cell[-1]] for box, cell in enumerate(cells) if cell[-1] in legend},
    )
