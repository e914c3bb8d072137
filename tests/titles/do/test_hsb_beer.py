"""The beer market by itself: demand, deliveries, the refill with its example, what phases open and close."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from engine.rules import Setup
from titles.do.brewery import beer as market
from titles.do.brewery import delivering
from titles.do.brewery.beer import NEW, REGULAR
from titles.do.brewery.data import definition
from titles.do.brewery.delivering import Delivery
from titles.do.brewery.tables import HsbTables

T: HsbTables = definition(Setup("hsb", {}, 3)).tables


def demand(**fields: int) -> market.Beer:
    """A market with nothing but these cubes: `r3=1` is one for regular customers of segment 3."""
    beer = market.lay_out(T, 3)
    beer.stock, beer.export, beer.closed = 0, 0, []
    for customers in (REGULAR, NEW):
        beer.demand[customers] = [0] * 6
    for name, count in fields.items():
        if name == "stock":
            beer.stock = count
        else:
            beer.demand[REGULAR if name[0] == "r" else NEW][int(name[1:]) - 1] = count
    return beer


def fields(beer: market.Beer) -> dict[str, int]:
    """The filled demand fields, as `demand` takes them, and the stock if there is any."""
    found = {f"{field[1][0]}{field[0]}": count for field, count in market.wanted(beer).items()}
    return {**found, **({"stock": beer.stock} if beer.stock else {})}


# ---------------------------------------------------------------------- the start


@pytest.mark.rule("DO-6.1.3-b")
@pytest.mark.parametrize(
    ("players", "first", "second", "export", "stock", "total"),
    [(3, 3, 3, 6, 8, 26), (4, 4, 3, 6, 8, 28), (5, 4, 4, 8, 10, 34)],
)
def test_cubes_at_start(players: int, first: int, second: int, export: int, stock: int, total: int) -> None:
    beer = market.lay_out(T, players)
    for customers in (REGULAR, NEW):
        assert beer.demand[customers] == [first, second, 0, 0, 0, 0]
    assert (beer.export, beer.stock) == (export, stock)
    assert market.total(beer) == total == T.beer.cubes[players]


@pytest.mark.rule("DO-6.1.3-a")
def test_high_segments_begin_without_demand() -> None:
    assert market.lay_out(T, 4).closed == [3, 4, 5, 6]


@pytest.mark.rule("DO-5.1.3-a")
def test_each_segment_has_two_fields_and_a_delivery_field_beside_each() -> None:
    beer = market.lay_out(T, 3)
    assert len(beer.demand[REGULAR]) == len(beer.demand[NEW]) == 6
    market.deliver(beer, (2, NEW))
    assert beer.delivered == {REGULAR: [0] * 6, NEW: [0, 1, 0, 0, 0, 0]}
    assert beer.demand[NEW] == [3, 2, 0, 0, 0, 0]
    assert beer.demand[REGULAR] == [3, 3, 0, 0, 0, 0]


@pytest.mark.rule("DO-5.1.3-b")
@pytest.mark.rule("DO-6.5.2.5-a")
def test_new_customers_pay_less() -> None:
    prices = {n: (market.price(T, (n, REGULAR)), market.price(T, (n, NEW))) for n in range(1, 7)}
    assert prices == {1: (15, 10), 2: (20, 15), 3: (30, 20), 4: (45, 30), 5: (60, 45), 6: (80, 60)}
    assert T.beer.export_price == 100


# ---------------------------------------------------------------------- the refill


@pytest.mark.rule("DO-6.5.2.9-a")
def test_what_was_left_goes_to_the_stock() -> None:
    beer = demand(r3=2, n3=1)
    beer.closed = [1, 2, 3, 4, 5, 6]
    market.refill(T, beer)
    assert fields(beer) == {"stock": 3}


@pytest.mark.rule("DO-6.5.2.9-b")
def test_whoever_was_served_is_a_regular_customer() -> None:
    beer = demand(r3=2, n3=3)
    beer.closed = [1, 2, 4, 5, 6]
    for customers, count in ((REGULAR, 2), (NEW, 3)):
        for _ in range(count):
            market.deliver(beer, (3, customers))
    market.refill(T, beer)
    assert fields(beer) == {"r3": 5}
    assert beer.delivered == {REGULAR: [0] * 6, NEW: [0] * 6}


@pytest.mark.rule("DO-6.5.2.9-c")
def test_a_segment_below_all_demand_closes() -> None:
    beer = demand(r3=1, r4=1)
    beer.closed = [1]
    market.deliver(beer, (3, REGULAR))
    market.deliver(beer, (4, REGULAR))
    assert market.refill(T, beer) == [2]
    assert beer.closed == [1, 2]


@pytest.mark.rule("DO-6.5.2.9-c")
def test_a_gap_between_segments_with_demand_stays_open_and_is_filled() -> None:
    beer = demand(r2=1, r4=1, stock=20)
    market.deliver(beer, (2, REGULAR))
    market.deliver(beer, (4, REGULAR))
    assert market.refill(T, beer) == [1]
    assert market.demand(beer, (3, NEW)) == 3


@pytest.mark.rule("DO-6.5.2.9-c")
def test_without_any_demand_no_marker_is_laid() -> None:
    beer = demand(stock=5)
    beer.closed = [3, 4, 5, 6]
    assert market.refill(T, beer) == []
    assert beer.closed == [3, 4, 5, 6]
    assert fields(beer) == {"n2": 3, "n1": 2}


@pytest.mark.rule("DO-6.5.2.9-c")
def test_a_marker_that_lies_there_is_not_laid_again() -> None:
    beer = demand(r3=1)
    beer.closed = [1]
    market.deliver(beer, (3, REGULAR))
    market.refill(T, beer)
    assert market.close_segment(beer, 1) == 0
    assert beer.closed == [1, 2]


@pytest.mark.rule("DO-6.5.2.9-d")
def test_new_customers_come_in_full_from_a_full_stock() -> None:
    beer = demand(stock=30)
    market.refill(T, beer)
    assert beer.demand[NEW] == [3, 3, 3, 3, 4, 4]
    assert beer.stock == 10


@pytest.mark.rule("DO-6.5.2.9-d")
def test_the_highest_segment_is_filled_first_and_never_from_itself() -> None:
    beer = demand(r6=5, stock=2)
    for _ in range(5):
        market.deliver(beer, (6, REGULAR))
    market.refill(T, beer)
    assert fields(beer) == {"r6": 5, "n6": 2}


@pytest.mark.rule("DO-6.5.2.9-x")
def test_example_of_the_refill() -> None:
    beer = demand(r5=2, r4=2, r3=4, stock=5)
    beer.closed = [1, 2, 6]
    for number, count in ((5, 2), (4, 2), (3, 4)):
        for _ in range(count):
            market.deliver(beer, (number, REGULAR))
    market.refill(T, beer)
    assert fields(beer) == {"r3": 2, "r4": 2, "n4": 3, "r5": 2, "n5": 4}


# ---------------------------------------------------------------------- phases and cards


@pytest.mark.rule("DO-5.1.3-c")
def test_export_cubes_go_to_the_stock() -> None:
    beer = market.lay_out(T, 5)
    assert market.end_export(beer) == 8
    assert (beer.export, beer.stock) == (0, 18)


@pytest.mark.rule("DO-6.2.1-c")
def test_a_closing_segment_gives_all_its_cubes_to_the_stock() -> None:
    beer = market.lay_out(T, 3)
    market.deliver(beer, (1, REGULAR))
    market.deliver(beer, (1, NEW))
    assert market.close_segment(beer, 1) == 6
    assert fields(beer) == {"n2": 3, "r2": 3, "stock": 14}
    assert beer.delivered == {REGULAR: [0] * 6, NEW: [0] * 6}
    assert beer.closed == [1, 3, 4, 5, 6]


@pytest.mark.rule("DO-6.5.1-d")
def test_a_card_takes_cubes_from_the_lowest_demand_below_its_segment() -> None:
    beer = demand(n1=1, r1=1, n2=1, r3=1)
    assert market.add_demand(beer, (3, REGULAR), 1) == 1
    assert fields(beer) == {"r1": 1, "n2": 1, "r3": 2}
    assert market.add_demand(beer, (3, NEW), 3) == 2
    assert fields(beer) == {"n3": 2, "r3": 2}
    assert market.add_demand(beer, (3, REGULAR), 1) == 0


@pytest.mark.rule("DO-6.5.1-c")
def test_a_segment_with_a_marker_gets_no_cubes_from_a_card() -> None:
    """R-140: the marker says that nobody there wants beer."""
    beer = demand(r3=1, stock=5)
    beer.closed = [1, 2]
    assert market.add_demand(beer, (2, REGULAR), 1) == 0
    assert fields(beer) == {"r3": 1, "stock": 5}


@pytest.mark.rule("DO-6.5.2.4-c")
def test_export_takes_from_the_stock_then_from_the_cheapest_demand() -> None:
    beer = demand(n3=1, r3=1, n4=1, r4=1, stock=1)
    order: list[str] = []
    while True:
        before = fields(beer)
        if not market.take_for_export(T, beer):
            break
        order += (Counter(before) - Counter(fields(beer))).elements()
    assert order == ["stock", "n3", "r3", "n4", "r4"]


# ---------------------------------------------------------------------- deliveries


@pytest.mark.rule("DO-6.5.2.3-a")
def test_what_equipment_delivers() -> None:
    assert {type_: row.cubes for type_, row in T.types.items()} == {
        "1": 2,
        "2": 2,
        "3": 3,
        "4": 3,
        "5": 3,
        "6": 4,
        "8": 4,
    }


@pytest.mark.rule("DO-6.5.2.4-a")
def test_what_equipment_exports() -> None:
    assert {type_: row.arrows for type_, row in T.types.items() if row.arrows} == {"5": 1, "6": 2, "8": 3}
    assert delivering.arrows(T, ["4", "6", "6"]) == {"6": 4}


@pytest.mark.rule("DO-6.5.2.3-b")
def test_equipment_serves_its_own_segment_and_lower_ones() -> None:
    beer = demand(r1=1, r4=5)
    assert delivering.reachable(T, beer, "3") == [(1, REGULAR)]
    assert delivering.reachable(T, demand(r4=5), "3") == []
    assert delivering.reachable(T, demand(r6=1), "8") == [(6, REGULAR)]


@pytest.mark.rule("DO-6.5.2.3-x")
def test_example_of_deliveries() -> None:
    beer = demand(r3=1, n3=1, r2=2, n2=1, r1=1, n1=1)
    found = delivering.best(T, beer, delivering.units(T, ["3", "2", "1"]))
    by_type = {type_: [d for d in found if d.equipment == type_] for type_ in ("3", "2", "1")}
    assert {type_: delivering.earned(T, part) for type_, part in by_type.items()} == {"3": 70, "2": 35, "1": 25}
    assert delivering.earned(T, found) == 130


def brute(beer: market.Beer, free: dict[str, int]) -> int:
    """The most that units can earn, by trying every field for every unit in turn."""
    seen: dict[tuple[tuple[int, ...], ...], int] = {}

    def walk(types: tuple[str, ...], left: dict[tuple[int, str], int]) -> int:
        if not types:
            return 0
        key = ((len(types),), tuple(left.values()))
        if key not in seen:
            most = walk(types[1:], left)
            for field, count in left.items():
                if count and field[0] <= int(types[0]):
                    most = max(most, market.price(T, field) + walk(types[1:], {**left, field: count - 1}))
            seen[key] = most
        return seen[key]

    return walk(tuple(type_ for type_, count in free.items() for _ in range(count)), market.wanted(beer))


def test_best_deliveries_are_those_of_brute_force() -> None:
    chance = random.Random(18)
    kinds = set()
    for _ in range(3000):
        beer = demand(**{f"{c}{n}": chance.choice((0, 0, 1, 2)) for c, n in product("rn", range(1, 7))})
        owned = chance.choices(list(T.types), k=chance.randint(1, 3))
        free = {t: chance.randint(0, n) for t, n in delivering.units(T, owned).items()}
        found = delivering.best(T, beer, free)
        assert delivering.earned(T, found) == brute(beer, free)
        used = Counter(d.equipment for d in found)
        kinds.add(sum(used.values()) < sum(free.values()))
        assert all(count <= free[type_] for type_, count in used.items())
        for delivery in found:
            assert isinstance(delivery, Delivery)
            assert delivery.segment <= T.types[delivery.equipment].reach
            market.deliver(beer, delivery.field)
        assert all(count >= 0 for count in (*beer.demand[REGULAR], *beer.demand[NEW]))
        assert not any(delivering.reachable(T, beer, type_) for type_, count in free.items() if count > used[type_])
    assert kinds == {True, False}
