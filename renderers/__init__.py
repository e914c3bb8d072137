"""Pictures of a game: a `Game` in, a PNG with an alt text out. Nothing here knows Discord or a rule."""

from renderers.kit.fonts import FontMissing
from renderers.kit.picture import Picture
from renderers.kit.theme import DARK, LIGHT, THEMES, Theme
from renderers.pages.auction import draw_auction
from renderers.pages.charter import draw_charter
from renderers.pages.chooser import TilePage, draw_tiles
from renderers.pages.chronicle import Chronicle
from renderers.pages.final import draw_final
from renderers.pages.finances import draw_finances
from renderers.pages.map import draw_map
from renderers.pages.market import draw_market
from renderers.pages.sheet import draw_sheet, draw_sheets

__all__ = [
    "DARK",
    "LIGHT",
    "THEMES",
    "Chronicle",
    "FontMissing",
    "Picture",
    "Theme",
    "TilePage",
    "draw_auction",
    "draw_charter",
    "draw_final",
    "draw_finances",
    "draw_map",
    "draw_market",
    "draw_sheet",
    "draw_sheets",
    "draw_tiles",
]
