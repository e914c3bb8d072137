"""Arranges positions of Heat, Sweat & Beer for two with the Investor."""

from __future__ import annotations

from functools import cache

from engine.game import Game
from engine.rules import Rules
from engine.state import OFFERING
from tests.titles.arranging import seated
from tests.titles.do import hsb_arrange as h
from tests.titles.do.investing import SEATS
from titles import registry
from titles.do.brewery.data import tables
from titles.do.brewery.game import Start
from titles.do.two.brewery_game import shared_out
from titles.do.two.brewing import DrawnBrewery
from titles.do.two.investor import Investment
from titles.rhineland.investor import INVESTOR, HeldCard


@cache
def rules() -> Rules:
    return registry.rules("do", 2, {}, "hsb2")


def new(railway: str = "CME") -> Game:
    """A new game in which ann sits first, with this railway for the Investor."""
    return seated(lambda seed: Game(rules(), SEATS, seed), lambda game: Investment.of(game).company == railway)


def first(minors: tuple[str, str, str] = ("B3", "B7", "B4"), brewery: str = "DUB", railway: str = "CME") -> Game:
    """The first stock round, ann to act: small breweries of ann, bo and the Investor, whose corporation comes later.

    bo has Investor's Railway, ann Investor's Brewery; everybody has 1000.
    """
    game = new(railway)
    for name in tables(game).minors:
        game.company(name).closed = name not in minors
        game.company(name).certificates = [OFFERING if name in minors else "removed"]
    Start.of(game).package = list(minors)
    DrawnBrewery.of(game).brewery = brewery
    HeldCard.of(game).card = "bo"
    shared_out(game, {minors[0]: ("ann", 0), minors[1]: ("bo", 0)})
    for player in (*SEATS, INVESTOR):
        h.cash(game, player, 1000)
    h.begin_stock(game, "ann")
    return game


def later(
    number: int = 2,
    minors: tuple[str, str, str] = ("B3", "B7", "B4"),
    brewery: str = "DUB",
    railway: str = "CME",
) -> Game:
    """A later stock round, ann to act: he has half of his railway (at 50); KWE (60) is bo's, another (65) ann's."""
    game = first(minors, brewery, railway)
    hers = "BME" if railway != "BME" else "RhE"
    h.railway(game, railway, INVESTOR, price=50)
    h.railway(game, hers, "ann", price=65)
    h.railway(game, "KWE", "bo", price=60)
    Investment.of(game).founded = True
    Investment.of(game).floats = [hers, "KWE"]
    h.second_stock(game, "ann", number)
    return game


def sits(game: Game, number: int = 2) -> list[dict[str, object]]:
    """It is the Investor's turn in a stock round, and he takes it; what happened."""
    stock = game.rules.rounds["stock"]
    game.state.pauses.clear()
    game.state.round.stock_number = number
    stock.begin(game, INVESTOR)  # type: ignore[attr-defined]
    game._events = []
    game.settle()
    return [event.data() for event in game._events]


def converted(
    brewery: str = "DUB", minors: tuple[str, str, str] = ("B3", "B7", "B4"), *, price: int = 60, treasury: int = 500
) -> Game:
    """His corporation is there with half of it in his hands; it has no equipment. The Investor has 1000."""
    game = later(3, minors, brewery)
    sits(game, 3)
    h.equip(game, brewery)
    h.price_at(game, brewery, price)
    h.cash(game, brewery, treasury)
    h.cash(game, INVESTOR, 1000)
    return game
