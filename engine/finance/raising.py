"""Raising money that somebody must pay: for a train, equipment, whatever has a price.

A title lists the sources in their order, in tiers: a tier is asked when those before it have nothing more to give, and
the sources of one tier stand beside each other. Over the whole of the raising nothing is given in vain: a thing is
bought only if it could not have been paid without the smallest certificate that was sold for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import hand_over_and_sell
from engine.finance.prices import ShareSale, rules_of
from engine.moves import GoBankrupt, Move, SellOwnShares, SellShares, TakeLoan
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import ENDLESS, Raised
from engine.state import BANK, POOL

if TYPE_CHECKING:
    from engine.game import Game


def raising(game: Game) -> bool:
    """Whether money is being raised in the turn going on."""
    now = Raised.seen(game)
    return now is not None and now.begun


@dataclass(frozen=True)
class Need:
    """Money that a company must find for one of these prices; the payer adds what its treasury lacks."""

    game: Game
    company: str
    decider: str
    payer: str
    prices: tuple[int, ...]

    @property
    def raised(self) -> Raised:
        """What is remembered of the raising so far."""
        return Raised.of(self.game)

    @property
    def treasury(self) -> int:
        return self.game.state.cash[self.company]

    @property
    def all_cash(self) -> int:
        return self.treasury + self.game.state.cash[self.payer]

    def justifies(self, price: int, funds: int) -> bool:
        """Whether a price is one for which all that was raised was needed, with `funds` in hand."""
        raised = self.raised
        if raised.loan:
            return price == raised.loan
        return price > raised.own and price > funds - raised.least


class Source(ABC):
    """One source of money."""

    #: Whether it can always give what is missing.
    endless = False

    def ready(self, need: Need) -> int:
        """Money that it gives without a decision, once it is reached."""
        return 0

    def most(self, need: Need) -> int:
        """No more than this can be raised from it by decisions."""
        return 0

    @abstractmethod
    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        """What can be decided: `target` is the highest price worth raising for, `within` what can be had in all."""


class Cash(Source):
    """The payer's own money."""

    def ready(self, need: Need) -> int:
        return need.game.state.cash[need.payer]

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        return []


# ---------------------------------------------------------------------- own shares


def printed_room(game: Game, company: str) -> int:
    """How much of a company the pool can still take by its printed limit, in per cent."""
    return game.definition.pool_limit - shares.held(game, company, POOL)


def any_room(game: Game, company: str) -> int:
    """The pool takes everything."""
    return 100


class OwnShares(Source):
    """Certificates on the company's own charter, sold into the pool, which has `room` for them."""

    def __init__(self, room: Callable[[Game, str], int] = printed_room) -> None:
        self.room = room

    def percents(self, need: Need, target: int) -> list[int]:
        """How much the company may have to sell: no certificate too many."""
        game, company = need.game, need.company
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        missing = target - need.treasury
        if not owned or missing <= 0:
            return []
        result = []
        for percent in shares.steps(game, company, min(sum(owned.values()), self.room(game, company))):
            group = shares.subset(owned, percent)
            if group and shares.worth(game, company, percent - _smallest(game, company, group)) < missing:
                result.append(percent)
        return result

    def largest(self, need: Need) -> int:
        """The most that can be sold at once, in per cent; 0 if nothing can."""
        game, company = need.game, need.company
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        steps = shares.steps(game, company, min(sum(owned.values()), self.room(game, company)))
        return max((percent for percent in steps if shares.subset(owned, percent)), default=0)

    def most(self, need: Need) -> int:
        return shares.worth(need.game, need.company, self.largest(need))

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        percents = self.percents(need, target)
        return [SellOwnSharesChoice(need, percents)] if percents else []


class SellOwnSharesChoice(Choice[SellOwnShares]):
    """In a forced purchase a company first sells its own certificates."""

    kind = SellOwnShares

    def __init__(self, need: Need, percents: list[int]) -> None:
        super().__init__(need.game, need.decider, need.company)
        self.need = need
        self.percents = percents

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        return Options(
            "percent", [Option(p, {"amount": shares.worth(self.game, self.company, p)}) for p in self.percents]
        )

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def after(self, percent: int) -> Game:
        """A copy of the game in which so much is sold."""
        twin = self.game.copy()
        need = replace(self.need, game=twin)
        SellOwnSharesChoice(need, self.percents).perform(SellOwnShares(self.player, self.company, percent))
        return twin

    def check(self, move: SellOwnShares) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        if move.percent not in self.percents:
            raise game.refuse("forced.no_more.own", company=self.company, percent=move.percent)

    def perform(self, move: SellOwnShares) -> None:
        game, company = self.game, self.company
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        group = shares.subset(owned, move.percent)
        assert group is not None
        amount = shares.worth(game, company, move.percent)
        smallest = shares.worth(game, company, _smallest(game, company, group))
        raised = self.need.raised
        raised.begun, raised.own = True, self.need.treasury + amount - smallest
        sale = ShareSale(company, company, move.percent, game.company(company).director)
        for number in group:
            shares.move(game, company, number, POOL)
        game.emit(ev.SharesSold(company, company, move.percent, amount))
        game.pay(BANK, company, amount, "own_shares")
        rules_of(game, company).sale(game, sale)


# ---------------------------------------------------------------------- the payer's shares

#: Why shares of a company may not be sold now, None if they may: game, acting company, company of the shares.
MaySell = Callable[["Game", str, str], Refused | None]


#: A company, a percentage of it, and the certificates of which that is made up, by their sizes.
Part = tuple[str, int, str]

#: Percentage, certificates, what it brings, what its smallest certificate brings.
Offered = tuple[int, str, int, int]


def _completes(prices: list[int], funds: int, least: int, offers: Mapping[str, list[Offered]]) -> bool:
    """Whether further sales, at most one of each company, can pay a price without a certificate too many.

    The sum must reach the price, and without the smallest certificate of all it must not. So for each bound on the
    smallest certificate the sums of the sales that keep it are looked at, as bits of one number.
    """
    bounds = sorted({each[3] for sales in offers.values() for each in sales if each[3] < least} | {least})
    for bound in bounds:
        sums = 1
        for sales in offers.values():
            grown = sums
            for _, _, amount, smallest in sales:
                if smallest >= bound:
                    grown |= sums << amount
            sums = grown
        for price in prices:
            low = max(0, price - funds)
            high = price - funds + bound
            if high > low and sums >> low & (1 << min(high - low, sums.bit_length())) - 1:
                return True
    return False


def any_time(game: Game, acting: str, company: str) -> Refused | None:
    return None


class Shares(Source):
    """Certificates of the payer, sold into the pool, no more than needed."""

    def __init__(
        self,
        *,
        may_sell: MaySell = any_time,
        may_depose: Callable[[str, str], bool] = lambda acting, company: False,
        once: bool = False,
        room: Callable[[Game, str], int] = printed_room,
    ) -> None:
        self.may_sell = may_sell
        #: Whether a sale may change the director of a company: the acting company, the company of the shares.
        self.may_depose = may_depose
        #: Whether the shares of a company can be sold only once.
        self.once = once
        self.room = room

    def saleable(self, need: Need) -> list[Part]:
        """Each sale that the rules allow, needed or not."""
        game = need.game
        result = []
        for name, state in game.state.companies.items():
            if not state.floated or self.may_sell(game, need.company, name) is not None:
                continue
            space = self.room(game, name)
            for percent in shares.steps(game, name, min(shares.held(game, name, need.payer), space)):
                plan = shares.sale_mixes(game, name, need.payer, percent)
                if plan is not None and (plan[1] == state.director or self.may_depose(need.company, name)):
                    result += [(name, percent, mix) for mix in plan[0]]
        return result

    def offers(self, need: Need) -> dict[str, list[Offered]]:
        """For each company the sales that the rules allow, with what they bring."""
        game = need.game
        result: dict[str, list[Offered]] = {}
        for name, percent, mix in self.saleable(need):
            smallest = shares.worth(game, name, shares.smallest(mix))
            result.setdefault(name, []).append((percent, mix, shares.worth(game, name, percent), smallest))
        return result

    def most(self, need: Need) -> int:
        return sum(max(amount for _, _, amount, _ in sales) for sales in self.offers(need).values())

    def sales(self, need: Need, target: int, within: int) -> list[Part]:
        """Each sale after which a price can be reached so that no certificate of the whole raising was sold in vain.

        If no such sale is left, those that bring a price within reach at all: rather that than a bankruptcy.
        """
        funds = need.all_cash
        if need.raised.loan or all(price <= funds for price in need.prices):
            return []
        offers = self.offers(need)
        least = need.raised.least
        floor = need.raised.own
        result = []
        for name, sales in offers.items():
            rest = {other: entries for other, entries in offers.items() if other != name}
            for percent, mix, amount, smallest in sales:
                kept = min(least, smallest)
                if within >= ENDLESS:
                    good = any(price > max(floor, funds + amount - kept) for price in need.prices)
                else:
                    more = {} if self.once else {name: [e for e in sales if e[0] <= sales[-1][0] - percent]}
                    wanted = [price for price in need.prices if price > floor]
                    good = _completes(wanted, funds + amount, kept, {**rest, **more})
                if good:
                    result.append((name, percent, mix))
        if result or within >= ENDLESS or any(price <= funds for price in need.prices):
            return result
        lowest = min(need.prices) - funds
        return [
            (name, percent, mix)
            for name, sales in offers.items()
            for percent, mix, amount, smallest in sales
            if need.prices[0] <= within and amount - smallest < lowest
        ]

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        sales = self.sales(need, target, within)
        return [ForcedSaleChoice(need, self, sales)] if sales else []

    def refusal(self, need: Need, name: str, percent: int) -> Refused:
        """Why a sale is not among those on offer."""
        game = need.game
        if name not in game.state.companies or shares.held(game, name, need.payer) < percent:
            return game.refuse("unknown.holding", player=need.payer, percent=percent, company=name)
        if percent > self.room(game, name):
            return game.refuse("forced.pool", limit=game.definition.pool_limit)
        if not game.company(name).floated:
            return game.refuse("stock.floated", company=name)
        unsaleable = self.may_sell(game, need.company, name)
        if unsaleable is not None:
            return unsaleable
        if all(entry[:2] != (name, percent) for entry in self.saleable(need)):
            return game.refuse("forced.director", company=name)
        return game.refuse("forced.no_more.sale")


class ForcedSaleChoice(Choice[SellShares]):
    """In a forced purchase the payer sells certificates, no more than needed."""

    kind = SellShares

    def __init__(self, need: Need, source: Shares, sales: list[Part]) -> None:
        super().__init__(need.game, need.decider, need.company)
        self.need = need
        self.source = source
        #: The mixes of certificates of which each sale may be made up.
        self.sales: dict[tuple[str, int], list[str]] = {}
        for company, percent, mix in sales:
            self.sales.setdefault((company, percent), []).append(mix)

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options(
                "company",
                [Option(c, {"price": self.game.prices.value(c)}) for c in dict.fromkeys(c for c, _ in self.sales)],
            )
        if "percent" not in picked:
            return Options(
                "percent",
                [Option(p, {"amount": shares.worth(self.game, c, p)}) for c, p in self.sales if c == picked["company"]],
            )
        return None

    def move(self, picked: Picked) -> SellShares:
        return SellShares(self.player, picked["company"], picked["percent"])

    def check(self, move: SellShares) -> None:
        if (move.company, move.percent) not in self.sales:
            raise self.source.refusal(self.need, move.company, move.percent)

    def perform(self, move: SellShares) -> None:
        self.need.raised.begun = True
        mixes = self.sales[move.company, move.percent]
        hand_over_and_sell(self.game, self.need.payer, move.company, move.percent, among=mixes)


# ---------------------------------------------------------------------- loans


class Loan(Source):
    """A loan from the bank for exactly what is missing."""

    endless = True

    def __init__(self, factor: int = 2) -> None:
        #: What is owed at the end for each Mark.
        self.factor = factor

    def sums(self, need: Need) -> dict[int, int]:
        """The sums that may be borrowed, each with the price that it makes up."""
        funds = need.all_cash
        return {p - funds: p for p in sorted(set(need.prices)) if p > funds and need.justifies(p, funds)}

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        return [LoanChoice(need, self)] if self.sums(need) else []


class LoanChoice(Choice[TakeLoan]):
    """In a forced purchase the payer borrows what is still missing."""

    kind = TakeLoan

    def __init__(self, need: Need, source: Loan) -> None:
        super().__init__(need.game, need.decider, need.company)
        self.need = need
        self.source = source

    def ask(self, picked: Picked) -> Domain | None:
        if "amount" in picked:
            return None
        owed = self.source.factor
        return Options("amount", [Option(a, {"owed": owed * a}) for a in self.source.sums(self.need)])

    def move(self, picked: Picked) -> TakeLoan:
        return TakeLoan(self.player, self.company, picked["amount"])

    def check(self, move: TakeLoan) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        if move.amount not in self.source.sums(self.need):
            raise self.game.refuse("forced.no_more.loan")

    def perform(self, move: TakeLoan) -> None:
        game, need = self.game, self.need
        need.raised.begun, need.raised.loan = True, self.source.sums(need)[move.amount]
        game.state.loans[need.payer] += move.amount
        game.pay(BANK, need.payer, move.amount, "loan")
        game.emit(ev.LoanTaken(need.payer, move.amount))


# ---------------------------------------------------------------------- all of it


class BankruptChoice(Choice[GoBankrupt]):
    """Nothing is left that could bring the money: the payer is bankrupt."""

    kind = GoBankrupt

    def __init__(self, need: Need) -> None:
        super().__init__(need.game, need.decider, need.company)
        self.need = need

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> GoBankrupt:
        return GoBankrupt(self.player, self.company)

    def check(self, move: GoBankrupt) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)

    def perform(self, move: GoBankrupt) -> None:
        self.game.rules.bankrupt(self.game, self.need.payer, self.company)


def director_of(game: Game, company: str) -> str:
    return game.company(company).director


class Raising:
    """The sources of money, in tiers, and who pays."""

    def __init__(self, *tiers: Source | tuple[Source, ...], payer: Callable[[Game, str], str] = director_of) -> None:
        self.tiers = tuple(tier if isinstance(tier, tuple) else (tier,) for tier in tiers)
        self.payer = payer

    def need(self, game: Game, company: str, prices: list[int]) -> Need:
        return Need(game, company, game.decider(company), self.payer(game, company), tuple(sorted(set(prices))))

    def begun(self, game: Game) -> bool:
        """Whether money has been raised in this turn."""
        return raising(game)

    def over(self, game: Game) -> None:
        """The money has been spent."""
        game.state.round.turn[Raised.KEY] = Raised()

    def target(self, need: Need, within: int) -> int:
        """The highest price within reach for which the company's own shares were not sold in vain."""
        floor = need.raised.own
        return max((price for price in need.prices if floor < price <= within), default=0)

    def within(self, need: Need) -> int:
        """All that can be had; ENDLESS if some source never dries up.

        The company's own certificates go first: they take room in the pool and may lower the price of what its
        director sells of it afterwards.
        """
        sources = [source for tier in self.tiers for source in tier]
        if any(source.endless for source in sources):
            return ENDLESS
        for source in sources:
            if isinstance(source, OwnShares) and (percent := source.largest(need)):
                return self.within(self._after(need, percent))
        return need.all_cash + sum(source.most(need) for source in sources)

    def _after(self, need: Need, percent: int) -> Need:
        """What is needed when so much of the company's own certificates is sold."""
        twin = SellOwnSharesChoice(need, [percent]).after(percent)
        return self.need(twin, need.company, list(need.prices))

    def _leads_on(self, need: Need) -> bool:
        """Whether something can be paid, or sold further."""
        return bool(self.choices(need) or self.payable(need))

    def _open(self, need: Need) -> tuple[int, list[Choice[Any]]]:
        """What lies ready, and what can be decided in the first tier that has anything to decide."""
        ready = need.treasury
        within = self.within(need)
        target = self.target(need, within)
        for tier in self.tiers:
            ready += sum(source.ready(need) for source in tier)
            found = [choice for source in tier for choice in source.choices(need, target, within)]
            if found and within < ENDLESS:
                # Nothing is sold if the money cannot be raised; what comes later waits for what comes first.
                return ready, [choice for choice in found if self._within_reach(need, choice, within)]
            if found:
                return ready, found
        return ready, []

    def _within_reach(self, need: Need, choice: Choice[Any], within: int) -> bool:
        """Whether a decision can lead to a price; the sales of a company that cannot are left out of it."""
        if isinstance(choice, ForcedSaleChoice | SellOwnSharesChoice) and within < min(need.prices):
            return False
        if isinstance(choice, SellOwnSharesChoice):
            choice.percents = [percent for percent in choice.percents if self._leads_on(self._after(need, percent))]
            return bool(choice.percents)
        return True

    def funds(self, need: Need) -> int:
        """What a purchase can use now: of each source only when those before it are used up."""
        return self._open(need)[0]

    def choices(self, need: Need) -> list[Choice[Any]]:
        return self._open(need)[1] if need.prices else []

    def payable(self, need: Need) -> list[int]:
        """The prices that can be paid now and for which nothing was raised in vain.

        If there is none and nothing more can be raised, any that can be paid: rather that than a bankruptcy.
        """
        ready, found = self._open(need)
        affordable = [price for price in need.prices if price <= ready]
        justified = [price for price in affordable if need.justifies(price, need.all_cash)]
        return justified if justified or found else affordable

    def refuse_sale(self, need: Need, move: Move) -> None:
        """Why a sale of certificates is not on offer."""
        if not isinstance(move, SellShares):
            return
        within = self.within(need)
        target = self.target(need, within)
        for tier in self.tiers:
            for source in tier:
                if isinstance(source, Shares):
                    raise source.refusal(need, move.company, move.percent)
            if any(source.choices(need, target, within) for source in tier):
                raise need.game.refuse("forced.order.own", company=need.company)

    def pay(self, need: Need, price: int) -> None:
        """The company pays the bank; the payer adds what is missing."""
        missing = price - need.treasury
        if missing > 0:
            need.game.pay(need.payer, need.company, missing, "forced")
            need.game.emit(ev.DirectorAdded(need.payer, need.company, missing))
        self.over(need.game)


def _smallest(game: Game, company: str, group: tuple[int, ...]) -> int:
    return min(shares.percent_of(game, company, number) for number in group)
