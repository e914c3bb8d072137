"""Whole games of 18BL among house players: everything holds after every move, and everything happens in some."""

from __future__ import annotations

import os

import pytest

from engine.house import HOUSES
from tests.bl.occurrences import WANTED, play
from tests.soak import soak

GAMES = int(os.environ.get("KURSBUCH_GAMES", "1"))


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_of_18bl_among_house_players_is_sound_to_the_end(players: int, house: str, seed: int) -> None:
    end, moves = soak("bl", players, house, 2000 + seed)
    assert end in ("bank", "bankruptcy", "standstill")
    assert moves > 50


def test_everything_that_can_happen_happens_in_some_game() -> None:
    found: set[str] = set()
    for players, house, seed in ((4, "greedy", 1), (3, "greedy", 1), (3, "random", 1), (4, "random", 3)):
        found |= play(players, house, seed)
    assert found >= WANTED
