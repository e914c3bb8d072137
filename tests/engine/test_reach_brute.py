"""What a company can reach agrees with walking every trail on small random boards."""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.board.board import Board
from engine.board.hexes import POINTY
from engine.board.reach import HexOnceReach, Reach
from tests.engine.boards import OWN, RIVAL, boards, boards_tried, tiled
from tests.engine.brute import Ground, Spread, TooManyError

pytestmark = pytest.mark.slow

PATIENCE = 6000

#: Ordinary boards, and such that are mostly junctions.
BOARDS = st.booleans().flatmap(lambda tangled: boards(10 if tangled else 9, tangled=tangled))


def spread(board: Board, *, ignore_stations: bool = False, hex_once: bool = False) -> Spread:
    """What brute force reaches from the company's stations, if the board is not too big for it."""
    try:
        ground = Ground(board, ignore_stations=ignore_stations)
        return Spread(ground, board.stations_of(OWN), PATIENCE, hex_once=hex_once)
    except TooManyError:
        reject()
        raise


def entered(reach: Reach) -> set[tuple[str, int]]:
    return {(at, edge) for at, bits in reach.touched.items() for edge in range(6) if bits & 1 << edge}


@boards_tried()
@given(BOARDS)
def test_everything_reached_is_on_a_trail_that_uses_no_track_twice(board: Board) -> None:
    expected = spread(board)
    reach = Reach(board, OWN, board.stations_of(OWN))
    assert entered(reach) <= expected.entered
    assert reach.stops <= expected.stops


@boards_tried()
@given(BOARDS)
def test_everything_on_a_trail_is_reached(board: Board) -> None:
    expected = spread(board)
    reach = Reach(board, OWN, board.stations_of(OWN))
    assert expected.entered <= entered(reach)
    assert expected.stops <= reach.stops


@boards_tried()
@given(BOARDS)
def test_where_a_hex_counts_once_exactly_the_ways_that_never_come_back_to_one_are_reached(board: Board) -> None:
    expected = spread(board, hex_once=True)
    reach = HexOnceReach(board, OWN, board.stations_of(OWN))
    assert entered(reach) == expected.entered
    assert reach.stops == expected.stops


@boards_tried(0.5)
@given(BOARDS)
def test_without_stations_in_the_way_reach_is_what_track_leads_to(board: Board) -> None:
    expected = spread(board, ignore_stations=True)
    reach = Reach(board, "", board.stations_of(OWN), ignore_stations=True)
    assert entered(reach) == expected.entered
    assert reach.stops == expected.stops


@boards_tried(0.3)
@given(BOARDS)
def test_questions_about_single_edges_and_stops_have_the_same_answers(board: Board) -> None:
    expected = spread(board)
    reach = Reach(board, OWN, board.stations_of(OWN))
    for at, face in board.faces.items():
        for edge in range(6):
            assert reach.touches(at, 1 << edge) == ((at, edge) in expected.entered)
        for stop in range(len(face.stops)):
            assert reach.reaches(at, stop) == ((at, stop) in expected.stops)


def test_a_loop_inside_a_loop_is_run_both_ways() -> None:
    """A way back into the station's own hex that is open only if other loops are run the other way round."""
    tiles = {
        "H12": ("43", 0), "G13": ("19", 0), "H14": ("29", 3), "I13": ("70", 4), "I11": ("924", 0),
        "H10": ("924", 1), "G11": ("141", 0), "F14": ("23", 4),
    }  # fmt: skip
    board = tiled(POINTY, tiles, {"H10": [[RIVAL, RIVAL], [OWN]], "I11": [["", ""], [RIVAL]]})
    reach = Reach(board, OWN, [("H10", 1)])
    assert reach.touches("H10", 1 << 2)
    assert entered(reach) == spread(board).entered
