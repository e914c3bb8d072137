"""What is wrong with single games. It is logged once, shown by `/health` and `/game info`, and stops no other game."""

from __future__ import annotations

import logging
from collections.abc import Mapping

_log = logging.getLogger(__name__)


class Problems:
    """By game and by what cannot be done for it: `announcements`, `reminders`, `house`, `loading` or `verdict`."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], str] = {}

    def note(self, what: str, game: int, problem: BaseException | str) -> None:
        """Something cannot be done for a game; logged unless it is known."""
        why = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}"
        if self._found.get((game, what)) != why:
            self._found[game, what] = why
            error = problem if isinstance(problem, BaseException) else None
            _log.error("game %d is left out of %s: %s", game, what, why, exc_info=error)

    def clear(self, what: str, game: int) -> None:
        if self._found.pop((game, what), None) is not None:
            _log.info("game %d is back in %s", game, what)

    def replace(self, what: str, problems: Mapping[int, BaseException | str]) -> None:
        """All that is wrong with something at this moment."""
        for game in [game for game, kind in self._found if kind == what and game not in problems]:
            self.clear(what, game)
        for game, problem in problems.items():
            self.note(what, game, problem)

    def of(self, game: int) -> dict[str, str]:
        """What cannot be done for a game, and why."""
        return {what: why for (number, what), why in sorted(self._found.items()) if number == game}

    def all(self) -> list[dict[str, object]]:
        return [{"game": game, "what": what, "why": why} for (game, what), why in sorted(self._found.items())]
