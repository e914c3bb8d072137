"""The policy of play-outs: a title's greedy player with a luck that never changes, on a board that hardly does.

Companies that earn something build no more, so that their best runs are searched once for all play-outs; who has no
income still builds. What is left to the lot is decided by one number: the likelier thing always happens.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from engine import moves as mv
from engine.game import Game
from engine.house.players import COMMON
from engine.offer import Choice

T = TypeVar("T")

#: What is built, and would be the same thing for all play-outs.
BUILDING = frozenset({"lay_tile", "place_station"})


class Steady(random.Random):
    """A luck that is one number: it tells the same of everything, and takes what lies there in every list."""

    def __init__(self, number: float = 0.5) -> None:
        super().__init__(0)
        self.number = number

    def random(self) -> float:
        return self.number

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[int(self.number * len(seq)) % len(seq)]


def quick_move(game: Game, player: str, luck: Steady) -> mv.Move:
    """What the policy does."""
    passing: Choice[Any] | None = None
    builds, others = False, False
    for choice in game.offer().of(player):
        name = choice.name
        if name == "pass":
            passing = choice
        elif name in BUILDING:
            builds = True
            if not (choice.company and game.state.companies[choice.company].last_revenue):
                others = True
        else:
            others = True
    if passing is not None and builds and not others:
        no: mv.Move = passing.move({})
        return no
    return (game.rules.house.get("greedy") or COMMON).choose(game, player, luck)


def play(game: Game, move: mv.Move) -> None:
    """Make a move that came out of the offer; it is checked only where several choices are of its kind."""
    found = [choice for choice in game.offer().choices if choice.matches(move)]
    if len(found) == 1:
        game.play(found[0], move)
    else:
        game.apply(move)


def play_out(game: Game, luck: Steady, rounds: int, most: int) -> int:
    """Go on until so many rounds have ended, or so many moves were made; gives how many."""
    clock, left = _clock(game), rounds
    for count in range(most):
        if game.finished:
            return count
        now = _clock(game)
        if now != clock:
            clock, left = now, left - 1
            if left <= 0:
                return count
        player = game.offer().deciders[0]
        play(game, quick_move(game, player, luck))
    return most


def _clock(game: Game) -> tuple[int, int]:
    """What tells operating rounds, and the stock rounds between them, from each other."""
    round_ = game.state.round
    return round_.stock_number, round_.operating_number
