"""Kills the bot at random moments of games with house players, reminders and pictures, and keeps the books.

Nobody's acknowledged move may be lost or made twice, no reminder sent twice, no announcement be missing or doubled
without saying so. `--minutes` ends it earlier. It ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from bot.cli.numbers import whole
from workshop.chaos import faults
from workshop.chaos.evening import PATIENCE, PLAYERS, Evening

#: What is played, by turns: in each a person and two house players.
TITLES = ("rhl", "bl", "ruhr", "do:hsb")
#: The clock is set forward after so many kills, so that reminders come due.
CLOCK_EVERY = 12
#: How long the bot lives between two kills at most, in seconds.
LIVES = 3.0


class Night(Evening):
    """An evening at which the house plays along, everything is drawn, and the bot is killed again and again."""

    settings: ClassVar[Mapping[str, str]] = {"CHAOS_PICTURES": "1"}

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self._begun = 0

    async def _begin_game(self, where: str) -> None:
        host = self.table.person(PLAYERS[self._begun % len(PLAYERS)])
        title = TITLES[self._begun % len(TITLES)]
        self._begun += 1
        opened = await host.slash(where, "game new", title=title, where="here", seats=3)
        await asyncio.wait_for(opened.settled(), PATIENCE)
        card = await host.sees("Seats (1", where, PATIENCE)
        for number in (2, 3):
            await host.click(card, "Add a house player")
            await host.sees(f"Seats ({number}", where, PATIENCE)
        await host.click(card, "Start")
        await host.sees("The game has begun", where, PATIENCE)

    async def kill(self, times: int, seconds: float) -> int:
        """Kill it so often, or for so long; gives how often it was."""
        for number, where in enumerate(self.channels):
            self._keep(self._play(where, number))
        watching = self._keep(self._watch())
        end = time.monotonic() + seconds
        for done in range(times):
            if time.monotonic() > end:
                return done
            if watching.done():
                watching.result()
            if done % CLOCK_EVERY == 0:
                async with faults.clock_jump(self):
                    pass
            await asyncio.sleep(LIVES * self.chance.random() ** 2)
            await self.end(signal.SIGKILL)
            await self.begin()
            if done % 50 == 49:
                self._look()
                print(f"  {done + 1} kills, {self.figures.acknowledged} moves acknowledged", flush=True)
        return times


async def run(folder: Path, kills: int, minutes: float, seed: int) -> tuple[int, Any]:
    night = Night(folder, seed)
    try:
        await night.open()
        done = await night.kill(kills, 60 * minutes)
        return done, await night.count()
    finally:
        await night.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop kills", description=__doc__)
    parser.add_argument("--kills", type=whole(1, 10**6), default=1000)
    parser.add_argument("--minutes", type=float, default=600.0, help="no longer than this")
    parser.add_argument("--seed", type=whole(0, 2**31), default=1865)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        done, figures = asyncio.run(run(Path(folder), given.kills, given.minutes, given.seed))
    print(f"{done} kills in {(time.monotonic() - began) / 60:.0f} minutes, seed {given.seed}")
    print(*figures.lines(), sep="\n")
    wrong = figures.wrong()
    print("nothing was lost, doubled or untold" if not wrong else f"WRONG: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
