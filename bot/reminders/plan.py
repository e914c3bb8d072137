"""Who is to be reminded of what at a given time: computed from what is kept, with no clock, database or Discord.

A person gets one message for all games that wait for them, and for the games they host in which somebody else has let
all reminders pass. Nothing here remembers anything: the same rows at the same time give the same answer, and what
has been recorded as sent is not due again. That is all it takes to survive restarts: what was missed is due at once,
once, at the highest step that has passed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.numbers import MOST_EXTENSION, MOST_HOURS
from storage.records import PLAYING, GameRecord, Person, ReminderPart, Waiting

#: Hours of waiting after which a reminder goes out, unless the game or the person says otherwise.
DEFAULT_HOURS = (12, 24, 48)
#: After a reminder other games keep still for this part of their own first step, so that games which fall due one
#: after the other make one ping together and not one each.
GATHERING = 1 / 3

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUARTER = timedelta(minutes=15)
#: No turn lasts so long; and from here every zone, and what is added to a time, is within the calendar.
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Item:
    """One game in a reminder."""

    game: GameRecord
    waiting: Waiting
    #: How many steps of the escalation have passed with this one, of how many. A game that waits but is not due yet
    #: is named too, with the steps it has had.
    step: int
    steps: int
    due: bool


@dataclass(frozen=True)
class Reminder:
    """One message to one person."""

    person: Person
    #: Games that wait for them, the longest waiting first.
    items: tuple[Item, ...]
    #: Games that they host in which somebody else has let the last step pass.
    stalled: tuple[Item, ...]
    #: What is to be recorded.
    parts: tuple[ReminderPart, ...]
    #: When it was begun, if it was.
    begun: datetime | None = None
    #: It was begun before and never recorded as sent: we crashed or Discord failed, and it may have gone out already.
    repeated: bool = False

    @property
    def key(self) -> str:
        """Names this message: the same when it is sent again, and short enough for a nonce of Discord."""
        if self.begun is None:
            raise ValueError("a reminder has its key from when it is begun")
        return key(self.person.user, self.begun)


@dataclass(frozen=True)
class Plan:
    """What is due now, and when to look again."""

    due: tuple[Reminder, ...]
    #: The next time at which something may be due that is not due now; nothing if nobody is waited for.
    next: datetime | None
    #: People whose reminders wait for the end of their quiet hours.
    quiet: tuple[Person, ...] = ()
    #: Games for which nobody can be reminded because of what is kept of them, and why.
    faults: Mapping[int, BaseException] = field(default_factory=dict)


def key(user: int, begun: datetime) -> str:
    """A name of at most 25 characters for the reminder that was begun to somebody at a time.

    >>> key(1152921504606846977, datetime(2026, 5, 4, 12, tzinfo=UTC))
    '8rc4kbdvss1t-hi7m5ahhc0'
    """
    return f"{_base36(user)}-{_base36((begun - _EPOCH) // timedelta(microseconds=1))}"


def plan(
    rows: Iterable[Waiting],
    games: Mapping[int, GameRecord],
    people: Mapping[int, Person],
    now: datetime,
    *,
    default_hours: Sequence[int] = DEFAULT_HOURS,
) -> Plan:
    """What is due at `now`. Rows of games that are not given or not being played are left out.

    A row that makes no sense is left out too, and the others are not.
    """
    faults: dict[int, BaseException] = {}
    own: dict[int, list[_Row]] = defaultdict(list)
    hosted: dict[int, list[_Row]] = defaultdict(list)
    for waiting in rows:
        game = games.get(waiting.game)
        if game is None or game.status != PLAYING:
            continue
        person = people.get(waiting.user) or Person(waiting.user)
        try:
            hours = _hours(game, person, default_hours)
            if not hours:
                continue
            row = _Row(waiting, game, person, hours, now)
        except Exception as error:
            faults[game.id] = error
            continue
        own[waiting.user].append(row)
        if game.host != waiting.user and waiting.host_told is None:
            hosted[game.host].append(row)
    users = {user: people.get(user) or Person(user) for user in sorted(own.keys() | hosted.keys())}
    for user, person in users.items():
        for row in _going_out(person, own[user], now):
            # The last reminder goes out now: the host is told in the same breath, and in one message with their own.
            row.stalled = row.passed == len(row.deadlines)
    due: list[Reminder] = []
    times: list[datetime] = []
    quiet: list[Person] = []
    for user, person in users.items():
        reminders, later = _of_person(person, own[user], hosted[user], now)
        due.extend(reminders)
        times.extend(later)
        if not reminders and awake(person, now) > now:
            quiet.append(person)
    # Hosts last.
    due.sort(key=lambda reminder: bool(reminder.stalled))
    return Plan(tuple(due), min(times, default=None), tuple(quiet), faults)


def _hours(game: GameRecord, person: Person, default_hours: Sequence[int]) -> list[int]:
    hours = sorted({hour for hour in game.reminder_hours or default_hours if hour > 0})
    if hours and hours[-1] > MOST_HOURS:
        raise ValueError(f"a reminder after {hours[-1]} hours")
    if not 0 <= game.extension_hours <= MOST_EXTENSION:
        raise ValueError(f"a turn that is longer by {game.extension_hours} hours")
    if not hours or not person.reminder_hours:
        return hours
    # A person may say when they are reminded, but not that the host never hears of it.
    return [*sorted({hour for hour in person.reminder_hours if 0 < hour < hours[-1]}), hours[-1]]


class _Row:
    """A waiting row and which of its deadlines have passed."""

    def __init__(self, waiting: Waiting, game: GameRecord, person: Person, hours: Sequence[int], now: datetime) -> None:
        self.waiting = waiting
        self.game = game
        # Time counts from when they could last have been expected to move.
        base = max(filter(None, (waiting.since, waiting.acted, person.vacation_until)))
        base += timedelta(hours=game.extension_hours)
        self.deadlines = [base + timedelta(hours=hour) for hour in hours]
        if max(self.deadlines[-1], waiting.last_sent or base) > _LATEST:
            raise ValueError(f"a turn that began at {waiting.since}, with a reminder at {waiting.last_sent}")
        self.passed = sum(deadline <= now for deadline in self.deadlines)
        self.pinged = person.ping != "off"
        self.due = self.pinged and self.passed > waiting.steps_sent
        #: Whether the host is to be told: last of all, when the person has had their last reminder.
        self.stalled = self.passed == len(hours) and (not self.pinged or waiting.steps_sent >= self.passed)
        #: How long it keeps still after a reminder of other games.
        self.gathering = timedelta(hours=hours[0]) * GATHERING

    def next(self) -> datetime | None:
        """The next deadline that is to come."""
        step = max(self.passed, self.waiting.steps_sent)
        return self.deadlines[step] if self.pinged and step < len(self.deadlines) else None

    def item(self, *, due: bool) -> Item:
        steps = len(self.deadlines)
        return Item(self.game, self.waiting, self.passed if due else min(self.waiting.steps_sent, steps), steps, due)

    def part(self, *, host: bool) -> ReminderPart:
        row = self.waiting
        begun = row.host_begun if host else row.begun
        return ReminderPart(row.game, row.user, row.since, self.passed, host, begun)


def _of_person(
    person: Person, own: Sequence[_Row], hosted: Sequence[_Row], now: datetime
) -> tuple[list[Reminder], list[datetime]]:
    """The messages that are due to somebody, and when to look at them again."""
    own = sorted(own, key=lambda row: (row.waiting.since, row.game.id))
    due = [row for row in own if row.due]
    stalled = [row for row in hosted if row.stalled]
    later = [awake(person, time) for row in own if (time := row.next())]
    later += [awake(person, row.deadlines[-1]) for row in hosted if row.passed < len(row.deadlines)]
    if not due and not stalled:
        return [], later
    start = awake(person, max(now, person.vacation_until or now))
    if start > now:
        return [], [*later, start]
    # What was begun before goes out by itself and first: only so can it be known as the same message.
    begun = {row.waiting.begun for row in due} | {row.waiting.host_begun for row in stalled}
    if before := sorted(filter(None, begun)):
        return [
            _reminder(
                person,
                own,
                [row for row in due if row.waiting.begun == time],
                [row for row in stalled if row.waiting.host_begun == time],
                time,
            )
            for time in before
        ], later
    if not stalled and (held := min(_held(row, own, now) for row in due)) > now:
        return [], [*later, awake(person, held)]
    return [_reminder(person, own, due, stalled, None)], later


def _going_out(person: Person, own: Sequence[_Row], now: datetime) -> list[_Row]:
    """The rows of somebody's own games for which they are reminded now, whatever else there is to tell them."""
    due = [row for row in own if row.due]
    if not due or awake(person, now) > now:
        return []
    if begun := [row for row in due if row.waiting.begun]:
        return begun
    return due if min(_held(row, own, now) for row in due) <= now else []


def _held(row: _Row, rows: Iterable[_Row], now: datetime) -> datetime:
    """When a row that is due may ping by itself, after what was sent lately for other games."""
    sent = [other.waiting.last_sent for other in rows if other is not row and other.waiting.last_sent]
    return max(sent) + row.gathering if sent else now


def _reminder(
    person: Person, own: Sequence[_Row], due: Sequence[_Row], stalled: Sequence[_Row], begun: datetime | None
) -> Reminder:
    return Reminder(
        person,
        tuple(row.item(due=row in due) for row in own) if due else (),
        tuple(row.item(due=True) for row in stalled),
        (*(row.part(host=False) for row in due), *(row.part(host=True) for row in stalled)),
        begun,
        begun is not None,
    )


# ---------------------------------------------------------------------- quiet hours


def awake(person: Person, time: datetime) -> datetime:
    """The first moment from `time` on that is not in the person's quiet hours.

    >>> ann = Person(1, zone="Europe/Berlin", quiet_from=22, quiet_to=7)
    >>> awake(ann, datetime(2026, 3, 28, 23, tzinfo=UTC)).isoformat()  # the night in which summer time begins
    '2026-03-29T05:00:00+00:00'
    >>> awake(ann, datetime(2026, 3, 29, 12, tzinfo=UTC)).isoformat()
    '2026-03-29T12:00:00+00:00'
    """
    zone = local_zone(person.zone)
    if not _quiet(person, time.astimezone(zone)):
        return time
    local = time.astimezone(zone)
    assert person.quiet_from is not None
    assert person.quiet_to is not None
    day = local.date() + timedelta(days=local.hour >= person.quiet_from > person.quiet_to)
    # An end that the clocks jump over is the moment of the jump; one that comes twice is the first.
    end = datetime(day.year, day.month, day.day, person.quiet_to, tzinfo=zone).astimezone(UTC)
    while end <= time or _quiet(person, end.astimezone(zone)):
        end += _QUARTER
    return end


def _quiet(person: Person, local: datetime) -> bool:
    start, end = person.quiet_from, person.quiet_to
    if start is None or end is None or start == end:
        return False
    if start < end:
        return start <= local.hour < end
    return local.hour >= start or local.hour < end


@lru_cache(maxsize=1024)
def local_zone(name: str) -> ZoneInfo:
    """A person's zone; one that is not known any more counts as UTC, for a reminder must not fail over it."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def _base36(number: int) -> str:
    text = ""
    number = abs(number)
    while number:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text or "0"
