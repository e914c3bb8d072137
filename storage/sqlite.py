"""The store in a SQLite file: an append-only log of moves is the truth, and every method is one transaction."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from storage import changes, quotas, rows, schema, upkeep, wal
from storage.connection import Connection, storage_errors
from storage.errors import MissingError, OwnedError, StorageError
from storage.presence import Presence
from storage.records import (
    Begun,
    GameRecord,
    Held,
    Kept,
    LogEntry,
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
    VerdictRow,
    Waiting,
)

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: How long announcements that were made are kept: long enough to look into a complaint, short enough to stay small.
NOTICES_KEPT = timedelta(days=7)
#: So often the length of the write-ahead log is looked at.
WRITES_BETWEEN_LOOKS = 100
#: A probe is larger than what is left in a block of the disk or in the write-ahead log.
PROBE_BYTES = 64 * 1024


class SqliteStore:
    """One connection that writes and one that reads, each with its thread."""

    def __init__(self, path: str, writer: Connection, reader: Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        #: What is kept of a `game`, a `person` or a `server` and makes no sense: its number, the kind of row, and why.
        #: The others are read all the same.
        self.unreadable: dict[tuple[str, int, str], str] = {}
        #: What whoever runs the bot should know of the file.
        self.warnings: list[str] = []
        self._presence = Presence(path)
        self._writes = 0

    @classmethod
    async def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Self:
        """Open a database and bring its schema up to date; without `create` it must be there already."""
        name = os.fspath(path)
        writer = await Connection.open(partial(schema.open_writer, name, create=create))
        try:
            reader = await Connection.open(partial(schema.open_reader, name))
        except BaseException:
            await writer.close()
            raise
        return cls(name, writer, reader)

    async def close(self) -> None:
        """Finish what is under way and close; closing twice does nothing."""
        with storage_errors():
            try:
                await self._reader.close()
            finally:
                await self._writer.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def lost(self) -> str:
        """What has become of the files while they were open; nothing if they lie where they did.

        What is written into files that nobody will find again would be lost, so nothing is.
        """
        return self._presence.lost()

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        # Immediate: a transaction that reads first and then wants to write would fail at once if it were overtaken.
        result = await self._writer.transact("BEGIN IMMEDIATE", work, self._presence)
        self._writes += 1
        if self._writes % WRITES_BETWEEN_LOOKS == 0:
            with contextlib.suppress(StorageError):
                await self._writer.apart(wal.tidy_if_long, self._presence)
        return result

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._reader.transact("BEGIN", work)

    async def _all(self, make: Callable[[tuple[Any, ...]], T], query: str, values: Sequence[Any] = ()) -> list[T]:
        return await self._read(lambda db: [make(row) for row in db.execute(query, values)])

    async def _sound(
        self, make: Callable[[tuple[Any, ...]], T], game: int, query: str, values: Sequence[Any] = ()
    ) -> list[T]:
        """Rows, without those that make no sense: one game's must not hide the others. `game` is its column."""
        return await self._read(lambda db: self._made(make, game, db.execute(query, values)))

    def _made(
        self, make: Callable[[tuple[Any, ...]], T], column: int, found: Iterable[tuple[Any, ...]], of: str = "game"
    ) -> list[T]:
        """What rows tell, without those that make no sense. `column` has the number of the game, or whatever it is."""
        result = []
        seen: dict[int, str] = {}
        for row in found:
            try:
                result.append(make(row))
                seen.setdefault(row[column], "")
            except (ValueError, TypeError, OverflowError) as error:
                seen[row[column]] = repr(error)
        for number, why in seen.items():
            key = (of, number, make.__name__)
            if not why:
                self.unreadable.pop(key, None)
            elif self.unreadable.get(key) != why:
                self.unreadable[key] = why
                _log.error("%s %d is left out: what is kept of it makes no sense: %s", of, number, why)
        return result

    def _people(self, db: sqlite3.Connection, users: Sequence[int]) -> dict[int, Person]:
        """People by their ids; whoever has set nothing that makes sense is as everybody is at first."""
        query = f"{rows.PERSON} WHERE user IN (SELECT value FROM json_each(?))"
        found = self._made(rows.person, 0, db.execute(query, (rows.dump(list(users)),)), "person")
        return {user: Person(user) for user in users} | {each.user: each for each in found}

    def _server(self, db: sqlite3.Connection, guild: int) -> Server:
        found = self._made(rows.server, 0, db.execute(f"{rows.SERVER} WHERE guild = ?", (guild,)), "server")
        return found[0] if found else Server(guild)

    # ------------------------------------------------------------------ games

    async def open_lobby(self, game: NewGame, at: datetime) -> GameRecord:
        """A new lobby where there is room for one: TakenError if the channel has a game, QuotaError beyond a quota."""

        def work(db: sqlite3.Connection) -> GameRecord:
            quotas.check_place(db, game.channel)
            quotas.check_lobby(db, game.guild, game.host, rows.ticks(at))
            return changes.add_game(db, game, rows.ticks(at))

        return await self._write(work)

    async def start_game(
        self,
        game: int,
        *,
        seed: int,
        at: datetime,
        notices: Sequence[NewNotice],
        waiting: Mapping[int, str],
        begun: Begun | None = None,
        verdict: VerdictRow | None = None,
    ) -> GameRecord:
        """Begin a game with its seed, or QuotaError; with what it is begun with, and the verdict of who begins it."""

        def work(db: sqlite3.Connection) -> GameRecord:
            record = quotas.start(db, game, seed, rows.ticks(at), notices, waiting)
            if begun is not None:
                changes.keep_begun(db, game, begun)
            if verdict is not None:
                changes.keep_verdict(db, verdict)
            return record

        return await self._write(work)

    async def end_unseen_lobbies(self, at: datetime) -> int:
        """After a start: close lobbies whose card was never posted, for nobody can; gives how many."""
        return await self._write(lambda db: quotas.end_unseen_lobbies(db, rows.ticks(at)))

    async def game(self, game: int) -> GameRecord | None:
        found = await self._all(rows.game, f"{rows.GAME} WHERE id = ?", (game,))
        return found[0] if found else None

    async def game_in(self, channel: int) -> GameRecord | None:
        """The newest game of a channel that is not finished or ended, else the newest of all."""
        found = await self._all(
            rows.game,
            f"{rows.GAME} WHERE channel = ? ORDER BY status IN ('finished', 'ended'), id DESC LIMIT 1",
            (channel,),
        )
        return found[0] if found else None

    async def games(
        self, *, guild: int | None = None, user: int | None = None, statuses: Sequence[str] = ()
    ) -> list[GameRecord]:
        conditions, values = ["1"], list[Any]()
        if guild is not None:
            conditions.append("guild = ?")
            values.append(guild)
        if user is not None:
            conditions.append("id IN (SELECT game FROM seats WHERE user = ?)")
            values.append(user)
        if statuses:
            conditions.append(f"status IN ({', '.join('?' * len(statuses))})")
            values.extend(statuses)
        return await self._sound(rows.game, 0, f"{rows.GAME} WHERE {' AND '.join(conditions)} ORDER BY id", values)

    async def set_seats(
        self,
        game: int,
        seats: Sequence[Seat],
        *,
        at: datetime | None = None,
        notices: Sequence[NewNotice] = (),
        waiting: Mapping[int, str] | None = None,
        invited: Sequence[int] | None = None,
    ) -> GameRecord:
        """Change who sits where, for whom seats are held, with the notices of it and who is waited for now."""
        if at is None and (notices or waiting is not None):
            raise ValueError("what is told or waited for has a time")

        def work(db: sqlite3.Connection) -> GameRecord:
            changes.game_record(db, game)
            db.execute("DELETE FROM seats WHERE game = ?", (game,))
            db.executemany(
                "INSERT INTO seats (game, position, name, user, house, former, former_users, taken)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        game,
                        position,
                        seat.name,
                        seat.user,
                        seat.house,
                        rows.dump(list(seat.former)),
                        rows.dump(list(seat.former_users)),
                        seat.taken,
                    )
                    for position, seat in enumerate(seats)
                ],
            )
            if invited is not None:
                db.execute("UPDATE games SET invited = ? WHERE id = ?", (rows.dump(list(invited)), game))
            if at is not None:
                changes.add_notices(db, game, changes.log_length(db, game), notices, rows.ticks(at))
                if waiting is not None:
                    changes.change_waiting(db, game, waiting, rows.ticks(at))
            return changes.game_record(db, game)

        return await self._write(work)

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

        def work(db: sqlite3.Connection) -> GameRecord:
            changes.change_status(db, changes.game_record(db, game), status, rows.ticks(at))
            changes.add_notices(db, game, changes.log_length(db, game), notices, rows.ticks(at))
            if waiting is not None:
                changes.change_waiting(db, game, waiting, rows.ticks(at))
            return changes.game_record(db, game)

        return await self._write(work)

    async def set_game(
        self,
        game: int,
        *,
        host: int | None = None,
        channel: int | None = None,
        lobby_channel: int | None = None,
        reminder_hours: Sequence[int] | None = None,
        extension_hours: int | None = None,
    ) -> GameRecord:
        hours = None if reminder_hours is None else rows.dump(list(reminder_hours))

        def work(db: sqlite3.Connection) -> GameRecord:
            db.execute(
                "UPDATE games SET host = coalesce(?2, host), channel = coalesce(?3, channel),"
                " reminder_hours = coalesce(?4, reminder_hours), extension_hours = coalesce(?5, extension_hours),"
                " lobby_channel = coalesce(?6, lobby_channel) WHERE id = ?1",
                (game, host, channel, hours, extension_hours, lobby_channel),
            )
            return changes.game_record(db, game)

        return await self._write(work)

    async def set_card(self, game: int, message: int | None, seq: int | None, posted: datetime | None) -> None:
        def work(db: sqlite3.Connection) -> None:
            cursor = db.execute(
                "UPDATE games SET card_message = ?, card_seq = ?, card_posted = ? WHERE id = ?",
                (message, seq, rows.ticks_or_none(posted), game),
            )
            if not cursor.rowcount:
                raise MissingError(f"there is no game {game}")

        await self._write(work)

    async def set_told(self, game: int, cards: Sequence[Any]) -> None:
        """What the last cards of a game tell, as JSON values, oldest first."""
        values = (game, rows.dump(list(cards)))
        await self._write(lambda db: db.execute("REPLACE INTO cards (game, data) VALUES (?, ?)", values).close())

    async def told(self, game: int) -> list[Any]:
        """What the last cards of a game tell, as it was put down; nothing if it makes no sense."""
        found = await self._all(lambda row: row[0], "SELECT data FROM cards WHERE game = ?", (game,))
        try:
            cards = json.loads(found[0]) if found else []
        except (ValueError, TypeError):
            cards = []
        return cards if isinstance(cards, list) else []

    # ------------------------------------------------------------------ moves

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
        snapshot: Snapshot | None = None,
        digests: Sequence[bytes | None] | None = None,
    ) -> int:
        """Append moves after log entry `expected`, with the notices and who is waited for now; gives the new length.

        StaleError if the log is longer; RepeatedError if the interaction is known. `waiting` (user to name in the
        game) replaces the game's waiting rows: those of people who go on being waited for are kept as they are,
        save that the reminders of whoever acted begin anew. When nobody goes on being waited for, the turn has
        passed on and its extension is over. `snapshot` is the position that these moves lead to, `digests`
        are those of the positions after each of them.
        """
        if len(moves) != len(players):
            raise ValueError(f"{len(moves)} moves for {len(players)} players")
        if interaction is not None and not moves:
            raise ValueError("an interaction without a move would not be known again")
        add = partial(
            changes.add_moves,
            moves=moves,
            players=players,
            user=user,
            interaction=interaction,
            at=rows.ticks(at),
            digests=digests,
        )
        return await self._change_log(game, expected, add, user, interaction, at, notices, waiting, status, snapshot)

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
        snapshot: Snapshot | None = None,
        verdict: VerdictRow | None = None,
        reason: str = "",
    ) -> int:
        """Mark moves, and seams between them, as undone. The undo itself is an entry of the log; gives its length."""
        if not seqs or len(set(seqs)) != len(seqs):
            raise ValueError(f"these are no moves to undo: {list(seqs)}")
        add = partial(changes.add_undo, seqs=seqs, user=user, interaction=interaction, at=rows.ticks(at), reason=reason)
        return await self._change_log(
            game, expected, add, user, interaction, at, notices, waiting, status, snapshot, verdict
        )

    async def add_seam(
        self,
        game: int,
        expected: int,
        *,
        position: Mapping[str, Any],
        players: Sequence[str],
        reason: str,
        user: int,
        at: datetime,
        notices: Sequence[NewNotice],
        waiting: Mapping[int, str],
        status: str | None,
        snapshot: Snapshot | None,
        verdict: VerdictRow,
    ) -> int:
        """Put the position as it stands into the log, with the verdict that is settled by it; gives the new length."""
        add = partial(changes.add_seam, position=position, players=players, reason=reason, user=user, at=rows.ticks(at))
        return await self._change_log(game, expected, add, user, None, at, notices, waiting, status, snapshot, verdict)

    async def judge(
        self,
        verdict: VerdictRow,
        *,
        at: datetime,
        status: str | None = None,
        notices: Sequence[NewNotice] = (),
        snapshot: Snapshot | None = None,
    ) -> GameRecord | None:
        """Keep a verdict, with what follows from it; None if the log has another length by now.

        Without a snapshot the one that is there stays: it may be all that is known of the position as it was.
        """

        def work(db: sqlite3.Connection) -> GameRecord | None:
            record = changes.game_record(db, verdict.game)
            if changes.log_length(db, verdict.game) != verdict.length:
                return None
            changes.keep_verdict(db, verdict)
            if status is not None:
                changes.change_status(db, record, status, rows.ticks(at))
            changes.add_notices(db, verdict.game, verdict.length, notices, rows.ticks(at))
            if snapshot is not None:
                changes.keep_snapshot(db, verdict.game, snapshot)
            return changes.game_record(db, verdict.game)

        return await self._write(work)

    async def verdict(self, game: int) -> VerdictRow | None:
        """The verdict that was last given of a game."""
        found = await self._all(rows.verdict, f"{rows.VERDICT} WHERE game = ?", (game,))
        return found[0] if found else None

    async def unjudged(self, program: str) -> list[int]:
        """Running games of which this program has given no verdict, those with the newest moves first."""

        query = (
            "SELECT id FROM games WHERE status IN ('playing', 'paused') AND started IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM verdicts WHERE game = id AND program = ?)"
            " ORDER BY (SELECT at FROM log WHERE game = id ORDER BY seq DESC LIMIT 1) DESC"
        )
        return await self._all(lambda row: int(row[0]), query, (program,))

    async def verdict_counts(self, program: str) -> list[tuple[str, int]]:
        """Of how many running games a program has given which kind of verdict; the empty kind are those of none."""
        query = (
            "SELECT CASE WHEN program = ? THEN coalesce(json_extract(body, '$.kind'), '') ELSE '' END AS kind, count(*)"
            " FROM games LEFT JOIN verdicts ON game = id"
            " WHERE status IN ('playing', 'paused') AND started IS NOT NULL GROUP BY kind"
        )
        return await self._all(lambda row: (str(row[0]), int(row[1])), query, (program,))

    async def _change_log(
        self,
        game: int,
        expected: int,
        add: Callable[[sqlite3.Connection, int, int], int],
        user: int,
        interaction: int | None,
        at: datetime,
        notices: Sequence[NewNotice],
        waiting: Mapping[int, str] | None,
        status: str | None,
        snapshot: Snapshot | None,
        verdict: VerdictRow | None = None,
    ) -> int:
        def work(db: sqlite3.Connection) -> int:
            record = changes.game_record(db, game)
            changes.expect(db, game, expected, interaction)
            length = add(db, game, expected)
            changes.add_notices(db, game, length, notices, rows.ticks(at))
            if waiting is not None:
                changes.change_waiting(db, game, waiting, rows.ticks(at), actor=user)
            if status is not None:
                changes.change_status(db, record, status, rows.ticks(at))
            if snapshot is not None:
                changes.keep_snapshot(db, game, snapshot)
            if verdict is not None:
                changes.keep_verdict(db, replace(verdict, length=length))
            return length

        return await self._write(work)

    async def kept(self, game: int) -> Kept | None:
        """Everything that a game is loaded from, at one and the same moment."""

        return await self._read(lambda db: read_kept(db, game))

    async def keep_snapshot(self, game: int, snapshot: Snapshot) -> None:
        """Keep a position beside the log, if the log still has that length."""

        def work(db: sqlite3.Connection) -> None:
            if changes.log_length(db, game) == snapshot.length:
                changes.keep_snapshot(db, game, snapshot)

        await self._write(work)

    async def log(self, game: int) -> list[MoveRecord]:
        """Every move ever made, undone ones included."""
        return await self._all(rows.move, f"{rows.MOVE} ORDER BY log.seq", (game,))

    async def entries(self, game: int) -> list[LogEntry]:
        """The whole log: every move ever made and every undoing, in order."""
        return await self._all(rows.entry, rows.ENTRY, (game,))

    # ------------------------------------------------------------------ people and servers

    async def person(self, user: int) -> Person:
        return (await self.people([user]))[user]

    async def people(self, users: Sequence[int]) -> dict[int, Person]:
        """The settings of several people at once."""
        return await self._read(lambda db: self._people(db, users))

    async def set_person(self, person: Person) -> None:
        values = (
            person.user,
            person.locale,
            person.zone,
            person.quiet_from,
            person.quiet_to,
            person.ping,
            rows.ticks_or_none(person.vacation_until),
            rows.dump(list(person.reminder_hours)),
        )
        await self._write(lambda db: db.execute("REPLACE INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values).close())

    async def server(self, guild: int) -> Server:
        return await self._read(lambda db: self._server(db, guild))

    async def set_server(self, server: Server) -> None:
        values = (server.guild, rows.dump(list(server.channels)), server.locale, server.place)
        query = "REPLACE INTO servers (guild, channels, locale, place) VALUES (?, ?, ?, ?)"
        await self._write(lambda db: db.execute(query, values).close())

    async def quotas(self, guild: int) -> Quotas:
        return await self._read(lambda db: quotas.read(db, guild))

    async def set_quotas(self, wanted: Quotas) -> None:
        await self._write(lambda db: quotas.write(db, wanted))

    # ------------------------------------------------------------------ announcements

    async def games_to_tell(self) -> list[int]:
        """Games that have something to announce."""
        return await self._all(lambda row: int(row[0]), "SELECT DISTINCT game FROM notices WHERE done IS NULL")

    async def hold(self, game: int, why: str, at: datetime) -> Held:
        """A game's channel refuses its announcements; the time of the first refusal stays."""

        def work(db: sqlite3.Connection) -> Held:
            changes.game_record(db, game)
            db.execute(
                "INSERT INTO held (game, since, why) VALUES (?, ?, ?) ON CONFLICT (game) DO UPDATE SET why = ?3",
                (game, rows.ticks(at), why),
            )
            return rows.held(db.execute(f"{rows.HELD} WHERE game = ?", (game,)).fetchone())

        return await self._write(work)

    async def host_was_told(self, game: int, at: datetime) -> None:
        """The host knows that the game's announcements are held."""
        change = "UPDATE held SET host_told = coalesce(host_told, ?2) WHERE game = ?1"
        await self._write(lambda db: db.execute(change, (game, rows.ticks(at))).close())

    async def release(self, game: int) -> None:
        """A game's announcements arrive again."""
        await self._write(lambda db: db.execute("DELETE FROM held WHERE game = ?", (game,)).close())

    async def held(self) -> list[Held]:
        return await self._sound(rows.held, 0, f"{rows.HELD} ORDER BY game")

    async def to_tell(self, game: int, *, always: bool = False) -> ToTell | None:
        """All notices of a game that are not done, with what is needed to tell them; None if there are none, unless it
        is to be told `always`."""

        def work(db: sqlite3.Connection) -> ToTell | None:
            query = f"{rows.NOTICE} WHERE game = ? AND done IS NULL ORDER BY id"
            notices = self._made(rows.notice, 1, db.execute(query, (game,)))
            if not notices and not always:
                return None
            record = changes.game_record(db, game)
            cards = db.execute("SELECT data FROM cards WHERE game = ?", (game,)).fetchone()
            waiting = db.execute(f"{rows.WAITING} AND waiting.game = ? ORDER BY since, user", (game,))
            return ToTell(
                record,
                notices,
                json.loads(cards[0]) if cards else (),
                self._server(db, record.guild),
                self._made(rows.waiting, 0, waiting),
                self._people(db, [seat.user for seat in record.seats]),
            )

        return await self._read(work)

    async def begin_notice(self, notice: int, at: datetime) -> None:
        await self._change_notice(notice, "begun = coalesce(begun, ?2)", rows.ticks(at))

    async def finish_notice(self, notice: int, at: datetime) -> None:
        await self._change_notice(notice, "done = coalesce(done, ?2)", rows.ticks(at))

    async def unsend_notice(self, notice: int) -> None:
        """It was begun, but certainly has not gone out: the next try is no repetition."""
        await self._write(lambda db: db.execute("UPDATE notices SET begun = NULL WHERE id = ?", (notice,)).close())

    async def _change_notice(self, notice: int, change: str, at: int) -> None:
        def work(db: sqlite3.Connection) -> None:
            if not db.execute(f"UPDATE notices SET {change} WHERE id = ?1", (notice, at)).rowcount:
                raise MissingError(f"there is no notice {notice}")
            db.execute("DELETE FROM notices WHERE done < ?", (at - NOTICES_KEPT // timedelta(microseconds=1),))

        await self._write(work)

    # ------------------------------------------------------------------ reminders

    async def waiting(self, *, game: int | None = None, user: int | None = None) -> list[Waiting]:
        """Who is waited for in games that are being played."""
        return await self._sound(
            rows.waiting,
            0,
            f"{rows.WAITING} AND (?1 IS NULL OR waiting.game = ?1) AND (?2 IS NULL OR user = ?2)"
            " ORDER BY since, waiting.game, user",
            (game, user),
        )

    async def begin_reminder(self, parts: Sequence[ReminderPart], at: datetime) -> list[ReminderPart]:
        """Mark a reminder as under way, before it is sent; gives the parts that still hold, marked."""

        def work(db: sqlite3.Connection) -> list[ReminderPart]:
            begun = []
            for part in parts:
                mark, open_ = ("host_begun", "host_told IS NULL") if part.host else ("begun", "steps_sent < ?5")
                # An earlier mark stays: it is what tells a repetition from a new reminder.
                row = db.execute(
                    f"UPDATE waiting SET {mark} = coalesce({mark}, ?4)"
                    f" WHERE game = ?1 AND user = ?2 AND since = ?3 AND {mark} IS ?6 AND {open_}"
                    "   AND game IN (SELECT id FROM games WHERE status = 'playing')"
                    f" RETURNING {mark}",
                    (
                        part.game,
                        part.user,
                        rows.ticks(part.since),
                        rows.ticks(at),
                        part.steps,
                        rows.ticks_or_none(part.begun),
                    ),
                ).fetchone()
                if row is not None:
                    begun.append(replace(part, begun=rows.moment(row[0])))
            return begun

        return await self._write(work)

    async def finish_reminder(
        self, parts: Sequence[ReminderPart], *, at: datetime, channel: int | None, message: int | None
    ) -> None:
        """Record a reminder as sent; parts whose turn has passed on meanwhile are left alone."""

        def work(db: sqlite3.Connection) -> None:
            for part in parts:
                key = (part.game, part.user, rows.ticks(part.since), rows.ticks_or_none(part.begun))
                row = "WHERE game = ?1 AND user = ?2 AND since = ?3"
                if part.host:
                    db.execute(
                        f"UPDATE waiting SET host_told = ?5, host_begun = NULL {row} AND host_begun IS ?4",
                        (*key, rows.ticks(at)),
                    )
                else:
                    db.execute(
                        "UPDATE waiting SET steps_sent = max(steps_sent, ?6), last_sent = ?5, message_channel = ?7,"
                        f" message = ?8, begun = NULL {row} AND begun IS ?4",
                        (*key, rows.ticks(at), part.steps, channel, message),
                    )

        await self._write(work)

    async def cancel_reminder(self, parts: Sequence[ReminderPart]) -> None:
        """Take the mark off a reminder that certainly has not gone out: the next try is no repetition."""

        def work(db: sqlite3.Connection) -> None:
            for part in parts:
                mark = "host_begun" if part.host else "begun"
                db.execute(
                    f"UPDATE waiting SET {mark} = NULL WHERE game = ?1 AND user = ?2 AND since = ?3 AND {mark} IS ?4",
                    (part.game, part.user, rows.ticks(part.since), rows.ticks_or_none(part.begun)),
                )

        await self._write(work)

    # ------------------------------------------------------------------ upkeep

    async def backup(self, path: str) -> None:
        """A consistent copy of the database while it is in use."""
        await self.tidy()
        await self._apart(partial(upkeep.backup, source=Path(self.path), target=Path(path)))

    async def check(self) -> list[str]:
        """What is wrong with the database itself; nothing if it is sound."""
        return await self._apart(upkeep.check)

    async def probe(self) -> None:
        """Write something and take it back, and read from the log; StorageError if that cannot be done."""
        change = "UPDATE upkeep SET probe = zeroblob(?)"
        await self._write(lambda db: db.execute(change, (PROBE_BYTES,)).close())
        # Where moves go is read too: a damaged log would refuse them.
        newest = "SELECT body FROM log ORDER BY game DESC, seq DESC LIMIT 20"
        await self._write(lambda db: db.execute(newest).fetchall())
        await self._write(lambda db: db.execute("UPDATE upkeep SET probe = NULL").close())

    async def tidy(self) -> None:
        """Bring the write-ahead log into the database file, as far as nobody is reading."""
        await self._writer.apart(wal.tidy, self._presence)

    async def rescue(self, path: str) -> None:
        """Copy what is open, which has everything that was acknowledged, though it lies in its place no more."""
        # By the connection that writes: it has both files open for certain.
        await self._writer.apart(partial(upkeep.backup, source=Path(self.path), target=Path(path)))

    async def owner(self) -> Owner | None:
        """The bot that uses the database, as it said itself."""
        return rows.owner(await self._read(lambda db: db.execute(rows.OWNER).fetchone()[0]))

    async def set_owner(self, owner: Owner | None, *, instead_of: str | None) -> None:
        """Enter or remove the bot that uses the database; OwnedError if that is not the one with this token now."""

        def work(db: sqlite3.Connection) -> None:
            found = rows.owner(db.execute(rows.OWNER).fetchone()[0])
            if (found.token if found else None) != instead_of:
                raise OwnedError("another bot has taken the database over")
            db.execute("UPDATE upkeep SET owner = ?", (None if owner is None else rows.owner_text(owner),))

        await self._write(work)

    async def _apart(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something long on a connection of its own, so that reading goes on."""
        connection = await Connection.open(partial(schema.open_reader, self.path))
        try:
            return await connection.apart(work)
        finally:
            await connection.close()


def read_kept(db: sqlite3.Connection, game: int) -> Kept | None:
    """Everything that a game is loaded from; within a transaction, so that it is of one moment."""
    found = db.execute(f"{rows.GAME} WHERE id = ?", (game,)).fetchone()
    if found is None:
        return None
    played = db.execute(rows.PLAYED, (game,)).fetchall()
    snapshot = db.execute(rows.SNAPSHOT, (game,)).fetchone()
    seam = db.execute(rows.SEAM, (game,)).fetchone()
    begun = db.execute(rows.BEGUN, (game,)).fetchone()
    verdict = db.execute(f"{rows.VERDICT} WHERE game = ?", (game,)).fetchone()
    return Kept(
        record=rows.game(found),
        moves=rows.moves([body for _, body, _ in played]),
        seqs=tuple(seq for seq, _, _ in played),
        length=changes.log_length(db, game),
        snapshot=snapshot and rows.snapshot(snapshot),
        digests=tuple(digest for _, _, digest in played),
        seam=seam and rows.seam(seam),
        begun=begun and rows.begun(begun),
        verdict=verdict and rows.verdict(verdict),
    )
