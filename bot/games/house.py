"""House players: they move until a person has to decide, and nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.games.thinking import Thinking
from storage.errors import StaleError, StorageError
from storage.records import PLAYING

if TYPE_CHECKING:
    from bot.games.service import GameService, Live

_log = logging.getLogger(__name__)

#: The house tries again after this time when the database refuses its move.
HOUSE_PAUSE = timedelta(seconds=5)


class Houses:
    """The games in which the house is at work."""

    def __init__(self, service: GameService) -> None:
        self._service = service
        self._working: dict[int, asyncio.Task[None]] = {}
        self.thinking = Thinking()

    def wake(self, game: int) -> None:
        """Let the house look whether it is its turn."""
        live = self._service.remembered(game)
        if live is not None and not any(seat.house for seat in live.record.seats):
            return
        task = self._working.get(game)
        if task is None or task.done():
            self._working[game] = task = asyncio.create_task(self._play(game), name=f"house {game}")
            task.add_done_callback(lambda done: self._rests(game, done))

    def _rests(self, game: int, task: asyncio.Task[None]) -> None:
        if self._working.get(game) is task:
            del self._working[game]
        if not task.cancelled():
            # If it could not move, that its turn has come is told now.
            self._service.changed(game)

    def at_work(self, live: Live) -> bool:
        """Whether nobody but the house must decide, and it is at it."""
        deciders = live.game.offer().deciders
        only_house = bool(deciders) and all(live.seat(name).house for name in deciders)
        return only_house and live.record.status == PLAYING and live.record.id in self._working

    async def wake_all(self, without: Container[int] = ()) -> None:
        """After a start: the process may have ended between a person's move and the house's.

        Those `without` are still to be judged, and woken then.
        """
        for record in await self._service.store.games(statuses=[PLAYING]):
            if record.id not in without and any(seat.house for seat in record.seats):
                self.wake(record.id)
                # One game after the other: each has to be loaded, and some to be replayed.
                await self.idle()

    @property
    def busy(self) -> bool:
        return bool(self._working)

    async def settled(self, game: int, seconds: float) -> None:
        """Wait until the house has moved in a game, but not for long."""
        task = self._working.get(game)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)

    async def idle(self) -> None:
        """Wait until no house player is at it."""
        while self._working:
            await asyncio.gather(*self._working.values(), return_exceptions=True)

    async def close(self) -> None:
        """Stop; the house goes on after the next start."""
        tasks = list(self._working.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.thinking.close()

    async def _play(self, game: int) -> None:
        service = self._service
        while True:
            try:
                if not await service.house_move(game):
                    service.problems.clear("house", game)
                    return
                service.changed(game)
            except StaleError:
                continue  # somebody was quicker; look again
            except StorageError as problem:
                _log.warning("the house waits for the database in game %d: %s", game, problem)
                service.scheduler.after(f"house {game}", HOUSE_PAUSE, lambda: self.wake(game))
                return
            except Exception as problem:
                service.problems.note("house", game, problem)
                return
