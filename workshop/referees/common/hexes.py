"""Hexes as they are drawn and how they lie beside each other."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

#: A piece of track joins two ends: sides of the hex 0 to 5, clockwise, or stops "a", "b".
End = int | str
Piece = tuple[End, End]
#: A stop of a hex by its letter.
Place = tuple[str, str]
#: A side of a hex, seen from inside.
Side = tuple[str, int]


class Layout:
    """How rows and columns change over each side of a hex."""

    def __init__(self, *steps: tuple[int, int]) -> None:
        self._steps = steps
        self._across: dict[Side, Side] = {}
        self._bits: dict[Side, int] = {}

    def across(self, side: Side) -> Side:
        """A side seen from the other hex, which need not be on the map."""
        if side not in self._across:
            at, number = side
            if number < 0:
                return side
            rows, columns = self._steps[number]
            self._across[side] = f"{chr(ord(at[0]) + rows)}{int(at[1:]) + columns}", (number + 3) % 6
        return self._across[side]

    def beyond(self, at: str, side: int) -> str:
        """The hex on the other side of a side."""
        return self.across((at, side))[0]

    def bit(self, side: Side) -> int:
        """The border of two hexes as one bit, the same from both: many of them together are one number."""
        if side not in self._bits:
            self._bits[side] = self._bits[self.across(side)] = 1 << len(self._bits)
        return self._bits[side]

    def link(self, at: str) -> int:
        """The track between two stops of a hex as one bit."""
        return self.bit((at, -1))


#: Hexes that stand on a corner, sides from the north-east; and on a side, sides from the north.
ON_CORNERS = Layout((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1))
ON_SIDES = Layout((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))


#: Colours of tiles and phases in their order.
COLOURS = ("yellow", "green", "brown", "grey")


@dataclass(frozen=True, eq=False)
class Stop:
    """A town, a city or a red field as it is drawn: values by the colour since which they count, and spaces."""

    kind: str
    values: tuple[tuple[str, int], ...]
    spaces: int = 0
    #: What else stands beside it.
    words: tuple[str, ...] = ()

    def worth(self, colour: str) -> int:
        """The value in a phase of this colour: the last that counts from a colour up to it."""
        now = COLOURS.index(colour)
        return [value for since, value in self.values if COLOURS.index(since) <= now][-1]


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn on a hex or on a tile."""

    colour: str
    stops: tuple[Stop, ...]
    pieces: tuple[Piece, ...]
    label: str = ""
    category: str = ""
    hexes: tuple[str, ...] = ()
    rotations: tuple[int, ...] = ()
    cost: int = 0

    def turn(self, rotation: int) -> Self:
        """This face turned clockwise by sixths."""

        def turn(end: End) -> End:
            return (end + rotation) % 6 if isinstance(end, int) else end

        return replace(self, pieces=tuple((turn(one), turn(two)) for one, two in self.pieces))


D = TypeVar("D", bound=Drawing)


@cache
def turned(drawing: D, rotation: int) -> D:
    """A tile turned clockwise by sixths: always the same thing for the same tile."""
    return drawing.turn(rotation)


def stop(text: str) -> Stop:
    """A stop as it is written: `city 20 brown:40 x2`."""
    kind, *words = text.split()
    values: tuple[tuple[str, int], ...] = ()
    spaces, others = 1 if kind == "city" else 0, []
    for word in words:
        since, colon, value = word.partition(":")
        if colon or word.isdigit():
            values += ((since, int(value)) if colon else ("yellow", int(word)),)
        elif word[0] == "x" and word[1:].isdigit():
            spaces = int(word[1:])
        else:
            others.append(word)
    return Stop(kind, values, spaces, tuple(others))


def drawn(row: Mapping[str, Any], names: Mapping[str, int]) -> dict[str, Any]:
    """What every hex and tile of a data file has; sides are written as numbers or by their names."""

    def end(text: str) -> End:
        return names[text] if text in names else int(text) if text.isdigit() else text

    return {
        "colour": row["color"],
        "stops": tuple(map(stop, row.get("stops", ()))),
        "pieces": tuple((end(one), end(two)) for one, two in (track.split("-") for track in row.get("track", ()))),
        "label": row.get("label", ""),
        "category": row.get("category", ""),
        "hexes": tuple(row.get("hexes", ())),
        "rotations": tuple(row.get("rotations", ())),
        "cost": row.get("cost", 0),
    }


@dataclass(frozen=True, eq=False)
class Facts(Generic[D]):
    """The data files of a title: `raw` are the tables as they are written."""

    raw: dict[str, Any]
    hexes: dict[str, D]
    tiles: dict[str, D]
    counts: dict[str, int]
    _rows: dict[tuple[str, str], dict[Any, dict[str, Any]]] = field(default_factory=dict, init=False)

    def rows(self, table: str, key: str) -> dict[Any, dict[str, Any]]:
        """A list of tables by one of its keys."""
        if (table, key) not in self._rows:
            self._rows[table, key] = {row[key]: row for row in self.raw[table]}
        return self._rows[table, key]


def files(folder: str, *names: str) -> dict[str, Any]:
    """The tables of a title's data files together."""
    raw: dict[str, Any] = {}
    for name in names:
        raw |= tomllib.loads((Path(__file__).parents[3] / "titles" / folder / f"{name}.toml").read_text("utf-8"))
    return raw


@cache
def sides(drawing: Drawing) -> frozenset[int]:
    """The sides to which track leads."""
    return frozenset(end for piece in drawing.pieces for end in piece if isinstance(end, int))


@cache
def at_stop(drawing: Drawing, letter: str) -> frozenset[int]:
    """The sides that are joined with a stop."""
    return frozenset(end for end in ways(drawing, letter) if isinstance(end, int))


@cache
def ways(drawing: Drawing, end: End) -> tuple[End, ...]:
    """Where track leads from an end."""
    return tuple(two if one == end else one for one, two in drawing.pieces if end in (one, two))
