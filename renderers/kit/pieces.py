"""Fields with small pieces in them: a strip in the field's colour, a square for every piece, and their number."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers.kit import cache
from renderers.kit.fonts import font
from renderers.kit.theme import Theme

SCALE = 2
#: So many pieces stand in a row; more of them stand in two rows, and beyond those their number alone tells.
MOST = 5


def field(count: int, colour: str, size: int, theme: Theme) -> Image.Image:
    """A field of the colour with so many pieces."""
    key = ("field", count, colour, size, theme.name)
    return cache.PIECES.get(key, lambda: _drawn(count, colour, size, theme))


def _drawn(count: int, colour: str, size: int, theme: Theme) -> Image.Image:
    side, gap = round(size * 0.46), round(size * 0.12)
    wide, high = ((MOST + 1) * (side + gap) + gap + round(size * 0.8), round(size * 1.3))
    image = Image.new("RGBA", (wide * SCALE, high * SCALE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (0, 0, wide * SCALE - 1, high * SCALE - 1), size * SCALE // 5, fill=(*theme.hexes[colour], 255)
    )
    shown = min(count, 2 * MOST)
    rows = [shown] if shown <= MOST else [shown - shown // 2, shown // 2]
    top = (high - len(rows) * (side + gap) + gap) // 2
    for row, pieces in enumerate(rows):
        for number in range(pieces):
            left, over = gap + number * (side + gap), top + row * (side + gap)
            box = [edge * SCALE for edge in (left, over, left + side, over + side)]
            draw.rectangle(box, fill=(*theme.hex_ink, 255), outline=(*theme.slot, 255), width=SCALE)
    small = image.reduce(SCALE)
    if count:
        pen = ImageDraw.Draw(small)
        pen.text(
            (wide - gap, high / 2), str(count), font=font(round(size * 0.9), True), fill=theme.hex_ink, anchor="rm"
        )
    return small
