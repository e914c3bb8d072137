"""18LRA's track: borders, codes, the Rhine, stubs, costs and homes without track."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from engine.state import BANK
from tests.titles.lra.arrange import (
    arrange,
    board,
    build,
    cash,
    lays,
    new,
    operating,
    refused,
    take_offer,
    token,
)
from tests.titles.rhl.asking import paid

EDGE = {"NE": 0, "E": 1, "SE": 2, "SW": 3, "W": 4, "NW": 5}


def fits(game: Game, at: str, cover: tuple[str, int] | None = None) -> list[tuple[str, int]]:
    return [(fit.tile, fit.rotation) for fit in game.rules.tiling.fits(at, cover)]


def exits(game: Game, at: str) -> int:
    """The sides that some first tile leads to."""
    found = 0
    for fit in game.rules.tiling.fits(at, None):
        found |= fit.exits
    return found


@pytest.mark.rule("LRA-6.2.1-a")
def test_green_borders() -> None:
    game = board("CCE", "MKB", "ADR")
    operating(game, "CCE")
    border = mv.LayTile("cy", "CCE", "B6", "9", 2)
    assert refused(game, border).rule == "LRA-6.2.1-a"
    operating(game, "MKB")
    assert lays(game, "C11") == set()
    assert refused(game, mv.LayTile("cy", "MKB", "C11", "L08", 0)).rule == "LRA-6.2.1-a"
    # Right after the first 3-train, in the same operating round.
    game.state.depot.left["2"] = 0
    game.state.depot.sold["2"] = 5
    game.state.depot.gone += ["2"] * 5
    operating(game, "ADR", "trains")
    game.apply(mv.BuyTrain("cy", "ADR", "3", BANK, 200))
    game.apply(mv.Pass("cy"))
    while game.state.round.actor != "CCE":
        game.apply(mv.Pass("cy") if game.offer().find("pass") else mv.LayTile("cy", "MKB", "C11", "L08", 0))
    game.apply(border)


@pytest.mark.rule("LRA-6.2.1-b")
def test_brown_is_the_last_colour() -> None:
    game = new()
    assert {tile.colour for tile in game.definition.tiles.values()} == {"yellow", "green", "brown"}
    brown = [tile for tile in game.definition.tiles.values() if tile.colour == "brown"]
    for at in ("E9", "G15", "C11", "H8", "H6", "B12"):
        assert all(fits(game, at, (tile.id, rotation)) == [] for tile in brown for rotation in tile.rotations)
    game = board("BME", phase="6")
    for tile in ("L04", "L15", "L34"):
        build(game, "G15", tile)
    operating(game, "BME")
    assert lays(game, "G15") == set()


@pytest.mark.rule("LRA-6.2.1-c")
def test_codes_bind_tiles_and_hexes() -> None:
    game = new()
    where: dict[str, set[str]] = {}
    for at, spot in game.definition.map.hexes.items():
        if spot.buildable:
            for tile, _ in fits(game, at):
                where.setdefault(tile, set()).add(at)
    assert where["L06"] == where["L07"] == {"H8", "I7"}
    assert where["L08"] == where["L09"] == {"C11"}
    assert where["L01"] | where["L02"] | where["L03"] == {"B8", "C9", "C13"}
    for tile in ("3", "4", "58"):
        assert not where[tile] & {"B8", "C9", "C13"}
    game = board("MKB", "BME", phase="3")
    build(game, "C11", "L08", "W-SE")
    operating(game, "MKB")
    assert refused(game, mv.LayTile("cy", "MKB", "C9", "4", 1)).rule == "LRA-6.2.1-c"
    token(game, "BME", "H14")
    operating(game, "BME")
    assert refused(game, mv.LayTile("cy", "BME", "H14", "14", 0)).rule == "LRA-6.2.1-c"
    labels = {label for spot in game.definition.map.hexes.values() for label in spot.face.labels}
    assert labels == {"CM", "D", "DU", "GE", "KR", "MG", "MO", "NE", "OY", "RH", "RU", "UE"}


@pytest.mark.rule("RHL-6.2.1-d", "RHL-6.2.1.1-a")
def test_towns_cities_and_plain_track_each_have_their_chain() -> None:
    game = new()
    kinds = {
        "plain": ("H6", "9", {"18", "19", "20", "23", "24", "25", "26", "27", "28", "29", "30", "31"}),
        "town": ("G9", "4", {"141", "142", "143", "144"}),
        "two towns": ("F6", "1", {"87", "88", "204"}),
        "city": ("E7", "57", {"14", "15", "619"}),
    }
    for at, tile, wanted in kinds.values():
        found = {name for name, _ in fits(game, at, (tile, 0))}
        assert found, at
        assert found <= wanted
    after = {name for name, _ in fits(game, "F6", ("88", 0))}
    assert after == {"933"}
    assert fits(game, "G9", ("141", 0)) == fits(game, "E7", ("14", 0)) == []  # no brown step
    assert {name for name, _ in fits(game, "I3")} <= {"14", "15", "619"}
    assert {name for name, _ in fits(game, "I3")}


@pytest.mark.rule("LRA-6.2.1-d")
def test_track_meets_the_rhine_at_three_places_only() -> None:
    game = new()
    for at, side in (("F14", "SE"), ("C13", "E"), ("G13", "E"), ("I13", "E"), ("F14", "E"), ("J14", "E")):
        assert not exits(game, at) >> EDGE[side] & 1, (at, side)
        assert game.definition.map.neighbours[at][EDGE[side]] is None
    assert exits(game, "C13") >> EDGE["NE"] & 1  # while Ruhrort is still yellow
    crossings = {
        frozenset({at, other})
        for at in ("B14", "D14", "G15")
        for other in game.definition.map.neighbours[at]
        if other in ("C13", "C15", "H14") and (at, other) != ("B14", "C15")
    }
    assert crossings == {frozenset({"B14", "C13"}), frozenset({"D14", "C15"}), frozenset({"G15", "H14"}),
                         frozenset({"D14", "C13"})}  # fmt: skip
    game = board("BME", phase="3")
    token(game, "BME", "H14")
    operating(game, "BME")
    assert refused(game, mv.LayTile("cy", "BME", "G13", "58", 1)).rule == "LRA-6.2.1-d"  # towards G15


@pytest.mark.rule("LRA-6.2.1-e")
@pytest.mark.parametrize(("at", "side"), [("C13", "NE"), ("J6", "NE"), ("B14", "SW"), ("D14", "NE"), ("E13", "W")])
def test_printed_stubs_are_joined(at: str, side: str) -> None:
    game = new()
    found = game.rules.tiling.fits(at, None)
    assert found
    assert all(fit.exits >> EDGE[side] & 1 for fit in found)


@pytest.mark.rule("LRA-6.2.1-e")
def test_a_tile_that_misses_the_stub_is_refused() -> None:
    game = board("ADR")
    build(game, "J4", "4", "W-E")
    operating(game, "ADR")
    assert refused(game, mv.LayTile("cy", "ADR", "J6", "4", 1)).rule == "LRA-6.2.1-e"
    game.apply(mv.LayTile("cy", "ADR", "J6", "58", 4))


@pytest.mark.rule("LRA-6.2.1-f")
@pytest.mark.parametrize(
    ("company", "at", "tiles", "costs"),
    [
        ("BME", "G15", ("L04", "L15", "L34"), (30, 30, 30)),
        ("CCE", "B14", ("L44", "L42"), (30, 30)),
        ("CCE", "D14", ("L30", "L41"), (30, 30)),
        ("CCE", "C15", ("L05", "L16", "L35"), (30, 0, 0)),
        ("CCE", "E15", ("58",), (30,)),
        ("CCE", "H14", ("L28", "L39"), (0, 0)),
    ],
)
def test_terrain_costs(company: str, at: str, tiles: tuple[str, ...], costs: tuple[int, ...]) -> None:
    game = board(company, phase="6")
    if company != "BME":
        beside = {"D14": "E13", "E15": "G15"}.get(at, at)
        if at == "D14":
            build(game, "E13", "L29")
        if at == "E15":
            build(game, "G15", "L04")
            build(game, "G15", "L15")
        game.board.place_station(company, beside, 0)
        take_offer(game)
    game.company(company).operated = True
    for tile, cost in zip(tiles, costs, strict=True):
        if cost:
            operating(game, company)
            cash(game, company, 20)
            take_offer(game)
            assert refused(game, mv.LayTile("cy", company, at, tile, 0)).rule == "RHL-6.2.1-i"
        operating(game, company)
        cash(game, company, 500)
        take_offer(game)
        happened = game.apply(mv.LayTile("cy", company, at, tile, 0))
        assert paid(happened, company, BANK) == cost


@pytest.mark.rule("LRA-6.2.1-g")
def test_the_first_tile_at_home_may_come_later() -> None:
    game = board("MKB")
    operating(game, "MKB")
    assert game.state.round.step != "track" or lays(game, "C11") == set()
    game.company("MKB").operated = True
    arrange.phase(game, "3")
    operating(game, "MKB")
    game.apply(mv.LayTile("cy", "MKB", "C11", "L08", 0))
    game = board("BME", treasury=20)
    operating(game, "BME")
    assert lays(game, "G15") == set()
    game.company("BME").operated = True
    cash(game, "BME", 100)
    operating(game, "BME")
    assert game.offer().find("pass") is not None  # no longer a duty
    game.apply(mv.LayTile("cy", "BME", "G15", "L04", 0))


@pytest.mark.rule("RHL-6.2.1-b", "LRA-4.2.3-c")
def test_the_first_tile_at_home_is_a_duty() -> None:
    for company, phase, at in (("BME", "2", "G15"), ("GVE", "2", "G7"), ("MKB", "3", "C11"), ("KEG", "3", "F10")):
        game = board(company, phase=phase)
        operating(game, company)
        assert refused(game, mv.Pass("cy")).rule == "RHL-6.2.1-b"
        assert lays(game, at)
    game = board("KEG")
    operating(game, "KEG")
    assert game.offer().find("lay_tile") is None  # before green it has nothing to lay
    game = board("KEG", phase="3")
    operating(game, "KEG")
    game.apply(mv.LayTile("cy", "KEG", "F10", "L17", 0))
    assert game.state.round.step != "track"  # an upgrade, and so the only one


RIVER = {
    "G15": ("L04", "L15", "L34"), "C15": ("L05", "L16", "L35"), "B12": ("L27", "L40"), "H14": ("L28", "L39"),
    "E13": ("L29", "L43"), "D14": ("L30", "L41"), "B14": ("L44", "L42"),
}  # fmt: skip


@pytest.mark.rule("LRA-6.2.1.3-a")
@pytest.mark.parametrize("at", RIVER)
def test_the_course_of_the_rhine_is_kept(at: str) -> None:
    game = board("CCE", phase="6")
    cover: tuple[str, int] | None = None
    for tile in RIVER[at]:
        assert [rotation for name, rotation in fits(game, at, cover) if name == tile] == [0]
        if not cover and game.board.free_space(at, 0, "CCE"):
            game.board.place_station("CCE", at, 0)
            take_offer(game)
        if game.board.has_station("CCE", at):
            operating(game, "CCE")
            for rotation in range(1, 6):
                assert refused(game, mv.LayTile("cy", "CCE", at, tile, rotation)).rule == "LRA-6.2.1.3-a"
        build(game, at, tile)
        cover = (tile, 0)


@pytest.mark.rule("LRA-6.2.1-c")
def test_geldern_becomes_two_lines_and_its_tokens_part() -> None:
    game = board("CCE", "RhE", phase="3")
    token(game, "CCE", "B4", 0)
    token(game, "RhE", "B4", 1)
    operating(game, "CCE")
    game.apply(mv.LayTile("cy", "CCE", "B4", "L14", 0))
    assert game.state.board.stations["B4"] == [["CCE"], ["RhE"]]
    assert game.board.faces["B4"].stop_exits == (0b001001, 0b100100)
