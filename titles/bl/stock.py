"""18BL's stock rounds: par and stock value, share limits, floating, the exchange of private 6, the round's end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.rounds.stock import StockRound
from engine.state import BANK, OFFERING, POOL
from titles.bl.tables import Exchange


@register("exchange_private")
@dataclass(frozen=True, slots=True)
class ExchangePrivate(Move):
    """Exchange a private company for certificates of a corporation."""

    private: str


class ExchangeChoice(Choice[ExchangePrivate]):
    """The exchange for 20 % of RhE, besides the normal action of a turn."""

    kind = ExchangePrivate

    def __init__(self, game: Game, player: str, stock: Stock, private: str) -> None:
        super().__init__(game, player)
        self.stock = stock
        self.private = private

    def ask(self, picked: Picked) -> Domain | None:
        if "private" in picked:
            return None
        company = self.stock.terms(self.game).corporation
        percent = self.stock.exchanged_percent(self.game)
        return Options("private", [Option(self.private, {"company": company, "percent": percent})])

    def move(self, picked: Picked) -> ExchangePrivate:
        return ExchangePrivate(self.player, picked["private"])

    def check(self, move: ExchangePrivate) -> None:
        if move.private != self.private:
            raise self.game.refuse("exchange", f"only {self.private} can be exchanged")
        self.stock.check_exchange(self.game, self.player)

    def perform(self, move: ExchangePrivate) -> None:
        self.stock.exchange(self.game, self.player)


class Stock(StockRound):
    """Offering at par, pool at the stock value; one space down for each 10 % sold."""

    def selling_allowed(self, game: Game) -> bool:
        return game.state.round.stock_number > 1

    def check_company_sale(self, game: Game, player: str, company: str) -> None:
        if not game.company(company).operated:
            raise game.refuse("stock.floated", f"{company} has not operated yet")

    def sources(self, game: Game, company: str) -> list[str]:
        return [OFFERING, POOL]

    def share_price(self, game: Game, company: str, source: str) -> int:
        return game.company(company).par if source == OFFERING else game.prices.value(company)

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source == OFFERING and game.company(company).floated else BANK

    # ------------------------------------------------------------------ limits

    def in_brown(self, game: Game, company: str) -> bool:
        return game.definition.market.marked(game.company(company).price, "b")

    def within_share_limit(self, game: Game, player: str, company: str, source: str, percent: int) -> bool:
        """60 %, one more 10 % from the offering, anything in the brown area (BL-7.2-d to BL-7.2-f)."""
        table = game.definition.tables.shares
        held = shares.held(game, company, player)
        if self.in_brown(game, company) or held + percent <= table.limit:
            return True
        return source == OFFERING and held == table.limit and held + percent <= table.limit_from_offering

    def excess(self, game: Game, player: str) -> list[str]:
        """Beside the certificate limit: nobody keeps more than 70 % outside the brown area (R51)."""
        most = game.definition.tables.shares.limit_from_offering
        return super().excess(game, player) + [
            company
            for company in game.state.companies
            if shares.held(game, company, player) > most and not self.in_brown(game, company)
        ]

    # ------------------------------------------------------------------ private 6

    def terms(self, game: Game) -> Exchange:
        terms: Exchange = game.definition.tables.exchange
        return terms

    def besides(self, game: Game, player: str) -> list[Choice[Any]]:
        private = self.terms(game).private
        if game.state.privates[private] != player:
            return []
        try:
            self.check_exchange(game, player)
        except Refused:
            return []
        return [ExchangeChoice(game, player, self, private)]

    def exchanged(self, game: Game) -> list[int]:
        """The certificates that the exchange brings: from the offering, missing ones from the pool (R06)."""
        terms = self.terms(game)
        company = terms.corporation
        found = [n for n in shares.numbers(game, company, OFFERING) if n] + shares.numbers(game, company, POOL)
        return found[: terms.certificates]

    def exchanged_percent(self, game: Game) -> int:
        company = self.terms(game).corporation
        return sum(shares.percent_of(game, company, number) for number in self.exchanged(game))

    def check_exchange(self, game: Game, player: str) -> None:
        terms = self.terms(game)
        company = terms.corporation
        if game.state.round.stock_number == 1:
            raise game.refuse("exchange", "there is no exchange in the first stock round")
        if not game.company(company).director or len(self.exchanged(game)) < terms.certificates:
            raise game.refuse("exchange", f"{company} is not founded or has too few certificates left")
        if shares.held(game, company, player) > terms.max_percent:
            raise game.refuse("exchange.share", f"{player} holds more than {terms.max_percent} % of {company}")
        if company in game.state.round.memory["sold"].get(player, ()):
            raise game.refuse("exchange.sold", f"{player} has sold {company} in this stock round")
        new = terms.certificates if game.rules.counts_for_limit(game, company) else 0
        if shares.certificates(game, player) - 1 + new > game.rules.certificate_limit(game):
            raise game.refuse("stock.limit", "the certificate limit leaves no room for the exchange")

    def exchange(self, game: Game, player: str) -> None:
        terms = self.terms(game)
        numbers = self.exchanged(game)
        percent = self.exchanged_percent(game)
        game.emit(ev.PrivateExchanged(player, terms.private, terms.corporation, percent))
        game.rules.close_private(game, terms.private)
        for number in numbers:
            shares.move(game, terms.corporation, number, player)
        shares.settle_director(game, terms.corporation)
        self.float_if_due(game, terms.corporation)

    def explain(self, game: Game, move: Move) -> None:
        if isinstance(move, ExchangePrivate):
            if game.state.privates.get(move.private) != move.player:
                raise game.refuse("exchange", f"{move.player} does not own {move.private!r:.20}")
            ExchangeChoice(game, move.player, self, self.terms(game).private).check(move)
        super().explain(game, move)

    # ------------------------------------------------------------------ floating and the round's end

    def float_if_due(self, game: Game, company: str) -> None:
        """At 50 % out of the offering the treasury gets five times par (BL-7.3-a)."""
        state = game.company(company)
        due = game.definition.corporations[company].float_percent
        if state.floated or 100 - shares.held(game, company, OFFERING) < due:
            return
        state.floated = True
        capital = state.par * due // 10
        game.pay(BANK, company, capital, f"{company} floats")
        game.emit(ev.CompanyFloated(company, capital))

    def acted(self, game: Game, player: str) -> None:
        game.state.round.memory["last_buyer"] = player
        super().acted(game, player)

    def round_ends(self, game: Game) -> None:
        state = game.state
        buyer = state.round.memory.get("last_buyer")
        if buyer:
            state.priority = game.after(buyer)
            game.emit(ev.PriorityMoved(state.priority))
        for company in game.prices.order():
            cell = game.company(company).price
            if cell is not None and all(owner in state.players for owner in game.company(company).certificates):
                game.rules.move_price(game, company, game.prices.up(cell), "sold out")
        game.rules.round_over(game)
