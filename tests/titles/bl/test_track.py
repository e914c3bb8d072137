"""Operating rounds, track and stations (ledger sections 8.1 to 8.4)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.board.tiling import Misfit
from engine.errors import Refused
from engine.events import RoundBegan, TurnBegan
from engine.game import Game
from engine.state import BANK
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens
from titles.bl.privates import BuyPrivate


def turn(
    company: str = "RhE", phase: str = "2", step: str = "track", treasury: int = 1000, *, first: bool = False
) -> Game:
    game = a.after_package(3)
    a.floated(game, company, "ann", treasury=treasury, operated=not first)
    if phase != "2":
        a.phase(game, phase)
    a.operating(game, company, step)
    return game


def fits(game: Game, at: str, tile: str) -> list[int]:
    """The rotations in which a tile fits on what lies on a hex now."""
    return [fit.rotation for fit in game.rules.tiling.fits(at, game.board.cover(at)) if fit.tile == tile]


def misfit(game: Game, at: str, tile: str, rotation: int = 0) -> str:
    with pytest.raises(Misfit) as caught:
        game.rules.tiling.fit(at, game.board.cover(at), game.definition.tiles[tile], rotation)
    return caught.value.key


# ---------------------------------------------------------------------- 8.1, 8.2


@pytest.mark.rule("BL-8-a", "BL-9-a", "BL-9-e", "BL-9-j")
def test_one_two_or_three_operating_rounds_by_phase() -> None:
    assert [phase.operating_rounds for phase in a.new().definition.phases] == [1, 2, 2, 3, 3, 3]
    for phase, count in (("2", 1), ("3", 2), ("5", 3)):
        game = a.second_stock_round(2, {"SKB": "ann"})
        if phase != "2":
            a.phase(game, phase)
        events = [*game.apply(mv.Pass("ann")), *game.apply(mv.Pass("bo"))]
        kinds = [event.kind for event in events if isinstance(event, RoundBegan)]
        assert kinds[: count + 1] == ["operating"] * count + ["stock"]


@pytest.mark.rule("BL-9-e", "BL-9-j")
def test_a_set_of_operating_rounds_keeps_its_length() -> None:
    game = turn(step="trains")
    a.boxes(game, t3=2)
    assert game.state.round.operating_total == 1
    game.apply(mv.BuyTrain("ann", "RhE", "3", BANK, 200))
    game.apply(mv.Pass("ann"))
    assert game.state.round.kind == "stock"
    for _ in range(3):
        game.apply(mv.Pass(a.asked(game)))
    assert game.state.round.operating_total == 2


@pytest.mark.rule("BL-8.1-a")
def test_privates_pay_first_then_corporations_act_by_stock_value() -> None:
    game = a.after_package(2, {"SKB": "ann"})
    for company, par in (("RhE", 76), ("BME", 100), ("OV", 90)):
        a.floated(game, company, "ann", par)
        a.vehicles(game, company, "2")
    a.stock(game, "ann")
    events = [*game.apply(mv.Pass("ann")), *game.apply(mv.Pass("bo"))]
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("Paid") < kinds.index("TurnBegan")
    order = [game.state.round.actor]
    while game.state.round.kind == "operating":
        events = list(game.apply(mv.Pass("ann")))
        order += [event.actor for event in events if isinstance(event, TurnBegan)]
    assert order == ["BME", "OV", "RhE"]


@pytest.mark.rule("BL-8.1-a")
def test_the_order_is_looked_up_again_after_each_turn() -> None:
    game = a.after_package(2)
    for company, par in (("RhE", 100), ("BME", 90), ("OV", 82)):
        a.floated(game, company, "ann", par)
        a.vehicles(game, company, "2")
    a.operating(game, "RhE", "trains")
    a.price_at(game, "BME", a.token_at(game, 71, "p"))  # a sale lowered it
    game.apply(mv.Pass("ann"))
    assert game.state.round.actor == "OV"


@pytest.mark.rule("BL-8.1-b", "BL-8.1-c")
def test_ties_go_by_the_stack_and_then_to_the_right() -> None:
    game = a.after_package()
    for company in ("RhE", "BME", "OV"):
        a.floated(game, company, "ann", 76)
    assert game.prices.order() == ["RhE", "BME", "OV"]
    right = a.token_at(game, 76, row=4)
    assert right[1] > a.token_at(game, 76, "p")[1]
    a.price_at(game, "OV", right)
    assert game.prices.order() == ["OV", "RhE", "BME"]


@pytest.mark.rule("BL-8.2-a", "BL-8.2-b")
def test_the_steps_follow_in_order_and_tile_and_station_are_voluntary() -> None:
    game = turn()
    assert game.steps().order == ("track", "station", "run", "dividend", "trains")
    a.vehicles(game, "RhE", "2")
    a.lay(game, "C1", "9")
    a.operating(game, "RhE")
    game.apply(mv.Pass("ann"))
    assert game.state.round.step == "run"  # no place for another station
    assert a.refused(game, mv.LayTile("ann", "RhE", "F2", "55", 2)).rule == "BL-8.2-a"
    game.apply(game.offer().find("run").move({"routes": a.offered(game, "run")[0]}))  # type: ignore[union-attr]
    assert a.refused(game, mv.LayTile("ann", "RhE", "F2", "55", 2)).rule == "BL-8.2-a"
    value = game.prices.value("RhE")
    game.apply(mv.Dividend("ann", "RhE", "pay"))
    assert game.prices.value("RhE") > value  # the stock value is adjusted before vehicles are bought
    assert game.state.round.step == "trains"


@pytest.mark.rule("BL-8.2-c")
def test_two_yellow_tiles_or_one_upgrade_in_the_first_turn() -> None:
    game = turn(first=True, phase="3")
    twin = game.copy()
    game.apply(mv.LayTile("ann", "RhE", "C1", "9", 0))
    assert game.state.round.step == "track"
    refusal = a.refused(game, mv.LayTile("ann", "RhE", "E1", "D-green", 0))  # yellow + upgrade
    assert refusal.rule == "BL-8.2-c"
    assert "E1" not in a.offered(game, "lay_tile")
    game.apply(mv.LayTile("ann", "RhE", "F2", "55", 2))
    assert game.state.round.step != "track"  # no third
    twin.apply(mv.LayTile("ann", "RhE", "E1", "D-green", 0))
    assert twin.state.round.step != "track"


@pytest.mark.rule("BL-8.2-d")
def test_one_tile_in_later_turns_and_upgrades_from_green_on() -> None:
    game = turn()
    assert a.refused(game, mv.LayTile("ann", "RhE", "E1", "D-green", 0)).rule == "BL-8.3.1-b"
    game.apply(mv.LayTile("ann", "RhE", "C1", "9", 0))
    assert game.state.round.step != "track"
    game = turn(phase="3")
    game.copy().apply(mv.LayTile("ann", "RhE", "E1", "D-green", 0))
    game.apply(mv.LayTile("ann", "RhE", "C1", "9", 0))
    assert game.state.round.step != "track"


@pytest.mark.rule("BL-8.2-e")
def test_running_is_mandatory_where_a_route_exists() -> None:
    game = turn()
    a.vehicles(game, "RhE", "2")
    a.lay(game, "C1", "9")
    a.operating(game, "RhE", "run")
    assert a.names(game) == {"run"}
    assert a.refused(game, mv.Pass("ann")).rule == "BL-8.2-e"
    assert a.refused(game, mv.Run("ann", "RhE", ())).rule == "BL-8.2-e"


@pytest.mark.rule("BL-8.2-f")
def test_a_private_may_be_bought_before_the_tile_and_after_the_vehicles() -> None:
    game = turn()
    a.private(game, "MBG", "ann")
    a.operating(game, "RhE")
    assert "buy_private" in a.names(game)
    a.vehicles(game, "RhE", "2")
    a.operating(game, "RhE", "trains")
    game.apply(mv.BuyTrain("ann", "RhE", "2", BANK, 100))
    game.apply(BuyPrivate("ann", "RhE", "MBG", 80))
    assert game.state.privates["MBG"] == "RhE"
    # even when nothing else is to be decided in the turn
    game = turn("OV", treasury=99)
    a.private(game, "MBG", "ann")
    a.vehicles(game, "OV", "2")
    game.rules.rounds["operating"].end_turn(game)  # type: ignore[attr-defined]
    a.operating(game, "OV", "station")
    game.state.round.step = "station"
    game.settle()
    assert game.state.round.step == "station"
    assert a.names(game) == {"buy_private", "pass"}


@pytest.mark.rule("BL-8.2-f")
@pytest.mark.parametrize("step", ["track", "station", "run", "dividend", "trains"])
def test_a_private_may_be_bought_in_every_step_even_in_one_with_nothing_else_to_decide(step: str) -> None:
    game = turn("OV", treasury=200)
    for private in ("MBG", "EHG"):
        a.private(game, private, "ann")
    a.vehicles(game, "OV", "2", "2", "2", "2")
    game.company("OV").tokens_left.clear()
    value = game.prices.value("OV")
    a.operating(game, "OV", step)
    game.settle()
    assert game.state.round.step == step
    assert a.names(game) == ({"buy_private", "lay_tile", "pass"} if step == "track" else {"buy_private", "pass"})
    game.apply(BuyPrivate("ann", "OV", "MBG", 40))
    assert game.state.round.step == step, "something has happened: asked again"
    assert a.offered(game, "buy_private") == ["EHG"]
    game.apply(mv.Pass("ann"))
    assert game.state.round.actor != "OV" or game.state.round.operating_number == 2, "passed once, and not asked again"
    assert (game.prices.value("OV") < value) == (step != "trains"), "a step without a decision still does its work"


@pytest.mark.rule("BL-8.2-f")
def test_after_the_tile_the_company_is_not_run_through_to_the_trains() -> None:
    """A director who owns private 4 may still sell it to the company that has just laid track, before it runs."""
    game = turn("OV", treasury=200)
    a.private(game, "EHG", "ann")
    a.vehicles(game, "OV", "2")
    game.company("OV").tokens_left.clear()
    game.company("OV").operated = True
    a.operating(game, "OV")
    at = a.offered(game, "lay_tile")[0]
    tile = a.offered(game, "lay_tile", hex=at)[0]
    game.apply(mv.LayTile("ann", "OV", at, tile, a.offered(game, "lay_tile", hex=at, tile=tile)[0]))
    assert game.state.round.step == "station"
    assert a.names(game) == {"buy_private", "pass"}


@pytest.mark.rule("BL-8.2-g")
def test_an_operating_round_ends_when_all_have_acted() -> None:
    game = turn(step="trains")
    a.vehicles(game, "RhE", "2")
    a.floated(game, "BME", "bo", 67)
    a.vehicles(game, "BME", "2")
    game.state.round.operating_total = 2
    game.apply(mv.Pass("ann"))
    assert game.state.round.actor == "BME"
    while game.state.round.actor == "BME" and game.state.round.operating_number == 1:
        game.apply(mv.Pass("bo"))
    assert (game.state.round.kind, game.state.round.operating_number) == ("operating", 2)


# ---------------------------------------------------------------------- 8.3.1


@pytest.mark.rule("BL-8.3.1-a")
@pytest.mark.parametrize("at", ["A1", "P12", "R12"])
def test_no_tile_on_red_and_grey_fields(at: str) -> None:
    game = turn(phase="6")
    assert not game.rules.tiling.fits(at, None)
    assert misfit(game, at, "9") == "tile.fixed"


@pytest.mark.rule("BL-8.3.1-b", "BL-8.3.3-a", "BL-9-a", "BL-9-b", "BL-9-g", "BL-9-k")
def test_which_colours_may_be_laid_in_which_phase() -> None:
    colours = [phase.tiles for phase in a.new().definition.phases]
    plain = [tuple(c for c in tiles if c != "orange") for tiles in colours]
    assert plain == [
        ("yellow",),
        ("yellow", "green"),
        ("yellow", "green"),
        ("yellow", "green", "brown"),
        ("yellow", "green", "brown", "grey"),
        ("yellow", "green", "brown", "grey"),
    ]
    assert all("orange" in tiles for tiles in colours)
    game = turn()
    move = mv.LayTile("ann", "RhE", "E1", "D-green", 0)
    assert a.refused(game, move).rule == "BL-8.3.1-b"
    a.phase(game, "3")
    a.operating(game, "RhE")
    game.apply(move)
    a.operating(game, "RhE")
    assert a.refused(game, mv.LayTile("ann", "RhE", "E1", "D-brown", 0)).rule == "BL-8.3.1-b"
    assert a.refused(game, mv.LayTile("ann", "RhE", "E1", "D-grey", 0)).rule == "BL-8.3.3-a"
    a.phase(game, "5")
    a.operating(game, "RhE")
    game.apply(mv.LayTile("ann", "RhE", "E1", "D-brown", 0))
    a.phase(game, "6")
    a.operating(game, "RhE")
    game.apply(mv.LayTile("ann", "RhE", "E1", "D-grey", 0))


def chain() -> Game:
    """RhE in Berg. Gladbach (M5), from where track leads over Leichlingen (L4) and Opladen (K3) towards J4."""
    game = turn(phase="3")
    a.lay(game, "K3", "5", 4)
    a.lay(game, "L4", "4", 2)
    a.lay(game, "M5", "57", 2)
    a.station(game, "RhE", "M5")
    a.floated(game, "BME", "bo")
    a.operating(game, "RhE")
    return game


@pytest.mark.rule("BL-8.3.1-c", "BL-8.3.1-d", "BL-11-a")
def test_a_lay_continues_a_route_from_an_own_station_that_no_full_city_blocks() -> None:
    game = chain()
    beyond = mv.LayTile("ann", "RhE", "J4", "57", 1)
    game.copy().apply(beyond)
    assert a.refused(game, mv.LayTile("ann", "RhE", "C7", "55", 0)).rule == "BL-8.3.1-c"
    a.station(game, "BME", "K3")
    a.operating(game, "RhE")
    assert a.refused(game, beyond).rule == "BL-8.3.1-c"
    a.lay(game, "K3", "15", 3)  # two places: one is empty
    a.operating(game, "RhE")
    assert fits(game, "J4", "57")
    game.copy().apply(beyond)
    a.floated(game, "CME", "cy")
    a.station(game, "CME", "K3")
    a.operating(game, "RhE")
    assert a.refused(game, beyond).rule == "BL-8.3.1-c"


@pytest.mark.rule("BL-8.3.1-d")
def test_the_two_cities_of_f6_block_each_for_itself() -> None:
    game = turn("BME")
    a.floated(game, "DEE", "bo")
    board = game.board
    assert not board.open_for("BME", "F6", 0)
    assert board.open_for("BME", "F6", 1)
    assert board.open_for("DEE", "F6", 0)


@pytest.mark.rule("BL-8.3.1-e", "BL-8.3.1-f", "BL-8.3.1-g")
def test_kinds_of_tiles_go_on_their_kind_of_hex() -> None:
    game = turn()
    for at, good, bad in (
        ("C1", "9", ("57", "4", "55")),  # nothing
        ("D2", "4", ("57", "9", "55")),  # one town
        ("F2", "55", ("57", "9", "4")),  # two towns
        ("C9", "57", ("9", "4", "55")),  # a city
    ):
        assert fits(game, at, good)
        for tile in bad:
            assert not fits(game, at, tile)
            assert misfit(game, at, tile) == "tile.kind"


@pytest.mark.rule("BL-8.3.1-h", "BL-8.3.1-i")
def test_lettered_two_town_fields_and_tiles_belong_together() -> None:
    game = turn()
    for at in ("M3", "N8"):
        assert fits(game, at, "T-yellow")
        assert not fits(game, at, "55")
        assert misfit(game, at, "55") == "tile.code"
    assert not fits(game, "F2", "T-yellow")


@pytest.mark.rule("BL-8.3.1-j", "BL-8.3.1-k")
def test_no_track_into_a_blank_side_or_off_the_grid() -> None:
    game = turn()
    exits = [fit.exits for fit in game.rules.tiling.fits("C5", None)]
    assert exits
    assert not any(bits & 1 for bits in exits)  # N: the blank side S of Essen
    assert misfit(game, "C5", "57", 0) == "tile.dead_end"
    assert not any(fit.exits >> 3 & 1 for fit in game.rules.tiling.fits("Q3", None))
    assert misfit(game, "Q3", "57", 0) == "tile.dead_end"


@pytest.mark.rule("BL-8.3.1-l")
def test_a_tile_may_end_against_a_neighbour_without_joining_its_track() -> None:
    game = turn()
    a.lay(game, "D2", "4", 0)  # N - S, nothing towards C1
    a.operating(game, "RhE")
    game.apply(mv.LayTile("ann", "RhE", "C1", "7", 5))  # S - SE, against D2
    assert game.board.faces["C1"].exits >> 2 & 1


@pytest.mark.rule("BL-8.3.1-n", "BL-8.3.1-o")
def test_the_first_tile_of_a_river_or_mountain_field_costs() -> None:
    game = turn("BME", treasury=20)
    at, cost = "G7", 30  # south-east of Barmen
    assert game.definition.map.hexes[at].face.cost == cost
    move = mv.LayTile("ann", "BME", at, "55", 2)
    assert a.refused(game, move).rule == "BL-8.3.1-n"
    a.cash(game, "BME", 31)
    a.take_offer(game)
    game.apply(move)
    assert game.state.cash["BME"] == 1
    a.phase(game, "3")
    a.operating(game, "BME")
    rotation = fits(game, at, "88")[0]
    game.apply(mv.LayTile("ann", "BME", at, "88", rotation))
    assert game.state.cash["BME"] == 1


# ---------------------------------------------------------------------- 8.3.2, 8.3.3


@pytest.mark.rule("BL-8.3.2-a", "BL-8.3.2-b", "BL-8.3.2-c")
def test_the_gorge_takes_the_bridge_only_in_one_position() -> None:
    game = turn(phase="3")
    assert [(fit.tile, fit.rotation) for fit in game.rules.tiling.fits("I5", None)] == [("1961", 1)]
    assert misfit(game, "I5", "9", 1) == "tile.kind"
    assert misfit(game, "I5", "1961", 2) == "tile.stub"
    a.lay(game, "I5", "1961", 1)
    assert not game.rules.tiling.fits("I5", game.board.cover("I5"))  # never upgraded
    for at in ("H4", "F4", "C1"):
        assert not fits(game, at, "1961")


@pytest.mark.rule("BL-8.3.2-c")
def test_every_corporation_with_access_may_lay_the_bridge() -> None:
    for company in ("BME", "CME"):
        game = turn(company)
        move = mv.LayTile("ann", company, "I5", "1961", 1)
        assert a.refused(game, move).rule == "BL-8.3.1-c"
        a.lay(game, "J4", "57", 1)
        a.station(game, company, "J4")
        a.operating(game, company)
        game.apply(move)
        assert game.state.cash[company] == 900


def gorge() -> Game:
    """RhE's first turn in green, with a station in Remscheid, whose track leads to Müngsten."""
    game = turn(first=True, phase="3")
    a.lay(game, "H6", "57", 1)
    a.station(game, "RhE", "H6")
    a.operating(game, "RhE")
    return game


BRIDGE = mv.LayTile("ann", "RhE", "I5", "1961", 1)
YELLOW = mv.LayTile("ann", "RhE", "C1", "9", 0)
UPGRADE = mv.LayTile("ann", "RhE", "E1", "D-green", 0)


@pytest.mark.rule("BL-8.2-c", "BL-8.3.2-c")
@pytest.mark.parametrize("order", [(BRIDGE, YELLOW), (YELLOW, BRIDGE)])
def test_the_bridge_is_one_of_the_two_yellow_tiles_of_the_first_turn(order: tuple[mv.LayTile, mv.LayTile]) -> None:
    """R10: tile 1961 is laid like a yellow one, before or after another."""
    game = gorge()
    game.apply(order[0])
    assert game.state.round.step == "track"
    assert a.refused(game, UPGRADE).rule == "BL-8.2-c"
    assert order[1].hex in a.offered(game, "lay_tile")
    game.apply(order[1])
    assert {"I5", "C1"} <= set(game.state.board.tiles)
    assert game.state.round.step != "track"  # no third
    assert game.state.cash["RhE"] == 900


@pytest.mark.rule("BL-8.2-c", "BL-8.2-d", "BL-8.3.2-c")
def test_the_bridge_follows_no_upgrade_and_is_the_only_tile_of_a_later_turn() -> None:
    game = gorge()
    game.apply(UPGRADE)
    assert game.state.round.step != "track"
    game = gorge()
    game.company("RhE").operated = True
    a.operating(game, "RhE")
    game.apply(BRIDGE)
    assert game.state.round.step != "track"


@pytest.mark.rule("BL-8.3.3-a")
def test_no_colour_is_skipped() -> None:
    game = turn(phase="6")
    assert misfit(game, "C9", "14") == "tile.colour.skipped"
    a.lay(game, "C9", "57")
    assert misfit(game, "C9", "611") == "tile.colour.skipped"
    assert fits(game, "C9", "14")


@pytest.mark.rule("BL-8.3.3-b")
def test_a_plain_upgrade_needs_a_link_to_new_track() -> None:
    game = turn(phase="3")
    a.lay(game, "C1", "9")
    a.operating(game, "RhE")
    good = [fit for fit in game.rules.tiling.fits("C1", game.board.cover("C1")) if fit.tile in ("23", "24")]
    judged, rules = {}, set()
    for fit in good:
        try:
            game.check(mv.LayTile("ann", "RhE", "C1", fit.tile, fit.rotation))
            judged[fit.new_track] = True
        except Refused as refusal:
            judged[fit.new_track] = False
            rules.add(refusal.rule)
    # E1 lies to the south, Duisburg to the north: new track that ends at neither is not reached
    reached = {track: any(end == 3 for piece in track for end in piece) for track in judged}
    assert judged == reached
    assert rules == {"BL-8.3.3-b"}
    assert set(judged.values()) == {True, False}


@pytest.mark.rule("BL-8.3.3-c", "BL-8.3.3-d")
def test_for_cities_and_towns_a_link_to_any_track_is_enough() -> None:
    game = chain()
    a.station(game, "BME", "K3")
    a.operating(game, "RhE")
    rotations = fits(game, "K3", "14") + fits(game, "K3", "15")
    assert rotations
    tile = "14" if fits(game, "K3", "14") else "15"
    game.copy().apply(mv.LayTile("ann", "RhE", "K3", tile, fits(game, "K3", tile)[0]))  # full of foreign stations
    # a town whose new track is not the one that is reached
    fit = next(f for f in game.rules.tiling.fits("L4", game.board.cover("L4")) if f.tile == "141")
    game.apply(mv.LayTile("ann", "RhE", "L4", "141", fit.rotation))


@pytest.mark.rule("BL-8.3.3-c")
@pytest.mark.parametrize(("first", "green", "brown"), [("1", "88", "145"), ("2", "87", "146"), ("69", "204", "147")])
def test_a_town_is_upgraded_without_any_new_track(first: str, green: str, brown: str) -> None:
    """RhE's track from Düsseldorf ends in the town of F2, whose brown tile has the tracks of its green one."""
    game = turn(phase="5")
    for tile in (first, green):
        cover = [fit for fit in game.rules.tiling.fits("F2", game.board.cover("F2")) if fit.tile == tile]
        a.lay(game, "F2", tile, next(fit.rotation for fit in cover if fit.exits >> 5 & 1))
    a.floated(game, "OV", "ann")  # without a link to any of these tracks
    a.operating(game, "OV")
    assert "F2" not in a.offered(game, "lay_tile")
    a.operating(game, "RhE")
    (rotation,) = a.offered(game, "lay_tile", hex="F2", tile=brown)
    track = game.board.faces["F2"].track
    game.apply(mv.LayTile("ann", "RhE", "F2", brown, rotation))
    assert set(game.board.faces["F2"].track) == set(track)


@pytest.mark.rule("BL-8.3.3-e", "BL-8.3.3-f")
def test_track_stays_and_kinds_stay() -> None:
    game = turn(phase="3")
    a.lay(game, "C9", "57")
    assert all(fit.exits & 0b001001 == 0b001001 for fit in game.rules.tiling.fits("C9", game.board.cover("C9")))
    assert misfit(game, "C9", "14", 1) == "tile.kept"
    a.lay(game, "D2", "58", 0)
    assert misfit(game, "D2", "14") == "tile.kind"
    a.lay(game, "C1", "9")
    for tile in ("14", "87", "141"):
        assert not fits(game, "C1", tile)
    assert not any(fit.tile in ("87", "23") for fit in game.rules.tiling.fits("C9", game.board.cover("C9")))
    green = game.definition.tiles["14"].face.stops[0]
    assert green.slots > game.definition.tiles["57"].face.stops[0].slots


@pytest.mark.rule("BL-8.3.3-g")
def test_a_lettered_field_upgrades_to_its_letter_only() -> None:
    game = turn(phase="5")
    assert {fit.tile for fit in game.rules.tiling.fits("E1", None)} == {"D-green"}
    a.lay(game, "E1", "D-green")
    assert {fit.tile for fit in game.rules.tiling.fits("E1", game.board.cover("E1"))} == {"D-brown"}
    assert misfit(game, "E1", "63") == "tile.code"
    assert {fit.tile for fit in game.rules.tiling.fits("F6", None)} == {"W-green-1", "W-green-2"}
    assert {fit.tile for fit in game.rules.tiling.fits("O3", None)} == {"K-green-1", "K-green-2"}
    a.lay(game, "C9", "14")
    assert not any(fit.face.labels for fit in game.rules.tiling.fits("C9", game.board.cover("C9")))


@pytest.mark.rule("BL-8.3.3-h")
def test_a_replaced_tile_returns_and_an_exhausted_one_is_not_offered() -> None:
    game = turn(phase="3")
    a.lay(game, "C1", "9")
    a.operating(game, "RhE")
    before = game.state.board.supply["9"]
    choice = game.offer().find("lay_tile")
    fit = choice.fits("C1")[0]  # type: ignore[union-attr]
    game.apply(mv.LayTile("ann", "RhE", "C1", fit.tile, fit.rotation))
    assert game.state.board.supply["9"] == before + 1
    game = turn()
    game.state.board.supply["9"] = 0
    a.take_offer(game)
    assert "9" not in a.offered(game, "lay_tile", hex="C1")
    assert a.refused(game, mv.LayTile("ann", "RhE", "C1", "9", 0)).rule == "BL-8.3.3-h"


@pytest.mark.rule("BL-8.3.3-j", "BL-8.3.3-k", "BL-8.3.3-l")
@pytest.mark.parametrize("at", ["Q3", "C5"])
def test_the_p_fields(at: str) -> None:
    game = turn(phase="5")
    yellow = {fit.tile for fit in game.rules.tiling.fits(at, None)}
    assert yellow == {"5", "6", "57"}
    rotation = fits(game, at, "57")[0]
    a.lay(game, at, "57", rotation)
    green = {fit.tile for fit in game.rules.tiling.fits(at, game.board.cover(at))}
    assert green == {"14", "15", "619"}
    for tile in sorted(green):
        twin = game.copy()
        a.lay(twin, at, tile, fits(twin, at, tile)[0])
        brown = {fit.tile for fit in twin.rules.tiling.fits(at, twin.board.cover(at))}
        assert brown == {"1963"}
    a.lay(game, "C9", "57")
    a.lay(game, "C9", "14")
    assert not fits(game, "C9", "1963")
    assert fits(game, "C9", "611")


@pytest.mark.rule("BL-8.3.3-m")
def test_the_two_towns_of_a_yellow_tile_become_one_in_green() -> None:
    game = turn(phase="3")
    a.lay(game, "F2", "55", 2)
    assert len(game.board.faces["F2"].stops) == 2
    assert fits(game, "F2", "88")
    assert not fits(game, "F2", "141")
    a.lay(game, "F2", "88", fits(game, "F2", "88")[0])
    assert len(game.board.faces["F2"].stops) == 1
    a.lay(game, "D2", "58", 0)
    assert fits(game, "D2", "141")
    assert fits(game, "D2", "87")


# ---------------------------------------------------------------------- 8.4


@pytest.mark.rule("BL-8.4-a", "BL-8.4-b", "BL-8.4-c")
def test_home_free_then_forty_then_a_hundred_one_a_turn() -> None:
    game = a.after_package()
    a.floated(game, "WEG", "cy", operated=False)
    game.company("WEG").active = False
    before = game.state.cash["WEG"]
    game.rules.rounds["operating"].begin_turn(game, "WEG")  # type: ignore[attr-defined]
    assert game.company("WEG").active
    assert game.board.stations_of("WEG") == [("C9", 0)]
    assert game.state.cash["WEG"] == before
    assert [c.tokens for c in game.definition.corporations.values() if len(c.tokens) == 3] == [(0, 40, 100)] * 6
    assert game.definition.corporations["WEG"].tokens == (0, 40)


def stations() -> Game:
    """RhE in M5 with track to K3 and J4, both with a free place."""
    game = chain()
    a.lay(game, "J4", "57", 1)
    a.operating(game, "RhE", "station")
    return game


@pytest.mark.rule("BL-8.4-b", "BL-8.4-c", "BL-8.4-g")
def test_one_station_a_turn_over_an_open_link() -> None:
    game = stations()
    game.company("RhE").tokens_left = [40, 100]
    a.take_offer(game)
    assert a.offered(game, "place_station") == ["J4", "K3"]
    a.lay(game, "C11", "6", 0)  # a city with an empty place, to which no track of RhE leads
    assert a.refused(game, mv.PlaceStation("ann", "RhE", "C11", 0)).rule == "BL-8.4-g"
    before = game.state.cash["RhE"]
    game.apply(mv.PlaceStation("ann", "RhE", "K3", 0))
    assert game.state.cash["RhE"] == before - 40
    assert a.refused(game, mv.PlaceStation("ann", "RhE", "J4", 0)).rule == "BL-8.2-a"
    a.operating(game, "RhE", "station")
    game.apply(mv.PlaceStation("ann", "RhE", "J4", 0))
    assert game.state.cash["RhE"] == before - 140
    a.operating(game, "RhE", "station")
    assert "place_station" not in a.names(game)


@pytest.mark.rule("BL-8.2-f")
def test_who_let_a_private_be_is_asked_again_once_something_has_happened() -> None:
    game = stations()
    game.company("RhE").trains.clear()
    a.private(game, "EHG", "ann")
    a.operating(game, "RhE")
    game.apply(mv.Pass("ann"))
    assert (game.state.round.step, a.names(game)) == ("station", {"place_station", "buy_private", "pass"})
    game.apply(mv.PlaceStation("ann", "RhE", "K3", 0))
    assert (game.state.round.step, a.names(game)) == ("run", {"buy_private", "pass"})


@pytest.mark.rule("BL-8.4-a", "BL-8.4-b", "BL-8.4-c")
def test_in_its_first_turn_a_corporation_places_one_token_beside_the_home_token() -> None:
    """WEG acts for the first time; others have built from its home Hagen over B10 to Iserlohn."""
    game = a.after_package()
    a.floated(game, "WEG", "ann", operated=False)
    a.vehicles(game, "WEG", "2")
    game.company("WEG").active = False
    for at, tile, rotation in (("C9", "57", 1), ("B10", "58", 5), ("C11", "6", 0)):
        a.lay(game, at, tile, rotation)
    a.stock(game, "ann")
    a.walk(game, *(mv.Pass(player) for player in ("ann", "bo", "cy")))
    assert (game.state.round.actor, game.state.round.step) == ("WEG", "track")
    assert game.board.stations_of("WEG") == [("C9", 0)]
    assert game.state.cash["WEG"] == 1000
    game.apply(mv.Pass("ann"))
    assert a.offered(game, "place_station") == ["C11"]
    game.apply(mv.PlaceStation("ann", "WEG", "C11", 0))
    assert game.board.stations_of("WEG") == [("C9", 0), ("C11", 0)]
    assert game.state.cash["WEG"] == 960
    assert "place_station" not in a.names(game)


@pytest.mark.rule("BL-8.4-g")
def test_a_full_foreign_city_cuts_the_link_to_a_station() -> None:
    game = stations()
    a.station(game, "BME", "K3")
    a.operating(game, "RhE", "station")
    assert "place_station" not in a.names(game)
    assert not game.reach("RhE").reaches("J4", 0)


@pytest.mark.rule("BL-8.4-d", "BL-11-c")
def test_only_on_an_empty_station_place() -> None:
    game = stations()
    a.station(game, "BME", "J4")
    a.operating(game, "RhE", "station")
    assert a.offered(game, "place_station") == ["K3"]
    assert a.refused(game, mv.PlaceStation("ann", "RhE", "J4", 0)).rule == "BL-8.4-d"
    assert a.refused(game, mv.PlaceStation("ann", "RhE", "L4", 0)).rule == "BL-8.4-d"  # a town
    assert a.refused(game, mv.PlaceStation("ann", "RhE", "H6", 0)).rule == "BL-8.4-g"  # a city without a tile
    # R12 has one place
    game = turn("OV", step="station")
    a.lay(game, "N10", "57", 2)
    a.lay(game, "O11", "9", 2)
    AccessTokens.of(game).charters.append("OV")
    a.take_offer(game)
    assert game.reach("OV").reaches("R12", 0)  # through P12
    game.apply(mv.PlaceStation("ann", "OV", "R12", 0))
    assert game.board.spaces("R12", 0) == ["OV"]


@pytest.mark.rule("BL-8.4-e")
def test_no_second_token_of_a_corporation_on_a_hex() -> None:
    game = turn("DEE", phase="3", step="station")
    a.lay(game, "F6", "W-green-2", fits(game, "F6", "W-green-2")[0])
    a.operating(game, "DEE", "station")
    free = [stop for stop in range(2) if game.board.free_space("F6", stop)]
    assert free
    assert a.refused(game, mv.PlaceStation("ann", "DEE", "F6", free[0])).rule == "BL-8.4-e"


@pytest.mark.rule("BL-8.4-f")
def test_a_placed_token_stays_on_the_map_through_an_upgrade() -> None:
    game = turn(phase="3")
    assert game.state.board.stations["E1"][0][0] == "RhE"
    game.apply(mv.LayTile("ann", "RhE", "E1", "D-green", 0))
    assert "RhE" in game.state.board.stations["E1"][0]
    assert not any("remove" in choice.name or "move" in choice.name for choice in game.offer().choices)


@pytest.mark.rule("BL-8.4-h", "BL-8.4-i")
def test_the_home_place_is_kept_and_does_not_block() -> None:
    game = turn(phase="3")
    a.lay(game, "C9", "57")
    assert not game.board.free_space("C9", 0)
    assert game.board.open_for("RhE", "C9", 0)  # a route may run through
    a.lay(game, "C9", "14")
    assert game.state.board.stations["C9"] == [["WEG", ""]]
    assert game.board.free_space("C9", 0)
    a.station(game, "RhE", "C9")
    assert not game.board.free_space("C9", 0)
    a.floated(game, "WEG", "bo", operated=False)
    game.company("WEG").active = False
    a.floated(game, "BME", "bo")
    a.take_offer(game)
    assert not game.board.free_space("C9", 0)  # still kept after the float
    assert game.board.open_for("BME", "C9", 0)
    game.company("WEG").active = True
    assert not game.board.open_for("BME", "C9", 0)


@pytest.mark.rule("BL-8.4-a", "BL-8.4-i")
def test_the_home_token_blocks_from_the_first_turn_of_its_corporation_on() -> None:
    """BME in Iserlohn: over B10 and Hagen (C9, WEG's home) its track leads to D8."""
    game = a.after_package()
    for company in ("WEG", "BME"):
        a.floated(game, company, "ann", operated=False)
    game.company("WEG").active = False
    for at, tile, rotation in (("C9", "57", 1), ("B10", "58", 5), ("C11", "6", 0)):
        a.lay(game, at, tile, rotation)
    a.station(game, "BME", "C11")
    assert game.reach("BME").touches("D8", 1 << 1)
    game.rules.rounds["operating"].begin_turn(game, "WEG")  # type: ignore[attr-defined]
    assert not game.reach("BME").touches("D8", 1 << 1)


@pytest.mark.rule("BL-8.4-a", "BL-8.3.1-c")
def test_the_first_tile_of_a_corporation_goes_on_its_empty_home() -> None:
    game = turn("OV", first=True)
    assert a.offered(game, "lay_tile") == ["N10"]
    game.apply(mv.LayTile("ann", "OV", "N10", "57", 0))
    assert set(a.offered(game, "lay_tile")) == {"L10", "P10"}


@pytest.mark.rule("BL-11-b")
def test_access_does_not_reverse_at_a_junction() -> None:
    game = turn(phase="3")
    a.lay(game, "C1", "24", 3)  # its two tracks meet on one side; from E1 a train cannot turn into the other
    face = game.board.faces["C1"]
    leads = set(face.links[3])
    reach = game.reach("RhE")
    for edge in range(6):
        other = game.definition.map.neighbours["C1"][edge]
        if other in (None, "E1") or not face.exits >> edge & 1:
            continue
        arrives = bool(reach.touched.get(other, 0) & 1 << (edge + 3) % 6)
        assert arrives == (edge in leads), edge
