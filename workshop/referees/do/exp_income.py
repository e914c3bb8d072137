"""Deliveries in 18DO's Expert game: pieces that rest, cubes that are kept, and what markers add to the income."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from workshop.referees.do.cubes import REGULAR, Place, price, segments
from workshop.referees.do.exp_markers import WAGON, Investments
from workshop.referees.do.hsb_table import Company, must
from workshop.referees.whistle import Plain


class Income(Investments):
    """What breweries deliver with markers, and what that brings."""

    of_breweries = (*Investments.of_breweries, "rest_equipment")

    def units(self, company: Company) -> dict[str, int]:
        """A resting piece delivers nothing, a reserved cube has its unit (R-104, R-70)."""
        units = super().units(company)
        if self.rests in units:
            units[self.rests] = max(0, units[self.rests] - int(self.row(self.rests)["cubes"]))
        if company.name in self.reserved and self.actor == company.name:
            kind = self.reserved[company.name][0]
            if kind in units and not self.unloaded(company):
                units[kind] -= 1
        return units

    def unloaded(self, company: Company) -> bool:
        """Whether the reserved cube is delivered."""
        return company.name not in self.reserved

    def use_up(self, name: str, kinds: Sequence[str]) -> None:
        """A reserved cube goes back to its demand when its equipment leaves (R-124); a piece rests no more (R-104)."""
        super().use_up(name, kinds)
        self.rest_gone |= name == self.actor and bool(self.rests) and self.rests not in self.equipment.get(name, [])
        if name in self.reserved and self.reserved[name][0] not in self.equipment.get(name, []):
            self.give_back(name)

    def give_back(self, name: str) -> None:
        """A reserved cube that is not delivered; one of a closed segment lies in the stock already."""
        _, segment, whose = self.reserved.pop(name)
        if name not in self.in_stock:
            self.cubes.demand[segment, whose] += 1
        self.in_stock.discard(name)

    def change_market(self) -> None:
        """A reserved cube goes to the stock with the others of its segment; it is paid all the same (R-141)."""
        super().change_market()
        closing = self.brewing.get("closes")
        new = {name for name, (_, segment, _) in self.reserved.items() if segment == closing} - self.in_stock
        self.cubes.stock += len(new)
        self.in_stock |= new

    def may_rest(self, company: Company) -> bool:
        """The holder of I may name a piece that stays idle, before the deliveries (R-104)."""
        held = "I" in self.specials.get(company.name, []) and self.reached(self.sem["I"]["phase"])
        return held and not self.in_use() and not self.rests and bool(self.equipment.get(company.name))

    def rest_equipment(self, player: str, move: Plain, really: bool) -> None:
        """A piece stays idle, to be given in (R-104)."""
        company = self.acting(player, move)
        must(self.step == "deliver" and self.may_rest(company), "R-104: with Trade-in, before the deliveries")
        must(move["equipment"] in self.equipment.get(company.name, []), "R-104: not owned")
        if really:
            self.rests = move["equipment"]

    # ------------------------------------------------------------------ deliveries

    def deliver_beer(self, player: str, move: Plain, really: bool) -> None:
        if really:
            self.deliver_reserved(self.companies[self.actor])
            self.places.append((move["segment"], move["customers"]))
        super().deliver_beer(player, move, really)

    def deliver_told(self, company: Company, delivered: Sequence[str]) -> int:
        delivered = list(delivered)
        if company.name in self.reserved:
            # The reserved cube is told with the others; it has its own unit.
            assert delivered.pop(0) == "{1} {2}".format(*self.reserved[company.name])
            self.makers.pop(0)
            self.deliver_reserved(company)
        self.by_hand = Counter(self.brewed)
        self.told = [(int(cube.split()[0]), cube.split()[1]) for cube in delivered]
        self.places += self.told
        units = self.units(company)
        earned = super().deliver_told(company, delivered)
        ways = [self.by_hand + self.shared_out(units, first) for first in ["", *sorted(units, key=int, reverse=True)]]
        most = max(self.bottled(company, brewed) for brewed in ways)
        assert self.bottled(company, self.brewed) >= most, "R-142: bottling lines and contract brewing could bring more"
        return earned

    def shared_out(self, units: Mapping[str, int], first: str) -> Counter[str]:
        """Who delivers the cubes that are told: one type as much as it can, else high ones by high types (R-142)."""
        left = dict(units)
        brewed: Counter[str] = Counter()
        for segment, _ in sorted(self.told, reverse=True):
            own = first and segment <= int(first) and left[first]
            others = [kind for kind in left if left[kind] and kind != first] or [first]
            kind = first if own else max(others, key=int)
            left[kind] -= 1
            brewed[kind] += 1
        return brewed

    def deliver_reserved(self, company: Company) -> None:
        """A reserved cube comes to its delivery field first (DO-7.2-H)."""
        if company.name in self.reserved:
            kind, segment, whose = self.reserved.pop(company.name)
            self.brewed[kind] += 1
            if company.name not in self.in_stock:
                self.cubes.delivered[segment, whose] = self.cubes.delivered.get((segment, whose), 0) + 1
            self.in_stock.discard(company.name)
            self.places.append((segment, whose))
            self.earned += price((segment, whose))

    def is_best(self, company: Company, earned: int, most: int) -> bool:
        """Markers may make other deliveries better: then they are only looked at one by one."""
        return earned == most or self.premium or self.contracted or bool(self.markers.get(company.name))

    # ------------------------------------------------------------------ what comes on top

    def extra(self, company: Company) -> int:
        """Bottling, premium beer, contract brewing, the second shift (DO-7.1.2-a, DO-7.2-K, -N, -O)."""
        more = sum(self.half(segment) for _, segment in self.shifts)
        if self.premium:
            more += max((self.next_price(place) - price(place) for place in self.places), default=0)
        return more + max((self.bottled(company, brewed) for brewed in self.spreads(company)), default=0)

    def bottled(self, company: Company, brewed: Counter[str]) -> int:
        """What bottling lines and contract brewing bring when the types of equipment have delivered so much."""
        lines = [row for code in self.markers.get(company.name, []) if (row := self.kim[code])["kind"] == "bottling"]
        worth = sum(int(row["income"]) for row in lines if self.reached(row["phase"]))
        return worth * self.most_of_one(brewed) + self.by_contract(company, brewed)

    def half(self, segment: int) -> int:
        """Half the regular price (R-68)."""
        return price((segment, REGULAR)) * int(self.rules["half_percent"]) // 100

    def next_price(self, place: Place) -> int:
        """The price of the next segment; the highest has none (R-69)."""
        return price((min(place[0] + 1, segments()[-1]), place[1]))

    def spreads(self, company: Company) -> list[Counter[str]]:
        """All ways in which the delivered cubes could have come from the types of equipment."""
        room = {
            kind: count * int(self.row(kind)["cubes"]) - self.named_units(kind) - self.resting(kind)
            for kind, count in Counter(self.equipment.get(company.name, [])).items()
        }
        ways = {tuple(sorted(self.by_hand.items()))} if self.told else {tuple(sorted(self.brewed.items()))}
        for segment, _ in self.told:
            ways = {
                tuple(sorted((Counter(dict(way)) + Counter([kind])).items()))
                for way in ways
                for kind in room
                if int(kind) >= segment and Counter(dict(way))[kind] < room[kind]
            }
        return [Counter(dict(way)) for way in ways]

    def resting(self, kind: str) -> int:
        return int(self.row(kind)["cubes"]) if self.rests == kind else 0

    def most_of_one(self, brewed: Counter[str]) -> int:
        """The most cubes that one piece of equipment delivered; all lines may serve it (R-108)."""
        shifted = Counter(kind for kind, _ in self.shifts)
        return max((min(brewed[kind], self.in_one_piece(kind)) + shifted[kind] for kind in brewed + shifted), default=0)

    def in_one_piece(self, kind: str) -> int:
        """What one piece of a type can deliver to Dortmund when the others of its type export as much as they can."""
        company = self.companies[self.actor]
        pieces = Counter(self.equipment.get(company.name, []))
        pieces[self.rests] -= 1
        row, others = self.row(kind), pieces[kind] - 1
        wagons = self.markers.get(company.name, []).count(WAGON) if self.reached(str(self.kim[WAGON]["phase"])) else 0
        arrows = {other: count * int(self.row(other).get("arrows", 0)) for other, count in pieces.items() if count > 0}
        elsewhere = sum(max(0, self.named_units(other) - arrows[other]) for other in arrows if other != kind)
        exported = min(others * int(row["cubes"]), others * int(row.get("arrows", 0)) + wagons - elsewhere)
        return int(row["cubes"]) - max(0, self.named_units(kind) - exported)

    def by_contract(self, company: Company, brewed: Counter[str]) -> int:
        """Half the price for one or two units that had nothing to deliver (DO-7.2-N, R-68)."""
        if not self.contracted:
            return 0
        unused = self.half_units(company, brewed)
        return sum(sorted(unused, reverse=True)[: int(self.rules["contract_cubes"])])

    def half_units(self, company: Company, brewed: Counter[str]) -> list[int]:
        """What each unit without a use is worth: half the price of the best segment without a marker."""
        unused: list[int] = []
        for kind, count in Counter(self.equipment.get(company.name, [])).items():
            left = count * int(self.row(kind)["cubes"]) - brewed[kind] - self.named_units(kind) - self.resting(kind)
            unused += [self.idle_price(kind)] * left
        return unused

    def idle_price(self, kind: str) -> int:
        """What a unit without a use is worth."""
        open_ = [segment for segment in segments() if segment <= int(kind) and segment not in self.cubes.closed]
        return self.half(max(open_)) if open_ else 0
