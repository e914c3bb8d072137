"""Private no. 1, the emigrant camp of Dalheim: a link to the right bank, and a token for one company's routes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from engine import events as ev
from engine.board.faces import COLOURS
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import put, record
from engine.routes.legs import Node
from engine.rules import Listener, Question
from engine.state import State
from titles.lra.tables import Tables
from titles.rhineland.assigning import Assignment, Gift

#: The sides of the token on the map: under construction, and in use.
PLANNED, ACTIVE = "works", "camp"


@dataclass(frozen=True, slots=True)
class DalheimActive(ev.Event):
    hex: str


@dataclass(frozen=True, slots=True)
class DalheimGiven(ev.Event):
    company: str
    amount: int


@record("lra.dalheim", told="dalheim")
@dataclass(slots=True)
class CampToken(Gift):
    """Who gives the token of the camp to a company, and which has got it."""


class Camp(Mechanism):
    """It becomes active by a track link, whoever built it, or with the brown phase; then its owner gives the token."""

    def __init__(self, t: Tables) -> None:
        self.table = t.dalheim
        self.tables = t
        self.token = Assignment(CampToken, t.dalheim.private, self.given)

    def lay_out(self, state: State, chance: random.Random) -> None:
        """The token lies on the map, under construction."""
        state.board.markers[self.table.hex] = [PLANNED]
        put(state, CampToken())

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {
            ev.TileLaid: self.tile_laid,
            ev.CompanyFounded: self.token.founded,
            ev.DirectorChanged: self.token.director_changed,
            ev.PhaseChanged: self.phase_changed,
        }

    def questions(self) -> Mapping[str, Question]:
        return {self.token.name: self.token.question}

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        return {"dalheim": 1} if CampToken.of(game).company == holder else {}

    def tile_laid(self, game: Game, event: ev.TileLaid) -> None:
        if not self.token.is_due(game) and linked(game, self.tables):
            self.activate(game)

    def phase_changed(self, game: Game, event: ev.PhaseChanged) -> None:
        if event.colour == "brown" and not self.token.is_due(game):
            self.activate(game)

    def activate(self, game: Game) -> None:
        owner = game.state.privates[self.table.private]
        if owner in game.state.seats:
            game.state.board.markers[self.table.hex] = [ACTIVE]
            game.emit(DalheimActive(self.table.hex))
            self.token.due(game, owner)

    def given(self, game: Game, company: str) -> None:
        game.emit(DalheimGiven(company, self.table.bonus))


def right_bank(game: Game, t: Tables) -> list[Node]:
    """The cities on the right bank; a crossing is one of them once it crosses."""
    since = COLOURS.index(t.right_bank.since)
    crossing = [at for at in t.right_bank.crossings if COLOURS.index(game.board.faces[at].colour) >= since]
    return [(at, stop) for at in (*t.right_bank.hexes, *crossing) for stop in range(len(game.board.faces[at].stops))]


def linked(game: Game, t: Tables) -> bool:
    """Whether track joins the camp to the right bank, whoever has stations on the way."""
    reach = game.tracks([(t.dalheim.hex, 0)])
    return any(reach.reaches(*node) for node in right_bank(game, t))
