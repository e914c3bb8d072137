"""The Rheingold Contract (8.5.2 no. 3): its token is a station that only one company's Rheingold-Express knows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame, put, record
from engine.rounds.turns import Extra, Turn
from engine.rules import Listener, Question
from engine.state import Pause, State
from titles.rhl.alternative_tables import RheingoldToken

#: The token on map and charter.
RGE = "RGE"
#: The steps of a turn until the trains have run.
BEFORE_RUN = ("track", "station", "run")


@register("assign_token")
@dataclass(frozen=True, slots=True)
class AssignToken(Move):
    """A company gets the token, which is put on a hex beside the spaces."""

    company: str
    hex: str


@dataclass(frozen=True, slots=True)
class TokenAssigned(ev.Event):
    player: str
    company: str
    hex: str


@record("rhl.rheingold_token", told="rheingold_token")
@dataclass(slots=True)
class RheingoldPlace(OfGame):
    """Whose the token is and where it lies, once it is assigned; who must assign it once they direct a company."""

    company: str = ""
    hex: str = ""
    due: str = ""

    @classmethod
    def told(cls, data: Bag) -> dict[str, Any]:
        found = {name: value for name, value in data.items() if value}
        return {cls.TOLD: found} if found else {}


def token_hex(game: Game, company: str) -> str:
    """Where the token of a company lies, "" if it has none."""
    found = RheingoldPlace.seen(game)
    return found.hex if found is not None and found.company == company else ""


class AssignTokenChoice(Choice[AssignToken]):
    """Give the token to the acting company, or to any that its owner directs where it must be assigned."""

    kind = AssignToken

    def __init__(self, game: Game, player: str, companies: list[str], contract: Contract, pause: Pause | None) -> None:
        super().__init__(game, player, companies[0] if companies else "")
        self.companies = companies
        self.contract = contract
        self.pause = pause

    @property
    def granted_by(self) -> str:
        return self.contract.lot

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options("company", [Option(company) for company in self.companies])
        if "hex" not in picked:
            return Options("hex", [Option(at) for at in self.contract.hexes])
        return None

    def move(self, picked: Picked) -> AssignToken:
        return AssignToken(self.player, picked["company"], picked["hex"])

    def check(self, move: AssignToken) -> None:
        game = self.game
        if move.company not in self.companies:
            raise game.refuse("rheingold_token.company", private=self.contract.lot, companies=tuple(self.companies))
        if move.hex not in self.contract.hexes:
            raise game.refuse("rheingold_token.hex", hexes=self.contract.hexes)

    def perform(self, move: AssignToken) -> None:
        if self.pause is not None:
            self.game.answered(self.pause)
        self.contract.assign(self.game, self.player, move)


class Contract(Mechanism):
    """RHL-8.5.2: when the token may and when it must be assigned."""

    def __init__(self, table: RheingoldToken, definition: Definition) -> None:
        self.lot = table.lot
        self.since = table.since
        self.hexes = definition.privates[table.lot].hexes

    # ------------------------------------------------------------------ in a turn

    def check(self, turn: Turn) -> None:
        """Refused unless whoever decides may assign the token in this turn now."""
        game = turn.game
        if self.lot in game.state.used:
            raise game.refuse("rheingold_token.used", private=self.lot)
        if not turn.decider or game.state.privates[self.lot] != turn.decider:
            raise game.refuse("rheingold_token.owner", private=self.lot)
        if self.since not in game.phase.tiles:
            raise game.refuse("rheingold_token.phase", private=self.lot, colour=self.since)
        if game.state.round.step not in BEFORE_RUN:
            raise game.refuse("rheingold_token.late", private=self.lot)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        try:
            self.check(turn)
        except Refused:
            return []
        return [AssignTokenChoice(turn.game, turn.decider, [turn.actor], self, None)]

    def assign(self, game: Game, player: str, move: AssignToken) -> None:
        game.state.used.append(self.lot)
        found = RheingoldPlace.of(game)
        found.company, found.hex, found.due = move.company, move.hex, ""
        game.state.board.markers.setdefault(move.hex, []).append(RGE)
        game.state.board.token_version += 1
        game.emit(TokenAssigned(player, move.company, move.hex))

    # ------------------------------------------------------------------ with the first 5-train

    def must_assign(self, game: Game, event: ev.PhaseChanged) -> None:
        """With the brown phase it must be assigned at once, before the private company closes."""
        owner = game.state.privates[self.lot]
        if event.colour == "brown" and owner in game.state.seats and self.lot not in game.state.used:
            RheingoldPlace.of(game).due = owner
            self.ask_owner(game)

    def directs_now(self, game: Game, event: ev.Event) -> None:
        """Whoever directed nothing then assigns it as soon as they do (ruling 77)."""
        self.ask_owner(game)

    def ask_owner(self, game: Game) -> None:
        owner = RheingoldPlace.of(game).due
        if owner and directed(game, owner) and all(pause.kind != "assign_token" for pause in game.state.pauses):
            game.ask("assign_token", [owner])

    def question(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        player = pause.players[0]
        return [AssignTokenChoice(game, player, directed(game, player), self, pause)]

    # ------------------------------------------------------------------ for the rules

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, RheingoldPlace())

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (Assigning(self),) if round_ == "operating" else ()

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {
            ev.PhaseChanged: self.must_assign,
            ev.CompanyFounded: self.directs_now,
            ev.DirectorChanged: self.directs_now,
        }

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        return {RGE: 1} if token_hex(game, holder) else {}

    def questions(self) -> Mapping[str, Question]:
        return {"assign_token": self.question}


class Assigning(Extra):
    """The token may be assigned in any step until the trains have run; the game stops for it once, before they do."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return self.contract.choices(turn)

    def waits(self, turn: Turn) -> bool:
        return turn.game.state.round.step == BEFORE_RUN[-1] and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, AssignToken):
            self.contract.check(turn)


def directed(game: Game, player: str) -> list[str]:
    """The companies that somebody directs, floated or not."""
    return [name for name, company in game.state.companies.items() if company.director == player]
