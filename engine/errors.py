"""What can be wrong with a move, a saved game or a title's data."""

from __future__ import annotations

from typing import Any


class KursbuchError(Exception):
    """Base of every error that is told to a person."""


class Refused(KursbuchError):
    """A move against the rules; nothing has changed. The sentence is made by whoever shows it, from key and facts.

    `rule` is the ledger's id of the clause (empty where no clause but common sense forbids it). Until a game has looked
    it up it may name the kind of rule, where that is not the key. `title` says whose words tell it besides the common,
    `lots` the printed numbers and names of the lots that are spoken of.
    """

    def __init__(self, rule: str, key: str, /, **facts: Any) -> None:
        self.rule = rule
        self.key = key
        self.facts = facts
        self.title = ""
        self.lots: dict[str, tuple[int, str]] = {}
        super().__init__(rule, key)

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {fact!r:.40}" for name, fact in self.facts.items())
        return f"{self.key}{f' ({facts})' if facts else ''}{f' [{self.rule}]' if self.rule else ''}"


class BadMove(KursbuchError):
    """A move that cannot be read: unknown type, missing or malformed field."""


class BadGame(KursbuchError):
    """A saved game that is damaged, of another version, or against the rules at some move: then `why` says how."""

    def __init__(self, sentence: str, why: KursbuchError | None = None) -> None:
        self.sentence = sentence
        self.why = why
        super().__init__(f"{sentence}: {why}" if why else sentence)


class BadData(KursbuchError):
    """A fault in a title's data file; names file, table and reason."""
