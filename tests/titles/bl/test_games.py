"""Whole games of 18BL among house players: everything holds after every move, and everything happens in some."""

from __future__ import annotations

import itertools
import os
import random

import pytest

import titles
from engine.house.players import HOUSES
from workshop.occurrences import seen
from workshop.soak import NAMES, soak

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("KURSBUCH_GAMES", "1"))
VEHICLES = ("2", "3", "4", "5", "6", "3+3", "SB3", "SB4", "SB5", "SB6", "BW-A", "BW-B")
WANTED = {
    *(f"bought {name}" for name in VEHICLES),
    "ran 3+3",
    "dividend pay",
    "dividend pay_75",
    "company closed",
    "player bankrupt",
    "phase by railbus",
    "bank broken",
    "private sold to a company",
    "tile laid by a private company",
    "move exchange_private",
    "move buy_access",
    "forced sale",
    "train traded",
}


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_of_18bl_among_house_players_is_sound_to_the_end(players: int, house: str, seed: int) -> None:
    played = soak("bl", players, house, 2000 + seed)
    assert played.end in ("bank", "bankruptcy", "standstill")
    assert played.moves > 50


def test_everything_that_can_happen_happens_in_some_game() -> None:
    missing = {*WANTED, "a trailer ran"}
    for seed, players, house in itertools.product(range(6), (3, 4), sorted(HOUSES)):
        found = things(players, house, seed)
        if any(thing.startswith("ran SB") and "+BW" in thing for thing in found):
            found.add("a trailer ran")
        missing -= found
        if not missing:
            break
    assert not missing


def things(players: int, house: str, seed: int) -> set[str]:
    """Everything that occurs in one game."""
    game = titles.new_game("bl", NAMES[:players], {}, seed)
    mind, chance = HOUSES[house](), random.Random(seed)
    result: set[str] = set()
    while not game.finished:
        move = mind.choose(game, chance.choice(game.offer().deciders), chance)
        result |= seen(game, move, game.apply(move))
    return result
