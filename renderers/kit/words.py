"""The words on pictures and in alt texts, English and German."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from engine.definition import Definition
from engine.game import Game

LANGUAGES = ("en", "de")

FOLDER = Path(__file__).parents[1] / "texts"


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of a language by their keys."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no words in {language!r}; there are {', '.join(LANGUAGES)}")
    return tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))


class Words:
    """The words of one language; an unknown word (a title's own sign, say) stands for itself."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words = catalogue(language)

    def __call__(self, key: str, **facts: object) -> str:
        return self.words.get(key, key.replace("_", " ")).format(**facts)

    def own(self, definition: Definition, key: str) -> str:
        """A word for something that only one title has, from that title's `[words]`."""
        words: Mapping[str, str] = definition.words.get(self.language, {})
        return words.get(key) or self(key)

    def when(self, game: Game) -> str:
        """Where the game is: round, phase and move."""
        round_ = game.state.round
        if game.finished:
            where = self("finished")
        else:
            where = self(round_.kind, n=round_.stock_number, m=round_.operating_number)
        return f"{where} · {self('phase', name=game.phase.name)} · {self('move', n=len(game.moves))}"

    def round_short(self, kind: str, stock: int, operating: int) -> str:
        if f"{kind}_short" in self.words:
            return self(f"{kind}_short", n=stock, m=operating)
        return self("start") if kind == "package" else kind
