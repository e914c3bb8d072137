"""Routes of 18Rhl: income hexes, available routes and income routes."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.lines import build, earns, hexes, lay, lays, ready, refused_run, suggested, token

LOWER, HIGHER = ("2", "3", "4"), ("5", "6", "8")


def düren(*, junction: tuple[str, str, str] = ("25", "W-NE", "W-SE")) -> Game:
    """RhE's line Köln – J9 – K8 – Düren with a junction on K8, ADR in Aachen beyond Stolberg (K4)."""
    game = lines.board("ADR", phase="3")
    arrange.cash(game, "RhE", 1000)
    build(game, "K4", "4", "W-E")
    build(game, "J9", "9", "NE-SW")
    build(game, "K8", *junction)
    return game


# ---------------------------------------------------------------------- income hexes


@pytest.mark.rule("RHL-6.1.1-a")
@pytest.mark.parametrize("phase", LOWER + HIGHER)
def test_off_board_and_grey_fields_pay_the_higher_value_from_brown_on(phase: str) -> None:
    train = "2" if phase in LOWER else "5"
    game = lines.board("BME", "GVE", phase=phase)
    build(game, "F3", "9", "NW-SE")
    build(game, "G4", "7", "NW-W")
    build(game, "G14", "9", "NW-SE")
    build(game, "K10", "5", "SW-SE")
    token(game, "GVE", "E2")
    token(game, "GVE", "K10")
    venlo, roermond, siegerland, basel = (20, 10, 20, 30) if phase in LOWER else (40, 20, 40, 70)
    ready(game, "GVE", train)
    assert earns(game, "GVE", (train, "E2:a F3 G4 G2:a")) == venlo + roermond
    assert earns(game, "GVE", (train, "L9:a K10:a")) == 10 + 20  # L9 has one value
    assert earns(game, "GVE", (train, "K10:a L11:a")) == 20 + basel
    ready(game, "BME", train)
    assert earns(game, "BME", (train, "F13:b G14 H15 I14 J15:a")) == 30 + siegerland == suggested(game)


# ---------------------------------------------------------------------- available routes


@pytest.mark.rule("RHL-6.1.2-a")
def test_available_route_holds_a_station_of_the_company() -> None:
    game = lines.board("ADR")
    build(game, "C4", "58", "E-NW")
    arrange.operating(game, "ADR")
    assert hexes(game) == {"J3", "K4"}
    assert arrange.refused(game, lay(game, "ADR", "C6", "4", "W-E")).rule == "RHL-6.2.1-a"
    assert arrange.refused(game, lay(game, "ADR", "J7", "9", "W-E")).rule == "RHL-6.2.1-a"
    game.apply(lay(game, "ADR", "K4", "4", "W-E"))


@pytest.mark.rule("RHL-6.1.2-a")
def test_available_route_follows_the_track_over_any_number_of_hexes() -> None:
    game = lines.board("ADR")
    build(game, "K8", "8", "W-SE")
    arrange.operating(game, "ADR")
    assert "K10" not in hexes(game)
    build(game, "K4", "4", "W-E")
    arrange.operating(game, "ADR")
    assert "K10" in hexes(game)  # Aachen – K4 – Düren – K8 – L9 – Bonn


@pytest.mark.rule("RHL-6.1.2-b")
def test_no_piece_of_track_is_used_twice() -> None:
    game = düren()
    ready(game, "ADR", "4")
    assert refused_run(game, "ADR", ("4", "K2:a K4:a K2:a")).rule == "RHL-6.1.2-b"
    assert refused_run(game, "ADR", ("4", "K2:a K4:a K6:a K4:a")).rule == "RHL-6.1.2-b"


@pytest.mark.rule("RHL-6.1.2-b")
def test_not_even_the_short_stem_of_a_junction_is_used_twice() -> None:
    game = düren()
    build(game, "J9", "26", "SW-NE", "SW-SE")
    build(game, "K10", "6", "SW-NW")
    token(game, "ADR", "K10")
    ready(game, "ADR", "4")
    loop = "K6:a K8 L9:a K10:a J9 K8 K6:a"
    assert refused_run(game, "ADR", ("4", loop)).rule == "RHL-6.1.2-b"
    assert earns(game, "ADR", ("4", "K6:a K8 L9:a K10:a")) == 50
    assert earns(game, "ADR", ("4", "K6:a K8 J9 K10:a")) == 40


def loop_over_h5() -> Game:
    """A line that passes tile 20 on H5 twice: M.Gladbach – H5 – I4 – J3 – J5 – I6 – H5 – G4 – Roermond."""
    game = lines.board("DEE", phase="3")
    build(game, "H5", "9", "NE-SW")
    build(game, "H5", "20", "NE-SW", "NW-SE")
    build(game, "J3", "2", "NE-E")
    build(game, "J5", "8", "W-NE")
    build(game, "I6", "58", "SW-NW")
    build(game, "G4", "8", "SE-W")
    token(game, "DEE", "G6", 0)
    return ready(game, "DEE", "2")


@pytest.mark.rule("RHL-6.1.2-c")
def test_route_passes_one_terrain_tile_twice_on_separate_tracks() -> None:
    game = loop_over_h5()
    stop = "ab"[[bool(exits & 1) for exits in game.board.faces["J3"].stop_exits].index(True)]
    route = f"G6:a H5 I4 J3:{stop} J5 I6:a H5 G4 G2:a"
    assert earns(game, "DEE", ("2", route)) == 20 + 10 + 10 + 10 == suggested(game)


@pytest.mark.rule("RHL-6.1.2-d")
def test_no_change_of_track_at_a_crossing() -> None:
    game = loop_over_h5()
    assert refused_run(game, "DEE", ("2", "G6:a H5 G4 G2:a")).rule == "RHL-6.1.2-d"
    assert refused_run(game, "DEE", ("2", "G6:a H5 I6:a")).rule == "RHL-6.1.2-d"


@pytest.mark.rule("RHL-6.1.2-d")
def test_no_reversal_at_a_junction() -> None:
    game = düren()
    ready(game, "RhE", "2")
    assert refused_run(game, "RhE", ("2", "I10:a J9 K8 L9:a")).rule == "RHL-6.1.2-d"
    assert earns(game, "RhE", ("2", "I10:a J9 K8 K6:a")) == 50 == suggested(game)


@pytest.mark.rule("RHL-6.1.2-d")
def test_tile_23_leads_from_its_stem_to_two_sides_but_not_from_side_to_side() -> None:
    game = lines.board("ADR", phase="3")
    build(game, "K8", "9", "W-E")
    build(game, "K8", "23", "E-W", "E-NW")
    build(game, "K10", "6", "W-SE")
    build(game, "J7", "9", "SE-NW")
    build(game, "I6", "4", "SE-NW")
    token(game, "ADR", "K6")
    ready(game, "ADR", "2")
    assert refused_run(game, "ADR", ("2", "K6:a K8 J7 I6:a")).rule == "RHL-6.1.2-d"
    assert earns(game, "ADR", ("2", "K6:a K8 K10:a")) == 40
    arrange.operating(game, "ADR")
    assert "H5" not in hexes(game)  # beyond I6: only a reversal would lead there
    token(game, "ADR", "K10")
    ready(game, "ADR")
    assert earns(game, "ADR", ("2", "K10:a K8 J7 I6:a")) == 30
    arrange.operating(game, "ADR")
    assert "H5" in hexes(game)


@pytest.mark.rule("RHL-6.1.2-e")
def test_route_begins_or_ends_in_a_full_city_but_does_not_run_through() -> None:
    game = düren()
    token(game, "RhE", "K6")
    ready(game, "ADR", "3")
    assert refused_run(game, "ADR", ("3", "K2:a K4:a K6:a K8 L9:a")).rule == "RHL-6.1.2-e"
    assert earns(game, "ADR", ("3", "K2:a K4:a K6:a")) == 50
    assert earns(game, "ADR", ("3", "K6:a K4:a K2:a")) == 50 == suggested(game)


@pytest.mark.rule("RHL-6.1.2-e")
def test_no_building_beyond_a_city_full_of_foreign_stations() -> None:
    game = lines.board("ADR")
    build(game, "K4", "4", "W-E")
    arrange.operating(game, "ADR")
    assert "K8" in hexes(game)
    token(game, "RhE", "K6")
    arrange.operating(game, "ADR")
    assert "K8" not in hexes(game)
    assert arrange.refused(game, lay(game, "ADR", "K8", "8", "W-NE")).rule == "RHL-6.2.1-a"
    arrange.operating(game, "RhE")
    assert lays(game, "K8")


@pytest.mark.rule("RHL-6.1.2-f")
def test_station_of_a_company_that_has_not_floated_does_not_block() -> None:
    game = lines.board("GVE", phase="3")
    build(game, "F5", "56", "NE-SE", "E-SW")
    build(game, "E6", "201", "SW-W")
    build(game, "E4", "8", "E-SW")
    build(game, "F3", "7", "NE-NW")
    ready(game, "GVE", "3")
    through = "3", "G6:b F5:a E6:a E4 F3 E2:a"
    assert game.board.spaces("E6", 0) == ["CCE"]
    assert earns(game, "GVE", through) == 20 + 10 + 30 + 20 == suggested(game)
    arrange.floated(game, "CCE", "ann")
    ready(game, "GVE")
    assert refused_run(game, "GVE", through).rule == "RHL-6.1.2-e"
    assert suggested(game) == 60


# ---------------------------------------------------------------------- income routes


@pytest.mark.rule("RHL-6.1.2-g")
def test_income_route_joins_at_least_two_income_hexes() -> None:
    game = lines.board("ADR")
    build(game, "K4", "4", "W-E")
    ready(game, "ADR", "2")
    assert refused_run(game, "ADR", ("2", "K2:a")).rule == "RHL-6.1.2-g"
    assert refused_run(game, "ADR", ("2", "")).rule == "RHL-6.1.2-g"
    assert earns(game, "ADR", ("2", "K2:a K4:a")) == 30


@pytest.mark.rule("RHL-6.1.2-g")
def test_city_and_town_of_one_hex_are_no_income_route() -> None:
    """Tile 935 joins its town to its city."""
    game = lines.board("MKB", phase="3")
    arrange.lay(game, "E8", "935")
    lines.token(game, "MKB", "E8")
    ready(game, "MKB", "2", "2")
    assert refused_run(game, "MKB", ("2", "E8:a E8:b")).rule == "RHL-6.1.2-g"
    assert earns(game, "MKB", ("2", "E8:a E8:b D9:a")) == lines.suggested(game) == 50


@pytest.mark.rule("RHL-6.1.2-g", "RHL-6.2.6.1-b")
def test_two_cities_of_one_hex_are_no_income_route() -> None:
    """A loop over two bends leads from M.Gladbach back to Rheydt, and nothing leads elsewhere."""
    game = lines.board("GVE", phase="3")
    build(game, "G6", "941", "SE-NW")
    build(game, "H5", "7", "NE-E")
    build(game, "H7", "7", "W-NW")
    ready(game, "GVE", "3")
    assert refused_run(game, "GVE", ("3", "G6:a H5 H7 G6:b")).rule == "RHL-6.1.2-g"
    arrange.operating(game, "GVE", "station")
    game.apply(mv.Pass("cy"))
    assert game.company("GVE").last_revenue == 0
    game.company("GVE").trains.clear()
    arrange.operating(game, "GVE", "trains")
    assert "pass" in arrange.names(game)


@pytest.mark.rule("RHL-6.1.2-g")
def test_income_route_begins_and_ends_at_income_hexes() -> None:
    game = ready(düren(), "RhE", "2")
    assert refused_run(game, "RhE", ("2", "I10:a J9")).rule == "RHL-6.1.2-g"
    assert refused_run(game, "RhE", ("2", "J9 K8 K6:a")).rule == "RHL-6.1.2-g"


@pytest.mark.rule("RHL-6.1.2-g")
def test_income_route_holds_a_station_of_the_company() -> None:
    game = ready(düren(), "ADR", "2")
    assert refused_run(game, "ADR", ("2", "K4:a K6:a")).rule == "RHL-6.1.2-g"
    assert refused_run(game, "ADR", ("2", "K6:a K8 J9 I10:a")).rule == "RHL-6.1.2-g"


@pytest.mark.rule("RHL-6.1.2-g")
def test_company_without_an_income_route_runs_nothing() -> None:
    game = lines.board("ADR")
    arrange.trains(game, "ADR", "2")
    arrange.operating(game, "ADR", "station")
    game.apply(mv.Pass("cy"))
    assert game.state.round.step == "trains"
