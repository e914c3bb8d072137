"""Reminders under a simulated clock: what goes out to whom at which time, through a year and its clock changes."""

from __future__ import annotations

import doctest
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bot.reminders.plan
from bot.reminders.plan import Plan, Reminder, awake, key, plan
from storage.records import PAUSED, PLAYING, GameRecord, Person, Seat, Waiting

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ANN, BO, HOST = 1, 2, 9
HOUR = timedelta(hours=1)


def game(number: int = 1, **more: object) -> GameRecord:
    record = GameRecord(number, 7, 70, "rhl", {}, 18, HOST, 3, PLAYING, (Seat("ann", ANN), Seat("bo", BO)), NOON, NOON)
    return replace(record, **more)  # type: ignore[arg-type]


@dataclass
class World:
    """Keeps what the database would keep, and lets time pass."""

    games: dict[int, GameRecord]
    people: dict[int, Person]
    rows: dict[tuple[int, int], Waiting]
    now: datetime = NOON
    sent: list[tuple[datetime, Reminder]] = field(default_factory=list)

    @staticmethod
    def of(*rows: Waiting, games: Iterable[GameRecord] = (), people: Iterable[Person] = ()) -> World:
        given_games = {record.id: record for record in games}
        return World(
            {row.game: given_games.get(row.game) or game(row.game) for row in rows},
            {person.user: person for person in people},
            {(row.game, row.user): row for row in rows},
        )

    def plan(self) -> Plan:
        return plan(self.rows.values(), self.games, self.people, self.now)

    def record(self, reminder: Reminder) -> None:
        self.sent.append((self.now, reminder))
        for part in reminder.parts:
            row = self.rows[part.game, part.user]
            if part.host:
                row = replace(row, host_told=self.now, host_begun=None)
            else:
                row = replace(row, steps_sent=part.steps, last_sent=self.now, begun=None)
            self.rows[part.game, part.user] = row

    def look(self) -> datetime | None:
        """Send all that is due now."""
        while (found := self.plan()).due:
            for reminder in found.due:
                self.record(reminder)
        return found.next

    def until(self, end: datetime) -> list[tuple[float, int, list[tuple[int, int]]]]:
        """Let time pass, waking only when the plan says so: (hours since noon, person, games with their steps)."""
        while (following := self.look()) is not None and following <= end:
            assert following > self.now
            self.now = following
        self.now = end
        self.look()
        return self.told()

    def told(self) -> list[tuple[float, int, list[tuple[int, int]]]]:
        return [
            (
                (at - NOON) / HOUR,
                reminder.person.user,
                [(item.game.id, item.step) for item in reminder.items if item.due]
                or [(-item.game.id, item.step) for item in reminder.stalled],
            )
            for at, reminder in self.sent
        ]


def waits(number: int = 1, user: int = ANN, since: datetime = NOON, **more: object) -> Waiting:
    return replace(Waiting(number, user, "ann", since), **more)  # type: ignore[arg-type]


def test_documented_examples_hold() -> None:
    assert doctest.testmod(bot.reminders).failed == 0


# ---------------------------------------------------------------------- escalation


def test_after_12_24_and_48_hours_and_the_host_is_told_last() -> None:
    world = World.of(waits())
    assert world.until(NOON + 1000 * HOUR) == [
        (12, ANN, [(1, 1)]),
        (24, ANN, [(1, 2)]),
        (48, ANN, [(1, 3)]),
        (48, HOST, [(-1, 3)]),
    ]
    assert world.plan() == Plan((), None)


def test_the_hours_of_the_game_go_before_those_of_the_bot() -> None:
    world = World.of(waits(), games=[game(reminder_hours=(6, 3))])
    assert world.until(NOON + 100 * HOUR) == [(3, ANN, [(1, 1)]), (6, ANN, [(1, 2)]), (6, HOST, [(-1, 2)])]


def test_the_person_chooses_when_they_are_reminded_but_not_when_the_host_is_told() -> None:
    world = World.of(waits(), people=[Person(ANN, reminder_hours=(40, 5, 900))])
    assert world.until(NOON + 1000 * HOUR) == [
        (5, ANN, [(1, 1)]),
        (40, ANN, [(1, 2)]),
        (48, ANN, [(1, 3)]),
        (48, HOST, [(-1, 3)]),
    ]


def test_whoever_wants_no_pings_gets_none_but_the_host_hears_of_it() -> None:
    world = World.of(waits(), people=[Person(ANN, ping="off")])
    assert world.until(NOON + 1000 * HOUR) == [(48, HOST, [(-1, 3)])]


def test_the_host_is_not_told_that_they_are_waited_for() -> None:
    world = World.of(waits(user=HOST))
    assert [told[:2] for told in world.until(NOON + 1000 * HOUR)] == [(12, HOST), (24, HOST), (48, HOST)]


def test_the_host_has_quiet_hours_and_vacations_too() -> None:
    host = Person(HOST, quiet_from=10, quiet_to=15)
    world = World.of(waits(), people=[host])
    assert world.until(NOON + 1000 * HOUR)[-2:] == [(48, ANN, [(1, 3)]), (51, HOST, [(-1, 3)])]
    world = World.of(waits(), people=[replace(host, vacation_until=NOON + 96 * HOUR)])
    assert world.until(NOON + 1000 * HOUR)[-1] == (99, HOST, [(-1, 3)])


def test_one_message_tells_a_host_of_their_own_turn_and_of_others() -> None:
    world = World.of(waits(1), waits(2, HOST, NOON + 36 * HOUR))
    world.until(NOON + 48 * HOUR)
    assert world.told()[-2:] == [(48, ANN, [(1, 3)]), (48, HOST, [(2, 1)])], "the host last"
    _, last = world.sent[-1]
    assert [item.game.id for item in last.stalled] == [1]


def test_no_hours_means_no_reminders() -> None:
    assert plan([waits()], {1: game()}, {}, NOON + 99 * HOUR, default_hours=()) == Plan((), None)


def test_a_game_that_is_paused_or_unknown_is_left_alone() -> None:
    world = World.of(waits(1), waits(2), games=[game(1, status=PAUSED)])
    del world.games[2]
    assert world.until(NOON + 1000 * HOUR) == []


def test_an_extension_moves_every_step_still_to_come() -> None:
    world = World.of(waits())
    world.until(NOON + 13 * HOUR)
    world.games[1] = game(extension_hours=24)
    assert world.until(NOON + 1000 * HOUR)[1:] == [(48, ANN, [(1, 2)]), (72, ANN, [(1, 3)]), (72, HOST, [(-1, 3)])]


def test_whoever_moves_within_their_turn_is_reminded_from_then_on() -> None:
    world = World.of(waits(acted=NOON + 11 * HOUR))
    assert world.until(NOON + 24 * HOUR) == [(23, ANN, [(1, 1)])]


def test_the_next_turn_replaces_the_reminders_of_the_last() -> None:
    world = World.of(waits())
    world.until(NOON + 20 * HOUR)
    world.rows = {(1, BO): waits(1, BO, NOON + 20 * HOUR)}
    assert world.until(NOON + 40 * HOUR) == [(12, ANN, [(1, 1)]), (32, BO, [(1, 1)])]


# ---------------------------------------------------------------------- several games


def test_twenty_games_of_one_person_are_one_ping() -> None:
    world = World.of(*(waits(number) for number in range(1, 21)))
    told = world.until(NOON + 1000 * HOUR)
    assert [(hour, user, len(games)) for hour, user, games in told] == [
        (12, ANN, 20),
        (24, ANN, 20),
        (48, ANN, 20),
        (48, HOST, 20),
    ]


def test_games_that_fall_due_one_after_the_other_are_gathered() -> None:
    rows = [waits(number, since=NOON + number * timedelta(minutes=15)) for number in range(20)]
    world = World.of(*rows)
    told = [(hour, games) for hour, user, games in world.until(NOON + 20 * HOUR) if user == ANN]
    assert [hour for hour, _ in told] == [12, 16, 20]
    assert [len(games) for _, games in told] == [1, 16, 3]


def test_a_reminder_names_the_games_that_wait_but_are_not_due() -> None:
    world = World.of(waits(1), waits(2, since=NOON + 11 * HOUR))
    world.until(NOON + 12 * HOUR)
    ((_, reminder),) = world.sent
    assert [(item.game.id, item.step, item.steps, item.due) for item in reminder.items] == [
        (1, 1, 3, True),
        (2, 0, 3, False),
    ]
    assert [part.game for part in reminder.parts] == [1]


def test_several_people_of_one_game_are_each_reminded() -> None:
    world = World.of(waits(1, ANN), waits(1, BO, NOON + HOUR))
    assert world.until(NOON + 13 * HOUR) == [(12, ANN, [(1, 1)]), (13, BO, [(1, 1)])]


# ---------------------------------------------------------------------- outage, vacation


def test_after_an_outage_of_three_days_what_was_missed_is_sent_once_late() -> None:
    world = World.of(*(waits(number, since=NOON - number * HOUR) for number in range(1, 6)))
    world.now = NOON + 72 * HOUR
    world.look()
    assert world.told() == [
        (72, ANN, [(5, 3), (4, 3), (3, 3), (2, 3), (1, 3)]),
        (72, HOST, [(-1, 3), (-2, 3), (-3, 3), (-4, 3), (-5, 3)]),
    ]


def test_after_an_outage_that_ends_at_night_the_quiet_hours_count() -> None:
    world = World.of(waits(), people=[Person(ANN, zone="Europe/Berlin", quiet_from=22, quiet_to=7)])
    world.now = NOON + 63 * HOUR  # three in the morning, UTC
    assert world.until(NOON + 70 * HOUR)[0] == (65, ANN, [(1, 3)])


def test_a_vacation_stops_reminders_and_its_time_does_not_count() -> None:
    world = World.of(waits(), people=[Person(ANN, vacation_until=NOON + 100 * HOUR)])
    assert [told[0] for told in world.until(NOON + 1000 * HOUR)] == [112, 124, 148, 148]
    over = World.of(waits(), people=[Person(ANN, vacation_until=NOON - HOUR)])
    assert [told[0] for told in over.until(NOON + 1000 * HOUR)] == [12, 24, 48, 48]


# ---------------------------------------------------------------------- crash


def test_what_was_begun_before_a_crash_comes_again_under_the_same_key_and_says_so() -> None:
    begun = NOON + 12 * HOUR
    world = World.of(waits(1, begun=begun), waits(2, begun=begun), waits(3))
    world.now = begun + timedelta(minutes=1)
    (again,) = world.plan().due
    assert again.repeated
    assert again.key == key(ANN, begun)
    assert len(again.key) <= 25
    assert [part.game for part in again.parts] == [1, 2], "the third was not in that message"
    assert {part.begun for part in again.parts} == {begun}
    world.record(again)
    assert not world.plan().due, "the third waits a while, for they have just been pinged"
    world.until(NOON + 17 * HOUR)
    assert [(told[0], told[2]) for told in world.told()][1:] == [(pytest.approx(16 + 1 / 60), [(3, 1)])]


def test_a_reminder_begun_before_a_long_outage_is_sent_once_at_the_step_of_today() -> None:
    world = World.of(waits(begun=NOON + 12 * HOUR))
    world.now = NOON + 90 * HOUR
    world.look()
    assert world.told() == [(90, ANN, [(1, 3)]), (90, HOST, [(-1, 3)])]


def test_a_key_needs_a_reminder_that_is_begun_and_fits_into_a_nonce() -> None:
    world = World.of(waits())
    world.now = NOON + 12 * HOUR
    with pytest.raises(ValueError, match="begun"):
        _ = world.plan().due[0].key
    assert len(key(2**63 - 1, datetime(2100, 1, 1, tzinfo=UTC))) <= 25


# ---------------------------------------------------------------------- quiet hours and clock changes

ZONES = ["Europe/Berlin", "America/New_York"]


@pytest.mark.parametrize("zone", [*ZONES, "Australia/Lord_Howe", "Asia/Kathmandu"])
@pytest.mark.parametrize(("start", "end"), [(22, 7), (23, 2), (1, 3), (2, 3), (0, 1), (3, 2)])
def test_quiet_hours_end_at_the_right_moment_around_every_clock_change(zone: str, start: int, end: int) -> None:
    person = Person(ANN, zone=zone, quiet_from=start, quiet_to=end)
    local = ZoneInfo(zone)

    def quiet(time: datetime) -> bool:
        hour = time.astimezone(local).hour
        return start <= hour < end if start < end else hour >= start or hour < end

    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    days = [(new_year + timedelta(days=day)).astimezone(local) for day in range(366)]
    changes = [day for day, after in itertools.pairwise(days) if day.utcoffset() != after.utcoffset()]
    assert len(changes) == (0 if zone == "Asia/Kathmandu" else 2)
    times = [
        day.astimezone(UTC) + timedelta(minutes=45 * step) for day in [*changes, days[0]] for step in range(-40, 80)
    ]
    for time in times:
        free = awake(person, time)
        assert not quiet(free)
        if quiet(time):
            # Everything from now to the end is quiet: not a quarter of an hour is given away.
            between = time
            while between < free:
                assert quiet(between)
                between += timedelta(minutes=15)
            assert quiet(free - timedelta(microseconds=1))
        else:
            assert free == time


@pytest.mark.parametrize("zone", ZONES)
def test_a_year_of_turns_with_both_clock_changes(zone: str) -> None:
    """Somebody who is slow all year: each reminder comes at its hour or when their night is over, and once."""
    person = Person(ANN, zone=zone, quiet_from=22, quiet_to=8)
    local = ZoneInfo(zone)
    world = World.of(waits(since=datetime(2026, 1, 1, tzinfo=UTC)), people=[person])
    world.now = datetime(2026, 1, 1, tzinfo=UTC)
    expected: list[datetime] = []
    while world.now.year == 2026:
        since = world.now
        end = since + timedelta(hours=30, minutes=25)
        world.rows = {(1, ANN): waits(since=since)}
        world.until(end)
        steps = {awake(person, since + timedelta(hours=hours)) for hours in (12, 24)}
        expected += sorted(time for time in steps if time <= end)
    sent = [at for at, _ in world.sent]
    assert sent == expected
    assert len(sent) > 400
    assert all(8 <= at.astimezone(local).hour < 22 for at in sent)
    ends_of_night = {at.utcoffset() for at in (at.astimezone(local) for at in sent) if (at.hour, at.minute) == (8, 0)}
    assert len(ends_of_night) == 2, "reminders at eight in the morning, in winter time and in summer time"


def test_the_night_before_summer_time_is_an_hour_shorter_and_the_hours_of_waiting_are_not() -> None:
    person = Person(ANN, zone="Europe/Berlin", quiet_from=22, quiet_to=7)
    evening = datetime(2026, 3, 28, 9, tzinfo=UTC)  # ten in the morning, twelve hours before the night
    world = World.of(waits(since=evening), people=[person])
    world.now = evening
    world.until(evening + 24 * HOUR)
    assert [at for at, _ in world.sent] == [evening.replace(day=29, hour=5), evening.replace(day=29, hour=9)]


def test_an_unknown_zone_counts_as_utc() -> None:
    for zone in ("Mars/Olympus", "", "Europe", "../etc/passwd"):
        person = Person(ANN, zone=zone, quiet_from=0, quiet_to=13)
        assert awake(person, NOON) == NOON + HOUR


def test_quiet_hours_that_begin_and_end_together_are_none() -> None:
    assert awake(Person(ANN, quiet_from=5, quiet_to=5), NOON) == NOON
    assert awake(Person(ANN, quiet_from=5), NOON) == NOON


# ---------------------------------------------------------------------- any rows at any time

instants = st.integers(-100 * 60, 100 * 60).map(lambda minutes: NOON + timedelta(minutes=minutes))
small_hours = st.lists(st.integers(1, 60), max_size=4).map(tuple)
people = st.builds(
    Person,
    user=st.just(0),
    zone=st.sampled_from([*ZONES, "Asia/Kolkata", "UTC"]),
    quiet_from=st.none() | st.integers(0, 23),
    quiet_to=st.none() | st.integers(0, 23),
    ping=st.sampled_from(["channel", "direct", "off"]),
    vacation_until=st.none() | instants,
    reminder_hours=small_hours,
)
rows = st.builds(
    Waiting,
    game=st.integers(1, 5),
    user=st.integers(1, 3),
    player=st.just("ann"),
    since=instants,
    steps_sent=st.integers(0, 4),
    last_sent=st.none() | instants,
    acted=st.none() | instants,
    begun=st.none() | st.just(NOON),
    host_told=st.none() | instants,
    host_begun=st.none() | st.just(NOON),
)
games = st.builds(
    lambda host, hours, extension, status: game(
        host=host, reminder_hours=hours, extension_hours=extension, status=status
    ),
    st.integers(1, 4),
    small_hours,
    st.integers(0, 30),
    st.sampled_from([PLAYING, PLAYING, PLAYING, PAUSED]),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(rows, max_size=12, unique_by=lambda row: (row.game, row.user)),
    st.lists(games, min_size=5, max_size=5),
    st.lists(people, min_size=4, max_size=4),
    instants,
    st.floats(0, 1),
)
def test_whatever_waits(
    waiting: list[Waiting], records: list[GameRecord], persons: list[Person], now: datetime, share: float
) -> None:
    world = World.of(
        *waiting,
        games=[replace(record, id=number) for number, record in enumerate(records, start=1)],
        people=[replace(person, user=user) for user, person in enumerate(persons, start=1)],
    )
    world.now = now
    found = world.plan()
    assert found == world.plan()
    new = [reminder.person.user for reminder in found.due if not reminder.repeated]
    assert len(new) == len(set(new)), "one ping and not five"
    for reminder in found.due:
        assert awake(reminder.person, now) == now, "never in quiet hours"
        assert (reminder.person.vacation_until or now) <= now
        assert reminder.parts
        assert not (reminder.person.ping == "off" and reminder.items)
        assert all(world.games[part.game].status == PLAYING for part in reminder.parts)
    following = world.look()
    assert not world.plan().due, "what is recorded is not due again"
    assert following is None or following > now
    # Nobody who sleeps until then misses anything.
    world.now = now + (following - now if following else 999 * HOUR) * share
    assert world.now == following or not world.plan().due
