"""Hex coordinates: a row letter from the top and a column number from the left, flat or pointed top."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

OPPOSITE = (3, 4, 5, 0, 1, 2)


@dataclass(frozen=True, slots=True)
class Layout:
    """How hexes of one orientation adjoin; edges are numbered clockwise from 0."""

    name: str
    edges: tuple[str, ...]
    steps: tuple[tuple[int, int], ...]

    def edge(self, compass: str) -> int:
        """The number of a compass point.

        >>> POINTY.edge("SW")
        3
        """
        return self.edges.index(compass)

    def neighbour(self, at: str, edge: int) -> str | None:
        """The coordinate across an edge, or None beyond row A or column 1.

        >>> POINTY.neighbour("I10", 0), FLAT.neighbour("C4", 3)
        ('H11', 'E4')
        """
        row, column = parse(at)
        down, right = self.steps[edge]
        row, column = row + down, column + right
        return None if row < 0 or column < 1 else name(row, column)


POINTY = Layout(
    "pointy",
    ("NE", "E", "SE", "SW", "W", "NW"),
    ((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1)),
)
FLAT = Layout(
    "flat",
    ("N", "NE", "SE", "S", "SW", "NW"),
    ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1)),
)
LAYOUTS = {layout.name: layout for layout in (POINTY, FLAT)}


@cache
def parse(at: str) -> tuple[int, int]:
    """Row (from 0) and column of a coordinate.

    >>> parse("B13")
    (1, 13)
    """
    if len(at) < 2 or not at[0].isalpha() or not at[0].isupper() or not at[1:].isdecimal():
        raise ValueError(f"{at!r} is no hex coordinate")
    return ord(at[0]) - ord("A"), int(at[1:])


def name(row: int, column: int) -> str:
    """The coordinate of a row (from 0) and a column."""
    return f"{chr(ord('A') + row)}{column}"
