"""A company's own deal: once a turn it sells one of its certificates to the pool, or buys one back.

`place` says where its own certificates lie: in the offering, or on its charter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.prices import ShareSale, rules_of
from engine.finance.raising import Need, Source, raising
from engine.moves import BuyOwnShare, Move, SellOwnShares
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Dealt
from engine.rounds.turns import Extra, Turn
from engine.state import BANK, OFFERING, POOL

if TYPE_CHECKING:
    from engine.game import Game

#: Where a company's own certificates lie.
Place = Callable[[str], str]


def in_offering(company: str) -> str:
    return OFFERING


def on_charter(company: str) -> str:
    return company


def sizes(game: Game, company: str, source: str) -> list[int]:
    """The sizes of a company's ordinary certificates in some place."""
    found = [shares.percent_of(game, company, number) for number in shares.numbers(game, company, source) if number]
    return sorted(dict.fromkeys(found))


def for_sale(game: Game, company: str, place: Place) -> list[int]:
    """The sizes of which a company may sell one certificate now."""
    if Dealt.of(game).deal:
        return []
    space = game.definition.pool_limit - shares.held(game, company, POOL)
    return [percent for percent in sizes(game, company, place(company)) if percent <= space]


def to_buy(game: Game, company: str) -> list[int]:
    """The sizes of which a company may buy one certificate back now."""
    if Dealt.of(game).deal:
        return []
    cash = game.state.cash[company]
    return [percent for percent in sizes(game, company, POOL) if shares.worth(game, company, percent) <= cash]


def _number(game: Game, company: str, source: str, percent: int) -> int:
    return next(
        n for n in shares.numbers(game, company, source) if n and shares.percent_of(game, company, n) == percent
    )


def sell_one(game: Game, company: str, percent: int, place: Place) -> None:
    """The company gets the value before the sale, then its price moves as with any sale of its own."""
    amount = shares.worth(game, company, percent)
    shares.move(game, company, _number(game, company, place(company), percent), POOL)
    game.emit(ev.SharesSold(company, company, percent, amount))
    game.pay(BANK, company, amount, "own_shares", company)
    Dealt.of(game).deal = True
    rules_of(game, company).sale(game, ShareSale(company, company, percent, game.company(company).director))


class SellOneChoice(Choice[SellOwnShares]):
    """Sell one of the company's own certificates."""

    kind = SellOwnShares

    def __init__(self, game: Game, player: str, company: str, place: Place) -> None:
        super().__init__(game, player, company)
        self.place = place

    def percents(self) -> list[int]:
        return for_sale(self.game, self.company, self.place)

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        game = self.game
        return Options("percent", [Option(p, {"amount": shares.worth(game, self.company, p)}) for p in self.percents()])

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def check(self, move: SellOwnShares) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        if move.percent not in self.percents():
            raise sale_refused(self.game, self.company, move.percent, self.place)

    def perform(self, move: SellOwnShares) -> None:
        sell_one(self.game, self.company, move.percent, self.place)


def sale_refused(game: Game, company: str, percent: int, place: Place) -> Refused:
    """Why a company may not sell one of its certificates."""
    if Dealt.of(game).deal:
        return game.refuse("deal.one", company=company)
    if percent not in sizes(game, company, place(company)):
        return game.refuse("deal.none", company=company)
    return game.refuse("stock.pool", limit=game.definition.pool_limit, company=company)


class BuyBackChoice(Choice[BuyOwnShare]):
    """Buy one certificate from the pool back."""

    kind = BuyOwnShare

    def __init__(self, game: Game, player: str, company: str, place: Place) -> None:
        super().__init__(game, player, company)
        self.place = place

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
        if Dealt.of(game).deal:
            raise game.refuse("deal.one", company=company)
        if move.percent not in sizes(game, company, POOL):
            raise game.refuse("deal.none.pool", company=company)
        raise game.refuse("deal.money", company=company, cash=game.state.cash[company])

    def perform(self, move: BuyOwnShare) -> None:
        game, company = self.game, self.company
        amount = shares.worth(game, company, move.percent)
        game.pay(company, BANK, amount, "own_share", company)
        shares.move(game, company, _number(game, company, POOL, move.percent), self.place(company))
        game.emit(ev.ShareBoughtBack(company, move.percent, amount))
        Dealt.of(game).deal = True


class OwnDeal(Extra):
    """One deal a turn, at any moment, but not while money is raised.

    A turn stops for it in the steps `stops`: before anything is earned and before it ends; every other step that waits
    offers it. `sold` says whether the step itself offers the sale, where it comes before other money.
    """

    def __init__(
        self, place: Place, stops: tuple[str, ...], *, sold: Callable[[Turn], bool] = lambda turn: False
    ) -> None:
        self.place = place
        self.stops = stops
        self.sold = sold

    def keeps(self) -> Keeps:
        return (Dealt,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company = turn.game, turn.actor
        if Dealt.of(game).deal or raising(game):
            return []
        result: list[Choice[Any]] = []
        if for_sale(game, company, self.place) and not self.sold(turn):
            result.append(SellOneChoice(game, turn.decider, company, self.place))
        if to_buy(game, company):
            result.append(BuyBackChoice(game, turn.decider, company, self.place))
        return result

    def waits(self, turn: Turn) -> bool:
        return turn.game.state.round.step in self.stops and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, SellOwnShares) and move.company == turn.actor:
            raise sale_refused(turn.game, turn.actor, move.percent, self.place)
        if isinstance(move, BuyOwnShare) and move.company == turn.actor:
            BuyBackChoice(turn.game, move.player, turn.actor, self.place).check(move)


class OneOfItsOwn(Source):
    """In a forced purchase a company first sells one certificate of its own, if its deal is still open.

    It is the deal that it may make at any moment, so it begins no forced purchase: it may be enough.
    """

    def __init__(self, place: Place) -> None:
        self.place = place

    def most(self, need: Need) -> int:
        found = for_sale(need.game, need.company, self.place)
        return shares.worth(need.game, need.company, max(found)) if found else 0

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        # Where nothing can be paid it comes first all the same, before anybody adds money or goes bankrupt.
        if 0 < target <= need.treasury or not for_sale(need.game, need.company, self.place):
            return []
        return [SellOneChoice(need.game, need.decider, need.company, self.place)]
