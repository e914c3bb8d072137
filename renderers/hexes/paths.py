"""Routes over the map: each with a colour, a dash and a number of its own."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.board.faces import FIRST_STOP, TOWN, Face, piece
from engine.board.hexes import Layout
from engine.routes.model import Route
from renderers.hexes.geometry import Frame, Grid, Point
from renderers.hexes.placing import DOT, SLOT, Place, is_bar, is_city, path, places, slots
from renderers.hexes.shapes import RIM, SCALE, Pen
from renderers.hexes.strokes import dashes, ribbon
from renderers.kit import cache
from renderers.kit.fonts import font
from renderers.kit.theme import Colour, Theme, ink_on, rgb


@dataclass(frozen=True)
class Style:
    """How one route is told from the others."""

    colour: Colour
    dash: tuple[float, ...]


STYLES = (
    Style(rgb("#d81b60"), ()),
    Style(rgb("#0b57d0"), (0.2, 0.09)),
    Style(rgb("#f57c00"), (0.07, 0.07)),
    Style(rgb("#00897b"), (0.22, 0.07, 0.07, 0.07)),
    Style(rgb("#6a1b9a"), (0.12, 0.12)),
    Style(rgb("#5d4037"), (0.3, 0.06)),
)

#: Hex, and the two ends on it that a route joins.
Step = tuple[str, int, int]


def style(number: int) -> Style:
    return STYLES[number % len(STYLES)]


def steps(layout: Layout, route: Route) -> list[Step]:
    """The pieces of track that a route runs over, in its order."""
    words = [word.partition(":") for word in route.path]
    ends: list[tuple[str, int | None]] = [
        (at, FIRST_STOP + ord(letter) - ord("a") if letter else None) for at, _, letter in words
    ]
    result: list[Step] = []
    entered: int | None = None
    for number, (at, stop) in enumerate(ends):
        if stop is not None and entered is not None:
            result.append((at, entered, stop))
        if number + 1 == len(ends):
            break
        to, to_stop = ends[number + 1]
        if to == at:
            if stop is not None and to_stop is not None:
                result.append((at, stop, to_stop))
            entered = None
            continue
        leave = next((edge for edge in range(6) if layout.neighbour(at, edge) == to), None)
        if leave is None:
            break
        start = stop if stop is not None else entered
        if start is not None:
            result.append((at, start, leave))
        entered = (leave + 3) % 6
    return result


def by_hex(layout: Layout, routes: Sequence[Route]) -> dict[str, tuple[tuple[int, int, int], ...]]:
    """For each hex the numbers of the routes on it, with the two ends that each joins."""
    result: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for number, route in enumerate(routes):
        for at, one, other in steps(layout, route):
            result[at].append((number, one, other))
    return {at: tuple(found) for at, found in result.items()}


def over_hex(face: Face, turns: int, found: Sequence[tuple[int, int, int]], frame: Frame, theme: Theme) -> Image.Image:
    """Routes over the track of one hex; they leave out the stops, so that tokens and towns stay visible."""
    turn = 30 if frame.pointy else 0
    where = places(face, turn)
    pen = Pen(frame, turn + 60 * turns, theme.paper)
    pen.image = Image.new("RGBA", pen.image.size, (*theme.casing, 0))
    pen.draw = ImageDraw.Draw(pen.image)
    for number, one, other in found:
        ends = [(end - turns) % 6 if end < FIRST_STOP else end for end in (one, other)]
        track = piece(ends[0], ends[1])
        if track not in face.track_set:
            continue
        line = [point for point in path(face, where, track) if not _in_stop(face, where, point)]
        if len(line) < 2:
            continue
        look = style(number)
        pen.polygon(ribbon(line, 0.2), theme.casing)
        for stretch in dashes(line, look.dash):
            pen.polygon(ribbon(stretch, 0.125), look.colour)
    return pen.reduced()


def _in_stop(face: Face, where: Sequence[Place], point: Point) -> bool:
    for index, place in enumerate(where):
        if is_city(face, index):
            reach = SLOT + RIM + 0.02
        elif face.stops[index].kind == TOWN:
            reach = 0.085 if is_bar(face, index) else DOT + 0.03
        else:
            continue
        for x, y in slots(max(face.stops[index].slots, 1), place.axis):
            if math.dist(point, (place.point[0] + x, place.point[1] + y)) < reach:
                return True
    return False


def flags(layout: Layout, routes: Sequence[Route], grid: Grid) -> list[tuple[int, Point]]:
    """Where the number of each route is put: on the first and the last border that it crosses."""
    result = []
    for number, route in enumerate(routes):
        crossings = [(at, end) for at, one, other in steps(layout, route) for end in (one, other) if end < FIRST_STOP]
        for at, edge in {crossings[0], crossings[-1]} if crossings else ():
            x, y = grid.centre(at)
            (ax, ay), (bx, by) = grid.frame.side(edge)
            result.append((number, (x + (ax + bx) / 2, y + (ay + by) / 2)))
    return result


def badge(text: str, colour: Colour, radius: int, theme: Theme, size: int = 0) -> Image.Image:
    """A numbered disc; the number is as large as the disc allows if no `size` is asked for."""

    def make() -> Image.Image:
        side = 2 * radius * SCALE
        image = Image.new("RGBA", (side, side), (*theme.casing, 0))
        draw = ImageDraw.Draw(image)
        draw.ellipse((0, 0, side - 1, side - 1), fill=(*theme.casing, 255))
        thick = radius * SCALE * 0.12
        draw.ellipse((thick, thick, side - 1 - thick, side - 1 - thick), fill=(*colour, 255))
        small = image.reduce(SCALE)
        large = size or round(radius * (1.15 if len(text) < 2 else 0.95))
        ink = (*ink_on(colour), 255)
        ImageDraw.Draw(small).text((radius, radius), text, font=font(large, True), fill=ink, anchor="mm")
        return small

    return cache.PIECES.get(("badge", text, colour, radius, theme.name, size), make)


def sample(number: int, width: int, height: int, theme: Theme) -> Image.Image:
    """A stretch of a route's line for the list below the map."""
    look = style(number)
    image = Image.new("RGBA", (width * SCALE, height * SCALE), (*theme.casing, 0))
    draw = ImageDraw.Draw(image)
    unit = height * SCALE / 0.3
    middle = height * SCALE / 2
    line = ((0.0, middle), (float(width * SCALE), middle))
    draw.polygon(ribbon(line, 0.2 * unit), fill=(*theme.casing, 255))
    for stretch in dashes(line, [part * unit for part in look.dash]):
        draw.polygon(ribbon(stretch, 0.125 * unit), fill=(*look.colour, 255))
    return image.reduce(SCALE)
