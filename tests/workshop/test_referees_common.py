"""What referees share agrees with looking at everything."""

from __future__ import annotations

import random

import pytest

from workshop.referees.common.hexes import ON_CORNERS, ON_SIDES, Place, Side, ways
from workshop.referees.common.routes import best
from workshop.referees.ruhr.sheet import sheet
from workshop.referees.ruhr.track import Board


def every_way(board: Board, company: str) -> tuple[set[Place], set[Side]]:
    """All ways one by one."""
    places, entered = set(board.stations(company)), set()

    def go(at: str, end: int | str, used: frozenset[frozenset[Side]]) -> None:
        for way in ways(board.drawn(at), end):
            if isinstance(way, str):
                places.add((at, way))
                if not board.blocks((at, way), company):
                    go(at, way, used)
                continue
            there = board.layout.across((at, way))
            border = frozenset(((at, way), there))
            if border not in used:
                entered.add(there)
                if there[0] in board.sheet.hexes:
                    go(*there, used | {border})

    for station in board.stations(company):
        go(*station, frozenset())
    return places, entered


def grown(seed: int) -> Board:
    """A board on which tiles were laid around the home of a railway, with another's markers."""
    chance = random.Random(seed)
    board = Board(sheet())
    board.set_up()
    board.present = {"EH", "CME"}
    for _ in range(22):
        near = {at for at, _ in board.reach("EH")[1] | board.reach("EH")[0]} & board.sheet.hexes.keys()
        lays = [
            (at, name, rotation)
            for at in sorted(near)
            if abs(ord(at[0]) - ord("J")) + abs(int(at[1:]) - 7) <= 4
            for name in board.sheet.tiles
            for rotation in range(6)
            if not board.fits(at, name, rotation, corporation=False)
        ]
        if lays:
            board.lay(*chance.choice(lays))
    laid = sorted(at for at in board.tiles if board.spaces.get(at) and "" in board.spaces[at][0])
    for at in laid[::2]:
        board.spaces[at][0] = ["CME" for _ in board.spaces[at][0]]
    board.changed()
    return board


@pytest.mark.parametrize("seed", [*range(12), 34, 225, 260])
def test_what_is_reached_is_what_all_ways_reach(seed: int) -> None:
    board = grown(seed)
    for company in board.present:
        assert board.reach(company) == every_way(board, company)


def test_a_border_is_the_same_from_both_sides() -> None:
    for layout in (ON_SIDES, ON_CORNERS):
        bits = {layout.bit(("F6", side)) for side in range(6)}
        assert len(bits) == 6
        assert bits == {layout.bit(layout.across(("F6", side))) for side in range(6)}


def test_trains_together_share_no_border() -> None:
    assert best([[(90, 0b011), (50, 0b100)], [(80, 0b010), (30, 0b1000)]], 1_000) == 130
    assert best([[(90, 0b1)], [(80, 0b1)]], 1_000) == 90
    assert best([[(90, 0b1)], [(80, 0b10)]], 1) is None
