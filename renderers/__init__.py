"""Pictures of a game: a `Game` in, a PNG with an alt text out. Nothing here knows Discord or a rule."""

from renderers.board import draw_map
from renderers.charter import draw_charter
from renderers.chooser import TilePage, draw_tiles
from renderers.chronicle import Chronicle
from renderers.finances import draw_finances
from renderers.fonts import FontMissing
from renderers.market import draw_market
from renderers.picture import Picture
from renderers.sheet import draw_sheet
from renderers.theme import DARK, LIGHT, THEMES, Theme

__all__ = [
    "DARK",
    "LIGHT",
    "THEMES",
    "Chronicle",
    "FontMissing",
    "Picture",
    "Theme",
    "TilePage",
    "draw_charter",
    "draw_finances",
    "draw_map",
    "draw_market",
    "draw_sheet",
    "draw_tiles",
]
