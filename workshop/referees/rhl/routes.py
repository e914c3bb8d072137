"""Routes of 18Rhl: the Rhine, the Rheingold Express, and the bonuses (6.2.3, 6.2.4)."""

from __future__ import annotations

from workshop.referees.common import routes
from workshop.referees.common.hexes import Place
from workshop.referees.common.routes import Route
from workshop.referees.lra.routes import SMALL
from workshop.referees.rhl.board import COAL, STEEL, Board

RHEINGOLD = "8"
#: So many cities as no train has.
LONG = "99"


def blocks(board: Board, stops: tuple[Place, ...], number: int, company: str) -> bool:
    """Whether a route is stopped at one of its inner stops; a green Metropolis is passed by either bank it touches."""
    place = stops[number]
    if board.ferry(place[0]):
        touched = [stop for stop in stops[max(0, number - 1) : number + 2] if stop[0] == place[0]]
        return not any(board.open(stop, company) for stop in touched)
    return board.blocks(place, company)


def counted(board: Board, train: str, stops: tuple[Place, ...]) -> int:
    """6.2.3: cities and red fields, a Metropolis once, and towns at the ends; none for the Rheingold."""
    last = len(stops) - 1
    cities = {board.city(place) for place in stops if board.kind(place) != "town"}
    ends = {number for number in (0, last) if board.kind(stops[number]) == "town"}
    return len(cities) + (0 if train == RHEINGOLD else len(ends))


def ends_at(board: Board, stops: tuple[Place, ...]) -> tuple[int, int]:
    """The first and the last stop that are not the same city as an end: between them a route runs through."""
    first, last = 1, len(stops) - 1
    if len(stops) > 1 and board.ferry(stops[0][0]) and stops[1][0] == stops[0][0]:
        first = 2
    if len(stops) > 1 and board.ferry(stops[-1][0]) and stops[-2][0] == stops[-1][0]:
        last -= 1
    return first, last


def foul(board: Board, company: str, train: str, route: Route) -> str:
    """Why a train of a company may not run along a route (6.1.2, 6.2.3, 6.2.4.4)."""
    stops = route.stops
    gold = train == RHEINGOLD
    income = {at for (at, letter) in stops if not gold or board.kind((at, letter)) != "town"}
    if len(income) < 2:
        return "two income hexes at least [RHL-6.1.2-g]"
    if len(set(stops)) != len(stops):
        return "a stop twice [RHL-6.2.3-c]"
    cities = [board.city(place) for place in stops]
    for number, city in enumerate(cities):
        if city in cities[number + 1 :]:
            near = number + 1 < len(cities) and cities[number + 1] == city and cities.count(city) == 2
            if not (near and board.ferry(city[0])):
                return "a city twice [RHL-6.2.3.1-a]"
    groups = [board.sheet.hexes[at].group for at, _ in stops if board.sheet.hexes[at].group]
    if len(set(groups)) != len(groups):
        return "an area twice [RHL-6.2.3-e]"
    if any(board.barred(place, company) for place in stops):
        return "a red field with a station of others [RHL-6.2.2-c]"
    first, last = ends_at(board, stops)
    for number in range(first, last):
        if board.kind(stops[number]) == "offboard" or blocks(board, stops, number, company):
            return "through a red field or a full city [RHL-6.1.2-e]"
        if gold and stops[number][0] in board.sheet.raw["rheingold"]["not_through"]:
            return "not through Venlo [RHL-6.2.4.4-b]"
    if not set(stops) & set(board.stations(company)):
        return "no own station [RHL-6.1.2-g]"
    if counted(board, train, stops) > int(train):
        return f"too long for {train} [RHL-6.2.3-b]"
    if gold:
        if "town" in (board.kind(stops[0]), board.kind(stops[-1])):
            return "towns are no income hexes [RHL-6.2.4.4-c]"
        if not {stops[0][0], stops[-1][0]} & set(board.sheet.raw["rheingold"]["start"]):
            return "from Nijmegen or Arnhem [RHL-6.2.4.4-a]"
    return ""


def value(board: Board, colour: str, train: str, route: Route) -> int:
    """6.2.4: stops and bonuses."""
    raw = board.sheet.raw
    gold = train == RHEINGOLD
    hexes = {at for at, _ in route.stops}
    ends = {route.stops[0][0], route.stops[-1][0]}
    express = gold and bool(ends & set(raw["rheingold"]["start"])) and bool(ends & set(raw["rheingold"]["far_end"]))
    total = 0
    seen: set[tuple[str, str]] = set()
    for place in route.stops:
        at = place[0]
        city = board.city(place)
        if city in seen or (gold and board.kind(place) == "town"):
            continue
        seen.add(city)
        if at in raw["eastern_ruhr"]["hexes"]:
            worth = raw["eastern_ruhr"]["value_by_links"][board.eastern_links()]
        elif board.ferry(at) and route.crossed & board.layout.link(at):
            worth = board.drawn(at).ferry_value
        else:
            worth = board.stop(place).worth(colour)
        total += worth * (2 if express and at in raw["rheingold"]["doubled"] else 1)
    if hexes & set(raw["iron_rhine"]["east"]) and hexes & set(raw["iron_rhine"]["west"]):
        total += raw["iron_rhine"]["bonus"]
    if not gold:
        mines: dict[str, list[str]] = {}
        for place in route.stops:
            mines[place[0]] = board.locations(place)
        every = [icon for icons in mines.values() for icon in icons]
        total += raw["industry_bonus"]["amount"][colour] * min(2, every.count(COAL), every.count(STEEL))
    return total


def all_routes(board: Board, company: str, train: str, most: int = SMALL) -> set[Route] | None:
    """Every route that a train may run; None if there are too many to look at."""

    def fits(stops: tuple[Place, ...]) -> bool:
        cities = {board.city(place) for place in stops if board.kind(place) != "town"}
        return len(cities) <= int(train)

    def ends(place: Place) -> bool:
        if board.linked(place[0]):
            return False
        return board.blocks(place, company)

    return routes.all_routes(
        board,
        board.stations(company),
        ends,
        fits,
        lambda route: not foul(board, company, train, route),
        most,
    )


def tracks(board: Board, company: str, train: str) -> list[int] | None:
    """The tracks of routes that a train may run: the shortest ones will do but for the Rheingold Express."""
    if train == RHEINGOLD:
        return gold_tracks(board, company)
    found = short_routes_of(board, company, train)
    if found:
        return found
    every = all_routes(board, company, train, SMALL // 5)
    if every is None:
        return None
    return sorted({route.crossed for route in every}, key=lambda crossed: crossed.bit_count())


def gold_tracks(board: Board, company: str) -> list[int] | None:
    """6.2.4.4: the tracks of the Rheingold's routes, all of which start at Nijmegen or Arnhem; None if too many."""
    starts = [(at, "a") for at in board.sheet.raw["rheingold"]["start"]]
    if not set(starts) & board.reach(company)[0]:
        return []
    legs: dict[Place, list[tuple[Place, int]]] = {}
    found: set[int] = set()
    steps = 0

    def search(stops: tuple[Place, ...], used: int) -> None:
        nonlocal steps
        steps += 1
        if steps > SMALL:
            return
        if len(stops) > 1 and not foul(board, company, RHEINGOLD, Route(stops, used)):
            found.add(used)
        here = stops[-1]
        if len(stops) > 1 and (
            board.kind(here) == "offboard" or (not board.ferry(here[0]) and board.blocks(here, company))
        ):
            return
        if here not in legs:
            legs[here] = list(routes.next_stops(board, here))
        for place, crossed in legs[here]:
            longer = (*stops, place)
            if not crossed & used and place not in stops and counted(board, RHEINGOLD, longer) <= int(RHEINGOLD):
                search(longer, used | crossed)

    for start in starts:
        search((start,), 0)
    if steps > SMALL and not found:
        return None
    return sorted(found, key=lambda crossed: crossed.bit_count())


def short_routes_of(board: Board, company: str, train: str) -> list[int]:
    """A station and the stop that comes next on another hex, over the link of two stops too."""
    result: list[int] = []
    for station in board.stations(company):
        for place, crossed in routes.next_stops(board, station):
            if not foul(board, company, train, Route((station, place), crossed)):
                result.append(crossed)
            for third, more in routes.next_stops(board, place):
                route = Route((station, place, third), crossed | more)
                if not more & crossed and not foul(board, company, train, route):
                    result.append(crossed | more)
        for place, crossed in routes.next_stops(board, station):
            for other, more in routes.next_stops(board, station):
                route = Route((place, station, other), crossed | more)
                if not more & crossed and not foul(board, company, train, route):
                    result.append(crossed | more)
    return sorted(set(result), key=lambda crossed: crossed.bit_count())


def most_trains(board: Board, company: str, trains: list[str], runs: int) -> int:
    """How many trains can run at once on tracks of their own; as many as run where that is too much to look at."""
    found = {train: tracks(board, company, train) for train in set(trains)}
    if any(ways is None for ways in found.values()):
        return runs
    steps = 0

    def search(number: int, used: int) -> int:
        nonlocal steps
        steps += 1
        if number == len(trains):
            return 0
        record = 0
        for crossed in found[trains[number]] or ():
            if not crossed & used and steps < SMALL:
                record = max(record, 1 + search(number + 1, used | crossed))
                if record == len(trains) - number:
                    return record
        return max(record, search(number + 1, used))

    return search(0, 0)


def has_route(board: Board, company: str) -> bool:
    """Whether an ordinary train could run (ruling 65)."""
    if short_routes_of(board, company, LONG):
        return True
    every = all_routes(board, company, LONG, 3_000)
    return every is None or bool(every)
