"""`kursbuch export`: a game of the database as a file, as its log has it, whether or not this program can play it."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from bot.cli import database
from bot.cli.numbers import whole
from bot.games.stuck import saved
from storage import upkeep
from storage.errors import StorageError
from storage.records import Kept
from storage.sqlite import SqliteStore


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("export", help="write a game of the database into a file, hidden cards and all")
    parser.add_argument(
        "game", type=whole(1, 2**63 - 1), metavar="GAME", help="its number, as `check` and the log say it"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to (default: what is printed)")
    database.add_options(parser)
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    path = database.chosen(arguments)
    with tempfile.TemporaryDirectory(prefix="kursbuch-") as folder:
        # Whatever opens a database brings it up to date; the one that is read stays as it is.
        copy = Path(folder) / database.NAME
        upkeep.backup_file(path, copy)
        kept = asyncio.run(_kept(copy, arguments.game))
    text = saved(kept.record, kept.moves)
    if arguments.out is not None:
        arguments.out.write_text(text, "utf-8")
    else:
        print(text, end="")
    missing = len(kept.seqs) - len(kept.moves)
    if missing:
        print(f"kursbuch: entry {kept.seqs[len(kept.moves)]} of its log cannot be read: "
              f"the last {missing} of {len(kept.seqs)} moves are missing", file=sys.stderr)  # fmt: skip
    return 1 if missing else 0


async def _kept(path: Path, game: int) -> Kept:
    async with await SqliteStore.open(path, create=False) as store:
        kept = await store.kept(game)
    if kept is None:
        raise StorageError(f"there is no game {game}")
    return kept
