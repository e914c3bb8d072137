"""`kursbuch run`: the bot on the real Discord, with settings from the environment or `.env`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from importlib import metadata
from typing import Any

import discord

from bot import health, logs
from bot.client import DATABASE, Kursbuch, supervise
from bot.settings import Settings, SettingsError, readable_by_others
from storage.errors import StorageError

_log = logging.getLogger(__name__)


class PortTaken(Exception):
    """The health endpoint cannot listen."""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="run the bot on Discord (needs DISCORD_TOKEN; see docs/hosting.md)")
    parser.add_argument("--sync", action="store_true", help="register the commands with Discord first")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal. 2: a setting is wrong; 1: something else is."""
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        return _ended(2, str(error))
    if arguments.sync:
        settings = settings.with_sync()
    logs.set_up(settings.log_level, settings.token)
    if (file := readable_by_others()) is not None:
        _log.warning("%s has the bot's token and can be read by others: chmod 600 %s", file, file)
    try:
        asyncio.run(serve(settings))
    except discord.LoginFailure:
        return _ended(2, "Discord does not accept this DISCORD_TOKEN; make a new one in the developer portal.")
    except discord.PrivilegedIntentsRequired:
        return _ended(2, "Discord refuses what the bot asks to be told; see its settings in the developer portal.")
    except StorageError as error:
        return _ended(1, f"The games in {settings.data / DATABASE} cannot be opened: {error}.")
    except PortTaken as error:
        return _ended(1, str(error))
    except Exception:
        _log.exception("the bot ended by an error of its own")
        return 1
    return 0


def _ended(code: int, sentence: str) -> int:
    print(f"kursbuch: {sentence}", file=sys.stderr)
    return code


async def serve(settings: Settings, **options: Any) -> None:
    """Run until a signal asks us to stop; then finish what is under way."""
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(each, done.set)
    client: Kursbuch | None = None

    def began(fresh: Kursbuch) -> None:
        nonlocal client
        client = fresh

    _log.info("Kursbuch %s begins; its data are in %s", metadata.version("kursbuch"), settings.data)
    async with _health(settings, lambda: client):
        bot = asyncio.create_task(supervise(settings, began=began, **options), name="bot")
        bot.add_done_callback(lambda _: done.set())
        try:
            await done.wait()
            if bot.done():
                bot.result()
            elif client is not None:
                _log.info("asked to stop")
                await client.finish()
        finally:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)
    _log.info("stopped")


@contextlib.asynccontextmanager
async def _health(settings: Settings, current: Any) -> Any:
    """The health endpoint, if a port is set for it."""
    if settings.health_port is None:
        yield
        return
    try:
        runner = await health.serve(current, settings.health_host, settings.health_port)
    except (OSError, UnicodeError) as problem:  # UnicodeError: a host that cannot be one
        reason = getattr(problem, "strerror", None) or problem
        raise PortTaken(
            f"The health endpoint cannot listen on {settings.health_host[:60]}:{settings.health_port} "
            f"({reason}); choose another KURSBUCH_HEALTH_PORT."
        ) from None
    try:
        yield
    finally:
        await runner.cleanup()
