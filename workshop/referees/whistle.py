"""What a referee is: all that the frame asks of it, and the plain data in which they speak."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

#: A move, an event or the beginning of a game as JSON values.
Plain = Mapping[str, Any]
#: A position: `companies.RhE.price` and the like, as JSON values. What is empty, nothing or false is left out.
#: Certificates are pairs of size and holder, sorted: `[[10, "ann"], [10, "pool"], [20, "bo"]]`.
Position = dict[str, Any]


class Referee(Protocol):
    """Follows one game with a model of its own."""

    @property
    def leaves(self) -> Mapping[str, str]:
        """What of a position it does not judge: beginnings of names, each with the reason."""

    def position(self) -> Position:
        """How the game stands by its own reading; all but what it leaves is compared."""

    def deciders(self) -> Collection[str]:
        """Who has to decide now; nobody when the game is over."""

    def verdict(self, move: Plain) -> str:
        """Nothing if the move is allowed now, else why it is not, with the clause."""

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        """Make a move; only what is drawn or dealt by chance may be read from the events."""

    def clause(self, name: str) -> str:
        """Which clause of the ledger decides over this part of a position."""


#: Gives the referee of a game from its beginning: `title`, `form`, `players`, `options`, and the `position` before the
#: first move, from which a referee reads what was drawn and dealt, and which it has to know by itself otherwise.
Appoint = Callable[[Plain], Referee]


def filled(data: Mapping[str, Any]) -> Position:
    """Nested values as one table of names; what is empty, nothing or false is left out.

    >>> filled({"cash": {"ann": 5, "bo": 0}, "seats": ["ann", "bo"]})
    {'cash.ann': 5, 'seats': ['ann', 'bo']}
    """
    result: Position = {}
    _fill(result, "", data)
    return result


def _fill(result: Position, start: str, data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict):
            _fill(result, f"{start}{key}.", value)
        elif value:
            result[f"{start}{key}"] = value
