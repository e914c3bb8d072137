"""The Investor's turn in stock rounds: nobody decides, he buys the dearest certificate that he can pay for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.finance import shares
from engine.finance.prices import sell
from engine.game import Game
from engine.offer import Choice
from engine.remembered import Trading
from engine.rounds.stock import StockRound
from engine.rounds.turns import Step, Turn
from engine.rules import Remark
from engine.state import OFFERING, POOL
from engine.steps.trade import Trade, TradeStep, once_a_turn
from titles.do.two.investor import Own, certificate, investment
from titles.do.two.tables import InvestorSheet
from titles.rhineland.investor import INVESTOR

#: All companies that act, in the order in which they do.
Acting = Callable[[Game], list[str]]


@dataclass(frozen=True)
class Purchase:
    """A certificate that he buys, where it lies, and what he sells of other companies to pay for it."""

    company: str
    source: str
    percent: int
    sales: tuple[tuple[str, int], ...] = ()


class Dearest:
    """DO-8.2.1.1-a: what he buys in his next turn, by rules that leave no choice."""

    def __init__(self, sheet: InvestorSheet, trade: TradeStep, own: Own, acting: Acting) -> None:
        self.sheet = sheet
        self.trade = trade
        self.own = own
        self.acting = acting

    def ranked(self, game: Game) -> list[str]:
        """Companies that act, the dearest first; of one price that which acts first."""
        return sorted(self.acting(game), key=lambda company: -game.prices.value(company))

    def wanted(self, game: Game) -> Iterator[Purchase]:
        """The certificates that he may hold: from the company before the pool, the greatest that fits first."""
        trade, own = self.trade, self.own(game)
        for company in self.ranked(game):
            room = self.sheet.share_limit - shares.held(game, company, INVESTOR)
            for source in (company, POOL):
                for percent in sorted(shares.sizes(game, company, source), reverse=True):
                    if (
                        (company in own or percent <= room)
                        and trade.certificate(game, company, source, percent) is not None
                        and trade.no_purchase(game, Trade(INVESTOR, company, source, percent)) is None
                    ):
                        yield Purchase(company, source, percent)

    def saleable(self, game: Game, company: str) -> list[int]:
        """How much of a company he could sell in a turn of his: nothing of those that he directs."""
        trade = self.trade
        some = Trade(INVESTOR, company, POOL, 0)
        if any(check(game, some) is not None for check in trade.sell if check is not once_a_turn):
            return []
        holding = shares.held(game, company, INVESTOR)
        return [
            percent
            for percent in shares.steps(game, company, holding)
            if trade.not_so_much(game, Trade(INVESTOR, company, POOL, percent)) is None
        ]

    def sales(self, game: Game, missing: int, below: int) -> tuple[tuple[str, int], ...]:
        """What he sells of companies below a price, the cheapest first, no more than needed; maybe not enough."""
        found: list[tuple[str, int]] = []
        for company in reversed(self.ranked(game)):
            if missing <= 0 or game.prices.value(company) >= below:
                break
            parts = self.saleable(game, company)
            if parts:
                enough = [percent for percent in parts if shares.worth(game, company, percent) >= missing]
                part = min(enough, default=parts[-1])
                found.append((company, part))
                missing -= shares.worth(game, company, part)
        return tuple(found)

    def sell(self, game: Game, sales: tuple[tuple[str, int], ...]) -> None:
        for company, percent in sales:
            Trading.of(game).sold.setdefault(INVESTOR, []).append(company)
            sell(game, INVESTOR, company, percent)

    def next(self, game: Game) -> Purchase | None:
        """What he buys as things are; None if he passes."""
        if len(investment(game).floats) < self.sheet.waits_for:
            return None
        for found in self.wanted(game):
            cost = self.trade.cost(game, found.company, found.source, found.percent)
            missing = cost - game.state.cash[INVESTOR]
            if missing <= 0:
                return found
            sales = self.sales(game, missing, game.prices.value(found.company))
            if sum(shares.worth(game, *sale) for sale in sales) >= missing:
                return Purchase(found.company, found.source, found.percent, sales)
        return None


class InvestStep(Step):
    """DO-8.2.1.1-a: one purchase in each of his turns; the first founds his railway."""

    name = "invest"

    def __init__(self, dearest: Dearest) -> None:
        self.dearest = dearest

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game = turn.game
        his = investment(game)
        if not his.founded:
            self.found(game, his.company)
            return
        found = self.dearest.next(game)
        if found is None:
            game.emit(ev.Passed(INVESTOR, "", game.state.round.kind))
            return
        self.dearest.sell(game, found.sales)
        self.dearest.trade.bought(game, INVESTOR, found.company, found.source, found.percent)

    def found(self, game: Game, company: str) -> None:
        """He buys the director's certificate and as many others as make up his part, all at once."""
        sheet, trade = self.dearest.sheet, self.dearest.trade
        investment(game).founded = True
        state = game.company(company)
        state.par, state.director = sheet.railway_price, INVESTOR
        game.emit(ev.CompanyFounded(INVESTOR, company, state.par))
        floating = game.rules.floating[game.definition.corporations[company].kind]
        price = shares.worth(game, company, shares.percent_of(game, company, 0))
        game.pay(INVESTOR, floating.payee(game, company, OFFERING), price, "director", company)
        shares.move(game, company, 0, INVESTOR)
        floating.sold(game, company)
        while shares.held(game, company, INVESTOR) < sheet.start_share:
            trade.bought(game, INVESTOR, company, company, shares.unit(game, company))


class SharedStockRound(StockRound):
    """DO-8.2.1-a: a stock round in which the Investor passes like everybody else."""

    def passers(self, game: Game) -> list[str]:
        return self.actors(game)


def remarks(dearest: Dearest, game: Game) -> list[Remark]:
    """What he buys next, and what he sells for it."""
    his = investment(game)
    if game.state.round.kind != "stock":
        return []
    if not his.founded:
        return [Remark("investor_founds", {"company": his.company, "percent": dearest.sheet.start_share})]
    if len(his.floats) < dearest.sheet.waits_for:
        return [Remark("investor_bides", {"count": dearest.sheet.waits_for, "floated": len(his.floats)})]
    found = dearest.next(game)
    if found is None:
        return [Remark("investor_nothing")]
    place = "pool" if found.source == POOL else "charter"
    sales = [Remark("investor_sells", certificate(game, *sale)) for sale in found.sales]
    return [Remark(f"investor_next_{place}", certificate(game, found.company, found.percent)), *sales]
