"""Faults on demand: what can go wrong between a bot and Discord.

They are part of the table's answers: every request asks whether one is ordered for it. Nobody but `control` and the
program that holds the table orders any.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass
class Fault:
    """Something that happens to the next `times` requests whose "METHOD /path" matches `where`."""

    where: str
    times: int = 1
    status: int | None = None
    retry_after: float = 0.05
    everything: bool = False
    via: bool = True
    delay: float = 0.0
    reset: Literal["before", "after"] | None = None
    # How often it has happened so far.
    hits: int = 0


class Faults:
    """The faults that are ordered; each is used up by the requests it hits."""

    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, fault: Fault) -> Fault:
        """Let a fault happen."""
        self._ordered.append(fault)
        return fault

    def rate_limit(
        self,
        where: str = "",
        *,
        times: int = 1,
        retry_after: float = 0.05,
        everything: bool = False,
        via: bool = True,
    ) -> Fault:
        """Answer 429. Without `via` it looks like the ban of Discord's front door."""
        return self.order(Fault(where, times, 429, retry_after, everything, via))

    def fail(self, where: str = "", *, status: int = 500, times: int = 1) -> Fault:
        """Answer with a server error."""
        return self.order(Fault(where, times, status))

    def reset(self, where: str = "", *, times: int = 1, after: bool = False) -> Fault:
        """Reset the connection: before anything is done, or `after` it is done but before the answer."""
        return self.order(Fault(where, times, reset="after" if after else "before"))

    def slow(self, where: str = "", *, seconds: float, times: int = 1) -> Fault:
        """Take a long time to answer."""
        return self.order(Fault(where, times, delay=seconds))

    def clear(self) -> None:
        """Let everything go well again."""
        self._ordered.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault for this request, if one is ordered."""
        for fault in self._ordered:
            if fault.hits < fault.times and re.search(fault.where, f"{method} {path}"):
                fault.hits += 1
                return fault
        return None
