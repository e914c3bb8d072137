"""Stations in 18Rhl: where they go, what they cost, and whom they stop."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.lines import build, earns, places, ready, refused_run, station, suggested, token


def köln_aachen(*companies: str, treasury: int = 1000, phase: str = "3") -> Game:
    """Köln – J9 – K8 – Düren – Stolberg (a town) – Aachen, with ADR and RhE at its ends."""
    game = lines.board("ADR", *companies, treasury=treasury, phase=phase)
    arrange.cash(game, "RhE", treasury)
    build(game, "J9", "9", "NE-SW")
    build(game, "K8", "8", "NE-W")
    build(game, "K4", "4", "W-E")
    return game


def at_stations(game: Game, company: str) -> Game:
    """It is the company's station step in a new turn."""
    arrange.operating(game, company, "station")
    return game


# ---------------------------------------------------------------------- spaces and prices


@pytest.mark.rule("RHL-6.2.2-a")
def test_station_goes_on_a_free_space_of_a_city() -> None:
    game = at_stations(köln_aachen(), "ADR")
    assert places(game) == {("K6", 0)}
    assert arrange.refused(game, station(game, "ADR", "K4")).rule == "RHL-6.2.2-a"  # a town
    assert arrange.refused(game, station(game, "ADR", "I10", 0)).rule == "RHL-6.2.2-a"  # full: RhE's home
    assert arrange.refused(game, station(game, "ADR", "K8")).rule == "RHL-6.2.2-a"  # no city at all
    game.apply(station(game, "ADR", "K6"))
    assert game.board.spaces("K6", 0) == ["ADR"]


@pytest.mark.rule("RHL-4.2-d", "RHL-4.1-d")
def test_station_is_placed_by_the_director_and_not_in_the_name_of_a_private() -> None:
    game = at_stations(köln_aachen(), "ADR")
    assert arrange.refused(game, mv.PlaceStation("bo", "ADR", "K6", 0)).rule == "RHL-6.2-a"
    assert arrange.refused(game, mv.PlaceStation("cy", "ADR", "K6", 0, "TF")).rule == "RHL-4.1-d"
    game.apply(mv.PlaceStation("cy", "ADR", "K6", 0))


@pytest.mark.rule("RHL-6.2.2-a")
def test_space_kept_for_a_home_is_not_free_although_its_company_has_not_floated() -> None:
    game = köln_aachen("RhE")
    game.company("ADR").floated = game.company("ADR").active = False
    at_stations(game, "RhE")
    assert places(game) == {("K6", 0)}
    assert arrange.refused(game, station(game, "RhE", "K2")).rule == "RHL-6.2.2-a"


@pytest.mark.rule("RHL-6.2.2-a")
def test_green_aachen_has_a_second_space() -> None:
    game = köln_aachen()
    build(game, "K2", "930")
    at_stations(game, "RhE")
    assert places(game) == {("K6", 0), ("K2", 0)}


@pytest.mark.rule("RHL-6.2.2-a", "RHL-6.2.2-c")
def test_red_field_takes_a_station_only_where_a_space_is_printed() -> None:
    game = to_hamburg("CME")
    at_stations(game, "CME")
    assert ("A14", 0) in places(game)
    assert arrange.refused(game, station(game, "CME", "A6")).rule == "RHL-6.2.2-a"
    game.apply(station(game, "CME", "A14"))
    assert game.board.spaces("A14", 0) == ["CME"]


@pytest.mark.rule("RHL-6.2.2-a")
def test_station_may_go_to_the_other_bank_of_a_green_metropolis() -> None:
    game = lines.board("CME", "DEE", "BME", phase="3")
    build(game, "H11", "8", "SW-NW")
    build(game, "G10", "2", "NW-SE")
    build(game, "F9", "921")
    token(game, "BME", "F9", 1)
    at_stations(game, "CME")
    assert places(game) == {("F9", 0)}


@pytest.mark.rule("RHL-6.2.2-d", "RHL-6.2.2-a")
def test_stations_cost_60_then_80_then_100() -> None:
    game = köln_aachen("BME")
    build(game, "K2", "930")
    build(game, "J9", "24", "NE-SW", "NE-SE")
    build(game, "K10", "6", "SW-NW")
    for at, cost in (("K6", 60), ("K10", 80), ("K2", 100)):
        before = game.state.cash["RhE"]
        at_stations(game, "RhE")
        choice = game.offer().find("place_station")
        assert choice is not None
        assert {option.facts["cost"] for option in choice.ask({}).options} == {cost}  # type: ignore[union-attr]
        copy = game.copy()
        events = copy.apply(station(copy, "RhE", at))
        assert ev.StationPlaced("RhE", at, 0, cost, "") in events
        assert ev.Paid("RhE", "bank", cost, "station", at) in events
        game.apply(station(game, "RhE", at))
        assert game.state.cash["RhE"] == before - cost
    assert game.company("RhE").tokens_left == []


@pytest.mark.rule("RHL-6.2.2-d")
def test_home_stations_are_free_and_the_next_one_of_cce_costs_80() -> None:
    game = lines.board("CCE", phase="3")
    assert game.board.stations_of("CCE") == [("E6", 0), ("I10", 1)]
    assert game.state.cash["CCE"] == 1000
    build(game, "H9", "4", "NW-SE")
    build(game, "G8", "8", "NE-SE")
    at_stations(game, "CCE")
    game.apply(station(game, "CCE", "F9", 0))
    assert game.state.cash["CCE"] == 920


@pytest.mark.rule("RHL-6.2.2-d")
@pytest.mark.parametrize(("treasury", "enough"), [(59, False), (60, True)])
def test_station_is_paid_from_the_treasury_before_it_is_placed(treasury: int, enough: bool) -> None:
    game = at_stations(köln_aachen(treasury=treasury), "ADR")
    if enough:
        game.apply(station(game, "ADR", "K6"))
        assert game.state.cash["ADR"] == 0
    else:
        assert places(game) == set()
        assert arrange.refused(game, station(game, "ADR", "K6")).rule == "RHL-6.2.2-d"


# ---------------------------------------------------------------------- routes to stations, and how many


@pytest.mark.rule("RHL-6.2.2-e")
def test_station_needs_an_available_route() -> None:
    game = at_stations(köln_aachen(), "ADR")
    assert arrange.refused(game, station(game, "ADR", "E2")).rule == "RHL-6.2.2-e"
    assert arrange.refused(game, station(game, "ADR", "J15")).rule == "RHL-6.2.2-e"


@pytest.mark.rule("RHL-6.2.2-e", "RHL-6.1.2-e")
def test_no_station_beyond_a_city_full_of_foreign_stations() -> None:
    game = köln_aachen()
    build(game, "K2", "930")
    build(game, "J9", "24", "NE-SW", "NE-SE")
    build(game, "K10", "6", "SW-NW")
    build(game, "K8", "25", "W-NE", "W-SE")
    at_stations(game, "ADR")
    assert places(game) == {("K6", 0), ("K10", 0)}
    token(game, "RhE", "K6")
    at_stations(game, "ADR")
    assert places(game) == set()
    at_stations(game, "RhE")
    assert places(game) == {("K10", 0), ("K2", 0)}


@pytest.mark.rule("RHL-6.2.2-f")
def test_one_station_in_a_turn() -> None:
    game = köln_aachen()
    build(game, "K2", "930")
    build(game, "J9", "24", "NE-SW", "NE-SE")
    build(game, "K10", "6", "SW-NW")
    at_stations(game, "RhE")
    game.apply(station(game, "RhE", "K6"))
    assert "place_station" not in arrange.names(game)
    assert arrange.refused(game, station(game, "RhE", "K2")).rule == "RHL-6.2-a"
    at_stations(game, "RhE")
    assert places(game) == {("K2", 0), ("K10", 0)}


@pytest.mark.rule("RHL-6.2.2-f")
def test_station_of_the_train_ferry_is_the_only_one_of_the_turn() -> None:
    game = arrange.after_package()
    arrange.floated(game, "BME", "bo")
    arrange.phase(game, "3")
    build(game, "G14", "7", "NW-W")
    arrange.operating(game, "BME", "station")
    assert places(game) == {("G12", 1)}
    arrange.operating(game, "BME", "track")
    game.apply(mv.LayTile("bo", "BME", "D9", "925", 0, "TF"))
    game.apply(mv.PlaceStation("bo", "BME", "D9", 0, "TF"))
    game.apply(mv.Pass("bo"))
    assert "place_station" not in arrange.names(game)
    assert arrange.refused(game, station(game, "BME", "G12", 1)).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-6.2.2-g")
def test_no_second_station_of_a_company_in_a_metropolis() -> None:
    game = lines.board("DEE", phase="3")
    build(game, "F9", "921")
    build(game, "E10", "8", "SW-NW")
    at_stations(game, "DEE")
    assert places(game) == {("D9", 2)}
    for stop in (0, 1):
        assert arrange.refused(game, station(game, "DEE", "F9", stop)).rule == "RHL-6.2.2-g"


@pytest.mark.rule("RHL-6.2.2-g")
def test_cce_may_not_add_a_second_station_in_grey_köln() -> None:
    game = lines.board("CCE", "ADR", phase="8")
    build(game, "I10", "923")
    build(game, "I10", "928", "NE")
    build(game, "I10", "932")
    build(game, "J9", "9", "NE-SW")
    build(game, "K8", "8", "NE-W")
    assert "" in game.board.spaces("I10", 0)
    at_stations(game, "CCE")
    assert places(game) == {("K6", 0)}
    assert arrange.refused(game, station(game, "CCE", "I10")).rule == "RHL-6.2.2-g"


@pytest.mark.rule("RHL-6.2.2-g")
def test_no_second_station_in_the_other_city_of_a_hex() -> None:
    game = lines.board("BME", phase="3")
    build(game, "G14", "7", "NW-W")
    build(game, "E14", "9", "SW-NE")
    at_stations(game, "BME")
    assert arrange.refused(game, station(game, "BME", "F13", 0)).rule == "RHL-6.2.2-g"
    assert places(game) == {("G12", 1)}


# ---------------------------------------------------------------------- whom stations stop


@pytest.mark.rule("RHL-6.2.2-b", "RHL-6.1.2-e")
def test_only_the_owner_of_a_station_runs_through_a_full_city() -> None:
    game = köln_aachen()
    token(game, "RhE", "K6")
    ready(game, "ADR", "3")
    assert refused_run(game, "ADR", ("3", "K2:a K4:a K6:a K8 J9 I10:a")).rule == "RHL-6.1.2-e"
    assert earns(game, "ADR", ("3", "K2:a K4:a K6:a")) == 50 == suggested(game)
    ready(game, "RhE", "3")
    assert earns(game, "RhE", ("3", "K2:a K4:a K6:a K8 J9 I10:a")) == 80 == suggested(game)


@pytest.mark.rule("RHL-6.2.2-b")
def test_city_with_a_free_space_is_not_blocked() -> None:
    game = ready(köln_aachen(), "ADR", "3")
    assert earns(game, "ADR", ("3", "K2:a K4:a K6:a K8 J9 I10:a")) == 80 == suggested(game)


def to_hamburg(*companies: str) -> Game:
    """Arnhem – Wesel – B11 – B13 (a town) – Hamburg, with a station of the first company in Wesel."""
    game = lines.board(*companies, phase="3")
    build(game, "B9", "57", "W-E")
    build(game, "B11", "9", "W-E")
    build(game, "B13", "1", "NE-W")
    token(game, companies[0], "B9")
    return game


@pytest.mark.rule("RHL-6.2.2-c")
def test_station_on_hamburg_bars_all_other_companies() -> None:
    game = to_hamburg("CME", "BME")
    stop = "ab"[[bool(exits & 1) for exits in game.board.faces["B13"].stop_exits].index(True)]
    to_a14 = f"B9:a B11 B13:{stop} A14:a"
    ready(game, "CME", "2")
    assert earns(game, "CME", ("2", to_a14)) == 70 == suggested(game)
    token(game, "BME", "A14")
    assert refused_run(game, "CME", ("2", to_a14)).rule == "RHL-6.2.2-c"
    assert suggested(game) == 60  # Wesel and Arnhem
    ready(game, "BME", "2")
    assert earns(game, "BME", ("2", to_a14)) == 70
