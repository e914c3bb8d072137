"""The referee of 18DO's Expert game: Heat, Sweat & Beer with small investments and special events (rulebook 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.referees.do_board import COLOURS, sheet
from tests.referees.do_cubes import CUSTOMERS, REGULAR, Place, price, segments
from tests.referees.do_hsb import HeatSweatBeer
from tests.referees.do_hsb_brew import BREWING
from tests.referees.do_hsb_rail import loaded
from tests.referees.do_hsb_table import BANK, BREWERY, MINOR, POOL, RAILWAY, Company, No, Pause, must
from tests.referees.whistle import Plain, Position, filled

#: The beer wagon, and a wagon that lies on no train.
WAGON, LOOSE = "C", "loose"


class Expert(HeatSweatBeer):
    """KIM are markers that companies own, SEM are specials that breweries use once."""

    brewing_steps = (*BREWING, "event")
    of_railways = (*HeatSweatBeer.of_railways, "buy_marker", "move_wagon")
    of_breweries = (*HeatSweatBeer.of_breweries, "buy_marker", "use_event", "take_event", "rest_equipment")

    def __init__(self, beginning: Plain) -> None:
        exp = sheet("exp")
        self.rules = exp["expert"]
        self.kim: dict[str, Mapping[str, Any]] = {row["code"]: row for row in exp["kim"]}
        self.sem: dict[str, Mapping[str, Any]] = {row["code"]: row for row in exp["sem"]}
        count = str(len(beginning["players"]))
        #: All markers lie on the display at first (DO-7.3-a).
        self.display = {code: int(row["count"][count]) for code, row in self.kim.items()} | dict.fromkeys(self.sem, 1)
        self.markers: dict[str, list[str]] = {}
        self.specials: dict[str, list[str]] = {}
        #: Wagons on trains by railway: each train that has some, with its type; the others are loose.
        self.wagons: dict[str, list[tuple[str, int]]] = {}
        self.reserved: dict[str, tuple[str, int, str]] = {}
        #: Whose reserved cube lies in the stock already because its segment is closed (R-141).
        self.in_stock: set[str] = set()
        #: What was used in this brewery round, by whom (DO-7.2-b).
        self.used: set[tuple[str, str]] = set()
        self.shoppers: list[str] = []
        self.fresh()
        super().__init__(beginning)

    def fresh(self) -> None:
        """What a turn remembers."""
        self.invested = 0
        self.premium = False
        self.contracted = False
        self.contract = ""
        self.rests = ""
        self.rest_gone = False
        self.shifts: list[tuple[str, int]] = []
        self.places: list[Place] = []
        #: Cubes of which it is not known which equipment delivered them.
        self.told: list[Place] = []
        self.by_hand: Counter[str] = Counter()
        self.free_order: list[str] | None = None
        self.moved = 0

    def begin_turn(self, name: str) -> None:
        super().begin_turn(name)
        self.fresh()

    def reached(self, phase: str) -> bool:
        """Whether a marker of a colour may be used (DO-7.1-a, DO-7.2-c)."""
        return COLOURS.index(phase) <= COLOURS.index(self.colour)

    def position(self) -> Position:
        facts = {
            "display": self.display,
            "markers": {name: sorted(codes) for name, codes in self.markers.items()},
            "specials": {name: sorted(codes) for name, codes in self.specials.items()},
            "wagons": {name: sorted(map(list, trains)) for name, trains in self.wagons.items()},
            "reserved": {name: [*place, name in self.in_stock] for name, place in self.reserved.items()},
        }
        return super().position() | filled({"facts": facts})

    # ------------------------------------------------------------------ after the starting round (7.4)

    def after_package(self) -> None:
        """Each player may buy a KIM for their minor, lowest number first (DO-7.4-a)."""
        self.kind = "markers"
        self.pair = self.pairs = 1
        self.shoppers = sorted(
            self.seats, key=lambda player: next(row["number"] for row in self.minors.values() if self.owns(player, row))
        )
        self.actor = self.shoppers.pop(0)

    def owns(self, player: str, row: Mapping[str, Any]) -> bool:
        return self.companies[row["company"]].director == player

    def next_shopper(self) -> None:
        if self.shoppers:
            self.actor = self.shoppers.pop(0)
        else:
            self.pair = 0
            self.begin_stock()

    def settle(self) -> None:
        """Wagons of trains that are gone are loose again (R-107)."""
        for name, wagons in self.wagons.items():
            for kind, _ in list(wagons):
                own = sorted(train for train in wagons if train[0] == kind)
                if len(own) > self.companies[name].trains.count(kind):
                    wagons.remove(own[0])
        while self.kind == "markers" and min(self.price_of(code) for code in self.on_sale()) > self.cash[self.actor]:
            self.next_shopper()
        if self.kind != "markers":
            super().settle()

    def on_sale(self) -> list[str]:
        return [code for code in self.kim if self.display[code]]

    def price_of(self, code: str) -> int:
        return int(self.kim[code]["price"])

    def deciders(self) -> list[str]:
        if self.kind == "markers" and not self.finished:
            return [self.actor]
        return list(super().deciders())

    def make(self, move: Plain, really: bool, events: Sequence[Plain]) -> None:
        if self.kind != "markers":
            super().make(move, really, events)
            return
        must(move["player"] == self.actor, "DO-7.4-a: by the numbers of the minors")
        if move["type"] == "pass":
            if really:
                self.next_shopper()
            return
        must(move["type"] == "buy_marker", "DO-7.4-a: a KIM or nothing")
        code = move["marker"]
        minor = self.companies.get(move["company"])
        must(minor is not None and minor.kind == MINOR and minor.director == self.actor, "DO-7.4-a: the own minor")
        must(code in self.kim and self.display[code], "DO-7.1-f: none left")
        must(move["source"] == BANK and move["price"] == self.price_of(code), "DO-7.1-f: printed price to the bank")
        must(not move["returned"], "DO-7.1-e: nothing to return")
        must(self.price_of(code) <= self.cash[self.actor], "DO-7.4-a: money")
        if really:
            self.pay(self.actor, BANK, self.price_of(code))
            self.gain(move["company"], code)
            self.display[code] -= 1
            self.next_shopper()

    # ------------------------------------------------------------------ markers change hands

    def gain(self, name: str, code: str) -> None:
        """Somebody gets a KIM; a railway's wagon goes on its best train, of equal ones on that with fewer wagons."""
        self.markers.setdefault(name, []).append(code)
        company = self.companies[name]
        cars = [car for car in self.cars(company) if car.rstrip(WAGON) not in self.rules["wagon_not_on"]]
        if company.kind == RAILWAY and cars:
            self.hang(name, max(cars, key=lambda car: (int(car.rstrip(WAGON)), -len(car))))

    def hang(self, name: str, car: str, more: int = 1) -> None:
        """A train gets a wagon more, or less."""
        kind = car.rstrip(WAGON)
        trains = self.wagons.setdefault(name, [])
        count = len(car) - len(kind)
        if count:
            trains.remove((kind, count))
        if count + more:
            trains.append((kind, count + more))

    def lose(self, name: str, code: str) -> None:
        """Somebody gives up a KIM; a railway a loose wagon first, then one without a cube on its lowest train."""
        self.markers[name].remove(code)
        if self.companies[name].kind == RAILWAY and self.loose(name) < 0:
            self.hang(name, min(self.empty_wagons(name), key=lambda car: int(car.rstrip(WAGON))), -1)

    def loose(self, name: str) -> int:
        return len(self.markers.get(name, [])) - sum(count for _, count in self.wagons.get(name, []))

    def empty_wagons(self, name: str) -> list[str]:
        """Trains with a wagon that could do without it, as they are named (R-107)."""
        result = []
        for kind, count in self.wagons.get(name, []):
            rest = list(self.wagons[name])
            rest.remove((kind, count))
            if self.carried(name, kind, [*rest, (kind, count - 1)], self.loads.get(name, [])):
                result.append(kind + WAGON * count)
        return result

    def carried(self, name: str, kind: str, wagons: Sequence[tuple[str, int]], loads: Sequence[Sequence[Any]]) -> bool:
        """Whether the trains of a type, with these wagons, take these cubes."""
        more = sorted((count for other, count in wagons if other == kind), reverse=True)
        cubes = sorted((count for other, count in loads if other == kind), reverse=True)
        room = [*more, *[0] * self.companies[name].trains.count(kind)]
        return all(count <= self.squares(kind) + free for count, free in zip(cubes, room, strict=False))

    def boxes(self, name: str) -> int:
        return int(self.rules["kim_boxes"].get(name, 99))

    def makes_room(self, company: Company, returned: str) -> None:
        """A full brewery puts one back first (DO-7.1-b, -e)."""
        full = len(self.markers.get(company.name, [])) >= self.boxes(company.name)
        if returned:
            must(full and company.kind != RAILWAY, "DO-7.1-e: there is room")
            must(returned in self.markers.get(company.name, []), "DO-7.1-e: not owned")
        else:
            must(not full, "DO-7.1-b: no box is free")

    def bounds(self, code: str) -> tuple[int, int]:
        """50 to 150 % of the printed price between companies (DO-7.1-d)."""
        low, high = self.rules["trade_percent"]
        return -(-self.price_of(code) * low // 100), self.price_of(code) * high // 100

    def for_sale(self, company: Company, code: str) -> list[str]:
        """Companies that could sell a KIM: pubs and lines among breweries, wagons among all."""
        if company.kind == RAILWAY and code != WAGON:
            return []
        return [
            name
            for name, codes in self.markers.items()
            if code in codes
            and name != company.name
            and (self.companies[name].kind != RAILWAY or self.loose(name) or self.empty_wagons(name))
        ]

    def may_invest(self, company: Company, code: str) -> bool:
        """From the bank: one KIM in a turn, it counts as a card (DO-7.1-c, DO-7.5-a)."""
        if company.kind == RAILWAY and code != WAGON:
            return False
        enough = self.price_of(code) <= self.cash[company.name]
        return bool(self.display[code]) and enough and not self.invested and self.may_take_new(code)

    def could_invest(self, company: Company) -> bool:
        """Whether some KIM could be had."""
        if any(self.may_invest(company, code) for code in self.kim):
            return True
        return any(
            max(self.bounds(code)[0], self.declined.get((seller, code), 0) + 1)
            <= min(self.bounds(code)[1], self.cash[company.name])
            for code in self.kim
            for seller in self.for_sale(company, code)
        )

    def buy_marker(self, player: str, move: Plain, really: bool) -> None:
        """In the step of trains or equipment (DO-7.1-c, -d, DO-7.1.3-a, -b)."""
        company = self.acting(player, move)
        must(self.step in ("trains", "equipment"), "DO-7.1-c: with trains and equipment")
        code, source, amount = move["marker"], move["source"], move["price"]
        must(code in self.kim, "DO-7.1-f: no such marker")
        must(company.kind != RAILWAY or code == WAGON, "DO-7.1-a: railways buy wagons only")
        self.makes_room(company, move["returned"])
        must(self.goals is None, "DO-4.5.7.5-a: a forced purchase has begun")
        if source == BANK:
            must(self.display[code], "DO-7.1-f: none left")
            must(amount == self.price_of(code), "DO-7.1-f: printed price")
            must(self.may_invest(company, code), "DO-7.1-c: one in a turn, from the treasury")
            if really:
                self.pay(company.name, BANK, amount)
                self.put_back(company.name, move["returned"])
                self.display[code] -= 1
                self.gain(company.name, code)
                self.invested += 1
                self.new_cards.append(code)
            return
        must(source in self.for_sale(company, code), "DO-7.1-d: nobody sells it")
        low, high = self.bounds(code)
        must(low <= amount <= min(high, self.cash[company.name]), "DO-7.1-d: 50 to 150 %, from the treasury")
        must(amount > self.declined.get((source, code), 0), "declined in this turn")
        if really:
            seller = self.companies[source].director
            data = {"marker": code, "seller": source, "price": amount, "buyer": player, "returned": move["returned"]}
            pause = Pause("marker_sale", seller, company.name, data)
            if seller == player:
                self.hand_marker(pause)
            else:
                self.pauses.append(pause)

    def put_back(self, name: str, code: str) -> None:
        if code:
            self.lose(name, code)
            self.display[code] += 1

    def hand_marker(self, pause: Pause) -> None:
        data = pause.data
        self.pay(pause.company, data["seller"], data["price"])
        self.put_back(pause.company, data["returned"])
        self.lose(data["seller"], data["marker"])
        self.gain(pause.company, data["marker"])

    def settle_pause(self, pause: Pause, move: Plain, really: bool) -> None:
        match pause.kind:
            case "marker_sale":
                must(move["type"] == "answer", "another decision comes first")
                self.answer_marker(pause, move, really)
            case "surplus_markers":
                must(move["type"] == "return_marker", "another decision comes first")
                self.return_marker(pause, move, really)
            case "special_event":
                must(move["type"] in ("use_event", "pass"), "another decision comes first")
                self.special_event(pause, move, really)
            case _:
                super().settle_pause(pause, move, really)

    def answer_marker(self, pause: Pause, move: Plain, really: bool) -> None:
        """As with trains, within the bounds."""
        data = pause.data
        if move["reply"] == "counter":
            low, high = self.bounds(data["marker"])
            high = min(high, self.cash[pause.company])
            asked = pause.player == self.companies[data["seller"]].director
            low, high = (data["price"] + 1, high) if asked else (low, data["price"] - 1)
            must(low <= move["price"] <= high, "DO-7.1-d: within the bounds")
        else:
            must(move["reply"] in ("accept", "decline"), "no such answer")
            must(move["price"] in (0, data["price"]), "another price is a counter")
        if not really:
            return
        self.pauses.remove(pause)
        thing = (data["seller"], data["marker"])
        seller = self.companies[data["seller"]].director
        if move["reply"] == "accept":
            self.hand_marker(pause)
        elif move["reply"] == "decline":
            if pause.player == seller:
                self.declined[thing] = max(data["price"], self.declined.get(thing, 0))
        else:
            self.declined.pop(thing, None)
            other = data["buyer"] if pause.player == seller else seller
            self.pauses.insert(0, Pause("marker_sale", other, pause.company, {**data, "price": move["price"]}))

    def return_marker(self, pause: Pause, move: Plain, really: bool) -> None:
        """Markers above the boxes, or a second SEM, go back by choice of the director (R-102)."""
        name, code = pause.company, move["marker"]
        must(move["company"] == name, "R-102: another company")
        kims, sems = self.markers.get(name, []), self.specials.get(name, [])
        over = (kims if len(kims) > self.boxes(name) else []) + (sems if len(sems) > 1 else [])
        must(code in over, "R-102: not one too many")
        if really:
            (kims if code in self.kim else sems).remove(code)
            self.display[code] += 1
            if len(kims) <= self.boxes(name) and len(sems) <= 1:
                self.pauses.remove(pause)

    def make_trade(
        self, player: str, minor: Company, company: Company, source: str, size: int, par: int, cost: int
    ) -> None:
        """KIM and SEM move with the property, or go back to the display (R-102)."""
        codes = self.markers.pop(minor.name, []) + self.specials.pop(minor.name, [])
        for code in codes:
            if source == POOL:
                self.display[code] += 1
            else:
                (self.markers if code in self.kim else self.specials).setdefault(company.name, []).append(code)
        super().make_trade(player, minor, company, source, size, par, cost)

    def look_at_equipment(self, company: Company) -> None:
        super().look_at_equipment(company)
        name = company.name
        if len(self.markers.get(name, [])) > self.boxes(name) or len(self.specials.get(name, [])) > 1:
            self.pauses.append(Pause("surplus_markers", company.director, name))

    def fail(self, company: Company) -> None:
        """Markers of a bankrupt company go back (R-102, R-123)."""
        for code in self.markers.pop(company.name, []) + self.specials.pop(company.name, []):
            self.display[code] += 1
        self.wagons.pop(company.name, None)
        super().fail(company)

    # ------------------------------------------------------------------ wagons

    def move_wagon(self, player: str, move: Plain, really: bool) -> None:
        """A wagon is put on another train in the railway's own turn, not while a cube is on it (R-107)."""
        company = self.acting(player, move)
        must(self.kind == "operating", "DO-7.1.3-d, R-107: in the railway's turn")
        source, target = move["wagon"], move["train"]
        cars = self.cars(company)
        if source == LOOSE:
            must(self.loose(company.name) > 0, "DO-7.1.3-d: no loose wagon")
        else:
            must(source in self.empty_wagons(company.name), "DO-7.1.3-d, R-107: no such wagon, or a cube is on it")
            cars.remove(source)
        must(target in cars, "DO-7.1.3-d: no such train")
        must(target.rstrip(WAGON) not in self.rules["wagon_not_on"], "R-107: never a 2-train")
        must(self.moved < len(self.markers.get(company.name, [])), "DO-7.1.3-d: each wagon once in a railway round")
        if really:
            if source != LOOSE:
                self.hang(company.name, source, -1)
            self.hang(company.name, target)
            self.moved += 1

    def cars(self, company: Company) -> list[str]:
        """Trains as they are named here, with their wagons (`4C`)."""
        names = []
        left = sorted(self.wagons.get(company.name, []), reverse=True)
        for kind in company.trains:
            own = next((train for train in left if train[0] == kind), (kind, 0))
            if own in left:
                left.remove(own)
            names.append(kind + WAGON * own[1])
        return names

    def has_square(self, railway: Company, label: str) -> bool:
        """A wagon takes one more cube, from brown on (DO-7.1.3-d)."""
        wagons = self.wagons.get(railway.name, []) if self.reached(str(self.kim[WAGON]["phase"])) else []
        labels = self.trains_with_names(railway)
        labels.remove(label)
        kind, cubes = loaded(label)
        loads = [loaded(other) for other in labels] + [(kind, cubes + 1)]
        return self.carried(railway.name, kind, wagons, loads)

    def arrows_left(self, company: Company, kind: str) -> int:
        """A brewery's wagon lets one more unit be loaded, of any equipment (DO-7.1.3-c, R-107)."""
        plain = self.plain_arrows(company, kind)
        if plain > 0 or not self.units(company).get(kind):
            return plain
        wagons = self.markers.get(company.name, []).count(WAGON) if self.reached(str(self.kim[WAGON]["phase"])) else 0
        beyond = sum(max(0, -self.plain_arrows(company, other)) for other in self.units(company))
        return wagons - beyond

    def plain_arrows(self, company: Company, kind: str) -> int:
        """Units with an arrow that are not yet named; those of a resting piece rest too (R-104)."""
        resting = int(self.row(kind).get("arrows", 0)) if self.rests == kind else 0
        return super().arrows_left(company, kind) - resting

    def could_buy_train(self, company: Company) -> bool:
        return super().could_buy_train(company) or self.could_invest(company) or self.could_move(company)

    def could_move(self, company: Company) -> bool:
        """Whether a wagon could be moved."""
        sources = ([LOOSE] if self.loose(company.name) > 0 else []) + [
            car for car in self.cars(company) if WAGON in car
        ]
        move = {"company": company.name}
        for source in sources:
            for target in self.cars(company):
                try:
                    self.move_wagon(company.director, {**move, "wagon": source, "train": target}, False)
                except No:
                    continue
                return True
        return False

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

    after_events = False

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
        self.rest_gone |= name == self.actor and self.rests not in self.equipment.get(name, [])
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
        if self.late_for_export():
            return []
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
        """Equipment that was not used in this round (DO-7.2-I)."""
        owned = Counter(self.equipment.get(company.name, []))
        return [
            kind
            for kind, count in owned.items()
            if count > -(-(self.brewed[kind] + self.named_units(kind)) // int(self.row(kind)["cubes"]))
        ]

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

    # ------------------------------------------------------------------ income

    def deliver_beer(self, player: str, move: Plain, really: bool) -> None:
        if really:
            self.deliver_reserved(self.companies[self.actor])
            self.places.append((move["segment"], move["customers"]))
        super().deliver_beer(player, move, really)

    def deliver_told(self, company: Company, delivered: Sequence[str]) -> int:
        delivered = list(delivered)
        if company.name in self.reserved:
            # The reserved cube is told with the others; it has its own unit.
            delivered.remove("{1} {2}".format(*self.reserved[company.name]))
            self.deliver_reserved(company)
        self.by_hand = Counter(self.brewed)
        self.told = [(int(cube.split()[0]), cube.split()[1]) for cube in delivered]
        self.places += self.told
        units = self.units(company)
        earned = super().deliver_told(company, delivered)
        ways = [self.by_hand + self.shared_out(units, first) for first in ["", *sorted(units, key=int, reverse=True)]]
        self.brewed = max(ways, key=lambda brewed: self.bottled(company, brewed))
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

    passing = False

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
