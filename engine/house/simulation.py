"""Plays whole games with house players, checking the position after every move if asked."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.game import Game
from engine.house import invariants
from engine.rules import House


@dataclass
class Result:
    """How a simulated game went."""

    moves: int
    finished: str
    scores: dict[str, int]
    faults: list[str] = field(default_factory=list)


def play(
    game: Game,
    house: House,
    seed: int,
    *,
    most_moves: int = 20_000,
    check: bool = True,
    watch: Callable[[Game], None] | None = None,
) -> Result:
    """Play a game to its end; a fault names the move after which an invariant did not hold."""
    chance = random.Random(seed)
    while not game.finished and len(game.moves) < most_moves:
        deciders = game.offer().deciders
        player = chance.choice(deciders)
        game.apply(house.choose(game, player, chance))
        if check:
            faults = invariants.faults(game)
            if faults:
                return Result(len(game.moves), "", {}, [f"move {len(game.moves)}: {fault}" for fault in faults])
        if watch is not None:
            watch(game)
    if not game.finished:
        return Result(len(game.moves), "", {}, [f"not finished after {len(game.moves)} moves"])
    return Result(len(game.moves), game.state.finished, game.rules.score(game))
