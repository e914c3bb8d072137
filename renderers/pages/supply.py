"""The tiles that are left: each as it is printed, with its number and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.board.faces import Tile
from engine.game import Game
from renderers.hexes.geometry import Frame, frame
from renderers.hexes.hex import Look, Value, hexagon
from renderers.hexes.shapes import mask
from renderers.kit import alt
from renderers.kit.fonts import font
from renderers.kit.panel import header
from renderers.kit.phone import LEAST, TEXT, WIDTH
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Theme, mixed
from renderers.kit.words import Words

MARGIN, HEAD, COLUMNS = 12, 58, 5
#: Half the radius of a corner: five tiles stand side by side on a phone.
HALF = 35


def draw_supply(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> list[Picture]:
    """A picture for each colour of tiles; those that may be laid in the present phase come first."""
    unused = game.rules.unused_tiles
    tiles = [tile for name, tile in game.definition.tiles.items() if name not in unused]
    shades = dict.fromkeys(tile.colour for tile in tiles)
    order = sorted(shades, key=lambda shade: shade not in game.phase.tiles)
    return [_page(game, shade, [tile for tile in tiles if tile.colour == shade], theme, language) for shade in order]


def _page(game: Game, shade: str, tiles: Sequence[Tile], theme: Theme, language: str) -> Picture:
    words, supply = Words(language), game.state.board.supply
    size = frame(game.definition.map.layout.name == "pointy", HALF)
    half_wide, half_high = size.extent
    cell, high = (WIDTH - 2 * MARGIN) // COLUMNS, 2 * half_high + LEAST + 18
    rows = -(-len(tiles) // COLUMNS)
    image = Image.new("RGB", (WIDTH, HEAD + rows * high + 2 * MARGIN), theme.paper)
    title = words("tiles", colours=words(shade))
    allowed = words("tiles_now") if shade in game.phase.tiles else ""
    header(image, theme, f"{title[:1].upper()}{title[1:]}", allowed, HEAD, MARGIN)
    for number, tile in enumerate(tiles):
        left = MARGIN + number % COLUMNS * cell + (cell - 2 * half_wide) // 2
        top = HEAD + MARGIN + number // COLUMNS * high
        _tile(image, tile, supply[tile.id], size, (left, top), theme)

    def sentences(words: Words) -> list[str]:
        left = [f"{supply[tile.id]} × {tile.id}" for tile in tiles if supply[tile.id]]
        return [f"{words('tiles', colours=words(shade))}: {alt.listed(left) if left else words('nobody')}"]

    return Picture.of(image, alt.in_all_languages(sentences))


def _tile(image: Image.Image, tile: Tile, left: int, size: Frame, corner: tuple[int, int], theme: Theme) -> None:
    """A tile with its number and how many are left; one that is used up is pale."""
    look = Look(
        tile.face,
        cost=tile.face.cost,
        labels=tile.face.labels,
        signs=tile.face.icons,
        values=tuple(Value(stop.revenue) for stop in tile.face.stops),
    )
    half_wide, half_high = size.extent
    drawn = hexagon(look, size, theme)
    if not left:
        drawn = Image.blend(drawn.convert("RGB"), Image.new("RGB", drawn.size, theme.paper), 0.7)
    image.paste(drawn, corner, mask(size))
    ink = theme.ink if left else mixed(theme.faint, theme.paper, 0.3)
    pen = ImageDraw.Draw(image)
    middle, y = corner[0] + half_wide, corner[1] + 2 * half_high + LEAST * 0.6
    number, count = tile.id, f" × {left}" if left else " –"
    face, bold = font(LEAST), font(TEXT if len(number) < 5 else LEAST, True)
    wide = bold.getlength(number) + face.getlength(count)
    pen.text((middle - wide / 2, y), number, font=bold, fill=ink, anchor="lm")
    pen.text((middle - wide / 2 + bold.getlength(number), y), count, font=face, fill=ink, anchor="lm")
