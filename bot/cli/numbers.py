"""Whole numbers that somebody types on the command line, within bounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a number from `low` to `high`, however long what was typed is."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        # By its length first: Python refuses to read a number of thousands of digits.
        if len(digits) <= 20 and digits.isascii() and digits.isdecimal() and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"a number from {low} to {high}, please, not {text[:20]!r}")

    return read
