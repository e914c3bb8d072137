"""What a private company's owner gives, once and for good, to a company that they direct, as soon as they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame
from engine.state import Pause


@register("assign_to")
@dataclass(frozen=True, slots=True)
class Assign(Move):
    """Choose the company that gets what a private company brings."""

    private: str
    company: str


@dataclass(slots=True)
class Gift(OfGame):
    """Whose it is to give, "" before it is due, and the company that has got it. Each thing has a kind of its own."""

    owner: str = ""
    company: str = ""

    @classmethod
    def told(cls, data: Bag) -> dict[str, Any]:
        return super(Gift, cls).told(data) if data["owner"] else {}


class Assignment:
    """One thing to give; the kind of its record says what it is called."""

    def __init__(self, gift: type[Gift], private: str, given: Callable[[Game, str], None]) -> None:
        self.gift = gift
        #: Also the kind of the question.
        self.name = gift.TOLD
        self.private = private
        self.given = given

    def due(self, game: Game, owner: str) -> None:
        """The time has come: the owner gives it at once, even out of turn."""
        self.gift.of(game).owner = owner
        self.settle(game)

    def is_due(self, game: Game) -> bool:
        return bool(self.gift.of(game).owner)

    def holder(self, game: Game) -> str:
        """The company that has got it, if one has."""
        return self.gift.of(game).company

    def candidates(self, game: Game) -> list[str]:
        """The companies whose director's certificate the owner holds."""
        owner = self.gift.of(game).owner
        return [name for name, company in game.state.companies.items() if company.director == owner]

    def settle(self, game: Game) -> None:
        """Give it where there is no choice, ask where there is one, wait where there is nobody to give it to."""
        if not self.is_due(game) or self.holder(game):
            return
        companies = self.candidates(game)
        if len(companies) == 1:
            self.give(game, companies[0])
        elif companies:
            game.ask(self.name, [self.gift.of(game).owner])

    def give(self, game: Game, company: str) -> None:
        self.gift.of(game).company = company
        self.given(game, company)

    # ------------------------------------------------------------------ for the table of a title

    def founded(self, game: Game, event: ev.CompanyFounded) -> None:
        self.settle(game)

    def director_changed(self, game: Game, event: ev.DirectorChanged) -> None:
        self.settle(game)

    def question(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        return [AssignChoice(game, pause.players[0], pause, self)]


class AssignChoice(Choice[Assign]):
    """Choose the company."""

    kind = Assign

    def __init__(self, game: Game, player: str, pause: Pause, assignment: Assignment) -> None:
        super().__init__(game, player)
        self.pause = pause
        self.assignment = assignment

    def ask(self, picked: Picked) -> Domain | None:
        if "company" in picked:
            return None
        return Options("company", [Option(company) for company in self.assignment.candidates(self.game)])

    def move(self, picked: Picked) -> Assign:
        return Assign(self.player, self.assignment.private, picked["company"])

    def check(self, move: Assign) -> None:
        private = self.assignment.private
        if move.private != private or move.company not in self.assignment.candidates(self.game):
            raise Refused(f"question.{self.assignment.name}", "assign.company", private=private, company=move.company)

    def perform(self, move: Assign) -> None:
        self.game.answered(self.pause)
        self.assignment.give(self.game, move.company)
