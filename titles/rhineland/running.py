"""What trains of 18Rhl and 18LRA have in common: towns on the way are free, coal and steel count, the Iron Rhine."""

from __future__ import annotations

from collections.abc import Callable

from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part, TrainRules
from titles.rhineland.tables import IronRhine

# A route's mark, in separate bits: four each that count the visits to the two ends of the Iron Rhine (several stops and
# hexes can be one end), what a title adds, then for each coalmine and steel mill two that count the visits to its hex.
EAST, WEST, OWN, LOCATIONS = 1, 1 << 4, 1 << 8, 24
#: What two bits can count, for a hex, and four, for several.
SOME, MANY = 3, 15


class FamilyTrain(TrainRules):
    """A train of a company. The number counts cities and off-board fields, and towns at the ends."""

    needs_two_hexes = True

    def __init__(self, game: Game, company: str, train: TrainType, colour: str, iron: IronRhine) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        self.iron = iron
        #: The bits of each location by its hex: one that is passed in both cities of its hex is still one.
        self.locations: dict[str, dict[str, int]] = {"coal": {}, "steel": {}}
        #: How many of a kind a mark says; a location that comes later has bits of its own and changes none of them.
        self._visited: dict[tuple[str, int], int] = {}

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities + end_towns <= self.reach

    def visit(self, kind: str, at: str) -> int:
        """What one visit to a location adds to the mark."""
        hexes = self.locations[kind]
        if at not in hexes:
            hexes[at] = SOME << LOCATIONS + 2 * sum(map(len, self.locations.values()))
        return hexes[at] // SOME

    def visited(self, kind: str, mark: int) -> int:
        """How many locations of a kind lie on a route."""
        key = (kind, mark >> LOCATIONS)
        found = self._visited.get(key)
        if found is None:
            found = self._visited[key] = sum(bool(mark & bits) for bits in self.locations[kind].values())
        return found

    def iron_mark(self, at: str) -> int:
        return EAST * (at in self.iron.east) + WEST * (at in self.iron.west)

    def iron_parts(self, mark: int) -> list[Part]:
        """The bonus of the Iron Rhine, if the route has both its ends."""
        both = mark & WEST * MANY and mark & EAST * MANY
        return [Part("iron_rhine", self.iron.bonus)] if both else []

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        return sum(part.amount for part in self.bonus_parts(mark, one, other)) if mark else 0


def furthest_train(*without: str) -> Callable[[Game], str]:
    """Of the trains without rules of their own the one that runs furthest: what it finds no other train finds less."""

    def furthest(game: Game) -> str:
        plain = [train for train in game.definition.trains if train.name not in without]
        return max(plain, key=lambda train: train.reach).name

    return furthest
