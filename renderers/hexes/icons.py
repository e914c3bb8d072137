"""Small signs as shapes: industries, harbours, terrain. Each fits a box of the given radius."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from renderers.kit import cache
from renderers.kit.fonts import fitted, font
from renderers.kit.theme import Colour, Theme, mixed

SCALE = 4

_BLACK: Colour = (20, 20, 20)
_WHITE: Colour = (255, 255, 255)
_BLUE: Colour = (32, 96, 176)

Shape = Callable[[ImageDraw.ImageDraw, float, float], None]


def _points(points: tuple[tuple[float, float], ...], c: float, r: float) -> list[tuple[float, float]]:
    return [(c + x * r, c + y * r) for x, y in points]


def _coal(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """Crossed hammer and pick, the miners' sign."""
    width = round(r * 0.17)
    for sign in (-1, 1):
        draw.line(_points(((-0.62 * sign, 0.62), (0.5 * sign, -0.5)), c, r), fill=_BLACK, width=width)
        head = ((0.16 * sign, -0.66), (0.66 * sign, -0.16), (0.48 * sign, 0.0), (0.0, -0.48))
        draw.polygon(_points(head, c, r), fill=_BLACK)


def _steel(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """A mill with two chimneys."""
    roof = (
        (-0.7, 0.6), (-0.7, -0.05), (-0.35, 0.15), (-0.35, -0.05), (0.0, 0.15), (0.0, -0.65), (0.2, -0.65),
        (0.2, 0.0), (0.42, 0.0), (0.42, -0.65), (0.62, -0.65), (0.62, 0.6),
    )  # fmt: skip
    draw.polygon(_points(roof, c, r), fill=_BLACK)


def _anchor(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    width = round(r * 0.16)
    draw.line(_points(((0, -0.4), (0, 0.62)), c, r), fill=_BLUE, width=width)
    draw.line(_points(((-0.32, -0.16), (0.32, -0.16)), c, r), fill=_BLUE, width=width)
    draw.ellipse((c - 0.2 * r, c - 0.78 * r, c + 0.2 * r, c - 0.38 * r), outline=_BLUE, width=width)
    draw.arc((c - 0.62 * r, c - 0.55 * r, c + 0.62 * r, c + 0.69 * r), 15, 165, fill=_BLUE, width=width)


def _brewery(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """A tankard."""
    draw.rounded_rectangle(
        (c - 0.5 * r, c - 0.35 * r, c + 0.25 * r, c + 0.65 * r), 0.1 * r, fill=(214, 148, 20), outline=_BLACK,
        width=round(0.1 * r),
    )  # fmt: skip
    draw.arc((c + 0.05 * r, c - 0.2 * r, c + 0.65 * r, c + 0.45 * r), 270, 90, fill=_BLACK, width=round(0.13 * r))
    foam = (c - 0.6 * r, c - 0.68 * r, c + 0.35 * r, c - 0.2 * r)
    draw.ellipse(foam, fill=_WHITE, outline=_BLACK, width=round(0.08 * r))


def _lime(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """A stepped quarry."""
    steps = ((-0.7, 0.6), (-0.7, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.1, -0.2), (0.1, -0.6), (0.7, -0.6), (0.7, 0.6))
    draw.polygon(_points(steps, c, r), fill=(236, 232, 214), outline=_BLACK, width=round(0.1 * r))


def _crown(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """The express that crosses the whole map."""
    crown = ((-0.65, 0.5), (-0.7, -0.45), (-0.3, 0.0), (0, -0.6), (0.3, 0.0), (0.7, -0.45), (0.65, 0.5))
    draw.polygon(_points(crown, c, r), fill=(232, 176, 16), outline=_BLACK, width=round(0.09 * r))


def _rails(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """Two rails on sleepers."""
    for y in (-0.5, -0.17, 0.17, 0.5):
        draw.line(_points(((-0.55, y), (0.55, y)), c, r), fill=(120, 84, 52), width=round(0.16 * r))
    for x in (-0.28, 0.28):
        draw.line(_points(((x, -0.72), (x, 0.72)), c, r), fill=_BLACK, width=round(0.15 * r))


def _works(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """A striped barrier: under construction."""
    for x in (-0.45, 0.45):
        draw.line(_points(((x, 0.0), (x, 0.68)), c, r), fill=_BLACK, width=round(0.14 * r))
    draw.rectangle((c - 0.72 * r, c - 0.45 * r, c + 0.72 * r, c + 0.1 * r), fill=(232, 120, 16))
    for x in (-0.55, -0.05, 0.45):
        stripe = ((x, -0.45), (x + 0.2, -0.45), (x, 0.1), (x - 0.2, 0.1))
        draw.polygon(_points(stripe, c, r), fill=_WHITE)
    draw.rectangle((c - 0.72 * r, c - 0.45 * r, c + 0.72 * r, c + 0.1 * r), outline=_BLACK, width=round(0.08 * r))


def _camp(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    """A tent."""
    draw.polygon(_points(((-0.75, 0.55), (0.0, -0.6), (0.75, 0.55)), c, r), fill=(46, 120, 70))
    draw.polygon(_points(((-0.2, 0.55), (0.0, -0.1), (0.2, 0.55)), c, r), fill=_WHITE)


def _mountain(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    draw.polygon(_points(((-0.95, 0.6), (-0.25, -0.7), (0.45, 0.6)), c, r), fill=(104, 78, 56))
    draw.polygon(_points(((0.0, 0.6), (0.45, -0.25), (0.95, 0.6)), c, r), fill=(134, 104, 78))


def _waves(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    for y in (-0.35, 0.05, 0.45):
        for x in (-0.6, 0.0, 0.6):
            start = 0 if round(x * 10) % 12 == 0 else 180
            box = (c + (x - 0.3) * r, c + (y - 0.22) * r, c + (x + 0.3) * r, c + (y + 0.22) * r)
            draw.arc(box, start, start + 180, fill=_BLUE, width=round(0.17 * r))


def _houses(draw: ImageDraw.ImageDraw, c: float, r: float) -> None:
    for x, top in ((-0.75, -0.1), (-0.2, -0.55), (0.35, 0.05)):
        house = ((x, 0.6), (x, top), (x + 0.22, top - 0.3), (x + 0.44, top), (x + 0.44, 0.6))
        draw.polygon(_points(house, c, r), fill=(96, 96, 104))


SIGNS: dict[str, Shape] = {
    "coal": _coal,
    "steel": _steel,
    "harbour": _anchor,
    "anchor": _anchor,
    "brewery": _brewery,
    "lime": _lime,
    "crown": _crown,
    "rails": _rails,
    "works": _works,
    "camp": _camp,
}

TERRAIN: dict[str, Shape] = {"mountain": _mountain, "river": _waves, "water": _waves, "urban": _houses}


def chip(name: str, radius: int, theme: Theme, *, faint: bool = False, marker: bool = False) -> Image.Image:
    """A round chip with a sign; a sign without a shape of its own is written out. Markers have a red rim."""

    def make() -> Image.Image:
        side = 2 * radius * SCALE
        image = Image.new("RGBA", (side, side), (*theme.rim, 0))
        draw = ImageDraw.Draw(image)
        rim = (176, 22, 40) if marker else theme.rim
        alpha = 110 if faint else 255
        thick = radius * SCALE * (0.13 if marker else 0.07)
        draw.ellipse((0, 0, side - 1, side - 1), fill=(*rim, alpha))
        draw.ellipse((thick, thick, side - 1 - thick, side - 1 - thick), fill=(*_WHITE, alpha))
        drawer = SIGNS.get(name)
        if drawer is not None:
            drawer(draw, side / 2, radius * SCALE * 0.86)
        small = image.reduce(SCALE)
        if drawer is None:
            text, size = fitted(name, round(radius * 1.7), round(radius * 0.95), 7, True)
            ImageDraw.Draw(small).text((radius, radius), text, font=font(size, True), fill=(*_BLACK, 255), anchor="mm")
        if faint:
            small.putalpha(small.getchannel("A").point([value * 2 // 5 for value in range(256)]))
        return small

    return cache.PIECES.get(("chip", name, radius, theme.name, faint, marker), make)


def kept_space(name: str, radius: int, theme: Theme) -> Image.Image:
    """A free station space that is kept for a kind of token: its sign on pale ground."""

    def make() -> Image.Image:
        side = 2 * radius * SCALE
        image = Image.new("RGBA", (side, side), (*theme.slot, 0))
        draw = ImageDraw.Draw(image)
        ring = radius * SCALE * 0.1
        draw.ellipse((0, 0, side - 1, side - 1), fill=(*theme.river, 255))
        draw.ellipse((ring, ring, side - 1 - ring, side - 1 - ring), fill=(*mixed(theme.slot, theme.river, 0.2), 255))
        SIGNS[name](draw, side / 2, radius * SCALE * 0.7)
        return image.reduce(SCALE)

    return cache.PIECES.get(("kept", name, radius, theme.name), make)


def signed(disc: Image.Image, name: str, theme: Theme) -> Image.Image:
    """A token with the sign of its kind at its lower edge; its code stays in sight."""
    result = disc.copy()
    radius = disc.width // 2
    badge = chip(name, max(round(radius * 0.36), 5), theme)
    result.paste(badge, (radius - badge.width // 2, disc.height - badge.height), badge)
    return result


def terrain(name: str, radius: int) -> Image.Image | None:
    """The sign of a terrain, without a chip."""
    drawer = TERRAIN.get(name)
    if drawer is None:
        return None

    def make() -> Image.Image:
        side = 2 * radius * SCALE
        image = Image.new("RGBA", (side, side), (*_BLUE, 0))
        drawer(ImageDraw.Draw(image), side / 2, radius * SCALE)
        return image.reduce(SCALE)

    return cache.PIECES.get(("terrain", name, radius), make)
