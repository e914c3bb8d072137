"""Stock rounds of 18DO: what may be founded and bought, part payment with a small certificate, and who begins next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import WholeCertificates, settle_director
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Going, Trading
from engine.rounds.turns import Turn
from engine.state import POOL
from engine.steps.trade import (
    CHARTER,
    Check,
    Pars,
    Trade,
    TradeStep,
    at_price,
    certificate_limit,
    from_round,
    marked_by_colour,
    not_sold_before,
    once_a_turn,
    operated,
)
from titles.do.board.remembered import Failed


@register("trade_up")
@dataclass(frozen=True, slots=True)
class TradeUp(Move):
    """Buy a certificate of several shares and give one of a single share in part payment."""

    company: str
    source: str
    percent: int


@dataclass(frozen=True, slots=True)
class CertificateGiven(ev.Event):
    """A certificate of one share went to the seller of a greater one."""

    player: str
    company: str
    percent: int


# ---------------------------------------------------------------------- checks


def share_limit(most: Mapping[int, int]) -> Check:
    """DO-4.4.4-b: the most that somebody may hold of a company, in per cent, by the number of players."""

    def check(game: Game, trade: Trade) -> Refused | None:
        limit = most[len(game.players)]
        if shares.held(game, trade.company, trade.player) + trade.percent > limit:
            return game.refuse("stock.share_limit", player=trade.player, company=trade.company, limit=limit)
        return None

    return check


def opened(after: Mapping[str, str]) -> Check:
    """DO-4.3.2-c: some companies are founded only after another, which may be bankrupt again by then."""

    def founded(game: Game, company: str) -> bool:
        fallen = Failed.seen(game)
        return bool(game.company(company).director) or (fallen is not None and company in fallen.failed)

    def check(game: Game, trade: Trade) -> Refused | None:
        other = after.get(trade.company, "")
        if other in game.state.companies and not founded(game, trade.company) and not founded(game, other):
            return game.refuse("stock.opens", company=trade.company, other=other)
        return None

    return check


# ---------------------------------------------------------------------- the step


class TradeUpChoice(Choice[TradeUp]):
    """DO-4.4.3-b: buy a certificate of several shares with a small one of the same company as a part of the price."""

    kind = TradeUp

    def __init__(self, game: Game, player: str, step: DoTradeStep) -> None:
        super().__init__(game, player)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        offers = step.upgrades(game, self.player)
        if "company" not in picked:
            names = dict.fromkeys(company for company, _, _ in offers)
            return Options("company", [Option(c, {"price": game.prices.value(c)}) for c in names])
        if "source" not in picked:
            places = dict.fromkeys(source for company, source, _ in offers if company == picked["company"])
            return Options("source", [Option(source) for source in places])
        if "percent" not in picked:
            return Options(
                "percent",
                [
                    Option(percent, {"price": step.difference(game, company, source, percent)})
                    for company, source, percent in offers
                    if (company, source) == (picked["company"], picked["source"])
                ],
            )
        return None

    def move(self, picked: Picked) -> TradeUp:
        return TradeUp(self.player, picked["company"], picked["source"], picked["percent"])

    def check(self, move: TradeUp) -> None:
        refusal = self.step.no_upgrade(self.game, self.player, move.company, move.source, move.percent)
        if refusal:
            raise refusal

    def perform(self, move: TradeUp) -> None:
        self.step.traded_up(self.game, self.player, move.company, move.source, move.percent)


class DoTradeStep(TradeStep):
    """DO-4.4-b: a player's stock turn. Of companies of the kinds `chosen` the buyer picks any certificate, else the
    top one."""

    def __init__(
        self,
        *,
        buy: tuple[Check, ...],
        sell: tuple[Check, ...] = (from_round(2), operated, once_a_turn),
        pars: Pars = marked_by_colour,
        chosen: frozenset[str] = frozenset({"railway"}),
        parts: WholeCertificates | None = None,
    ) -> None:
        super().__init__(
            pars=pars,
            sources={CHARTER: at_price, POOL: at_price},
            buy=(certificate_limit, not_sold_before, *buy),
            sell=sell,
            parts=parts,
        )
        self.chosen = chosen

    def certificate(self, game: Game, company: str, source: str, percent: int) -> int | None:
        if game.definition.corporations[company].kind not in self.chosen:
            return super().certificate(game, company, source, percent)
        numbers = [number for number in shares.numbers(game, company, source) if number]
        return next((n for n in numbers if shares.percent_of(game, company, n) == percent), None)

    # ------------------------------------------------------------------ part payment

    def difference(self, game: Game, company: str, source: str, percent: int) -> int:
        """What is paid besides the small certificate."""
        return self.cost(game, company, source, percent - shares.unit(game, company))

    def small(self, game: Game, company: str, player: str) -> int | None:
        """A certificate of one share that a player could give."""
        unit = shares.unit(game, company)
        numbers = [number for number in shares.numbers(game, company, player) if number]
        return next((n for n in numbers if shares.percent_of(game, company, n) == unit), None)

    def no_upgrade(self, game: Game, player: str, company: str, source: str, percent: int) -> Refused | None:
        """Why a certificate cannot be had in this way; the certificate limit is kept, since one is given for one."""
        if company not in game.state.companies:
            return game.refuse("unknown.company", company=company)
        if not self.traded(game, company):
            return game.refuse("stock.order.founded", company=company)
        if source not in self.places(game, company):
            return game.refuse("stock.partner", source=source)
        unit = shares.unit(game, company)
        if percent <= unit or self.certificate(game, company, source, percent) is None:
            return game.refuse("stock.trade_up", company=company)
        if self.small(game, company, player) is None:
            return game.refuse("stock.trade_up.none", player=player, company=company)
        trade = Trade(player, company, source, percent - unit)
        for check in self.buy:
            refusal = check(game, trade) if check is not certificate_limit else None
            if refusal is not None:
                return refusal
        price = self.difference(game, company, source, percent)
        if price > game.state.cash[player]:
            return game.refuse("money.share", price=price)
        return None

    def upgrades(self, game: Game, player: str) -> list[tuple[str, str, int]]:
        """Company, source and share of every certificate that a player can have for a small one and money."""
        return [
            (name, source, percent)
            for name in game.state.companies
            if self.traded(game, name)
            for source in self.places(game, name)
            for percent in shares.sizes(game, name, source)
            if self.no_upgrade(game, player, name, source, percent) is None
        ]

    def traded_up(self, game: Game, player: str, company: str, source: str, percent: int) -> None:
        given = self.small(game, company, player)
        number = self.certificate(game, company, source, percent)
        assert given is not None
        assert number is not None
        floating = game.rules.floating[game.definition.corporations[company].kind]
        price = self.difference(game, company, source, percent)
        game.pay(player, floating.payee(game, company, source), price, "share", company)
        shares.move(game, company, given, source)
        shares.move(game, company, number, player)
        game.emit(CertificateGiven(player, company, shares.unit(game, company)))
        settle_director(game, company)
        floating.sold(game, company)
        self.acted(game, player)

    # ------------------------------------------------------------------ the turn

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        result = super().choices(turn)
        passing = [choice for choice in result if choice.name == "pass"]
        if Going.of(turn.game).acted or not passing or not self.upgrades(turn.game, turn.decider):
            return result
        return [*result[:-1], TradeUpChoice(turn.game, turn.decider, self), *passing]

    def waiting(self, turn: Turn) -> bool:
        if super().waiting(turn):
            return True
        return not Going.of(turn.game).acted and bool(self.upgrades(turn.game, turn.decider))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, TradeUp):
            TradeUpChoice(turn.game, move.player, self).check(move)
            if self.must_sell(turn.game, move.player):
                raise turn.game.refuse("stock.over")
        super().explain(turn, move)

    def sold(self, game: Game, player: str, company: str, percent: int) -> None:
        """A sale counts for the start card as well."""
        Trading.of(game).last_buyer = player
        super().sold(game, player, company, percent)
