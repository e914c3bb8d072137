"""18DO's beer market as its referees read it: where the cubes lie and how they move (rulebook 5.1.3, 6.5.2.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workshop.referees.do.board import sheet

#: The two fields of a segment: regular customers (yellow) and new ones (orange).
REGULAR, NEW = "regular", "new"
CUSTOMERS = (REGULAR, NEW)
#: A demand field: number of the segment, and whose it is.
Place = tuple[int, str]


@dataclass
class Cubes:
    """All cubes but those on trains. Segments are numbered from 1."""

    demand: dict[Place, int]
    stock: int
    export: int
    #: Segments with a No Demand marker on the field of their new customers.
    closed: set[int]
    delivered: dict[Place, int] = field(default_factory=dict)

    @classmethod
    def at_start(cls, players: int) -> Cubes:
        """How the cubes are laid out (DO-6.1.3-a, -b)."""
        beer = sheet("hsb")["beer"]
        count = str(players)
        demand = {(number, whose): 0 for number in segments() for whose in CUSTOMERS}
        for number, name in ((1, "first"), (2, "second")):
            for whose in CUSTOMERS:
                demand[number, whose] = int(beer[name][count])
        return cls(demand, int(beer["stock"][count]), int(beer["export"][count]), set(beer["no_demand"]))

    def open(self) -> list[Place]:
        """The demand fields with cubes."""
        return [place for place, cubes in self.demand.items() if cubes]

    def none_wanted(self, segment: int) -> bool:
        """A marker and no cube: nobody can deliver there (R-58)."""
        return segment in self.closed and not any(self.demand[segment, whose] for whose in CUSTOMERS)

    def deliver(self, place: Place) -> None:
        """A cube moves to the delivery field beside it (DO-6.5.2.3-a)."""
        self.demand[place] -= 1
        self.delivered[place] = self.delivered.get(place, 0) + 1

    # ------------------------------------------------------------------ cubes that are short

    def cheapest_first(self) -> list[Place]:
        """Demand fields by price, on a tie the lower segment (R-61)."""
        return sorted(self.demand, key=lambda place: (price(place), place[0]))

    def for_export(self) -> bool:
        """A cube for a train: from the stock, else from the field of the lowest price (DO-6.5.2.4-c); False if none."""
        if self.stock:
            self.stock -= 1
            return True
        giver = next((place for place in self.cheapest_first() if self.demand[place]), None)
        if giver is not None:
            self.demand[giver] -= 1
        return giver is not None

    def for_demand(self, place: Place) -> bool:
        """A cube for a demand field: from the stock, else from the lowest segment below (DO-6.5.2.9-d, DO-6.5.1-d)."""
        if self.stock:
            self.stock -= 1
        else:
            below = [(number, whose) for number in range(1, place[0]) for whose in (NEW, REGULAR)]
            giver = next((other for other in below if self.demand[other]), None)
            if giver is None:
                return False
            self.demand[giver] -= 1
        self.demand[place] += 1
        return True

    def linked(self, segment: int, added: Mapping[str, Any]) -> None:
        """What the card of a link adds to the segment of its type; nothing where a marker lies (DO-6.5.1-c, R-140)."""
        if segment in self.closed:
            return
        for whose in CUSTOMERS:
            for _ in range(int(added.get(whose, 0))):
                self.for_link((segment, whose))

    def for_link(self, place: Place) -> bool:
        """A cube that a link brings: if the stock is short, as when the market is refilled (DO-6.5.1-d)."""
        return self.for_demand(place)

    # ------------------------------------------------------------------ phases

    def phase(self, row: Mapping[str, Any]) -> None:
        """What the first card of a type brings to the market (DO-6.2.1-b to -f)."""
        if "opens" in row:
            self.closed.discard(int(row["opens"]))
        if "closes" in row:
            segment = int(row["closes"])
            self.closed.add(segment)
            for whose in CUSTOMERS:
                self.stock += self.demand[segment, whose] + self.delivered.pop((segment, whose), 0)
                self.demand[segment, whose] = 0
        if row.get("export_ends"):
            self.stock += self.export
            self.export = 0

    # ------------------------------------------------------------------ the end of a brewery round

    def refill(self) -> None:
        """The four steps that prepare the next brewery round (DO-6.5.2.9-a to -d)."""
        self.stock += sum(self.demand.values())
        for number in segments():
            self.demand[number, REGULAR] = sum(self.delivered.get((number, whose), 0) for whose in CUSTOMERS)
            self.demand[number, NEW] = 0
        self.delivered = {}
        lowest = next((number for number in segments() if self.demand[number, REGULAR]), None)
        if lowest is not None:
            self.closed |= set(range(1, lowest))
        for number in reversed(segments()):
            if number in self.closed:
                continue
            while self.demand[number, NEW] < _row(number)["refill"]:
                if not self.for_demand((number, NEW)):
                    break

    def facts(self) -> dict[str, Any]:
        """The fields by name."""

        def row(fields: Mapping[Place, int], whose: str) -> list[int]:
            return [fields.get((number, whose), 0) for number in segments()]

        return {
            "closed": sorted(self.closed),
            "export": self.export,
            "stock": self.stock,
            **{whose: row(self.demand, whose) for whose in CUSTOMERS},
            "delivered": {whose: row(self.delivered, whose) for whose in CUSTOMERS},
        }


def segments() -> list[int]:
    """The numbers of the segments, lowest first."""
    return sorted(int(row["number"]) for row in sheet("hsb")["segment"])


def _row(segment: int) -> Mapping[str, Any]:
    return next(row for row in sheet("hsb")["segment"] if row["number"] == segment)


def price(place: Place) -> int:
    """What a cube earns there (DO-6.5.2.5-a)."""
    return int(_row(place[0])[place[1]])


def best(units: Mapping[str, int], cubes: Cubes) -> int:
    """The most that units of equipment, by type, can earn in Dortmund.

    The dearest cubes first, each by the lowest type that still reaches it: what a low type reaches a high one reaches
    as well, so keeping the high ones free never costs anything.
    """
    left = dict(units)
    earned = 0
    for place in sorted(cubes.open(), key=price, reverse=True):
        for _ in range(cubes.demand[place]):
            able = [kind for kind in left if left[kind] and int(kind) >= place[0]]
            if able:
                left[min(able, key=int)] -= 1
                earned += price(place)
    return earned
