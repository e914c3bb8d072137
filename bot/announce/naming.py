"""Names of threads. Discord lets a channel be renamed twice in ten minutes: only what that can keep true is in them.

While a game moves its thread has the names of the game and its players. When nobody has moved for ten minutes it says
who is waited for, which is the first renaming; the next move takes that back at once, which is the second.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from datetime import datetime, timedelta

import discord

from bot.answers import TROUBLE
from bot.games.service import Live
from bot.games.stuck import Stuck
from bot.limits import RENAME_COUNT, RENAME_SECONDS, THREAD_NAME, cut
from bot.names import plain
from bot.services import Services
from bot.texts import Say
from bot.words.wording import title_name
from renderers.kit.words import Words
from storage.records import ENDED, FINISHED, PLAYING

_log = logging.getLogger(__name__)


def lobby_name(title: str, host: str) -> str:
    """The name of a thread before the game has begun."""
    return cut(f"{title} · {plain(host)}".rstrip(" ·"), THREAD_NAME)


def thread_name(live: Live, say: Say) -> str:
    """The name of a thread in which a game moves, or is over: true whatever happens next."""
    title = live.game.definition.name
    if live.game.finished or live.record.status == ENDED:
        return cut(say("thread.over", title=title), THREAD_NAME)
    names = ", ".join(plain(seat.name) for seat in live.record.seats)
    return cut(say("thread.game", title=title, names=names), THREAD_NAME)


def waiting_name(live: Live, say: Say) -> str:
    """The name of a thread in which nothing has happened for a while: who is waited for, and where."""
    round_ = live.game.state.round
    short = Words(say.language).round_short(
        live.game.definition, round_.kind, round_.stock_number, round_.operating_number
    )
    names = ", ".join(plain(name) for name in live.game.offer().deciders)
    return cut(say("thread.waits", names=names, round=short, title=live.game.definition.name), THREAD_NAME)


def stuck_name(stuck: Stuck, say: Say) -> str:
    """The name of the thread of a game that cannot go on."""
    over = stuck.record.status in (FINISHED, ENDED)
    return cut(say("thread.over" if over else "thread.stuck", title=plain(title_name(stuck.record))), THREAD_NAME)


class ThreadNames:
    """Renames threads, each no more often than Discord allows."""

    def __init__(self, services: Services, client: discord.Client, began: datetime) -> None:
        self.services = services
        self.client = client
        #: When the client began; what it did to a thread before is not known.
        self.began = began
        self._wanted: dict[int, str] = {}
        #: Names that are being set; what Discord has told us of a thread is older.
        self._underway: dict[int, str] = {}
        self._renamed: dict[int, deque[datetime]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def moved(self, channel: object, live: Live, say: Say) -> None:
        """Something has happened in a game: its thread has a name that holds, and another if nothing more comes."""
        thread = self._own(channel)
        if thread is None:
            return
        self.want(thread, thread_name(live, say))
        if live.record.status == PLAYING and not live.game.finished:
            later = waiting_name(live, say)
            self.services.scheduler.after(
                f"name {thread.id}", timedelta(seconds=RENAME_SECONDS), lambda: self.want(thread, later)
            )
        else:
            self.services.scheduler.cancel(f"name {thread.id}")

    def stopped(self, channel: object, stuck: Stuck, say: Say) -> None:
        """A game cannot go on."""
        thread = self._own(channel)
        if thread is not None:
            self.services.scheduler.cancel(f"name {thread.id}")
            self.want(thread, stuck_name(stuck, say))

    def _own(self, channel: object) -> discord.Thread | None:
        """A thread of ours."""
        own = getattr(self.client.user, "id", None)
        return channel if isinstance(channel, discord.Thread) and channel.owner_id == own else None

    def want(self, channel: object, name: str) -> None:
        """A thread should have a name; nobody waits for it."""
        thread = self._own(channel)
        if thread is None:
            return
        if self._underway.get(thread.id, thread.name) == name:
            self._wanted.pop(thread.id, None)
            return
        self._wanted[thread.id] = name
        self._set(thread)

    def _set(self, thread: discord.Thread) -> None:
        now = self.services.games.now()
        times = self._times(thread, now)
        while times and (now - times[0]).total_seconds() >= RENAME_SECONDS:
            times.popleft()
        name = self._wanted.get(thread.id)
        if name is None:
            return
        if len(times) >= RENAME_COUNT:
            wait = timedelta(seconds=RENAME_SECONDS) - (now - times[0])
            self.services.scheduler.after(f"rename {thread.id}", wait, lambda: self._set(thread))
            return
        del self._wanted[thread.id]
        self._underway[thread.id] = name
        times.append(now)
        task = asyncio.create_task(self._rename(thread, name), name=f"rename {thread.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _times(self, thread: discord.Thread, now: datetime) -> deque[datetime]:
        """When a thread was renamed. Of one that is older than us we do not know: it may have been just now.

        Once at most, for whoever is waited for was named ten minutes after the last renaming; the name can be taken
        back whatever we were before.
        """
        if thread.id not in self._renamed:
            old = thread.created_at is None or thread.created_at < self.began
            self._renamed[thread.id] = deque([self.began] * (RENAME_COUNT - 1) if old else [])
        return self._renamed[thread.id]

    async def _rename(self, thread: discord.Thread, name: str) -> None:
        try:
            await thread.edit(name=name)
        except (*TROUBLE, RuntimeError) as problem:  # RuntimeError: we are leaving
            _log.info("the thread %d keeps its name: %r", thread.id, problem)
        finally:
            if self._underway.get(thread.id) == name:
                del self._underway[thread.id]

    async def close(self) -> None:
        """Stop; a name that waits is set with the next turn after the next start."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
