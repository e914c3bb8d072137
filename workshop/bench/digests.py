"""What a digest with every move costs, beside a whole move as a player has it: from the press to the next panel.

The move is on disk by then. Without pictures, so that nothing hides in the time that drawing takes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import titles
from engine import position
from engine.house.players import HOUSES
from engine.plain import plain
from engine.state import text_of
from table.seed import PEOPLE as SEATED
from table.seed import furnish
from table.server import Table
from workshop.bench import bot as bench
from workshop.bench import yardstick

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
#: How far games are played for it, and how often each thing is done.
MOVES, TIMES = 150, 200
GAMES, SECONDS, THINKING = 5, 20.0, 0.05
#: Of a whole move.
MOST = 0.05
#: In the bot's process: how long each press takes that makes moves, and how long their digests.
CODE = """
import atexit, json, time
from bot.card.pictures import Pictures
from bot.panel.turns import Turns
from engine import position
from workshop.evening.guests import NoPictures
Pictures.draw = NoPictures.draw
play, digest, took = Turns._play, position.digest, {"plays": [], "digests": []}
async def timed(*given):
    began = time.perf_counter()
    await play(*given)
    took["plays"].append(time.perf_counter() - began)
def counted(*given):
    began = time.perf_counter()
    found = digest(*given)
    took["digests"].append(time.perf_counter() - began)
    return found
Turns._play, position.digest = timed, counted
atexit.register(lambda: open(%r, "w").write(json.dumps(took)))
"""


def run() -> None:
    """Measure and print."""
    print(f"digests (Y = {1000 * yardstick.seconds():.1f} ms)")
    for title in titles.known():
        for form in title.forms:
            by_form(title.id, form.id, form.players[0])
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(whole(Path(folder)))


def by_form(title: str, form: str, players: int) -> None:
    """The digest and the snapshot's text of one position: from data of their own each, as it was, and from the same."""
    game = titles.new_game(title, NAMES[:players], {}, 3, form)
    chance = Random(3)
    while not game.finished and len(game.moves) < MOVES:
        game.apply(HOUSES["greedy"]().choose(game, chance.choice(game.offer().deciders), chance))

    def apart() -> None:
        position.digest(plain(game.state), game.players)
        text_of(plain(game.state))

    def shared() -> None:
        data = game.state.data()
        position.digest(data, game.players)
        text_of(data)

    before, now = best(lambda: text_of(plain(game.state))), best(shared)
    data = game.state.data()
    digest = best(lambda: position.digest(data, game.players))
    print(
        f"  {f'{title}:{form}':<14} digest and text apart {1000 * best(apart):.2f} ms, together {1000 * now:.2f} ms "
        f"({1000 * (now - before):+.2f} ms to the text alone as it was made before), the digest {1000 * digest:.2f} ms"
    )


def best(work: Callable[[], Any]) -> float:
    """The seconds that something takes when nothing else disturbs it."""
    found = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(TIMES):
            work()
        found.append((time.perf_counter() - began) / TIMES)
    return min(found)


async def whole(folder: Path) -> None:
    """A game at the local table, played by hand in the bot's own process."""
    table = Table(rate_limits=False)
    furnish(table.world, people=[seat._replace(locale="en-GB") for seat in SEATED])
    await table.start()
    kept = folder / "took.json"
    try:
        seats = await bench.write_games(table, folder, 1, GAMES)
        bot = await bench.start(table, folder, CODE % str(kept))
        try:
            await table.bot_is_here(120)
            await bench.until_answered(table)
            await bench.crowd(table, seats, SECONDS, THINKING, bot.pid)
        finally:
            await bench.end(bot)
    finally:
        await table.stop()
    took = json.loads(kept.read_text())
    move, digest = statistics.median(took["plays"]), statistics.median(took["digests"])
    yardstick.row("a move from the press to its panel, p50", move, None, f"{len(took['plays'])} moves")
    yardstick.row("its digest, p50", digest, None, judged(digest / move))


def judged(share: float) -> str:
    return f"{100 * share:.1f} % of it  <= {100 * MOST:g} %  {'ok' if share <= MOST else 'missed'}"


if __name__ == "__main__":
    run()
