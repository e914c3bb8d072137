"""The draft of January 2020, Heat, Sweat & Beer: brewery rounds, beside the final rules."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Answer, Pass, SellOwnShares, SellShares, TakeLoan
from engine.remembered import Earned
from engine.state import OFFERING, POOL
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
    names,
    offered,
    on_card,
    own,
    phase,
    put,
    railway,
    refused,
    second_stock,
    take_offer,
    trains,
)
from titles.do.board.remembered import SoldBeer
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering, showing
from titles.do.brewery.beer import NEW, REGULAR
from titles.do.brewery.breweries import EquipmentGone, EquipmentOwned, GiveUpEquipment, Idle, OrderTokens
from titles.do.brewery.brewing import BuyEquipment, DeliverBeer, DeliverBest
from titles.do.brewery.data import tables
from titles.do.brewery.loading import LoadExport, Loads
from titles.do.brewery.trading import OrderPlace, TradeIn
from titles.do.draft2020.selling import first

DRAFT = "draft-hsb"


def small(*equipment: str, form: str = DRAFT, phase_: str = "2", treasury: int = 100) -> Game:
    """ann's B4 with this equipment; bo's B8 and cy's B2 have one piece each."""
    game = after_package(form=form)
    phase(game, phase_)
    for name in ("B8", "B2"):
        equip(game, name, "2")
    equip(game, "B4", *equipment)
    cash(game, "B4", treasury)
    return game


# ---------------------------------------------------------------------- deliveries


@pytest.mark.rule("DOD-5.6.2.1-c")
def test_the_highest_segment_comes_first() -> None:
    game = small("5", phase_="5")
    demand(game, r5=1, r3=4)
    brewing_turn(game, "B4")
    refusal = refused(game, DeliverBeer("ann", "B4", "5", 3, "regular"))
    assert (refusal.rule, refusal.key) == ("DOD-5.6.2.1-c", "deliver.order")
    assert offered(game, "deliver_beer", equipment="5") == [5]
    game.apply(DeliverBeer("ann", "B4", "5", 5, "regular"))
    game.apply(DeliverBeer("ann", "B4", "5", 3, "regular"))
    final = small("5", form="hsb", phase_="5")
    demand(final, r5=1, r3=4)
    brewing_turn(final, "B4")
    final.apply(DeliverBeer("ann", "B4", "5", 3, "regular"))


@pytest.mark.rule("DOD-5.6.2.1-c")
def test_lower_equipment_waits_for_the_highest_segment() -> None:
    game = small("4", "3", phase_="4")
    demand(game, r4=1, r3=4)
    brewing_turn(game, "B4")
    assert offered(game, "deliver_beer") == ["4"]
    assert refused(game, DeliverBeer("ann", "B4", "3", 3, "regular")).rule == "DOD-5.6.2.1-c"
    game.apply(DeliverBeer("ann", "B4", "4", 4, "regular"))
    assert offered(game, "deliver_beer") == ["4", "3"], "either of them reaches segment 3"
    game.apply(DeliverBeer("ann", "B4", "3", 3, "regular"))


@pytest.mark.rule("DOD-5.6.2.1-d")
def test_regular_customers_then_new_ones_then_the_next_segment() -> None:
    game = small("3", phase_="3")
    demand(game, r3=1, n3=1, r2=2)
    brewing_turn(game, "B4")
    taken = []
    for _ in range(3):
        segment = offered(game, "deliver_beer", equipment="3")[0]
        customers = offered(game, "deliver_beer", equipment="3", segment=segment)
        assert len(customers) == 1
        taken.append((segment, customers[0]))
        game.apply(DeliverBeer("ann", "B4", "3", *taken[-1]))
    assert taken == [(3, REGULAR), (3, NEW), (2, REGULAR)]
    assert Earned.of(game).revenue == 30 + 20 + 20
    assert fields(game) == {"r2": 1}


@pytest.mark.rule("DOD-5.6.2.1-d")
def test_in_one_tap_the_order_is_the_same() -> None:
    game = small("3", phase_="3")
    demand(game, n3=1, n2=2, r2=1, r1=3, closed=())
    brewing_turn(game, "B4")
    game.apply(DeliverBest("ann", "B4"))
    assert fields(game) == {"n2": 1, "r1": 3}, "new customers of segment 2 before regular ones of segment 1"


def forced_by_hand(game: Game, beer: market.Beer, free: dict[str, int], chance: random.Random) -> list[market.Field]:
    """Cube by cube in the draft's order, each time with any equipment that reaches so far."""
    t, left, result = tables(game), dict(free), []
    wanted = market.wanted(beer)
    while (field := first(t, wanted, left)) is not None:
        type_ = chance.choice([type_ for type_, n in left.items() if n and t.types[type_].reach >= field[0]])
        left[type_] -= 1
        wanted[field] -= 1
        result.append(field)
    return result


@pytest.mark.rule("DOD-5.6.2.1-d")
def test_whatever_equipment_is_used_the_customers_are_the_same() -> None:
    chance = random.Random(20)
    game = small(phase_="6")
    corporation(game, "DUB", equipment=("6",))
    brewing_turn(game, "DUB")
    selling = game.steps()["deliver"].selling  # type: ignore[attr-defined]
    some_left = set()
    for _ in range(2000):
        wanted = {f"{c}{n}": chance.choice((0, 0, 1, 2)) for c, n in product("rn", range(1, 7))}
        demand(game, closed=(), **{name: count for name, count in wanted.items() if count})
        owned = sorted(chance.choices(list(tables(game).types), k=chance.randint(1, 3)), key=int, reverse=True)
        EquipmentOwned.of(game).owned["DUB"] = owned
        free = {t: chance.randint(0, n) for t, n in delivering.units(tables(game), owned).items()}
        beer = breweries.beer(game)
        found = selling.best(game, "DUB", free)
        assert [delivery.field for delivery in found] == forced_by_hand(game, beer, free, chance)
        assert all(delivery.segment <= int(delivery.equipment) for delivery in found)
        for type_ in free:
            assert sum(delivery.equipment == type_ for delivery in found) <= free[type_]
        some_left.add(len(found) < sum(free.values()))
    assert some_left == {True, False}


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_in_one_tap_as_little_as_possible_stays_idle() -> None:
    game = small("3", "2", "1", phase_="3")
    demand(game, r1=3)
    brewing_turn(game, "B4")
    game.apply(DeliverBest("ann", "B4"))
    assert breweries.idle(game, "B4") == []
    game = small("3", "2", "1", phase_="3")
    Idle.of(game).equipment = {"B4": ["2"]}
    demand(game, r1=1)
    brewing_turn(game, "B4")
    game.apply(DeliverBest("ann", "B4"))
    assert breweries.idle(game, "B4") == ["3", "1"], "what would be lost works first"


# ---------------------------------------------------------------------- export


def exporting(*equipment: str, train: str = "8", director: str = "ann", form: str = DRAFT) -> Game:
    """ann's Union with equipment, and BME with track from I10 to Dortmund City, in the grey phase."""
    game = after_package(form=form)
    phase(game, "8")
    corporation(game, "DUB", equipment=equipment, price=70)
    for name in ("B8", "B4", "B2"):
        equip(game, name, "2")
    railway(game, "BME", director)
    trains(game, "BME", train)
    export_line(game)
    demand(game, r4=6, stock=4)
    brewing_turn(game, "DUB")
    return game


@pytest.mark.rule("DOD-5.6.2.1-a")
def test_export_is_loaded_between_deliveries() -> None:
    game = exporting("8")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert Loads.of(game).trains == {"BME": [("8", 1)]}, "at once"
    assert breweries.beer(game).stock == 3
    game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8+1"))
    game.apply(DeliverBeer("ann", "DUB", "8", 4, "regular"))
    assert Earned.of(game).revenue == 100 + 45 + 100 + 45
    assert Loads.of(game).trains == {"BME": [("8", 2)]}
    final = exporting("8", form="hsb")
    final.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert Loads.of(final).trains == {}, "by the rulebook after the deliveries"


@pytest.mark.rule("DOD-5.6.2.1-a")
def test_after_the_last_delivery_export_may_be_left() -> None:
    game = exporting("8")
    demand(game, r4=1, stock=4)
    brewing_turn(game, "DUB")
    game.apply(DeliverBest("ann", "DUB"))
    assert names(game) >= {"load_export", "pass"}
    game.apply(Pass("ann"))
    assert Earned.of(game).revenue == 45


@pytest.mark.rule("DOD-5.6.2.1-a")
@pytest.mark.rule("DOD-5.6.2.1-g")
def test_equipment_is_given_up_at_the_beginning() -> None:
    game = small("3", "2", phase_="3")
    demand(game, r3=1, r2=4)
    brewing_turn(game, "B4")
    game.apply(DeliverBeer("ann", "B4", "3", 3, "regular"))
    assert refused(game, GiveUpEquipment("ann", "B4", "2")).rule == "DOD-5.6.2.1-a"


@pytest.mark.rule("DOD-5.6.2.1-a")
def test_the_deal_of_a_corporation_lowers_its_price() -> None:
    game = exporting("8")
    assert "sell_own_shares" in names(game)
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert (game.prices.value("DUB"), game.state.cash["DUB"]) == (65, 570)


@pytest.mark.rule("DOD-5.6.2.1-c")
def test_export_stays_optional() -> None:
    game = exporting("5", train="5")
    demand(game, r5=3, stock=4)
    brewing_turn(game, "DUB")
    for _ in range(3):
        game.apply(DeliverBeer("ann", "DUB", "5", 5, "regular"))
    assert Earned.of(game).revenue == 180
    assert refused(game, LoadExport("ann", "DUB", "5", "BME", "5")).key != "load.consent"
    assert Loads.of(game).trains == {}


@pytest.mark.rule("DOD-2.3-b")
def test_export_has_no_limit_but_capacity() -> None:
    game = exporting("8")
    corporation(game, "RIT", equipment=("8",))
    trains(game, "BME", "8")
    export_line(game, second=True)
    for name in ("DUB", "RIT"):
        brewing_turn(game, name)
        demand(game, r4=8, stock=6)
        for _ in range(3):
            train = offered(game, "load_export", equipment="8", railway="BME")[0]
            game.apply(LoadExport("ann", name, "8", "BME", train))
        game.apply(DeliverBest("ann", name))
        assert Earned.of(game).revenue == 345
    assert sum(cubes for _, cubes in Loads.of(game).trains["BME"]) == 6


@pytest.mark.rule("DOD-2.3-b")
def test_before_phase_5_there_is_no_export() -> None:
    game = small("4", phase_="4")
    railway(game, "BME")
    trains(game, "BME", "4")
    export_line(game)
    brewing_turn(game, "B4")
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "B4", "4", "BME", "4")).rule == "DOD-5.6.2.1-f"


@pytest.mark.rule("DOD-5.6.2.1-e")
def test_without_stock_the_cheapest_demand_is_loaded() -> None:
    game = exporting("8")
    demand(game, r3=1, n3=1, n4=1, r4=5, closed=())
    brewing_turn(game, "DUB")
    seen = []
    for train in ("8", "8+1", "8+2"):
        game.apply(LoadExport("ann", "DUB", "8", "BME", train))
        seen.append(fields(game))
    assert seen == [{"r3": 1, "n4": 1, "r4": 5}, {"n4": 1, "r4": 5}, {"r4": 5}]


@pytest.mark.rule("DOD-5.6.2.1-f")
@pytest.mark.parametrize(
    ("missing", "equipment", "train"),
    [("", "8", "5"), ("arrow", "4", "5"), ("square", "8", "4"), ("token", "8", "5"), ("link", "8", "5")],
)
def test_what_loading_needs(missing: str, equipment: str, train: str) -> None:
    game = exporting(equipment, train=train)
    if missing == "link":
        del game.state.board.tiles["F11"]
    if missing == "token":
        game.company("BME").active = False
    take_offer(game)
    brewing_turn(game, "DUB")
    move = LoadExport("ann", "DUB", equipment, "BME", train)
    if missing:
        assert refused(game, move).rule == "DOD-5.6.2.1-f"
    else:
        game.apply(move)
        assert Loads.of(game).trains == {"BME": [("5", 1)]}


@pytest.mark.rule("DOD-5.6.2.1-f")
@pytest.mark.parametrize(("train", "long"), [("5", False), ("6", True)])
def test_the_train_must_reach_so_far(train: str, long: bool) -> None:
    game = after_package(form=DRAFT)
    phase(game, "8")
    corporation(game, "DUB", equipment=("8",))
    railway(game, "BME")
    trains(game, "BME", train)
    for at, tile, *sides in (
        ("H11", "8", "SW", "E"),
        ("H13", "9", "W", "E"),
        ("G16", "9", "SW", "NE"),
        ("F17", "1903", "SW", "W"),
    ):
        put(game, at, tile, *sides)
    demand(game, r4=6, stock=4)
    brewing_turn(game, "DUB")
    assert ("load_export" in names(game)) == long, "I10, H15, F17, F15, E14 and E12 are six stops"
    if not long:
        refusal = refused(game, LoadExport("ann", "DUB", "8", "BME", "5"))
        assert (refusal.rule, refusal.key) == ("DOD-5.6.2.1-f", "load.route")


@pytest.mark.rule("DOD-5.6.2.1-f")
def test_the_director_of_the_railway_must_agree() -> None:
    game = exporting("8", train="5", director="bo")
    move = LoadExport("ann", "DUB", "8", "BME", "5")
    game.apply(move)
    assert game.offer().deciders == ("bo",)
    game.apply(Answer("bo", "decline"))
    assert Loads.of(game).trains == {}
    assert refused(game, move).rule == "DOD-5.6.2.1-f"
    game = exporting("8", train="5", director="bo")
    game.apply(move)
    game.apply(Answer("bo", "accept"))
    assert Loads.of(game).trains == {"BME": [("5", 1)]}


@pytest.mark.rule("DOD-5.6.2.1-f")
def test_a_unit_that_has_delivered_is_not_exported() -> None:
    game = exporting("5", train="8")
    demand(game, r4=2, stock=4)
    brewing_turn(game, "DUB")
    game.apply(DeliverBest("ann", "DUB"))
    assert "load_export" in names(game), "two of three units have delivered, one of them without an arrow"
    game = exporting("5", train="8")
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 135
    assert Loads.of(game).trains == {}


# ---------------------------------------------------------------------- equipment


@pytest.mark.rule("DOD-5.6.2.1-g")
@pytest.mark.parametrize("form", [DRAFT, "hsb"])
def test_one_piece_is_given_up_in_a_turn(form: str) -> None:
    game = small("3", "2", "2", form=form, phase_="3")
    brewing_turn(game, "B4")
    before = dict(game.state.depot.left)
    game.apply(GiveUpEquipment("ann", "B4", "2"))
    assert breweries.equipment(game, "B4") == ["3", "2"]
    assert (game.state.depot.left, game.state.depot.pool) == (before, [])
    assert EquipmentOwned.of(game).used_up["2"] >= 1
    move = GiveUpEquipment("ann", "B4", "2")
    if form == DRAFT:
        assert "give_up_equipment" not in names(game)
        assert refused(game, move).rule == "DOD-5.6.2.1-g"
    else:
        game.apply(move)


def idle_round(game: Game, company: str = "B4", **wanted: int) -> list[EquipmentGone]:
    """A brewery delivers what it can, keeps the money and buys nothing; what it loses by that."""
    demand(game, closed=(), **wanted)
    brewing_turn(game, company)
    lost = []
    while game.state.round.actor == company:
        choices = names(game)
        kind = next(name for name in ("deliver_best", "dividend", "pass", "buy_equipment") if name in choices)
        choice = game.offer().find(kind)
        assert choice is not None
        picked = {"kind": "withhold"} if kind == "dividend" else {}
        lost += [event for event in game.apply(choice.move(picked)) if isinstance(event, EquipmentGone)]
    return lost


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_equipment_that_is_idle_twice_is_lost() -> None:
    game = small("3", "1", phase_="3", treasury=0)
    assert idle_round(game, r3=3) == []
    assert breweries.idle(game, "B4") == ["1"]
    assert breweries.equipment(game, "B4") == ["3", "1"], "it is turned and counts for the order"
    assert idle_round(game, r3=3) == [EquipmentGone("B4", "1", "idle")]
    assert breweries.equipment(game, "B4") == ["3"]
    assert breweries.idle(game, "B4") == []
    assert faults(game) == []


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_one_cube_turns_it_back() -> None:
    game = small("3", "1", phase_="3", treasury=0)
    idle_round(game, r3=3)
    assert idle_round(game, r3=3, r1=1) == []
    assert breweries.idle(game, "B4") == []
    assert idle_round(game, r3=3) == []
    assert breweries.idle(game, "B4") == ["1"]


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_a_cube_loaded_for_export_is_a_use() -> None:
    game = exporting("8", train="8")
    Idle.of(game).equipment = {"DUB": ["8"]}
    demand(game, stock=4, closed=())
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    game.apply(Pass("ann"))
    assert breweries.idle(game, "DUB") == []
    assert breweries.equipment(game, "DUB") == ["8"]


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_it_is_there_until_the_turn_is_over() -> None:
    game = exporting("8")
    equip(game, "DUB", "8", "4")
    Idle.of(game).equipment = {"DUB": ["4"]}
    demand(game, r6=4, closed=())
    cash(game, "DUB", 2000)
    brewing_turn(game, "DUB")
    game.apply(DeliverBest("ann", "DUB"))
    while game.state.round.step != "equipment":
        choice = next(choice for choice in game.offer().of("ann") if choice.name in ("dividend", "pass"))
        game.apply(choice.move({"kind": "pay"}))
    assert breweries.equipment(game, "DUB") == ["8", "4"]
    assert refused(game, BuyEquipment("ann", "DUB", "6")).key == "equipment.limit"
    game.apply(Pass("ann"))
    assert breweries.equipment(game, "DUB") == ["8"]


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_of_equal_pieces_the_turned_one_works_and_goes_first() -> None:
    game = small("3", "3", phase_="3", treasury=0)
    Idle.of(game).equipment = {"B4": ["3"]}
    assert idle_round(game, r3=1) == []
    assert breweries.idle(game, "B4") == ["3"], "now the other one"
    demand(game, r3=3, closed=())
    brewing_turn(game, "B4")
    game.apply(GiveUpEquipment("ann", "B4", "3"))
    assert breweries.idle(game, "B4") == []
    assert showing.shown_equipment(game, "B4") == ["3"]
    Idle.of(game).equipment = {"B4": ["3"]}
    assert showing.shown_equipment(game, "B4") == ["3↻"]


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_bought_equipment_is_not_idle() -> None:
    game = small("2", treasury=300)
    demand(game, r2=2)
    brewing_turn(game, "B4")
    game.apply(DeliverBest("ann", "B4"))
    choice = game.offer().find("dividend")
    assert choice is not None
    game.apply(choice.move({"kind": "withhold"}))
    game.apply(BuyEquipment("ann", "B4", "2"))
    game.apply(Pass("ann"))
    assert breweries.idle(game, "B4") == []
    assert breweries.equipment(game, "B4") == ["2", "2"]


@pytest.mark.rule("DOD-5.6.2.1-b")
@pytest.mark.parametrize(("source", "idle"), [(OFFERING, ["1"]), ("DUB", ["1"]), (POOL, [])])
def test_a_trade_in_does_not_turn_equipment_back(source: str, idle: list[str]) -> None:
    game = small("2", "1", phase_="3")
    Idle.of(game).equipment = {"B4": ["1"]}
    if source != OFFERING:
        corporation(game, "DUB", "bo", held=50)
        own(game, "DUB", POOL, 10)
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", source, 30 if source == OFFERING else 10, 60 if source == OFFERING else 0))
    assert breweries.idle(game, "DUB") == idle
    assert Idle.of(game).equipment.get("B4") is None
    if game.state.pauses:
        game.apply(OrderPlace("bo", "DUB", "leave"))
    assert faults(game) == []


@pytest.mark.rule("DOD-5.6.2.1-b")
def test_what_is_given_up_before_the_turn_ends_is_not_lost_twice() -> None:
    game = small("2", phase_="4")
    corporation(game, "DUB", equipment=("3", "3"), treasury=900)
    Idle.of(game).equipment = {"DUB": ["3", "3"]}
    on_card(game, "5", 5)
    for name in ("B8", "B4", "B2"):
        equip(game, name, "2")
    demand(game, r4=1, closed=())
    brewing_turn(game, "DUB", "income")
    assert SoldBeer.of(game).leaving == ["3", "3"]
    while game.state.round.step != "equipment":
        game.apply(Pass("ann"))
    game.apply(BuyEquipment("ann", "DUB", "5"))
    game.apply(GiveUpEquipment("ann", "DUB", "3"))
    while game.state.round.actor == "DUB":
        game.apply(Pass("ann"))
    assert breweries.equipment(game, "DUB") == ["5"]
    assert EquipmentOwned.of(game).used_up["3"] == 2
    assert faults(game) == []


def test_only_what_a_brewery_owns_can_be_turned() -> None:
    game = small("2", "1")
    Idle.of(game).equipment = {"B4": ["1"]}
    assert faults(game) == []
    Idle.of(game).equipment = {"B4": ["1", "1"]}
    assert faults(game) != []


@pytest.mark.rule("DOD-5.6.2.3-a")
def test_two_of_type_2_or_one_other() -> None:
    game = small("1", treasury=500)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "2"))
    game.apply(BuyEquipment("ann", "B4", "2"))
    assert breweries.equipment(game, "B4") == ["2", "2", "1"]
    game = small("2", phase_="3", treasury=900)
    on_card(game, "3", 5)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert "buy_equipment" not in names(game, "ann") or game.state.round.actor != "B4"


@pytest.mark.rule("DOD-5.6.2.3-a")
@pytest.mark.rule("DOD-4-b")
@pytest.mark.parametrize("form", [DRAFT, "hsb"])
def test_not_the_last_2_and_the_first_3(form: str) -> None:
    game = small("1", form=form, treasury=900)
    on_card(game, "2", 1)
    corporation(game, "DUB", treasury=900)
    equip(game, "DUB", "1")
    brewing_turn(game, "DUB", "equipment")
    game.apply(BuyEquipment("ann", "DUB", "2"))
    if form == DRAFT:
        assert "buy_equipment" not in names(game)
        assert refused(game, BuyEquipment("ann", "DUB", "3")).rule == "DOD-5.6.2.3-a"
    else:
        game.apply(BuyEquipment("ann", "DUB", "3"))
        assert breweries.equipment(game, "DUB") == ["3", "2", "1"]


@pytest.mark.rule("DOD-5.6.2.3-b")
@pytest.mark.parametrize(("treasury", "possible"), [(80, False), (90, True)])
def test_an_owner_adds_half_at_most(treasury: int, possible: bool) -> None:
    game = small(phase_="3", treasury=treasury)
    railway(game, "BME", held=50)
    on_card(game, "3", 5)
    brewing_turn(game, "B4", "equipment")
    move = BuyEquipment("ann", "B4", "3")
    if possible:
        game.apply(move)
        assert (game.state.cash["B4"], game.state.cash["ann"]) == (0, 910)
        return
    assert "buy_equipment" not in names(game, "ann")
    # At the step itself the refusal says why; without a choice the turn is over at once.
    cash(game, "B4", 90)
    brewing_turn(game, "B4", "equipment")
    cash(game, "B4", treasury)
    take_offer(game)
    assert refused(game, move).rule == "DOD-5.6.2.3-b"
    final = small(form="hsb", phase_="3", treasury=treasury)
    on_card(final, "3", 5)
    brewing_turn(final, "B4", "equipment")
    final.apply(move)


@pytest.mark.rule("DOD-5.6.2.3-b")
def test_no_certificates_are_sold_for_a_small_brewery() -> None:
    game = small(phase_="3", treasury=90)
    cash(game, "ann", 0)
    railway(game, "BME", held=50)
    on_card(game, "3", 5)
    brewing_turn(game, "B4", "equipment")
    assert not {"sell_shares", "sell_own_shares", "take_loan", "buy_equipment"} & names(game, "ann")


@pytest.mark.rule("DOD-5.6.2.3-c")
def test_a_forced_purchase_is_the_cheapest_and_paid_as_for_trains() -> None:
    game = after_package(form=DRAFT)
    phase(game, "8")
    on_card(game, "6", 5)
    corporation(game, "DUB", held=70, treasury=100, price=70)
    own(game, "DUB", "bo", 20)
    cash(game, "ann", 150)
    brewing_turn(game, "DUB", "equipment")
    assert refused(game, BuyEquipment("ann", "DUB", "8")).rule == "DOD-5.6.2.3-c"
    assert names(game) == {"sell_own_shares"}
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (170, 65)
    game.apply(SellShares("ann", "DUB", offered(game, "sell_shares", company="DUB")[0]))
    assert shares.held(game, "DUB", "ann") == 30, "never the director's certificate"
    game.apply(TakeLoan("ann", "DUB", offered(game, "take_loan")[0]))
    game.apply(BuyEquipment("ann", "DUB", "6"))
    assert breweries.equipment(game, "DUB") == ["6"]
    assert game.state.loans["ann"] == 630 - 170 - 150 - 4 * 65


# ---------------------------------------------------------------------- the end of the round


@pytest.mark.rule("DOD-5.6.2.4-a")
@pytest.mark.parametrize(("form", "order"), [(DRAFT, ["B8", "DUB"]), ("hsb", ["DUB", "B8"])])
def test_two_pieces_of_equipment_decide_about_the_order(form: str, order: list[str]) -> None:
    game = after_package(form=form)
    phase(game, "4")
    corporation(game, "DUB")
    equip(game, "B8", "4", "3")
    equip(game, "DUB", "4", "3", "2")
    equip(game, "B4", "4", "4")
    equip(game, "B2", "4", "2")
    round_ = game.rules.rounds["brewing"]
    OrderTokens.of(game).order = ["B8", "B2", "B4", "DUB"]
    brewing(game)
    round_.end(game)  # type: ignore[attr-defined]
    assert OrderTokens.of(game).order == ["B4", *order, "B2"]


@pytest.mark.rule("DOD-5.6.2.5-x")
def test_first_example_of_the_refill() -> None:
    game = after_package(form=DRAFT)
    phase(game, "4")
    demand(game, r3=2, r4=2, stock=10, closed=(1, 5, 6))
    beer = breweries.beer(game)
    for segment in (3, 4):
        for _ in range(2):
            market.deliver(beer, (segment, REGULAR))
    assert market.refill(tables(game), beer) == [2]
    assert beer.closed == [1, 2, 5, 6]


@pytest.mark.rule("DOD-5.6.2.5-x")
def test_second_example_of_the_refill() -> None:
    game = after_package(form=DRAFT)
    phase(game, "5")
    demand(game, r3=3, r4=1, stock=5, closed=(1, 2, 6))
    beer = breweries.beer(game)
    for segment, count in ((3, 3), (4, 1)):
        for _ in range(count):
            market.deliver(beer, (segment, REGULAR))
    market.refill(tables(game), beer)
    assert (beer.demand[NEW][4], beer.demand[NEW][3], beer.demand[NEW][2]) == (4, 3, 0)
    assert beer.demand[REGULAR][2] == 1, "two of its cubes are gone"
    assert beer.stock == 0
