"""Stations of the alternative package: Krupp's for nothing (8.5.2 no. 4), dearer ones on red fields (8.5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move, PlaceStation
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Placed
from engine.rounds.turns import Turn
from engine.steps.stations import StationStep
from titles.rhl.alternative_tables import DearStations, FreeStation


@dataclass(frozen=True, slots=True)
class StationBeside(ev.Event):
    """All spaces of a hex are taken: a new station lies beside them."""

    company: str
    hex: str


class PackageStationStep(StationStep):
    """The station step with a free station that a private company grants, and with hexes that cost more."""

    def __init__(self, free: FreeStation | None, dear: DearStations | None) -> None:
        self.free = free
        self.dear = dear

    def cost(self, game: Game, company: str, at: str) -> int:
        price = super().cost(game, company, at)
        return price * self.dear.percent // 100 if self.dear and at in self.dear.hexes else price

    def free_choices(self, turn: Turn) -> list[Choice[Any]]:
        """The free station, if the company of this turn may have it now."""
        if self.free is None:
            return []
        choice = FreeStationChoice(turn.game, turn.decider, turn.actor, self, self.free)
        return [choice] if choice.possible() else []

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [*self.free_choices(turn), *super().choices(turn)]

    def waiting(self, turn: Turn) -> bool:
        return super().waiting(turn) or bool(self.free_choices(turn))

    def explain(self, turn: Turn, move: Move) -> None:
        if self.free and isinstance(move, PlaceStation) and move.private == self.free.lot:
            FreeStationChoice(turn.game, move.player, turn.actor, self, self.free).check(move)
        super().explain(turn, move)


class FreeStationChoice(Choice[PlaceStation]):
    """A station for nothing and without a route; beside the spaces if none is free."""

    kind = PlaceStation

    def __init__(self, game: Game, player: str, company: str, step: StationStep, table: FreeStation) -> None:
        super().__init__(game, player, company)
        self.step = step
        self.table = table

    @property
    def granted_by(self) -> str:
        return self.table.lot

    def matches(self, move: object) -> bool:
        return isinstance(move, PlaceStation) and move.player == self.player and move.private == self.table.lot

    def room(self, stop: int) -> bool:
        return self.game.board.free_space(self.table.hex, stop, self.company)

    def cities(self) -> list[int]:
        return [stop for stop, drawn in enumerate(self.game.board.faces[self.table.hex].stops) if drawn.slots]

    def stops(self) -> list[int]:
        """The stops with a free space; without one the token is joined to all, and named by the first."""
        return list(filter(self.room, self.cities())) or self.cities()[:1]

    def lies_beside(self) -> bool:
        """Whether all spaces are taken."""
        return not any(map(self.room, self.cities()))

    def possible(self) -> bool:
        try:
            self.check_right()
        except Refused:
            return False
        return True

    def check_right(self) -> None:
        """What must hold wherever on the hex the station goes."""
        game, lot, at = self.game, self.table.lot, self.table.hex
        if not self.player or game.state.privates[lot] != game.decider(self.company) or lot in game.state.used:
            raise game.refuse("free_station.owner", private=lot)
        if at not in game.state.board.tiles:
            raise game.refuse("free_station.tile", at=at)
        if game.board.has_station(self.company, at):
            raise game.refuse("free_station.twice", company=self.company, at=at)
        if not game.company(self.company).tokens_left:
            raise game.refuse("station.none", company=self.company)
        if Placed.of(game).station:
            raise game.refuse("station.one", company=self.company)

    def ask(self, picked: Picked) -> Domain | None:
        if "stop" in picked:
            return None
        facts = {"hex": self.table.hex, "cost": 0}
        return Options("stop", [Option(stop, facts) for stop in self.stops()])

    def move(self, picked: Picked) -> PlaceStation:
        return PlaceStation(self.player, self.company, self.table.hex, picked["stop"], self.table.lot)

    def check(self, move: PlaceStation) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        self.check_right()
        if move.hex != self.table.hex:
            raise game.refuse("private.hex.station", private=self.table.lot, company=self.company, at=self.table.hex)
        if move.stop not in self.stops():
            raise game.refuse("station.space.granted", at=self.table.hex)

    def perform(self, move: PlaceStation) -> None:
        game, at = self.game, self.table.hex
        game.state.used.append(self.table.lot)
        if self.room(move.stop):
            self.step.place(game, self.company, at, move.stop, 0, move.private)
        else:
            game.company(self.company).tokens_left.pop(0)
            game.board.place_beside(self.company, at)
            Placed.of(game).station = True
            game.emit(ev.StationPlaced(self.company, at, move.stop, 0, move.private))
            game.emit(StationBeside(self.company, at))
        game.turn.advance()
