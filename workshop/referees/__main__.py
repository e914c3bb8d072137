"""Simulated games beside a referee that was written from the rulebook alone; every disagreement is one line.

Usage: python -m workshop referees ruhr [--players 3 4 5 6] [--games 100] [--house random greedy] [--jobs 1] [--seed 0]
       [--option NAME=VALUE]
Options that are not given are drawn anew for each game, so that all of them occur.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import titles
from bot.cli.simulate import options
from engine.house.players import HOUSES
from workshop.referees import ONLY, REFEREES, appointed
from workshop.referees.following import Disagreement, Played, Report, follow


def drawn(form: titles.Form, chosen: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """A choice of all options, the same for the same seed."""
    chance = random.Random(f"options {seed}")
    while True:
        result = {spec.id: chance.choice(spec.values) for spec in form.options} | dict(chosen)
        if not any(apart.names(result) for apart in form.apart):
            return result


def games(name: str, arguments: argparse.Namespace) -> list[Played]:
    """The games to be played, houses mixed evenly."""
    title, form = titles.find_form(name)
    chosen = ONLY.get(name, {}) | options(form, arguments.option)
    low, high = form.players
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    return [
        Played(title.id, form.id, players, house, seed, drawn(form, chosen, seed))
        for players in arguments.players or range(low, high + 1)
        for seed in seeds
        for house in arguments.house
    ]


def _job(job: tuple[str, Played, bool]) -> tuple[Played, Report]:
    name, played, misses = job
    try:
        return played, follow(played, appointed(name), misses)
    except Exception as error:  # whichever of the two failed: it is told with its game, and the others are played
        last = traceback.extract_tb(error.__traceback__)[-1]
        about = f"{Path(last.filename).name} line {last.lineno}"
        failed = Disagreement(played, 0, about, "no failure", repr(error), "")
        return played, Report(disagreements=[failed])


def told(results: Iterable[tuple[Played, Report]]) -> int:
    """Print each disagreement as it is found, and the figures at the end; how many disagreements there are."""
    whole = Report()
    ends: Counter[str] = Counter()
    count = 0
    for played, report in results:
        for disagreement in report.disagreements:
            print(disagreement, flush=True)
        ends[f"{played.players}: {report.end or 'stopped'}"] += 1
        whole.add(report)
        count += 1
    print(f"{count} games, {dict(sorted(ends.items()))}")
    print(f"{whole.moves} moves followed, {whole.positions} positions equal")
    print(f"{whole.compared} verdicts compared, {whole.refused} of them refusals")
    print("kinds of moves: " + ", ".join(f"{kind} {number}" for kind, number in sorted(whole.kinds.items())))
    print(f"{len(whole.disagreements)} disagreements")
    return len(whole.disagreements)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop referees", description=__doc__)
    parser.add_argument("referee", choices=sorted(REFEREES))
    parser.add_argument("--players", type=int, nargs="*")
    parser.add_argument("--games", type=int, default=100, help="for each number of players and each kind of house")
    parser.add_argument("--house", nargs="*", choices=sorted(HOUSES), default=sorted(HOUSES))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--no-misses", action="store_true", help="leave out moves that are nearly right")
    arguments = parser.parse_args(argv)
    began = time.monotonic()
    jobs = [(arguments.referee, played, not arguments.no_misses) for played in games(arguments.referee, arguments)]
    if arguments.jobs == 1:
        disagreements = told(map(_job, jobs))
    else:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            disagreements = told(pool.map(_job, jobs))
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if disagreements else 0
