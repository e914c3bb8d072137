"""Fields with small pieces in them: a strip in the field's colour, a square for every piece, and their number."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers.kit import cache
from renderers.kit.fonts import font
from renderers.kit.theme import Theme

SCALE = 2
#: More pieces than this are told by their number alone.
MOST = 6


def field(count: int, colour: str, size: int, theme: Theme) -> Image.Image:
    """A field of the colour with so many pieces."""
    key = ("field", count, colour, size, theme.name)
    return cache.PIECES.get(key, lambda: _drawn(count, colour, size, theme))


def _drawn(count: int, colour: str, size: int, theme: Theme) -> Image.Image:
    side, gap = round(size * 0.46), round(size * 0.12)
    wide, high = (MOST * (side + gap) + gap + round(size * 0.8), round(size * 1.3))
    image = Image.new("RGBA", (wide * SCALE, high * SCALE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (0, 0, wide * SCALE - 1, high * SCALE - 1), size * SCALE // 5, fill=(*theme.hexes[colour], 255)
    )
    top = (high - side) // 2
    for number in range(count if count <= MOST else 1):
        left = gap + number * (side + gap)
        box = [edge * SCALE for edge in (left, top, left + side, top + side)]
        draw.rectangle(box, fill=(*theme.hex_ink, 255), outline=(*theme.slot, 255), width=SCALE)
    small = image.reduce(SCALE)
    if count:
        pen = ImageDraw.Draw(small)
        pen.text(
            (wide - gap, high / 2), str(count), font=font(round(size * 0.9), True), fill=theme.hex_ink, anchor="rm"
        )
    return small
