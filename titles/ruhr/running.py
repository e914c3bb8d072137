"""18Ruhr's trains: n cities and n towns, locations that pay, two destinations that count them."""

from __future__ import annotations

from engine.board.faces import OFFBOARD
from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part, TrainRules
from titles.ruhr import works
from titles.ruhr.locations import value

#: A route's mark counts its locations with a value below, the coal mines among them above.
ALL, COAL = 1, 1 << 8


class RuhrTrain(TrainRules):
    """A train n+n; towns may take the place of cities."""

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        t = works.tables(game)
        self.table = t.destinations
        #: The two ends at which the locations of a route count once more.
        self.counting = {self.table.montan, self.table.coal}
        self.factor = 2 if train.name in t.destinations.double_for else 1
        self.locations: dict[str, tuple[int, int]] = {}
        for mine in t.mine:
            worth = value(game, mine.hex)
            if worth:
                self.locations[mine.hex] = worth, ALL + (COAL if mine.industry == "coal" else 0)
        coal = sum(mark >= COAL for _, mark in self.locations.values())
        all_ = min(len(self.locations), 2 * train.reach)
        bound = self.table.montan_value * all_ + self.table.coal_value * min(coal, 2 * train.reach)
        self.bonus_bound = self.factor * bound

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities <= self.reach and cities + towns + end_towns <= 2 * self.reach

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        income, mark = super().worth(node, ferry)
        if self.board.faces[node[0]].stops[node[1]].kind == OFFBOARD:
            return income * self.factor, mark
        here = self.locations.get(node[0])
        return (income, mark) if here is None else (income + here[0], mark + here[1])

    def pays_end(self, node: Node) -> bool:
        return node[0] in self.counting

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        if not mark or self.counting.isdisjoint((one[0], other[0])):
            return 0
        return sum(part.amount for part in self.bonus_parts(mark, one, other))

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        ends = {one[0], other[0]}
        parts = []
        for key, at, each, count in (
            ("montan_destination", self.table.montan, self.table.montan_value, mark % COAL),
            ("coal_destination", self.table.coal, self.table.coal_value, mark // COAL),
        ):
            if at in ends and count:
                parts.append(Part(key, each * count * self.factor))
        return parts


def shortest_train(game: Game) -> str:
    """Whoever has a route at all has one for the smallest train."""
    return min(game.definition.trains, key=lambda train: train.reach).name
