"""How mechanisms are put together with the rules of a form: in which order, and who is asked first."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engine import events as ev
from engine.events import Event
from engine.game import Game
from engine.mechanism import Mechanism, compose
from engine.offer import Choice
from engine.records import Keeps, OfGame, OfRound, put, record
from engine.rounds.turns import Extra, OnceRound, Question, RoundRules, Step, Steps, Turn, TurnRound
from engine.rules import Listener, Remark, Rules, Trains
from engine.state import State
from tests.engine.toy import toy


@record("toy.diary")
@dataclass(slots=True)
class Diary(OfGame):
    """What was written down, by whom, in which order."""

    entries: list[str] = field(default_factory=list)


class Shelf(Mechanism):
    """Where the diary lies."""

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, Diary())


class Writer(Mechanism):
    """Somebody who writes down whatever they are told."""

    def __init__(self, name: str, knows: str = "", stops: int = 0) -> None:
        self.name = name
        self.knows = knows
        self.stops = stops

    def write(self, state: State, word: str) -> None:
        Diary.within(state).entries.append(f"{self.name} {word}")

    def lay_out(self, state: State, chance: random.Random) -> None:
        self.write(state, f"drew {chance.random():.12f}")

    def on(self) -> Mapping[type[Event], Listener]:
        return {ev.RoundBegan: lambda game, event: self.write(game.state, "heard")}

    def questions(self) -> Mapping[str, Question]:
        return {f"ask_{self.name}": lambda game, pause: []}

    def clauses(self) -> Mapping[str, str]:
        return {"diary": f"TOY-{self.name}"}

    def marks(self, game: Game) -> Mapping[str, Sequence[str]]:
        return {"A4": (self.name,)}

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        return {"pen": 1, self.name: 1}

    def lost_tokens(self, game: Game, company: str) -> int:
        return 2

    def remarks(self, game: Game) -> list[Remark]:
        return [Remark(self.name)]

    def faults(self, game: Game) -> list[str]:
        return [f"{self.name} has no ink"]

    def kind(self, game: Game, actor: str) -> str | None:
        return f"friend of {self.name}" if actor == self.knows else None

    def decides(self, game: Game, actor: str) -> str | None:
        return "" if actor == self.knows else None

    def first(self, game: Game) -> None:
        self.write(game.state, "began")

    def interrupts(self, game: Game) -> bool:
        self.write(game.state, "was asked")
        self.stops -= 1
        return self.stops >= 0

    def trains(self, trains: Trains) -> Trains:
        return replace(trains, must_run=f"{trains.must_run} {self.name}")


def rules(*mechanisms: Mechanism) -> Rules:
    return compose(toy(2), Shelf(), *mechanisms)


def game(*mechanisms: Mechanism) -> Game:
    return Game(rules(*mechanisms), ("ann", "bo"), 1)


def test_what_is_laid_out_told_and_begun_goes_in_the_order_of_the_list() -> None:
    drawn = [line.split()[0] for line in Diary.of(game(Writer("x"), Writer("y"))).entries]
    assert drawn == ["x", "y", "x", "y", "x", "y"]
    words = [line.split()[1] for line in Diary.of(game(Writer("x"), Writer("y"))).entries]
    assert words == ["drew", "drew", "began", "began", "heard", "heard"]


def test_another_order_of_mechanisms_draws_other_lots() -> None:
    one, other = (Diary.of(game(*order)).entries for order in ((Writer("x"), Writer("y")), (Writer("y"), Writer("x"))))
    assert one[0].split()[2] == other[0].split()[2]
    assert one[0] != other[1]


def test_everything_that_is_said_of_a_position_is_joined() -> None:
    found = game(Writer("x"), Writer("y"))
    assert found.rules.marks(found)["A4"] == ("x", "y")
    assert found.rules.possessions(found, "ann") == {"pen": 2, "x": 1, "y": 1}
    assert found.rules.lost_tokens(found, "RR") == 4
    assert [remark.key for remark in found.rules.remarks(found)] == ["x", "y"]
    assert found.rules.faults(found) == ["x has no ink", "y has no ink"]
    assert {"ask_x", "ask_y"} <= found.rules.questions.keys()
    assert found.rules.clauses["diary"] == "TOY-y"
    assert found.rules.trains.must_run.endswith(" x y")


def test_the_form_stands_before_its_mechanisms() -> None:
    own = replace(toy(2), marks=lambda game: {"A4": ("own",)}, faults=lambda game: ["own"])
    composed = compose(own, Shelf(), Writer("x"))
    found = Game(composed, ("ann", "bo"), 1)
    assert found.rules.marks(found)["A4"] == ("own", "x")
    assert found.rules.faults(found) == ["own", "x has no ink"]


def test_the_first_who_knows_an_actor_says_what_it_is() -> None:
    found = game(Writer("x", knows="RR"), Writer("y", knows="RR"), Writer("z", knows="CO"))
    assert [found.rules.kind(found, name) for name in ("RR", "CO", "ann")] == ["friend of x", "friend of z", "player"]
    assert found.decider("RR") == ""
    assert found.decider("ann") == "ann", "nobody says anything about her: it is the form's own answer"


def test_a_round_goes_on_when_nobody_has_anything_to_settle() -> None:
    went_on: list[str] = []
    plain = replace(toy(2), then=lambda game: went_on.append("on"))
    found = Game(compose(plain, Shelf(), Writer("x", stops=1), Writer("y", stops=1)), ("ann", "bo"), 1)
    Diary.of(found).entries.clear()
    for _ in range(3):
        found.rules.then(found)
    assert Diary.of(found).entries == ["x was asked", "x was asked", "y was asked", "x was asked", "y was asked"]
    assert went_on == ["on"]


def test_hooks_that_nobody_has_leave_the_form_as_it_is() -> None:
    plain = toy(2)
    composed = compose(plain, Shelf())
    assert composed.decides is plain.decides
    assert composed.on is plain.on
    assert composed.lay_out is not plain.lay_out


def test_rules_can_be_composed_twice() -> None:
    once = compose(compose(toy(2), Shelf(), Writer("x")), Writer("y"))
    entries, together = Diary.of(Game(once, ("ann", "bo"), 1)).entries, Diary.of(game(Writer("x"), Writer("y"))).entries
    assert entries[:2] == together[:2], "the same draws"
    assert entries[2:4] == ["y began", "x began"], "what is added later begins before all that was there"
    assert entries[4:] == together[4:]


def test_two_mechanisms_never_answer_the_same_question() -> None:
    with pytest.raises(ValueError, match="two mechanisms answer ask_x"):
        rules(Writer("x"), Writer("x"))


# ---------------------------------------------------------------------- rounds and turns


@record("toy.visit")
@dataclass(slots=True)
class Visit(OfRound):
    """Who came by in a round."""

    names: list[str] = field(default_factory=list)


class Sitting(Step):
    """A step that goes by itself and says who was there."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        Visit.of(turn.game).names.append(f"{turn.actor} {self.name}")


class Nod(Extra):
    """Something that is never on offer."""

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []


NOD = Nod()


class Visitor(Mechanism):
    """A guest with turns of their own, who also makes everybody else do something last."""

    def actors(self, round_: str) -> Mapping[str, Steps]:
        return {"guest": Steps(Sitting("sits"))} if round_ == "evening" else {}

    def kind(self, game: Game, actor: str) -> str | None:
        return "guest" if actor == "guest" else None

    def last(self, round_: str, kind: str) -> tuple[Step, ...]:
        return (Sitting("greets"),) if round_ == "evening" else ()

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (NOD,) if (round_, kind) == ("evening", "guest") else ()

    def keeps(self, round_: str) -> Keeps:
        return (Visit,) if round_ == "evening" else ()


class Night(Mechanism):
    """A round that there is only by a mechanism, which begins it once the evening is over."""

    def __init__(self) -> None:
        self.round = OnceRound("night", lambda game: ["ann"], {"player": Steps(Sitting("sleeps"))}, keeps=(Visit,))

    def rounds(self) -> Mapping[str, RoundRules]:
        return {"night": self.round}

    def interrupts(self, game: Game) -> bool:
        if game.state.round.kind != "evening":
            return False
        self.round.begin(game)
        return True


def with_evening(*mechanisms: Mechanism) -> tuple[Rules, list[list[str]]]:
    """A form of one round, which is over after its only one, and who was there in each of its rounds."""
    evening = OnceRound("evening", lambda game: ["bo", "guest"], {"player": Steps(Sitting("reads"))})
    seen: list[list[str]] = []

    def then(game: Game) -> None:
        seen.append(Visit.of(game).names)
        game.finish("rounds")

    plain = replace(toy(2), rounds={"evening": evening}, first=evening.begin, then=then)
    return compose(plain, *mechanisms), seen


def test_actors_last_steps_and_what_is_kept_are_joined_to_the_rounds_of_the_form() -> None:
    found, seen = with_evening(Visitor())
    Game(found, ("ann", "bo"), 1)
    assert seen == [["bo reads", "bo greets", "guest sits", "guest greets"]]
    evening = found.rounds["evening"]
    assert isinstance(evening, TurnRound)
    assert evening.steps["guest"].extras == (NOD,)
    assert evening.steps["player"].extras == ()


def test_a_round_of_the_form_itself_stays_as_it_was() -> None:
    evening = OnceRound("evening", lambda game: ["bo"], {"player": Steps(Sitting("reads"))})
    joined = compose(replace(toy(2), rounds={"evening": evening}), Visitor()).rounds["evening"]
    assert isinstance(joined, TurnRound)
    assert list(evening.steps) == ["player"]
    assert evening.steps["player"].order == ("reads",)
    assert joined.steps["player"].order == ("reads", "greets")


def test_a_mechanism_begins_its_own_round_when_another_is_over() -> None:
    found, seen = with_evening(Visitor(), Night())
    Game(found, ("ann", "bo"), 1)
    assert seen == [["ann sleeps"]], "the form is asked what follows only after the night"
