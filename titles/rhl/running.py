"""18Rhl's trains: towns on the way are free, industry and Iron Rhine bonuses, the Rheingold-Express."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board.faces import TOWN
from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part, TrainRules
from titles.rhl.contract import token_hex
from titles.rhl.tables import Tables

# A route's mark, in separate bits: visits to the two ends of the Iron Rhine, the income of the Rhine
# Metropolises on it, then for each coalmine, steel mill and quarry two bits that count the visits to its hex.
_EAST, _WEST, _METRO, _LOCATIONS = 1, 1 << 2, 1 << 4, 20
_ONCE = 3
_INCOME = (1 << _LOCATIONS - 4) - 1


class RhlTrain(TrainRules):
    """A train of a company. The number counts cities and off-board fields, and towns at the ends."""

    needs_two_hexes = True
    #: Whether a town may be the end of a route.
    town_ends = True

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        tables: Tables = game.definition.tables
        self.state = game.state.board
        self.hexes = game.definition.map.hexes
        self.ruhr = tables.eastern_ruhr
        self.iron = tables.iron_rhine
        self.gold = tables.rheingold
        self.industry = tables.industry_bonus
        self.is_rheingold = train.name == self.gold.train
        self.ruhr_value = self.ruhr.value_by_links[eastern_ruhr_links(game)]
        #: The bits of each location by its hex: one that is passed in both cities of its hex is still one.
        self.locations: dict[str, dict[str, int]] = {"coal": {}, "steel": {}}
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

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities + end_towns <= self.reach

    def through(self, node: Node) -> bool:
        return node[0] == self.token or super().through(node)

    def starts(self) -> list[Node]:
        found = super().starts()
        if not self.token:
            return found
        stops = enumerate(self.board.faces[self.token].stops)
        here = [(self.token, stop) for stop, drawn in stops if drawn.kind != TOWN]
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
        spot = self.hexes[at]
        icons = [*self.state.markers.get(at, ()), *(icon for index, icon in spot.stop_icons if index == stop)]
        icons += self.board.faces[at].icons if at in self.state.tiles or not spot.icons_after else ()
        mark = sum(self._visit(icon, at) for icon in set(icons) & self.locations.keys())
        mark += _EAST * (at in self.iron.east) + _WEST * (at in self.iron.west)
        return mark + _METRO * value * (self.is_rheingold and at in self.gold.doubled)

    def _visit(self, kind: str, at: str) -> int:
        """What one visit to a location adds to the mark."""
        hexes = self.locations[kind]
        if at not in hexes:
            hexes[at] = _ONCE << _LOCATIONS + 2 * sum(map(len, self.locations.values()))
        return hexes[at] // _ONCE

    def _on_route(self, mark: int, kind: str) -> int:
        """How many locations of a kind a route has."""
        return sum(bool(mark & bits) for bits in self.locations[kind].values())

    def _sets(self, mark: int) -> int:
        """How many pairs of a coalmine and a steel mill count."""
        if not mark >> _LOCATIONS:
            return 0
        return min(self._on_route(mark, "coal"), self._on_route(mark, "steel"), self.industry.sets)

    def _mills(self) -> int:
        """How many steel mills there are at most."""
        placed = sum("steel" in signs for signs in self.state.markers.values())
        printed = sum(icon == "steel" for spot in self.hexes.values() for _, icon in spot.stop_icons)
        return placed + printed + sum("steel" in face.icons for face in self.board.faces.values())

    def allows(self, one: Node, other: Node) -> bool:
        return not self.is_rheingold or one[0] in self.gold.start or other[0] in self.gold.start

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        return sum(part.amount for part in self.bonus_parts(mark, one, other)) if mark else 0

    def _full_length(self, one: Node, other: Node) -> bool:
        ends = {one[0], other[0]}
        return bool(ends & set(self.gold.start)) and bool(ends & set(self.gold.far_end))

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        parts = []
        industry = self._sets(mark) * self.per_set
        if industry:
            parts.append(Part("industry", industry))
        if self.per_mill and self._on_route(mark, "lime") and (mills := self._on_route(mark, "steel")):
            parts.append(Part("lime", self.per_mill * mills))
        if mark & _WEST * _ONCE and mark & _EAST * _ONCE:
            parts.append(Part("iron_rhine", self.iron.bonus))
        doubled = mark // _METRO & _INCOME
        if doubled and self._full_length(one, other):
            parts.append(Part("rheingold", doubled))
        return parts


def eastern_ruhr_links(game: Game) -> int:
    """How many of the links to the Eastern Ruhr have track."""
    tables: Tables = game.definition.tables
    layout = game.definition.map.layout
    return sum(
        bool(game.board.faces[at].exits & 1 << layout.edge(compass)) for at, compass in tables.eastern_ruhr.links
    )


def furthest_plain_train(game: Game) -> str:
    """Of the trains without rules of their own the one that runs furthest: what it finds no other train finds less."""
    tables: Tables = game.definition.tables
    plain = [train for train in game.definition.trains if train.name != tables.rheingold.train]
    return max(plain, key=lambda train: train.reach).name
