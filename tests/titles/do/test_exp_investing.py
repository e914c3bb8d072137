"""The Expert game's small investments: buying, selling, pubs, bottling lines, each by its clause."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Answer, Bid, BuyTrain, Pass
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.do.exp_arrange import after_package, display, exporting, give_markers, purse
from tests.titles.do.hsb_arrange import (
    brewing,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    export_line,
    names,
    new,
    offered,
    on_card,
    own,
    phase,
    price_at,
    railway,
    railway_turn,
    refused,
    second_stock,
    trains,
)
from titles.do.board.remembered import WagonsOnTrains
from titles.do.brewery import failing
from titles.do.brewery.brewing import BuyEquipment, DeliverBest
from titles.do.brewery.game import Start
from titles.do.brewery.loading import LoadExport
from titles.do.brewery.trading import TradeIn
from titles.do.expert import markers
from titles.do.expert.investing import BuyMarker, MarkerBought
from titles.do.expert.markers import MarkersHeld, ReturnMarker
from titles.do.expert.tables import expert


def buying(company: str = "B4", treasury: int = 300, name: str = "2", players: int = 3) -> Game:
    """A brewery with equipment is to buy."""
    game = after_package(players)
    if name != "2":
        phase(game, name)
        on_card(game, name, 3)
    if company == "B4":
        equip(game, "B4", "2" if name == "2" else "3")
    else:
        corporation(game, company, equipment=("3",))
    cash(game, company, treasury)
    brewing_turn(game, company, "equipment")
    return game


# ---------------------------------------------------------------------- preparation


@pytest.mark.rule("DO-7.3-a")
@pytest.mark.rule("DO-7.1-f")
@pytest.mark.rule("DO-7.1.1-a")
@pytest.mark.rule("DO-7.1.2-a")
@pytest.mark.parametrize(
    ("players", "kim"),
    [
        (3, {"A1": 2, "A2": 2, "A3": 1, "A4": 1, "B2": 2, "B3": 1, "B4": 1, "C": 2}),
        (4, {"A1": 2, "A2": 2, "A3": 1, "A4": 1, "B2": 2, "B3": 1, "B4": 1, "C": 3}),
        (5, {"A1": 3, "A2": 3, "A3": 2, "A4": 1, "B2": 3, "B3": 2, "B4": 1, "C": 3}),
    ],
)
def test_all_markers_lie_on_the_display_at_the_start(players: int, kim: dict[str, int]) -> None:
    game = new(players, form="exp")
    assert MarkersHeld.of(game).display == {**kim, **dict.fromkeys("GHIJKLMNOP", 1)}
    assert sum(kim.values()) == {3: 12, 4: 13, 5: 18}[players]
    assert MarkersHeld.of(game).investments == MarkersHeld.of(game).specials == {}
    assert faults(game) == []


@pytest.mark.rule("DO-7.1.1-a")
def test_prices_incomes_and_phases_of_small_investments() -> None:
    rows = {row.code: (row.phase, row.price, row.income) for row in expert(new(form="exp")).kim}
    assert rows == {
        "A1": ("yellow", 30, 5),
        "A2": ("green", 60, 10),
        "A3": ("brown", 80, 20),
        "A4": ("grey", 120, 40),
        "B2": ("green", 50, 5),
        "B3": ("brown", 100, 10),
        "B4": ("grey", 120, 20),
        "C": ("brown", 100, 0),
    }


@pytest.mark.rule("DO-7.4-a")
def test_after_the_starting_round_everybody_may_buy_an_investment_with_their_own_money() -> None:
    game = new(3, form="exp")
    minors = sorted(Start.of(game).package)[:3]
    for player, minor in zip(("ann", "bo", "cy"), reversed(minors), strict=True):
        game.apply(Bid(player, minor, 0))
    assert game.state.round.kind == "markers"
    assert game.offer().deciders == ("cy",), "the lowest number first"
    order = list(Start.of(game).first_order)
    before, treasury = game.state.cash["cy"], game.state.cash[minors[0]]
    game.apply(BuyMarker("cy", minors[0], "A4", BANK, 120))
    assert game.state.cash["cy"] == before - 120
    assert game.state.cash[minors[0]] == treasury
    assert markers.owned(game, minors[0]) == ["A4"]
    assert game.offer().deciders == ("bo",), "one each"
    assert refused(game, BuyMarker("bo", minors[1], "A4", BANK, 120)).rule == "DO-7.1-f"
    game.apply(Pass("bo"))
    game.apply(BuyMarker("ann", minors[2], "C", BANK, 100))
    assert game.state.round.kind == "stock"
    assert Start.of(game).first_order == order, "the order by cash was set before"
    assert game.offer().deciders == (order[0],)


@pytest.mark.rule("DO-7.4-a")
def test_dealt_breweries_come_before_investments_too() -> None:
    game = new(3, dealt=True, form="exp")
    assert game.state.round.kind == "markers"
    player = game.offer().deciders[0]
    minor = next(name for name, company in game.state.companies.items() if company.director == player)
    purse(game, player, 29)
    assert names(game) == {"pass"}
    assert refused(game, BuyMarker(player, minor, "A1", BANK, 30)).rule == "DO-7.1-c"


# ---------------------------------------------------------------------- buying


@pytest.mark.rule("DO-7.1-a")
def test_an_investment_may_be_bought_before_it_works() -> None:
    game = buying()
    game.apply(BuyMarker("ann", "B4", "A2", BANK, 60))
    assert game.state.cash["B4"] == 240
    brewing(game)
    assert game.state.cash["B4"] == 240, "nothing before green"
    phase(game, "3")
    brewing(game)
    assert game.state.cash["B4"] == 250


@pytest.mark.rule("DO-7.1-a")
def test_railways_buy_no_pubs_and_no_bottling_lines() -> None:
    game = after_package()
    railway(game, "BME")
    trains(game, "BME", "2")
    railway_turn(game, "BME", "trains")
    assert offered(game, "buy_marker", source=BANK) == ["C"]
    for code, price in (("A1", 30), ("B2", 50)):
        assert refused(game, BuyMarker("ann", "BME", code, BANK, price)).rule == "DO-7.1-a"
    give_markers(game, "B8", "A1")
    assert refused(game, BuyMarker("ann", "BME", "A1", "B8", 30)).rule == "DO-7.1-a"


@pytest.mark.rule("DO-7.1-b")
@pytest.mark.parametrize(("company", "boxes"), [("B4", 1), ("DUB", 2), ("KRO", 2), ("DAB", 2), ("RIT", 1), ("STI", 1)])
def test_a_brewery_has_as_many_investments_as_boxes(company: str, boxes: int) -> None:
    game = buying(company, name="3")
    give_markers(game, company, *["A1", "A2"][: boxes - 1])
    game.apply(BuyMarker("ann", company, "B2", BANK, 50))
    brewing_turn(game, company, "equipment")
    assert refused(game, BuyMarker("ann", company, "B2", BANK, 50)).rule == "DO-7.1-b"
    assert len(markers.owned(game, company)) == boxes


@pytest.mark.rule("DO-7.1-e")
def test_a_full_brewery_puts_one_back_before_it_buys() -> None:
    game = buying()
    give_markers(game, "B4", "A1")
    assert refused(game, BuyMarker("ann", "B4", "A3", BANK, 80, "A2")).rule == "DO-7.1-e"
    assert display(game, "A1") == 1
    events = game.apply(BuyMarker("ann", "B4", "A3", BANK, 80, "A1"))
    assert type(events[0]).__name__ == "MarkerReturned", "before it is paid"
    assert game.state.cash["B4"] == 220, "nothing is refunded"
    assert markers.owned(game, "B4") == ["A3"]
    assert display(game, "A1") == 2


@pytest.mark.rule("DO-7.1-e")
def test_nobody_puts_back_what_is_not_in_the_way() -> None:
    game = buying("DUB", name="3")
    give_markers(game, "DUB", "A1")
    assert refused(game, BuyMarker("ann", "DUB", "A2", BANK, 60, "A1")).rule == "DO-7.1-e"


@pytest.mark.rule("DO-7.1-e")
def test_investments_never_become_obsolete() -> None:
    game = after_package()
    give_markers(game, "B4", "A1")
    phase(game, "8")
    cash(game, "B4", 0)
    brewing(game)
    assert game.state.cash["B4"] == 5


@pytest.mark.rule("DO-7.1-c")
def test_in_yellow_a_card_and_an_investment_or_two_cards() -> None:
    game = buying(treasury=500)
    game.apply(BuyMarker("ann", "B4", "A1", BANK, 30))
    give_markers(game, "B8", "A1")
    assert refused(game, BuyMarker("ann", "B4", "A2", BANK, 60, "A1")).rule == "DO-7.1-c"
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert refused(game, BuyEquipment("ann", "B4", "2")).rule == "DO-6.5.2.6-a"
    equip(game, "B4", "2")
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "2"))
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert refused(game, BuyMarker("ann", "B4", "A2", BANK, 60, "A1")).rule == "DO-7.6-a"


@pytest.mark.rule("DO-7.1-c")
@pytest.mark.rule("DO-7.6-a")
def test_from_green_on_a_card_or_an_investment() -> None:
    game = buying("DUB", name="3", treasury=900)
    game.apply(BuyMarker("ann", "DUB", "A1", BANK, 30))
    assert refused(game, BuyEquipment("ann", "DUB", "3")).rule == "DO-6.5.2.6-a"
    assert refused(game, BuyMarker("ann", "DUB", "A2", BANK, 60)).rule == "DO-7.6-a"
    brewing_turn(game, "DUB", "equipment")
    game.apply(BuyEquipment("ann", "DUB", "3"))
    assert refused(game, BuyMarker("ann", "DUB", "A2", BANK, 60)).rule == "DO-7.6-a"


@pytest.mark.rule("DO-7.1-c")
def test_an_investment_is_paid_from_the_treasury_alone() -> None:
    game = buying(treasury=59)
    assert game.state.cash["ann"] == 1000
    assert refused(game, BuyMarker("ann", "B4", "A2", BANK, 60)).rule == "DO-7.1-c"
    purse(game, "B4", 60)
    assert refused(game, BuyMarker("ann", "B4", "A2", BANK, 59)).rule == "DO-7.1-f"
    game.apply(BuyMarker("ann", "B4", "A2", BANK, 60))
    assert game.state.cash["ann"] == 1000


@pytest.mark.rule("DO-7.1-c")
def test_a_brewery_that_must_buy_equipment_buys_no_investment_before() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", treasury=500)
    on_card(game, "3", 2)
    brewing_turn(game, "DUB", "equipment")
    assert "buy_marker" not in names(game)
    assert refused(game, BuyMarker("ann", "DUB", "A1", BANK, 30)).rule == "DO-6.5.2.7-b"


def test_there_are_no_other_investments() -> None:
    game = buying()
    assert refused(game, BuyMarker("ann", "B4", "G", BANK, 30)).key == "unknown.marker"
    assert refused(game, BuyMarker("ann", "B8", "A1", BANK, 30)).key == "turn.order"


# ---------------------------------------------------------------------- between breweries


@pytest.mark.rule("DO-7.1-d")
def test_breweries_sell_investments_to_each_other_within_limits() -> None:
    game = buying(name="3")
    give_markers(game, "B8", "A2")
    for price in (29, 91):
        assert refused(game, BuyMarker("ann", "B4", "A2", "B8", price)).rule == "DO-7.1-d"
    game.apply(BuyMarker("ann", "B4", "A2", "B8", 30))
    assert game.offer().deciders == ("bo",), "the seller has to agree"
    treasury = game.state.cash["B8"]
    game.apply(Answer("bo", "counter", 90))
    assert refused(game, Answer("ann", "counter", 90)).rule == "DO-7.1-d"
    game.apply(Answer("ann", "accept"))
    assert (game.state.cash["B4"], game.state.cash["B8"]) == (210, treasury + 90)
    assert markers.owned(game, "B4") == ["A2"]
    assert markers.owned(game, "B8") == []
    assert display(game, "A2") == 1
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert faults(game) == []


@pytest.mark.rule("DO-7.1-d")
def test_a_declined_price_is_not_offered_again() -> None:
    game = buying(name="3")
    give_markers(game, "B8", "A2")
    game.apply(BuyMarker("ann", "B4", "A2", "B8", 40))
    game.apply(Answer("bo", "decline"))
    assert markers.owned(game, "B8") == ["A2"]
    assert refused(game, BuyMarker("ann", "B4", "A2", "B8", 40)).rule == "DO-7.1-d"
    game.apply(BuyMarker("ann", "B4", "A2", "B8", 41))


@pytest.mark.rule("DO-7.1-d")
def test_who_directs_both_breweries_is_not_asked() -> None:
    game = buying("DUB", name="3")
    give_markers(game, "B4", "A1")
    game.apply(BuyMarker("ann", "DUB", "A1", "B4", 15))
    assert not game.state.pauses
    assert markers.owned(game, "DUB") == ["A1"]
    assert refused(game, BuyMarker("ann", "DUB", "A1", "B4", 15)).rule == "DO-7.1-d"
    assert refused(game, BuyMarker("ann", "DUB", "A1", "XYZ", 15)).rule == "DO-7.1-d"


@pytest.mark.rule("DO-7.1-d")
def test_a_full_buyer_puts_one_back_when_the_seller_has_agreed() -> None:
    game = buying(name="3")
    give_markers(game, "B4", "A1")
    give_markers(game, "B8", "A2")
    assert refused(game, BuyMarker("ann", "B4", "A2", "B8", 60)).rule == "DO-7.1-b"
    game.apply(BuyMarker("ann", "B4", "A2", "B8", 60, "A1"))
    assert markers.owned(game, "B4") == ["A1"]
    game.apply(Answer("bo", "accept"))
    assert markers.owned(game, "B4") == ["A2"]
    assert display(game, "A1") == 2


# ---------------------------------------------------------------------- pubs and bottling lines


@pytest.mark.rule("DO-7.1.1-a")
@pytest.mark.parametrize(
    ("code", "name", "income"), [("A1", "2", 5), ("A2", "3", 10), ("A3", "5", 20), ("A4", "8", 40), ("A4", "6", 0)]
)
def test_pubs_pay_into_the_treasury_at_the_start_of_a_brewery_round(code: str, name: str, income: int) -> None:
    game = after_package()
    if name != "2":
        phase(game, name)
    corporation(game, "DUB", price=60)
    cash(game, "B8", 0)
    give_markers(game, "B8", code)
    bank, owner = game.state.cash[BANK], game.state.cash["bo"]
    brewing(game)
    assert game.state.cash["B8"] == income
    assert game.state.cash[BANK] == bank - income
    assert game.state.cash["bo"] == owner, "no dividend"


@pytest.mark.rule("DO-7.1-f")
def test_two_pubs_of_a_kind_pay_twice_and_move_no_price() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", price=60, treasury=0)
    give_markers(game, "DUB", "A2", "A2")
    brewing(game)
    assert game.state.cash["DUB"] == 20
    assert game.prices.value("DUB") == 60


def bottled(*equipment: str, name: str, kim: tuple[str, ...], **wanted: int) -> Game:
    game = after_package()
    phase(game, name)
    corporation(game, "DUB", equipment=equipment, price=100)
    give_markers(game, "DUB", *kim)
    demand(game, stock=3, **wanted)
    brewing_turn(game, "DUB")
    return game


@pytest.mark.rule("DO-7.1.2-a")
@pytest.mark.parametrize(("name", "income"), [("4", 90), ("5", 120)])
def test_a_bottling_line_works_with_one_piece_of_equipment_from_its_phase_on(name: str, income: int) -> None:
    game = bottled("3", "3", name=name, kim=("B3",), r3=3)
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == income


@pytest.mark.rule("DO-7.1.2-a")
def test_a_bottling_line_counts_the_cubes_of_one_piece() -> None:
    game = bottled("3", "3", name="5", kim=("B3",), r3=5)
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 5 * 30 + 3 * 10


@pytest.mark.rule("DO-7.1.2-a")
def test_a_bottling_line_counts_what_is_delivered_not_what_could_be() -> None:
    game = bottled("3", name="5", kim=("B3",), r3=2)
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 2 * (30 + 10)


@pytest.mark.rule("DO-7.1.2-a")
def test_two_lines_may_serve_the_same_equipment() -> None:
    """R-143: they go by themselves to the piece that has delivered most."""
    game = bottled("6", "4", name="8", kim=("B3", "B4"), r4=4, r2=1)
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 4 * 45 + 20 + 4 * (10 + 20)


@pytest.mark.rule("DO-7.1.2-a")
def test_exported_cubes_are_not_bottled() -> None:
    game = exporting("6", kim=("B3",), name="6")
    game.apply(LoadExport("ann", "DUB", "6", "BME", "8"))
    game.apply(LoadExport("ann", "DUB", "6", "BME", "8+1"))
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 200 + 2 * 45 + 2 * 10


@pytest.mark.rule("DO-7.1.2-a")
def test_a_piece_that_exports_bottles_less() -> None:
    """Three of the four units with an arrow are loaded: one of the two pieces has exported at least one of them."""
    game = exporting("6", "6", kim=("B3",), name="6")
    for train in ("8", "8+1", "8+2"):
        game.apply(LoadExport("ann", "DUB", "6", "BME", train))
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 300 + 5 * 45 + 3 * 10


@pytest.mark.rule("DO-7.1.2-a")
def test_the_best_deliveries_know_the_bottling_line() -> None:
    """A 4 and a 3 with cubes of segment 3 only: one piece delivers as many of them as it can."""
    game = bottled("4", "3", name="5", kim=("B3",), r3=2, n3=1)
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 80 + 30


# ---------------------------------------------------------------------- what becomes of them


@pytest.mark.rule("DO-7.1-b")
def test_markers_of_a_small_brewery_go_to_the_corporation_which_returns_what_is_too_much() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "RIT", "bo", held=30)
    own(game, "RIT", "bo", 20)
    give_markers(game, "B4", "A1", "G")
    give_markers(game, "RIT", "A2", "H")
    second_stock(game)
    game.apply(TradeIn("ann", "B4", "RIT", "RIT", 10))
    assert game.offer().deciders == ("bo",)
    assert game.state.pauses[0].kind == "surplus_markers"
    assert offered(game, "return_marker") == ["A1", "A2", "G", "H"]
    assert refused(game, ReturnMarker("bo", "RIT", "A3")).rule == "DO-7.1-b"
    game.apply(ReturnMarker("bo", "RIT", "A1"))
    assert offered(game, "return_marker") == ["G", "H"]
    game.apply(ReturnMarker("bo", "RIT", "H"))
    assert markers.owned(game, "RIT") == ["A2"]
    assert markers.special(game, "RIT") == "G"
    assert display(game, "A1") == 2
    assert display(game, "H") == 1


@pytest.mark.rule("DO-7-a")
def test_for_a_pool_share_the_markers_go_back_to_the_display() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "RIT", "bo")
    own(game, "RIT", POOL, 10)
    give_markers(game, "B4", "A1", "G")
    second_stock(game)
    game.apply(TradeIn("ann", "B4", "RIT", POOL, 10))
    assert markers.owned(game, "RIT") == []
    assert (display(game, "A1"), display(game, "G")) == (2, 1)
    assert faults(game) == []


@pytest.mark.rule("DO-7-a")
def test_markers_of_a_bankrupt_company_go_back_to_the_display() -> None:
    game = after_package()
    phase(game, "5")
    corporation(game, "RIT", "bo")
    railway(game, "BME")
    trains(game, "BME", "5")
    give_markers(game, "RIT", "A1", "G")
    give_markers(game, "BME", "C")
    price_at(game, "RIT", 10)
    for company in ("RIT", "BME"):
        failing.fail(game, company)
    assert MarkersHeld.of(game).investments == MarkersHeld.of(game).specials == WagonsOnTrains.of(game).trains == {}
    assert (display(game, "A1"), display(game, "G"), display(game, "C")) == (2, 1, 2)


@pytest.mark.rule("DO-7.5-a")
@pytest.mark.rule("DO-7.1.3-a")
def test_a_railway_takes_a_train_or_a_wagon_from_the_bank() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "3", 3)
    railway(game, "BME", treasury=99)
    trains(game, "BME", "3")
    railway_turn(game, "BME", "trains")
    assert refused(game, BuyMarker("ann", "BME", "C", BANK, 100)).rule == "DO-7.1.3-a"
    purse(game, "BME", 500)
    events = game.apply(BuyMarker("ann", "BME", "C", BANK, 100))
    assert MarkerBought("BME", "C", BANK, 100) in events
    assert game.state.cash["BME"] == 400
    assert refused(game, BuyTrain("ann", "BME", "3", BANK, 180)).rule == "DO-4.5.7.1-c"
    railway_turn(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    assert refused(game, BuyMarker("ann", "BME", "C", BANK, 100)).rule == "DO-7.5-a"


@pytest.mark.rule("DO-7.5-a")
def test_a_wagon_of_another_company_comes_besides_a_new_train() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "3", 3)
    railway(game, "BME")
    trains(game, "BME", "3")
    give_markers(game, "B8", "C")
    railway_turn(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    game.apply(BuyMarker("ann", "BME", "C", "B8", 100))
    game.apply(Answer("bo", "accept"))
    assert markers.owned(game, "BME") == ["C"]


@pytest.mark.rule("DO-7.5-a")
def test_a_railway_without_a_train_buys_that_first() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "3", 3)
    railway(game, "BME")
    export_line(game)
    railway_turn(game, "BME", "trains")
    assert "buy_marker" not in names(game)
    assert refused(game, BuyMarker("ann", "BME", "C", BANK, 100)).rule == "DO-4.5.7.4-a"


@pytest.mark.rule("DO-7.1.3-b")
@pytest.mark.parametrize(("buyer", "seller"), [("BME", "B8"), ("BME", "CME"), ("DUB", "CME"), ("DUB", "B8")])
def test_wagons_change_hands_between_all_companies(buyer: str, seller: str) -> None:
    game = after_package()
    phase(game, "5")
    corporation(game, "DUB", equipment=("5",), treasury=500)
    for name, director in (("BME", "ann"), ("CME", "bo")):
        railway(game, name, director)
        trains(game, name, "5")
    give_markers(game, seller, "C")
    if buyer == "BME":
        railway_turn(game, "BME", "trains")
    else:
        brewing_turn(game, "DUB", "equipment")
    for price in (49, 151):
        assert refused(game, BuyMarker("ann", buyer, "C", seller, price)).rule == "DO-7.1.3-b"
    before = game.state.cash[seller]
    game.apply(BuyMarker("ann", buyer, "C", seller, 50))
    game.apply(Answer("bo", "counter", 150))
    game.apply(Answer("ann", "accept"))
    assert markers.owned(game, buyer) == ["C"]
    assert game.state.cash[seller] == before + 150
    assert markers.ExpertMarkers(expert(game), len(game.players)).faults(game) == []
    assert not any("wagon" in fault for fault in game.rules.faults(game))


@pytest.mark.rule("DO-7.1.3-b")
def test_railways_sell_breweries_nothing_but_wagons() -> None:
    game = after_package()
    phase(game, "5")
    railway(game, "CME", "bo")
    trains(game, "CME", "5")
    equip(game, "B4", "5")
    brewing_turn(game, "B4", "equipment")
    found = refused(game, BuyMarker("ann", "B4", "A1", "CME", 30))
    assert (found.key, found.rule) == ("marker.partner", "DO-7.1-d")
    assert refused(game, BuyMarker("ann", "B4", "C", "CME", 100)).key == "marker.owned"
