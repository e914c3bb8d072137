"""What equipment can deliver, and the most that can be earned with it; functions on plain data.

Units are counted by the type of equipment: those of a type are all alike. A unit serves its own segment and those
below it, so a choice of cubes can be delivered just when, for every segment, no more of them lie in it or above than
there are units that reach so far. Of such choices the dearest is found by taking the dearest cube that still fits,
again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from titles.do.brewery import beer as market
from titles.do.brewery.beer import Beer, Field
from titles.do.brewery.tables import HsbTables

#: How many units of each type are free.
Units = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A cube that a unit of equipment brings to customers of a segment."""

    equipment: str
    segment: int
    customers: str

    @property
    def field(self) -> Field:
        return self.segment, self.customers


def units(t: HsbTables, owned: Iterable[str], used: Iterable[str] = ()) -> dict[str, int]:
    """DO-6.5.2.3-b: the units of a brewery's equipment by type, the highest first, less those that were used."""
    counted = Counter(owned)
    spent = Counter(used)
    found = {type_: counted[type_] * row.cubes - spent[type_] for type_, row in reversed(list(t.types.items()))}
    return {type_: count for type_, count in found.items() if counted[type_]}


def arrows(t: HsbTables, owned: Iterable[str]) -> dict[str, int]:
    """DO-6.5.2.4-a: how many units of each type may be loaded for export."""
    found = {type_: count * t.types[type_].arrows for type_, count in Counter(owned).items()}
    return {type_: count for type_, count in found.items() if count}


def reachable(t: HsbTables, beer: Beer, type_: str) -> list[Field]:
    """DO-6.5.2.3-b: the demand fields with cubes that a type of equipment serves, the dearest first."""
    fields = [field for field in market.wanted(beer) if field[0] <= t.types[type_].reach]
    return sorted(fields, key=lambda field: (-market.price(t, field), -field[0]))


def best(t: HsbTables, beer: Beer, free: Units) -> list[Delivery]:
    """DO-6.5.2.3-a: the deliveries that earn most; high segments by high equipment."""
    chosen = _dearest(t, beer, free)
    left = dict(sorted(free.items(), key=lambda item: -t.types[item[0]].reach))
    result = []
    for field in sorted(chosen, key=lambda field: (-field[0], -market.price(t, field))):
        type_ = next(type_ for type_, count in left.items() if count)
        left[type_] -= 1
        result.append(Delivery(type_, *field))
    return result


def _dearest(t: HsbTables, beer: Beer, free: Units) -> list[Field]:
    """The dearest cubes that can be delivered together."""
    #: For each segment how many more cubes may come to it or to those above it.
    room = {row.number: sum(n for type_, n in free.items() if t.types[type_].reach >= row.number) for row in t.segment}
    chosen: list[Field] = []
    wanted = market.wanted(beer)
    for field in sorted(wanted, key=lambda field: (-market.price(t, field), -field[0])):
        count = min(wanted[field], *(room[number] for number in range(1, field[0] + 1)))
        for number in range(1, field[0] + 1):
            room[number] -= count
        chosen += [field] * count
    return chosen


def earned(t: HsbTables, deliveries: Iterable[Delivery]) -> int:
    """DO-6.5.2.5-a: what deliveries to Dortmund bring."""
    return sum(market.price(t, delivery.field) for delivery in deliveries)
