"""Arranges positions of 18Ruhr for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

from typing import Any

import titles
from engine.game import Game
from engine.rounds.turns import OnceRound, PassRound
from engine.state import CLOSED
from tests.titles.arranging import (
    SEATS,
    asked,
    begin_stock,
    cash,
    firsts_sold,
    floats,
    give,
    hand,
    keep,
    lay,
    names,
    offered,
    own,
    phases_begin,
    price_at,
    private,
    put,
    refused,
    seated,
    seen,
    station,
    stock,
    take_offer,
    trains,
    turn_of,
    turned,
    walk,
)
from titles.ruhr import cards, works
from titles.ruhr.locations import PASSIVE
from titles.ruhr.remembered import Columns, Locations, RoundCards, Works

__all__ = [
    "after_package",
    "asked",
    "begin_stock",
    "cards_left",
    "cash",
    "floated",
    "founded",
    "give",
    "hand",
    "lay",
    "link",
    "markers",
    "mine",
    "montan",
    "montan_round",
    "names",
    "new",
    "offered",
    "operating",
    "own",
    "phase",
    "price_at",
    "private",
    "put",
    "refused",
    "second_stock_round",
    "seen",
    "station",
    "stock",
    "take_offer",
    "trains",
    "turned",
    "walk",
]


def new(players: int = 4, scenario: str = "hellweg", **options: Any) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    return seated(lambda seed: titles.new_game("ruhr", SEATS[:players], {"scenario": scenario, **options}, seed))


def after_package(players: int = 4, scenario: str = "hellweg") -> Game:
    """A game in its first stock round with an empty package: nobody owns anything, all private companies are gone."""
    game = new(players, scenario)
    Columns.of(game).package = [[], []]
    RoundCards.of(game).cards = list(game.state.seats)
    for private_ in game.state.privates:
        game.state.privates[private_] = CLOSED
    for player in game.state.seats:
        give(game, player, 1000 - game.state.cash[player])
    begin_stock(game, "ann")
    return game


def second_stock_round(players: int = 4, scenario: str = "hellweg", player: str = "ann") -> Game:
    """As `after_package`, in the second stock round, with one player to act."""
    game = after_package(players, scenario)
    stock(game, player)
    return game


def founded(game: Game, company: str, director: str, par: int = 70) -> None:
    """Found a railway for a director without payment."""
    state = game.company(company)
    state.certificates[0] = director
    state.director, state.par = director, par
    price_at(game, company, par)


def floated(
    game: Game, company: str, director: str = "ann", par: int = 70, treasury: int = 1000, *, operated: bool = True
) -> None:
    """A railway that has floated with 50 % in its director's hands, the rest in the offer, its home on the map."""
    founded(game, company, director, par)
    own(game, company, director, 50)
    floats(game, company, treasury, operated=operated)


def mine(game: Game, number: int, owner: str, treasury: int | None = None, **stages: int) -> str:
    """A small company in somebody's hands, with these markers instead of its first ones."""
    name = f"MC{number}"
    company, t = game.company(name), works.tables(game)
    company.closed, company.floated = False, True
    company.certificates, company.director = [owner], owner
    at = t.mines[name].hex
    Locations.of(game).locations[at].become("active", name)
    if name not in Works.of(game).charters:
        works.start(game, t.mines[name])
    if stages:
        markers(game, name, **stages)
    if treasury is not None:
        cash(game, name, treasury)
    take_offer(game)
    return name


def markers(game: Game, company: str, **stages: int) -> None:
    """Give a Montan company exactly these markers; the supply gives or takes the difference."""
    own_ = works.charter(game, company).markers
    heap = Works.of(game).supply[works.industry(game, company)]
    for stage in "ABCDEX":
        heap[stage] += own_.pop(stage, 0) - stages.get(stage, 0)
        if stages.get(stage):
            own_[stage] = stages[stage]
    take_offer(game)


def montan(
    game: Game, company: str, director: str, number: int, treasury: int = 500, par: int = 70, **stages: int
) -> str:
    """A MONTAN corporation founded on the place of a small company, with one certificate at its director."""
    at = next(row.hex for row in works.tables(game).mine if row.number == number)
    state = game.company(company)
    state.director, state.par, state.floated, state.operated = director, par, True, True
    state.certificates[0] = director
    price_at(game, company, par)
    name = f"MC{number}"
    if name in Works.of(game).charters:
        markers(game, name)
        del Works.of(game).charters[name]
    small = game.company(name)
    small.closed, small.floated, small.director, small.certificates = True, False, "", ["removed"]
    Locations.of(game).locations[at].become("founded", company)
    Locations.of(game).locations[at].linked = True
    works.new_charter(game, company, [at])
    markers(game, company, **(stages or {"A": 3, "B": 1}))
    cash(game, company, treasury)
    game.state.board.token_version += 1
    take_offer(game)
    return at


def link(game: Game, *numbers: int, linked: bool = True) -> None:
    """Small companies have their links, or have none."""
    for row in works.tables(game).mine:
        if row.number in numbers:
            Locations.of(game).locations[row.hex].linked = linked
    game.state.board.token_version += 1
    take_offer(game)


def passive(game: Game, number: int, *, linked: bool = True) -> str:
    """A small company that belongs to nobody."""
    row = next(row for row in works.tables(game).mine if row.number == number)
    Locations.of(game).locations[row.hex].become(PASSIVE, "")
    Locations.of(game).locations[row.hex].linked = linked
    small = game.company(row.company)
    small.closed, small.floated, small.director, small.certificates = True, False, "", ["removed"]
    take_offer(game)
    return row.hex


def cards_left(game: Game, **left: int) -> None:
    """So many cards of a type are left (`t3` is 3+3), of earlier types none; later ones are untouched."""
    kinds = [train.name for train in game.definition.trains]
    last = max(kinds.index(f"{key[1]}+{key[1]}") for key in left)
    for kind in kinds[: last + 1]:
        count = left.get(f"t{kind[0]}", 0)
        # Of what is left, the next one sold may still be the first.
        keep(game, kind, count, sold=not count)
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """A phase has begun with all that its beginning brings; one card of each type up to it is out of the game."""
    phases_begin(game, firsts_sold(game, name))


def operating(game: Game, actor: str, step: str = "", number: int = 1, total: int = 2) -> None:
    """It is the turn of a company in an operating round, at a step of its turn; no private has paid for it."""
    turn_of(game, actor, step, number, total, paid=False)


def montan_round(game: Game, *cards: str, merging: bool = False) -> None:
    """A Montan round begins, in the order of the cards (all seats in order if none are named)."""
    RoundCards.of(game).cards = list(cards) or list(game.state.seats)
    kind = "merging" if merging else "founding"
    rules = game.rules.rounds[kind]
    if isinstance(rules, OnceRound):
        rules.begin(game)
    else:
        assert isinstance(rules, PassRound)
        rules.begin(game)
    game.settle()
    take_offer(game)


def order(game: Game) -> list[str]:
    return cards.card_order(game)
