"""The referee of The Railway Game for two players (rulebook 8.2, 8.3): the Investor's fixed actions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Any

from workshop.referees.do.board import TooMuch, sheet
from workshop.referees.do.operating import OPERATING, Turn
from workshop.referees.do.shares import POOL, makes_up
from workshop.referees.do.stock import STOCK, StockRound
from workshop.referees.do.table import BANK, Table
from workshop.referees.do.trg import RailwayGame
from workshop.referees.whistle import Plain, Position

INVESTOR = "investor"
#: What he holds at most of a railway of a player (DO-8.2.1.1-c), and what he begins with (DO-8.3.3-a).
OF_PLAYERS, AT_FIRST = 20, 50
#: Trains that never leave (4.5.7.3).
PERMANENT = ("5", "6", "8")
CARDS = ("priority", "investor_card")


class TwoTable(Table):
    """The table with the Investor's area."""

    def __init__(self, seats: Sequence[str], privates: Sequence[str], company: str) -> None:
        super().__init__("trg2", seats, privates)
        start = int(sheet("game")["title"]["starting_cash"][str(len(seats))])
        self.cash[BANK] -= start
        self.cash[INVESTOR] = start
        self.loans[INVESTOR] = 0
        self.circle = [seats[0], INVESTOR, *seats[1:]]
        self.company = company
        self.card = ""
        self.founded = False
        #: Railways of players that have floated, in that order (R-135).
        self.floats: list[str] = []
        self.owed: dict[str, int] = {}
        self.put(company, self.pars()[AT_FIRST])  # DO-8.3.1-b

    def decider(self, company: str) -> str:
        """The holder of Investor's Railway runs it (DO-8.2.2-a)."""
        return self.card if company == self.company else super().decider(company)

    def settle(self, company: str) -> None:
        before = company in self.floated
        super().settle(company)
        if not before and company in self.floated and company != self.company:
            self.floats.append(company)

    def position(self) -> dict[str, Any]:
        data = super().position()
        data["seatless"] = [INVESTOR]
        data["facts"]["investor"] = {
            "company": self.company,
            "founded": self.founded,
            "card": self.card,
            "floats": self.floats,
            "owed": self.owed,
        }
        return data


class TwoStock(StockRound):
    """A stock round in which the Investor acts by his seat, without a choice for anybody (R-88)."""

    table: TwoTable

    def cannot_found(self, player: str, company: str, par: int) -> str:
        if company == self.table.company:
            return "DO-8.2-a: it is the investor's"
        return super().cannot_found(player, company, par)

    def _limits(self, player: str, company: str, percent: int, more: int) -> str:
        shares = self.table.shares.get(company)
        his = shares and company == self.table.company and player != INVESTOR
        if his and shares and shares.share(player) + percent > shares.share(INVESTOR):
            return "DO-8.2-a: the investor keeps his railway"
        return super()._limits(player, company, percent, more)

    def ways_to_sell(self, player: str, company: str, percent: int) -> set[tuple[int, ...]]:
        if self.successor(player, company, percent) == INVESTOR:
            return set()  # DO-8.2.1.2-b
        return super().ways_to_sell(player, company, percent)

    def _waits(self) -> bool:
        if self.actor != INVESTOR:
            return super()._waits()
        self._investor()
        return False

    def _investor(self) -> None:
        """His whole turn."""
        table = self.table
        if not table.founded:
            self._first_turn()
            return
        if len(table.floats) < len(table.seats):  # DO-8.3.3-a, R-135
            return
        for company, source, size in self._wishes():
            cost = table.price(company) * size // 10
            if table.cash[INVESTOR] < cost:
                self._sell_for(company, cost)
            if table.cash[INVESTOR] >= cost:
                table.pay(INVESTOR, BANK if source == POOL else company, cost, STOCK)
                table.shares[company].move(size, source, INVESTOR)
                table.settle(company)
                self._traded(INVESTOR)
                return

    def _first_turn(self) -> None:
        """DO-8.3.3-a: half of his railway at 50."""
        table = self.table
        company, shares = table.company, table.shares[table.company]
        table.founded = True
        table.par[company] = AT_FIRST
        table.pay(INVESTOR, company, AT_FIRST * AT_FIRST // 10, STOCK)
        shares.holders[:] = [INVESTOR] + [company] * (len(shares.sizes) - 1)
        while shares.share(INVESTOR) < AT_FIRST:
            shares.move(10, company, INVESTOR)
        table.settle(company)
        self._traded(INVESTOR)

    def _wishes(self) -> list[tuple[str, str, int]]:
        """What he may hold, the dearest first; the same price in operating order; the company before the pool."""
        table = self.table
        found = []
        for company in table.order(table.floated):
            shares = table.shares[company]
            for source in (company, POOL):
                for size in sorted(set(shares.ordinary(source)), reverse=True):
                    over = company != table.company and shares.share(INVESTOR) + size > OF_PLAYERS
                    if not over and not self._limits(INVESTOR, company, size, 1):
                        found.append((company, source, size))
        return found

    def _sell_for(self, wanted: str, cost: int) -> None:
        """DO-8.2.1.2-a: certificates of players' railways of a lower price, cheapest first, if they are enough."""
        table = self.table
        missing = cost - table.cash[INVESTOR]
        sales = []
        for company in reversed(table.order(table.floated)):
            cheaper = table.price(company) < table.price(wanted) and company != table.company
            if not cheaper or company in self.sold_now:
                continue
            held = table.shares[company].share(INVESTOR)
            best = 0
            for percent in range(10, held + 1, 10):
                enough = table.price(company) * best // 10 >= missing
                if not enough and not self.cannot_sell(INVESTOR, company, percent):
                    best = percent
            if best:
                sales.append((company, best))
                missing -= table.price(company) * best // 10
        if missing > 0:
            return
        for company, percent in sales:
            self.choosing = (company, percent)
            self._sell(INVESTOR, min(self._choices(), key=len))


class InvestorTurn(Turn):
    """The turn of the Investor's railway (DO-8.2.2.1): its player chooses only what is left to them."""

    table: TwoTable
    #: The most that can be earned in this turn, when it was asked for; 0 if the search is too long to be sure.
    most: int | None = None

    def due(self) -> str:
        """The type that it lacks: that of the phase, or if that is sold out the one on top (R-85)."""
        table = self.table
        if table.phase in table.trains[self.company] or not table.display():
            return ""
        return table.phase if table.left[table.phase] else table.display()[0]

    def _turn_brewery(self, move: Plain) -> str:
        if move["company"] not in ("", self.company):
            return "R-90: only to the investor's railway"
        return self.table.cannot_turn(INVESTOR, move["private"], move["company"])

    def verdict(self, move: Plain) -> str:
        free = not self.table.above_limit() and not self.proposal and not self.choosing
        if move["type"] == "turn_brewery" and free and move["player"] in self.deciders():
            return self._turn_brewery(move)
        return super().verdict(move)

    def _sell_own_shares(self, percent: int) -> str:
        """DO-8.2.2.1-f: one, if that makes the purchase of a current train possible."""
        fault = super()._sell_own_shares(percent)
        if fault or (self.step == "trains" and self.forced()):
            return fault
        due, table = self.due(), self.table
        price = table.prices[due] if due else 0
        gain = table.price(self.company) * percent // 10
        if not due or not self._room() or not self._more_new() or not self.treasury < price <= self.treasury + gain:
            return "DO-8.2.2.1-f: only for a current train that it can then pay"
        return ""

    def _buy_own_share(self, percent: int) -> str:
        return "DO-8.2.2.1-f: it is done without a choice"

    def _run(self, move: Plain) -> str:
        fault = super()._run(move)
        if fault:
            return fault
        if self.most is None:
            try:
                self.most = self.best()
            except TooMuch:
                self.most = 0
        return "" if self.earned(move["routes"])[0] >= self.most else "DO-8.2.2.1-a: more can be earned"

    def best(self) -> int:
        """The most that its trains can earn together, by trying everything that could still be better."""
        table, board = self.table, self.table.board
        trains = sorted(table.trains[self.company], key=int, reverse=True)
        found = board.routes(self.company, max(table.reach[name] for name in trains), most=30_000)
        paths = [path for path in found if path <= path[::-1]]
        choices = []
        for train in trains:
            fitting = [path for path in paths if len(board.stops(path)) <= table.reach[train]]
            worth = [(self._at_most(train, path), board.pieces(path), path) for path in fitting]
            choices.append(sorted(worth, key=lambda entry: -entry[0]))
        hopes = [sum(worth[0][0] for worth in choices[number:] if worth) for number in range(len(trains) + 1)]
        best = tried = 0

        def search(number: int, first: int, used: frozenset[tuple[str, str]], runs: list[Any], sum_: int) -> None:
            nonlocal best, tried
            tried += 1
            if tried > 30_000:
                raise TooMuch
            if number == len(trains):
                best = max(best, self._with_beer(runs))
                return
            alike = number and trains[number] == trains[number - 1]
            for index in range(first if alike else 0, len(choices[number])):
                value, pieces, path = choices[number][index]
                if sum_ + value + hopes[number + 1] <= best:
                    break
                if not pieces & used:
                    run = [*runs, (trains[number], path)]
                    search(number + 1, index + 1, used | pieces, run, sum_ + value)
            if sum_ + hopes[number + 1] > best:
                search(number + 1, len(choices[number]), used, runs, sum_)

        search(0, 0, frozenset(), [], 0)
        return best

    def _at_most(self, train: str, path: tuple[str, ...]) -> int:
        """What a train can earn on a route with all the beer that it could ever carry."""
        most = max(self._loads(path))
        return self.earned([{"train": f"{train}+{most}" if most else train, "path": path}])[0]

    def _with_beer(self, runs: list[tuple[str, tuple[str, ...]]]) -> int:
        best = 0
        for loads in product(*[self._loads(path) for _, path in runs]):
            routes = [
                {"train": f"{train}+{load}" if load else train, "path": path}
                for (train, path), load in zip(runs, loads, strict=True)
            ]
            if not any(loads) or not self._bad_beer(routes):
                best = max(best, self.earned(routes)[0])
        return best

    def _loads(self, path: tuple[str, ...]) -> Iterator[int]:
        private = self.table.private_of(INVESTOR)
        any_beer = self.red_fields(path) and private in self.table.turned and self.table.cubes[private]
        yield from range(5 if any_beer else 1)

    def _pays(self) -> bool:
        """DO-8.2.2.1-b: with a train of the newest type on offer, or a permanent one, and without a debt."""
        table = self.table
        trains = table.trains[self.company]
        newest = table.display()[0] if table.display() else ""
        return not any(table.owed.values()) and (newest in trains or any(train in PERMANENT for train in trains))

    def _waits(self) -> bool:
        if self.step == "trains" and not self.proposal and not self.choosing and self.forced():
            self._force()
            return False
        return super()._waits()

    def _force(self) -> None:
        """DO-8.2.2.1-e, R-89: own certificates, his cash, players' certificates, a loan; nothing is left to decide."""
        table, shares = self.table, self.table.shares[self.company]
        train = table.display()[0]
        price = table.prices[train]
        size = self._as_much(shares.ordinary(self.company), table.price(self.company), price - self.treasury)
        if size:
            for one in max(makes_up(shares.ordinary(self.company), size), key=len):
                shares.move(one, self.company, POOL)
            table.pay(BANK, self.company, table.price(self.company) * size // 10, OPERATING)
            table.left_by(self.company, size // 10)
        for company in reversed(table.order(table.floated)):
            missing = price - self.treasury - table.cash[INVESTOR]
            if company == self.company or missing <= 0:
                continue
            held = table.shares[company].ordinary(INVESTOR)
            size = self._as_much(held, table.price(company), missing)
            if size:
                for one in max(makes_up(held, size), key=len):
                    table.shares[company].move(one, INVESTOR, POOL)
                table.pay(BANK, INVESTOR, table.price(company) * size // 10, OPERATING)
                table.down(company, size // 10)
        loan = price - self.treasury - table.cash[INVESTOR]
        if loan > 0:
            table.pay(BANK, INVESTOR, loan, OPERATING)
            table.owed[self.company] = table.owed.get(self.company, 0) + loan
        if price > self.treasury:
            table.pay(INVESTOR, self.company, price - self.treasury, OPERATING)
        table.pay(self.company, BANK, price, OPERATING)
        table.take_new(self.company, train)

    @staticmethod
    def _as_much(sizes: Sequence[int], value: int, missing: int) -> int:
        """The smallest share that brings what is missing, all if none does."""
        parts = [percent for percent in range(10, sum(sizes) + 10, 10) if makes_up(sizes, percent)]
        return next((percent for percent in parts if percent // 10 * value >= missing), parts[-1] if parts else 0)

    def _paid(self, out: bool) -> None:
        super()._paid(out)
        back = min(self.table.owed.get(self.company, 0), 0 if out else self.income)
        if back:
            self.table.pay(self.company, BANK, back, OPERATING)
            self.table.owed[self.company] -= back

    def _leave_step(self) -> None:
        if self.step == "trains":
            self._buy_back()
        super()._leave_step()
        if self.step == "dividend" and self.income:
            self._paid(self._pays())
            super()._leave_step()

    def _buy_back(self) -> None:
        """DO-8.2.2.1-f: with a permanent train one certificate from the pool, at the end of the turn if it can."""
        table = self.table
        permanent = any(train in PERMANENT for train in table.trains[self.company])
        for size in table.shares[self.company].ordinary(POOL)[:1]:
            if permanent and not Turn._buy_own_share(self, size):
                self._money({"type": "buy_own_share", "percent": size})

    def _buy_train(self, move: Plain) -> str:
        if move["source"] != BANK:
            return "DO-8.2.2.1-d: new trains only"
        return super()._buy_train(move)

    def _pass(self, move: Plain) -> str:
        due = self.due()
        if (
            self.step == "trains"
            and due
            and not self._buy_train({"train": due, "source": BANK, "price": self.table.prices[due]})
        ):
            return "DO-8.2.2.1-c: it must buy a train of the phase"
        return super()._pass(move)

    def can_buy(self) -> bool:
        table = self.table
        return any(
            not self._buy_train({"train": name, "source": BANK, "price": table.prices[name]})
            for name in table.display()
        )


class PlayerTurn(Turn):
    """The turn of a player's railway: the Investor never sells a train (DO-8.2.2.1-d)."""

    table: TwoTable

    def _not_sold(self, train: str, seller: str) -> str:
        return "DO-8.2.2.1-d: never sold" if seller == self.table.company else super()._not_sold(train, seller)


class TwoPlayers(RailwayGame):
    """Follows one game."""

    form = "trg2"
    table: TwoTable

    def __init__(self, beginning: Plain) -> None:
        super().__init__(beginning)
        self.offers = bool(beginning["options"].get("card_offer"))

    def _lay_out(self, position: Plain, dealt: Sequence[str]) -> Table:
        self.choosing = ""
        #: Who may offer money for the card at the end of an operating round; the offer that the other has to answer.
        self.keeping, self.price = "", 0
        return TwoTable(position["seats"], dealt, position["facts.investor.company"])

    def _stock_round(self) -> StockRound:
        return TwoStock(self.table, self.first, self.number)

    def _turn(self, company: str) -> Turn:
        return (InvestorTurn if company == self.table.company else PlayerTurn)(self.table, company)

    def _packaged(self) -> None:
        """DO-8.3.2-a, -b: the Investor buys what is left, at its lowest box; the cheaper purchase chooses a card."""
        table = self.table
        left = next(name for name in table.brewery if name not in self.bids)
        table.pay(INVESTOR, BANK, int(min(table.brewery[left]["power"]["boxes"])), STOCK)
        table.owner[left] = INVESTOR
        self.choosing = min((price, name, player) for name, (player, price) in self.bids.items())[2]

    @property
    def bidding(self) -> bool:
        return super().bidding and not self.keeping

    def _other(self, player: str) -> str:
        return next(name for name in self.table.seats if name != player)

    def deciders(self) -> Collection[str]:
        if self.keeping:
            return [self._other(self.keeping) if self.price else self.keeping]
        return [self.choosing] if self.choosing else super().deciders()

    def verdict(self, move: Plain) -> str:
        if self.keeping:
            return self._bad_offer(move)
        if not self.choosing:
            return super().verdict(move)
        if move["type"] != "choose_card" or move["player"] != self.choosing:
            return "DO-8.3.2-b: a card is chosen first"
        return "" if move["card"] in CARDS else "DO-8.3.2-b: no such card"

    def _bad_offer(self, move: Plain) -> str:
        """DO-8.3.5-b: the holder offers a sum they have; the other takes it, or pays it and takes the card."""
        if move["player"] not in self.deciders():
            return "DO-8.3.5-b: it is the other's to say"
        if self.price:
            known = move["type"] == "answer_card" and move["reply"] in ("accept_money", "pay_for_card")
            return "" if known else "DO-8.3.5-b: the offer is answered first"
        if move["type"] == "pass":
            return ""
        if move["type"] != "offer_for_card":
            return "DO-8.3.5-b: the card is kept or handed on first"
        return "" if 1 <= move["price"] <= self.table.cash[self.keeping] else "DO-8.3.5-b: no such sum"

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        if self.keeping:
            self._settle_card(move)
            return
        if not self.choosing:
            super().follow(move, events)
            return
        chooser = self.choosing
        other = self._other(chooser)
        self.choosing = ""
        self.first, self.table.card = (chooser, other) if move["card"] == CARDS[0] else (other, chooser)
        self._begin_stock()
        self._go_on()

    def _settle_card(self, move: Plain) -> None:
        """Who pays the sum has the card; who cannot pay it has to accept it."""
        table, holder, other = self.table, self.keeping, self._other(self.keeping)
        self.followed += 1
        if move["type"] == "offer_for_card":
            self.price = move["price"]
            if table.cash[other] >= self.price:
                return
        if not self.price:
            table.card = other
        elif move.get("reply") == "pay_for_card":
            table.card = other
            table.pay(other, holder, self.price, OPERATING)
        else:
            table.pay(holder, other, self.price, OPERATING)
        self.keeping, self.price = "", 0
        self._next_round()
        self._go_on()

    def _decide_at_end(self) -> bool:
        """DO-8.3.5-a: the card changes hands; after the last round there is nothing more to run."""
        table = self.table
        if table.broken and self.set[0] == self.set[1]:
            return False
        if self.offers and table.cash[table.card]:
            self.keeping = table.card
            return True
        table.card = self._other(table.card)
        return False

    def position(self) -> Position:
        data = super().position()
        if self.choosing:
            data["round"].pop("actor", None)
        return data


def appoint(beginning: Plain) -> TwoPlayers:
    """The referee of a game."""
    return TwoPlayers(beginning)
