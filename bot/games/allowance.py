"""How often people may ask for what costs the bot work and leaves nothing behind, such as a game as a file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.games.service import ServiceError

HOUR = timedelta(hours=1)


class Allowance:
    """Counts what was asked for within the last hour, by a person on a server and there in all.

    In memory alone: what is forgotten at a restart has cost its work already.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._asked: dict[tuple[str, int, int | None], deque[datetime]] = {}

    def take(self, what: str, guild: int, user: int, *, of_person: int, of_server: int) -> None:
        """Count one more, or refuse it with `quota.{what}_of_person` or `quota.{what}_of_server`."""
        now = self._now()
        for key in [key for key, times in self._asked.items() if times[-1] <= now - HOUR]:
            del self._asked[key]
        both = {(what, guild, user): ("person", of_person), (what, guild, None): ("server", of_server)}
        for key, (whose, most) in both.items():
            times = self._asked.get(key, deque())
            while times and times[0] <= now - HOUR:
                times.popleft()
            if len(times) >= most:
                raise ServiceError(f"quota.{what}_of_{whose}", most=most)
        for key in both:
            self._asked.setdefault(key, deque()).append(now)
