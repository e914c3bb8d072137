"""A small endpoint for containers and monitors that says whether the bot is well."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from aiohttp import web

from storage.store import StorageError

if TYPE_CHECKING:
    from bot.client import Kursbuch

PATH = "/health"


async def state(bot: Kursbuch | None) -> dict[str, object]:
    """Connected to Discord, and the database answers. Troubles of single games are told, and no reason to fail."""
    if bot is None:
        return {"ok": False, "discord": "not started", "database": "not open", "servers": 0, "troubles": []}
    database = "not open"
    if hasattr(bot, "store"):
        try:
            await bot.store.game(0)
            database = "ok"
        except StorageError as problem:
            database = str(problem)
    unreadable = (
        [{"game": game, "what": "database", "why": why} for game, why in sorted(bot.store.unreadable.items())]
        if database == "ok"
        else []
    )
    return {
        "ok": connected(bot) and database == "ok",
        "discord": "ok" if connected(bot) else "not connected",
        "database": database,
        "servers": len(bot.guilds),
        "troubles": [*bot.troubles.all(), *unreadable],
    }


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
