"""All house players by their names: the levels that people choose, and those of older games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.house import ahead, players
from engine.rules import House

#: What a host chooses among, the easiest first.
LEVELS: dict[str, Callable[[], House]] = {
    "easy": players.TitleGreedy,
    **{name: partial(ahead.LookAhead, level) for name, level in ahead.LEVELS.items()},
}

HOUSES: dict[str, Callable[[], House]] = {**players.HOUSES, **LEVELS}


def house(name: str) -> House:
    """A house player by its name; KeyError if there is none."""
    return HOUSES[name]()
