"""Where the money for a forced purchase comes from: the company's certificates, its director's cash, shares and a loan.

All certificates that are sold in one of these steps are sold at once and paid at the price before. The pool takes them
all, no more are sold than needed, and nobody loses an office by it.
"""

from __future__ import annotations

from engine.errors import Refused
from engine.finance import shares
from engine.finance.raising import Cash, Loan, Need, OwnShares, Part, Raising, Shares, any_room
from engine.game import Game
from engine.steps.dealing import OneOfItsOwn, on_charter


def enough(parts: list[int], price: int, missing: int, unit: int) -> int | None:
    """DO-4.5.7.5-c: the smallest of some parts that brings what is missing, or else the greatest."""
    return next((part for part in parts if part // unit * price >= missing), parts[-1] if parts else None)


class RestOfItsOwn(OwnShares):
    """DO-4.5.7.5-b: the company's other certificates: as many as a price needs, all of them if they do not reach."""

    def __init__(self) -> None:
        super().__init__(any_room)

    def percents(self, need: Need, target: int) -> list[int]:
        game, company = need.game, need.company
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        parts = [p for p in shares.steps(game, company, sum(owned.values())) if shares.subset(owned, p)]
        value, unit = game.prices.value(company), shares.unit(game, company)
        floor = need.raised.own
        wanted = [price - need.treasury for price in need.prices if price > max(need.treasury, floor)]
        found = [enough(parts, value, missing, unit) for missing in wanted]
        return sorted({percent for percent in found if percent})


class SharesOfIt(Shares):
    """DO-4.5.7.5-b: the director's certificates of the company that buys, and of no other."""

    def __init__(self) -> None:
        super().__init__(may_sell=only_of_it, room=any_room)

    def sales(self, need: Need, target: int, within: int) -> list[Part]:
        """As many as a price needs; all that may be sold if they do not reach."""
        game, company = need.game, need.company
        if need.raised.loan:
            return []
        saleable = self.saleable(need)
        parts = [percent for _, percent, _ in saleable]
        value, unit, funds = game.prices.value(company), shares.unit(game, company), need.all_cash
        wanted = [price - funds for price in need.prices if price > funds and need.justifies(price, funds)]
        found = [enough(parts, value, missing, unit) for missing in wanted]
        return [part for part in saleable if part[1] in found]


def only_of_it(game: Game, acting: str, company: str) -> Refused | None:
    """DO-4.5.7.5-c: certificates of other companies are never touched."""
    return game.refuse("forced.others", company=company) if company != acting else None


def raising(loan: Loan) -> Raising:
    """DO-4.5.7.5-b: the sources in their order, after the treasury."""
    return Raising(OneOfItsOwn(on_charter), RestOfItsOwn(), Cash(), SharesOfIt(), loan)
