"""The database's files on the disk: for their owner alone, and whether what is open is still what lies there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from storage.errors import StorageError

#: Whoever else uses the machine reads neither: hidden cards follow from what stands in the database.
FILE, FOLDER = 0o600, 0o700
#: Lies beside a database as long as there is meant to be one.
MARK = "kursbuch.begun"

REMOVED = "the database file has been removed while it was in use"
REPLACED = "another file has been put in the place of the database while it was in use"
LOG_REMOVED = "the database's write-ahead log has been removed while it was in use"
LOG_REPLACED = "another file has been put in the place of the database's write-ahead log while it was in use"
LOG_CUT = "the database's write-ahead log has been cut short while it was in use"


def make_folder(folder: Path) -> None:
    """Make a folder for its owner alone; one that is there stays as it is."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=FOLDER, exist_ok=True)


def make_private(path: Path, *, create: bool) -> None:
    """Keep others from reading a file, where it is ours; what cannot be changed is said by whoever opens it."""
    with suppress(OSError):
        if create:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE))
        mode = path.stat().st_mode & 0o777
        if mode & ~FILE & 0o077:
            path.chmod(mode & ~0o077)


def check_begun(path: Path) -> None:
    """Refuse to make a new database where there was one: somebody would look for their games in vain."""
    mark = path.with_name(MARK)
    if path.exists() or not mark.exists():
        return
    raise StorageError(
        f"there was a database in this folder, and it is gone: put a backup in its place, or delete {mark.name} beside "
        f"it to begin without any game{_rescued(path.parent)}"
    )


def _rescued(folder: Path) -> str:
    found = max(folder.glob("kursbuch-rescued-*.sqlite3"), default=None)
    return f"; {found.name} was rescued" if found else ""


def put_mark(path: Path) -> None:
    """Remember that there is a database here."""
    mark = path.with_name(MARK)
    with suppress(OSError):
        if not mark.exists():
            mark.write_text(
                f"There is a database {path.name} here. As long as this file is, Kursbuch does not make another in its "
                "place, should it be gone.\n",
                "utf-8",
            )


class Presence:
    """What lay at a database's path when it was opened, and whether that is still so."""

    def __init__(self, path: str) -> None:
        self._path, self._log = path, f"{path}-wal"
        self._file = _identity(path)
        self._log_file = _identity(self._log)
        self._length = 0

    def lost(self) -> str:
        """What has become of the files; nothing if all is well."""
        now = _identity(self._path)
        if now != self._file:
            return REPLACED if now else REMOVED
        log = _identity(self._log)
        if self._log_file is None:
            self._log_file = log
        if log != self._log_file:
            return LOG_REPLACED if log else LOG_REMOVED
        return LOG_CUT if _length(self._log) < self._length else ""

    def shrinks(self) -> None:
        """We are about to bring the log in: until that is done any length will do."""
        self._length = 0

    def wrote(self) -> None:
        """We have written, or brought the log in: it has the length that it has now."""
        self._length = _length(self._log)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _length(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
