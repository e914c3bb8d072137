"""Lets work into the event loop piece by piece, so that in a crowd whatever is short is answered in between."""

from __future__ import annotations

import asyncio
import heapq
import itertools

#: How long a piece of work may be overtaken by later ones, in seconds: a person looks at a panel, a channel can wait.
PANEL = 0.0
CARD = 1.0


class FairQueue:
    """Whoever has some milliseconds of computing to do on the event loop passes here first, and computes at once.

    Between two who pass, the loop hears and answers what has come in: many pieces that became ready at the same time
    would otherwise be done in a row, and a suggestion, which takes several rounds of the loop, would wait for a row of
    them in each round.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._taken = False

    async def enter(self, patience: float) -> None:
        """Wait for one's turn; those with less patience come first, but nobody is overtaken for ever."""
        loop = asyncio.get_running_loop()
        if self._taken:
            turn = loop.create_future()
            heapq.heappush(self._waiting, (loop.time() + patience, next(self._numbers), turn))
            await turn
        else:
            self._taken = True
            loop.call_soon(self._next)

    def _next(self) -> None:
        """One round of the loop later: let the next one in."""
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                # They compute in the next round, before this is called again.
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._taken = False
