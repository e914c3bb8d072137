"""What the running bot does for its database: it says that it is there, tidies the file, and makes backups."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apscheduler.schedulers.asyncio import AsyncIOScheduler  # type: ignore[import-untyped]

from bot.settings import Settings
from storage import instance_lock
from storage.errors import OwnedError, StorageError
from storage.instance_lock import InstanceLock
from storage.presence import make_folder

_log = logging.getLogger(__name__)

_NAME = re.compile(r"kursbuch-(\d{8}T\d{6}Z)\.sqlite3")
_FORM = "%Y%m%dT%H%M%SZ"
#: After a backup that failed.
RETRY = timedelta(minutes=10)


class Upkeep:
    """Works from `start` to `close`. `lost` is called when another bot has taken the database over."""

    def __init__(
        self,
        instance: InstanceLock,
        settings: Settings,
        lost: Callable[[OwnedError], Awaitable[None]],
        *,
        now: Callable[[], datetime] = instance_lock.utc_now,
    ) -> None:
        self._instance = instance
        self._settings = settings
        self._lost = lost
        self._now = now
        self._beating: asyncio.Task[None] | None = None
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        #: What health says of the backups; empty if none are wanted.
        self.backups = ""
        #: Where everything was saved when the database was not in its place any more.
        self.rescued: Path | None = None

    async def start(self) -> None:
        """Begin; StorageError if backups are wanted where none can be kept."""
        folder = self._settings.backups
        if folder is not None:
            try:
                await asyncio.to_thread(_try, folder)
            except OSError as problem:
                raise StorageError(f"backups cannot be kept in {folder}: {problem.strerror or problem}") from None
            self.backups = "none yet"
            self._scheduler.start()
            newest = max(backups_in(folder), default=None)
            self._plan(self._now() if newest is None else newest[0] + self._every)
        # Not by the scheduler, which goes by the machine's clock: that may be set back by hours.
        self._beating = asyncio.create_task(self._beat(), name="heartbeat")

    async def close(self) -> None:
        """Stop; a backup that is being made is not there, or whole."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
            # The scheduler stops in a callback of the loop.
            await asyncio.sleep(0)
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        await self._rescue()

    @property
    def _every(self) -> timedelta:
        return timedelta(hours=self._settings.backup_hours)

    def _plan(self, when: datetime) -> None:
        # By the machine's clock, whatever our own says: the scheduler knows no other.
        at = datetime.now(UTC) + max(when - self._now(), timedelta(0))
        self._scheduler.add_job(self._backup, "date", run_date=at, id="backup", replace_existing=True)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(instance_lock.BEAT_SECONDS)
            try:
                await self._instance.beat()
                await self._instance.store.tidy()
            except OwnedError as problem:
                await self._lost(problem)
                return
            except StorageError as problem:
                _log.warning("the heartbeat waits for the database: %s", problem)
            await self._rescue()

    async def _rescue(self) -> None:
        """Save everything if the database has vanished or was replaced: what is open has it as long as we run."""
        store = self._instance.store
        if self.rescued is not None or not (lost := store.lost):
            return
        folder = self._settings.backups or self._settings.data
        target = folder / f"kursbuch-rescued-{self._now().astimezone(UTC):{_FORM}}.sqlite3"
        try:
            await asyncio.to_thread(make_folder, folder)
            await store.rescue(str(target))
        except (StorageError, OSError) as problem:
            _log.error("%s, and what it had could not be saved: %s", lost, problem)
            return
        self.rescued = target
        _log.error("%s; everything that counted is saved in %s: stop the bot and put it in its place", lost, target)

    async def _backup(self) -> None:
        folder = self._settings.backups
        assert folder is not None
        at = self._now()
        target = folder / f"kursbuch-{at.astimezone(UTC):{_FORM}}.sqlite3"
        try:
            await self._instance.store.backup(str(target))
            for _, old in backups_in(folder)[: -self._settings.backups_kept]:
                with contextlib.suppress(FileNotFoundError):
                    old.unlink()
        except (StorageError, OSError) as problem:
            self.backups = f"failed at {at:%Y-%m-%d %H:%M} UTC: {problem}"
            _log.error("the backup %s could not be made: %s", target, problem)
            self._plan(self._now() + min(RETRY, self._every))
            return
        self.backups = "ok"
        _log.info("the backup %s is made", target)
        self._plan(at + self._every)


def check_backups(folder: Path | None, database: Path) -> None:
    """Refuse to begin without any game where backups tell of some: the folder of the database may be another's."""
    if folder is None or database.exists() or not folder.is_dir():
        return
    newest = max(backups_in(folder), default=None)
    if newest is not None:
        raise StorageError(
            f"there is none, but a backup of one in {newest[1]}: put it in its place, or move the backups away to "
            "begin without any game"
        )


def backups_in(folder: Path) -> list[tuple[datetime, Path]]:
    """The backups that a bot has made here by itself, oldest first, with their times."""
    found = []
    for file in folder.iterdir():
        match = _NAME.fullmatch(file.name)
        with contextlib.suppress(ValueError):
            if match:
                found.append((datetime.strptime(match[1], _FORM).replace(tzinfo=UTC), file))
    return sorted(found)


def _try(folder: Path) -> None:
    make_folder(folder)
    probe = folder / ".kursbuch-probe"
    probe.write_bytes(bytes(4096))
    probe.unlink()
