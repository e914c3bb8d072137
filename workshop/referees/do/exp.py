"""The referee of 18DO's Expert game: Heat, Sweat & Beer with small investments and special events (rulebook 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from workshop.referees.do.cubes import CUSTOMERS, REGULAR, Place, price, segments
from workshop.referees.do.exp_income import Income
from workshop.referees.do.exp_markers import WAGON
from workshop.referees.do.hsb_brew import BREWING
from workshop.referees.do.hsb_table import BANK, BREWERY, MINOR, POOL, RAILWAY, Company, No, Pause, must
from workshop.referees.whistle import Plain


class Expert(Income):
    """With SEM: specials that breweries use once."""

    brewing_steps = (*BREWING, "event")
    of_breweries = (*Income.of_breweries, "use_event", "take_event")
    after_events = False
    passing = False

    # ------------------------------------------------------------------ brewery rounds

    def begin_brewing(self) -> None:
        """Equipment leaves, pubs pay, then advertising (DO-7.1.1-a, DO-7.2-H, R-124)."""
        super().begin_brewing()
        self.used = set()
        # Nothing has been brewed in this round yet, whatever the last brewery did in the round before.
        self.brewed.clear()
        self.named.clear()
        self.fresh()
        for name, codes in self.markers.items():
            for code in codes:
                row = self.kim[code]
                if row["kind"] == "pub" and self.reached(row["phase"]):
                    self.pay(BANK, name, int(row["income"]))
        self.ask("H")

    def brewing_over(self) -> None:
        """Marketing comes after the new order (DO-7.2-L)."""
        self.new_order()
        self.cubes.refill()
        self.ask("L")
        if not self.pauses:
            self.next_pair()
        else:
            self.after_events = True

    def settle_pause(self, pause: Pause, move: Plain, really: bool) -> None:
        if pause.kind == "special_event":
            must(move["type"] in ("use_event", "pass"), "another decision comes first")
            self.special_event(pause, move, really)
        else:
            super().settle_pause(pause, move, really)

    def ask(self, code: str) -> None:
        """Whether the holder of a special wants to use it now."""
        for name, codes in self.specials.items():
            company = self.companies[name]
            useful = (
                self.advertised(company) if code == "H" else self.order.index(name) > 0 if name in self.order else 0
            )
            if code in codes and company.floated and self.reached(self.sem[code]["phase"]) and useful:
                self.pauses.append(Pause("special_event", company.director, name, {"marker": code}))

    def advertised(self, company: Company) -> bool:
        return any(super(Expert, self).reachable(company, kind) for kind in self.equipment.get(company.name, []))

    def special_event(self, pause: Pause, move: Plain, really: bool) -> None:
        company, code = self.companies[pause.company], pause.data["marker"]
        if move["type"] == "use_event":
            must(move["company"] == company.name and move["marker"] == code, "DO-7.2-b: another marker")
            if code == "H":
                place = (move["segment"], move["customers"])
                must(move["customers"] in CUSTOMERS, "DO-7.2-H: no such customers")
                must(move["equipment"] in self.equipment.get(company.name, []), "DO-7.2-H: not owned")
                must(place in super().reachable(company, move["equipment"]), "DO-7.2-H: out of reach")
        if not really:
            return
        self.pauses.remove(pause)
        if move["type"] == "use_event":
            self.spend_special(company, code)
            if code == "H":
                self.cubes.demand[place] -= 1
                self.reserved[company.name] = (move["equipment"], *place)
            else:
                at = self.order.index(company.name)
                self.order[at - 1 : at + 1] = [self.order[at], self.order[at - 1]]
        if self.after_events and not self.pauses:
            self.after_events = False
            self.next_pair()

    def spend_special(self, company: Company, code: str) -> None:
        """A used special goes back to the display (DO-7.2-b)."""
        self.specials[company.name].remove(code)
        self.display[code] += 1
        self.used.add((company.name, code))

    # ------------------------------------------------------------------ events in a turn

    def use_event(self, player: str, move: Plain, really: bool) -> None:
        """Each special once, in the own turn (DO-7.2-G to -P, R-124)."""
        company, code = self.acting(player, move), move["marker"]
        must(code in self.specials.get(company.name, []), "DO-7.2-b: not owned")
        must(self.reached(self.sem[code]["phase"]), "DO-7.2-c: not in this phase")
        must(code not in "HJL", "DO-7.2-H, -J, -L: not now")
        if code in "KNOP":
            must(self.step == "deliver", "R-124: with the deliveries")
        if code == "I":
            must(self.step == "equipment", "DO-7.2-I: with a purchase")
        getattr(self, f"use_{code.lower()}")(company, move, really)
        if really and self.step == "deliver":
            self.end_if_done(company)

    def agrees(self, railway: Company, player: str) -> bool:
        """A transport contract asks nobody (DO-7.2-P)."""
        return super().agrees(railway, player) or railway.name == self.contract

    def willing(self, railway: Company, label: str) -> bool:
        return super().willing(railway, label) or railway.name == self.contract

    def use_g(self, company: Company, move: Plain, really: bool) -> None:
        if really:
            self.spend_special(company, "G")
            self.pay(BANK, company.name, int(self.rules["fair"]))

    def use_k(self, company: Company, move: Plain, really: bool) -> None:
        must(self.premium_places(company), "DO-7.2-K, R-69: no cube for which it brings anything")
        if really:
            self.spend_special(company, "K")
            self.premium = True

    def premium_places(self, company: Company) -> list[Place]:
        """Customers who would pay more for premium beer: served, or still to be served."""
        places = [
            *self.places,
            *(place for kind in self.units(company) for place in super(Expert, self).reachable(company, kind)),
        ]
        if company.name in self.reserved:
            places.append(self.reserved[company.name][1:])
        return [place for place in places if self.next_price(place) > price(place)]

    def use_n(self, company: Company, move: Plain, really: bool) -> None:
        must(self.left_over(company), "DO-7.2-N: no unit that nobody wants")
        if really:
            self.spend_special(company, "N")
            self.contracted = True

    def left_over(self, company: Company) -> bool:
        """Whether a unit that is worth something can stay idle although all is delivered that can be (DO-7.2-N)."""
        if self.contracted:
            return False
        units = self.units(company)
        return any(
            free and self.idle_price(kind) and self.deliverable({**units, kind: free - 1}) == self.deliverable(units)
            for kind, free in units.items()
        )

    def deliverable(self, units: Mapping[str, int]) -> int:
        """How many cubes units can deliver: the lowest ones take whatever they reach."""
        wanted = Counter(
            {segment: sum(self.cubes.demand[segment, whose] for whose in CUSTOMERS) for segment in segments()}
        )
        count = 0
        for kind in sorted(units, key=int):
            for _ in range(units[kind]):
                segment = next((segment for segment in segments() if segment <= int(kind) and wanted[segment]), 0)
                wanted[segment] -= 1
                count += bool(segment)
        return count

    def use_o(self, company: Company, move: Plain, really: bool) -> None:
        kind, segment = move["equipment"], move["segment"]
        must(kind in self.equipment.get(company.name, []), "DO-7.2-O: not owned")
        must(segment in segments() and segment <= int(kind), "DO-7.2-O: out of reach")
        must(segment not in self.cubes.closed, "R-68: a marker lies there")
        must(self.cubes_left() > len(self.named), "R-68: no cube")
        if really:
            self.spend_special(company, "O")
            self.cubes.for_export()
            self.cubes.delivered[segment, REGULAR] = self.cubes.delivered.get((segment, REGULAR), 0) + 1
            self.shifts.append((kind, segment))

    def use_p(self, company: Company, move: Plain, really: bool) -> None:
        must(move["railway"] in self.contractors(company), "DO-7.2-P: none of its trains can be loaded, or own railway")
        if really:
            self.spend_special(company, "P")
            self.contract = move["railway"]

    def contractors(self, company: Company) -> list[str]:
        """Railways of others that could be loaded."""
        return [
            railway.name
            for railway in self.of_kind(RAILWAY)
            if railway.floated and railway.director != company.director
            if any(
                free and self.arrows_left(company, kind) > 0 and not self.unloadable(company, kind, railway, label)
                for kind, free in self.units(company).items()
                for label in set(self.trains_with_names(railway))
            )
        ]

    def use_m(self, company: Company, move: Plain, really: bool) -> None:
        percent = move["percent"]
        sizes = self.sells_to_investor(company, percent)
        must(sizes, "R-105: corporations only, one or two shares, half in the pool")
        if really:
            self.spend_special(company, "M")
            for size in sizes:
                company.move(size, company.name, POOL)
            self.pay(BANK, company.name, self.price(company) * percent // 10)

    def idle_kinds(self, company: Company) -> list[str]:
        """Equipment of which a piece was not used in this round (DO-7.2-I): units and arrows tell how many were."""
        owned = Counter(self.equipment.get(company.name, []))
        arrows = {kind: int(self.row(kind).get("arrows", 0)) for kind in owned}
        idle = []
        for kind, count in owned.items():
            exported = self.named_units(kind)
            pieces = -(-(self.brewed[kind] + exported) // int(self.row(kind)["cubes"]))
            while exported and pieces < count and pieces * arrows[kind] + self.had < exported:
                pieces += 1
            if pieces < count:
                idle.append(kind)
        return idle

    def name_export(self, company: Company, name: tuple[str, str, str, int]) -> None:
        """The wagons that the brewery has now matter later, although it may put one back in the same turn."""
        own = self.markers.get(company.name, []) if self.reached(str(self.kim[WAGON]["phase"])) else []
        self.had = own.count(WAGON)
        super().name_export(company, name)

    def use_i(self, company: Company, move: Plain, really: bool) -> None:
        must(move["given"] in self.idle_kinds(company), "DO-7.2-I: used in this round, or not owned")
        self.exchange(company, move, "I", int(self.rules["trade_in_a_type"]), really)

    def exchange(self, company: Company, move: Plain, code: str, discount: int, really: bool) -> None:
        """A piece leaves for a new one, for which it counts a discount of so much for each number of its type."""
        kind, given = move["equipment"], move["given"]
        must(kind in self.kettles(company), "DO-5.4.4-d: not on display for it")
        must(given in self.equipment.get(company.name, []), "DO-7.2-I: not owned")
        cost = max(0, self.card_price(kind) - discount * int(given))
        missing = cost - self.cash[company.name]
        share = self.owner_share(company) if company.kind == MINOR else 0
        must(missing <= min(cost * share // 100, self.cash[company.director]), "DO-6.5.2.6-c, -d: money")
        if really:
            self.spend_special(company, code)
            self.use_up(company.name, [given])
            self.spend(company, cost)
            self.get_equipment(company, kind)

    def upgrades(self, company: Company) -> bool:
        """With J a brewery at its limit may buy one more (DO-7.2-J)."""
        at_limit = len(self.equipment.get(company.name, [])) == self.equipment_limit(company)
        return at_limit and "J" in self.specials.get(company.name, []) and self.reached(self.sem["J"]["phase"])

    def room(self, company: Company) -> bool:
        return super().room(company) or self.upgrades(company)

    def buy_equipment(self, player: str, move: Plain, really: bool) -> None:
        """Beyond the limit J is used up, and one piece is dropped."""
        company = self.acting(player, move)
        over = not super().room(company)
        super().buy_equipment(player, move, really)
        if really and over:
            self.spend_special(company, "J")
            if not any(pause.company == company.name for pause in self.pauses):
                self.look_at_equipment(company)

    def get_equipment(self, company: Company, kind: str) -> None:
        self.equipment.setdefault(company.name, []).append(kind)
        self.gone.append(kind)
        self.new_cards.append(kind)
        self.take(kind)

    # ------------------------------------------------------------------ with the deliveries

    def finish_delivery(self, company: Company) -> None:
        """With a special for deliveries at hand the step ends by a pass only."""
        self.deliver_reserved(company)
        if not self.held_open(company):
            super().finish_delivery(company)

    def held_open(self, company: Company) -> bool:
        """Whether a special could still be used with the deliveries."""
        return not self.passing and any(
            self.for_deliveries(company, code) for code in self.specials.get(company.name, [])
        )

    def skip(self, company: Company) -> None:
        self.passing = True
        super().skip(company)
        self.passing = False

    def for_deliveries(self, company: Company, code: str) -> bool:
        """Premium beer, contract brewing and the second shift may follow the last delivery, if they bring anything."""
        if not self.reached(self.sem[code]["phase"]):
            return False
        if code == "K":
            return bool(self.premium_places(company))
        if code == "N":
            return self.left_over(company)
        if code == "P":
            return bool(self.contractors(company))
        return code == "O" and self.cubes_left() > len(self.named) and bool(self.equipment.get(company.name))

    # ------------------------------------------------------------------ the last step

    def extras(self, company: Company) -> bool:
        """Fair and Investor may be used at any time; the turn waits for them with the equipment."""
        return super().extras(company) or (self.step == "equipment" and self.has_extra(company))

    def has_extra(self, company: Company) -> bool:
        return any(self.usable(company, code) for code in self.specials.get(company.name, []) if code in "GM")

    def usable(self, company: Company, code: str) -> bool:
        if not self.reached(self.sem[code]["phase"]) or self.kind != "brewing":
            return False
        return code == "G" or any(self.sells_to_investor(company, percent) for percent in range(10, 60, 10))

    def sells_to_investor(self, company: Company, percent: int) -> tuple[int, ...]:
        """Which certificates M sells: one or two shares, half in the pool at most (DO-7.2-M, R-105)."""
        most = min(int(self.rules["investor_percent"]), self.pool_limit - company.held(POOL))
        if company.kind != BREWERY or not 0 < percent <= most:
            return ()
        return self.next_of(company, percent)

    def could_buy_equipment(self, company: Company) -> bool:
        return super().could_buy_equipment(company) or self.could_invest(company) or self.could_exchange(company)

    def could_exchange(self, company: Company) -> bool:
        """Whether a piece could be given in for a new one, which may be cheaper than just to buy it."""
        move = {"company": company.name, "marker": next(iter(self.specials.get(company.name, [])), "")}
        for kind in self.kettles(company) if move["marker"] in ("I", "J") else ():
            for given in self.equipment.get(company.name, []):
                try:
                    self.use_event(company.director, {**move, "equipment": kind, "given": given}, False)
                except No:
                    continue
                return True
        return False

    def brewing_step_empty(self, company: Company) -> bool:
        if self.step == "event":
            return not self.events_for(company)
        return super().brewing_step_empty(company)

    def events_for(self, company: Company) -> list[str]:
        return [code for code in self.sem if self.display[code] and (company.name, code) not in self.used]

    def take_event(self, player: str, move: Plain, really: bool) -> None:
        """One SEM, for nothing; an old one goes back first (DO-7.2-a)."""
        company = self.acting(player, move)
        must(self.step == "event", "DO-7.6-a: the last action")
        must(move["marker"] in self.events_for(company), "DO-7.2-b, -c: not on display, or used in this round")
        if really:
            for code in self.specials.pop(company.name, []):
                self.display[code] += 1
            self.display[move["marker"]] -= 1
            self.specials[company.name] = [move["marker"]]
            self.next_step()


def appoint(beginning: Plain) -> Expert:
    """The referee of a game."""
    return Expert(beginning)
