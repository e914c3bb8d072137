"""Whole games among house players: everything holds after every move, and they end with final scoring."""

from __future__ import annotations

import itertools
import os
import random

import pytest

import titles
from engine.house.invariants import faults
from engine.house.players import HOUSES
from titles.rhl.alternative import LOTS
from workshop.soak import NAMES, soak

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("KURSBUCH_GAMES", "2"))


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_of_18rhl_among_house_players_is_sound_to_the_end(players: int, house: str, seed: int) -> None:
    played = soak("rhl", players, house, 1000 + seed)
    assert played.end == "bank"
    assert played.moves > 100


@pytest.mark.parametrize(
    "options",
    [
        {"optional_2_train": True, "lower_capital": True},
        {"bankruptcy_end": True},
        {"edition": "earlier"},
        {"target_cards": True, "destiny_cards": True},
    ],
)
def test_a_game_with_options_is_sound_to_the_end(options: dict[str, object]) -> None:
    assert soak("rhl", 3, "greedy", 7, options).end in ("bank", "bankruptcy")


@pytest.mark.parametrize(
    ("package", "house"), [("alternative", "greedy"), ("alternative", "random"), ("drawn", "greedy")]
)
def test_a_game_with_other_lots_is_sound_to_the_end(package: str, house: str) -> None:
    played = soak("rhl", 4, house, 3, {"package": package})
    assert played.end == "bank"
    assert package == "drawn" or {"TokenAssigned", "tile laid by ATB"} <= played.things


@pytest.mark.rule("RHL-8.5-a")
def test_every_mixture_of_lots_begins_and_goes_on() -> None:
    for number, picks in enumerate(itertools.product(*LOTS.values())):
        options = {f"no_{which}": lot for which, lot in enumerate(picks, 1)}
        game = titles.new_game("rhl", NAMES[: 3 + number % 3], options, number)
        chance, mind = random.Random(number), HOUSES["random"]()
        for _ in range(60):
            game.apply(mind.choose(game, chance.choice(game.offer().deciders), chance))
        assert faults(game) == [], picks
        assert tuple(game.definition.privates) == picks


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (titles.new_game("rhl", ["ann", "bo", "cy"], {}, 5) for _ in range(2))
    assert one.state.digest() == other.state.digest()
    assert one.state.digest() != titles.new_game("rhl", ["ann", "bo", "cy"], {}, 6).state.digest()
