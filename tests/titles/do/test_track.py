"""Laying track: what may lie where, and what it must join (ledger 3.2.2, 3.2.2.1, 4.5.1, 4.5.2)."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.moves import LayTile
from engine.state import BANK
from tests.titles.do import arrange as a
from titles.do.board.links import LinkTokens


def lay(game: Game, at: str, tile: str, *sides: str) -> LayTile:
    return LayTile("ann", game.state.round.actor, at, tile, a.turned(game, tile, *sides))


def crossing(game: Game) -> None:
    """From the yard E14 track leads over D17, around by D19, C18 and C16, and across D17 once more to F17."""
    a.put(game, "D15", "8", "SW", "E")
    a.lay(game, "D17", "20", 1)  # W to E and NW to SE
    a.put(game, "D19", "1903", "W", "NW")
    a.put(game, "C18", "1905", "SE", "W")
    a.put(game, "C16", "1903", "E", "SE")
    a.put(game, "E18", "8", "NW", "SW")


# ---------------------------------------------------------------------- 2.5, 3.2.2.1 what may lie where


@pytest.mark.rule("DO-2.5-a")
def test_each_colour_replaces_the_one_before() -> None:
    game = a.ground("8", "BME")
    a.put(game, "H11", "9", "SW", "NE")
    assert a.refused(game, LayTile("ann", "BME", "H11", "43", 0)).rule == "DO-2.5-a"
    a.put(game, "H11", "20", "SW", "NE", "E", "W")
    fit = next(fit for fit in game.rules.tiling.fits("H11", game.board.cover("H11")) if fit.tile == "47")
    game.apply(LayTile("ann", "BME", "H11", "47", fit.rotation))
    assert game.board.cover("H11") == ("47", fit.rotation)


@pytest.mark.rule("DO-2.5-a")
def test_a_tile_turned_by_half_that_looks_the_same_is_the_same_position() -> None:
    games = []
    for half in (0, 3):
        game = a.ground("2", "BME")
        move = lay(game, "H11", "9", "SW", "NE")
        game.apply(LayTile(move.player, move.company, move.hex, move.tile, (move.rotation + half) % 6))
        games.append(game)
    assert games[0].board.cover("H11") == games[1].board.cover("H11")
    assert games[0].board.cover("H11")[1] in games[0].definition.tiles["9"].turns


@pytest.mark.rule("DO-2.5-a")
def test_no_yellow_tile_on_a_printed_yellow_hex() -> None:
    game = a.ground("2", "DHB")
    refusal = a.refused(game, LayTile("ann", "DHB", "C8", "1904", 2))
    assert (refusal.key, refusal.rule) == ("tile.colour", "DO-2.5-a")


@pytest.mark.rule("DO-3.2.2.1-a")
@pytest.mark.parametrize(("company", "at", "tile"), [("BME", "H9", "8"), ("BME", "H11", "1905"), ("CME", "B3", "9")])
def test_the_pick_belongs_on_coal_and_nowhere_else(company: str, at: str, tile: str) -> None:
    game = a.ground("2", company)
    for rotation in range(6):
        refusal = a.refused(game, LayTile("ann", company, at, tile, rotation))
        assert (refusal.key, refusal.rule) == ("tile.code", "DO-3.2.2.1-a")


@pytest.mark.rule("DO-3.2.2.1-c", "DO-4.2.1-b")
@pytest.mark.parametrize(
    ("phase", "colours"),
    [
        ("2", {"yellow"}),
        ("3", {"yellow", "green"}),
        ("4", {"yellow", "green"}),
        ("5", {"yellow", "green", "brown"}),
        ("6", {"yellow", "green", "brown"}),
        ("8", {"yellow", "green", "brown", "grey"}),
    ],
)
def test_colours_come_with_the_first_train_of_a_type(phase: str, colours: set[str]) -> None:
    game = a.ground(phase, "DHB", "BME")
    # A hex for each colour, all within reach of DHB: C8 grows without a link.
    upgrades = {"1906": None, "1900": "1906", "1907": "1900"}
    for tile, below in upgrades.items():
        twin = game.copy()
        while below and twin.board.cover("C8") != (below, 0):
            at = twin.board.cover("C8")
            steps = [fit for fit in twin.rules.tiling.fits("C8", at) if fit.rotation == 0]
            twin.board.lay("C8", steps[0])
        a.operating(twin, "DHB")
        fits = [fit for fit in twin.rules.tiling.fits("C8", twin.board.cover("C8")) if fit.tile == tile]
        colour = game.definition.tiles[tile].colour
        move = LayTile("ann", "DHB", "C8", tile, fits[0].rotation)
        if colour in colours:
            twin.apply(move)
        else:
            assert a.refused(twin, move).rule == "DO-3.2.2.1-c"


@pytest.mark.rule("DO-3.2.2.1-e")
def test_an_upgrade_keeps_all_track() -> None:
    game = a.ground("3", "DHB")
    a.put(game, "D11", "9", "W", "E")  # beside D9, far from every border
    for rotation in range(6):
        refusal = a.refused(game, LayTile("ann", "DHB", "D11", "16", rotation))
        assert (refusal.key, refusal.rule) == ("tile.kept", "DO-3.2.2.1-e")
    # 19 has its straight track from 0 to 3; only two of its rotations keep W to E.
    assert set(a.offered(game, "lay_tile", hex="D11", tile="19")) == {1, 4}


@pytest.mark.rule("DO-3.2.2.1-f")
def test_plain_green_on_plain_yellow_only() -> None:
    game = a.ground("3", "BME")
    a.put(game, "H9", "1905", "SE", "W")
    a.link(game, "H9")
    a.put(game, "H11", "8", "SW", "E")
    a.link(game, "H11")
    for rotation in range(6):
        assert a.refused(game, LayTile("ann", "BME", "H9", "23", rotation)).key == "tile.code"
        assert a.refused(game, LayTile("ann", "BME", "H11", "1930", rotation)).key == "tile.code"


@pytest.mark.rule("DO-3.2.2.1-g")
def test_a_mine_grows_only_with_a_link() -> None:
    game = a.ground("3", "BME")
    a.put(game, "H9", "1904", "SE", "NW")
    assert "H9" not in a.offered(game, "lay_tile")
    rotation = next(fit.rotation for fit in game.rules.tiling.fits("H9", game.board.cover("H9")) if fit.tile == "1930")
    move = LayTile("ann", "BME", "H9", "1930", rotation)
    assert a.refused(game, move).rule == "DO-3.2.2.1-g"
    a.link(game, "H9")
    game.apply(move)
    assert LinkTokens.of(game).values == {"H9": 10}, "the token stays"


@pytest.mark.rule("DO-3.2.2.1-h")
def test_a_steel_mill_grows_in_its_border_and_only_with_a_link() -> None:
    game = a.ground("3", "DHB")
    rotation = game.rules.tiling.fits("D9", None)[0].rotation
    move = LayTile("ann", "DHB", "D9", "1936", rotation)
    assert (a.refused(game, move).key, a.refused(game, move).rule) == ("tile.link.steel", "DO-3.2.2.1-h")
    a.link(game, "D9")
    for wrong in range(6):
        assert a.refused(game, LayTile("ann", "DHB", "D9", "1937", wrong)).key == "tile.code"
    game.apply(move)
    assert game.board.cover("D9") == ("1936", rotation)


@pytest.mark.rule("DO-3.2.2.1-i")
def test_symbol_border_and_track_hold_for_brown_too() -> None:
    game = a.ground("5", "DGEE")
    game.board.lay("C14", game.rules.tiling.fits("C14", None)[0])
    a.link(game, "C14")
    for rotation in range(6):
        assert a.refused(game, LayTile("ann", "DGEE", "C14", "1952", rotation)).key == "tile.code"
    game = a.ground("5", "BME")
    a.lay(game, "B9", "23")
    rules = [a.refused(game, LayTile("ann", "BME", "B9", "41", rotation)).rule for rotation in (0, 1, 3)]
    assert rules == ["DO-3.2.2.1-e", "DO-3.2.2.1-e", "DO-3.2.2-h"], "only the last keeps the track, far from BME's"


@pytest.mark.rule("DO-3.2.2.1-j")
def test_the_harbour_has_tiles_of_its_own() -> None:
    game = a.ground("3", "DHB")
    a.link(game, "D9")
    for rotation in range(6):
        assert a.refused(game, LayTile("ann", "DHB", "C8", "1936", rotation)).key == "tile.code"
        assert a.refused(game, LayTile("ann", "DHB", "D9", "1906", rotation)).key == "tile.code"


@pytest.mark.rule("DO-3.2.2.1-k")
def test_a_replaced_tile_can_be_laid_again() -> None:
    game = a.ground("3", "BME")
    a.put(game, "H11", "8", "SW", "E")
    for at in ("C2", "D3", "E4", "F5", "B19", "B11", "B15", "D15"):
        game.board.lay(at, next(fit for fit in game.rules.tiling.fits(at, None) if fit.tile == "8"))
    a.take_offer(game)
    a.put(game, "H9", "1904", "SE", "NW")
    another = lay(game, "G8", "8", "SE", "W")
    assert a.refused(game, another).rule == "DO-3.2.2.1-k"
    upgrade = next(fit for fit in game.rules.tiling.fits("H11", game.board.cover("H11")) if fit.tile == "23")
    game.apply(LayTile("ann", "BME", "H11", "23", upgrade.rotation))
    a.operating(game, "BME")
    game.apply(another)


@pytest.mark.rule("DO-4.5.2-b")
def test_the_first_tile_on_a_hex_costs_and_no_other() -> None:
    game = a.ground("3", "BME")
    move = lay(game, "H11", "9", "SW", "NE")
    a.cash(game, "BME", 29)
    assert a.refused(game, move).rule == "DO-4.5.2-b"
    a.cash(game, "BME", 30)
    bank = game.state.cash[BANK]
    game.apply(move)
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (0, bank + 30)
    a.operating(game, "BME")
    assert a.offered(game, "lay_tile", hex="H11"), "an upgrade is free"


# ---------------------------------------------------------------------- 3.2.2 what it must join


@pytest.mark.rule("DO-3.2.2-h", "DO-4.5.1-b")
def test_a_tile_joins_an_open_route() -> None:
    game = a.ground("2", "BME")
    assert a.refused(game, lay(game, "G8", "9", "SE", "NW")).rule == "DO-3.2.2-i"
    assert a.refused(game, lay(game, "G8", "8", "SE", "W")).rule == "DO-3.2.2-h"
    assert a.refused(game, lay(game, "H11", "9", "W", "E")).rule == "DO-3.2.2-h"
    game.apply(lay(game, "H9", "1904", "SE", "NW"))
    a.operating(game, "BME")
    game.apply(lay(game, "G8", "8", "SE", "W"))


@pytest.mark.rule("DO-3.2.2-l")
def test_a_red_field_is_joined_at_its_triangles() -> None:
    game = a.ground("2", "BME")
    assert a.offered(game, "lay_tile") == ["H9", "H11"]
    for tile in ("7", "8", "9"):
        for rotation in a.offered(game, "lay_tile", hex="H11", tile=tile):
            assert game.definition.tiles[tile].faces[rotation].exits & 1 << 3, "SW of H11 is I10"


@pytest.mark.rule("DO-3.2.2-h")
def test_new_track_may_lie_elsewhere_on_an_upgrade_that_an_open_route_touches() -> None:
    """R-43: only some track of the tile must lie on the route."""
    game = a.ground("3", "BME")
    a.put(game, "H11", "9", "SW", "NE")
    # 20 adds W to E, which the railway cannot reach.
    rotation = next(r for r in range(6) if game.definition.tiles["20"].faces[r].track_set == {(0, 3), (1, 4)})
    game.apply(LayTile("ann", "BME", "H11", "20", rotation))


@pytest.mark.rule("DO-3.2.2-h", "DO-3.2.2.3-b")
def test_nothing_is_built_beyond_a_full_hex() -> None:
    game = a.ground("2", "DHB", "CME")
    move = lay(game, "D11", "8", "W", "SE")
    assert "D11" in a.offered(game, "lay_tile")
    a.full(game, "D9", "CME")
    a.operating(game, "DHB")
    assert "D11" not in a.offered(game, "lay_tile")
    assert a.refused(game, move).rule == "DO-3.2.2-h"
    a.operating(game, "CME")
    game.apply(LayTile("ann", "CME", "D11", "8", move.rotation))


@pytest.mark.rule("DO-3.2.2-c", "DO-3.2.2-h")
def test_a_route_that_must_cross_its_own_hex_is_not_open() -> None:
    """R-130: as a train could run, so no hex twice."""
    game = a.ground("2", "KWE")
    crossing(game)
    a.station(game, "KWE", "E14")
    a.full(game, "F15", "CME")  # the other way to F17
    a.operating(game, "KWE")
    assert "F17" not in a.offered(game, "lay_tile")
    refusal = a.refused(game, lay(game, "F17", "1905", "NE", "W"))
    assert refusal.rule == "DO-3.2.2-h"
    assert game.reach("KWE").reaches("C16", 0)


@pytest.mark.rule("DO-3.2.2-i")
@pytest.mark.parametrize(
    ("at", "tile", "sides"),
    [
        ("B7", "9", ("W", "E")),  # C6 lies SW of B7 and has no track to its NE side
        ("H11", "7", ("SW", "SE")),  # the rim of the grid
        ("B9", "8", ("NW", "SW")),  # off the map
    ],
)
def test_track_never_ends_at_a_blank_side_or_the_rim(at: str, tile: str, sides: tuple[str, ...]) -> None:
    game = a.ground("2", "BME")
    if at == "B7":
        fine = game.rules.tiling.fits(at, None)
        assert any(fit.rotation == a.turned(game, tile, *sides) for fit in fine if fit.tile == tile)
        sides = ("NE", "SW")
    refusal = a.refused(game, lay(game, at, tile, *sides))
    assert (refusal.key, refusal.rule) == ("tile.dead_end", "DO-3.2.2-i")


@pytest.mark.rule("DO-3.2.2-i")
def test_track_never_ends_at_a_red_side_without_a_triangle() -> None:
    game = a.ground("2", "BME")
    # C20 has triangles to the NW, W and SW, B21 only to the W.
    assert {fit.tile for fit in game.rules.tiling.fits("C18", None) if fit.exits & 1 << 1}, "C18 joins C20"
    assert not [fit for fit in game.rules.tiling.fits("B19", None) if fit.exits & 1 << 0], "A20 is not on the map"
    assert not [fit for fit in game.rules.tiling.fits("D19", None) if fit.exits & 1 << 1], "nothing lies east of D19"
    refusal = a.refused(game, lay(game, "H17", "8", "SW", "E"))
    assert refusal.key in ("tile.dead_end", "tile.route")


@pytest.mark.rule("DO-3.2.2-j", "DO-4.5.1-c")
def test_otherwise_track_may_end_anywhere() -> None:
    game = a.ground("2", "BME")
    a.put(game, "H13", "8", "NW", "E")
    a.operating(game, "BME")
    game.apply(lay(game, "H11", "8", "SW", "E"))  # east of it H13 has no track to the W
    assert not game.board.faces["H13"].exits & 1 << 4


@pytest.mark.rule("DO-3.2.2-m")
def test_the_harbour_home_is_joined_to_every_track() -> None:
    game = a.ground("3", "DHB")
    before = game.reach("DHB").touched
    assert {"C6", "D9"} <= before.keys()
    fit = next(fit for fit in game.rules.tiling.fits("C8", None) if fit.tile == "1906")
    game.board.lay("C8", fit)
    a.take_offer(game)
    neighbours = game.definition.map.neighbours["C8"]
    joined = {neighbours[edge] for edge in range(6) if fit.exits & 1 << edge}
    assert len(joined) == 4
    assert joined <= game.reach("DHB").touched.keys()
