"""Selling certificates, and raising money for a purchase that must be made; bankruptcy (5.3, 10.8.3 to 10.9, 14.4)."""

from __future__ import annotations

from itertools import combinations

from workshop.referees.ruhr.cards import close_private
from workshop.referees.ruhr.table import BANK, POOL, Question, Table, allowed, need
from workshop.referees.ruhr.works import transform

# ---------------------------------------------------------------------- a sale


def pool_room(table: Table, company: str) -> int:
    return int(table.sheet.raw["title"]["pool_limit"]) - table.held(company, POOL)


def successor(table: Table, seller: str, company: str, percent: int) -> str:
    """Who becomes director by this sale; nobody if the seller is not, or stays it."""
    here = table.companies[company]
    if here.director != seller:
        return ""
    remaining = table.held(company, seller) - percent
    if table.protected(company) and remaining >= table.sizes(company)[0]:
        return ""
    return table.heir(company, seller, remaining)


def judge_sale(table: Table, seller: str, company: str, percent: int, acting: str = "") -> None:
    """14.4 and 5.3: what may be sold to the pool; in a forced purchase the acting company keeps its director."""
    need(company in table.companies and table.sheet.kind[company] != "mine", "not for sale [RUHR-14.4-e]")
    here = table.companies[company]
    need(percent > 0 and table.held(company, seller) >= percent, "more than owned")
    need(here.operated and here.box is not None, "it has not operated yet [RUHR-14.4-a]")
    need(company not in table.fresh, "founded just before [RUHR-14.4-a]")
    need(percent <= pool_room(table, company), "the pool is full [RUHR-14.4-a]")
    new = successor(table, seller, company, percent)
    need(not (new and company == acting), "the acting company keeps its director [RUHR-10.8.4-d]")
    need(bool(ways(table, seller, company, percent)), "no certificates of this size, or the director's [RUHR-5.3-c]")


def ways(table: Table, seller: str, company: str, percent: int) -> list[str]:
    """The certificates that can make up a sale, as sizes joined by `+`, after the exchange with a new director."""
    papers = table.normal(company, seller)
    new = successor(table, seller, company, percent)
    if new:
        papers = sorted([*papers, *_given(table, company, new)], reverse=True)
    found = {
        "+".join(map(str, each))
        for number in range(1, len(papers) + 1)
        for each in combinations(papers, number)
        if sum(each) == percent
    }
    return sorted(found)


def _given(table: Table, company: str, new: str) -> list[int]:
    for number in (1, 2):
        for papers in combinations(table.normal(company, new), number):
            if sum(papers) == table.sizes(company)[0]:
                return list(papers)
    return []


def sell(table: Table, seller: str, company: str, percent: int, way: str) -> None:
    """The exchange first, then the sale; the price falls one box if the director sells (5.3, 14.5, R-50)."""
    directed = table.companies[company].director == seller
    new = successor(table, seller, company, percent)
    amount = table.worth(company, percent)
    aside = table.sheet.raw["aside"]
    if new:
        if table.protected(company):
            # 4.1.1: down to 10 per cent or nothing, the private company goes
            table.privates[aside["private"]] = "closed"
        table.exchange(company, new)
    for size in way.split("+"):
        table.move(company, int(size), seller, POOL)
    table.pay(BANK, seller, amount)
    if directed:
        table.shift(company, -1)
    table.settle_director(company)


def most(table: Table, seller: str, company: str, acting: str) -> int:
    """The most per cent of a company that somebody can sell at once."""
    for percent in range(table.held(company, seller), 0, -10):
        if allowed(judge_sale, table, seller, company, percent, acting):
            return percent
    return 0


# ---------------------------------------------------------------------- a forced purchase

#: What sales bring together, and the smallest certificate among them.
Sum = tuple[int, int]
ENDLESS = 10**6


def smallest(table: Table, company: str, way: str) -> int:
    """What the smallest certificate of a sale brings."""
    return min(table.worth(company, int(size)) for size in way.split("+"))


class Raising:
    """What a director may sell for a purchase that must be made at one of some prices, as the table stands now."""

    def __init__(self, table: Table, seller: str, acting: str, prices: list[int]) -> None:
        self.table, self.seller, self.acting, self.prices = table, seller, acting, prices
        self.have = table.cash[seller] + table.cash[acting]
        self.already = table.turn.get("raised", ENDLESS)
        found = {name: most(table, seller, name, acting) for name in table.in_order()}
        self.open = {name: percent for name, percent in found.items() if percent}
        #: Sales of each size by company: the certificates, what they bring, the smallest of them.
        self._sales = {
            name: {
                size: [(way, table.worth(name, size), smallest(table, name, way)) for way in self._ways(name, size)]
                for size in range(10, percent + 1, 10)
            }
            for name, percent in self.open.items()
        }
        self._known: dict[tuple[str, int], list[str]] = {}

    def _ways(self, company: str, percent: int) -> list[str]:
        return ways(self.table, self.seller, company, percent)

    def all(self) -> int:
        """All that the sales allowed bring."""
        return sum(self.table.worth(name, percent) for name, percent in self.open.items())

    def judge(self, company: str, percent: int) -> None:
        """10.8.4: no more certificates than needed: in the end each one sold must have been necessary."""
        judge_sale(self.table, self.seller, company, percent, self.acting)
        need(bool(self.ways(company, percent)), "more than needed [RUHR-10.8.4-d]")

    def ways(self, company: str, percent: int) -> list[str]:
        """The certificates that may make up a sale."""
        found = self._necessary(company, percent)
        if found:
            return found
        # Where no sale is so any more, one that does not exceed what is missing: rather that than a bankruptcy.
        missing = min(self.prices) - self.have
        if not 0 < missing <= self.all() or any(
            self._necessary(name, size) for name, sales in self._sales.items() for size in sales
        ):
            return []
        table = self.table
        amount = table.worth(company, percent)
        return [way for way in self._ways(company, percent) if amount - smallest(table, company, way) < missing]

    def _necessary(self, company: str, percent: int) -> list[str]:
        """The ways of a sale that can be completed so that without any one certificate it would not be enough."""
        if (company, percent) not in self._known:
            later = self._later(company, percent)
            amount = self.have + self.table.worth(company, percent)
            self._known[company, percent] = [
                way
                for way in self._ways(company, percent)
                if self._complete(amount, min(self.already, smallest(self.table, company, way)), later)
            ]
        return self._known[company, percent]

    def _complete(self, amount: int, least: int, later: set[Sum]) -> bool:
        return any(
            self.have < price <= amount + more < price + min(least, small)
            for price in self.prices
            for more, small in later
        )

    def _later(self, company: str, percent: int) -> set[Sum]:
        """What further sales can bring after one of a company, in all ways; nothing sold is one of them."""
        found: set[Sum] = {(0, ENDLESS)}
        for name, sales in self._sales.items():
            left = self.open[name] - (percent if name == company else 0)
            options = {(more, small) for size, row in sales.items() if size <= left for _, more, small in row}
            found |= {(total + more, min(least, small)) for total, least in found for more, small in options}
        return found


def go_bankrupt(table: Table, player: str, acting: str, price: int) -> None:
    """10.9, R-37, R-76: everything is sold or removed; what is there pays for the purchase."""
    for private, owner in table.privates.items():
        if owner == player:
            close_private(table, private)
    for mine in table.mines_of(player):
        transform(table, mine)
        if not table.mines_of(player):
            table.lost.append(player)
    for company in table.in_order():
        _sell_all(table, player, company)
    missing = max(0, min(price - table.cash[acting], table.cash[player]))
    table.pay(player, acting, missing)
    table.pay(player, BANK, table.cash[player])
    if table.priority == player:
        table.priority = table.left_of(player)[0]
    following = table.left_of(player)
    table.retired.append(player)
    table.seats.remove(player)
    for company in table.in_order():
        here = table.companies[company]
        if here.holders[0] == POOL and not here.director:
            order = [name for name in following if name != player]
            able = [name for name in order if table.held(company, name) >= table.sizes(company)[0]]
            if able:
                table.exchange(company, max(able, key=lambda name: table.held(company, name)))


def _sell_all(table: Table, player: str, company: str) -> None:
    here = table.companies[company]
    percent = table.held(company, player)
    if not percent:
        return
    directed = here.director == player
    amount = table.worth(company, percent)
    here.holders = [POOL if owner == player else owner for owner in here.holders]
    table.pay(BANK, player, amount)
    if directed:
        here.director = ""
        table.shift(company, -1)


def ask_way(table: Table, seller: str, company: str, percent: int, found: list[str]) -> bool:
    """Whether the seller has a choice of certificates, and is asked."""
    if len(found) < 2:
        return False
    table.questions.append(Question("hand_over", seller, {"company": company, "percent": percent, "ways": found}))
    return True
