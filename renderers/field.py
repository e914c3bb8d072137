"""Finds room for labels on a hex: what is taken is kept as bits of one number, a bit a small square."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from PIL import Image, ImageDraw

from renderers.geometry import Frame, Point

#: Squares along a side of the field; the field reaches 1.05 corner radii to each side.
SIZE = 72
REACH = 1.05
_UNIT = SIZE / (2 * REACH)
#: Numbers that repeat a row so many times.
_COLUMNS = [sum(1 << SIZE * row for row in range(count)) for count in range(SIZE + 1)]

Box = tuple[float, float, float, float]


def _cell(value: float) -> int:
    return round((value + REACH) * _UNIT)


@lru_cache(maxsize=20_000)
def _box(left: int, top: int, right: int, bottom: int) -> int:
    row = ((1 << (right - left)) - 1) << (SIZE - right)
    return row * _COLUMNS[bottom - top] << SIZE * (SIZE - bottom)


def box_bits(box: Box) -> int:
    """The squares of the field that a box covers."""
    left, top = max(_cell(box[0]), 0), max(_cell(box[1]), 0)
    right, bottom = min(_cell(box[2]), SIZE), min(_cell(box[3]), SIZE)
    return _box(left, top, right, bottom) if left < right and top < bottom else 0


def bits_of(image: Image.Image) -> int:
    """The squares of a drawn black and white field."""
    return int.from_bytes(image.tobytes(), "big")


def blank() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("1", (SIZE, SIZE), 0)
    return image, ImageDraw.Draw(image)


def spot(point: Point) -> Point:
    """A point of the hex on a drawn field."""
    return (point[0] + REACH) * _UNIT, (point[1] + REACH) * _UNIT


@lru_cache(maxsize=64)
def inside(frame: Frame) -> int:
    """The squares well inside the hex."""
    image, draw = blank()
    unit = frame.radius
    draw.polygon([spot((x / unit, y / unit)) for x, y in frame.corners(-0.035 * unit)], fill=1)
    return bits_of(image)


class Field:
    """Room on one hex: `hard` may not be covered, `soft` (track) had better not be."""

    def __init__(self, frame: Frame, hard: int, soft: int) -> None:
        self.inside = inside(frame)
        self.hard = hard
        self.soft = soft

    def cost(self, box: Box, soft_weight: float = 1.0) -> float:
        bits = box_bits(box)
        outside = (bits & ~self.inside).bit_count()
        covered = (bits & self.hard).bit_count()
        return 60.0 * outside + 40.0 * covered + soft_weight * (bits & self.soft).bit_count()

    def find(
        self, width: float, height: float, middles: Iterable[Point], slope: float = 0.6, soft_weight: float = 1.0
    ) -> tuple[Point, float]:
        """The best middle for a box among those proposed, earlier ones preferred; with its cost."""
        best: tuple[float, Point] | None = None
        for number, (x, y) in enumerate(middles):
            if best is not None and best[0] <= slope * number:
                break
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            cost = self.cost(box, soft_weight) + slope * number
            if best is None or cost < best[0]:
                best = (cost, (x, y))
        assert best is not None
        return best[1], best[0]

    def take(self, middle: Point, width: float, height: float) -> None:
        """Keep other labels away from a box, with a hair's breadth around it."""
        x, y = middle
        gap = 0.012
        box = (x - width / 2 - gap, y - height / 2 - gap, x + width / 2 + gap, y + height / 2 + gap)
        self.hard |= box_bits(box)
