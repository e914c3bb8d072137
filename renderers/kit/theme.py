"""The light and the dark look: colours of hexes, lines and text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

Colour = tuple[int, int, int]


def rgb(text: str) -> Colour:
    """A colour from `#rrggbb`."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two; `share` of the second."""
    first, second, third = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return first, second, third


def lightness(colour: Colour) -> float:
    """How bright a colour looks, from 0 to 1."""
    red, green, blue = (math.pow(channel / 255, 2.2) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: Colour) -> Colour:
    """Black or white, whichever can be read on a colour."""
    return (0, 0, 0) if lightness(colour) > 0.2 else (255, 255, 255)


@dataclass(frozen=True)
class Theme:
    """All colours of one look. Company colours are the same in both: a token is a token."""

    name: str
    paper: Colour
    ink: Colour
    faint: Colour
    panel: Colour
    line: Colour
    #: Hexes by the colour of what lies on them.
    hexes: Mapping[str, Colour]
    hex_line: Colour
    hex_ink: Colour
    track: Colour
    casing: Colour
    river: Colour
    slot: Colour
    rim: Colour
    new: Colour
    pick: Colour
    #: Zones of a market by the mark of a cell's legend; `par` marks have the colour their legend names.
    cell: Colour
    good: Colour
    bad: Colour


LIGHT = Theme(
    name="light",
    paper=rgb("#faf8f3"),
    ink=rgb("#1c1c1e"),
    faint=rgb("#6b6b70"),
    panel=rgb("#efebe1"),
    line=rgb("#c9c3b4"),
    hexes={
        "plain": rgb("#ece3cc"),
        "yellow": rgb("#f8dc4a"),
        "green": rgb("#7cc068"),
        "brown": rgb("#b57a48"),
        "grey": rgb("#bfc3c8"),
        "red": rgb("#ea8272"),
        "orange": rgb("#f4a950"),
    },
    hex_line=rgb("#4a4640"),
    hex_ink=rgb("#111111"),
    track=rgb("#0d0d0d"),
    casing=rgb("#ffffff"),
    river=rgb("#2f86d1"),
    slot=rgb("#ffffff"),
    rim=rgb("#0d0d0d"),
    new=rgb("#d6006c"),
    pick=rgb("#0047c2"),
    cell=rgb("#ffffff"),
    good=rgb("#1b7a2f"),
    bad=rgb("#b3261e"),
)

DARK = Theme(
    name="dark",
    paper=rgb("#1e1f22"),
    ink=rgb("#f0f0f2"),
    faint=rgb("#a3a6ad"),
    panel=rgb("#2b2d31"),
    line=rgb("#4a4d55"),
    hexes={
        "plain": rgb("#b9b3a1"),
        "yellow": rgb("#d8bd36"),
        "green": rgb("#67a556"),
        "brown": rgb("#96643a"),
        "grey": rgb("#8f949b"),
        "red": rgb("#c8675a"),
        "orange": rgb("#d18f3f"),
    },
    hex_line=rgb("#25262a"),
    hex_ink=rgb("#000000"),
    track=rgb("#000000"),
    casing=rgb("#f4f4f4"),
    river=rgb("#1565b0"),
    slot=rgb("#f4f4f4"),
    rim=rgb("#000000"),
    new=rgb("#ff4fa3"),
    pick=rgb("#7fb2ff"),
    cell=rgb("#393c43"),
    good=rgb("#6fd183"),
    bad=rgb("#ff8a80"),
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK)}
