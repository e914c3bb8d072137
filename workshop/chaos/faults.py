"""What can go wrong: each kind begins, lasts for a while, and is over."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from typing import TYPE_CHECKING

from table.model import Overwrite
from table.permissions import Permission
from workshop.chaos.running import CLOCK, DISK, number

if TYPE_CHECKING:
    from workshop.chaos.evening import Evening

Trouble = Callable[["Evening"], AbstractAsyncContextManager[None]]

#: Reminders are due after 12 hours and more; the clock of a whole run must not pass the week after which
#: announcements are forgotten by more than the books are looked at.
FORWARD_HOURS, BACK_HOURS = (2, 3, 5, 13), (1, 2)


@asynccontextmanager
async def killed(evening: Evening) -> AsyncIterator[None]:
    """The process is gone from one moment to the next."""
    await evening.end(signal.SIGKILL)
    await asyncio.sleep(evening.chance.random() * 2)
    await evening.begin()
    yield


@asynccontextmanager
async def stopped(evening: Evening) -> AsyncIterator[None]:
    """Asked to stop, and started again."""
    await evening.end(signal.SIGTERM)
    await evening.begin()
    yield


@asynccontextmanager
async def frozen(evening: Evening) -> AsyncIterator[None]:
    """The process stands still, as on a machine that sleeps or swaps."""
    evening.signal(signal.SIGSTOP)
    await asyncio.sleep(1 + 4 * evening.chance.random())
    evening.signal(signal.SIGCONT)
    yield


@asynccontextmanager
async def disconnected(evening: Evening) -> AsyncIterator[None]:
    """The gateway is cut, closed, asks to reconnect, or has forgotten us."""
    gateway = evening.table.gateway
    match evening.chance.randrange(6):
        case 0:
            gateway.drop()
        case 1:
            await gateway.close(4000)
        case 2:
            gateway.ask_to_reconnect()
        case 3:
            gateway.invalidate(resumable=True)
        case 4:
            gateway.invalidate(resumable=False)
        case _:
            gateway.drop()
            gateway.forget()
    yield


@asynccontextmanager
async def too_many_requests(evening: Evening) -> AsyncIterator[None]:
    """A storm of 429."""
    everything = evening.chance.random() < 0.3
    evening.table.faults.rate_limit("", times=30, retry_after=0.3, everything=everything)
    yield
    evening.table.faults.clear()


@asynccontextmanager
async def server_errors(evening: Evening) -> AsyncIterator[None]:
    """A storm of 5xx, or of connections that are cut before or after the work is done."""
    faults, chance = evening.table.faults, evening.chance
    match chance.randrange(3):
        case 0:
            faults.fail("", status=chance.choice((500, 502, 503)), times=25)
        case 1:
            faults.reset("", times=8)
        case _:
            faults.reset("", times=8, after=True)
    yield
    faults.clear()


@asynccontextmanager
async def slow_discord(evening: Evening) -> AsyncIterator[None]:
    """Answers take longer than anybody waits."""
    evening.table.faults.slow("", seconds=1 + 3 * evening.chance.random(), times=12)
    yield
    evening.table.faults.clear()


@asynccontextmanager
async def full_disk(evening: Evening) -> AsyncIterator[None]:
    """No file can grow."""
    assert evening.bot is not None
    pid = evening.bot.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    size = evening.chance.choice((1, 4096, 40_000, 200_000))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
    yield
    if evening.bot is not None and evening.bot.pid == pid and evening.bot.returncode is None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


@asynccontextmanager
async def slow_disk(evening: Evening) -> AsyncIterator[None]:
    """Every transaction takes its time."""
    (evening.folder / DISK).write_text(str(0.2 + evening.chance.random()), "utf-8")
    yield
    (evening.folder / DISK).write_text("0", "utf-8")


@asynccontextmanager
async def locked_database(evening: Evening) -> AsyncIterator[None]:
    """Another program keeps the database locked, for longer than the bot waits."""
    with closing(sqlite3.connect(evening.books.path, timeout=10, isolation_level=None, check_same_thread=False)) as db:
        try:
            await asyncio.to_thread(db.execute, "BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            yield
            return
        yield
        db.execute("ROLLBACK")


@asynccontextmanager
async def clock_jump(evening: Evening) -> AsyncIterator[None]:
    """The clock is set, mostly forward by some hours, sometimes back."""
    chance = evening.chance
    # Never first: a clock that was only ever set back reminds nobody.
    back = evening.latest > 0 and chance.random() < 0.25
    hours = -chance.choice(BACK_HOURS) if back else chance.choice(FORWARD_HOURS)
    shift = number(evening.folder / CLOCK) + 3600 * hours
    (evening.folder / CLOCK).write_text(str(shift), "utf-8")
    evening.latest = max(evening.latest, shift)
    yield


@asynccontextmanager
async def doubled_events(evening: Evening) -> AsyncIterator[None]:
    """Every event comes twice."""
    evening.doubling = True
    yield
    evening.doubling = False


@asynccontextmanager
async def second_bot(evening: Evening) -> AsyncIterator[None]:
    """Somebody starts the bot a second time."""
    second = await evening.start()
    evening.figures.second_bots += 1
    # Sixty seconds in which we are awake ourselves: a machine that stands still holds both of us up.
    for _ in range(120):
        if second.returncode is not None:
            break
        await asyncio.sleep(0.5)
    else:
        second.kill()
    if await second.wait() != 1:
        evening.figures.second_bots_let_in += 1
    yield


@asynccontextmanager
async def missing_permission(evening: Evening) -> AsyncIterator[None]:
    """The bot may not write into a channel, or not even see it, for a while."""
    world, chance = evening.table.world, evening.chance
    channel = world.channels[chance.choice([*evening.channels, *(each.id for each in evening.sleeping)])]
    taken = chance.choice((Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL))
    channel.overwrites[world.bot_id] = Overwrite(world.bot_id, 1, deny=int(taken))
    world.save_channel(channel)
    yield
    channel.overwrites.pop(world.bot_id, None)
    world.save_channel(channel)


ALL: dict[str, Trouble] = {
    "killed": killed,
    "stopped": stopped,
    "frozen": frozen,
    "disconnected": disconnected,
    "too many requests": too_many_requests,
    "server errors": server_errors,
    "slow Discord": slow_discord,
    "full disk": full_disk,
    "slow disk": slow_disk,
    "locked database": locked_database,
    "clock jump": clock_jump,
    "doubled events": doubled_events,
    "second bot": second_bot,
    "missing permission": missing_permission,
}
