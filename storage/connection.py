"""A connection whose whole transaction runs in its worker thread, and SQLite's errors as plain sentences."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TypeVar

import aiosqlite

from storage.errors import StorageError
from storage.presence import Presence

T = TypeVar("T")

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "another program keeps the database locked; try again in a moment",
    sqlite3.SQLITE_LOCKED: "another program keeps the database locked; try again in a moment",
    sqlite3.SQLITE_FULL: "there is no room left on the disk for the database",
    sqlite3.SQLITE_READONLY: "the database may only be read, not written",
    sqlite3.SQLITE_PERM: "the database may not be opened: permission is missing",
    sqlite3.SQLITE_AUTH: "the database may not be opened: permission is missing",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened: it is missing, or permission is",
    sqlite3.SQLITE_CORRUPT: "the database is damaged; restore a backup",
    sqlite3.SQLITE_NOTADB: "the file is not a database of Kursbuch",
    sqlite3.SQLITE_IOERR: "the disk failed while the database was read or written",
    sqlite3.SQLITE_NOMEM: "there is not enough memory for the database",
    sqlite3.SQLITE_TOOBIG: "the entry is too large for the database",
}


def sentence(error: sqlite3.Error) -> str:
    """What an error of SQLite means for a person, with SQLite's own words behind it."""
    code = getattr(error, "sqlite_errorcode", None)
    plain = _SENTENCES.get(code & 0xFF) if code is not None else None
    if str(error).startswith("Could not decode"):
        # Python's own words, with the whole text behind them.
        return _SENTENCES[sqlite3.SQLITE_CORRUPT]
    return f"{plain} ({error})" if plain else f"the database refused: {error}"


@contextmanager
def storage_errors() -> Iterator[None]:
    """Turn whatever SQLite or the file system says into a StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(sentence(error)) from error
    except json.JSONDecodeError as error:
        raise StorageError(_SENTENCES[sqlite3.SQLITE_CORRUPT]) from error
    except OverflowError as error:
        raise StorageError(f"a number is too large for the database: {error}") from error
    except OSError as error:
        raise StorageError(f"the database file cannot be used: {error.strerror or error}") from error


class Connection(aiosqlite.Connection):
    """Runs a transaction as one call in the worker thread.

    One hop to the thread and not one for each statement: transactions of different games never interleave, the
    event loop's latency does not lengthen the time for which the database is locked, and a caller who is
    cancelled leaves no transaction half done.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # Whoever has failed and closes nothing must end all the same: what was acknowledged is committed by then.
        self._thread.daemon = True

    @classmethod
    async def open(cls, connector: Callable[[], sqlite3.Connection]) -> Self:
        """Start the worker thread and connect in it; neither a failure nor a cancelled caller leaves it behind."""
        opening = asyncio.ensure_future(cls._open(connector))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            with suppress(StorageError):
                await (await opening).close()
            raise

    @classmethod
    async def _open(cls, connector: Callable[[], sqlite3.Connection]) -> Self:
        failures: list[BaseException] = []

        def careful() -> sqlite3.Connection:
            try:
                return connector()
            except BaseException as error:
                # If it failed here, the thread would be stopped but not waited for, and outlive the event loop.
                failures.append(error)
                return sqlite3.connect(":memory:", check_same_thread=False)

        with storage_errors():
            connection = cls(careful)
            await connection
            if failures:
                await connection.close()
                raise failures[0]
            return connection

    async def transact(self, begin: str, work: Callable[[sqlite3.Connection], T], files: Presence | None = None) -> T:
        """Do the work between `begin` and a commit; on any error everything is rolled back.

        `files` of one that writes: StorageError if they do not lie where they did.
        """
        result: T = await self._in_thread(self._transaction, begin, work, files)
        return result

    async def apart(self, work: Callable[[sqlite3.Connection], T], files: Presence | None = None) -> T:
        """Do what cannot be done within a transaction."""

        def done() -> T:
            _check(files)
            if files is not None:
                files.shrinks()
            result = work(self._conn)
            if files is not None:
                files.wrote()
            return result

        result: T = await self._in_thread(done)
        return result

    async def _in_thread(self, work: Callable[..., Any], *values: Any) -> Any:
        with storage_errors():
            try:
                return await self._execute(work, *values)  # type: ignore[no-untyped-call]
            except ValueError as error:
                if self._connection is None:
                    raise StorageError("the database is closed") from error
                raise

    def _transaction(self, begin: str, work: Callable[[sqlite3.Connection], Any], files: Presence | None) -> Any:
        connection = self._conn
        _check(files)
        connection.execute(begin)
        try:
            result = work(connection)
            connection.execute("COMMIT")
            if files is not None:
                files.wrote()
        except BaseException:
            # Some errors (a full disk) have rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result


def _check(files: Presence | None) -> None:
    if files is not None and (lost := files.lost()):
        raise StorageError(f"{lost}; nothing is written any more")
