"""Raising money in a forced purchase: own shares, the director's certificates, credit, bankruptcy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine.finance import shares
from engine.moves import GoBankrupt, SellOwnShares, SellShares, TakeCredit
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.state import BANK, POOL

if TYPE_CHECKING:
    from engine.game import Game
    from engine.steps.trains import TrainStep


def sell(game: Game, player: str, company: str, percent: int) -> None:
    """A player sells shares in the middle of an operating round."""
    amount = game.prices.value(company) * percent // 10
    shares.sell_to_pool(game, company, player, percent)
    game.emit(ev.SharesSold(player, company, percent, amount))
    game.pay(BANK, player, amount, f"sale of {company}")
    game.state.round.turn.setdefault("sold", []).append(company)
    game.rules.sale_moves_price(game, company, percent)


class SellOwnSharesChoice(Choice[SellOwnShares]):
    """In a forced purchase a company first sells its own certificates."""

    kind = SellOwnShares

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        value = self.game.prices.value(self.company)
        return Options(
            "percent",
            [
                Option(percent, {"amount": value * percent // 10})
                for percent in self.step.own_sales(self.game, self.company)
            ],
        )

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def check(self, move: SellOwnShares) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        if move.percent not in self.step.own_sales(game, self.company):
            raise game.refuse(
                "forced.no_more",
                f"{self.company} cannot sell {move.percent} %: more than needed, not in its hands, or too much "
                "for the bank pool",
            )

    def perform(self, move: SellOwnShares) -> None:
        game = self.game
        group = shares.subset(
            {n: shares.percent_of(game, self.company, n) for n in shares.numbers(game, self.company, self.company)},
            move.percent,
        )
        assert group is not None
        amount = game.prices.value(self.company) * move.percent // 10
        self.step.raised(game, self.company, game.state.cash[self.company], amount, group)
        for number in group:
            shares.move(game, self.company, number, POOL)
        game.emit(ev.SharesSold(self.company, self.company, move.percent, amount))
        game.pay(BANK, self.company, amount, "sale of own shares")
        game.rules.sale_moves_price(game, self.company, move.percent)


class ForcedSaleChoice(Choice[SellShares]):
    """In a forced purchase a director sells certificates, no more than needed."""

    kind = SellShares

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        sales = self.step.director_sales(self.game, self.company)
        if "company" not in picked:
            return Options(
                "company",
                [Option(c, {"price": self.game.prices.value(c)}) for c in dict.fromkeys(c for c, _ in sales)],
            )
        if "percent" not in picked:
            value = self.game.prices.value(picked["company"])
            return Options(
                "percent",
                [Option(p, {"amount": value * p // 10}) for c, p in sales if c == picked["company"]],
            )
        return None

    def move(self, picked: Picked) -> SellShares:
        return SellShares(self.player, picked["company"], picked["percent"])

    def check(self, move: SellShares) -> None:
        if (move.company, move.percent) not in self.step.director_sales(self.game, self.company):
            raise self.game.refuse(*self.step.why_no_sale(self.game, self.company, move.company, move.percent))

    def perform(self, move: SellShares) -> None:
        game, director = self.game, self.player
        plan = shares.sale(game, move.company, director, move.percent)
        assert plan is not None
        amount = game.prices.value(move.company) * move.percent // 10
        funds = game.state.cash[self.company] + game.state.cash[director]
        self.step.raised(game, move.company, funds, amount, plan[0])
        sell(game, director, move.company, move.percent)


class CreditChoice(Choice[TakeCredit]):
    """In a forced purchase a director borrows what is still missing."""

    kind = TakeCredit

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "amount" in picked:
            return None
        return Options("amount", [Option(a, {"owed": 2 * a}) for a in self.step.credits(self.game, self.company)])

    def move(self, picked: Picked) -> TakeCredit:
        return TakeCredit(self.player, self.company, picked["amount"])

    def check(self, move: TakeCredit) -> None:
        if move.amount not in self.step.credits(self.game, self.company):
            raise self.game.refuse("forced.no_more", "a credit is for exactly the sum that is missing")

    def perform(self, move: TakeCredit) -> None:
        game = self.game
        funds = game.state.cash[self.company] + game.state.cash[self.player]
        game.state.round.turn["raising"] = True
        game.state.round.turn["floor"] = funds + move.amount - 1
        game.state.credits[self.player] += move.amount
        game.pay(BANK, self.player, move.amount, "bank credit")
        game.emit(ev.CreditTaken(self.player, move.amount))


class BankruptChoice(Choice[GoBankrupt]):
    """Nothing is left to sell: the director is bankrupt."""

    kind = GoBankrupt

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> GoBankrupt:
        return GoBankrupt(self.player, self.company)

    def check(self, move: GoBankrupt) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", f"{self.company} is operating, not {move.company}")

    def perform(self, move: GoBankrupt) -> None:
        self.game.rules.bankrupt(self.game, self.player, self.company)
