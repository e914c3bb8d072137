"""The games of an old database, today's verdict of each, and whether it tells the truth: looked at without the judge.

The evidence is the position that the program of then has kept. Its games are replayed here move by move, and where they
end is compared with it as plain data.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import titles
from bot.games.verdicts import Verdict, judge
from engine import position, renames
from engine.moves import from_json
from storage import schema
from storage.records import Kept
from storage.sqlite import read_kept

FIXTURE = Path(__file__).with_name("hundred.sqlite3.gz")


@dataclass(frozen=True)
class Found:
    """A game of then: how it is kept, today's verdict, and whether its moves really lead to the same position."""

    kept: Kept
    verdict: Verdict
    same: bool

    @property
    def silent(self) -> bool:
        """Whether it goes on as if nothing had happened, in another position."""
        return self.verdict.sound and not self.same


def found(path: Path) -> Iterator[Found]:
    for kept in games(path):
        yield Found(kept, judge(kept).verdict, _same(kept))


@cache
def games(path: Path) -> tuple[Kept, ...]:
    """The games of a database, brought up to date as the bot does at its start."""
    with tempfile.TemporaryDirectory() as folder:
        copy = str(Path(folder) / "then.sqlite3")
        Path(copy).write_bytes(gzip.decompress(path.read_bytes()))
        schema.open_writer(copy, create=False).close()
        with closing(schema.open_reader(copy)) as db:
            numbers = [row[0] for row in db.execute("SELECT id FROM games WHERE started IS NOT NULL ORDER BY id")]
            return tuple(kept for number in numbers if (kept := read_kept(db, number)) is not None)


def then(kept: Kept) -> Any:
    """The position that the program of then has kept, as plain data."""
    assert kept.snapshot is not None
    return json.loads(zlib.decompress(kept.snapshot.body).decode().split("\n")[0])


def _same(kept: Kept) -> bool:
    """Whether today's rules lead the moves to the position of then."""
    record = kept.record
    names = [seat.name for seat in record.seats]
    try:
        game = titles.new_game(record.title, names, record.options, record.seed, record.form)
        for move in kept.moves:
            game.apply(from_json(renames.move(move)))
    except Exception:
        return False
    return position.view(then(kept), names) == position.view(game.state.data(), names)
