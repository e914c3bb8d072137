"""`kursbuch export`: a game of the database as a file; or a saved game in another program's form."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import titles
from bot.cli import database, files
from bot.cli.numbers import whole
from bot.games.stuck import saved
from engine import codec
from engine.game import Game
from engine.proof import proof
from storage import upkeep
from storage.errors import StorageError
from storage.records import Kept
from storage.sqlite import SqliteStore

#: Our own form: what a game was begun with, and its moves.
OWN = "kursbuch"


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("export", help="write a game of the database into a file, hidden cards and all")
    parser.add_argument(
        "game",
        type=_named,
        metavar="GAME",
        help="its number, as `check` and the log say it; or the file of a saved game",
    )
    parser.add_argument(
        "--format",
        default=OWN,
        choices=[OWN, *(each.name for each in titles.formats())],
        help="; ".join(["whose form it has", *(f"{each.name}: {each.about}" for each in titles.formats())]),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to (default: what is printed)")
    database.add_options(parser)
    parser.set_defaults(func=run)


def _named(text: str) -> int | str:
    """A number of a game, or the name of a file."""
    return whole(1, 2**63 - 1)(text) if text.isdecimal() else text


def run(arguments: argparse.Namespace) -> int:
    """Write the file; ends with 1 if moves of the log cannot be read and are missing in it."""
    missing = ""
    if isinstance(arguments.game, int):
        text, missing = _stored(arguments)
    else:
        game = files.load(arguments.game)
        own = arguments.format == OWN
        text = codec.write(game, proof=proof(game)) if own else _in_form(game, arguments.format)
    if arguments.out is not None:
        arguments.out.write_text(text, "utf-8")
    else:
        print(text, end="")
    if missing:
        print(f"kursbuch: {missing}", file=sys.stderr)
    return 1 if missing else 0


def _stored(arguments: argparse.Namespace) -> tuple[str, str]:
    """The file of a game of the database, and what is missing in it."""
    path = database.chosen(arguments)
    with tempfile.TemporaryDirectory(prefix="kursbuch-") as folder:
        # Whatever opens a database brings it up to date; the one that is read stays as it is.
        copy = Path(folder) / database.NAME
        upkeep.backup_file(path, copy)
        kept = asyncio.run(_kept(copy, arguments.game))
    text = saved(kept.record, kept.moves, kept.digests)
    if arguments.format != OWN:
        text = _in_form(titles.load_game(text), arguments.format)
    missing = len(kept.seqs) - len(kept.moves)
    if not missing:
        return text, ""
    return text, (
        f"entry {kept.seqs[len(kept.moves)]} of its log cannot be read: "
        f"the last {missing} of {len(kept.seqs)} moves are missing"
    )


def _in_form(game: Game, form: str) -> str:
    """A game in another program's form."""
    return json.dumps(titles.foreign_file(game, form), ensure_ascii=False, indent=1) + "\n"


async def _kept(path: Path, game: int) -> Kept:
    async with await SqliteStore.open(path, create=False) as store:
        kept = await store.kept(game)
    if kept is None:
        raise StorageError(f"there is no game {game}")
    return kept
