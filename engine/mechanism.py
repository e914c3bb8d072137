"""Mechanisms: what a form of play is made of besides its rounds and policies, and how they are put together.

A mechanism (links, loaded trains, the Investor) remembers something in records (`engine.records`) and says what
follows from it. It holds nothing itself but figures and parts, and reads no field of another: it calls the functions
of the other's module. What has no record, listener or question of its own is no mechanism but a policy.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from engine.events import Event
from engine.records import Keeps
from engine.rounds.turns import Extra, Question, RoundRules, Step, Steps, TurnRound
from engine.rules import Listener, OpenCard, Remark, Rules, Trains
from engine.state import State

if TYPE_CHECKING:
    from engine.game import Game
    from engine.steps.trade import Check

K = TypeVar("K")
V = TypeVar("V")


class Mechanism:
    """Something that a form has beside the common things. Every hook has an answer that says nothing."""

    # ------------------------------------------------------------------ joined, in the order of the list

    def lay_out(self, state: State, chance: random.Random) -> None:
        """Lay out what is there before anything has happened; the order of the list is the order of draws."""

    def on(self) -> Mapping[type[Event], Listener]:
        """What else happens after an event; a listener may ask, it never advances a turn."""
        return {}

    def questions(self) -> Mapping[str, Question]:
        """What may be done about a pending decision, by its kind; no two mechanisms answer the same kind."""
        return {}

    def clauses(self) -> Mapping[str, str]:
        """The ledger's ids by kind of rule; those of a later mechanism stand above those of an earlier one."""
        return {}

    def marks(self, game: Game) -> Mapping[str, Sequence[str]]:
        """What lies on hexes besides tiles and stations, by the names of the signs."""
        return {}

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        """What a player, a company or the pool owns of it, with its number."""
        return {}

    def lost_tokens(self, game: Game, company: str) -> int:
        """How many station tokens of a company have left the game by it."""
        return 0

    def remarks(self, game: Game) -> list[Remark]:
        """What no common page tells of a position."""
        return []

    def cards(self) -> Mapping[str, int]:
        """What each card of its deck is worth."""
        return {}

    def open_cards(self, game: Game) -> Sequence[OpenCard]:
        """Its cards that lie open on the table or before players."""
        return ()

    def over(self, game: Game) -> None:
        """What is still to be shown or counted when the game is over, before the scores are told."""

    def faults(self, game: Game) -> list[str]:
        """Sentences about what is wrong with its components in a position."""
        return []

    # ------------------------------------------------------------------ in rounds and turns

    def rounds(self) -> Mapping[str, RoundRules]:
        """Rounds that there are only by it; it begins them itself, when it `interrupts`."""
        return {}

    def actors(self, round_: str) -> Mapping[str, Steps]:
        """Kinds of actors who have turns in a round only by it, with their steps."""
        return {}

    def last(self, round_: str, kind: str) -> tuple[Step, ...]:
        """What actors of a kind do at the end of their turns in a round."""
        return ()

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        """What actors of a kind may do in any step of their turns in a round."""
        return ()

    def keeps(self, round_: str) -> Keeps:
        """What it remembers of a round and of its turns."""
        return ()

    # ------------------------------------------------------------------ asked by the parts of a form that is told of it

    def buy(self) -> tuple[Check, ...]:
        """What must hold besides when a certificate is bought."""
        return ()

    def may_sell_trains(self, game: Game, company: str) -> bool:
        """Whether a company may sell trains to others; all mechanisms must agree."""
        return True

    # ------------------------------------------------------------------ the first answer counts, before the form's own

    def kind(self, game: Game, actor: str) -> str | None:
        """The kind of an actor; None to leave it to others."""
        return None

    def decides(self, game: Game, actor: str) -> str | None:
        """Who decides for an actor, "" if nobody does; None to leave it to others."""
        return None

    # ------------------------------------------------------------------ around the form's own

    def first(self, game: Game) -> None:
        """What happens before the first round begins."""

    def interrupts(self, game: Game) -> bool:
        """Asked when a round is over: True if something is to be settled first, after which `rules.then` is asked."""
        return False

    def trains(self, trains: Trains) -> Trains:
        """What runs, as the form has it with the mechanisms before this one, and what it makes of that."""
        return trains


def compose(rules: Rules, *mechanisms: Mechanism) -> Rules:
    """The rules with mechanisms. What the form has itself stands before them, in everything that is joined.

    The order of the mechanisms is the order of listeners and of draws from chance: with another order a seed is
    another game. Only hooks that a mechanism has of its own are joined: what nobody says anything about costs nothing.
    """

    def hooks(name: str) -> list[Callable[..., Any]]:
        own = [each for each in mechanisms if getattr(type(each), name) is not getattr(Mechanism, name)]
        return [getattr(each, name) for each in own]

    joined: dict[str, Any] = {}
    for name, join in _JOINTS.items():
        if found := hooks(name):
            field = _FIELDS.get(name, name)
            joined[field] = join(getattr(rules, field), found)
    if any(map(hooks, _OF_ROUNDS)):
        joined["rounds"] = _rounds(rules.rounds, mechanisms)
    return replace(rules, **joined)


def _rounds(own: Mapping[str, RoundRules], mechanisms: Sequence[Mechanism]) -> dict[str, RoundRules]:
    """The rounds of a form and of mechanisms, with what these join to each."""
    result = dict(own)
    for each in mechanisms:
        result |= each.rounds()
    return {name: _round(name, round_, mechanisms) for name, round_ in result.items()}


def _round(name: str, round_: RoundRules, mechanisms: Sequence[Mechanism]) -> RoundRules:
    if not isinstance(round_, TurnRound):
        return round_
    steps = {kind: walked for each in mechanisms for kind, walked in each.actors(name).items()}
    for kind, walked in {**round_.steps, **steps}.items():
        last = tuple(step for each in mechanisms for step in each.last(name, kind))
        extras = tuple(extra for each in mechanisms for extra in each.extras(name, kind))
        if last or extras:
            steps[kind] = walked.joined(last, extras)
    keeps = tuple(kind for each in mechanisms for kind in each.keeps(name))
    return round_.joined(steps, keeps) if steps or keeps else round_


Hooks = list[Callable[..., Any]]


def _one_after_the_other(own: Callable[..., None], hooks: Hooks) -> Callable[..., None]:
    def all_of_them(*about: Any) -> None:
        own(*about)
        for hook in hooks:
            hook(*about)

    return all_of_them


def _listeners(
    own: Mapping[type[Event], tuple[Listener, ...]], hooks: Hooks
) -> Mapping[type[Event], tuple[Listener, ...]]:
    result = dict(own)
    for hook in hooks:
        for event, listener in hook().items():
            result[event] = (*result.get(event, ()), listener)
    return result


def _questions(own: Mapping[str, Question], hooks: Hooks) -> Mapping[str, Question]:
    result = dict(own)
    for hook in hooks:
        for kind, asked in hook().items():
            if kind in result:
                raise ValueError(f"two mechanisms answer {kind}")
            result[kind] = asked
    return result


def _by_key(own: Mapping[str, V], hooks: Hooks) -> Mapping[str, V]:
    result = dict(own)
    for hook in hooks:
        result |= hook()
    return result


def _listed(own: Callable[..., Sequence[V]], hooks: Hooks) -> Callable[..., list[V]]:
    return lambda *about: [*own(*about), *(each for hook in hooks for each in hook(*about))]


def _by_place(own: Callable[..., Mapping[K, Sequence[V]]], hooks: Hooks) -> Callable[..., Mapping[K, Sequence[V]]]:
    def marks(*about: Any) -> Mapping[K, Sequence[V]]:
        result = dict(own(*about))
        for hook in hooks:
            for place, signs in hook(*about).items():
                result[place] = (*result.get(place, ()), *signs)
        return result

    return marks


def _by_name(own: Callable[..., Mapping[K, int]], hooks: Hooks) -> Callable[..., dict[K, int]]:
    def counted(*about: Any) -> dict[K, int]:
        result = dict(own(*about))
        for hook in hooks:
            for name, number in hook(*about).items():
                result[name] = result.get(name, 0) + number
        return result

    return counted


def _sum(own: Callable[..., int], hooks: Hooks) -> Callable[..., int]:
    return lambda *about: own(*about) + sum(hook(*about) for hook in hooks)


def _first_answer(own: Callable[..., str], hooks: Hooks) -> Callable[..., str]:
    def answer(game: Game, actor: str) -> str:
        for hook in hooks:
            found: str | None = hook(game, actor)
            if found is not None:
                return found
        return own(game, actor)

    return answer


def _before(own: Callable[[Game], None], hooks: Hooks) -> Callable[[Game], None]:
    def first(game: Game) -> None:
        for hook in hooks:
            hook(game)
        own(game)

    return first


def _unless_interrupted(own: Callable[[Game], None], hooks: Hooks) -> Callable[[Game], None]:
    def then(game: Game) -> None:
        if not any(hook(game) for hook in hooks):
            own(game)

    return then


def _made_of(own: Trains, hooks: Hooks) -> Trains:
    for hook in hooks:
        own = hook(own)
    return own


#: How what mechanisms say becomes one with what the form says, by hook.
_JOINTS: Mapping[str, Callable[[Any, Hooks], Any]] = {
    "lay_out": _one_after_the_other,
    "on": _listeners,
    "questions": _questions,
    "clauses": _by_key,
    "marks": _by_place,
    "possessions": _by_name,
    "lost_tokens": _sum,
    "remarks": _listed,
    "cards": _by_key,
    "open_cards": _listed,
    "over": _one_after_the_other,
    "faults": _listed,
    "kind": _first_answer,
    "decides": _first_answer,
    "first": _before,
    "interrupts": _unless_interrupted,
    "trains": _made_of,
}
#: Hooks of which rounds and turns are made.
_OF_ROUNDS = ("rounds", "actors", "last", "extras", "keeps")
#: The fields of `Rules` that are not called like their hook.
_FIELDS: Mapping[str, str] = {"interrupts": "then"}
