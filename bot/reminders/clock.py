"""Sends reminders when they are due. The database says what is due; the scheduler only wakes us.

Each reminder is marked as begun in the database before it is sent and recorded as sent afterwards. So after a crash
in between it is known that it may have gone out: it is sent again with `repeated` set and the same `key`. Sent as
the message's nonce, the key lets Discord drop the repetition if the first did arrive (it remembers nonces for some
minutes); after that, `repeated` says that the message may be the second. A reminder that was not begun has not gone
out, however long we were away. At least once rather than at most once: the last step is what tells the host, and a
game must not stand still for ever because we crashed at the wrong moment.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.problems import Problems
from bot.reminders import plan as reminders
from bot.reminders.plan import Reminder, local_zone
from bot.scheduler import Scheduler
from storage.errors import StorageError
from storage.records import PLAYING, Person, ReminderPart
from storage.sqlite import SqliteStore

log = logging.getLogger(__name__)

#: How often we ask whether anything is due; nothing is so urgent that it could not wait so long.
EVERY = timedelta(seconds=15)
#: The database is looked at this often even if nothing seems due.
LONGEST_SLEEP = timedelta(hours=1)
#: After a failure to send to somebody, and twice as long each time it fails again.
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=1), timedelta(hours=1)
#: A message that takes longer has failed; the others must not wait for it.
SEND_SECONDS = 60.0
_JOB, _MORNING = "reminders", "quiet hours of "


@dataclass(frozen=True)
class Sent:
    """Where a reminder went; nothing if it could not be delivered and must not be tried again."""

    channel: int | None = None
    message: int | None = None


class NotSent(Exception):
    """Raised by `send` if the reminder certainly has not gone out, so that the next try is no repetition."""


@dataclass(frozen=True)
class _Retry:
    at: datetime
    wait: timedelta


def utc_now() -> datetime:
    return datetime.now(UTC)


class ReminderClock:
    """Looks at what is due when something may be, and calls `send` for each reminder.

    `send` delivers one reminder and says where it went. If it raises, the same reminder comes again later, marked as
    repeated unless it raised NotSent. Call `changed` after every change of games, turns or settings, `start` once,
    and `close` at the end.
    """

    def __init__(
        self,
        store: SqliteStore,
        send: Callable[[Reminder], Awaitable[Sent]],
        *,
        now: Callable[[], datetime] = utc_now,
        default_hours: Sequence[int] = reminders.DEFAULT_HOURS,
        every: timedelta = EVERY,
        scheduler: Scheduler | None = None,
        problems: Problems | None = None,
    ) -> None:
        self._store = store
        self._send = send
        self._now = now
        self._default_hours = default_hours
        self._every = every
        self._scheduler = scheduler or Scheduler()
        self._problems = problems or Problems()
        self._lock = asyncio.Lock()
        self._bell = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        #: When to look at the database again; at once if something has changed.
        self._next: datetime | None = None
        self._changed = True
        self._mornings: dict[int, tuple[str, int]] = {}
        self._closed = False
        self._retries: dict[int, _Retry] = {}
        self._unrecorded: list[tuple[Sequence[ReminderPart], datetime, Sent]] = []

    def start(self) -> None:
        """Look at once at what is due, then whenever something may be; starting twice does nothing."""
        if self._runner is not None or self._closed:
            return
        self._bell.set()
        self._runner = asyncio.create_task(self._run(), name=_JOB)
        self._scheduler.every(_JOB, self._every, self._look)

    def changed(self) -> None:
        """Something changed that reminders depend on; cheap enough to be called after every move."""
        self._changed = True

    async def close(self, grace: float = 5.0) -> None:
        """Let the reminder that is being sent finish, but not for longer than `grace` seconds, then stop."""
        self._closed = True
        if self._runner is None:
            return
        self._bell.set()
        # What is cut off is marked as begun and comes again at the next start.
        await asyncio.wait([self._runner], timeout=grace)
        self._runner.cancel()
        await asyncio.wait([self._runner])
        self._runner = None
        for name in (_JOB, *(f"{_MORNING}{user}" for user in self._mornings)):
            self._scheduler.cancel(name)

    async def tick(self) -> datetime | None:
        """Send all that is due now; gives the next time at which something may be."""
        async with self._lock:
            await self._record_sent()
            while not self._closed:
                now = self._now()
                plan = await self._plan(now)
                held = {user: retry.at for user, retry in self._retries.items() if retry.at > now}
                ready = [reminder for reminder in plan.due if reminder.person.user not in held]
                if not ready:
                    times = [held[reminder.person.user] for reminder in plan.due]
                    return min([*times, *([plan.next] if plan.next else [])], default=None)
                begun = 0
                for reminder in ready:
                    if self._closed:
                        break
                    begun += await self._remind(reminder)
                if not begun:
                    # All of them fell away just now. Should the rows ever be such that they do so again and again,
                    # that must not keep us busy.
                    return now + FIRST_RETRY
            return None

    # ------------------------------------------------------------------ waking

    def _look(self) -> None:
        """Called by the scheduler: the work is not done here, for a call that is still running would be left out."""
        now = self._now()
        # A time that is too far off was put down before the clock was set back.
        if self._changed or self._next is None or not now < self._next <= now + LONGEST_SLEEP:
            self._bell.set()

    async def _run(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            if self._closed:
                return
            self._changed = False
            wait = FIRST_RETRY
            try:
                when = await self.tick()
                wait = LONGEST_SLEEP if when is None else min(when - self._now(), LONGEST_SLEEP)
            except StorageError as error:
                log.warning("reminders wait for the database: %s", error)
            except Exception:
                # Whatever it was, the clock must go on.
                log.exception("reminders failed")
            self._next = self._now() + wait

    def _wait_for_mornings(self, people: Sequence[Person]) -> None:
        """Look again when somebody's quiet hours are over, by the clock on their own wall."""
        wanted = {person.user: (person.zone, person.quiet_to) for person in people if person.quiet_to is not None}
        for user in self._mornings.keys() - wanted.keys():
            self._scheduler.cancel(f"{_MORNING}{user}")
        for user, (zone, hour) in wanted.items():
            if self._mornings.get(user) != (zone, hour):
                self._scheduler.daily(f"{_MORNING}{user}", hour, local_zone(zone), self._bell.set)
        self._mornings = wanted

    # ------------------------------------------------------------------ one pass

    async def _plan(self, now: datetime) -> reminders.Plan:
        rows = await self._store.waiting()
        games = {game.id: game for game in await self._store.games(statuses=[PLAYING])}
        users = {row.user for row in rows} | {games[row.game].host for row in rows if row.game in games}
        people = await self._store.people(sorted(users))
        plan = reminders.plan(rows, games, people, now, default_hours=self._default_hours)
        self._problems.replace("reminders", plan.faults)
        self._wait_for_mornings(plan.quiet)
        return plan

    async def _remind(self, reminder: Reminder) -> bool:
        """Send one reminder; false if there was nothing left of it."""
        at = self._now()
        # Asks the database once more: the person may have moved while others were being reminded.
        parts = await self._store.begin_reminder(reminder.parts, at)
        if not parts:
            return False
        reminder = _narrowed(reminder, parts, at)
        user = reminder.person.user
        try:
            async with asyncio.timeout(SEND_SECONDS):
                sent = await self._send(reminder)
        except Exception as error:
            before = self._retries.get(user)
            wait = min(2 * before.wait, LONGEST_RETRY) if before else FIRST_RETRY
            self._retries[user] = _Retry(self._now() + wait, wait)
            log.warning("reminder %s to %d failed, next try in %s: %r", reminder.key, user, wait, error)
            if isinstance(error, NotSent) and not reminder.repeated:
                await self._store.cancel_reminder(parts)
            return True
        self._retries.pop(user, None)
        self._unrecorded.append((parts, self._now(), sent))
        await self._record_sent()
        return True

    async def _record_sent(self) -> None:
        """Record what was sent; if the database fails now, before anything else is sent."""
        while self._unrecorded:
            parts, at, sent = self._unrecorded[0]
            await self._store.finish_reminder(parts, at=at, channel=sent.channel, message=sent.message)
            self._unrecorded.pop(0)


def _narrowed(reminder: Reminder, parts: Sequence[ReminderPart], at: datetime) -> Reminder:
    """The reminder without what is not so any more, begun."""
    own = {(part.game, part.user) for part in parts if not part.host}
    hosted = {(part.game, part.user) for part in parts if part.host}
    return replace(
        reminder,
        items=tuple(i for i in reminder.items if not i.due or (i.game.id, i.waiting.user) in own) if own else (),
        stalled=tuple(i for i in reminder.stalled if (i.game.id, i.waiting.user) in hosted),
        parts=tuple(parts),
        begun=reminder.begun or at,
    )
