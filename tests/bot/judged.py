"""The pass through all running games in a process of its own, to be killed: `python -m tests.bot.judged DATABASE`.

It says the number of the process that judges, and then a word whenever a verdict is found and is being kept.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from bot.games.judging import Judging, Worker
from bot.games.service import GameService
from storage.sqlite import SqliteStore

_start = Worker.start


async def _said(path: str) -> Worker:
    worker = await _start(path)
    print(worker._process.pid, flush=True)
    return worker


_take = GameService.take_verdict


async def _taken(self: GameService, *given: Any) -> str:
    print("keep", flush=True)
    return await _take(self, *given)


async def main(path: str) -> None:
    async with await SqliteStore.open(path) as store:
        found = Judging(GameService(store))
        await found.start()
        await found.done()


if __name__ == "__main__":
    Worker.start = _said  # type: ignore[method-assign]
    GameService.take_verdict = _taken  # type: ignore[method-assign]
    asyncio.run(main(sys.argv[1]))
