"""The Investor of the games for two: his companies, who decides for them, and what everybody should know of him."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import OfGame, put, record
from engine.rules import Listener, Remark, kind_of
from engine.state import BANK, State
from engine.steps.trade import Check, Trade
from titles.do.two.tables import InvestorSheet
from titles.rhineland.investor import INVESTOR, SITTER, HeldCard, card_holder

#: The kind of actor that his railway is.
INVESTED = "invested"


@dataclass(frozen=True, slots=True)
class InvestorDrawn(ev.Event):
    """The railway that was drawn for the Investor, and its price."""

    company: str
    price: int


@dataclass(frozen=True, slots=True)
class LoanRepaid(ev.Event):
    """A company of the Investor pays back what it owes, as far as its income goes."""

    company: str
    amount: int
    left: int


@record("do.investor", told="investor")
@dataclass(slots=True)
class Investment(OfGame):
    """His railway, whether he has bought it, the railways of players that have floated, and what his companies owe."""

    company: str = ""
    founded: bool = False
    floats: list[str] = field(default_factory=list)
    owed: dict[str, int] = field(default_factory=dict)


def investment(game: Game) -> Investment:
    return Investment.of(game)


# ---------------------------------------------------------------------- shares


#: His companies.
Own = Callable[[Game], tuple[str, ...]]


def his_alone(own: Own) -> Check:
    """DO-8.2-a: nobody else founds a company of his, or comes to hold more of it than he does."""

    def check(game: Game, trade: Trade) -> Refused | None:
        if trade.player == INVESTOR or trade.company not in own(game):
            return None
        if not game.company(trade.company).director:
            return game.refuse("investor.company", company=trade.company)
        share = shares.held(game, trade.company, INVESTOR)
        if shares.held(game, trade.company, trade.player) + trade.percent > share:
            return game.refuse("investor.company.more", company=trade.company, percent=share)
        return None

    return check


def railway_floated(game: Game, event: ev.CompanyFloated) -> None:
    """DO-8.3.3-a: a railway that a player has founded acts from now on; he waits for some of them."""
    his = investment(game)
    if kind_of(game, event.company) == "railway" and event.company not in (his.company, *his.floats):
        his.floats.append(event.company)


def owe(game: Game, company: str, amount: int) -> None:
    owed = investment(game).owed
    owed[company] = owed.get(company, 0) + amount


def repay(game: Game, company: str, income: int) -> None:
    """DO-8.2.2.1-e: what a company keeps of its income goes to the bank first, as long as it owes something."""
    owed = investment(game).owed
    amount = min(income, owed.get(company, 0))
    if not amount:
        return
    owed[company] -= amount
    game.pay(company, BANK, amount, "loan")
    game.emit(LoanRepaid(company, amount, owed[company]))
    if not owed[company]:
        del owed[company]


# ---------------------------------------------------------------------- what is told, what must hold


class Seat(Mechanism):
    """DO-8.2-a: the Investor's place at the table, his railway and his money, and what others may not do about them."""

    def __init__(self, definition: Definition, sheet: InvestorSheet, clauses: Mapping[str, str], own: Own) -> None:
        self.definition = definition
        self.sheet = sheet
        self.ids = clauses
        self.own = own

    def lay_out(self, state: State, chance: random.Random) -> None:
        """He has a place, money out of the bank, and a railway that nobody has founded yet."""
        cash = self.definition.starting_cash[len(state.seats)]
        state.seatless.append(INVESTOR)
        state.cash[INVESTOR], state.loans[INVESTOR] = cash, 0
        state.cash[BANK] -= cash
        put(state, Investment(chance.choice(self.sheet.railways)))
        put(state, HeldCard())

    def clauses(self) -> Mapping[str, str]:
        return self.ids

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.CompanyFloated: railway_floated}

    def buy(self) -> tuple[Check, ...]:
        return (his_alone(self.own),)

    def may_sell_trains(self, game: Game, company: str) -> bool:
        """His railway never sells a train."""
        return company not in self.own(game)

    def kind(self, game: Game, actor: str) -> str | None:
        if actor == INVESTOR:
            return SITTER
        return INVESTED if actor == investment(game).company else None

    def decides(self, game: Game, actor: str) -> str | None:
        """Whoever holds the card decides for his railway."""
        return card_holder(game) if actor == investment(game).company else None

    def remarks(self, game: Game) -> list[Remark]:
        """His railway, who holds his card, and what his companies owe."""
        if game.finished:
            return []
        his, card = investment(game), card_holder(game)
        key = "investor_card" if card else "investor_waits"
        found = [Remark(key, {"company": his.company, **({"player": card} if card else {})})]
        return found + [Remark("investor_owes", {"company": name, "amount": sum_}) for name, sum_ in his.owed.items()]

    def faults(self, game: Game) -> list[str]:
        """Nobody else directs his companies or holds most of one, and he directs no other."""
        own, result = self.own(game), []
        for name, company in game.state.companies.items():
            held = shares.held(game, name, INVESTOR)
            if name in own:
                if company.director not in ("", INVESTOR):
                    result.append(f"{company.director} directs {name}")
                result += [
                    f"{player} holds more of {name} than the Investor"
                    for player in game.state.seats
                    if company.director and shares.held(game, name, player) > held
                ]
            elif company.director == INVESTOR:
                result.append(f"the Investor directs {name}")
            elif held > self.sheet.share_limit:
                result.append(f"the Investor holds {held} % of {name}")
        result += [f"{name} owes {amount}" for name, amount in investment(game).owed.items() if amount <= 0]
        return result


def certificate(game: Game, company: str, percent: int) -> dict[str, Any]:
    """A certificate as remarks tell of it."""
    return {"company": company, "percent": percent, "value": game.prices.value(company)}
