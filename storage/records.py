"""What is kept, as plain records. Times are aware UTC datetimes; ids of Discord are whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

LOBBY, PLAYING, PAUSED, FINISHED, ENDED = "lobby", "playing", "paused", "finished", "ended"


@dataclass(frozen=True)
class Seat:
    """Somebody at a game: a person, or the house (then `house` names the kind). `name` is his name in the game."""

    name: str
    user: int
    house: str = ""


@dataclass(frozen=True)
class GameRecord:
    """A game from its lobby to its end."""

    id: int
    guild: int
    #: The channel or thread in which the game lives.
    channel: int
    title: str
    title_version: int
    options: Mapping[str, Any]
    seed: int
    host: int
    seats_wanted: int
    status: str
    seats: tuple[Seat, ...]
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None
    #: Hours of waiting after which each reminder goes out; empty means the default of the bot.
    reminder_hours: tuple[int, ...] = ()
    #: Extra hours that the host has granted for the present turn.
    extension_hours: int = 0
    #: The message that carries the lobby card or the present turn card.
    card_message: int | None = None
    card_seq: int | None = None
    card_posted: datetime | None = None


@dataclass(frozen=True)
class MoveRecord:
    """A move in the log. `seq` counts the log from 1 and never repeats; an undone move stays, marked."""

    game: int
    seq: int
    move: Mapping[str, Any]
    #: The person who acted, and the name in the game for which he did.
    user: int
    player: str
    interaction: int | None
    at: datetime
    undone_at: datetime | None = None
    undone_by: int | None = None


@dataclass(frozen=True)
class Person:
    """What somebody has set for himself. Hours of quiet are local to his zone."""

    user: int
    locale: str = ""
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    #: How he is told that it is his turn: `channel`, `direct` or `off`.
    ping: str = "channel"
    vacation_until: datetime | None = None


@dataclass(frozen=True)
class Server:
    """What the administrators of a server have set; no channels named means everywhere."""

    guild: int
    channels: tuple[int, ...] = ()
    locale: str = ""


@dataclass(frozen=True)
class Notice:
    """An announcement to be made once: kept with the move it tells of, sent afterwards, tried again if need be."""

    id: int
    game: int
    kind: str
    #: The log's length that the announcement was made for.
    seq: int
    data: Mapping[str, Any]
    created: datetime
    attempts: int = 0
    next_try: datetime | None = None
    #: Set before it is first sent: after a crash such a notice may have gone out and is marked as made again.
    begun: datetime | None = None
    done: datetime | None = None


@dataclass(frozen=True)
class NewNotice:
    """An announcement that is to be kept with a change."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Waiting:
    """Somebody has to decide in a game since a time; the state of his reminders."""

    game: int
    user: int
    player: str
    since: datetime
    #: How many reminders have gone out, and which message was the last.
    steps_sent: int = 0
    last_sent: datetime | None = None
    message_channel: int | None = None
    message: int | None = None
