"""Looking after the database file: a consistent copy while it is in use, and whether it is sound."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import sqlite3
import time
from pathlib import Path

from storage import presence, schema, wal
from storage.connection import storage_errors
from storage.errors import StorageError

#: Said of a file that was written to after what it has.
LOST = (
    "the file's write-ahead log is missing: what was written last is not here. It was copied without the file beside "
    "it that ends with -wal; make backups with `kursbuch backup`"
)
PART = ".part"
#: A backup takes seconds; a part that has not grown for so long belongs to none that still runs.
ABANDONED_SECONDS = 3600
#: More faults than this are counted, not told.
FAULTS_TOLD = 20


def backup_file(source: Path, target: Path) -> None:
    """Copy a database that nobody here has open: as it is, for a backup before an upgrade must not upgrade it."""
    with storage_errors():
        # A log that is there stays there: whoever closes a database last would bring it in and delete it.
        db = schema.open_reader(str(source), alone=not Path(f"{source}-wal").exists())
        try:
            if db.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
                raise StorageError(f"{source} is not a database of Kursbuch")
            backup(db, source=source, target=target)
        finally:
            db.close()


def log_was_lost(path: Path) -> bool:
    """Whether a database was written to after what this file has; ask only of a file that lay without its log."""
    with storage_errors(), contextlib.closing(schema.open_reader(str(path))) as db:
        # An older version kept no such mark.
        known = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'").fetchone()
        return known is not None and wal.lost(db)


def backup(db: sqlite3.Connection, *, source: Path, target: Path) -> None:
    """Copy the database to a file, which is there whole or not at all."""
    if target.exists():
        if target.samefile(source):
            raise StorageError("a backup cannot be written over the database itself")
        if not target.is_file():
            raise StorageError(f"{target} is no file that a backup could be written to")
    _sweep(target)
    # A name of its own: two backups to one target must not write into each other's file.
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}{PART}")
    try:
        presence.make_private(part, create=True)
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


def _sweep(target: Path) -> None:
    """Remove what backups to this target that were killed have left behind."""
    for part in target.parent.glob(f"{glob.escape(target.name)}.*{PART}"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > ABANDONED_SECONDS:
                part.unlink()


def check(db: sqlite3.Connection) -> list[str]:
    """What is wrong with the file, its references or its logs."""
    # Everything at one moment; never committed, which a damaged file might refuse.
    db.execute("BEGIN")
    try:
        faults = [f"the file is damaged: {row[0]}" for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        # So damaged that SQLite cannot even list the damage.
        return [f"the file is damaged: {error}"]
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
