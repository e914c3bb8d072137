"""Routes of trains: whether a run is allowed, what it is worth, and the best there is on a board small enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workshop.referees.common import routes
from workshop.referees.common.hexes import Place
from workshop.referees.common.routes import Route, next_stops
from workshop.referees.ruhr.track import Board

#: So many steps of a search are small enough.
SMALL = 60_000

#: The clauses that a route breaks as it is written.
CLAUSES = {
    routes.SHORT: "a route has two stops at least [RUHR-10.5-b]",
    routes.APART: "hexes that do not touch [RUHR-10.5-b]",
    routes.OPEN: "a route begins and ends at stops [RUHR-10.5-b]",
    routes.NO_TRACK: "there is no such track [RUHR-10.5-b]",
    routes.TWICE: "track twice [RUHR-10.5-i]",
}


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
            stop = board.stop((at, letter))
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
    """A route as it is written, or why it is none."""
    found = routes.read(board, path)
    return CLAUSES.get(found, found) if isinstance(found, str) else found


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
    if not _fits(board, stops, length):
        return f"too long for {train} [RUHR-10.5-c]"
    return ""


def has_route(board: Board, company: str) -> bool:
    """Whether a railway has a route (10.8.3): an own station and any other stop next to it."""
    return any(other != place for place in board.stations(company) for other, _ in next_stops(board, place))


def _fits(board: Board, stops: tuple[Place, ...], length: int) -> bool:
    """N cities and N towns; towns may fill up cities (10.5)."""
    return sum(board.kind(place) != "town" for place in stops) <= length and len(stops) <= 2 * length


def all_routes(board: Board, company: str, length: int, most: int = SMALL) -> set[Route] | None:
    """Every route that a train of this length may run; None if there are too many to look at."""
    return routes.all_routes(
        board,
        board.stations(company),
        lambda place: board.blocks(place, company),
        lambda stops: _fits(board, stops, length),
        lambda route: not foul(board, company, "", length, route),
        most,
    )


def best(board: Board, company: str, trains: list[tuple[str, int]], worth: Worth) -> int | None:
    """The most that a railway can earn with trains (name, length); None if the board is too large to look at all."""
    choices: list[list[tuple[int, int]]] = []
    for train, length in trains:
        found = all_routes(board, company, length)
        if found is None:
            return None
        choices.append([(worth.of(board, route, train), route.crossed) for route in found])
    return routes.best(choices, SMALL * 5)
