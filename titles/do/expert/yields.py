"""What deliveries bring with bottling lines and special events, and the most that can be had; functions on plain data.

All deliveries are due that are possible, so every choice has the same number of cubes. A choice can be delivered just
when, for every segment, no more cubes lie in it or above than units reach so far; and of the cubes that a type of
equipment can serve, it can serve as many as it has units. So the best choice is found segment by segment, from the
highest down, once for each type of equipment with which the bottling lines may work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from titles.do.brewery import beer as market
from titles.do.brewery import delivering
from titles.do.brewery.beer import Beer, Field
from titles.do.brewery.delivering import Delivery, Units
from titles.do.brewery.tables import HsbTables


@dataclass(frozen=True)
class Extras:
    """What a brewery earns besides the prices of its cubes in a turn."""

    #: What bottling lines bring for each cube of one piece of equipment.
    line: int = 0
    #: By type, what was delivered already, and how many cubes one piece can deliver at most.
    made: Mapping[str, int] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    #: The type of which a piece delivers a cube more; "" if none does.
    more: str = ""
    #: How much more one cube brings at each field; empty without premium beer.
    uplift: Mapping[Field, int] = field(default_factory=dict)
    #: The fields that were served already.
    served: frozenset[Field] = frozenset()
    #: How many idle units are paid, and what one of each type brings.
    idle: int = 0
    idle_worth: Mapping[str, int] = field(default_factory=dict)

    def bottled(self, type_: str, count: int) -> int:
        """The cubes of one piece of a type, when the type delivers so many more."""
        return min(self.most.get(type_, 0), self.made.get(type_, 0) + count) + (type_ == self.more)

    def premium(self, fields: Iterable[Field]) -> int:
        return max((self.uplift.get(field, 0) for field in (*self.served, *fields)), default=0)

    def idling(self, free: Units) -> int:
        """What idle units bring."""
        if not self.idle:
            return 0
        worth = sorted((self.idle_worth[t] for t, n in free.items() for _ in range(n)), reverse=True)
        return sum(worth[: self.idle])

    def total(self, free: Units, deliveries: Sequence[Delivery]) -> int:
        """All of it, after these deliveries with these free units."""
        count = Counter(delivery.equipment for delivery in deliveries)
        left = {type_: units - count[type_] for type_, units in free.items()}
        bottled = max((self.bottled(type_, count[type_]) for type_ in free), default=0)
        return self.line * bottled + self.premium(d.field for d in deliveries) + self.idling(left)


def best(t: HsbTables, beer: Beer, free: Units, extras: Extras, fixed: Sequence[Field] | None = None) -> list[Delivery]:
    """The deliveries that earn most with all that comes on top; where it is `fixed` whom they serve, who does it."""
    wanted: Mapping[Field, int] = market.wanted(beer) if fixed is None else Counter(fixed)
    size = _size(t, wanted, free)
    found: tuple[int, list[Delivery]] | None = None
    for kept in _kept(free, extras, sum(free.values()) - size):
        units = {type_: count - kept[type_] for type_, count in free.items()}
        if _size(t, wanted, units) < size:
            continue
        for type_ in units:
            fields = _choice(t, wanted, units, size, extras, type_) if fixed is None else fixed
            deliveries = _assigned(t, units, fields, type_)
            worth = delivering.earned(t, deliveries) + extras.total(free, deliveries)
            if found is None or worth > found[0]:
                found = worth, deliveries
    return found[1] if found else []


def _size(t: HsbTables, wanted: Mapping[Field, int], free: Units) -> int:
    """How many cubes can be delivered at most."""
    size = 0
    for row in reversed(t.segment):
        here = sum(count for (number, _), count in wanted.items() if number == row.number)
        size = min(size + here, _reaching(t, free, row.number))
    return size


def _reaching(t: HsbTables, free: Units, number: int) -> int:
    return sum(count for type_, count in free.items() if t.types[type_].reach >= number)


def _kept(free: Units, extras: Extras, spare: int) -> Iterator[Counter[str]]:
    """The units that may be kept idle, for what that brings; nothing else stays idle on purpose."""
    count = min(extras.idle, spare)
    units = [type_ for type_, number in free.items() for _ in range(min(number, count))]
    for group in dict.fromkeys(combinations(units, count)):
        yield Counter(group)


def _choice(
    t: HsbTables, wanted: Mapping[Field, int], units: Units, size: int, extras: Extras, type_: str
) -> list[Field]:
    """The dearest cubes when bottling lines work with a type of equipment."""
    reach = t.types[type_].reach
    #: By the number of cubes so far and whether one of them is premium beer: what they bring, and which they are.
    states: dict[tuple[int, bool], tuple[int, tuple[Field, ...]]] = {(0, False): (0, ())}
    bottled = False
    for field_ in sorted(wanted, key=lambda field_: (-field_[0], -market.price(t, field_))):
        if not bottled and field_[0] <= reach:
            states, bottled = _with_line(states, units, size, extras, type_), True
        states = _with_field(t, states, wanted[field_], units, extras, field_)
    if not bottled:
        states = _with_line(states, units, size, extras, type_)
    had = extras.premium(())
    whole = [
        (value + (0 if premium else had), fields)
        for (count, premium), (value, fields) in states.items()
        if count == size
    ]
    return list(max(whole, key=lambda entry: entry[0])[1]) if whole else []


States = dict[tuple[int, bool], tuple[int, tuple[Field, ...]]]


def _with_line(states: States, units: Units, size: int, extras: Extras, type_: str) -> States:
    """Of the cubes that are still to come a type can serve as many as it has units."""
    return {
        (count, premium): (value + extras.line * extras.bottled(type_, min(units[type_], size - count)), fields)
        for (count, premium), (value, fields) in states.items()
    }


def _with_field(t: HsbTables, states: States, wanted: int, units: Units, extras: Extras, field_: Field) -> States:
    """All ways to take some cubes of one more field."""
    room, price, uplift = _reaching(t, units, field_[0]), market.price(t, field_), extras.uplift.get(field_, 0)
    found: States = {}
    for (count, premium), (value, fields) in states.items():
        for taken in range(min(wanted, room - count) + 1):
            for more in {premium, premium or (taken > 0 and uplift > 0)}:
                worth = value + taken * price + (uplift if more and not premium else 0)
                key = (count + taken, more)
                if key not in found or worth > found[key][0]:
                    found[key] = worth, (*fields, *[field_] * taken)
    return found


def _assigned(t: HsbTables, units: Units, fields: Sequence[Field], type_: str) -> list[Delivery]:
    """Who delivers what: a type as much as it can, the highest segments first; the others high for high."""
    reach, left, result = t.types[type_].reach, dict(units), []
    rest: list[Field] = []
    for field_ in sorted(fields, key=lambda field_: (-field_[0], -market.price(t, field_))):
        if field_[0] <= reach and left[type_]:
            left[type_] -= 1
            result.append(Delivery(type_, *field_))
        else:
            rest.append(field_)
    others = sorted((other for other in left if other != type_), key=lambda other: -t.types[other].reach)
    for field_ in rest:
        other = next(other for other in others if left[other])
        left[other] -= 1
        result.append(Delivery(other, *field_))
    return result
