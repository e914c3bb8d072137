"""Maps of every title, flat and pointed, and markets of both kinds."""

from __future__ import annotations

from itertools import combinations

import pytest

import titles
from engine.changes import View
from engine.game import Game
from engine.state import BLANK, MARKER
from renderers import LIGHT, draw_map, draw_market
from renderers.hexes.field import within
from renderers.hexes.geometry import frame
from renderers.hexes.hex import label_boxes
from renderers.hexes.icons import chip
from renderers.hexes.looks import Looks
from renderers.hexes.paths import steps
from renderers.hexes.rivers import borders, rivers
from renderers.pages.map import BROAD
from tests.renderers.position import arranged
from tests.titles.rhl import arrange
from titles.rhl.running import eastern_ruhr_links
from workshop.gallery import games, sheets


@pytest.mark.parametrize("name", sheets.boards())
def test_the_map_of_every_form_can_be_drawn(name: str) -> None:
    game = sheets.boards()[name]
    picture = draw_map(game, coordinates=True)
    assert max(picture.width, picture.height) >= 1600
    assert len(picture.png) <= 150_000
    first = next(iter(game.definition.map.hexes))
    assert draw_map(game, around=[first]).width == 780


def test_a_line_of_prices_is_broken_into_rows_that_fit_a_phone() -> None:
    game = sheets.begun("ruhr", "base").copy()
    assert game.definition.market.kind == "line"
    for code, number in zip(game.definition.corporations, range(len(game.definition.market.rows[0])), strict=False):
        game.prices.put(code, (0, number))
    assert draw_market(game).width == 780


@pytest.mark.parametrize("title", ["rhl", "bl"])
def test_a_part_around_one_hex_does_not_stand_in_bars_on_a_desktop(title: str) -> None:
    game = titles.new_game(title, ["ann", "bo", "cy"], {}, 1)
    for at in list(game.definition.map.hexes)[::5]:
        tall, broad = draw_map(game, around=[at]), draw_map(game, around=[at], tallest=BROAD)
        assert broad.width == 780
        assert broad.height <= BROAD * broad.width, at
        assert broad.height <= tall.height


def test_stops_of_one_hex_are_told_apart_by_their_letters() -> None:
    game = arranged()
    pictures = {draw_map(game, around=["F9"], stops=stops).png for stops in ((), [("F9", 0)], [("F9", 0), ("F9", 1)])}
    assert len(pictures) == 3


def test_the_rhine_runs_through_its_metropolises() -> None:
    board = games.late().definition.map
    assert set(rivers(board).through) == {"D9", "F9", "I10"}
    assert len(borders(board)) == len(set(borders(board)))


def test_the_value_of_an_off_board_field_is_the_one_of_the_phase() -> None:
    start, later = games.at(20), games.late()
    for game, valid in ((start, 0), (later, 1)):
        look = Looks(game).look("A4")
        assert look.values[0].figures == (("yellow", 40), ("brown", 60))
        assert look.values[0].valid == valid


def test_the_eastern_ruhr_shows_the_value_that_its_links_give() -> None:
    game = games.late()
    links = eastern_ruhr_links(game)
    worth = game.definition.tables.eastern_ruhr.value_by_links[links]
    assert Looks(game).look("C14").values[0].figures == (("plain", worth),)


def test_homes_of_companies_that_do_not_operate_yet_are_shown_as_reserved() -> None:
    look = Looks(games.at(10)).look("F9")
    assert [station.reserved for row in look.stations for station in row if station] == [True]


def test_location_markers_replace_the_printed_spaces() -> None:
    game = games.late()
    for at, markers in game.state.board.markers.items():
        assert Looks(game).look(at).markers == tuple(markers)
        assert Looks(game).look(at).faint_signs == ()


def test_a_candidate_tile_takes_the_stations_along() -> None:
    game, choice, at = games.chooser()
    tokens = {code for stop in game.state.board.stations.get(at, []) for code in stop if code}
    for fit in choice.fits(at):
        look = Looks(game).with_tile(at, fit.tile, fit.rotation, fit.stops)
        assert {station.code for row in look.stations for station in row if station} == tokens


def test_a_candidate_tile_takes_a_station_beside_the_spaces_in() -> None:
    game = arranged()
    arrange.lay(game, "D13", "202", 1)
    arrange.station(game, "CME", "D13")
    game.board.place_beside("ADR", "D13")
    looks = Looks(game)
    assert [station.code for station in looks.look("D13").beside] == ["ADR"]
    green = looks.with_tile("D13", "934", 1, (0,))
    assert [[station and station.code for station in row] for row in green.stations] == [["CME", "ADR"]]
    assert green.beside == ()
    assert looks.with_tile("D13", "201", 1, (0,)).beside == looks.look("D13").beside


def test_a_route_is_drawn_along_track_that_lies_there() -> None:
    game = arranged()
    routes = [route for code in ("CME", "ADR") for route in game.best_routes(code).routes]
    assert routes
    for route in routes:
        pieces = steps(game.definition.map.layout, route)
        assert pieces
        for at, one, other in pieces:
            assert tuple(sorted((one, other))) in game.board.faces[at].track_set
        stops = {word for word in route.path if ":" in word}
        assert {f"{at}:{chr(ord('a') + end - 6)}" for at, *ends in pieces for end in ends if end >= 6} == stops


def assert_labels_keep_apart(game: Game) -> None:
    pointy = game.definition.map.layout.name == "pointy"
    size = frame(pointy, 36)
    corners = [(x / size.radius, y / size.radius) for x, y in size.corners(0.04 * size.radius)]
    looks = Looks(game, coordinates=True)
    for at in game.definition.map.hexes:
        boxes = label_boxes(looks.look(at), size, LIGHT)
        for left, top, right, bottom in boxes:
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
                assert within(corners, x, y), f"{at}: a label leaves its hex"
        for one, other in combinations(boxes, 2):
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            # The corners of a round sign's box are empty.
            assert across < 0.035 or down < 0.035, f"{at}: one label lies over another"


@pytest.mark.parametrize("moves", [0, 190, 460])
def test_no_label_lies_over_another_or_outside_its_hex(moves: int) -> None:
    assert_labels_keep_apart(games.at(moves))


@pytest.mark.parametrize("name", sheets.boards())
def test_no_label_lies_over_another_or_outside_its_hex_on_any_map(name: str) -> None:
    assert_labels_keep_apart(sheets.boards()[name])


def test_a_location_marker_shows_its_value() -> None:
    pictures = {chip(value, 20, LIGHT, marker=True).tobytes() for value in ("0", "10", "20", "30", "coal")}
    assert len(pictures) == 5


def test_tokens_of_nobody_and_beside_the_spaces_are_drawn_and_told() -> None:
    game = games.late().copy()
    at = next(at for code in game.state.companies for at, _ in game.board.stations_of(code))
    view = View.of(game)
    spaces = game.state.board.stations[at][0]
    plain = draw_map(game, around=[at]).png
    spaces[:] = [BLANK if space else MARKER for space in range(len(spaces))]
    strangers = draw_map(game, around=[at]).png
    assert strangers != plain
    cover = {token for stop in game.state.board.stations[at] for token in stop}
    active = [code for code, company in game.state.companies.items() if company.active]
    other = next(code for code in active if code not in cover and code not in view.stations[at])
    game.board.place_beside(other, at)
    assert [station.code for station in Looks(game).look(at).beside] == [other]
    drawn = draw_map(game, around=[at], since=view)
    assert drawn.png != strangers
    assert f"{other} {at}" in drawn.alt["en"]
