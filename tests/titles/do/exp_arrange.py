"""Arranges positions of the Expert game for tests: those with breweries, with markers where a test needs them."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.moves import Pass
from engine.remembered import Earned
from tests.titles.arranging import names, take_offer
from tests.titles.do import hsb_arrange
from tests.titles.do.hsb_arrange import brewing_turn, cash, corporation, demand, export_line, railway, trains
from titles.do.brewery.brewing import DeliverBest
from titles.do.expert import markers, wagons
from titles.do.expert.markers import MarkersHeld


def after_package(players: int = 3, form: str = "exp", **more: Any) -> Game:
    """The first stock round: ann has B4, bo B8, cy B2; everybody has 1000 Mark, and all markers lie on the display."""
    return hsb_arrange.after_package(players, form=form, **more)


def give_markers(game: Game, company: str, *codes: str) -> None:
    """A company has got these markers from the display; a railway's wagons lie on its best train."""
    for code in codes:
        markers.take(game, company, code)
        if game.definition.corporations[company].kind == "railway":
            wagons.lay_new(game, company)
    take_offer(game)


def purse(game: Game, name: str, amount: int) -> None:
    """Somebody has just so much money."""
    cash(game, name, amount)
    take_offer(game)


def display(game: Game, code: str) -> int:
    """How many markers of a kind lie on the display."""
    found: int = MarkersHeld.of(game).display[code]
    return found


def exporting(
    *equipment: str,
    train: str = "8",
    director: str = "ann",
    name: str = "8",
    form: str = "exp",
    kim: tuple[str, ...] = (),
) -> Game:
    """ann's Union with equipment and markers, and BME's train on the way to Dortmund City, in the phase `name`."""
    game = after_package(form=form)
    hsb_arrange.phase(game, name)
    corporation(game, "DUB", equipment=equipment, price=100)
    railway(game, "BME", director)
    trains(game, "BME", train)
    export_line(game)
    give_markers(game, "DUB", *kim)
    demand(game, r4=6, stock=4)
    brewing_turn(game, "DUB")
    return game


def income(game: Game) -> int:
    """What the deliveries of the turn bring, all made for the most."""
    if "deliver_best" in names(game):
        game.apply(DeliverBest("ann", game.state.round.actor))
    while game.state.round.step == "deliver":
        game.apply(Pass("ann"))
    return Earned.of(game).revenue
