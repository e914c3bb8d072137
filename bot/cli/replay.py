"""`kursbuch replay`: replay a saved game, show where it stands and, if asked, what happened."""

from __future__ import annotations

import argparse
from typing import Any

import titles
from bot.cli import files
from bot.cli.numbers import whole
from bot.cli.text import describe, event_line
from engine.moves import from_json, to_json


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("replay", help="replay a saved game")
    parser.add_argument("game", help="a saved game (see docs/formats.md)")
    parser.add_argument("--until", type=whole(0, 1_000_000), metavar="N", help="stop after move N")
    parser.add_argument("--log", action="store_true", help="print every move and what happened")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    game = files.load(arguments.game, arguments.until)
    if arguments.log:
        again = titles.new_game(
            game.definition.id, game.players, game.rules.setup.options, game.seed, game.rules.setup.form
        )
        for line in filter(None, map(event_line, again.opening)):
            print(f"      {line}")
        for number, move in enumerate(game.moves, start=1):
            data = to_json(move)
            details = " ".join(str(value) for key, value in data.items() if key not in ("type", "player"))
            print(f"{number:>5} {move.player}: {data['type']} {details}".rstrip())
            for line in filter(None, map(event_line, again.apply(from_json(data)))):
                print(f"      {line}")
        print()
    print(describe(game))
    return 0
