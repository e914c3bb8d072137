"""The table's time: real time plus an offset that tests may move, and ids that follow from it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Final

DISCORD_EPOCH_MS: Final = 1_420_070_400_000


class Clock:
    """Tells the time and makes snowflakes, which never go backwards even when the clock does."""

    def __init__(self, offset: float = 0.0) -> None:
        self._offset = offset
        self._last = 0
        self._waiting: set[asyncio.Event] = set()

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._offset

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once, waking everything that waits for a moment in between."""
        self._offset += seconds
        for event in self._waiting:
            event.set()

    def snowflake(self) -> str:
        """A new id, greater than every id before it."""
        self._last = max(int(self.now() * 1000) - DISCORD_EPOCH_MS << 22, self._last + 1)
        return str(self._last)

    def seen(self, snowflake: str) -> None:
        """Note an id made in an earlier life of the table."""
        self._last = max(self._last, int(snowflake))

    async def wait(self, happened: asyncio.Event, until: float) -> bool:
        """Wait for `happened`, at most to the moment `until` of this clock; say whether it happened."""
        moved = asyncio.Event()
        self._waiting.add(moved)
        waiter = asyncio.ensure_future(happened.wait())
        try:
            while not happened.is_set():
                left = until - self.now()
                if left <= 0:
                    return False
                moved.clear()
                mover = asyncio.ensure_future(moved.wait())
                await asyncio.wait({waiter, mover}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                mover.cancel()
            return True
        finally:
            waiter.cancel()
            self._waiting.discard(moved)


def iso(moment: float) -> str:
    """A moment as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def moment_of(snowflake: str) -> float:
    """When an id was made."""
    return ((int(snowflake) >> 22) + DISCORD_EPOCH_MS) / 1000
