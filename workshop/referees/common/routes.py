"""Routes of trains on a net: reading one, all that there are, and the best of several trains together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workshop.referees.common.hexes import Piece, Place
from workshop.referees.common.net import Net

#: What can be wrong with a route as it is written.
SHORT, APART, OPEN, NO_TRACK, TWICE = "too short", "hexes apart", "open ends", "no track", "track twice"


@dataclass(frozen=True)
class Route:
    """A way of a train: its stops in order and the borders between hexes that it crosses."""

    stops: tuple[Place, ...]
    crossed: int


def read(board: Net[Any], path: Sequence[str]) -> Route | str:
    """A route as it is written, or what is wrong with it: `["F13:a", "F11", "F9:b"]`."""
    if len(path) < 2:
        return SHORT
    where = [entry.partition(":")[0::2] for entry in path]
    if any(at not in board.sheet.hexes for at, _ in where):
        return "no such hex"
    across, bit = board.layout.across, board.layout.bit
    stops: list[Place] = []
    crossed: list[int] = []
    came: int | None = None
    over = False
    for number, (at, letter) in enumerate(where):
        if letter and letter not in "abc"[: len(board.drawn(at).stops)]:
            return "no such stop"
        leaves: int | None = None
        linked = False
        if number + 1 < len(where) and where[number + 1][0] == at:
            other = where[number + 1][1]
            if not letter or other not in board.ways(at, letter):
                return NO_TRACK
            crossed.append(board.layout.link(at))
            linked = True
        elif number + 1 < len(where):
            near = [side for side in range(6) if across((at, side))[0] == where[number + 1][0]]
            if not near:
                return APART
            leaves = near[0]
            crossed.append(bit((at, leaves)))
        if letter:
            stops.append((at, letter))
            wanted: list[Piece] = [(side, letter) for side in (came, leaves) if side is not None]
        elif came is None or leaves is None or over:
            return OPEN
        else:
            wanted = [(came, leaves)]
        if any(other not in board.ways(at, side) for side, other in wanted):
            return NO_TRACK
        came = None if leaves is None else across((at, leaves))[1]
        over = linked
    if len(crossed) != len(set(crossed)):
        return TWICE
    return Route(tuple(stops), sum(crossed))


def next_stops(board: Net[Any], place: Place) -> Iterator[tuple[Place, int]]:
    """The stops next to one along track, each with the borders crossed on the way."""

    def walk(at: str, end: int, used: int) -> Iterator[tuple[Place, int]]:
        crossed = board.layout.bit((at, end))
        there, entry = board.layout.across((at, end))
        if there not in board.sheet.hexes or crossed & used:
            return
        for way in board.ways(there, entry):
            if isinstance(way, str):
                yield (there, way), used | crossed
            else:
                yield from walk(there, way, used | crossed)

    at, letter = place
    for way in board.ways(at, letter):
        if isinstance(way, int):
            yield from walk(at, way, 0)
        else:
            yield (at, way), board.layout.link(at)


def all_routes(
    board: Net[Any],
    starts: Iterable[Place],
    ends: Callable[[Place], bool],
    fits: Callable[[tuple[Place, ...]], bool],
    good: Callable[[Route], bool],
    most: int,
) -> set[Route] | None:
    """Every good route through one of some stops, an arm to each side; None if there are too many to look at.

    `ends`: no arm goes on from there. `fits`: an arm with these stops is not too long yet.
    """
    legs: dict[Place, list[tuple[Place, int]]] = {}
    found: set[Route] = set()
    steps = 0

    def onward(place: Place) -> list[tuple[Place, int]]:
        if place not in legs:
            legs[place] = list(next_stops(board, place))
        return legs[place]

    def arms(stops: tuple[Place, ...], used: int) -> Iterator[tuple[tuple[Place, ...], int]]:
        """The arm, and all that go on from its end."""
        nonlocal steps
        steps += 1
        yield stops, used
        if steps > most or (len(stops) > 1 and ends(stops[-1])):
            return
        for place, crossed in onward(stops[-1]):
            if not crossed & used and place not in stops and fits((*stops, place)):
                yield from arms((*stops, place), used | crossed)

    for station in starts:
        ahead = [(stops, used, frozenset(stops[1:])) for stops, used in arms((station,), 0)]
        if steps > most:
            return None
        for number, (one, crossed, places) in enumerate(ahead):
            for two, others, more in ahead[number:]:
                steps += 1
                if steps > most:
                    return None
                if crossed & others or not places.isdisjoint(more):
                    continue
                whole = Route((*reversed(one), *two[1:]), crossed | others)
                if len(whole.stops) > 1 and good(whole):
                    found.add(whole)
    return found


def best(trains: Sequence[Iterable[tuple[int, int]]], most: int) -> int | None:
    """The most that trains earn together, each on one of its ways (value, borders) or none; None if it is too much."""
    choices = [sorted(set(each), reverse=True) for each in trains]
    steps = 0

    def search(number: int, used: int, earned: int, record: int) -> int:
        nonlocal steps
        if number == len(choices):
            return max(record, earned)
        rest = sum(each[0][0] for each in choices[number + 1 :] if each)
        for value, crossed in choices[number]:
            steps += 1
            if steps > most or earned + value + rest <= record:
                break
            if not crossed & used:
                record = search(number + 1, used | crossed, earned + value, record)
        if earned + rest > record:
            record = search(number + 1, used, earned, record)
        return record

    result = search(0, 0, 0, 0)
    return None if steps > most else result
