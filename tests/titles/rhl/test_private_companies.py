"""Private companies: limits, revenue, closing, and each one's function."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.state import ASIDE, BANK, OFFERING, POOL
from tests.titles.arranging import asked, passing, walk
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.arrange import again, turn
from tests.titles.rhl.asking import facts, of_kind, paid, pass_until, permits, values
from tests.titles.rhl.lines import build
from titles.rhineland.link import LinkBuilt

ALL = ("PWB", "KEO", "THS", "TF", "NLK")
MOUNTAINS = ["D13", "E12", "E14", "F11", "F13", "G12", "G14", "H13", "I12", "I14", "J13", "K2", "K12"]


# ---------------------------------------------------------------------- 4.1


@pytest.mark.rule("RHL-4.1-a")
def test_privates_are_neither_sold_nor_bought_nor_closed_after_the_first_stock_round() -> None:
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann")
    arrange.stock(game, "ann")
    assert arrange.names(game) <= {"sell_shares", "buy_share", "found", "pass"}
    assert set(values(game, "sell_shares")).isdisjoint(ALL)
    for move, rule in (
        (mv.SellShares("ann", "PWB", 100), ""),  # there is no such company
        (mv.SellShares("ann", "PWB", 10), ""),
        (mv.BuyLot("ann", "THS"), "RHL-5-a"),
        (mv.Bid("ann", "THS", 100), "RHL-5-a"),
    ):
        assert arrange.refused(game, move).rule == rule
    kinds = set(arrange.names(game))
    arrange.operating(game, "ADR")
    for step in ("track", "station", "trains"):
        again(game, "ADR", step)
        kinds |= arrange.names(game)
        assert arrange.refused(game, mv.SellShares("ann", "PWB", 10)).rule == "RHL-6.2-a"
    assert kinds <= {"sell_shares", "buy_share", "found", "pass", "lay_tile", "place_station", "buy_train"}
    assert [game.state.privates[lot] for lot in ALL] == ["ann", "ann", "bo", "bo", "cy"]


@pytest.mark.rule("RHL-4.1-b", "RHL-5.2.2-a")
@pytest.mark.parametrize(("privates", "allowed"), [((), True), (("PWB",), True), (("PWB", "KEO"), False)])
def test_each_private_counts_as_one_certificate(privates: tuple[str, ...], allowed: bool) -> None:
    game = arrange.after_package(buyers=dict.fromkeys(ALL, "cy") | dict.fromkeys(privates, "ann"))
    for company in ("ADR", "BME"):
        arrange.founded(game, company, "ann", par=60)
        arrange.hand(game, company, "ann", 80)
    arrange.founded(game, "DEE", "bo", par=60)
    arrange.stock(game, "ann")
    # 18 stock certificates and the privates; the limit is 20.
    assert shares.certificates(game, "ann") == 18 + len(privates)
    move = mv.BuyShare("ann", "DEE", OFFERING, 10)
    if allowed:
        game.apply(move)
        assert shares.held(game, "DEE", "ann") == 10
    else:
        assert arrange.refused(game, move).rule == "RHL-5.2.2-b"


@pytest.mark.rule("RHL-4.1-c")
def test_every_private_pays_its_owner_at_the_start_of_each_operating_round() -> None:
    game = arrange.after_package()
    happened = passing(game, *[asked(game), "bo", "cy"])
    assert ev.RoundBegan("operating", 1, 1) in happened
    assert paid(happened, BANK, "ann") == 5 + 0
    assert paid(happened, BANK, "bo") == 15 + 20
    assert paid(happened, BANK, "cy") == 25
    payments = {event.about or event.reason: event.amount for event in of_kind(happened, ev.Paid)}
    assert payments["TF"] == 20
    begun = happened.index(ev.RoundBegan("operating", 1, 1))
    first_turn = next(n for n, event in enumerate(happened) if isinstance(event, ev.TurnBegan))
    assert all(begun < n < first_turn for n, event in enumerate(happened) if isinstance(event, ev.Paid))


@pytest.mark.rule("RHL-4.1-c")
def test_privates_pay_in_every_round_of_a_set() -> None:
    game = arrange.after_package()
    arrange.phase(game, "3")
    arrange.operating(game, "RhE", number=1, total=2)
    happened = pass_until(game, "operating")
    assert ev.RoundBegan("operating", 1, 2) in happened
    assert paid(happened, BANK, "bo") == 35


@pytest.mark.rule("RHL-4.1-d")
def test_an_owner_without_a_directorship_cannot_use_a_function() -> None:
    game = arrange.after_package()
    arrange.phase(game, "3")
    arrange.operating(game, "RhE")  # cy is director, bo owns THS and TF, ann PWB and KEO
    assert permits(game) == {""}
    assert asked(game) == "cy"
    assert arrange.refused(game, mv.LayTile("cy", "RhE", "F11", "9", 0, "THS")).rule == "RHL-4.1-d"
    assert arrange.refused(game, mv.LayTile("bo", "RhE", "F11", "9", 0, "THS")).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-4.1-d")
def test_a_function_is_for_the_company_that_operates() -> None:
    game = turn("ADR", "cy", "THS")
    assert arrange.refused(game, mv.LayTile("cy", "RhE", "F11", "9", 0, "THS")).rule == "RHL-6.2-a"
    game.apply(mv.LayTile("cy", "ADR", "F11", "9", 0, "THS"))
    assert game.state.board.tiles["F11"] == ("9", 0)


@pytest.mark.rule("RHL-4.1-d")
def test_a_function_is_used_once_and_the_private_stays_and_pays() -> None:
    game = turn("ADR", "ann", "THS")
    happened = game.apply(mv.LayTile("ann", "ADR", "F11", "9", 0, "THS"))
    assert of_kind(happened, ev.PrivateClosed) == []
    assert "THS" not in permits(game)
    again(game, "ADR")
    assert "THS" not in permits(game)
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "H13", "9", 0, "THS")).rule == "RHL-4.1-d"
    arrange.floated(game, "BME", "ann")
    arrange.operating(game, "BME")
    assert "THS" not in permits(game)
    assert game.state.privates["THS"] == "ann"
    before = game.state.cash["ann"]
    arrange.operating(game, "ADR")  # a round begins
    assert game.state.cash["ann"] - before == 15


@pytest.mark.rule("RHL-4.1-e")
@pytest.mark.parametrize(("private", "at", "tile"), [("KEO", "E8", "935"), ("TF", "D9", "925")])
def test_a_granted_station_is_the_only_one_of_the_turn(private: str, at: str, tile: str) -> None:
    game = turn("ADR", "ann", private, phase_="3")
    arrange.lay(game, "K4", "4", 1)  # a route to Düren
    game.apply(mv.LayTile("ann", "ADR", at, tile, 0, private))
    game.apply(mv.PlaceStation("ann", "ADR", at, 0, private))
    if game.state.round.step == "track":
        passing(game, "ann")
    assert game.state.round.step == "trains"
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "K6", 0)).rule == "RHL-6.2-a"
    again(game, "ADR", "station")
    game.apply(mv.PlaceStation("ann", "ADR", "K6", 0))


@pytest.mark.rule("RHL-4.1-e")
def test_a_granted_station_that_is_declined_was_the_only_opportunity_of_the_turn() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    arrange.lay(game, "K4", "4", 1)  # a route to Düren
    game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    passing(game, "ann")
    assert game.state.round.step == "trains"
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "K6", 0)).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-4.1-f", "RHL-4.1.1-d")
def test_the_first_5_train_closes_all_privates() -> None:
    game = arrange.after_package()
    arrange.phase(game, "4")
    game.state.depot.left["4"] = 0
    arrange.cash(game, "RhE", 1000)
    arrange.operating(game, "RhE", "trains", number=1, total=2)
    assert all(owner in game.state.seats for lot, owner in game.state.privates.items() if lot in ALL)
    happened = game.apply(mv.BuyTrain("cy", "RhE", "5", BANK, 500))
    assert {event.private for event in of_kind(happened, ev.PrivateClosed)} == set(ALL)
    assert [shares.certificates(game, player) for player in game.state.seats] == [0, 0, 2]
    # "No. 6" was a share and stays one; so does the certificate that came with no. 5.
    assert shares.numbers(game, "RhE", "cy") == [0]
    assert shares.numbers(game, "GVE", "cy") == [1]
    happened = pass_until(game, "operating")
    assert of_kind(happened, ev.Paid) == []


# ---------------------------------------------------------------------- no. 1: PWB


@pytest.mark.rule("RHL-4.1.1-a", "RHL-4.1.1-c")
def test_functions_need_no_route() -> None:
    game = turn("ADR", "ann", "PWB", "THS", "TF", "KEO", phase_="3")
    assert permits(game) == {"", "PWB", "THS", "TF", "KEO"}
    assert set(values(game, "lay_tile", private="")) <= {"J3", "K2", "K4"}
    assert values(game, "lay_tile", private="PWB") == ["E14"]
    assert values(game, "lay_tile", private="KEO") == ["E8"]
    assert sorted(values(game, "lay_tile", private="TF")) == ["D9", "F9", "I10"]
    assert sorted(values(game, "lay_tile", private="THS")) == sorted(MOUNTAINS)
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "F11", "9", 0)).rule == "RHL-6.2.1-a"
    game.apply(mv.LayTile("ann", "ADR", "F11", "9", 0, "THS"))


@pytest.mark.rule("RHL-4.1.1-b")
def test_e14_is_closed_to_all_but_the_owner_until_its_first_tile() -> None:
    game = turn("BME", "ann", "THS")  # bo owns PWB; a route of BME leads to E14
    assert values(game, "lay_tile", private="") == ["G14"]
    assert arrange.refused(game, mv.LayTile("ann", "BME", "E14", "9", 0)).rule == "RHL-4.1.1-b"
    assert "E14" not in values(game, "lay_tile", private="THS")
    assert arrange.refused(game, mv.LayTile("ann", "BME", "E14", "9", 0, "THS")).rule == "RHL-4.1.1-b"
    assert "PWB" not in permits(game)
    arrange.lay(game, "E14", "9", 0)
    arrange.phase(game, "3")
    again(game, "BME")
    game.apply(mv.LayTile("ann", "BME", "E14", "24", 3))
    assert game.state.board.tiles["E14"] == ("24", 3)


@pytest.mark.rule("RHL-4.1.1-b")
def test_who_owns_both_may_use_private_no_3_on_e14() -> None:
    game = turn("ADR", "ann", "PWB", "THS")
    game.apply(mv.LayTile("ann", "ADR", "E14", "9", 0, "THS"))
    assert game.state.cash["ADR"] == 1000


@pytest.mark.rule("RHL-4.1.1-c")
@pytest.mark.parametrize("first", ["PWB", ""])
def test_the_owner_lays_e14_besides_the_normal_tile_and_pays_30(first: str) -> None:
    game = turn("ADR", "ann", "PWB")
    lays = {"PWB": mv.LayTile("ann", "ADR", "E14", "9", 0, "PWB"), "": mv.LayTile("ann", "ADR", "K4", "4", 1)}
    game.apply(lays.pop(first))
    (second,) = lays.values()
    game.apply(second)
    assert set(game.state.board.tiles) == {"E14", "K4"}
    assert game.state.cash["ADR"] == 970
    assert game.state.round.step != "track"


@pytest.mark.rule("RHL-4.1.1-c")
def test_with_a_route_the_owner_may_use_the_ordinary_lay_for_e14() -> None:
    game = turn("BME", "ann", "PWB")  # a route of BME leads to E14
    assert "E14" in values(game, "lay_tile", private="")
    game.apply(mv.LayTile("ann", "BME", "E14", "9", 0))
    assert game.state.cash["BME"] == 970
    assert permits(game) <= {"", "PWB"}
    assert arrange.refused(game, mv.LayTile("ann", "BME", "E14", "9", 0, "PWB")).rule.startswith("RHL-")


@pytest.mark.rule("RHL-4.1.1-c")
def test_the_terrain_of_e14_must_be_paid() -> None:
    game = turn("ADR", "ann", "PWB", treasury=29)
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E14", "9", 0, "PWB")).rule == "RHL-6.2.1-i"


@pytest.mark.rule("RHL-4.1.1-d")
def test_an_upgrade_of_e14_is_an_ordinary_one() -> None:
    game = turn("ADR", "ann", "PWB", phase_="3")
    arrange.lay(game, "E14", "9", 0)
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E14", "24", 3, "PWB")).rule == "RHL-4.1-d"
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E14", "24", 3)).rule == "RHL-6.2.1.1-b"


@pytest.mark.rule("RHL-4.1.1-d")
def test_the_block_of_e14_ends_with_the_first_5_train() -> None:
    game = turn("BME", "ann")
    assert "E14" not in values(game, "lay_tile")
    arrange.phase(game, "5")
    again(game, "BME")
    game.apply(mv.LayTile("ann", "BME", "E14", "9", 0))
    assert game.state.cash["BME"] == 970


# ---------------------------------------------------------------------- no. 2: tile 935


@pytest.mark.rule("RHL-4.1.1-e")
def test_tile_935_cannot_be_laid_in_yellow() -> None:
    game = turn("ADR", "ann", "KEO")
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-e")
def test_private_no_2_lays_no_tile_but_935() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E8", "56", 2, "KEO")).rule == "RHL-4.1-d"
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "F11", "935", 0, "KEO")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-e")
@pytest.mark.parametrize("phase", ["3", "4"])
@pytest.mark.parametrize("cover", [(), ("56",), ("56", "87")])
def test_tile_935_goes_over_any_tile_or_none_from_green_on(phase: str, cover: tuple[str, ...]) -> None:
    game = turn("ADR", "ann", "KEO", phase_=phase)
    for tile in cover:
        arrange.lay(game, "E8", tile, 2)
    supply = dict(game.state.board.supply)
    game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    assert game.state.board.tiles["E8"] == ("935", 0)
    assert game.state.cash["ADR"] == 1000
    for tile in cover[-1:]:
        assert game.state.board.supply[tile] == supply[tile] + 1


#: A lay of ADR in green, the normal one or by a private company.
OTHER_LAYS = [
    mv.LayTile("ann", "ADR", "K4", "4", 1),
    mv.LayTile("ann", "ADR", "K2", "930", 0),
    mv.LayTile("ann", "ADR", "E14", "9", 0, "PWB"),
    mv.LayTile("ann", "ADR", "F11", "9", 0, "THS"),
    mv.LayTile("ann", "ADR", "F9", "921", 0, "TF"),
]


@pytest.mark.rule("RHL-4.1.1-f")
@pytest.mark.parametrize("lay", OTHER_LAYS)
@pytest.mark.parametrize("with_station", [True, False])
def test_no_other_tile_after_935_though_it_was_legal_before(lay: mv.LayTile, with_station: bool) -> None:
    game = turn("ADR", "ann", "PWB", "KEO", "THS", "TF", phase_="3")
    game.copy().apply(lay)
    game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    assert "lay_tile" not in arrange.names(game)
    assert arrange.refused(game, lay).rule == "RHL-6.2-a"
    game.apply(mv.PlaceStation("ann", "ADR", "E8", 0, "KEO") if with_station else mv.Pass("ann"))
    assert "lay_tile" not in arrange.names(game)
    assert arrange.refused(game, lay).rule == "RHL-6.2-a"
    again(game, "ADR")
    game.apply(lay)  # in the next turn it is legal again


@pytest.mark.rule("RHL-4.1.1-f")
@pytest.mark.parametrize("lay", OTHER_LAYS)
def test_935_is_not_laid_after_another_tile(lay: mv.LayTile) -> None:
    game = turn("ADR", "ann", "PWB", "KEO", "THS", "TF", phase_="3")
    game.apply(lay)
    if game.state.pauses:
        passing(game, "ann")
    assert game.state.round.step == "track"
    assert "KEO" not in permits(game)
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-g")
def test_the_cheapest_station_goes_on_e8_for_nothing() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3", treasury=0)
    game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    assert arrange.names(game) == {"place_station", "pass"}
    assert facts(game, "place_station", 0) == {"hex": "E8", "cost": 0}
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "K6", 0, "KEO")).rule == "RHL-4.1-d"
    game.apply(mv.PlaceStation("ann", "ADR", "E8", 0, "KEO"))
    assert game.board.spaces("E8", 0) == ["ADR"]
    assert game.company("ADR").tokens_left == [80]
    assert game.state.cash["ADR"] == 0


@pytest.mark.rule("RHL-4.1.1-h")
def test_a_later_station_on_e8_costs_its_price_and_needs_a_route() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    walk(game, mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"), mv.Pass("ann"))
    again(game, "ADR", "station")
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "E8", 0)).rule == "RHL-6.2.2-e"
    arrange.station(game, "ADR", "D9", 0)  # its track leads to E8
    again(game, "ADR", "station")
    game.apply(mv.PlaceStation("ann", "ADR", "E8", 0))
    assert game.state.cash["ADR"] == 1000 - 80


@pytest.mark.rule("RHL-4.1.1-h")
def test_without_a_free_station_any_company_may_use_the_space_on_e8() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    walk(game, mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"), mv.Pass("ann"))
    arrange.floated(game, "DEE", "bo")
    arrange.lay(game, "D9", "925")
    arrange.lay(game, "F9", "922")
    arrange.operating(game, "DEE", "station")
    game.apply(mv.PlaceStation("bo", "DEE", "E8", 0))
    assert game.state.cash["DEE"] == 1000 - 60


@pytest.mark.rule("RHL-4.1.1-h")
def test_the_free_station_fills_the_space_on_e8() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    game.apply(mv.PlaceStation("ann", "ADR", "E8", 0, "KEO"))
    arrange.floated(game, "DEE", "bo")
    arrange.lay(game, "F9", "922")
    arrange.operating(game, "DEE", "station")
    assert arrange.refused(game, mv.PlaceStation("bo", "DEE", "E8", 0)).rule == "RHL-6.2.2-a"


@pytest.mark.rule("RHL-4.1.1-i")
def test_private_no_2_is_discarded_when_used() -> None:
    game = turn("ADR", "ann", "KEO", phase_="3")
    before = shares.certificates(game, "ann")
    happened = game.apply(mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO"))
    assert of_kind(happened, ev.PrivateClosed) == [ev.PrivateClosed("KEO", "ann")]
    assert shares.certificates(game, "ann") == before - 1


@pytest.mark.rule("RHL-4.1.1-i")
def test_935_cannot_be_laid_any_more_in_brown() -> None:
    game = turn("ADR", "ann", "KEO", phase_="5")
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO")).rule == "RHL-4.1-d"


# ---------------------------------------------------------------------- no. 3: mountains


@pytest.mark.rule("RHL-4.1.1-j")
@pytest.mark.parametrize("first", ["THS", ""])
def test_a_tile_on_a_mountain_is_free_and_additional(first: str) -> None:
    game = turn("ADR", "ann", "THS")
    lays = {"THS": mv.LayTile("ann", "ADR", "F11", "9", 0, "THS"), "": mv.LayTile("ann", "ADR", "K4", "4", 1)}
    game.apply(lays.pop(first))
    (second,) = lays.values()
    game.apply(second)
    assert set(game.state.board.tiles) == {"F11", "K4"}
    assert game.state.cash["ADR"] == 1000


@pytest.mark.rule("RHL-4.1.1-j")
@pytest.mark.parametrize(("at", "tile"), [("I14", "24"), ("K2", "930")])
def test_private_no_3_also_upgrades(at: str, tile: str) -> None:
    game = turn("BME", "ann", "THS", phase_="3", treasury=0)
    game.apply(mv.LayTile("ann", "BME", at, tile, 0, "THS"))
    assert game.state.board.tiles[at] == (tile, 0)
    assert game.state.cash["BME"] == 0


@pytest.mark.rule("RHL-4.1.1-j")
def test_private_no_3_lays_on_mountains_only_and_in_colours_of_the_phase() -> None:
    game = turn("ADR", "ann", "THS")
    assert sorted(values(game, "lay_tile", private="THS")) == sorted(
        set(MOUNTAINS) - {"E14", "F13", "I14", "K2"}  # closed, or printed in yellow
    )
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "K4", "4", 1, "THS")).rule == "RHL-4.1-d"
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "K2", "930", 0, "THS")).rule == "RHL-6.2.1.1-a"


@pytest.mark.rule("RHL-4.1.1-j")
def test_private_no_3_does_not_upgrade_a_tile_without_a_mountain() -> None:
    """The tiles on F11, I12 and F13 show no mountain; the printed yellow hexes I14 and K2 do."""
    game = turn("ADR", "ann", "THS", phase_="3")
    arrange.lay(game, "F11", "9", 0)
    arrange.lay(game, "I12", "58", 3)
    arrange.lay(game, "F13", "934", 2)
    hidden = {"F11", "I12", "F13"}
    assert set(values(game, "lay_tile", private="THS")) == set(MOUNTAINS) - hidden - {"E14"}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "F11", "20", 0, "THS")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-k")
def test_a_station_on_a_city_laid_by_no_3_needs_a_route() -> None:
    game = turn("ADR", "ann", "THS")
    walk(game, mv.LayTile("ann", "ADR", "D13", "201", 1, "THS"), mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert game.state.round.step == "station"
    assert values(game, "place_station") == ["K6"]
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0)).rule == "RHL-6.2.2-e"
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "THS")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-k")
def test_a_station_on_a_city_laid_by_no_3_costs_its_full_price() -> None:
    game = turn("BME", "ann", "THS")
    arrange.lay(game, "E14", "8", 3)  # Barmen – Essen
    walk(game, mv.LayTile("ann", "BME", "D13", "201", 1, "THS"), mv.Pass("ann"))
    game.apply(mv.PlaceStation("ann", "BME", "D13", 0))
    assert game.state.cash["BME"] == 1000 - 60


# ---------------------------------------------------------------------- no. 4: Train Ferry


@pytest.mark.rule("RHL-4.1.1-l")
@pytest.mark.parametrize(("at", "tile"), [("I10", "924"), ("F9", "921"), ("D9", "925")])
def test_a_yellow_metropolis_is_upgraded_free_and_in_addition(at: str, tile: str) -> None:
    game = turn("ADR", "ann", "TF", phase_="3", treasury=0)
    game.apply(mv.LayTile("ann", "ADR", at, tile, 0, "TF"))
    assert game.state.cash["ADR"] == 0
    game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert set(game.state.board.tiles) == {at, "K4"}


@pytest.mark.rule("RHL-4.1.1-l")
def test_no_metropolis_before_green_tiles_and_none_that_is_green() -> None:
    game = turn("ADR", "ann", "TF")
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "D9", "925", 0, "TF")).rule == "RHL-4.1-d"
    arrange.phase(game, "3")
    arrange.lay(game, "D9", "925")
    again(game, "ADR")
    assert sorted(values(game, "lay_tile", private="TF")) == ["F9", "I10"]
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "D9", "926", 0, "TF")).rule == "RHL-4.1-d"
    for at, tile in (("F9", "921"), ("I10", "924")):
        arrange.lay(game, at, tile)
    again(game, "ADR")
    assert permits(game) == {""}


@pytest.mark.rule("RHL-4.1.1-m", "RHL-4.2.2-d")
@pytest.mark.parametrize("stop", [0, 1])
def test_mkb_places_a_station_in_duisburg_at_full_price_without_a_route(stop: int) -> None:
    game = turn("MKB", "ann", "TF", phase_="3")
    game.apply(mv.LayTile("ann", "MKB", "D9", "925", 0, "TF"))
    assert values(game, "place_station") == [0, 1]
    assert facts(game, "place_station", stop) == {"hex": "D9", "cost": 60}
    game.apply(mv.PlaceStation("ann", "MKB", "D9", stop, "TF"))
    assert "MKB" in game.board.spaces("D9", stop)
    assert game.state.cash["MKB"] == 940


@pytest.mark.rule("RHL-4.1.1-m", "RHL-4.1.1-q")
def test_money_for_the_link_pays_for_the_station_of_the_ferry() -> None:
    """RhE has nothing; Düsseldorf's left bank joins Köln over Krefeld to Düren and Aachen."""
    game = turn("RhE", "cy", "TF", phase_="3", treasury=0)
    for at, tile, ways in (
        ("H9", "4", "NW-SE"),
        ("G8", "8", "NE-SE"),
        ("E8", "56", "SE-W"),
        ("E6", "202", "E-SW"),
        ("F5", "56", "NE-SE"),
        ("G6", "941", "SE-NW"),
        ("H7", "8", "SW-NW"),
        ("I6", "58", "NE-SE"),
        ("J7", "8", "SW-NW"),
        ("K6", "15", "NE-W"),
        ("K4", "4", "W-E"),
    ):
        lines.build(game, at, tile, ways)
    game.apply(mv.LayTile("cy", "RhE", "F9", "922", 0, "TF"))
    assert game.state.cash["RhE"] == 210
    game.apply(mv.PlaceStation("cy", "RhE", "F9", 0, "TF"))
    assert game.state.cash["RhE"] == 150


@pytest.mark.rule("RHL-4.1.1-l", "RHL-4.1.1-m")
def test_the_normal_tile_may_follow_from_the_new_station() -> None:
    game = turn("ADR", "ann", "TF", phase_="3")
    game.apply(mv.LayTile("ann", "ADR", "D9", "925", 0, "TF"))
    assert not game.reach("ADR").reaches("D9", 0)
    game.apply(mv.PlaceStation("ann", "ADR", "D9", 0, "TF"))
    assert game.reach("ADR").reaches("D9", 0)
    assert "E8" in values(game, "lay_tile", private="")


@pytest.mark.rule("RHL-4.1.1-m")
def test_a_later_station_in_duisburg_needs_a_route() -> None:
    game = turn("MKB", "ann", "TF", phase_="3")
    walk(game, mv.LayTile("ann", "MKB", "D9", "925", 0, "TF"), mv.Pass("ann"))
    again(game, "MKB", "station")
    for stop in (0, 1):
        assert arrange.refused(game, mv.PlaceStation("ann", "MKB", "D9", stop)).rule == "RHL-6.2.2-e"


@pytest.mark.rule("RHL-4.1.1-m")
def test_the_station_in_a_metropolis_goes_on_a_free_space_only() -> None:
    game = turn("MKB", "ann", "TF", phase_="3")
    arrange.floated(game, "BME", "bo")
    arrange.station(game, "BME", "D9", 0)
    arrange.operating(game, "MKB")
    game.apply(mv.LayTile("ann", "MKB", "D9", "925", 0, "TF"))
    assert values(game, "place_station") == [1]
    assert arrange.refused(game, mv.PlaceStation("ann", "MKB", "D9", 0, "TF")).rule == "RHL-6.2.2-a"
    game.apply(mv.PlaceStation("ann", "MKB", "D9", 1, "TF"))


@pytest.mark.rule("RHL-4.1.1-m", "RHL-6.2.2-g")
def test_a_company_with_a_station_in_the_metropolis_gets_no_second_one() -> None:
    game = turn("DEE", "ann", "TF", phase_="3")
    game.apply(mv.LayTile("ann", "DEE", "F9", "921", 0, "TF"))
    assert "" in game.board.spaces("F9", 0)
    assert "place_station" not in arrange.names(game)


@pytest.mark.rule("RHL-4.1.1-g", "RHL-4.1.1-m")
@pytest.mark.parametrize(("private", "at", "tile"), [("KEO", "E8", "935"), ("TF", "D9", "925")])
def test_no_station_is_granted_to_a_company_that_has_none_left(private: str, at: str, tile: str) -> None:
    game = turn("ADR", "ann", private, phase_="3")
    game.company("ADR").tokens_left.clear()
    arrange.take_offer(game)
    game.apply(mv.LayTile("ann", "ADR", at, tile, 0, private))
    assert game.state.board.tiles[at] == (tile, 0)
    assert "place_station" not in arrange.names(game)


@pytest.mark.rule("RHL-4.1.1-m")
def test_the_station_in_a_metropolis_needs_its_price_and_a_free_space() -> None:
    for treasury in (59, 60):
        poor = turn("MKB", "ann", "TF", phase_="3", treasury=treasury)
        poor.apply(mv.LayTile("ann", "MKB", "D9", "925", 0, "TF"))
        assert ("place_station" in arrange.names(poor)) == (treasury == 60)
    full = turn("MKB", "ann", "TF", phase_="3")
    full.apply(mv.LayTile("ann", "MKB", "I10", "924", 0, "TF"))  # three homes
    assert "place_station" not in arrange.names(full)


# ---------------------------------------------------------------------- nos. 5 and 6


@pytest.mark.rule("RHL-4.1.1-n")
def test_the_buyer_of_no_5_gets_a_share_of_gve_at_once() -> None:
    game = arrange.new()
    lots = (("ann", "PWB"), ("bo", "KEO"), ("cy", "THS"), ("ann", "TF"))
    walk(game, *(mv.BuyLot(player, lot) for player, lot in lots))
    assert shares.player_share(game, "GVE") == 0
    happened = game.apply(mv.BuyLot("bo", "NLK"))
    assert shares.numbers(game, "GVE", "bo") == [1]
    assert paid(happened, "bo", BANK) == 120
    assert not game.company("GVE").director


@pytest.mark.rule("RHL-4.1.1-n")
def test_no_5_has_no_function() -> None:
    game = turn("ADR", "ann", "NLK", phase_="3")
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "F11", "9", 0, "NLK")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-4.1.1-o", "RHL-4.1.1-p")
def test_rhe_floats_with_its_directors_certificate_and_rises_to_75() -> None:
    game = arrange.after_package()
    company = game.company("RhE")
    assert company.floated
    assert company.director == "cy"
    assert company.par == 70
    assert company.price == (1, 1)
    assert game.prices.value("RhE") == 75
    assert game.state.cash["RhE"] == 140
    assert [shares.held(game, "RhE", holder) for holder in ("cy", "RhE", POOL)] == [20, 50, 30]
    assert shares.certificates(game, "cy") == 3  # with NLK and its GVE share


@pytest.mark.rule("RHL-4.1.1-q")
def test_rhe_gets_210_when_another_company_closes_the_link() -> None:
    game = turn("ADR", "ann")
    arrange.lay(game, "J9", "9", 0)
    arrange.lay(game, "K8", "8", 4)
    assert game.state.cash[ASIDE] == 210
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert of_kind(happened, LinkBuilt) == [LinkBuilt("RhE", "I10–K6–K2", 210)]
    assert game.state.cash["RhE"] == 140 + 210
    assert game.state.cash[ASIDE] == 0
    arrange.phase(game, "3")
    again(game, "ADR")
    happened = game.apply(mv.LayTile("ann", "ADR", "K2", "930", 0))
    assert of_kind(happened, LinkBuilt) == []
    assert game.state.cash["RhE"] == 350


@pytest.mark.rule("RHL-4.1.1-q")
def test_the_second_tile_of_a_turn_closes_the_link_too() -> None:
    game = turn("ADR", "ann", "PWB")
    arrange.lay(game, "J9", "9", 0)
    arrange.lay(game, "K8", "8", 4)
    happened = game.apply(mv.LayTile("ann", "ADR", "E14", "9", 0, "PWB"))
    assert of_kind(happened, LinkBuilt) == []
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert of_kind(happened, LinkBuilt) == [LinkBuilt("RhE", "I10–K6–K2", 210)]


@pytest.mark.rule("RHL-4.1.1-q")
def test_track_from_köln_to_aachen_past_düren_earns_nothing() -> None:
    game = turn("ADR", "ann")
    arrange.lay(game, "J9", "8", 4)
    arrange.lay(game, "J7", "9", 1)
    arrange.lay(game, "J5", "9", 1)
    happened = game.apply(mv.LayTile("ann", "ADR", "J3", "56", 0))  # Aachen – J3 – J5 – J7 – J9 – Köln
    assert game.tracks([("K2", 0)]).reaches("I10", 0)
    assert of_kind(happened, LinkBuilt) == []
    assert game.state.cash["RhE"] == 140


@pytest.mark.rule("RHL-4.1.1-q")
@pytest.mark.parametrize("tiles", [(), ("923",), ("923", "928")])
def test_the_link_may_begin_at_either_left_bank_circle_and_at_the_merged_city(tiles: tuple[str, ...]) -> None:
    """Ruling 36: here from the northern circle, over H9, I8, J9 and K8."""
    game = turn("ADR", "ann")
    for at, tile, ways in (("H9", "3", "SW-SE"), ("I8", "8", "NE-SE"), ("J9", "8", "NW-SW"), ("K8", "8", "NE-W")):
        build(game, at, tile, ways)
    for tile in tiles:
        build(game, "I10", tile, "NW")
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert of_kind(happened, LinkBuilt) == [LinkBuilt("RhE", "I10–K6–K2", 210)]


@pytest.mark.rule("RHL-4.1.1-q")
def test_a_link_from_deutz_earns_nothing() -> None:
    """Ruling 36: the right bank does not count, though a ferry in Düsseldorf joins it to Aachen."""
    game = turn("ADR", "ann")
    for at, tile, ways in (
        ("H11", "8", "SW-NW"), ("G10", "2", "NW-SE"), ("F9", "921", "NE"), ("G8", "9", "NE-SW"), ("H7", "9", "NE-SW"),
        ("I6", "58", "NE-SE"), ("J7", "9", "NW-SE"), ("K8", "7", "NW-W"),
    ):  # fmt: skip
        build(game, at, tile, ways)
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert game.tracks([("K2", 0)]).reaches("I10", 2)
    assert of_kind(happened, LinkBuilt) == []


@pytest.mark.rule("RHL-4.1.1-q")
def test_a_link_that_only_turns_off_to_düren_earns_nothing() -> None:
    """Köln and Aachen are both reached from Düren by its one track to the east: no way leads through it."""
    game = turn("ADR", "ann")
    build(game, "J9", "9", "NE-SW")
    for at, tile, ways in (
        ("J9", "24", ("SW-NW", "SW-NE")), ("K8", "8", ("NE-W",)), ("I8", "8", ("SE-W",)), ("I6", "58", ("E-SW",)),
        ("J5", "8", ("NE-W",)),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    happened = game.apply(mv.LayTile("ann", "ADR", "J3", "56", 0))
    reached = game.tracks([("K6", 0)])
    assert reached.reaches("K2", 0)
    assert reached.reaches("I10", 0)
    assert of_kind(happened, LinkBuilt) == []


@pytest.mark.rule("RHL-4.1.1-q")
def test_a_link_that_ends_in_düren_earns_nothing_yet() -> None:
    game = turn("ADR", "ann")
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert of_kind(happened, LinkBuilt) == []


@pytest.mark.rule("RHL-4.1.1-q")
def test_in_the_earlier_edition_the_link_pays_three_times_the_starting_price() -> None:
    game = arrange.new(edition="earlier")
    assert ASIDE not in game.state.cash or game.state.cash[ASIDE] == 0
    for lot in ("PWB", "KEO", "THS", "TF", "NLK", "RHE-DIR"):
        game.state.round.actor = "cy"
        arrange.give(game, "cy", game.definition.privates[lot].price)
        arrange.take_offer(game)
        game.apply(mv.BuyLot("cy", lot))
    game.apply(mv.Found("cy", "RhE", 80))
    arrange.floated(game, "ADR", "ann")
    arrange.lay(game, "J9", "9", 0)
    arrange.lay(game, "K8", "8", 4)
    arrange.operating(game, "ADR")
    before = game.state.cash["RhE"]
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert paid(happened, BANK, "RhE") == 240
    assert game.state.cash["RhE"] == before + 240
