"""Runs an evening of chaos and prints the figures; ends with 1 if anything was lost, doubled or untold."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from bot.cli.numbers import whole
from workshop.chaos.books import Figures
from workshop.chaos.evening import Evening


async def run(folder: Path, minutes: float, seed: int) -> Figures:
    evening = Evening(folder, seed)
    try:
        await evening.open()
        await evening.shake(60 * minutes)
        return await evening.count()
    finally:
        await evening.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=whole(0, 2**31), default=1865)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        figures = asyncio.run(run(Path(folder), given.minutes, given.seed))
    print(f"chaos, {given.minutes:g} minutes, seed {given.seed}")
    print(*figures.lines(), sep="\n")
    wrong = figures.wrong()
    print("nothing was lost, doubled or untold" if not wrong else f"WRONG: {wrong}")
    return 1 if wrong else 0
