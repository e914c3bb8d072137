"""A corporation's own deal: once a turn it sells a certificate from the offer to the pool, or buys one back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.prices import move_price
from engine.finance.raising import Need, Source
from engine.game import Game
from engine.moves import Move, SellOwnShares, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.rounds.turns import Extra, Turn
from engine.state import BANK, OFFERING, POOL


@register("buy_own_share")
@dataclass(frozen=True, slots=True)
class BuyOwnShare(Move):
    """A company buys one of its certificates from the pool back into the offer."""

    company: str
    percent: int


@dataclass(frozen=True, slots=True)
class ShareBoughtBack(ev.Event):
    company: str
    percent: int
    amount: int


def sizes(game: Game, company: str, source: str) -> list[int]:
    """The sizes of a company's ordinary certificates in the offer or the pool."""
    found = [shares.percent_of(game, company, number) for number in shares.numbers(game, company, source) if number]
    return sorted(dict.fromkeys(found))


def for_sale(game: Game, company: str) -> list[int]:
    """The sizes of which a company may sell one certificate now."""
    if game.state.round.turn.get("deal"):
        return []
    space = game.definition.pool_limit - shares.held(game, company, POOL)
    return [percent for percent in sizes(game, company, OFFERING) if percent <= space]


def to_buy(game: Game, company: str) -> list[int]:
    """The sizes of which a company may buy one certificate back now."""
    if game.state.round.turn.get("deal"):
        return []
    cash = game.state.cash[company]
    return [percent for percent in sizes(game, company, POOL) if shares.worth(game, company, percent) <= cash]


def _number(game: Game, company: str, source: str, percent: int) -> int:
    return next(
        n for n in shares.numbers(game, company, source) if n and shares.percent_of(game, company, n) == percent
    )


def sell_one(game: Game, company: str, percent: int) -> None:
    """The company gets the value before the move, then its price falls by one box."""
    amount = shares.worth(game, company, percent)
    shares.move(game, company, _number(game, company, OFFERING, percent), POOL)
    game.emit(ev.SharesSold(company, company, percent, amount))
    game.pay(BANK, company, amount, "own_shares", company)
    cell = game.company(company).price
    assert cell is not None
    move_price(game, company, game.prices.down(cell), "sale")
    game.state.round.turn["deal"] = True


class SellOneChoice(Choice[SellOwnShares]):
    """Sell one certificate from the offer."""

    kind = SellOwnShares

    def __init__(self, game: Game, player: str, company: str, percents: list[int], need: Need | None = None) -> None:
        super().__init__(game, player, company)
        self.percents = percents
        self.need = need

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        game = self.game
        return Options("percent", [Option(p, {"amount": shares.worth(game, self.company, p)}) for p in self.percents])

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def check(self, move: SellOwnShares) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        if move.percent not in self.percents:
            raise sale_refused(self.game, self.company, move.percent)

    def perform(self, move: SellOwnShares) -> None:
        if self.need is not None:
            self.need.remember(own=self.need.treasury)
        sell_one(self.game, self.company, move.percent)


def sale_refused(game: Game, company: str, percent: int) -> Refused:
    """Why a company may not sell one of its certificates."""
    if game.state.round.turn.get("deal"):
        return game.refuse("deal.one", company=company)
    if percent not in sizes(game, company, OFFERING):
        return game.refuse("deal.none", company=company)
    return game.refuse("stock.pool", limit=game.definition.pool_limit, company=company)


class BuyBackChoice(Choice[BuyOwnShare]):
    """Buy one certificate from the pool into the offer."""

    kind = BuyOwnShare

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        game, company = self.game, self.company
        return Options("percent", [Option(p, {"price": shares.worth(game, company, p)}) for p in to_buy(game, company)])

    def move(self, picked: Picked) -> BuyOwnShare:
        return BuyOwnShare(self.player, self.company, picked["percent"])

    def check(self, move: BuyOwnShare) -> None:
        game, company = self.game, self.company
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if move.percent in to_buy(game, company):
            return
        if game.state.round.turn.get("deal"):
            raise game.refuse("deal.one", company=company)
        if move.percent not in sizes(game, company, POOL):
            raise game.refuse("deal.none.pool", company=company)
        raise game.refuse("deal.money", company=company, cash=game.state.cash[company])

    def perform(self, move: BuyOwnShare) -> None:
        game, company = self.game, self.company
        amount = shares.worth(game, company, move.percent)
        game.pay(company, BANK, amount, "own_share", company)
        shares.move(game, company, _number(game, company, POOL, move.percent), OFFERING)
        game.emit(ShareBoughtBack(company, move.percent, amount))
        game.state.round.turn["deal"] = True


class OwnDeal(Extra):
    """One deal a turn, at any moment, but not while money is raised."""

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company = turn.game, turn.actor
        if turn.memory.get("deal") or "raising" in turn.memory:
            return []
        result: list[Choice[Any]] = []
        percents = for_sale(game, company)
        if percents:
            result.append(SellOneChoice(game, turn.decider, company, percents))
        if to_buy(game, company):
            result.append(BuyBackChoice(game, turn.decider, company))
        return result

    def waits(self, turn: Turn) -> bool:
        """A turn stops for it before anything is earned and before it ends; every other step that waits offers it."""
        return turn.game.state.round.step in ("income", "run", "trains", "spend") and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, SellOwnShares) and move.company == turn.actor:
            raise sale_refused(turn.game, turn.actor, move.percent)
        if isinstance(move, BuyOwnShare) and move.company == turn.actor:
            BuyBackChoice(turn.game, move.player, turn.actor).check(move)


class OneFromOffer(Source):
    """In a forced purchase a company first sells one certificate from the offer, if its deal is still open."""

    def percents(self, need: Need) -> list[int]:
        return for_sale(need.game, need.company)

    def most(self, need: Need) -> int:
        found = self.percents(need)
        return shares.worth(need.game, need.company, max(found)) if found else 0

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        percents = self.percents(need)
        if not percents or target <= need.treasury:
            return []
        return [SellOneChoice(need.game, need.decider, need.company, percents, need)]
