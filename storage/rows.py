"""Between rows of the database and records: times as microseconds, JSON as text."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from storage.records import (
    Begun,
    GameRecord,
    Held,
    LogEntry,
    MoveRecord,
    Notice,
    Opening,
    Owner,
    Person,
    Seam,
    Seat,
    Server,
    Snapshot,
    VerdictRow,
    Waiting,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

GAME = """
    SELECT id, guild, channel, title, options, seed, host, seats_wanted, status, created, started,
           ended, reminder_hours, extension_hours, card_message, card_seq, card_posted, paused,
           lobby_channel, form, opener, seed_typed, salt, invited,
           (SELECT json_group_array(json_array(name, user, house, json(former), json(former_users), taken))
              FROM (SELECT name, user, house, former, former_users, taken
                      FROM seats WHERE seats.game = games.id ORDER BY position))
      FROM games
"""
MOVE = """
    SELECT log.game, log.seq, log.body, log.user, log.player, log.interaction, log.at, back.at, back.user
      FROM log LEFT JOIN undone ON undone.game = log.game AND undone.seq = log.seq
               LEFT JOIN log AS back ON back.game = undone.game AND back.seq = undone.undo
     WHERE log.game = ? AND log.kind = 'move'
"""
PLAYED = """
    SELECT seq, body, digest FROM log
     WHERE game = ?1 AND kind = 'move' AND seq NOT IN (SELECT seq FROM undone WHERE game = ?1)
     ORDER BY seq
"""
ENTRY = "SELECT game, seq, kind, body, user, player, interaction, at FROM log WHERE game = ? ORDER BY seq"
#: A seam is undone by whoever goes back to before it.
SEAM = """
    SELECT seq, body FROM log
     WHERE game = ?1 AND kind = 'seam' AND seq NOT IN (SELECT seq FROM undone WHERE game = ?1)
     ORDER BY seq DESC LIMIT 1
"""
BEGUN = """
    SELECT version, fingerprint, tables, drawn, opening FROM begun JOIN definitions USING (fingerprint) WHERE game = ?
"""
VERDICT = "SELECT game, program, length, body FROM verdicts"
PERSON = "SELECT user, locale, zone, quiet_from, quiet_to, ping, vacation_until, reminder_hours FROM people"
SERVER = "SELECT guild, channels, locale, place FROM servers"
HELD = "SELECT game, guild, since, why, host_told FROM held JOIN games ON games.id = held.game"
NOTICE = "SELECT id, game, kind, seq, data, created, begun FROM notices"
SNAPSHOT = "SELECT length, basis, digest, body FROM snapshots WHERE game = ?"
OWNER = "SELECT owner FROM upkeep"
WAITING = """
    SELECT waiting.game, user, player, since, steps_sent, last_sent, message_channel, message, acted, begun,
           host_told, host_begun
      FROM waiting JOIN games ON games.id = waiting.game
     WHERE games.status = 'playing'
"""


def ticks(time: datetime) -> int:
    """A time as the database keeps it; one without a zone is a mistake of the caller."""
    if time.tzinfo is None:
        raise ValueError(f"a time without a zone cannot be kept: {time!r}")
    return (time - _EPOCH) // _MICROSECOND


def ticks_or_none(time: datetime | None) -> int | None:
    return None if time is None else ticks(time)


def moment(value: int) -> datetime:
    return _EPOCH + value * _MICROSECOND


def moment_or_none(value: int | None) -> datetime | None:
    return None if value is None else moment(value)


def dump(value: Any) -> str:
    """JSON as short as it goes; what is not JSON is a mistake of the caller."""
    if isinstance(value, Mapping):
        value = dict(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def game(row: tuple[Any, ...]) -> GameRecord:
    return GameRecord(
        id=row[0],
        guild=row[1],
        channel=row[2],
        title=row[3],
        options=_options(row[4]),
        seed=row[5],
        host=row[6],
        seats_wanted=row[7],
        status=row[8],
        created=moment(row[9]),
        started=moment_or_none(row[10]),
        ended=moment_or_none(row[11]),
        reminder_hours=tuple(json.loads(row[12])),
        extension_hours=row[13],
        card_message=row[14],
        card_seq=row[15],
        card_posted=moment_or_none(row[16]),
        paused=moment_or_none(row[17]),
        lobby_channel=row[18],
        form=row[19],
        opener=row[20],
        seed_typed=bool(row[21]),
        salt=row[22],
        invited=tuple(json.loads(row[23])),
        seats=tuple(
            Seat(name, user, house, tuple(former), tuple(users), taken)
            for name, user, house, former, users, taken in json.loads(row[24])
        ),
    )


def _options(text: Any) -> dict[str, Any]:
    """The options of a game; what cannot be read is one that no title has, so that nobody plays by others instead."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError):
        found = None
    return found if isinstance(found, dict) else {"": str(text)}


def move(row: tuple[Any, ...]) -> MoveRecord:
    return MoveRecord(
        game=row[0],
        seq=row[1],
        move=json.loads(row[2]),
        user=row[3],
        player=row[4],
        interaction=row[5],
        at=moment(row[6]),
        undone_at=moment_or_none(row[7]),
        undone_by=row[8],
    )


def entry(row: tuple[Any, ...]) -> LogEntry:
    game_id, seq, kind, body, user, player, interaction, at = row
    data = json.loads(body)
    return LogEntry(
        game=game_id,
        seq=seq,
        move=data if kind == "move" else {},
        undoes=tuple(data["undoes"]) if kind == "undo" else (),
        user=user,
        player=player,
        interaction=interaction,
        at=moment(at),
        seam=kind == "seam",
    )


def seam(row: tuple[Any, ...]) -> Seam:
    data = json.loads(row[1])
    return Seam(seq=row[0], position=data["position"], players=tuple(data["players"]), reason=data["reason"])


def begun(row: tuple[Any, ...]) -> Begun:
    tables = zlib.decompress(row[2]).decode()
    return Begun(version=row[0], fingerprint=row[1], tables=tables, drawn=row[3], opening=row[4] and _opening(row[4]))


def packed(opening: Opening | None) -> bytes | None:
    """The position in which a game began, as it is stored."""
    if opening is None:
        return None
    return zlib.compress(dump({"position": opening.position, "players": opening.players}).encode())


def _opening(body: bytes) -> Opening:
    data = json.loads(zlib.decompress(body))
    return Opening(position=data["position"], players=tuple(data["players"]))


def verdict(row: tuple[Any, ...]) -> VerdictRow:
    return VerdictRow(game=row[0], program=row[1], length=row[2], body=json.loads(row[3]))


def person(row: tuple[Any, ...]) -> Person:
    return Person(
        user=row[0],
        locale=row[1],
        zone=row[2],
        quiet_from=row[3],
        quiet_to=row[4],
        ping=row[5],
        vacation_until=moment_or_none(row[6]),
        reminder_hours=tuple(json.loads(row[7])),
    )


def server(row: tuple[Any, ...]) -> Server:
    return Server(guild=row[0], channels=tuple(json.loads(row[1])), locale=row[2], place=row[3])


def held(row: tuple[Any, ...]) -> Held:
    return Held(game=row[0], guild=row[1], since=moment(row[2]), why=row[3], host_told=moment_or_none(row[4]))


def notice(row: tuple[Any, ...]) -> Notice:
    return Notice(
        id=row[0],
        game=row[1],
        kind=row[2],
        seq=row[3],
        data=json.loads(row[4]),
        created=moment(row[5]),
        begun=moment_or_none(row[6]),
    )


def waiting(row: tuple[Any, ...]) -> Waiting:
    return Waiting(
        game=row[0],
        user=row[1],
        player=row[2],
        since=moment(row[3]),
        steps_sent=row[4],
        last_sent=moment_or_none(row[5]),
        message_channel=row[6],
        message=row[7],
        acted=moment_or_none(row[8]),
        begun=moment_or_none(row[9]),
        host_told=moment_or_none(row[10]),
        host_begun=moment_or_none(row[11]),
    )


def moves(bodies: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Many moves at once, which is much quicker than one by one; of a log that is damaged, those before the damage."""
    try:
        return tuple(json.loads(f"[{','.join(bodies)}]"))
    except (ValueError, TypeError):
        found = []
        for body in bodies:
            try:
                found.append(json.loads(body))
            except (ValueError, TypeError):
                break
        return tuple(found)


def snapshot(row: tuple[Any, ...]) -> Snapshot:
    return Snapshot(length=row[0], basis=row[1], digest=row[2], body=row[3])


def owner(text: str | None) -> Owner | None:
    """The bot that uses the database; nobody if what is kept of it makes no sense."""
    if text is None:
        return None
    try:
        data = json.loads(text)
        return Owner(**data | {"since": moment(data["since"]), "seen": moment(data["seen"])})
    except (ValueError, KeyError, TypeError, OverflowError):
        return None


def owner_text(found: Owner) -> str:
    return dump(vars(found) | {"since": ticks(found.since), "seen": ticks(found.seen)})
