"""Golden pictures, kept small; what is compared is the drawing, not how a font was rasterised.

Usage: python -m tests.renderers.golden (draws them anew; look at them before you commit them).
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from engine.changes import View
from engine.game import Game
from renderers import DARK, Picture, draw_charter, draw_map, draw_market, draw_sheet
from tests.renderers.position import arranged, earlier

FOLDER = Path(__file__).parent / "golden"
SHRINK = 4
#: How far a spot may differ after shrinking and blurring: font rasterisers stay well below.
TOLERANCE = 30

PICTURES: dict[str, Callable[[Game], Picture]] = {
    "map": lambda game: draw_map(game, since=View.of(earlier())),
    "routes": lambda game: draw_map(game, routes=game.best_routes("CME").routes, theme=DARK),
    "crop": lambda game: draw_map(game, around=["F9"], since=View.of(earlier())),
    "market": lambda game: draw_market(game, since=View.of(earlier())),
    "sheet": lambda game: draw_sheet(game),
    "charter": lambda game: draw_charter(game, "ADR", theme=DARK, language="de"),
}


def shrunk(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png)).convert("RGB").reduce(SHRINK)


def difference(name: str, picture: Picture) -> int:
    """The greatest difference from the golden picture, from 0 to 255."""
    golden = Image.open(FOLDER / f"{name}.png").convert("RGB")
    drawn = shrunk(picture)
    if golden.size != drawn.size:
        return 255
    soft = ImageChops.difference(golden, drawn).filter(ImageFilter.BoxBlur(0.7))
    return max(high for _, high in soft.getextrema())  # type: ignore[misc, return-value]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        small = shrunk(draw(arranged()))
        small.save(FOLDER / f"{name}.png", optimize=True)
        print(name, small.size)


if __name__ == "__main__":
    main()
