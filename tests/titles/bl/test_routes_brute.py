"""The best routes of trains, rail buses with and without a trailer, and 3+3 trains agree with brute force."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.game import Game
from engine.routes.best import Router
from engine.routes.legs import LegBook
from tests.engine.boards import OWN, DrawnBoard, Scene, TrainKind, boards, boards_tried
from tests.engine.brute import Run, TooManyError, Trail, affordable, best_sets, trails
from titles import registry
from titles.bl.running import RAILBUS, WITH_TRAILER, BlTrain

pytestmark = pytest.mark.slow

RULES = registry.rules("bl", 3)
KINDS = {train.name: train for train in RULES.vehicles}
ENGINES = ("2", "3", "4", "3+3", "SB3", "SB4")


def stand_in(board: DrawnBoard, colour: str, works: str, closed: frozenset[str], trains: list[str]) -> Game:
    """As much of a game as the vehicles' rules look at, on a board that is not 18BL's."""
    own = RULES.definition.tables
    tables = replace(own, access=replace(own.access, hex=works))
    rules = replace(RULES, trains=replace(RULES.trains, closed=lambda game, company: closed))
    game: Any = SimpleNamespace(
        board=board,
        rules=rules,
        definition=replace(RULES.definition, tables=tables),
        company=lambda name: SimpleNamespace(trains=trains),
    )
    return cast("Game", game)


def legal(scene: Scene, name: str, every: list[Trail], works: str, closed: frozenset[str]) -> list[Run]:
    """A vehicle's routes and what they earn, from the words of the rulebook alone."""
    train = KINDS[name]
    bus, trailer = train.kind in (RAILBUS, WITH_TRAILER), train.kind == WITH_TRAILER
    result = []
    for trail in every:
        visits = trail.visits
        kinds = [scene.board.faces[visit.at].stops[visit.parts[0]].kind for visit in visits]
        if len(visits) > train.reach or any(visit.at in closed for visit in visits):
            continue
        if bus and (kinds.count("city") != 1 or "offboard" in kinds):
            continue
        total = 0
        for visit, kind in zip(visits, kinds, strict=True):
            face = scene.board.faces[visit.at]
            value = face.ferry_value if visit.ferry or visit.landed else face.stops[visit.parts[0]].value(scene.colour)
            doubled = trailer and kind == "town" and visit.at != works
            total += value * 2 if doubled or name == "3+3" else value
        result.append(Run(trail.words, total, trail.used))
    return result


@st.composite
def cases(draw: st.DrawFn) -> tuple[Scene, list[str], str, str, frozenset[str]]:
    board = draw(boards(8))
    for at, face in board.faces.items():
        for stop, spaces in zip(face.stops, board.state.stations.get(at, ()), strict=False):
            if stop.kind == "offboard":  # a foreign token bars a red field in other titles only
                spaces[:] = [""] * len(spaces)
    engines = draw(st.lists(st.sampled_from(ENGINES), min_size=1, max_size=3))
    trailer = draw(st.sampled_from(("", "BW-A", "BW-B")))
    hexes = sorted(at for at, face in board.faces.items() if face.stops)
    works = draw(st.sampled_from(hexes)) if hexes else ""
    closed = frozenset({works}) if draw(st.booleans()) and draw(st.booleans()) else frozenset()
    colour = draw(st.sampled_from(("yellow", "green", "brown", "grey")))
    none: frozenset[Any] = frozenset()
    kinds = {name: TrainKind(name, train.reach) for name, train in KINDS.items() if name in engines or "+" in name}
    scene = Scene(board, colour, none, none, none, none, none, kinds, tuple(engines))
    return scene, engines, trailer, works, closed


@boards_tried()
@given(cases())
def test_the_best_use_of_all_vehicles_is_found(case: tuple[Scene, list[str], str, str, frozenset[str]]) -> None:
    scene, engines, trailer, works, closed = case
    try:
        every = trails(scene)
    except TooManyError:
        reject()
    names = {*engines, *(f"{bus}+{trailer}" for bus in engines if trailer and bus.startswith("SB"))}
    routes = {name: legal(scene, name, every, works, closed) for name in names}
    engines = list(affordable(scene, {name: routes[name] for name in engines}, 3000))
    game = stand_in(scene.board, scene.colour, works, closed, [*engines, *([trailer] if trailer else [])])
    router = Router(LegBook(scene.board), {name: BlTrain(game, OWN, KINDS[name], scene.colour) for name in routes})
    richest = best_sets(routes, tuple(engines))[0]
    for place, engine in enumerate(engines):
        if trailer and engine.startswith("SB"):
            fleet = (*engines[:place], f"{engine}+{trailer}", *engines[place + 1 :])
            richest = max(richest, best_sets(routes, fleet)[0])
    found = max(
        (router.best(fleet, as_many_as_possible=False) for fleet in RULES.trains.fleets(game, OWN)),
        key=lambda s: s.value,
    )
    assert found.value == richest
    assert found.proved
    used = Counter(route.train for route in found.routes)
    assert sum(count for name, count in used.items() if "+BW" in name) <= 1
    for route in found.routes:
        assert [run.value for run in routes[route.train] if run.words == route.path] == [route.value]


@pytest.mark.parametrize("name", ["SB3+BW-A", "SB6+BW-B"])
def test_a_rail_bus_with_a_trailer_is_a_vehicle_of_its_own(name: str) -> None:
    assert KINDS[name].kind == WITH_TRAILER
    assert KINDS[name].reach == KINDS[name.partition("+")[0]].reach
