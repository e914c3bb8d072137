"""Ferries to an edge, hexes only once, several links on a hex, fleets: each on a map of a few hexes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import titles
from engine.board.faces import FIRST_STOP, Face, Stop
from engine.board.hexes import FLAT, POINTY
from engine.definition import Hex
from engine.errors import Refused
from engine.routes.best import Router
from engine.routes.legs import LegBook, Node
from engine.routes.model import Route, TrainRules
from engine.routes.search import Effort
from tests.engine.boards import OWN, DrawnBoard, board_of, spiral, tiled

#: F10 ("one ferry", turned once) has its ferry to the west, where F8 lies; E11 lies north-east of it.
FERRY = {"F8": ("57", 1), "F10": ("one ferry", 1), "E11": ("6", 1)}


def router(board: DrawnBoard, reach: int = 4, rules: type[TrainRules] = TrainRules) -> Router:
    return Router(LegBook(board), {"T": rules(board, OWN, "T", reach, "green")})


def ferry_board(stations: dict[str, list[list[str]]]) -> DrawnBoard:
    return tiled(POINTY, FERRY, stations)


def test_a_ferry_turns_with_its_tile() -> None:
    face = ferry_board({}).faces["F10"]
    assert face.ferry == {(4, 6)}
    assert face.ferry <= set(face.track)
    assert face.ferry_edges == {4}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("F8:a", "F10:a"), 20 + 30),
        (("F10:a", "F8:a"), 20 + 30),
        (("F8:a", "F10:a", "E11:a"), 20 + 30 + 20),
        (("E11:a", "F10:a", "F8:a"), 20 + 30 + 20),
        (("E11:a", "F10:a"), 20 + 40),
    ],
)
def test_who_comes_or_leaves_over_the_ferry_gets_the_lower_value(path: tuple[str, ...], value: int) -> None:
    """Also where the route ends after the ferry; the hex on the other bank keeps its value."""
    for home in ("F10", "E11", "F8"):
        stations = {at: [["", ""]] if at == "F10" else [[""]] for at in FERRY}
        stations[home][0][0] = OWN
        if any(word.startswith(home) for word in path):
            assert router(ferry_board(stations)).trace("T", path).value == value


def test_the_search_knows_what_a_ferry_costs() -> None:
    """With two stops the way without it is better, with three the whole way."""
    board = ferry_board({"F10": [[OWN, ""]]})
    short = router(board, 2).best(["T"], as_many_as_possible=False)
    assert [set(route.path) for route in short.routes] == [{"F10:a", "E11:a"}]
    assert short.value == 60
    assert router(board, 3).best(["T"], as_many_as_possible=False).value == 70


def test_the_search_counts_a_way_that_ends_over_a_ferry_at_the_lower_value() -> None:
    board = ferry_board({"F8": [[OWN]]})
    (leg,) = LegBook(board).legs(("F8", 0))
    assert (leg.to, leg.out, leg.into) == (("F10", 0), False, True)
    alone = router(board, 2).search("T").alone(Effort(None))
    assert alone is not None
    assert alone[0] == 20 + 30, "the search knows it before the route is traced"


def test_a_stop_between_two_ferries_brings_its_lower_value_once() -> None:
    tiles = {"F8": ("57", 1), "F10": ("two ferries", 1), "F12": ("57", 1)}
    board = tiled(POINTY, tiles, {"F10": [[OWN]]})
    assert board.faces["F10"].ferry == {(1, 6), (4, 6)}
    found = router(board).best(["T"], as_many_as_possible=False)
    assert found.value == 20 + 10 + 20
    assert router(board).trace("T", ("F8:a", "F10:a", "F12:a")).value == 50
    alone = router(board).search("T").alone(Effort(None))
    assert alone is not None
    assert alone[0] == 50, "the search knows it before the route is traced"


# ------------------------------------------------------------------ hexes only once


class OnceOnly(TrainRules):
    hex_once = True


def test_a_train_that_may_come_to_no_hex_twice_does_not_cross_the_hex_it_began_on() -> None:
    """Out of F10 to the north-east, round over E11 and F12, back over the line on F10 to F8."""
    tiles = {"F10": ("city beside a line", 0), "E11": ("7", 2), "F12": ("7", 4), "F8": ("57", 1)}
    board = tiled(POINTY, tiles, {"F10": [[OWN]], "F8": [[""]]})
    path = ("F10:a", "E11", "F12", "F10", "F8:a")
    wide = router(board)
    assert [route.path for route in wide.best(["T"], as_many_as_possible=False).routes] == [path]
    once = router(board, rules=OnceOnly)
    assert not once.best(["T"], as_many_as_possible=False).routes
    with pytest.raises(Refused, match="hex_twice"):
        once.trace("T", path)


def test_links_and_ferries_inside_a_hex_are_no_second_visit() -> None:
    board = tiled(POINTY, {"F8": ("57", 1), "F10": ("two cities joined", 3), "F12": ("57", 1)}, {"F8": [[OWN]]})
    ways = [set(route.path) for route in router(board, 4, OnceOnly).best(["T"], as_many_as_possible=False).routes]
    assert ways == [{"F8:a", "F10:a", "F10:b", "F12:a"}] or ways == [{"F8:a", "F10:b", "F10:a", "F12:a"}]


def test_coming_back_to_another_stop_of_a_hex_is_coming_back() -> None:
    tiles = {"F10": ("916", 0), "F12": ("7", 4), "E11": ("7", 2)}
    board = tiled(POINTY, tiles, {"F10": [[OWN], [""]]})
    path = ("F10:a", "F12", "E11", "F10:b")
    assert router(board).trace("T", path).value == 80
    assert router(board).any_route("T")
    with pytest.raises(Refused, match="hex_twice"):
        router(board, rules=OnceOnly).trace("T", path)
    assert not router(board, rules=OnceOnly).any_route("T")


# ------------------------------------------------------------------ links


def test_two_links_of_a_hex_are_two_tracks() -> None:
    """City and two towns are joined in a ring: one route may use all of it, two routes may share the hex."""
    stops = (Stop("city", (("plain", 30),), 1), Stop("town", (("plain", 10),), 0), Stop("town", (("plain", 10),), 0))
    face = Face("grey", stops, ((6, 7), (7, 8), (6, 8)))
    board = board_of(POINTY, {"F10": Hex("F10", face)}, {}, {"F10": [[OWN], [], []]})
    route = router(board).trace("T", ("F10:a", "F10:b", "F10:c"))
    assert (route.value, route.mask.bit_count()) == (50, 2)
    two = router(board, 2).best(["T", "T"], as_many_as_possible=True)
    assert sorted(route.path for route in two.routes) == [("F10:a", "F10:b"), ("F10:a", "F10:c")]


# ------------------------------------------------------------------ fleets


class Threefold(TrainRules):
    """Every stop brings three times its value."""

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        value, mark = super().worth(node, ferry)
        return 3 * value, mark


def row_of_three() -> Router:
    """Three cities of 20 in a row: a short train runs for 40 to either side of the middle, a long one for 180."""
    board = tiled(POINTY, {"F8": ("57", 1), "F10": ("57", 1), "F12": ("57", 1)}, {"F10": [[OWN]]})
    rules = {"short": TrainRules(board, OWN, "short", 2, "green"), "long": Threefold(board, OWN, "long", 3, "green")}
    return Router(LegBook(board), rules)


ONE, TWO, LONG = ("short",), ("short", "short"), ("long",)


@pytest.mark.parametrize("fleets", [[LONG, TWO], [TWO, LONG], [LONG, ONE, TWO]])
def test_where_most_trains_must_run_the_larger_fleet_goes_before_the_richer(fleets: list[tuple[str, ...]]) -> None:
    most = row_of_three().best_of(fleets, as_many_as_possible=True)
    assert ([route.train for route in most.routes], most.value, most.proved) == (["short", "short"], 80, True)
    best = row_of_three().best_of(fleets, as_many_as_possible=False)
    assert ([route.train for route in best.routes], best.value) == (["long"], 180)
    assert row_of_three().most(fleets) == 2


@pytest.mark.parametrize("fleets", [[LONG, TWO], [TWO, LONG]])
@pytest.mark.parametrize(("toll", "trains"), [(99, ["long"]), (101, ["short", "short"])])
def test_fleets_are_compared_by_what_they_bring_not_by_their_sum(
    fleets: list[tuple[str, ...]], toll: int, trains: list[str]
) -> None:
    def revenue(routes: Sequence[Route]) -> int:
        return sum(route.value - toll * (route.train == "long") for route in routes)

    found = row_of_three().best_of(fleets, as_many_as_possible=False, revenue=revenue)
    assert [route.train for route in found.routes] == trains


@pytest.mark.parametrize("fleets", [[ONE, TWO], [TWO, ONE]])
def test_of_fleets_that_bring_the_same_the_one_with_the_greater_sum_runs(fleets: list[tuple[str, ...]]) -> None:
    found = row_of_three().best_of(fleets, as_many_as_possible=False, revenue=lambda routes: 10)
    assert found.value == 80


def test_without_a_train_there_is_no_route_and_nothing_to_prove() -> None:
    for every in (True, False):
        found = row_of_three().best_of([()], as_many_as_possible=every)
        assert (found.routes, found.proved) == ((), True)
    assert row_of_three().most([]) == 0
    assert row_of_three().most([("short",) * 4]) == 2, "there is track for two"


class OneMore(TrainRules):
    """A route earns a little beyond its stops."""

    bonus_bound = 1

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        return 1


def test_one_mark_more_is_more_and_of_equal_fleets_the_first_runs() -> None:
    board = tiled(POINTY, {"F8": ("57", 1), "F10": ("57", 1)}, {"F10": [[OWN]]})
    kinds = {"a": TrainRules, "b": TrainRules, "c": OneMore}
    three = Router(LegBook(board), {name: kind(board, OWN, name, 2, "green") for name, kind in kinds.items()})
    for fleets, runs in (("ac", "c"), ("ca", "c"), ("ab", "a"), ("ba", "b")):
        assert three.best_of([(name,) for name in fleets], as_many_as_possible=False).routes[0].train == runs
    for fleets in ("ab", "ba"):
        found = three.best_of([(name,) for name in fleets], as_many_as_possible=False, revenue=lambda routes: 10)
        assert found.routes[0].train == fleets[0], "what they bring does not tell them apart, nor does the sum"


class FromATown(TrainRules):
    """Every route touches a town, which is the only one that it may visit."""

    def starts(self) -> list[Node]:
        return [("F10", 0)]

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities <= self.reach and towns + end_towns <= 1


def test_a_route_over_a_town_where_it_must_come_counts_that_town_once() -> None:
    board = tiled(POINTY, {"F8": ("57", 1), "F10": ("4", 1), "F12": ("57", 1)})
    assert router(board, 2, FromATown).best(["T"], as_many_as_possible=False).value == 20 + 10 + 20


class OtherBank(TrainRules):
    """May run through the city on the right bank of F10, not through the one on the left."""

    def through(self, node: Node) -> bool:
        return node != ("F10", 0)


def test_two_arms_of_a_bank_that_is_closed_are_no_route_unless_one_goes_over_the_ferry() -> None:
    ends = {POINTY.neighbour("F10", edge) or "": ("57", edge - 3) for edge in (3, 5)}
    board = tiled(POINTY, {"F10": ("922", 0), **ends}, {"F10": [[OWN], ["", ""]]})
    assert router(board, 3, OtherBank).best(["T"], as_many_as_possible=False).value == 40 + 20
    assert router(board, 3).best(["T"], as_many_as_possible=False).value == 20 + 40 + 20
    across = tiled(POINTY, {"F10": ("922", 0), **ends, "F12": ("57", 1)}, {"F10": [[OWN], ["", ""]]})
    assert router(across, 3, OtherBank).best(["T"], as_many_as_possible=False).value == 20 + 30 + 20


class FarEnds(TrainRules):
    """A route ends on two hexes that the search comes to late."""

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        return {one[0], other[0]} == set(spiral(POINTY)[-2:])


def test_a_search_that_is_cut_short_before_its_first_route_still_finds_one() -> None:
    board = tiled(POINTY, {at: ("216", number % 6) for number, at in enumerate(spiral(POINTY))})
    board.place_station(OWN, "F10", 0)
    assert router(board, 7, FarEnds).search("T").run(Effort(lambda: True), 0, -1, keep=True) == [], "too small a board"
    found = router(board, 7, FarEnds).best(["T"], as_many_as_possible=False, enough=lambda: True)
    assert not found.proved
    assert len(found.routes) == 1


def test_ferries_of_all_titles_are_run_over_at_their_lower_value() -> None:
    """Every tile with a ferry to one of its edges, each with a route over its ferry."""
    forms = [(box.id, form) for box in titles.known() for form in box.forms]
    rules = [titles.rules(title, form.players[0], form=form.id) for title, form in forms]
    tiles = [tile for each in rules for tile in each.definition.tiles.values()]
    found = {tile.face: tile for tile in tiles if any(edge < FIRST_STOP for edge, _ in tile.face.ferry)}
    assert len(found) >= 3
    for tile in found.values():
        ((edge, _),) = tile.face.ferry
        other = FLAT.neighbour("F10", edge)
        assert other is not None
        town = Face("grey", (Stop("town", (("plain", 10),), 0),), (((edge + 3) % 6, 6),))
        hexes = {"F10": Hex("F10", tile.face), other: Hex(other, town)}
        spaces = [[OWN] + [""] * (stop.slots - 1) for stop in tile.face.stops]
        board = board_of(FLAT, hexes, {}, {"F10": spaces, other: [[]]})
        assert router(board).best(["T"], as_many_as_possible=False).value == tile.face.ferry_value + 10


# ------------------------------------------------------------------ the most trains


class OneEnd(TrainRules):
    """Runs only to one hex."""

    end = ""

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        return self.end in (one[0], other[0])


@pytest.mark.parametrize("end", ["E11", "F12", "G11"])
@pytest.mark.parametrize("others", [1, 2])
def test_trains_that_can_run_anywhere_leave_the_only_way_of_another_free(end: str, others: int) -> None:
    """From F10 one way leads to each of three cities; whichever the particular train needs, all trains can run."""
    tiles = {"F10": ("one space, five exits", 0), "E11": ("57", 0), "F12": ("57", 1), "G11": ("57", 2)}
    board = tiled(POINTY, tiles, {"F10": [[OWN]]})
    particular = OneEnd(board, OWN, "X", 3, "green")
    particular.end = end
    found = Router(LegBook(board), {"T": TrainRules(board, OWN, "T", 2, "green"), "X": particular})
    trains = ["T"] * others + ["X"]
    assert found.most([trains]) == others + 1
    assert len(found.best(trains, as_many_as_possible=True).routes) == others + 1
    assert found.most([["T"] * 4]) == 3
