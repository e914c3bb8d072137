"""Best routes searched in a thread of its own: the event loop never waits for a search.

What is only shown to people has a limit of time; what a rule judges by is searched as the rules do, by steps.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

from engine.game import Game
from engine.offer import Choice
from engine.steps.run import RunChoice

#: A search is cut off after this time; its result can be run, and is shown as not proved.
SEARCH_SECONDS = 5.0

T = TypeVar("T")

#: Asked when a search begins for what says when it has gone on long enough.
Limit = Callable[[], Callable[[], bool]]


def time_limit() -> Callable[[], bool]:
    """Enough when the time is up that a search may take from now on."""
    end = time.monotonic() + SEARCH_SECONDS
    return lambda: time.monotonic() >= end


class Searches:
    """Makes games know the best routes before somebody asks for them."""

    def __init__(self, limit: Limit = time_limit) -> None:
        self.limit = limit
        self._closed = False
        self._pool: Executor = ThreadPoolExecutor(1, thread_name_prefix="routes")
        #: The searches going on, by game and company: two people who press at once wait for the same one.
        self._going: dict[tuple[int, str], asyncio.Future[Game]] = {}

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def needed(self, choice: Choice[Any]) -> bool:
        """Whether a choice cannot be asked without a search."""
        return isinstance(choice, RunChoice) and not choice.known()

    async def before(self, choice: Choice[Any]) -> None:
        """Search what a choice will ask for, unless it is known."""
        if isinstance(choice, RunChoice) and self.needed(choice):
            await self.find(choice)

    async def find(self, choice: RunChoice) -> None:
        """Let a game know the best routes of a company in its present position."""
        game, company = choice.game, choice.company
        key = (id(game), company)
        going = self._going.get(key)
        if going is None:
            # On a copy: what is derived from a position is kept in it, and the event loop uses it meanwhile.
            loop = asyncio.get_running_loop()
            going = self._going[key] = loop.run_in_executor(self._pool, self._searched, game.copy(), company)
            going.add_done_callback(lambda _: self._going.pop(key))
        # Whoever gives up waiting leaves the search to the others.
        game.learn(await asyncio.shield(going))

    async def rest(self, game: Game, work: Callable[[Game, Callable[[], bool]], T], seconds: float) -> T | None:
        """Something found out on a copy with searches of a few moments; None if it takes longer."""
        end = time.monotonic() + seconds
        loop = asyncio.get_running_loop()
        going = loop.run_in_executor(self._pool, work, game.copy(), lambda: self._closed or time.monotonic() >= end)
        done, _ = await asyncio.wait([going], timeout=2 * seconds)
        return going.result() if done else None

    def _searched(self, game: Game, company: str) -> Game:
        search(game, self.limit(), company, lambda: self._closed)
        return game


def search(
    game: Game, enough: Callable[[], bool], company: str = "", interrupted: Callable[[], bool] = lambda: False
) -> None:
    """Let a game know the best routes of a company that is to run, or of all; advice is cut when it was enough."""
    for choice in game.offer().choices:
        if isinstance(choice, RunChoice) and company in ("", choice.company):
            choice.search(enough, interrupted)


def search_all(game: Game) -> None:
    """Let a game know the best routes of every company that is to run, advice within the limit of time."""
    search(game, time_limit())
