"""Numbers that people type: whole, and bounded, so that none of them can reach where it does harm."""

from __future__ import annotations

#: No number of a game or of Discord is longer; Python itself refuses to read one of thousands of digits.
MOST_DIGITS = 20
#: The longest wait for a reminder, how many there may be, and how much longer a host can make a turn in all.
MOST_HOURS, MOST_REMINDERS, MOST_EXTENSION = 720, 6, 2160


def whole(word: str | None) -> int | None:
    """The whole number that a word is; None if it is none, or none that anybody means.

    >>> whole(" 120 "), whole("-5"), whole("²"), whole("9" * 6000)
    (120, None, None, None)
    """
    word = (word or "").strip()
    return int(word) if word.isdecimal() and len(word) <= MOST_DIGITS else None
