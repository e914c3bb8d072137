"""Small investments in 18DO's Expert game: who buys and sells which, pubs, lines and wagons (rulebook 7.1, 7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from workshop.referees.do.board import COLOURS, sheet
from workshop.referees.do.cubes import Place
from workshop.referees.do.hsb import HeatSweatBeer
from workshop.referees.do.hsb_rail import loaded
from workshop.referees.do.hsb_table import BANK, MINOR, POOL, RAILWAY, Company, No, Pause, must
from workshop.referees.whistle import Plain, Position, filled

#: The beer wagon, and a wagon that lies on no train.
WAGON, LOOSE = "C", "loose"


class Investments(HeatSweatBeer):
    """Heat, Sweat & Beer with KIM: markers that companies own."""

    of_railways = (*HeatSweatBeer.of_railways, "buy_marker", "move_wagon")
    of_breweries = (*HeatSweatBeer.of_breweries, "buy_marker")

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
        #: The wagons of a brewery when it last named a unit for export.
        self.had = 0
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
        self.loosen()
        while self.kind == "markers" and min(self.price_of(code) for code in self.on_sale()) > self.cash[self.actor]:
            self.next_shopper()
        if self.kind != "markers":
            super().settle()
            self.loosen()

    def loosen(self) -> None:
        """Wagons of trains that are gone are loose again (R-107)."""
        for name, wagons in self.wagons.items():
            for kind, _ in list(wagons):
                own = sorted(train for train in wagons if train[0] == kind)
                if len(own) > self.companies[name].trains.count(kind):
                    wagons.remove(own[0])

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
            self.hang(name, min(self.empty_wagons(name), key=lambda car: (int(car.rstrip(WAGON)), -len(car))), -1)

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
        must(code in self.too_many(name), "R-102: not one too many")
        if really:
            self.return_one(name, code)
            if not self.too_many(name):
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
        """Too many markers go back by choice; where all are of one kind there is none (R-102)."""
        super().look_at_equipment(company)
        name = company.name
        while len(set(self.too_many(name))) == 1:
            self.return_one(name, self.too_many(name)[0])
        if self.too_many(name):
            self.pauses.append(Pause("surplus_markers", company.director, name))

    def too_many(self, name: str) -> list[str]:
        """The markers one of which has to go back."""
        kims, sems = self.markers.get(name, []), self.specials.get(name, [])
        return (kims if len(kims) > self.boxes(name) else []) + (sems if len(sems) > 1 else [])

    def return_one(self, name: str, code: str) -> None:
        (self.markers if code in self.kim else self.specials)[name].remove(code)
        self.display[code] += 1

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
