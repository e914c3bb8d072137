"""Private no. 6, the Geldernsche Kreisbahn: with the brown phase it becomes a station and a train of its own kind."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine import events as ev
from engine.board.board import Board
from engine.board.faces import FIRST_STOP, TOWN
from engine.board.hexes import OPPOSITE
from engine.finance.depot import keep_limit
from engine.finance.prices import Split
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import Keeps, OfTurn, put, record
from engine.routes.legs import Node
from engine.routes.model import place_groups
from engine.rules import Listener, Question, Trains
from engine.state import CLOSED, MARKER, State
from engine.steps.run import AllOrNothing
from titles.lra.tables import GKB, Gkb
from titles.rhineland.assigning import Assignment, Gift


@dataclass(frozen=True, slots=True)
class GkbFloated(ev.Event):
    hex: str


@dataclass(frozen=True, slots=True)
class GkbTrainGiven(ev.Event):
    company: str
    train: str


@record("lra.gkb_earned")
@dataclass(slots=True)
class GkbEarned(OfTurn):
    """What GKB's train has earned in this turn."""

    gkb: int = 0


@record("lra.gkb", told="gkb")
@dataclass(slots=True)
class GkbTrain(Gift):
    """Who gives GKB's train to a company, and which has got it; nobody before GKB floats."""


class Kreisbahn(Mechanism):
    """The certificate is turned over into a train, which its owner puts on a charter for the rest of the game."""

    def __init__(self, table: Gkb) -> None:
        self.table = table
        self.train = Assignment(GkbTrain, table.private, self.given)

    def lay_out(self, state: State, chance: random.Random) -> None:
        """The train is never on sale."""
        put(state, GkbTrain())
        state.depot.left[self.table.train] -= 1
        state.depot.sold[self.table.train] += 1
        state.depot.aside.append(self.table.train)

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {
            ev.CompanyFounded: self.train.founded,
            ev.DirectorChanged: self.train.director_changed,
            ev.TrainsRun: self.trains_run,
            ev.PhaseChanged: self.phase_changed,
        }

    def questions(self) -> Mapping[str, Question]:
        return {self.train.name: self.train.question}

    def keeps(self, round_: str) -> Keeps:
        return (GkbEarned,) if round_ == "operating" else ()

    def trains(self, trains: Trains) -> Trains:
        return replace(trains, bound=lambda train: train == self.table.train)

    def faults(self, game: Game) -> list[str]:
        """The station lies there once GKB has floated, and the train is with whoever got it."""
        result, gkb, at = [], GkbTrain.of(game), self.table.hex
        if bool(gkb.owner) != (game.state.board.stations[at][0] == [MARKER]):
            result.append("GKB's station and its float do not agree")
        owners = [name for name, company in game.state.companies.items() if self.table.train in company.trains]
        if owners != ([gkb.company] if gkb.company else []):
            result.append(f"GKB's train is with {', '.join(owners) or 'nobody'}")
        return result

    def phase_changed(self, game: Game, event: ev.PhaseChanged) -> None:
        """The station goes onto its field; the certificate pays nothing and counts nothing any more."""
        owner = game.state.privates[self.table.private]
        if event.colour != "brown" or owner not in game.state.seats:
            return
        game.state.privates[self.table.private] = CLOSED
        game.board.place_station(MARKER, self.table.hex, 0, GKB)
        game.emit(GkbFloated(self.table.hex))
        self.train.due(game, owner)

    def given(self, game: Game, company: str) -> None:
        """The train joins those of the company, which may then have one too many."""
        game.state.depot.aside.remove(self.table.train)
        game.company(company).trains.append(self.table.train)
        game.emit(GkbTrainGiven(company, self.table.train))
        keep_limit(game, company)

    def trains_run(self, game: Game, event: ev.TrainsRun) -> None:
        """What the train earned may be used apart from the rest."""
        earned = sum(value for train, value, _ in event.routes if train == self.table.train)
        if earned:
            GkbEarned.of(game).gkb = earned


class KeepsGkb(AllOrNothing):
    """Everything is paid out or kept, or only what GKB's train has earned is kept."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        ways = super().ways(game, company, revenue)
        earned = GkbEarned.of(game).gkb
        if 0 < earned < revenue:
            return {"pay": ways["pay"], "keep_gkb": Split(revenue - earned, earned), "withhold": ways["withhold"]}
        return ways


class GkbReach:
    """Where GKB's train can get to from its station: past one city and some towns at most, no track twice.

    It answers the questions that laying track asks of a reach.
    """

    def __init__(self, board: Board, company: str, table: Gkb) -> None:
        self.board = board
        self.company = company
        self.towns = table.towns
        self.starts: list[Node] = [(table.hex, 0)]
        self.stops: set[Node] = set(self.starts)
        #: For each hex: a bit for each edge at which the train can arrive and go on.
        self.touched: dict[str, int] = {}
        self._leave(self.starts[0], 0, frozenset(self._claims(self.starts[0])), 0, 0)

    def touches(self, at: str, edges: int) -> bool:
        return bool(self.touched.get(at, 0) & edges)

    def reaches(self, at: str, stop: int) -> bool:
        return (at, stop) in self.stops

    def _claims(self, node: Node) -> list[object]:
        return [node, *place_groups(self.board, node)]

    def _leave(self, node: Node, mask: int, seen: frozenset[object], cities: int, towns: int) -> None:
        """Go on from a stop in every direction; it has been counted. No track of 18LRA joins two stops of a hex."""
        at, stop = node
        for edge in self.board.faces[at].links[FIRST_STOP + stop]:
            self._cross(at, edge, mask, seen, cities, towns)

    def _cross(self, at: str, edge: int, mask: int, seen: frozenset[object], cities: int, towns: int) -> None:
        """Over the border of a hex: what lies there may be built on, or leads further."""
        other = self.board.map.neighbours[at][edge]
        side = self.board.map.sides[at][edge]
        if other is None or mask & side:
            return
        arrival = OPPOSITE[edge]
        ends = self.board.faces[other].links[arrival]
        if not ends:
            self._touch(other, arrival)
        for end in ends:
            if end < FIRST_STOP:
                self._touch(other, arrival)
                self._cross(other, end, mask | side, seen, cities, towns)
            elif self._visit((other, end - FIRST_STOP), mask | side, seen, cities, towns):
                self._touch(other, arrival)

    def _visit(self, node: Node, mask: int, seen: frozenset[object], cities: int, towns: int) -> bool:
        """Whether the train may stop there; if so, and nothing keeps it, it goes on."""
        claims = self._claims(node)
        if seen.intersection(claims) or self.board.barred_for(self.company, *node):
            return False
        kind = self.board.faces[node[0]].stops[node[1]].kind
        cities, towns = (cities, towns + 1) if kind == TOWN else (cities + 1, towns)
        if cities > 1 or towns > self.towns:
            return False
        self.stops.add(node)
        if self.board.open_for(self.company, *node):
            self._leave(node, mask, seen.union(claims), cities, towns)
        return True

    def _touch(self, at: str, edge: int) -> None:
        self.touched[at] = self.touched.get(at, 0) | 1 << edge
