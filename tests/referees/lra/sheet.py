"""The facts of 18LRA as they stand in its data files: board, tiles, companies, cards, phases."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILES = Path(__file__).parents[3] / "titles" / "lra"
COLOURS = ("yellow", "green", "brown")
SIDES = {"NE": 0, "E": 1, "SE": 2, "SW": 3, "W": 4, "NW": 5}

#: A piece of track joins two ends: sides of the hex 0 to 5, or stops "a", "b".
End = int | str
Piece = tuple[End, End]


@dataclass(frozen=True)
class Stop:
    """A town, a city or a red field as it is drawn: values by colour, spaces, the last of them for a harbour token."""

    kind: str
    values: tuple[tuple[str, int], ...]
    spaces: int = 0
    harbour: bool = False
    #: Its space is kept for somebody without shares (Kevelaer).
    kept: bool = False

    def worth(self, colour: str) -> int:
        """The value in a phase of this colour: the last that counts from a colour up to it."""
        now = COLOURS.index(colour)
        return [value for since, value in self.values if COLOURS.index(since) <= now][-1]


@dataclass(frozen=True)
class Drawing:
    """What is drawn on a hex or on a tile that is not turned."""

    colour: str
    stops: tuple[Stop, ...]
    pieces: tuple[Piece, ...]
    label: str = ""
    category: str = ""
    hexes: tuple[str, ...] = ()
    rotations: tuple[int, ...] = ()
    cost: int = 0
    closed: frozenset[int] = frozenset()
    stubs: frozenset[int] = frozenset()
    since: str = ""
    group: str = ""
    ferry: frozenset[int] = frozenset()
    ferry_value: int = 0
    #: Which stop of this tile the tokens of the old stops go to, where their track does not tell.
    tokens: tuple[str, ...] = ()
    locations: int = 0


def _stop(text: str) -> Stop:
    kind, *words = text.split()
    values: tuple[tuple[str, int], ...] = ()
    spaces = 1 if kind == "city" else 0
    for word in words:
        since, colon, value = word.partition(":")
        if colon or word.isdigit():
            values += ((since, int(value)) if colon else ("yellow", int(word)),)
        elif word[0] == "x" and word[1:].isdigit():
            spaces = int(word[1:])
    return Stop(kind, values, spaces, "harbour" in words, "gkb" in words)


def _end(text: str) -> End:
    if text in SIDES:
        return SIDES[text]
    return int(text) if text.isdigit() else text


def _drawing(row: dict[str, Any]) -> Drawing:
    pieces = tuple((_end(one), _end(two)) for one, two in (track.split("-") for track in row.get("track", ())))
    ferry = [_end(track.split("-")[0]) for track in row.get("ferry", ())]
    return Drawing(
        colour=row["color"],
        stops=tuple(_stop(text) for text in row.get("stops", ())),
        pieces=pieces,
        label=row.get("label", ""),
        category=row.get("category", ""),
        hexes=tuple(row.get("hexes", ())),
        rotations=tuple(row.get("rotations", ())),
        cost=row.get("cost", 0),
        closed=frozenset(SIDES[side] for side in row.get("impassable", ())),
        stubs=frozenset(SIDES[side] for side in row.get("stubs", ())),
        since=row.get("tiles_from", ""),
        group=row.get("group", ""),
        ferry=frozenset(side for side in ferry if isinstance(side, int)),
        ferry_value=row.get("ferry_value", 0),
        tokens=tuple(row.get("tokens", ())),
        locations=sum(icon in ("coal", "steel") for icon in row.get("icons", ())),
    )


@dataclass(frozen=True)
class Sheet:
    """All facts; `raw` are the tables as they are written."""

    raw: dict[str, Any]
    hexes: dict[str, Drawing]
    tiles: dict[str, Drawing]
    counts: dict[str, int]
    #: Prices by row and column, and the pink spaces by value.
    grid: tuple[tuple[int, ...], ...]
    pars: dict[int, list[tuple[int, int]]]

    def rows(self, table: str, key: str) -> dict[Any, dict[str, Any]]:
        """A list of tables by one of its keys."""
        return {row[key]: row for row in self.raw[table]}


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    raw: dict[str, Any] = {}
    for name in ("game", "map", "tiles", "investor"):
        raw |= tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))
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
