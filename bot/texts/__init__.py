"""Speaks to people: the bot's sentences with those of a title laid over them. German that is missing is English."""

from __future__ import annotations

import re
from collections import ChainMap
from functools import cache
from typing import Any

import catalogue
import titles
from catalogue import LANGUAGES, language_of

#: A sum of four digits or more before its unit, also in bold print.
_LARGE = re.compile(r"(?<![\d.])(\d{1,3})(\d{3})(?=\*{0,2}[ \N{NO-BREAK SPACE}]M\b)")

__all__ = ["LANGUAGES", "Say", "language_of", "speaker"]


class Say:
    """All sentences of one language: `say("card.paused")`. `say.of(title)` knows that title's own words too."""

    def __init__(self, language: str, title: str = "") -> None:
        self.language = language
        self.title = title
        order = dict.fromkeys((language, "en"))
        self._texts = ChainMap(
            *(dict(text) for each in order for text in (titles.texts(title, each), catalogue.read("bot", each)))
        )

    def __call__(self, key: str, /, **facts: Any) -> str:
        text = self._texts[key]
        return self._amounts(catalogue.fill(text, facts)) if facts else text

    def _amounts(self, text: str) -> str:
        """Large sums of money as they are written in the language: `10.970 M`."""
        return _LARGE.sub(r"\1.\2", text) if self.language == "de" else text

    def known(self, key: str) -> bool:
        return key in self._texts

    def asks(self, key: str) -> set[str]:
        """The facts that a sentence asks for."""
        return catalogue.placeholders(self._texts[key])

    def of(self, title: str) -> Say:
        """This language with the words of a title; without one, as it is."""
        return _say(self.language, title) if title and title != self.title else self


@cache
def _say(language: str, title: str) -> Say:
    return Say(language, title)


def speaker(locale: str, title: str = "") -> Say:
    """Whoever speaks the language of a locale."""
    return _say(language_of(locale), title)
