"""The tile chooser: every tile and rotation that may be laid on a hex, numbered and drawn in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.board.tiling import Fit
from engine.game import Game
from engine.steps.track import LayTileChoice
from renderers.hexes.geometry import Grid
from renderers.hexes.looks import Looks
from renderers.hexes.paths import badge
from renderers.hexes.regions import short
from renderers.kit import alt
from renderers.kit.fonts import font, width
from renderers.kit.phone import LEAST, TEXT, WIDTH
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.words import Words
from renderers.pages.crop import MARK, Candidate

MARGIN, HEAD = 10, 52
#: Hardly any hex has more candidates; a page of them fits on a phone's screen above its buttons.
PER_PAGE = 16
#: So many are shown with more of their neighbours.
LARGE = 4
CAPTION = 40
#: How wide a hex is in the cell of a large candidate, and of a small one; no candidate is larger than the last.
SHARE, CLOSE, LARGEST = 0.7, 0.84, 380
RIM = 4


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
    half, size = _room(game, at, cell)
    rows = max(-(-len(numbered) // columns), 1)
    step = size[1] + CAPTION + 6
    image = Image.new("RGB", (WIDTH, HEAD + rows * step + MARGIN), theme.paper)
    name = f"{at} {game.definition.map.hexes[at].name}".strip()
    price = words("costs", n=cost) if cost else words("no_cost")
    moment = words("page", n=page, of=pages) if pages > 1 else price
    _head(image, theme, (name, short(name), at), moment)
    looks = Looks(game)
    for place, (number, fit) in enumerate(numbered):
        x = MARGIN + place % columns * cell + (cell - size[0]) // 2
        y = HEAD + 8 + place // columns * step
        look = looks.with_tile(at, fit.tile, fit.rotation, fit.stops)
        image.paste(Candidate(game, at, look, half, size, theme).draw(), (x, y))
        left = words("left_n", n=game.state.board.supply[fit.tile])
        _caption(image, number, (f"{fit.tile} · {left}", fit.tile), (x, y), (cell, size[1]), theme)

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


def _room(game: Game, at: str, cell: int) -> tuple[int, tuple[int, int]]:
    """Half the corner radius of a candidate's hex, and the size of its picture, which shows the neighbours' rims."""
    across, high = Grid.over(game.definition.map.layout, [at], 100, 0, 0).size([at])
    wide = min(cell - 2 * RIM, LARGEST)
    half = int(wide * (SHARE if cell > 300 else CLOSE) * 100) // across
    return half, (wide, round(high * half / 100 / 0.86))


def _head(image: Image.Image, theme: Theme, names: Sequence[str], moment: str) -> None:
    """The hex by the longest of its names that has room, and what there is to know of it."""
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, image.width, HEAD - 1), fill=theme.panel)
    pen.line((0, HEAD - 1, image.width, HEAD - 1), fill=theme.line)
    room = image.width - 3 * MARGIN - width(moment, TEXT)
    name = next((name for name in names if width(name, TEXT, True) <= room), names[-1])
    pen.text((MARGIN, HEAD / 2), name, font=font(TEXT, True), fill=theme.ink, anchor="lm")
    pen.text((image.width - MARGIN, HEAD / 2), moment, font=font(TEXT), fill=theme.faint, anchor="rm")


def _caption(
    image: Image.Image, number: int, texts: Sequence[str], corner: tuple[int, int], cell: tuple[int, int], theme: Theme
) -> None:
    """The number of a candidate on its corner, and below what there is to know of it, as much as has room."""
    x, y = corner
    disc = badge(str(number), theme.pick, MARK, theme, TEXT)
    image.paste(disc, (x, y), disc)
    text = next((text for text in texts if width(text, LEAST) <= cell[0] - 6), "")
    wide = cell[0] - 2 * RIM if cell[0] < LARGEST else LARGEST
    spot = (x + wide / 2, y + cell[1] + CAPTION / 2)
    ImageDraw.Draw(image).text(spot, text, font=font(LEAST), fill=theme.ink, anchor="mm")
