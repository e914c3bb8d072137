"""The bot's memory over many moves, pictures and all: it fills its caches, and then it must stay where it is.

KURSBUCH_BENCH_MOVES sets how many moves are made.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from table.errors import Refused
from table.people import text_of
from table.seed import furnish
from table.server import Table
from workshop.bench import bot as bench
from workshop.bench import yardstick
from workshop.evening.guests import Typist, buttons

MOVES = int(os.environ.get("KURSBUCH_BENCH_MOVES", "10000"))
GAMES, AT_ONCE = 120, 20
#: Caches are full after this part of the moves; from then on the size may not grow by more than this.
FULL, MOST_MIB = 0.4, 16.0


def run() -> None:
    print(f"memory (Y = {1000 * yardstick.seconds():.1f} ms)")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    table = Table(rate_limits=False)
    furnish(table.world)
    await table.start()
    try:
        seats = await bench.write_games(table, folder, 1, GAMES)
        bot = await bench.start(table, folder)
        try:
            await table.bot_is_here(120)
            await bench.until_answered(table)
            sizes = [(0, bench.resident(bot.pid))]
            await play(table, iter(seats), bot.pid, sizes)
        finally:
            await bench.end(bot)
    finally:
        await table.stop()
    print("  resident size: " + ", ".join(f"{size:.0f} MiB after {moves}" for moves, size in sizes))
    full = next(size for moves, size in sizes if moves >= FULL * sizes[-1][0])
    grown = sizes[-1][1] - full
    verdict = "ok" if grown <= MOST_MIB else f"over {MOST_MIB:g} MiB"
    print(f"  grown by {grown:.0f} MiB in the last {1 - FULL:.0%} of {sizes[-1][0]} moves: {verdict}")


async def play(table: Table, seats: Iterator[bench.Seated], pid: int, sizes: list[tuple[int, float]]) -> None:
    """Some games at a time; when one is over, the next is begun. Each size is told at once: a run may be cut short."""
    moves = 0
    began = time.monotonic()

    async def one(number: int) -> None:
        nonlocal moves
        chance = random.Random(number)
        for seated in seats:
            while moves < MOVES and not await over(table, seated, chance):
                moves += 1
                if moves % max(MOVES // 10, 1) == 0:
                    sizes.append((moves, bench.resident(pid)))
                    minutes = (time.monotonic() - began) / 60
                    print(f"  {moves} moves in {minutes:.1f} minutes: {sizes[-1][1]:.0f} MiB", flush=True)
            if moves >= MOVES:
                return

    await asyncio.gather(*(one(number) for number in range(AT_ONCE)))


async def over(table: Table, seated: bench.Seated, chance: random.Random) -> bool:
    """Make one move; whether the game is over instead."""
    where = seated.channel.id
    home: Any = SimpleNamespace(table=table, person=table.person)
    patience = time.monotonic() + 30
    while time.monotonic() < patience:
        cards = [m for m in table.world.history(where) if m.reader is None and "Map" in buttons(m)]
        if cards and "The game is over" in text_of(cards[-1]):
            return True
        for name in chance.sample(bench.PEOPLE, len(bench.PEOPLE)):
            typist = Typist(home, name, chance)
            try:
                kinds = await typist.person.autocomplete(where, "move", "move", move="")
                if not kinds:
                    continue
                outcome = await bench.timed(typist, where, chance.choice(kinds)["value"], bench.Measured())
                if not outcome.failed and await bench.confirm(typist, await outcome.settled()):
                    return False
            except (Refused, TimeoutError, AssertionError):
                continue
        await asyncio.sleep(0.05)
    return True


if __name__ == "__main__":
    run()
