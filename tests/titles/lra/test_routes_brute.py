"""The best routes of 18LRA agree with brute force: harbours, ferries, Iron Rhine, Dalheim and GKB's train."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.board.faces import FIRST_STOP, Face
from engine.game import Game
from engine.routes.best import Router
from engine.routes.legs import LegBook
from engine.state import MARKER
from tests.engine.boards import OWN, Scene, TrainKind, boards, boards_tried
from tests.engine.brute import Ground, Run, TooManyError, Trail, _Walker, affordable, best_sets, trails
from titles import registry
from titles.lra.dalheim import CampToken
from titles.lra.gkb import GkbReach
from titles.lra.running import train_rules

pytestmark = pytest.mark.slow

RULES = registry.rules("lra", 4)
KINDS = {train.name: train for train in RULES.definition.trains}
GKB = "2+4"


@dataclass
class Case:
    """A random board with 18LRA's things on it."""

    scene: Scene
    station: str
    dalheim: str
    right: tuple[str, ...]
    east: tuple[str, ...]
    west: tuple[str, ...]
    #: Whether the company has Dalheim's token.
    token: bool


def with_space(case: Case) -> tuple[str, ...]:
    """The hexes with a harbour space."""
    faces = case.scene.board.faces
    return tuple(at for at, face in faces.items() if any("harbour" in stop.reserved for stop in face.stops))


def stand_in(case: Case) -> Game:
    """As much of a game as the trains' rules look at, on a board that is not 18LRA's."""
    own = RULES.definition.tables
    tables = replace(
        own,
        harbour=replace(own.harbour, hexes=with_space(case)),
        right_bank=replace(own.right_bank, hexes=case.right, crossings=()),
        iron_rhine=replace(own.iron_rhine, east=case.east, west=case.west),
        dalheim=replace(own.dalheim, hex=case.dalheim),
        gkb=replace(own.gkb, hex=case.station),
    )
    game: Any = SimpleNamespace(
        board=case.scene.board,
        definition=replace(RULES.definition, tables=tables),
        state=SimpleNamespace(own={CampToken.KEY: CampToken("ann", OWN if case.token else "other")}),
    )
    return cast("Game", game)


def own_harbour(case: Case) -> str:
    """The first hex on whose harbour space, the last of its stop, the company has a token."""
    stations = case.scene.board.state.stations
    return next((at for at in with_space(case) if stations[at][0][-1] == OWN), "")


def income(case: Case, trail: Trail) -> int:
    total = 0
    for visit in trail.visits:
        face = case.scene.board.faces[visit.at]
        ferried = visit.ferry or visit.landed
        total += face.ferry_value if ferried else face.stops[visit.parts[0]].value(case.scene.colour)
    return total


def legal(case: Case, name: str, every: list[Trail]) -> list[Run]:
    """An ordinary train's routes and what they earn, from the words of the rulebook alone."""
    result = []
    faces = case.scene.board.faces
    for trail in every:
        hexes = {visit.at for visit in trail.visits}
        towns = [faces[visit.at].stops[visit.parts[0]].kind == "town" for visit in trail.visits]
        if len(hexes) < 2 or len(towns) - sum(towns) + towns[0] + towns[-1] > KINDS[name].reach:
            continue
        total = income(case, trail)
        if own_harbour(case) in hexes:
            total += 10 * sum(icon in faces[at].icons for at in hexes for icon in ("coal", "steel"))
        if hexes & set(case.east) and hexes & set(case.west):
            total += 80
        if case.token and case.dalheim in hexes and hexes & set(case.right):
            total += 20
        result.append(Run(trail.words, total, trail.used))
    return result


def of_gkb(case: Case) -> Iterator[Trail]:
    """The ways of GKB's train: over its station, one other city or field, four towns."""
    board = case.scene.board
    for trail in _Walker(Ground(board, opens=frozenset({case.station})), 2, 4000).all():
        hexes = {visit.at for visit in trail.visits}
        towns = sum(board.faces[visit.at].stops[visit.parts[0]].kind == "town" for visit in trail.visits)
        if case.station in hexes and len(hexes) > 1 and towns <= 4:
            yield trail


def gkb_runs(case: Case) -> list[Run]:
    """What the train earns on them: no bonus."""
    return [Run(trail.words, income(case, trail), trail.used) for trail in of_gkb(case)]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    board = draw(boards(8))
    hexes = sorted(at for at, face in board.faces.items() if face.stops)
    for at in hexes:
        icons = draw(st.sampled_from(((), (), ("coal",), ("steel",), ("coal", "steel"))))
        board.faces[at] = replace(board.faces[at], icons=icons)
        for spaces, stop in zip(board.state.stations[at], board.faces[at].stops, strict=True):
            if "harbour" in stop.reserved and draw(st.booleans()):
                spaces[-1] = OWN
    cities = [
        at
        for at in hexes
        if [stop.kind for stop in board.faces[at].stops] == ["city"] and not board.faces[at].stops[0].reserved
    ]
    station = draw(st.sampled_from(cities)) if cities else ""
    if station:
        board.state.stations[station] = [[MARKER] * len(board.state.stations[station][0])]
        board.state.beside.pop(station, None)
    some = st.lists(st.sampled_from(hexes), max_size=2, unique=True) if hexes else st.just([])
    engines = draw(st.lists(st.sampled_from(("2", "3", "4", "5")), min_size=1, max_size=2))
    trains = (*engines, *([GKB] if station and draw(st.booleans()) else []))
    none: frozenset[Any] = frozenset()
    kinds = {name: TrainKind(name, KINDS[name].reach) for name in trains}
    colour = draw(st.sampled_from(("yellow", "green", "brown")))
    scene = Scene(board, colour, none, none, none, none, none, kinds, tuple(trains))
    return Case(
        scene,
        station,
        draw(st.sampled_from(hexes)) if hexes else "",
        tuple(draw(some)),
        tuple(draw(some)),
        tuple(draw(some)),
        draw(st.booleans()),
    )


@boards_tried()
@given(cases())
def test_the_best_use_of_all_trains_is_found(case: Case) -> None:
    scene = case.scene
    try:
        every = trails(scene)
        routes = {name: gkb_runs(case) if name == GKB else legal(case, name, every) for name in scene.kinds}
    except TooManyError:
        reject()
    fleet = affordable(scene, routes, 3000)
    game = stand_in(case)
    router = Router(LegBook(scene.board), {name: train_rules(game, OWN, KINDS[name], scene.colour) for name in routes})
    richest, most, of_most = best_sets(routes, fleet)
    found = router.best(fleet, as_many_as_possible=False)
    assert found.value == richest
    assert found.proved
    full = router.best(fleet, as_many_as_possible=True)
    assert (len(full.routes), full.value) == (most, of_most)
    for route in (*found.routes, *full.routes):
        assert [run.value for run in routes[route.train] if run.words == route.path] == [route.value]


@boards_tried()
@given(cases())
def test_the_extra_tile_of_gkb_goes_where_its_train_gets_to(case: Case) -> None:
    """Every stop of its ways is reached, and no other."""
    board = case.scene.board
    if not case.station or any(map(within, board.faces.values())):
        reject()
    try:
        ways = list(of_gkb(case))
    except TooManyError:
        reject()
    expected = {(visit.at, part) for way in ways for visit in way.visits for part in visit.parts}
    reach = GkbReach(board, OWN, replace(RULES.definition.tables.gkb, hex=case.station))
    assert reach.stops == expected | {(case.station, 0)}


def within(face: Face) -> bool:
    """Whether track joins two stops of a hex, which no hex and no tile of 18LRA has."""
    return any(end >= FIRST_STOP for stop in range(len(face.stops)) for end in face.links[FIRST_STOP + stop])


@pytest.mark.parametrize("stops", [1, 4])
def test_the_iron_rhine_is_not_lost_where_one_end_is_met_in_many_stops(stops: int) -> None:
    iron = RULES.definition.tables.iron_rhine
    train = train_rules(registry.new_game("lra", ["ann", "bea", "cem", "dan"], {}, 1), OWN, KINDS["5"], "brown")
    one, other = (iron.east[0], 0), (iron.west[0], 0)
    mark = stops * train.worth(one, False)[1] + train.worth(other, False)[1]
    assert train.bonus(mark, one, other) == iron.bonus
