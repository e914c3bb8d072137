"""One bot at a time on a database.

A lock of the operating system on the folder says so at once and ends with the process, however that ends. The database
says who it is, and a heartbeat shows that they are still there: that is what a bot on another machine can see.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from storage import presence, rows, schema, upkeep
from storage.connection import storage_errors
from storage.errors import OwnedError, StorageError
from storage.records import Owner
from storage.sqlite import SqliteStore

try:
    import fcntl
except ImportError:  # Windows: there the heartbeat alone has to do
    fcntl = None  # type: ignore[assignment]

_log = logging.getLogger(__name__)

#: How often the owner says that they are there, and for how long nobody else believes that they are gone.
BEAT_SECONDS = 10.0
LEASE_SECONDS = 30.0


def utc_now() -> datetime:
    return datetime.now(UTC)


class InstanceLock:
    """The right to use a database, from `take` to `close`; `store` is the database."""

    def __init__(self, store: SqliteStore, owner: Owner, folder: int | None, now: Callable[[], datetime]) -> None:
        self.store = store
        self.owner = owner
        self._folder = folder
        self._now = now

    @classmethod
    async def take(cls, path: Path, *, now: Callable[[], datetime] = utc_now) -> Self:
        """Open a database for this process alone, and see that it can be written."""
        with storage_errors():
            presence.make_folder(path.parent)
            folder, machine = await asyncio.to_thread(_lock, path)
        store = None
        try:
            presence.check_begun(path)
            lost = await asyncio.to_thread(_log_was_lost, path)
            store = await SqliteStore.open(path)
            if lost:
                _log.error("%s", upkeep.LOST)
                store.warnings.append(upkeep.LOST)
            before = await _gone(store, machine, now)
            owner = Owner(secrets.token_hex(8), socket.gethostname(), os.getpid(), machine, since=now(), seen=now())
            await store.set_owner(owner, instead_of=before.token if before else None)
            await store.probe()
            await store.tidy()
            presence.put_mark(path)
        except BaseException:
            if store is not None:
                await store.close()
            _unlock(folder)
            raise
        return cls(store, owner, folder, now)

    async def beat(self) -> None:
        """Say that we are still there; OwnedError if somebody has taken us for gone."""
        owner = replace(self.owner, seen=self._now())
        await self.store.set_owner(owner, instead_of=owner.token)
        self.owner = owner

    async def close(self) -> None:
        """Leave the database to others; closing twice does nothing."""
        try:
            # A database that cannot be written now is left by the end of the heartbeat.
            with suppress(StorageError):
                await self.store.set_owner(None, instead_of=self.owner.token)
            await self.store.close()
        finally:
            _unlock(self._folder)
            self._folder = None


def _log_was_lost(path: Path) -> bool:
    """Whether a database that is there lies without the log that belongs to it; asked before anybody writes."""
    return path.is_file() and not Path(f"{path}-wal").exists() and upkeep.log_was_lost(path)


def _lock(path: Path) -> tuple[int | None, str]:
    """The lock on the folder, and what tells this machine from others; neither where there is no such lock."""
    if fcntl is None:
        return None, ""
    machine = _machine()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise OwnedError(_who(_owner_in(path))) from None
    except OSError as problem:
        os.close(folder)
        _log.info("this disk has no locks (%s); the heartbeat alone keeps a second bot away", problem)
        return None, ""
    return folder, machine


def _unlock(folder: int | None) -> None:
    if folder is not None:
        os.close(folder)


def _machine() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        return socket.gethostname()


def _owner_in(path: Path) -> Owner | None:
    """Who has the database, read without changing anything."""
    try:
        with closing(schema.open_reader(str(path), alone=False)) as db:
            return rows.owner(db.execute(rows.OWNER).fetchone()[0])
    except (sqlite3.Error, OSError):
        return None


def _who(owner: Owner | None) -> str:
    if owner is None:
        return "another bot is using it"
    return (
        f"another bot is using it: process {owner.process} on {owner.host}, "
        f"since {owner.since:%Y-%m-%d %H:%M} UTC, last heard of at {owner.seen:%H:%M:%S} UTC"
    )


async def _gone(store: SqliteStore, machine: str, now: Callable[[], datetime]) -> Owner | None:
    """The last owner, once it is certain that they are gone; OwnedError if they are not."""
    before = await store.owner()
    if before is None or (machine and before.machine == machine):
        # On this machine the lock would have told.
        return before
    age = now() - before.seen
    if timedelta(0) <= age and age > timedelta(seconds=LEASE_SECONDS):
        return before
    _log.warning("waiting to see whether a bot on %s still uses the database", before.host)
    # Not by the clock: those of two machines differ. Whoever is there beats.
    end = time.monotonic() + LEASE_SECONDS
    while time.monotonic() < end:
        await asyncio.sleep(min(1.0, LEASE_SECONDS / 10))
        found = await store.owner()
        if found is None:
            return None
        if found != before:
            raise OwnedError(_who(found))
    return before
