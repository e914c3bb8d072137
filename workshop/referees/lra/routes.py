"""Routes of trains: whether a run is allowed, what it is worth, how many trains can run, and the best run."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.referees.common import routes
from workshop.referees.common.hexes import Place
from workshop.referees.common.routes import Route, next_stops
from workshop.referees.lra.board import Board

#: The train of GKB: its station, one more city, four towns.
GKB_TRAIN, GKB_PLACE, GKB_TOWNS = "2+4", ("A1", "a"), 4
#: So many steps of a search are small enough.
SMALL = 150_000

#: The clauses that a route breaks as it is written.
CLAUSES = {
    routes.SHORT: "a route has two stops at least [RHL-6.1.2-g]",
    routes.APART: "hexes that do not touch [RHL-6.1.2-a]",
    routes.OPEN: "a route begins and ends at stops [RHL-6.1.2-g]",
    routes.NO_TRACK: "there is no such track [RHL-6.1.2-a]",
    routes.TWICE: "track twice [RHL-6.1.2-b]",
}


@dataclass(frozen=True)
class Worth:
    """What decides over values: the colour of the phase, and whose the Dalheim token is."""

    colour: str
    dalheim: str

    def of(self, board: Board, company: str, train: str, route: Route) -> int:
        """6.2.4: the stops, the lower value over a ferry, and the bonuses; the 2+4 train has no bonus."""
        total = 0
        for at, letter in route.stops:
            drawing = board.drawn(at)
            ferry = any(board.layout.bit((at, side)) & route.crossed for side in drawing.ferry)
            total += drawing.ferry_value if ferry else board.stop((at, letter)).worth(self.colour)
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
    """A route as it is written, or why it is none."""
    found = routes.read(board, path)
    return CLAUSES.get(found, found) if isinstance(found, str) else found


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


def _starts(board: Board, company: str, train: str) -> list[Place]:
    return [GKB_PLACE] if train == GKB_TRAIN else board.stations(company)


def all_routes(board: Board, company: str, train: str, most: int = SMALL) -> set[Route] | None:
    """Every route that a train may run; None if there are too many to look at."""

    def fits(stops: tuple[Place, ...]) -> bool:
        cities = sum(board.kind(place) != "town" for place in stops)
        if train == GKB_TRAIN:
            return cities <= 2 and len(stops) - cities <= GKB_TOWNS
        return cities <= int(train)

    return routes.all_routes(
        board,
        _starts(board, company, train),
        lambda place: board.blocks(place, company),
        fits,
        lambda route: not foul(board, company, train, route),
        most,
    )


def short_routes(board: Board, company: str, train: str) -> list[int]:
    """The tracks of the shortest routes: a station and the next stop on another hex."""
    result: list[int] = []
    for station in _starts(board, company, train):
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

    def search(number: int, used: int) -> int:
        if number == len(trains):
            return 0
        record = 0
        for crossed in ways[trains[number]]:
            if not crossed & used:
                record = max(record, 1 + search(number + 1, used | crossed))
                if record == len(trains) - number:
                    return record
        return max(record, search(number + 1, used))

    return search(0, 0)


def has_route(board: Board, company: str) -> bool:
    """Whether an ordinary train could run (ruling 65)."""
    return bool(short_routes(board, company, "2")) or bool(
        all_routes(board, company, "9", 3_000) if board.stations(company) else ()
    )


def best(board: Board, company: str, trains: list[str], worth: Worth) -> int | None:
    """The most that a company can earn; None if the board is too large to look at all."""
    choices: list[list[tuple[int, int]]] = []
    for train in trains:
        found = all_routes(board, company, train)
        if found is None:
            return None
        choices.append([(worth.of(board, company, train, route), route.crossed) for route in found])
    return routes.best(choices, SMALL * 3)
