"""Where the stops of a tile go, and how its track runs to them.

A single stop lies in the middle; several lie on their own track, as far from each other and from
foreign track as they can. Everything is worked out for the unrotated tile and turned with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from engine.board.faces import CITY, FIRST_STOP, OFFBOARD, TOWN, Face, Track
from renderers.hexes.geometry import APOTHEM, Point, polar, turned
from renderers.hexes.strokes import Line, bend, edge_middle, rail, straight

#: Radius of a station space, of a town's dot, half the length of a town's bar.
SLOT, DOT, BAR = 0.25, 0.115, 0.19
#: From the middle of a hex to a stop that shares it with others.
APART = 0.46
#: From the middle of a hex to a stop that a track passes by.
ASIDE = 0.34
#: No stop's drawing reaches nearer to an edge than this leaves.
LIMIT = APOTHEM - 0.05


@dataclass(frozen=True)
class Place:
    """A stop's middle; if it lies on a through track, which and how far along; the direction of its row."""

    point: Point
    rail: tuple[int, int] | None = None
    along: float = 0.5
    axis: float = 90.0

    @property
    def path(self) -> Line:
        assert self.rail is not None
        return rail(*self.rail)

    def to_edge(self, edge: int) -> Line:
        """The track from an edge to this stop."""
        if self.rail is not None and edge in self.rail:
            line = self.path
            cut = round(self.along * (len(line) - 1))
            return line[: cut + 1] if edge == self.rail[0] else line[cut:][::-1]
        start = edge_middle(edge)
        unit = polar(1.0, 60 * edge)
        reach = self.point[0] * unit[0] + self.point[1] * unit[1]
        inward = min(max(reach, 0.0), 0.6)
        return bend(start, (unit[0] * inward, unit[1] * inward), self.point)


def slots(count: int, axis: float) -> list[Point]:
    """The middles of a city's spaces around its own middle."""
    if count <= 1:
        return [(0.0, 0.0)]
    if count == 2:
        flat = [(-SLOT, 0.0), (SLOT, 0.0)]
    elif count == 3:
        flat = [polar(SLOT * 1.1547, degrees) for degrees in (0, 120, 240)]
    elif count == 4:
        flat = [(-SLOT, -SLOT), (SLOT, -SLOT), (-SLOT, SLOT), (SLOT, SLOT)]
    else:
        ring = SLOT / math.sin(math.pi / count)
        flat = [polar(ring, 360 * number / count) for number in range(count)]
    return [turned(point, axis - 90) for point in flat]


def reach_of(face: Face, index: int) -> float:
    """How far a stop's drawing reaches from its middle."""
    stop = face.stops[index]
    if stop.kind == TOWN:
        return DOT + 0.03
    return {0: SLOT, 1: SLOT, 2: 2 * SLOT, 3: 2.2 * SLOT}.get(stop.slots, 2.45 * SLOT)


@lru_cache(maxsize=2048)
def places(face: Face, turn: int) -> tuple[Place, ...]:
    """The place of each stop; `turn` is how far the layout turns edge 0 from the top."""
    level = 90.0 - turn
    if not face.stops:
        return ()
    if len(face.stops) == 1:
        return (_alone(face, level),)
    choices = [_candidates(face, index, level) for index in range(len(face.stops))]
    best = max(product(*choices), key=lambda combination: _room(face, combination))
    return tuple(_branch(face, index, best) for index in range(len(best)))


def _exits(face: Face, index: int) -> list[int]:
    return [edge for edge in range(6) if face.stop_exits[index] >> edge & 1]


def _alone(face: Face, level: float) -> Place:
    exits = _exits(face, 0)
    if face.stops[0].kind == TOWN and len(exits) == 2:
        return _on_rail((exits[0], exits[1]), 0.5)
    for piece in face.track:
        if {*piece} <= {*exits}:
            return Place(_aside(piece), axis=level)
    return Place((0.0, 0.0), axis=level)


def _aside(piece: Track) -> Point:
    """Off a track by which trains may pass a stop: on its far side from the nearer edge."""
    line = rail(*piece)
    x, y = line[len(line) // 2]
    if math.hypot(x, y) < 0.1:
        return polar(ASIDE, 60 * piece[0] + 90)
    return polar(ASIDE, math.degrees(math.atan2(-x, y)))


def _on_rail(ends: tuple[int, int], along: float) -> Place:
    line = rail(*ends)
    cut = round(along * (len(line) - 1))
    before, after = line[max(cut - 1, 0)], line[min(cut + 1, len(line) - 1)]
    across = math.degrees(math.atan2(after[1] - before[1], after[0] - before[0])) + 90
    return Place(line[cut], ends, along, (across + 90) % 360)


def _candidates(face: Face, index: int, level: float) -> list[Place]:
    exits = _exits(face, index)
    if not exits:
        return [Place(polar(APART, level + 180 + 30 * step), axis=(level + 30 * step + 90) % 180) for step in range(12)]
    if len(exits) == 1:
        return [Place(polar(r, 60 * exits[0]), axis=60 * exits[0] + 90) for r in (APART, 0.54)]
    if len(exits) == 2 and face.stops[index].slots < 2:
        ends = (exits[0], exits[1])
        return [_on_rail(ends, along) for along in (0.5, 0.35, 0.65, 0.25, 0.75)]
    x = sum(polar(1.0, 60 * edge)[0] for edge in exits)
    y = sum(polar(1.0, 60 * edge)[1] for edge in exits)
    result = []
    if math.hypot(x, y) > 0.1:
        middle = math.degrees(math.atan2(x, -y))
        result = [Place(polar(r, middle), axis=middle + 90) for r in (0.3, 0.38, APART)]
    return [*result, Place((0.0, 0.0), axis=level)]


def _branch(face: Face, index: int, found: tuple[Place, ...]) -> Place:
    """A town on the branch between an edge and another stop lies half-way on it."""
    exits = _exits(face, index)
    others = [end - FIRST_STOP for end in face.links[FIRST_STOP + index] if end >= FIRST_STOP]
    if face.stops[index].kind != TOWN or len(exits) != 1 or len(others) != 1:
        return found[index]
    start, end = edge_middle(exits[0]), found[others[0]].point
    point = (start[0] * 0.6 + end[0] * 0.4, start[1] * 0.6 + end[1] * 0.4)
    return Place(point, axis=math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) + 180)


def _room(face: Face, combination: tuple[Place, ...]) -> float:
    """How well stops keep away from each other and from track that is not theirs."""
    score = 0.0
    count = len(combination)
    gaps = [
        math.dist(combination[i].point, combination[j].point) - reach_of(face, i) - reach_of(face, j)
        for i in range(count)
        for j in range(i)
    ]
    score += min(min(gaps), 0.7 if not face.track else 0.3) * 4
    clear = 0.2
    for piece in face.track:
        line = path(face, combination, piece)
        for index, place in enumerate(combination):
            if FIRST_STOP + index in piece:
                continue
            near = min(math.dist(place.point, point) for point in line)
            clear = min(clear, near - reach_of(face, index))
    score += clear * 2
    score -= 0.05 * sum(abs(place.along - 0.5) for place in combination)
    score -= 25 * sum(_outside(face, index, place) for index, place in enumerate(combination))
    # Rounded, so that of equally good combinations the first is taken on every machine.
    return round(score, 6)


def _outside(face: Face, index: int, place: Place) -> float:
    """How far a stop's drawing comes too near to the border of the hex."""
    stop = face.stops[index]
    around = SLOT if stop.kind != TOWN else BAR
    worst = 0.0
    for x, y in slots(max(stop.slots, 1), place.axis):
        point = (place.point[0] + x, place.point[1] + y)
        for edge in range(6):
            unit = polar(1.0, 60 * edge)
            worst = max(worst, point[0] * unit[0] + point[1] * unit[1] + around - LIMIT)
    return worst


def path(face: Face, where: tuple[Place, ...], piece: Track) -> Line:
    """How one piece of track runs; from an edge inwards where it has one."""
    one, other = piece
    if other < FIRST_STOP:
        return rail(one, other)
    place = where[other - FIRST_STOP]
    if one >= FIRST_STOP:
        return straight(where[one - FIRST_STOP].point, place.point)
    if face.stops[other - FIRST_STOP].kind == OFFBOARD:
        start = edge_middle(one)
        return straight(start, (start[0] * 0.5, start[1] * 0.5))
    return place.to_edge(one)


@lru_cache(maxsize=2048)
def lines(face: Face, turn: int) -> tuple[tuple[Track, Line], ...]:
    """All pieces of track with how they run."""
    where = places(face, turn)
    return tuple((piece, path(face, where, piece)) for piece in face.track)


def is_bar(face: Face, index: int) -> bool:
    """Whether a town is drawn as a bar across its track: it has exactly two ways out."""
    return face.stops[index].kind == TOWN and len(face.links[FIRST_STOP + index]) == 2


def is_city(face: Face, index: int) -> bool:
    """Whether a stop is drawn with circles: a city, or an off-board field with a station space."""
    stop = face.stops[index]
    return stop.kind == CITY or (stop.kind == OFFBOARD and stop.slots > 0)
