"""The duty of both players to buy a director's certificate in the first stock round (9.3)."""

from __future__ import annotations

from typing import Any

from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.moves import Move, Pass
from engine.offer import Choice
from engine.remembered import Going
from engine.rounds.turns import Turn
from engine.state import OFFERING
from engine.steps.trade import Check, Trade, TradeStep


class FoundingTrade(TradeStep):
    """In the first stock round a player without a director's certificate keeps the money for one and may not pass."""

    def __init__(self, *, buy: tuple[Check, ...], **others: Any) -> None:
        super().__init__(buy=(*buy, self.keeps_enough), **others)

    def due(self, game: Game, player: str) -> int:
        """What the cheapest director's certificate costs that a player must still buy; 0 if there is no such duty."""
        directs = any(company.director == player for company in game.state.companies.values())
        if game.state.round.stock_number != 1 or directs:
            return 0
        costs = [
            shares.worth(game, name, shares.percent_of(game, name, 0), min(self.pars(game, name)))
            for name in self.unfounded(game)
        ]
        cheapest = min(costs, default=0)
        return cheapest if cheapest <= game.state.cash[player] else 0

    def keeps_enough(self, game: Game, trade: Trade) -> Refused | None:
        """No other purchase may leave too little for a director's certificate."""
        due = self.due(game, trade.player)
        if not due or (trade.source == OFFERING and game.company(trade.company).certificates[0] == OFFERING):
            return None
        if game.state.cash[trade.player] - self.cost(game, trade.company, trade.source, trade.percent) < due:
            return game.refuse("investor.found.money", price=due)
        return None

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        found = super().choices(turn)
        if Going.of(turn.game).acted or not self.due(turn.game, turn.decider):
            return found
        return [choice for choice in found if choice.name != "pass"]

    def explain(self, turn: Turn, move: Move) -> None:
        super().explain(turn, move)
        if isinstance(move, Pass) and not Going.of(turn.game).acted and self.due(turn.game, move.player):
            raise turn.game.refuse("investor.found")
