"""Where things are on a hex and on a map: edges, corners and pixels, for flat and pointed tops.

Points on a hex are in units of its corner radius, x to the right and y down, in a frame in which edge 0
is at the top; the layout and the tile's rotation turn them afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.board.hexes import Layout, parse

Point = tuple[float, float]

#: Distance from the middle of a hex to the middle of an edge.
APOTHEM = math.sqrt(3) / 2


def polar(distance: float, degrees: float) -> Point:
    """The point at an angle clockwise from the top."""
    radians = math.radians(degrees)
    return distance * math.sin(radians), -distance * math.cos(radians)


def turned(point: Point, degrees: float) -> Point:
    """A point turned clockwise about the middle."""
    radians = math.radians(degrees)
    sine, cosine = math.sin(radians), math.cos(radians)
    x, y = point
    return x * cosine - y * sine, x * sine + y * cosine


def all_turned(points: Iterable[Point], degrees: float) -> list[Point]:
    """Points turned clockwise about the middle."""
    radians = math.radians(degrees)
    sine, cosine = math.sin(radians), math.cos(radians)
    return [(x * cosine - y * sine, x * sine + y * cosine) for x, y in points]


def offset(layout: Layout) -> int:
    """How far edge 0 lies clockwise from the top."""
    return 30 if layout.name == "pointy" else 0


@dataclass(frozen=True)
class Frame:
    """The size of one hex in whole pixels, so that hexes adjoin without seams.

    `half` is half the corner radius; `wide` is the distance from the middle to an edge.
    """

    pointy: bool
    half: int

    @property
    def radius(self) -> int:
        return self.half * 2

    @cached_property
    def wide(self) -> int:
        return round(self.half * 2 * APOTHEM)

    @cached_property
    def extent(self) -> tuple[int, int]:
        """Half the width and half the height of the hex's picture, a rim of two pixels included."""
        if self.pointy:
            return self.wide + 2, self.radius + 2
        return self.radius + 2, self.wide + 2

    def corners(self, grow: float = 0.0) -> list[Point]:
        """The corners in pixels from the middle, clockwise from the first after the top."""
        tall, wide = self.half, self.wide
        scale = 1 + grow / self.wide
        if self.pointy:
            points = [(0, -2 * tall), (wide, -tall), (wide, tall), (0, 2 * tall), (-wide, tall), (-wide, -tall)]
        else:
            points = [(tall, -wide), (2 * tall, 0), (tall, wide), (-tall, wide), (-2 * tall, 0), (-tall, -wide)]
        return [(x * scale, y * scale) for x, y in points]

    def side(self, edge: int) -> tuple[Point, Point]:
        """The two corners of an edge."""
        corners = self.corners()
        first = edge if self.pointy else edge - 1
        return corners[first % 6], corners[(first + 1) % 6]


@lru_cache(maxsize=64)
def frame(pointy: bool, half: int) -> Frame:
    return Frame(pointy, half)


@dataclass(frozen=True)
class Grid:
    """A part of a map laid out in pixels: where the middle of each of its hexes is."""

    frame: Frame
    left: int
    top: int
    first_row: int
    first_column: int

    @classmethod
    def over(cls, layout: Layout, hexes: Iterable[str], half: int, left: int, top: int) -> Grid:
        """The smallest grid that holds these hexes, its corner at `left` and `top`."""
        spots = [parse(at) for at in hexes]
        return cls(
            frame(layout.name == "pointy", half),
            left,
            top,
            min(row for row, _ in spots),
            min(column for _, column in spots),
        )

    @property
    def steps(self) -> tuple[int, int]:
        """Pixels for each column and for each row of the coordinates."""
        if self.frame.pointy:
            return self.frame.wide, self.frame.half * 3
        return self.frame.half * 3, self.frame.wide

    @property
    def half_size(self) -> tuple[int, int]:
        if self.frame.pointy:
            return self.frame.wide, self.frame.radius
        return self.frame.radius, self.frame.wide

    def place(self, row: int, column: int) -> tuple[int, int]:
        across, down = self.steps
        half_width, half_height = self.half_size
        return (
            self.left + half_width + (column - self.first_column) * across,
            self.top + half_height + (row - self.first_row) * down,
        )

    def centre(self, at: str) -> tuple[int, int]:
        """The middle of a hex in pixels."""
        return self.place(*parse(at))

    def size(self, hexes: Iterable[str]) -> tuple[int, int]:
        """Width and height that these hexes need."""
        spots = [self.centre(at) for at in hexes]
        half_width, half_height = self.half_size
        return (
            max(x for x, _ in spots) + half_width - self.left,
            max(y for _, y in spots) + half_height - self.top,
        )
