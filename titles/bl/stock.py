"""18BL's stock rounds: par and stock value, share limits, floating, the exchange of private 6, the round's end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.closing import close_company, close_private
from engine.finance.handing import settle_director
from engine.finance.prices import ByRatio, Split
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Going, Trading
from engine.rounds.turns import Extra, Turn
from engine.state import BANK, OFFERING, POOL
from engine.steps.trade import Check, Over, Trade, TradeStep
from titles.bl import tables


@register("exchange_private")
@dataclass(frozen=True, slots=True)
class ExchangePrivate(Move):
    """Exchange a private company for certificates of a corporation."""

    private: str


@dataclass(frozen=True, slots=True)
class PrivateExchanged(ev.Event):
    player: str
    private: str
    company: str
    percent: int


class ExchangeChoice(Choice[ExchangePrivate]):
    """The exchange for 20 % of RhE, besides the normal action of a turn."""

    kind = ExchangePrivate

    def __init__(self, game: Game, player: str, exchange: Exchange) -> None:
        super().__init__(game, player)
        self.exchange = exchange
        self.private = exchange.terms.private

    def ask(self, picked: Picked) -> Domain | None:
        if "private" in picked:
            return None
        facts = {"company": self.exchange.terms.corporation, "percent": self.exchange.percent(self.game)}
        return Options("private", [Option(self.private, facts)])

    def move(self, picked: Picked) -> ExchangePrivate:
        return ExchangePrivate(self.player, picked["private"])

    def check(self, move: ExchangePrivate) -> None:
        if move.private != self.private:
            raise self.game.refuse("exchange.only", private=self.private)
        self.exchange.check(self.game, self.player)

    def perform(self, move: ExchangePrivate) -> None:
        self.exchange.perform(self.game, self.player)


# ---------------------------------------------------------------------- prices


def dividend_moves(table: tables.Dividend) -> Callable[[Game, str, Split], None]:
    """Right with a dividend, left without; one of 75 % moves the token only from a part of the price on (BL-8.7)."""
    whole = ByRatio(((0, 1),))
    smaller = ByRatio(((table.moves_at_percent, 1),))

    def move(game: Game, company: str, split: Split) -> None:
        (smaller if split.paid and split.kept else whole)(game, company, split)

    return move


def closes_in_red(game: Game, company: str, reason: str) -> None:
    """A token that arrives in the red area closes its corporation."""
    if game.definition.market.marked(game.company(company).price, "x"):
        close_company(game, company, reason)


# ---------------------------------------------------------------------- limits


def outside_zones(*marks: str) -> Callable[[Game, str], bool]:
    """Certificates of corporations on spaces with these marks do not count against the limit."""

    def counts(game: Game, company: str) -> bool:
        market, cell = game.definition.market, game.state.companies[company].price
        return not any(market.marked(cell, mark) for mark in marks)

    return counts


def in_brown(game: Game, company: str) -> bool:
    return game.definition.market.marked(game.company(company).price, "b")


def share_limit(table: tables.Shares) -> Check:
    """60 %, one more 10 % from the offering, anything in the brown area (BL-7.2-d to BL-7.2-f)."""

    def check(game: Game, trade: Trade) -> Refused | None:
        held = shares.held(game, trade.company, trade.player)
        after = held + trade.percent
        if after <= table.limit or in_brown(game, trade.company):
            return None
        if trade.source == OFFERING and held == table.limit and after <= table.limit_from_offering:
            return None
        return game.refuse("stock.share_limit", player=trade.player, company=trade.company)

    return check


def over_percent(table: tables.Shares) -> Over:
    """Nobody keeps more than 70 % outside the brown area (R51)."""

    def over(game: Game, player: str) -> list[str]:
        return [
            company
            for company in game.state.companies
            if shares.held(game, company, player) > table.limit_from_offering and not in_brown(game, company)
        ]

    return over


# ---------------------------------------------------------------------- floating


class FiveTimesPar:
    """At 50 % out of the offering the treasury gets five times par, later sales go to it (BL-7.3-a)."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source == OFFERING and game.company(company).floated else BANK

    def sold(self, game: Game, company: str) -> None:
        state = game.company(company)
        due = game.definition.corporations[company].float_percent
        if state.floated or 100 - shares.held(game, company, OFFERING) < due:
            return
        state.floated = True
        capital = shares.worth(game, company, due, state.par)
        game.pay(BANK, company, capital, "float", company)
        game.emit(ev.CompanyFloated(company, capital))

    def round_over(self, game: Game) -> None:
        """Nothing is left for the end of a stock round."""


# ---------------------------------------------------------------------- private 6


class Exchange(Extra):
    """A private company can be exchanged for shares, besides the normal action of a turn."""

    def __init__(self, terms: tables.Exchange, trade: TradeStep) -> None:
        self.terms = terms
        self.trade = trade

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, player = turn.game, turn.actor
        if game.state.privates[self.terms.private] != player:
            return []
        if not Going.of(turn.game).acted and self.trade.must_sell(game, player):
            return []
        try:
            self.check(game, player)
        except Refused:
            return []
        return [ExchangeChoice(game, player, self)]

    def explain(self, turn: Turn, move: Move) -> None:
        game = turn.game
        if isinstance(move, ExchangePrivate):
            if game.state.privates.get(move.private) != move.player:
                raise game.refuse("exchange.owner", player=move.player, private=move.private)
            ExchangeChoice(game, move.player, self).check(move)

    def certificates(self, game: Game) -> list[int]:
        """The certificates that the exchange brings: from the offering, missing ones from the pool (R06)."""
        company = self.terms.corporation
        found = [n for n in shares.numbers(game, company, OFFERING) if n] + shares.numbers(game, company, POOL)
        return found[: self.terms.certificates]

    def percent(self, game: Game) -> int:
        company = self.terms.corporation
        return sum(shares.percent_of(game, company, number) for number in self.certificates(game))

    def check(self, game: Game, player: str) -> None:
        terms = self.terms
        company = terms.corporation
        if game.state.round.stock_number == 1:
            raise game.refuse("exchange.first")
        if not game.company(company).director or len(self.certificates(game)) < terms.certificates:
            raise game.refuse("exchange.left", company=company)
        if shares.held(game, company, player) > terms.max_percent:
            raise game.refuse("exchange.share", player=player, percent=terms.max_percent, company=company)
        if company in Trading.of(game).sold.get(player, ()):
            raise game.refuse("exchange.sold", player=player, company=company)
        limits = game.rules.limits
        new = terms.certificates if limits.counts(game, company) else 0
        if shares.certificates(game, player) - 1 + new > limits.certificates(game, player):
            raise game.refuse("stock.limit.exchange")

    def perform(self, game: Game, player: str) -> None:
        terms = self.terms
        numbers = self.certificates(game)
        game.emit(PrivateExchanged(player, terms.private, terms.corporation, self.percent(game)))
        close_private(game, terms.private)
        for number in numbers:
            shares.move(game, terms.corporation, number, player)
        settle_director(game, terms.corporation)
        game.rules.floating["railway"].sold(game, terms.corporation)
