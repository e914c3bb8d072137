"""18Rhl's purchase of trains: what counts as a route, and that a director sells nothing in vain."""

from __future__ import annotations

from engine.finance import shares
from engine.game import Game
from engine.steps.trains import TrainStep


class RhlTrainStep(TrainStep):
    """`least` in the turn's memory is what the cheapest certificate has brought that the director sold."""

    def ordinary_train(self, game: Game) -> str:
        """Of the trains without rules of their own the one that runs furthest."""
        special = game.definition.tables.rheingold.train
        return max((train for train in game.definition.trains if train.name != special), key=lambda t: t.reach).name

    def without_waste(self, game: Game, sales: list[tuple[str, int]], missing: int) -> list[tuple[str, int]]:
        """No sale whose surplus covers a certificate sold before; without credit rather that than a bankruptcy."""
        least = game.state.round.turn.get("least")
        if least is None:
            return sales
        found = [(name, percent) for name, percent in sales if self._brings(game, name, percent) - missing < least]
        return found if found or self.credit else sales

    def raised(self, game: Game, company: str, funds: int, amount: int, group: tuple[int, ...]) -> None:
        super().raised(game, company, funds, amount, group)
        if game.company(company).certificates[group[0]] == company:
            return
        turn = game.state.round.turn
        smallest = min(shares.percent_of(game, company, number) for number in group)
        turn["least"] = min(turn.get("least", amount), self._brings(game, company, smallest))
        turn["floor"] = funds + amount - turn["least"]

    def _brings(self, game: Game, company: str, percent: int) -> int:
        return game.prices.value(company) * percent // 10
