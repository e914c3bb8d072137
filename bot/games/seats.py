"""Who sits where now. The log has the names of those who made the moves; a game is played under the present ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storage.records import GameRecord


def present_names(record: GameRecord) -> dict[str, str]:
    """For each name that somebody had at the table: the name of whoever sits there now.

    >>> from datetime import datetime, UTC
    >>> from storage.records import Seat
    >>> seats = (Seat("Zoe", 3, former=("Ann", "House")), Seat("Bo", 2))
    >>> now = datetime.now(UTC)
    >>> present_names(GameRecord(1, 7, 70, "tiny", 1, {}, 18, 2, 2, "playing", seats, now))
    {'Ann': 'Zoe', 'House': 'Zoe'}
    """
    return {old: seat.name for seat in record.seats for old in seat.former if old != seat.name}


def in_present_names(record: GameRecord, value: Any) -> Any:
    """A move, an event or whatever is made of them, with the present names of those who sit at the table."""
    names = present_names(record)
    return _renamed(value, names) if names else value


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        # A kind of move or event is no name of anybody's.
        return {key: item if key == "type" else _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(item, names) for item in value]
    return value
