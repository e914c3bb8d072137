"""The beer market: who wants beer, what was delivered, what lies in stock; functions on the record of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.records import Bag, OfGame, record
from titles.do.brewery.tables import HsbTables

if TYPE_CHECKING:
    from typing import Self

#: A demand field: its segment and its customers.
Field = tuple[int, str]

REGULAR, NEW = "regular", "new"
CUSTOMERS = (REGULAR, NEW)


def _nobody() -> dict[str, list[int]]:
    return {customers: [] for customers in CUSTOMERS}


@record("do.beer")
@dataclass(slots=True)
class Beer(OfGame):
    """The beer market, by kind of customers for each segment from 1 on."""

    #: The cubes on the demand fields.
    demand: dict[str, list[int]] = field(default_factory=_nobody)
    #: The cubes on the delivery fields beside them.
    delivered: dict[str, list[int]] = field(default_factory=_nobody)
    stock: int = 0
    export: int = 0
    #: The segments with a No Demand marker.
    closed: list[int] = field(default_factory=list)

    @classmethod
    def told(cls, data: Bag) -> dict[str, Any]:
        return {"beer": {**data["demand"], **{name: data[name] for name in data if name != "demand"}}}

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        beer = bag.pop("beer")
        return cls({customers: beer.pop(customers) for customers in CUSTOMERS}, **beer)


def lay_out(t: HsbTables, players: int) -> Beer:
    """DO-6.1.3-b: the market at the start."""
    rest = [0] * (len(t.segment) - 2)
    start = [t.beer.first[players], t.beer.second[players], *rest]
    return Beer(
        demand={customers: [*start] for customers in CUSTOMERS},
        delivered={customers: [0] * len(t.segment) for customers in CUSTOMERS},
        stock=t.beer.stock[players],
        export=t.beer.export[players],
        closed=list(t.beer.no_demand),
    )


def total(beer: Beer) -> int:
    """All cubes on the board; those on trains lie elsewhere."""
    fields = [*beer.demand.values(), *beer.delivered.values()]
    return sum(map(sum, fields)) + beer.stock + beer.export


def price(t: HsbTables, field: Field) -> int:
    """DO-5.1.3-b: what a cube for these customers brings."""
    row = t.segments[field[0]]
    return row.regular if field[1] == REGULAR else row.new


def demand(beer: Beer, field: Field) -> int:
    """The cubes on a demand field."""
    return beer.demand[field[1]][field[0] - 1]


def wanted(beer: Beer) -> dict[Field, int]:
    """Every demand field with cubes: the lowest segment first, in it new customers before regular ones."""
    found = {}
    for number in range(1, len(beer.demand[REGULAR]) + 1):
        for customers in (NEW, REGULAR):
            if demand(beer, (number, customers)):
                found[number, customers] = demand(beer, (number, customers))
    return found


def served(beer: Beer, number: int) -> int:
    """All cubes of a segment, on its demand fields and on its delivery fields."""
    return sum(beer.demand[c][number - 1] + beer.delivered[c][number - 1] for c in CUSTOMERS)


def dead(beer: Beer) -> list[int]:
    """DO-6.5.2.2-c: the segments that nobody can serve any more: a marker lies there and no cube is left."""
    return [number for number in beer.closed if not served(beer, number)]


# ---------------------------------------------------------------------- what moves


def deliver(beer: Beer, field: Field) -> None:
    """DO-6.5.2.3-a: a cube goes from a demand field to the delivery field beside it."""
    number, customers = field
    beer.demand[customers][number - 1] -= 1
    beer.delivered[customers][number - 1] += 1


def cheapest(t: HsbTables, beer: Beer) -> Field | None:
    """DO-6.5.2.4-c: the demand field with cubes of the lowest price; of several the one in the lowest segment."""
    return min(wanted(beer), key=lambda field: (price(t, field), field[0]), default=None)


def take_for_export(t: HsbTables, beer: Beer) -> bool:
    """DO-6.5.2.4-c: a cube leaves for a train, from the stock or else from the cheapest demand; False if there is
    none."""
    if beer.stock:
        beer.stock -= 1
        return True
    field = cheapest(t, beer)
    if field is None:
        return False
    beer.demand[field[1]][field[0] - 1] -= 1
    return True


#: Where a cube for a demand field is taken from when the stock is empty; None if it stays short.
Source = Callable[[Beer, Field], Field | None]


def lowest_below(beer: Beer, field: Field) -> Field | None:
    """DO-6.5.1-d: the lowest demand, if it lies below the segment of the field."""
    source = next(iter(wanted(beer)), None)
    return source if source is not None and source[0] < field[0] else None


def add_demand(beer: Beer, field: Field, count: int, short: Source = lowest_below) -> int:
    """DO-6.5.1-c: cubes come to a demand field from the stock, then as `short` says; gives how many. A closed segment
    gets none."""
    number, customers = field
    if number in beer.closed:
        return 0
    for done in range(count):
        if beer.stock:
            beer.stock -= 1
        else:
            source = short(beer, field)
            if source is None:
                return done
            beer.demand[source[1]][source[0] - 1] -= 1
        beer.demand[customers][number - 1] += 1
    return count


def open_segment(beer: Beer, number: int) -> None:
    """The No Demand marker of a segment comes off."""
    if number in beer.closed:
        beer.closed.remove(number)


def close_segment(beer: Beer, number: int) -> int:
    """DO-6.2.1-c: a No Demand marker comes to a segment, all of whose cubes go to the stock; gives how many."""
    if number not in beer.closed:
        beer.closed = sorted([*beer.closed, number])
    count = served(beer, number)
    for customers in CUSTOMERS:
        beer.demand[customers][number - 1] = beer.delivered[customers][number - 1] = 0
    beer.stock += count
    return count


def end_export(beer: Beer) -> int:
    """DO-5.1.3-c: the cubes of the export field go to the stock; gives how many."""
    count = beer.export
    beer.stock += count
    beer.export = 0
    return count


def refill(t: HsbTables, beer: Beer) -> list[int]:
    """DO-6.5.2.9-a: the demand of the next round: what was left goes to the stock, who was served is a regular
    customer, new customers come as far as there is beer. Gives the segments that get a No Demand marker."""
    for customers in CUSTOMERS:
        beer.stock += sum(beer.demand[customers])
        beer.demand[customers] = [0] * len(t.segment)
    for customers in CUSTOMERS:
        for index, count in enumerate(beer.delivered[customers]):
            beer.demand[REGULAR][index] += count
        beer.delivered[customers] = [0] * len(t.segment)
    lost = [number for number in _below_the_lowest(beer) if number not in beer.closed]
    beer.closed = sorted([*beer.closed, *lost])
    for row in reversed(t.segment):
        if row.number not in beer.closed:
            add_demand(beer, (row.number, NEW), row.refill)
    return lost


def _below_the_lowest(beer: Beer) -> Iterator[int]:
    """DO-6.5.2.9-c: the segments below the lowest with cubes; none without any cubes."""
    lowest = next(iter(wanted(beer)), None)
    if lowest is not None:
        yield from range(1, lowest[0])


def faults(t: HsbTables, beer: Beer) -> list[str]:
    """What is wrong with a market in itself."""
    result = []
    counts = [*beer.demand[REGULAR], *beer.demand[NEW], *beer.delivered[REGULAR], *beer.delivered[NEW]]
    if min([*counts, beer.stock, beer.export]) < 0:
        result.append("a field of the beer market has less than no cubes")
    if len(set(beer.closed)) != len(beer.closed) or len(beer.closed) > t.beer.markers:
        result.append(f"No Demand markers lie on {beer.closed}")
    result += [f"segment {number} is closed but has cubes" for number in beer.closed if served(beer, number)]
    return result
