"""18Rhl's trains: towns on the way are free, industry and Iron Rhine bonuses, the Rheingold-Express."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.board.faces import TOWN
from engine.definition import TrainType
from engine.errors import Refused
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part
from titles.rhineland.running import LOCATIONS, OWN, FamilyTrain
from titles.rhl.contract import token_hex
from titles.rhl.tables import Tables

#: In the family's mark: the income of the Rhine Metropolises on the route.
_METRO = OWN
_INCOME = (1 << LOCATIONS) // OWN - 1


@dataclass(frozen=True)
class FreeRun:
    """A run from one of some places to one of others that a foreign station on a red field does not stop."""

    unbarred: tuple[str, ...]
    one: tuple[str, ...]
    other: tuple[str, ...]

    def joins(self, one: str, other: str) -> bool:
        """Whether these are its ends, in either order."""
        return (one in self.one and other in self.other) or (other in self.one and one in self.other)


class RhlTrain(FamilyTrain):
    """A train of a company, the Rheingold-Express among them."""

    #: Whether a town may be the end of a route.
    town_ends = True
    #: The one run that is free of a bar, if there is one.
    free_run: FreeRun | None = None

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        tables: Tables = game.definition.tables
        super().__init__(game, company, train, colour, tables.iron_rhine)
        self.game = game
        self.state = game.state.board
        self.hexes = game.definition.map.hexes
        self.ruhr = tables.eastern_ruhr
        self.gold = tables.rheingold
        self.industry = tables.industry_bonus
        self.is_rheingold = train.name == self.gold.train
        self.ruhr_value = self.ruhr.value_by_links[eastern_ruhr_links(game)]
        amounts: Mapping[str, int] = dict(self.industry.amount.items())
        self.per_set = 0 if train.name in self.industry.not_for else amounts[colour]
        self.bonus_bound = self.per_set * self.industry.sets + self.iron.bonus
        #: Where this train has a station that others know nothing of.
        self.token = token_hex(game, company) if self.is_rheingold else ""
        quarry = tables.alternative.lime_quarry
        self.per_mill = 0
        if quarry is not None and train.name not in quarry.not_for:
            self.per_mill = quarry.steel_mill
            self.locations["lime"] = {}
            self.bonus_bound += self.per_mill * self._mills()
        if self.is_rheingold:
            self.end_key = "route.end.rheingold"
            self.bonus_bound += sum(
                max(stop.value(colour) for stop in self.board.faces[at].stops) for at in self.gold.doubled
            )

    def through(self, node: Node) -> bool:
        return node[0] == self.token or super().through(node)

    def starts(self) -> list[Node]:
        found = super().starts()
        if not self.token:
            return found
        here = [(self.token, stop) for stop in range(len(self.board.faces[self.token].stops))]
        return [*found, *(node for node in here if node not in found)]

    def may_pass(self, node: Node) -> bool:
        return not (self.is_rheingold and node[0] in self.gold.not_through)

    def may_end(self, node: Node) -> bool:
        if self.board.faces[node[0]].stops[node[1]].kind != TOWN:
            return True
        return self.town_ends and not self.is_rheingold

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        at, stop = node
        face = self.board.faces[at]
        if at in self.ruhr.hexes:
            value = self.ruhr_value
        elif ferry:
            value = face.ferry_value
        else:
            value = face.stops[stop].value(self.colour)
        if self.is_rheingold and face.stops[stop].kind == TOWN:
            value = 0
        return value, self._mark(node, value)

    def _mark(self, node: Node, value: int) -> int:
        at, stop = node
        mark = sum(self.visit(icon, at) for icon in locations_at(self.game, at, stop) & self.locations.keys())
        mark += self.iron_mark(at)
        return mark + _METRO * value * (self.is_rheingold and at in self.gold.doubled)

    def _sets(self, mark: int) -> int:
        """How many pairs of a coalmine and a steel mill count."""
        return min(self.visited("coal", mark), self.visited("steel", mark), self.industry.sets)

    def _mills(self) -> int:
        """How many steel mills there are at most."""
        placed = sum("steel" in signs for signs in self.state.markers.values())
        printed = sum(icon == "steel" for spot in self.hexes.values() for _, icon in spot.stop_icons)
        return placed + printed + sum("steel" in face.icons for face in self.board.faces.values())

    def barred(self, node: Node) -> bool:
        if self.free_run is not None and node[0] in self.free_run.unbarred:
            return False
        return super().barred(node)

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        if self._still_barred(one, other):
            return False
        return not self.is_rheingold or one[0] in self.gold.start or other[0] in self.gold.start

    def wrong_ends(self, one: Node, other: Node) -> Refused:
        at = self._still_barred(one, other)
        return Refused("", "route.barred", at=at, company=self.company) if at else super().wrong_ends(one, other)

    def _still_barred(self, one: Node, other: Node) -> str:
        """The end of a route that is barred after all, because it is not the one run that is free; else ""."""
        free = self.free_run
        if free is None or free.joins(one[0], other[0]):
            return ""
        return next((n[0] for n in (one, other) if n[0] in free.unbarred and super(RhlTrain, self).barred(n)), "")

    def _full_length(self, one: Node, other: Node) -> bool:
        ends = {one[0], other[0]}
        return bool(ends & set(self.gold.start)) and bool(ends & set(self.gold.far_end))

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        parts = []
        industry = self._sets(mark) * self.per_set
        if industry:
            parts.append(Part("industry", industry))
        if self.per_mill and self.visited("lime", mark) and (mills := self.visited("steel", mark)):
            parts.append(Part("lime", self.per_mill * mills))
        parts += self.iron_parts(mark)
        doubled = mark // _METRO & _INCOME
        if doubled and self._full_length(one, other):
            parts.append(Part("rheingold", doubled))
        return parts


def locations_at(game: Game, at: str, stop: int) -> set[str]:
    """The icons that count for a visit to a stop: tokens, those of the stop, and those of the hex or its tile."""
    board, spot = game.state.board, game.definition.map.hexes[at]
    icons = {*board.markers.get(at, ()), *(icon for index, icon in spot.stop_icons if index == stop)}
    return icons.union(game.board.faces[at].icons) if at in board.tiles or not spot.icons_after else icons


def eastern_ruhr_links(game: Game) -> int:
    """How many of the links to the Eastern Ruhr have track."""
    tables: Tables = game.definition.tables
    layout = game.definition.map.layout
    return sum(
        bool(game.board.faces[at].exits & 1 << layout.edge(compass)) for at, compass in tables.eastern_ruhr.links
    )
