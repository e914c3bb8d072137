"""18Rhl's greedy house player: it uses what the lots of the alternative starting package grant."""

from __future__ import annotations

import random
from typing import Any

from engine import moves as mv
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice
from titles.rhl.stations import FreeStationChoice


class RhlGreedy(Greedy):
    """Takes what costs nothing: the granted tile, the granted station, the token for a Rhine Metropolis."""

    def __init__(self, lots: frozenset[str]) -> None:
        self.lots = lots

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        must = game.offer().find("pass", player) is None
        for choice in game.offer().of(player):
            if choice.granted_by in self.lots and (must or chance.random() < self.wish(choice)):
                return fill(choice, chance)
        return super().choose(game, player, chance)

    def wish(self, choice: Choice[Any]) -> float:
        """How much it wants to use something now: a station that goes beside full spaces is worth waiting for."""
        if isinstance(choice, FreeStationChoice):
            return 0.9 if choice.lies_beside() else 0.2
        return 0.5
