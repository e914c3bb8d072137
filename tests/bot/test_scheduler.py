"""All of the bot's time is kept by one scheduler, from the moment at which Discord is there."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.reminders.clock import ReminderClock, Sent
from bot.reminders.plan import Reminder
from bot.scheduler import Scheduler
from storage.records import Person
from storage.sqlite import SqliteStore
from workshop.evening.guests import NoPictures, evening
from workshop.evening.house import eventually
from workshop.evening.making import ANN, playing
from workshop.evening.positions import Position, put

START = Position(4, ())
BOT = Path(__file__).parents[2] / "bot"


@pytest.fixture
async def scheduler() -> AsyncIterator[Scheduler]:
    made = Scheduler()
    made.start()
    yield made
    await made.close()


async def test_calls_come_again_once_and_not_after_they_are_cancelled(scheduler: Scheduler) -> None:
    calls: list[str] = []
    scheduler.every("often", timedelta(seconds=0.02), lambda: calls.append("often"))
    scheduler.after("once", timedelta(seconds=0.01), lambda: calls.append("once"))
    scheduler.after("never", timedelta(seconds=0.01), lambda: calls.append("never"))
    scheduler.after("never", timedelta(days=1), lambda: calls.append("never"))
    await eventually(lambda: calls.count("often") >= 3 and "once" in calls)
    scheduler.cancel("often")
    scheduler.cancel("unknown")
    count = len(calls)
    await asyncio.sleep(0.1)
    assert len(calls) <= count + 1
    assert calls.count("once") == 1
    assert "never" not in calls
    assert scheduler.names() == {"never"}


async def test_a_daily_call_follows_the_clock_on_the_wall(scheduler: Scheduler) -> None:
    scheduler.daily("morning", 7, ZoneInfo("Europe/Berlin"), lambda: None)
    trigger = scheduler._scheduler.get_job("morning").trigger
    before, after = datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 29, 12, tzinfo=UTC)
    fires = [
        trigger.get_next_fire_time(None, now).astimezone(UTC).hour
        for now in (before - timedelta(days=1), before, after)
    ]
    assert fires == [6, 5, 5], "summer time begins in the night to the 29th"


async def test_quiet_hours_end_by_a_call_at_the_persons_own_hour(tmp_path: Path, scheduler: Scheduler) -> None:
    async with await SqliteStore.open(tmp_path / "kursbuch.sqlite3") as store:
        noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
        await playing(store, waiting={ANN: "ann"}, at=noon - timedelta(hours=13))
        await store.set_person(Person(ANN, zone="Europe/Berlin", quiet_from=13, quiet_to=15))
        sent: list[Reminder] = []

        async def send(reminder: Reminder) -> Sent:
            sent.append(reminder)
            return Sent()

        now = noon
        clock = ReminderClock(store, send, now=lambda: now, scheduler=scheduler)
        await clock.tick()
        assert sent == []
        job = scheduler._scheduler.get_job(f"quiet hours of {ANN}")
        assert (str(job.trigger.timezone), str(job.trigger.fields[5])) == ("Europe/Berlin", "15")
        now = noon + timedelta(hours=1)
        await clock.tick()
        assert len(sent) == 1
        assert scheduler.names() == set(), "nothing is put down for whom nothing waits"


async def test_what_was_due_while_the_bot_was_away_goes_out_as_soon_as_discord_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        await put(home, START)
        await home.bot.store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        await home.bot.close()
        begun = time.monotonic()
        # Discord takes a moment to say that it is ready; the clock must not have tried, and failed, before.
        table.faults.slow("GET /gateway", seconds=0.5)
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            await anew.person("ann").sees("is waiting for you", "lobby", seconds=15)
        assert time.monotonic() - begun < 30


def test_nothing_in_the_bot_keeps_time_beside_the_scheduler() -> None:
    """Two exceptions: a pause before a dead client's successor, and the beat of whoever holds the database."""
    clocks = re.compile(r"apscheduler|asyncio\.sleep\((?!0\))|call_later|call_at|tasks\.loop")
    found = {
        str(file.relative_to(BOT)): len(clocks.findall(file.read_text("utf-8")))
        for file in BOT.rglob("*.py")
        if clocks.search(file.read_text("utf-8")) and file.name != "scheduler.py"
    }
    assert found == {"client.py": 1, "logs.py": 1, "upkeep.py": 2}
