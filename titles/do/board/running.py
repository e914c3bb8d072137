"""18DO's trains: a hex once on a route, location tokens, and freight yards that pay those who have a token there."""

from __future__ import annotations

from collections.abc import Callable

from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import TrainRules
from titles.do.board.links import LinkTokens
from titles.do.board.tables import Tables


class DoTrain(TrainRules):
    """DO-4.5.6.1-a: a train without beer. `pierces` are the hexes through which full stations let it run."""

    hex_once = True

    def __init__(
        self, t: Tables, game: Game, company: str, train: TrainType, colour: str, pierces: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        self.links = LinkTokens.of(game).values
        self.pierces = pierces
        self.yards = {at: self.yard_bonus(t, at) for at in t.yards.hexes}

    def yard_bonus(self, t: Tables, at: str) -> int:
        """What a yard pays besides its value: so much for every token, to those who have one there."""
        tokens = [token for token in self.board.spaces(at, 0) if token]
        return t.yards.a_token * len(tokens) if self.company in tokens else 0

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        income, mark = super().worth(node, ferry)
        at = node[0]
        return income + self.links.get(at, 0) + self.yards.get(at, 0), mark

    def through(self, node: Node) -> bool:
        return super().through(node) or node[0] in self.pierces


def train_rules(t: Tables, kind: type[DoTrain] = DoTrain) -> Callable[[Game, str, TrainType, str], TrainRules]:
    """DO-4.5.6.1-b: trains in the values of the phase; one railway's run through full steel mills."""
    steel = frozenset(t.locations.steel)

    def rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        pierces = steel if company == t.abilities.through_steel else frozenset()
        return kind(t, game, company, train, colour, pierces)

    return rules
