"""The operating round: companies act one after the other, each through the same sequence of steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.moves import Move
from engine.offer import Choice
from engine.rules import RoundRules
from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game


class Step(ABC):
    """One part of a company's turn."""

    name: str = ""

    @abstractmethod
    def choices(self, game: Game, company: str) -> list[Choice[Any]]:
        """What the director may do; with a pass where the step is optional."""

    def waiting(self, game: Game, company: str) -> bool:
        """Whether there is anything to decide besides passing."""
        return len(self.choices(game, company)) > 1

    def skipped(self, game: Game, company: str) -> None:
        """What happens when there is nothing to decide."""

    def explain(self, game: Game, company: str, move: Move) -> None:
        """Raise Refused with the rule that keeps a kind of move out of the offer, if the step knows it."""


class OperatingRound(RoundRules):
    """Turns of floated companies, always the highest price next among those that have not acted."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = {step.name: step for step in steps}
        self.order = [step.name for step in steps]

    # ------------------------------------------------------------------ hooks

    def round_begins(self, game: Game) -> None:
        """Payments at the start of a round."""
        self.pay_privates(game)

    def turn_begins(self, game: Game, company: str) -> None:
        """What happens before a company's first step."""

    def operates(self, game: Game, company: str) -> bool:
        return game.company(company).floated

    def at_any_time(self, game: Game, company: str) -> list[Choice[Any]]:
        """What may be done in every step of the turn; the first and the last step wait for it."""
        return []

    # ------------------------------------------------------------------ the round

    def begin(self, game: Game, number: int, total: int) -> None:
        round_ = game.state.round
        round_.kind = "operating"
        round_.operating_number, round_.operating_total = number, total
        round_.actor, round_.step = "", ""
        round_.memory = {"acted": []}
        round_.turn = {}
        game.emit(ev.RoundBegan("operating", round_.stock_number, number))
        self.round_begins(game)

    def pay_privates(self, game: Game) -> None:
        for private, owner in game.state.privates.items():
            if owner in game.state.cash:
                game.pay(BANK, owner, game.definition.privates[private].revenue, f"revenue of {private}")

    def waiting_companies(self, game: Game) -> list[str]:
        """Who has still to act, in the order of now."""
        acted = game.state.round.memory["acted"]
        return [c for c in game.prices.order() if self.operates(game, c) and c not in acted]

    def choices(self, game: Game) -> list[Choice[Any]]:
        round_ = game.state.round
        return self.steps[round_.step].choices(game, round_.actor) + self.at_any_time(game, round_.actor)

    def explain(self, game: Game, move: Move) -> None:
        round_ = game.state.round
        if not game.state.pauses:
            self.steps[round_.step].explain(game, round_.actor, move)

    def settle(self, game: Game) -> bool:
        round_ = game.state.round
        if not round_.actor:
            waiting = self.waiting_companies(game)
            if not waiting:
                game.rules.round_over(game)
                return False
            self._begin_turn(game, waiting[0])
            return False
        if not round_.step:
            self._end_turn(game)
            return False
        step = self.steps[round_.step]
        if step.waiting(game, round_.actor):
            return True
        if step.name in (self.order[0], self.order[-1]) and self.at_any_time(game, round_.actor):
            return True
        step.skipped(game, round_.actor)
        if round_.step == step.name and not game.state.pauses and not game.finished:
            self.next_step(game)
        return False

    def _begin_turn(self, game: Game, company: str) -> None:
        round_ = game.state.round
        round_.actor = company
        round_.step = self.order[0]
        round_.turn = {}
        game.emit(ev.TurnBegan(company))
        self.turn_begins(game, company)

    def _end_turn(self, game: Game) -> None:
        round_ = game.state.round
        game.company(round_.actor).operated = True
        round_.memory["acted"].append(round_.actor)
        round_.actor = ""
        round_.turn = {}

    def next_step(self, game: Game) -> None:
        """Leave the present step for the next, or the turn after the last; a turn cut short has no step."""
        round_ = game.state.round
        if not round_.step:
            return
        index = self.order.index(round_.step) + 1
        round_.step = self.order[index] if index < len(self.order) else ""


def next_step(game: Game) -> None:
    """Leave the present step of the operating round."""
    rules = game.rules.rounds[game.state.round.kind]
    assert isinstance(rules, OperatingRound)
    rules.next_step(game)


def passed(game: Game, company: str) -> None:
    """The director passes: on to the next step."""
    round_ = game.state.round
    game.emit(ev.Passed(game.company(company).director, company, round_.step))
    next_step(game)
