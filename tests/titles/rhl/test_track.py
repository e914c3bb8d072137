"""Track tiles of 18Rhl: where they may be laid, what they cost, upgrades and the Rhine."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.errors import Refused
from engine.game import Game
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.lines import build, hexes, lay, lays, token, turns


def laying(game: Game, company: str) -> Game:
    """It is the company's tile step in a new turn."""
    arrange.operating(game, company)
    return game


def rule_against(game: Game, company: str, at: str, tile: str, *ways: str) -> str:
    """The clause that a refused lay breaks."""
    return arrange.refused(game, lay(game, company, at, tile, *ways)).rule


# ---------------------------------------------------------------------- routes and first tiles


@pytest.mark.rule("RHL-6.2.1-a")
def test_lay_extends_an_available_route() -> None:
    game = laying(lines.board("ADR"), "ADR")
    assert hexes(game) == {"J3", "K4"}
    assert rule_against(game, "ADR", "J7", "9", "W-E") == "RHL-6.2.1-a"
    assert rule_against(game, "ADR", "K4", "58", "E-NW") == "RHL-6.2.1-a"  # no track towards Aachen
    game.apply(lay(game, "ADR", "K4", "58", "W-NE"))
    assert game.state.board.tiles["K4"] == ("58", turns(game, "58", "W-NE")[0])


@pytest.mark.rule("RHL-6.2.1-a")
def test_upgrade_is_on_an_available_route() -> None:
    game = laying(lines.board("ADR", phase="3"), "ADR")
    assert rule_against(game, "ADR", "F9", "921") == "RHL-6.2.1-a"
    assert rule_against(game, "ADR", "K6", "15", "W", "NW", "NE", "E") == "RHL-6.2.1-a"
    assert "K6" not in hexes(game)
    game.apply(lay(game, "ADR", "K2", "930"))
    assert game.state.board.tiles["K2"] == ("930", 0)


@pytest.mark.rule("RHL-6.2.1-b")
def test_first_tile_of_a_linked_home_may_extend_any_route() -> None:
    game = laying(lines.board("GVE"), "GVE")
    assert hexes(game) == {"F5"}
    assert "pass" in arrange.names(game)
    game.apply(lay(game, "GVE", "F5", "56", "NE-SE", "E-SW"))


@pytest.mark.rule("RHL-6.2.1-b")
def test_cce_is_free_to_build_because_köln_is_linked() -> None:
    game = laying(lines.board("CCE"), "CCE")
    assert hexes(game) == {"E6", "H9"}
    assert "pass" in arrange.names(game)
    game.apply(lay(game, "CCE", "H9", "4", "NW-SE"))


@pytest.mark.rule("RHL-6.2.1-b")
@pytest.mark.parametrize("phase", ["2", "3", "4"])
def test_mkb_cannot_lay_before_brown(phase: str) -> None:
    game = laying(lines.board("MKB", phase=phase), "MKB")
    assert arrange.names(game) == {"pass"}
    assert arrange.refused(game, lay(game, "MKB", "D7", "947")).rule == "RHL-6.2.1.1-a"
    assert arrange.refused(game, lay(game, "MKB", "C6", "4", "W-E")).rule == "RHL-6.2.1-a"


@pytest.mark.rule("RHL-6.2.1-b")
def test_mkb_in_brown_must_lay_its_first_tile_in_moers() -> None:
    game = lines.board("MKB", phase="5")
    build(game, "C6", "3", "E-SE")  # track up to Moers, but not MKB's before 947 lies there
    laying(game, "MKB")
    assert arrange.names(game) == {"lay_tile"}
    assert hexes(game) == {"D7"}
    assert arrange.refused(game, mv.Pass("cy")).rule == "RHL-6.2.1-b"
    refusal = arrange.refused(game, lay(game, "MKB", "E6", "202", "NE-SE"))
    assert (refusal.rule, refusal.key) == ("RHL-6.2.1-b", "tile.only")
    assert refusal.facts == {"company": "MKB", "hexes": ("D7",), "at": "E6"}
    game.apply(lay(game, "MKB", "D7", "947"))
    assert game.state.board.tiles["D7"][0] == "947"
    assert game.state.round.step != "track"


@pytest.mark.rule("RHL-6.2.1-b")
def test_mkb_may_lay_947_later_when_it_has_operated_before_brown() -> None:
    game = lines.board("MKB", phase="5")
    game.company("MKB").operated = True
    laying(game, "MKB")
    assert arrange.names(game) == {"lay_tile", "pass"}
    game.apply(lay(game, "MKB", "D7", "947"))


@pytest.mark.rule("RHL-6.2.1-b")
def test_mkb_whose_home_is_linked_by_another_company_is_free() -> None:
    game = lines.board("MKB", phase="5")
    build(game, "D7", "947", "NE", "NW")
    laying(game, "MKB")
    assert "pass" in arrange.names(game)
    assert {"C6", "C8"} <= hexes(game)


# ---------------------------------------------------------------------- kinds of tiles


@pytest.mark.rule("RHL-6.2.1-c")
@pytest.mark.parametrize(
    ("at", "tile", "ways"),
    [
        ("B9", "201", ["E-SE"]),
        ("K10", "202", ["NW-SW"]),
        ("B9", "937", ["SE", "W"]),
        ("E6", "937", ["NE", "W"]),
        ("E6", "57", ["NE-SW"]),
        ("D13", "5", ["NE-E"]),
        ("D11", "201", ["NE-E"]),
        ("C12", "57", ["NE-SW"]),
        ("D9", "921", []),
        ("F9", "925", []),
    ],
)
def test_tiles_with_a_code_belong_on_hexes_with_that_code_only(at: str, tile: str, ways: list[str]) -> None:
    game = laying(lines.board("ADR", phase="3"), "ADR")
    assert rule_against(game, "ADR", at, tile, *ways) == "RHL-6.2.1-c"


@pytest.mark.rule("RHL-6.2.1-c")
def test_hexes_with_a_code_take_the_tiles_of_their_code() -> None:
    game = lines.board("CCE", "CME", phase="3")
    laying(game, "CCE")
    assert {tile for tile, _ in lays(game, "E6")} == {"201", "202"}
    build(game, "E10", "7", "NE-NW")
    token(game, "CME", "D9", 2)
    laying(game, "CME")
    assert {tile for tile, _ in lays(game, "D11")} == {"937"}
    assert {tile for tile, _ in lays(game, "D9")} == {"925", "926"}


@pytest.mark.rule("RHL-6.2.1-d")
@pytest.mark.parametrize(
    ("at", "tile", "ways"),
    [
        ("F5", "58", ["NE-SE"]),
        ("F5", "9", ["NE-SW"]),
        ("C4", "9", ["E-W"]),
        ("C4", "55", ["E-W", "NW-SE"]),
        ("C4", "57", ["E-W"]),
        ("D5", "4", ["E-W"]),
        ("D5", "57", ["E-W"]),
        ("D5", "55", ["E-W"]),
        ("B9", "9", ["W-E"]),
        ("B9", "4", ["W-E"]),
        ("B9", "55", ["W-E"]),
    ],
)
def test_tile_suits_the_kind_of_hex(at: str, tile: str, ways: list[str]) -> None:
    game = laying(lines.board("ADR"), "ADR")
    assert rule_against(game, "ADR", at, tile, *ways) == "RHL-6.2.1-d"


@pytest.mark.rule("RHL-6.2.1-d")
def test_each_kind_of_hex_takes_its_own_tiles() -> None:
    game = lines.board("CME")
    build(game, "D5", "8", "NE-SE")
    for at in ("E2", "G2", "C2"):
        token(game, "CME", at)
    build(game, "B9", "57", "W-E")
    token(game, "CME", "B9")
    laying(game, "CME")
    assert {tile for tile, _ in lays(game, "C4")} == {"3", "4", "58"}
    assert {tile for tile, _ in lays(game, "D3")} == {"7", "8", "9"}
    assert {tile for tile, _ in lays(game, "B11")} == {"7", "8", "9"}
    arrange.lay(game, "B11", "9", 1)
    laying(game, "CME")
    assert {tile for tile, _ in lays(game, "B13")} == {"1", "55"}


@pytest.mark.rule("RHL-6.2.1-d")
def test_upgrades_keep_the_kind_of_hex() -> None:
    game = lines.board("ADR", phase="5")
    build(game, "K4", "4", "W-E")
    build(game, "J3", "55", "SW-NE")
    laying(game, "ADR")
    assert {tile for tile, _ in lays(game, "K4")} == {"141", "142"}
    assert {tile for tile, _ in lays(game, "J3")} == {"88"}
    assert {tile for tile, _ in lays(game, "K6")} == {"15"}


# ---------------------------------------------------------------------- borders


@pytest.mark.rule("RHL-6.2.1-e")
@pytest.mark.parametrize(
    ("at", "tile", "ways", "where"),
    [
        ("K8", "7", ["SW-W"], "the blank grey L7"),
        ("F3", "9", ["E-W"], "the blank grey F1"),
        ("B11", "7", ["NE-NW"], "the blank grey A10 and A12"),
        ("B9", "57", ["NW-SE"], "the blank grey A8"),
        ("I2", "9", ["E-W"], "off the grid"),
        ("B13", "2", ["NE-SW", "SE-E"], "the blank side of the red C14"),
        ("I2", "7", ["NW-NE"], "the blank side of the red H1"),
        ("D3", "9", ["SE-NW"], "the blank side of the red C2"),
        ("G14", "9", ["W-E"], "off the grid"),
        ("E4", "9", ["E-W"], "the blank side of the grey Venlo"),
    ],
)
def test_track_does_not_run_against_a_blank_side(at: str, tile: str, ways: list[str], where: str) -> None:
    game = laying(lines.board("ADR"), "ADR")
    assert rule_against(game, "ADR", at, tile, *ways) == "RHL-6.2.1-e", where


@pytest.mark.rule("RHL-6.2.1-e")
def test_track_may_meet_the_black_triangle_of_an_off_board_field() -> None:
    game = lines.board("RhE")
    build(game, "J9", "8", "NE-SE")
    laying(game, "RhE")
    game.apply(lay(game, "RhE", "K10", "57", "NW-SE"))
    lines.ready(game, "RhE", "3")
    assert lines.earns(game, "RhE", ("3", "I10:a J9 K10:a L11:a")) == 30 + 20 + 30


@pytest.mark.rule("RHL-6.2.1-e")
def test_track_may_meet_the_track_of_a_grey_hex() -> None:
    game = laying(lines.board("BME"), "BME")
    assert not hexes(game) & {"J13", "K12"}
    game.apply(lay(game, "BME", "G14", "9", "NW-SE"))
    laying(game, "BME")
    assert hexes(game) >= {"J13", "K12"}  # by way of the grey H15, J15 and K14


@pytest.mark.rule("RHL-6.2.1-f")
@pytest.mark.parametrize(
    ("at", "tile", "ways"),
    [("E8", "55", ["E-W"]), ("E10", "9", ["W-E"]), ("G8", "9", ["W-E"]), ("K10", "57", ["W-E"])],
)
def test_track_does_not_end_against_the_rhine(at: str, tile: str, ways: list[str]) -> None:
    game = laying(lines.board("ADR"), "ADR")
    assert rule_against(game, "ADR", at, tile, *ways) == "RHL-6.2.1-f"


@pytest.mark.rule("RHL-6.2.1-g")
def test_tile_need_not_join_the_track_of_its_neighbours() -> None:
    game = lines.board("ADR")
    build(game, "J5", "9", "W-E")  # blank towards K4
    laying(game, "ADR")
    game.apply(lay(game, "ADR", "K4", "58", "W-NE"))
    laying(game, "ADR")
    game.apply(lay(game, "ADR", "J3", "55", "SW-NE", "NW-SE"))  # blank sides of K4, free ends elsewhere
    assert game.state.board.tiles["J3"][0] == "55"


# ---------------------------------------------------------------------- costs


@pytest.mark.rule("RHL-6.2.1-h")
def test_terrain_cost_of_the_first_tile_is_paid_from_the_treasury() -> None:
    game = laying(lines.board("DEE"), "DEE")
    choice = game.offer().find("lay_tile")
    assert choice is not None
    assert {o.value: o.facts["cost"] for o in choice.ask({}).options} == {"F11": 60}  # type: ignore[union-attr]
    events = game.apply(lay(game, "DEE", "F11", "9", "W-E"))
    assert ev.Paid("DEE", "bank", 60, "terrain", "F11") in events
    assert game.state.cash["DEE"] == 940


@pytest.mark.rule("RHL-6.2.1-h")
def test_hex_without_a_cost_is_free_and_a_laid_tile_hides_the_cost() -> None:
    game = lines.board("DEE", "ADR", phase="3")
    laying(game, "ADR")
    game.apply(lay(game, "ADR", "K4", "4", "W-E"))
    assert game.state.cash["ADR"] == 1000
    laying(game, "DEE")
    game.apply(lay(game, "DEE", "F11", "9", "W-E"))
    laying(game, "DEE")
    game.apply(lay(game, "DEE", "F11", "23", "W-E", "W-SE"))
    assert game.state.cash["DEE"] == 940


@pytest.mark.rule("RHL-6.2.1-h")
def test_replacing_a_printed_hex_or_a_tile_that_shows_a_cost_is_paid() -> None:
    game = lines.board("ADR", "BME", phase="5")
    for tile, treasury in (("930", 970), ("931", 940)):
        laying(game, "ADR")
        game.apply(lay(game, "ADR", "K2", tile))
        assert game.state.cash["ADR"] == treasury
    build(game, "G14", "9", "NW-SE")
    laying(game, "BME")
    game.apply(mv.LayTile("cy", "BME", "I14", *min(lays(game, "I14"))))  # printed yellow, 60
    assert game.state.cash["BME"] == 940


@pytest.mark.rule("RHL-6.2.1-i")
@pytest.mark.parametrize(("treasury", "enough"), [(20, False), (29, False), (30, True)])
def test_company_without_the_money_may_not_lay(treasury: int, enough: bool) -> None:
    game = laying(lines.board("ADR", treasury=treasury, phase="3"), "ADR")
    assert ("K2" in hexes(game)) == enough
    if enough:
        game.apply(lay(game, "ADR", "K2", "930"))
        assert game.state.cash["ADR"] == 0
    else:
        assert rule_against(game, "ADR", "K2", "930") == "RHL-6.2.1-i"


@pytest.mark.rule("RHL-6.2.1-j")
@pytest.mark.parametrize(
    ("at", "tile", "ways"),
    [
        ("K6", "57", ["W-E"]),
        ("B3", "7", ["NE-E"]),
        ("I14", "8", ["NE-SE"]),
        ("G6", "937", ["SW", "NW"]),
        ("F13", "201", ["W-NW"]),
        ("D7", "57", ["NE-SW"]),
    ],
)
def test_yellow_tile_never_goes_on_a_printed_track_hex(at: str, tile: str, ways: list[str]) -> None:
    game = lines.board("ADR")
    build(game, "K4", "4", "W-E")
    laying(game, "ADR")
    assert rule_against(game, "ADR", at, tile, *ways) == "RHL-6.2.1-j"


@pytest.mark.rule("RHL-6.2.1-k")
@pytest.mark.parametrize("phase", ["2", "3", "4", "5", "6", "8"])
def test_one_tile_in_a_turn(phase: str) -> None:
    game = laying(lines.board("ADR", phase=phase), "ADR")
    game.apply(lay(game, "ADR", "K4", "4", "W-E"))
    assert "lay_tile" not in arrange.names(game)
    assert arrange.refused(game, lay(game, "ADR", "J3", "55", "SW-NE")).rule == "RHL-6.2-a"
    assert arrange.refused(game, lay(game, "ADR", "K2", "930")).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-6.2.1-k")
def test_upgrade_is_the_only_lay_of_the_turn() -> None:
    game = laying(lines.board("ADR", phase="3"), "ADR")
    game.apply(lay(game, "ADR", "K2", "930"))
    assert "lay_tile" not in arrange.names(game)
    assert arrange.refused(game, lay(game, "ADR", "K4", "4", "W-E")).rule == "RHL-6.2-a"


# ---------------------------------------------------------------------- upgrades


@pytest.mark.rule("RHL-6.2.1.1-a")
@pytest.mark.parametrize(
    ("before", "tile", "early", "on_time"),
    [([], "923", "2", "3"), (["923"], "928", "4", "5"), (["923", "928"], "932", "6", "8")],
)
def test_colours_of_upgrades_come_with_the_3_the_5_and_the_8_train(
    before: list[str], tile: str, early: str, on_time: str
) -> None:
    for phase in (early, on_time):
        game = lines.board("CME", phase=phase)
        for lower in before:
            build(game, "I10", lower, "NE")
        laying(game, "CME")
        if phase == early:
            assert "I10" not in hexes(game)
            assert rule_against(game, "CME", "I10", tile, "NE") == "RHL-6.2.1.1-a"
        else:
            game.apply(lay(game, "CME", "I10", tile, "NE"))
            assert game.state.board.tiles["I10"][0] == tile


@pytest.mark.rule("RHL-6.2.1.1-a")
def test_upgrades_skip_no_colour() -> None:
    game = laying(lines.board("CME", phase="8"), "CME")
    for tile in ("928", "932"):
        assert rule_against(game, "CME", "I10", tile, "NE") == "RHL-6.2.1.1-a"
    assert {tile for tile, _ in lays(game, "I10")} == {"923", "924"}


def line_over_j9() -> Game:
    """RhE's line Köln – J9, which ends free towards K8."""
    game = lines.board("ADR", phase="3")
    arrange.cash(game, "RhE", 1000)
    build(game, "J9", "9", "NE-SW")
    return laying(game, "RhE")


@pytest.mark.rule("RHL-6.2.1.1-b")
def test_upgrade_of_plain_track_needs_a_route_to_new_track() -> None:
    game = line_over_j9()
    assert rule_against(game, "RhE", "J9", "24", "SW-NW", "SW-NE") == "RHL-6.2.1.1-b"
    assert ("24", turns(game, "24", "SW-NW", "SW-NE")[0]) not in lays(game, "J9")
    game.apply(lay(game, "RhE", "J9", "24", "NE-SE", "NE-SW"))
    assert game.state.board.tiles["J9"][0] == "24"


@pytest.mark.rule("RHL-6.2.1.1-b")
def test_upgrade_of_plain_track_is_open_from_the_other_side() -> None:
    game = line_over_j9()
    build(game, "K8", "8", "W-NE")
    token(game, "ADR", "K6")
    laying(game, "ADR")
    assert rule_against(game, "ADR", "J9", "24", "NE-SE", "NE-SW") == "RHL-6.2.1.1-b"
    game.apply(lay(game, "ADR", "J9", "24", "SW-NW", "SW-NE"))


@pytest.mark.rule("RHL-6.2.1.1-b")
def test_new_track_that_only_closes_onto_the_routes_own_junction_is_legal() -> None:
    """Ruling 99: ADR comes to the east of K8 only by K8's own way to L9, which the new track joins again."""
    game = lines.board("ADR", phase="3")
    build(game, "K8", "8", "W-SE")
    token(game, "ADR", "K6")
    laying(game, "ADR")
    assert rule_against(game, "ADR", "K8", "31", "W-SE", "E-SE") == "RHL-6.2.1.1-b"
    build(game, "K10", "5", "W", "SW")  # from L9 through Bonn up to K8
    laying(game, "ADR")
    assert ("31", turns(game, "31", "W-SE", "E-SE")[0]) in lays(game, "K8")
    game.apply(lay(game, "ADR", "K8", "31", "W-SE", "E-SE"))
    circle = "K6:a K8 L9:a K10:a K8 L9:a"
    assert lines.refused_run(lines.ready(game, "ADR", "3"), "ADR", ("3", circle)).rule == "RHL-6.1.2-b", (
        "no run over it"
    )


@pytest.mark.rule("RHL-6.2.1.1-c")
def test_city_on_an_available_route_is_upgraded_without_new_track_of_one_s_own() -> None:
    game = lines.board("CME", "BME", phase="3")
    build(game, "B13", "1", "NE-W")
    build(game, "B11", "9", "W-E")
    build(game, "B9", "57", "W-E")
    token(game, "BME", "B9")  # full of a foreign station: the end of CME's route
    laying(game, "CME")
    assert "B9" not in hexes(game)
    token(game, "CME", "A14")
    laying(game, "CME")
    assert lays(game, "B9") == {("15", turns(game, "15", "E", "SE", "SW", "W")[0])}
    game.apply(lay(game, "CME", "B9", "15", "E", "SE", "SW", "W"))


@pytest.mark.rule("RHL-6.2.1.1-b", "RHL-6.2.1.1-c")
def test_a_route_to_a_new_exit_of_a_city_is_enough_for_its_upgrade() -> None:
    """CME's track over C10 ends before Wesel, whose tile has no exit there; the green one has."""
    game = lines.board("CME", phase="3")
    build(game, "B9", "57", "W-E")
    token(game, "CME", "D9", 1)
    elsewhere = game.copy()
    build(elsewhere, "C10", "2", "SW-NE", "E-SE")
    laying(elsewhere, "CME")
    assert "B9" not in hexes(elsewhere)
    assert rule_against(elsewhere, "CME", "B9", "15", "E", "SE", "SW", "W") == "RHL-6.2.1-a"
    build(game, "C10", "1", "SW-NW", "SE-NE")
    laying(game, "CME")
    assert lays(game, "B9") == {("15", turns(game, "15", "E", "SE", "SW", "W")[0])}
    game.apply(lay(game, "CME", "B9", "15", "E", "SE", "SW", "W"))
    arrange.operating(game, "CME", "station")
    assert ("B9", 0) in lines.places(game)  # its route leads into the city now


@pytest.mark.rule("RHL-6.2.1.1-c")
def test_town_on_an_available_route_may_be_upgraded() -> None:
    game = lines.board("ADR", phase="3")
    build(game, "K4", "4", "W-E")
    laying(game, "ADR")
    game.apply(lay(game, "ADR", "K4", "141", "W", "E", "NW"))
    laying(game, "RhE")
    assert "K4" not in hexes(game)


@pytest.mark.rule("RHL-6.2.1.1-c")
def test_moers_without_track_is_built_by_a_route_that_leads_up_to_it() -> None:
    """Ruling 63."""
    game = lines.board("CME", phase="5")
    build(game, "B9", "5", "SW-W")
    build(game, "C8", "9", "NE-SW")
    token(game, "CME", "B9")
    laying(game, "CME")
    assert lays(game, "D7") == {("947", 0), ("947", 1)}  # with track to C8
    assert rule_against(game, "CME", "D7", "947", "E", "SE", "W") == "RHL-6.2.1-a"
    game.apply(lay(game, "CME", "D7", "947", "NE", "SE"))
    laying(game, "RhE")
    assert "D7" not in hexes(game)


@pytest.mark.rule("RHL-6.2.1.1-d")
def test_upgrade_keeps_all_track() -> None:
    game = line_over_j9()
    assert rule_against(game, "RhE", "J9", "25", "NE-SE", "NE-W") == "RHL-6.2.1.1-d"
    assert rule_against(game, "RhE", "J9", "23", "NW-SE", "NW-SW") == "RHL-6.2.1.1-d"


@pytest.mark.rule("RHL-6.2.1.1-d")
def test_upgrade_keeps_all_exits_of_a_city() -> None:
    game = lines.board("CCE", phase="3")
    build(game, "E6", "202", "SW-NW")
    laying(game, "CCE")
    keeping = {rotation for rotation in range(6) if rotation in turns(game, "934", "SW", "NW")}
    assert lays(game, "E6") == {("934", rotation) for rotation in keeping}
    for rotation in set(range(6)) - keeping:
        assert arrange.refused(game, mv.LayTile("cy", "CCE", "E6", "934", rotation)).rule == "RHL-6.2.1.1-d"


@pytest.mark.rule("RHL-6.2.1.1-d")
def test_printed_track_of_remscheid_is_kept() -> None:
    game = lines.board("BME")
    build(game, "G14", "7", "NW-W")
    laying(game, "BME")
    assert lays(game, "G12") == {("937", 1), ("937", 3)}  # both with track to the east
    assert rule_against(game, "BME", "G12", "937", "NE", "W") == "RHL-6.2.1.1-d"


@pytest.mark.rule("RHL-6.2.1.1-e")
def test_tile_that_is_not_in_the_supply_cannot_be_laid_until_it_comes_back() -> None:
    game = lines.board("CME", phase="3")
    arrange.cash(game, "RhE", 1000)
    build(game, "J9", "8", "NE-SE")
    build(game, "B9", "57", "W-E")
    token(game, "CME", "B9")
    laying(game, "RhE")
    assert rule_against(game, "RhE", "K10", "57", "NW-SE") == "RHL-6.2.1.1-e"
    assert "57" not in {tile for tile, _ in lays(game, "K10")}
    laying(game, "CME")
    events = game.apply(lay(game, "CME", "B9", "15", "E", "SE", "SW", "W"))
    assert ev.TileLaid("CME", "B9", "15", turns(game, "15", "E", "SE", "SW", "W")[0], "57", 0, "") in events
    assert game.state.board.supply["57"] == 1
    assert game.state.board.supply["15"] == 2
    laying(game, "RhE")
    game.apply(lay(game, "RhE", "K10", "57", "NW-SE"))
    assert game.state.board.supply["57"] == 0


# ---------------------------------------------------------------------- the Rhine

#: The borders along which the Rhine runs, from the Dutch to the southern end of the map.
RHINE = [
    ("A6", "B5"), ("B5", "B7"), ("B7", "C6"), ("B7", "C8"), ("C8", "C10"), ("E8", "E10"), ("G8", "G10"),
    ("H9", "G10"), ("H9", "H11"), ("J9", "J11"), ("K10", "J11"), ("K10", "K12"), ("L11", "K12"),
]  # fmt: skip


def rules_against(game: Game, company: str, at: str, towards: str) -> list[str]:
    """For every yellow tile with track from a hex towards a neighbour: the clause that forbids it."""
    layout = game.definition.map.layout
    edge = next(edge for edge in range(6) if layout.neighbour(at, edge) == towards)
    result = []
    for tile in game.definition.tiles.values():
        for rotation in tile.turns:
            if tile.colour == "yellow" and tile.faces[rotation].exits & 1 << edge:
                try:
                    game.check(mv.LayTile("cy", company, at, tile.id, rotation))
                    result.append("")
                except Refused as refusal:
                    result.append(refusal.rule)
    return result


@pytest.mark.rule("RHL-6.2.1.2-a", "RHL-6.2.1-f")
@pytest.mark.parametrize(("one", "other"), RHINE)
def test_no_tile_crosses_the_rhine_between_two_hexes(one: str, other: str) -> None:
    game = laying(lines.board("ADR"), "ADR")
    plain = {at for at in (one, other) if game.definition.map.hexes[at].face.colour == "plain"}
    assert plain
    for at, towards in ((one, other), (other, one)):
        if at in plain:
            against = rules_against(game, "ADR", at, towards)
            assert "" not in against
            assert "RHL-6.2.1-f" in against
            assert set(against) <= {"RHL-6.2.1-c", "RHL-6.2.1-d", "RHL-6.2.1-e", "RHL-6.2.1-f"}


@pytest.mark.rule("RHL-6.2.1.2-a")
def test_rhine_is_crossed_between_c8_and_wesel() -> None:
    game = lines.board("CME")
    build(game, "B9", "5", "SW-W")
    token(game, "CME", "B9")
    laying(game, "CME")
    game.apply(lay(game, "CME", "C8", "8", "NE-W"))
    laying(game, "CME")
    assert "C6" in hexes(game)  # on the left bank
    assert game.state.cash["CME"] == 970


@pytest.mark.rule("RHL-6.2.1.2-a")
@pytest.mark.parametrize(
    ("at", "tile", "right", "left"),
    [("F9", "921", "DEE", "G8"), ("D9", "926", "BME", "E8"), ("I10", "923", "CME", "H9")],
)
def test_rhine_is_crossed_at_the_metropolises_once_they_are_green(at: str, tile: str, right: str, left: str) -> None:
    game = lines.board(right, phase="3")
    if not game.board.has_station(right, at):
        token(game, right, at, 1)
    laying(game, right)
    assert left not in hexes(game)
    game.apply(lay(game, right, at, tile))
    laying(game, right)
    assert left in hexes(game)


@pytest.mark.rule("RHL-6.2.1.2-b", "RHL-6.2.1-h")
@pytest.mark.parametrize(
    ("at", "company", "tiles"),
    [
        ("F9", "DEE", ["921", "927", "932"]),
        ("D9", "BME", ["925", "929", "932"]),
        ("I10", "CME", ["924", "928", "932"]),
    ],
)
def test_every_step_on_a_metropolis_costs(at: str, company: str, tiles: list[str]) -> None:
    game = lines.board(company, phase="8")
    if not game.board.has_station(company, at):
        token(game, company, at, 1)
    treasury = 1000
    for tile, cost in zip(tiles, (30, 50, 50), strict=True):
        laying(game, company)
        game.apply(mv.LayTile("cy", company, at, *min(fit for fit in lays(game, at) if fit[0] == tile)))
        treasury -= cost
        assert game.state.cash[company] == treasury


@pytest.mark.rule("RHL-6.2.1.2-b")
def test_train_ferry_waives_the_first_cost_only() -> None:
    game = arrange.after_package()
    arrange.floated(game, "BME", "bo")
    arrange.phase(game, "3")
    laying(game, "BME")
    game.apply(mv.LayTile("bo", "BME", "D9", "925", 0, "TF"))
    assert game.state.cash["BME"] == 1000
    game.apply(mv.PlaceStation("bo", "BME", "D9", 0, "TF"))
    arrange.phase(game, "5")
    laying(game, "BME")
    game.apply(mv.LayTile("bo", "BME", "D9", *min(lays(game, "D9"))))
    assert game.state.cash["BME"] == 1000 - 60 - 50


@pytest.mark.rule("RHL-6.2.1.2-c")
def test_first_tile_on_c8_uses_the_printed_track_to_wesel() -> None:
    game = lines.board("MKB", phase="5")
    build(game, "D7", "947", "NE", "NW")
    laying(game, "MKB")
    for ways in (["SW-W"], ["SE-SW"]):
        assert rule_against(game, "MKB", "C8", "7", *ways) == "RHL-6.2.1.2-c"
    assert lays(game, "C8") == {("9", 0)}
    game.apply(lay(game, "MKB", "C8", "9", "NE-SW"))


@pytest.mark.rule("RHL-6.2.1.2-d")
@pytest.mark.parametrize(
    ("at", "company", "left", "right", "tiles"),
    [
        ("I10", "CME", 2, 1, {"923", "924"}),
        ("F9", "DEE", 1, 2, {"921", "922"}),
        ("D9", "BME", 1, 2, {"925", "926"}),
    ],
)
def test_green_metropolis_keeps_the_spaces_of_each_bank(
    at: str, company: str, left: int, right: int, tiles: set[str]
) -> None:
    game = lines.board(company, phase="3")
    if not game.board.has_station(company, at):
        token(game, company, at, 1)
    laying(game, company)
    assert lays(game, at) == {(tile, 0) for tile in tiles}
    for tile in sorted(tiles):
        for rotation in range(1, 6):
            move = mv.LayTile("cy", company, at, tile, rotation)
            assert arrange.refused(game, move).rule == "RHL-6.2.1.2-d"
        copy = game.copy()
        copy.apply(mv.LayTile("cy", company, at, tile, 0))
        assert [len(copy.board.spaces(at, stop)) for stop in (0, 1)] == [left, right]


@pytest.mark.rule("RHL-6.2.1.2-d")
def test_brown_metropolis_may_be_turned() -> None:
    game = lines.board("DEE", phase="5")
    build(game, "F9", "921")
    laying(game, "DEE")
    assert lays(game, "F9") == {("927", 0), ("927", 1)}
    game.apply(mv.LayTile("cy", "DEE", "F9", "927", 1))


@pytest.mark.rule("RHL-6.2.1.2-e")
def test_stations_keep_their_bank_in_green_and_share_one_city_in_brown() -> None:
    game = laying(lines.board("CME", phase="5"), "CME")
    game.apply(lay(game, "CME", "I10", "923"))
    assert game.state.board.stations["I10"] == [["RhE", "CCE"], ["CME"]]
    laying(game, "CME")
    game.apply(lay(game, "CME", "I10", "928", "NE"))
    assert game.state.board.stations["I10"] == [["RhE", "CCE", "CME"]]


@pytest.mark.rule("RHL-6.2.1.2-e")
def test_both_right_bank_stations_of_düsseldorf_stay_on_the_right_bank() -> None:
    game = lines.board("DEE", "BME", "ADR", phase="3")
    token(game, "BME", "F9", 2)
    token(game, "ADR", "F9", 0)
    laying(game, "DEE")
    game.apply(lay(game, "DEE", "F9", "922"))
    assert game.state.board.stations["F9"] == [["ADR"], ["DEE", "BME"]]
