"""The greedy house player of the introductory game: when it exchanges trains, and where its track leads."""

from __future__ import annotations

import random

import pytest

from engine import moves as mv
from engine.game import Game
from engine.state import OFFERING, POOL
from engine.steps.track import LayTileChoice
from tests.titles.do import arrange as a
from tests.titles.do import introducing as i
from titles.do.intro.house import EfsGreedy, lays_to
from titles.rhineland.short_moves import ReplaceTrain


def chosen(game: Game) -> mv.Move:
    return EfsGreedy().choose(game, game.offer().deciders[0], random.Random(1))


def exchanging(phase: str, left: int) -> Game:
    """Ann directs BME with an obsolete 2-train; so many certificates are left on display."""
    game = i.new()
    i.directed(game, "BME", "ann", 40)
    a.phase(game, phase)
    shown = [
        (company, number)
        for company in game.state.companies.values()
        for number, holder in enumerate(company.certificates)
        if holder == OFFERING
    ]
    for company, number in shown[left:]:
        company.certificates[number] = POOL
    return i.turn(game, "ann", "exchange")


def gone(game: Game, *trains: str) -> Game:
    """Nothing is left of these trains."""
    for train in trains:
        game.state.depot.left[train] = 0
    a.take_offer(game)
    return game


def test_it_waits_for_a_longer_train_as_long_as_it_has_turns() -> None:
    game = gone(exchanging("4", 30), "2", "3", "4")
    assert "replace_train" in a.names(game)
    assert isinstance(chosen(game), mv.Pass), "only the last run counts, and a 5-train would be for good"
    assert isinstance(chosen(gone(exchanging("4", 6), "2", "3", "4")), mv.Pass), "two more turns"
    assert chosen(gone(exchanging("4", 5), "2", "3", "4")) == ReplaceTrain("ann", "BME"), "one more turn"


def test_it_takes_the_longest_train_at_once() -> None:
    game = gone(exchanging("8", 30), "2", "3", "4", "5", "6")
    assert chosen(game) == ReplaceTrain("ann", "BME")


def joined() -> Game:
    """DHB earns most, over the harbour, Dortmund City and F15; ann directs BME, which is not joined to it."""
    game = i.new()
    i.directed(game, "DHB", "bo", 40)
    i.directed(game, "BME", "ann", 40)
    a.put(game, "D11", "8", "W", "SE")
    return i.turn(game, "ann")


def test_it_knows_how_many_lays_lie_between_a_hex_and_the_best_track() -> None:
    lays = lays_to(joined(), "DHB")
    assert [lays[at] for at in ("E12", "F11", "G10", "H9")] == [0, 0, 1, 2], "track of the City leads to F11"


def test_its_track_leads_to_the_railway_that_earns_most() -> None:
    game = joined()
    house = EfsGreedy()
    assert house.goal(game) == "DHB"
    worth = house.nearer(game, "BME")
    choice = game.offer().find("lay_tile", "ann")
    assert isinstance(choice, LayTileChoice)
    fits = {
        frozenset(side for edge, side in enumerate(game.definition.map.layout.edges) if fit.exits >> edge & 1): fit
        for fit in choice.fits("H11")
    }
    assert worth("H11", fits[frozenset({"NW", "SW"})]) > 0, "towards the middle of the map"
    assert worth("H11", fits[frozenset({"E", "SW"})]) == 0, "along its rim"
    assert house.promise(game, "cy", "BME") > 10, "and others expect more of it than of a railway by itself"


@pytest.mark.parametrize("seed", range(3))
def test_its_lay_leads_nearer(seed: int) -> None:
    game = joined()
    before = min(lays_to(game, "DHB").get(at, 99) for at in game.reach("BME").touched)
    game.apply(EfsGreedy().choose(game, "ann", random.Random(seed)))
    lays = lays_to(game, "DHB")
    assert min(lays.get(at, 99) for at in game.reach("BME").touched) < before
