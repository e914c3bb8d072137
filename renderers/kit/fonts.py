"""The fonts that ship with the project, laid out the same on every machine."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parents[1] / "fonts"
FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}


class FontMissing(Exception):
    """A font file of the project is not where it belongs."""


def load(folder: Path, bold: bool, size: int) -> ImageFont.FreeTypeFont:
    """A font from a folder; the basic layout, because others depend on libraries of the machine."""
    file = folder / FILES[bold]
    if not file.is_file():
        raise FontMissing(f"the font {file.name} is missing in {folder}; it ships with Kursbuch: install it again")
    try:
        font = ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise FontMissing(f"the font {file.name} in {folder} cannot be read: {error}") from None
    if font.path != str(file):
        # Pillow looks for a system font of the same name when a file is damaged; it may be another version.
        raise FontMissing(f"the font {file.name} in {folder} cannot be read: it is damaged")
    return font


@lru_cache(maxsize=256)
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    return load(FOLDER, bold, max(size, 6))


@lru_cache(maxsize=8192)
def width(text: str, size: int, bold: bool = False) -> int:
    """How wide a text is in pixels."""
    return round(font(size, bold).getlength(text))


def fitted(text: str, room: int, size: int, least: int, bold: bool = False) -> tuple[str, int]:
    """The text and the largest size at which it fits; shortened with an ellipsis if even the least is too wide."""
    while size > least and width(text, size, bold) > room:
        size -= 1
    if width(text, size, bold) <= room:
        return text, size
    while len(text) > 1 and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…", size


def wrapped(text: str, room: int, size: int, bold: bool = False) -> list[str]:
    """A text in lines that fit; it is not broken at a hard space."""
    lines: list[str] = []
    line = ""
    for word in filter(None, re.split(r"[ \t\n]", text)):
        longer = f"{line} {word}" if line else word
        if line and width(longer, size, bold) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
