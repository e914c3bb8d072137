"""What was called otherwise once: the one place through which old logs, saved games and old positions are read.

A name that is given up goes in here with the one that took its place, and stays for ever: a game is kept for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Earlier names of moves in JSON, and today's.
MOVES: Mapping[str, str] = {"take_credit": "take_loan"}
#: Earlier names of events, and today's.
EVENTS: Mapping[str, str] = {"LotCheaper": "LotReduced", "CreditTaken": "LoanTaken"}
#: By title: earlier names of options, and today's.
OPTIONS: Mapping[str, Mapping[str, str]] = {}
#: By title: earlier names of forms, and today's.
FORMS: Mapping[str, Mapping[str, str]] = {}
#: Earlier names of what a position tells (see `engine.position`), and today's.
POSITION: Mapping[str, str] = {}
#: What positions told once and no program tells any more, because it meant nothing on the table: a title's memory of
#: the last set of rounds, by which a game that stands still was noticed.
UNTOLD = frozenset({"fact.last_set"})


def move(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A move in JSON under its present name.

    >>> move({"type": "take_credit", "player": "Ann"})
    {'type': 'take_loan', 'player': 'Ann'}
    """
    now = MOVES.get(data["type"]) if isinstance(data.get("type"), str) else None
    return data if now is None else {**data, "type": now}


def event(name: str) -> str:
    """The present name of an event."""
    return EVENTS.get(name, name)


def form(title: str, name: str) -> str:
    """The present name of a form."""
    return FORMS.get(title, {}).get(name, name)


def options(title: str, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options under their present names."""
    names = OPTIONS.get(title)
    return {names.get(name, name): value for name, value in chosen.items()} if names else chosen
