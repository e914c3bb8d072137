"""All of the bot's time, kept by one scheduler. It remembers nothing: the database says what is due after a restart."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.jobstores.base import JobLookupError  # type: ignore[import-untyped]
from apscheduler.jobstores.memory import MemoryJobStore  # type: ignore[import-untyped]
from apscheduler.schedulers.asyncio import AsyncIOScheduler  # type: ignore[import-untyped]
from apscheduler.triggers.cron import CronTrigger  # type: ignore[import-untyped]

Work = Callable[[], Awaitable[None] | None]


class Scheduler:
    """Calls things again and again, every day at somebody's hour, or once after a while.

    What is called should be short: it rings a bell or starts a task. A call that is due again while it still runs is
    left out, and one that is late is made once.
    """

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(
            timezone=UTC,
            jobstores={"default": MemoryJobStore()},
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )

    def start(self) -> None:
        """Begin; what was put down before is called from now on."""
        if not self._scheduler.running:
            self._scheduler.start()

    def every(self, name: str, interval: timedelta, work: Work) -> None:
        self._put(name, work, "interval", seconds=interval.total_seconds())

    def daily(self, name: str, hour: int, zone: ZoneInfo, work: Work) -> None:
        """Every day at an hour of somebody's zone, in summer and in winter."""
        self._put(name, work, CronTrigger(hour=hour, minute=0, second=0, timezone=zone))

    def after(self, name: str, wait: timedelta, work: Work) -> None:
        """Once; the same name put down again takes the place of what was to come."""
        # By the machine's clock, whatever anybody's own says: the scheduler knows no other.
        self._put(name, work, "date", run_date=datetime.now(UTC) + wait)

    def cancel(self, name: str) -> None:
        try:
            self._scheduler.remove_job(name)
        except JobLookupError:
            return

    def names(self) -> set[str]:
        """What is put down."""
        return {job.id for job in self._scheduler.get_jobs()}

    async def close(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
            # The scheduler stops in a callback of the loop.
            await asyncio.sleep(0)

    def _put(self, name: str, work: Work, trigger: object, **when: object) -> None:
        self._scheduler.add_job(_call, trigger, args=[work], id=name, replace_existing=True, **when)


async def _call(work: Work) -> None:
    # A coroutine function, so that plain functions too are called in the event loop and not in a thread.
    result = work()
    if inspect.isawaitable(result):
        await result
