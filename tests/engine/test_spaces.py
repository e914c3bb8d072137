"""What lies on a station space or beside it: who is stopped, who may place, and where tokens go in an upgrade."""

from __future__ import annotations

import pytest

from engine.board.board import Board, put_token
from engine.board.faces import Face, Stop, Tile
from engine.board.hexes import POINTY
from engine.board.reach import Reach
from engine.board.tiling import Fit, Misfit, Tiling
from engine.definition import Hex
from engine.errors import Refused
from engine.house.invariants import faults
from engine.routes.best import Router
from engine.routes.legs import LegBook
from engine.routes.model import TrainRules
from engine.state import BLANK, MARKER
from engine.state import Board as BoardState
from tests.engine.boards import OWN, RIVAL, SLEEPER, DrawnBoard, board_of, tiled
from titles import new_game

#: A line of three cities: F8, F10 and F12, joined from west to east.
LINE = {"F8": ("57", 1), "F10": ("57", 1), "F12": ("57", 1)}


def line(middle: list[str], beside: dict[str, list[str]] | None = None) -> DrawnBoard:
    """Our station in F8, and what lies in F10."""
    board = tiled(POINTY, LINE, {"F8": [[OWN]], "F10": [middle], "F12": [[""]]})
    board.state.beside.update(beside or {})
    return board


def best(board: Board, rules: TrainRules | None = None) -> list[tuple[str, ...]]:
    router = Router(LegBook(board), {"T": rules or TrainRules(board, OWN, "T", 5, "green")})
    return [route.path for route in router.best(["T"], as_many_as_possible=False).routes]


@pytest.mark.parametrize(
    ("token", "passes", "free"),
    [("", True, True), (OWN, True, False), (RIVAL, False, False), (SLEEPER, True, False), (BLANK, True, False),
     (MARKER, False, False)],
)  # fmt: skip
def test_what_a_token_does_to_reach_runs_and_placing(token: str, passes: bool, free: bool) -> None:
    board = line([token])
    assert Reach(board, OWN, board.stations_of(OWN)).reaches("F12", 0) == passes
    path = ("F8:a", "F10:a", "F12:a") if passes else ("F8:a", "F10:a")
    assert best(board) == [path]
    assert board.free_space("F10", 0, RIVAL) == free
    if not passes:
        router = Router(LegBook(board), {"T": TrainRules(board, OWN, "T", 5, "green")})
        with pytest.raises(Refused, match="full"):
            router.trace("T", ("F8:a", "F10:a", "F12:a"))


def test_stations_on_an_open_stop_never_block() -> None:
    board = tiled(POINTY, {**LINE, "F10": ("open to all", 0)}, {"F8": [[OWN]], "F10": [[RIVAL]], "F12": [[""]]})
    assert board.open_for(OWN, "F10", 0)
    assert Reach(board, OWN, board.stations_of(OWN)).reaches("F12", 0)
    assert not board.free_space("F10", 0)


def test_one_train_may_run_through_a_full_city_that_stops_another() -> None:
    class Express(TrainRules):
        def through(self, node: tuple[str, int]) -> bool:
            return node[0] == "F10" or super().through(node)

    board = line([RIVAL])
    assert best(board) == [("F8:a", "F10:a")]
    assert best(board, Express(board, OWN, "T", 5, "green")) == [("F8:a", "F10:a", "F12:a")]
    assert not Reach(board, OWN, board.stations_of(OWN)).reaches("F12", 0), "it opens the city to trains only"


# ------------------------------------------------------------------ beside the spaces


def test_a_token_beside_a_full_city_serves_its_company_and_blocks_nobody() -> None:
    board = line([RIVAL])
    board.remove_stations(OWN)
    assert board.stations_of(OWN) == []
    version = board.state.token_version
    board.place_beside(OWN, "F10")
    assert board.state.token_version > version
    assert board.stations_of(OWN) == [("F10", 0)]
    assert board.has_station(OWN, "F10")
    assert board.open_for(OWN, "F10", 0)
    assert best(board) == [("F12:a", "F10:a", "F8:a")]
    assert board.open_for(RIVAL, "F10", 0)
    board.state.stations["F10"] = [[""]]
    assert board.free_space("F10", 0, RIVAL), "it takes no space"


def test_a_token_beside_serves_both_cities_of_its_hex_but_no_town() -> None:
    board = tiled(POINTY, {"F8": ("919", 0), "F10": ("935", 0)}, {"F8": [[RIVAL], [RIVAL]], "F10": [[RIVAL], []]})
    for at in ("F8", "F10"):
        board.place_beside(OWN, at)
    assert board.stations_of(OWN) == [("F8", 0), ("F8", 1), ("F10", 0)]


def test_placing_on_a_full_stop_is_a_fault_unless_it_is_beside() -> None:
    board = line([RIVAL])
    with pytest.raises(ValueError, match="F10 has no free space"):
        board.place_station(OWN, "F10", 0)
    assert board.state.beside == {}


def test_removed_stations_leave_spaces_and_the_places_beside() -> None:
    board = line([RIVAL], {"F10": [OWN, SLEEPER], "F12": [OWN]})
    board.remove_stations(OWN, "F12")
    assert board.state.beside == {"F10": [OWN, SLEEPER]}
    board.remove_stations(OWN)
    assert board.state.beside == {"F10": [SLEEPER]}
    assert board.state.stations["F8"] == [[""]]


def test_a_home_without_a_free_space_is_laid_out_beside() -> None:
    state = BoardState(tiles={}, stations={"F10": [[""]], "R2": [[]]}, markers={}, supply={})
    put_token(state, OWN, "F10", 0)
    put_token(state, RIVAL, "F10", 0)
    put_token(state, OWN, "R2", 0)
    assert state.stations == {"F10": [[OWN]], "R2": [[]]}
    assert state.beside == {"F10": [RIVAL], "R2": [OWN]}


def test_a_home_takes_the_space_that_is_kept_for_it_and_no_other_s() -> None:
    state = BoardState(tiles={}, stations={"F10": [["", "", ""]]}, markers={}, supply={})
    reserved = ("", "harbour", OWN)
    for company in (OWN, RIVAL, SLEEPER):
        put_token(state, company, "F10", 0, reserved)
    assert state.stations["F10"] == [[RIVAL, "", OWN]]
    assert state.beside == {"F10": [SLEEPER]}


def test_a_red_home_bars_nobody_from_its_field() -> None:
    red = Hex("F10", Face("red", (Stop("offboard", (("yellow", 40),), 0),), ((1, 6), (4, 6))))
    city = Hex("F12", Face("plain"))
    board = board_of(POINTY, {"F10": red, "F12": city}, {"F12": ("57", 1)}, {"F12": [[RIVAL]]}, {"F10": [OWN]})
    assert not board.barred_for(RIVAL, "F10", 0)
    assert best(board) == [("F10:a", "F12:a")]


# ------------------------------------------------------------------ reserved spaces


def stop(slots: int, *reserved: str, kind: str = "city") -> Stop:
    return Stop(kind, (("plain", 30),), slots, tuple(reserved))


def one_city(before: Stop, tokens: list[str]) -> DrawnBoard:
    return board_of(POINTY, {"F10": Hex("F10", Face("yellow", (before,), ((0, 6), (1, 6))))}, {}, {"F10": [tokens]})


def upgraded(board: DrawnBoard, *stops: Stop, to: tuple[int, ...] = (0,)) -> list[list[str]]:
    face = Face("green", stops, tuple((edge, 6) for edge in range(4)))
    board.state.supply["new"] = 1
    board.lay("F10", Fit("new", 0, face, to, (), face.exits, False))
    return board.state.stations["F10"]


def test_who_finds_a_free_space_where_some_are_reserved() -> None:
    board = one_city(stop(3, "", "harbour", OWN), ["", "", ""])
    assert board.free_space("F10", 0)
    board.place_station(RIVAL, "F10", 0)
    assert board.spaces("F10", 0) == [RIVAL, "", ""]
    assert not board.free_space("F10", 0)
    assert not board.free_space("F10", 0, SLEEPER)
    assert board.free_space("F10", 0, OWN)
    assert board.free_space("F10", 0, SLEEPER, "harbour")
    assert board.open_for(SLEEPER, "F10", 0), "an empty space blocks nobody, whomever it is for"
    board.place_station(SLEEPER, "F10", 0, "harbour")
    board.place_station(OWN, "F10", 0)
    assert board.spaces("F10", 0) == [RIVAL, SLEEPER, OWN]
    assert board.lies_on(SLEEPER, "F10", 0, "harbour")
    assert not board.lies_on(RIVAL, "F10", 0, "harbour")
    with pytest.raises(ValueError, match="no free space"):
        board.place_station(RIVAL, "F10", 0, "harbour")


def test_a_kind_of_token_has_no_place_where_nothing_is_kept_for_it() -> None:
    board = one_city(stop(2), ["", ""])
    assert not board.free_space("F10", 0, OWN, "harbour")
    with pytest.raises(ValueError, match="no free space"):
        board.place_station(OWN, "F10", 0, "harbour")


def test_an_upgrade_keeps_tokens_on_the_kind_of_space_they_lie_on() -> None:
    board = one_city(stop(2, "", "harbour"), ["", SLEEPER])
    assert upgraded(board, stop(3, "", "", "harbour")) == [["", "", SLEEPER]]
    board.place_station(RIVAL, "F10", 0)
    assert upgraded(board, stop(4)) == [[RIVAL, SLEEPER, "", ""]]


def test_an_upgrade_takes_a_token_beside_into_the_first_space_that_is_free_for_it() -> None:
    board = one_city(stop(1), [RIVAL])
    board.place_beside(OWN, "F10")
    assert upgraded(board, stop(2, "", "harbour")) == [[RIVAL, ""]]
    assert board.state.beside == {"F10": [OWN]}
    assert upgraded(board, stop(3, "", "", "harbour")) == [[RIVAL, OWN, ""]]
    assert board.state.beside == {}


def test_an_upgrade_without_stops_of_their_own_leaves_free_spaces_at_the_end() -> None:
    board = one_city(stop(3), ["", RIVAL, OWN])
    assert upgraded(board, stop(3)) == [[RIVAL, OWN, ""]]


@pytest.mark.parametrize(
    ("before", "after", "fits"),
    [
        (stop(1), stop(2, "", "harbour"), True),
        (stop(2), stop(2, "", "harbour"), False),
        (stop(2, "", "harbour"), stop(2), True),
        (stop(2, "", "harbour"), stop(3, "", "", "B2"), True),
        (stop(2, "", "harbour"), stop(3, "", "B2", "B2"), False),
        (stop(2, "harbour", "harbour"), stop(3, "", "", "harbour"), True),
        (stop(2), stop(1), False),
    ],
)
def test_a_tile_fits_only_if_every_token_finds_a_space_of_its_kind(before: Stop, after: Stop, fits: bool) -> None:
    board = one_city(before, [""] * before.slots)
    track = ((0, 6), (1, 6))
    tile = Tile("new", Face("green", (after,), track), 1, "city")
    tiling = Tiling(board.tiling.definition)
    tiling.allowed_exits = {"F10": 63}
    if fits:
        assert tiling.placed("F10", None, tile, 0).stops == (0,)
    else:
        with pytest.raises(Misfit):
            tiling.placed("F10", None, tile, 0)


# ------------------------------------------------------------------ nothing is made or lost


def test_invariants_count_tokens_on_spaces_and_beside_them() -> None:
    game = new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    assert faults(game) == []
    home = game.definition.corporations["GVE"].homes[0]
    game.board.remove_stations("GVE", home.at)
    assert [fault for fault in faults(game) if "GVE has" in fault]
    game.board.place_beside("GVE", home.at)
    assert faults(game) == []
    game.board.place_station(MARKER, home.at, home.stop)
    assert faults(game) == [], "a marker is nobody's station"
    game.board.place_beside("GVE", home.at)
    assert "GVE has two stations on " + home.at in faults(game)


@pytest.mark.parametrize("tokens", [[], [BLANK], ["nobody"]])
def test_only_companies_tokens_lie_beside_spaces(tokens: list[str]) -> None:
    game = new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    game.state.board.beside["F9"] = tokens
    assert [fault for fault in faults(game) if "beside the spaces of F9" in fault]
