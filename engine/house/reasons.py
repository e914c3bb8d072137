"""Why a move: the best candidates, and in what each differs most from what it is compared with.

Whoever asks is told only what they may know: what they do not is drawn anew before anything is thought.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine import moves as mv
from engine.game import Game
from engine.house import value
from engine.house.ahead import LookAhead, Thought

#: What a lay or a station is judged by, instead of by a part of the value.
ROUTES = "routes"
#: A difference of less than so much, in money, is none.
NOTHING = 5


@dataclass(frozen=True)
class Reason:
    """A candidate: how much better (or worse) than what it is compared with, and in which part most of all."""

    move: mv.Move
    #: In money at the end of what was played out; in income of one run where something is built.
    better: int
    #: The part of the value, "" if there is nothing to choose.
    part: str = ""
    amount: int = 0


def reasons(game: Game, player: str, *, mind: LookAhead, made: mv.Move | None = None) -> list[Reason]:
    """The best three candidates of a player, the best first; `made` is one that must be among them.

    The first is compared with the second, all others with the first. The game is one as whoever asks sees it.
    """
    thoughts = mind.thoughts(game, player, also=made)
    kept = thoughts[:3]
    found = next((thought for thought in thoughts if thought.move == made), None)
    if found is not None and found not in kept:
        kept = [*kept[:2], found]
    if len(kept) == 1:
        return [Reason(kept[0].move, 0)]
    return [reason(thought, kept[1] if thought is kept[0] else kept[0], player) for thought in kept]


def luck_of(game: Game, eyes: str) -> random.Random:
    """Luck that is equal for whoever asks twice."""
    return random.Random(f"{game.seed} {len(game.moves)} {eyes}")


def reason(thought: Thought, other: Thought, player: str) -> Reason:
    """What makes the difference between two candidates, in the play-outs that both have."""
    if not thought.ends or not other.ends:
        better = round(thought.worth - other.worth) if thought.results and other.results else 0
        return Reason(thought.move, better, ROUTES, better)
    both = min(len(thought.ends), len(other.ends))
    better = round(sum(thought.results[n] - other.results[n] for n in range(both)) / both)
    apart: dict[str, float] = {}
    for mine, theirs in zip(thought.ends[:both], other.ends[:both], strict=True):
        there = value.parts(theirs, player)
        for part, amount in value.parts(mine, player).items():
            apart[part] = apart.get(part, 0.0) + (amount - there[part]) / both
    sign = 1 if better >= 0 else -1
    most = max(apart, key=lambda part: sign * apart[part])
    amount = round(apart[most])
    return Reason(thought.move, better, most if abs(amount) >= NOTHING else "", amount)
