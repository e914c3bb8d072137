"""Routes of trains: whether a run is allowed, what it is worth, and the best there is on a board small enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.referees.ruhr.sheet import Piece
from tests.referees.ruhr.track import Board, Place, Side, across

#: So many steps of a search are small enough.
SMALL = 60_000


@dataclass(frozen=True)
class Route:
    """A way of a train: its stops in order and the sides between hexes that it crosses."""

    stops: tuple[Place, ...]
    crossed: frozenset[frozenset[Side]]


@dataclass(frozen=True)
class Worth:
    """What decides over values: the colour of the phase, values on location markers, which of them are coal."""

    colour: str
    markers: Mapping[str, int]
    coal: frozenset[str]
    destinations: Mapping[str, object]

    def of(self, board: Board, route: Route, train: str) -> int:
        """10.6.1: stops, location markers, destinations by formula, red ones double for the largest train."""
        locations = [at for at, _ in route.stops if self.markers.get(at)]
        total = sum(self.markers[at] for at in locations)
        for at, letter in route.stops:
            stop = board.drawn(at).stops["ab".index(letter)]
            value = stop.worth(self.colour)
            if at == self.destinations["montan"]:
                value = int(str(self.destinations["montan_value"])) * len(locations)
            elif at == self.destinations["coal"]:
                value = int(str(self.destinations["coal_value"])) * sum(at in self.coal for at in locations)
            if stop.kind == "offboard" and train in list(self.destinations["double_for"]):  # type: ignore[call-overload]
                value *= 2
            total += value
        return total


def read(board: Board, path: list[str]) -> Route | str:
    """A route as it is written, or why it is none: `["F13:a", "F11", "F9:b"]`."""
    if len(path) < 2:
        return "a route has two stops at least [RUHR-10.5-b]"
    where = [entry.partition(":")[0::2] for entry in path]
    if any(at not in board.sheet.hexes for at, _ in where):
        return "no such hex"
    stops: list[Place] = []
    crossed: list[frozenset[Side]] = []
    came: int | None = None
    for number, (at, letter) in enumerate(where):
        letters = "ab"[: len(board.drawn(at).stops)]
        if letter and letter not in letters:
            return "no such stop"
        leaves: int | None = None
        if number + 1 < len(where):
            near = [side for side in range(6) if across((at, side))[0] == where[number + 1][0]]
            if not near:
                return "hexes that do not touch [RUHR-10.5-b]"
            leaves = near[0]
            crossed.append(frozenset(((at, leaves), across((at, leaves)))))
        if letter:
            stops.append((at, letter))
            wanted: list[Piece] = [(side, letter) for side in (came, leaves) if side is not None]
        elif came is None or leaves is None:
            return "a route begins and ends at stops [RUHR-10.5-b]"
        else:
            wanted = [(came, leaves)]
        if any(other not in board.ways(at, side) for side, other in wanted):
            return "there is no such track [RUHR-10.5-b]"
        came = None if leaves is None else across((at, leaves))[1]
    if len(crossed) != len(set(crossed)):
        return "track twice [RUHR-10.5-i]"
    return Route(tuple(stops), frozenset(crossed))


def foul(board: Board, company: str, train: str, length: int, route: Route) -> str:
    """Why a train of a company may not run along a route (10.5)."""
    stops = route.stops
    if len(stops) < 2:
        return "a route has two stops at least [RUHR-10.5-b]"
    if len(set(stops)) != len(stops):
        return "a stop twice [RUHR-10.5-j]"
    if not set(stops) & set(board.stations(company)):
        return "no own station [RUHR-10.5-b]"
    if any(board.blocks(place, company) for place in stops[1:-1]):
        return "through a red or a full city [RUHR-10.5-g]"
    cities = sum(board.drawn(at).stops["ab".index(letter)].kind != "town" for at, letter in stops)
    if cities > length or len(stops) > 2 * length:
        return f"too long for {train} [RUHR-10.5-c]"
    return ""


def next_stops(board: Board, place: Place) -> Iterator[tuple[Place, frozenset[frozenset[Side]]]]:
    """The stops next to one along track, each with the sides crossed on the way."""

    def walk(at: str, end: int, used: frozenset[frozenset[Side]]) -> Iterator[tuple[Place, frozenset[frozenset[Side]]]]:
        crossed = frozenset(((at, end), across((at, end))))
        there, entry = across((at, end))
        if there not in board.sheet.hexes or crossed in used:
            return
        for way in board.ways(there, entry):
            if isinstance(way, str):
                yield (there, way), used | {crossed}
            else:
                yield from walk(there, way, used | {crossed})

    at, letter = place
    for way in board.ways(at, letter):
        if isinstance(way, int):
            yield from walk(at, way, frozenset())


def has_route(board: Board, company: str) -> bool:
    """Whether a railway has a route (10.8.3): an own station and any other stop next to it."""
    return any(other != place for place in board.stations(company) for other, _ in next_stops(board, place))


def all_routes(board: Board, company: str, length: int, most: int = SMALL) -> set[Route] | None:
    """Every route that a train of this length may run; None if there are too many to look at."""
    legs: dict[Place, list[tuple[Place, frozenset[frozenset[Side]]]]] = {}
    found: set[Route] = set()
    own = set(board.stations(company))
    steps = 0

    def onward(place: Place) -> list[tuple[Place, frozenset[frozenset[Side]]]]:
        if place not in legs:
            legs[place] = list(next_stops(board, place))
        return legs[place]

    def arms(route: Route) -> Iterator[Route]:
        """The route, and all that go on from its end."""
        nonlocal steps
        steps += 1
        yield route
        if steps > most or (len(route.stops) > 1 and board.blocks(route.stops[-1], company)):
            return
        for place, crossed in onward(route.stops[-1]):
            longer = Route((*route.stops, place), route.crossed | crossed)
            if place not in route.stops and not crossed & route.crossed and _short(board, longer, length):
                yield from arms(longer)

    for station in own:
        ahead = list(arms(Route((station,), frozenset())))
        if steps > most:
            return None
        for one in ahead:
            for two in ahead:
                steps += 1
                if steps > most:
                    return None
                if one.crossed & two.crossed or set(one.stops) & set(two.stops) != {station}:
                    continue
                whole = Route((*reversed(one.stops), *two.stops[1:]), one.crossed | two.crossed)
                if not foul(board, company, "", length, whole):
                    found.add(whole)
    return found


def _short(board: Board, route: Route, length: int) -> bool:
    cities = sum(board.drawn(at).stops["ab".index(letter)].kind != "town" for at, letter in route.stops)
    return cities <= length and len(route.stops) <= 2 * length


def best(board: Board, company: str, trains: list[tuple[str, int]], worth: Worth) -> int | None:
    """The most that a railway can earn with trains (name, length); None if the board is too large to look at all."""
    choices: list[list[tuple[int, frozenset[frozenset[Side]]]]] = []
    for train, length in trains:
        routes = all_routes(board, company, length)
        if routes is None:
            return None
        values = sorted({(worth.of(board, route, train), route.crossed) for route in routes}, key=lambda each: -each[0])
        choices.append(values)
    steps = 0

    def search(number: int, used: frozenset[frozenset[Side]], earned: int, record: int) -> int:
        nonlocal steps
        if number == len(choices):
            return max(record, earned)
        rest = sum(each[0][0] for each in choices[number + 1 :] if each)
        for value, crossed in choices[number]:
            steps += 1
            if steps > SMALL * 5 or earned + value + rest <= record:
                break
            if not crossed & used:
                record = search(number + 1, used | crossed, earned + value, record)
        if earned + rest > record:
            record = search(number + 1, used, earned, record)
        return record

    result = search(0, frozenset(), 0, 0)
    return None if steps > SMALL * 5 else result
