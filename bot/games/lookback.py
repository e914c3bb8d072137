"""Games played through once more for somebody who looks back: one at a time, in turn between people, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

#: Results that are kept, for whoever looks at the same again: positions and histories.
MOST_KEPT = 24


class Lookbacks:
    """A queue for long work that people ask for, in a thread of its own.

    Whoever asks for forty things waits for the first before the second is begun, and everybody else comes in between.
    What two ask for at once is worked out once.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lookback")
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._going: dict[Hashable, asyncio.Future[Any]] = {}
        #: By person, in the order in which their turns come.
        self._queues: OrderedDict[int, deque[tuple[Hashable, Callable[[], Any]]]] = OrderedDict()
        self._working: asyncio.Task[None] | None = None

    async def find(self, person: int, key: Hashable, work: Callable[[], T]) -> T:
        """What some work gives, which is the same for the same key: leave it as it is."""
        if key in self._kept:
            self._kept.move_to_end(key)
            found: T = self._kept[key]
            return found
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.get_running_loop().create_future()
            self._queues.setdefault(person, deque()).append((key, work))
            if self._working is None or self._working.done():
                self._working = asyncio.create_task(self._work(), name="lookbacks")
        # Whoever gives up waiting leaves the work to the others.
        result: T = await asyncio.shield(going)
        return result

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queues:
            person, queue = self._queues.popitem(last=False)
            key, work = queue.popleft()
            if queue:
                self._queues[person] = queue
            going = self._going[key]
            try:
                result = await loop.run_in_executor(self._thread, work)
            except Exception as problem:
                if not going.done():
                    going.set_exception(problem)
                    # Nobody may be waiting any more.
                    going.exception()
            else:
                self._kept[key] = result
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
                if not going.done():
                    going.set_result(result)
            finally:
                del self._going[key]

    async def close(self) -> None:
        """Stop; nobody is answered any more."""
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
        for going in self._going.values():
            going.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
