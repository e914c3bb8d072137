"""Simulated games in which everything is checked after every move.

Usage: python -m tests.soak [--title rhl] [--games 200] [--jobs 2] [--players 3 4 5] [--house random greedy]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import titles
from engine import codec
from engine.errors import Refused
from engine.game import Game
from engine.house import HOUSES
from engine.invariants import broken
from engine.moves import Move, from_json, to_json

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
            other = value + chance.choice((-50, -7, -1, 1, 3, 10, 900))
            result.append(dataclasses.replace(move, **{field.name: other}))
        elif isinstance(value, str):
            others = [*game.state.companies, *game.definition.privates, "", "A1", "I10", "bank", "pool", "nothing"]
            result.append(dataclasses.replace(move, **{field.name: chance.choice(others)}))
    return result


def soak(title: str, players: int, house: str, seed: int, options: dict[str, object] | None = None) -> tuple[str, int]:
    """Play one game to its end and check everything after every move; gives the end and the length."""
    game = titles.new_game(title, NAMES[:players], options or {}, seed)
    shadow = titles.new_game(title, NAMES[:players], options or {}, seed)
    mind = HOUSES[house]()
    chance = random.Random(seed)
    before = game.state.copy()

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
        for wrong in tried:
            try:
                game.check(wrong)
            except Refused:
                try:
                    game.apply(wrong)
                except Refused:
                    continue
                hold(False, f"{wrong} was refused and then accepted")
        hold(game.state == before, f"a refused move changed the position: one of {tried}")
        game.apply(move)
        shadow.apply(from_json(json.loads(text)))
        before = game.state.copy()
        hold(shadow.state == before, f"{move} leads a replay elsewhere")
        for fault in broken(game):
            hold(False, fault)
    digest = game.state.digest()
    hold(shadow.state.digest() == digest, "the hashes of equal positions differ")
    text = codec.write(game, titles.find(title).version)
    hold(titles.load_game(text).state.digest() == digest, "saving loses something")
    hold(game.copy().state.digest() == digest, "a copy is not the same")
    return game.state.finished, len(game.moves)


def _job(arguments: tuple[str, int, str, int]) -> tuple[tuple[str, int, str, int], str, int]:
    try:
        return arguments, *soak(*arguments)
    except Exception as error:  # every fault is reported with its seed, whatever it is
        return arguments, f"FAULT {error!r}", 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--title", default="rhl")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="*")
    parser.add_argument("--house", nargs="*", default=sorted(HOUSES))
    arguments = parser.parse_args(argv)
    low, high = titles.find(arguments.title).players
    counts = arguments.players or range(low, high + 1)
    jobs = [
        (arguments.title, players, house, arguments.seed + number)
        for house in arguments.house
        for players in counts
        for number in range(arguments.games)
    ]
    began = time.monotonic()
    ends: dict[tuple[str, int], Counter[str]] = {}
    lengths: dict[tuple[str, int], list[int]] = {}
    faults = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for (_, players, house, _), end, moves in pool.map(_job, jobs, chunksize=4):
            if end.startswith("FAULT"):
                faults.append(end)
                print(end, flush=True)
            ends.setdefault((house, players), Counter())[end.split()[0]] += 1
            lengths.setdefault((house, players), []).append(moves)
    for (house, players), counter in ends.items():
        sizes = sorted(lengths[house, players])
        middle = sizes[len(sizes) // 2]
        print(f"{house:<8} {players} players: {dict(counter)}, moves {sizes[0]} to {sizes[-1]}, median {middle}")
    print(f"{len(jobs)} games, {len(faults)} faults, {time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
