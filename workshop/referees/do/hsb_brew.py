"""The brewery rounds of Heat, Sweat & Beer as its referee reads them (rulebook 6.5.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workshop.referees.do.board import sheet
from workshop.referees.do.cubes import CUSTOMERS, Place, best, price, segments
from workshop.referees.do.hsb_money import Goal
from workshop.referees.do.hsb_rail import RailwayRounds, loaded
from workshop.referees.do.hsb_table import BANK, BREWERY, MINOR, RAILWAY, Company, Pause, must
from workshop.referees.whistle import Plain

#: The steps of a brewery's turn; giving up and naming export beer belong to the first (DO-6.5.2.1-a, R-57).
BREWING = ("deliver", "dividend", "equipment")


class BreweryRounds(RailwayRounds):
    """Giving up, deliveries, loading, income, equipment."""

    def __init__(self, beginning: Plain) -> None:
        #: Units used in this turn by type of equipment: delivered, and named for export with the train.
        self.brewed: Counter[str] = Counter()
        self.earned = 0
        self.named: list[tuple[str, str, str, int]] = []
        #: The equipment that made the cubes that are told when all is delivered at once.
        self.makers: list[str] = []
        #: Trains whose directors declined in this turn.
        self.unwilling: set[tuple[str, str]] = set()
        super().__init__(beginning)

    def begin_turn(self, name: str) -> None:
        super().begin_turn(name)
        self.brewed = Counter()
        self.earned = 0
        self.named = []
        self.unwilling = set()

    # ------------------------------------------------------------------ the start of a round

    def drop_unwanted(self) -> None:
        """Equipment of a segment with a marker and no cubes leaves the game (DO-6.5.2.2-c, R-58)."""
        for segment in segments():
            if self.cubes.none_wanted(segment):
                for name in self.brewers():
                    while str(segment) in self.equipment.get(name, []):
                        self.use_up(name, [str(segment)])

    # ------------------------------------------------------------------ words

    def row(self, kind: str) -> Plain:
        return next(row for row in self.facts["equipment"] if row["type"] == kind)

    def named_units(self, kind: str) -> int:
        return sum(other == kind for other, *_ in self.named)

    def units(self, company: Company) -> dict[str, int]:
        """Units that can still deliver, by type (DO-6.5.2.3-a)."""
        owned = Counter(self.equipment.get(company.name, []))
        return {
            kind: count * int(self.row(kind)["cubes"]) - self.brewed[kind] - self.named_units(kind)
            for kind, count in owned.items()
        }

    def reachable(self, company: Company, kind: str) -> list[Place]:
        """Where a unit of a type may deliver (DO-6.5.2.3-b)."""
        if not self.units(company).get(kind):
            return []
        return [place for place in self.cubes.open() if place[0] <= int(kind)]

    def can_deliver(self, company: Company) -> bool:
        return any(self.reachable(company, kind) for kind in self.units(company))

    def brewing_step_empty(self, company: Company) -> bool:
        """Whether a step has nothing to decide but perhaps the certificate deal."""
        match self.step:
            case "deliver":
                return not self.equipment.get(company.name)
            case "dividend":
                return self.revenue < int(self.facts["hsb"]["rounded"])
            case _:
                return not self.could_buy_equipment(company)

    # ------------------------------------------------------------------ giving up and delivering

    def give_up_equipment(self, player: str, move: Plain, really: bool) -> None:
        """Freely before any delivery (DO-6.5.2.2-a), or above the limit (DO-6.5.2.2-b)."""
        kind = move["equipment"]
        if self.pauses:
            pause = self.pauses[0]
            must(move["company"] == pause.company, "DO-6.5.2.2-b: another company")
            company = self.companies[pause.company]
        else:
            company = self.acting(player, move)
            must(self.kind == "brewing", "DO-6.5.2.2-a: in a brewery round")
            must(self.step == "deliver" and not self.brewed, "DO-6.5.2.1-a: before the first delivery")
            must(not self.named, "DO-6.5.2.1-a: before export is named")
        must(kind in self.equipment.get(company.name, []), "DO-6.5.2.2-a: not owned")
        if not really:
            return
        self.use_up(company.name, [kind])
        if self.pauses and len(self.equipment[company.name]) <= self.equipment_limit(company):
            self.pauses.pop(0)

    def deliver_beer(self, player: str, move: Plain, really: bool) -> None:
        """One cube (DO-6.5.2.3-a, -b)."""
        company = self.acting(player, move)
        must(self.kind == "brewing" and self.step == "deliver", "DO-6.5.2.1-a: before the income")
        must(move["customers"] in CUSTOMERS, "DO-5.1.3-a: no such customers")
        kind, place = move["equipment"], (move["segment"], move["customers"])
        must(place in self.reachable(company, kind), "DO-6.5.2.3-a, -b: no unit, no cube, or out of reach")
        if really:
            self.cubes.deliver(place)
            self.brewed[kind] += 1
            self.earned += price(place)
            self.end_if_done(company)

    def deliver_best(self, player: str, move: Plain, really: bool, delivered: Sequence[str] = ()) -> None:
        """All that is left, for the most; which of several best ways is read, and looked at."""
        company = self.acting(player, move)
        must(self.kind == "brewing" and self.step == "deliver", "DO-6.5.2.1-a: before the income")
        must(self.can_deliver(company), "DO-6.5.2.1-b: nothing to deliver")
        if not really:
            return
        most = best(self.units(company), self.cubes)
        earned = self.deliver_told(company, delivered)
        assert self.is_best(company, earned, most), f"the best deliveries earn {most}, not {earned}"
        self.earned += earned
        self.end_if_done(company)

    def in_use(self) -> bool:
        """Whether something has been delivered or named for export in this turn."""
        return bool(self.brewed or self.named)

    def end_if_done(self, company: Company) -> None:
        """When something was delivered or named and nothing more can be, the step is over."""
        if self.in_use() and not self.can_deliver(company) and not self.could_load(company):
            self.finish_delivery(company)

    def is_best(self, company: Company, earned: int, most: int) -> bool:
        """Whether nothing better could be delivered."""
        return earned == most

    def deliver_told(self, company: Company, delivered: Sequence[str]) -> int:
        """Deliveries that are told, looked at one by one; what they earn."""
        units = {kind: count for kind, count in self.units(company).items() if count}
        earned = 0
        for cube, kind in zip(delivered, self.makers, strict=True):
            number, whose = cube.split()
            place = (int(number), whose)
            assert units.get(kind), f"DO-6.5.2.3-a: no unit of {kind} is free for {cube}"
            assert int(kind) >= place[0], f"DO-6.5.2.3-b: {kind} does not reach {cube}"
            assert self.cubes.demand[place], f"DO-6.5.2.3-a: no demand for {cube}"
            units[kind] -= 1
            self.brewed[kind] += 1
            self.cubes.deliver(place)
            earned += price(place)
        assert not any(count and place[0] <= int(kind) for kind, count in units.items() for place in self.cubes.open())
        return earned

    def deliver_pass(self, company: Company) -> None:
        """Deliveries are compulsory where possible (DO-6.5.2.1-b)."""
        must(not self.can_deliver(company), "DO-6.5.2.1-b: there is demand for its beer")

    def finish_delivery(self, company: Company) -> None:
        """Step 3, loading, then the income (DO-6.5.2.4-c, DO-6.5.2.5-a)."""
        done = 0
        for _, railway, kind, before in self.named:
            # What was delivered to Dortmund may have been the last cubes.
            if not self.cubes.for_export():
                break
            loads = self.loads.setdefault(railway, [])
            if before:
                loads.remove([kind, before])
            loads.append([kind, before + 1])
            done += 1
        self.revenue = self.earned + int(self.facts["beer"]["export_price"]) * done + self.extra(company)
        company.last_revenue = self.revenue
        self.next_step()

    def extra(self, company: Company) -> int:
        """Income besides deliveries and export."""
        return 0

    # ------------------------------------------------------------------ export

    def trains_with_names(self, railway: Company) -> list[str]:
        """The trains of a railway with what lies on them and what is named for them."""
        labels = self.labels(railway)
        for _, name, kind, before in self.named:
            if name == railway.name:
                labels.remove(f"{kind}+{before}" if before else kind)
                labels.append(f"{kind}+{before + 1}")
        return labels

    def has_square(self, railway: Company, label: str) -> bool:
        """Whether a train has an empty square (DO-6.5.2.4-b)."""
        kind, cubes = loaded(label)
        return cubes < self.squares(kind)

    def squares(self, kind: str) -> int:
        return int(next(row for row in self.facts["capex"] if row["card"] == kind).get("squares", 0))

    def load_export(self, player: str, move: Plain, really: bool) -> None:
        """A unit with an arrow is named for a train that can run an export route (DO-6.5.2.4-a to -f, R-57)."""
        company = self.acting(player, move)
        must(self.kind == "brewing" and self.step == "deliver", "DO-6.5.2.1-a: before the income")
        kind = move["equipment"]
        owned = self.equipment.get(company.name, []).count(kind)
        must(owned, "DO-6.5.2.4-d: no such equipment")
        must(self.arrows_left(company, kind) > 0, "DO-6.5.2.4-a, R-57: no arrow left, or its unit has delivered")
        railway = self.companies.get(move["railway"])
        must(railway is not None and railway.kind == RAILWAY and railway.floated, "DO-6.5.2.4-d: no such railway")
        assert railway is not None
        must(move["train"] in self.trains_with_names(railway), "DO-6.5.2.4-d: no such train")
        fault = self.unloadable(company, kind, railway, move["train"])
        must(not fault, fault)
        must(self.willing(railway, move["train"]), "DO-6.5.2.4-d: its director declined in this turn")
        train, cubes = loaded(move["train"])
        if really:
            name = (kind, railway.name, train, cubes)
            if self.agrees(railway, player):
                self.name_export(company, name)
            else:
                data = {"name": name, "load": move["train"]}
                self.pauses.append(Pause("export_consent", self.decider(railway), company.name, data))

    def unloadable(self, company: Company, kind: str, railway: Company, label: str) -> str:
        """Why a train cannot take a cube; nothing if it can."""
        train, _ = loaded(label)
        if railway.name == sheet("game")["abilities"]["no_beer"]:
            return "DO-6.5.2.4-f: it carries no beer"
        if not self.has_square(railway, label):
            return "DO-6.5.2.4-b: no empty square"
        if self.cubes_left() <= len(self.named):
            return "DO-6.5.2.4-c: no cube left"
        labels = self.trains_with_names(railway)
        labels.remove(label)
        full = [loaded(other)[0] for other in labels if loaded(other)[1]] + [train]
        if self.exports(railway, full) < len(full):
            return "DO-6.5.2.4-d, R-120: no separate export route"
        return ""

    def cubes_left(self) -> int:
        """Cubes that could be loaded: those of the stock, and of the demand fields."""
        return self.cubes.stock + sum(self.cubes.demand.values())

    def answer_export(self, pause: Pause, move: Plain, really: bool) -> None:
        """The director of the railway agrees or not (DO-6.5.2.4-d)."""
        must(move["reply"] in ("accept", "decline") and not move["price"], "DO-6.5.2.4-d: there is no price")
        if really:
            self.pauses.remove(pause)
            company = self.companies[pause.company]
            if move["reply"] == "accept":
                self.name_export(company, pause.data["name"])
            else:
                self.unwilling.add((pause.data["name"][1], pause.data["load"]))
                self.end_if_done(company)

    def willing(self, railway: Company, label: str) -> bool:
        """Nobody is asked twice in a turn for the same train; how people ask is not in the rulebook."""
        return (railway.name, label) not in self.unwilling

    def agrees(self, railway: Company, player: str) -> bool:
        """Who directs the railway as well need not ask."""
        return self.decider(railway) == player

    def arrows_left(self, company: Company, kind: str) -> int:
        """Units with an arrow that are not yet named and have not delivered (DO-6.5.2.4-a, R-57)."""
        owned = self.equipment.get(company.name, []).count(kind)
        arrows = owned * int(self.row(kind).get("arrows", 0)) - self.named_units(kind)
        return min(arrows, self.units(company).get(kind, 0))

    def name_export(self, company: Company, name: tuple[str, str, str, int]) -> None:
        """A unit is kept for a train; it is loaded after the deliveries (R-57), at once if nothing else can be done."""
        self.named.append(name)
        self.end_if_done(company)

    def could_load(self, company: Company) -> bool:
        """Whether a unit could still be named for a train."""
        return any(
            self.arrows_left(company, kind) > 0 and not self.unloadable(company, kind, railway, label)
            for kind, free in self.units(company).items()
            if free
            for railway in self.of_kind(RAILWAY)
            if railway.floated
            for label in set(self.trains_with_names(railway))
            if self.willing(railway, label)
        )

    # ------------------------------------------------------------------ income

    def dividend(self, player: str, move: Plain, really: bool) -> None:
        """All or nothing; a minor half or nothing (DO-4.5.6.2-a, DO-6.5.2.5-b, -c)."""
        company = self.acting(player, move)
        must(self.step == "dividend", "DO-4.5-b: after the run")
        must(move["kind"] in ("withhold", "half" if company.kind == MINOR else "pay"), "DO-4.5.6.2-a: no such way")
        if not really:
            return
        if company.kind == MINOR:
            whole = self.revenue - self.revenue % int(self.facts["hsb"]["rounded"])
            half = whole // 2 if move["kind"] == "half" else 0
            self.pay(BANK, company.director, half)
            self.pay(BANK, company.name, self.revenue - half)
        elif move["kind"] == "pay":
            self.pay_out(company, self.revenue)
        else:
            self.keep(company, self.revenue)
        self.next_step()

    # ------------------------------------------------------------------ equipment

    def kettles(self, company: Company) -> list[str]:
        """What it may take: no type 6 and 8 for minors, so many cards in a turn (DO-6.5.2.6-a, -b, -e)."""
        kinds = [kind for kind in self.on_display() if company.kind == BREWERY or self.row(kind).get("minors", True)]
        return [kind for kind in kinds if self.may_take_new(kind)]

    def room(self, company: Company) -> bool:
        """Below its limit (DO-6.5.2.6-a)."""
        return len(self.equipment.get(company.name, [])) < self.equipment_limit(company)

    def pays_for(self, company: Company, kind: str) -> bool:
        """Treasury, for a minor its owner's help (DO-6.5.2.6-c, -d, DO-6.5.2.7-a, R-64), or by force."""
        cost = self.card_price(kind)
        missing = cost - self.cash[company.name]
        if company.kind == BREWERY:
            goal = Goal(kind, BANK, cost)
            enough = missing <= 0 and (self.goals is None or goal in self.goals)
            return enough or self.may_force(company, goal)
        return missing <= min(cost * self.owner_share(company) // 100, self.cash[company.director])

    def owner_share(self, company: Company) -> int:
        """How much of a price the owner of a minor may pay: all if it has no equipment (R-64)."""
        return int(self.facts["hsb"]["owner_adds_percent"]) if self.equipment.get(company.name) else 100

    def could_buy_equipment(self, company: Company) -> bool:
        """Whether there is anything to buy, or money to be raised for it."""
        if not self.room(company):
            return False
        if company.kind == BREWERY and not self.equipment.get(company.name):
            return bool(self.kettles(company))
        return any(self.pays_for(company, kind) for kind in self.kettles(company))

    def buy_equipment(self, player: str, move: Plain, really: bool) -> None:
        """From the bank at the printed price (DO-6.5.2.6-a)."""
        company = self.acting(player, move)
        must(self.kind == "brewing" and self.step == "equipment", "DO-6.5.2.1-a: after the income")
        kind = move["equipment"]
        must(kind in self.kettles(company), "DO-5.4.4-d, DO-6.5.2.6-e: not on display for it")
        must(self.room(company), "DO-6.5.2.6-a: limit")
        must(self.pays_for(company, kind), "DO-6.5.2.6-c, -d: money")
        if really:
            self.spend(company, self.card_price(kind))
            self.equipment.setdefault(company.name, []).append(kind)
            # It is no train any more: among the trains the engine counts it as gone.
            self.gone.append(kind)
            self.new_cards.append(kind)
            self.goals = None
            self.take(kind)

    def equipment_pass(self, company: Company) -> None:
        """A corporation must own equipment, a minor must buy it if its treasury pays (DO-6.5.2.7-a, -b)."""
        if self.equipment.get(company.name):
            return
        affordable = [kind for kind in self.kettles(company) if self.card_price(kind) <= self.cash[company.name]]
        needed = self.kettles(company) if company.kind == BREWERY else affordable
        must(not needed, "DO-6.5.2.7-a, -b: it must buy equipment")

    # ------------------------------------------------------------------ the end of a round

    def new_order(self) -> None:
        """By the highest equipment, then the second and so on; ties keep the old order (DO-6.5.2.8-a, R-65)."""
        self.order.sort(key=lambda name: [*sorted(-int(kind) for kind in self.equipment.get(name, [])), 0])
