"""The Expert game by the draft of January 2020: what it has otherwise, each by its clause."""

from __future__ import annotations

import pytest

from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Answer, BuyTrain, Dividend, Found, Pass
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.do.exp_arrange import after_package, display, exporting, give_markers, income
from tests.titles.do.hsb_arrange import (
    brewing,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    fields,
    names,
    offered,
    on_card,
    own,
    phase,
    railway,
    railway_turn,
    refused,
    second_stock,
    trains,
)
from titles.do.brewery import breweries
from titles.do.brewery.breweries import GiveUpEquipment, OrderTokens
from titles.do.brewery.brewing import BuyEquipment, DeliverBest
from titles.do.brewery.loading import LoadExport, Loads
from titles.do.brewery.trading import OrderPlace, TradeIn
from titles.do.expert import markers
from titles.do.expert.brewing import RestEquipment
from titles.do.expert.investing import BuyMarker
from titles.do.expert.special import TakeEvent, UseEvent

FORM = "draft-exp"


def turn(
    *equipment: str,
    sem: str = "",
    name: str = "3",
    company: str = "DUB",
    step: str = "deliver",
    stock: int = 3,
    closed: tuple[int, ...] = (6,),
    price: int = 70,
    **wanted: int,
) -> Game:
    """A brewery with equipment and a special event is to act; the market wants these cubes."""
    game = after_package(form=FORM)
    phase(game, name)
    if company.startswith("B"):
        equip(game, company, *equipment)
    else:
        corporation(game, company, equipment=equipment, price=price, held=40)
    on_card(game, name, 1)
    if sem:
        give_markers(game, company, sem)
    demand(game, stock=stock, closed=closed, **wanted)
    brewing_turn(game, company, step)
    return game


# ---------------------------------------------------------------------- wagons and other markers


def hauling(seller: str) -> Game:
    """BME may buy in the green phase; somebody has a wagon."""
    game = after_package(form=FORM)
    phase(game, "3")
    on_card(game, "3", 3)
    railway(game, "BME", treasury=900)
    railway(game, "CME", "bo")
    trains(game, "BME", "3")
    trains(game, "CME", "3")
    give_markers(game, seller, "C")
    railway_turn(game, "BME", "trains")
    return game


@pytest.mark.rule("DOD-8.1-a")
def test_railways_sell_each_other_no_wagons() -> None:
    game = hauling("CME")
    assert refused(game, BuyMarker("ann", "BME", "C", "CME", 100)).rule == "DOD-8.1-a"
    assert offered(game, "buy_marker") == [BANK]


@pytest.mark.rule("DOD-8.1-a")
@pytest.mark.parametrize("source", [BANK, "B8"])
def test_a_wagon_comes_instead_of_a_train_wherever_it_is_from(source: str) -> None:
    game = hauling("B8")
    game.apply(BuyMarker("ann", "BME", "C", source, 100))
    if source != BANK:
        game.apply(Answer("bo", "accept"))
    assert markers.owned(game, "BME") == ["C"]
    assert refused(game, BuyTrain("ann", "BME", "3", BANK, 180)).rule == "DOD-4-b"
    other = "B8" if source == BANK else BANK
    assert refused(game, BuyMarker("ann", "BME", "C", other, 100)).rule == "DOD-8.1-a", "one in a round"


@pytest.mark.rule("DOD-8.1-a")
def test_after_a_train_there_is_no_wagon() -> None:
    game = hauling("B8")
    game.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    for source in (BANK, "B8"):
        assert refused(game, BuyMarker("ann", "BME", "C", source, 100)).rule == "DOD-8.1-a"


@pytest.mark.rule("DOD-8.1-a")
def test_a_brewery_buys_a_wagon_from_a_railway() -> None:
    game = turn("3", step="equipment")
    railway(game, "CME", "bo")
    trains(game, "CME", "3")
    give_markers(game, "CME", "C")
    brewing_turn(game, "DUB", "equipment")
    assert refused(game, BuyMarker("ann", "DUB", "C", "CME", 49)).rule == "DOD-8.1-a"
    game.apply(BuyMarker("ann", "DUB", "C", "CME", 50))
    game.apply(Answer("bo", "accept"))
    assert markers.owned(game, "DUB") == ["C"]


@pytest.mark.rule("DOD-8.1-a")
@pytest.mark.parametrize("type_", ["3", "4"])
def test_a_wagon_exports_a_unit_of_a_3_or_4(type_: str) -> None:
    game = exporting(type_, kim=("C",), name="5", form=FORM)
    game.apply(LoadExport("ann", "DUB", type_, "BME", "8"))
    assert Loads.of(game).trains == {"BME": [("8", 1)]}, "at once"
    assert "load_export" not in names(game)


@pytest.mark.rule("DOD-8.1-b")
def test_markers_change_hands_in_the_buyers_equipment_step() -> None:
    game = turn("3", company="B4", step="equipment")
    cash(game, "B4", 300)
    give_markers(game, "B8", "A2")
    brewing_turn(game, "B4", "equipment")
    for price in (29, 91):
        assert refused(game, BuyMarker("ann", "B4", "A2", "B8", price)).rule == "DOD-8.1-b"
    game.apply(BuyMarker("ann", "B4", "A2", "B8", 30))
    game.apply(Answer("bo", "counter", 90))
    game.apply(Answer("ann", "accept"))
    assert markers.owned(game, "B4") == ["A2"]
    cash(game, "B8", 300)
    brewing_turn(game, "B8", "equipment")
    assert refused(game, BuyMarker("ann", "B8", "A2", "B4", 60)).key == "turn.player", "not in the seller's turn"


# ---------------------------------------------------------------------- events


@pytest.mark.rule("DOD-8.2-a")
def test_upgrading_replaces_a_piece_that_was_used() -> None:
    game = turn("4", "3", "2", sem="J", name="4", r4=3, r3=2, n3=1)
    assert breweries.limit(game, "DUB") == 3
    assert income(game) == 3 * 45 + 2 * 30 + 20
    game.apply(Dividend("ann", "DUB", "withhold"))
    assert refused(game, BuyEquipment("ann", "DUB", "4")).rule == "DO-6.5.2.6-a"
    assert refused(game, UseEvent("ann", "DUB", "J", "4", "2")).rule == "DOD-8.2-a", "it has delivered nothing"
    before = game.state.cash["DUB"]
    game.apply(UseEvent("ann", "DUB", "J", "4", "3"))
    assert breweries.equipment(game, "DUB") == ["4", "4", "2"]
    assert game.state.cash["DUB"] == before - 300
    assert not game.state.pauses
    assert display(game, "J") == 1


@pytest.mark.rule("DOD-8.2-a")
def test_upgrading_brings_nothing_below_the_limit() -> None:
    game = turn("3", sem="J", name="4", r3=3)
    income(game)
    game.apply(Dividend("ann", "DUB", "withhold"))
    assert refused(game, UseEvent("ann", "DUB", "J", "4", "3")).rule == "DOD-8.2-a"


@pytest.mark.rule("DOD-8.2-b")
def test_premium_beer_needs_demand_in_the_next_segment() -> None:
    game = turn("3", sem="K", r3=1, closed=(5, 6))
    game.apply(UseEvent("ann", "DUB", "K"))
    assert income(game) == 45
    game = turn("3", sem="K", r3=1, closed=(4, 5, 6))
    assert refused(game, UseEvent("ann", "DUB", "K")).rule == "DOD-8.2-b"
    game = turn("3", sem="K", r3=1, r2=1, closed=(4, 5, 6))
    game.apply(UseEvent("ann", "DUB", "K"))
    assert income(game) == 30 + 30, "the cube of segment 2 is the premium beer"


@pytest.mark.rule("DOD-8.2-c")
def test_an_investor_takes_one_or_two_certificates_of_any_size() -> None:
    game = turn("3", sem="M")
    before = game.state.cash["DUB"]
    game.apply(UseEvent("ann", "DUB", "M", percent=20))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (before + 140, 70)
    game = turn("3", sem="M", company="DAB")
    company = game.company("DAB")
    company.certificates = ["ann", "DAB", "DAB", "ann", "ann", "ann", "DAB"]
    brewing_turn(game, "DAB")
    assert offered(game, "use_event", marker="M") == [20, 40]
    own(game, "DAB", POOL, 10)
    company.certificates[3] = POOL
    brewing_turn(game, "DAB")
    assert offered(game, "use_event", marker="M") == [20], "the pool has 20 %, 40 more are too much"
    game.apply(UseEvent("ann", "DAB", "M", percent=20))
    assert shares.held(game, "DAB", POOL) == 40


@pytest.mark.rule("DOD-8.2-d")
def test_contract_brewing_pays_dortmunds_price_for_idle_units() -> None:
    game = turn("3", sem="N", closed=(4, 5, 6), r3=1)
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == 30 + 2 * 15
    game = turn("5", sem="N", name="5", closed=(1, 2, 6), r5=1)
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == 60 + 2 * 30, "the unit with an arrow like the others"
    game = turn("3", sem="N", r3=3)
    assert refused(game, UseEvent("ann", "DUB", "N")).rule == "DOD-8.2-d"


@pytest.mark.rule("DOD-8.2-e")
def test_a_second_shift_works_without_stock_and_without_demand_for_the_equipment() -> None:
    game = turn("3", sem="O", stock=0, n4=1, r5=1)
    game.apply(UseEvent("ann", "DUB", "O", "3", segment=3))
    assert fields(game) == {"r5": 1}, "the cheapest demand"
    assert breweries.beer(game).delivered["regular"][2] == 1
    assert income(game) == 15
    assert breweries.idle(game, "DUB") == [], "the equipment was of use"
    game = turn("3", sem="O", stock=0)
    assert refused(game, UseEvent("ann", "DUB", "O", "3", segment=3)).rule == "DOD-8.2-e"


@pytest.mark.rule("DOD-8.2-f")
def test_a_used_event_is_not_taken_again_in_the_same_turn() -> None:
    game = turn("3", sem="G", company="B4", step="event")
    game.apply(UseEvent("ann", "B4", "G"))
    assert refused(game, TakeEvent("ann", "B4", "G")).rule == "DOD-8.2-f"
    brewing_turn(game, "B4", "event")
    game.apply(TakeEvent("ann", "B4", "G"))


@pytest.mark.rule("DOD-8.2-f")
def test_an_event_used_before_the_turn_may_be_taken_again_in_it() -> None:
    game = after_package(form=FORM)
    phase(game, "3")
    equip(game, "B8", "3")
    give_markers(game, "B8", "H")
    demand(game, r3=1, stock=3)
    brewing(game)
    game.apply(UseEvent("bo", "B8", "H", "3", segment=3, customers="regular"))
    while game.state.round.step != "event":
        game.apply(Dividend("bo", "B8", "withhold") if game.state.round.step == "dividend" else Pass("bo"))
    game.apply(TakeEvent("bo", "B8", "H"))
    assert markers.special(game, "B8") == "H"


@pytest.mark.rule("DOD-8.2-g")
def test_equipment_is_turned_before_it_is_given_in() -> None:
    game = turn("3", sem="I", name="4", r3=3)
    game.apply(RestEquipment("ann", "DUB", "3"))
    assert "deliver_best" not in names(game), "although demand is left"
    game.apply(Pass("ann"))
    assert fields(game) == {"r3": 3}
    before = game.state.cash["DUB"]
    game.apply(UseEvent("ann", "DUB", "I", "4", "3"))
    assert game.state.cash["DUB"] == before - 240
    assert breweries.equipment(game, "DUB") == ["4"]


@pytest.mark.rule("DOD-8.2-g")
def test_equipment_that_was_not_turned_is_not_given_in_even_if_it_was_idle() -> None:
    game = turn("3", sem="I", name="4", step="equipment")
    assert refused(game, UseEvent("ann", "DUB", "I", "4", "3")).rule == "DOD-8.2-g"


@pytest.mark.rule("DOD-8.2-g")
@pytest.mark.parametrize("kept", [(), ("2",)])
def test_a_new_piece_is_not_given_in_for_one_that_was_turned_and_given_up(kept: tuple[str, ...]) -> None:
    """With another of its type left, that one is the piece that rests."""
    game = turn("2", *kept, sem="I", name="2", company="B4")
    on_card(game, "2", 3)
    cash(game, "B4", 500)
    game.apply(RestEquipment("ann", "B4", "2"))
    game.apply(GiveUpEquipment("ann", "B4", "2"))
    if game.state.round.step == "deliver":
        game.apply(Pass("ann"))
    if not kept:
        game.apply(BuyEquipment("ann", "B4", "2"))
        assert refused(game, UseEvent("ann", "B4", "I", "2", "2")).key == "special.given"
    else:
        game.apply(UseEvent("ann", "B4", "I", "2", "2"))
        assert game.state.cash["B4"] == 500 - (80 - 40)


@pytest.mark.rule("DO-7.1.1-a")
def test_pubs_pay_a_brewery_that_has_not_floated_too() -> None:
    """Traded in before it floats a small brewery leaves its pubs to a corporation without an order token."""
    game = after_package(form=FORM)
    corporation(game, "DUB", held=30, treasury=0)
    game.company("DUB").floated = False
    OrderTokens.of(game).order.remove("DUB")
    give_markers(game, "DUB", "A1")
    assert faults(game) == []
    brewing(game)
    assert game.state.cash["DUB"] == 5


@pytest.mark.rule("DOD-8.2-g")
def test_a_piece_that_rests_and_stays_counts_as_idle() -> None:
    game = turn("3", "3", sem="I", name="4", r3=3)
    game.apply(RestEquipment("ann", "DUB", "3"))
    assert income(game) == 90
    assert breweries.idle(game, "DUB") == ["3"]


@pytest.mark.rule("DOD-8.2-g")
def test_beside_a_piece_that_rests_as_little_as_possible_stays_idle() -> None:
    game = turn("3", "3", "2", sem="I", name="4", r1=2, closed=(6,))
    game.apply(RestEquipment("ann", "DUB", "3"))
    assert income(game) == 30
    assert breweries.idle(game, "DUB") == ["3"], "the other 3 and the 2 deliver a cube each"


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_equipment_with_a_kept_cube_has_a_use() -> None:
    game = after_package(form=FORM)
    phase(game, "3")
    equip(game, "B8", "3", "2")
    give_markers(game, "B8", "H")
    demand(game, r3=1, r1=1, stock=3)
    brewing(game)
    game.apply(UseEvent("bo", "B8", "H", "3", segment=3, customers="regular"))
    game.apply(DeliverBest("bo", "B8"))
    assert Earned.of(game).revenue == 30 + 15
    assert breweries.idle(game, "B8") == [], "the 2 delivers what is left"


@pytest.mark.rule("DOD-8.1-a")
def test_a_train_with_a_wagon_may_run_through_full_stations_with_its_beer() -> None:
    names_ = {train.name for train in after_package(form=FORM).rules.vehicles}
    assert {"4+2", "4+2!", "8+5!"} <= names_
    assert not {"2+1", "4+3", "8+6"} & names_, "two wagons with three players, none on a 2-train"


# ---------------------------------------------------------------------- whom they serve is fixed


@pytest.mark.rule("DOD-8.2-d")
def test_the_fixed_order_leaves_the_best_units_idle_for_contract_brewing() -> None:
    game = turn("3", "2", sem="N", r1=3)
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == 3 * 15 + 2 * 15


@pytest.mark.rule("DOD-8.1-b")
def test_in_the_fixed_order_one_piece_delivers_as_much_as_it_can_for_a_bottling_line() -> None:
    game = turn("4", "3", name="5", closed=(1, 2, 6), r3=2, n3=1)
    give_markers(game, "DUB", "B3")
    brewing_turn(game, "DUB")
    assert income(game) == 80 + 30


# ---------------------------------------------------------------------- trading in


@pytest.mark.rule("DOD-5.5.5-a")
def test_markers_may_come_to_a_corporation_before_its_order_token() -> None:
    game = after_package(form=FORM)
    phase(game, "3")
    give_markers(game, "B4", "A1")
    second_stock(game, "bo")
    game.apply(Found("bo", "DUB", 60))
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    game.apply(OrderPlace("bo", "DUB", "leave"))
    assert markers.owned(game, "DUB") == ["A1"]
    assert "DUB" not in OrderTokens.of(game).order
    assert faults(game) == []
    game.company("DUB").floated = True
    assert "DUB has markers but no order token" in faults(game), "once it has floated it must have one"
