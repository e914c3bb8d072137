"""A railway's turn in an operating round of The Railway Game (rulebook 4.5), step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from workshop.referees.do.board import RESERVED, apart, sheet
from workshop.referees.do.shares import POOL, makes_up
from workshop.referees.do.table import BANK, GONE, Table
from workshop.referees.whistle import Plain

OPERATING = "operating"
#: DO-4.5-b; the first only for three railways in their first turn (DO-4.3.2.1-a).
STEPS = ("early", "track", "station", "link", "run", "dividend", "trains")
#: Which moves belong to which step; a railway's own deal and turning a card belong to all.
MOVES = {
    "early": ("buy_train", "pass"),
    "track": ("lay_tile", "pass"),
    "station": ("place_station", "pass"),
    "link": ("link_location", "pass"),
    "run": ("run", "pass"),
    "dividend": ("dividend",),
    "trains": ("buy_train", "pass", "sell_own_shares", "sell_shares", "take_loan"),
}


@dataclass
class Proposal:
    """A train that the acting railway wants from another: who has to answer, at which price."""

    train: str
    seller: str
    price: int
    asked: str
    other: str


class Turn:
    """The turn of one railway."""

    def __init__(self, table: Table, company: str) -> None:
        self.table = table
        self.company = company
        self.step = "early"
        self.dealt = False
        self.declined = False
        self.new = 0
        self.income = 0
        self.proposal: Proposal | None = None
        #: Prices that sellers have declined: the table lets nobody offer as much or less again, until they bargain.
        self.refused: dict[tuple[str, str], int] = {}
        #: Whether money of 4.5.7.5 has been raised: then the forced purchase has begun.
        self.raised = False
        self.choosing = 0
        self.over = False

    @property
    def director(self) -> str:
        return self.table.director(self.company)

    @property
    def treasury(self) -> int:
        return self.table.cash[self.company]

    def deciders(self) -> Collection[str]:
        over = self.table.above_limit()
        if over:
            return [self.table.decider(over)]
        return [self.proposal.asked if self.proposal else self.table.decider(self.company)]

    # ------------------------------------------------------------------ judging

    def verdict(self, move: Plain) -> str:
        kind, player, over = move["type"], move["player"], self.table.above_limit()
        if player not in self.deciders():
            return "DO-4.3.2.2-a: only the director decides"
        if over:
            if kind != "discard_train" or move["company"] != over:
                return "DO-4.5.7-c: trains above the limit go to the pool first"
            return "" if move["train"] in self.table.trains[over] else "no such train"
        if self.proposal:
            return self._answer(move) if kind == "answer" else "a train was asked for"
        if self.choosing:
            return "" if kind == "hand_over" and self._chosen(move) else "certificates are chosen first"
        if kind == "turn_brewery":
            return self.table.cannot_turn(player, move["private"], move["company"])
        if move.get("company", self.company) != self.company:
            return "DO-4.5-e: another railway's turn"
        if kind in ("sell_own_shares", "buy_own_share"):
            return str(getattr(self, f"_{kind}")(move["percent"]))
        if kind not in MOVES[self.step]:
            return f"DO-4.5-b: not in the step {self.step}"
        return str(getattr(self, f"_{kind}")(move))

    def _pass(self, move: Plain) -> str:
        if self.step == "run" and self.can_run():
            return "DO-4.5.5-a: its trains must run"
        on_sale = self.table.display() or self.table.pool
        if self.step == "trains" and not self.table.trains[self.company] and on_sale:
            return "DO-4.5.7.4-a: it must own a train"
        return ""

    # its own deal (DO-4.5-d, R-21)

    def _sell_own_shares(self, percent: int) -> str:
        table, shares = self.table, self.table.shares[self.company]
        if self.step == "trains" and self.forced():
            return self._sell_own_forced(percent)
        if self.dealt:
            return "DO-4.5-d: once in a turn"
        if percent not in shares.ordinary(self.company):
            return "DO-4.5-d: one certificate that it owns"
        if table.pool_share(self.company) + percent > table.pool_limit:
            return "DO-4.4.5-b: more than 50 % in the pool"
        return ""

    def _buy_own_share(self, percent: int) -> str:
        table, shares = self.table, self.table.shares[self.company]
        if self.dealt:
            return "DO-4.5-d: once in a turn"
        if percent not in shares.ordinary(POOL):
            return "DO-4.5-d: not in the pool"
        if self.treasury < table.price(self.company) * percent // 10:
            return "DO-4.5-d: too dear"
        return ""

    def can_deal(self) -> bool:
        shares = self.table.shares[self.company]
        return any(not self._sell_own_shares(size) for size in shares.ordinary(self.company)) or any(
            not self._buy_own_share(size) for size in shares.ordinary(POOL)
        )

    # track, station, link

    def _lay_tile(self, move: Plain) -> str:
        board = self.table.board
        at, tile, rotation = move["hex"], move["tile"], move["rotation"]
        if move["private"]:
            return "no such function"
        fault = board.unfit(at, tile, rotation, self.table.colour)
        if fault:
            return fault
        if not board.lengthens(self.company, at, tile, rotation):
            return "DO-4.5.1-b: no open track is lengthened"
        return "DO-4.5.2-b: too dear" if board.cost(at) > self.treasury else ""

    def _place_station(self, move: Plain) -> str:
        if move["stop"] != 0:
            return "no such stop"
        return self.no_station(move["hex"], move["private"])

    def no_station(self, at: str, private: str) -> str:
        """Why no station can be built there, with the marker of a private brewery if one is named (R-29)."""
        table, board = self.table, self.table.board
        city = str(sheet("game")["city"]["hex"])
        if not table.tokens[self.company]:
            return "DO-4.5.3-a: no token left"
        power = ""
        if private:
            if table.markers.get(private) != self.company:
                return "DO-4.3.1.1-a: it does not have this marker"
            power = str(table.brewery[private]["power"]["marker"])
            if power not in ("place", "cheap") or at != city:
                return "DO-4.3.1.1-b, -c: markers No. 2 and 3 are for Dortmund City"
        if at not in board.box.printed or at not in board.places:
            return "DO-4.5.3-a: no place"
        if power == "place" and RESERVED not in board.places[at]:
            return "DO-4.3.1.1-b: no reserved place"
        if power != "place" and board.free(at) is None:
            return "DO-4.5.3-a, -d, -e: no free place"
        if self.company in board.places[at]:
            return "DO-4.5.3-a: one for each hex and railway"
        if not board.reaches(self.company, at):
            return "DO-4.5.3-a: no route to it"
        if self.station_cost(private) > self.treasury:
            return "DO-4.5.3-b: too dear"
        return ""

    def station_cost(self, private: str) -> int:
        cost = self.table.tokens[self.company][0]
        if private and self.table.brewery[private]["power"]["marker"] == "cheap":
            cost = cost * int(sheet("trg")["markers"]["cheap_percent"]) // 100
        return int(cost)

    def _link_location(self, move: Plain) -> str:
        return self.no_link(move["hex"])

    def no_link(self, at: str) -> str:
        fault = self.table.board.unlinkable(self.company, at, self.table.colour)
        if fault:
            return fault
        return "DO-4.5.4.1-a: too dear" if self.link_cost(at) > self.treasury else ""

    def free_link(self, at: str) -> bool:
        """DO-4.3.2.1-b: KWE's own token for a first link to coal."""
        game = sheet("game")
        return (
            self.company == game["abilities"]["free_coal_link"]
            and not self.table.token_used
            and at in game["locations"]["coal"]
            and not self.table.board.links.get(at)
        )

    def link_cost(self, at: str) -> int:
        return 0 if self.free_link(at) else int(sheet("game")["locations"]["cost"])

    # trains run

    def through(self) -> Collection[str]:
        """DO-4.3.2.1-c: HHW's trains pass full steel mill hexes."""
        game = sheet("game")
        return game["locations"]["steel"] if self.company == game["abilities"]["through_steel"] else ()

    def can_run(self) -> int:
        """How many of its trains can run at once: the more of them, the shorter, so two income hexes are enough."""
        table = self.table
        trains = len(table.trains[self.company])
        if not trains:
            return 0
        short = list({table.board.pieces(path) for path in table.board.routes(self.company, 2)})
        best = 0

        def search(number: int, used: frozenset[tuple[str, str]], count: int) -> None:
            nonlocal best
            best = max(best, count)
            if best == trains:
                return
            for further in range(number, len(short)):
                if not short[further] & used:
                    search(further + 1, used | short[further], count + 1)

        search(0, frozenset(), 0)
        return best

    def _run(self, move: Plain) -> str:
        return self.bad_run(move["routes"])

    def bad_run(self, routes: Sequence[Plain]) -> str:
        """Why these routes cannot be run together (DO-4.5.5, DO-4.5.5.1)."""
        table, board = self.table, self.table.board
        names = [str(route["train"]).partition("+")[0] for route in routes]
        if Counter(names) - Counter(table.trains[self.company]):
            return "DO-4.5.5-a: a train that it does not own"
        for name, route in zip(names, routes, strict=True):
            fault = board.faulty(self.company, route["path"], table.reach[name], self.through())
            if fault:
                return fault
        if not apart([board.pieces(route["path"]) for route in routes]):
            return "DO-4.5.5-b: two trains on the same track"
        if len(routes) < self.can_run():
            return "DO-4.5.5-a: more trains can run"
        return self._bad_beer(routes)

    def _bad_beer(self, routes: Sequence[Plain]) -> str:
        table = self.table
        loads = sheet("trg")["loads"]
        extra = 0
        all_cubes = 0
        for route in routes:
            name, plus, number = str(route["train"]).partition("+")
            if not plus:
                continue
            if not number.isdigit() or not int(number) or number != str(int(number)):
                return "DO-4.5.5.1-a: no such load"
            cubes, room = int(number), int(loads.get(name, 0))
            if self.company == sheet("game")["abilities"]["no_beer"]:
                return "DO-4.3.2.1-c: it carries no beer"
            if cubes > room:
                extra += cubes - room
                if name in sheet("trg")["markers"]["load_not_for"]:
                    return "DO-4.5.5.1-b: never a 2-train"
            if not self.red_fields(route["path"]):
                return "DO-4.5.5.1-d: without Dortmund City or a red field"
            all_cubes += cubes
        more = int(sheet("trg")["markers"]["load"]) if table.has_marker(self.company, "load") else 0
        if extra > more:
            return "DO-4.5.5.1-a, -b: more than the trains can carry"
        private = table.private_of(self.director)
        if all_cubes > (table.cubes.get(private, 0) if private in table.turned else 0):
            return "DO-4.5.5.1-c: more than lie on the back of the director's card"
        return ""

    def red_fields(self, path: Sequence[str]) -> list[str]:
        """The red fields of a route with Dortmund City."""
        board = self.table.board
        stops = board.stops(path)
        return [at for at in stops if board.face(at).red] if sheet("game")["city"]["hex"] in stops else []

    def earned(self, routes: Sequence[Plain]) -> tuple[int, int]:
        """The income, and the cubes that were carried for it (DO-4.5.6.1)."""
        table, board = self.table, self.table.board
        income = cubes = 0
        colour = table.colour
        for route in routes:
            income += sum(board.income(at, self.company, colour) for at in board.stops(route["path"]))
            load = int(str(route["train"]).partition("+")[2] or 0)
            if load:
                bonus = max(int(sheet("game")["export"]["bonus"][at]) for at in self.red_fields(route["path"]))
                income += load * bonus
                if table.has_marker(self.company, "transport"):
                    income += int(sheet("trg")["markers"]["transport"])
                cubes += load
        return income, cubes

    def _dividend(self, move: Plain) -> str:
        return "" if move["kind"] in ("pay", "withhold") else "DO-4.5.6.2-a: all or nothing"

    # trains are bought

    def _room(self) -> bool:
        return len(self.table.trains[self.company]) < self.table.train_limit

    def _more_new(self) -> bool:
        """DO-4.5.7.1-c, -d: two in yellow, then one."""
        return self.new < int(self.table.rules["new_trains"][self.table.phase])

    def _buy_train(self, move: Plain) -> str:
        train, source, price = move["train"], move["source"], move["price"]
        table = self.table
        if not self._room():
            return "DO-4.5.7-b: train limit"
        if source in table.railways:
            if self.step == "early":
                return "DO-4.3.2.1-a, R-44: new trains only"
            return self._no_trade(train, source, price)
        if source not in (BANK, POOL) or (source == POOL and self.step == "early"):
            return "no such seller"
        if source == BANK and (train not in table.display() or not self._more_new()):
            return "DO-4.5.7.1-a, -c: not on offer, or too many in this turn"
        if source == POOL and train not in table.pool:
            return "not in the pool"
        if price != table.prices[train]:
            return "DO-4.5.7.1-a: the printed price"
        if price <= self.treasury:
            return ""
        return self._not_forced(train, source) if self.step == "trains" else "DO-4.5.7-a: too dear"

    def _no_trade(self, train: str, seller: str, price: int) -> str:
        """DO-4.5.7.2-a: from another railway, at least 1 Mark, out of the treasury."""
        least = self.refused.get((seller, train), 0) + 1
        if not least <= price <= self.treasury:
            return "DO-4.5.7.2-a: 1 Mark to the treasury"
        return self._not_sold(train, seller)

    def _not_sold(self, train: str, seller: str) -> str:
        table = self.table
        if seller == self.company or train not in table.trains[seller]:
            return "no such train"
        if train in table.rules["last_run"] and seller in table.last_runs:
            return "DO-4.5.7.3-b: before its last run it cannot be sold"
        if self.raised and not table.trains[self.company]:
            return "DO-4.5.7.5-a: in a forced purchase never from another railway"
        return ""

    def can_buy(self) -> bool:
        table = self.table
        offers = [(BANK, name) for name in table.display()] + [(POOL, name) for name in table.pool]
        if self.step == "early":
            offers = [(BANK, name) for name in table.display()]
        if any(
            not self._buy_train({"train": name, "source": source, "price": table.prices[name]})
            for source, name in offers
        ):
            return True
        if self.step == "early":
            return False
        # A declined price does not end the turn, even if nobody can offer more.
        return bool(self.treasury and self._room()) and any(
            not self._not_sold(train, seller) for seller, trains in table.trains.items() for train in trains
        )

    def _answer(self, move: Plain) -> str:
        """Bargaining: the seller asks for more, the buyer offers less, 1 Mark to the treasury (DO-4.5.7.2-a)."""
        asked = self.proposal
        assert asked
        match move["reply"]:
            case "accept" | "decline":
                return "" if move["price"] in (0, asked.price) else "another price than the one that is proposed"
            case "counter" if asked.asked == self.director:
                return "" if 1 <= move["price"] < asked.price else "DO-4.5.7.2-a: less than is asked for"
            case "counter":
                return "" if asked.price < move["price"] <= self.treasury else "DO-4.5.7.2-a: more than is offered"
        return "no such answer"

    # the forced purchase (4.5.7.4, 4.5.7.5)

    def forced(self) -> bool:
        """Without a train, and below the price of the cheapest new one (R-24)."""
        table = self.table
        if table.trains[self.company] or not table.display():
            return False
        return self.treasury < table.prices[table.display()[0]]

    def needed(self) -> list[int]:
        """Prices of the trains to choose from: a new one, of 6 and 8 the 6, or one from the pool (DO-4.5.7.5-a)."""
        table = self.table
        return [table.prices[name] for name in (table.display()[0], *table.pool)]

    def first_certificate(self) -> list[int]:
        """DO-4.5.7.4-c, R-23: certificates of which one is sold before a forced purchase."""
        table, shares = self.table, self.table.shares[self.company]
        if self.dealt:
            return []
        room = table.pool_limit - table.pool_share(self.company)
        return [size for size in shares.ordinary(self.company) if size <= room]

    def _sell_own_forced(self, percent: int) -> str:
        """One certificate first; then as many of the others as are needed, in one sale (DO-4.5.7.5-b, -c)."""
        own = self.table.shares[self.company].ordinary(self.company)
        if self.first_certificate():
            return "" if percent in self.first_certificate() else "DO-4.5.7.4-c: one certificate first"
        if any(percent in self._as_needed(own, price - self.treasury, sum(own)) for price in self.needed()):
            return ""
        return "DO-4.5.7.5-c: as many as are needed, at once"

    def _as_needed(self, sizes: list[int], missing: int, most: int) -> set[int]:
        """What is sold in one sale for a missing amount: as few shares as do, or all that can be (R-129)."""
        price = self.table.price(self.company)
        if missing <= 0:
            return set()
        parts = [percent for percent in range(10, most + 1, 10) if makes_up(sizes, percent)]
        return {next((part for part in parts if part * price // 10 >= missing), parts[-1])} if parts else set()

    def _own_left(self) -> bool:
        return bool(self.table.shares[self.company].ordinary(self.company))

    def keeps_post(self, percent: int) -> bool:
        """DO-4.5.7.5-c: no change of director."""
        shares = self.table.shares[self.company]
        rest = shares.share(self.director) - percent
        return all(shares.share(other) <= rest for other in self.table.circle if other != self.director)

    def directors_sales(self, missing: int) -> set[int]:
        """What the director may sell of this railway for a missing amount (step 4)."""
        sizes = self.table.shares[self.company].ordinary(self.director)
        most = max((percent for percent in range(0, sum(sizes) + 1, 10) if self.keeps_post(percent)), default=0)
        return self._as_needed(sizes, missing, most)

    def _sell_shares(self, move: Plain) -> str:
        if not self.forced() or self._own_left():
            return "DO-4.5.7.5-b: own certificates of the railway first"
        purse = self.treasury + self.table.cash[self.director]
        if any(move["percent"] in self.directors_sales(price - purse) for price in self.needed()):
            return ""
        return "DO-4.5.7.5-b, -c: not needed, or the post would be lost"

    def _take_loan(self, move: Plain) -> str:
        if not self.forced() or self._own_left():
            return "DO-4.5.7.5-b: own certificates of the railway first"
        purse = self.treasury + self.table.cash[self.director]
        for price in self.needed():
            missing = price - purse
            if missing > 0 and move["amount"] == missing and not self.directors_sales(missing):
                return ""
        return "DO-4.5.7.5-d: exactly what is missing at the end"

    def _not_forced(self, train: str, source: str) -> str:
        """Whether a train dearer than the treasury may be bought in a forced purchase."""
        table = self.table
        if not self.forced():
            return "DO-4.5.7-a: too dear"
        if source == BANK and train != table.display()[0]:
            return "DO-4.5.7.5-a: only the 6"
        if self._own_left():
            return "DO-4.5.7.5-b: own certificates of the railway first"
        if self.treasury + table.cash[self.director] < table.prices[train]:
            return "DO-4.5.7.5-b: there is not enough money yet"
        return ""

    def _chosen(self, move: Plain) -> bool:
        sizes = self.table.shares[self.company].ordinary(self.director)
        return move["certificates"] in {"+".join(map(str, way)) for way in makes_up(sizes, self.choosing)}

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain) -> None:
        kind = move["type"]
        self.declined = kind == "pass"
        match kind:
            case "pass":
                self._leave_step()
            case "turn_brewery":
                self.table.turn(move["private"], move["company"])
            case "discard_train":
                self.table.trains[move["company"]].remove(move["train"])
                self.table.pool.append(move["train"])
            case "lay_tile":
                board = self.table.board
                self.table.pay(self.company, BANK, board.cost(move["hex"]), OPERATING)
                board.lay(move["hex"], move["tile"], move["rotation"])
                self._leave_step()
            case "place_station":
                self._build(move["hex"], move["private"])
                self._leave_step()
            case "link_location":
                self._link(move["hex"])
                self._leave_step()
            case "run":
                self._ran(move["routes"])
                self._leave_step()
            case "dividend":
                self._paid(move["kind"] == "pay")
                self._leave_step()
            case _:
                self._money(move)
        self.go_on()

    def _money(self, move: Plain) -> None:
        match move["type"]:
            case "sell_own_shares":
                self._own_sold(move["percent"])
            case "buy_own_share":
                table = self.table
                table.pay(self.company, BANK, table.price(self.company) * move["percent"] // 10, OPERATING)
                table.shares[self.company].move(move["percent"], POOL, self.company)
                self.dealt = True
            case "buy_train":
                self._bought(move)
            case "answer":
                self._answered(move)
            case "sell_shares":
                self.raised = True
                sizes = self.table.shares[self.company].ordinary(self.director)
                self.choosing = move["percent"]
                ways = makes_up(sizes, self.choosing)
                if len(ways) == 1:
                    self._director_sold(next(iter(ways)))
            case "hand_over":
                self._director_sold([int(size) for size in move["certificates"].split("+")])
            case "take_loan":
                # a loan is not paid out, it only covers a price.
                self.raised = True
                self.table.cash[BANK] -= move["amount"]
                self.table.cash[self.director] += move["amount"]
                self.table.loans[self.director] += move["amount"]

    def _build(self, at: str, private: str) -> None:
        table, places = self.table, self.table.board.places[at]
        cost = self.station_cost(private)
        power = table.brewery[private]["power"]["marker"] if private else ""
        if power == "place":  # B2 leaves; the places of a hex are all alike
            places[places.index(RESERVED)] = ""
        place = table.board.free(at)
        assert place is not None
        places[place] = self.company
        table.tokens[self.company].pop(0)
        table.pay(self.company, BANK, cost, OPERATING)
        if private:
            table.markers[private] = GONE

    def _link(self, at: str) -> None:
        """DO-4.5.4.3: the link, and cubes for the private brewery of the director."""
        table, board, rules = self.table, self.table.board, sheet("trg")["cubes"]
        table.pay(self.company, BANK, self.link_cost(at), OPERATING)
        table.token_used = table.token_used or self.free_link(at)
        board.links[at] = board.next_link(at)
        highest = board.links[at] == max(sheet("game")["locations"]["values"].values())
        late = int(table.phase) >= int(rules["highest_from"])
        cubes = min(table.stock, int(rules["highest"] if highest and late else rules["a_link"]))
        private = table.private_of(self.director)
        table.cubes[private] += cubes
        table.stock -= cubes

    def _ran(self, routes: Sequence[Plain]) -> None:
        self.income, cubes = self.earned(routes)
        private = self.table.private_of(self.director)
        if cubes:
            self.table.cubes[private] -= cubes
            self.table.stock += cubes

    def _paid(self, out: bool) -> None:
        """DO-4.5.6.2, DO-4.5.6.3."""
        table = self.table
        if not out:
            table.pay(BANK, self.company, self.income, OPERATING)
            table.left_by(self.company, 1)
            return
        shares = table.shares[self.company]
        dividend = self.income - self.income % int(table.rules["rounded"])
        if self.income > dividend:
            table.pay(BANK, self.company, self.income - dividend, OPERATING)
        for holder in (*table.circle, self.company):
            table.pay(BANK, holder, dividend * shares.share(holder) // 100, OPERATING)
        price = table.price(self.company)
        if dividend >= 3 * price:
            table.right_by(self.company, 2)
        elif dividend >= price:
            table.right_by(self.company, 1)
        else:
            table.put(self.company, table.at[self.company])

    def _own_sold(self, percent: int) -> None:
        """Into the pool at the price before, then one to the left for 10 % (R-21)."""
        table, shares = self.table, self.table.shares[self.company]
        way = max(makes_up(shares.ordinary(self.company), percent), key=len)
        if self.step != "trains" or not self.forced() or self.first_certificate():
            self.dealt = True
            way = (percent,)
        else:
            self.raised = True
        for size in way:
            shares.move(size, self.company, POOL)
        table.pay(BANK, self.company, table.price(self.company) * percent // 10, OPERATING)
        table.left_by(self.company, percent // 10)

    def _director_sold(self, way: Sequence[int]) -> None:
        """R-48: a player's sale, one row down for 10 %."""
        table, shares = self.table, self.table.shares[self.company]
        for size in way:
            shares.move(size, self.director, POOL)
        table.pay(BANK, self.director, table.price(self.company) * sum(way) // 10, OPERATING)
        table.down(self.company, sum(way) // 10)
        self.choosing = 0

    def _bought(self, move: Plain) -> None:
        table = self.table
        train, source, price = move["train"], move["source"], move["price"]
        if source in table.railways:
            seller = table.director(source)
            if seller == self.director:
                self._transfer(train, source, price)
            else:
                self.proposal = Proposal(train, source, price, seller, self.director)
            return
        missing = price - self.treasury
        if missing > 0:
            table.pay(self.director, self.company, missing, OPERATING)
        table.pay(self.company, BANK, price, OPERATING)
        if source == POOL:
            table.pool.remove(train)
            table.trains[self.company].append(train)
        else:
            self.new += 1
            table.take_new(self.company, train)
        if self.step == "early":
            self._leave_step()

    def _transfer(self, train: str, seller: str, price: int) -> None:
        table = self.table
        table.pay(self.company, seller, price, OPERATING)
        table.trains[seller].remove(train)
        table.trains[self.company].append(train)

    def _answered(self, move: Plain) -> None:
        asked = self.proposal
        assert asked
        if move["reply"] == "counter":
            if asked.asked != self.director:
                self.refused.pop((asked.seller, asked.train), None)
            self.proposal = Proposal(asked.train, asked.seller, move["price"], asked.other, asked.asked)
            return
        self.proposal = None
        if move["reply"] == "accept":
            self._transfer(asked.train, asked.seller, asked.price)
        elif asked.asked != self.director:
            self.refused[asked.seller, asked.train] = asked.price

    # ------------------------------------------------------------------ the steps

    def _leave_step(self) -> None:
        table = self.table
        if self.step == "run":
            table.income[self.company] = self.income
            if self.company in table.last_runs:  # DO-4.5.7.3-b
                table.last_runs.discard(self.company)
                for old in table.rules["last_run"]:
                    table.scrap(self.company, old)
            if not self.income:
                table.left_by(self.company, 1)  # DO-4.5.6.3-a
        if self.step == STEPS[-1]:
            self.over = True
            table.operated.add(self.company)
        else:
            self.step = STEPS[STEPS.index(self.step) + 1]

    def go_on(self) -> None:
        """Steps in which nothing can be done are passed over; trains that are all alike are given up unasked."""
        table = self.table
        while not self.over:
            limit = table.train_limit
            for trains in table.trains.values():
                while len(trains) > limit and len(set(trains)) == 1:
                    table.pool.append(trains.pop())
            if table.above_limit() or self._waits():
                return
            else:
                self._leave_step()

    def _waits(self) -> bool:
        table, board = self.table, self.table.board
        if self.proposal or self.choosing:
            return True
        match self.step:
            case "early":
                first = self.company in sheet("game")["abilities"]["early_train"]
                return first and self.company not in table.operated and self.can_buy()
            case "track":
                return board.could_lay([self.company], table.colour, table.cash)
            case "station":
                return any(not self.no_station(at, private) for at in board.places for private in ("", *table.markers))
            case "link":
                return any(not self.no_link(at) for at in board.locations())
            case "run":
                return bool(self.can_run()) or self._last_deal()
            case "dividend":
                return bool(self.income)
        must = not table.trains[self.company] and (table.display() or table.pool)
        return bool(must) or self.can_buy() or self._last_deal()

    def _last_deal(self) -> bool:
        """A deal is still possible before the price falls without a run, or the turn ends; a pass declines it."""
        return self.can_deal() and not self.declined

    def facts(self) -> dict[str, Any]:
        """Whose turn it is."""
        return {"actor": self.company}
