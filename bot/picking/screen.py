"""What fits on a phone's screen: how high a card is without its picture, and how high the picture may be then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

#: The inside of a frame on a phone of 390 by 844 points, between the channel's name and the box to write in; and the
#: line above the frame that says whose message it is, the only thing that may be off screen.
WIDTH, HEIGHT, HEAD = 272, 600, 50
#: The whole screen: a card is never higher.
WHOLE = 844
#: Lines of text, and of the small one; a button with the gap below it.
_LINE, _SMALL, _BUTTON = 22, 18, 46
#: The width of a letter (in a wide font, to be safe), of a small one and of one on a button, which has a rim.
_LETTER, _SMALL_LETTER, _BUTTON_LETTER, _RIM = 8.3, 7.2, 7.8, 28
_LEAST_BUTTON, _GAP = 60, 8
#: A picture is never lower or higher than this share of its width: it is to be read, and the rest to be seen.
LOWEST, HIGHEST = 0.65, 1.3


def button_lines(rows: Sequence[Sequence[str]]) -> int:
    """How many lines rows of buttons with these labels take; a row that is too long is broken."""
    lines = 0
    for row in rows:
        room = 0.0
        for label in row:
            wide = min(max(len(label) * _BUTTON_LETTER + _RIM, _LEAST_BUTTON), WIDTH)
            if wide > room:
                lines, room = lines + 1, WIDTH
            room -= wide + _GAP
    return lines


def text_height(text: str) -> int:
    """How high a text is."""
    height = 0
    for line in text.splitlines():
        small = line.startswith("-# ")
        letters = WIDTH / (_SMALL_LETTER if small else _LETTER)
        plain = line.removeprefix("-# ").replace("*", "")
        height += -(-max(len(plain), 1) // int(letters)) * (_SMALL if small else _LINE)
    return height


def height(view: ui.LayoutView) -> int:
    """How high a card is without its pictures."""
    total = 0
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            total += text_height(item.content) + _GAP
        elif isinstance(item, ui.ActionRow):
            total += _BUTTON * button_lines([[_label(each) for each in item.children]])
    return total


def _label(item: ui.Item[Any]) -> str:
    """What stands on a button; a menu is as wide as the frame."""
    inner = item.item if isinstance(item, ui.DynamicItem) else item
    return (inner.label or "") if isinstance(inner, discord.ui.Button) else "m" * WIDTH


def fits(view: ui.LayoutView) -> bool:
    """Whether a card is seen whole with the lowest picture."""
    return height(view) + LOWEST * WIDTH <= HEIGHT + HEAD


def room(view: ui.LayoutView) -> float:
    """How high a picture may be so that a card is seen whole, as a share of the picture's width."""
    return min(max((HEIGHT - height(view) - _GAP) / WIDTH, LOWEST), HIGHEST)
