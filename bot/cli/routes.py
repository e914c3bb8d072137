"""`kursbuch routes`: the best routes of a company, part by part, and whether they are proved."""

from __future__ import annotations

import argparse
import time
from typing import Any

from bot.cli import files
from bot.cli.numbers import whole
from bot.texts import speaker
from bot.words.wording import vehicle
from engine.errors import BadGame
from engine.finance.depot import counting


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("routes", help="the best routes of a company in a saved game")
    parser.add_argument("game", help="a saved game (see docs/formats.md)")
    parser.add_argument("company", help="the company's code")
    parser.add_argument("--until", type=whole(0, 1_000_000), metavar="N", help="the position after move N")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop the search after S seconds")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    game = files.load(arguments.game, arguments.until)
    company = next((name for name in game.state.companies if name.lower() == arguments.company.lower()), None)
    if company is None:
        raise BadGame(f"there is no company {arguments.company!r}; there is {', '.join(game.state.companies)}")
    if not game.company(company).trains:
        print(f"{company} has no train.")
        return 0
    began = time.monotonic()
    limit = arguments.seconds
    best = game.advice(company, None if limit is None else lambda: time.monotonic() - began > limit)
    for route in best.routes:
        parts = " + ".join(f"{part.what} {part.amount}" for part in route.parts)
        print(f"{vehicle(speaker('en'), 'the', route.train)} {route.value}: {parts}")
        print(f"    {' '.join(route.path)}")
    idle = len(counting(game, company)) - len(best.routes)
    if idle:
        print(f"{idle} train{'s' if idle > 1 else ''} without a route")
    total = game.rules.trains.revenue(best.routes)
    print(f"{company} {total}, {'proved best' if best.proved else 'not proved: the search was stopped'}")
    return 0
