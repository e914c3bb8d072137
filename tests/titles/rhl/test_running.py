"""Running trains in 18Rhl: how long and where routes may be, and the Rhine with its ferries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import moves as mv
from engine.game import Game
from engine.offer import Options
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.lines import build, earns, ready, refused_run, suggested, token


def aachen(*, phase: str = "2", **options: object) -> Game:
    """ADR in Aachen: over Stolberg (a town) to Düren in the east, and to J3 (two towns) in the north-east."""
    game = lines.board("ADR", phase=phase, **options)
    build(game, "K4", "4", "W-E")
    build(game, "J3", "55", "SW-NE")
    return game


def rhine(*companies: str, phase: str = "3") -> Game:
    """Both banks: Deutz – G10 – Düsseldorf (green, tile 921), and Duisburg on both sides."""
    game = lines.board(*companies, phase=phase)
    build(game, "H11", "8", "SW-NW")
    build(game, "G10", "2", "NW-SE")
    build(game, "F9", "921")
    build(game, "E10", "8", "SW-NW")
    build(game, "G8", "7", "NE-NW")
    build(game, "F7", "8", "SE-NE")
    build(game, "E8", "69", "NE-SW")
    return game


DEUTZ_TO_F9 = "I10:c H11 G10:a F9:b"
RIGHT = f"{DEUTZ_TO_F9} E10 D9:c"
CROSSING = f"{DEUTZ_TO_F9} F9:a G8 F7 E8:a D9:a"


# ---------------------------------------------------------------------- as many trains as possible


@pytest.mark.rule("RHL-6.2.3-a")
def test_company_with_a_legal_route_may_not_leave_its_train_idle() -> None:
    game = ready(aachen(), "ADR", "2")
    assert arrange.names(game) == {"run"}
    assert refused_run(game, "ADR").rule == "RHL-6.2.3-a"
    assert earns(game, "ADR", ("2", "K2:a K4:a K6:a")) == 50


@pytest.mark.rule("RHL-6.2.3-a")
def test_company_runs_as_many_trains_as_it_can_even_for_less() -> None:
    game = aachen(phase="5")
    game.state.board.markers.update({"J3": ["coal"], "K6": ["steel"]})
    ready(game, "ADR", "3", "2")
    through = ("3", "J3:b K2:a K4:a K6:a")
    assert refused_run(game, "ADR", through).rule == "RHL-6.2.3-a"  # 60 and the industry bonus of 40
    both = ("3", "K2:a K4:a K6:a"), ("2", "K2:a J3:b")
    assert earns(game, "ADR", *both) == 80
    assert suggested(game) == 80


@pytest.mark.rule("RHL-6.2.3-a")
def test_director_need_not_run_the_best_routes() -> None:
    game = ready(aachen(), "ADR", "2", "2")
    assert earns(game, "ADR", ("2", "K2:a K4:a"), ("2", "K2:a J3:b")) == 60
    assert suggested(game) == 80


@pytest.mark.rule("RHL-6.2.3-a", "RHL-6.2.4-b")
def test_a_pass_instead_of_running_or_paying_cites_the_duty() -> None:
    game = ready(aachen(), "ADR", "2")
    director = game.company("ADR").director
    assert arrange.refused(game, mv.Pass(director)).rule == "RHL-6.2.3-a"
    game.apply(mv.Run(director, "ADR", (mv.TrainPath("2", ("K2:a", "K4:a")),)))
    assert arrange.refused(game, mv.Pass(director)).rule == "RHL-6.2.4-b"


@pytest.mark.rule("RHL-6.2.3-a")
def test_train_without_a_route_of_its_own_stays_idle() -> None:
    game = ready(aachen(), "ADR", "2", "2", "2")
    assert earns(game, "ADR", ("2", "K2:a K4:a K6:a"), ("2", "K2:a J3:b")) == 80


@pytest.mark.rule("RHL-6.2.3-a")
def test_each_train_runs_only_once_and_only_own_trains_run() -> None:
    game = ready(aachen(), "ADR", "2")
    twice = ("2", "K2:a K4:a K6:a"), ("2", "K2:a J3:b")
    assert refused_run(game, "ADR", *twice).rule == "RHL-6.2.3-a"
    assert refused_run(game, "ADR", ("3", "J3:b K2:a K4:a")).rule == "RHL-6.2.3-a"
    assert refused_run(game, "ADR", ("9", "J3:b K2:a K4:a")).rule == "RHL-6.2.3-a", "there is no such train"


@pytest.mark.rule("RHL-6.2-a")
def test_a_run_is_the_acting_company_s_and_other_routes_than_the_best_may_be_named() -> None:
    game = ready(aachen(), "ADR", "2")
    director = game.company("ADR").director
    route = mv.TrainPath("2", ("K2:a", "K4:a"))
    refusal = arrange.refused(game, mv.Run(director, "BME", (route,)))
    assert (refusal.rule, refusal.facts["company"], refusal.facts["other"]) == ("RHL-6.2-a", "ADR", "BME")
    choice = game.offer().find("run")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    assert domain.open, "the director may name any route"
    assert choice.ask({"routes": (route,)}) is None
    assert choice.move({"routes": [route]}) == mv.Run(director, "ADR", (route,))


@pytest.mark.rule("RHL-6.2.3-a")
def test_earlier_edition_knows_no_duty_to_run() -> None:
    game = ready(aachen(edition="earlier"), "ADR", "2")
    assert arrange.names(game) == {"run", "pass"}
    game.apply(lines.run(game, "ADR"))
    assert game.company("ADR").last_revenue == 0


# ---------------------------------------------------------------------- length


@pytest.mark.rule("RHL-6.2.3-b")
def test_town_on_the_way_is_free_and_pays_and_a_town_at_the_end_counts() -> None:
    game = ready(aachen(), "ADR", "2")
    assert earns(game, "ADR", ("2", "K2:a K4:a")) == 30
    assert earns(game, "ADR", ("2", "K2:a K4:a K6:a")) == 50
    assert refused_run(game, "ADR", ("2", "J3:b K2:a K4:a")).rule == "RHL-6.2.3-b"
    assert suggested(game) == 50


@pytest.mark.rule("RHL-6.2.3-b")
def test_town_behind_two_cities_fills_a_3_train_until_a_city_lies_behind_it() -> None:
    """The rulebook's example: once the line goes on to Bonn, the town L9 no longer counts."""
    game = aachen(phase="3")
    build(game, "K8", "8", "W-SE")
    ready(game, "ADR", "3")
    to_town = "K2:a K4:a K6:a K8 L9:a"
    assert earns(game, "ADR", ("3", to_town)) == 60
    assert refused_run(game, "ADR", ("3", f"J3:b {to_town}")).rule == "RHL-6.2.3-b"
    assert suggested(game) == 60
    build(game, "K10", "6", "SW-NW")
    assert earns(game, "ADR", ("3", f"{to_town} K10:a")) == 80
    assert refused_run(game, "ADR", ("3", f"J3:b {to_town} K10:a")).rule == "RHL-6.2.3-b"
    assert suggested(game) == 80


@pytest.mark.rule("RHL-6.2.3-b")
@pytest.mark.parametrize(("train", "legal"), [("2", False), ("3", False), ("4", True)])
def test_number_of_the_train_is_the_most_cities_and_off_board_fields(train: str, legal: bool) -> None:
    game = aachen(phase="4")
    build(game, "K8", "8", "W-SE")
    build(game, "K10", "5", "SW-SE")
    ready(game, "ADR", train)
    route = train, "K2:a K4:a K6:a K8 L9:a K10:a L11:a"
    if legal:
        assert earns(game, "ADR", route) == 20 + 10 + 20 + 10 + 20 + 30 == suggested(game)
    else:
        assert refused_run(game, "ADR", route).rule == "RHL-6.2.3-b"
        assert suggested(game) < 110


@pytest.mark.rule("RHL-6.2.3-b")
def test_earlier_edition_does_not_end_routes_at_towns() -> None:
    game = ready(aachen(edition="earlier"), "ADR", "2")
    assert refused_run(game, "ADR", ("2", "K2:a K4:a")).rule == "RHL-6.2.3-b"
    assert earns(game, "ADR", ("2", "K2:a K4:a K6:a")) == 50


# ---------------------------------------------------------------------- stops of a route


@pytest.mark.rule("RHL-6.2.3-c")
def test_income_hex_on_the_way_may_not_be_skipped() -> None:
    game = ready(aachen(), "ADR", "2")
    assert refused_run(game, "ADR", ("2", "K2:a K4 K6:a")).rule == "RHL-6.2.3-c"


@pytest.mark.rule("RHL-6.2.3-c")
def test_no_city_is_used_twice() -> None:
    game = lines.board("ADR", phase="3")
    build(game, "K4", "3", "W-NW")
    build(game, "J3", "56", "NE-SE", "E-SW")
    build(game, "J3", "87", "NE", "SE", "E", "SW")
    ready(game, "ADR", "3")
    assert refused_run(game, "ADR", ("3", "K2:a K4:a J3:a K2:a")).rule == "RHL-6.2.3-c"
    assert earns(game, "ADR", ("3", "K2:a K4:a J3:a")) == 40 == suggested(game)


def crossing_towns(tile: str) -> Game:
    """CCE in Krefeld: over F5, around G4 and F3, over F5 again and on to Duisburg."""
    game = lines.board("CCE", phase="3")
    build(game, "E6", "201", "SW-W")
    build(game, "F5", "55", "NE-SW", "E-W")
    if tile != "55":
        build(game, "F5", tile, "NE", "SW", "E", "W")
    build(game, "G4", "7", "NE-NW")
    build(game, "F3", "7", "E-SE")
    build(game, "F7", "8", "W-NE")
    build(game, "E8", "69", "NE-SW")
    return ready(game, "CCE", "2")


@pytest.mark.rule("RHL-6.2.3-c")
def test_two_towns_on_one_tile_are_two_stops() -> None:
    game = crossing_towns("55")
    assert earns(game, "CCE", ("2", "E6:a F5:a G4 F3 F5:b F7 E8:a D9:a")) == 30 + 10 + 10 + 10 + 20
    assert suggested(game) == 80


@pytest.mark.rule("RHL-6.2.3-c")
def test_no_town_is_used_twice() -> None:
    game = crossing_towns("88")
    route = "2", "E6:a F5:a G4 F3 F5:a F7 E8:a D9:a"
    assert refused_run(game, "CCE", route).rule == "RHL-6.2.3-c"
    assert earns(game, "CCE", ("2", "E6:a F5:a F7 E8:a D9:a")) == 70 == suggested(game)


@pytest.mark.rule("RHL-6.2.3-d")
def test_no_train_runs_through_a_red_field() -> None:
    game = lines.board("BME", phase="3")
    build(game, "D13", "202", "NE-SE")
    build(game, "C12", "937", "E")
    token(game, "BME", "D13")
    ready(game, "BME", "3")
    # The printed red fields have one track to each stop; here one stop has two.
    face = game.board.faces["C14"]
    game.board.faces["C14"] = replace(face, stops=face.stops[:1], track=((3, 6), (4, 6)))
    stop = "ab"[[bool(exits & 1 << 1) for exits in game.board.faces["C12"].stop_exits].index(True)]
    through = "3", f"D13:a C14:a C12:{stop}"
    assert refused_run(game, "BME", through).rule == "RHL-6.2.3-d"
    assert suggested(game) == 60  # Essen 30, the Eastern Ruhr 30 with two links


@pytest.mark.rule("RHL-6.2.3-d")
def test_red_field_is_an_end_of_a_route() -> None:
    game = lines.board("CCE", phase="3")
    token(game, "CCE", "A14")
    build(game, "B13", "1", "NE-W")
    build(game, "B11", "9", "W-E")
    build(game, "B9", "57", "W-E")
    ready(game, "CCE", "3")
    stop = "ab"[[bool(exits & 1) for exits in game.board.faces["B13"].stop_exits].index(True)]
    assert earns(game, "CCE", ("3", f"A14:a B13:{stop} B11 B9:a B7 A6:a")) == 40 + 10 + 20 + 40


@pytest.mark.rule("RHL-6.2.3-e")
def test_no_train_visits_the_eastern_ruhr_twice() -> None:
    game = lines.board("BME", phase="3")
    build(game, "D13", "201", "NE-E")
    token(game, "BME", "D13")
    ready(game, "BME", "3")
    assert refused_run(game, "BME", ("3", "C14:a D13:a D15:b")).rule == "RHL-6.2.3-e"
    assert earns(game, "BME", ("3", "D13:a C14:a")) == 60
    assert earns(game, "BME", ("3", "D13:a D15:b")) == 60
    assert suggested(game) == 60


@pytest.mark.rule("RHL-6.2.3-f")
def test_no_train_runs_from_hamburg_to_berlin() -> None:
    game = lines.board("CME", phase="3")
    build(game, "B13", "1", "E-SW", "NE-W")
    build(game, "B13", "88", "NE", "E", "SW", "W")
    token(game, "CME", "A14")
    ready(game, "CME", "3")
    assert refused_run(game, "CME", ("3", "A14:a B13:a B15:a")).rule == "RHL-6.2.3-f"
    assert earns(game, "CME", ("3", "A14:a B13:a")) == 50 == suggested(game)


@pytest.mark.rule("RHL-6.2.3-f")
def test_nijmegen_and_arnhem_are_one_area() -> None:
    """Ruling 31."""
    game = lines.board("CME", phase="3")
    build(game, "B9", "5", "SW-W")
    build(game, "C8", "8", "NE-W")
    build(game, "C6", "4", "E-W")
    build(game, "C4", "58", "E-NW")
    token(game, "CME", "B9")
    ready(game, "CME", "3")
    assert refused_run(game, "CME", ("3", "A6:a B7 B9:a C8 C6:a C4:a B3 A4:a")).rule == "RHL-6.2.3-c"
    assert earns(game, "CME", ("3", "A6:a B7 B9:a")) == 60
    assert earns(game, "CME", ("3", "B9:a C8 C6:a C4:a B3 A4:a")) == 80 == suggested(game)


# ---------------------------------------------------------------------- several trains


@pytest.mark.rule("RHL-6.2.3-g")
def test_trains_of_a_company_share_no_track() -> None:
    game = ready(aachen(), "ADR", "2", "2")
    shared = ("2", "K2:a K4:a K6:a"), ("2", "K2:a K4:a")
    assert refused_run(game, "ADR", *shared).rule == "RHL-6.2.3-g"


@pytest.mark.rule("RHL-6.2.3-g")
def test_trains_of_a_company_leave_one_station_on_separate_tracks() -> None:
    game = ready(aachen(), "ADR", "2", "2")
    assert earns(game, "ADR", ("2", "K2:a K4:a K6:a"), ("2", "K2:a J3:b")) == 80 == suggested(game)


@pytest.mark.rule("RHL-6.2.3-g")
def test_trains_of_a_company_meet_in_a_town_on_separate_tracks() -> None:
    game = lines.board("ADR", phase="3")
    build(game, "K4", "4", "W-E")
    build(game, "K4", "141", "W", "E", "NW")
    build(game, "J3", "56", "NE-SE", "E-SW")
    build(game, "J3", "87", "NE", "SE", "E", "SW")
    ready(game, "ADR", "2", "2")
    meeting = ("2", "K2:a J3:a K4:a K6:a"), ("2", "K2:a K4:a")
    assert earns(game, "ADR", *meeting) == 60 + 30 == suggested(game)


# ---------------------------------------------------------------------- the Rhine


def around_köln(*companies: str) -> Game:
    """Deutz – G10 – Düsseldorf (green) – H9 – Köln, whose hex is still yellow."""
    game = lines.board(*companies, phase="3")
    build(game, "H11", "8", "SW-NW")
    build(game, "G10", "2", "NW-SE")
    build(game, "F9", "921")
    build(game, "G8", "8", "NE-SE")
    build(game, "H9", "4", "NW-SE")
    return game


@pytest.mark.rule("RHL-6.2.3.1-a")
def test_cme_runs_from_deutz_over_düsseldorf_to_köln() -> None:
    """The rulebook's example: while Köln is yellow its two banks are two cities."""
    game = ready(around_köln("CME"), "CME", "3")
    assert earns(game, "CME", ("3", "I10:c H11 G10:a F9:b F9:a G8 H9:a I10:b")) == 20 + 10 + 30 + 10 + 30
    assert suggested(game) == 100


@pytest.mark.rule("RHL-6.2.3.1-a")
def test_köln_north_and_köln_south_are_one_city() -> None:
    game = lines.board("CCE")
    build(game, "H9", "3", "SW-SE")
    build(game, "I8", "8", "NE-SE")
    build(game, "J9", "7", "NW-NE")
    ready(game, "CCE", "2")
    assert refused_run(game, "CCE", ("2", "I10:b H9:a I8 J9 I10:a")).rule == "RHL-6.2.3-c"
    assert earns(game, "CCE", ("2", "I10:b H9:a")) == 40 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-a")
def test_green_köln_is_one_city_on_both_banks() -> None:
    game = around_köln("CME")
    build(game, "I10", "923")
    ready(game, "CME", "3")
    assert refused_run(game, "CME", ("3", "I10:b H11 G10:a F9:b F9:a G8 H9:a I10:a")).rule == "RHL-6.2.3-c"


@pytest.mark.rule("RHL-6.2.3.1-b")
def test_one_full_bank_does_not_block_the_crossing() -> None:
    game = rhine("CME", "DEE", "BME")
    token(game, "BME", "F9", 1)
    ready(game, "CME", "3")
    assert earns(game, "CME", ("3", CROSSING)) == 20 + 10 + 30 + 10 + 20 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-b", "RHL-6.1.2-e")
def test_green_metropolis_with_three_foreign_stations_is_blocked() -> None:
    game = rhine("CME", "DEE", "BME", "ADR")
    token(game, "BME", "F9", 1)
    token(game, "ADR", "F9", 0)
    ready(game, "CME", "3")
    for path in (CROSSING, RIGHT):
        assert refused_run(game, "CME", ("3", path)).rule == "RHL-6.1.2-e"
    assert earns(game, "CME", ("3", DEUTZ_TO_F9)) == 70 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-b", "RHL-6.2.2-b")
def test_own_station_opens_a_metropolis_that_is_otherwise_full() -> None:
    game = rhine("CME", "DEE", "BME")
    token(game, "BME", "F9", 1)
    token(game, "CME", "F9", 0)
    ready(game, "CME", "3")
    assert earns(game, "CME", ("3", CROSSING)) == 90 == suggested(game)
    assert refused_run(game, "CME", ("3", RIGHT)).rule == "RHL-6.2.3.1-d"


@pytest.mark.rule("RHL-6.2.3.1-c")
def test_green_metropolis_pays_40_on_one_bank_and_30_over_the_ferry() -> None:
    game = ready(rhine("CME"), "CME", "3")
    assert earns(game, "CME", ("3", RIGHT)) == 20 + 10 + 40 + 30 == suggested(game)
    assert earns(game, "CME", ("3", CROSSING)) == 20 + 10 + 30 + 10 + 20
    assert earns(game, "CME", ("3", DEUTZ_TO_F9)) == 20 + 10 + 40


@pytest.mark.rule("RHL-6.2.3.1-c", "RHL-6.2.3.1-e")
def test_route_that_ends_after_the_ferry_gets_the_lower_value() -> None:
    game = rhine("CCE")
    token(game, "CCE", "F9", 0)
    ready(game, "CCE", "2")
    assert earns(game, "CCE", ("2", f"{DEUTZ_TO_F9} F9:a")) == 20 + 10 + 30
    assert earns(game, "CCE", ("2", "F9:a F9:b E10 D9:c")) == 30 + 30
    assert earns(game, "CCE", ("2", "F9:a G8 F7 E8:a D9:a")) == 40 + 10 + 20 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-d")
def test_cme_must_cross_at_düsseldorf_when_the_right_bank_is_full() -> None:
    """The rulebook's example: DEE and BME on the right bank, the left bank empty."""
    game = rhine("CME", "DEE", "BME")
    token(game, "BME", "F9", 1)
    ready(game, "CME", "3")
    assert refused_run(game, "CME", ("3", RIGHT)).rule == "RHL-6.2.3.1-d"
    assert earns(game, "CME", ("3", CROSSING)) == 90


@pytest.mark.rule("RHL-6.2.3.1-d")
def test_free_space_on_the_right_bank_lets_cme_stay_there() -> None:
    game = ready(rhine("CME", "DEE"), "CME", "3")
    assert earns(game, "CME", ("3", RIGHT)) == 100 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-d", "RHL-6.2.3.1-b")
def test_crossing_needs_a_free_space_on_one_bank_only() -> None:
    game = rhine("CME", "ADR")
    token(game, "ADR", "F9", 0)
    ready(game, "CME", "3")
    assert earns(game, "CME", ("3", CROSSING)) == 90
    left = "3", "D9:a E8:a F7 G8 F9:a"
    assert refused_run(game, "CME", left).rule == "RHL-6.1.2-g"


@pytest.mark.rule("RHL-6.2.3.1-e")
def test_cce_must_cross_to_its_only_station_in_düsseldorf() -> None:
    """The rulebook's example: from Deutz, with CCE's only station of the route on the left bank of F9."""
    game = rhine("CCE")
    token(game, "CCE", "F9", 0)
    ready(game, "CCE", "3")
    for path in (DEUTZ_TO_F9, RIGHT):
        assert refused_run(game, "CCE", ("3", path)).rule == "RHL-6.1.2-g"
    assert earns(game, "CCE", ("3", f"{DEUTZ_TO_F9} F9:a")) == 60
    assert earns(game, "CCE", ("3", CROSSING)) == 90 == suggested(game)


@pytest.mark.rule("RHL-6.2.3.1-e")
def test_another_own_station_on_the_route_frees_cce_from_crossing() -> None:
    game = rhine("CCE")
    token(game, "CCE", "F9", 0)
    token(game, "CCE", "D9", 2)
    ready(game, "CCE", "3")
    assert earns(game, "CCE", ("3", RIGHT)) == 100


@pytest.mark.rule("RHL-6.2.3.1-f")
@pytest.mark.parametrize(("tiles", "phase", "value"), [(["927"], "5", 50), (["927", "932"], "8", 60)])
def test_brown_and_grey_metropolises_pay_the_same_in_any_direction(tiles: list[str], phase: str, value: int) -> None:
    game = rhine("CME", phase=phase)
    for tile in tiles:
        build(game, "F9", tile, "NE", "SE", "SW")
    ready(game, "CME", "5")
    assert earns(game, "CME", ("5", "I10:c H11 G10:a F9:a E10 D9:c")) == 20 + 10 + value + 30
    assert earns(game, "CME", ("5", "I10:c H11 G10:a F9:a G8 F7 E8:a D9:a")) == 20 + 10 + value + 10 + 20
    assert earns(game, "CME", ("5", "I10:c H11 G10:a F9:a")) == 20 + 10 + value
    over_a_ferry = "I10:c H11 G10:a F9:b F9:a G8 F7 E8:a D9:a"
    assert refused_run(game, "CME", ("5", over_a_ferry)).rule == "RHL-6.1.2-d"
