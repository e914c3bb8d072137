"""18Rhl's greedy house player: it uses what the lots of the alternative starting package grant."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.game import Game
from engine.house.players import Greedy, fill


class RhlGreedy(Greedy):
    """Takes what costs nothing: the granted tile, the granted station, the token for a Rhine Metropolis."""

    def __init__(self, lots: frozenset[str]) -> None:
        self.lots = lots

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        for choice in game.offer().of(player):
            if choice.granted_by not in self.lots:
                continue
            # Some turns go by, so that the tile or the space is there that makes it worth more.
            if game.offer().find("pass", player) is not None and chance.random() < 0.5:
                continue
            return fill(choice, chance)
        return super().choose(game, player, chance)
