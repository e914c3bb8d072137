"""What can be wrong with a move, a saved game or a title's data."""

from __future__ import annotations


class KursbuchError(Exception):
    """Base of every error that is told to a person."""


class Refused(KursbuchError):
    """A move against the rules; nothing has changed.

    `rule` is the ledger's id of the clause (empty where no clause but common sense forbids it).
    """

    def __init__(self, rule: str, reason: str) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(f"{reason} [{rule}]" if rule else reason)


class BadMove(KursbuchError):
    """A move that cannot be read: unknown type, missing or malformed field."""


class BadGame(KursbuchError):
    """A saved game that is damaged, of another version, or against the rules at some move."""


class BadData(KursbuchError):
    """A fault in a title's data file; names file, table and reason."""
