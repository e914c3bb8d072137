"""The drawing of a tile or printed hex without any text: fill, river, track, cities and towns.

Drawn at twice the size and reduced, because Pillow's shapes have no smooth edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops, ImageDraw

from engine.board.faces import FIRST_STOP, OFFBOARD, TOWN, Face, Track
from renderers.hexes.geometry import Frame, Point, turned
from renderers.hexes.placing import BAR, DOT, SLOT, Place, is_bar, is_city, lines, places, slots
from renderers.hexes.strokes import bare, dashes, edge_middle, length, normals, part, ribbon, straight
from renderers.kit import cache
from renderers.kit.theme import Colour, Theme, mixed

#: What tells the colours of hexes apart without colour: lines along the border, or across the hex.
CUES = {
    "plain": "",
    "yellow": "dots",
    "green": "line",
    "brown": "two lines",
    "grey": "dashes",
    "red": "hatch",
    "orange": "thick line",
}
SCALE = 2
TRACK, CASING = 0.105, 0.165
RIM = 0.028


class Pen:
    """Draws unit points of one hex, turned as layout and rotation want, on an enlarged canvas."""

    def __init__(self, frame: Frame, degrees: float, paper: Colour) -> None:
        self.frame = frame
        self.degrees = degrees
        half_width, half_height = frame.extent
        self.middle = (half_width * SCALE, half_height * SCALE)
        self.unit = frame.wide / 0.8660254037844386 * SCALE
        self.image = Image.new("RGB", (2 * half_width * SCALE, 2 * half_height * SCALE), paper)
        self.draw = ImageDraw.Draw(self.image)

        radians = math.radians(degrees)
        self.sine, self.cosine = math.sin(radians) * self.unit, math.cos(radians) * self.unit

    def at(self, point: Point) -> Point:
        x, y = point
        return (
            self.middle[0] + x * self.cosine - y * self.sine,
            self.middle[1] + x * self.sine + y * self.cosine,
        )

    def polygon(self, points: Iterable[Point], fill: Colour) -> None:
        mx, my = self.middle
        sine, cosine = self.sine, self.cosine
        self.draw.polygon([(mx + x * cosine - y * sine, my + x * sine + y * cosine) for x, y in points], fill=fill)

    def disc(self, point: Point, radius: float, fill: Colour) -> None:
        x, y = self.at(point)
        r = radius * self.unit
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def hexagon(self, fill: Colour, grow: float) -> None:
        x, y = self.middle
        self.draw.polygon([(x + cx * SCALE, y + cy * SCALE) for cx, cy in self.frame.corners(grow)], fill=fill)

    def reduced(self) -> Image.Image:
        return self.image.reduce(SCALE)


def mask(frame: Frame) -> Image.Image:
    """The soft-edged outline of a hex."""

    def make() -> Image.Image:
        half_width, half_height = frame.extent
        image = Image.new("L", (2 * half_width * SCALE, 2 * half_height * SCALE), 0)
        ImageDraw.Draw(image).polygon(
            [((half_width + x) * SCALE, (half_height + y) * SCALE) for x, y in frame.corners(0.5)], fill=255
        )
        return image.reduce(SCALE)

    return cache.PIECES.get(("mask", frame), make)


def shape(face: Face, turns: int, frame: Frame, theme: Theme, *, river: tuple[int, int] | None = None) -> Image.Image:
    """A face turned clockwise by sixths; `river` joins two corners of the hex below the track."""
    key = ("shape", face, turns % 6, frame, theme.name, river)
    return cache.SHAPES.get(key, lambda: _drawn(face, turns, frame, theme, river))


def _drawn(face: Face, turns: int, frame: Frame, theme: Theme, river: tuple[int, int] | None) -> Image.Image:
    layout_turn = 30 if frame.pointy else 0
    pen = Pen(frame, layout_turn + 60 * turns, theme.hex_line)
    fill = theme.hexes[face.colour]
    pen.hexagon(fill, -max(frame.radius * 0.012, 0.7))
    _cue(pen, face.colour, fill)
    if river is not None:
        _river(pen, river, theme, layout_turn)
    where, ways = places(face, layout_turn), dict(lines(face, layout_turn))
    for group in groups(face):
        rails = [(piece, _overshot(bare(ways[piece]), piece)) for piece in group if piece not in face.ferry]
        across = [normals(line) for _, line in rails]
        for colour, wide in ((theme.casing, CASING), (theme.track, TRACK)):
            for (piece, line), sideways in zip(rails, across, strict=True):
                narrow = 0.02 if _is_offboard(face, piece) else wide
                pen.polygon(ribbon(line, wide, narrow, sideways), colour)
    for piece in sorted(face.ferry):
        _ferry(pen, ways[piece], theme, ferry_square(ways[piece], piece))
    for index, place in enumerate(where):
        _stop(pen, face, index, place, theme)
    return pen.reduced()


def _cue(pen: Pen, colour: str, fill: Colour) -> None:
    """What tells a colour without colour, below everything else."""
    cue, unit = CUES[colour], pen.unit
    x, y = pen.middle
    if cue == "hatch":
        _hatch(pen, mixed(fill, (0, 0, 0), 0.2))
        return
    ink = mixed(fill, (0, 0, 0), 0.6)
    wide = max(round(0.022 * unit), SCALE)
    for ring in range({"": 0, "two lines": 2}.get(cue, 1)):
        inside = -(0.055 + 0.06 * ring) * unit / SCALE
        corners = [(x + cx * SCALE, y + cy * SCALE) for cx, cy in pen.frame.corners(inside)]
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            if cue.endswith(("line", "lines")):
                pen.draw.line((*one, *other), fill=ink, width=wide * (3 if cue == "thick line" else 1))
                continue
            parts = 5 if cue == "dashes" else 9
            for piece in range(parts):
                ends = ((piece + 0.2) / parts, (piece + 0.8) / parts)
                (ax, ay), (bx, by) = (
                    (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share) for share in ends
                )
                if cue == "dashes":
                    pen.draw.line((ax, ay, bx, by), fill=ink, width=round(1.4 * wide))
                else:
                    mx, my, r = (ax + bx) / 2, (ay + by) / 2, wide * 0.7
                    pen.draw.ellipse((mx - r, my - r, mx + r, my + r), fill=ink)


def _hatch(pen: Pen, ink: Colour) -> None:
    """Slanted lines across a hex, up to its border."""
    wide, high = pen.image.size
    lines = Image.new("L", pen.image.size, 0)
    draw = ImageDraw.Draw(lines)
    step, thick = max(round(0.2 * pen.unit), 4), max(round(0.035 * pen.unit), 2 * SCALE)
    for start in range(-high, wide, step):
        draw.line((start, high, start + high, 0), fill=255, width=thick)
    inside = Image.new("L", pen.image.size, 0)
    x, y = pen.middle
    border = -max(pen.frame.radius * 0.012, 0.7)
    corners = [(x + cx * SCALE, y + cy * SCALE) for cx, cy in pen.frame.corners(border)]
    ImageDraw.Draw(inside).polygon(corners, fill=255)
    pen.image.paste(ink, (0, 0), ImageChops.multiply(lines, inside))


def _is_offboard(face: Face, piece: Track) -> bool:
    return piece[1] >= FIRST_STOP and face.stops[piece[1] - FIRST_STOP].kind == OFFBOARD


def _overshot(line: Sequence[Point], piece: Track) -> list[Point]:
    """A line that runs a little over the edge, so that it meets the neighbour's without a gap."""
    result = list(line)
    if piece[0] < FIRST_STOP:
        x, y = edge_middle(piece[0])
        result.insert(0, (x * 1.03, y * 1.03))
    if piece[1] < FIRST_STOP:
        x, y = edge_middle(piece[1])
        result.append((x * 1.03, y * 1.03))
    return result


def groups(face: Face) -> list[list[Track]]:
    """Pieces of track that join, so that junctions merge and crossings run over each other."""
    result: list[tuple[set[int], list[Track]]] = []
    for piece in face.track:
        ends, pieces = set(piece), [piece]
        rest = []
        for other_ends, other_pieces in result:
            if ends & other_ends:
                ends |= other_ends
                pieces = other_pieces + pieces
            else:
                rest.append((other_ends, other_pieces))
        result = [*rest, (ends, pieces)]
    return [pieces for _, pieces in result]


def _river(pen: Pen, corners: tuple[int, int], theme: Theme, layout_turn: int) -> None:
    """A river from corner to corner; it belongs to the hex and does not turn with the tile."""
    points = pen.frame.corners()
    scale = pen.frame.wide / 0.8660254037844386
    ends = [turned((x / scale, y / scale), -pen.degrees) for x, y in (points[corner] for corner in corners)]
    colour = mixed(theme.river, theme.hexes["plain"], 0.35)
    pen.polygon(ribbon(straight(ends[0], ends[1]), 0.17), colour)


def ferry_square(line: Sequence[Point], piece: Track) -> Point:
    """Where the square of a ferry lies: half-way, or outside the city if it leads to an edge."""
    return part(line, 0, length(line) * (0.28 if piece[0] < FIRST_STOP else 0.5))[-1]


def _ferry(pen: Pen, line: Sequence[Point], theme: Theme, square: Point) -> None:
    """A train ferry: a dotted way with a white square on it."""
    for stretch in dashes(line, (0.07, 0.06)):
        pen.polygon(ribbon(stretch, 0.075), theme.track)
    x, y = square
    for half, colour in ((0.105, theme.track), (0.08, theme.casing)):
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        pen.polygon([(x + cx, y + cy) for cx, cy in corners], colour)


def _stop(pen: Pen, face: Face, index: int, place: Place, theme: Theme) -> None:
    stop = face.stops[index]
    if is_city(face, index):
        _city(pen, place, max(stop.slots, 1), theme)
    elif stop.kind == TOWN and is_bar(face, index):
        _bar(pen, place, theme)
    elif stop.kind == TOWN:
        pen.disc(place.point, DOT + 0.025, theme.casing)
        pen.disc(place.point, DOT, theme.track)


def _bar(pen: Pen, place: Place, theme: Theme) -> None:
    """A town as a bar across its track."""
    axis = math.radians(place.axis)
    dx, dy = math.sin(axis), -math.cos(axis)
    x, y = place.point
    for grow, colour in ((0.022, theme.casing), (0.0, theme.track)):
        half = BAR + grow
        line = ((x - dx * half, y - dy * half), (x + dx * half, y + dy * half))
        pen.polygon(ribbon(line, 0.115 + 2 * grow), colour)


def _city(pen: Pen, place: Place, count: int, theme: Theme) -> None:
    spots = [(place.point[0] + x, place.point[1] + y) for x, y in slots(count, place.axis)]
    for grow, colour in ((RIM, theme.rim), (0.0, theme.slot)):
        if count == 2:
            pen.polygon(ribbon(spots, 2 * (SLOT + grow)), colour)
        elif count > 2:
            ring = spots if count != 4 else [spots[0], spots[1], spots[3], spots[2]]
            pen.polygon(ring, colour)
            for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
                pen.polygon(ribbon((one, other), 2 * (SLOT + grow)), colour)
        for spot in spots:
            pen.disc(spot, SLOT + grow, colour)
    if count > 1:
        for spot in spots:
            pen.disc(spot, SLOT - 0.012, mixed(theme.rim, theme.slot, 0.55))
            pen.disc(spot, SLOT - 0.027, theme.slot)


def slot_points(face: Face, turns: int, frame: Frame) -> list[list[tuple[float, float]]]:
    """For each stop, the middles of its station spaces in pixels from the middle of the hex."""
    layout_turn = 30 if frame.pointy else 0
    unit = frame.wide / 0.8660254037844386
    result = []
    for stop, place in zip(face.stops, places(face, layout_turn), strict=True):
        row = []
        for x, y in slots(max(stop.slots, 1), place.axis):
            px, py = turned((place.point[0] + x, place.point[1] + y), layout_turn + 60 * turns)
            row.append((px * unit, py * unit))
        result.append(row)
    return result
