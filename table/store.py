"""The world's memory: an SQLite file that every change is written through to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

SCHEMA_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE documents (
    kind TEXT NOT NULL,
    id   TEXT NOT NULL,
    doc  TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE files (
    id   TEXT PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
"""


class Store:
    """Documents by kind and id, and the bytes of attachments."""

    def __init__(self, path: Path | str = ":memory:") -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        # A crash of the process loses nothing; a power cut may lose the last moments of a local table.
        self._db.execute("PRAGMA synchronous = NORMAL")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        elif version != SCHEMA_VERSION:
            self._db.close()
            raise RuntimeError(f"{path} was written by another version of the table (schema {version})")

    def put(self, kind: str, key: str, doc: object) -> None:
        """Write a record; nested records are written with it."""
        text = json.dumps(doc, default=vars, separators=(",", ":"))
        self._db.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", (kind, key, text))

    def drop(self, kind: str, key: str) -> None:
        """Forget a record."""
        self._db.execute("DELETE FROM documents WHERE kind = ? AND id = ?", (kind, key))

    def all(self, kind: str) -> Iterator[tuple[str, Any]]:
        """All records of a kind with their keys."""
        rows = self._db.execute("SELECT id, doc FROM documents WHERE kind = ?", (kind,))
        for key, text in rows.fetchall():
            yield key, json.loads(text)

    def put_file(self, key: str, data: bytes) -> None:
        """Keep the bytes of an attachment."""
        self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?)", (key, data))

    def file(self, key: str) -> bytes | None:
        """The bytes of an attachment."""
        row = self._db.execute("SELECT data FROM files WHERE id = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def drop_file(self, key: str) -> None:
        """Forget the bytes of an attachment."""
        self._db.execute("DELETE FROM files WHERE id = ?", (key,))

    def close(self) -> None:
        """Close the file."""
        self._db.close()
