"""What is kept, as plain records. Times are aware UTC datetimes; ids of Discord are whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

LOBBY, PLAYING, PAUSED, FINISHED, ENDED = "lobby", "playing", "paused", "finished", "ended"


@dataclass(frozen=True)
class Seat:
    """Somebody at a game: a person, or the house (then `house` names the kind). `name` is their name in the game."""

    name: str
    user: int
    house: str = ""
    #: Names of those who sat here before: the log has them where they made moves.
    former: tuple[str, ...] = ()
    #: The people who sat here before, and the log's length when the seat last changed hands, if it did.
    former_users: tuple[int, ...] = ()
    taken: int | None = None


@dataclass(frozen=True)
class GameRecord:
    """A game from its lobby to its end."""

    id: int
    guild: int
    #: The channel or thread in which the game lives.
    channel: int
    title: str
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
    #: Since when the game is paused, while it is.
    paused: datetime | None = None
    #: The form of play, the title's first if empty.
    form: str = ""
    #: Where the lobby card is, if the game has a thread of its own.
    lobby_channel: int | None = None
    #: Who opened the lobby, for good: limits are counted by it.
    opener: int = 0
    #: Whether somebody typed the seed; otherwise it is drawn at the start, and is 0 until then.
    seed_typed: bool = False
    #: What the house's chance depends on beside the moves; never shown.
    salt: str = ""
    #: People for whom seats of a lobby are held until they join or decline.
    invited: tuple[int, ...] = ()


@dataclass(frozen=True)
class NewGame:
    """A lobby that is to be opened."""

    guild: int
    channel: int
    title: str
    options: Mapping[str, Any]
    #: None: it is drawn at the start.
    seed: int | None
    host: int
    seats_wanted: int
    reminder_hours: tuple[int, ...] = ()
    form: str = ""
    #: For whom seats are held.
    invited: tuple[int, ...] = ()


@dataclass(frozen=True)
class MoveRecord:
    """A move in the log. `seq` counts the log from 1 and never repeats; an undone move stays, marked."""

    game: int
    seq: int
    move: Mapping[str, Any]
    #: The person who acted, and the name in the game for which they did.
    user: int
    player: str
    interaction: int | None
    at: datetime
    undone_at: datetime | None = None
    undone_by: int | None = None


@dataclass(frozen=True)
class LogEntry:
    """An entry of the log: a move, the undoing of moves (`undoes` has their numbers), or a seam with its position.

    `move` is empty for the other two. Replays begin at the last seam.
    """

    game: int
    seq: int
    move: Mapping[str, Any]
    undoes: tuple[int, ...]
    user: int
    player: str
    interaction: int | None
    at: datetime
    seam: bool = False


@dataclass(frozen=True)
class Seam:
    """A position in the log, from which the game is replayed: the host kept it when the program had changed."""

    seq: int
    #: The position as JSON values, the names at the table then, in the order of the seats, and why it was kept.
    position: Mapping[str, Any]
    players: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Opening:
    """The position before the first move as JSON values, and the names at the table then, in the order of the seats."""

    position: Mapping[str, Any]
    players: tuple[str, ...]


@dataclass(frozen=True)
class Begun:
    """What a game was begun with: the program's version, the tables after all options, and what was drawn."""

    version: str
    fingerprint: str
    #: JSON; empty if nobody asked for it.
    tables: str
    #: The digest of the position before the first move: seats, cards, scenario.
    drawn: bytes
    #: That position; older games have only its digest.
    opening: Opening | None = None


@dataclass(frozen=True)
class VerdictRow:
    """What a program makes of a game whose log has a length; `body` are JSON values."""

    game: int
    program: str
    length: int
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """A position kept beside the log, to be read in place of a replay: `basis` says what it follows from."""

    #: The log's length that the position belongs to.
    length: int
    basis: str
    digest: str
    body: bytes


@dataclass(frozen=True)
class Kept:
    """All that a game is loaded from, as it was at one moment."""

    record: GameRecord
    #: The moves that stand, their numbers in the log, and its length. Of a damaged log there are more numbers than
    #: moves: the first that is missing cannot be read.
    moves: tuple[Mapping[str, Any], ...]
    seqs: tuple[int, ...]
    length: int
    snapshot: Snapshot | None
    #: The digests that were kept with the moves; older moves have none.
    digests: tuple[bytes | None, ...] = ()
    #: The last position in the log from which the game is replayed.
    seam: Seam | None = None
    begun: Begun | None = None
    verdict: VerdictRow | None = None


@dataclass(frozen=True)
class Owner:
    """The bot that uses a database: where it runs, since when, and when it last said so."""

    token: str
    host: str
    process: int
    #: Tells machines, and starts of one machine, apart; empty where that is not known.
    machine: str
    since: datetime
    seen: datetime


@dataclass(frozen=True)
class Person:
    """What somebody has set for themselves. Hours of quiet are local to their zone."""

    user: int
    locale: str = ""
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    #: How they are told that it is their turn: `channel`, `direct` or `off`.
    ping: str = "channel"
    vacation_until: datetime | None = None
    #: Hours after which they want to be reminded, in place of the game's; the host is told when the game says.
    reminder_hours: tuple[int, ...] = ()


@dataclass(frozen=True)
class Server:
    """What the administrators of a server have set; no channels named means everywhere."""

    guild: int
    channels: tuple[int, ...] = ()
    locale: str = ""
    #: Where a new game lives unless its host says otherwise: in a `thread` of its own, or `here`, in the channel.
    place: str = "thread"


@dataclass(frozen=True)
class Quotas:
    """How much there may be on a server, of one person and in all: at once, within a day, or within an hour."""

    guild: int
    lobbies_of_person: int = 3
    #: Opened within 24 hours, whatever has become of them: each may have made a thread.
    lobbies_a_day: int = 20
    games_of_person: int = 10
    lobbies_of_server: int = 20
    games_of_server: int = 100
    #: Games as files within an hour.
    exports_of_person: int = 10
    exports_of_server: int = 100


@dataclass(frozen=True)
class Held:
    """A game whose channel refuses announcements: they are kept, and tried again."""

    game: int
    guild: int
    since: datetime
    #: What Discord said.
    why: str
    host_told: datetime | None = None


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
    #: Set before it is first sent: after a crash such a notice may have gone out and is marked as made again.
    begun: datetime | None = None


@dataclass(frozen=True)
class NewNotice:
    """An announcement that is to be kept with a change."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Waiting:
    """Somebody has to decide in a game since a time; the state of their reminders."""

    game: int
    user: int
    player: str
    since: datetime
    #: How many reminders have gone out, and which message was the last.
    steps_sent: int = 0
    last_sent: datetime | None = None
    message_channel: int | None = None
    message: int | None = None
    #: Their own last move while they went on being waited for: they are awake, so that reminders count from it, anew.
    acted: datetime | None = None
    #: A reminder to them was begun then and is not recorded as sent: after a crash it may have gone out.
    begun: datetime | None = None
    #: When the host was told that they are waited for; the same mark for telling the host.
    host_told: datetime | None = None
    host_begun: datetime | None = None


@dataclass(frozen=True)
class ToTell:
    """A game with announcements that are to be made, and what there is to know for them, all at one moment."""

    record: GameRecord
    notices: Sequence[Notice]
    #: What the last cards tell, as JSON values, oldest first.
    cards: Sequence[Any]
    server: Server
    waiting: Sequence[Waiting]
    #: Whoever has a seat.
    people: Mapping[int, Person]


@dataclass(frozen=True)
class ReminderPart:
    """One game in a reminder: which waiting row it speaks of, and what is to be recorded there once it is sent.

    `since` and `begun` are the row as it was read: if the turn has passed on or somebody else has begun the same
    reminder, the part falls away.
    """

    game: int
    user: int
    since: datetime
    #: How many reminders will have gone out.
    steps: int
    #: Whether this tells the host rather than the person who is waited for.
    host: bool = False
    begun: datetime | None = None
