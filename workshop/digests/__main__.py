"""Compares the recorded games with what the code does now, or records them.

Usage: python -m workshop digests [--only 'bl/4-*'] [--title rhl] [--jobs 2] [--write | --expect REASON | --list]
       python -m workshop digests --show GAME MOVE
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from typing import TypeVar

from workshop.digests import __doc__ as manual
from workshop.digests import comparing, recording
from workshop.digests.comparing import Outcome
from workshop.digests.recording import Recording, Slot

T = TypeVar("T")
R = TypeVar("R")


def each(job: Callable[[T], R], things: Sequence[T], jobs: int) -> Iterable[R]:
    """Do something with each of these, several at once if asked, in their order."""
    if jobs == 1:
        yield from map(job, things)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(job, things)


def recorded(arguments: argparse.Namespace) -> list[Recording]:
    """The recorded games that are asked for; says so if the real one is not here."""
    result = []
    for group in recording.groups():
        if group == recording.REAL_GROUP and not asked(arguments, recording.REAL, recording.REAL_TITLE):
            continue  # to find its moves takes seconds
        found = recording.read(group)
        if not found:
            print("The game of real people is left out: its record is not beside the project.")
        result += found
    return [game for game in result if asked(arguments, game.name, game.title)]


def asked(arguments: argparse.Namespace, name: str, title: str) -> bool:
    patterns = arguments.only or ["*"]
    return arguments.title in ("", title.partition(":")[0]) and any(fnmatch(name, pattern) for pattern in patterns)


def _fill(slot: Slot) -> Recording:
    return slot.fill()


def write(arguments: argparse.Namespace) -> int:
    """Record games of the plan that are missing; anew those that are named, or that differ as expected."""
    kept = {game.name: game for group in recording.groups() for game in recording.read(group)}
    anew = kept if arguments.only else comparing.expected()
    again = [game for game in kept.values() if game.name in anew and asked(arguments, game.name, game.title)]
    empty = [
        slot
        for slot in recording.plan()
        if asked(arguments, f"{slot.start}0", slot.title) and not any(map(slot.takes, kept.values()))
    ]
    real = recording.real_game()
    if real and real.name not in kept and asked(arguments, real.name, real.title):
        again.append(real)
    new = []
    for source in (each(recording.record, again, arguments.jobs), each(_fill, empty, arguments.jobs)):
        for game in source:
            new.append(game)
            print(f"{game.name}: {len(game.moves)} moves", flush=True)
    changed = [game for game in new if kept.get(game.name) != game]
    kept |= {game.name: game for game in new}
    grouped = defaultdict(list)
    for game in kept.values():
        grouped[game.group].append(game)
    for group in {game.group for game in changed}:
        recording.write(group, grouped[group])
    comparing.forget_expected({game.name for game in new})
    print(f"{len(new)} games recorded, {len(changed)} of them new or changed; {len(kept)} in all")
    return 0


def compare(arguments: argparse.Namespace) -> int:
    began = time.monotonic()
    games = recorded(arguments)
    expected = comparing.expected()
    outcomes: list[Outcome] = []
    for outcome in each(comparing.compare, games, arguments.jobs):
        outcome = comparing.judge(outcome, expected)
        outcomes.append(outcome)
        if outcome.verdict != comparing.EQUAL:
            print(outcome.told, flush=True)
    different = [outcome for outcome in outcomes if outcome.verdict == comparing.DIFFERENT]
    if arguments.expect:
        comparing.expect(different, arguments.expect)
    wanted = sum(outcome.verdict == comparing.EXPECTED for outcome in outcomes)
    print(
        f"{len(outcomes)} games, {sum(outcome.moves for outcome in outcomes)} moves compared: "
        f"{len(outcomes) - len(different) - wanted} games equal, {wanted} different as expected, "
        f"{len(different)} different ({time.monotonic() - began:.0f} s)"
    )
    return 1 if different and not arguments.expect else 0


def show(arguments: argparse.Namespace) -> int:
    name, number = arguments.show[0], int(arguments.show[1])
    arguments.only = [name]
    game = next((game for game in recorded(arguments) if game.name == name), None)
    if game is None:
        print(f"There is no recorded game {name}; --list names all.")
        return 2
    print("\n".join(comparing.shown(game, number)))
    return 0


def show_list(arguments: argparse.Namespace) -> int:
    for game in recorded(arguments):
        print(f"{game.name}: {len(game.moves)} moves" + (", all positions" if game.stride == 1 else ""))
    return 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m workshop digests", description=manual, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--write", action="store_true", help="record: missing games; anew expected ones and those of --only"
    )
    parser.add_argument("--expect", metavar="REASON", help="write all differences into expected.toml: a clause, why")
    parser.add_argument("--show", nargs=2, metavar=("GAME", "MOVE"), help="what is seen after a move")
    parser.add_argument("--list", action="store_true", help="the names of the recorded games")
    parser.add_argument("--title", default="", help="only games of this title")
    parser.add_argument("--only", nargs="+", metavar="GAME", help="only these games; * stands for anything")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args(argv)
    if arguments.write:
        return write(arguments)
    if arguments.show:
        return show(arguments)
    return show_list(arguments) if arguments.list else compare(arguments)
