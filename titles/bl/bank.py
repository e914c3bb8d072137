"""18BL: what happens when the bank is short."""

from __future__ import annotations

from dataclasses import dataclass

from engine import events as ev
from engine.game import Game
from engine.state import BANK


@dataclass(frozen=True, slots=True)
class PlayersHelped(ev.Event):
    """Every player gives the bank the same amount."""

    amount: int


def players_help(game: Game) -> None:
    """In a stock round all players give the bank the same amount (BL-10.1-c, R24)."""
    state = game.state
    if state.round.kind != "stock":
        return
    share = -(state.cash[BANK] // len(state.seats))
    share = min(share, *(state.cash[player] for player in state.seats))
    if share:
        game.emit(PlayersHelped(share))
    for player in state.seats:
        game.pay(player, BANK, share, "help")
