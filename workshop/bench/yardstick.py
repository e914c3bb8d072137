"""The yardstick Y: a loop that tells how fast this machine runs plain Python."""

from __future__ import annotations

import statistics
import time
from functools import cache


def once() -> float:
    a, b = 0, 1
    began = time.perf_counter()
    for _ in range(3_000_000):
        a, b = b, (a + b) % 1000003
    return time.perf_counter() - began


@cache
def seconds() -> float:
    """The median of five runs."""
    return statistics.median(once() for _ in range(5))


def beside(value: float) -> str:
    """A time in milliseconds beside the yardstick."""
    return f"{1000 * value:7.1f} ms {value / seconds():7.4f} Y"


def row(what: str, value: float, target: float | None = None, note: str = "") -> None:
    """A measurement in seconds as a multiple of Y, beside its target if it has one."""
    y = value / seconds()
    aim = "" if target is None else f"<= {target:g} Y  {'ok' if y <= target else f'missed by {y / target:.1f}x'}"
    print(f"  {what:<46} {1000 * value:10.3f} ms {y:9.4f} Y  {aim:<24} {note}")
