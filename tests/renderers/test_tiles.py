"""Tiles: each track end meets the middle of its edge, a turned tile is its picture turned."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageFilter, ImageStat

import titles
from engine.board.faces import FIRST_STOP, Face, Tile
from renderers import LIGHT
from renderers.hexes.geometry import Frame, frame
from renderers.hexes.hex import Look, Value, hexagon
from renderers.hexes.placing import APOTHEM, SLOT, path, places, slots
from renderers.hexes.shapes import shape
from renderers.hexes.strokes import edge_middle
from workshop.gallery import sheets

HALF = 20


def every_tile() -> list[tuple[str, bool, Tile]]:
    """All tiles of all titles; drawings that several titles share only once."""
    found: dict[tuple[bool, Face], tuple[str, bool, Tile]] = {}
    for box in titles.known():
        for definition in sheets.definitions(box.id):
            pointy = definition.map.layout.name == "pointy"
            for tile in definition.tiles.values():
                found.setdefault((pointy, tile.face), (f"{box.id} {tile.id}", pointy, tile))
    return list(found.values())


def edge_pixel(size: Frame, edge: int, inward: float) -> tuple[int, int]:
    """The pixel a little inside the middle of an edge."""
    (ax, ay), (bx, by) = size.side(edge)
    half_width, half_height = size.extent
    x, y = (ax + bx) / 2 * inward, (ay + by) / 2 * inward
    return math.floor(half_width + x), math.floor(half_height + y)


def dark(image: Image.Image, pixel: tuple[int, int]) -> bool:
    value = image.getpixel(pixel)
    assert isinstance(value, tuple)
    return max(value[:3]) < 90


def test_every_tile_of_every_title_is_drawn_in_all_six_rotations() -> None:
    count = 0
    for _, pointy, tile in every_tile():
        size = frame(pointy, 12)
        for turns in range(6):
            look = Look(tile.face, turns, tile.id, values=tuple(Value(stop.revenue) for stop in tile.face.stops))
            assert hexagon(look, size, LIGHT).size == (2 * size.extent[0], 2 * size.extent[1])
            count += 1
    assert count > 1000


def test_each_track_end_meets_the_middle_of_its_edge() -> None:
    for name, pointy, tile in every_tile():
        size = frame(pointy, HALF)
        for turns in (0, 4):
            image = shape(tile.face, turns, size, LIGHT)
            face = tile.faces[turns]
            ferries = {end for piece in tile.face.ferry for end in piece if end < FIRST_STOP}
            for edge in range(6):
                reached = bool(face.exits >> edge & 1)
                if (edge - turns) % 6 in ferries:
                    continue
                assert dark(image, edge_pixel(size, edge, 0.96)) == reached, f"{name} turned {turns}, edge {edge}"


def test_each_line_of_track_starts_at_its_edge_and_ends_at_its_stop() -> None:
    for name, pointy, tile in every_tile():
        where = places(tile.face, 30 if pointy else 0)
        for piece in tile.face.track:
            line = path(tile.face, where, piece)
            for end, point in zip(piece, (line[0], line[-1]), strict=True):
                target = edge_middle(end) if end < FIRST_STOP else where[end - FIRST_STOP].point
                assert math.dist(point, target) < 1e-6, f"{name}: {piece}"


def test_a_turned_tile_is_the_picture_of_the_tile_turned() -> None:
    for name, pointy, tile in every_tile():
        size = frame(pointy, HALF)
        upright = shape(tile.face, 0, size, LIGHT)
        for turns in (1,):
            turned = shape(tile.face, turns, size, LIGHT)
            assert blurred_difference(rotate(upright, 60 * turns), turned, size) < 9, f"{name} turned {turns}"


def rotate(image: Image.Image, degrees: int) -> Image.Image:
    return image.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=LIGHT.hex_line)


def blurred_difference(one: Image.Image, other: Image.Image, size: Frame) -> float:
    """The mean difference in the middle of the hex, where turning about whole pixels loses nothing."""
    half_width, half_height = size.extent
    reach = round(size.wide * 0.7)
    box = (half_width - reach, half_height - reach, half_width + reach, half_height + reach)
    blur = ImageFilter.GaussianBlur(1.5)
    difference = ImageChops.difference(one.crop(box).filter(blur), other.crop(box).filter(blur))
    return max(ImageStat.Stat(difference).mean)


def test_the_comparison_of_turned_tiles_notices_a_wrong_turn() -> None:
    size = frame(True, HALF)
    gentle = Face("green", track=((0, 2), (0, 3)))
    upright, wrong = shape(gentle, 0, size, LIGHT), shape(gentle, 2, size, LIGHT)
    assert blurred_difference(rotate(upright, 60), wrong, size) > 9


def test_no_station_space_lies_outside_its_hex_or_over_another() -> None:
    for name, pointy, tile in every_tile():
        where = places(tile.face, 30 if pointy else 0)
        spots = [
            (index, (place.point[0] + x, place.point[1] + y))
            for index, (stop, place) in enumerate(zip(tile.face.stops, where, strict=True))
            if stop.slots
            for x, y in slots(stop.slots, place.axis)
        ]
        for _, (x, y) in spots:
            for edge in range(6):
                ux, uy = edge_middle(edge)
                assert (x * ux + y * uy) / APOTHEM + SLOT < APOTHEM, name
        for number, (one, first) in enumerate(spots):
            for other, second in spots[:number]:
                least = 2 * SLOT - 1e-6 if one == other else 2 * SLOT - 0.03
                assert math.dist(first, second) > least, name


def test_towns_keep_clear_of_cities() -> None:
    for name, pointy, tile in every_tile():
        where = places(tile.face, 30 if pointy else 0)
        towns = [place.point for stop, place in zip(tile.face.stops, where, strict=True) if stop.kind == "town"]
        for stop, place in zip(tile.face.stops, where, strict=True):
            for x, y in slots(stop.slots, place.axis) if stop.slots else ():
                for town in towns:
                    assert math.dist(town, (place.point[0] + x, place.point[1] + y)) > SLOT + 0.08, name
