"""How often a channel's card is changed: what happens too fast for Discord is told together, a little later."""

from __future__ import annotations

import time
from collections import deque

from bot.limits import EDITS, EDITS_SECONDS


class RateLimit:
    """Counts what is written for each game, and says when Discord would take more.

    One fewer than Discord allows: whatever else is written into the channel needs room too.
    """

    def __init__(self, most: int = EDITS - 1, seconds: float = EDITS_SECONDS) -> None:
        self.most = most
        self.seconds = seconds
        self._written: dict[int, deque[float]] = {}

    def count(self, game: int) -> None:
        """Something was written."""
        self._written.setdefault(game, deque()).append(time.monotonic())

    def wait(self, game: int) -> float:
        """In how many seconds something more may be written; 0 for at once."""
        now = time.monotonic()
        written = self._written.get(game, deque())
        while written and written[0] <= now - self.seconds:
            written.popleft()
        if not written:
            self._written.pop(game, None)
        return written[0] + self.seconds - now if len(written) >= self.most else 0.0
