"""Positions after moves that somebody only looks at: if they are then made, nothing is computed a second time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.events import Event
from engine.game import Game
from engine.moves import Move
from engine.offer import Offer

#: Positions that are kept: those of everybody who has a panel open just now. Each takes a few hundred kilobytes.
MOST_KEPT = 64


def foreseen(game: Game, moves: Sequence[Move]) -> tuple[Game, tuple[Event, ...]]:
    """The game after some moves, and what happens with them. Whoever asks again gets the same game: leave it as it is.

    Refused if one of them is not allowed.
    """
    events: list[Event] = []
    for move in moves:
        game, told = _after(game, game.offer(), move)
        events += told
    return game, tuple(events)


@lru_cache(maxsize=MOST_KEPT)
def _after(game: Game, offer: Offer, move: Move) -> tuple[Game, tuple[Event, ...]]:
    """The offer stands for the position: a game in which a move has been made has another one."""
    after = game.copy()
    return after, after.apply(move)
