"""The trains of The Railway Game: how many cubes they may load, what a run brings, and which cubes go back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from engine.board.reach import HexOnceReach
from engine.definition import Definition, TrainType
from engine.game import Game
from engine.moves import Run
from engine.rounds.turns import Turn
from engine.routes.model import TrainRules
from engine.rules import Trains, all_of_the_turn
from engine.steps.run import RunChoice, RunStep
from titles.do.board.export import BeerTrain, load_of, loaded, vehicles
from titles.do.board.trains import drop_obsolete, last_run
from titles.do.railways import private_breweries
from titles.do.railways.tables import TrgTables

#: Beside a train: room for one cube.
ROOM = "▪"


def capacities(t: TrgTables, game: Game, company: str) -> Iterator[tuple[int, ...]]:
    """DO-4.5.5.1-b: how many cubes each train of a railway can carry: one of them more, if it has the marker for it."""
    trains = game.company(company).trains
    plain = tuple(t.loads.get(train, 0) for train in trains)
    if company == t.abilities.no_beer:
        yield (0,) * len(trains)
        return
    yield plain
    if private_breweries.marker(t, game, company, "load"):
        for number, train in enumerate(trains):
            if train not in t.markers.load_not_for:
                yield (*plain[:number], plain[number] + t.markers.load, *plain[number + 1 :])


def fleets(t: TrgTables) -> Callable[[Game, str], list[tuple[str, ...]]]:
    """DO-4.5.5.1-e: the loads that are worth trying: as many cubes as there are or as fit; what cannot be brought is
    left behind."""

    def ways(game: Game, company: str) -> list[tuple[str, ...]]:
        trains = game.company(company).trains
        cubes = private_breweries.at_hand(game, company)
        found: dict[tuple[str, ...], None] = {}
        greatest = max((sum(room) for room in capacities(t, game, company)), default=0)
        for room in capacities(t, game, company):
            if sum(room) < min(greatest, cubes):
                continue
            total = min(cubes, sum(room))
            for loads in product(*(range(most + 1) for most in room)):
                if sum(loads) == total:
                    fleet = sorted(loaded(train, load) for train, load in zip(trains, loads, strict=True))
                    found[tuple(fleet)] = None
        return list(found) or [()]

    return ways


def may_run(t: TrgTables) -> Callable[[Game, str, Sequence[str]], bool]:
    """DO-4.5.5.1-e: any loads that the trains can carry and the cubes allow."""

    def check(game: Game, company: str, used: Sequence[str]) -> bool:
        loads = [load_of(vehicle) for vehicle in used]
        trains = game.company(company).trains
        if Counter(train for train, _ in loads) - Counter(trains):
            return False
        if sum(cubes for _, cubes in loads) > private_breweries.at_hand(game, company):
            return False
        return any(_fits(loads, list(zip(trains, room, strict=True))) for room in capacities(t, game, company))

    return check


def _fits(loads: Sequence[tuple[str, int]], rooms: list[tuple[str, int]]) -> bool:
    """Whether each load finds a train of its type with room: the greatest loads take the greatest rooms."""
    for train, cubes in sorted(loads, key=lambda load: -load[1]):
        room = max((free for name, free in rooms if name == train), default=-1)
        if room < cubes:
            return False
        rooms.remove((train, room))
    return True


def trains(t: TrgTables, definition: Definition) -> Trains:
    """DO-4.5.5-a: trains of The Railway Game: all must run that can, some once more when they are obsolete."""
    steel = frozenset(t.locations.steel)
    most = {
        train.name: t.loads.get(train.name, 0) + (t.markers.load if train.name not in t.markers.load_not_for else 0)
        for train in definition.trains
    }

    def rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        pierces = steel if company == t.abilities.through_steel else frozenset[str]()
        more = t.markers.transport if private_breweries.marker(t, game, company, "transport") else 0
        return BeerTrain(t, game, company, train, colour, pierces, more)

    return Trains(
        rules=rules,
        reach=HexOnceReach,
        vehicles=vehicles(definition, most),
        fleets=fleets(t),
        may_run=may_run(t),
        obsolete=last_run(frozenset(t.trg.last_run)),
        must_run="all",
        labels=labels(t),
        depends=all_of_the_turn,
    )


def labels(t: TrgTables) -> Callable[[Game, str], list[str]]:
    """A railway's trains, each with a sign for every cube that it has room for; a marker's cube is nobody's yet."""

    def signed(game: Game, company: str) -> list[str]:
        rooms = next(capacities(t, game, company))
        return [train + ROOM * room for train, room in zip(game.company(company).trains, rooms, strict=True)]

    return signed


# ---------------------------------------------------------------------- running


class BeerRunChoice(RunChoice):
    """DO-4.5.5.1-e: run the trains; cubes that were carried go back, and obsolete trains have had their last run."""

    def perform(self, move: Run) -> None:
        game, company = self.game, self.company
        used = sum(load_of(route.train)[1] for route in self.routes(move))
        super().perform(move)
        if used:
            private_breweries.carried(game, company, used)
        drop_obsolete(game, company)


class BeerRunStep(RunStep):
    """DO-4.5.5-a: run trains; who has no route earns nothing, and loses obsolete trains all the same."""

    def __init__(self, run: type[RunChoice] = BeerRunChoice) -> None:
        super().__init__(run)

    def skipped(self, turn: Turn) -> None:
        super().skipped(turn)
        drop_obsolete(turn.game, turn.actor)
