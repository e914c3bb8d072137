"""The best routes of n+n trains, with locations and the two destinations that count them, agree with brute force."""

from __future__ import annotations

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
from titles.ruhr.remembered import Location, Locations, Works
from titles.ruhr.running import RuhrTrain

pytestmark = pytest.mark.slow

RULES = registry.rules("ruhr", 3)
KINDS = {train.name: train for train in RULES.vehicles}
TRAINS = ("2+2", "3+3", "8+8")
#: An 8+8 as short as a 2+2, so that brute force can follow it.
SHORT = {name: replace(KINDS[name], reach=min(KINDS[name].reach, 3)) for name in TRAINS}

#: Hex to industry and worth.
Places = dict[str, tuple[str, int]]


def stand_in(board: DrawnBoard, places: Places, wesel: str, iron: str) -> Game:
    """As much of a game as the trains' rules look at, on a board that is not 18Ruhr's."""
    own = RULES.definition.tables
    mine = own.mine[0]
    tables = replace(
        own,
        mine=tuple(replace(mine, hex=at, industry=industry) for at, (industry, _) in places.items()),
        destinations=replace(own.destinations, montan=wesel, coal=iron),
    )
    locations = {at: Location(worth > 0, "passive", "") for at, (_, worth) in places.items()}
    game: Any = SimpleNamespace(
        board=board,
        definition=replace(RULES.definition, tables=tables),
        state=SimpleNamespace(own={Locations.KEY: Locations(locations), Works.KEY: Works()}),
    )
    return cast("Game", game)


def legal(scene: Scene, name: str, every: list[Trail], places: Places, wesel: str, iron: str) -> list[Run]:
    """A train's routes and what they earn, from the words of the rulebook alone."""
    number, twice = SHORT[name].reach, name == "8+8"
    result = []
    for trail in every:
        kinds = [scene.board.faces[visit.at].stops[visit.parts[0]].kind for visit in trail.visits]
        cities = len(kinds) - kinds.count("town")
        if cities > number or len(kinds) > 2 * number:
            continue
        linked = [places[visit.at] for visit in trail.visits if visit.at in places and places[visit.at][1]]
        total = 0
        for visit, kind in zip(trail.visits, kinds, strict=True):
            face = scene.board.faces[visit.at]
            value = face.ferry_value if visit.ferry or visit.landed else face.stops[visit.parts[0]].value(scene.colour)
            if kind == "offboard":
                if visit.at == wesel:
                    value += 10 * len(linked)
                if visit.at == iron:
                    value += 20 * sum(industry == "coal" for industry, _ in linked)
                value *= 2 if twice else 1
            elif visit.at in places:
                value += places[visit.at][1]
            total += value
        result.append(Run(trail.words, total, trail.used))
    return result


@st.composite
def cases(draw: st.DrawFn) -> tuple[Scene, list[str], Places, str, str]:
    board = draw(boards(8))
    inland, red = [], []
    for at, face in sorted(board.faces.items()):
        kinds = {stop.kind for stop in face.stops}
        for stop, spaces in zip(face.stops, board.state.stations.get(at, ()), strict=False):
            if stop.kind == "offboard":  # a foreign token bars a red field in other titles only
                spaces[:] = [""] * len(spaces)
        if len(face.stops) == 1:
            (red if "offboard" in kinds else inland).append(at)
    signs = st.tuples(st.sampled_from(("coal", "steel")), st.sampled_from((0, 10)))
    places = {at: draw(signs) for at in inland if draw(st.booleans())}
    wesel = draw(st.sampled_from(red)) if red else "Z1"
    others = [at for at in red if at != wesel]
    iron = draw(st.sampled_from(others)) if others else "Z3"
    trains = draw(st.lists(st.sampled_from(TRAINS), min_size=1, max_size=3))
    colour = draw(st.sampled_from(("yellow", "green", "brown", "grey")))
    none: frozenset[Any] = frozenset()
    kinds_ = {name: TrainKind(name, 2 * SHORT[name].reach) for name in trains}
    return Scene(board, colour, none, none, none, none, none, kinds_, tuple(trains)), trains, places, wesel, iron


@boards_tried()
@given(cases())
def test_the_best_run_is_found(case: tuple[Scene, list[str], Places, str, str]) -> None:
    scene, trains, places, wesel, iron = case
    try:
        every = trails(scene)
    except TooManyError:
        reject()
    routes = {name: legal(scene, name, every, places, wesel, iron) for name in {*trains}}
    trains = list(affordable(scene, {name: routes[name] for name in trains}, 3000))
    game = stand_in(scene.board, places, wesel, iron)
    rules = {name: RuhrTrain(game, OWN, SHORT[name], scene.colour) for name in routes}
    found = Router(LegBook(scene.board), rules).best(tuple(trains), as_many_as_possible=False)
    assert found.value == best_sets(routes, tuple(trains))[0]
    assert found.proved
    for route in found.routes:
        assert [run.value for run in routes[route.train] if run.words == route.path] == [route.value]
