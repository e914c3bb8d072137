"""18Rhl's trains: towns on the way are free, industry and Iron Rhine bonuses, the Rheingold-Express."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board.faces import TOWN
from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part
from titles.rhineland.running import LOCATIONS, OWN, FamilyTrain
from titles.rhl.contract import token_hex
from titles.rhl.tables import Tables

#: In the family's mark: the income of the Rhine Metropolises on the route.
_METRO = OWN
_INCOME = (1 << LOCATIONS - 4) - 1


class RhlTrain(FamilyTrain):
    """A train of a company, the Rheingold-Express among them."""

    #: Whether a town may be the end of a route.
    town_ends = True

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        tables: Tables = game.definition.tables
        super().__init__(game, company, train, colour, tables.iron_rhine)
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
        mark = sum(self.visit(icon, at) for icon in set(icons) & self.locations.keys())
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

    def allows(self, one: Node, other: Node) -> bool:
        return not self.is_rheingold or one[0] in self.gold.start or other[0] in self.gold.start

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


def eastern_ruhr_links(game: Game) -> int:
    """How many of the links to the Eastern Ruhr have track."""
    tables: Tables = game.definition.tables
    layout = game.definition.map.layout
    return sum(
        bool(game.board.faces[at].exits & 1 << layout.edge(compass)) for at, compass in tables.eastern_ruhr.links
    )
