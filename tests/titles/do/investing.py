"""Arranges positions of The Railway Game for two with the Investor."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.finance import shares
from engine.game import Game
from engine.rounds.stock import StockRound
from engine.rules import Rules
from engine.state import POOL
from tests.titles.do import railway as r
from titles import registry
from titles.do.railways.private_breweries import SUPPLY, BreweryCards
from titles.do.two.investor import Investment
from titles.rhineland.investor import INVESTOR, HeldCard

SEATS = ("ann", "bo")


@cache
def rules(card_offer: bool = False) -> Rules:
    return registry.rules("do", 2, {"card_offer": card_offer}, "trg2")


@cache
def seeds() -> dict[tuple[str, tuple[int, ...]], int]:
    """A seed for each railway of the Investor with each package that seats ann first."""
    found: dict[tuple[str, tuple[int, ...]], int] = {}
    for seed in range(1500):
        game = Game(rules(), SEATS, seed)
        if game.state.seats == list(SEATS):
            cards = tuple(sorted(int(card[1]) for card in BreweryCards.of(game).cubes if card != SUPPLY))
            found.setdefault((Investment.of(game).company, cards), seed)
    return found


def new(company: str = "CME", cards: tuple[int, ...] = (1, 3, 4), *, card_offer: bool = False) -> Game:
    """A new game in which ann begins, with this railway for the Investor and these private breweries."""
    return Game(rules(card_offer), SEATS, seeds()[company, cards])


def first(company: str = "CME", holder: str = "bo", *, card_offer: bool = False) -> Game:
    """The first stock round, ann to act: No. 1 is hers, No. 4 is bo's, No. 3 the Investor's; everybody has 1000."""
    game = new(company, card_offer=card_offer)
    for player, private in (("ann", "P1"), ("bo", "P4"), (INVESTOR, "P3")):
        game.state.privates[private] = player
        r.cash(game, player, 1000)
    HeldCard.of(game).card = holder
    r.begin_stock(game, "ann")
    return game


def later(company: str = "CME", holder: str = "bo", **options: Any) -> Game:
    """The second stock round, ann to act; the Investor has half of his railway, and BME and KWE have floated.

    BME (or RhE, if BME is his) is ann's at 65, KWE bo's at 60; all three have operated, the Investor has 1000.
    """
    game = first(company, holder, **options)
    founded(game, company)
    hers = "BME" if company != "BME" else "RhE"
    r.floated(game, hers, "ann", 4, 4)
    r.floated(game, "KWE", "bo", 4, 3)
    Investment.of(game).floats = [hers, "KWE"]
    r.stock(game, "ann")
    return game


def founded(game: Game, company: str) -> None:
    """The Investor has half of his railway, which has operated, at 50."""
    r.floated(game, company, INVESTOR, 6, 3)
    Investment.of(game).founded = True


def his(game: Game, company: str) -> int:
    """The Investor's share of a company."""
    return shares.held(game, company, INVESTOR)


def pooled(game: Game, company: str, percent: int) -> None:
    """Certificates from a charter lie in the pool."""
    r.own(game, company, POOL, percent)


def sits(game: Game, number: int = 2) -> None:
    """It is the Investor's turn in a stock round, and he takes it."""
    stock = game.rules.rounds["stock"]
    assert isinstance(stock, StockRound)
    game.state.round.stock_number = number
    stock.begin(game, INVESTOR)
    game.settle()


def running(step: str = "track", holder: str = "bo", company: str = "CME", phase: str = "2") -> Game:
    """The turn of the Investor's railway in an operating round, at a step of it, with 1000 in its treasury."""
    game = later(company, holder)
    r.phase(game, phase)
    r.operating(game, company, step)
    return game


def goes_on(game: Game) -> None:
    """What goes by itself happens."""
    r.take_offer(game)
    game.settle()
