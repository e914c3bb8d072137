"""Arranges positions of 18BL for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

import titles
from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.rounds.turns import OnceRound
from engine.state import BANK, CLOSED, OFFERING
from tests.titles.rhl.arrange import (
    asked,
    begin_stock,
    cash,
    give,
    hand,
    lay,
    names,
    offered,
    refused,
    station,
    stock,
    take_offer,
    walk,
)

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

SEATS = ("ann", "bo", "cy", "di", "ed", "flo")
LOTS = ("SKB", "DTE", "MBG", "EHG", "DEBG", "CCE")


def new(players: int = 3) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    for seed in range(10_000):
        game = titles.new_game("bl", SEATS[:players], {}, seed)
        if game.state.seats == list(SEATS[:players]):
            return game
    raise AssertionError("no seed seats the players in order")


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
    state = game.company(company)
    cell = next(c for c in game.definition.market.cells("p") if game.definition.market.rows[c[0]][c[1]] == par)
    state.certificates[0] = director
    state.director, state.par = director, par
    game.prices.put(company, cell)
    take_offer(game)


def floated(
    game: Game, company: str, director: str = "ann", par: int = 76, treasury: int = 1000, *, operated: bool = True
) -> None:
    """A company that has floated with 50 % in its director's hands, the rest in the offering."""
    founded(game, company, director, par)
    hand(game, company, director, 30)
    state = game.company(company)
    state.floated = state.active = True
    state.operated = operated
    cash(game, company, treasury)
    take_offer(game)


def own(game: Game, company: str, holder: str, percent: int) -> None:
    """Let somebody hold exactly so much of a company; the offering gives or takes the difference."""
    held = shares.held(game, company, holder)
    if percent > held:
        hand(game, company, holder, percent - held)
    else:
        numbers = [n for n in shares.numbers(game, company, holder) if n]
        for number in numbers[: (held - percent) // 10]:
            game.company(company).certificates[number] = OFFERING
    take_offer(game)


def vehicles(game: Game, company: str, *kinds: str) -> None:
    """Give a company vehicles out of the boxes, without a phase change."""
    for name in kinds:
        game.state.depot.left[name] -= 1
        game.state.depot.sold[name] += 1
        game.company(company).trains.append(name)
    take_offer(game)


def boxes(game: Game, **left: int) -> None:
    """So many of each type are left in the boxes (`t3_3` is the 3+3); of other types none."""
    depot = game.state.depot
    wanted = {key.removeprefix("t").replace("_", "+"): count for key, count in left.items()}
    for train in game.definition.trains:
        keep = wanted.get(train.name, 0)
        out = depot.left[train.name] - keep
        depot.left[train.name] = keep
        depot.gone.extend([train.name] * out)
        if not keep:  # otherwise the next one sold may still be the first
            depot.sold[train.name] += out
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """A phase has begun, with all that its beginning brings; one card of each earlier type is out of the game."""
    phases = game.definition.phases
    index = next(n for n, p in enumerate(phases) if p.name == name)
    depot = game.state.depot
    for earlier in phases[: index + 1]:
        for kind in ("2",) if earlier.on == ("start",) else earlier.on:
            if not depot.sold[kind]:
                depot.left[kind] -= 1
                depot.sold[kind] += 1
                depot.gone.append(kind)
    for train in game.definition.trains:
        if any(on in train.rusts_on for p in phases[: index + 1] for on in p.on):
            heap = depot.left[train.name]
            depot.left[train.name] -= heap
            depot.sold[train.name] += heap
            depot.gone.extend([train.name] * heap)
            while train.name in depot.aside:
                depot.aside.remove(train.name)
                depot.gone.append(train.name)
    for number in range(game.state.phase + 1, index + 1):
        game.state.phase = number
        game.notify(ev.PhaseChanged(game.phase.name, game.phase.colour))
    take_offer(game)


def operating(game: Game, company: str, step: str = "track", number: int = 1, total: int = 1) -> None:
    """It is the turn of a company in an operating round, at a step of its turn; no private has paid for it."""
    rules = game.rules.rounds["operating"]
    assert isinstance(rules, OnceRound)
    before = dict(game.state.cash)
    rules.begin(game, number, total)
    game.state.cash.update(before)
    rules.begin_turn(game, company)
    game.state.round.step = step
    take_offer(game)


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
    game.state.privates[name] = owner
    if name == "EHG" and owner in game.state.companies:
        from titles.bl.access import take_tokens

        take_tokens(game, owner)
    take_offer(game)


def bank(game: Game) -> int:
    return game.state.cash[BANK]
