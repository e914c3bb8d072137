"""Arranges positions of 18Rhl for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

from typing import Any

import titles
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import OFFERING
from tests.titles.arranging import (
    SEATS,
    asked,
    begin_stock,
    cash,
    first_sold,
    founded,
    give,
    hand,
    keep,
    lay,
    names,
    offered,
    operating,
    phases_begin,
    refused,
    seated,
    sell_out,
    station,
    stock,
    take_offer,
    trains,
    walk,
)
from titles.rhl.targets import TakeTarget, TargetCards

__all__ = [
    "SEATS",
    "after_package",
    "again",
    "asked",
    "begin_stock",
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
    "phase",
    "refused",
    "sell_out",
    "station",
    "stock",
    "take_offer",
    "take_targets",
    "trains",
    "turn",
    "walk",
]


def new(players: int = 3, **options: Any) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    return seated(lambda seed: titles.new_game("rhl", SEATS[:players], options, seed))


def take_targets(game: Game, *cards: str) -> None:
    """The players take these target cards in turn; two others are left over."""
    others = [card.id for card in game.definition.tables.target_card if card.id not in cards]
    TargetCards.of(game).drawn = sorted([*cards, *others[:2]])
    for card in cards:
        (player,) = game.offer().deciders
        game.apply(TakeTarget(player, card))


def after_package(
    players: int = 3, buyers: dict[str, str] | None = None, targets: tuple[str, ...] = (), **options: Any
) -> Game:
    """A game in its first stock round, every lot sold at its printed price to the players named.

    With target cards, ann, bo, cy, … have taken those named; their seats follow from the numbers.
    """
    game = new(players, **options, **({"target_cards": True} if targets else {}))
    if targets:
        take_targets(game, *targets)
    by_number = dict(enumerate(("ann", "ann", "bo", "bo", "cy", "cy"), 1))
    owners = {lot.id: by_number[lot.number] for lot in game.definition.privates.values()} | (buyers or {})
    for lot in game.rules.rounds["package"].lots(game):  # type: ignore[attr-defined]
        game.state.round.actor = owners[lot]
        give(game, owners[lot], game.definition.privates[lot].price)
        take_offer(game)
        game.apply(mv.BuyLot(owners[lot], lot))
    return game


def floated(game: Game, company: str, director: str, par: int = 80, treasury: int = 1000) -> None:
    """A company that floats with 50 (60) % in its director's hands, the rest on its charter."""
    if not game.company(company).director:
        founded(game, company, director, par)
    due = game.definition.corporations[company].float_percent
    missing = due - shares.player_share(game, company)
    if missing > 0:
        hand(game, company, director, missing)
    for number in shares.numbers(game, company, OFFERING):
        game.state.companies[company].certificates[number] = company
    state = game.company(company)
    state.floated = state.active = True
    cash(game, company, treasury)
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """Set the phase by its name; trains of earlier phases are gone from the depot."""
    index = next(number for number, phase in enumerate(game.definition.phases) if phase.name == name)
    for earlier in game.definition.phases[:index]:
        keep(game, earlier.name)
    first_sold(game, name)
    game.state.phase = index - 1
    phases_begin(game, index)


def turn(
    company: str,
    director: str,
    *privates: str,
    phase_: str = "2",
    step: str = "track",
    treasury: int = 1000,
    **options: Any,
) -> Game:
    """A company's turn: of the first five private companies its director owns these, bo (or cy, for bo) the others."""
    other = "bo" if director != "bo" else "cy"
    owners = {lot: director if lot in privates else other for lot in list(new(**options).definition.privates)[:5]}
    game = after_package(buyers=owners, **options)
    if phase_ != "2":
        phase(game, phase_)
    floated(game, company, director, treasury=treasury)
    operating(game, company, step)
    return game


def again(game: Game, company: str, step: str = "track") -> None:
    """The company's next turn."""
    game.company(company).operated = True
    game.state.pauses.clear()
    operating(game, company, step)
