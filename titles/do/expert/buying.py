"""Railways and stock rounds in the Expert game: beer wagons bought and moved, and markers of traded-in breweries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.finance.raising import Raising
from engine.game import Game
from engine.moves import Move
from engine.offer import Choice
from engine.rounds.turns import Turn
from titles.do.board.trains import NewCards
from titles.do.brewery.loading import HsbTrainStep
from titles.do.brewery.stock import HsbTradeStep
from titles.do.expert import markers
from titles.do.expert.investing import BuyMarker, BuyMarkerChoice, Investing


class ExpTrainStep(HsbTrainStep):
    """DO-7.5-a: buying trains or a beer wagon; who has to own a train thinks of that first."""

    def __init__(
        self, raising: Raising, new: NewCards, may_sell: Callable[[Game, str], bool], *, investing: Investing
    ) -> None:
        super().__init__(raising, new, may_sell)
        self.investing = investing

    def invests(self, game: Game, company: str) -> bool:
        """Whether a wagon can be had."""
        return not self.must_buy(game, company) and bool(self.investing.offers(game, company))

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company = turn.game, turn.actor
        result = super().choices(turn)
        if not self.invests(game, company):
            return result
        return [*result[:-1], BuyMarkerChoice(game, turn.decider, company, self.investing), *result[-1:]]

    def waiting(self, turn: Turn) -> bool:
        return super().waiting(turn) or self.invests(turn.game, turn.actor)

    def explain(self, turn: Turn, move: Move) -> None:
        game, company = turn.game, turn.actor
        if isinstance(move, BuyMarker) and move.company == company:
            if self.must_buy(game, company):
                raise game.refuse("train.duty", company=company)
            self.investing.check(game, move)
        super().explain(turn, move)


class ExpTradeStep(HsbTradeStep):
    """DO-7-a: stock turns; with a small brewery its markers change hands or go back to the display."""

    def break_up(self, game: Game, minor: str) -> None:
        super().break_up(game, minor)
        markers.put_all_back(game, minor)

    def hand_over(self, game: Game, minor: str, company: str) -> None:
        super().hand_over(game, minor, company)
        markers.hand_over(game, minor, company)

    def keep_limits(self, game: Game, company: str) -> None:
        super().keep_limits(game, company)
        markers.keep_boxes(game, company)
