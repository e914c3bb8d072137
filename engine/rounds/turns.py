"""Rounds as sequences of turns: a turn belongs to an actor and walks the steps that the round gives its kind.

An actor is a name: a player, a company, somebody without a seat. A step offers, performs and says when it is done;
it does not know which round it is in. What a turn must remember is kept in the state, so that steps hold nothing.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from engine import events as ev
from engine.moves import Move
from engine.offer import Choice, PassChoice
from engine.records import Keeps, OfRound, OfTurn
from engine.remembered import IN_ANY_TURN, Acted, Going, Passes
from engine.rounds.sale import Sale
from engine.state import Pause

if TYPE_CHECKING:
    from typing import Self

    from engine.game import Game

R = TypeVar("R", OfRound, OfTurn)

#: Who has still to act, or acts at all, in the order of now.
Order = Callable[["Game"], list[str]]
Moment = Callable[["Game"], None]
#: What may be done about a pending decision.
Question = Callable[["Game", Pause], "list[Choice[Any]]"]


def fresh(kinds: Keeps, life: type[R]) -> dict[str, R]:
    """New records of those kinds that have this life."""
    return {kind.KEY: kind() for kind in kinds if issubclass(kind, life)}


def nothing(game: Game) -> None:
    """Nothing happens at this moment."""


class RoundRules(ABC):
    """A kind of round: what is on offer in it and how it goes on."""

    @abstractmethod
    def choices(self, game: Game) -> list[Choice[Any]]:
        """What may be done now."""

    @abstractmethod
    def settle(self, game: Game) -> bool:
        """Go on by one step where nothing is to be decided; True when somebody must decide."""

    def explain(self, game: Game, move: Move) -> None:
        """Raise Refused with the rule that keeps a kind of move out of the offer, if the round knows it."""

    def upcoming(self, game: Game) -> list[str]:
        """Who acts after the present actor, in the order of now, as far as the round knows."""
        return []

    def keeps(self) -> Keeps:
        """The records that such a round reads and writes besides those of its steps, of each turn and of the round."""
        return ()

    def all_kept(self) -> Keeps:
        """The records of the round, with those of its steps."""
        return self.keeps()

    def sale(self, game: Game) -> Sale | None:
        """What is shown of a round that sells lots."""
        return None

    def printed_number(self, game: Game, lot: str) -> int:
        """The number printed on a lot that is no private company; 0 if the round does not sell it."""
        return 0


class Turn:
    """The turn going on. A view made anew at each use; it holds no state, so nobody should keep one."""

    __slots__ = ("actor", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.actor: str = game.state.round.actor

    @property
    def decider(self) -> str:
        """The person who decides for the actor, "" if nobody does."""
        return self.game.decider(self.actor)

    @property
    def companies(self) -> list[str]:
        """For whom the actor acts: a company for itself, a player for every company they decide for.

        Once a player's turn has been used for one company it belongs to that one.
        """
        companies = self.game.state.companies
        if self.actor in companies:
            return [self.actor]
        used = Going.of(self.game).company
        if used:
            return [used]
        decider = self.game.decider
        return [name for name, company in companies.items() if company.floated and decider(name) == self.actor]

    @property
    def untouched(self) -> bool:
        """Whether nothing is remembered of it yet."""
        return all(kept == type(kept)() for kept in self.game.state.round.turn.values())

    def passing(self) -> PassChoice:
        """Passing: told, and on to the next step."""
        company = self.actor if self.actor in self.game.state.companies else ""
        return PassChoice(self.game, self.decider, company, self._passed)

    def _passed(self) -> None:
        self.let_be()
        self.advance()

    def let_be(self) -> None:
        """Told that nothing is done here; what may be done in any step is not asked for again before another move."""
        game = self.game
        company = self.actor if self.actor in game.state.companies else ""
        if any(extra.open(self) for extra in game.steps().extras):
            Going.of(game).unwanted = len(game.moves) + 1  # with the pass that is being made
        game.emit(ev.Passed(self.decider, company, game.state.round.step))

    def advance(self) -> None:
        """Leave the present step for the next, or the turn after the last; a turn cut short has no step."""
        round_ = self.game.state.round
        if round_.step:
            round_.step = self.game.steps().after(round_.step)

    def cut(self) -> None:
        """Drop the rest of the turn."""
        self.game.state.round.step = ""


class Step(ABC):
    """One part of a turn."""

    name: str = ""

    @abstractmethod
    def choices(self, turn: Turn) -> list[Choice[Any]]:
        """What the decider may do; with a pass where the step is optional."""

    def waiting(self, turn: Turn) -> bool:
        """Whether there is anything to decide besides passing."""
        return any(choice.name != "pass" for choice in self.choices(turn))

    def done(self, turn: Turn) -> bool:
        """Whether the step has been used up."""
        return False

    def skipped(self, turn: Turn) -> None:
        """What happens when there is nothing to decide; a step that goes by itself does its work here."""

    def explain(self, turn: Turn, move: Move) -> None:
        """Raise Refused with the rule that keeps a kind of move out of the offer, if the step knows it."""

    def questions(self) -> Mapping[str, Question]:
        """Who answers the decisions that the step may ask for, by their kind; a step around others hands on theirs."""
        return {}

    def keeps(self) -> Keeps:
        """The records that the step reads and writes, of each turn and of the whole round; of steps in it as well."""
        return ()


class Extra(ABC):
    """Something that may be done in any step of a turn."""

    def keeps(self) -> Keeps:
        """The records that it reads and writes, of each turn and of the whole round."""
        return ()

    @abstractmethod
    def choices(self, turn: Turn) -> list[Choice[Any]]:
        """What the decider may do besides what the step offers."""

    def open(self, turn: Turn) -> bool:
        """Whether there is anything to stop for."""
        return bool(self.choices(turn))

    def waits(self, turn: Turn) -> bool:
        """Whether the game stops for it in a step that has nothing else to decide.

        It does in every such step, unless it was just passed and nothing has happened since.
        """
        return Going.of(turn.game).unwanted != len(turn.game.moves) and self.open(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        """Raise Refused with the rule that keeps a kind of move out of the offer, if it is of this kind."""


class Steps:
    """What one kind of actor walks in its turn, and what it may do on the way."""

    def __init__(self, *steps: Step, extras: tuple[Extra, ...] = ()) -> None:
        self.named: dict[str, Step] = {step.name: step for step in steps}
        if len(self.named) < len(steps):
            raise ValueError("two steps of a turn have the same name")
        self.order = tuple(self.named)
        self.extras = extras
        #: Who answers what is asked for in such a turn.
        self.questions: dict[str, Question] = {}
        for step in steps:
            self.questions |= step.questions()
        #: What is remembered of such a turn, and of a round that has one.
        kept_by = [*(step.keeps() for step in steps), *(extra.keeps() for extra in extras)]
        self.keeps: Keeps = tuple(dict.fromkeys(kind for kept in kept_by for kind in kept))

    def __getitem__(self, name: str) -> Step:
        return self.named[name]

    def joined(self, last: tuple[Step, ...], extras: tuple[Extra, ...]) -> Steps:
        """These steps, with others after the last, and with more that may be done in any of them."""
        return Steps(*self.named.values(), *last, extras=(*self.extras, *extras))

    def after(self, name: str) -> str:
        """The next step, "" after the last."""
        index = self.order.index(name) + 1
        return self.order[index] if index < len(self.order) else ""


class Either(Step):
    """One of several steps: the first that is used closes the others."""

    def __init__(self, name: str, *steps: Step) -> None:
        self.name = name
        self.steps = steps

    def _open(self, turn: Turn) -> tuple[Step, ...]:
        used = Going.of(turn.game).used.get(self.name)
        return tuple(step for step in self.steps if step.name == used) if used else self.steps

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        found = []
        for step in self._open(turn):
            for choice in step.choices(turn) if not step.done(turn) else ():
                if choice.name != "pass":
                    choice.noted = partial(self._use, turn.game, step.name)
                    found.append(choice)
        return [*found, turn.passing()]

    def done(self, turn: Turn) -> bool:
        used = Going.of(turn.game).used.get(self.name)
        return any(step.name == used and (step.done(turn) or not step.waiting(turn)) for step in self.steps)

    def skipped(self, turn: Turn) -> None:
        for step in self._open(turn):
            step.skipped(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        for step in self._open(turn):
            step.explain(turn, move)

    def questions(self) -> Mapping[str, Question]:
        return {kind: asked for step in self.steps for kind, asked in step.questions().items()}

    def keeps(self) -> Keeps:
        return tuple(kind for step in self.steps for kind in step.keeps())

    def _use(self, game: Game, step: str) -> None:
        Going.of(game).used[self.name] = step


class TurnRound(RoundRules):
    """Turns one after the other. `steps` are by kind of actor; a subclass says whose turn is next."""

    def __init__(self, name: str, steps: Mapping[str, Steps]) -> None:
        self.name = name
        self.steps = steps
        #: What mechanisms keep of such a round and of its turns.
        self.joined_kept: Keeps = ()

    def joined(self, steps: Mapping[str, Steps], keeps: Keeps) -> Self:
        """The round with turns of these kinds of actors, and with more that is remembered of it.

        It is a copy: a form's `first` and `then` hold the round as it was. So `begin` must write to the state alone.
        """
        found = copy.copy(self)
        found.steps = {**self.steps, **steps}
        found.joined_kept = (*self.joined_kept, *keeps)
        return found

    # ------------------------------------------------------------------ what a kind of round says

    def next_actor(self, game: Game) -> str:
        """Whose turn begins now, "" when the round is over."""
        raise NotImplementedError

    def turn_begins(self, turn: Turn) -> None:
        """What happens before the first step."""

    def turn_ends(self, turn: Turn) -> None:
        """What happens after the last step."""

    def end(self, game: Game) -> None:
        """The round is over."""
        game.rules.then(game)

    # ------------------------------------------------------------------ the machine

    def all_kept(self) -> Keeps:
        return (*self.keeps(), *self.joined_kept, *(kind for steps in self.steps.values() for kind in steps.keeps))

    def start(self, game: Game, number: int = 0) -> None:
        """Set the state of a round that begins, with fresh records, and tell it."""
        round_ = game.state.round
        round_.kind = self.name
        round_.operating_number = number
        round_.actor, round_.step = "", ""
        # A form that is built on another has a round of the same name in its place, whose records count.
        round_.own = fresh(game.rules.rounds.get(self.name, self).all_kept(), OfRound)
        round_.turn = {}
        game.emit(ev.RoundBegan(self.name, round_.stock_number, number))

    def steps_of(self, game: Game, actor: str) -> Steps:
        return self.steps[game.rules.kind(game, actor)]

    def choices(self, game: Game) -> list[Choice[Any]]:
        turn = game.turn
        steps = self.steps_of(game, turn.actor)
        step = steps[game.state.round.step]
        result = step.choices(turn)
        if not steps.extras:
            return result
        # What may always be done stands before passing, which ends the step.
        own = [choice for choice in result if choice.name != "pass"]
        passing = result[len(own) :]
        if not passing and not step.waiting(turn):
            # The step has nothing to decide and goes on by itself, as soon as nobody wants anything else.
            own, passing = [], [PassChoice(game, turn.decider, turn.actor, turn.let_be)]
        return [*own, *(choice for extra in steps.extras for choice in extra.choices(turn)), *passing]

    def explain(self, game: Game, move: Move) -> None:
        if game.state.pauses or not game.state.round.actor:
            return
        turn = game.turn
        steps = self.steps_of(game, turn.actor)
        for extra in steps.extras:
            extra.explain(turn, move)
        steps[game.state.round.step].explain(turn, move)

    def settle(self, game: Game) -> bool:
        round_ = game.state.round
        if not round_.actor:
            actor = self.next_actor(game)
            if actor:
                self.begin_turn(game, actor)
            else:
                self.end(game)
            return False
        if not round_.step:
            self.end_turn(game)
            return False
        turn = game.turn
        steps = self.steps_of(game, turn.actor)
        step = steps.named[round_.step]
        if step.done(turn):
            turn.advance()
            return False
        if step.waiting(turn) or any(extra.waits(turn) for extra in steps.extras):
            return True
        step.skipped(turn)
        if round_.step == step.name and not game.state.pauses and not game.finished:
            turn.advance()
        return False

    def kept_in_turn(self, game: Game, actor: str) -> Keeps:
        """The records of somebody's turn."""
        return (*IN_ANY_TURN, *self.keeps(), *self.joined_kept, *self.steps_of(game, actor).keeps)

    def begin_turn(self, game: Game, actor: str) -> None:
        round_ = game.state.round
        round_.actor = actor
        round_.turn = fresh(self.kept_in_turn(game, actor), OfTurn)
        round_.step = self.steps_of(game, actor).order[0]
        if actor in game.state.companies:
            game.emit(ev.TurnBegan(actor))
        self.turn_begins(game.turn)

    def end_turn(self, game: Game) -> None:
        self.turn_ends(game.turn)
        round_ = game.state.round
        round_.actor = ""
        round_.turn = {}


class OnceRound(TurnRound):
    """Everybody acts once, in an order that is asked anew after each turn."""

    def __init__(
        self,
        name: str,
        order: Order,
        steps: Mapping[str, Steps],
        *,
        begins: Moment = nothing,
        turn_begins: Callable[[Turn], None] | None = None,
        keeps: Keeps = (),
    ) -> None:
        super().__init__(name, steps)
        self.order = order
        self.begins = begins
        self.first = turn_begins
        self.kept = keeps

    def keeps(self) -> Keeps:
        return (Acted, *self.kept)

    def begin(self, game: Game, number: int = 1, total: int = 1) -> None:
        game.state.round.operating_total = total
        self.start(game, number)
        self.begins(game)

    def next_actor(self, game: Game) -> str:
        acted = Acted.of(game).acted
        return next((actor for actor in self.order(game) if actor not in acted), "")

    def upcoming(self, game: Game) -> list[str]:
        gone = {*Acted.of(game).acted, game.state.round.actor}
        return [actor for actor in self.order(game) if actor not in gone]

    def turn_begins(self, turn: Turn) -> None:
        if self.first is not None:
            self.first(turn)

    def turn_ends(self, turn: Turn) -> None:
        company = turn.game.state.companies.get(turn.actor)
        # Who fell in this turn and can be founded again will be a new company, which has not operated.
        if company is not None and (company.floated or company.closed):
            company.operated = True
        Acted.of(turn.game).acted.append(turn.actor)


class PassRound(TurnRound):
    """Turn after turn until all have passed in succession. A step that was used says so in the turn's record `Going`.

    Somebody whose passes do not count begins the count anew all the same when they act.
    """

    def __init__(self, name: str, steps: Mapping[str, Steps], *, order: Order | None = None, ends: Moment = nothing):
        super().__init__(name, steps)
        self.order = order
        self.ends = ends

    def keeps(self) -> Keeps:
        return (Passes,)

    def actors(self, game: Game) -> list[str]:
        return self.order(game) if self.order is not None else game.state.seats

    def passers(self, game: Game) -> list[str]:
        """Whose passes end the round: those of people at the table; who has no seat only acts in between."""
        return [actor for actor in self.actors(game) if actor not in game.state.seatless]

    def begin(self, game: Game, first: str = "") -> None:
        following = first or (self.actors(game)[0] if self.order is not None else game.state.priority)
        self.start(game)
        Passes.of(game).next = following

    def next_actor(self, game: Game) -> str:
        now = Passes.of(game)
        return now.next if now.passes < len(self.passers(game)) else ""

    def upcoming(self, game: Game) -> list[str]:
        actors, actor = self.actors(game), game.state.round.actor
        if actor not in actors:
            return actors
        index = actors.index(actor)
        return actors[index + 1 :] + actors[:index]

    def turn_ends(self, turn: Turn) -> None:
        now = Passes.of(turn.game)
        if Going.of(turn.game).acted:
            now.passes = 0
        elif turn.actor in self.passers(turn.game):
            now.passes += 1
        actors = self.actors(turn.game)
        now.next = actors[(actors.index(turn.actor) + 1) % len(actors)]

    def end(self, game: Game) -> None:
        self.ends(game)
        game.rules.then(game)


def meant_for(choice: Choice[Any], company: str) -> bool:
    """Whether a move for a company is judged by a choice: by that company's own, or by any if another's turn it is."""
    turn = choice.game.turn
    return company == choice.company or (turn.actor in choice.game.state.companies and company != turn.actor)
