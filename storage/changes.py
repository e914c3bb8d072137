"""The steps that transactions are made of: log entries, announcements, status, who is waited for."""

from __future__ import annotations

import secrets
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from storage import rows
from storage.errors import MissingError, RepeatedError, StaleError, StorageError
from storage.records import (
    ENDED,
    FINISHED,
    LOBBY,
    PAUSED,
    PLAYING,
    Begun,
    GameRecord,
    NewGame,
    NewNotice,
    Snapshot,
    VerdictRow,
)

STATUSES = (LOBBY, PLAYING, PAUSED, FINISHED, ENDED)


def game_record(db: sqlite3.Connection, game: int) -> GameRecord:
    row = db.execute(f"{rows.GAME} WHERE id = ?", (game,)).fetchone()
    if row is None:
        raise MissingError(f"there is no game {game}")
    return rows.game(row)


def add_game(db: sqlite3.Connection, game: NewGame, at: int) -> GameRecord:
    """A new lobby."""
    cursor = db.execute(
        "INSERT INTO games (guild, channel, title, options, seed, host, seats_wanted, status,"
        " created, reminder_hours, form, opener, seed_typed, salt, invited)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            game.guild,
            game.channel,
            game.title,
            rows.dump(game.options),
            game.seed or 0,
            game.host,
            game.seats_wanted,
            LOBBY,
            at,
            rows.dump(list(game.reminder_hours)),
            game.form,
            game.host,
            game.seed is not None,
            secrets.token_hex(16),
            rows.dump(list(game.invited)),
        ),
    )
    assert cursor.lastrowid is not None
    return game_record(db, cursor.lastrowid)


def log_length(db: sqlite3.Connection, game: int) -> int:
    length: int = db.execute("SELECT coalesce(max(seq), 0) FROM log WHERE game = ?", (game,)).fetchone()[0]
    return length


def expect(db: sqlite3.Connection, game: int, expected: int, interaction: int | None) -> None:
    """Refuse what has been done already or was decided on an older position.

    In this order: a repeated click is always stale too, but the person should hear that it counted.
    """
    if interaction is not None:
        row = db.execute("SELECT seq FROM log WHERE interaction = ? AND part = 0", (interaction,)).fetchone()
        if row is not None:
            raise RepeatedError(row[0])
    length = log_length(db, game)
    if length != expected:
        raise StaleError(f"the log of game {game} has {length} entries, not {expected}")


def add_moves(
    db: sqlite3.Connection,
    game: int,
    expected: int,
    moves: Sequence[Mapping[str, Any]],
    players: Sequence[str],
    *,
    user: int,
    interaction: int | None,
    at: int,
    digests: Sequence[bytes | None] | None = None,
) -> int:
    known = digests if digests is not None else [None] * len(moves)
    db.executemany(
        "INSERT INTO log (game, seq, kind, body, user, player, interaction, part, at, digest)"
        " VALUES (?, ?, 'move', ?, ?, ?, ?, ?, ?, ?)",
        [
            (game, expected + 1 + part, rows.dump(move), user, player, interaction, part, at, digest)
            for part, (move, player, digest) in enumerate(zip(moves, players, known, strict=True))
        ],
    )
    return expected + len(moves)


def add_undo(
    db: sqlite3.Connection,
    game: int,
    expected: int,
    seqs: Sequence[int],
    *,
    user: int,
    interaction: int | None,
    at: int,
    reason: str = "",
) -> int:
    seq = expected + 1
    for undone in seqs:
        standing = db.execute(
            "SELECT 1 FROM log WHERE game = ?1 AND seq = ?2 AND kind <> 'undo'"
            " AND NOT EXISTS (SELECT 1 FROM undone WHERE game = ?1 AND seq = ?2)",
            (game, undone),
        ).fetchone()
        if standing is None:
            raise StorageError(f"entry {undone} of game {game} is no move that stands")
    db.execute(
        "INSERT INTO log (game, seq, kind, body, user, player, interaction, part, at)"
        " VALUES (?, ?, 'undo', ?, ?, '', ?, 0, ?)",
        (game, seq, rows.dump({"undoes": list(seqs), **({"reason": reason} if reason else {})}), user, interaction, at),
    )
    db.executemany("INSERT INTO undone (game, seq, undo) VALUES (?, ?, ?)", [(game, undone, seq) for undone in seqs])
    return seq


def add_seam(
    db: sqlite3.Connection,
    game: int,
    expected: int,
    *,
    position: Mapping[str, Any],
    players: Sequence[str],
    reason: str,
    user: int,
    at: int,
) -> int:
    """The position as it stood, from which the game is replayed from now on."""
    body = rows.dump({"position": position, "players": list(players), "reason": reason})
    db.execute(
        "INSERT INTO log (game, seq, kind, body, user, player, interaction, part, at)"
        " VALUES (?, ?, 'seam', ?, ?, '', NULL, 0, ?)",
        (game, expected + 1, body, user, at),
    )
    return expected + 1


def keep_begun(db: sqlite3.Connection, game: int, begun: Begun) -> None:
    packed = zlib.compress(begun.tables.encode())
    db.execute("INSERT OR IGNORE INTO definitions VALUES (?, ?)", (begun.fingerprint, packed))
    values = (game, begun.version, begun.fingerprint, begun.drawn, rows.packed(begun.opening))
    columns = "game, version, fingerprint, drawn, opening"
    db.execute(f"INSERT OR IGNORE INTO begun ({columns}) VALUES (?, ?, ?, ?, ?)", values)


def keep_verdict(db: sqlite3.Connection, verdict: VerdictRow) -> None:
    values = (verdict.game, verdict.program, verdict.length, rows.dump(verdict.body))
    db.execute("REPLACE INTO verdicts (game, program, length, body) VALUES (?, ?, ?, ?)", values)


def add_notices(db: sqlite3.Connection, game: int, seq: int, notices: Sequence[NewNotice], at: int) -> None:
    db.executemany(
        "INSERT INTO notices (game, kind, seq, data, created) VALUES (?, ?, ?, ?, ?)",
        [(game, notice.kind, seq, rows.dump(notice.data), at) for notice in notices],
    )


def keep_snapshot(db: sqlite3.Connection, game: int, snapshot: Snapshot) -> None:
    db.execute(
        "REPLACE INTO snapshots (game, length, basis, digest, body) VALUES (?, ?, ?, ?, ?)",
        (game, snapshot.length, snapshot.basis, snapshot.digest, snapshot.body),
    )


def change_status(db: sqlite3.Connection, game: GameRecord, status: str, at: int) -> None:
    if status not in STATUSES:
        raise ValueError(f"there is no status {status!r}")
    db.execute(
        "UPDATE games SET status = ?2,"
        " started = CASE WHEN ?2 = 'playing' THEN coalesce(started, ?3) ELSE started END,"
        " ended = CASE WHEN ?2 IN ('finished', 'ended') THEN coalesce(ended, ?3) END,"
        " paused = CASE WHEN ?2 = 'paused' THEN coalesce(paused, ?3) END"
        " WHERE id = ?1",
        (game.id, status, at),
    )
    if status in (FINISHED, ENDED):
        db.execute("DELETE FROM waiting WHERE game = ?", (game.id,))
    elif game.paused is not None and status != PAUSED:
        # Nobody could move while the game was paused: their waiting is moved on by as long.
        db.execute(
            "UPDATE waiting SET acted = acted + ?2 - max(?3, acted), since = since + ?2 - max(?3, since)"
            " WHERE game = ?1",
            (game.id, at, rows.ticks(game.paused)),
        )


def change_waiting(
    db: sqlite3.Connection, game: int, waiting: Mapping[int, str], at: int, *, actor: int | None = None
) -> None:
    """Replace who is waited for; rows of people who go on being waited for stay."""
    before = {row[0] for row in db.execute("SELECT user FROM waiting WHERE game = ?", (game,))}
    db.executemany("DELETE FROM waiting WHERE game = ? AND user = ?", [(game, user) for user in before - set(waiting)])
    for user, player in waiting.items():
        if user not in before:
            db.execute("INSERT INTO waiting (game, user, player, since) VALUES (?, ?, ?, ?)", (game, user, player, at))
        elif user == actor:
            # They have just moved: nobody needs a reminder of a turn that they are in the middle of.
            db.execute(
                "UPDATE waiting SET player = ?3, acted = ?4, steps_sent = 0, begun = NULL, host_told = NULL,"
                " host_begun = NULL WHERE game = ?1 AND user = ?2",
                (game, user, player, at),
            )
        else:
            db.execute("UPDATE waiting SET player = ?3 WHERE game = ?1 AND user = ?2", (game, user, player))
    if not before & set(waiting):
        db.execute("UPDATE games SET extension_hours = 0 WHERE id = ? AND extension_hours <> 0", (game,))
