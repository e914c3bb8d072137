"""Threads are named after round and turn. Discord lets a channel be renamed twice in ten minutes, and that is obeyed:
a name that comes too early waits, and of several that wait only the newest is set.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import discord

from bot.answers import TROUBLE
from bot.games.service import Live
from bot.games.stuck import Stuck
from bot.limits import RENAME_COUNT, RENAME_SECONDS, THREAD_NAME, cut
from bot.names import plain
from bot.texts import Say
from bot.words.wording import round_text, title_name
from storage.records import ENDED, FINISHED

if TYPE_CHECKING:
    from bot.client import Kursbuch

_log = logging.getLogger(__name__)


def lobby_name(title: str, host: str) -> str:
    """The name of a thread before the game has begun."""
    return cut(f"{title} · {plain(host)}".rstrip(" ·"), THREAD_NAME)


def thread_name(live: Live, say: Say) -> str:
    """The name of a thread in which a game is played: title, round, and whose turn it is."""
    game = live.game
    if game.finished or live.record.status == ENDED:
        return cut(say("thread.over", title=game.definition.name), THREAD_NAME)
    names = ", ".join(plain(name) for name in game.offer().deciders)
    return cut(say("thread.turn", title=game.definition.name, round=round_text(say, game), names=names), THREAD_NAME)


def stuck_name(stuck: Stuck, say: Say) -> str:
    """The name of the thread of a game that cannot go on."""
    over = stuck.record.status in (FINISHED, ENDED)
    return cut(say("thread.over" if over else "thread.stuck", title=plain(title_name(stuck.record))), THREAD_NAME)


class ThreadNames:
    """Renames threads, each no more often than Discord allows."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot
        self._wanted: dict[int, str] = {}
        #: Names that are being set; what Discord has told us of a thread is older.
        self._underway: dict[int, str] = {}
        self._renamed: dict[int, deque[datetime]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def want(self, channel: object, name: str) -> None:
        """A thread should have a name; nobody waits for it."""
        if not isinstance(channel, discord.Thread) or channel.owner_id != getattr(self.bot.user, "id", None):
            return
        if self._underway.get(channel.id, channel.name) == name:
            self._wanted.pop(channel.id, None)
            return
        self._wanted[channel.id] = name
        self._set(channel)

    def _set(self, thread: discord.Thread) -> None:
        now = self.bot.service.now()
        times = self._times(thread, now)
        while times and (now - times[0]).total_seconds() >= RENAME_SECONDS:
            times.popleft()
        name = self._wanted.get(thread.id)
        if name is None:
            return
        if len(times) >= RENAME_COUNT:
            wait = timedelta(seconds=RENAME_SECONDS) - (now - times[0])
            self.bot.scheduler.after(f"rename {thread.id}", wait, lambda: self._set(thread))
            return
        del self._wanted[thread.id]
        self._underway[thread.id] = name
        times.append(now)
        task = asyncio.create_task(self._rename(thread, name), name=f"rename {thread.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _times(self, thread: discord.Thread, now: datetime) -> deque[datetime]:
        """When a thread was renamed. Of one that is older than us we do not know: it may have been just now."""
        if thread.id not in self._renamed:
            old = thread.created_at is None or thread.created_at < self.bot.began
            self._renamed[thread.id] = deque([self.bot.began] * RENAME_COUNT if old else [])
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
