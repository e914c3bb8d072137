"""What a company can reach agrees with walking every trail on small random boards."""

from __future__ import annotations

from hypothesis import given, reject

from engine.board import Board
from engine.network import Reach
from tests.engine.boards import OWN, boards, boards_tried
from tests.engine.brute import Ground, Spread, TooManyError

PATIENCE = 6000


def spread(board: Board, *, ignore_stations: bool = False) -> Spread:
    """What brute force reaches from the company's stations, if the board is not too big for it."""
    try:
        ground = Ground(board, ignore_stations=ignore_stations)
        return Spread(ground, board.stations_of(OWN), PATIENCE)
    except TooManyError:
        reject()
        raise


def entered(reach: Reach) -> set[tuple[str, int]]:
    return {(at, edge) for at, bits in reach.touched.items() for edge in range(6) if bits & 1 << edge}


@boards_tried()
@given(boards())
def test_everything_reached_is_on_a_trail_that_uses_no_track_twice(board: Board) -> None:
    expected = spread(board)
    reach = Reach(board, OWN, board.stations_of(OWN))
    for answer in (reach, reach.complete()):
        assert entered(answer) <= expected.entered
        assert answer.stops <= expected.stops


@boards_tried()
@given(boards())
def test_everything_on_a_trail_is_reached(board: Board) -> None:
    expected = spread(board)
    reach = Reach(board, OWN, board.stations_of(OWN)).complete()
    assert expected.entered <= entered(reach)
    assert expected.stops <= reach.stops


@boards_tried()
@given(boards())
def test_without_stations_in_the_way_reach_is_what_track_leads_to(board: Board) -> None:
    starts = board.stations_of(OWN)
    expected = spread(board, ignore_stations=True)
    reach = Reach(board, "", starts, ignore_stations=True).complete()
    assert entered(reach) == expected.entered
    assert reach.stops == expected.stops


@boards_tried(0.5)
@given(boards())
def test_questions_about_single_edges_and_stops_are_answered_in_full(board: Board) -> None:
    expected = spread(board)
    for at, face in board.faces.items():
        for edge in range(6):
            reach = Reach(board, OWN, board.stations_of(OWN))
            assert reach.touches(at, 1 << edge) == ((at, edge) in expected.entered)
        for stop in range(len(face.stops)):
            reach = Reach(board, OWN, board.stations_of(OWN))
            assert reach.reaches(at, stop) == ((at, stop) in expected.stops)
