"""The colours and arrows of a market's spaces, read from the legend that the title prints."""

from __future__ import annotations

import re

from engine.definition import Market
from renderers.kit.theme import Colour, Theme, mixed, rgb

_COLOURS = {
    "pink": "#f7b6cf", "blue": "#a9cdf5", "yellow": "#f6e27a", "green": "#a8d99a", "brown": "#cfa27a",
    "red": "#ec8f84", "orange": "#f5bf7c", "grey": "#c9ccd1", "bankrupt": "#ec8f84",
}  # fmt: skip
#: What tells a coloured space without colour.
SIGNS = {
    "pink": "★", "blue": "▮", "yellow": "●", "green": "■", "brown": "◆", "red": "✚", "orange": "◣", "grey": "○",
    "bankrupt": "✚",
}  # fmt: skip
_ARROWS = {"up": "▲", "down": "▼", "left": "◀", "right": "▶"}
_INKS = {"green": "#1b7a2f", "red": "#b3261e"}


def zone(market: Market, marks: str, theme: Theme) -> Colour | None:
    """The colour of a space with these marks; marks that are arrows colour nothing."""
    found = _named(market, marks)
    return mixed(rgb(_COLOURS[found]), theme.cell, 0.0 if theme.name == "light" else 0.35) if found else None


def sign(market: Market, marks: str) -> str:
    """The small sign that a coloured space has besides."""
    return SIGNS.get(_named(market, marks), "")


def _named(market: Market, marks: str) -> str:
    """The first colour that one of these marks prints."""
    for mark in marks:
        text = market.legend.get(mark, "")
        if "arrow" in text:
            continue
        found = next((colour for colour in _COLOURS if colour in re.findall(r"[a-z]+", text.lower())), "")
        if found:
            return found
    return ""


def arrow(market: Market, mark: str) -> tuple[str, str] | None:
    """The arrow that a mark prints, and its colour."""
    words = re.findall(r"[a-z]+", market.legend.get(mark, "").lower())
    if "arrow" not in words:
        return None
    sign = next((_ARROWS[word] for word in words if word in _ARROWS), "▶")
    return sign, next((_INKS[word] for word in words if word in _INKS), "#444444")
