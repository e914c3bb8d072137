"""`kursbuch simulate`: play games among house players and check every position."""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import titles
from bot.cli.numbers import whole
from engine import codec
from engine.errors import BadGame
from engine.house.levels import HOUSES
from engine.house.simulation import play


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("simulate", help="play games among house players")
    parser.add_argument("--title", default=titles.known()[0].id)
    parser.add_argument("--form", default="", help="a form of the title; its first if left out")
    parser.add_argument("--players", type=whole(1, 100), default=4)
    parser.add_argument("--games", type=whole(1, 1_000_000), default=20)
    parser.add_argument("--house", choices=sorted(HOUSES), default="greedy")
    parser.add_argument("--seed", type=whole(-(2**62), 2**62), default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the title")
    parser.add_argument("--save", metavar="FOLDER", help="save every game there")
    parser.set_defaults(func=run)


def options(form: titles.Form, pairs: list[str]) -> dict[str, Any]:
    """NAME=VALUE pairs as values of a form's options."""
    result: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        spec = next((spec for spec in form.options if spec.id == name), None)
        value = next((v for v in spec.values if str(v).lower() == text.lower()), None) if spec else None
        if value is None:
            raise BadGame(f"{pair!r} is no option of {form.id}; see kursbuch titles")
        result[name] = value
    return result


def run(arguments: argparse.Namespace) -> int:
    title = titles.find(arguments.title)
    form = title.form(arguments.form)
    chosen = options(form, arguments.option)
    seats = [f"house{number}" for number in range(1, arguments.players + 1)]
    ends: Counter[str] = Counter()
    lengths, faults = [], 0
    folder = Path(arguments.save) if arguments.save else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.games):
        seed = arguments.seed + number
        game = titles.new_game(title.id, seats, chosen, seed, form.id)
        result = play(game, HOUSES[arguments.house](), seed)
        if folder:
            folder.joinpath(f"{title.id}-{seed}.json").write_text(codec.write(game), "utf-8")
        if result.faults:
            faults += 1
            print(f"seed {seed}: {'; '.join(result.faults)}")
            continue
        ends[result.finished] += 1
        lengths.append(result.moves)
        scores = ", ".join(f"{who} {score}" for who, score in sorted(result.scores.items(), key=lambda s: -s[1]))
        print(f"seed {seed}: {result.moves} moves, ended by {result.finished}: {scores}")
    if lengths:
        print(
            f"{len(lengths)} games finished ({', '.join(f'{n} by {how}' for how, n in ends.items())}), moves "
            f"{min(lengths)} to {max(lengths)}, median {statistics.median(lengths):g}; {faults} with a broken invariant"
        )
    return 1 if faults else 0
