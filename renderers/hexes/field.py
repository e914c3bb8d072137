"""Finds room for labels on a hex: what is taken is kept as bits of one number, a bit a small square."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from renderers.hexes.geometry import Frame, Point

#: Squares along a side of the field; the field reaches 1.05 corner radii to each side.
SIZE = 72
REACH = 1.05
_UNIT = SIZE / (2 * REACH)
#: Numbers that repeat a row so many times.
_COLUMNS = [sum(1 << SIZE * row for row in range(count)) for count in range(SIZE + 1)]

_ALL = (1 << SIZE * SIZE) - 1

Box = tuple[float, float, float, float]


def cell(value: float) -> int:
    """The square in which a coordinate lies."""
    return round((value + REACH) * _UNIT)


@lru_cache(maxsize=4096)
def _block(width: int, height: int) -> int:
    """A block of squares in the last corner of the field."""
    return ((1 << width) - 1) * _COLUMNS[height]


def _box(left: int, top: int, right: int, bottom: int) -> int:
    return _block(right - left, bottom - top) << SIZE * (SIZE - bottom) + SIZE - right


def box_bits(box: Box) -> int:
    """The squares of the field that a box covers."""
    left, top = max(cell(box[0]), 0), max(cell(box[1]), 0)
    right, bottom = min(cell(box[2]), SIZE), min(cell(box[3]), SIZE)
    return _box(left, top, right, bottom) if left < right and top < bottom else 0


@lru_cache(maxsize=512)
def squares(points: tuple[Point, ...]) -> tuple[tuple[int, int, Point], ...]:
    """Points with the squares in which they lie."""
    return tuple((cell(x), cell(y), (x, y)) for x, y in points)


@lru_cache(maxsize=256)
def _disc(squares_across: int) -> int:
    """A disc of squares in the last corner of the field."""
    half = squares_across / 2
    bits = 0
    for row in range(squares_across):
        reach = math.sqrt(max(half * half - (row + 0.5 - half) ** 2, 0.0))
        first, last = round(half - reach), round(half + reach)
        bits |= ((1 << (last - first)) - 1) << first + SIZE * row
    return bits


def discs(points: Iterable[Point], radius: float) -> int:
    """The squares that discs of one size cover; those beyond the field are left out."""
    across = max(round(2 * radius * _UNIT), 1)
    disc = _disc(across)
    bits = 0
    for x, y in points:
        left, top = cell(x) - across // 2, cell(y) - across // 2
        if left >= 0 and top >= 0 and left + across <= SIZE and top + across <= SIZE:
            bits |= disc << SIZE * (SIZE - across - top) + SIZE - across - left
    return bits


@lru_cache(maxsize=64)
def inside(frame: Frame) -> int:
    """The squares well inside the hex."""
    corners = [(x / frame.radius, y / frame.radius) for x, y in frame.corners(-0.035 * frame.radius)]
    bits = 0
    for row in range(SIZE):
        y = (row + 0.5) / _UNIT - REACH
        crossings = [
            ax + (bx - ax) * (y - ay) / (by - ay)
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)
            if (ay <= y) != (by <= y)
        ]
        if crossings:
            left, right = cell(min(crossings)), cell(max(crossings))
            bits |= _box(left, row, right, row + 1) if left < right else 0
    return bits


def within(corners: list[Point], x: float, y: float) -> bool:
    """Whether a point lies in a convex shape whose corners go clockwise."""
    return all(
        (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


class Field:
    """Room on one hex: stops and labels may not be covered, `soft` (track) had better not be."""

    def __init__(self, frame: Frame, hard: int, soft: int) -> None:
        self.blocked = hard | _ALL ^ inside(frame)
        self.soft = soft
        #: Boxes of the labels that have been placed.
        self.boxes: list[Box] = []

    def find(
        self, width: float, height: float, middles: tuple[Point, ...], slope: float = 0.6, soft_weight: float = 1.0
    ) -> tuple[Point, float]:
        """The best middle for a box among those proposed, earlier ones preferred; with its cost."""
        wide, high = max(round(width * _UNIT + 0.49), 1), max(round(height * _UNIT + 0.49), 1)
        block = _block(wide, high)
        right_most, low_most = SIZE - wide, SIZE - high
        best_cost, best = 1e9, middles[0]
        blocked, soft = self.blocked, self.soft
        for number, (x, y, point) in enumerate(squares(middles)):
            least = slope * number
            if best_cost <= least:
                break
            left, top = x - wide // 2, y - high // 2
            if left < 0 or top < 0 or left > right_most or top > low_most:
                continue
            bits = block << SIZE * (low_most - top) + right_most - left
            cost = least + 40.0 * (bits & blocked).bit_count()
            if cost < best_cost:
                cost += soft_weight * (bits & soft).bit_count()
                if cost < best_cost:
                    best_cost, best = cost, point
        return best, best_cost

    def is_clear(self, middle: Point, width: float, height: float) -> bool:
        """Whether no track runs through a box."""
        x, y = middle
        return not self.soft & box_bits((x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    def take(self, middle: Point, width: float, height: float) -> None:
        """Keep other labels away from a box, with a hair's breadth around it."""
        x, y = middle
        self.boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
        gap = 0.012
        box = (x - width / 2 - gap, y - height / 2 - gap, x + width / 2 + gap, y + height / 2 + gap)
        self.blocked |= box_bits(box)
