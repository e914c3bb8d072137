"""Links to mines and steel mills (ledger 2.6, 3.2.2.4, 4.5.4)."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Pass
from engine.state import BANK
from tests.titles.do import arrange as a
from titles.do.board import links
from titles.do.board.links import LinkLocation, LinkMade, LinkTokens
from titles.do.board.remembered import Linked


def at_link(phase: str = "2", company: str = "BME") -> Game:
    """BME has track on the mine H9, DHB has the steel mill D9 beside it; it is one's turn to make a link."""
    game = a.ground(phase, "BME", "DHB")
    a.put(game, "H9", "1904", "SE", "NW")
    return a.operating(game, company, "link")


@pytest.mark.rule("DO-3.2.2.4-a", "DO-4.5.4.1-a")
def test_a_new_link_lays_a_token_of_ten() -> None:
    game = at_link()
    bank = game.state.cash[BANK]
    events = game.apply(LinkLocation("ann", "BME", "H9"))
    assert links.value(game, "H9") == 10
    assert LinkMade("BME", "H9", "coal", 10, 30) in events
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (970, bank + 30)
    game = at_link(company="DHB")
    assert LinkMade("DHB", "D9", "steel", 10, 30) in game.apply(LinkLocation("ann", "DHB", "D9"))


@pytest.mark.rule("DO-3.2.2.4-a", "DO-4.5.4.1-a")
def test_a_link_needs_a_route_to_track_on_the_hex() -> None:
    game = at_link()
    assert a.offered(game, "link_location") == ["H9"]
    assert a.refused(game, LinkLocation("ann", "BME", "D9")).rule == "DO-3.2.2.4-a"
    assert a.refused(game, LinkLocation("ann", "BME", "F9")).rule == "DO-3.2.2.4-a", "a mine without a tile"
    assert a.refused(game, LinkLocation("ann", "BME", "E12")).key == "link.place"


@pytest.mark.rule("DO-4.5.4.1-a")
def test_one_link_a_turn_for_money() -> None:
    game = at_link("3")
    game.apply(LinkLocation("ann", "BME", "H9"))
    game.state.round.step = "link"
    game.state.round.actor = "BME"
    Linked.of(game).linked = True
    a.take_offer(game)
    assert not a.offered(game, "link_location")
    assert a.refused(game, LinkLocation("ann", "BME", "H9")).rule == "DO-3.2.2.2-c"
    game = at_link()
    a.cash(game, "BME", 29)
    a.take_offer(game)
    assert "link_location" not in a.names(game), "nothing is offered that cannot be paid"
    assert a.refused(game, LinkLocation("ann", "BME", "H9")).rule == "DO-4.5.4.1-a"


@pytest.mark.rule("DO-3.2.2.4-b", "DO-4.5.4.2-a")
@pytest.mark.parametrize(
    ("phase", "token", "following"),
    [("2", 10, 0), ("3", 10, 20), ("4", 20, 0), ("5", 20, 30), ("8", 30, 0), ("5", 10, 20), ("8", 0, 10)],
)
def test_a_token_grows_by_one_step_in_its_colour(phase: str, token: int, following: int) -> None:
    game = at_link(phase)
    if token:
        a.link(game, "H9", token)
    a.operating(game, "BME", "link")
    if following:
        game.apply(LinkLocation("ann", "BME", "H9"))
        assert links.value(game, "H9") == following
        assert game.state.cash["BME"] == 970
    else:
        assert "link_location" not in a.names(game)
        assert a.refused(game, LinkLocation("ann", "BME", "H9")).rule == "DO-3.2.2.4-b"


@pytest.mark.rule("DO-2.6-a", "DO-4.5.4.2-b")
def test_low_tokens_for_first_links_and_high_ones_for_extensions() -> None:
    game = at_link("3")
    t = game.definition.tables
    a.link(game, "H9", 20)
    a.link(game, "D9", 10)
    assert faults(game) == []
    assert (t.locations.goods["H9"], t.locations.goods["D9"]) == ("coal", "steel")
    assert game.rules.marks(game) == {"H9": ("+20",), "D9": ("+10",)}
    a.link(game, "H9", 25)
    assert any("shows 25" in sentence for sentence in faults(game))
    a.link(game, "H9", 20)
    a.link(game, "E12", 10)
    assert any("E12" in sentence for sentence in faults(game))
    del LinkTokens.of(game).values["E12"]
    a.link(game, "F9", 10)
    assert any("F9" in sentence for sentence in faults(game)), "there is no track"


@pytest.mark.rule("DO-4.5.4-a", "DO-3.3-d", "DO-4.5.4.3-c")
def test_every_route_earns_the_token() -> None:
    game = at_link()
    assert a.route(game, "BME", "2", "I10:a H9:a") == 30 + 10
    a.link(game, "H9", 10)
    assert a.worth(game, "BME", "H9") == a.worth(game, "CME", "H9") == 10 + 10
    assert a.route(game, "BME", "2", "I10:a H9:a") == 30 + 20
    a.link(game, "D9", 30)
    assert a.worth(game, "BME", "D9") == 20 + 30
    game.board.lay("D9", game.rules.tiling.fits("D9", None)[0])
    a.take_offer(game)
    assert a.worth(game, "BME", "D9") == 30 + 30, "the token stays on the new tile"
    assert game.board.faces["F9"].stops[0].value("yellow") == 0, "a mine without a tile is nothing"


def test_a_link_may_be_left_out() -> None:
    game = at_link()
    game.apply(Pass("ann"))
    assert links.value(game, "H9") == 0
    assert game.state.round.step != "link"
