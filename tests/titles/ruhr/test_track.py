"""Track, links of railways, stations (ledger sections 10.1 to 10.4)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from engine.remembered import Placed
from engine.state import BANK
from tests.titles.ruhr import arrange as a
from titles.ruhr.locations import MakeLink, value
from titles.ruhr.remembered import Locations


def turn(company: str = "EH", step: str = "track", phase: str = "2", treasury: int = 1000) -> Game:
    """It is the turn of a railway of ann."""
    game = a.second_stock_round()
    a.floated(game, company, "ann", treasury=treasury)
    if phase != "2":
        a.phase(game, phase)
    a.operating(game, company, step)
    return game


def lay(game: Game, at: str, tile: str, *sides: str) -> mv.LayTile:
    return mv.LayTile("ann", game.state.round.actor, at, tile, a.turned(game, tile, *sides))


def tiles_for(game: Game, at: str) -> set[str]:
    """The tiles that fit on a hex by colour, kind and shape, whoever lays them."""
    return {fit.tile for fit in game.rules.tiling.fits(at, game.board.cover(at))}


@pytest.mark.rule("RUHR-10.1.1-a")
@pytest.mark.parametrize("at", ["A6", "D13", "B1"])
def test_nothing_on_grey_and_red_hexes(at: str) -> None:
    game = turn(phase="8")
    for tile in ("9", "4", "57", "14"):
        assert a.refused(game, mv.LayTile("ann", "EH", at, tile, 0)).rule == "RUHR-10.1.1-a"
    assert tiles_for(game, at) == set()


@pytest.mark.rule("RUHR-10.1.1-b", "RUHR-7.3-b", "RUHR-11-2")
def test_one_or_two_yellow_tiles() -> None:
    game = turn()
    assert a.refused(game, mv.LayTile("ann", "EH", "J7", "EG1", 0)).rule == "RUHR-10.1.1-b"
    game.apply(lay(game, "K6", "9", "NE", "SW"))
    assert game.state.round.step == "track"
    game.apply(lay(game, "L5", "719", "NE", "SW"))
    assert game.state.round.step != "track"
    game = turn()
    game.apply(lay(game, "K6", "9", "NE", "SW"))
    game.apply(mv.Pass("ann"))  # one alone
    assert game.state.round.step != "track"


@pytest.mark.rule("RUHR-7.3-b", "RUHR-10.2.1-c")
def test_an_upgrade_and_a_yellow_tile_in_either_order() -> None:
    game = turn(phase="3")
    upgrade = mv.LayTile("ann", "EH", "J7", "EG1", a.offered(game, "lay_tile", hex="J7", tile="EG1")[0])
    twin = game.copy()
    game.apply(upgrade)
    assert all(
        game.definition.tiles[t].colour == "yellow"
        for at in a.offered(game, "lay_tile")
        for t in a.offered(game, "lay_tile", hex=at)
    )
    game.apply(lay(game, "K6", "9", "NE", "SW"))
    assert game.state.round.step != "track"
    twin.apply(lay(twin, "K6", "9", "NE", "SW"))
    twin.apply(upgrade)
    assert twin.state.round.step != "track"
    # Two upgrades are too many.
    third = turn(phase="3")
    a.put(third, "K6", "9", "NE", "SW")
    a.operating(third, "EH")
    third.apply(upgrade)
    assert a.refused(third, lay(third, "K6", "24", "NE", "SW", "S")).rule == "RUHR-7.3-b"


@pytest.mark.rule("RUHR-10.1.1-c")
def test_new_track_continues_a_route() -> None:
    game = turn()
    assert a.refused(game, lay(game, "L5", "719", "NE", "SW")).rule == "RUHR-10.1.1-c"
    # Behind a city full of foreign stations.
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    assert "M4" in a.offered(game, "lay_tile")
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
        a.station(game, company, "L5")
    a.operating(game, "EH")
    assert "M4" not in a.offered(game, "lay_tile")
    assert a.refused(game, lay(game, "M4", "9", "NE", "SW")).rule == "RUHR-10.1.1-c"


@pytest.mark.rule("RUHR-10.1.1-d")
@pytest.mark.parametrize(("at", "tile"), [("K8", "57"), ("H13", "719"), ("J7", "719"), ("Q10", "4")])
def test_no_yellow_tile_on_a_printed_yellow_hex(at: str, tile: str) -> None:
    game = turn()
    assert a.refused(game, mv.LayTile("ann", "EH", at, tile, 0)).rule == "RUHR-10.1.1-d"


@pytest.mark.rule("RUHR-10.1.1-e")
def test_the_first_tile_of_a_red_home_joins_it() -> None:
    game = turn("CME")
    assert set(a.offered(game, "lay_tile")) == {"O4", "P5"}
    assert a.refused(game, lay(game, "O4", "9", "SE", "NW")).rule == "RUHR-10.1.1-c"
    game.apply(lay(game, "O4", "9", "N", "S"))


@pytest.mark.rule("RUHR-10.1.1-f", "RUHR-10.5-n", "RUHR-10.5-q")
def test_a_home_without_a_marker_blocks_nothing() -> None:
    game = turn()
    a.floated(game, "PWB", "bo")
    a.put(game, "K6", "9", "NE", "SW")
    assert game.company("PWB").active
    game.company("PWB").active = False
    a.take_offer(game)
    assert game.board.open_for("EH", "K8", 0)
    game.company("PWB").active = True
    assert not game.board.open_for("EH", "K8", 0)
    # Essen: one foreign station and the place of EH.
    game.company("EH").active = False
    a.floated(game, "CME", "bo")
    a.station(game, "CME", "J7")
    assert game.board.open_for("RhE", "J7", 0)
    game.company("EH").active = True
    assert not game.board.open_for("RhE", "J7", 0)


@pytest.mark.rule("RUHR-10.1.1-g", "RUHR-10.1.1-h")
def test_terrain_is_paid_once_by_the_treasury() -> None:
    # BME's track leads over Barmen to Schwelm (R11, 30) and to P9 (40).
    poor = turn("BME", treasury=29)
    assert "lay_tile" not in a.names(poor)
    assert a.refused(poor, lay(poor, "R11", "58", "NW", "NE")).rule == "RUHR-10.1.1-g"
    assert poor.state.cash["ann"] > 30  # the director adds nothing
    game = turn("BME", treasury=30)
    assert a.offered(game, "lay_tile") == ["O8", "R11"]
    game.apply(lay(game, "R11", "58", "NW", "NE"))
    assert game.state.cash["BME"] == 0
    # An upgrade there costs nothing.
    a.phase(game, "3")
    a.operating(game, "BME")
    assert "R11" in a.offered(game, "lay_tile")


@pytest.mark.rule("RUHR-10.1.1-i", "RUHR-10.1.1-j")
def test_no_track_into_blank_sides_or_off_the_map() -> None:
    game = turn(phase="3")
    assert a.refused(game, lay(game, "C6", "9", "N", "S")).rule == "RUHR-10.1.1-i"  # A6 is blank in the south
    assert a.refused(game, lay(game, "B9", "9", "N", "S")).rule == "RUHR-10.1.1-i"
    a.put(game, "C6", "8", "NE", "S")
    assert a.refused(game, lay(game, "C6", "23", "NE", "S", "N")).rule == "RUHR-10.1.1-i"  # nor in an upgrade
    # Into Krefeld where it has a triangle, and only there.
    assert "57" in tiles_for(game, "L1")
    fits = game.rules.tiling.fits("L1", None)
    edges = game.definition.map.layout.edges
    assert any(fit.exits >> edges.index("S") & 1 for fit in fits)
    krefeld = game.definition.map.hexes["N1"].face
    assert not krefeld.exits >> edges.index("S") & 1


@pytest.mark.rule("RUHR-10.1.1-k")
def test_a_tile_need_not_meet_every_neighbours_track() -> None:
    game = turn()
    a.put(game, "M6", "9", "NE", "SW")  # south of K6, without track towards it
    game.apply(lay(game, "K6", "8", "NE", "S"))
    assert game.state.board.tiles["K6"] == ("8", a.turned(game, "8", "NE", "S"))


@pytest.mark.rule("RUHR-10.1.2-a", "RUHR-10.1.2-b", "RUHR-10.1.2-c", "RUHR-10.1.2-d", "RUHR-10.1.3-b", "RUHR-10.1.3-c")
@pytest.mark.parametrize(
    ("at", "tiles"),
    [
        ("K6", {"7", "8", "9"}),
        ("C8", {"3", "4", "58"}),
        ("F7", {"1", "2", "55", "56", "69"}),
        ("G10", {"5", "6", "57"}),
        ("J13", {"882", "883", "884"}),
        ("I10", {"718", "719"}),
        ("J3", {"718", "719", "720"}),
    ],
)
def test_which_yellow_tiles_a_hex_takes(at: str, tiles: set[str]) -> None:
    game = turn()
    assert tiles_for(game, at) == tiles
    montan = at in Locations.of(game).locations
    for tile in {"4", "9", "57", "55", "719", "883"} - tiles:
        by_logo = montan or tile in ("719", "883")
        clause = "RUHR-10.1.3-d" if by_logo else "RUHR-10.1.2-a"
        assert a.refused(game, mv.LayTile("ann", "EH", at, tile, 0)).rule == clause


@pytest.mark.rule("RUHR-10.1.3-a")
def test_the_location_marker_stays_through_all_colours() -> None:
    game = turn(phase="5")
    a.link(game, 6)
    a.put(game, "I10", "719", "NW", "SE")
    assert value(game, "I10") == 10
    for colour in ("MG1", "MB1"):
        fit = next(fit for fit in game.rules.tiling.fits("I10", game.board.cover("I10")) if fit.tile == colour)
        a.lay(game, "I10", colour, fit.rotation)
        assert value(game, "I10") == 10


@pytest.mark.rule("RUHR-10.1.3-c")
def test_montan_cities_have_two_places_and_the_marker_blocks_nothing() -> None:
    game = turn()
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.floated(game, "CME", "bo")
    a.station(game, "CME", "L5")
    assert game.board.open_for("EH", "L5", 0)
    assert game.board.spaces("L5", 0) == ["CME", ""]


@pytest.mark.rule("RUHR-10.1.3-d", "RUHR-10.2.1-j")
def test_montan_tiles_lie_only_on_montan_hexes() -> None:
    game = turn(phase="5")
    assert a.refused(game, mv.LayTile("ann", "EH", "G10", "719", 0)).rule == "RUHR-10.1.3-d"
    a.put(game, "G10", "57", "N", "S")
    assert a.refused(game, mv.LayTile("ann", "EH", "G10", "MG1", 0)).rule == "RUHR-10.1.3-d"
    a.put(game, "I10", "719", "N", "S")
    assert a.refused(game, mv.LayTile("ann", "EH", "I10", "15", 0)).rule == "RUHR-10.1.3-d"
    assert tiles_for(game, "I10") == {"MG1", "MG2", "MG3"}


# ---------------------------------------------------------------------- upgrades


@pytest.mark.rule("RUHR-10.2.1-b")
def test_a_new_tile_is_not_upgraded_in_the_same_turn() -> None:
    game = turn(phase="3")
    game.apply(lay(game, "K6", "9", "NE", "SW"))
    green = lay(game, "K6", "24", "NE", "SW", "S")
    assert a.refused(game, green).rule == "RUHR-10.2.1-b"
    a.operating(game, "EH")  # its next turn
    game.apply(green)


@pytest.mark.rule("RUHR-10.2.1-c", "RUHR-10.2.1-d", "RUHR-10.2.1-e", "RUHR-11-3", "RUHR-11-5-a", "RUHR-11-8-a")
@pytest.mark.parametrize(
    ("phase", "colours"),
    [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 4)],
)
def test_colours_by_phase(phase: str, colours: int) -> None:
    chain = ["EG1", "EB1", "EX1"]
    game = turn(phase=phase)
    for number, tile in enumerate(chain, 2):
        a.operating(game, "EH")
        fit = next(fit for fit in game.rules.tiling.fits("J7", game.board.cover("J7")) if fit.tile == tile)
        move = mv.LayTile("ann", "EH", "J7", tile, fit.rotation)
        if number <= colours:
            game.apply(move)
        else:
            assert a.refused(game, move).rule == "RUHR-10.1.1-b"
            break


@pytest.mark.rule("RUHR-10.2.1-f")
def test_an_upgrade_must_be_reached_and_nothing_more() -> None:
    game = turn(phase="3")
    a.put(game, "M4", "9", "NE", "SW")
    assert "M4" not in a.offered(game, "lay_tile")
    # Reached by its new track only.
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "N", "S")
    a.operating(game, "EH")
    fits = list(game.rules.tiling.fits("L5", game.board.cover("L5")))
    edges = game.definition.map.layout.edges
    north_east = [fit for fit in fits if fit.exits >> edges.index("NE") & 1]
    assert {(fit.tile, fit.rotation) for fit in north_east} == {
        (tile, rotation)
        for tile in a.offered(game, "lay_tile", hex="L5")
        for rotation in a.offered(game, "lay_tile", hex="L5", tile=tile)
    }
    # It need not bring the company anything: Mülheim is full, and the new track leads on behind it.
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
        a.station(game, company, "L5")
    a.operating(game, "EH")
    game.apply(mv.LayTile("ann", "EH", "L5", north_east[0].tile, north_east[0].rotation))
    # Nor need its train ever get to the new track: a second straight that crosses the first.
    game = turn(phase="3")
    a.put(game, "K6", "9", "NE", "SW")
    a.operating(game, "EH")
    assert "20" in a.offered(game, "lay_tile", hex="K6")


@pytest.mark.rule("RUHR-10.2.1-g", "RUHR-10.2.1-h", "RUHR-10.2.1-i")
def test_track_is_kept_and_kinds_stay() -> None:
    game = turn(phase="3")
    a.put(game, "K6", "8", "NE", "S")
    a.operating(game, "EH")
    edges = game.definition.map.layout.edges
    kept = {edges.index("NE"), edges.index("S")}
    for fit in game.rules.tiling.fits("K6", game.board.cover("K6")):
        assert any(set(piece) == kept for piece in fit.face.track)
        assert not fit.face.stops
    assert a.refused(game, mv.LayTile("ann", "EH", "K6", "24", wrong_turn(game))).rule == "RUHR-10.2.1-g"
    assert a.refused(game, mv.LayTile("ann", "EH", "K6", "141", 0)).rule == "RUHR-10.1.2-a"
    a.put(game, "D7", "4", "N", "S")
    assert a.refused(game, mv.LayTile("ann", "EH", "D7", "15", 0)).rule == "RUHR-10.1.2-a"
    a.put(game, "G10", "57", "N", "S")
    assert a.refused(game, mv.LayTile("ann", "EH", "G10", "141", 0)).rule == "RUHR-10.1.2-a"
    # Both towns of a double town become one.
    a.put(game, "F7", "55", "N", "S", "NE", "SW")
    assert tiles_for(game, "F7") <= {"87", "88", "204"}
    assert tiles_for(game, "F7")


def wrong_turn(game: Game) -> int:
    """A rotation of 24 that loses the curve on K6."""
    edges = game.definition.map.layout.edges
    kept = tuple(sorted((edges.index("NE"), edges.index("S"))))
    faces = game.definition.tiles["24"].faces
    return next(
        r
        for r in range(6)
        if kept not in faces[r].track_set and not faces[r].exits & ~game.rules.tiling.allowed_exits["K6"]
    )


@pytest.mark.rule("RUHR-10.2.1-k")
def test_a_new_space_opens_a_city() -> None:
    game = turn(phase="3")
    a.put(game, "G10", "57", "N", "S")
    assert game.board.spaces("G10", 0) == [""]
    a.floated(game, "CME", "bo")
    a.station(game, "CME", "G10")
    assert not game.board.open_for("EH", "G10", 0)
    fit = next(fit for fit in game.rules.tiling.fits("G10", game.board.cover("G10")) if fit.tile in ("14", "15", "619"))
    a.lay(game, "G10", fit.tile, fit.rotation)
    assert game.board.open_for("EH", "G10", 0)


@pytest.mark.rule("RUHR-10.2.1-l")
def test_replaced_tiles_go_back() -> None:
    game = turn(phase="3")
    a.put(game, "K6", "9", "NE", "SW")
    game.state.board.supply["9"] = 0
    a.operating(game, "EH")
    assert all("9" not in a.offered(game, "lay_tile", hex=at) for at in a.offered(game, "lay_tile"))
    tile = a.offered(game, "lay_tile", hex="K6")[0]
    game.apply(mv.LayTile("ann", "EH", "K6", tile, a.offered(game, "lay_tile", hex="K6", tile=tile)[0]))
    assert game.state.board.supply["9"] == 1


@pytest.mark.rule("RUHR-10.2.2-a")
def test_tile_913_lies_on_steele_in_one_way() -> None:
    game = turn("PWB", phase="3")
    assert a.offered(game, "lay_tile", hex="K8") == ["913"]
    assert a.offered(game, "lay_tile", hex="K8", tile="913") == [0]
    assert a.refused(game, mv.LayTile("ann", "PWB", "K8", "913", 1)).rule == "RUHR-10.2.2-a"
    a.put(game, "G10", "57", "N", "S")
    assert a.refused(game, mv.LayTile("ann", "PWB", "G10", "913", 0)).rule == "RUHR-10.1.3-d"


@pytest.mark.rule("RUHR-10.2.2-b")
def test_letters_bind_tile_and_hex() -> None:
    game = turn(phase="3")
    assert tiles_for(game, "J7") == {"EG1"}
    assert tiles_for(game, "H13") == {"DG1"}
    assert a.refused(game, mv.LayTile("ann", "EH", "J7", "DG1", 0)).rule == "RUHR-10.1.3-d"
    assert a.refused(game, mv.LayTile("ann", "EH", "J7", "MG1", 0)).rule == "RUHR-10.1.3-d"


@pytest.mark.rule("RUHR-10.2.2-c")
def test_tile_720_lies_on_ruhrort_only() -> None:
    game = turn()
    assert "720" in tiles_for(game, "J3")
    for at in ("L3", "I10"):
        assert a.refused(game, mv.LayTile("ann", "EH", at, "720", 0)).rule == "RUHR-10.2.2-b"


@pytest.mark.rule("RUHR-10.2.2-d", "RUHR-10.2.2-e", "RUHR-10.2.2-f", "RUHR-10.2.2-g")
def test_tile_716_makes_a_city_of_a_montan_town() -> None:
    game = turn(phase="8")
    a.put(game, "D7", "4", "N", "S")
    fit = game.rules.tiling.fits("D7", game.board.cover("D7"))[0]
    a.lay(game, "D7", fit.tile, fit.rotation)
    assert tiles_for(game, "D7") == set()  # a green town is the end
    # A Montan town (no. 7) north of Essen.
    a.lay(game, "J7", "EG1", 0)
    a.put(game, "H7", "884", "N", "S")
    green = game.rules.tiling.fits("H7", game.board.cover("H7"))[0]
    a.lay(game, "H7", green.tile, green.rotation)
    assert tiles_for(game, "H7") == {"716"}
    brown = game.rules.tiling.fits("H7", game.board.cover("H7"))[0]
    move = mv.LayTile("ann", "EH", "H7", "716", brown.rotation)
    a.link(game, 7)
    a.operating(game, "EH")
    assert a.refused(game, move).rule == "RUHR-10.2.2-e"  # a small company's marker
    Locations.of(game).locations["H7"].become("merged", "RB")
    assert a.refused(game, move).rule == "RUHR-10.2.2-e"
    a.montan(game, "RB", "ann", 7)
    a.operating(game, "EH")
    game.apply(move)
    assert game.board.spaces("H7", 0) == [""]  # the location marker stays outside
    assert game.board.faces["H7"].stops[0].kind == "city"
    a.operating(game, "EH", "station")
    game.apply(mv.PlaceStation("ann", "EH", "H7", 0))
    assert tiles_for(game, "H7") == set()


@pytest.mark.rule("RUHR-10.2.2-h", "RUHR-10.5-g")
def test_in_a_brown_city_the_location_marker_takes_a_space() -> None:
    game = turn(phase="5")
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
    a.station(game, "CME", "L5")
    fit = next(fit for fit in game.rules.tiling.fits("L5", game.board.cover("L5")))
    a.lay(game, "L5", fit.tile, fit.rotation)
    a.operating(game, "EH")
    fit = next(fit for fit in game.rules.tiling.fits("L5", game.board.cover("L5")) if fit.tile == "MB1")
    game.apply(mv.LayTile("ann", "EH", "L5", "MB1", fit.rotation))
    assert sorted(game.board.spaces("L5", 0)) == ["", "CME", "marker"]
    assert game.board.open_for("EH", "L5", 0)
    a.station(game, "RhE", "L5")
    assert not game.board.open_for("EH", "L5", 0)
    assert game.board.open_for("RhE", "L5", 0)


# ---------------------------------------------------------------------- links of railways


def near_kamen(treasury: int = 100) -> Game:
    """KWE of ann with track to Kamen (no. 17) and on to Unna's neighbour."""
    game = turn("KWE", treasury=treasury)
    a.put(game, "C16", "9", "NE", "SW")
    a.put(game, "D15", "884", "NE", "SW")
    a.operating(game, "KWE")
    return game


@pytest.mark.rule("RUHR-10.3-a", "RUHR-9.2-h")
def test_a_railway_links_one_location_for_30() -> None:
    game = near_kamen(30)
    bank = game.state.cash[BANK]
    game.apply(MakeLink("ann", "KWE", "D15"))
    assert (game.state.cash["KWE"], game.state.cash[BANK], value(game, "D15")) == (0, bank + 30, 10)
    assert a.refused(game, MakeLink("ann", "KWE", "D15")).rule == "RUHR-9.2-b"
    a.cash(game, "KWE", 100)
    a.link(game, 17, linked=False)  # one more that could be linked
    refusal = a.refused(game, MakeLink("ann", "KWE", "D15"))
    assert (refusal.key, refusal.rule) == ("link.one", "RUHR-10.3-a")
    refusal = a.refused(near_kamen(29), MakeLink("ann", "KWE", "D15"))
    assert (refusal.key, refusal.rule) == ("link.money", "RUHR-10.3-a")
    # Somebody else's company, without their consent; a merged one too; at any time of the turn.
    for state in ("active", "merged"):
        other = near_kamen()
        a.mine(other, 17, "bo")
        Locations.of(other).locations["D15"].state = state
        a.operating(other, "KWE", "trains")
        other.apply(MakeLink("ann", "KWE", "D15"))
        assert value(other, "D15") == 10


@pytest.mark.rule("RUHR-10.3-b")
def test_a_railways_link_needs_its_own_route() -> None:
    game = near_kamen()
    a.floated(game, "CME", "ann")
    a.operating(game, "CME")
    assert a.refused(game, MakeLink("ann", "CME", "D15")).rule == "RUHR-10.3-b"
    # Blocked on the way, but a full city may be the end of the way.
    game = turn("EH")
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.put(game, "M4", "8", "NE", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
        a.station(game, company, "L5")
    a.operating(game, "EH")
    assert a.refused(game, MakeLink("ann", "EH", "L3")).rule == "RUHR-10.3-b"
    game.apply(MakeLink("ann", "EH", "L5"))


@pytest.mark.rule("RUHR-10.3-e")
def test_a_tramways_link_comes_on_top() -> None:
    game = near_kamen()
    a.private(game, "SPF", "ann")
    a.put(game, "E14", "9", "NE", "SW")
    a.put(game, "F13", "8", "NE", "S")
    a.lay(game, "H13", "DG1", next(f.rotation for f in game.rules.tiling.fits("H13", None) if f.exits & 1))
    a.operating(game, "KWE")
    one, other = MakeLink("ann", "KWE", "D15"), MakeLink("ann", "KWE", "H13", "SPF")
    for first, second in ((one, other), (other, one)):
        twin = game.copy()
        cash = twin.state.cash["KWE"]
        a.walk(twin, first, second)
        assert twin.state.cash["KWE"] == cash - 30
        assert (value(twin, "D15"), value(twin, "H13")) == (10, 10)


# ---------------------------------------------------------------------- stations


@pytest.mark.rule("RUHR-10.4-a", "RUHR-10.4-h")
def test_the_home_marker_and_one_more() -> None:
    game = a.second_stock_round()
    a.floated(game, "EH", "ann", treasury=1000, operated=False)
    game.company("EH").active = False
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.put(game, "M4", "8", "NE", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    a.operating(game, "EH", "station")
    assert game.board.stations_of("EH") == [("J7", 0)]
    assert game.state.cash["EH"] == 1000
    game.apply(mv.PlaceStation("ann", "EH", "L5", 0))
    assert game.state.cash["EH"] == 940
    a.operating(game, "EH", "station")
    Placed.of(game).station = True
    a.take_offer(game)
    assert a.refused(game, mv.PlaceStation("ann", "EH", "L3", 0)).rule == "RUHR-10.4-h"


@pytest.mark.rule("RUHR-10.4-b")
def test_stations_on_circles_only() -> None:
    game = turn("KWE")
    a.put(game, "C16", "9", "NE", "SW")
    a.put(game, "D15", "884", "NE", "SW")
    a.operating(game, "KWE", "station")
    assert a.refused(game, mv.PlaceStation("ann", "KWE", "D15", 0)).rule == "RUHR-10.4-b"


@pytest.mark.rule("RUHR-10.4-f")
def test_a_station_on_a_red_field_blocks_nothing() -> None:
    game = turn("CME")
    a.floated(game, "BME", "bo")
    assert not game.board.barred_for("CME", "R9", 0)
    assert game.board.stations_of("BME") == [("R9", 0)]
    a.operating(game, "CME", "station")
    assert a.refused(game, mv.PlaceStation("ann", "CME", "R9", 0)).rule == "RUHR-10.4-b"


@pytest.mark.rule("RUHR-10.4-g")
@pytest.mark.parametrize(("company", "costs"), [("BME", [60, 80, 100, 100]), ("DGEE", [60]), ("KWE", [60, 80])])
def test_prices_of_stations(company: str, costs: list[int]) -> None:
    game = a.second_stock_round()
    a.floated(game, company, "ann", treasury=59)
    assert game.company(company).tokens_left == costs
    game = turn("EH", treasury=59)
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.operating(game, "EH", "station")
    assert a.refused(game, mv.PlaceStation("ann", "EH", "L5", 0)).rule == "RUHR-10.4-g"
    a.cash(game, "EH", 1000)
    game.company("EH").tokens_left.clear()
    a.operating(game, "EH", "station")
    assert a.refused(game, mv.PlaceStation("ann", "EH", "L5", 0)).rule == "RUHR-10.4-g"


@pytest.mark.rule("RUHR-10.4-i", "RUHR-10.4-j")
def test_one_station_a_hex_and_a_route_to_it() -> None:
    game = turn("EH")
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.put(game, "M4", "8", "NE", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    a.operating(game, "EH", "station")
    assert a.refused(game, mv.PlaceStation("ann", "EH", "J7", 0)).rule == "RUHR-10.4-i"
    assert a.refused(game, mv.PlaceStation("ann", "EH", "H13", 0)).rule == "RUHR-10.4-j"
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
        a.station(game, company, "L5")
    a.operating(game, "EH", "station")
    assert a.refused(game, mv.PlaceStation("ann", "EH", "L3", 0)).rule == "RUHR-10.4-j"


@pytest.mark.rule("RUHR-10.4-k")
def test_an_unplaced_home_keeps_its_space() -> None:
    game = a.second_stock_round()
    assert game.board.free_space("J7", 0, "CME")
    game.board.place_station("CME", "J7", 0)
    assert not game.board.free_space("J7", 0, "RhE")
    assert not game.board.free_space("K8", 0, "CME")
