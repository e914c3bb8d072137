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
PER_PAGE = 6
CAPTION = 46
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
    columns = 1 if len(numbered) == 1 else 2
    hexes = near(game.definition.map, [at], 1)
    cell = (WIDTH - 2 * MARGIN) // columns
    layout = game.definition.map.layout
    across = Grid.over(layout, hexes, 100, 0, 0).size(hexes)[0]
    half = min((cell - 2 * RIM) * 100 // across, 56)
    grid = Grid.over(layout, hexes, half, RIM, RIM)
    wide, high = (side + 2 * RIM for side in grid.size(hexes))
    step = high + CAPTION + 6
    rows = max(-(-len(numbered) // columns), 1)
    image = Image.new("RGB", (WIDTH, HEAD + rows * step + MARGIN), theme.paper)
    name = f"{at} {game.definition.map.hexes[at].name}".strip()
    subject = words("choose_tile", at=name)
    moment = words("page", n=page, of=pages) if pages > 1 else words.when(game)
    header(image, theme, subject, moment, HEAD, MARGIN)
    looks = Looks(game, coordinates=True)
    base = board_image(looks, hexes, grid, (wide, high), theme)
    for place, (number, fit) in enumerate(numbered):
        x = MARGIN + place % columns * cell + (cell - wide) // 2
        y = HEAD + 8 + place // columns * step
        image.paste(base, (x, y))
        _candidate(image, looks, at, fit, grid, (x, y), theme)
        _caption(image, game, number, fit, cost, (x + wide // 2, y + high + CAPTION // 2), cell, words, theme)

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


def _candidate(
    image: Image.Image, looks: Looks, at: str, fit: Fit, grid: Grid, corner: tuple[int, int], theme: Theme
) -> None:
    x, y = grid.centre(at)
    x, y = x + corner[0], y + corner[1]
    half_width, half_height = grid.frame.extent
    drawing = hexagon(looks.with_tile(at, fit.tile, fit.rotation, fit.stops), grid.frame, theme)
    image.paste(drawing, (x - half_width, y - half_height), mask(grid.frame))
    paste_at(image, outline(grid.frame, theme.pick, theme), (x, y))


def _caption(
    image: Image.Image,
    game: Game,
    number: int,
    fit: Fit,
    cost: int,
    middle: tuple[int, int],
    room: int,
    words: Words,
    theme: Theme,
) -> None:
    """Number, tile, how many are left, what it costs."""
    left = words("left_n", n=game.state.board.supply[fit.tile])
    price = words("costs", n=cost) if cost else words("no_cost")
    radius = 21
    text, size = fitted(f"{fit.tile} · {left} · {price}", room - 2 * radius - 24, 25, 17)
    width = round(font(size).getlength(text))
    start = middle[0] - (2 * radius + 8 + width) // 2
    disc = badge(str(number), theme.pick, radius, theme)
    image.paste(disc, (start, middle[1] - radius), disc)
    ImageDraw.Draw(image).text((start + 2 * radius + 8, middle[1]), text, font=font(size), fill=theme.ink, anchor="lm")
