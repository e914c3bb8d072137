"""The bot as the real one, but its clock can be set and its disk made slow from outside while it runs."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.card.pictures import Pictures
from bot.cli.run import serve
from bot.client import Kursbuch
from bot.settings import Settings
from storage.connection import Connection
from storage.errors import StorageError
from storage.presence import Presence
from workshop.evening.guests import NoPictures

#: Files that the chaos writes: by how many seconds the clock is wrong, and how long a transaction takes.
CLOCK, DISK = "clock", "disk"


def number(file: Path) -> float:
    try:
        return float(file.read_text("utf-8") or 0)
    except (OSError, ValueError):
        return 0.0


def shifted(folder: Path) -> Callable[[], datetime]:
    return lambda: datetime.now(UTC) + timedelta(seconds=number(folder / CLOCK))


class Shaken(Kursbuch):
    """With a clock that can be set. The scheduler keeps the machine's, as it does when that is set."""

    async def setup_hook(self) -> None:
        await super().setup_hook()
        now = shifted(Path(os.environ["CHAOS"]))
        self.service.now = now
        self.clock._now = now


def slow_disk(folder: Path) -> None:
    real = Connection._transaction

    def slow(self: Connection, begin: str, work: Callable[[sqlite3.Connection], Any], files: Presence | None) -> Any:
        time.sleep(number(folder / DISK))
        return real(self, begin, work, files)

    Connection._transaction = slow  # type: ignore[method-assign]


def main() -> int:
    import bot.client

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if not os.environ.get("CHAOS_PICTURES"):
        # Pictures are drawn elsewhere; here it is the moments between saving and telling that matter.
        Pictures.draw = NoPictures.draw  # type: ignore[method-assign, assignment]
    bot.client.Kursbuch = Shaken  # type: ignore[misc]
    slow_disk(Path(os.environ["CHAOS"]))
    try:
        asyncio.run(serve(Settings.from_environment(), guild_ready_timeout=0.02))
    except StorageError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
