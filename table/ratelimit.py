"""Discord's rate limits: a window for each route and its major parameter, one for everything, and the ban."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from table import limits

_SWEEP_AT: Final = 2048


@dataclass
class Window:
    """Requests counted since the window began."""

    limit: int
    seconds: float
    ends: float
    used: int = 0


@dataclass(frozen=True)
class RateDecision:
    """Whether a request may pass, and what the headers say about it."""

    allowed: bool
    limit: int
    remaining: int
    reset_after: float
    bucket: str
    everything: bool = False


class RateLimits:
    """Counts requests. Switched off it still tells, but holds nobody up."""

    def __init__(self, now: Callable[[], float], *, enforced: bool = True) -> None:
        self._now = now
        self.enforced = enforced
        self._windows: dict[str, Window] = {}

    def take(self, bucket: str, major: str, rate: tuple[int, float], *, counts_globally: bool) -> RateDecision:
        """Count one request."""
        limit, seconds = rate
        if not self.enforced:
            return RateDecision(True, 1_000_000, 999_999, seconds, bucket)
        if counts_globally:
            overall = self._window("global", limits.RATE_GLOBAL)
            if overall.used >= overall.limit:
                return RateDecision(False, overall.limit, 0, overall.ends - self._now(), bucket, everything=True)
            overall.used += 1
        window = self._window(f"{bucket}:{major}", (limit, seconds))
        left = window.ends - self._now()
        if window.used >= limit:
            return RateDecision(False, limit, 0, left, bucket)
        window.used += 1
        return RateDecision(True, limit, limit - window.used, left, bucket)

    def old_edit(self, channel_id: str) -> float:
        """Count an edit of an old message; seconds to wait if there were too many, else 0."""
        if not self.enforced:
            return 0.0
        window = self._window(f"old-edit:{channel_id}", limits.RATE_OLD_EDIT)
        if window.used >= window.limit:
            return window.ends - self._now()
        window.used += 1
        return 0.0

    def invalid(self) -> None:
        """Count an answer of 401, 403 or 429."""
        self._window("invalid", limits.INVALID_REQUESTS).used += 1

    def banned(self) -> bool:
        """Whether there were so many invalid requests that Discord would not answer any more."""
        window = self._window("invalid", limits.INVALID_REQUESTS)
        return window.used >= window.limit

    def _window(self, key: str, rate: tuple[int, float]) -> Window:
        now = self._now()
        window = self._windows.get(key)
        if window is None or window.ends <= now:
            if len(self._windows) > _SWEEP_AT:
                self._windows = {name: each for name, each in self._windows.items() if each.ends > now}
            window = self._windows[key] = Window(*rate, now + rate[1])
        return window
