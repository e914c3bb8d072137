"""`kursbuch check`: whether the database is sound, and whether every game in it replays, on a copy of it."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from typing import Any

import titles
from bot.cli import database
from bot.cli.text import told
from bot.games import snapshots
from bot.games.seats import in_present_names
from engine.errors import KursbuchError
from engine.moves import from_json
from storage import upkeep
from storage.records import FINISHED, LOBBY, Kept
from storage.sqlite import SqliteStore

LOST = (
    "the file's write-ahead log is missing: what was written last is not here. It was copied without the file beside "
    "it that ends with -wal; make backups with `kursbuch backup`"
)


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("check", help="check the database and replay every game in it")
    database.add_options(parser)
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    path = database.chosen(arguments)
    with tempfile.TemporaryDirectory(prefix="kursbuch-") as folder:
        # Whatever opens a database brings it up to date; the one that is checked stays as it is.
        copy = Path(folder) / database.NAME
        logged = Path(f"{path}-wal").exists()
        upkeep.backup_file(path, copy)
        faults = [] if logged or not upkeep.log_was_lost(copy) else [LOST]
        more, games = asyncio.run(_check(copy))
    faults += more
    for fault in faults:
        print(fault)
    if not faults:
        print(f"the database is sound; {games} games replay")
    return 1 if faults else 0


async def _check(path: Path) -> tuple[list[str], int]:
    store = await SqliteStore.open(path, create=False)
    try:
        faults = await store.check()
        if faults:
            return faults, 0
        games = [game for game in await store.games() if game.status != LOBBY]
        for game in games:
            # A game that was ended before it began has no seats to replay with.
            kept = await store.kept(game.id)
            if game.started is not None and kept is not None and (fault := replay_fault(kept)):
                faults.append(f"game {game.id} ({game.title}, {game.status}): {fault}")
        return faults, len(games)
    finally:
        await store.close()


def replay_fault(kept: Kept) -> str:
    """Why a game does not replay; nothing if it does, and to the position that its snapshot shows."""
    game = kept.record
    entry = "the start"
    try:
        title = titles.find(game.title)
        if title.version != game.title_version:
            return f"it was begun under version {game.title_version} of the title, and this is version {title.version}"
        names = [seat.name for seat in game.seats]
        replayed = titles.new_game(game.title, names, game.options, game.seed, game.form)
        for seq, move in zip(kept.seqs, kept.moves, strict=True):
            entry = f"entry {seq}"
            replayed.apply(from_json(in_present_names(game, move)))
    except KursbuchError as error:
        return f"{entry}: {told(error)}"
    except Exception as error:
        # A damaged move can upset the rules in any way; the games after it are still to be checked.
        return f"{entry}: the rules failed: {error!r}"
    if game.status == FINISHED and not replayed.finished:
        return f"it is marked as finished, but after {len(kept.moves)} moves it is not"
    snapshot, basis = kept.snapshot, snapshots.basis(game, kept.length, kept.seqs)
    if snapshot is not None and snapshot.basis == basis and snapshot.digest != replayed.state.digest():
        return "its snapshot shows another position; delete the rows of the table snapshots"
    return ""
