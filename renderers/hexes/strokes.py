"""Lines on a hex: the curves of track from edge to edge, thick strokes as polygons, dashes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from renderers.hexes.geometry import APOTHEM, Point, polar

Line = tuple[Point, ...]

#: Straight pieces in which a curve is drawn; enough that no corner shows at the largest size.
SAMPLES = 16


def edge_middle(edge: int) -> Point:
    return polar(APOTHEM, 60 * edge)


@lru_cache(maxsize=36)
def rail(one: int, other: int) -> Line:
    """The track from the middle of one edge to another: a circle's arc that meets both at right angles."""
    gap = (other - one) % 6
    if gap > 3:
        return rail(other, one)[::-1]
    start, end = edge_middle(one), edge_middle(other)
    if gap == 3:
        return straight(start, end)
    if gap == 1:
        middle, radius = polar(1.0, 60 * one + 30), 0.5
    else:
        middle, radius = polar(2 * APOTHEM, 60 * one + 60), 1.5
    first = math.atan2(start[1] - middle[1], start[0] - middle[0])
    turn = math.atan2(end[1] - middle[1], end[0] - middle[0]) - first
    turn = (turn + math.pi) % (2 * math.pi) - math.pi
    return tuple(
        (
            middle[0] + radius * math.cos(first + turn * step / SAMPLES),
            middle[1] + radius * math.sin(first + turn * step / SAMPLES),
        )
        for step in range(SAMPLES + 1)
    )


def straight(start: Point, end: Point) -> Line:
    return tuple(
        (
            start[0] + (end[0] - start[0]) * step / SAMPLES,
            start[1] + (end[1] - start[1]) * step / SAMPLES,
        )
        for step in range(SAMPLES + 1)
    )


def bend(start: Point, control: Point, end: Point) -> Line:
    """A quadratic curve."""
    result = []
    for step in range(SAMPLES + 1):
        t = step / SAMPLES
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        result.append((a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]))
    return tuple(result)


def normals(line: Sequence[Point]) -> list[Point]:
    """At each point of a line the direction across it."""
    result = []
    last = len(line) - 1
    for number in range(len(line)):
        before = line[number - 1] if number else line[0]
        after = line[number + 1] if number < last else line[last]
        dx, dy = after[0] - before[0], after[1] - before[1]
        size = math.hypot(dx, dy) or 1.0
        result.append((-dy / size, dx / size))
    return result


def ribbon(
    line: Sequence[Point],
    start_width: float,
    end_width: float | None = None,
    across: Sequence[Point] | None = None,
) -> list[Point]:
    """The outline of a line of some width, tapering if it ends in another one."""
    across = normals(line) if across is None else across
    if end_width is None or end_width == start_width:
        half = start_width / 2
        left = [(x + nx * half, y + ny * half) for (x, y), (nx, ny) in zip(line, across, strict=True)]
        right = [(x - nx * half, y - ny * half) for (x, y), (nx, ny) in zip(line, across, strict=True)]
        return left + right[::-1]
    left, right = [], []
    total = length(line) or 1.0
    walked, before = 0.0, line[0]
    for (x, y), (nx, ny) in zip(line, across, strict=True):
        walked += math.dist(before, (x, y))
        before = (x, y)
        half = (start_width + (end_width - start_width) * walked / total) / 2
        left.append((x + nx * half, y + ny * half))
        right.append((x - nx * half, y - ny * half))
    return left + right[::-1]


def bare(line: Sequence[Point]) -> Sequence[Point]:
    """The line, or only its ends where it is straight."""
    first, middle, last = line[0], line[len(line) // 3], line[-1]
    bent = (last[0] - first[0]) * (middle[1] - first[1]) - (last[1] - first[1]) * (middle[0] - first[0])
    return line if abs(bent) > 1e-9 else (first, last)


def length(line: Sequence[Point]) -> float:
    return sum(math.dist(one, other) for one, other in pairwise(line))


def part(line: Sequence[Point], start: float, end: float) -> Line:
    """The stretch of a line between two distances from its beginning."""
    result: list[Point] = []
    walked = 0.0
    for one, other in pairwise(line):
        step = math.dist(one, other)
        if step == 0:
            continue
        low, high = max(start, walked), min(end, walked + step)
        if low < high:
            for distance in (low, high):
                t = (distance - walked) / step
                point = (one[0] + (other[0] - one[0]) * t, one[1] + (other[1] - one[1]) * t)
                if not result or math.dist(result[-1], point) > 1e-9:
                    result.append(point)
        walked += step
    return tuple(result)


def dashes(line: Sequence[Point], pattern: Sequence[float]) -> list[Line]:
    """The drawn stretches of a line for a pattern of lengths drawn and left out in turn."""
    if not pattern:
        return [tuple(line)]
    result = []
    walked, total, number = 0.0, length(line), 0
    while walked < total:
        step = pattern[number % len(pattern)]
        if number % 2 == 0:
            stretch = part(line, walked, min(walked + step, total))
            if len(stretch) > 1:
                result.append(stretch)
        walked += step
        number += 1
    return result
