"""One person floods the bot with looks back at earlier moves, each a replay; another game's answers meanwhile."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from random import Random

from table.errors import Refused
from table.seed import PEOPLE as SEATED
from table.seed import furnish
from table.server import Table
from workshop.bench import bot as bench
from workshop.bench import yardstick
from workshop.bench.engine import percentile

#: So many looks back at once, by one person, each at another move; all in all so many floods.
LOOKS, FLOODS = 40, 3
#: Seconds for another game's first answer meanwhile.
MOST = 0.150
GAMES = 9


def run() -> None:
    """Measure and print."""
    print(f"lookback (Y = {1000 * yardstick.seconds():.1f} ms)")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    table = Table(rate_limits=False)
    furnish(table.world, people=[seat._replace(locale="en-GB") for seat in SEATED])
    await table.start()
    try:
        seats = await bench.write_games(table, folder, 1, GAMES)
        bot = await bench.start(table, folder)
        try:
            await table.bot_is_here(120)
            await bench.until_answered(table)
            for seated in seats:
                await (await table.person(seated.decider).slash(seated.channel.id, "turn")).settled()
            # The eighth game is the longest.
            quiet = await _asked(table, seats[0], asyncio.create_task(asyncio.sleep(5.0)))
            loop, _ = bench.busy(bot.pid)
            began, times, took = time.monotonic(), list[float](), list[float]()
            for flood in range(FLOODS):
                many = asyncio.create_task(_flood(table, seats[7], range(flood * LOOKS, (flood + 1) * LOOKS), took))
                times += await _asked(table, seats[0], many)
            spent = bench.busy(bot.pid)[0] - loop
        finally:
            await bench.end(bot)
    finally:
        await table.stop()
    for name, found in (("alone", quiet), ("beside the floods", times)):
        for share in (0.5, 0.99):
            value = percentile(found, share)
            most = MOST if found is times and share > 0.9 else None
            yardstick.row(
                f"another game's first answer {name}, p{100 * share:.0f}", value, None, bench.judged(value, most)
            )
    print(f"    {len(times)} answers beside {FLOODS} x {LOOKS} looks back by one person, which took "
          f"{time.monotonic() - began:.0f} s in all (the event loop worked {spent:.1f} s)")  # fmt: skip
    yardstick.row("a look back in the flood, p50", percentile(took, 0.5))


async def _flood(table: Table, seated: bench.Seated, moves: range, took: list[float]) -> None:
    """All at once; each is answered in its turn."""

    async def look(move: int) -> None:
        began = time.perf_counter()
        outcome = await table.person(seated.decider).slash(seated.channel.id, "map", move=move)
        await outcome.settled()
        took.append(time.perf_counter() - began)

    await asyncio.gather(*(look(move) for move in moves), return_exceptions=True)


async def _asked(table: Table, seated: bench.Seated, until: asyncio.Task[None]) -> list[float]:
    """How long another person waits for a first answer while something goes on."""
    times, chance = list[float](), Random(1)
    person = table.person(seated.decider)
    while not until.done():
        await asyncio.sleep(chance.uniform(0.05, 0.25))
        began = time.perf_counter()
        try:
            if chance.random() < 0.5:
                await person.autocomplete(seated.channel.id, "move", "move", move="")
            else:
                await person.slash(seated.channel.id, "turn")
        except Refused:
            times.append(3.0)
            continue
        times.append(time.perf_counter() - began)
    until.result()
    return times


if __name__ == "__main__":
    run()
