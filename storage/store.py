"""The small interface that any database behind the bot must offer. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from storage.records import (
    Entry,
    GameRecord,
    Held,
    Kept,
    MoveRecord,
    NewGame,
    NewNotice,
    Owner,
    Person,
    Quotas,
    ReminderPart,
    Seat,
    Server,
    Snapshot,
    ToTell,
    Waiting,
)


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


class Store(Protocol):
    """Games, moves, settings, reminders and announcements."""

    async def close(self) -> None: ...

    # games
    async def open_lobby(self, game: NewGame, at: datetime) -> GameRecord:
        """A new lobby where there is room for one: TakenError if the channel has a game, QuotaError beyond a quota."""
        ...

    async def start_game(
        self, game: int, *, at: datetime, notices: Sequence[NewNotice], waiting: Mapping[int, str]
    ) -> GameRecord:
        """Begin a game, or QuotaError."""
        ...

    async def end_unseen_lobbies(self, at: datetime) -> int:
        """After a start: close lobbies whose card was never posted, for nobody can; gives how many."""
        ...

    async def game(self, game: int) -> GameRecord | None: ...

    async def game_in(self, channel: int) -> GameRecord | None:
        """The newest game of a channel that is not finished or ended, else the newest of all."""
        ...

    async def games(
        self, *, guild: int | None = None, user: int | None = None, statuses: Sequence[str] = ()
    ) -> list[GameRecord]: ...

    async def set_seats(
        self,
        game: int,
        seats: Sequence[Seat],
        *,
        at: datetime | None = None,
        notices: Sequence[NewNotice] = (),
        waiting: Mapping[int, str] | None = None,
    ) -> GameRecord:
        """Change who sits where, with the notices of it and who is waited for now."""
        ...

    async def set_status(
        self,
        game: int,
        status: str,
        *,
        at: datetime,
        notices: Sequence[NewNotice] = (),
        waiting: Mapping[int, str] | None = None,
    ) -> GameRecord:
        """Start, pause, resume or end a game. The time of a pause does not count as time of waiting."""
        ...

    async def set_game(
        self,
        game: int,
        *,
        host: int | None = None,
        channel: int | None = None,
        lobby_channel: int | None = None,
        reminder_hours: Sequence[int] | None = None,
        extension_hours: int | None = None,
    ) -> GameRecord: ...

    async def set_card(self, game: int, message: int | None, seq: int | None, posted: datetime | None) -> None: ...

    async def set_told(self, game: int, cards: Sequence[Any]) -> None:
        """What the last cards of a game tell, as JSON values, oldest first."""
        ...

    # moves
    async def append(
        self,
        game: int,
        expected: int,
        moves: Sequence[Mapping[str, Any]],
        *,
        user: int,
        players: Sequence[str],
        interaction: int | None,
        at: datetime,
        notices: Sequence[NewNotice] = (),
        waiting: Mapping[int, str] | None = None,
        status: str | None = None,
        snapshot: Callable[[], Snapshot | None] | None = None,
    ) -> int:
        """Append moves after log entry `expected`, with the notices and who is waited for now; gives the new length.

        StaleError if the log is longer; RepeatedError if the interaction is known. `waiting` (user to name in the
        game) replaces the game's waiting rows: those of people who go on being waited for are kept as they are,
        save that the reminders of whoever acted begin anew. When nobody goes on being waited for, the turn has
        passed on and its extension is over. `snapshot` takes the position that these moves lead to, in another thread.
        """
        ...

    async def kept(self, game: int) -> Kept | None:
        """Everything that a game is loaded from, at one and the same moment."""
        ...

    async def keep_snapshot(self, game: int, snapshot: Snapshot) -> None:
        """Keep a position beside the log, if the log still has that length."""
        ...

    async def log(self, game: int) -> list[MoveRecord]:
        """Every move ever made, undone ones included."""
        ...

    async def entries(self, game: int) -> list[Entry]:
        """The whole log: every move ever made and every undoing, in order."""
        ...

    async def undo(
        self,
        game: int,
        expected: int,
        seqs: Sequence[int],
        *,
        user: int,
        interaction: int | None,
        at: datetime,
        notices: Sequence[NewNotice] = (),
        waiting: Mapping[int, str] | None = None,
        status: str | None = None,
        snapshot: Callable[[], Snapshot | None] | None = None,
    ) -> int:
        """Mark moves as undone. The undo itself is an entry of the log, so the length grows by one; gives it."""
        ...

    # people and servers
    async def person(self, user: int) -> Person: ...

    async def people(self, users: Sequence[int]) -> dict[int, Person]:
        """The settings of several people at once."""
        ...

    async def set_person(self, person: Person) -> None: ...

    async def server(self, guild: int) -> Server: ...

    async def set_server(self, server: Server) -> None: ...

    async def quotas(self, guild: int) -> Quotas: ...

    async def set_quotas(self, wanted: Quotas) -> None: ...

    # announcements
    async def games_to_tell(self) -> list[int]:
        """Games that have something to announce."""
        ...

    async def hold(self, game: int, why: str, at: datetime) -> Held:
        """A game's channel refuses its announcements; the time of the first refusal stays."""
        ...

    async def host_was_told(self, game: int, at: datetime) -> None:
        """The host knows that the game's announcements are held."""
        ...

    async def release(self, game: int) -> None:
        """A game's announcements arrive again."""
        ...

    async def held(self) -> list[Held]: ...

    async def to_tell(self, game: int) -> ToTell | None:
        """All notices of a game that are not done, with what is needed to tell them; None if there are none."""
        ...

    async def begin_notice(self, notice: int, at: datetime) -> None: ...

    async def finish_notice(self, notice: int, at: datetime) -> None: ...

    async def unsend_notice(self, notice: int) -> None:
        """It was begun, but certainly has not gone out: the next try is no repetition."""
        ...

    # reminders
    async def waiting(self, *, game: int | None = None, user: int | None = None) -> list[Waiting]:
        """Who is waited for in games that are being played."""
        ...

    async def begin_reminder(self, parts: Sequence[ReminderPart], at: datetime) -> list[ReminderPart]:
        """Mark a reminder as under way, before it is sent; gives the parts that still hold, marked."""
        ...

    async def finish_reminder(
        self, parts: Sequence[ReminderPart], *, at: datetime, channel: int | None, message: int | None
    ) -> None:
        """Record a reminder as sent; parts whose turn has passed on meanwhile are left alone."""
        ...

    async def cancel_reminder(self, parts: Sequence[ReminderPart]) -> None:
        """Take the mark off a reminder that certainly has not gone out: the next try is no repetition."""
        ...

    # upkeep
    async def backup(self, path: str) -> None:
        """A consistent copy of the database while it is in use."""
        ...

    async def check(self) -> list[str]:
        """What is wrong with the database itself; nothing if it is sound."""
        ...

    async def probe(self) -> None:
        """Write something and take it back; StorageError if nothing can be written."""
        ...

    async def tidy(self) -> None:
        """Bring the write-ahead log into the database file, as far as nobody is reading."""
        ...

    async def owner(self) -> Owner | None:
        """The bot that uses the database, as it said itself."""
        ...

    async def set_owner(self, owner: Owner | None, *, instead_of: str | None) -> None:
        """Enter or remove the bot that uses the database; OwnedError if that is not the one with this token now."""
        ...
