"""The referee of Heat, Sweat & Beer for two players (rulebook 8.2, 8.4, 8.5): the Investor's railway and brewery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workshop.referees.do.board import TooMuch, sheet
from workshop.referees.do.cubes import Cubes, Place
from workshop.referees.do.hsb import HeatSweatBeer
from workshop.referees.do.hsb_money import Goal
from workshop.referees.do.hsb_rail import loaded
from workshop.referees.do.hsb_table import (
    BANK,
    BREWERY,
    MINOR,
    POOL,
    RAILWAY,
    Company,
    Pause,
    fewest,
    must,
    sets_of,
    small_first,
)
from workshop.referees.whistle import Plain, Position, filled

INVESTOR = "investor"
#: Trains that never leave (4.5.7.3), and equipment with which the card's holder decides over the income (DO-8.2.2.2-c).
PERMANENT = ("5", "6", "8")
RAILWAY_CARD, BREWERY_CARD = CARDS = ("investor_card", "investor_brewery")
GREY = "8"


class TwoCubes(Cubes):
    """Only here can the card of a link belong to a closed segment (R-92): where there is no demand none is added."""

    def for_link(self, place: Place) -> bool:
        return place[0] not in self.closed and super().for_link(place)


class TwoPlayers(HeatSweatBeer):
    """Follows one game. The Investor is a holder of shares between the two seats; he directs two companies."""

    def __init__(self, beginning: Plain) -> None:
        start = beginning["position"]
        self.his_railway = str(start["facts.investor.company"])
        self.his_brewery = str(start["facts.investor.brewery"])
        self.card = ""
        self.founded = False
        self.converted = False
        #: Railways of players that have floated (R-135).
        self.floats: list[str] = []
        #: What his companies owe to the bank (DO-8.2.2.1-e).
        self.owed: dict[str, int] = {}
        self.most: int | None = None
        self.investor = sheet("investor")
        super().__init__(beginning)

    def seated(self, beginning: Plain) -> list[str]:
        assert self.his_railway in self.investor["investor"]["railways"]
        return super().seated(beginning)

    def drawn(self, package: list[str]) -> list[str]:
        """Three minors without Kronen (DO-8.4.1-a, -c); with them the Investor's capital and his railway's price."""
        assert self.facts["hsb"]["package"] not in package
        assert len(package) == self.count + 1
        start = int(self.facts["hsb"]["starting_cash"][str(self.count)])
        self.cash[BANK] -= start
        self.cash[INVESTOR] = start
        self.loans[INVESTOR] = 0
        self.put_at(self.companies[self.his_railway], int(self.investor["investor"]["railway_price"]))
        return package

    def put_at(self, company: Company, price: int) -> None:
        """The price token on the coloured cell of a price."""
        cells = self.values(company)
        self.put(company, next(n for n, cell in enumerate(cells) if cell.rstrip("ygb") == str(price)))

    def poured(self) -> Cubes:
        return TwoCubes.at_start(self.count)

    # ------------------------------------------------------------------ words

    def his(self, company: Company) -> bool:
        """Whether the Investor owns it, or will."""
        return company.name in (self.his_railway, self.his_brewery) or company.director == INVESTOR

    def holders(self) -> list[str]:
        """He sits between the two, at the side of his area of the map (DO-8.2.1-a)."""
        return [self.seats[0], INVESTOR, *self.seats[1:]]

    def circle(self) -> list[str]:
        return self.holders()

    def other(self, player: str) -> str:
        return next(name for name in self.seats if name != player)

    def decider(self, company: Company) -> str:
        """The holders of the two cards (DO-8.2.2-a)."""
        if company.director != INVESTOR:
            return super().decider(company)
        return self.card if company.kind == RAILWAY else self.other(self.card)

    def newest(self) -> str:
        """The type on top of the display (R-85)."""
        return next(iter(self.on_display()), "")

    # ------------------------------------------------------------------ the starting round

    def sell_package(self) -> None:
        """The Investor buys what nobody wants (DO-8.4.2-a, R-81); the lower number begins, the other takes a card."""
        left = next(name for name in self.package if name not in {lot for lot, _ in self.bids.values()})
        low = min(self.bids, key=lambda player: int(self.minors[self.bids[player][0]]["number"]))
        # What is left over is not thrown away: it has a buyer.
        self.bids[INVESTOR] = (left, 0)
        super().sell_package()
        self.priority = low
        self.pauses.append(Pause("choose_card", self.other(low), ""))

    def after_package(self) -> None:
        """The first stock round waits for the choice of a card."""
        self.actor = ""

    def settle_pause(self, pause: Pause, move: Plain, really: bool) -> None:
        if pause.kind != "choose_card":
            super().settle_pause(pause, move, really)
            return
        must(move["type"] == "choose_card", "DO-8.4.2-a: a card is chosen first")
        must(move["card"] in CARDS, "DO-8.4.2-a: no such card")
        if really:
            self.pauses.remove(pause)
            player = pause.player
            self.card = player if move["card"] == RAILWAY_CARD else self.other(player)
            self.begin_stock()

    # ------------------------------------------------------------------ stock rounds: players

    def may_found(self, company: Company, par: int) -> None:
        must(not self.his(company), "DO-8.2-a: it is the Investor's")
        super().may_found(company, par)

    def may_buy(self, player: str, company: Company, percent: int, more: int) -> None:
        if self.his(company) and player != INVESTOR:
            must(company.held(player) + percent <= company.held(INVESTOR), "DO-8.2-a: he keeps his companies")
        super().may_buy(player, company, percent, more)

    def sale_sets(self, player: str, company: Company, percent: int) -> set[tuple[int, ...]]:
        if company.director == player and self.heir(company, company.held(player) - percent) == INVESTOR:
            return set()  # DO-8.2.1.2-b
        return super().sale_sets(player, company, percent)

    def float(self, company: Company) -> None:
        """R-135: railways of players are counted; he sells nothing at floating (R-127)."""
        if company.director == INVESTOR:
            company.floated = company.active = True
            if company.kind == RAILWAY:
                self.board.face_up.add(company.name)
            return
        if company.kind == RAILWAY and company.name not in self.floats:
            self.floats.append(company.name)
        super().float(company)

    def fail(self, company: Company) -> None:
        """A company of his is closed for good (R-126)."""
        super().fail(company)
        self.owed.pop(company.name, None)

    # ------------------------------------------------------------------ stock rounds: the Investor

    def settle(self) -> None:
        while True:
            super().settle()
            if self.finished or self.pauses:
                return
            if self.kind == "stock" and self.actor == INVESTOR:
                self.investor_turn()
                self.turn_over()
            elif self.actor in self.companies and self.forced_by_itself(self.companies[self.actor]):
                self.buy_by_force(self.companies[self.actor])
            else:
                return

    def helpless(self, player: str) -> bool:
        return player != INVESTOR and super().helpless(player)

    def investor_turn(self) -> None:
        """His whole turn, without a choice for anybody (R-88)."""
        if not self.founded:
            self.first_turn()
        elif self.stock_number >= int(self.investor["investor_brewery"]["stock_round"]) and not self.converted:
            self.convert()
        elif len(self.floats) >= int(self.investor["investor"]["waits_for"]):
            for company, source, size in self.wishes():
                cost = self.price(company) * size // 10
                if self.cash[INVESTOR] < cost:
                    sales = self.sales_for(cost - self.cash[INVESTOR], self.price(company))
                    for other, percent in sales or ():
                        self.investor_sells(other, percent)
                if self.cash[INVESTOR] >= cost:
                    self.pay(INVESTOR, BANK if source == POOL else source, cost)
                    company.move(size, source, INVESTOR)
                    self.bought(INVESTOR, company)
                    return

    def first_turn(self) -> None:
        """DO-8.3.3-a: half of his railway at 50, into its treasury."""
        self.founded = True
        company = self.companies[self.his_railway]
        price, share = self.investor["investor"]["railway_price"], self.investor["investor"]["start_share"]
        company.director, company.par = INVESTOR, price
        company.holders = [company.name] * len(company.holders)
        company.holders[0] = INVESTOR
        self.ever.add(company.name)
        while company.held(INVESTOR) < share:
            company.move(10, company.name, INVESTOR)
        self.pay(INVESTOR, company.name, price * share // 10)
        self.bought(INVESTOR, company)

    def in_order(self) -> list[Company]:
        """Floated companies: the dearest first, then railways, then as they operate (DO-8.2.1.1-b)."""
        names = [*self.by_price(RAILWAY), *self.order]
        floated = [self.companies[name] for name in names if self.companies[name].floated]
        shared = [company for company in floated if company.kind != MINOR]
        return sorted(shared, key=lambda company: -self.price(company))

    def wishes(self) -> Iterator[tuple[Company, str, int]]:
        """Certificates that he may hold, in the order of his wishes (DO-8.2.1.1-a to -c, R-84)."""
        for company in self.in_order():
            for source in (company.name, POOL):
                sizes = sorted(set(company.ordinary(source)), reverse=True)
                if source == company.name and company.kind == BREWERY:
                    sizes = company.stack()[:1]
                for size in sizes:
                    limit = self.share_limit if self.his(company) else self.investor["investor"]["share_limit"]
                    if (
                        company.held(INVESTOR) + size <= limit
                        and self.count_certificates(INVESTOR) < self.limit
                        and company.name not in self.sold.get(INVESTOR, ())
                    ):
                        yield company, source, size

    def sales_for(self, missing: int, below: int | None) -> list[tuple[Company, int]] | None:
        """Certificates of players' companies, cheapest first, as many as needed; nothing if they are not enough."""
        sales = []
        for company in reversed(self.in_order()):
            if self.his(company) or (below is not None and self.price(company) >= below):
                continue
            shares = [
                percent
                for percent in range(10, company.held(INVESTOR) + 10, 10)
                if not self.unsaleable(INVESTOR, company, percent)
            ]
            if missing <= 0 or not shares:
                continue
            enough = [percent for percent in shares if self.price(company) * percent // 10 >= missing]
            percent = min(enough, default=max(shares))
            sales.append((company, percent))
            missing -= self.price(company) * percent // 10
        return sales if missing <= 0 or below is None else None

    def investor_sells(self, company: Company, percent: int) -> None:
        """No price moves: he directs none of them (DO-8.4.4-a)."""
        sizes = fewest(company.ordinary(INVESTOR), percent)
        assert sizes is not None
        self.sell(INVESTOR, company, sizes)

    def convert(self) -> None:
        """His minor becomes his corporation (DO-8.2.1.3-a to -c)."""
        self.converted = True
        minor = next(self.companies[name] for name in self.minors if self.companies[name].director == INVESTOR)
        company = self.companies[self.his_brewery]
        own = self.investor["investor_brewery"]
        price, share = int(own["price"]), int(own["share"])
        kettles = self.equipment.pop(minor.name)
        worn = [kind for kind in kettles if kind in own["worn_out"]]
        self.use_up(minor.name, worn)
        self.equipment[company.name] = [kind for kind in kettles if kind not in worn]
        self.pay(minor.name, company.name, self.cash[minor.name])
        self.order[self.order.index(minor.name)] = company.name
        free = self.founds_for(minor)
        self.remove_minor(minor)
        self.put_at(company, price)
        company.director, company.par = INVESTOR, price
        company.holders = [company.name] * len(company.holders)
        company.holders[0] = INVESTOR
        self.ever.add(company.name)
        missing = price * (share - free) // 10 - self.cash[INVESTOR]
        for other, percent in self.sales_for(missing, None) or ():
            self.investor_sells(other, percent)
        # As much of the half as he can pay, the director's certificate in any case.
        paid = min(share - free, self.cash[INVESTOR] // price * 10)
        gets = max(free + paid, company.sizes[0])
        self.pay(INVESTOR, company.name, min(self.cash[INVESTOR], price * (gets - free) // 10))
        for size in self.of_half(company, gets - company.sizes[0]):
            company.move(size, company.name, INVESTOR)
        while company.held(INVESTOR) + company.held(POOL) < share:
            lacks = share - company.held(INVESTOR) - company.held(POOL)
            size = next(size for size in company.stack() if size <= lacks)
            company.move(size, company.name, POOL)
            self.pay(BANK, company.name, price * size // 10)
        self.trader = INVESTOR
        self.traded = True
        self.float(company)

    def of_half(self, company: Company, percent: int) -> tuple[int, ...]:
        """R-125: beside the director's certificate what fits, from the top of the stack."""
        sizes: list[int] = []
        for size in company.stack():
            if size <= percent - sum(sizes):
                sizes.append(size)
        return tuple(sizes)

    # ------------------------------------------------------------------ his companies' certificates

    def lacks(self, company: Company) -> str:
        """The card that a company of his must buy if it can (DO-8.2.2.1-c, DO-8.2.2.2-b, -d, R-85)."""
        if company.kind == RAILWAY:
            current = self.phase if self.phase in self.on_display() else self.newest()
            return "" if {self.phase, current} & {*company.trains} else current
        if company.kind == MINOR:
            return next(iter(self.kettles(company)), "")
        owned = self.equipment.get(company.name, [])
        return "" if {*self.on_display()} & {*owned} else self.newest()

    def has_room(self, company: Company) -> bool:
        if company.kind == RAILWAY:
            return len(company.trains) < self.train_limit
        return self.room(company)

    def deals(self, company: Company) -> list[int]:
        """One certificate, if that pays for a current card that it lacks (DO-8.2.2.1-f, DO-8.2.2.2-f)."""
        sizes = super().deals(company)
        if company.director != INVESTOR or not sizes:
            return sizes
        if self.step != ("trains" if company.kind == RAILWAY else "equipment"):
            return []  # Only then is it known whether it makes the purchase possible.
        card = self.lacks(company)
        if not card or not self.has_room(company) or not self.may_take_new(card):
            return []
        treasury, cost = self.cash[company.name], self.card_price(card)
        return [size for size in sizes if treasury < cost <= treasury + self.price(company) * size // 10]

    def buys_back(self, company: Company) -> list[int]:
        """His railway without a choice, at the end of its turn; his brewery as it likes."""
        if company.director == INVESTOR and company.kind == RAILWAY:
            return []
        return super().buys_back(company)

    def buy_back(self, company: Company) -> None:
        """DO-8.2.2.1-f: with a permanent train one certificate from the pool."""
        sizes = super().buys_back(company)
        if sizes and any(train in PERMANENT for train in company.trains):
            self.pay(company.name, BANK, self.price(company) * sizes[0] // 10)
            company.move(sizes[0], POOL, company.name)
            self.dealt = True

    # ------------------------------------------------------------------ his forced purchases

    def due(self, company: Company) -> str:
        """The card that it must buy now, since its treasury pays it."""
        card = self.lacks(company)
        if not card or not self.has_room(company) or not self.may_take_new(card):
            return ""
        return card if self.card_price(card) <= self.cash[company.name] else ""

    def forced_by_itself(self, company: Company) -> bool:
        """A forced purchase leaves nothing to decide (DO-8.2.2.1-e, DO-8.2.2.2-e)."""
        if company.director != INVESTOR or company.kind == MINOR or self.step not in ("trains", "equipment"):
            return False
        return self.forced(company)

    def buy_by_force(self, company: Company) -> None:
        card = self.newest()
        price = self.card_price(card)
        self.raise_all(company, price)
        if self.step == "end":
            return
        self.pay(company.name, BANK, price)
        self.new_cards.append(card)
        if company.kind == RAILWAY:
            company.trains.append(card)
        else:
            self.equipment.setdefault(company.name, []).append(card)
            self.gone.append(card)
        self.take(card)
        if company.kind == BREWERY:
            self.next_step()

    def forced(self, company: Company) -> bool:
        if company.director != INVESTOR:
            return super().forced(company)
        new = self.newest()
        return bool(new) and not self.has_cards(company) and self.cash[company.name] < self.card_price(new)

    def may_force(self, company: Company, goal: Goal) -> bool:
        return company.director != INVESTOR and super().may_force(company, goal)

    def raise_all(self, company: Company, price: int) -> None:
        """Own certificates, his cash, certificates of players' companies, a loan (DO-8.2.2.1-e, R-89)."""
        missing = price - self.cash[company.name]
        stack = company.stack()
        shares = [n for n in range(10, sum(stack) + 10, 10) if sets_of(stack, n)]
        if shares:
            enough = [n for n in shares if self.price(company) * n // 10 >= missing]
            percent = min(enough, default=max(shares))
            if self.sell_own(company, small_first(stack, percent)):
                self.company_over()
                return
        missing = price - self.cash[company.name]
        if missing > self.cash[INVESTOR]:
            for other, percent in self.forced_sales(missing - self.cash[INVESTOR]):
                self.investor_sells(other, percent)
        self.pay(INVESTOR, company.name, max(0, min(missing, self.cash[INVESTOR])))
        missing = price - self.cash[company.name]
        if missing > 0:
            self.cash[BANK] -= missing
            self.cash[company.name] += missing
            self.owed[company.name] = self.owed.get(company.name, 0) + missing

    def forced_sales(self, missing: int) -> Iterator[tuple[Company, int]]:
        """The reverse of his wishes (R-83), beyond half in the pool if need be (DO-4.5.7.5-c), as few as do."""
        for company in reversed(self.in_order()):
            sizes = company.ordinary(INVESTOR)
            shares = [n for n in range(10, sum(sizes) + 10, 10) if sets_of(sizes, n)]
            if not self.his(company) and missing > 0 and shares:
                enough = [n for n in shares if self.price(company) * n // 10 >= missing]
                percent = min(enough, default=max(shares))
                missing -= self.price(company) * percent // 10
                yield company, percent

    # ------------------------------------------------------------------ his railway's turn

    def begin_turn(self, name: str) -> None:
        super().begin_turn(name)
        self.most = None

    def sellers(self, company: Company) -> list[tuple[str, str]]:
        """DO-8.2.2.1-d: he buys new trains only and sells none."""
        if company.director == INVESTOR:
            return []
        return [(seller, kind) for seller, kind in super().sellers(company) if seller != self.his_railway]

    def could_buy_train(self, company: Company) -> bool:
        if company.director != INVESTOR:
            return super().could_buy_train(company)
        if not company.trains and self.on_display():
            return True
        return bool(self.new_trains(company))

    def buy_train(self, player: str, move: Plain, really: bool) -> None:
        if self.companies[self.actor].director == INVESTOR:
            must(move["source"] == BANK, "DO-8.2.2.1-d: new trains only")
            if self.step == "trains":
                must(self.due(self.companies[self.actor]) in ("", move["train"]), "DO-8.2.2.1-c: another is due")
        super().buy_train(player, move, really)

    def trains_pass(self, company: Company) -> None:
        if company.director == INVESTOR:
            must(not self.due(company), "DO-8.2.2.1-c: it must buy a train of the phase")
        super().trains_pass(company)

    def run(self, player: str, move: Plain, really: bool) -> None:
        """DO-8.2.2.1-a: for the most income."""
        super().run(player, move, False)
        company = self.companies[self.actor]
        if company.director == INVESTOR:
            if self.most is None:
                try:
                    self.most = self.best_run(company)
                except TooMuch:
                    self.most = 0
            earned = sum(self.worth(company, route) for route in move["routes"])
            must(earned >= self.most, "DO-8.2.2.1-a: more can be earned")
        if really:
            super().run(player, move, True)

    def best_run(self, company: Company) -> int:
        """The most that its trains can earn, with as many loaded ones on export routes as can be."""
        labels = self.labels(company)
        needed = self.exports(company, [kind for kind, _ in self.loads.get(company.name, [])])
        choices = []
        for label in labels:
            kind, cubes = loaded(label)
            found = []
            for path in self.board.routes(company.name, int(kind), self.through(company), most=60_000):
                if path <= path[::-1]:
                    name = label if cubes and self.export(path) else kind
                    value = self.worth(company, {"train": name, "path": path})
                    found.append((value, self.board.pieces(path), bool(cubes) and self.export(path)))
            choices.append(sorted(found, key=lambda entry: -entry[0]))
        hopes = [sum(rows[0][0] for rows in choices[n:] if rows) for n in range(len(choices) + 1)]
        best = tried = 0

        def search(number: int, used: frozenset[tuple[str, str]], exported: int, sum_: int) -> None:
            nonlocal best, tried
            tried += 1
            if tried > 60_000:
                raise TooMuch
            if number == len(choices):
                if exported == needed:
                    best = max(best, sum_)
                return
            for value, pieces, beer in choices[number]:
                if sum_ + value + hopes[number + 1] <= best:
                    break
                if not pieces & used:
                    search(number + 1, used | pieces, exported + beer, sum_ + value)
            if sum_ + hopes[number + 1] > best:
                search(number + 1, used, exported, sum_)

        search(0, frozenset(), 0, 0)
        return best

    # ------------------------------------------------------------------ income of his companies

    def fixed_income(self, company: Company) -> str:
        """How the income must be used; nothing if the holder of the card decides."""
        if company.name in self.owed:
            return "withhold"
        if company.kind == RAILWAY:
            fine = self.newest() in company.trains or any(train in PERMANENT for train in company.trains)
            return "pay" if fine else "withhold"
        owned = self.equipment.get(company.name, [])
        if company.kind == MINOR:
            return "half" if self.newest() in owned else "withhold"
        if any(kind in PERMANENT for kind in owned):
            return ""
        return "pay" if self.newest() in owned else "withhold"

    def use_income(self, company: Company) -> None:
        way = self.fixed_income(company)
        if company.name in self.owed:
            back = min(self.owed[company.name], self.revenue)
            # What is repaid never reaches the treasury; the price falls as for all that is kept.
            self.owed[company.name] -= back
            if not self.owed[company.name]:
                del self.owed[company.name]
            self.keep(company, self.revenue - back)
        elif way == "half":
            whole = self.revenue - self.revenue % int(self.facts["hsb"]["rounded"])
            self.pay(BANK, INVESTOR, whole // 2)
            self.pay(BANK, company.name, self.revenue - whole // 2)
        elif way == "pay":
            self.pay_out(company, self.revenue)
        elif company.kind == MINOR:
            self.pay(BANK, company.name, self.revenue)
        else:
            self.keep(company, self.revenue)
        self.next_step()

    def railway_step_empty(self, company: Company) -> bool:
        if company.director == INVESTOR and self.step == "dividend":
            return True
        return super().railway_step_empty(company)

    def brewing_step_empty(self, company: Company) -> bool:
        if company.director == INVESTOR and self.step == "dividend" and self.fixed_income(company):
            return True
        return super().brewing_step_empty(company)

    def skip(self, company: Company) -> None:
        if company.director != INVESTOR:
            super().skip(company)
        elif self.step == "dividend" and self.revenue and (company.kind == RAILWAY or self.fixed_income(company)):
            self.use_income(company)
        else:
            if self.step == "trains":
                self.buy_back(company)
            super().skip(company)

    def dividend(self, player: str, move: Plain, really: bool) -> None:
        company = self.companies[self.actor]
        if company.director == INVESTOR:
            must(not self.fixed_income(company), "DO-8.2.2.1-b, DO-8.2.2.2-a, -c: it goes by itself")
        super().dividend(player, move, really)

    # ------------------------------------------------------------------ his brewery's turn

    def owner_share(self, company: Company) -> int:
        """Half of a price at most (DO-8.2.2.2-b)."""
        if company.director == INVESTOR:
            return int(self.facts["hsb"]["owner_adds_percent"])
        return super().owner_share(company)

    def equipment_pass(self, company: Company) -> None:
        if company.director == INVESTOR:
            must(not self.due(company), "DO-8.2.2.2-b, -d: it must buy equipment")
        super().equipment_pass(company)

    def buy_equipment(self, player: str, move: Plain, really: bool) -> None:
        company = self.companies[self.actor]
        if company.director == INVESTOR and company.kind == BREWERY and self.step == "equipment":
            must(self.due(company) in ("", move["equipment"]), "DO-8.2.2.2-d: another is due")
        super().buy_equipment(player, move, really)

    # ------------------------------------------------------------------ rounds

    def rounds(self) -> Sequence[int]:
        """Five sets (DO-8.5-a)."""
        return super().rounds()[: int(self.investor["investor_brewery"]["sets"])]

    def begin_set(self) -> None:
        """The grey phase comes at the latest now (DO-8.4.5-a, R-92)."""
        if self.stock_number == int(self.investor["investor_brewery"]["grey_set"]) and self.phase != GREY:
            self.grey()
        super().begin_set()

    def grey(self) -> None:
        """Everything of phase 8 but the obsolescence of trains."""
        self.phase = GREY
        self.cubes.phase(self.brewing)
        self.look_at_limits()

    def begin_phase(self, kind: str) -> None:
        """R-92: a phase that was passed over brings its events late; what grey has closed is not opened again."""
        if self.phase != GREY:
            super().begin_phase(kind)
            return
        self.rust(kind)
        row = next(row for row in self.facts["brewing"] if row["phase"] == kind)
        if row.get("opens") == self.brewing["closes"]:
            row = {name: value for name, value in row.items() if name != "opens"}
        self.cubes.phase(row)
        self.look_at_limits()

    def brewing_over(self) -> None:
        """The cards are swapped (DO-8.4.5-b); after the last round there is nothing more to run."""
        card = self.other(self.card)
        super().brewing_over()
        if self.finished:
            self.finished = "five_sets"
        else:
            self.card = card

    # ------------------------------------------------------------------ how it stands

    def clause(self, name: str) -> str:
        if name.startswith("facts.investor"):
            return "DO-8.2.2-a, DO-8.4.2-a, DO-8.4.5-b"
        return super().clause(name)

    def position(self) -> Position:
        his = {
            "company": self.his_railway,
            "brewery": self.his_brewery,
            "founded": self.founded,
            "card": self.card,
            "floats": self.floats,
            "owed": self.owed,
        }
        return super().position() | filled({"seatless": [INVESTOR], "facts": {"investor": his}})


def appoint(beginning: Plain) -> TwoPlayers:
    """The referee of a game."""
    return TwoPlayers(beginning)
