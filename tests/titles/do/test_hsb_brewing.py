"""Brewery rounds: deliveries, export, income, equipment, the order of the breweries, each by its clause."""

from __future__ import annotations

import pytest

from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import (
    Answer,
    BuyOwnShare,
    BuyTrain,
    Dividend,
    LayTile,
    Pass,
    PlaceStation,
    SellOwnShares,
    SellShares,
    TakeLoan,
)
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.do.hsb_arrange import (
    after_package,
    brewing,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    export_line,
    fields,
    loaded,
    names,
    offered,
    on_card,
    own,
    phase,
    railway,
    refused,
    trains,
)
from titles.do.board.links import LinkLocation
from titles.do.board.remembered import SoldBeer
from titles.do.brewery import breweries
from titles.do.brewery.breweries import GiveUpEquipment, OrderTokens
from titles.do.brewery.brewing import BrewingRound, BuyEquipment, DeliverBeer, DeliverBest
from titles.do.brewery.loading import BeerLoaded, LoadExport, Loads


def small(*equipment: str, cash_: int = 100) -> Game:
    """ann's B4 is to deliver with this equipment; bo's B8 and cy's B2 have acted or will."""
    game = after_package()
    equip(game, "B4", *equipment)
    cash(game, "B4", cash_)
    return game


# ---------------------------------------------------------------------- the round


@pytest.mark.rule("DO-6.5.2-a")
def test_breweries_act_one_after_the_other_from_left_to_right() -> None:
    game = after_package()
    brewing(game)
    assert OrderTokens.of(game).order == ["B8", "B4", "B2"]
    assert game.offer().deciders == ("bo",)
    assert refused(game, DeliverBest("ann", "B4")).key == "turn.player"
    game.apply(DeliverBest("bo", "B8"))
    assert game.offer().deciders == ("bo",), "the income is still to be used"
    beer = breweries.beer(game)
    assert sum(map(sum, beer.delivered.values())) == 6, "nothing is refilled in between"


@pytest.mark.rule("DO-6.5.2-a")
def test_after_the_last_brewery_the_demand_is_prepared() -> None:
    game = small()
    demand(game, r1=2, stock=5)
    equip(game, "B2", "1")
    cash(game, "B2", 90)
    brewing_turn(game, "B2", "equipment")
    breweries.beer(game).delivered["new"][1] = 1
    breweries.beer(game).export -= 1
    game.apply(Pass("cy"))
    assert fields(game)["r2"] == 1
    assert breweries.beer(game).delivered == {"regular": [0] * 6, "new": [0] * 6}


@pytest.mark.rule("DO-6.3.2-a")
def test_breweries_build_nothing() -> None:
    game = small("2")
    brewing_turn(game, "B4")
    assert names(game) == {"deliver_best", "deliver_beer", "give_up_equipment"}
    for move in (
        LayTile("ann", "B4", "H11", "8", 0),
        PlaceStation("ann", "B4", "G12", 0),
        LinkLocation("ann", "B4", "H9"),
    ):
        assert refused(game, move).rule == "DO-6.5.2.1-a"


@pytest.mark.rule("DO-6.5.2.1-a")
def test_equipment_is_given_up_before_deliveries_only() -> None:
    game = small("2", "1")
    demand(game, r1=4)
    brewing_turn(game, "B4")
    game.apply(DeliverBeer("ann", "B4", "2", 1, "regular"))
    assert refused(game, GiveUpEquipment("ann", "B4", "1")).rule == "DO-6.5.2.1-a"
    game.apply(DeliverBest("ann", "B4"))
    assert refused(game, BuyEquipment("ann", "B4", "2")).rule == "DO-6.5.2.1-a", "the income comes first"
    game.apply(Dividend("ann", "B4", "withhold"))
    assert refused(game, GiveUpEquipment("ann", "B4", "1")).rule == "DO-6.5.2.1-a"
    assert "buy_equipment" in names(game)


@pytest.mark.rule("DO-6.5.2.1-a")
def test_export_is_not_loaded_after_the_income() -> None:
    game = exporting("8")
    game.apply(DeliverBest("ann", "DUB"))
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.1-a"


@pytest.mark.rule("DO-6.5.2.1-b")
def test_what_can_be_delivered_must_be() -> None:
    game = small("2")
    demand(game, r1=1)
    brewing_turn(game, "B4")
    assert refused(game, Pass("ann")).rule == "DO-6.5.2.1-b"
    game.apply(DeliverBeer("ann", "B4", "2", 1, "regular"))
    assert game.state.round.step == "dividend", "there is nothing else to deliver"


@pytest.mark.rule("DO-6.5.2.1-b")
def test_units_named_for_export_are_not_delivered() -> None:
    game = exporting("5", train="8")
    demand(game, r1=5, stock=3)
    brewing_turn(game, "DUB")
    assert "load_export" in names(game)
    assert "pass" not in names(game), "loading is free, delivering is not"
    game.apply(LoadExport("ann", "DUB", "5", "BME", "8"))
    game.apply(DeliverBest("ann", "DUB"))
    assert fields(game) == {"r1": 3}


# ---------------------------------------------------------------------- giving up equipment


@pytest.mark.rule("DO-6.5.2.2-a")
def test_a_corporation_may_give_up_its_only_equipment_and_then_must_buy() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", equipment=("2",), treasury=500)
    demand(game, r1=3)
    brewing_turn(game, "DUB")
    game.apply(GiveUpEquipment("ann", "DUB", "2"))
    assert breweries.equipment(game, "DUB") == []
    game.apply(Pass("ann"))
    assert game.prices.value("DUB") == 55, "nothing delivered, nothing paid: one left"
    assert game.state.round.step == "equipment"
    assert refused(game, Pass("ann")).rule == "DO-6.5.2.7-b"
    assert fields(game) == {"r1": 3}


@pytest.mark.rule("DO-6.5.2.2-a")
def test_nobody_gives_up_what_they_have_not() -> None:
    game = small("2", "1")
    brewing_turn(game, "B4")
    assert refused(game, GiveUpEquipment("ann", "B4", "3")).rule == "DO-6.5.2.2-a"


@pytest.mark.rule("DO-6.5.2.2-b")
@pytest.mark.parametrize(
    ("name", "minor", "large"), [("2", 3, 4), ("3", 3, 4), ("4", 2, 3), ("5", 1, 2), ("6", 1, 2), ("8", 1, 2)]
)
def test_limits_of_equipment(name: str, minor: int, large: int) -> None:
    game = after_package()
    corporation(game, "DUB")
    phase(game, name)
    assert (breweries.limit(game, "B4"), breweries.limit(game, "DUB")) == (minor, large)


@pytest.mark.rule("DO-6.5.2.2-b")
def test_a_lower_limit_takes_equipment_by_choice_of_the_owner() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "4", 1)
    equip(game, "B8", "2", "2", "1")
    equip(game, "B4", "2", "1")
    cash(game, "B4", 300)
    on_card(game, "4", 1)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "4"))
    assert game.offer().deciders == ("bo",), "B8 comes first in the order"
    assert offered(game, "give_up_equipment") == ["2", "1"]
    game.apply(GiveUpEquipment("bo", "B8", "2"))
    assert breweries.equipment(game, "B8") == ["2", "1"]
    assert game.offer().deciders == ("ann",)
    game.apply(GiveUpEquipment("ann", "B4", "1"))
    assert breweries.equipment(game, "B4") == ["4", "2"]
    assert not game.state.pauses


@pytest.mark.rule("DO-6.5.2.2-c")
def test_equipment_for_a_dead_segment_leaves_at_the_start_of_the_round() -> None:
    game = after_package()
    phase(game, "3")
    equip(game, "B8", "3", "1")
    equip(game, "B4", "1")
    demand(game, r2=2, closed=(1, 4, 5, 6))
    brewing(game)
    assert breweries.equipment(game, "B8") == ["3"], "segment 3 is open but empty"
    assert breweries.equipment(game, "B4") == []


@pytest.mark.rule("DO-6.5.2.2-c")
def test_equipment_for_a_dead_segment_leaves_a_brewery_that_has_not_floated_too() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", equipment=("3", "1"))
    game.company("DUB").floated = False
    demand(game, r2=2, closed=(1, 4, 5, 6))
    brewing(game)
    assert breweries.equipment(game, "DUB") == ["3"]


# ---------------------------------------------------------------------- delivering


@pytest.mark.rule("DO-6.5.2.3-b")
def test_no_equipment_serves_a_higher_segment() -> None:
    game = small()
    phase(game, "3")
    equip(game, "B4", "3")
    demand(game, r4=3, r1=1)
    brewing_turn(game, "B4")
    assert refused(game, DeliverBeer("ann", "B4", "3", 4, "regular")).rule == "DO-6.5.2.3-b"
    assert offered(game, "deliver_beer", equipment="3") == [1]


@pytest.mark.rule("DO-6.5.2.3-a")
def test_a_unit_delivers_once_and_only_what_is_wanted() -> None:
    game = small("2", "1")
    demand(game, r1=3, n2=1)
    brewing_turn(game, "B4")
    assert refused(game, DeliverBeer("ann", "B4", "2", 2, "regular")).rule == "DO-6.5.2.3-a"
    game.apply(DeliverBeer("ann", "B4", "1", 1, "regular"))
    game.apply(DeliverBeer("ann", "B4", "1", 1, "regular"))
    assert refused(game, DeliverBeer("ann", "B4", "1", 1, "regular")).rule == "DO-6.5.2.3-a"
    assert breweries.beer(game).delivered["regular"][0] == 2


@pytest.mark.rule("DO-6.5.2.3-x")
def test_example_of_deliveries_in_a_turn() -> None:
    game = small("3", "2", "1")
    demand(game, r3=1, n3=1, r2=2, n2=1, r1=1, n1=1)
    brewing_turn(game, "B4")
    game.apply(DeliverBest("ann", "B4"))
    assert Earned.of(game).revenue == 130


def test_the_best_deliveries_are_offered_in_one_tap() -> None:
    game = small("2")
    brewing_turn(game, "B4")
    choice = game.offer().find("deliver_best")
    assert choice is not None
    assert choice.quick
    assert choice.ask({}) is None


# ---------------------------------------------------------------------- export


def exporting(*equipment: str, train: str = "8", director: str = "ann", railways: str = "BME") -> Game:
    """ann's Union with equipment, and a railway that leads from I10 to Dortmund City, in the brown phase."""
    game = after_package(5 if railways == "HHW" else 3)
    phase(game, "8")
    corporation(game, "DUB", equipment=equipment, price=100)
    railway(game, railways, director)
    trains(game, railways, train)
    export_line(game)
    demand(game, r4=6, stock=4)
    brewing_turn(game, "DUB")
    return game


@pytest.mark.rule("DO-6.5.2.4-a")
@pytest.mark.parametrize(("type_", "most"), [("4", 0), ("5", 1), ("6", 2), ("8", 3)])
def test_only_units_with_an_arrow_are_exported(type_: str, most: int) -> None:
    game = exporting(type_)
    done = 0
    while "load_export" in names(game):
        train = offered(game, "load_export", equipment=type_, railway="BME")[0]
        game.apply(LoadExport("ann", "DUB", type_, "BME", train))
        done += 1
    assert done == most
    assert refused(game, LoadExport("ann", "DUB", type_, "BME", "8")).rule == "DO-6.5.2.4-a"


@pytest.mark.rule("DO-6.5.2.4-e")
def test_export_is_named_between_deliveries_as_long_as_an_arrowed_unit_is_free() -> None:
    game = exporting("8")
    game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert Loads.of(game).trains == {}, "loading itself comes after the deliveries"
    game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8+1"))
    assert Loads.of(game).trains == {"BME": [("8", 2)]}
    assert Earned.of(game).revenue == 45 + 100 + 45 + 100


@pytest.mark.rule("DO-6.5.2.4-e")
def test_a_unit_that_has_delivered_is_not_named_for_export() -> None:
    game = exporting("8", "4")
    for _ in range(2):
        game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    assert offered(game, "load_export") == ["8"], "two of three arrows are left"
    for _ in range(2):
        game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.4-a"


@pytest.mark.rule("DO-6.5.2.4-e")
def test_after_everything_is_delivered_free_arrows_are_still_for_export() -> None:
    game = exporting("8")
    demand(game, r4=2, stock=4)
    brewing_turn(game, "DUB")
    game.apply(DeliverBest("ann", "DUB"))
    assert names(game) >= {"load_export", "pass"}
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    game.apply(Pass("ann"))
    assert Earned.of(game).revenue == 2 * 45 + 100


@pytest.mark.rule("DO-6.5.2.4-e")
@pytest.mark.parametrize(("director", "asks"), [("ann", ()), ("bo", ("BME",))])
def test_delivering_at_once_says_what_export_first_would_bring(director: str, asks: tuple[str, ...]) -> None:
    game = exporting("8", director=director)
    best = game.offer().find("deliver_best")
    assert best is not None
    assert best.tells == {"cubes_bring": "180", "export_more": "165"}, "3 x 100 + 45 instead of 4 x 45"
    (remark,) = [remark for remark in game.rules.remarks(game) if remark.key.startswith("export_first")]
    told = {"cubes": 3, "amount": 165}
    if asks:
        told = {**told, "railways": ", ".join(asks)}
    assert remark.facts == told
    assert remark.key == ("export_first_asks" if asks else "export_first")
    assert not SoldBeer.of(game).named, "nothing has happened yet"


@pytest.mark.rule("DO-6.5.2.4-e")
def test_nothing_is_given_away_where_arrows_stay_free_for_export() -> None:
    game = exporting("8")
    demand(game, r4=1, stock=4)
    brewing_turn(game, "DUB")
    best = game.offer().find("deliver_best")
    assert best is not None
    assert best.tells == {"cubes_bring": "45"}, "the three others are named afterwards"


@pytest.mark.rule("DO-6.5.2.4-e")
def test_what_dortmund_leaves_no_cube_for_is_not_promised() -> None:
    game = exporting("8")
    demand(game, r4=4)
    brewing_turn(game, "DUB")
    best = game.offer().find("deliver_best")
    assert best is not None
    game_after = game.copy()
    for train in ("8", "8+1", "8+2"):
        game_after.apply(LoadExport("ann", "DUB", "8", "BME", train))
    game_after.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game_after).revenue == 345
    assert best.tells["export_more"] == str(345 - 4 * 45)


@pytest.mark.rule("DO-6.5.2.4-e")
def test_units_without_arrows_take_the_last_cubes_and_nothing_is_promised() -> None:
    game = exporting("8", "4", "4")
    demand(game, r4=4)
    brewing_turn(game, "DUB")
    best = game.offer().find("deliver_best")
    assert best is not None
    assert best.tells == {"cubes_bring": "180"}, "the others deliver all four cubes, and there is no stock"


@pytest.mark.rule("DO-6.5.2.4-e")
def test_trains_of_ones_own_railway_come_before_those_of_others() -> None:
    game = exporting("8", director="bo")
    railway(game, "RhE", "ann")
    trains(game, "RhE", "8")
    game.company("RhE").active = True
    game.state.board.stations["I10"][0].append("RhE")  # there is no free space on this line
    brewing_turn(game, "DUB")
    assert offered(game, "load_export", equipment="8") == ["BME", "RhE"]
    (remark,) = [remark for remark in game.rules.remarks(game) if remark.key.startswith("export_first")]
    assert remark.key == "export_first", "nobody is asked"


@pytest.mark.rule("DO-6.5.2.4-b")
def test_a_full_square_takes_no_second_cube() -> None:
    game = exporting("8", train="5")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "5"))
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "5+1")).rule == "DO-6.5.2.4-b"
    assert "load_export" not in names(game)


@pytest.mark.rule("DO-6.5.2.4-b")
def test_export_is_paid_to_the_brewery_at_once_and_lies_on_the_train() -> None:
    game = exporting("5", train="5")
    demand(game, stock=2)
    brewing_turn(game, "DUB")
    happened = game.apply(LoadExport("ann", "DUB", "5", "BME", "5"))
    assert BeerLoaded("DUB", 1, 100) in happened
    assert Earned.of(game).revenue == 100
    assert Loads.of(game).trains == {"BME": [("5", 1)]}
    assert breweries.beer(game).stock == 1


@pytest.mark.rule("DO-6.5.2.4-c")
def test_without_stock_export_takes_the_cheapest_demand() -> None:
    game = exporting("8")
    demand(game, n4=1, r4=9, r3=1, n3=1)
    brewing_turn(game, "DUB")
    for train in ("8", "8+1", "8+2"):
        game.apply(LoadExport("ann", "DUB", "8", "BME", train))
    game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    assert fields(game) == {"r4": 8}, "3 new, 3 regular, then 4 new"


@pytest.mark.rule("DO-6.5.2.4-c")
def test_nothing_is_loaded_when_no_cube_is_left() -> None:
    game = exporting("8")
    demand(game)
    brewing_turn(game, "DUB")
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.4-c"


@pytest.mark.rule("DO-6.5.2.4-d")
def test_a_train_without_an_export_route_is_not_loaded() -> None:
    game = exporting("8")
    del game.state.board.tiles["F11"]
    brewing_turn(game, "DUB")
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.4-d"


@pytest.mark.rule("DO-6.5.2.4-d")
def test_the_director_of_the_railway_must_agree() -> None:
    game = exporting("6", director="bo")
    game.apply(LoadExport("ann", "DUB", "6", "BME", "8"))
    assert game.offer().deciders == ("bo",)
    assert offered(game, "answer") == ["accept", "decline"], "nothing is paid for it, so there is no counter-offer"
    game.apply(Answer("bo", "decline"))
    assert not SoldBeer.of(game).named
    assert refused(game, LoadExport("ann", "DUB", "6", "BME", "8")).rule == "DO-6.5.2.4-d", "R-146: a no stays a no"
    assert offered(game, "deliver_beer", equipment="6") == [4], "the unit is free for Dortmund"


@pytest.mark.rule("DO-6.5.2.4-c")
def test_when_dortmund_has_taken_the_last_cube_none_is_loaded() -> None:
    """R-57: it was named while there were cubes; nothing is paid for the unit."""
    game = exporting("8")
    demand(game, r4=3, stock=0)
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 3 * 45
    assert Loads.of(game).trains == {}
    assert faults(game) == []


@pytest.mark.rule("DO-6.5.2.4-d")
def test_consent_lets_the_cube_be_loaded() -> None:
    game = exporting("6", director="bo")
    game.apply(LoadExport("ann", "DUB", "6", "BME", "8"))
    game.apply(Answer("bo", "accept"))
    game.apply(DeliverBest("ann", "DUB"))
    assert Loads.of(game).trains == {"BME": [("8", 1)]}
    assert Earned.of(game).revenue == 3 * 45 + 100


@pytest.mark.rule("DO-6.5.2.4-d")
def test_a_second_train_needs_track_of_its_own() -> None:
    game = exporting("8")
    trains(game, "BME", "8")
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert offered(game, "load_export", equipment="8", railway="BME") == ["8+1"]
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.4-d"
    export_line(game, second=True)
    assert offered(game, "load_export", equipment="8", railway="BME") == ["8+1", "8"]


@pytest.mark.rule("DO-6.5.2.4-e")
def test_a_train_is_loaded_by_several_breweries() -> None:
    game = exporting("8")
    loaded(game, "BME", ("8", 2))
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8+2"))
    game.apply(DeliverBest("ann", "DUB"))
    assert Loads.of(game).trains == {"BME": [("8", 3)]}
    assert Earned.of(game).revenue == 100 + 3 * 45


@pytest.mark.rule("DO-6.5.2.4-f")
def test_one_railway_carries_no_beer() -> None:
    game = exporting("8", railways="HHW")
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "DUB", "8", "HHW", "8")).rule == "DO-6.5.2.4-f"


@pytest.mark.rule("DO-6.5.2.4-g")
def test_beer_loaded_in_the_last_round_is_paid() -> None:
    game = exporting("6")
    game.state.round.stock_number = 6
    game.state.round.operating_number = game.state.round.operating_total = 3
    for train in ("8", "8+1"):
        game.apply(LoadExport("ann", "DUB", "6", "BME", train))
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 200 + 2 * 45


@pytest.mark.rule("DO-6.5.2.4-x")
def test_example_of_export() -> None:
    game = exporting("8", train="6")
    trains(game, "BME", "5")
    export_line(game, second=True)
    demand(game, r6=1, stock=5)
    brewing_turn(game, "DUB")
    for train in ("6", "6+1", "5"):
        game.apply(LoadExport("ann", "DUB", "8", "BME", train))
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 380
    assert sorted(Loads.of(game).trains["BME"]) == [("5", 1), ("6", 2)]
    assert faults(game) == []


# ---------------------------------------------------------------------- income


def with_income(company: str, revenue: int, game: Game | None = None) -> Game:
    game = game or after_package()
    brewing_turn(game, company, "dividend", revenue)
    return game


@pytest.mark.rule("DO-6.5.2.5-b")
@pytest.mark.parametrize(("kind", "owner", "kept"), [("half", 35, 35), ("withhold", 0, 70)])
def test_a_small_brewery_keeps_all_or_pays_half(kind: str, owner: int, kept: int) -> None:
    game = with_income("B4", 70)
    assert offered(game, "dividend") == ["half", "withhold"]
    before = game.state.cash["ann"], game.state.cash["B4"]
    game.apply(Dividend("ann", "B4", kind))
    assert (game.state.cash["ann"] - before[0], game.state.cash["B4"] - before[1]) == (owner, kept)


@pytest.mark.rule("DO-6.5.2.5-d")
def test_a_small_brewery_rounds_before_it_pays() -> None:
    game = with_income("B4", 35)
    before = game.state.cash["ann"], game.state.cash["B4"]
    game.apply(Dividend("ann", "B4", "half"))
    assert (game.state.cash["ann"] - before[0], game.state.cash["B4"] - before[1]) == (15, 20)


@pytest.mark.rule("DO-6.5.2.5-c")
def test_a_corporation_pays_all_or_nothing() -> None:
    game = after_package()
    corporation(game, "DUB", held=50, treasury=0)
    own(game, "DUB", POOL, 30)
    with_income("DUB", 100, game)
    assert offered(game, "dividend") == ["pay", "withhold"]
    before, bank = game.state.cash["ann"], game.state.cash[BANK]
    game.apply(Dividend("ann", "DUB", "pay"))
    assert game.state.cash["ann"] - before == 50
    assert game.state.cash["DUB"] == 20
    assert bank - game.state.cash[BANK] == 70


@pytest.mark.rule("DO-6.5.2.5-e")
@pytest.mark.parametrize(
    ("price", "revenue", "kind", "then"),
    [
        (60, 50, "withhold", 55),
        (60, 50, "pay", 60),
        (60, 60, "pay", 65),
        (60, 170, "pay", 65),
        (60, 180, "pay", 70),
        (65, 69, "pay", 65),
        (250, 900, "pay", 250),
        (220, 900, "pay", 250),
    ],
)
def test_the_price_moves_as_for_railways(price: int, revenue: int, kind: str, then: int) -> None:
    game = after_package()
    corporation(game, "DUB", price=price, equipment=("2",))
    with_income("DUB", revenue, game)
    game.apply(Dividend("ann", "DUB", kind))
    assert game.prices.value("DUB") == then


@pytest.mark.rule("DO-6.5.2.1-c")
def test_a_corporation_deals_once_in_its_own_shares() -> None:
    game = after_package()
    corporation(game, "DUB", price=70, equipment=("2",), treasury=0)
    brewing_turn(game, "DUB")
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (70, 65)
    assert refused(game, BuyOwnShare("ann", "DUB", 10)).rule == "DO-4.5-d"
    brewing_turn(game, "DUB")
    game.apply(BuyOwnShare("ann", "DUB", 10))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (5, 65)


@pytest.mark.rule("DO-6.5.2.1-c")
def test_a_corporation_buys_one_certificate_back_and_no_second() -> None:
    game = after_package()
    corporation(game, "DUB", price=70, equipment=("2",), treasury=500)
    own(game, "DUB", POOL, 20)
    brewing_turn(game, "DUB")
    game.apply(BuyOwnShare("ann", "DUB", 10))
    assert "buy_own_share" not in names(game)
    assert refused(game, BuyOwnShare("ann", "DUB", 10)).rule == "DO-4.5-d"


@pytest.mark.rule("DO-6.5.2.1-c")
def test_a_corporation_deals_in_any_of_its_certificates() -> None:
    """One of its certificates (R-52): not only the one on top of the stack."""
    game = after_package()
    corporation(game, "DUB", price=70, equipment=("2",), treasury=0)
    stack = [shares.percent_of(game, "DUB", number) for number in shares.numbers(game, "DUB", "DUB")]
    assert (stack[0], stack[-1]) == (10, 20), "the certificate of 20 % lies at the bottom"
    brewing_turn(game, "DUB")
    assert offered(game, "sell_own_shares") == [10, 20]
    game.apply(SellOwnShares("ann", "DUB", 20))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (140, 60)
    assert shares.held(game, "DUB", POOL) == 20
    own(game, "DUB", POOL, 10)
    brewing_turn(game, "DUB")
    assert offered(game, "buy_own_share") == [10, 20], "nor only the one that comes first by number"


@pytest.mark.rule("DO-6.5.2.1-c")
def test_small_breweries_have_no_shares_to_deal_in() -> None:
    game = small("2")
    brewing_turn(game, "B4")
    assert not {"sell_own_shares", "buy_own_share"} & names(game)
    assert refused(game, SellOwnShares("ann", "B4", 10)).rule == "DO-6.5.2.1-a"


# ---------------------------------------------------------------------- buying equipment


@pytest.mark.rule("DO-6.5.2.6-a")
def test_two_cards_in_the_yellow_phase() -> None:
    game = small("1", cash_=500)
    brewing_turn(game, "B4", "equipment")
    bank = game.state.cash[BANK]
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert (game.state.cash["B4"], game.state.cash[BANK]) == (420, bank + 80)
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert breweries.equipment(game, "B4") == ["2", "2", "1"]
    assert game.state.round.actor == "B2", "the turn is over"


@pytest.mark.rule("DO-6.5.2.6-a")
def test_a_third_card_is_refused_for_its_number() -> None:
    game = after_package()
    corporation(game, "DUB", equipment=("2",), treasury=900)
    brewing_turn(game, "DUB", "equipment")
    for _ in range(2):
        game.apply(BuyEquipment("ann", "DUB", "2"))
    refusal = refused(game, BuyEquipment("ann", "DUB", "2"))
    assert (refusal.rule, refusal.key) == ("DO-6.5.2.6-a", "equipment.one")


@pytest.mark.rule("DO-6.5.2.6-a")
def test_one_card_from_the_green_phase_on() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "3", 4)
    corporation(game, "DUB", equipment=("2",), treasury=900)
    on_card(game, "3", 4)
    brewing_turn(game, "DUB", "equipment")
    game.apply(BuyEquipment("ann", "DUB", "3"))
    assert refused(game, BuyEquipment("ann", "DUB", "3")).key == "equipment.one"


@pytest.mark.rule("DO-6.5.2.6-a")
def test_a_brewery_at_its_limit_buys_nothing() -> None:
    game = small("2", "2", "1", cash_=500)
    brewing_turn(game, "B4", "equipment")
    assert game.state.round.actor == "B2"
    game = small("2", "2", "1", cash_=500)
    game.state.depot.pool.append("2")
    game.state.depot.left["2"] -= 1
    corporation(game, "DUB", equipment=("2", "2", "2", "2"), treasury=900)
    brewing_turn(game, "DUB", "equipment")
    assert refused(game, BuyEquipment("ann", "DUB", "2")).key == "equipment.limit"
    assert refused(game, BuyTrain("ann", "DUB", "2", POOL, 80)).rule == "DO-6.5.2.1-a", "no train is equipment"


@pytest.mark.rule("DO-6.5.2.6-b")
def test_the_last_card_of_type_2_and_the_first_of_type_3_in_one_turn() -> None:
    game = small("1", cash_=900)
    on_card(game, "2", 1)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "2"))
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert breweries.equipment(game, "B4") == ["3", "2", "1"]
    assert game.phase.name == "3"
    assert game.state.round.actor == "B2"


@pytest.mark.rule("DO-6.5.2.6-c")
@pytest.mark.parametrize(("treasury", "added"), [(80, None), (89, None), (90, 90), (100, 80), (180, 0)])
def test_the_owner_adds_up_to_half(treasury: int, added: int | None) -> None:
    game = small("2", cash_=treasury)
    on_card(game, "3", 4)
    brewing_turn(game, "B4", "equipment")
    if added is None:
        assert game.state.round.actor == "B2", "nothing can be bought"
        return
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert (game.state.cash["ann"], game.state.cash["B4"]) == (1000 - added, 0)


@pytest.mark.rule("DO-6.5.2.6-c")
def test_the_owner_may_not_add_more() -> None:
    game = small("2", cash_=80)
    on_card(game, "3", 4)
    corporation(game, "DUB", equipment=("2",))
    brewing_turn(game, "B4", "equipment")
    game.state.round.actor, game.state.round.step = "B4", "equipment"
    game._attach(game.state)
    refusal = refused(game, BuyEquipment("ann", "B4", "3"))
    assert (refusal.rule, refusal.key) == ("DO-6.5.2.6-c", "equipment.money.minor")


@pytest.mark.rule("DO-6.5.2.6-d")
def test_a_corporation_with_equipment_buys_with_its_own_money() -> None:
    game = after_package()
    phase(game, "4")
    corporation(game, "DUB", equipment=("3",), treasury=250)
    on_card(game, "4", 1)
    brewing_turn(game, "DUB", "equipment")
    refusal = refused(game, BuyEquipment("ann", "DUB", "4"))
    assert (refusal.rule, refusal.key) == ("DO-6.5.2.6-d", "equipment.money")
    game.apply(SellOwnShares("ann", "DUB", 10))
    game.apply(BuyEquipment("ann", "DUB", "4"))
    assert (game.state.cash["DUB"], game.state.cash["ann"]) == (10, 1000)


@pytest.mark.rule("DO-6.5.2.6-e")
def test_small_breweries_buy_neither_6_nor_8() -> None:
    game = small("3", cash_=700)
    phase(game, "8")
    on_card(game, "6", 5)
    brewing_turn(game, "B4", "equipment")
    assert game.state.round.actor != "B4", "nothing is offered"
    brewing = game.rules.rounds["brewing"]
    assert isinstance(brewing, BrewingRound)
    brewing.begin(game)
    brewing.begin_turn(game, "B4")
    game.state.round.step = "equipment"
    equip(game, "B4")
    assert refused(game, BuyEquipment("ann", "B4", "6")).rule == "DO-6.5.2.6-e"
    assert "pass" in names(game)


@pytest.mark.rule("DO-6.5.2.7-a")
def test_a_small_brewery_without_equipment_must_buy_if_its_treasury_reaches() -> None:
    game = small(cash_=80)
    brewing_turn(game, "B4", "equipment")
    assert refused(game, Pass("ann")).rule == "DO-6.5.2.7-a"
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert breweries.equipment(game, "B4") == ["2"]


@pytest.mark.rule("DO-6.5.2.7-a")
def test_its_owner_may_add_any_difference_or_leave_it() -> None:
    game = small(cash_=10)
    brewing_turn(game, "B4", "equipment")
    assert names(game) == {"buy_equipment", "pass"}
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert (game.state.cash["ann"], game.state.cash["B4"]) == (930, 0)
    game = small(cash_=10)
    brewing_turn(game, "B4", "equipment")
    game.apply(Pass("ann"))
    assert breweries.equipment(game, "B4") == []
    assert shares.certificates(game, "ann") == 1, "it stays in play and counts"


# ---------------------------------------------------------------------- forced purchases


def lacking(treasury: int = 100) -> Game:
    """The Union has no equipment; types 6 and 8 are on display."""
    game = after_package()
    phase(game, "6")
    corporation(game, "DUB", price=70, treasury=treasury, held=50)
    own(game, "DUB", "bo", 20)
    on_card(game, "6", 4)
    cash(game, "ann", 150)
    brewing_turn(game, "DUB", "equipment")
    return game


@pytest.mark.rule("DO-6.5.2.7-b")
def test_a_forced_purchase_takes_shares_cash_own_shares_and_a_loan() -> None:
    game = lacking()
    assert refused(game, BuyEquipment("ann", "DUB", "8")).rule == "DO-6.5.2.7-b"
    assert refused(game, Pass("ann")).rule == "DO-6.5.2.7-b"
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (170, 65)
    assert refused(game, SellShares("ann", "DUB", 10)).rule == "DO-4.5.7.5-b", "the company's certificates come first"
    game.apply(SellOwnShares("ann", "DUB", 20))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (300, 55)
    game.apply(SellShares("ann", "DUB", 20))
    assert (game.state.cash["ann"], game.prices.value("DUB")) == (260, 40)
    assert game.company("DUB").director == "ann"
    game.apply(TakeLoan("ann", "DUB", 70))
    game.apply(BuyEquipment("ann", "DUB", "6"))
    assert breweries.equipment(game, "DUB") == ["6"]
    assert (game.state.cash["ann"], game.state.cash["DUB"], game.state.loans["ann"]) == (0, 0, 70)


@pytest.mark.rule("DO-6.5.2.7-c")
def test_a_corporation_that_fails_buys_nothing() -> None:
    game = after_package()
    corporation(game, "DUB", price=10, treasury=5)
    demand(game, r1=2)
    brewing_turn(game, "DUB")
    game.apply(Pass("ann"))
    assert game.state.round.actor != "DUB"
    assert not game.company("DUB").floated
    assert game.state.loans["ann"] == 0
    assert "DUB" not in OrderTokens.of(game).order
    assert faults(game) == []


# ---------------------------------------------------------------------- the order


@pytest.mark.rule("DO-6.5.2.8-a")
def test_the_order_goes_by_the_highest_equipment() -> None:
    game = after_package()
    phase(game, "4")
    equip(game, "B8", "3")
    equip(game, "B4", "3", "2")
    equip(game, "B2", "4")
    breweries.round_over(game)
    assert OrderTokens.of(game).order == ["B2", "B4", "B8"]


@pytest.mark.rule("DO-6.5.2.8-a")
def test_with_equal_equipment_the_old_order_stays() -> None:
    game = after_package()
    for company in ("B8", "B4", "B2"):
        equip(game, company, "3", "2")
    breweries.round_over(game)
    assert OrderTokens.of(game).order == ["B8", "B4", "B2"]


@pytest.mark.rule("DO-5.4.4-b")
def test_equipment_never_changes_hands() -> None:
    game = small("2", cash_=500)
    brewing_turn(game, "B4", "equipment")
    assert names(game) == {"buy_equipment", "pass"}
    assert refused(game, BuyTrain("ann", "B4", "2", "B8", 50)).rule == "DO-6.5.2.1-a"


@pytest.mark.rule("DO-5.4.4-d")
def test_cards_are_taken_in_ascending_order() -> None:
    game = small("1", cash_=900)
    on_card(game, "2", 1)
    brewing_turn(game, "B4", "equipment")
    assert offered(game, "buy_equipment") == ["2"]
    assert refused(game, BuyEquipment("ann", "B4", "3")).rule == "DO-5.4.4-d"


@pytest.mark.rule("DO-5.4.4-c")
def test_start_equipment_is_never_for_sale() -> None:
    game = small("2", cash_=900)
    brewing_turn(game, "B4", "equipment")
    assert refused(game, BuyEquipment("ann", "B4", "1")).rule == "DO-5.4.4-c"


def test_the_sheet_shows_breweries_in_the_order_in_which_they_act() -> None:
    game = after_package()
    equip(game, "B4", "2", "1")
    cash(game, "B4", 70)
    brewing(game)
    sheet = next(page for page in game.rules.pages(game) if "equipment" in page.columns)
    order = OrderTokens.of(game).order
    assert [row[:3] for row in sheet.rows] == [
        (str(number), name, game.company(name).director) for number, name in enumerate(order, 1)
    ]
    assert next(row[3:6] for row in sheet.rows if row[1] == "B4") == ("2 1", "3", "70")
