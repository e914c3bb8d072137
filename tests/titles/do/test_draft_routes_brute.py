"""The best routes by the draft of 2020 agree with brute force: export beer, through full stations if need be."""

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
from tests.engine.boards import OWN, boards_tried
from tests.engine.brute import TooManyError, Trail, trails
from tests.titles.do.test_trg_routes_brute import REACH, Case, cases
from titles import registry
from titles.do.board.links import LinkTokens
from titles.do.brewery.loading import CARRIED
from titles.do.brewery.tables import HsbTables
from titles.do.draft2020 import data as draft_data
from titles.do.draft2020.trains import DraftLoadedTrain, DraftTrain, ForcedTrain

pytestmark = pytest.mark.slow

RULES = registry.rules("do", 3, {}, "draft-hsb")
TABLES: HsbTables = RULES.definition.tables
DRAFT = draft_data.tables().draft
VEHICLES = {train.name: train for train in RULES.vehicles}


def full(case: Case, at: str, stop: int) -> bool:
    """Whether others have all places of a stop."""
    board = case.scene.board
    return board.faces[at].stops[stop].kind == "city" and not board.open_for(OWN, at, stop)


def income(case: Case, trail: Trail, *, forced: bool) -> int:
    """What the stops of a route bring, by the rulebook; full ones on the way of a forced train nothing."""
    total = 0
    for number, visit in enumerate(trail.visits):
        inner = 0 < number < len(trail.visits) - 1
        if forced and inner and full(case, visit.at, visit.parts[0]):
            continue
        face = case.scene.board.faces[visit.at]
        ferry = visit.ferry or visit.landed
        total += face.ferry_value if ferry else face.stops[visit.parts[0]].value(case.scene.colour)
        total += case.links.get(visit.at, 0)
    return total


def reach(case: Case) -> int:
    """As far as brute force follows on this board."""
    return max(REACH[train] for train in case.trains)


def red(case: Case, at: str, stop: int) -> bool:
    return case.scene.board.faces[at].stops[stop].kind == "offboard"


def most(case: Case, every: list[Trail], home: str, cubes: int, *, forced: bool) -> int:
    """The most that a train with so many cubes can earn; -1 if it has no route."""
    best = -1
    for trail in every:
        visits = trail.visits
        if len(visits) > reach(case) or all(red(case, visit.at, visit.parts[0]) for visit in visits):
            continue
        value = income(case, trail, forced=forced)
        if cubes:
            pays = [
                (DRAFT.beer_home if visit.at == home else DRAFT.beer) * cubes
                for visit in (visits[0], visits[-1])
                if visit.at in case.pays
            ]
            if not pays or case.city not in [visit.at for visit in visits]:
                continue
            value += max(pays)
        best = max(best, value)
    return best


def stand_in(case: Case, home: str) -> tuple[Game, HsbTables]:
    t = replace(
        TABLES,
        city=replace(TABLES.city, hex=case.city),
        export=replace(TABLES.export, bonus=dict.fromkeys(case.pays, DRAFT.beer) or {"Z9": DRAFT.beer}),
        yards=replace(TABLES.yards, hexes=()),
    )
    charter = SimpleNamespace(homes=(SimpleNamespace(at=home),))
    game: Any = SimpleNamespace(
        board=case.scene.board,
        definition=SimpleNamespace(corporations={OWN: charter}),
        state=SimpleNamespace(own={LinkTokens.KEY: LinkTokens(case.links)}),
    )
    return cast("Game", game), t


@boards_tried()
@given(cases(), st.data())
def test_the_best_route_of_every_train_is_found(case: Case, data: st.DataObject) -> None:
    home = data.draw(st.sampled_from([*case.pays, "nowhere"]))
    blocked = frozenset(
        at
        for at, face in case.scene.board.faces.items()
        if len(face.stops) == 1 and not face.ferry and full(case, at, 0)
    )
    others = {
        at
        for at, face in case.scene.board.faces.items()
        for stop in range(len(face.stops))
        if full(case, at, stop) and at not in blocked
    }
    if others:
        reject()
    try:
        free, every = trails(case.scene), trails(case.scene, opens=blocked)
    except TooManyError:
        reject()
    game, t = stand_in(case, home)
    colour = case.scene.colour
    plain, laden, pressed = (replace(VEHICLES[name], reach=reach(case)) for name in ("5", "8+2", "8+2!"))
    rules: dict[str, TrainRules] = {
        "5": DraftTrain(t, game, OWN, plain, colour),
        "8+2": DraftLoadedTrain(t, DRAFT, game, OWN, laden, colour),
        "8+2!": ForcedTrain(t, DRAFT, game, OWN, pressed, colour),
    }
    router = Router(LegBook(case.scene.board), rules)
    expected = {
        "5": most(case, free, home, 0, forced=False),
        "8+2": most(case, free, home, 2, forced=False),
        "8+2!": most(case, every, home, 2, forced=True),
    }
    for name, value in expected.items():
        found = router.best((name,), as_many_as_possible=True)
        assert found.proved
        assert (found.value if found.routes else -1) == value, name
        for route in found.routes:
            assert route.value < CARRIED
