"""Certificates that companies deal in, and forced purchases, as the referee of Heat, Sweat & Beer reads them.

Rulebook 4.5, 4.5.7.4, 4.5.7.5, 6.5.2.1, 6.5.2.7; rulings R-21 to R-25, R-48, R-129.
"""

from __future__ import annotations

from dataclasses import dataclass

from workshop.referees.do.hsb_stock import StockRounds
from workshop.referees.do.hsb_table import BANK, BREWERY, POOL, Company, Pause, must, sets_of, small_first
from workshop.referees.whistle import Plain


@dataclass(frozen=True)
class Goal:
    """A card that may be bought in a forced purchase."""

    card: str
    source: str
    price: int


class Raising(StockRounds):
    """What a company and its director may sell in the company's turn."""

    def __init__(self, beginning: Plain) -> None:
        #: Where in a company's turn the game is.
        self.step = ""
        #: The one certificate deal of a company's turn.
        self.dealt = False
        #: After certificates were sold for a forced purchase: what they were sold for.
        self.goals: set[Goal] | None = None
        super().__init__(beginning)

    # ------------------------------------------------------------------ the deal of a turn

    def deals(self, company: Company) -> list[int]:
        """Which certificates it may sell as the deal of its turn."""
        if self.dealt:
            return []
        room = self.pool_limit - company.held(POOL)
        return [size for size in self.own_sales(company) if size <= room]

    def buys_back(self, company: Company) -> list[int]:
        """Which certificates it may buy back."""
        if self.dealt:
            return []
        sizes = sorted(set(company.ordinary(POOL)))
        return [size for size in sizes if self.price(company) * size // 10 <= self.cash[company.name]]

    def sell_own(self, company: Company, sizes: tuple[int, ...]) -> bool:
        """One left for each 10 %, paid at the price before (R-21); whether it is bankrupt by that."""
        percent = sum(sizes)
        for size in sizes:
            company.move(size, company.name, POOL)
        self.pay(BANK, company.name, self.price(company) * percent // 10)
        return self.shift(company, -percent // 10)

    def buy_own_share(self, player: str, move: Plain, really: bool) -> None:
        """A certificate from the pool, no move of the price (DO-4.5-d)."""
        company = self.acting(player, move)
        must(move["percent"] in self.buys_back(company), "DO-4.5-d: no such certificate, money, or one deal a turn")
        if really:
            self.pay(company.name, BANK, self.price(company) * move["percent"] // 10)
            company.move(move["percent"], POOL, company.name)
            self.dealt = True

    def acting(self, player: str, move: Plain) -> Company:
        """The corporation on turn, which the player directs."""
        must(self.kind in ("operating", "brewing"), "DO-4.5-d: in its own turn")
        must(move["company"] == self.actor, "DO-4.5-e: another company is on turn")
        company = self.companies[self.actor]
        must(self.decider(company) == player, "DO-4.3.2.2-a: not the director")
        return company

    # ------------------------------------------------------------------ forced purchases

    def all_goals(self, company: Company) -> set[Goal]:
        """What a company that must buy may buy by force: new cards, of 6 and 8 only the 6; trains in the pool."""
        new = self.on_display()[:1]
        goals = {Goal(card, BANK, self.card_price(card)) for card in new}
        if company.kind != BREWERY:
            goals |= {Goal(card, POOL, self.card_price(card)) for card in self.pool}
        return goals

    def forced(self, company: Company) -> bool:
        """Its treasury is below the price of the cheapest new card, and its one certificate is sold (R-23, R-24)."""
        new = self.on_display()[:1]
        if not new or self.has_cards(company):
            return False
        return self.cash[company.name] < self.card_price(new[0]) and not self.deals(company)

    def has_cards(self, company: Company) -> bool:
        return bool(self.equipment.get(company.name) if company.kind == BREWERY else company.trains)

    def aims(self, company: Company) -> set[Goal]:
        """What is still aimed at."""
        goals = self.all_goals(company)
        return goals if self.goals is None else self.goals & goals

    def needed(self, company: Company, sizes: list[int], percent: int, missing: int) -> bool:
        """As few shares as do, all if that is not enough (DO-4.5.7.5-c); they are sold at once (R-129)."""
        price = self.price(company)
        shares = [n for n in range(10, sum(sizes) + 10, 10) if sets_of(sizes, n)]
        enough = [n for n in shares if price * n // 10 >= missing]
        return missing > 0 and percent in shares and percent == min(enough, default=max(shares))

    def own_aims(self, company: Company, percent: int) -> set[Goal]:
        """Step 2: for which purchases the company must sell this share of itself."""
        treasury = self.cash[company.name]
        return {
            goal for goal in self.aims(company) if self.needed(company, company.stack(), percent, goal.price - treasury)
        }

    def sell_own_shares(self, player: str, move: Plain, really: bool) -> None:
        """The deal of the turn, or step 2 of a forced purchase."""
        company = self.acting(player, move)
        percent = move["percent"]
        if percent in self.deals(company):
            if really:
                self.dealt = True
                if self.sell_own(company, (percent,)):
                    self.company_over()
            return
        must(self.step in ("trains", "equipment") and self.forced(company), "DO-4.5-d: one certificate in a turn")
        aims = self.own_aims(company, percent)
        must(aims, "DO-4.5.7.5-b, -c: only as many as needed")
        if really:
            self.goals = aims
            if self.sell_own(company, small_first(company.stack(), percent)):
                self.company_over()

    def company_over(self) -> None:
        """The turn of a bankrupt company ends."""
        raise NotImplementedError

    def spare(self, company: Company) -> int:
        """How much a director may sell without a change of director."""
        director = company.director
        others = max(company.held(player) for player in self.holders() if player != director)
        return min(sum(company.ordinary(director)), company.held(director) - others)

    def saleable(self, company: Company) -> list[int]:
        """What a director can sell: whole certificates that bring no change of director."""
        sizes = company.ordinary(company.director)
        return [n for n in range(10, self.spare(company) + 10, 10) if sets_of(sizes, n)]

    def director_aims(self, company: Company, percent: int) -> set[Goal]:
        """Step 4: for which purchases the director must sell this share."""
        shares = self.saleable(company)
        if company.stack() or percent not in shares:
            return set()
        purse = self.cash[company.name] + self.cash[company.director]
        price = self.price(company)

        def most_fitting(missing: int) -> int:
            return min((n for n in shares if price * n // 10 >= missing), default=max(shares))

        return {
            goal for goal in self.aims(company) if goal.price > purse and percent == most_fitting(goal.price - purse)
        }

    def forced_sale(self, player: str, move: Plain, really: bool) -> None:
        """A director sells own certificates of the company (DO-4.5.7.5-b, R-48)."""
        company = self.acting(player, move)
        must(self.step in ("trains", "equipment") and self.forced(company), "DO-4.5.7.5-b: no forced purchase")
        percent = move["percent"]
        must(0 < percent <= self.spare(company), "DO-4.5.7.5-c: no change of director")
        aims = self.director_aims(company, percent)
        must(aims, "DO-4.5.7.5-b, -c: in this order, only as many as needed")
        if really:
            self.goals = aims
            sets = sets_of(company.ordinary(player), percent)
            if len(sets) > 1:
                self.pauses.append(Pause("hand_over", player, company.name, {"sets": sets}))
            else:
                self.sell_by_force(company, next(iter(sets)))

    def sell_by_force(self, company: Company, sizes: tuple[int, ...]) -> None:
        """A director's certificates go to the pool, beyond half if need be; the price falls (DO-4.5.7.5-c, R-48)."""
        for size in sizes:
            company.move(size, company.director, POOL)
        self.pay(BANK, company.director, self.price(company) * sum(sizes) // 10)
        if self.shift(company, -sum(sizes) // 10):
            self.company_over()

    def loan_aims(self, company: Company, amount: int) -> set[Goal]:
        """For which purchases exactly this amount is missing when nothing is left to sell (R-25)."""
        if company.stack() or self.saleable(company):
            return set()
        purse = self.cash[company.name] + self.cash[company.director]
        return {goal for goal in self.aims(company) if goal.price - purse == amount > 0}

    def take_loan(self, player: str, move: Plain, really: bool) -> None:
        """What is still missing the bank lends to the director (DO-4.5.7.5-d)."""
        company = self.acting(player, move)
        must(self.step in ("trains", "equipment") and self.forced(company), "DO-4.5.7.5-d: no forced purchase")
        aims = self.loan_aims(company, move["amount"])
        must(aims, "DO-4.5.7.5-d: exactly what is missing, when nothing else is left")
        if really:
            self.goals = aims
            # A loan is not paid out, it only covers a price.
            self.cash[BANK] -= move["amount"]
            self.cash[player] += move["amount"]
            self.loans[player] += move["amount"]

    def may_force(self, company: Company, goal: Goal) -> bool:
        """Whether treasury and director's cash now pay for it, everything else being sold."""
        if not self.forced(company) or goal not in self.aims(company):
            return False
        if goal.price <= self.cash[company.name]:
            return True
        return not company.stack() and goal.price <= self.cash[company.name] + self.cash[company.director]

    def spend(self, company: Company, price: int) -> None:
        """The treasury pays, the director adds what is missing."""
        missing = price - self.cash[company.name]
        if missing > 0:
            self.pay(company.director, company.name, missing)
        self.pay(company.name, BANK, price)
