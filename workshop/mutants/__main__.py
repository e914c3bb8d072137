"""Breaks the rules in small ways and lists what no test notices.

Usage: python -m workshop mutants [--count N] [--seed S] [--jobs J] [--budget SECONDS] [--most SHARE] [PACKAGE ...]
       [--tests PATH ...]

It fails when a larger share than `--most` survives or is run by no test.
Every verdict goes to .mutants/report.txt; survivors are printed. Who looks at a survivor either writes the test that
kills it or, where the two programs cannot be told apart, gives the reason in workshop/mutants/excused.toml.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from workshop import ROOT
from workshop.mutants import running

PACKAGES = ("engine", "titles")
#: The tests that know the rules; those of the bot and the pictures only use them.
TESTS = ("tests/engine", "tests/oracle", "tests/titles")
#: The floor: at most this share of the mutants may go unnoticed.
MOST = 0.2


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop mutants", description=__doc__.split("\n\n")[0])
    parser.add_argument("packages", nargs="*", default=list(PACKAGES))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of tests for a mutant, the quickest first")
    parser.add_argument("--most", type=float, default=MOST, help="the share of mutants that may go unnoticed")
    parser.add_argument("--tests", nargs="+", default=list(TESTS), help="the files and folders of tests that judge")
    asked = parser.parse_args(arguments)
    plan = running.Plan(ROOT, tuple(asked.packages), tuple(asked.tests), ROOT / ".mutants", asked.budget)
    began = time.monotonic()
    excuses = running.Excuses(Path(__file__).with_name("excused.toml"))
    every = running.mutations(plan, excuses)
    chosen = running.sample(every, asked.count, asked.seed)
    outcomes: Counter[str] = Counter()
    try:
        if set(asked.packages) == set(PACKAGES):
            excuses.check(every)
        plan.work.mkdir(exist_ok=True)
        with (plan.work / "report.txt").open("w", encoding="utf-8") as report:
            for verdict in running.verdicts(plan, chosen, excuses, asked.jobs):
                outcomes[verdict.outcome] += 1
                print(verdict, file=report, flush=True)
                if verdict.outcome not in (running.KILLED, running.EXCUSED):
                    print(f"{verdict}    ({verdict.asked} tests)", flush=True)
    except running.Broken as error:
        print(error, file=sys.stderr)
        return 2
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    print(f"{len(chosen)} of {len(every)} mutants, seed {asked.seed}: {told}; {time.monotonic() - began:.0f} s")
    print(f"each with the test that killed it: {(plan.work / 'report.txt').relative_to(ROOT)}")
    share = running.unnoticed(outcomes)
    print(f"{share:.1%} go unnoticed; {asked.most:.0%} may")
    return 1 if share > asked.most else 0
