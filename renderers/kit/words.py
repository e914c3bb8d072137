"""The words on pictures and in alt texts, English and German, with those of the title that is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import catalogue
from catalogue import LANGUAGES
from engine.definition import Definition
from engine.game import Game

__all__ = ["LANGUAGES", "Words"]


class Words:
    """The words of one language; an unknown word (a title's own sign, say) stands for itself."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words = catalogue.read("renderers", language)

    def __call__(self, key: str, **facts: object) -> str:
        return catalogue.fill(self.words.get(key, key.replace("_", " ")), facts)

    def own(self, definition: Definition, group: str, key: str, **facts: object) -> str:
        """A word for something that a title may have a word of its own for: `thing.crown`, `round.auction`."""
        words: Mapping[str, str] = definition.words.get(self.language, {})
        text = words.get(f"{group}.{key}")
        return self(key, **facts) if text is None else catalogue.fill(text, facts)

    def when(self, game: Game) -> str:
        """Where the game is: round, phase and move."""
        round_ = game.state.round
        if game.finished:
            where = self("finished")
        else:
            facts = {"stock": round_.stock_number, "number": round_.operating_number, "total": round_.operating_total}
            words: Mapping[str, str] = game.definition.words.get(self.language, {})
            beside = (f"{round_.kind}.beside.{other}" for other in game.rules.rounds)
            kind = next((each for each in beside if f"round.{each}" in words), round_.kind)
            where = self.own(game.definition, "round", kind, **facts)
        moment = f"{self('phase', name=game.phase.name)} · {self('move', n=len(game.moves))}"
        return f"{where[:1].upper()}{where[1:]} · {moment}"

    def round_short(self, definition: Definition, kind: str, stock: int, operating: int) -> str:
        """A round in a few letters, as people type it: `SR2`, `OR2.1`; a title has its own for rounds of its own."""
        own: Mapping[str, str] = definition.words.get(self.language, {})
        text = own.get(f"round_short.{kind}") or self.words.get(f"{kind}_short")
        return kind if text is None else catalogue.fill(text, {"stock": stock, "number": operating})
