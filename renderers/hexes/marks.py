"""Frames around hexes, rings around stations, and water along a border."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers.hexes.geometry import Frame
from renderers.kit import cache
from renderers.kit.theme import Colour, Theme

SCALE = 4


def outline(frame: Frame, colour: Colour, theme: Theme, *, dots: bool = False) -> Image.Image:
    """A frame inside the border of a hex, open where track may cross; one with dots on its corners is another."""

    def make() -> Image.Image:
        image, draw, cx, cy = _canvas(frame, colour)
        thick = max(frame.radius * 0.075, 3.5)
        for grow, ink in ((0.0, (*theme.casing, 255)), (-thick * 0.2, (*colour, 255)), (-thick, (*theme.casing, 255))):
            draw.polygon([(cx + x * SCALE, cy + y * SCALE) for x, y in frame.corners(grow)], fill=ink)
        inner = frame.corners(-thick * 1.2)
        draw.polygon([(cx + x * SCALE, cy + y * SCALE) for x, y in inner], fill=(*theme.casing, 0))
        gap = frame.radius * 0.2 * SCALE
        for edge in range(6):
            (ax, ay), (bx, by) = frame.side(edge)
            x, y = cx + (ax + bx) / 2 * SCALE, cy + (ay + by) / 2 * SCALE
            draw.ellipse((x - gap, y - gap, x + gap, y + gap), fill=(*theme.casing, 0))
        for x, y in frame.corners(-thick * 1.4) if dots else ():
            for radius, shade in ((thick * 1.35, theme.casing), (thick * 1.1, colour)):
                r = radius * SCALE
                box = (cx + x * SCALE - r, cy + y * SCALE - r, cx + x * SCALE + r, cy + y * SCALE + r)
                draw.ellipse(box, fill=(*shade, 255))
        return image.reduce(SCALE)

    return cache.PIECES.get(("outline", frame, colour, theme.name, dots), make)


def rim(frame: Frame, colour: Colour, theme: Theme) -> Image.Image:
    """A coloured band all along the border of a hex."""

    def make() -> Image.Image:
        image, draw, cx, cy = _canvas(frame, colour)
        wide = max(frame.radius * 0.085, 3.0)
        for grow, ink in (
            (-wide * 0.15, (*colour, 255)),
            (-wide, (*theme.hex_line, 255)),
            (-wide * 1.15, (*colour, 0)),
        ):
            draw.polygon([(cx + x * SCALE, cy + y * SCALE) for x, y in frame.corners(grow)], fill=ink)
        return image.reduce(SCALE)

    return cache.PIECES.get(("rim", frame, colour, theme.name), make)


def ring(radius: int, theme: Theme) -> Image.Image:
    """A ring around a new station."""

    def make() -> Image.Image:
        outer = round(radius * 1.28) * SCALE
        image = Image.new("RGBA", (2 * outer, 2 * outer), (*theme.new, 0))
        draw = ImageDraw.Draw(image)
        draw.ellipse((0, 0, 2 * outer - 1, 2 * outer - 1), fill=(*theme.casing, 255))
        draw.ellipse((SCALE, SCALE, 2 * outer - 1 - SCALE, 2 * outer - 1 - SCALE), fill=(*theme.new, 255))
        hole = outer - radius * SCALE
        draw.ellipse((hole, hole, 2 * outer - 1 - hole, 2 * outer - 1 - hole), fill=(*theme.new, 0))
        return image.reduce(SCALE)

    return cache.PIECES.get(("ring", radius, theme.name), make)


def border(frame: Frame, edge: int, theme: Theme, *, open: bool = False) -> Image.Image:
    """A river along one edge of a hex, with round ends so that edges join; an open one leaves room for track."""

    def make() -> Image.Image:
        image, draw, cx, cy = _canvas(frame, theme.river, rim=round(frame.radius * 0.12))
        (ax, ay), (bx, by) = frame.side(edge)
        pieces = [
            [(cx + (ax + (bx - ax) * share) * SCALE, cy + (ay + (by - ay) * share) * SCALE) for share in ends]
            for ends in (((0.0, 0.27), (0.73, 1.0)) if open else ((0.0, 1.0),))
        ]
        for thick, ink in ((0.15, theme.casing), (0.115, theme.river)):
            half = frame.radius * thick / 2 * SCALE
            for ends in pieces:
                draw.line(ends, fill=(*ink, 255), width=round(2 * half))
                for x, y in ends:
                    draw.ellipse((x - half, y - half, x + half, y + half), fill=(*ink, 255))
        return image.reduce(SCALE)

    return cache.PIECES.get(("border", frame, edge, theme.name, open), make)


def _canvas(frame: Frame, colour: Colour, rim: int = 0) -> tuple[Image.Image, ImageDraw.ImageDraw, int, int]:
    half_width, half_height = (side + rim for side in frame.extent)
    image = Image.new("RGBA", (2 * half_width * SCALE, 2 * half_height * SCALE), (*colour, 0))
    return image, ImageDraw.Draw(image), half_width * SCALE, half_height * SCALE
