"""After an upgrade: running games get their verdicts in the background while people play and ask for suggestions.

KURSBUCH_BENCH_GAMES sets how many games there are.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from bot.client import DATABASE
from table.errors import Refused
from table.seed import PEOPLE as SEATED
from table.seed import furnish
from table.server import Table
from workshop.bench import bot as bench
from workshop.bench import yardstick
from workshop.bench.engine import percentile

GAMES = int(os.environ.get("KURSBUCH_BENCH_GAMES", "2000"))
#: Seconds for all of them, and for suggestions meanwhile.
MOST_SECONDS, MOST_SUGGESTION = 600.0, 0.150
#: So many people ask for suggestions, one after the other, each with a moment between two keys.
ASKING, KEY_SECONDS = 8, 0.3


def run() -> None:
    """Measure and print."""
    print(f"upgrade (Y = {1000 * yardstick.seconds():.1f} ms)")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    table = Table(rate_limits=False)
    furnish(table.world, people=[seat._replace(locale="en-GB") for seat in SEATED])
    await table.start()
    try:
        seats = await bench.write_games(table, folder, 1, GAMES, GAMES)
        moves = _as_before(folder / DATABASE)
        began = time.monotonic()
        bot = await bench.start(table, folder)
        try:
            await table.bot_is_here(120)
            await bench.until_answered(table)
            # In games that are in memory: a cold one has a measurement of its own.
            asked = seats[:: max(1, len(seats) // ASKING)][:ASKING]
            for seated in asked:
                await (await table.person(seated.decider).slash(seated.channel.id, "turn")).settled()
            times: list[float] = []
            asking = [asyncio.create_task(_ask(table, seated, times)) for seated in asked]
            left = GAMES
            while left:
                await asyncio.sleep(1.0)
                left = await asyncio.to_thread(_left, folder / DATABASE)
            took = time.monotonic() - began
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
        finally:
            await bench.end(bot)
    finally:
        await table.stop()
    yardstick.row(f"{GAMES} running games are judged", took, None, f"{moves / GAMES:.0f} moves a game; {_within(took)}")
    for share in (0.5, 0.99):
        most = MOST_SUGGESTION if share > 0.9 else None
        value = percentile(times, share)
        yardstick.row(f"suggestions meanwhile, p{100 * share:.0f}", value, None, bench.judged(value, most))
    print(f"    {len(times)} suggestions were asked for")


def _within(took: float) -> str:
    return f"<= {MOST_SECONDS:g} s  {'ok' if took <= MOST_SECONDS else 'missed'}"


def _as_before(path: Path) -> int:
    """Let it be the work of an earlier program: no verdict, no snapshot; gives how many moves there are."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM verdicts")
        return int(db.execute("SELECT count(*) FROM log").fetchone()[0])


def _left(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        query = "SELECT count(*) FROM games WHERE status = 'playing' AND id NOT IN (SELECT game FROM verdicts)"
        return int(db.execute(query).fetchone()[0])


async def _ask(table: Table, seated: bench.Seated, times: list[float]) -> None:
    chance = Random(seated.channel.id)
    person: Any = table.person(seated.decider)
    while True:
        await asyncio.sleep(chance.uniform(0.5, 1.5) * KEY_SECONDS)
        began = time.perf_counter()
        try:
            await person.autocomplete(seated.channel.id, "move", "move", move="")
        except Refused:
            times.append(3.0)
            continue
        times.append(time.perf_counter() - began)


if __name__ == "__main__":
    run()
