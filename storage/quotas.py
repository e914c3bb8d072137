"""Opening and starting games within a server's quotas: what is checked and what is written are one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import timedelta

from storage import changes, rows
from storage.errors import QuotaError, TakenError
from storage.records import LOBBY, PAUSED, PLAYING, GameRecord, NewNotice, Quotas

_OPEN = (LOBBY, PLAYING, PAUSED)
_RUNNING = (PLAYING, PAUSED)
_DAY = timedelta(days=1) // timedelta(microseconds=1)
#: What administrators can set.
NAMES = tuple(field.name for field in fields(Quotas))[1:]


def read(db: sqlite3.Connection, guild: int) -> Quotas:
    """A server's quotas; what its administrators have not set is as it is everywhere."""
    known = dict(db.execute("SELECT what, most FROM quotas WHERE guild = ?", (guild,)))
    return Quotas(guild, **{what: most for what, most in known.items() if what in NAMES})


def write(db: sqlite3.Connection, quotas: Quotas) -> None:
    db.executemany(
        "REPLACE INTO quotas (guild, what, most) VALUES (?, ?, ?)",
        [(quotas.guild, what, getattr(quotas, what)) for what in NAMES],
    )


def check_place(db: sqlite3.Connection, channel: int) -> None:
    """Refuse a channel that has a game which is not over."""
    if _count(db, _OPEN, "channel = ?", channel):
        raise TakenError(f"there is a game in channel {channel} already")


def check_lobby(db: sqlite3.Connection, guild: int, opener: int, at: int) -> None:
    """Refuse a lobby beyond the quotas of whoever opens it, or of its server. Hosts change; who opened one does not."""
    quotas = read(db, guild)
    _check("lobbies_of_person", quotas, _count(db, (LOBBY,), "guild = ? AND opener = ?", guild, opener))
    lately = "guild = ? AND opener = ? AND created > ?"
    _check("lobbies_a_day", quotas, _count(db, changes.STATUSES, lately, guild, opener, at - _DAY))
    _check("lobbies_of_server", quotas, _count(db, (LOBBY,), "guild = ?", guild))


def start(
    db: sqlite3.Connection, game: int, seed: int, at: int, notices: Sequence[NewNotice], waiting: Mapping[int, str]
) -> GameRecord:
    """Begin a game unless whoever opened it or its server has as many as they may."""
    record = changes.game_record(db, game)
    quotas = read(db, record.guild)
    _check("games_of_person", quotas, _count(db, _RUNNING, "guild = ? AND opener = ?", record.guild, record.opener))
    _check("games_of_server", quotas, _count(db, _RUNNING, "guild = ?", record.guild))
    db.execute("UPDATE games SET seed = ? WHERE id = ?", (seed, game))
    changes.change_status(db, record, PLAYING, at)
    changes.add_notices(db, game, changes.log_length(db, game), notices, at)
    changes.change_waiting(db, game, waiting, at)
    return changes.game_record(db, game)


def end_unseen_lobbies(db: sqlite3.Connection, at: int) -> int:
    """Close lobbies whose card was never posted; gives how many."""
    found = db.execute(f"{rows.GAME} WHERE status = ? AND card_message IS NULL", (LOBBY,)).fetchall()
    for row in found:
        changes.change_status(db, rows.game(row), "ended", at)
    return len(found)


def _check(what: str, quotas: Quotas, count: int) -> None:
    most: int = getattr(quotas, what)
    if count >= most:
        raise QuotaError(what, most)


def _count(db: sqlite3.Connection, statuses: Sequence[str], condition: str, *values: int) -> int:
    marks = ", ".join("?" * len(statuses))
    query = f"SELECT count(*) FROM games WHERE status IN ({marks}) AND {condition}"
    count: int = db.execute(query, (*statuses, *values)).fetchone()[0]
    return count
