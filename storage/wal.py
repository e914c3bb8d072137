"""The write-ahead log: when it goes into the database file, and how its loss is noticed.

Before it goes in, a number is raised (`promised`); as soon as it has gone in, the same number is written into the new,
empty log (`kept`). So the file alone always promises one more than it has kept, and only together with its log, or
after a proper close, are the two equal. A file that was copied without its log gives itself away.
"""

from __future__ import annotations

import os
import sqlite3

#: A write-ahead log that is longer than this is brought in although we are busy.
LONGEST_BYTES = 4 * 2**20


def tidy(db: sqlite3.Connection) -> None:
    """Bring the log into the file, as far as nobody is reading: what readers hold back goes in the next time."""
    (patience,) = db.execute("PRAGMA busy_timeout").fetchone()
    db.execute("UPDATE upkeep SET promised = kept + 1")
    try:
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience:d}")
        db.execute("UPDATE upkeep SET kept = promised")


def tidy_if_long(db: sqlite3.Connection) -> None:
    (_, _, path) = db.execute("PRAGMA database_list").fetchone()
    if os.path.getsize(f"{path}-wal") > LONGEST_BYTES:
        tidy(db)


def lost(db: sqlite3.Connection) -> bool:
    """Whether the file promises more than there is; ask only where no log lies beside it."""
    promised, kept = db.execute("SELECT promised, kept FROM upkeep").fetchone()
    return bool(promised != kept)
