"""Harbour tokens: the last token of a charter, for a harbour space; or turned over, an ordinary station."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Placed
from engine.rounds.turns import Turn, meant_for
from engine.state import BANK, CLOSED
from engine.steps.stations import StationStep
from titles.lra.tables import HARBOUR, Harbour, Tables


@register("place_harbour")
@dataclass(frozen=True, slots=True)
class PlaceHarbour(Move):
    """Put the harbour token on a harbour space."""

    company: str
    hex: str


@dataclass(frozen=True, slots=True)
class HarbourPlaced(ev.Event):
    company: str
    hex: str
    cost: int
    private: str


@dataclass(frozen=True, slots=True)
class HarbourTurned(ev.Event):
    company: str


def harbour_of(game: Game, company: str, table: Harbour) -> str:
    """The hex on whose harbour space a company's token lies, "" if on none."""
    for at in table.hexes:
        for stop in range(len(game.board.faces[at].stops)):
            if game.board.lies_on(company, at, stop, HARBOUR):
                return at
    return ""


def has_harbour_token(game: Game, company: str, table: Harbour) -> bool:
    """Whether a company still has its harbour token: it is the last on the charter."""
    return company in table.reduced and bool(game.company(company).tokens_left) and not harbour_of(game, company, table)


def reserved_by(game: Game, at: str, table: Harbour) -> str:
    """The private company that still keeps a harbour space for its owner, "" if none does."""
    for private, place in table.reserved.items():
        if place == at and game.state.privates[private] != CLOSED:
            return private
    return ""


def kept_for(game: Game, company: str, private: str) -> bool:
    """Whether a company uses a private company's harbour: that of its owner, as its director."""
    return game.state.privates[private] in (company, game.decider(company))


class Harbours(Mechanism):
    """LRA-6.2.2.1-a: on harbour spaces lie harbour tokens and nothing else, and every company has but one."""

    def __init__(self, table: Harbour) -> None:
        self.table = table

    def faults(self, game: Game) -> list[str]:
        result, board = [], game.state.board
        for at in self.table.hexes:
            for stop, spaces in enumerate(board.stations[at]):
                for space in game.board.faces[at].stops[stop].spaces_for("", HARBOUR):
                    if spaces[space] and spaces[space] not in self.table.reduced:
                        result.append(f"{spaces[space]} lies on the harbour space of {at}")
        for company in self.table.reduced:
            places = [at for at in self.table.hexes if game.board.lies_on(company, at, 0, HARBOUR)]
            if len(places) > 1:
                result.append(f"{company} has harbour tokens on {', '.join(places)}")
        return result


def token_kinds(game: Game, company: str) -> list[str]:
    """The last token of a charter is the harbour token, as long as it is there."""
    table: Harbour = game.definition.tables.harbour
    count = len(game.company(company).tokens_left)
    last = HARBOUR if has_harbour_token(game, company, table) else ""
    return [""] * (count - 1) + [last] * bool(count)


class HarbourStep(StationStep):
    """One token in a turn: an ordinary one, or the harbour token; one corporation needs no route to one hex."""

    def __init__(self, t: Tables) -> None:
        self.table = t.harbour
        self.free = t.free_station

    # ------------------------------------------------------------------ ordinary stations

    def free_places(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Stops for which the company needs no route."""
        at = self.free.hex
        if company != self.free.corporation:
            return []
        return [(at, stop) for stop in range(len(game.board.faces[at].stops))]

    def places(self, game: Game, company: str) -> list[tuple[str, int]]:
        found = super().places(game, company)
        more = [place for place in self.free_places(game, company) if place not in found]
        left, cash = game.company(company).tokens_left, game.state.cash[company]
        if not more or not left or Placed.of(game).station or self.cost(game, company, more[0][0]) > cash:
            return found
        if game.board.has_station(company, more[0][0]):
            return found
        return sorted([*found, *(place for place in more if self.room(game, company, *place))])

    def reachable(self, game: Game, company: str, at: str, stop: int) -> bool:
        return super().reachable(game, company, at, stop) or (at, stop) in self.free_places(game, company)

    def place(self, game: Game, company: str, at: str, stop: int, cost: int, private: str) -> None:
        turned = len(game.company(company).tokens_left) == 1 and has_harbour_token(game, company, self.table)
        super().place(game, company, at, stop, cost, private)
        if turned:
            game.emit(HarbourTurned(company))

    # ------------------------------------------------------------------ harbour tokens

    def harbour_cost(self, game: Game, company: str, at: str) -> int:
        """The lower price with the private company of that space, else the full one; one corporation has its own."""
        own = self.table.own_price
        if (company, at) == (own.corporation, own.hex):
            return own.price
        if reserved_by(game, at, self.table):
            return self.table.reduced[company]
        return game.company(company).tokens_left[-1]

    def harbour_places(self, game: Game, company: str) -> list[str]:
        """Harbours on which the company may put its token now."""
        if Placed.of(game).station or not has_harbour_token(game, company, self.table):
            return []
        cash = game.state.cash[company]
        if min(self.harbour_cost(game, company, at) for at in self.table.hexes) > cash:
            return []
        return [
            at
            for at in self.table.hexes
            if game.board.free_space(at, 0, company, HARBOUR)
            and not game.board.has_station(company, at)
            and self.open_to(game, company, at)
            and self.harbour_cost(game, company, at) <= cash
            and game.reach(company).reaches(at, 0)
        ]

    def open_to(self, game: Game, company: str, at: str) -> bool:
        private = reserved_by(game, at, self.table)
        return not private or kept_for(game, company, private)

    def check_harbour(self, game: Game, company: str, at: str) -> None:
        if not has_harbour_token(game, company, self.table):
            raise game.refuse("station.harbour.none", company=company)
        if Placed.of(game).station:
            raise game.refuse("station.one", company=company)
        if at not in self.table.hexes or not any(HARBOUR in stop.reserved for stop in game.board.faces[at].stops):
            raise game.refuse("station.harbour.space", at=at)
        if game.board.has_station(company, at):
            raise game.refuse("station.twice", company=company, at=at)
        if not game.board.free_space(at, 0, company, HARBOUR):
            raise game.refuse("station.harbour.space.taken", at=at)
        if not self.open_to(game, company, at):
            raise game.refuse("station.harbour.kept", at=at, private=reserved_by(game, at, self.table))
        if not game.reach(company).reaches(at, 0):
            raise game.refuse("station.route.harbour", company=company, at=at)
        cost = self.harbour_cost(game, company, at)
        if cost > game.state.cash[company]:
            raise game.refuse("station.cost", cost=cost, company=company, cash=game.state.cash[company])

    def place_harbour(self, game: Game, company: str, at: str) -> None:
        cost = self.harbour_cost(game, company, at)
        private = reserved_by(game, at, self.table)
        game.pay(company, BANK, cost, "station", at)
        game.company(company).tokens_left.pop()
        game.board.place_station(company, at, 0, HARBOUR)
        Placed.of(game).station = True
        game.emit(HarbourPlaced(company, at, cost, private))

    # ------------------------------------------------------------------ the step

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        *stations, passing = super().choices(turn)
        harbours: list[Choice[Any]] = [
            PlaceHarbourChoice(turn.game, turn.decider, company, self)
            for company in turn.companies
            if self.harbour_places(turn.game, company)
        ]
        return [*stations, *harbours, passing]

    def waiting(self, turn: Turn) -> bool:
        return super().waiting(turn) or any(self.harbour_places(turn.game, company) for company in turn.companies)

    def explain(self, turn: Turn, move: Move) -> None:
        super().explain(turn, move)
        for company in turn.companies:
            choice = PlaceHarbourChoice(turn.game, move.player, company, self)
            if isinstance(move, PlaceHarbour) and choice.matches(move):
                choice.check(move)


class PlaceHarbourChoice(Choice[PlaceHarbour]):
    """Put the harbour token on one of the harbours."""

    kind = PlaceHarbour

    def __init__(self, game: Game, player: str, company: str, step: HarbourStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "hex" in picked:
            return None
        places = self.step.harbour_places(self.game, self.company)
        return Options(
            "hex", [Option(at, {"cost": self.step.harbour_cost(self.game, self.company, at)}) for at in places]
        )

    def move(self, picked: Picked) -> PlaceHarbour:
        return PlaceHarbour(self.player, self.company, picked["hex"])

    def matches(self, move: object) -> bool:
        return isinstance(move, PlaceHarbour) and move.player == self.player and meant_for(self, move.company)

    def check(self, move: PlaceHarbour) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check_harbour(self.game, self.company, move.hex)

    def perform(self, move: PlaceHarbour) -> None:
        self.step.place_harbour(self.game, self.company, move.hex)
        self.game.turn.advance()
