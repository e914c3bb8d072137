"""Stock rounds of The Railway Game (rulebook 4.2.3, 4.4), one player's turn after the other."""

from __future__ import annotations

from collections import defaultdict

from workshop.referees.do.board import sheet
from workshop.referees.do.shares import POOL, makes_up
from workshop.referees.do.table import BANK, Table
from workshop.referees.whistle import Plain

STOCK = "stock"


class StockRound:
    """A stock round: who acts, who has passed, who sold what."""

    def __init__(self, table: Table, first: str, number: int) -> None:
        self.table = table
        self.number = number
        self.first = first
        self.actor = first
        self.passes = 0
        self.last_trader = ""
        #: What was sold in this round cannot be bought again by the same player (DO-4.4.3-c).
        self.sold: defaultdict[str, set[str]] = defaultdict(set)
        self.sold_now: set[str] = set()
        #: A sale for which the seller chooses certificates: company and percent.
        self.choosing: tuple[str, int] | None = None
        #: Whether the actor has bought: then only a marker may be given, to a railway that came with it (R-110).
        self.bought = False
        self.over = False

    # ------------------------------------------------------------------ judging

    def verdict(self, move: Plain) -> str:
        kind, player = move["type"], move["player"]
        if player != self.actor:
            return "DO-4.4-a: it is another player's turn"
        if self.choosing:
            if kind != "hand_over" or move["company"] != self.choosing[0]:
                return "the certificates of the sale are chosen first"
            return "" if move["certificates"] in self._choices() else "DO-4.4.5-a: no such certificates"
        if self.bought and kind not in ("pass", "turn_brewery"):
            return "DO-4.4-b: one purchase a turn"
        match kind:
            case "pass" if self.bought:
                return ""
            case "pass":
                return "DO-4.4.4-c: the surplus is sold first" if self.over_limit() and self.can_sell() else ""
            case "found":
                return self.cannot_found(player, move["company"], move["par"])
            case "buy_share":
                return self.cannot_buy(player, move["company"], move["source"], move["percent"])
            case "trade_up":
                return self.cannot_trade_up(player, move["company"], move["source"], move["percent"])
            case "sell_shares":
                return self.cannot_sell(player, move["company"], move["percent"]) or self.too_little(
                    move["company"], move["percent"]
                )
            case "turn_brewery":
                return self.table.cannot_turn(player, move["private"], move["company"])
        return "DO-4.4-b: not in a stock round"

    def over_limit(self) -> bool:
        return self.table.count(self.actor) > self.table.cert_limit

    def opened(self, company: str) -> bool:
        """DO-4.3.2-c: DGEE after KWE is founded, DHB and HHW after DGEE."""
        after = sheet("game")["abilities"]["opens_after"].get(company)
        return not after or bool(self.table.director(after))

    def cannot_found(self, player: str, company: str, par: int) -> str:
        table = self.table
        if company not in table.railways or table.director(company):
            return "DO-4.3.2-a: no railway that can be founded"
        if not self.opened(company):
            return "DO-4.3.2-c: it is not yet available"
        if par not in table.pars():
            return "DO-4.4.1-a: not a starting price of this phase"
        size = table.shares[company].sizes[0]
        if table.cash[player] < par * size // 10:
            return "DO-4.4.1-c: too dear"
        return self._limits(player, company, size, 1)

    def _limits(self, player: str, company: str, percent: int, more: int) -> str:
        table = self.table
        if table.count(player) + more > table.cert_limit:
            return "DO-4.4.4-a: certificate limit"
        if table.shares[company].share(player) + percent > table.share_limit:
            return "DO-4.4.4-b: share limit"
        if company in self.sold[player]:
            return "DO-4.4.3-c: sold in this round"
        return ""

    def _not_for_sale(self, company: str, source: str, percent: int) -> str:
        table = self.table
        if company not in table.railways or not table.director(company):
            return "DO-4.3.2-a: it is not founded"
        if source not in (company, POOL):
            return "DO-2.4.3-b: only from the railway or the pool"
        if percent not in table.shares[company].ordinary(source):
            return "no such certificate there"
        return ""

    def cannot_buy(self, player: str, company: str, source: str, percent: int) -> str:
        fault = self._not_for_sale(company, source, percent)
        if fault:
            return fault
        if self.table.cash[player] < self.table.price(company) * percent // 10:
            return "DO-4.4.3-a: too dear"
        return self._limits(player, company, percent, 1)

    def cannot_trade_up(self, player: str, company: str, source: str, percent: int) -> str:
        """DO-4.4.3-b, R-39: a 10 % certificate in part payment for one of several shares."""
        fault = self._not_for_sale(company, source, percent)
        if fault:
            return fault
        given = 10
        if percent <= given or given not in self.table.shares[company].ordinary(player):
            return "DO-4.4.3-b: nothing to give, or only one share to get"
        if self.table.cash[player] < self.table.price(company) * (percent - given) // 10:
            return "DO-4.4.3-a: too dear"
        return self._limits(player, company, percent - given, 0)

    def cannot_sell(self, player: str, company: str, percent: int) -> str:
        table = self.table
        if self.number == 1:
            return "DO-4.2.3-b: not in the first stock round"
        if company not in table.operated:
            return "DO-4.4.5-c: it has not operated"
        if company in self.sold_now:
            return "R-129: once in a turn"
        if percent <= 0 or percent % 10 or table.shares[company].share(player) < percent:
            return "no such shares"
        if table.pool_share(company) + percent > table.pool_limit:
            return "DO-4.4.5-b: more than 50 % in the pool"
        if not self.ways_to_sell(player, company, percent):
            return "DO-4.4.5-d, DO-4.3.2.2-c: the director's certificate cannot be sold"
        return ""

    def too_little(self, company: str, percent: int) -> str:
        """DO-4.4.4-c, R-133: whoever can get rid of their surplus in this turn sells so much that it goes."""
        surplus = self.table.count(self.actor) - self.table.cert_limit
        if surplus <= 0:
            return ""
        most: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for name, shares in self.table.shares.items():
            for part in range(10, shares.share(self.actor) + 1, 10):
                if not self.cannot_sell(self.actor, name, part):
                    most[name][part] = max(map(len, self.ways_to_sell(self.actor, name, part)))
        rest = {name: sum(max(parts.values()) for other, parts in most.items() if other != name) for name in most}
        good = {(name, part) for name, parts in most.items() for part in parts if parts[part] + rest[name] >= surplus}
        return "DO-4.4.4-c: the whole surplus is sold" if good and (company, percent) not in good else ""

    def successor(self, player: str, company: str, percent: int) -> str:
        """Who becomes director by this sale of the director; nobody if they stay."""
        table, shares = self.table, self.table.shares[company]
        if shares.director != player:
            return ""
        place = table.circle.index(player)
        after = [*table.circle[place + 1 :], *table.circle[:place]]
        best = max(after, key=shares.share)
        return best if shares.share(best) > shares.share(player) - percent else ""

    def ways_to_sell(self, player: str, company: str, percent: int) -> set[tuple[int, ...]]:
        """Sets of certificates that may go to the pool: after the exchange, if the post is given up (DO-4.3.2.2-d)."""
        shares = self.table.shares[company]
        new = self.successor(player, company, percent)
        if not new:
            return makes_up(shares.ordinary(player), percent)
        if shares.share(new) < shares.sizes[0]:
            return set()
        kept = list(shares.holders)
        shares.hand_over(new)
        ways = makes_up(shares.ordinary(player), percent)
        shares.holders[:] = kept
        return ways

    def can_sell(self) -> bool:
        shares = self.table.shares
        return any(
            not self.cannot_sell(self.actor, name, percent)
            for name in shares
            for percent in range(10, shares[name].share(self.actor) + 1, 10)
        )

    def can_buy(self) -> bool:
        """Whether some purchase is possible; who is above the limit must sell before."""
        table, player = self.table, self.actor
        for name, shares in table.shares.items():
            if any(not self.cannot_found(player, name, par) for par in table.pars()):
                return True
            for source in (name, POOL):
                for size in set(shares.ordinary(source)):
                    if not self.cannot_buy(player, name, source, size):
                        return True
                    if not self.cannot_trade_up(player, name, source, size):
                        return True
        return False

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain) -> None:
        kind, player, table = move["type"], move["player"], self.table
        match kind:
            case "pass":
                self._end_turn()
            case "turn_brewery":
                table.turn(move["private"], move["company"])
                if self.bought:
                    self._end_turn()
            case "found":
                self._found(player, move["company"], move["par"])
                self._bought(player, new_post=True)
            case "buy_share":
                self._buy(player, move["company"], move["source"], move["percent"], 0)
            case "trade_up":
                self._buy(player, move["company"], move["source"], move["percent"], 10)
            case "sell_shares":
                company, percent = move["company"], move["percent"]
                self.choosing = (company, percent)
                if len(self._choices()) == 1:
                    self._sell(player, next(iter(self._choices())))
            case "hand_over":
                self._sell(player, move["certificates"])
        self.go_on()

    def _choices(self) -> set[str]:
        assert self.choosing
        ways = self.ways_to_sell(self.actor, *self.choosing)
        return {"+".join(map(str, way)) for way in ways}

    def _found(self, player: str, company: str, par: int) -> None:
        """DO-4.4.1-c: the price goes into the treasury, the other certificates to the charter."""
        table, shares = self.table, self.table.shares[company]
        table.put(company, table.pars()[par])
        table.par[company] = par
        table.pay(player, company, par * shares.sizes[0] // 10, STOCK)
        shares.holders[:] = [player] + [company] * (len(shares.sizes) - 1)
        table.settle(company)

    def _buy(self, player: str, company: str, source: str, percent: int, given: int) -> None:
        table, shares = self.table, self.table.shares[company]
        before = shares.director
        purse = BANK if source == POOL else company  # DO-4.4.3-a
        table.pay(player, purse, table.price(company) * (percent - given) // 10, STOCK)
        if given:
            shares.move(given, player, source)
        shares.move(percent, source, player)
        table.settle(company)
        self._bought(player, new_post=before != player == shares.director)

    def _bought(self, player: str, *, new_post: bool) -> None:
        """The turn is over, unless the trade made them director and they have a marker for that railway (R-110)."""
        self._traded(player)
        private = self.table.private_of(player)
        self.bought = new_post and private in self.table.markers and private not in self.table.turned
        if not self.bought:
            self._end_turn()

    def _sell(self, player: str, certificates: str) -> None:
        """DO-4.4.5-a, DO-4.4.6-a: paid at the price before, then one row down for 10 %."""
        assert self.choosing
        company, percent = self.choosing
        table, shares = self.table, self.table.shares[company]
        new = self.successor(player, company, percent)
        if new:
            shares.hand_over(new)
        for size in certificates.split("+"):
            shares.move(int(size), player, POOL)
        table.pay(BANK, player, table.price(company) * percent // 10, STOCK)
        table.down(company, percent // 10)
        self.choosing = None
        self.sold[player].add(company)
        self.sold_now.add(company)
        self._traded(player)

    def _traded(self, player: str) -> None:
        self.last_trader = player
        self.passes = -1

    def _end_turn(self) -> None:
        """A turn without a trade is a pass; when all have passed in succession the round ends (DO-4.4-c)."""
        seats = self.table.circle
        self.passes += 1
        self.actor = seats[(seats.index(self.actor) + 1) % len(seats)]
        self.sold_now, self.bought = set(), False
        if self.passes == len(seats):
            self._close()

    def go_on(self) -> None:
        """Who can neither sell nor buy is passed over."""
        while not self.over and not self.choosing and not self._waits():
            self._end_turn()

    def _waits(self) -> bool:
        return self.bought or self.can_sell() or self.can_buy()

    def _close(self) -> None:
        """DO-4.4.6-b: sold-out railways rise one row, in operating order (R-116)."""
        table = self.table
        self.over = True
        for name in table.order(set(table.at)):
            if table.shares[name].held(table.circle) == 100:
                table.up(name)

    def next_first(self) -> str:
        """The start card goes to the left of the last who traded (DO-4.4-c)."""
        seats = self.table.circle
        return seats[(seats.index(self.last_trader) + 1) % len(seats)] if self.last_trader else self.first
