"""A bar on the terminal that says how far a long command is; none where the output is no terminal.

Ten lines of our own: rich and tqdm bring threads, locks and colours for a line that is written over.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

_WIDTH = 40


def counted(each: Iterable[T], count: int, what: str) -> Iterator[T]:
    """Pass on what is done, and show how many of how many that makes."""
    terminal = sys.__stderr__
    shown = terminal is not None and terminal.isatty() and count > 1
    for number, item in enumerate(each, start=1):
        if shown and terminal is not None:
            # Where the count was only a guess the bar is full before the end.
            done = _WIDTH * min(number, count) // count
            terminal.write(f"\r[{'#' * done}{'.' * (_WIDTH - done)}] {number} of {max(number, count)} {what}")
            terminal.flush()
        yield item
    if shown and terminal is not None:
        terminal.write("\n")
