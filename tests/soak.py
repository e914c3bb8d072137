"""Simulated games in which everything is checked after every move; what must occur among many is told if it never did.

Usage: python -m tests.soak [--title rhl] [--form base] [--option NAME=VALUE] [--games 200] [--jobs 2]
       [--players 3 4 5] [--house random greedy]
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import itertools
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from types import FrameType
from typing import Any

import titles
from bot.cli.simulate import options
from engine import codec
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import broken
from engine.house.players import HOUSES
from engine.moves import Move, from_json, to_json
from tests.occurrences import possible, seen

#: A game that takes longer hangs: seconds, about a hundred times a usual game.
PATIENCE = 300

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")


class Broken(AssertionError):
    """Something did not hold after a move."""


def mutants(game: Game, move: Move, chance: random.Random) -> list[Move]:
    """Moves much like a good one, of which many are wrong: another player, other values."""
    result = [dataclasses.replace(move, player=chance.choice([*game.state.seats, "nobody"]))]
    for field in dataclasses.fields(move):
        value = getattr(move, field.name)
        if field.name == "player":
            continue
        if isinstance(value, int):
            other: dict[str, Any] = {field.name: value + chance.choice((-50, -7, -1, 1, 3, 10, 900))}
            result.append(dataclasses.replace(move, **other))
        elif isinstance(value, str):
            others = [*game.state.companies, *game.definition.privates, "", "A1", "I10", "bank", "pool", "nothing"]
            result.append(dataclasses.replace(move, **{field.name: chance.choice(others)}))
    return result


def refused(action: Callable[[Move], object], move: Move) -> bool:
    """Whether a move is refused; an accepted one is made if the action makes it."""
    try:
        action(move)
    except Refused:
        return True
    return False


@dataclasses.dataclass(frozen=True)
class Played:
    """A game that went to its end without a fault, or stopped with one."""

    end: str
    moves: int
    things: frozenset[str]
    fault: str = ""


def soak(
    title: str, players: int, house: str, seed: int, options: dict[str, Any] | None = None, form: str = ""
) -> Played:
    """Play one game to its end and check everything after every move."""
    game = titles.new_game(title, NAMES[:players], options or {}, seed, form)
    shadow = titles.new_game(title, NAMES[:players], options or {}, seed, form)
    mind = HOUSES[house]()
    chance = random.Random(seed)
    things: set[str] = set()

    def hold(condition: bool, what: str) -> None:
        if not condition:
            raise Broken(f"{title} {players} {house} seed {seed} move {len(game.moves)}: {what}")

    while not game.finished:
        hold(len(game.moves) < 20_000, "the game does not end")
        player = chance.choice(game.offer().deciders)
        move = mind.choose(game, player, chance)
        text = json.dumps(to_json(move))
        hold(from_json(json.loads(text)) == move, f"{move} does not survive JSON")
        tried = mutants(game, move, chance)
        bad = [wrong for wrong in tried if refused(game.check, wrong)]
        if bad:
            hold(refused(game.apply, chance.choice(bad)), f"one of {bad} was refused and then accepted")
        hold(game.state == shadow.state, f"a refused move changed the position: one of {tried}")
        things |= seen(game, move, game.apply(move))
        shadow.apply(from_json(json.loads(text)))
        hold(game.state == shadow.state, f"{move} leads a replay elsewhere")
        for fault in broken(game):
            hold(False, fault)
    digest = game.state.digest()
    hold(shadow.state.digest() == digest, "the hashes of equal positions differ")
    saved = codec.read(codec.write(game, titles.find(title).version))
    hold([from_json(move) for move in saved.moves] == list(game.moves), "saving loses a move")
    hold((saved.players, saved.seed) == (NAMES[:players], seed), "saving loses the beginning")
    hold(game.copy().state.digest() == digest, "a copy is not the same")
    return Played(game.state.finished, len(game.moves), frozenset(things))


Job = tuple[str, int, str, int, dict[str, Any], str]


def _hangs(signal_: int, frame: FrameType | None) -> None:
    raise Broken(f"not at its end after {PATIENCE} s")


def _job(arguments: Job) -> tuple[Job, Played]:
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(PATIENCE)
    try:
        return arguments, soak(*arguments)
    except Exception as error:  # every fault is reported with its seed, whatever it is
        return arguments, Played("fault", 0, frozenset(), f"{arguments}: {error!r}")
    finally:
        signal.alarm(0)


def _ready() -> None:
    """What stays for all games is not looked at again by the collector, and garbage may pile up a little."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--title", default="rhl")
    parser.add_argument("--form", default="")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="*")
    parser.add_argument("--house", nargs="*", default=sorted(HOUSES))
    arguments = parser.parse_args(argv)
    form = titles.find(arguments.title).form(arguments.form)
    chosen = options(form, arguments.option)
    low, high = form.players
    counts = arguments.players or range(low, high + 1)
    jobs = [
        (arguments.title, players, house, arguments.seed + number, chosen, form.id)
        for house in arguments.house
        for players in counts
        for number in range(arguments.games)
    ]
    began = time.monotonic()
    faults = 0
    things: Counter[str] = Counter()
    for players in counts:
        things.update(
            dict.fromkeys(possible(arguments.title, titles.rules(arguments.title, players, chosen, form.id)), 0)
        )
    with ProcessPoolExecutor(arguments.jobs, initializer=_ready) as pool:
        played = pool.map(_job, jobs, chunksize=4)
        for (house, players), group in itertools.groupby(played, key=lambda result: (result[0][2], result[0][1])):
            ends: Counter[str] = Counter()
            lengths = []
            for _, game in group:
                if game.fault:
                    faults += 1
                    print(f"FAULT {game.fault}", flush=True)
                ends[game.end] += 1
                lengths.append(game.moves)
                things.update(game.things)
            lengths.sort()
            middle = lengths[len(lengths) // 2]
            text = f"{dict(ends)}, moves {lengths[0]} to {lengths[-1]}, median {middle}"
            print(f"{house:<8} {players} players: {text}", flush=True)
    print("in how many games: " + ", ".join(f"{thing} {count}" for thing, count in sorted(things.items())))
    never = sorted(thing for thing, count in things.items() if not count)
    print("never: " + (", ".join(never) or "nothing"))
    print(f"{len(jobs)} games, {faults} faults, {time.monotonic() - began:.0f} s")
    return 1 if faults or never else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
