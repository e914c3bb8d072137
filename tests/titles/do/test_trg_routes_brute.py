"""The best run with export beer agrees with brute force: routes, who carries how much, and to which red field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import event, given, reject
from hypothesis import strategies as st

from engine.board.faces import Face, Stop
from engine.board.hexes import POINTY
from engine.definition import Hex
from engine.game import Game
from engine.routes.best import Router
from engine.routes.legs import LegBook
from tests.engine.boards import OWN, RIVAL, DrawnBoard, Scene, TrainKind, board_of, boards, boards_tried, spiral
from tests.engine.brute import TooManyError, Trail, trails
from titles import registry
from titles.do.board.links import LinkTokens
from titles.do.railways import running
from titles.do.railways.private_breweries import BreweryCards
from titles.do.railways.tables import TrgTables

pytestmark = pytest.mark.slow

RULES = registry.rules("do", 3, {}, "trg")
TABLES: TrgTables = RULES.definition.tables
#: Trains as short as brute force can follow, with the loads of the real ones.
REACH = {"2": 2, "4": 3, "5": 3, "8": 4}
#: Trains that are drawn, those that carry beer more than once.
TRAINS = ("8", "5", "8", "4", "2")
VEHICLES = {
    vehicle.name: replace(vehicle, reach=REACH[name])
    for vehicle in RULES.vehicles
    if (name := vehicle.name.partition("+")[0]) in REACH
}


@dataclass(frozen=True)
class Case:
    """A board with Dortmund City and red fields on it, trains and cubes."""

    scene: Scene
    trains: tuple[str, ...]
    city: str
    pays: dict[str, int]
    links: dict[str, int]
    cubes: int
    #: Whether the railway has the marker for transports, and the one for a greater load.
    transport: bool
    load: bool


#: What may lie around the City, the likelier kinds more than once; a red field has two values.
AROUND = (
    *[Stop("offboard", (("yellow", 20), ("brown", 60)), 0)] * 3,
    *[Stop("city", (("plain", 20),), 1)] * 2,
    Stop("town", (("plain", 10),), 0),
    None,
)


@st.composite
def crossroads(draw: st.DrawFn) -> DrawnBoard:
    """A board with a city in its middle that all the others lead to, red fields among them: there beer is brought."""
    hexes = spiral(POINTY)[: draw(st.integers(4, 9))]
    middle = hexes[0]
    city = Stop("city", (("plain", 70),), 2)
    printed, stations = {}, {}
    for at in hexes:
        beside = [edge for edge in range(6) if POINTY.neighbour(at, edge) in hexes]
        home = [edge for edge in beside if middle in (at, POINTY.neighbour(at, edge))]
        more = draw(st.lists(st.sampled_from(beside), max_size=1))
        stop = city if at == middle else draw(st.sampled_from(AROUND))
        edges = sorted({*home, *more})
        if stop is None:
            face = Face("yellow", (), ((edges[0], edges[-1]),) if len(edges) > 1 else ())
        else:
            face = Face("red" if stop.kind == "offboard" else "yellow", (stop,), tuple((edge, 6) for edge in edges))
            stations[at] = [[draw(st.sampled_from(("", "", OWN, RIVAL))) for _ in range(stop.slots)]]
        printed[at] = Hex(at, face)
    if not any(OWN in spaces for stops in stations.values() for spaces in stops):
        stations[middle][0][0] = OWN
    return board_of(POINTY, printed, {}, stations)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    middle = draw(st.sampled_from(("", "F10", "F10")))
    board = draw(crossroads() if middle else boards(8))
    inland, red = [], []
    for at, face in sorted(board.faces.items()):
        for stop, spaces in zip(face.stops, board.state.stations.get(at, ()), strict=False):
            if stop.kind == "offboard":  # a token on a red field keeps nobody out
                spaces[:] = [""] * len(spaces)
        kinds = {stop.kind for stop in face.stops}
        if len(face.stops) == 1:
            (red if "offboard" in kinds else inland).append(at)
    if not inland:
        reject()
    trains = tuple(draw(st.lists(st.sampled_from(TRAINS), min_size=1, max_size=3)))
    none: frozenset[Any] = frozenset()
    kinds_ = {name: TrainKind(name, REACH[name]) for name in trains}
    colour = draw(st.sampled_from(("yellow", "brown")))
    return Case(
        scene=Scene(board, colour, none, none, none, none, none, kinds_, trains),
        trains=trains,
        city=middle or draw(st.sampled_from(inland)),
        pays={at: draw(st.sampled_from((40, 50))) for at in red},
        links={at: draw(st.sampled_from((0, 20))) for at in inland},
        cubes=draw(st.sampled_from((3, 5, 4, 2, 1, 0))),
        transport=draw(st.booleans()),
        load=draw(st.booleans()),
    )


def stand_in(case: Case) -> tuple[Game, TrgTables]:
    """As much of a game as routes and loads look at, on a board that is not 18DO's."""
    t = replace(
        TABLES,
        city=replace(TABLES.city, hex=case.city),
        export=replace(TABLES.export, bonus=case.pays or {"Z9": 40}),
        yards=replace(TABLES.yards, hexes=()),
    )
    markers = {"P4": OWN if case.transport else "", "P5": OWN if case.load else ""}
    company = SimpleNamespace(trains=list(case.trains), director="ann")
    game: Any = SimpleNamespace(
        board=case.scene.board,
        company=lambda name: company,
        state=SimpleNamespace(
            own={
                LinkTokens.KEY: LinkTokens(case.links),
                BreweryCards.KEY: BreweryCards({"P1": case.cubes}, ["P1"], markers),
            },
            privates={"P1": "ann"},
        ),
    )
    return cast("Game", game), t


#: What a train can do: its route, the track, what it earns, how many cubes it takes, whether it needs the marker.
Way = tuple[Trail, int, int, bool]


def ways(case: Case, train: str, every: list[Trail]) -> list[Way]:
    """All routes of a train with every load, from the words of the rulebook alone."""
    most = {"5": 1, "6": 2, "8": 3}.get(train, 0)
    result = []
    for trail in every:
        hexes = [at for at, _ in groupby(word.partition(":")[0] for word in trail.words)]
        if len(set(hexes)) < len(hexes) or len(trail.visits) > REACH[train]:
            continue
        income = 0
        for visit in trail.visits:
            face = case.scene.board.faces[visit.at]
            ferry = visit.ferry or visit.landed
            income += face.ferry_value if ferry else face.stops[visit.parts[0]].value(case.scene.colour)
            income += case.links.get(visit.at, 0)
        result.append((trail, income, 0, False))
        fields = [case.pays[visit.at] for visit in trail.visits if visit.at in case.pays]
        if not fields or case.city not in [visit.at for visit in trail.visits]:
            continue
        for cubes in range(1, most + 2):
            bigger = cubes > most
            if (not bigger or (case.load and train != "2")) and cubes <= case.cubes:
                for field in set(fields):
                    result.append((trail, income + cubes * field + 10 * case.transport, cubes, bigger))
    return result


def sets(
    every: dict[str, list[Way]], trains: tuple[str, ...], used: frozenset[object], cubes: int, load: bool
) -> Iterator[tuple[int, int]]:
    """How many trains run and what they earn, in every way."""
    if not trains:
        yield 0, 0
        return
    yield from sets(every, trains[1:], used, cubes, load)
    for trail, income, taken, bigger in every[trains[0]]:
        if not (trail.used & used) and taken <= cubes and not (bigger and not load):
            for count, value in sets(every, trains[1:], used | trail.used, cubes - taken, load and not bigger):
                yield count + 1, income + value


@boards_tried()
@given(cases())
def test_the_best_run_is_found(case: Case) -> None:
    try:
        every = trails(case.scene)
    except TooManyError:
        reject()
    found = {train: ways(case, train, every) for train in {*case.trains}}
    total = 1
    for train in case.trains:
        total *= len(found[train]) + 1
    if total > 60_000:
        reject()
    expected = max(sets(found, case.trains, frozenset(), case.cubes, case.load))
    game, t = stand_in(case)
    more = t.markers.transport if case.transport else 0
    rules = {
        name: running.BeerTrain(t, game, OWN, vehicle, case.scene.colour, more=more)
        for name, vehicle in VEHICLES.items()
    }
    router = Router(LegBook(case.scene.board), rules)
    best = router.best_of(running.fleets(t)(game, OWN), as_many_as_possible=True)
    event(f"{sum(running.load_of(route.train)[1] for route in best.routes)} cubes on {len(best.routes)} routes")
    assert best.proved
    assert (len(best.routes), best.value) == expected
    assert running.may_run(t)(game, OWN, [route.train for route in best.routes])
    for route in best.routes:
        assert route.value == router.trace(route.train, route.path).value
