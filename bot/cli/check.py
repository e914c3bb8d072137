"""`kursbuch check`: whether the database is sound, and what this program makes of the games in it, on a copy of it."""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bot.cli import database
from bot.cli.numbers import whole
from bot.cli.progress import counted
from bot.games import snapshots
from bot.games.verdicts import DIFFERS, EQUAL, NEW_RULES, REFUSED, UNREADABLE, judge
from storage import schema, upkeep
from storage.records import ENDED, FINISHED, LOBBY, PAUSED, PLAYING, Kept
from storage.sqlite import SqliteStore, read_kept

#: More processes than this help nobody.
MOST_JOBS = 64
DAMAGED = "damaged"
KINDS = (EQUAL, NEW_RULES, DIFFERS, REFUSED, UNREADABLE, DAMAGED)


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("check", help="check the database and tell what becomes of the games in it")
    database.add_options(parser)
    parser.add_argument("--all", action="store_true", help="look at finished games too, after those that are running")
    parser.add_argument("--jobs", type=whole(1, MOST_JOBS), default=1, metavar="N", help="replay so many games at once")
    parser.set_defaults(func=run)


@dataclass(frozen=True)
class Row:
    """What is told of one game."""

    game: int
    title: str
    status: str
    moves: int
    verdict: str
    why: str = ""

    @property
    def bad(self) -> bool:
        return self.verdict not in (EQUAL, NEW_RULES)


def run(arguments: argparse.Namespace) -> int:
    path = database.chosen(arguments)
    with tempfile.TemporaryDirectory(prefix="kursbuch-") as folder:
        # Whatever opens a database brings it up to date; the one that is checked stays as it is.
        copy = Path(folder) / database.NAME
        logged = Path(f"{path}-wal").exists()
        upkeep.backup_file(path, copy)
        faults = [] if logged or not upkeep.log_was_lost(copy) else [upkeep.LOST]
        more, games = asyncio.run(_look(copy, all_games=arguments.all))
        faults += more
        rows = list(counted(_judged(str(copy), games, arguments.jobs), len(games), "games"))
    for fault in faults:
        print(fault)
    _print(rows)
    if faults or any(row.bad for row in rows):
        return 1
    print(f"the database is sound; {len(rows)} games replay")
    return 0


async def _look(path: Path, *, all_games: bool) -> tuple[list[str], list[int]]:
    """What is wrong with the file itself, and the games to be judged: running ones first."""
    async with await SqliteStore.open(path, create=False) as store:
        faults = await store.check()
        if faults:
            return faults, []
        # A game that was ended before it began has no seats to replay with.
        games = [game for game in await store.games() if game.status != LOBBY and game.started is not None]
        faults = [f"{of} {number} makes no sense: {why}" for (of, number, _), why in sorted(store.unreadable.items())]
        chosen = [game.id for game in games if game.status in (PLAYING, PAUSED)]
        if all_games:
            chosen += [game.id for game in games if game.status in (FINISHED, ENDED)]
        return faults, chosen


def _judged(path: str, games: Sequence[int], jobs: int) -> Iterator[Row]:
    if jobs == 1 or len(games) < 2:
        yield from map(partial(_row, path), games)
        return
    # By spawning: what is forked has whatever threads have locked.
    with ProcessPoolExecutor(min(jobs, len(games)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(_row, path), games, chunksize=4)


def _row(path: str, game: int) -> Row:
    """The verdict of one game; runs in any process."""
    with closing(schema.open_reader(path)) as db:
        try:
            kept = read_kept(db, game)
        except (ValueError, TypeError, OverflowError, sqlite3.Error) as problem:
            return Row(game, "?", "?", 0, UNREADABLE, f"what is kept of it makes no sense: {problem!r:.200}")
    assert kept is not None
    return row_of(kept)


def row_of(kept: Kept) -> Row:
    """What this program would make of a game at its start."""
    record, verdict = kept.record, judge(kept).verdict
    kind, why = verdict.kind, verdict.why
    if verdict.sound:
        if kept.snapshot is not None and snapshots.position_of(kept.snapshot) is None:
            kind, why = DAMAGED, "its snapshot shows another position; delete the rows of the table snapshots"
    else:
        where = f"move {verdict.move} (entry {verdict.seq})" if verdict.move else "at an unknown move"
        why = f"{where}: {why}"
    return Row(record.id, record.title, record.status, len(kept.seqs), kind, why)


def _print(rows: Sequence[Row]) -> None:
    """Every game that is not simply equal, and how many there are of each kind."""
    told = [row for row in rows if row.verdict != EQUAL]
    if told:
        lines = [("game", "title", "status", "moves", "verdict", "why")]
        lines += [(str(r.game), r.title, r.status, str(r.moves), r.verdict, r.why) for r in told]
        _columns(lines, right=(0, 3))
        print()
    if not rows:
        return
    running = Counter(row.verdict for row in rows if row.status in (PLAYING, PAUSED))
    every = Counter(row.verdict for row in rows)
    counts = [("verdict", "running", "over")]
    counts += [(kind, str(running[kind]), str(every[kind] - running[kind])) for kind in KINDS if every[kind]]
    _columns(counts, right=(1, 2))


def _columns(lines: Sequence[tuple[str, ...]], right: tuple[int, ...]) -> None:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            text.rjust(width) if number in right else text.ljust(width)
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
