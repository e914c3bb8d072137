"""Names of people: made harmless in one place, for games, for Discord's Markdown, for pictures and for terminals."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.texts import Say

#: Marks over one letter; more make a name run over the lines around it.
MOST_MARKS = 2
#: Letters by their class that show nothing all the same: fillers of Hangul and Braille's empty cell.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
#: What Markdown, mentions, emoji and links are made of.
_MARKDOWN = re.compile(r"([\\`*_~|\[\]()<>:@])")
#: What makes a list, a heading, small print or a quotation at the beginning of a line.
_LINE_START = re.compile(r"^(\d*)([#>+.\-])")
#: What moves a terminal's cursor, changes its colours, or turns the direction of what follows.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A name without what cannot be seen: controls, marks of direction, zero-width signs, towers of accents.

    >>> plain("  Ann\\u202e\\u200b \\x1b[31m  Lee ")
    'Ann [31m Lee'
    >>> plain("\\u3164\\u200d\\ufe0f")
    ''
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(sign)
        if kind.startswith("Z") or sign in "\t\n\r":
            sign, kind = " ", "Zs"
        if kind.startswith("M"):
            marks += 1
            if marks > MOST_MARKS or not kept or kept[-1] == " ":
                continue
        elif kind.startswith("C") or sign in _BLANK:
            continue
        else:
            marks = 0
        kept.append(sign)
    return " ".join("".join(kept).split())


def shown(name: str) -> str:
    """A name in a message: as it is, whatever Discord's Markdown would make of it.

    >>> shown("[free](http://x) **Ann**")
    '\\\\[free\\\\]\\\\(http\\\\://x\\\\) \\\\*\\\\*Ann\\\\*\\\\*'
    >>> shown("1. Ann"), shown("Jean-Luc")
    ('1\\\\. Ann', 'Jean-Luc')
    """
    return _LINE_START.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", plain(name)))


def unmarked(text: str) -> str:
    """A line of a message where nothing reads Markdown: a picture, a file.

    >>> unmarked(f"**{shown('Ann_Lee')}** pays `40`")
    'Ann_Lee pays 40'
    """
    return re.sub(r"\\(.)|\*\*|~~|`", r"\1", text)


def called(say: Say, name: str) -> str:
    """Somebody in a message; whoever has no seat goes by the title's word."""
    return say(f"seatless.{name}") if say.known(f"seatless.{name}") else shown(name)


def safe(text: str) -> str:
    """A text for a terminal: lines stay lines, and nothing in it can steer the terminal."""
    return _UNSAFE.sub("\ufffd", text)
