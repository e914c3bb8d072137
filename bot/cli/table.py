"""`kursbuch table`: the bot and a local table with its page, on this machine alone."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.client import supervise
from bot.settings import Settings
from storage.errors import StorageError
from table.seed import furnish
from table.server import Table

if TYPE_CHECKING:
    from argparse import _SubParsersAction

PORT = 8018
PORTS = 65535
WELCOME = (
    "Welcome to **Stellwerk**, a table on your own machine.\n"
    "Type `/game new` and choose a title to open a lobby; `/help` lists everything else. "
    "The people at the side are yours to play: click a name to become that person."
)


def add_parser(subparsers: _SubParsersAction[Any]) -> None:
    """Register the subcommand."""
    parser = subparsers.add_parser("table", help="sit down at a local table in the browser")
    parser.add_argument("--port", type=int, default=PORT, help="the page's port on 127.0.0.1")
    parser.add_argument("--data", type=Path, default=Path("data/table"), help="where the table and the games are kept")
    parser.add_argument("--open", action="store_true", help="open the page in the browser, where there is one")
    parser.set_defaults(func=run)


def run(given: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    if not 0 <= given.port <= PORTS:
        print(f"{given.port} is no port: choose one from 0 to {PORTS} with --port.", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        given.data.mkdir(parents=True, exist_ok=True)
        asyncio.run(serve(given.data, given.port, open_page=given.open))
    except PortTaken:
        print(
            f"The table cannot listen on port {given.port}: something else does, perhaps another table. "
            f"Choose another port with --port (make play PORT={given.port + 1}).",
            file=sys.stderr,
        )
        return 1
    except (OSError, StorageError) as problem:
        print(f"The table cannot use the folder {given.data}: {problem}.", file=sys.stderr)
        return 1
    return 0


class PortTaken(Exception):
    """Another program listens there."""


def browser_here() -> bool:
    """Whether a window can be opened. Without a display Python would take a browser for the terminal and block it."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def serve(data: Path, port: int, *, open_page: bool) -> None:
    """Run the table and the bot at it until a signal comes or the bot cannot go on."""
    table = Table(data / "table.sqlite3", port=port, bot_name="Kursbuch")
    if not table.world.guilds:
        furnish(table.world, topic="Games are made and found here", welcome=WELCOME)
    try:
        await table.start()
    except OSError as problem:
        table.store.close()
        raise PortTaken from problem
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt instead
            loop.add_signal_handler(each, done.set)
    # Commands are registered at every start: here it costs nothing and is seen at once.
    settings = Settings(table.token, table.api_url, table.gateway_url, data, sync_commands=True)
    bot = asyncio.create_task(supervise(settings, guild_ready_timeout=0.1), name="bot")
    bot.add_done_callback(lambda _: done.set())
    print(f"The table is laid: {table.url}  (Ctrl-C to end)", flush=True)
    if open_page and browser_here():
        # In a thread that nobody waits for: some browsers come back only when they are closed.
        threading.Thread(target=webbrowser.open, args=(table.url,), daemon=True).start()
    try:
        await done.wait()
        if bot.done():
            bot.result()
    finally:
        bot.cancel()
        await asyncio.gather(bot, return_exceptions=True)
        await table.stop()
