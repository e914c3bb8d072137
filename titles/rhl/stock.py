"""18Rhl's stock rounds: what may be bought and sold when, floating, and the end of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.rounds.stock import StockRound
from engine.state import POOL

if TYPE_CHECKING:
    from titles.rhl.rules import Rhl


class Stock(StockRound):
    """One space down a sale, the richest begins next, sold-out companies rise."""

    #: Earlier edition: shares may be sold only once their company has operated.
    sale_after_operating = False
    #: Earlier edition: if several have the most cash, the player whose turn it would be begins.
    ties_by_turn = False

    def selling_allowed(self, game: Game) -> bool:
        return game.state.round.stock_number > 1

    def check_source(self, game: Game, company: str, source: str) -> None:
        if source == POOL and game.state.round.stock_number == 1:
            raise game.refuse("stock.first_pool", "nothing can be bought from the bank pool in the first stock round")

    def check_company_sale(self, game: Game, player: str, company: str) -> None:
        state = game.company(company)
        if not state.floated or (self.sale_after_operating and not state.operated):
            raise game.refuse("stock.floated", f"shares of {company} cannot be sold yet")

    def float_if_due(self, game: Game, company: str) -> None:
        due = game.definition.corporations[company].float_percent
        if not game.company(company).floated and shares.player_share(game, company) >= due:
            cast("Rhl", game.rules).float(game, company)

    def round_ends(self, game: Game) -> None:
        rules = cast("Rhl", game.rules)
        state = game.state
        # The previous holder comes last in a tie, so he is looked at last.
        order = game.from_seat(state.priority)
        richest = max([*order[1:], order[0]], key=lambda player: state.cash[player])
        tied = sum(state.cash[player] == state.cash[richest] for player in order) > 1
        state.priority = state.round.actor if tied and self.ties_by_turn else richest
        game.emit(ev.PriorityMoved(state.priority))
        for company in game.prices.order():
            if company in state.facts.get("to_rise", ()):
                rules.rise(game, company, "float")
        state.facts.pop("to_rise", None)
        for company in game.prices.order():
            if all(owner in state.seats for owner in game.company(company).certificates):
                rules.rise(game, company, "sold out")
        game.rules.round_over(game)
