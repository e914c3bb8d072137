"""Routes of trains: whether a run is allowed, what it is worth, how many trains can run, and the best run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referees.lra.board import Board, Place, Side, across
from tests.referees.lra.sheet import Piece

#: The train of GKB: its station, one more city, four towns.
GKB_TRAIN, GKB_PLACE, GKB_TOWNS = "2+4", ("A1", "a"), 4
#: So many steps of a search are small enough.
SMALL = 150_000

Crossed = frozenset[frozenset[Side]]


@dataclass(frozen=True)
class Route:
    """A way of a train: its stops in order and the sides between hexes that it crosses."""

    stops: tuple[Place, ...]
    crossed: Crossed


@dataclass(frozen=True)
class Worth:
    """What decides over values: the colour of the phase, and whose the Dalheim token is."""

    colour: str
    dalheim: str

    def of(self, board: Board, company: str, train: str, route: Route) -> int:
        """6.2.4: the stops, the lower value over a ferry, and the bonuses; the 2+4 train has no bonus."""
        sides = {side for pair in route.crossed for side in pair}
        total = 0
        for at, letter in route.stops:
            drawing = board.drawn(at)
            ferries = {(at, side) for side in drawing.ferry}
            total += drawing.ferry_value if ferries & sides else drawing.stops["ab".index(letter)].worth(self.colour)
        return total if train == GKB_TRAIN else total + self.bonus(board, company, route)

    def bonus(self, board: Board, company: str, route: Route) -> int:
        """6.2.4.1, 6.2.4.5 and 4.1.2 no. 1."""
        raw = board.sheet.raw
        hexes = {at for at, _ in route.stops}
        total = 0
        if hexes & set(raw["iron_rhine"]["east"]) and hexes & set(raw["iron_rhine"]["west"]):
            total += raw["iron_rhine"]["bonus"]
        if company == self.dalheim and raw["dalheim"]["hex"] in hexes and hexes & right_bank(board):
            total += raw["dalheim"]["bonus"]
        if board.harbour(company) in route.stops:
            total += raw["harbour"]["bonus"] * sum(board.sheet.hexes[at].locations for at in hexes)
        return total


def right_bank(board: Board) -> set[str]:
    """4.1.2 no. 1, ruling 95: the cities of the right bank, the crossings once they are green."""
    table = board.sheet.raw["right_bank"]
    return set(table["hexes"]) | {at for at in table["crossings"] if board.drawn(at).colour in ("green", "brown")}


def read(board: Board, path: list[str]) -> Route | str:
    """A route as it is written, or why it is none: `["F13:a", "F11", "F9:b"]`."""
    if len(path) < 2:
        return "a route has two stops at least [RHL-6.1.2-g]"
    where = [entry.partition(":")[0::2] for entry in path]
    if any(at not in board.sheet.hexes for at, _ in where):
        return "no such hex"
    stops: list[Place] = []
    crossed: list[frozenset[Side]] = []
    came: int | None = None
    for number, (at, letter) in enumerate(where):
        if letter and letter not in "ab"[: len(board.drawn(at).stops)]:
            return "no such stop"
        leaves: int | None = None
        if number + 1 < len(where):
            near = [side for side in range(6) if across((at, side))[0] == where[number + 1][0]]
            if not near:
                return "hexes that do not touch [RHL-6.1.2-a]"
            leaves = near[0]
            crossed.append(frozenset(((at, leaves), across((at, leaves)))))
        if letter:
            stops.append((at, letter))
            wanted: list[Piece] = [(side, letter) for side in (came, leaves) if side is not None]
        elif came is None or leaves is None:
            return "a route begins and ends at stops [RHL-6.1.2-g]"
        else:
            wanted = [(came, leaves)]
        if any(other not in board.ways(at, side) for side, other in wanted):
            return "there is no such track [RHL-6.1.2-a]"
        came = None if leaves is None else across((at, leaves))[1]
    if len(crossed) != len(set(crossed)):
        return "track twice [RHL-6.1.2-b]"
    return Route(tuple(stops), frozenset(crossed))


def size(board: Board, stops: tuple[Place, ...]) -> int:
    """6.2.3: cities and red fields, and towns at the ends."""
    last = len(stops) - 1
    return sum(board.kind(place) != "town" or number in (0, last) for number, place in enumerate(stops))


def foul(board: Board, company: str, train: str, route: Route) -> str:
    """Why a train of a company may not run along a route (6.1.2, 6.2.3)."""
    stops = route.stops
    if len({at for at, _ in stops}) < 2:
        return "two income hexes at least [RHL-6.1.2-g]"
    if len(set(stops)) != len(stops):
        return "a stop twice [RHL-6.2.3-c]"
    groups = [board.sheet.hexes[at].group for at, _ in stops if board.sheet.hexes[at].group]
    if len(set(groups)) != len(groups):
        return "a field twice [LRA-6.2.3-a]"
    if any(board.barred(place, company) for place in stops):
        return "a red field with a station of others [RHL-6.2.2-c]"
    ours = train == GKB_TRAIN
    if any(board.blocks(place, company) and not (ours and place == GKB_PLACE) for place in stops[1:-1]):
        return "through a red field or a full city [RHL-6.1.2-e]"
    if ours:
        cities = sum(board.kind(place) != "town" for place in stops)
        if GKB_PLACE not in stops or cities > 2 or len(stops) - cities > GKB_TOWNS:
            return "not for the 2+4 train [LRA-4.1.2-q]"
        return ""
    if not set(stops) & set(board.stations(company)):
        return "no own station [RHL-6.1.2-g]"
    if size(board, stops) > int(train):
        return f"too long for {train} [RHL-6.2.3-b]"
    return ""


def next_stops(board: Board, place: Place) -> Iterator[tuple[Place, Crossed]]:
    """The stops next to one along track, each with the sides crossed on the way."""

    def walk(at: str, end: int, used: Crossed) -> Iterator[tuple[Place, Crossed]]:
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


def all_routes(board: Board, company: str, train: str, most: int = SMALL) -> set[Route] | None:
    """Every route that a train may run; None if there are too many to look at."""
    legs: dict[Place, list[tuple[Place, Crossed]]] = {}
    found: set[Route] = set()
    starts = [GKB_PLACE] if train == GKB_TRAIN else board.stations(company)
    steps = 0

    def onward(place: Place) -> list[tuple[Place, Crossed]]:
        if place not in legs:
            legs[place] = list(next_stops(board, place))
        return legs[place]

    def fits(stops: tuple[Place, ...]) -> bool:
        cities = sum(board.kind(place) != "town" for place in stops)
        if train == GKB_TRAIN:
            return cities <= 2 and len(stops) - cities <= GKB_TOWNS
        return cities <= int(train)

    def arms(route: Route) -> Iterator[Route]:
        """The route, and all that go on from its end."""
        nonlocal steps
        steps += 1
        yield route
        if steps > most or (len(route.stops) > 1 and board.blocks(route.stops[-1], company)):
            return
        for place, crossed in onward(route.stops[-1]):
            longer = Route((*route.stops, place), route.crossed | crossed)
            if place not in route.stops and not crossed & route.crossed and fits(longer.stops):
                yield from arms(longer)

    for station in starts:
        ahead = list(arms(Route((station,), frozenset())))
        if steps > most:
            return None
        for number, one in enumerate(ahead):
            for two in ahead[number:]:
                steps += 1
                if steps > most:
                    return None
                if one.crossed & two.crossed or set(one.stops) & set(two.stops) != {station}:
                    continue
                whole = Route((*reversed(one.stops), *two.stops[1:]), one.crossed | two.crossed)
                if len(whole.stops) > 1 and not foul(board, company, train, whole):
                    found.add(whole)
    return found


def short_routes(board: Board, company: str, train: str) -> list[Crossed]:
    """The tracks of the shortest routes: a station and the next stop on another hex."""
    result: list[Crossed] = []
    starts = [GKB_PLACE] if train == GKB_TRAIN else board.stations(company)
    for station in starts:
        for place, crossed in next_stops(board, station):
            route = Route((station, place), crossed)
            if not foul(board, company, train, route):
                result.append(crossed)
                continue
            # The other stop of the same hex comes first: one further.
            if place[0] == station[0] and not board.blocks(place, company):
                for third, more in next_stops(board, place):
                    if not more & crossed and not foul(
                        board, company, train, Route((station, place, third), crossed | more)
                    ):
                        result.append(crossed | more)
    return result


def most_trains(board: Board, company: str, trains: list[str]) -> int:
    """How many trains can run at once on tracks of their own (6.2.3)."""
    ways = {train: short_routes(board, company, train) for train in set(trains)}

    def search(number: int, used: Crossed) -> int:
        if number == len(trains):
            return 0
        record = 0
        for crossed in ways[trains[number]]:
            if not crossed & used:
                record = max(record, 1 + search(number + 1, used | crossed))
                if record == len(trains) - number:
                    return record
        return max(record, search(number + 1, used))

    return search(0, frozenset())


def has_route(board: Board, company: str) -> bool:
    """Whether an ordinary train could run (ruling 65)."""
    return bool(short_routes(board, company, "2")) or bool(
        all_routes(board, company, "9", 3_000) if board.stations(company) else ()
    )


def best(board: Board, company: str, trains: list[str], worth: Worth) -> int | None:
    """The most that a company can earn; None if the board is too large to look at all."""
    choices: list[list[tuple[int, Crossed]]] = []
    for train in trains:
        routes = all_routes(board, company, train)
        if routes is None:
            return None
        values = {(worth.of(board, company, train, route), route.crossed) for route in routes}
        choices.append(sorted(values, key=lambda each: -each[0]))
    steps = 0

    def search(number: int, used: Crossed, earned: int, record: int) -> int:
        nonlocal steps
        if number == len(choices):
            return max(record, earned)
        rest = sum(each[0][0] for each in choices[number + 1 :] if each)
        for value, crossed in choices[number]:
            steps += 1
            if steps > SMALL * 3 or earned + value + rest <= record:
                break
            if not crossed & used:
                record = search(number + 1, used | crossed, earned + value, record)
        if earned + rest > record:
            record = search(number + 1, used, earned, record)
        return record

    result = search(0, frozenset(), 0, 0)
    return None if steps > SMALL * 3 else result
