"""Arranges positions of 18BL for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

import titles
from engine.game import Game
from engine.state import BANK, CLOSED
from tests.titles import arranging
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
    refused,
    seated,
    station,
    stock,
    take_offer,
    trains,
    turn_of,
    walk,
)
from titles.bl.access import take_tokens

__all__ = [
    "after_package",
    "asked",
    "begin_stock",
    "boxes",
    "cash",
    "floated",
    "founded",
    "give",
    "hand",
    "lay",
    "names",
    "new",
    "offered",
    "operating",
    "own",
    "phase",
    "price_at",
    "private",
    "refused",
    "second_stock_round",
    "station",
    "stock",
    "take_offer",
    "token_at",
    "vehicles",
    "walk",
]

LOTS = ("SKB", "DTE", "MBG", "EHG", "DEBG", "CCE")


def new(players: int = 3) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    return seated(lambda seed: titles.new_game("bl", SEATS[:players], {}, seed))


def after_package(players: int = 3, owners: dict[str, str] | None = None) -> Game:
    """A game in its first stock round, with privates only in the hands named; all players have 300 more."""
    game = new(players)
    for lot in LOTS:
        game.state.privates[lot] = (owners or {}).get(lot, CLOSED)
    for player in game.state.seats:
        give(game, player, 300)
    richest = max(game.from_seat(game.state.priority), key=lambda player: game.state.cash[player])
    begin_stock(game, richest)
    return game


def founded(game: Game, company: str, director: str, par: int = 76) -> None:
    """Found a company for a director without payment."""
    arranging.founded(game, company, director, par)


def floated(
    game: Game, company: str, director: str = "ann", par: int = 76, treasury: int = 1000, *, operated: bool = True
) -> None:
    """A company that has floated with 50 % in its director's hands, the rest in the offering."""
    founded(game, company, director, par)
    hand(game, company, director, 30)
    floats(game, company, treasury, operated=operated)


vehicles = trains


def boxes(game: Game, **left: int) -> None:
    """So many of each type are left in the boxes (`t3_3` is the 3+3); of other types none."""
    wanted = {key.removeprefix("t").replace("_", "+"): count for key, count in left.items()}
    for train in game.definition.trains:
        count = wanted.get(train.name, 0)
        # Of what is left, the next one sold may still be the first.
        keep(game, train.name, count, sold=not count)
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """A phase has begun, with all that its beginning brings; one card of each earlier type is out of the game."""
    index, depot = firsts_sold(game, name), game.state.depot
    begun = {kind for phase in game.definition.phases[: index + 1] for kind in phase.on}
    for train in game.definition.trains:
        if begun & set(train.rusts_on):
            keep(game, train.name)
            depot.gone += [train.name] * depot.aside.count(train.name)
            depot.aside[:] = [other for other in depot.aside if other != train.name]
    phases_begin(game, index)


def operating(game: Game, company: str, step: str = "track", number: int = 1, total: int = 1) -> None:
    """It is the turn of a company in an operating round, at a step of its turn; no private has paid for it."""
    turn_of(game, company, step, number, total, paid=False)


def second_stock_round(players: int = 3, owners: dict[str, str] | None = None, player: str = "ann") -> Game:
    game = after_package(players, owners)
    stock(game, player)
    return game


def price_at(game: Game, company: str, cell: tuple[int, int]) -> None:
    """Put a company's token on a space."""
    game.prices.put(company, cell)
    take_offer(game)


def token_at(game: Game, value: int, mark: str = "", row: int | None = None) -> tuple[int, int]:
    """The first space of a value (with a mark, in a row)."""
    market = game.definition.market
    for r, cells in enumerate(market.rows):
        for c, amount in enumerate(cells):
            if amount == value and mark in market.marks[r][c] and row in (None, r) and (r, c) not in market.gaps:
                return r, c
    raise AssertionError(f"no space {value}{mark}")


def private(game: Game, name: str, owner: str) -> None:
    """Give a private company to a player or a corporation, with what comes along."""
    arranging.private(game, name, owner)
    if name == "EHG" and owner in game.state.companies:
        take_tokens(game, owner)
        take_offer(game)


def bank(game: Game) -> int:
    return game.state.cash[BANK]
