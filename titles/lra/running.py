"""18LRA's trains: harbours, the Iron Rhine and Dalheim bring more; GKB's train has a way of its own."""

from __future__ import annotations

from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part, TrainRules
from titles.lra.dalheim import CampToken, right_bank
from titles.lra.harbour import harbour_of
from titles.lra.tables import Tables
from titles.rhineland.running import MANY, OWN, SOME, FamilyTrain

# In the family's mark: visits to the own harbour token, to Dalheim, and to cities of the right bank.
_HARBOUR, _DALHEIM, _RIGHT = OWN, OWN << 2, OWN << 4


class LraTrain(FamilyTrain):
    """An ordinary train of a company."""

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        tables: Tables = game.definition.tables
        super().__init__(game, company, train, colour, tables.iron_rhine)
        self.harbour = harbour_of(game, company, tables.harbour)
        self.per_location = tables.harbour.bonus
        token = CampToken.seen(game)
        has_token = token is not None and token.company == company
        self.dalheim = tables.dalheim.hex if has_token else ""
        self.dalheim_bonus = tables.dalheim.bonus
        self.right = {at for at, _ in right_bank(game, tables)} if has_token else set()
        self.bonus_bound = self.iron.bonus
        if self.harbour:
            located = [face for face in self.board.faces.values() if face.stops]
            self.bonus_bound += self.per_location * sum(
                len(set(face.icons) & self.locations.keys()) for face in located
            )
        if has_token:
            self.bonus_bound += self.dalheim_bonus

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        at, stop = node
        face = self.board.faces[at]
        value = face.ferry_value if ferry else face.stops[stop].value(self.colour)
        mark = self.iron_mark(at)
        if self.harbour:
            mark += _HARBOUR * (at == self.harbour)
            mark += sum(self.visit(icon, at) for icon in set(face.icons) & self.locations.keys())
        if self.dalheim:
            mark += _DALHEIM * (at == self.dalheim) + _RIGHT * (at in self.right)
        return value, mark

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        parts = []
        if mark & _HARBOUR * SOME:
            found = sum(self.visited(kind, mark) for kind in self.locations)
            if found:
                parts.append(Part("harbour", found * self.per_location))
        parts += self.iron_parts(mark)
        if mark & _DALHEIM * SOME and mark & _RIGHT * MANY:
            parts.append(Part("dalheim", self.dalheim_bonus))
        return parts


class GkbTrain(TrainRules):
    """The 2+4 train: over GKB's station, with one other city or field and some towns, and without any bonus."""

    needs_two_hexes = True
    long_key = "route.long.gkb"
    station_key = "route.station.gkb"

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        table = game.definition.tables.gkb
        self.station: Node = (table.hex, 0)
        self.towns: int = table.towns

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities <= self.reach and towns + end_towns <= self.towns

    def through(self, node: Node) -> bool:
        return node == self.station or super().through(node)

    def starts(self) -> list[Node]:
        return [self.station]


def train_rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
    """What a train may do for a company."""
    tables: Tables = game.definition.tables
    return (GkbTrain if train.name == tables.gkb.train else LraTrain)(game, company, train, colour)
