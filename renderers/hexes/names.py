"""How the name of a place may be broken into lines."""

from __future__ import annotations

import re
from functools import lru_cache

#: A single word that is longer may be cut where there is no room for all of it.
LONG = 8


@lru_cache(maxsize=512)
def name_lines(name: str) -> tuple[tuple[str, ...], ...]:
    """The name on one line, and broken at its slashes, brackets and spaces into two or three.

    What stands in brackets may also be left away, and so may what stands behind a slash; a long word may be cut.

    >>> name_lines("Köln / Deutz")
    (('Köln / Deutz',), ('Köln /', 'Deutz'), ('Köln',))
    """
    words = _words(name)
    result: list[tuple[str, ...]] = [(name,)]
    if len(words) > 1:
        result.append(min(_splits(words, 2), key=lambda lines: max(map(len, lines))))
    if len(words) > 2:
        result.append(min(_splits(words, 3), key=lambda lines: max(map(len, lines))))
    short = name.partition(" (")[0]
    if short == name:
        short = name.partition(" / ")[0]
    if short != name:
        result += name_lines(short)
    elif len(words) == 1 and len(name) > LONG:
        result.append((f"{name[:6]}.",))
    return tuple(result)


def _words(name: str) -> list[str]:
    words = [word for word in re.split(r"\s+|(?<=-)(?=\w)", name) if word]
    joined: list[str] = []
    for word in words:
        if word in ("/", "-", "–") and joined:
            joined[-1] += " " + word
        else:
            joined.append(word)
    return joined


def _splits(words: list[str], count: int) -> list[tuple[str, ...]]:
    if count == 1:
        return [(_join(words),)]
    return [
        (_join(words[:cut]), *rest)
        for cut in range(1, len(words) - count + 2)
        for rest in _splits(words[cut:], count - 1)
    ]


def _join(words: list[str]) -> str:
    text = ""
    for word in words:
        text += word if not text or text.endswith("-") else " " + word
    return text
