"""Station tokens: where they may lie, and whom they stop (ledger 3.2.2.3, 4.5.3)."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.moves import PlaceStation
from engine.state import BANK, BLANK
from tests.titles.do import arrange as a
from titles.do.board.stations import free_city_place, keep_city_place


def kept(phase: str = "2", keeper: str = "") -> Game:
    """The marker lies in Dortmund City; DHB, BME, CME and KWE have floated and track leads there from C8."""
    game = a.ground(phase, "DHB", "BME", "CME", "KWE", keeper=keeper)
    a.put(game, "D11", "8", "W", "SE")
    keep_city_place(game.definition.tables, game.state)
    a.take_offer(game)
    return game


@pytest.mark.rule("DO-3.2.2.3-a", "DO-4.5.3-a")
def test_a_free_place_on_a_route() -> None:
    game = a.ground("2", "DHB", "BME")
    a.operating(game, "DHB", "station")
    assert a.offered(game, "place_station") == ["C6", "D9"]
    a.operating(game, "BME", "station")
    assert a.refused(game, PlaceStation("ann", "BME", "D9", 0)).rule == "DO-3.2.2.3-a"
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "D9", 0))
    assert game.board.spaces("D9", 0) == ["DHB"]


@pytest.mark.rule("DO-3.2.2.3-a", "DO-4.5.3-a")
def test_never_two_tokens_of_a_railway_on_a_hex() -> None:
    game = a.ground("2", "DHB")
    a.station(game, "DHB", "C6")
    a.operating(game, "DHB", "station")
    refusal = a.refused(game, PlaceStation("ann", "DHB", "C6", 0))
    assert (refusal.key, refusal.rule) == ("station.twice", "DO-3.2.2.3-a")
    assert a.refused(game, PlaceStation("ann", "DHB", "C8", 0)).key == "station.twice"


@pytest.mark.rule("DO-4.5.3-a")
def test_one_token_a_turn_while_there_are_any() -> None:
    game = a.ground("2", "DHB")
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "D9", 0))
    assert game.state.round.step != "station"
    game.state.round.step = "station"
    a.take_offer(game)
    assert not a.offered(game, "place_station")
    game = a.ground("2", "DHB")
    game.board.place_station("DHB", "E12", 0)
    game.board.place_station("DHB", "E14", 0)
    game.company("DHB").tokens_left.clear()
    a.take_offer(game)
    a.operating(game, "DHB", "station")
    assert not a.offered(game, "place_station")
    assert a.refused(game, PlaceStation("ann", "DHB", "D9", 0)).key == "station.none"


@pytest.mark.rule("DO-4.5.3-b")
def test_a_token_costs_what_the_charter_says() -> None:
    game = a.ground("2", "DHB")
    a.operating(game, "DHB", "station")
    a.cash(game, "DHB", 59)
    a.take_offer(game)
    assert a.refused(game, PlaceStation("ann", "DHB", "D9", 0)).rule == "DO-4.5.3-b"
    a.cash(game, "DHB", 60)
    bank = game.state.cash[BANK]
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "D9", 0))
    assert (game.state.cash["DHB"], game.state.cash[BANK]) == (0, bank + 60)
    assert game.company("DHB").tokens_left == [80]
    assert game.company("BME").tokens_left == [60, 80, 100, 100, 100]


@pytest.mark.rule("DO-3.2.2.3-b")
def test_a_full_yard_stops_all_who_have_no_token_there() -> None:
    game = a.ground("2", "CME", "BME", "RhE", "KWE")
    a.put(game, "B3", "1905", "W", "SE")
    a.put(game, "C4", "1905", "NW", "E")
    assert game.reach("CME").reaches("C8", 0)
    a.full(game, "C6", "BME", "RhE", "KWE")
    reach = game.reach("CME")
    assert reach.reaches("C6", 0), "a route may end there"
    assert not reach.reaches("C8", 0)
    assert not reach.touches("D7", 1 << 5)
    assert game.reach("BME").reaches("C8", 0), "BME has a token there"
    # A place beyond it cannot be had.
    a.operating(game, "CME", "station")
    assert a.refused(game, PlaceStation("ann", "CME", "D9", 0)).rule == "DO-3.2.2.3-a"


@pytest.mark.rule("DO-3.2.2.3-c", "DO-4.5.3-c")
def test_homes_on_red_fields_and_in_the_harbour_stop_nobody() -> None:
    game = a.ground("2", "BME", "DHB", "CME")
    a.active(game, "BME", "CME", "DHB")
    game.board.place_station("CME", "C6", 0)
    a.take_offer(game)
    assert a.route(game, "CME", "3", "C6:a C8:a D9:a") == 30 + 20 + 20
    assert game.reach("CME").reaches("D9", 0)


@pytest.mark.rule("DO-3.2.2.3-c", "DO-4.5.3-c")
def test_any_railway_ends_on_a_red_home() -> None:
    game = a.ground("2", "BME", "CME")
    a.south(game)
    game.board.place_station("CME", "G12", 0)
    a.take_offer(game)
    assert a.route(game, "CME", "2", "I10:a H11 G10 G12:a") == 30 + 30


@pytest.mark.rule("DO-4.5.3-e", "DO-3.2.2.3-a")
def test_the_place_of_a_home_is_nobody_elses() -> None:
    game = a.ground("2", "BME", "CME", "RhE")
    board = game.board
    assert board.free_space("H19", 0, "BME")
    board.place_station("BME", "H19", 0)
    assert not board.free_space("H19", 0, "CME"), "the other place is HHW's, also before it floats"
    assert board.spaces("H19", 0) == ["BME", "HHW"]
    assert not board.free_space("A18", 0, "CME")
    assert not board.free_space("C8", 0, "CME")
    for at in ("I10", "C20", "A2", "B1", "H1", "I2", "F1", "I20"):
        assert board.spaces(at, 0) == [], f"{at} has no place"


@pytest.mark.rule("DO-4.5.3-e")
def test_a_reserved_place_is_refused_with_its_clause() -> None:
    game = a.ground("2", "DHB", "CME")
    game.board.remove_stations("HHW")
    game.board.place_station("DHB", "H19", 0)
    a.take_offer(game)
    game.board.place_station("CME", "C6", 0)
    a.operating(game, "CME", "station")
    refusal = a.refused(game, PlaceStation("ann", "CME", "H19", 0))
    assert (refusal.key, refusal.rule) == ("station.home", "DO-4.5.3-e")


@pytest.mark.rule("DO-4.1-a")
def test_a_home_that_lies_face_down_neither_stops_nor_leads_anywhere() -> None:
    game = a.ground("2", "BME", "CME")
    a.put(game, "F17", "1905", "W", "SE")
    a.put(game, "G18", "1904", "NW", "SE")
    game.board.place_station("BME", "F15", 0)
    game.board.place_station("CME", "H19", 0)
    a.take_offer(game)
    assert game.board.stations_of("HHW") == []
    assert game.reach("HHW").touched == {}
    assert game.reach("BME").reaches("I20", 0)
    a.active(game, "HHW")
    assert not game.reach("BME").reaches("I20", 0), "now H19 is full of others"
    assert game.reach("HHW").reaches("I20", 0)


@pytest.mark.rule("DO-4.5.3-d", "DO-4.1-f")
def test_the_kept_place_of_dortmund_city() -> None:
    game = kept()
    assert game.board.spaces("E12", 0) == ["", "", "", BLANK]
    a.full(game, "E12", "BME", "CME", "KWE")
    a.operating(game, "DHB", "station")
    assert "E12" not in a.offered(game, "place_station")
    refusal = a.refused(game, PlaceStation("ann", "DHB", "E12", 0))
    assert (refusal.key, refusal.rule) == ("station.kept", "DO-4.5.3-d")
    # The marker is no station: it stops nobody.
    assert game.reach("DHB").reaches("E14", 0)
    free_city_place(game.definition.tables, game)
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "E12", 0))
    assert game.board.spaces("E12", 0) == ["BME", "CME", "KWE", "DHB"]


@pytest.mark.rule("DO-4.3.1.1-b")
def test_whoever_may_use_the_kept_place_takes_it_only_when_no_other_is_free() -> None:
    game = kept(keeper="DHB")
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "E12", 0))
    assert game.board.spaces("E12", 0) == ["DHB", "", "", BLANK]
    game = kept(keeper="DHB")
    a.full(game, "E12", "BME", "CME", "KWE")
    a.operating(game, "DHB", "station")
    game.apply(PlaceStation("ann", "DHB", "E12", 0))
    assert game.board.spaces("E12", 0) == ["BME", "CME", "KWE", "DHB"]
    assert game.company("DHB").tokens_left == [80], "at the normal price"
