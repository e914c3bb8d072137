"""Routes of trains and rail buses: whether a run is allowed, what it is worth, and whether there is one (8.5, 8.6)."""

from __future__ import annotations

from workshop.referees.bl.board import Board
from workshop.referees.common import routes
from workshop.referees.common.hexes import Place
from workshop.referees.common.routes import Route, next_stops

#: The clauses that a route breaks as it is written.
CLAUSES = {
    routes.SHORT: "a route has two stops at least [BL-8.5.1-e]",
    routes.APART: "fields that do not touch [BL-8.5.1-b]",
    routes.OPEN: "a route begins and ends at stops [BL-8.5.1-e]",
    routes.NO_TRACK: "there is no such track [BL-8.5.1-c]",
    routes.TWICE: "track twice [BL-8.5.1-f]",
}


def read(board: Board, path: list[str]) -> Route | str:
    """A route as it is written, or why it is none."""
    found = routes.read(board, path)
    return CLAUSES.get(found, found) if isinstance(found, str) else found


def kind(board: Board, vehicle: str) -> str:
    """ "train", "railbus" or "trailer"."""
    return str(board.sheet.rows("train", "name")[vehicle]["kind"])


def parts(train: str, owned: list[str]) -> tuple[str, str]:
    """A vehicle as it is written in a run: a rail bus with its trailer is `SB3+BW-A`, a train may be called `3+3`."""
    if train in owned or "+" not in train:
        return train, ""
    vehicle, _, trailer = train.partition("+")
    return vehicle, trailer


def foul(board: Board, company: str, vehicle: str, route: Route) -> str:
    """Why a vehicle of a company may not run along a route."""
    stops = route.stops
    if len(stops) < 2:
        return "two stops at least [BL-8.5.1-e]"
    if len(set(stops)) != len(stops):
        return "a stop twice [BL-8.5.1-h]"
    if any(board.shut(place, company) for place in stops):
        return "P12 needs an access token [BL-5.2-4h]"
    if any(board.blocks(place, company) for place in stops[1:-1]):
        return "through a red field or a full city [BL-8.5.1-j]"
    if len(stops) > int(board.sheet.rows("train", "name")[vehicle]["reach"]):
        return "too long [BL-8.5.2-a]"
    own = set(board.stations(company))
    if kind(board, vehicle) == "railbus":
        cities = [place for place in stops if board.kind(place) == "city"]
        if len(cities) != 1 or any(board.kind(place) == "offboard" for place in stops):
            return "one city, the rest towns [BL-8.5.2-d]"
        own &= set(cities)
    if not own & set(stops):
        return "no own token [BL-8.5.1-b]"
    return ""


def value(board: Board, colour: str, vehicle: str, trailer: str, route: Route) -> int:
    """8.6.1: the stops; a 3+3 counts all twice, a trailer the towns but not P12."""
    twice = vehicle in board.sheet.raw["vehicles"]["run_twice"]
    total = 0
    for place in route.stops:
        double = twice or (trailer and board.kind(place) == "town" and place[0] != board.sheet.raw["access"]["hex"])
        total += board.stop(place).worth(colour) * (2 if double else 1)
    return total


def has_route(board: Board, company: str, vehicle: str) -> bool:
    """Whether a vehicle could run: a token and the next stop are the least."""

    def runs(station: Place) -> bool:
        return any(
            not foul(board, company, vehicle, Route((station, place), crossed))
            for place, crossed in next_stops(board, station)
        )

    return any(map(runs, board.stations(company)))
