"""Looking after the database file: a consistent copy while it is in use, and whether it is sound."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from storage import schema
from storage.connection import storage_errors
from storage.store import StorageError

#: More faults than this are counted, not told.
FAULTS_TOLD = 20


def backup_file(source: Path, target: Path) -> None:
    """Copy a database that nobody here has open: as it is, for a backup before an upgrade must not upgrade it."""
    with storage_errors():
        db = schema.open_reader(str(source))
        try:
            if db.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
                raise StorageError(f"{source} is not a database of Kursbuch")
            backup(db, source=source, target=target)
        finally:
            db.close()


def backup(db: sqlite3.Connection, *, source: Path, target: Path) -> None:
    """Copy the database to a file, which is there whole or not at all."""
    if target.exists():
        if target.samefile(source):
            raise StorageError("a backup cannot be written over the database itself")
        if not target.is_file():
            raise StorageError(f"{target} is no file that a backup could be written to")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        copy = sqlite3.connect(part, isolation_level=None)
        try:
            # In one step: a copy in several would begin again whenever somebody moves.
            db.backup(copy)
            # A copy that somebody mails or mounts read-only should be one file.
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check(db: sqlite3.Connection) -> list[str]:
    """What is wrong with the file, its references or its logs."""
    faults = [f"the file is damaged: {row[0]}" for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    if faults:
        # What a damaged file says about its contents is worth nothing.
        return _shortened(faults)
    for table, _, parent, _ in db.execute("PRAGMA foreign_key_check"):
        faults.append(f"a row of {table} refers to something that is not in {parent}")
    gaps = "SELECT game, count(*), max(seq) FROM log GROUP BY game HAVING count(*) <> max(seq)"
    for game, count, last in db.execute(gaps):
        faults.append(f"game {game}: the log has gaps: {count} entries, but the last is number {last}")
    undone = """
        SELECT undone.game, undone.seq FROM undone
          JOIN log AS back ON back.game = undone.game AND back.seq = undone.undo
          JOIN log AS move ON move.game = undone.game AND move.seq = undone.seq
         WHERE move.kind <> 'move' OR back.kind <> 'undo'
            OR undone.seq NOT IN (SELECT value FROM json_each(back.body, '$.undoes'))
    """
    for game, seq in db.execute(undone):
        faults.append(f"game {game}: entry {seq} is marked as undone by an entry that does not undo it")
    return _shortened(faults)


def _shortened(faults: list[str]) -> list[str]:
    more = len(faults) - FAULTS_TOLD
    return [*faults[:FAULTS_TOLD], f"and {more} more"] if more > 0 else faults
