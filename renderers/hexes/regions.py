"""Hexes to choose from in regions: each so small that a picture of it can be read on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.board.hexes import Layout, parse
from engine.definition import Map
from renderers.kit.phone import WIDTH

#: Half the corner radius of the smallest hex on which lettering has room.
SMALLEST = 48
#: So much of the neighbours is seen around the hexes, in corner radii.
AROUND = 0.62
#: A picture above its buttons is no higher than this share of its width, and shows no more hexes than this.
TALLEST, MOST = 0.92, 8

Spots = tuple[str, ...]


def extent(layout: Layout, hexes: Sequence[str]) -> tuple[float, float]:
    """Width and height of hexes with a rim of their neighbours, in corner radii."""
    spots = [parse(at) for at in hexes]
    rows, columns = [row for row, _ in spots], [column for _, column in spots]
    narrow, broad = 0.8660254, 1.0
    across, down = (narrow, 1.5) if layout.name == "pointy" else (1.5, narrow)
    wide, high = (narrow, broad) if layout.name == "pointy" else (broad, narrow)
    return (
        (max(columns) - min(columns)) * across + 2 * (wide + AROUND),
        (max(rows) - min(rows)) * down + 2 * (high + AROUND),
    )


def fits(layout: Layout, hexes: Sequence[str]) -> bool:
    """Whether one picture can show these hexes with lettering that can be read."""
    wide, high = extent(layout, hexes)
    radius = 2 * SMALLEST
    return len(hexes) <= MOST and wide * radius <= WIDTH and high * radius <= WIDTH * TALLEST


def regions(board: Map, hexes: Sequence[str]) -> tuple[Spots, ...]:
    """As few regions as straight cuts allow; of these, those that part the fewest neighbours and are most equal."""
    layout = board.layout
    beside = {at: {layout.neighbour(at, edge) for edge in range(6)} for at in hexes}

    @cache
    def best(part: Spots) -> tuple[tuple[int, int, int], tuple[Spots, ...]]:
        if len(part) <= 1 or fits(layout, part):
            return (1, 0, len(part)), (part,)
        found: tuple[tuple[int, int, int], tuple[Spots, ...]] | None = None
        for axis in (0, 1):
            for border in sorted({parse(at)[axis] for at in part})[1:]:
                one = tuple(at for at in part if parse(at)[axis] < border)
                two = tuple(at for at in part if parse(at)[axis] >= border)
                (n1, c1, l1), p1 = best(one)
                (n2, c2, l2), p2 = best(two)
                others = set(two)
                parted = sum(len(beside[at] & others) for at in one)
                cost = (n1 + n2, c1 + c2 + parted, max(l1, l2))
                if found is None or cost < found[0]:
                    found = cost, (*p1, *p2)
        assert found is not None, "two hexes lie in different rows or columns"
        return found

    return best(tuple(sorted(set(hexes), key=parse)))[1]


def nearest_name(board: Map, hexes: Sequence[str]) -> str:
    """The name of a region: its place with most station spaces, else the nearest that has a name."""
    named = [at for at in hexes if board.hexes[at].name]
    if named:
        at = max(named, key=lambda at: sum(stop.slots for stop in board.hexes[at].face.stops))
        return short(board.hexes[at].name)
    seen, ring = set(hexes), list(hexes)
    while ring:
        beside = [other for at in ring for edge in range(6) if (other := board.layout.neighbour(at, edge)) is not None]
        ring = [at for at in dict.fromkeys(beside) if at in board.hexes and at not in seen]
        seen |= set(ring)
        for at in ring:
            if board.hexes[at].name:
                return short(board.hexes[at].name)
    return hexes[0]


def short(name: str) -> str:
    """A place's name without its second one."""
    return name.partition(" (")[0].partition(" / ")[0]
