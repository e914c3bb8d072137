"""The starting round and the stock rounds of Heat, Sweat & Beer as its referee reads them (rulebook 6.2.2 to 6.4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.do.board import sheet
from workshop.referees.do.hsb_table import (
    BANK,
    BREWERY,
    MINOR,
    OFFERING,
    POOL,
    RAILWAY,
    REMOVED,
    Company,
    No,
    Pause,
    Table,
    fewest,
    must,
    sets_of,
)
from workshop.referees.whistle import Plain


class StockRounds(Table):
    """Bids, purchases, sales, founding, trade-ins; who is next."""

    def __init__(self, beginning: Plain) -> None:
        super().__init__(beginning)
        start = beginning["position"]
        self.actor = self.seats[0]
        self.first_order: list[str] = []
        self.bids: dict[str, tuple[str, int]] = {}
        self.package: list[str] = []
        self.passes = 0
        #: What each player sold in this round, what the one on turn sold in this turn, and who traded last.
        self.sold: dict[str, set[str]] = {}
        self.sold_now: set[str] = set()
        #: Whether the one on turn has bought, which ends the turn.
        self.traded = False
        self.trader = ""
        if self.options.get("dealt"):
            # A minor is dealt to everybody, at its printed price (DO-6.2.2-f).
            self.dealt_minors = {player: start[f"facts.dealt.{player}"] for player in self.seats}
            self.bids = {player: (self.dealt_minors[player], 0) for player in self.seats}
            self.sell_package()
        else:
            self.package = self.drawn(list(start["facts.package"]))
            for name in self.minors:
                if name not in self.package:
                    self.remove_minor(self.companies[name])

    def drawn(self, package: list[str]) -> list[str]:
        """The package is the Kronen minor and as many others as there are players, drawn (DO-6.1.5-a)."""
        assert self.facts["hsb"]["package"] in package
        assert len(package) == self.count + 1
        return package

    # ------------------------------------------------------------------ the starting round

    def remove_minor(self, minor: Company) -> None:
        """A minor leaves the game."""
        minor.holders = [REMOVED]
        minor.director, minor.floated, minor.closed = "", False, True

    def bid(self, player: str, move: Plain, really: bool) -> None:
        """A marker beside a minor, higher than any there (DO-6.2.2-a)."""
        lot, price = move["lot"], move["price"]
        must(lot in self.package, "DO-6.2.2-a: not in the package")
        must(price in self.facts["hsb"]["bids"], "DO-6.2.2-a: no such box")
        must(all(price > bid for other, bid in self.bids.values() if other == lot), "DO-6.2.2-a: not higher")
        must(self.minors[lot]["price"] + price <= self.cash[player], "R-35: not payable")
        if not really:
            return
        self.bids[player] = (lot, price)
        waiting = [
            other
            for other in self.after(player)
            if other in self.seats
            if other not in self.bids or any(rival != other and self.tops(rival, other) for rival in self.bids)
        ]
        if waiting:
            self.actor = waiting[0]
        else:
            self.sell_package()

    def tops(self, rival: str, player: str) -> bool:
        """Whether a rival's bid on the same minor is higher."""
        return self.bids[rival][0] == self.bids[player][0] and self.bids[rival][1] > self.bids[player][1]

    def sell_package(self) -> None:
        """All pay; order tokens by falling number; the order of the first stock round by cash (DO-6.2.2-b to -e)."""
        for player, (name, bid) in sorted(self.bids.items()):
            row, minor = self.minors[name], self.companies[name]
            self.pay(player, BANK, row["price"] + bid)
            self.pay(BANK, name, row["treasury"])
            minor.holders, minor.director, minor.floated = [player], player, True
            self.equipment[name] = list(row["equipment"])
        bought = {name for name, _ in self.bids.values()}
        for name in self.minors:
            if name not in bought:
                self.remove_minor(self.companies[name])
        self.order = sorted(bought, key=lambda name: -int(self.minors[name]["number"]))
        self.package, self.bids = [], {}
        # Equal cash: the order of the starting round.
        self.first_order = sorted(self.seats, key=lambda player: -self.cash[player])
        self.priority = self.first_order[0]
        self.after_package()

    def after_package(self) -> None:
        """What follows the starting round."""
        self.begin_stock()

    # ------------------------------------------------------------------ the course of a stock round

    def begin_stock(self) -> None:
        """The holder of the start card begins (DO-4.4-a)."""
        self.kind = "stock"
        self.actor = self.priority
        self.passes = 0
        self.sold = {}
        self.sold_now = set()
        self.trader = ""

    def circle(self) -> list[str]:
        """In the first stock round by cash, later by seats (R-50)."""
        return self.first_order if self.stock_number == 1 else self.seats

    def turn_over(self) -> None:
        """The next player; the round ends when all pass one after the other (DO-4.4-c)."""
        self.passes = 0 if self.traded or self.sold_now else self.passes + 1
        self.sold_now = set()
        self.traded = False
        circle = self.circle()
        self.actor = circle[(circle.index(self.actor) + 1) % len(circle)]
        if self.passes == len(circle):
            self.stock_over()

    def stock_over(self) -> None:
        """The start card goes to the left of the last trader; corporations of traded-in minors float (R-53)."""
        if self.trader:
            self.priority = self.after(self.trader)[0]
        self.float_traded_in()
        self.traded_in = []
        self.begin_set()

    def float_traded_in(self) -> None:
        """Corporations that were founded for a minor and have less than half with players (DO-6.4.5-b)."""
        for name in self.traded_in:
            company = self.companies[name]
            if company.director and not company.floated:
                self.float_by_pool(company)

    def begin_set(self) -> None:
        raise NotImplementedError

    def float_by_pool(self, company: Company) -> None:
        """As little as brings players and pool to half, in few certificates; paid after the fall (DO-6.4.5-b, R-53)."""
        missing = 50 - self.in_players_hands(company) - company.held(POOL)
        twenties, tens = company.stack().count(20), company.stack().count(10)
        sums = {20 * a + 10 * b: a for a in range(twenties + 1) for b in range(tens + 1) if 20 * a + 10 * b >= missing}
        moved = min(sums)
        for size, count in ((20, sums[moved]), (10, (moved - 20 * sums[moved]) // 10)):
            for _ in range(count):
                company.move(size, company.name, POOL)
        if not self.shift(company, -moved // 10):
            self.pay(BANK, company.name, self.price(company) * moved // 10)
            self.float(company)

    def trade_pass(self, player: str) -> None:
        """Who is over the limit must sell first, if anything can be sold (DO-4.4.4-c, R-133)."""
        must(not self.over_limit(player) or not self.possible_sales(player), "DO-4.4.4-c: over the limit")

    def helpless(self, player: str) -> bool:
        """Whether nothing can be bought or sold."""
        return not self.possible_sales(player) and not any(
            self.allowed(player, move) for move in self.possible_purchases(player)
        )

    def allowed(self, player: str, move: dict[str, Any]) -> bool:
        """Whether a purchase could be made."""
        handler = getattr(self, str(move["type"]))
        try:
            handler(player, move, False)
        except No:
            return False
        return True

    def possible_purchases(self, player: str) -> Iterator[dict[str, Any]]:
        """Every purchase that is worth trying."""
        for company in self.of_kind(RAILWAY, BREWERY):
            name = company.name
            if not company.director:
                yield {"type": "found", "company": name, "par": min(self.pars(company), default=0)}
            for source in (name, POOL):
                for size in sorted(set(company.ordinary(source))):
                    yield {"type": "buy_share", "company": name, "source": source, "percent": size}
                    yield {"type": "trade_up", "company": name, "source": source, "percent": size}
            for minor in self.minors:
                for source in (OFFERING, name, POOL):
                    for size in sorted({*company.sizes}):
                        par = min(self.pars(company), default=0) if source == OFFERING else 0
                        yield {
                            "type": "trade_in",
                            "minor": minor,
                            "company": name,
                            "source": source,
                            "percent": size,
                            "par": par,
                        }

    # ------------------------------------------------------------------ selling

    def possible_sales(self, player: str) -> list[tuple[str, int]]:
        """All that a player may sell now."""
        return [
            (company.name, percent)
            for company in self.of_kind(RAILWAY, BREWERY)
            for percent in range(10, company.held(player) + 10, 10)
            if not self.unsaleable(player, company, percent)
        ]

    def unsaleable(self, player: str, company: Company, percent: int) -> str:
        """Why shares may not be sold in a stock round; nothing if they may."""
        if self.stock_number == 1:
            return "DO-4.2.3-b: no sales in the first stock round"
        if percent <= 0 or percent > company.held(player):
            return "DO-4.4.5-a: not so much held"
        if not company.operated:
            return "DO-6.4.6-a: it has not operated"
        if company.name in self.sold_now:
            return "R-129: a company is sold once in a turn"
        if company.held(POOL) + percent > self.pool_limit:
            return "DO-4.4.5-b: more than half in the pool"
        if not self.sale_sets(player, company, percent):
            return "DO-4.4.5-d: the director's certificate is not sold, nor a part of a certificate"
        return ""

    def sale_sets(self, player: str, company: Company, percent: int) -> set[tuple[int, ...]]:
        """What a player could put into the pool."""
        return sets_of(self.after_swap(player, company, percent), percent)

    def after_swap(self, player: str, company: Company, percent: int) -> list[int]:
        """What a player has to sell from, after a change of director that the sale brings (DO-4.3.2.2-c, -d)."""
        mine = company.ordinary(player)
        if company.director == player:
            heir = self.heir(company, company.held(player) - percent)
            if heir:
                given = fewest(company.ordinary(heir), company.sizes[0])
                return [] if given is None else [*mine, *given]
        return mine

    def sell_shares(self, player: str, move: Plain, really: bool) -> None:
        """A sale into the pool at the price before it; only a director's sale moves the price (DO-6.4.7-a, R-121)."""
        must(move["company"] in self.companies, "no such company")
        company, percent = self.companies[move["company"]], move["percent"]
        must(company.kind != MINOR, "DO-6.3.2.1-b: a minor is not sold")
        fault = self.unsaleable(player, company, percent)
        must(not fault, fault)
        if not really:
            return
        sets = self.sale_sets(player, company, percent)
        if len(sets) > 1:
            self.pauses.append(Pause("hand_over", player, company.name, {"percent": percent, "sets": sets}))
        else:
            self.sell(player, company, next(iter(sets)))

    def sell(self, player: str, company: Company, sizes: tuple[int, ...]) -> None:
        """The certificates go to the pool."""
        percent = sum(sizes)
        directed = company.director == player
        if directed:
            heir = self.heir(company, company.held(player) - percent)
            if heir:
                self.swap(company, heir)
        for size in sizes:
            # A negative size comes back from the pool.
            company.move(abs(size), *((player, POOL) if size > 0 else (POOL, player)))
        self.pay(BANK, player, self.price(company) * percent // 10)
        self.sold.setdefault(player, set()).add(company.name)
        self.sold_now.add(company.name)
        self.trader = player
        if directed:
            self.shift(company, -percent // 10)

    # ------------------------------------------------------------------ buying

    def may_buy(self, player: str, company: Company, percent: int, more: int) -> None:
        """What holds for every purchase: limits (DO-6.4.4-a), and no company sold in this round (DO-4.4.3-c)."""
        must(company.name not in self.sold.get(player, ()), "DO-4.4.3-c: sold in this round")
        must(not self.over_limit(player), "DO-4.4.4-c: over the limit")
        must(self.count_certificates(player) + more <= self.limit, "DO-6.4.4-a: certificate limit")
        must(company.held(player) + percent <= self.share_limit, "DO-6.4.4-a: share limit")

    def may_found(self, company: Company, par: int) -> None:
        """What can be founded, and at which price."""
        must(not company.director, "DO-4.3.2-a: it is founded")
        must(company.kind == RAILWAY or self.colour != "yellow", "DO-6.2.1-b: breweries from green on")
        must(self.failed.get(company.name, 0) < self.stock_number, "DO-6.4.9-a: not before the next stock round")
        must(self.available(company), "DO-4.3.2-c: not yet available")
        must(par in self.pars(company), "DO-6.4.1-b: no starting price")

    def available(self, company: Company) -> bool:
        """DGEE after KWE, then DHB and HHW, in the order of their founding (DO-4.3.2-c)."""
        opens = sheet("game")["abilities"]["opens_after"]
        return company.name not in opens or opens[company.name] in self.ever

    def founds_for(self, minor: Company) -> int:
        """What a minor is worth for a director's certificate: 20 % with Quellen (DO-6.4.5-a)."""
        return int(self.minors[minor.name].get("founds_for", 10))

    def found_by(self, player: str, company: Company, par: int, cost: int) -> None:
        """The money goes to the treasury (DO-4.4.1-c)."""
        self.establish(company, player, par)
        self.pay(player, company.name, cost)

    def bought(self, player: str, company: Company) -> None:
        """A purchase ends the turn."""
        self.look_for_director(company)
        self.look_for_floating(company)
        self.trader = player
        self.traded = True

    def known(self, move: Plain) -> Company:
        """The corporation that a move names."""
        must(move["company"] in self.companies, "no such company")
        company = self.companies[move["company"]]
        must(company.kind != MINOR, "DO-6.3.2.1-b: minors are bought in the starting round only")
        return company

    def found(self, player: str, move: Plain, really: bool) -> None:
        """Buying a director's certificate."""
        company = self.known(move)
        self.may_found(company, move["par"])
        size = company.sizes[0]
        self.may_buy(player, company, size, 1)
        cost = move["par"] * size // 10
        must(cost <= self.cash[player], "DO-4.4.1-c: money")
        if really:
            self.found_by(player, company, move["par"], cost)
            self.bought(player, company)

    def offered(self, company: Company, source: str, percent: int) -> None:
        """Whether a certificate of a size is to be had: of a brewery's own only the top of its stack (R-52)."""
        must(company.director, "DO-4.3.2-a: the director's certificate comes first")
        must(source in (company.name, POOL), "DO-2.4.3-b: certificates come from the company or the pool")
        must(percent in company.ordinary(source), "DO-4.4.3-a: none there")
        if source == company.name and company.kind == BREWERY:
            must(percent == company.stack()[0], "DO-6.1.2-c: the lowest number first")

    def buy_share(self, player: str, move: Plain, really: bool) -> None:
        """One certificate at the price, to the treasury or to the bank (DO-4.4.3-a)."""
        company, source, size = self.known(move), move["source"], move["percent"]
        self.offered(company, source, size)
        self.may_buy(player, company, size, 1)
        cost = self.price(company) * size // 10
        must(cost <= self.cash[player], "DO-4.4.3-a: money")
        if really:
            self.pay(player, BANK if source == POOL else source, cost)
            company.move(size, source, player)
            self.bought(player, company)

    def trade_up(self, player: str, move: Plain, really: bool) -> None:
        """A certificate of several shares, with a 10 % one in part payment (DO-4.4.3-b, R-39)."""
        company, source, size = self.known(move), move["source"], move["percent"]
        self.offered(company, source, size)
        must(size > 10, "DO-4.4.3-b: of several shares only")
        must(10 in company.ordinary(player), "DO-4.4.3-b: no 10 % certificate to give")
        self.may_buy(player, company, size - 10, 0)
        cost = self.price(company) * (size - 10) // 10
        must(cost <= self.cash[player], "DO-4.4.3-a: money")
        if really:
            self.pay(player, BANK if source == POOL else source, cost)
            company.move(10, player, source)
            company.move(size, source, player)
            self.bought(player, company)

    def trade_in(self, player: str, move: Plain, really: bool) -> None:
        """A minor for a certificate of a brewery corporation (DO-6.4.5-a to -g)."""
        must(move["minor"] in self.minors, "DO-5.3-a: no minor")
        minor = self.companies[move["minor"]]
        must(minor.director == player, "DO-5.3-a: not the player's minor")
        must(self.colour != "yellow", "DO-6.4.5-g: from green on")
        company, source, size = self.known(move), move["source"], move["percent"]
        must(company.kind == BREWERY, "DO-6.4.5-c: brewery corporations only")
        if source == OFFERING:
            self.may_found(company, move["par"])
            must(size == company.sizes[0], "DO-6.4.5-a: the director's certificate")
            cost = move["par"] * max(0, size - self.founds_for(minor)) // 10
        else:
            must(move["par"] == 0, "DO-6.4.5-c: no starting price")
            self.offered(company, source, size)
            cost = self.price(company) * (size - 10) // 10
        self.may_buy(player, company, size, 0)
        must(cost <= self.cash[player], "DO-6.4.5-f: money")
        if really:
            self.make_trade(player, minor, company, source, size, move["par"], cost)

    def make_trade(
        self, player: str, minor: Company, company: Company, source: str, size: int, par: int, cost: int
    ) -> None:
        """Property goes to the corporation, or with a certificate of the pool to bank and box (DO-6.4.5-a, -c, -d)."""
        if source == OFFERING:
            self.found_by(player, company, par, cost)
            self.traded_in.append(company.name)
        else:
            self.pay(player, BANK if source == POOL else source, cost)
            company.move(size, source, player)
        kettles = self.equipment.pop(minor.name)
        self.pay(minor.name, BANK if source == POOL else company.name, self.cash[minor.name])
        if source == POOL:
            self.use_up(minor.name, kettles)
        else:
            self.equipment[company.name] = self.equipment.get(company.name, []) + kettles
        # The minor's token leaves; the corporation may take its place (DO-6.4.5-e).
        taken = [company.name if name == minor.name else name for name in self.order if name != company.name]
        self.order.remove(minor.name)
        self.remove_minor(minor)
        self.look_for_director(company)
        self.look_for_floating(company)
        self.trader = player
        if source != POOL:
            self.look_at_equipment(company)
            if taken != self.order:
                self.offer_place(company, source, taken)
        self.traded = True

    def offer_place(self, company: Company, source: str, order: list[str]) -> None:
        """The director is asked whether the corporation takes the minor's place."""
        self.pauses.append(Pause("order_place", self.decider(company), company.name, {"order": order}))
