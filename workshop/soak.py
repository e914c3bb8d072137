"""Simulated games in which everything is checked after every move; what must occur among many is told if it never did.

Usage: python -m workshop soak [--title rhl] [--form base] [--option NAME=VALUE] [--games 200] [--jobs 2]
       [--players 3 4 5] [--house random greedy] [--mixed] [--each FACT]

So many games are played for each number of players and each house. With --mixed it is so many in all, each with the
next of the form's different games (those with the options that are named), so that enough of them are all there are.
With --each it is so many for each value that a fact of the beginning can have: `--each investor.company`, say.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import itertools
import json
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from types import FrameType
from typing import Any

import titles
from bot.cli.simulate import options
from engine import codec
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.house.players import HOUSES
from engine.moves import Move, from_json, to_json
from engine.position import view
from workshop.occurrences import possible, seen

#: A game that takes longer hangs: seconds, about a hundred times a usual game.
PATIENCE = 300

#: So many beginnings at least are looked at for the values that a fact can have.
SEEDS = 100

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
    #: What should occur among many games with the rules of this one.
    expected: frozenset[str] = frozenset()


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
        for fault in faults(game):
            hold(False, fault)
    digest = game.state.digest()
    hold(shadow.state.digest() == digest, "the hashes of equal positions differ")
    saved = codec.read(codec.write(game))
    hold([from_json(move) for move in saved.moves] == list(game.moves), "saving loses a move")
    hold((saved.players, saved.seed) == (NAMES[:players], seed), "saving loses the beginning")
    hold(game.copy().state.digest() == digest, "a copy is not the same")
    expected = frozenset(possible(title, game.rules))
    return Played(game.state.finished, len(game.moves), frozenset(things), expected=expected)


Job = tuple[str, int, str, int, dict[str, Any], str]
#: The houses and the numbers of players.
Seats = tuple[list[str], list[int]]


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


def plain_jobs(title: str, form: str, options: dict[str, Any], games: int, seed: int, seats: Seats) -> list[Job]:
    """So many games for each house and number of players."""
    houses, counts = seats
    return [
        (title, players, house, seed + number, options, form)
        for house in houses
        for players in counts
        for number in range(games)
    ]


def mixed_jobs(title: str, form: titles.Form, fixed: dict[str, Any], games: int, seed: int, seats: Seats) -> list[Job]:
    """So many games in all: each is the next of the form's different games in a fixed shuffled order.

    Each time around a game is played by another number of players, then by another house.
    """
    houses, counts = seats
    known = different(form, fixed, counts)
    result: list[Job] = []
    for number in range(games):
        around, place = divmod(number, len(known))
        options, fitting = known[place]
        turn, which = divmod(around + place, len(fitting))
        result.append((title, fitting[which], houses[turn % len(houses)], seed + number, options, form.id))
    return result


def different(
    form: titles.Form, fixed: dict[str, Any], counts: Sequence[int]
) -> list[tuple[dict[str, Any], list[int]]]:
    """The form's different games with some options fixed, shuffled, each with the numbers of players that have it."""
    found: dict[tuple[tuple[str, Any], ...], list[int]] = {}
    for players in counts:
        for game in form.games(players):
            if fixed.items() <= game.items():
                found.setdefault(tuple(game.items()), []).append(players)
    known = [(dict(options), fitting) for options, fitting in found.items()]
    random.Random(18).shuffle(known)
    return known


def each_jobs(jobs: Callable[[int], list[Job]], fact: str, games: int) -> list[Job]:
    """Of the games with one seed after another, so many of each value that the fact has at the beginning."""
    result: list[Job] = []
    had: Counter[tuple[str, int, str]] = Counter()
    seed = 0
    while seed < SEEDS or min(had.values()) < games:
        for job in jobs(seed):
            key = (job[2], job[1], start_fact(job, fact))
            if had[key] < games:
                had[key] += 1
                result.append(job)
        seed += 1
    return result


def start_fact(job: Job, fact: str) -> str:
    """What a game's beginning says of something, by the way to it through what is remembered of a game."""
    title, players, _, seed, options, form = job
    first, *parts = fact.split(".")
    found: Any = view(titles.new_game(title, NAMES[:players], options, seed, form).state.data(), ())[f"fact.{first}"]
    for part in parts:
        found = found[part]
    return str(found)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m workshop soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--title", default="rhl")
    parser.add_argument("--form", default="")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="*")
    parser.add_argument("--house", nargs="*", default=sorted(HOUSES))
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--mixed", action="store_true")
    ways.add_argument("--each", metavar="FACT")
    arguments = parser.parse_args(argv)
    form = titles.find(arguments.title).form(arguments.form)
    chosen = options(form, arguments.option)
    low, high = form.players
    seats = arguments.house, arguments.players or list(range(low, high + 1))
    if arguments.mixed and not different(form, chosen, seats[1]):
        parser.error("no game of its own has these options: a lot draws them, or other values say the same")
    if arguments.mixed:
        jobs = mixed_jobs(arguments.title, form, chosen, arguments.games, arguments.seed, seats)
    elif arguments.each:
        few = partial(plain_jobs, arguments.title, form.id, chosen, 1, seats=seats)
        jobs = each_jobs(lambda seed: few(seed=arguments.seed + seed), arguments.each, arguments.games)
    else:
        jobs = plain_jobs(arguments.title, form.id, chosen, arguments.games, arguments.seed, seats)
    jobs.sort(key=lambda job: (job[2], job[1]))
    began = time.monotonic()
    faults = 0
    things: Counter[str] = Counter()
    sound: Counter[str] = Counter()
    expected: set[str] = set()
    with ProcessPoolExecutor(arguments.jobs, initializer=_ready) as pool:
        played = pool.map(_job, jobs, chunksize=4)
        for (house, players), group in itertools.groupby(played, key=lambda result: (result[0][2], result[0][1])):
            ends: Counter[str] = Counter()
            lengths = []
            for job, game in group:
                if game.fault:
                    faults += 1
                    print(f"FAULT {game.fault}", flush=True)
                elif arguments.mixed:
                    sound[str(job[4])] += 1
                elif arguments.each:
                    sound[start_fact(job, arguments.each)] += 1
                ends[game.end] += 1
                lengths.append(game.moves)
                things.update(game.things)
                expected |= game.expected
            lengths.sort()
            middle = lengths[len(lengths) // 2]
            text = f"{dict(ends)}, moves {lengths[0]} to {lengths[-1]}, median {middle}"
            print(f"{house:<8} {players} players: {text}", flush=True)
    if arguments.mixed:
        known = len(different(form, chosen, seats[1]))
        print(f"different games played to their end: {len(sound)} of {known}")
    if arguments.each:
        print(f"{arguments.each}: " + ", ".join(f"{value} {count}" for value, count in sorted(sound.items())))
    print("in how many games: " + ", ".join(f"{thing} {things[thing]}" for thing in sorted({*things} | expected)))
    never = sorted(expected - {*things})
    print("never: " + (", ".join(never) or "nothing"))
    print(f"{len(jobs)} games, {faults} faults, {time.monotonic() - began:.0f} s")
    return 1 if faults or never else 0
