"""Whether track joins two places through a third: no piece of it serves twice, ferries and red fields included."""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.board.faces import Face, Stop
from engine.board.hexes import POINTY
from engine.definition import Hex
from engine.routes.legs import LegBook, Node
from engine.routes.links import joined_via
from tests.engine.boards import RIVAL, DrawnBoard, board_of, boards, boards_tried, tiled
from tests.engine.brute import Ground, TooManyError
from tests.engine.brute import joined as joined_by_walking

#: F10 has two banks: E11, F12 and G11 lie on the one side, G9, F8 and E9 on the other.
BANKS = {"F10": ("unlike banks", 0)}


def joined(board: DrawnBoard, one: str, via: str, other: str, apart: tuple[str, ...] = ()) -> bool:
    one_node, via_node, other_node = ((at, "abc".index(stop)) for at, stop in (w.split(":") for w in (one, via, other)))
    return joined_via(LegBook(board), [one_node], [via_node], [other_node], apart)


def test_a_way_over_a_ferry_comes_back_on_no_track_that_it_went_on() -> None:
    """F12 has a single track: to the city of two banks and on to F8, it cannot be used again to E11."""
    board = tiled(POINTY, BANKS | {"F12": ("57", 1), "E11": ("57", 0), "F8": ("57", 1)})
    assert joined(board, "F8:a", "F10:a", "E11:a")
    assert joined(board, "F8:a", "F10:b", "E11:a")
    assert not joined(board, "F8:a", "F12:a", "E11:a")
    assert not joined(board, "E11:a", "F12:a", "F8:a")


def test_a_ferry_serves_one_way_only() -> None:
    """F12 has two tracks to the near bank of F10; F8 and G9 lie beyond the ferry, G11 does not."""
    tiles = BANKS | {"F12": ("5", 4), "E11": ("7", 2), "F8": ("57", 1), "G9": ("57", 0), "G11": ("57", 2)}
    board = tiled(POINTY, tiles)
    assert joined(board, "F8:a", "F12:a", "G11:a")
    assert joined(board, "G11:a", "F12:a", "F8:a")
    assert not joined(board, "F8:a", "F12:a", "G9:a")


def test_where_banks_are_apart_no_ferry_is_part_of_the_way() -> None:
    board = tiled(POINTY, BANKS | {"F12": ("57", 1), "F8": ("57", 1), "G11": ("57", 2)})
    assert joined(board, "F8:a", "F10:a", "F12:a")
    assert not joined(board, "F8:a", "F10:a", "F12:a", apart=("F10",))
    assert joined(board, "F8:a", "F10:a", "F12:a", apart=("F12",))
    assert joined(board, "G11:a", "F10:a", "F12:a", apart=("F10",))


def test_a_red_field_ends_a_way_and_stations_do_not() -> None:
    """Between F12 and F8 lies a red field, or a city that strangers have filled."""
    red = Face("red", (Stop("offboard", (("yellow", 20),), 0),), ((1, 6), (4, 6)))
    cover = {"F8": ("57", 1), "F12": ("57", 1)}
    plain = {at: Hex(at, Face("plain")) for at in cover}
    through = board_of(POINTY, plain | {"F10": Hex("F10", red)}, cover)
    assert joined(through, "F10:a", "F12:a", "F12:a")
    assert not joined(through, "F8:a", "F12:a", "F12:a")
    full = tiled(POINTY, cover | {"F10": ("57", 1)}, {"F10": [[RIVAL]]})
    assert joined(full, "F8:a", "F12:a", "F12:a")


@pytest.mark.slow
@boards_tried()
@given(boards(), st.lists(st.integers(0, 2**16), min_size=6, max_size=6))
def test_links_agree_with_walking_every_way(board: DrawnBoard, numbers: list[int]) -> None:
    nodes: list[Node] = [(at, stop) for at, face in board.faces.items() for stop in range(len(face.stops))]
    inner = [node for node in nodes if board.faces[node[0]].stops[node[1]].kind != "offboard"]
    if len(nodes) < 3 or not inner:
        reject()
    ones, others = ({nodes[number % len(nodes)] for number in pair} for pair in (numbers[:2], numbers[2:4]))
    vias = {inner[numbers[4] % len(inner)]}
    apart = frozenset(at for at in board.faces if numbers[5] % 3 == 0)
    try:
        expected = joined_by_walking(Ground(board, ignore_stations=True), ones, vias, others, apart, 20_000)
    except TooManyError:
        reject()
    assert joined_via(LegBook(board), ones, vias, others, apart) == expected
