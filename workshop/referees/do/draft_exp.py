"""The referee of 18DO's Expert game by the draft of January 2020 (its chapter 8; rows DOD-8…)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from workshop.referees.do.cubes import Place, price, segments
from workshop.referees.do.draft import Draft
from workshop.referees.do.exp import Expert
from workshop.referees.do.hsb_table import BREWERY, POOL, RAILWAY, Company, Pause, must
from workshop.referees.whistle import Plain


class DraftExpert(Draft, Expert):
    """The draft's Heat, Sweat & Beer with MCM and SEM, and what the draft has otherwise about these."""

    # ------------------------------------------------------------------ markers

    def may_take_new(self, kind: str) -> bool:
        """A marker counts as a card: in yellow one of each or two cards, then one (draft 8.1)."""
        if kind in self.kim:
            return len(self.new_cards) < int(self.brewing["cards"])
        return super().may_take_new(kind)

    def for_sale(self, company: Company, code: str) -> list[str]:
        """No railway buys from another; what it buys from a brewery comes instead of a train (DOD-8.1-a)."""
        found = super().for_sale(company, code)
        if company.kind != RAILWAY:
            return found
        if self.invested or not self.may_take_new(code):
            return []
        return [name for name in found if self.companies[name].kind != RAILWAY]

    def hand_marker(self, pause: Pause) -> None:
        super().hand_marker(pause)
        if self.companies[pause.company].kind == RAILWAY:
            self.invested += 1
            self.new_cards.append(pause.data["marker"])

    # ------------------------------------------------------------------ events

    def begin_turn(self, name: str) -> None:
        """What was used in another turn may be taken again (DOD-8.2-f)."""
        super().begin_turn(name)
        self.used = set()

    def upgrades(self, company: Company) -> bool:
        """Nobody buys beyond the limit (DOD-8.2-a)."""
        return False

    def use_event(self, player: str, move: Plain, really: bool) -> None:
        """J is used with a purchase, like I (DOD-8.2-a)."""
        if move["marker"] != "J":
            super().use_event(player, move, really)
            return
        company = self.acting(player, move)
        must("J" in self.specials.get(company.name, []), "DO-7.2-b: not owned")
        must(self.reached(self.sem["J"]["phase"]), "DO-7.2-c: not in this phase")
        must(self.step == "equipment", "DOD-8.2-a: with a purchase")
        must(not self.room(company), "DOD-8.2-a: below the limit it brings nothing")
        must(self.busy(company)[move["given"]], "DOD-8.2-a: one that was used in this round")
        self.exchange(company, move, "J", 0, really)

    def use_i(self, company: Company, move: Plain, really: bool) -> None:
        """Only a piece that was turned before the deliveries is given in (DOD-8.2-g)."""
        must(move["given"] and move["given"] == self.rests, "DOD-8.2-g: it was not turned")
        must(not self.rest_gone, "DOD-8.2-g: what was turned is gone")
        self.exchange(company, move, "I", int(self.rules["trade_in_a_type"]), really)

    def next_price(self, place: Place) -> int:
        """Not with a marker on the next segment (DOD-8.2-b)."""
        return price(place) if place[0] + 1 in self.cubes.closed else super().next_price(place)

    def sells_to_investor(self, company: Company, percent: int) -> tuple[int, ...]:
        """One or two certificates, whatever their size, from the top of the stack (DOD-8.2-c, R-52)."""
        if company.kind != BREWERY or percent > self.pool_limit - company.held(POOL):
            return ()
        stack = company.stack()[: int(self.rules["investor_certificates"])]
        return next((tuple(stack[:n]) for n in range(1, len(stack) + 1) if sum(stack[:n]) == percent), ())

    # ------------------------------------------------------------------ deliveries

    def busy(self, company: Company) -> Counter[str]:
        """Units that had something to do: a reserved cube and a second shift count (R-128)."""
        kept = [self.reserved[company.name][0]] if company.name in self.reserved else []
        return self.brewed + self.loaded_units + Counter([*kept, *(kind for kind, _ in self.shifts)])

    def pieces(self, company: Company, kind: str) -> int:
        """A resting piece cannot have anything to do (DOD-8.2-g)."""
        return super().pieces(company, kind) - (self.rests == kind)

    def brewing_step_empty(self, company: Company) -> bool:
        if self.step == "deliver" and (self.may_rest(company) or self.held_open(company)):
            return False
        return super().brewing_step_empty(company)

    def deliver_best(self, player: str, move: Plain, really: bool, delivered: Sequence[str] = ()) -> None:
        """The reserved cube is told with the others; it has its own unit."""
        delivered = list(delivered)
        if really and self.actor in self.reserved:
            delivered.remove("{1} {2}".format(*self.reserved[self.actor]))
        super().deliver_best(player, move, really, delivered)

    def all_delivered(
        self, company: Company, units: Mapping[str, int], places: Sequence[Place], before: Counter[str]
    ) -> None:
        """Others deliver than in the draft's order if lines or contract brewing bring more by that (R-142)."""
        # A reserved cube is delivered first, by the equipment on which it lies.
        before = before + Counter(self.reserved[company.name][:1] if company.name in self.reserved else ())
        self.deliver_reserved(company)
        self.by_hand, self.told = before, list(places)
        ways = [self.brewed, *(before + way for way in self.ways(units, len(places)))]
        self.brewed = max(ways, key=lambda way: self.bottled(company, way))
        most = max(self.bottled(company, way) for way in self.spreads(company))
        assert self.bottled(company, self.brewed) == most, "bottling lines and contract brewing could bring more"
        self.told = []
        self.places += places

    def ways(self, units: Mapping[str, int], count: int) -> Iterator[Counter[str]]:
        """Who may deliver: units are kept idle for a contract, the highest first; then each type as much as it can."""
        kinds = sorted(units, key=int, reverse=True)
        spare = min(int(self.rules["contract_cubes"]) if self.contracted else 0, sum(units.values()) - count)
        single = [kind for kind in kinds for _ in range(min(units[kind], spare))]
        for kept in dict.fromkeys(combinations(single, spare)):
            left = {kind: units[kind] - kept.count(kind) for kind in kinds}
            reaching = all(
                sum(segment >= number for segment, _ in self.told)
                <= sum(free for kind, free in left.items() if int(kind) >= number)
                for number in segments()
            )
            if reaching:
                yield from (self.shared_out(left, first) for first in kinds)

    def finish_delivery(self, company: Company) -> None:
        """It may be held open; then equipment is turned."""
        self.deliver_reserved(company)
        if not self.held_open(company):
            super().finish_delivery(company)


def appoint(beginning: Plain) -> DraftExpert:
    """The referee of a game."""
    return DraftExpert(beginning)
