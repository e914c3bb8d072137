"""Company tokens: a disc in the company's colour that always carries its code."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers.kit import cache
from renderers.kit.fonts import fitted, font
from renderers.kit.livery import Livery
from renderers.kit.theme import Theme, mixed

SCALE = 4


def token(code: str, livery: Livery, radius: int, theme: Theme, *, reserved: bool = False) -> Image.Image:
    """A station or price token. A reserved home is a pale space with the code in it."""
    key = ("token", code, livery, radius, theme.name, reserved)
    return cache.PIECES.get(key, lambda: _drawn(code, livery, radius, theme, reserved))


def _drawn(code: str, livery: Livery, radius: int, theme: Theme, reserved: bool) -> Image.Image:
    side = 2 * radius * SCALE
    fill = mixed(theme.slot, livery.fill, 0.16) if reserved else livery.fill
    rim = mixed(theme.slot, livery.fill, 0.6) if reserved else theme.rim
    image = Image.new("RGBA", (side, side), (*rim, 0))
    draw = ImageDraw.Draw(image)
    draw.ellipse((0, 0, side - 1, side - 1), fill=(*rim, 255))
    thick = SCALE * max(radius * 0.06, 1.2)
    inner = (thick, thick, side - 1 - thick, side - 1 - thick)
    draw.ellipse(inner, fill=(*fill, 255))
    if livery.band:
        for start in (200, 20):
            draw.chord(inner, start, start + 140, fill=(*mixed(fill, theme.slot, 0.75), 255))
        draw.rectangle((thick * 2, side * 0.3, side - thick * 2, side * 0.7), fill=(*fill, 255))
    small = image.reduce(SCALE)
    text, size = fitted(code, round(radius * 1.66), round(radius * 0.92), 6, True)
    ink = mixed(theme.slot, (0, 0, 0), 0.55) if reserved else livery.ink
    ImageDraw.Draw(small).text((radius, radius), text, font=font(size, True), fill=(*ink, 255), anchor="mm")
    return small
