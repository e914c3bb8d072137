"""Arranges positions of 18DO for tests: real games, with the board or the books set as a test needs.

`ground` is a form of tests alone: an operating round made of the parts that all forms share, with money and nothing
else. What holds there holds wherever a form uses these parts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.board.reach import HexOnceReach
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import compose
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Rules, Setup, Trains
from engine.steps.run import RunStep
from tests.titles import arranging
from tests.titles.arranging import (
    SEATS,
    cash,
    first_sold,
    floats,
    give,
    lay,
    names,
    put,
    refused,
    station,
    take_offer,
    trains,
    turn_of,
    turned,
)
from titles.do.board import data
from titles.do.board.links import Links, LinkStep, LinkTokens
from titles.do.board.running import train_rules
from titles.do.board.stations import DoStationStep
from titles.do.board.tables import Tables
from titles.do.board.track import DoTrackStep
from titles.do.intro.tables import EfsTables

__all__ = [
    "SEATS",
    "active",
    "cash",
    "directed",
    "earned",
    "fits",
    "full",
    "give",
    "ground",
    "lay",
    "link",
    "names",
    "offered",
    "operating",
    "phase",
    "put",
    "refused",
    "route",
    "south",
    "station",
    "take_offer",
    "trains",
    "turned",
    "worth",
]


@cache
def ground_rules(form: str, players: int, keeper: str) -> Rules:
    setup = Setup(form, {}, players)
    definition = data.definition(setup, "efs.toml", EfsTables)
    t: Tables = definition.tables
    keeps = (lambda game, company: company == keeper) if keeper else (lambda game, company: False)
    turn = Steps(DoTrackStep(t), DoStationStep(t, keeps), LinkStep(t), RunStep())
    operating_ = OnceRound("operating", lambda game: list(game.state.companies), {"railway": turn})
    rules = Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={"operating": operating_},
        first=operating_.begin,
        then=lambda game: game.finish("rounds"),
        prices={},
        floating={},
        trains=Trains(rules=train_rules(t), reach=HexOnceReach),
    )
    return compose(rules, Links(t))


def ground(phase_: str = "2", *companies: str, form: str = "trg", players: int = 3, keeper: str = "") -> Game:
    """A game of the bare parts: the companies named have floated, ann directs them, each has 1000 Mark."""
    game = Game(ground_rules(form, players, keeper), SEATS[:players], 1)
    phase(game, phase_)
    for company in companies:
        directed(game, company)
    if companies:
        operating(game, companies[0])
    return game


def directed(game: Game, company: str, director: str = "ann", treasury: int = 1000) -> None:
    """A company that has floated, with its director's certificate in somebody's hands."""
    state = game.company(company)
    state.certificates[0] = state.director = director
    floats(game, company, treasury, operated=state.operated)


def active(game: Game, *companies: str) -> None:
    """The home stations of these companies are turned over."""
    for company in companies:
        game.company(company).active = True
    take_offer(game)


def operating(game: Game, company: str, step: str = "track") -> Game:
    """It is a company's turn, at a step of it."""
    game.state.finished = ""
    turn_of(game, company, step)
    return game


def phase(game: Game, name: str) -> None:
    """The first train of each type up to this one has been taken, and the phase is that of the last."""
    index = next(number for number, phase in enumerate(game.definition.phases) if phase.name == name)
    for each in game.definition.phases[1 : index + 1]:
        first_sold(game, each.name)
    game.state.phase = index
    take_offer(game)


def link(game: Game, at: str, value: int = 10) -> None:
    """A location token of this value lies on a hex."""
    LinkTokens.of(game).values[at] = value
    take_offer(game)


def full(game: Game, at: str, *companies: str) -> None:
    """The places of a hex hold tokens of these companies, which all have floated."""
    for company in companies:
        game.company(company).active = True
        station(game, company, at)


def south(game: Game) -> None:
    """From I10 track leads over H11 and G10 to the steel mill G12, which is green."""
    put(game, "H11", "8", "SW", "NW")
    put(game, "G10", "7", "SE", "E")
    game.board.lay("G12", game.rules.tiling.fits("G12", None)[0])
    take_offer(game)


def fits(game: Game, at: str) -> set[str]:
    """The tiles that fit on a hex by colour, symbol and shape, whoever lays them."""
    return {fit.tile for fit in game.rules.tiling.fits(at, game.board.cover(at))}


def offered(game: Game, kind: str, **picked: Any) -> list[Any]:
    """The values of the next parameter of a kind of move on offer, the bounds of a number; none if it is not."""
    return arranging.offered(game, kind, **picked) if game.offer().find(kind) else []


def route(game: Game, company: str, train: str, path: str) -> int:
    """What a company's train earns on a path; Refused, with its clause, if that is no route."""
    try:
        return game.router(company).trace(train, tuple(path.split())).value
    except Refused as refusal:
        raise game._with_clause(refusal) from None


def worth(game: Game, company: str, at: str) -> int:
    """What a stop brings to a company's route."""
    train = game.definition.trains[0]
    return game.rules.trains.rules(game, company, train, game.phase.colour).worth((at, 0), False)[0]


def earned(game: Game, company: str, train: str) -> int:
    """The most that a company earns with one train."""
    return game.router(company).best((train,), as_many_as_possible=True).value
