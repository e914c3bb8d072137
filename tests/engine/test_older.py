"""Positions that were kept before records were typed: they are read, and mean the same."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import titles
from engine import older, position
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move
from engine.rules import Rules
from engine.state import State

#: Positions in the form of then, of all forms of play, each with the digest that was kept with its move.
KEPT: list[dict[str, Any]] = json.loads(lzma.decompress((Path(__file__).parent / "older.json.xz").read_bytes()))
NAMES = [f"{one['title']} {'-'.join(map(str, one['options'].values()))} {one['number']}" for one in KEPT]


def rules_of(kept: Mapping[str, Any]) -> Rules:
    box, form = titles.find_form(kept["title"])
    return titles.rules_for(box.id, len(kept["players"]), kept["options"], kept["seed"], form.id)


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_a_position_in_bags_is_read_and_means_the_same(kept: Mapping[str, Any]) -> None:
    """Its digest is the one that was kept, before and after: a game goes on that was begun with another program."""
    players = tuple(kept["players"])
    rules = rules_of(kept)
    assert position.digest(kept["position"], players).hex() == kept["digest"]
    state = older.position(rules, players, kept["seed"], kept["position"])
    assert position.view(state.data(), players) == position.view(kept["position"], players)
    assert position.digest(state.data(), players).hex() == kept["digest"]
    assert State.from_data(json.loads(state.text())).text() == state.text()
    game = Game.restore(rules, players, kept["seed"], [], state)
    # Who has passed something that may be done in any step is not asked again before another move.
    game.moves = [Move("")] * kept["number"]
    house, chance = HOUSES["greedy"](), Random(1)
    for _ in range(4):
        if game.finished:
            break
        game.apply(house.choose(game, game.offer().deciders[0], chance))


def test_what_nobody_keeps_any_more_is_not_read_in_part() -> None:
    kept = KEPT[0]
    data = json.loads(json.dumps(kept["position"]))
    data["round"]["memory"]["forgotten"] = [1]
    with pytest.raises(ValueError, match=r"memory\.forgotten"):
        older.position(rules_of(kept), tuple(kept["players"]), kept["seed"], data)


def test_a_position_of_today_is_read_as_it_is() -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 3)
    data = json.loads(game.state.text())
    assert older.position(game.rules, game.players, game.seed, data).text() == game.state.text()
