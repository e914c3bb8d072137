"""Opens a database file: connection settings, and the numbered migrations that bring it up to date."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from storage import presence, wal
from storage.errors import StorageError

#: Marks a file as ours ("Kurs"), so that another program's database is never written to.
APPLICATION = 0x4B757273
#: How long a lock of another process is waited for.
BUSY_SECONDS = 5.0

_NAME = re.compile(r"(\d{4})_\w+\.sql")


@dataclass(frozen=True)
class Migration:
    """One numbered change of the schema."""

    number: int
    name: str
    text: str

    def statements(self) -> Iterator[str]:
        """The statements one by one: `executescript` would commit in the middle of our transaction."""
        statement = ""
        for line in self.text.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                yield statement
                statement = ""


def migrations() -> list[Migration]:
    """All migrations in their order, without a gap."""
    found = []
    for file in resources.files("storage.migrations").iterdir():
        match = _NAME.fullmatch(file.name)
        if match:
            found.append(Migration(int(match[1]), file.name, file.read_text("utf-8")))
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise StorageError("the program's migrations are not numbered without a gap: the installation is damaged")
    return found


def open_writer(path: str, *, create: bool = True) -> sqlite3.Connection:
    """A connection that writes, to a database that is up to date; it is created if it is not there."""
    file = Path(path)
    if create:
        presence.make_folder(file.parent)
    if file.is_file() and 0 < file.stat().st_size < 512:
        # SQLite takes a file that is shorter than any header for an empty one, and would write over it.
        raise StorageError("the file is not a database of Kursbuch: it is too short for one")
    presence.make_private(file, create=create)
    connection = _connect(path, "rwc" if create else "rw")
    try:
        # Refuse before anything is written, be it only the journal mode.
        _refuse_foreign(connection)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        # The write-ahead log goes into the file when we say so, with a mark that tells whether it is still there.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        if _migrate(connection):
            # Until then a new database is an empty file to whoever copies it without its write-ahead log.
            wal.tidy(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: str, *, alone: bool = True) -> sqlite3.Connection:
    """A connection that only reads, to a database that a writer has opened before.

    `alone` if its write-ahead log may be made, and brought in and deleted at the end when nobody else is there.
    """
    connection = _connect(path, "rw" if alone else "ro")
    try:
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: str, mode: str) -> sqlite3.Connection:
    address = f"{Path(path).absolute().as_uri()}?mode={mode}"
    # The worker thread of aiosqlite is the only user of a connection, but not always the one that closes it.
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if application == APPLICATION:
        known = len(migrations())
        if _version(connection) > known:
            raise StorageError(
                f"the database is of version {_version(connection)}, but this program knows only versions up to "
                f"{known}: it was written by a newer Kursbuch; please install that one"
            )
    elif application or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise StorageError("this is the database of another program, not of Kursbuch")


def _use_wal(connection: sqlite3.Connection) -> None:
    # Changing the journal mode does not wait for locks by itself; two processes may open a new file at once.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
            continue
        if mode != "wal":
            raise StorageError(f"the database cannot use a write-ahead log here (its journal is {mode!r})")
        return


def _migrate(connection: sqlite3.Connection) -> bool:
    """Bring the schema up to date; whether there was anything to do."""
    known = migrations()
    if _version(connection) == len(known):
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Asked again now that nobody else can migrate.
        _refuse_foreign(connection)
        for migration in known[_version(connection) :]:
            for statement in migration.statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {migration.number:d}")
        connection.execute(f"PRAGMA application_id = {APPLICATION:d}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return True
