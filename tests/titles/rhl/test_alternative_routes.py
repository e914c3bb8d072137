"""Best routes with the Rheingold token, Krupp's station and the quarry are what trying every way gives."""

from __future__ import annotations

import random

import pytest

from engine.board.faces import COLOURS
from engine.board.tiling import Misfit
from engine.game import Game
from engine.records import put
from tests.engine.brute import Ground, Run, TooManyError, Trail, Visit, _Walker, best_sets
from tests.titles.rhl import arrange, lines
from titles.rhl.contract import RheingoldPlace

pytestmark = pytest.mark.slow

METROPOLISES = ("D9", "F9", "I10")
NETHERLANDS, SOUTH = {"A4", "A6"}, {"L11", "L13"}
RUHR = {"C14", "D15"}
#: A line of the Rheingold-Express that most boards have, and a branch from Duisburg over the quarry to Essen.
TRUNK = (
    ("B9", "6", "SE-W"), ("C10", "1", "NW-SW"), ("D9", "925", "NE"), ("D9", "929", "NE-SE"), ("E10", "1910", "SW-NW"),
    ("E10", "1911", "E"), ("E12", "56", "W-NE"), ("D13", "202", "E-SW"), ("G10", "2", "NW-SE"), ("H11", "8", "SW-NW"),
    ("I10", "924", "NE"), ("J11", "9", "NW-SE"), ("K12", "4", "NW-SE"),
)  # fmt: skip


class Rhineland(Ground):
    """The board as 18Rhl's rules see it, for one company and one of its trains."""

    def __init__(self, game: Game, company: str, train: str) -> None:
        token = RheingoldPlace.of(game)
        mine = train == "8" and token.company == company
        super().__init__(game.board, company, opens=frozenset({token.hex} if mine else ()))
        self.game = game

    def _taken(self, at: str, stop: int) -> bool:
        tokens = self.board.state.stations[at][stop]
        if self.company in tokens or self.company in self.board.state.beside.get(at, []):
            return False
        return bool(tokens) and all(token and self.game.company(token).active for token in tokens)

    def own_station(self, visit: Visit) -> bool:
        return visit.at in self.opens or super().own_station(visit)


def income(game: Game, train: str, visit: Visit) -> int:
    face = game.board.faces[visit.at]
    if visit.at in RUHR:
        links = (("C12", 1), ("D13", 0), ("D13", 1), ("E14", 0))
        return [0, 20, 30, 40, 50][sum(game.board.faces[at].exits >> edge & 1 for at, edge in links)]
    if visit.ferry:
        return face.ferry_value
    stop = face.stops[visit.parts[0]]
    if train == "8" and stop.kind == "town":
        return 0
    return [v for since, v in stop.revenue if COLOURS.index(since) <= COLOURS.index(game.phase.colour)][-1]


def signs(game: Game, visit: Visit) -> set[str]:
    spot = game.definition.map.hexes[visit.at]
    found = {*game.state.board.markers.get(visit.at, ()), *(s for n, s in spot.stop_icons if n in visit.parts)}
    covered = visit.at in game.state.board.tiles
    return found | (set(game.board.faces[visit.at].icons) if covered or not spot.icons_after else set())


def earned(game: Game, train: str, trail: Trail) -> int | None:
    """What a train earns on a trail, or None if it may not run there."""
    visits = trail.visits
    kinds = [game.board.faces[visit.at].stops[visit.parts[0]].kind for visit in visits]
    ends = {visits[0].at, visits[-1].at}
    cities = sum(kind != "town" for kind in kinds)
    end_towns = (kinds[0] == "town") + (kinds[-1] == "town")
    if len({visit.at for visit in visits}) < 2 or cities + end_towns > int(train):
        return None
    total = sum(income(game, train, visit) for visit in visits)
    if train == "8":
        if end_towns or not ends & NETHERLANDS or any(visit.at == "E2" for visit in visits[1:-1]):
            return None
        if ends & SOUTH:
            total += sum(income(game, train, visit) for visit in visits if visit.at in METROPOLISES)
    else:
        coal, steel, lime = (
            {visit.at for visit in visits if kind in signs(game, visit)} for kind in ("coal", "steel", "lime")
        )
        total += 40 * min(len(coal), len(steel), 2) + 10 * len(steel) * bool(lime)
    hexes = {visit.at for visit in visits}
    return total + 80 * (bool(hexes & RUHR) and "H1" in hexes)


def every_run(game: Game, company: str, train: str) -> list[Run]:
    """By walking all of the map."""
    ground = Rhineland(game, company, train)
    found = _Walker(ground, int(train), 120_000).all()
    own = [trail for trail in found if any(map(ground.own_station, trail.visits))]
    worth = ((trail, earned(game, train, trail)) for trail in own)
    return [Run(trail.words, value, trail.used) for trail, value in worth if value is not None]


def board(seed: int) -> Game:
    """A late position with some track, stations of others, locations, the token, and Krupp's station beside."""
    chance = random.Random(seed)
    game = arrange.after_package(package="alternative")
    arrange.phase(game, "8")
    markers = game.state.board.markers = {"E12": ["lime"]}
    for kind, at in zip(("coal", "steel"), chance.sample(["D9", "E6", "D13", "D11", "B9", "F9"], 2), strict=True):
        markers.setdefault(at, []).append(kind)
    for at, tile, way in TRUNK:
        if chance.random() < 0.93:
            try_to_build(game, at, tile, way)
    for tile in chance.choice((("921",), ("922",), ("921", "927"))):
        try_to_build(game, "F9", tile, "SE")
    for at in chance.sample(list(game.definition.map.hexes), 12):
        fits = game.rules.tiling.fits(at, game.board.cover(at))
        if fits:
            game.board.lay(at, chance.choice(fits))
    arrange.take_offer(game)
    for company in ("ADR", "BME", "DEE", "RhE"):
        arrange.floated(game, company, "bo")
    arrange.floated(game, "CME", "ann")
    arrange.floated(game, "GVE", "ann")
    for at in (*METROPOLISES, "D13", "B9", "E10"):
        for stop, spaces in enumerate(game.state.board.stations[at]):
            for _ in spaces:
                company = chance.choice(("ADR", "BME", "DEE", "RhE", "", "CME" if at == "B9" else ""))
                if company and not game.board.has_station(company, at) and game.board.free_space(at, stop):
                    game.board.place_station(company, at, stop)
    if "D13" in game.state.board.tiles and not game.board.has_station("CME", "D13") and chance.random() < 0.7:
        if game.board.free_space("D13", 0):
            game.board.place_station("CME", "D13", 0)
        else:
            game.board.place_beside("CME", "D13")
    at = chance.choice(METROPOLISES)
    put(game.state, RheingoldPlace(chance.choice(("CME", "CME", "GVE")), at))
    markers.setdefault(at, []).append("RGE")
    arrange.take_offer(game)
    return game


def try_to_build(game: Game, at: str, tile: str, way: str) -> None:
    for rotation in lines.turns(game, tile, way):
        try:
            arrange.lay(game, at, tile, rotation)
        except Misfit:
            continue
        return


@pytest.mark.rule("RHL-8.5.2-d", "RHL-8.5.2-g", "RHL-8.5.3-b")
def test_best_runs_are_what_trying_every_way_gives() -> None:
    seen = {"token": 0, "beside": 0, "lime": 0, "boards": 0}
    for seed in range(60):
        game = board(seed)
        try:
            legal = {train: every_run(game, "CME", train) for train in ("8", "4")}
        except TooManyError:
            continue
        seen["boards"] += 1
        router = game.router("CME")
        for trains in (("8",), ("4",), ("8", "4")):
            _, most, value = best_sets(legal, trains) if len(trains) == 1 or few(legal) else (0, -1, 0)
            if most < 0:
                continue
            found = router.best(trains, as_many_as_possible=True)
            assert (len(found.routes), found.value) == (most, value), (seed, trains)
            assert found.proved
        at = RheingoldPlace.of(game).hex
        without = game.copy()
        put(without.state, RheingoldPlace("RhE", at))
        seen["token"] += (
            router.best(("8",), as_many_as_possible=True).value
            > without.router("CME").best(("8",), as_many_as_possible=True).value
        )
        seen["beside"] += "CME" in game.state.board.beside.get("D13", ())
        seen["lime"] += any(
            part.what == "lime"
            for route in router.best(("4",), as_many_as_possible=True).routes
            for part in route.parts
        )
    assert seen["boards"] >= 30, seen
    assert min(seen.values()) >= 3, seen


def few(legal: dict[str, list[Run]]) -> bool:
    """Whether all combinations can be tried."""
    return len({run.used for run in legal["8"]}) * len({run.used for run in legal["4"]}) < 200_000
