"""Best routes remembered for many copies of a game, by everything that they depend on.

Whoever looks ahead plays thousands of copies in which the same company runs the same trains over the same track. The
key is the engine's: the board with all that lies on it, which companies' stations count, the phase, the company and its
trains, and what the title says that its trains depend on besides (`Trains.depends`). A title that does not say it has
nothing remembered for it. The game that is really played never has a memo: it searches as the rules say.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from engine.game import Game

T = TypeVar("T")

#: So much is remembered before all of it is forgotten.
MOST = 40_000


def exact(value: Any) -> bytes:
    """A value as bytes that are equal only for equal values, whichever objects in it are the same."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dump(value)
    return buffer.getvalue()


class Memo:
    """What was found, for all copies that share it."""

    def __init__(self) -> None:
        self._boards: dict[object, int] = {}
        self._found: dict[object, Any] = {}
        #: Steps of all searches that were made for it, the same on every machine.
        self.steps = 0

    def board(self, game: Game) -> int:
        """The number of a board: the same for equal ones."""
        state = game.state
        board = state.board
        key = (
            tuple(sorted(board.tiles.items())),
            tuple((at, tuple(map(tuple, stops))) for at, stops in sorted(board.stations.items())),
            tuple((at, tuple(tokens)) for at, tokens in sorted(board.beside.items())),
            tuple((at, tuple(signs)) for at, signs in sorted(board.markers.items())),
            tuple(name for name, company in state.companies.items() if company.active),
        )
        number = self._boards.get(key)
        if number is None:
            number = self._boards[key] = len(self._boards)
        return number

    def once(self, game: Game, what: object, company: str, make: Callable[[], T]) -> T:
        """A value about a company's trains, found once for all that it depends on."""
        depends = game.rules.trains.depends
        assert depends is not None
        trains = tuple(game.state.companies[company].trains)
        key = (what, game.board_number(self), game.state.phase, company, trains, depends(game, company))
        if key not in self._found:
            if len(self._found) >= MOST:
                self._found.clear()
            self._found[key] = make()
        found: T = self._found[key]
        return found
