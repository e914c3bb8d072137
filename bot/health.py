"""A small endpoint on loopback or in a container that says whether the bot is well."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from aiohttp import web

from storage.store import StorageError

if TYPE_CHECKING:
    from bot.client import Kursbuch


async def state(bot: Kursbuch | None) -> dict[str, object]:
    """Connected to Discord, and the database answers."""
    if bot is None:
        return {"ok": False, "discord": "not started", "database": "not open", "servers": 0}
    try:
        await bot.store.games(statuses=("playing",))
        database = "ok"
    except (StorageError, AttributeError) as problem:
        database = str(problem) or "not open"
    connected = bot.is_ready() and not bot.is_closed()
    return {
        "ok": connected and database == "ok",
        "discord": "ok" if connected else "not connected",
        "database": database,
        "servers": len(bot.guilds),
    }


async def serve(
    current: Callable[[], Kursbuch | None], port: int, host: str = "0.0.0.0"
) -> web.AppRunner:
    """Answer GET /health with 200 or 503; the caller cleans the runner up."""

    async def answer(request: web.Request) -> web.Response:
        found = await state(current())
        return web.json_response(found, status=200 if found["ok"] else 503)

    application = web.Application()
    application.router.add_get("/health", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    return runner
