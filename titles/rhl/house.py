"""18Rhl's greedy house player: it uses what the alternative package grants, and builds where its hidden card pays."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection
from typing import Any

from engine import moves as mv
from engine.board.tiling import Fit
from engine.definition import Map
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from titles.rhl.stations import FreeStationChoice

#: So much more a lay is worth that leads nearer to a place where its hidden card wants a station.
_CARD = 4.0
#: Farther than any hex.
_FAR = 99


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

    def lay_score(self, game: Game, company: str, at: str, fit: Fit) -> float:
        score = super().lay_score(game, company, at, fit)
        wanted = frozenset(
            goal for goal in self.wanted(game, game.decider(company)) if not game.board.has_station(company, goal)
        )
        if not wanted:
            return score
        away: dict[str, int] = game.kept(("away", wanted), lambda: distances(game.board.map, wanted))
        new = fit.exits & ~game.board.faces[at].exits
        nearer = (
            other is not None and new >> edge & 1 and away.get(other, _FAR) < away.get(at, _FAR)
            for edge, other in enumerate(game.board.map.neighbours[at])
        )
        return score + _CARD * sum(nearer)

    def place_station(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        wanted, domain = self.wanted(game, player), choice.ask({})
        assert isinstance(domain, Options)
        places = [option.value for option in domain.options if option.value in wanted]
        if places:
            return fill(choice, chance, {domain.name: chance.choice(places)})
        open_ = sum(not game.board.has_station(choice.company, goal) for goal in wanted)
        if open_ and len(game.company(choice.company).tokens_left) <= open_:
            return None  # it keeps its last tokens for these places
        return super().place_station(game, player, choice, chance)

    def wanted(self, game: Game, player: str) -> frozenset[str]:
        """The hexes on which its own hidden card wants stations."""
        hand, tables = game.hidden(player).get("destiny", ()), game.definition.tables
        cards = [card for card in tables.destiny_card if card.id in hand and card.wish == "fields"] if hand else []
        return frozenset(at for card in cards for at in card.hexes)

    def wish(self, choice: Choice[Any]) -> float:
        """How much it wants to use something now: a station that goes beside full spaces is worth waiting for."""
        if isinstance(choice, FreeStationChoice):
            return 0.9 if choice.lies_beside() else 0.2
        return 0.5


def distances(layout: Map, goals: Collection[str]) -> dict[str, int]:
    """How many hexes each hex is away from the nearest of some others."""
    away = dict.fromkeys(goals, 0)
    queue = deque(goals)
    while queue:
        at = queue.popleft()
        for other in layout.neighbours[at]:
            if other is not None and other not in away:
                away[other] = away[at] + 1
                queue.append(other)
    return away
