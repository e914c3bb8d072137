"""The tile chooser: every tile and rotation that may be laid on a hex, numbered and drawn in its place."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.board.tiling import Fit
from engine.game import Game
from engine.steps.track import LayTileChoice
from renderers.hexes.geometry import Grid
from renderers.hexes.hex import hexagon
from renderers.hexes.laying import board_image, near, paste_at
from renderers.hexes.looks import Looks
from renderers.hexes.marks import outline
from renderers.hexes.paths import badge
from renderers.hexes.shapes import mask
from renderers.kit import alt
from renderers.kit.fonts import fitted, font
from renderers.kit.panel import header
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.words import Words

WIDTH, MARGIN, HEAD = 780, 10, 48
#: Hardly any hex has more candidates; a page of them fits on a phone's screen above its buttons.
PER_PAGE = 16
#: So many are shown with all their neighbours; of more there is only what touches the hex.
LARGE = 6
CAPTION, SMALL_CAPTION = 46, 38
#: How wide a hex is in the cell of a small candidate.
SHARE = 0.76
#: Room around the hexes for water along their outer borders.
RIM = 8


@dataclass(frozen=True)
class TilePage:
    """A page of candidates; `fits` are those on it by their numbers."""

    picture: Picture
    page: int
    pages: int
    fits: tuple[tuple[int, Fit], ...]


def draw_tiles(
    game: Game,
    choice: LayTileChoice,
    at: str,
    *,
    page: int = 1,
    per_page: int = PER_PAGE,
    theme: Theme = LIGHT,
    language: str = "en",
) -> TilePage:
    """One page of what `choice` allows on a hex. Numbers count on from page to page."""
    words = Words(language)
    fits = choice.fits(at)
    pages = max(-(-len(fits) // per_page), 1)
    page = min(max(page, 1), pages)
    numbered = tuple(enumerate(fits, start=1))[(page - 1) * per_page : page * per_page]
    cost = choice.step.cost(game, choice.permit, at)
    large = min(len(fits), per_page) <= LARGE
    columns = 1 if len(numbered) == 1 else 2 if large else 3 if min(len(fits), per_page) <= 9 else 4
    cell = (WIDTH - 2 * MARGIN) // columns
    frame = _around(game, at, cell - 2 * RIM, large)
    (wide, high), caption = frame.size, CAPTION if large else SMALL_CAPTION
    step = high + caption + 6
    rows = max(-(-len(numbered) // columns), 1)
    image = Image.new("RGB", (WIDTH, HEAD + rows * step + MARGIN), theme.paper)
    name = f"{at} {game.definition.map.hexes[at].name}".strip()
    price = words("costs", n=cost) if cost else words("no_cost")
    subject = words("choose_tile", at=name)
    moment = words("page", n=page, of=pages) if pages > 1 else words.when(game) if large else price
    header(image, theme, subject, moment, HEAD, MARGIN)
    looks = Looks(game, coordinates=True)
    base = board_image(looks, frame.hexes, frame.grid, frame.whole, theme)
    for place, (number, fit) in enumerate(numbered):
        x = MARGIN + place % columns * cell + (cell - wide) // 2
        y = HEAD + 8 + place // columns * step
        drawing = base.copy()
        _candidate(drawing, looks, at, fit, frame.grid, theme)
        image.paste(drawing.crop(frame.box), (x, y))
        left = words("left_n", n=game.state.board.supply[fit.tile])
        text = f"{fit.tile} · {left} · {price}" if large else f"{fit.tile} · {left}"
        _caption(image, number, text, (x + wide // 2, y + high + caption // 2), cell, caption, theme)

    def sentences(words: Words) -> list[str]:
        supply = game.state.board.supply
        items = [
            f"{number}: {fit.tile} ({words('rotation', n=fit.rotation)}, {words('left_n', n=supply[fit.tile])})"
            for number, fit in numbered
        ]
        price = words("costs", n=cost) if cost else words("no_cost")
        text = words("alt_chooser", count=len(fits), at=f"{name} ({price})", n=page, of=pages, list=alt.listed(items))
        return [text]

    picture = Picture.of(image, alt.in_all_languages(sentences))
    return TilePage(picture, page, pages, numbered)


@dataclass(frozen=True)
class _Frame:
    """A hex with its neighbours, laid out to be drawn, and the part of that which is shown."""

    hexes: list[str]
    grid: Grid
    whole: tuple[int, int]
    box: tuple[int, int, int, int]

    @property
    def size(self) -> tuple[int, int]:
        return self.box[2] - self.box[0], self.box[3] - self.box[1]


def _around(game: Game, at: str, room: int, large: bool) -> _Frame:
    """A hex in a cell: with all of its neighbours, or close up, with as much of them as there is room for."""
    hexes = near(game.definition.map, [at], 1)
    layout = game.definition.map.layout
    across = Grid.over(layout, hexes if large else [at], 100, 0, 0).size(hexes if large else [at])[0]
    half = min(room * 100 // across, 56) if large else int(room * SHARE * 100) // across
    grid = Grid.over(layout, hexes, half, RIM, RIM)
    wide, high = (side + 2 * RIM for side in grid.size(hexes))
    if large:
        return _Frame(hexes, grid, (wide, high), (0, 0, wide, high))
    x, y = grid.centre(at)
    tall = round(grid.half_size[1] / SHARE * 0.92)
    return _Frame(hexes, grid, (wide, high), (x - room // 2, y - tall, x - room // 2 + room, y + tall))


def _candidate(image: Image.Image, looks: Looks, at: str, fit: Fit, grid: Grid, theme: Theme) -> None:
    x, y = grid.centre(at)
    half_width, half_height = grid.frame.extent
    drawing = hexagon(looks.with_tile(at, fit.tile, fit.rotation, fit.stops), grid.frame, theme)
    image.paste(drawing, (x - half_width, y - half_height), mask(grid.frame))
    paste_at(image, outline(grid.frame, theme.pick, theme), (x, y))


def _caption(
    image: Image.Image, number: int, text: str, middle: tuple[int, int], room: int, height: int, theme: Theme
) -> None:
    """The number of a candidate, and what there is to know of it."""
    radius = height // 2 - 2
    text, size = fitted(text, room - 2 * radius - 24, 25, 17)
    width = round(font(size).getlength(text))
    start = middle[0] - (2 * radius + 8 + width) // 2
    disc = badge(str(number), theme.pick, radius, theme)
    image.paste(disc, (start, middle[1] - radius), disc)
    ImageDraw.Draw(image).text((start + 2 * radius + 8, middle[1]), text, font=font(size), fill=theme.ink, anchor="lm")
