"""Export beer: trains take cubes from Dortmund City to a red field, which pays for each of them.

A train with cubes is a vehicle of its own: `8+2` is an 8-train with two. The cubes go to that end of its path
which pays more for them, whichever way it is entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.definition import Definition, TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part
from titles.do.board.running import DoTrain
from titles.do.board.tables import Tables

#: What stands between a train and the number of its cubes, and the bit that Dortmund City sets in the mark of a route.
PLUS, CITY = "+", 1
#: What the name of a loaded train ends with that may run through full stations, where an edition knows that.
FORCED = "!"


def loaded(train: str, cubes: int) -> str:
    """The name of a train with cubes."""
    return f"{train}{PLUS}{cubes}" if cubes else train


def load_of(vehicle: str) -> tuple[str, int]:
    """A train and its cubes.

    >>> load_of("8+2"), load_of("8")
    (('8', 2), ('8', 0))
    """
    train, _, cubes = vehicle.rstrip(FORCED).partition(PLUS)
    return train, int(cubes or 0)


class BeerTrain(DoTrain):
    """DO-4.5.5.1-d: a train with cubes, `more` for each transport. On a route without City or a red field it leaves
    them behind."""

    def __init__(
        self,
        t: Tables,
        game: Game,
        company: str,
        train: TrainType,
        colour: str,
        pierces: frozenset[str] = frozenset(),
        more: int = 0,
    ) -> None:
        super().__init__(t, game, company, train, colour, pierces)
        self.city = t.city.hex
        self.pays = self.prices(t)
        self.plain, self.cubes = load_of(train.name)
        self.more = more
        if self.cubes:
            self.bonus_bound = self.cubes * max(self.pays.values()) + more

    def prices(self, t: Tables) -> Mapping[str, int]:
        """What each red field pays for a cube."""
        return t.export.bonus

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        income, mark = super().worth(node, ferry)
        return income, mark + CITY if node[0] == self.city else mark

    def delivers(self, mark: int, one: Node, other: Node) -> bool:
        """Whether the cubes can be brought somewhere on such a route."""
        return bool(self.cubes and mark & CITY and (one[0] in self.pays or other[0] in self.pays))

    def earned(self, at: str) -> int:
        return self.cubes * self.pays.get(at, 0) + self.more

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        if not self.delivers(mark, one, other):
            return 0
        return max(self.earned(one[0]), self.earned(other[0]))

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        if not self.delivers(mark, one, other):
            return []
        best = max(self.pays.get(one[0], 0), self.pays.get(other[0], 0))
        parts = [Part("export_beer", self.cubes * best)]
        return [*parts, Part("beer_marker", self.more)] if self.more else parts

    def ran(self, mark: int, one: Node, other: Node) -> str:
        return self.train if self.delivers(mark, one, other) else self.plain


class ExportTrain(BeerTrain):
    """DO-6.5.1-f: a train that has its cubes on board and must bring them from Dortmund City to a red field."""

    end_key = "route.export"

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        return not self.cubes or self.delivers(mark, one, other)

    def ran(self, mark: int, one: Node, other: Node) -> str:
        return self.train


# ---------------------------------------------------------------------- what can be loaded


def vehicles(definition: Definition, most: dict[str, int]) -> tuple[TrainType, ...]:
    """DO-4.5.5.1-a: all trains, and each with every number of cubes that it can ever carry."""
    return tuple(
        replace(train, name=loaded(train.name, cubes))
        for train in definition.trains
        for cubes in range(most.get(train.name, 0) + 1)
    )
