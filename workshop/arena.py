"""How well a house player plays: whole games of one against others, with its share of wins and how sure that is.

One seat is the player's that is looked at, all others are the opponent's; the seat goes round, and as many games as
there are seats have the same seed. So many games are played at most: with `--goal 75` it stops as soon as the share of
wins is clearly above or below that, at a round's end. A game that does not end within `--most` moves is a fault.

Usage: python -m workshop arena --title rhl [--form base] [--option NAME=VALUE] [--players 4] [--games 100] [--seed 1]
       [--level normal] [--against greedy] [--goal PERCENT] [--jobs 1] [--most 3000] [--save FILE]
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from statistics import mean, stdev
from typing import Any

import titles
from bot.cli.simulate import options
from engine.game import Game
from engine.house.levels import HOUSES, house

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
#: Normal quantiles: of the interval that is printed, and of the one that ends a row of games, which is looked at often.
SURE, VERY_SURE = 1.96, 3.0


@dataclass(frozen=True)
class Match:
    """One game to be played: who sits where."""

    title: str
    form: str
    options: dict[str, Any]
    players: int
    seed: int
    #: Which player, by number, is of the level; the others are its opponents.
    seat: int
    level: str
    against: str
    most: int


@dataclass
class Played:
    """How a game went."""

    seed: int
    seat: int
    moves: int
    #: "" for one that did not end.
    end: str
    #: Its part of the first place: one half if two share it.
    won: float = 0.0
    worth: int = 0
    #: What the others were worth on average.
    others: float = 0.0
    #: The players' worth by their place at the table, the first player's first, and which of them was looked at.
    scores: list[int] = field(default_factory=list)
    place: int = 0
    #: CPU seconds of each decision with more than one answer: its own, and those of all others.
    own_times: list[float] = field(default_factory=list)
    other_times: list[float] = field(default_factory=list)
    #: How many moves of each kind it made.
    kinds: dict[str, int] = field(default_factory=dict)
    #: Who directed which company in the end, by place at the table, with what it earned last.
    directed: dict[str, tuple[int, int]] = field(default_factory=dict)
    memory: int = 0
    fault: str = ""


def play(match: Match) -> Played:
    """Play one game to its end, or until it is clear that it has none."""
    names = NAMES[: match.players]
    game = titles.new_game(match.title, names, match.options, match.seed, match.form)
    seats = list(game.state.seats)
    hero = names[match.seat % match.players]
    minds = {name: house(match.level if name == hero else match.against) for name in names}
    chances = {name: random.Random(f"{match.seed} {name}") for name in names}
    order = random.Random(match.seed)
    found = Played(match.seed, match.seat, 0, "", place=seats.index(hero))
    kinds: Counter[str] = Counter()
    while not game.finished and len(game.moves) < match.most:
        player = order.choice(game.offer().deciders)
        begun = time.process_time()
        move = minds[player].choose(game, player, chances[player])
        (found.own_times if player == hero else found.other_times).append(time.process_time() - begun)
        if player == hero:
            kinds[move.TYPE] += 1
        game.apply(move)
    found.moves, found.end, found.kinds = len(game.moves), game.state.finished, dict(kinds)
    found.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if not game.finished:
        found.fault = f"seed {match.seed}, seat {match.seat}: not finished after {match.most} moves"
        return found
    _score(found, game, seats, hero)
    return found


def _score(found: Played, game: Game, seats: Sequence[str], hero: str) -> None:
    standings = game.standings()
    first = [player for place, player, _ in standings if place == 1]
    scores = {player: score for _, player, score in standings}
    found.won = 1 / len(first) if hero in first else 0.0
    found.worth = scores[hero]
    found.others = mean(score for player, score in scores.items() if player != hero)
    found.scores = [scores[seat] for seat in seats]
    for name, company in game.state.companies.items():
        if company.director in seats:
            found.directed[name] = (seats.index(company.director), company.last_revenue or 0)


# ---------------------------------------------------------------------- figures


def wilson(won: float, games: int, sure: float = SURE) -> tuple[float, float]:
    """Between which shares the true one lies."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, sure * sure
    middle = share + square / (2 * games)
    spread = sure * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    return (middle - spread) / (1 + square / games), (middle + spread) / (1 + square / games)


def decided(won: float, games: int, goal: float) -> bool:
    """Whether the share of wins is surely on one side of the goal."""
    low, high = wilson(won, games, VERY_SURE)
    return low > goal or high < goal


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def times(values: Sequence[float]) -> str:
    """Mean, p50, p99 and worst, in milliseconds."""
    shown = [mean(values) if values else 0.0, quantile(values, 0.5), quantile(values, 0.99), max(values, default=0.0)]
    return "mean {:.0f}, p50 {:.0f}, p99 {:.0f}, worst {:.0f} ms".format(*(1000 * value for value in shown))


def report(rows: Sequence[Played], arguments: argparse.Namespace) -> Iterator[str]:
    """What was found, the share of wins first."""
    ended = [row for row in rows if not row.fault]
    won, count = sum(row.won for row in ended), len(ended)
    low, high = wilson(won, count)
    form = f"{arguments.title}:{arguments.form}" if arguments.form else arguments.title
    yield f"{100 * won / max(count, 1):.1f} % of {count} games won"
    yield f"interval {100 * low:.0f} to {100 * high:.0f} % (even is {100 / arguments.players:.0f} %)"
    yield f"{form}, {arguments.players} players, {arguments.level} against {arguments.against}, seed {arguments.seed}"
    if ended:
        apart = [row.worth - row.others for row in ended]
        spread = SURE * stdev(apart) / math.sqrt(count) if count > 1 else 0.0
        own, others = mean(row.worth for row in ended), mean(row.others for row in ended)
        yield f"worth {own:.0f} against {others:.0f}: {mean(apart):+.0f}, give or take {spread:.0f}"
        yield f"moves a game {mean(row.moves for row in ended):.0f}, most {max(row.moves for row in ended)}"
        yield "own decisions: " + times([value for row in ended for value in row.own_times])
        yield "others' decisions: " + times([value for row in ended for value in row.other_times])
        kinds = sum((Counter(row.kinds) for row in ended), Counter[str]())
        yield "moves of its own a game: " + ", ".join(f"{kind} {n / count:.1f}" for kind, n in kinds.most_common())
        seats = [mean(row.scores[place] for row in ended) for place in range(arguments.players)]
        yield "worth by place at the table: " + ", ".join(f"{score:.0f}" for score in seats)
        yield f"memory {max(row.memory for row in ended)} MB, ended by " + ", ".join(
            f"{end} {n}" for end, n in Counter(row.end for row in ended).most_common()
        )
    for row in rows:
        if row.fault:
            yield f"FAULT {row.fault}"


# ---------------------------------------------------------------------- the program


def _bar(done: int, games: int, won: float) -> None:
    """How far it is, on a terminal only."""
    if sys.stderr.isatty():
        full = 30 * done // games
        sys.stderr.write(f"\r[{'#' * full}{'.' * (30 - full)}] {done}/{games}, {100 * won / done:.0f} % won ")
        sys.stderr.flush()


def saved(file: str, match: Match, row: Played) -> None:
    """A line of a file for each game, as soon as it is over."""
    entry = {**asdict(match), **asdict(row)}
    entry["own_times"] = [round(value, 4) for value in row.own_times]
    del entry["other_times"]
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(entry) + "\n")


def run(matches: Sequence[Match], jobs: int, goal: float | None, file: str = "") -> list[Played]:
    """Play the games in their order, until they are over or the goal is decided at the end of a round of seats."""
    rows: list[Played] = []

    def watch(played: Iterable[Played]) -> None:
        for row in played:
            rows.append(row)
            if file:
                saved(file, matches[len(rows) - 1], row)
            won, ended = sum(r.won for r in rows), sum(not r.fault for r in rows)
            _bar(len(rows), len(matches), won)
            if goal is not None and len(rows) % matches[0].players == 0 and decided(won, ended, goal):
                break
        if sys.stderr.isatty():
            sys.stderr.write("\n")

    if jobs == 1:
        watch(map(play, matches))
        return rows
    with ProcessPoolExecutor(jobs) as pool:
        watch(pool.map(play, matches))
        pool.shutdown(cancel_futures=True)
    return rows


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m workshop arena", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--title", default="rhl")
    parser.add_argument("--form", default="")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", choices=sorted(HOUSES), default="normal")
    parser.add_argument("--against", choices=sorted(HOUSES), default="greedy")
    parser.add_argument("--goal", type=float, help="stop when the share of wins is clearly above or below it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--most", type=int, default=3000, help="a game of more moves is a fault")
    parser.add_argument("--save", metavar="FILE", default="", help="a line of JSON for each game is added to it")
    arguments = parser.parse_args(words)
    form = titles.find(arguments.title).form(arguments.form)
    chosen = options(form, arguments.option)
    matches = [
        Match(
            arguments.title,
            form.id,
            chosen,
            arguments.players,
            arguments.seed + number // arguments.players,
            number % arguments.players,
            arguments.level,
            arguments.against,
            arguments.most,
        )
        for number in range(arguments.games)
    ]
    rows = run(matches, arguments.jobs, arguments.goal / 100 if arguments.goal is not None else None, arguments.save)
    print("\n".join(report(rows, arguments)))
    return int(any(row.fault for row in rows))


if __name__ == "__main__":
    sys.exit(main())
