"""The Investor of the games for two: his companies, who decides for them, and what everybody should know of him.

The title's fact `investor` holds `company` (his railway), `founded` (whether he has bought it), `card` (who holds
Investor's Railway), `floats` (railways of players that have floated) and `owed` (what his companies owe the bank).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.records import put
from engine.rules import Remark, kind_of, owner_or_director
from engine.state import BANK, State
from engine.steps.trade import Check, Trade
from titles.do.investor_tables import InvestorSheet
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


@dataclass(frozen=True, slots=True)
class Investment:
    """His railway, who holds the card for it, the railways of players that have floated, and what is owed."""

    company: str
    founded: bool
    card: str
    floats: list[str]
    owed: dict[str, int]


def investment(game: Game) -> Investment:
    facts = game.state.facts["investor"]
    return Investment(facts["company"], facts["founded"], card_holder(game), facts["floats"], facts["owed"])


def join(state: State, cash: int, railway: str) -> None:
    """He has a place, money out of the bank, and a railway that nobody has founded yet."""
    state.seatless.append(INVESTOR)
    state.cash[INVESTOR], state.loans[INVESTOR] = cash, 0
    state.cash[BANK] -= cash
    state.facts["investor"] = {"company": railway, "founded": False, "floats": [], "owed": {}}
    put(state, HeldCard())


# ---------------------------------------------------------------------- who acts how, who decides


def kind(game: Game, actor: str) -> str:
    if actor == INVESTOR:
        return SITTER
    return INVESTED if actor == investment(game).company else kind_of(game, actor)


def decides(game: Game, actor: str) -> str:
    """Whoever holds the card decides for his railway."""
    return card_holder(game) if actor == investment(game).company else owner_or_director(game, actor)


# ---------------------------------------------------------------------- shares


def his_alone(own: Callable[[Game], tuple[str, ...]]) -> Check:
    """Nobody else founds a company of his, or comes to hold more of it than he does."""

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
    """A railway that a player has founded acts from now on; he waits for some of them."""
    his = investment(game)
    if kind_of(game, event.company) == "railway" and event.company not in (his.company, *his.floats):
        his.floats.append(event.company)


def owe(game: Game, company: str, amount: int) -> None:
    owed = investment(game).owed
    owed[company] = owed.get(company, 0) + amount


def repay(game: Game, company: str, income: int) -> None:
    """What a company keeps of its income goes to the bank first, as long as it owes something."""
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


def remarks(game: Game) -> list[Remark]:
    """His railway, who holds his card, and what it owes."""
    his = investment(game)
    key = "investor_card" if his.card else "investor_waits"
    found = [Remark(key, {"company": his.company, **({"player": his.card} if his.card else {})})]
    return found + [Remark("investor_owes", {"company": name, "amount": sum_}) for name, sum_ in his.owed.items()]


def broken(sheet: InvestorSheet, own: tuple[str, ...], game: Game) -> list[str]:
    """What is wrong with the Investor and his companies."""
    result = []
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
        elif held > sheet.share_limit:
            result.append(f"the Investor holds {held} % of {name}")
    result += [f"{name} owes {amount}" for name, amount in investment(game).owed.items() if amount <= 0]
    return result


def certificate(game: Game, company: str, percent: int) -> dict[str, Any]:
    """A certificate as remarks tell of it."""
    return {"company": company, "percent": percent, "value": game.prices.value(company)}
