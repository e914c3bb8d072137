"""Contact sheets: every tile of a title side by side, for looking at."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderers import LIGHT, Picture
from renderers.hexes.geometry import frame
from renderers.hexes.hex import Look, Value, hexagon
from renderers.hexes.shapes import mask
from renderers.kit.fonts import font
from workshop.gallery.sheets import definitions, tiles

COLUMNS = 12


def contact_sheet(title: str) -> Picture:
    """All tiles, unrotated, with their numbers."""
    definition, every = definitions(title)[0], tiles(title)
    size = frame(definition.map.layout.name == "pointy", 36)
    half_width, half_height = size.extent
    wide, high = 2 * half_width + 8, 2 * half_height + 24
    rows = -(-len(every) // COLUMNS)
    image = Image.new("RGB", (COLUMNS * wide + 8, rows * high + 8), LIGHT.paper)
    draw = ImageDraw.Draw(image)
    for number, tile in enumerate(every.values()):
        look = Look(
            tile.face,
            number=tile.id,
            cost=tile.face.cost,
            labels=tile.face.labels,
            signs=tile.face.icons,
            values=tuple(Value(stop.revenue) for stop in tile.face.stops),
        )
        x, y = 8 + number % COLUMNS * wide, 8 + number // COLUMNS * high
        image.paste(hexagon(look, size, LIGHT), (x, y), mask(size))
        label = f"{tile.id} ×{tile.count or '∞'}"
        draw.text((x + half_width, y + 2 * half_height + 8), label, font=font(14), fill=LIGHT.ink, anchor="mm")
    text = {"en": f"All {len(every)} kinds of tiles of {definition.name}.",
            "de": f"Alle {len(every)} Arten von Plättchen von {definition.name}."}  # fmt: skip
    return Picture.of(image, text)
