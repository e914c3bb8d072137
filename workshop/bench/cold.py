"""Games that are not in memory: how long one takes to answer, and a crowd of them all played at once."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from table.seed import PEOPLE as SEATED
from table.seed import furnish
from table.server import Table
from workshop.bench import bot as bench
from workshop.bench import yardstick
from workshop.bench.engine import percentile
from workshop.evening.guests import buttons

#: Games, for how long they are played, and how long people think between two moves of a game.
CROWD = (300, 60.0, 12.0)
#: Games that are looked at one after the other.
COLD = 40
#: So few games in memory that each has long left it when it is its turn again. Without pictures: so many moves a second
#: are more than one thread draws, and it is the games that are looked at here.
CODE = """
import bot.games.service as games
from bot.card.pictures import Pictures
from workshop.evening.guests import NoPictures
games.MOST_LIVE_GAMES = 60
Pictures.draw = NoPictures.draw
"""


def run() -> None:
    """Measure and print."""
    print(f"cold games (Y = {1000 * yardstick.seconds():.1f} ms)")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    table = Table(rate_limits=False)
    furnish(table.world, people=[seat._replace(locale="en-GB") for seat in SEATED])
    await table.start()
    try:
        games, seconds, thinking = CROWD
        seats = await bench.write_games(table, folder, 1, games + COLD, COLD)
        bot = await bench.start(table, folder, CODE)
        try:
            await table.bot_is_here(120)
            await bench.until_answered(table)
            await one_by_one(table, seats)
            await bench.crowd(table, seats[:games], seconds, thinking, bot.pid, "all cold")
        finally:
            await bench.end(bot)
    finally:
        await table.stop()


async def one_by_one(table: Table, seats: list[bench.Seated]) -> None:
    """Games that are not in memory: how long the whole answer takes, from their snapshots and by replay."""
    for what, some, target in (
        ("a cold game answers", seats[-2 * COLD : -COLD], 0.15),
        ("a cold game without a snapshot answers", seats[-COLD:], 2.0),
    ):
        times = []
        for seated in some:
            began = time.perf_counter()
            outcome = await table.person(seated.decider).slash(seated.channel.id, "turn")
            await outcome.settled()
            times.append(time.perf_counter() - began)
            assert outcome.message is not None
            assert buttons(outcome.message), outcome.text
        yardstick.row(f"{what}, p50", percentile(times, 0.5))
        yardstick.row(f"{what}, p95", percentile(times, 0.95), target)


if __name__ == "__main__":
    run()
