"""Placing station tokens: where a company may put one and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.board.faces import stop_letter
from engine.moves import Move, PlaceStation
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Placed
from engine.rounds.turns import Step, Turn, meant_for
from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game


class PlaceStationChoice(Choice[PlaceStation]):
    """Put the next token on a city that an available route leads to."""

    kind = PlaceStation

    def __init__(self, game: Game, player: str, company: str, step: StationStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        places = self.step.places(self.game, self.company)
        if "hex" not in picked:
            hexes = dict.fromkeys(at for at, _ in places)
            return Options("hex", [Option(at, {"cost": self.step.cost(self.game, self.company, at)}) for at in hexes])
        if "stop" not in picked:
            return Options("stop", [Option(stop) for at, stop in places if at == picked["hex"]])
        return None

    def move(self, picked: Picked) -> PlaceStation:
        return PlaceStation(self.player, self.company, picked["hex"], picked["stop"])

    def matches(self, move: object) -> bool:
        return (
            isinstance(move, PlaceStation)
            and move.player == self.player
            and not move.private
            and meant_for(self, move.company)
        )

    def check(self, move: PlaceStation) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check(game, self.company, move.hex, move.stop)

    def perform(self, move: PlaceStation) -> None:
        cost = self.step.cost(self.game, self.company, move.hex)
        self.step.place(self.game, self.company, move.hex, move.stop, cost, "")
        self.game.turn.advance()


class StationStep(Step):
    """The station step: one token in a turn, for the company whose turn it is or for one that a player acts for."""

    name = "station"

    def cost(self, game: Game, company: str, at: str) -> int:
        """The price of the next token on a hex: they go in the charter's order, cheapest first."""
        return game.company(company).tokens_left[0]

    def least_cost(self, game: Game, company: str) -> int:
        """No token costs less anywhere; it spares the search for ways where nothing can be paid."""
        return game.company(company).tokens_left[0]

    def room(self, game: Game, company: str, at: str, stop: int) -> bool:
        """Whether a stop has a space for a token of this company."""
        return game.board.free_space(at, stop, company)

    def places(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Stops on which the company may put a station now."""
        left = game.company(company).tokens_left
        cash = game.state.cash[company]
        if not left or Placed.of(game).station or self.least_cost(game, company) > cash:
            return []
        board = game.board
        return [
            (at, stop)
            for at, stop in sorted(game.reach(company).stops)
            if self.room(game, company, at, stop)
            and not board.has_station(company, at)
            and self.cost(game, company, at) <= cash
        ]

    def reachable(self, game: Game, company: str, at: str, stop: int) -> bool:
        """Whether the company has what it needs to build there: an available route."""
        return game.reach(company).reaches(at, stop)

    def check(self, game: Game, company: str, at: str, stop: int) -> None:
        self.check_space(game, company, at, stop)
        if Placed.of(game).station:
            raise game.refuse("station.one", company=company)
        if not self.reachable(game, company, at, stop):
            raise game.refuse("station.route", company=company, at=at)
        cost = self.cost(game, company, at)
        if cost > game.state.cash[company]:
            raise game.refuse("station.cost", cost=cost, company=company, cash=game.state.cash[company])

    def check_space(self, game: Game, company: str, at: str, stop: int) -> None:
        """What holds for any station, however it is granted."""
        board = game.board
        if at not in board.faces or not 0 <= stop < len(board.faces[at].stops):
            raise game.refuse("station.space.stop", at=at)
        if not game.company(company).tokens_left:
            raise game.refuse("station.none", company=company)
        if board.has_station(company, at):
            raise game.refuse("station.twice", company=company, at=at)
        if not self.room(game, company, at, stop):
            raise game.refuse("station.space", at=at, stop=stop_letter(stop))

    def place(self, game: Game, company: str, at: str, stop: int, cost: int, private: str) -> None:
        game.pay(company, BANK, cost, "station", at)
        game.company(company).tokens_left.pop(0)
        game.board.place_station(company, at, stop)
        Placed.of(game).station = True
        game.emit(ev.StationPlaced(company, at, stop, cost, private))

    def keeps(self) -> Keeps:
        return (Placed,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        result: list[Choice[Any]] = [
            PlaceStationChoice(turn.game, turn.decider, company, self)
            for company in turn.companies
            if self.places(turn.game, company)
        ]
        return [*result, turn.passing()]

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, PlaceStation) and move.private:
            raise turn.game.refuse("private.use.station", private=move.private)
        for company in turn.companies:
            choice = PlaceStationChoice(turn.game, move.player, company, self)
            if isinstance(move, PlaceStation) and choice.matches(move):
                choice.check(move)

    def waiting(self, turn: Turn) -> bool:
        return any(self.places(turn.game, company) for company in turn.companies)
