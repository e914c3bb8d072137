"""A game as an animated picture: a scene for each turn, with the map, what happened, and the prices."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from engine.changes import View
from engine.game import Game
from engine.routes.model import Route
from renderers.kit.fonts import fitted, font, wrapped
from renderers.kit.livery import liveries
from renderers.kit.picture import encode
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.tokens import token
from renderers.pages.map import draw_map

#: The width of a film: as the pictures of a card, which a phone shows with two of its pixels to one point.
WIDTH = 780
#: The largest file that a server without boosts takes, with room for what is around it.
MOST_BYTES = 8 * 2**20 - 2**16
#: How long a scene stands, in milliseconds: a short while, longer for each line, and the last one for good.
SHORTEST, EACH_LINE, LAST = 700, 450, 6000
_MARGIN, _HEAD, _LINE, _LINES, _TOKEN = 16, 44, 34, 3, 24
#: Letters in pixels; a phone shows them half as large.
_LARGE, _SMALL = 28, 24
#: Widths that are tried until a film fits: fewer pixels before fewer scenes.
_NARROWER = (1.0, 0.8, 0.62, 0.48)


@dataclass(frozen=True)
class Scene:
    """A turn: the position after it and what is told of it."""

    game: Game
    heading: str
    lines: Sequence[str]
    since: View | None = None
    routes: Sequence[Route] = ()
    #: What shares cost before the turn.
    prices: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """A scene as it is drawn, and how long it stands."""

    png: bytes
    milliseconds: int


def draw_scene(scene: Scene, *, theme: Theme = LIGHT, language: str = "en") -> Frame:
    """The map with what is new, under a heading and over the lines and the prices."""
    picture = draw_map(
        scene.game,
        theme=theme,
        language=language,
        since=scene.since,
        routes=scene.routes,
        side=WIDTH,
        with_legend=False,
        with_values=False,
    )
    board = Image.open(io.BytesIO(picture.png)).convert("RGB")
    prices = _prices(scene, theme)
    foot = 2 * _MARGIN + _LINES * _LINE
    image = Image.new("RGB", (WIDTH, _HEAD + board.height + foot + prices.height), theme.paper)
    draw = ImageDraw.Draw(image)
    text, size = fitted(scene.heading, WIDTH - 2 * _MARGIN, _LARGE, _SMALL, bold=True)
    draw.text((_MARGIN, _HEAD // 2), text, font=font(size, True), fill=theme.ink, anchor="lm")
    image.paste(board, ((WIDTH - board.width) // 2, _HEAD))
    for number, line in enumerate(_caption(scene.lines)):
        place = (_MARGIN, _HEAD + board.height + _MARGIN + number * _LINE)
        draw.text(place, line, font=font(_SMALL), fill=theme.ink)
    image.paste(prices, (0, image.height - prices.height))
    return Frame(encode(image), SHORTEST + EACH_LINE * min(len(scene.lines), _LINES))


def _caption(lines: Sequence[str]) -> list[str]:
    """As many lines as there is room for; what is left over is only counted."""
    found = [part for line in lines for part in wrapped(line, WIDTH - 2 * _MARGIN, _SMALL)]
    if len(found) > _LINES:
        last, _ = fitted(f"{found[_LINES - 1]} …", WIDTH - 2 * _MARGIN, _SMALL, _SMALL)
        found = [*found[: _LINES - 1], last]
    return found


def _prices(scene: Scene, theme: Theme) -> Image.Image:
    """A strip of the companies with their prices, those that have moved with an arrow."""
    game = scene.game
    order = game.prices.order() if game.definition.priced else []
    if not order:
        return Image.new("RGB", (WIDTH, 1), theme.paper)
    columns = min(len(order), 6)
    cell = (WIDTH - 2 * _MARGIN) // columns
    row = 2 * _TOKEN + 8
    image = Image.new("RGB", (WIDTH, row * -(-len(order) // columns) + _MARGIN), theme.paper)
    draw, liveries_ = ImageDraw.Draw(image), liveries(game.definition)
    for number, name in enumerate(order):
        left, top = _MARGIN + number % columns * cell, number // columns * row
        disc = token(name, liveries_[name], _TOKEN, theme)
        image.paste(disc, (left, top), disc)
        now = game.prices.value(name)
        before = scene.prices.get(name, now)
        text = f"{now}{' ▲' if now > before else ' ▼' if now < before else ''}"
        draw.text((left + 2 * _TOKEN + 8, top + _TOKEN), text, font=font(_SMALL), fill=theme.ink, anchor="lm")
    return image


def film(frames: Sequence[Frame], most: int = MOST_BYTES) -> bytes:
    """An animated WebP of at most so many bytes: narrower if it would be larger; ValueError if nothing helps."""
    for share in _NARROWER:
        found = _animated(frames, share)
        if len(found) <= most:
            return found
    raise ValueError(f"the film has {len(found)} bytes")


def _animated(frames: Sequence[Frame], share: float) -> bytes:
    # The height of a scene depends on its prices: all get that of the highest.
    tallest = max(Image.open(io.BytesIO(frame.png)).height for frame in frames)
    size = (round(WIDTH * share), round(tallest * share))
    images = [_sized(frame, tallest, size) for frame in frames]
    times = [*(frame.milliseconds for frame in frames[:-1]), LAST]
    out = io.BytesIO()
    images[0].save(out, "WEBP", save_all=True, append_images=images[1:], duration=times, loop=0, quality=55, method=2)
    return out.getvalue()


def _sized(frame: Frame, tallest: int, size: tuple[int, int]) -> Image.Image:
    """A frame on the common size, with few colours: so many whole frames would not fit into memory."""
    image = Image.open(io.BytesIO(frame.png))
    if image.height == tallest and image.width == size[0]:
        return image
    whole = Image.new("RGB", (image.width, tallest), image.convert("RGB").getpixel((0, 0)))
    whole.paste(image.convert("RGB"), (0, 0))
    return whole.resize(size, Image.Resampling.LANCZOS).quantize(128, dither=Image.Dither.NONE)


def numbered(frames: Iterable[Frame]) -> list[tuple[str, bytes]]:
    """The frames as PNG files by number, for those who read."""
    return [(f"{number:03}.png", frame.png) for number, frame in enumerate(frames, start=1)]
