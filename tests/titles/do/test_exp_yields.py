"""The best deliveries with bottling lines and events, against trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.titles.do.hsb_arrange import new
from titles.do.brewery import beer as market
from titles.do.brewery import delivering
from titles.do.brewery.beer import CUSTOMERS, Beer
from titles.do.brewery.data import tables
from titles.do.brewery.delivering import Delivery
from titles.do.brewery.tables import HsbTables
from titles.do.expert import yields
from titles.do.expert.yields import Extras


def all_ways(t: HsbTables, beer: Beer, units: list[str]) -> Iterator[list[Delivery]]:
    """Every way to use units one after the other, or not."""
    if not units:
        yield []
        return
    first, rest = units[0], units[1:]
    yield from all_ways(t, beer, rest)
    for number, customers in market.wanted(beer):
        if number <= t.types[first].reach:
            beer.demand[customers][number - 1] -= 1
            for way in all_ways(t, beer, rest):
                yield [Delivery(first, number, customers), *way]
            beer.demand[customers][number - 1] += 1


def some_extras(t: HsbTables, types: list[str], chance: random.Random) -> Extras:
    """Bottling lines and at most one event, in the midst of a turn."""
    event = chance.choice(["", "K", "N", "O"])
    uplift = {
        (number, customers): market.price(t, (number + 1, customers)) - market.price(t, (number, customers))
        for number in range(1, 6)
        for customers in CUSTOMERS
    }
    return Extras(
        line=chance.choice([0, 5, 10, 20, 30]),
        made={type_: chance.randint(0, 1) for type_ in types},
        most={type_: chance.randint(0, t.types[type_].cubes) for type_ in types},
        more=chance.choice(types) if event == "O" else "",
        uplift=uplift if event == "K" else {},
        served=frozenset(chance.sample(sorted(uplift), chance.randint(0, 1))),
        idle=2 if event == "N" else 0,
        idle_worth={type_: chance.choice([0, 7, 10, 15, 22, 30, 40]) for type_ in types},
    )


@pytest.mark.rule("DO-7.1.2-a")
@pytest.mark.parametrize("seed", range(8))
def test_the_best_deliveries_agree_with_trying_everything(seed: int) -> None:
    t, chance = tables(new(3)), random.Random(seed)
    for _ in range(250):
        types = chance.sample(list(t.types), chance.randint(1, 3))
        free = {type_: chance.randint(0, 2) for type_ in types}
        beer = market.lay_out(t, 3)
        beer.closed = []
        for customers in CUSTOMERS:
            beer.demand[customers] = [0] * 6
        for _ in range(chance.randint(0, 4)):
            beer.demand[chance.choice(CUSTOMERS)][chance.randrange(6)] += 1
        extras = some_extras(t, types, chance)
        units = [type_ for type_, count in free.items() for _ in range(count)]
        ways = [(len(way), delivering.earned(t, way) + extras.total(free, way)) for way in all_ways(t, beer, units)]
        found = yields.best(t, beer, free, extras)
        assert (len(found), delivering.earned(t, found) + extras.total(free, found)) == max(ways), (free, beer, extras)
        for delivery in found:
            assert delivery.segment <= t.types[delivery.equipment].reach
            market.deliver(beer, delivery.field)
        assert market.faults(t, beer) == []
