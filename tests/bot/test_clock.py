"""The clock over a real database: nothing forgotten, nothing sent twice, whatever fails at whatever moment."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.reminders import clock
from bot.reminders.clock import FIRST_RETRY, NotSent, ReminderClock, Sent
from bot.reminders.plan import Reminder
from bot.scheduler import Scheduler
from storage.errors import StorageError
from storage.records import PAUSED, PLAYING, Person
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, NOON, append, hours, playing

HOST = 5


class Crash(BaseException):
    """The process dies here."""


class Breaking:
    """A store whose call number `at` fails before or after it is carried out."""

    def __init__(self, store: SqliteStore, at: int, error: BaseException, *, after: bool) -> None:
        self._store, self._at, self._error, self._after = store, at, error, after
        self.calls = 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            fails = self.calls == self._at
            if fails and not self._after:
                raise self._error
            result = await getattr(self._store, name)(*arguments, **named)
            if fails:
                raise self._error
            return result

        return call


class Chat:
    """Where messages go: one of a nonce that was there lately is not posted again, as on Discord."""

    def __init__(self) -> None:
        self.now = NOON
        self.posted: dict[str, tuple[datetime, Reminder]] = {}
        self.repeated: list[str] = []
        #: Raised by the sendings to come, after the message is posted if `arrives`.
        self.failures: list[BaseException] = []
        self.arrives = False

    async def send(self, reminder: Reminder) -> Sent:
        failure = self.failures.pop(0) if self.failures else None
        if failure is None or self.arrives:
            if reminder.key in self.posted:
                assert reminder.repeated, "only what says that it may be a repetition comes again"
                self.repeated.append(reminder.key)
            else:
                self.posted[reminder.key] = (self.now, reminder)
        if failure is not None:
            raise failure
        return Sent(70, 1000 + list(self.posted).index(reminder.key))

    def told(self) -> list[tuple[float, int, list[tuple[int, int]], list[int]]]:
        """Hours since noon, to whom, which own games at which step, which hosted games."""
        return [
            (
                round((at - NOON) / timedelta(hours=1), 3),
                reminder.person.user,
                [(item.game.id, item.step) for item in reminder.items if item.due],
                [item.game.id for item in reminder.stalled],
            )
            for at, reminder in self.posted.values()
        ]

    def clock(self, store: SqliteStore, **more: Any) -> ReminderClock:
        return ReminderClock(store, self.send, now=lambda: self.now, **more)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path / "kursbuch.sqlite3")
    yield opened
    await opened.close()


@pytest.fixture
def chat() -> Chat:
    return Chat()


async def pass_time(ticking: ReminderClock, chat: Chat, end: datetime) -> None:
    while (following := await ticking.tick()) is not None and following <= end:
        assert following > chat.now
        chat.now = following
    chat.now = end
    await ticking.tick()


async def test_steps_go_out_are_recorded_and_end_with_the_host(store: SqliteStore, chat: Chat) -> None:
    game = (await playing(store, host=HOST, waiting={ANN: "ann"})).id
    await pass_time(chat.clock(store), chat, hours(500))
    assert chat.told() == [
        (12, ANN, [(game, 1)], []),
        (24, ANN, [(game, 2)], []),
        (48, ANN, [(game, 3)], []),
        (48, HOST, [], [game]),
    ]
    (row,) = await store.waiting()
    assert (row.steps_sent, row.last_sent, row.message_channel, row.message) == (3, hours(48), 70, 1002)
    assert (row.begun, row.host_begun, row.host_told) == (None, None, hours(48))


async def test_the_next_turn_and_a_pause_replace_what_was_to_come(store: SqliteStore, chat: Chat) -> None:
    game = (await playing(store, host=HOST, waiting={ANN: "ann"})).id
    ticking = chat.clock(store)
    await pass_time(ticking, chat, hours(13))
    await append(store, game, 0, waiting={BO: "bo"}, at=hours(13))
    await pass_time(ticking, chat, hours(23))
    await store.set_status(game, PAUSED, at=hours(23))
    await pass_time(ticking, chat, hours(123))
    await store.set_status(game, PLAYING, at=hours(123))
    await pass_time(ticking, chat, hours(126))
    assert chat.told() == [(12, ANN, [(game, 1)], []), (125, BO, [(game, 1)], [])]


async def test_after_an_outage_of_three_days_twenty_games_are_one_message(store: SqliteStore, chat: Chat) -> None:
    games = [
        (await playing(store, host=HOST, waiting={ANN: "ann"}, channel=number, at=hours(number / 10))).id
        for number in range(20)
    ]
    ticking = chat.clock(store)
    await pass_time(ticking, chat, hours(2))
    chat.now = hours(74)
    await pass_time(chat.clock(store), chat, hours(80))
    assert chat.told() == [(74, ANN, [(game, 3) for game in games], []), (74, HOST, [], games)]
    await pass_time(chat.clock(store), chat, hours(500))
    assert len(chat.posted) == 2


async def scene(store: SqliteStore) -> list[int]:
    """Two people, three games, a host: every kind of part occurs."""
    await store.set_person(Person(BO, quiet_from=0, quiet_to=6))
    return [
        (await playing(store, host=HOST, waiting={ANN: "ann"})).id,
        (await playing(store, host=HOST, waiting={ANN: "ann", BO: "bo"})).id,
        (await playing(store, host=ANN, waiting={BO: "bo"})).id,
    ]


def expected(games: list[int]) -> list[tuple[float, int, list[tuple[int, int]], list[int]]]:
    first, second, third = games
    return [
        (12, ANN, [(first, 1), (second, 1)], []),
        (18, BO, [(second, 1), (third, 1)], []),
        (24, ANN, [(first, 2), (second, 2)], []),
        (24, BO, [(second, 2), (third, 2)], []),
        (48, BO, [(second, 3), (third, 3)], []),
        (48, ANN, [(first, 3), (second, 3)], [third]),
        (48, HOST, [], [first, second, second]),
    ]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [Crash(), StorageError("the disk is full")], ids=["crash", "storage"])
async def test_a_crash_or_a_failing_database_at_any_call_loses_and_doubles_nothing(
    store: SqliteStore, chat: Chat, error: BaseException, after: bool
) -> None:
    games = await scene(store)
    at = 0
    fine = False
    while not fine:
        at += 1
        chat.posted.clear()
        chat.now = NOON
        for game in games:
            users = {row.user: row.player for row in await store.waiting(game=game)}
            await store.set_status(game, PLAYING, at=NOON, waiting={})
            await store.set_status(game, PLAYING, at=NOON, waiting=users)
        breaking = Breaking(store, at, error, after=after)
        ticking = chat.clock(breaking, default_hours=[12])  # type: ignore[arg-type]
        while chat.now < hours(20):
            try:
                await pass_time(ticking, chat, hours(20))
            except Crash:
                ticking = chat.clock(breaking, default_hours=[12])  # type: ignore[arg-type]
            except StorageError:
                # The same process tries again.
                pass
        fine = breaking.calls < at
        assert sorted(chat.told()) == [
            (12, HOST, [], games[:2]),
            (12, ANN, [(games[0], 1), (games[1], 1)], []),
            (18, HOST, [], [games[1]]),
            (18, ANN, [], [games[2]]),
            (18, BO, [(games[1], 1), (games[2], 1)], []),
        ], f"call {at}"
    assert at > 20
    # Only a crash between sending and recording leaves it open whether the message arrived.
    assert bool(chat.repeated) == (isinstance(error, Crash) and not after)


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_crash_while_sending_repeats_the_message_marked(store: SqliteStore, chat: Chat, arrives: bool) -> None:
    games = await scene(store)
    chat.now = hours(12)
    chat.failures, chat.arrives = [Crash()], arrives
    with pytest.raises(Crash):
        await chat.clock(store).tick()
    await pass_time(chat.clock(store), chat, hours(60))
    assert sorted(chat.told()) == sorted(expected(games))
    assert len(chat.repeated) == arrives
    (first,) = [reminder for at, reminder in chat.posted.values() if at == hours(12)]
    assert first.repeated != arrives


async def test_a_person_who_moves_after_the_crash_is_not_reminded_of_it(store: SqliteStore, chat: Chat) -> None:
    first, second = [(await playing(store, waiting={BO: "bo"}, channel=n)).id for n in range(2)]
    chat.now = hours(12)
    chat.failures = [Crash()]
    with pytest.raises(Crash):
        await chat.clock(store).tick()
    await append(store, first, 0, user=BO, waiting={}, at=hours(12.1))
    await chat.clock(store).tick()
    assert chat.told() == [(12, BO, [(second, 1)], [])]


async def test_what_discord_refuses_is_tried_again_later_and_holds_up_nobody_else(
    store: SqliteStore, chat: Chat, caplog: pytest.LogCaptureFixture
) -> None:
    for user in (ANN, BO):
        await playing(store, host=HOST, waiting={user: "x"})
    ticking = chat.clock(store)
    chat.now = hours(12)
    chat.failures = [OSError("no network")]
    with caplog.at_level(logging.WARNING):
        assert await ticking.tick() == hours(12) + FIRST_RETRY
    assert "no network" in caplog.text
    assert [told[:2] for told in chat.told()] == [(12, BO)]
    chat.failures = [OSError("still none")]
    chat.now += FIRST_RETRY
    assert await ticking.tick() == chat.now + 2 * FIRST_RETRY
    chat.now += 2 * FIRST_RETRY
    await ticking.tick()
    assert [told[1] for told in chat.told()] == [BO, ANN]
    assert await ticking.tick() == hours(24)


async def test_what_certainly_did_not_go_out_is_no_repetition_the_next_time(store: SqliteStore, chat: Chat) -> None:
    await playing(store, host=HOST, waiting={ANN: "ann"})
    ticking = chat.clock(store, default_hours=[12])
    chat.now = hours(12)
    chat.failures = [NotSent("not connected")] * 2
    assert await ticking.tick() == hours(12) + FIRST_RETRY
    (row,) = await store.waiting()
    assert (row.begun, row.host_begun, row.steps_sent) == (None, None, 0)
    chat.failures = [OSError("half way"), NotSent("not connected")]
    for tries in range(1, 5):
        chat.now += 2**tries * FIRST_RETRY
        await ticking.tick()
    repeated = {reminder.person.user: reminder.repeated for _, reminder in chat.posted.values()}
    assert repeated == {ANN: True, HOST: False}, "once it may have gone out, it may have gone out"


async def test_a_send_that_never_ends_has_failed(
    store: SqliteStore, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "SEND_SECONDS", 0.01)
    await playing(store, waiting={BO: "bo"})
    chat.now = hours(12)

    async def hang(reminder: Reminder) -> Sent:
        await asyncio.Event().wait()
        return Sent()

    ticking = ReminderClock(store, hang, now=lambda: chat.now)
    assert await ticking.tick() == hours(12) + FIRST_RETRY


async def test_a_turn_that_ends_while_others_are_reminded_is_left_out(store: SqliteStore, chat: Chat) -> None:
    first, second, third = [
        (await playing(store, host=HOST, waiting={user: "x"}, channel=user)).id for user in (ANN, BO, BO)
    ]
    chat.now = hours(12)
    chat_send = chat.send

    async def send(reminder: Reminder) -> Sent:
        if reminder.person.user == ANN:
            await append(store, second, 0, user=BO, waiting={}, at=chat.now)
        return await chat_send(reminder)

    await ReminderClock(store, send, now=lambda: chat.now).tick()
    assert chat.told() == [(12, ANN, [(first, 1)], []), (12, BO, [(third, 1)], [])]
    assert [item.game.id for item in chat.posted[list(chat.posted)[1]][1].items] == [third]


async def test_two_clocks_on_one_database_remind_once(store: SqliteStore, chat: Chat) -> None:
    games = await scene(store)
    other = await SqliteStore.open(store.path)
    try:
        # Real clocks move between two messages; the moment at which one is begun tells it from others.
        moments = (hours(55) + timedelta(microseconds=number) for number in itertools.count())
        clocks = [ReminderClock(each, chat.send, now=lambda: next(moments)) for each in (store, other)]
        await asyncio.gather(*(each.tick() for each in clocks))
    finally:
        await other.close()
    parts = [(part.game, part.user, part.host) for _, reminder in chat.posted.values() for part in reminder.parts]
    assert len(parts) == len(set(parts)) == len(games) + 1 + 4


# ---------------------------------------------------------------------- by the scheduler, in real time


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 (what is waited for is in the code under test)
            await asyncio.sleep(0.01)


@pytest.fixture
async def scheduler() -> AsyncIterator[Scheduler]:
    made = Scheduler()
    made.start()
    yield made
    await made.close()


async def test_the_timetable_sends_at_start_and_after_a_change_and_stops(
    store: SqliteStore, scheduler: Scheduler
) -> None:
    sent = list[Reminder]()

    async def send(reminder: Reminder) -> Sent:
        sent.append(reminder)
        return Sent()

    long_ago = datetime.now(UTC) - timedelta(hours=13)
    first = (await playing(store, waiting={ANN: "ann"}, at=long_ago)).id
    ticking = ReminderClock(store, send, every=timedelta(seconds=0.01), scheduler=scheduler)
    ticking.changed()
    ticking.start()
    await eventually(lambda: len(sent) == 1)
    second = (await playing(store, waiting={BO: "bo"}, at=long_ago)).id
    ticking.changed()
    await eventually(lambda: len(sent) == 2)
    await ticking.close()
    assert [[item.game.id for item in reminder.items] for reminder in sent] == [[first], [second]]
    await playing(store, waiting={HOST: "x"}, at=long_ago)
    ticking.changed()
    await asyncio.sleep(0.05)
    assert len(sent) == 2
    await ticking.close()


async def test_the_timetable_wakes_when_the_next_step_is_due(store: SqliteStore, scheduler: Scheduler) -> None:
    sent = asyncio.Event()

    async def send(reminder: Reminder) -> Sent:
        sent.set()
        return Sent()

    await playing(store, waiting={ANN: "ann"}, at=datetime.now(UTC) - timedelta(hours=12) + timedelta(seconds=0.7))
    ticking = ReminderClock(store, send, every=timedelta(seconds=0.05), scheduler=scheduler)
    ticking.start()
    try:
        async with asyncio.timeout(30):
            await sent.wait()
    finally:
        await ticking.close()


async def test_a_clock_that_is_set_back_is_noticed(store: SqliteStore, scheduler: Scheduler) -> None:
    sent = asyncio.Event()

    async def send(reminder: Reminder) -> Sent:
        sent.set()
        return Sent()

    now = hours(100)
    ticking = ReminderClock(
        store, send, now=lambda: now, every=timedelta(seconds=0.01), scheduler=scheduler, default_hours=[12]
    )
    ticking.start()
    await eventually(lambda: ticking._next is not None)
    # Nobody says that something has changed: another process has put it there.
    await playing(store, waiting={ANN: "ann"}, at=NOON)
    assert not sent.is_set()
    now = hours(13)
    try:
        async with asyncio.timeout(30):
            await sent.wait()
    finally:
        await ticking.close()


async def test_the_clock_goes_on_after_whatever_fails(
    store: SqliteStore, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clock, "FIRST_RETRY", timedelta(0))
    sent = list[Reminder]()

    async def send(reminder: Reminder) -> Sent:
        sent.append(reminder)
        return Sent()

    for error in (StorageError("locked"), RuntimeError("a mistake of ours")):
        sent.clear()
        await playing(store, waiting={ANN + len(caplog.records): "ann"}, at=datetime.now(UTC) - timedelta(hours=13))
        breaking: Any = Breaking(store, 1, error, after=False)
        ticking = ReminderClock(breaking, send, every=timedelta(seconds=0.05), scheduler=scheduler)
        ticking.start()
        await eventually(lambda: len(sent) == 1)
        await ticking.close()
        assert str(error) in caplog.text


async def test_closing_lets_the_message_under_way_finish_and_cuts_off_one_that_hangs(
    store: SqliteStore, scheduler: Scheduler
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def send(reminder: Reminder) -> Sent:
        begun.set()
        await go_on.wait()
        return Sent(70, 71)

    await playing(store, waiting={ANN: "ann"}, at=datetime.now(UTC) - timedelta(hours=13))
    ticking = ReminderClock(store, send, every=timedelta(seconds=0.05), scheduler=scheduler)
    ticking.start()
    await begun.wait()
    closing = asyncio.create_task(ticking.close(grace=30))
    await asyncio.sleep(0)
    go_on.set()
    await closing
    (row,) = await store.waiting()
    assert (row.steps_sent, row.message) == (1, 71)

    begun.clear()
    go_on.clear()
    await playing(store, waiting={BO: "bo"}, at=datetime.now(UTC) - timedelta(hours=13))
    ticking = ReminderClock(store, send, every=timedelta(seconds=0.05), scheduler=scheduler)
    ticking.start()
    await begun.wait()
    await ticking.close(grace=0.01)
    (row,) = await store.waiting(user=BO)
    assert row.begun is not None, "it comes again, marked as repeated"
