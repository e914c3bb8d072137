"""Arranges positions of 18LRA's game for two with the Investor."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import titles
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import OFFERING, POOL
from tests.titles.arranging import give, hand, passing, price_at, stock, take_offer, told
from tests.titles.rhl.arrange import phase
from titles.lra.seat import Investment
from titles.rhineland.investor import INVESTOR, HeldCard

SEATS = ("ann", "bo")
#: A scenario in which each of the companies is used.
SCENARIO = {"BME": "2", "RhE": "1", "CCE": "1", "ADR": "1"}


@lru_cache(maxsize=64)
def _seed(company: str, options: tuple[tuple[str, Any], ...], value: int) -> int:
    for seed in range(20_000):
        game = titles.new_game("lra", SEATS, dict(options), seed, "investor")
        own = Investment.of(game).company
        if game.state.seats == list(SEATS) and own == company and value in (0, game.company(own).par):
            return seed
    raise AssertionError("no seed deals like that")


def new(company: str = "BME", *, value: int = 70, **options: Any) -> Game:
    """A new game in which ann begins, with this company for the Investor, at this starting value (0 for any)."""
    options.setdefault("scenario", SCENARIO[company])
    seed = _seed(company, tuple(sorted(options.items())), value)
    return titles.new_game("lra", SEATS, options, seed, "investor")


def after_package(company: str = "BME", **options: Any) -> Game:
    """The first stock round, every lot sold at its printed price: those with odd numbers to ann, the last to bo."""
    game = new(company, **options)
    for lot in game.rules.rounds["package"].unsold(game):  # type: ignore[attr-defined]
        private = game.definition.privates[lot]
        buyer = SEATS[0] if private.number % 2 else SEATS[1]
        game.state.round.actor = buyer
        give(game, buyer, private.price)
        take_offer(game)
        game.apply(mv.BuyLot(buyer, lot))
    return game


def later(company: str = "BME", *, holder: str = "ann", **options: Any) -> Game:
    """ann's turn in the second stock round; the Investor's card is with `holder`."""
    game = after_package(company, **options)
    HeldCard.of(game).card = holder
    stock(game, "ann")
    return game


def his(game: Game, company: str) -> int:
    """The Investor's share of a company."""
    return shares.held(game, company, INVESTOR)


def pooled(game: Game, company: str, percent: int) -> None:
    """Certificates from a charter lie in the pool."""
    hand(game, company, POOL, percent, source=company)
    take_offer(game)


__all__ = [
    "INVESTOR",
    "OFFERING",
    "POOL",
    "SEATS",
    "after_package",
    "his",
    "later",
    "new",
    "passing",
    "phase",
    "pooled",
    "price_at",
    "told",
]
