"""Positions after moves that somebody only looks at: if they are then made, nothing is computed a second time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from engine.events import Event
from engine.game import Game
from engine.moves import Move
from engine.offer import Offer

#: Positions that are kept: those of everybody who has a panel open just now. Each takes some fifty kilobytes.
MOST_KEPT = 64
#: By game, offer and move: the offer stands for the position, for a game in which a move has been made has another one.
_kept: OrderedDict[tuple[Game, Offer, Move], tuple[Game, tuple[Event, ...]]] = OrderedDict()


def previewed(game: Game, moves: Sequence[Move]) -> tuple[Game, tuple[Event, ...]]:
    """The game after some moves, and what happens with them. Whoever asks again gets the same game: leave it as it is.

    Refused if one of them is not allowed.
    """
    events: list[Event] = []
    for move in moves:
        game, told = _after(game, game.offer(), move)
        events += told
    return game, tuple(events)


def _after(game: Game, offer: Offer, move: Move) -> tuple[Game, tuple[Event, ...]]:
    key = (game, offer, move)
    found = _kept.get(key)
    if found is None:
        after = game.copy()
        found = _kept[key] = after, after.apply(move)
        while len(_kept) > MOST_KEPT:
            _, (oldest, _) = _kept.popitem(last=False)
            oldest.forget()
    return found
