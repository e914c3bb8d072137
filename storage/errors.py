"""What can go wrong with the database, each kind with its own error."""

from __future__ import annotations


class StorageError(Exception):
    """The database cannot do its work now: locked, full, read-only, damaged. Nothing was changed."""


class MissingError(StorageError):
    """There is no such game or notice."""


class StaleError(StorageError):
    """Somebody else has appended to the log first; load the game again."""


class RepeatedError(StorageError):
    """This interaction has been carried out already; `seq` is where."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__(f"the interaction was carried out as entry {seq}")


class TakenError(StorageError):
    """There is a game in this channel already."""


class QuotaError(StorageError):
    """There are as many as there may be; `what` is a field of Quotas and `most` its number."""

    def __init__(self, what: str, most: int) -> None:
        self.what = what
        self.most = most
        super().__init__(f"{what.replace('_', ' ')}: there are {most} already")


class OwnedError(StorageError):
    """Another bot uses the database."""
