"""The best routes with links, yards and full hexes that one railway runs through agree with brute force."""

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
from engine.routes.model import TrainRules
from tests.engine.boards import OWN, DrawnBoard, Scene, TrainKind, boards, boards_tried
from tests.engine.brute import Run, TooManyError, Trail, affordable, best_sets, trails
from titles import registry
from titles.do.board.links import LinkTokens
from titles.do.board.running import DoTrain

pytestmark = pytest.mark.slow

RULES = registry.rules("do", 3, form="efs")
KINDS = {train.name: train for train in RULES.definition.trains}
TRAINS = ("2", "3", "4")

#: Hex to the value of its location token.
Links = dict[str, int]


def stand_in(board: DrawnBoard, links: Links) -> Game:
    """As much of a game as the trains' rules look at, on a board that is not 18DO's."""
    return cast("Game", SimpleNamespace(board=board, state=SimpleNamespace(own={LinkTokens.KEY: LinkTokens(links)})))


def twice(trail: Trail) -> bool:
    """Whether a trail comes to a hex again that it has left."""
    hexes = [word.partition(":")[0] for word in trail.words]
    visited = [at for number, at in enumerate(hexes) if not number or hexes[number - 1] != at]
    return len(set(visited)) < len(visited)


def legal(scene: Scene, name: str, every: list[Trail], links: Links, yards: tuple[str, ...]) -> list[Run]:
    """A train's routes and what they earn, from the words of the rulebook alone."""
    result = []
    for trail in every:
        if len(trail.visits) > KINDS[name].reach or twice(trail):
            continue
        total = 0
        for visit in trail.visits:
            face = scene.board.faces[visit.at]
            ferry = visit.ferry or visit.landed
            total += face.ferry_value if ferry else face.stops[visit.parts[0]].value(scene.colour)
            total += links.get(visit.at, 0)
            tokens = [token for token in scene.board.state.stations[visit.at][0] if token]
            if visit.at in yards and OWN in tokens:
                total += 10 * len(tokens)
        result.append(Run(trail.words, total, trail.used))
    return result


@st.composite
def cases(draw: st.DrawFn) -> tuple[Scene, list[str], Links, tuple[str, ...], frozenset[str]]:
    board = draw(boards(8))
    single, cities = [], []
    for at, face in sorted(board.faces.items()):
        for stop, spaces in zip(face.stops, board.state.stations.get(at, ()), strict=False):
            if stop.kind == "offboard":  # a foreign token bars a red field in other titles only
                spaces[:] = [""] * len(spaces)
        if len(face.stops) == 1 and not face.ferry:
            single.append(at)
            cities += [at] if face.is_city and not board.state.beside.get(at) else []
    links = {at: draw(st.sampled_from((10, 20, 30))) for at in single if draw(st.booleans())}
    yards = tuple(at for at in cities if draw(st.booleans()))
    pierced = frozenset(at for at in cities if at not in yards and draw(st.booleans()))
    trains = draw(st.lists(st.sampled_from(TRAINS), min_size=1, max_size=2))
    colour = draw(st.sampled_from(("yellow", "green", "brown", "grey")))
    none: frozenset[Any] = frozenset()
    kinds = {name: TrainKind(name, KINDS[name].reach) for name in trains}
    return Scene(board, colour, none, none, none, none, none, kinds, tuple(trains)), trains, links, yards, pierced


@boards_tried()
@given(cases())
def test_the_best_run_is_found(case: tuple[Scene, list[str], Links, tuple[str, ...], frozenset[str]]) -> None:
    scene, trains, links, yards, pierced = case
    try:
        every = trails(scene, opens=pierced)
    except TooManyError:
        reject()
    routes = {name: legal(scene, name, every, links, yards) for name in {*trains}}
    trains = list(affordable(scene, {name: routes[name] for name in trains}, 3000))
    game = stand_in(scene.board, links)
    tables = RULES.definition.tables
    here = replace(tables, yards=replace(tables.yards, hexes=yards))
    rules: dict[str, TrainRules] = {
        name: DoTrain(here, game, OWN, KINDS[name], scene.colour, pierced) for name in routes
    }
    found = Router(LegBook(scene.board), rules).best(tuple(trains), as_many_as_possible=False)
    assert found.value == best_sets(routes, tuple(trains))[0]
    assert found.proved
    for route in found.routes:
        assert [run.value for run in routes[route.train] if run.words == route.path] == [route.value]
