"""Positions as plain data and back: nothing is lost, and what does not fit is refused."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest

import titles
from engine.changes import View
from engine.game import Game
from engine.house.players import Greedy
from engine.moves import to_json
from engine.plain import flattened, plain, restored, shape
from engine.state import DERIVED, State

NAMES = ["ann", "bo", "cy", "di"]


def exactly(value: Any) -> Any:
    """A value with the types of all its parts; counters that say when to derive something anew are left out."""
    if is_dataclass(value):
        return type(value), [
            (f.name, exactly(getattr(value, f.name))) for f in fields(value) if f.name in _names(type(value))
        ]
    if isinstance(value, dict):
        return [(exactly(key), exactly(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [exactly(item) for item in value]
    return type(value), value


def without(data: dict[str, Any]) -> dict[str, Any]:
    """A position's plain data without its counters."""
    return {**data, "board": {name: value for name, value in data["board"].items() if name not in DERIVED}}


def _names(kind: Any) -> set[str]:
    """The fields that belong to the position."""
    return {each.name for each in fields(kind)} - DERIVED


@pytest.mark.parametrize("title", [title.id for title in titles.known()])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_restored_position_is_the_same_to_the_last_type_and_plays_on_alike(title: str, seed: int) -> None:
    game = titles.new_game(title, NAMES, {}, seed)
    chance = random.Random(seed)
    looked = 0
    while not game.finished:
        if len(game.moves) % 9 == 0:
            looked += 1
            again = State.from_data(json.loads(json.dumps(game.state.data())))
            assert exactly(again) == exactly(game.state)
            # Written from the annotations, it says what looking at every value says.
            assert game.state.data() == without(plain(game.state))
            assert again.digest() == game.state.digest()
            twin = Game.restore(game.rules, game.players, game.seed, list(game.moves), again)
            assert [repr(c.name) for c in twin.offer().choices] == [repr(c.name) for c in game.offer().choices]
            follow(twin, game.copy(), 6)
        game.apply(Greedy().choose(game, chance.choice(game.offer().deciders), chance))
    assert looked > 10
    assert exactly(State.from_data(game.state.data())) == exactly(game.state)


def follow(twin: Game, game: Game, moves: int) -> None:
    """Equal choices lead both to equal positions, by the same events."""
    for number in range(moves):
        if game.finished:
            break
        chances = random.Random(number), random.Random(number)
        both = [
            Greedy().choose(each, chance.choice(each.offer().deciders), chance)
            for each, chance in zip((twin, game), chances, strict=True)
        ]
        assert to_json(both[0]) == to_json(both[1])
        assert twin.apply(both[0]) == game.apply(both[1])
    assert twin.state.digest() == game.state.digest()


def test_what_somebody_saw_comes_back_as_it_was() -> None:
    game = titles.new_game("rhl", NAMES, {}, 5)
    chance = random.Random(5)
    for _ in range(120):
        game.apply(Greedy().choose(game, chance.choice(game.offer().deciders), chance))
    view = View.of(game)
    assert restored(View, json.loads(json.dumps(plain(view)))) == view
    assert flattened(View)(view) == plain(view)


@pytest.mark.parametrize("change", ["drop", "add", "list", "nothing"])
def test_data_of_another_form_are_refused(change: str) -> None:
    data = titles.new_game("rhl", NAMES, {}, 1).state.data()
    name = next(name for name, value in data.items() if isinstance(value, dict) and value)
    if change == "drop":
        del data[name]
    elif change == "add":
        data["extra"] = 1
    elif change == "list":
        data[name] = [1]
    else:
        data = None
    with pytest.raises(ValueError, match="this is no State"):
        State.from_data(data)


@dataclass
class One:
    a: dict[str, int]


@dataclass
class Two:
    a: dict[str, str]


def test_the_shape_of_a_kind_tells_other_fields_and_other_types() -> None:
    assert shape(One).replace("One", "") != shape(Two).replace("Two", "")
    for field in fields(State):
        assert f"{field.name}:" in shape(State)
