"""`kursbuch run`: the bot on the real Discord, with settings from the environment or `.env`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from typing import Any

import discord

from bot import health, logs
from bot.client import Kursbuch, supervise
from bot.settings import Settings, SettingsError
from storage.store import StorageError


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="run the bot on Discord (needs DISCORD_TOKEN; see docs/hosting.md)")
    parser.add_argument("--sync", action="store_true", help="register the commands with Discord first")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        print(f"kursbuch: {error}", file=sys.stderr)
        return 2
    if arguments.sync:
        settings = settings.with_sync()
    logs.set_up(settings.log_level, settings.token)
    try:
        asyncio.run(serve(settings))
    except discord.LoginFailure:
        print("kursbuch: Discord does not accept this token; make a new one in the developer portal.", file=sys.stderr)
        return 2
    except StorageError as error:
        print(f"kursbuch: {error}", file=sys.stderr)
        return 1
    return 0


async def serve(settings: Settings, **options: Any) -> None:
    """Run until a signal asks us to stop; then finish what is under way."""
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(each, done.set)
    current: list[Kursbuch] = []
    bot = asyncio.create_task(supervise(settings, began=current.append, **options), name="bot")
    bot.add_done_callback(lambda _: done.set())
    runner = None
    if settings.health_port is not None:
        runner = await health.serve(lambda: current[-1] if current else None, settings.health_port)
    try:
        await done.wait()
        if bot.done() and not bot.cancelled() and (problem := bot.exception()):
            raise problem
    finally:
        bot.cancel()
        await asyncio.gather(bot, return_exceptions=True)
        if runner is not None:
            await runner.cleanup()
