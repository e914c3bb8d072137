"""`kursbuch import`: plays the game of another program's file again, and keeps it as a saved game if asked."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import titles
from bot.cli import files
from bot.cli.text import describe, standings, told
from engine import codec
from engine.proof import proof


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("import", help="play the game of another program's file again")
    known = "; ".join(f"{each.name}: {each.about}" for each in titles.formats())
    parser.add_argument("file", help=f"a saved game, or a file of {known}")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep it as a saved game")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    found = files.any_game(arguments.file)
    game = found.game
    if arguments.out is not None:
        arguments.out.write_text(codec.write(game, proof=proof(game)), "utf-8")
    print(describe(game))
    print()
    if found.stopped:
        why = "" if found.why is None else f": {told(found.why)}"
        print(
            f"kursbuch: {arguments.file}: {found.stopped} cannot be translated{why}; the game stops before it",
            file=sys.stderr,
        )
    print(standings(game))
    return 1 if found.stopped else 0
