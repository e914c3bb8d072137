"""A finished picture: PNG bytes, its size, and an alt text in each language."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from renderers.kit.theme import Colour

#: Discord's ceiling for the description of an attachment.
ALT_LIMIT = 1024
COLOURS = 56
#: A colour of less than a thousandth of the picture that is nearer than this to a more frequent one is left to it:
#: it is a soft edge of a shape or a letter.
APART = 24
#: More different colours than this are no drawing of ours, and not worth counting.
COUNTED = 1 << 14
#: Higher levels save four per cent of the bytes for half as much time again.
LEVEL = 6


@dataclass(frozen=True)
class Picture:
    """What a renderer hands out."""

    png: bytes
    width: int
    height: int
    alt: Mapping[str, str]

    @classmethod
    def of(cls, image: Image.Image, alt: Mapping[str, str]) -> Picture:
        return cls(encode(image), image.width, image.height, dict(alt))


def encode(image: Image.Image) -> bytes:
    """A palette PNG: a third of the bytes and of the time of true colour, and the same bytes each time."""
    flat = image if image.mode == "RGB" else image.convert("RGB")
    counted = flat.getcolors(COUNTED)
    if counted is None:
        small = flat.quantize(COLOURS, dither=Image.Dither.NONE)
    else:
        palette = Image.new("P", (1, 1))
        palette.putpalette([channel for colour in _frequent(counted) for channel in colour])
        small = flat.quantize(palette=palette, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


def _frequent(counted: Sequence[tuple[int, Any]]) -> list[Colour]:
    """The colours that cover most of a picture, each as it is: a company must not lose its own to a blend."""
    chosen: list[Colour] = []
    area = sum(count for count, _ in counted)
    for count, colour in sorted(counted, reverse=True):
        if count * 1000 >= area or all(math.dist(colour, other) >= APART for other in chosen):
            chosen.append(colour)
            if len(chosen) == COLOURS:
                break
    return chosen
