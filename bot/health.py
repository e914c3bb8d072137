"""A small endpoint for containers and monitors that says whether the bot is well."""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING

from aiohttp import web

from bot.games import snapshots
from bot.games.judging import counted
from storage.errors import StorageError

if TYPE_CHECKING:
    from bot.client import Kursbuch

PATH = "/health"
#: A database that takes longer is not well, and whoever asks does not wait for ever.
PATIENCE_SECONDS = 3.0
#: Who asks more often than this is told the same again: every answer costs the disk a write.
FRESH_SECONDS = 2.0

_told: weakref.WeakKeyDictionary[Kursbuch, tuple[float, str]] = weakref.WeakKeyDictionary()


async def state(bot: Kursbuch | None) -> dict[str, object]:
    """Connected to Discord, and the database can be written. Problems of single games are no reason to fail."""
    version = metadata.version("kursbuch")
    if bot is None:
        return {
            "ok": False, "version": version, "discord": "not started", "database": "not open", "servers": 0,
            "troubles": [],
        }  # fmt: skip
    database = await _database(bot)
    unreadable = (
        [{of: number, "what": "database", "why": why} for (of, number, _), why in sorted(bot.store.unreadable.items())]
        if database == "ok"
        else []
    )
    found: dict[str, object] = {
        "ok": connected(bot) and database == "ok",
        "version": version,
        "discord": "ok" if connected(bot) else "not connected",
        "database": database,
        "servers": len(bot.guilds),
        "troubles": [*bot.problems.all(), *unreadable, *_warnings(bot)],
    }
    if database == "ok":
        with contextlib.suppress(StorageError):
            found["games"] = counted(await bot.store.verdict_counts(snapshots.program()))
    if hasattr(bot, "upkeep") and bot.upkeep.backups:
        found["backups"] = bot.upkeep.backups
    if hasattr(bot, "upkeep") and bot.upkeep.rescued is not None:
        found["rescued"] = str(bot.upkeep.rescued)
    return found


def _warnings(bot: Kursbuch) -> list[dict[str, object]]:
    """What was found out of the file at the start."""
    return [{"what": "database", "why": why} for why in bot.store.warnings] if hasattr(bot, "store") else []


async def _database(bot: Kursbuch) -> str:
    """Whether something can be written now, or could a moment ago."""
    if not hasattr(bot, "store"):
        return "not open"
    at, told = _told.get(bot, (float("-inf"), ""))
    if time.monotonic() - at < FRESH_SECONDS:
        return told
    if lost := bot.store.lost:
        return f"{lost}; nothing is written any more"
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await bot.store.probe()
        told = "ok"
    except TimeoutError:
        told = "the database does not answer"
    except StorageError as problem:
        told = str(problem)
    _told[bot] = (time.monotonic(), told)
    return told


def connected(bot: Kursbuch) -> bool:
    """Whether the gateway is open; a client that was ready once calls itself so for ever."""
    return bot.is_ready() and not bot.is_closed() and bot.ws is not None and bot.ws.open


async def serve(current: Callable[[], Kursbuch | None], host: str, port: int) -> web.AppRunner:
    """Answer GET /health with 200 or 503; the caller cleans the runner up."""

    async def answer(request: web.Request) -> web.Response:
        found = await state(current())
        return web.json_response(found, status=200 if found["ok"] else 503, headers={"Cache-Control": "no-store"})

    application = web.Application()
    application.router.add_get(PATH, answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner
