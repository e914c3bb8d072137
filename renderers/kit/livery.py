"""Company colours that can be told apart, also with the common deficiencies of colour vision.

A title names the colours of its charters; each is replaced by the nearest of a fixed set that differs in
lightness as much as in hue. A title with more companies than colours gets a band on the further tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.definition import Definition
from renderers.kit.theme import Colour, ink_on, rgb

#: Colours as the data sheets call them.
NAMED = {
    "black": "#101010",
    "white": "#ffffff",
    "grey": "#9a9a9a",
    "gray": "#9a9a9a",
    "red": "#d32f2f",
    "blue": "#1f5fbf",
    "green": "#2e9e4a",
    "yellow": "#f4d000",
    "brown": "#6b3a1e",
    "purple": "#7b2d8b",
    "violet": "#7b2d8b",
    "orange": "#f08a24",
    "pink": "#f08fc0",
    "turquoise": "#29b6b0",
}

#: The colours that tokens really have, found by search: the least difference between any two, seen with
#: normal vision or with one of the three kinds of cones missing, is about 20 units of CIELAB.
PALETTE = tuple(
    map(
        rgb,
        (
            "#131313",  # black
            "#efc308",  # yellow
            "#416def",  # blue
            "#da2c0e",  # red
            "#2a8260",  # green
            "#bfc5cb",  # grey
            "#552007",  # brown
            "#7c0689",  # purple
            "#f66e90",  # pink
            "#62d2fe",  # light blue
        ),
    )
)


@dataclass(frozen=True)
class Livery:
    """How a company's token looks; `band` is a stripe that tells companies of one colour apart."""

    fill: Colour
    ink: Colour
    band: bool = False


#: The colours of tokens that belong to no company.
NOBODY = Livery((120, 120, 120), (255, 255, 255))


def wanted(colour: str) -> Colour:
    """The colour that a data sheet asks for."""
    return rgb(NAMED.get(colour, colour if colour.startswith("#") and len(colour) == 7 else "#9a9a9a"))


@lru_cache(maxsize=64)
def assign(companies: tuple[tuple[str, str], ...]) -> dict[str, Livery]:
    """A livery for each company by code and wished colour: the closest wishes are met first."""
    result: dict[str, Livery] = {}
    rest = list(companies)
    band = False
    while rest:
        free = list(PALETTE)
        pairs = sorted(
            (_distance(wanted(wish), colour), order, number)
            for order, (_, wish) in enumerate(rest)
            for number, colour in enumerate(free)
        )
        used: set[int] = set()
        for _, order, number in pairs:
            code = rest[order][0]
            if code not in result and number not in used:
                used.add(number)
                result[code] = Livery(free[number], ink_on(free[number]), band)
        rest = [pair for pair in rest if pair[0] not in result]
        band = True
    return result


def liveries(definition: Definition) -> dict[str, Livery]:
    """The tokens of all companies of a title; one of a single owner has no station, and is known by its number."""
    charters = definition.corporations.values()
    result = dict(assign(tuple((c.id, c.colour) for c in charters if len(c.shares) > 1)))
    for charter in charters:
        if len(charter.shares) == 1:
            result[charter.id] = Livery(wanted(charter.colour), ink_on(wanted(charter.colour)))
    return result


def _distance(one: Colour, other: Colour) -> float:
    """A distance that weighs the channels roughly as eyes do."""
    red = (one[0] + other[0]) / 2
    dr, dg, db = (a - b for a, b in zip(one, other, strict=True))
    return (2 + red / 256) * dr * dr + 4 * dg * dg + (2 + (255 - red) / 256) * db * db
