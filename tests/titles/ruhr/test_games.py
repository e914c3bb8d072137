"""Whole games of 18Ruhr among house players: everything holds after every move, and everything happens in some."""

from __future__ import annotations

import os
import random

import pytest

import titles
from engine.house.players import HOUSES
from workshop.occurrences import seen
from workshop.soak import NAMES, soak

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("KURSBUCH_GAMES", "1"))
SCENARIOS = ("hellweg", "metropolis", "ruhr_valley", "emscher_valley", "north_and_south")
WANTED = {
    "move develop",
    "move buy_engine",
    "move buy_train_as_engine",
    "move make_link",
    "move found_montan",
    "move merge_mine",
    "move buy_own_share",
    "move sell_own_shares",
    "move remove_private",
    "founded from an active company",
    "founded from a passive company",
    "link by a private company",
    "MineTransformed",
    "BankLoan",
    "LoanRepaid",
    "player bankrupt",
    "LineBuilt",
    "LastSet",
    "DGEE founded",
    "bonus montan_destination",
    "bonus coal_destination",
    "train traded",
    *(f"phase {name}" for name in "34568"),
}


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("players", range(3, 7))
def test_a_game_of_18ruhr_among_house_players_is_sound_to_the_end(players: int, house: str, seed: int) -> None:
    options = {"scenario": SCENARIOS[(players + seed) % 5], "optional_cards": bool(seed % 2)}
    played = soak("ruhr", players, house, 3000 + seed, options)
    assert played.end in ("bank", "bankruptcy", "last_card")
    assert played.moves > 100


def test_everything_that_can_happen_happens_in_some_game() -> None:
    missing = set(WANTED)
    for seed in range(12):
        for house in sorted(HOUSES):
            missing -= things(3 + seed % 4, house, seed)
            if not missing:
                return
    assert not missing


def things(players: int, house: str, seed: int) -> set[str]:
    """Everything that occurs in one game."""
    game = titles.new_game("ruhr", NAMES[:players], {"scenario": SCENARIOS[seed % 5]}, seed)
    mind, chance = HOUSES[house](), random.Random(seed)
    result: set[str] = set()
    while not game.finished:
        move = mind.choose(game, chance.choice(game.offer().deciders), chance)
        result |= seen(game, move, game.apply(move))
    return result
