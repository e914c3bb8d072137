"""Arranges positions of 18LRA for tests; what any title needs is taken from 18Rhl's tests."""

from __future__ import annotations

from typing import Any

import titles
from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.state import BANK
from tests.titles.arranging import SEATS, cash, give, operating, refused, seated, sell_out, take_offer
from tests.titles.rhl import arrange
from tests.titles.rhl.arrange import floated
from tests.titles.rhl.lines import build, earns, lays, places, ready, refused_run, run, station, suggested
from titles.lra.harbour import PlaceHarbour
from titles.lra.tables import HARBOUR

#: Who owns the private companies; cy has none and directs the companies of most tests.
OWNERS = {"DEC": "ann", "UH": "ann", "NH": "bo", "RH": "bo", "RM": "bo", "GKB": "ann"}
DIRECTOR = "cy"


def new(players: int = 4, **options: Any) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    return seated(lambda seed: titles.new_game("lra", SEATS[:players], options, seed))


def after_package(players: int = 4, buyers: dict[str, str] | None = None, **options: Any) -> Game:
    """A game in its first stock round, every lot sold at its printed price to the players named."""
    game = new(players, **options)
    owners = {**OWNERS, **(buyers or {})}
    for lot in game.rules.rounds["package"].lots(game):  # type: ignore[attr-defined]
        game.state.round.actor = owners[lot]
        give(game, owners[lot], game.definition.privates[lot].price)
        take_offer(game)
        game.apply(mv.BuyLot(owners[lot], lot))
    return game


def board(
    *companies: str, players: int = 4, director: str = DIRECTOR, treasury: int = 1000, phase: str = "2", **more: Any
) -> Game:
    """A game after the package with these companies floated under one director."""
    game = after_package(players, **more)
    for company in companies:
        floated(game, company, director, treasury=treasury)
    if phase != "2":
        arrange.phase(game, phase)
    take_offer(game)
    return game


def harbour(game: Game, company: str, at: str) -> None:
    """The company's harbour token lies on the harbour space of a hex."""
    game.company(company).tokens_left.pop()
    game.board.place_station(company, at, 0, HARBOUR)
    take_offer(game)


def token(game: Game, company: str, at: str, stop: int = 0) -> None:
    """One of the company's ordinary tokens lies on a hex."""
    arrange.station(game, company, at, stop)


def harbours(game: Game) -> dict[str, int]:
    """The harbours on offer, with the price of the token there."""
    choice = game.offer().find("place_harbour")
    if choice is None:
        return {}
    return {option.value: option.facts["cost"] for option in choice.ask({}).options}  # type: ignore[union-attr]


def to_harbour(game: Game, company: str, at: str) -> PlaceHarbour:
    """The move that places the harbour token."""
    return PlaceHarbour(game.company(company).director, company, at)


def rhine_line(game: Game, *, green: bool = True) -> None:
    """Düsseldorf – Neuss – Gladbach – Rheydt – Dalheim; before Düsseldorf is green nothing crosses the Rhine."""
    for at, tile, *ways in (
        ("G15", "L04"), ("H14", "L28"), ("H12", "9", "W-E"), ("H10", "9", "W-E"), ("H8", "L07", "SW-E"),
        ("I7", "L07", "NE-W"), ("I5", "9", "W-E"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    if green:
        build(game, "G15", "L15")


#: The way along that line.
RHINE_LINE = "G15:a H14:a H12 H10 H8:a I7:a I5 I3:a"


def buy_five(game: Game, company: str = "ADR", player: str = DIRECTOR) -> tuple[ev.Event, ...]:
    """The first 5-train is bought by a company in its turn: the brown phase begins."""
    sell_out(game, "2", "3", "4")
    game.state.phase = 2
    cash(game, company, 1000)
    operating(game, company, "trains")
    return game.apply(mv.BuyTrain(player, company, "5", BANK, 500))


__all__ = [
    "DIRECTOR",
    "OWNERS",
    "RHINE_LINE",
    "PlaceHarbour",
    "after_package",
    "arrange",
    "board",
    "build",
    "buy_five",
    "cash",
    "earns",
    "floated",
    "give",
    "harbour",
    "harbours",
    "lays",
    "new",
    "operating",
    "places",
    "ready",
    "refused",
    "refused_run",
    "rhine_line",
    "run",
    "station",
    "suggested",
    "take_offer",
    "to_harbour",
    "token",
]
