"""How often a channel's card is changed: what happens too fast for Discord is told together, a little later."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from bot.ceilings import EDITS, EDITS_SECONDS


class Pace:
    """Counts what is written for each game, and waits where Discord would not take more.

    One fewer than Discord allows: whatever else is written into the channel needs room too.
    """

    def __init__(self, most: int = EDITS - 1, seconds: float = EDITS_SECONDS) -> None:
        self.most = most
        self.seconds = seconds
        self._written: dict[int, deque[float]] = {}

    def count(self, game: int) -> None:
        """Something was written."""
        self._written.setdefault(game, deque()).append(time.monotonic())

    async def room(self, game: int) -> None:
        """Wait until something more may be written."""
        written = self._written.get(game, deque())
        while written and written[0] <= time.monotonic() - self.seconds:
            written.popleft()
        if not written:
            self._written.pop(game, None)
        elif len(written) >= self.most:
            await asyncio.sleep(written[0] + self.seconds - time.monotonic())
            await self.room(game)
