"""Copies of a position: equal, and with nothing in common that could change."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from random import Random
from typing import Any

import pytest

import titles
from engine.copying import anything, copier, quick
from engine.house.players import HOUSES
from engine.state import State

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
FORMS = [(title.id, form.id, form.players[0]) for title in titles.known() for form in title.forms]


def changeable(value: Any) -> Iterator[Any]:
    """Everything within a value that can change."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from changeable(item)
    elif isinstance(value, (list, set)):
        yield value
        for item in value:
            yield from changeable(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from changeable(item)
    elif is_dataclass(value) and not isinstance(value, type):
        if not value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            yield value
        for each in fields(value):
            yield from changeable(getattr(value, each.name))


def apart(one: Any, other: Any) -> bool:
    """Whether two values are equal and have nothing in common that can change."""
    parts = list(changeable(one))
    return bool(one == other and not {id(part) for part in parts} & {id(part) for part in changeable(other)})


@pytest.mark.parametrize(("title", "form", "players"), FORMS, ids=[":".join(each[:2]) for each in FORMS])
def test_a_position_is_written_read_and_copied_whole(title: str, form: str, players: int) -> None:
    game = titles.new_game(title, list(NAMES[:players]), {}, 4, form)
    house, chance = HOUSES["greedy"](), Random(4)
    while not game.finished and len(game.moves) < 210:
        if len(game.moves) % 7 == 0:
            state = game.state
            assert apart(state.copy(), state)
            assert state.copy().text() == state.text()
            assert apart(pickle.loads(pickle.dumps(state)), state)
            assert State.from_data(state.data()).text() == state.text()
        game.apply(house.choose(game, game.offer().deciders[0], chance))


@quick
@dataclass(slots=True)
class Inner:
    """Something within."""

    names: list[str]


@quick
@dataclass(slots=True)
class Outer:
    """All that an annotation can say."""

    atom: int
    pair: tuple[int, int] | None
    inner: Inner | None
    many: dict[str, list[Inner]]
    deep: list[list[str]]
    bag: dict[str, Any]
    loose: Any = None


def test_every_kind_of_field_is_copied() -> None:
    full = Outer(1, (1, 2), Inner(["a"]), {"x": [Inner([]), Inner(["b"])]}, [["c"], []], {"y": [{"z": [1]}]}, [[2]])
    bare = Outer(0, None, None, {}, [], {})
    for value in (full, bare):
        assert apart(copier(Outer)(value), value)
        assert apart(pickle.loads(pickle.dumps(value)), value)
    assert apart(anything({"a": [([1],), {"b": Inner(["c"])}]}), {"a": [([1],), {"b": Inner(["c"])}]})


@dataclass
class Unordered:
    """A field that is not taken in order."""

    named: int = field(kw_only=True, default=0)


@dataclass
class Strange:
    """A field that is no plain data."""

    made: Random


@pytest.mark.parametrize("kind", [Unordered, Strange])
def test_what_is_no_plain_data_is_refused_when_the_copy_is_written(kind: type) -> None:
    with pytest.raises(TypeError):
        copier(kind)
