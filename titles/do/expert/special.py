"""Special events (SEM): a brewery takes one after it has bought, keeps it, uses it once, and it is back on display."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine import events as ev
from engine.errors import Refused
from engine.finance.raising import raising
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.rounds.turns import Extra, Step, Turn
from titles.do.board.remembered import EventsUsed, ExpertTurn
from titles.do.expert import markers
from titles.do.expert.tables import expert, reached


@register("take_event")
@dataclass(frozen=True, slots=True)
class TakeEvent(Move):
    """A brewery takes a special event from the display; one that it has goes back first."""

    company: str
    marker: str


@register("use_event")
@dataclass(frozen=True, slots=True)
class UseEvent(Move):
    """A brewery uses its special event; what else is named depends on the event."""

    company: str
    marker: str
    equipment: str = ""
    given: str = ""
    segment: int = 0
    customers: str = ""
    railway: str = ""
    percent: int = 0


@dataclass(frozen=True, slots=True)
class EventTaken(ev.Event):
    company: str
    marker: str


@dataclass(frozen=True, slots=True)
class EventUsed(ev.Event):
    company: str
    marker: str


# ---------------------------------------------------------------------- what an event is


class Special(ABC):
    """DO-7.2-b: a special event: when it can be used, what has to be named, what it does."""

    #: What is named, in the order in which it is asked for.
    names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, code: str) -> None:
        self.code = code

    @abstractmethod
    def ways(self, game: Game, company: str) -> list[tuple[Any, ...]]:
        """All ways to use it now: the values of what is named."""

    @abstractmethod
    def use(self, game: Game, company: str, *values: Any) -> None:
        """What it does."""

    def facts(self, game: Game, company: str, picked: Picked, name: str, value: Any) -> dict[str, Any]:
        """What somebody wants to know before they choose a value."""
        return {}

    def refusal(self, game: Game, company: str, move: UseEvent) -> Refused:
        """Why one way to use it is none."""
        return Refused(f"special.{self.code}", "special.now", company=company, marker=self.code)

    def stops(self, step: str) -> bool:
        """Whether a turn stops for it in a step in which nothing else is to be decided."""
        return False


class UseEventChoice(Choice[UseEvent]):
    """DO-7.2-b: use a special event."""

    kind = UseEvent

    def __init__(self, game: Game, player: str, company: str, special: Special) -> None:
        super().__init__(game, player, company)
        self.special = special

    def ask(self, picked: Picked) -> Domain | None:
        if "marker" not in picked:
            return Options("marker", [Option(self.special.code)])
        chosen = tuple(picked[name] for name in self.special.names if name in picked)
        if len(chosen) == len(self.special.names):
            return None
        name = self.special.names[len(chosen)]
        ways = self.special.ways(self.game, self.company)
        values = dict.fromkeys(way[len(chosen)] for way in ways if way[: len(chosen)] == chosen)
        return Options(
            name,
            [Option(value, self.special.facts(self.game, self.company, picked, name, value)) for value in values],
        )

    def move(self, picked: Picked) -> UseEvent:
        named = {name: picked[name] for name in self.special.names}
        return UseEvent(self.player, self.company, self.special.code, **named)

    def check(self, move: UseEvent) -> None:
        game, company = self.game, self.company
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if move.marker != self.special.code:
            raise game.refuse("special.owned", company=company, marker=move.marker)
        if tuple(getattr(move, name) for name in self.special.names) not in self.special.ways(game, company):
            raise self.special.refusal(game, company, move)

    def perform(self, move: UseEvent) -> None:
        spend(self.game, self.company)
        self.special.use(self.game, self.company, *(getattr(move, name) for name in self.special.names))


def spend(game: Game, company: str) -> None:
    """DO-7.2-b: a brewery's event is used: it lies on the display again, and this brewery does not take it in this
    round."""
    code = markers.special(game, company)
    EventsUsed.of(game).used.append((company, code))
    turn = ExpertTurn.seen(game)
    if turn is not None:
        turn.used.append((company, code))
    markers.lay_back(game, company, code)
    game.emit(EventUsed(company, code))


def ready(game: Game, company: str) -> bool:
    """DO-7.2-c: whether the phase has come in which a brewery's event can be used."""
    code = markers.special(game, company)
    return bool(code) and reached(game, expert(game).specials[code].phase)


class UseEvents(Extra):
    """DO-7.2-b: a brewery may use its event in its turn, if there is a use for it and no money is being raised."""

    def __init__(self, specials: Mapping[str, Special]) -> None:
        self.specials = specials

    def keeps(self) -> Keeps:
        return (ExpertTurn,)

    def now(self, turn: Turn) -> Special | None:
        """The event that can be used now."""
        game, company = turn.game, turn.actor
        found = self.specials.get(markers.special(game, company))
        if found is None or not ready(game, company) or raising(turn.game) or not found.ways(game, company):
            return None
        return found

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        found = self.now(turn)
        return [] if found is None else [UseEventChoice(turn.game, turn.decider, turn.actor, found)]

    def waits(self, turn: Turn) -> bool:
        found = self.now(turn)
        return found is not None and found.stops(turn.game.state.round.step) and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        game, company = turn.game, turn.actor
        if not isinstance(move, UseEvent) or move.company != company:
            return
        if not move.marker or move.marker != markers.special(game, company):
            raise game.refuse("special.owned", company=company, marker=move.marker)
        if not ready(game, company):
            raise game.refuse("special.phase", colour=expert(game).specials[move.marker].phase, marker=move.marker)
        found = self.specials.get(move.marker)
        if found is not None:
            raise found.refusal(game, company, move)


# ---------------------------------------------------------------------- taking one


#: What a brewery has used and does not take now.
Used = Callable[[Game], Sequence[tuple[str, str]]]


def in_the_round(game: Game) -> Sequence[tuple[str, str]]:
    """DO-7.2-b: everything that was used in this round."""
    now = EventsUsed.seen(game)
    return now.used if now else ()


def in_the_turn(game: Game) -> Sequence[tuple[str, str]]:
    """DOD-8.2-f: what was used in this turn; before the first and after the last turn of a round is none."""
    now = ExpertTurn.seen(game)
    return now.used if now else ()


class TakeEventChoice(Choice[TakeEvent]):
    """DO-7.2-a: take a special event from the display."""

    kind = TakeEvent

    def __init__(self, game: Game, player: str, company: str, used: Used) -> None:
        super().__init__(game, player, company)
        self.used = used

    def refusal(self, code: str) -> Refused | None:
        game = self.game
        if code not in expert(game).specials:
            return game.refuse("unknown.event", marker=code)
        if not markers.on_display(game, [code]):
            return game.refuse("special.taken", marker=code)
        if (self.company, code) in self.used(game):
            return game.refuse("special.again", company=self.company, marker=code)
        return None

    def ask(self, picked: Picked) -> Domain | None:
        if "marker" in picked:
            return None
        return Options("marker", [Option(code) for code in expert(self.game).specials if self.refusal(code) is None])

    def move(self, picked: Picked) -> TakeEvent:
        return TakeEvent(self.player, self.company, picked["marker"])

    def check(self, move: TakeEvent) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        refused = self.refusal(move.marker)
        if refused is not None:
            raise refused

    def perform(self, move: TakeEvent) -> None:
        game, company = self.game, self.company
        old = markers.special(game, company)
        if old:
            markers.put_back(game, company, old)
        markers.take(game, company, move.marker)
        game.emit(EventTaken(company, move.marker))
        game.turn.advance()


class TakeEventStep(Step):
    """DO-7.6-a: the last action of a brewery: take a special event for nothing."""

    name = "event"

    def __init__(self, used: Used = in_the_round) -> None:
        self.used = used

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [TakeEventChoice(turn.game, turn.decider, turn.actor, self.used), turn.passing()]

    def explain(self, turn: Turn, move: Move) -> None:
        explain(turn, move)


def explain(turn: Turn, move: Move) -> None:
    """Events are taken after everything else, and some are not used in the turn or in this step of it."""
    if isinstance(move, TakeEvent) and move.company == turn.actor:
        raise turn.game.refuse("special.step", company=turn.actor)
    if isinstance(move, UseEvent) and move.company == turn.actor:
        raise Refused(f"special.{move.marker}", "special.now", company=turn.actor, marker=move.marker)
