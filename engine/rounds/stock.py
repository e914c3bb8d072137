"""The stock round: sell, found, buy or pass in turn until all have passed in succession."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine import events as ev
from engine.finance.prices import rise_if_sold_out
from engine.records import Keeps
from engine.remembered import Going, Sales, Trading
from engine.rounds.turns import Order, PassRound, Steps, Turn
from engine.rules import PLAYER

if TYPE_CHECKING:
    from engine.game import Game

#: Who holds the priority deal after a stock round; "" leaves it where it is.
Priority = Callable[["Game"], str]


def richest(game: Game) -> str:
    """Whoever has most cash; of several the nearest to the left of the old holder, who comes last."""
    order = game.from_seat(game.state.priority)
    return max([*order[1:], order[0]], key=lambda player: game.state.cash[player])


def left_of_last_buyer(game: Game) -> str:
    """Who sits next after whoever bought last, with a seat or without; nobody if nothing was bought."""
    trading = Trading.seen(game)
    buyer = trading.last_buyer if trading else ""
    if not buyer:
        return ""
    around = game.rules.circle(game)
    return around[(around.index(buyer) + 1) % len(around)]


class StockRound(PassRound):
    """Turns of players; at its end the priority deal moves, companies may float, and sold-out ones rise."""

    def __init__(
        self,
        steps: Steps | dict[str, Steps],
        priority: Priority,
        name: str = "stock",
        *,
        order: Order | None = None,
    ) -> None:
        super().__init__(name, {PLAYER: steps} if isinstance(steps, Steps) else steps, order=order)
        self.priority = priority

    def begin(self, game: Game, first: str = "") -> None:
        super().begin(game, first or game.state.priority)

    def keeps(self) -> Keeps:
        return (*super().keeps(), Trading)

    def turn_ends(self, turn: Turn) -> None:
        if Sales.of(turn.game).sold:
            Going.of(turn.game).acted = True
        super().turn_ends(turn)

    def end(self, game: Game) -> None:
        holder = self.priority(game)
        if holder:
            game.state.priority = holder
            game.emit(ev.PriorityMoved(holder))
        for floating in game.rules.floating.values():
            floating.round_over(game)
        rise_if_sold_out(game)
        game.rules.then(game)
