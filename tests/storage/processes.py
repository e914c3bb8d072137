"""Writers in processes of their own that race each other and are killed, run as a script by the tests.

A script, because only a process without threads may be forked: `python -m tests.storage.processes race|kill FILE …`
prints what happened as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from storage import schema
from storage.errors import RepeatedError, StaleError
from storage.records import NewNotice
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, append, log_length, playing, untold

#: A writer says each number with this many bytes: small enough for a pipe to pass on whole.
WIDTH = 12


def forked(work: Callable[[Callable[[int], None]], Coroutine[Any, Any, None]]) -> tuple[int, int]:
    """Run a writer in a child; gives its process and a pipe with the numbers that it says."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        asyncio.run(work(lambda number: _say(writing, number)))
        code = 0
    finally:
        # Not the interpreter's own exit: it would run what the parent has to do at its end.
        os._exit(code)


def _say(pipe: int, number: int) -> None:
    os.write(pipe, f"{number:>{WIDTH}}".encode())


def heard(pipe: int) -> list[int]:
    """Everything that a writer has said, until its end."""
    text = b""
    while chunk := os.read(pipe, 65536):
        text += chunk
    os.close(pipe)
    return [int(text[at : at + WIDTH]) for at in range(0, len(text), WIDTH)]


async def _begin(path: str) -> int:
    store = await SqliteStore.open(path)
    try:
        return (await playing(store, waiting={ANN: "ann"})).id
    finally:
        await store.close()


async def _facts(path: str, game: int) -> dict[str, Any]:
    store = await SqliteStore.open(path)
    try:
        moves = await store.log(game)
        return {
            "seqs": [move.seq for move in moves],
            "interactions": [move.interaction for move in moves],
            "notices": [notice.seq for notice in await untold(store)],
            "waiting": [row.player for row in await store.waiting(game=game)],
            "faults": await store.check(),
        }
    finally:
        await store.close()


# ---------------------------------------------------------------------- races


def race(path: str, writers: int, rounds: int) -> dict[str, Any]:
    """Several processes append to one game, first with clicks of their own, then with the same clicks."""
    game = asyncio.run(_begin(path))

    def writer(number: int) -> Callable[[Callable[[int], None]], Coroutine[Any, Any, None]]:
        async def work(say: Callable[[int], None]) -> None:
            store = await SqliteStore.open(path)
            try:
                for click in range(rounds):
                    expected = await log_length(store, game)
                    # Let the others read the same length.
                    await asyncio.sleep(random.random() / 500)
                    with contextlib.suppress(StaleError):
                        say(await append(store, game, expected, interaction=1_000_000 * number + click))
                for click in range(rounds):
                    while True:
                        try:
                            say(await append(store, game, await log_length(store, game), interaction=click))
                        except StaleError:
                            continue
                        except RepeatedError as error:
                            say(-error.seq)
                        break
            finally:
                await store.close()

        return work

    children = [forked(writer(number)) for number in range(1, writers + 1)]
    said = [heard(pipe) for _, pipe in children]
    codes = [os.waitpid(child, 0)[1] for child, _ in children]
    return {"codes": codes, "said": said, **asyncio.run(_facts(path, game))}


# ---------------------------------------------------------------------- kills


def kill(path: str, kills: int) -> dict[str, Any]:
    """Writers under load are killed at random moments, again and again; each begins where the last left off."""
    game = asyncio.run(_begin(path))
    acknowledged: list[int] = []

    async def work(say: Callable[[int], None]) -> None:
        store = await SqliteStore.open(path)
        seq = await log_length(store, game)
        while True:
            # Two moves, an announcement and whose turn it is: whole or not at all.
            who = {ANN: "ann"} if seq % 4 else {BO: "bo"}
            moves = [{"type": "pass", "player": "ann", "n": seq + n} for n in (1, 2)]
            seq = await append(store, game, seq, moves, interaction=seq, notices=[NewNotice("moved")], waiting=who)
            say(seq)

    chance = random.Random(kills)
    for _ in range(kills):
        child, pipe = forked(work)
        # Until it is at work, so that every kill strikes something, and then at any moment.
        select.select([pipe], [], [], 60)
        time.sleep(chance.random() * 0.03)
        os.kill(child, signal.SIGKILL)
        acknowledged += heard(pipe)
        os.waitpid(child, 0)
    return {"acknowledged": acknowledged, **asyncio.run(_facts(path, game))}


if __name__ == "__main__":
    what, file, *numbers = sys.argv[1:]
    # SQLite lets nobody queue: on a busy machine somebody may be unlucky for long.
    schema.BUSY_SECONDS = 60
    print(json.dumps({"race": race, "kill": kill}[what](file, *map(int, numbers))))
