"""What a title's economy does in simulated games: how long it lasts, when phases begin, what everybody earns.

`greedy` is each title's own player of that name where it has one, and the best house player there is.
Options that are not given are drawn anew for each game. A phase that never comes, a company that never pays and a seat
that always wins end the table, and the exit is 1.

Usage: python -m workshop economy [--title ruhr] [--form base] [--option NAME=VALUE] [--players 4] [--games 20]
       [--house greedy] [--seed 0] [--jobs 2]
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

import titles
from bot.cli.simulate import options
from engine import events as ev
from engine.house.players import HOUSES
from workshop.referees.__main__ import drawn
from workshop.soak import NAMES


@dataclass
class Course:
    """What one game did."""

    end: str = ""
    stock: int = 0
    operating: int = 0
    #: In which operating round each phase began; in a form without them, in which round of turns.
    phases: dict[str, int] = field(default_factory=dict)
    floated: int = 0
    #: In which operating round each company of shares began, and what it then earned in a turn.
    began: dict[str, int] = field(default_factory=dict)
    earned: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    paid: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    #: By phase and train what a run earned; by phase and kind what companies without trains earned.
    runs: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    incomes: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    #: The companies that are in the game: a form leaves some in the box.
    present: set[str] = field(default_factory=set)
    #: Scores by seat, the first player's first.
    scores: list[int] = field(default_factory=list)


def course(title: str, form: str, chosen: dict[str, Any], players: int, house: str, seed: int) -> Course:
    """Play one game and look at its economy."""
    game = titles.new_game(title, NAMES[:players], chosen, seed, form)
    seats = list(game.state.seats)
    mind, chance = HOUSES[house](), random.Random(seed)
    result = Course(present={name for name, company in game.state.companies.items() if not company.closed})
    while not game.finished:
        for event in game.apply(mind.choose(game, chance.choice(game.offer().deciders), chance)):
            match event:
                case ev.RoundBegan("operating", _, _):
                    result.operating += 1
                case ev.PhaseChanged(phase, _):
                    result.phases[phase] = result.operating or game.state.round.stock_number
                case ev.CompanyFloated(company, _):
                    result.floated += 1
                    result.began.setdefault(company, result.operating)
                case ev.TrainsRun(_, _, routes):
                    for train, value, _ in routes:
                        result.runs[game.phase.name, train].append(value)
                case ev.DividendPaid(company, amount) | ev.RevenueKept(company, amount):
                    charter = game.definition.corporations[company]
                    result.earned[company].append(amount)
                    result.paid[company] += isinstance(event, ev.DividendPaid)
                    if not charter.homes:
                        result.incomes[game.phase.name, charter.kind].append(amount)
    result.end, result.stock = game.state.finished, game.state.round.stock_number
    scores = game.rules.score(game)
    result.scores = [scores.get(seat, 0) for seat in seats]
    return result


def told(courses: list[Course]) -> list[str]:
    """The table, line by line."""
    ends: dict[str, int] = defaultdict(int)
    for each in courses:
        ends[each.end] += 1
    lines = [
        f"games {len(courses)}, ends {dict(ends)}",
        f"stock rounds {_spread([c.stock for c in courses])}",
        f"operating rounds {_spread([c.operating for c in courses])}",
        f"companies floated {_spread([c.floated for c in courses])}",
    ]
    kind = "operating round" if any(each.operating for each in courses) else "round"
    names = sorted({name for each in courses for name in each.phases})
    for name in names:
        began = [each.phases[name] for each in courses if name in each.phases]
        lines.append(f"phase {name} begins in {kind} {_spread(began)} (in {len(began)} games)")
    for what, tables in (("run", [c.runs for c in courses]), ("income", [c.incomes for c in courses])):
        merged: dict[tuple[str, str], list[int]] = defaultdict(list)
        for table in tables:
            for key, values in table.items():
                merged[key] += values
        for (phase, whose), values in sorted(merged.items()):
            lines.append(f"phase {phase}: mean {what} of {whose} {mean(values):.0f} ({len(values)} times)")
    for name in sorted({name for each in courses for name in each.earned}):
        earned = [amount for each in courses for amount in each.earned.get(name, [])]
        paid = sum(each.paid[name] for each in courses)
        floats = [each.began[name] for each in courses if name in each.began]
        since = (
            f"floats before operating round {_spread([n + 1 for n in floats])} (in {len(floats)} games), "
            if floats
            else ""
        )
        lines.append(f"{name}: {since}earns {mean(earned):.0f} a turn ({len(earned)} times), pays {paid} times")
    for seat, wins in enumerate(_wins(courses)):
        lines.append(f"seat {seat + 1}: score {_spread([c.scores[seat] for c in courses])}, best {wins} times")
    return lines


def _wins(courses: list[Course]) -> list[int]:
    """How often each seat had the highest score."""
    return [sum(max(c.scores) == c.scores[seat] for c in courses) for seat in range(len(courses[0].scores))]


def faults(courses: list[Course], phases: list[str]) -> list[str]:
    """What must not be: a phase that never comes, a company that never pays, a seat that always wins."""
    missing = [phase for phase in phases if not any(phase in each.phases for each in courses)]
    present = sorted(set[str]().union(*(each.present for each in courses)))
    unpaid = [name for name in present if not any(each.paid[name] for each in courses)]
    result = [f"phase {phase} never begins" for phase in missing]
    result += [f"{name} never pays" for name in unpaid]
    wins = _wins(courses)
    return result + [f"seat {seat + 1} always wins" for seat, won in enumerate(wins) if won == len(courses) > 1]


def _spread(values: list[int]) -> str:
    return f"{min(values)} to {max(values)}, mean {mean(values):.1f}" if values else "never"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop economy", description=__doc__)
    parser.add_argument("--title", default="ruhr")
    parser.add_argument("--form", default="")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--house", default="greedy")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args(argv)
    form = titles.find(arguments.title).form(arguments.form)
    chosen = options(form, arguments.option)
    jobs = [
        (arguments.title, form.id, drawn(form, chosen, seed), arguments.players, arguments.house, seed)
        for seed in range(arguments.seed, arguments.seed + arguments.games)
    ]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        courses = list(pool.map(course, *zip(*jobs, strict=True)))
    game = titles.new_game(arguments.title, NAMES[: arguments.players], jobs[0][2], 0, form.id)
    phases = [phase.name for phase in game.definition.phases[1:]]
    wrong = faults(courses, phases)
    print("\n".join([*told(courses), *wrong]))
    return 1 if wrong else 0
