"""18LRA's private no. 1: Dalheim becomes active, its token goes to a company, and that company's routes earn more."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.state import POOL
from tests.titles.lra.arrange import (
    RHINE_LINE,
    arrange,
    board,
    build,
    buy_five,
    earns,
    floated,
    operating,
    ready,
    refused,
    rhine_line,
    token,
)
from tests.titles.rhl.asking import of_kind, values
from titles.lra.dalheim import ACTIVE, CampToken, DalheimActive, DalheimGiven, linked, right_bank
from titles.rhineland.assigning import Assign

LAST = mv.LayTile("cy", "BME", "G15", "L15", 0)


def before_the_link(*of_ann: str, director: str = "cy") -> Game:
    """Everything of the line lies but the green tile of Düsseldorf, which BME is about to lay."""
    game = board("BME", director=director, phase="3")
    for company in of_ann:
        floated(game, company, "ann")
    rhine_line(game, green=False)
    game.company("BME").operated = True
    operating(game, "BME")
    return game


@pytest.mark.rule("LRA-4.1.2-b", "LRA-4.1.2-c")
def test_a_link_to_the_right_bank_makes_dalheim_active_whoever_built_it() -> None:
    game = before_the_link("ADR")
    floated(game, "CCE", "bo")
    floated(game, "CME", "bo")
    for company in ("CCE", "CME"):  # full cities do not matter
        token(game, company, "H14" if company == "CCE" else "I3")
    assert not linked(game, game.definition.tables)  # Neuss and a yellow Düsseldorf are not enough
    assert ("G15", 0) not in right_bank(game, game.definition.tables)
    operating(game, "BME")
    happened = game.apply(LAST)
    assert ("G15", 0) in right_bank(game, game.definition.tables)
    assert of_kind(happened, DalheimActive)
    assert of_kind(happened, DalheimGiven)[0].company == "ADR"
    assert CampToken.of(game) == CampToken("ann", "ADR")
    assert game.state.board.markers["I3"] == [ACTIVE]


@pytest.mark.rule("LRA-4.1.2-b")
def test_a_link_on_the_left_bank_alone_is_none() -> None:
    game = board("BME", phase="3")
    floated(game, "ADR", "ann")
    rhine_line(game, green=False)
    build(game, "G13", "4", "NW-SE")
    token(game, "BME", "H14")
    game.company("BME").operated = True
    operating(game, "BME")
    happened = game.apply(mv.LayTile("cy", "BME", "F12", "69", 0))  # on to Krefeld
    assert game.tracks([("I3", 0)]).reaches("F10", 1)
    assert not of_kind(happened, DalheimActive)


@pytest.mark.rule("LRA-4.1.2-c")
def test_a_green_crossing_counts_from_whichever_side() -> None:
    game = board("BME", phase="3")
    floated(game, "ADR", "ann")
    rhine_line(game, green=False)
    build(game, "G13", "4", "NW-SE")
    build(game, "F12", "56", "NE-SE")
    build(game, "E13", "L29")
    token(game, "BME", "E13")
    game.company("BME").operated = True
    operating(game, "BME")
    happened = game.apply(mv.LayTile("cy", "BME", "D14", "L30", 0))
    assert of_kind(happened, DalheimActive)  # Rheinhausen is green, and nothing leads over the Rhine


@pytest.mark.rule("LRA-4.1.2-b", "LRA-6.3-b")
def test_without_a_link_dalheim_is_active_with_the_brown_phase() -> None:
    game = board("CCE", phase="4")
    floated(game, "ADR", "ann")
    happened = buy_five(game, "CCE")
    assert of_kind(happened, DalheimActive)
    assert CampToken.of(game).company == "ADR"


@pytest.mark.rule("LRA-4.1.2-d")
def test_the_owner_chooses_at_once_out_of_turn() -> None:
    game = before_the_link("ADR", "RhE")
    game.apply(LAST)
    assert game.offer().deciders == ("ann",)  # before BME goes on with its stations
    assert set(values(game, "assign_to")) == {"ADR", "RhE"}
    assert refused(game, Assign("ann", "DEC", "BME")).rule == "LRA-4.1.2-d"
    assert refused(game, mv.Pass("cy")).key == "turn.player"
    game.apply(Assign("ann", "DEC", "RhE"))
    assert CampToken.of(game).company == "RhE"
    assert game.offer().deciders == ("cy",)


@pytest.mark.rule("LRA-4.1.2-d")
def test_a_company_that_has_not_floated_will_do_and_without_any_the_token_waits() -> None:
    game = before_the_link()
    arrange.founded(game, "MKB", "ann")
    game.apply(LAST)
    assert CampToken.of(game).company == "MKB"  # founded, not floated
    game = before_the_link()
    game.apply(LAST)
    assert CampToken.of(game) == CampToken("ann", "")
    assert game.offer().deciders == ("cy",)
    arrange.cash(game, "ann", 500)
    arrange.stock(game, "ann")
    game.apply(mv.Found("ann", "KEG", 70))
    assert CampToken.of(game).company == "KEG"


@pytest.mark.rule("LRA-4.1.2-d")
def test_a_token_that_waits_goes_to_the_first_company_the_owner_takes_over() -> None:
    game = before_the_link()
    game.apply(LAST)
    floated(game, "RhE", "bo")
    for number in (5, 6, 7, 8):
        game.company("RhE").certificates[number] = "bo"
    game.company("RhE").certificates[1] = POOL
    for number in (2, 3, 4):
        game.company("RhE").certificates[number] = "ann"
    game.company("RhE").certificates[5:] = ["RhE"] * 4
    arrange.cash(game, "ann", 500)
    arrange.stock(game, "ann")
    happened = game.apply(mv.BuyShare("ann", "RhE", POOL, 10))
    assert of_kind(happened, ev.DirectorChanged)
    assert CampToken.of(game).company == "RhE"


@pytest.mark.rule("LRA-4.1.2-e")
def test_each_route_between_the_right_bank_and_dalheim_earns_20_more() -> None:
    game = before_the_link(director="ann")
    game.apply(mv.LayTile("ann", "BME", "G15", "L15", 0))
    assert CampToken.of(game).company == "BME"
    plain = 30 + 30 + 30 + 30 + 10
    game.state.round.step = "run"
    arrange.trains(game, "BME", "5", "6")
    arrange.take_offer(game)
    # In the turn of activation; a second train without Dalheim, or without the right bank, has no bonus.
    assert earns(game, "BME", ("5", RHINE_LINE), ("6", "G15:a H16:a")) == plain + 20 + 40 + 20
    ready(game, "BME")
    game.company("BME").director = "cy"  # it keeps the token
    assert earns(game, "BME", ("5", RHINE_LINE), ("6", "G15:a H16:a")) == plain + 20 + 60
    router = game.router("BME")
    assert router.trace("5", RHINE_LINE.split()).parts[-1].what == "dalheim"
    token(game, "BME", "H14")
    arrange.operating(game, "BME", "run")
    router = game.router("BME")
    assert router.trace("4", RHINE_LINE.split()[1:]).value == 30 + 30 + 30 + 10  # from Neuss: the left bank


@pytest.mark.rule("LRA-4.1.2-e")
def test_a_route_over_two_cities_of_the_right_bank_earns_20_more_once() -> None:
    game = before_the_link(director="ann")
    game.apply(mv.LayTile("ann", "BME", "G15", "L15", 0))
    game.state.round.step = "run"
    arrange.trains(game, "BME", "6")
    arrange.take_offer(game)
    route = game.router("BME").trace("6", ["H16:a", *RHINE_LINE.split()])
    assert [part.amount for part in route.parts if part.what == "dalheim"] == [20]
    (best,) = game.best_routes("BME").routes
    assert best.value >= route.value


@pytest.mark.rule("LRA-4.1.2-e")
def test_other_companies_get_nothing_and_the_token_outlives_its_private() -> None:
    game = before_the_link("ADR")
    game.apply(LAST)
    ready(game, "BME", "5")
    assert earns(game, "BME", ("5", RHINE_LINE)) == 130  # ADR has the token
    game = board("BME", director="ann", phase="5")
    rhine_line(game)
    assert CampToken.of(game).company == "BME"
    ready(game, "BME", "5", "6")
    routes = game.router("BME")
    assert routes.trace("5", RHINE_LINE.split()).value == 150
    assert routes.trace("6", RHINE_LINE.split()).value == 150  # each train that runs so
