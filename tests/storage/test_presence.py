"""Files that vanish under an open database, and who may read them: what was acknowledged is found again."""

# ruff: noqa: ASYNC240 (a test may look at its files)

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storage import presence, upkeep
from storage.errors import StorageError
from storage.instance_lock import InstanceLock
from storage.sqlite import SqliteStore
from workshop.evening.making import append, playing, standing_moves


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


def cut(path: Path) -> None:
    os.truncate(path, 0)


#: What happens to the files, and whether what is open still has everything.
ACCIDENTS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], None]]] = {
    presence.REMOVED: (lambda path: path, removed),
    presence.REPLACED: (lambda path: path, replaced),
    presence.LOG_REMOVED: (log_of, removed),
    presence.LOG_REPLACED: (log_of, replaced),
    presence.LOG_CUT: (log_of, cut),
}


@pytest.mark.parametrize("told", ACCIDENTS)
async def test_nothing_is_acknowledged_that_nobody_would_find_again(path: Path, told: str) -> None:
    where, accident = ACCIDENTS[told]
    store = await SqliteStore.open(path)
    try:
        game = (await playing(store)).id
        for length in range(5):
            await append(store, game, length)
        assert store.lost == ""
        accident(where(path))
        assert store.lost == told
        with pytest.raises(StorageError, match=told):
            await append(store, game, 5)
        with pytest.raises(StorageError, match=told):
            await store.probe()
        with pytest.raises(StorageError, match=told):
            await store.tidy()
        if told == presence.LOG_CUT:
            return
        # What is open has all that was acknowledged.
        await store.rescue(str(path.with_name("rescued")))
        async with await SqliteStore.open(path.with_name("rescued"), create=False) as found:
            assert len(await standing_moves(found, game)) == 5
            assert await found.check() == []
    finally:
        await store.close()


async def test_a_log_that_was_cut_costs_what_it_had_and_not_the_file(path: Path) -> None:
    store = await SqliteStore.open(path)
    game = (await playing(store)).id
    for length in range(3):
        await append(store, game, length)
    await store.tidy()
    await append(store, game, 3)
    cut(log_of(path))
    for _ in range(3):
        with pytest.raises(StorageError):
            await append(store, game, 4)
    await store.close()
    async with await SqliteStore.open(path) as again:
        assert await again.check() == []
        assert len(await standing_moves(again, game)) >= 3


async def test_a_long_life_is_no_accident(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log grows, goes into the file and begins anew; copies are made beside it."""
    monkeypatch.setattr("storage.sqlite.WRITES_BETWEEN_LOOKS", 3)
    monkeypatch.setattr("storage.wal.LONGEST_BYTES", 100_000)
    async with await SqliteStore.open(path) as store:
        game = (await playing(store)).id
        for length in range(40):
            await append(store, game, length)
            if length % 7 == 0:
                await store.tidy()
            if length % 11 == 0:
                await store.backup(str(path.with_name("copy")))
                upkeep.backup_file(path, path.with_name("other copy"))
            await store.probe()
            assert store.lost == ""


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
async def test_only_the_owner_reads_the_files(tmp_path: Path) -> None:
    path = tmp_path / "data" / "kursbuch.sqlite3"
    instance = await InstanceLock.take(path)
    try:
        await append(instance.store, (await playing(instance.store)).id, 0)
        await instance.store.backup(str(path.with_name("copy")))
        upkeep.backup_file(path, path.with_name("other copy"))
        assert mode(path.parent) == 0o700
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", "copy", "other copy"):
            assert mode(path.with_name(name)) == 0o600, name
    finally:
        await instance.close()
    # One from before is closed to others, and what may only be read stays so.
    path.chmod(0o644)
    async with await SqliteStore.open(path):
        assert mode(path) == 0o600
    path.chmod(0o444)
    presence.make_private(path, create=False)
    assert mode(path) == 0o400


async def test_where_there_was_a_database_none_is_made_in_silence(path: Path) -> None:
    await (await InstanceLock.take(path)).close()
    path.unlink()
    path.with_name("kursbuch-rescued-20260504T120000Z.sqlite3").touch()
    with pytest.raises(StorageError, match=r"is gone.*delete kursbuch\.begun.*kursbuch-rescued-20260504T120000Z"):
        await InstanceLock.take(path)
    assert not path.exists()
    path.with_name(presence.MARK).unlink()
    await (await InstanceLock.take(path)).close()
    assert path.exists()


async def test_a_file_without_its_log_is_told_at_the_start(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    copy = path.with_name("copied") / path.name
    copy.parent.mkdir()
    async with await SqliteStore.open(path) as store:
        await playing(store)
        await store.tidy()
        await playing(store)
        shutil.copy(path, copy)
    instance = await InstanceLock.take(copy)
    assert instance.store.warnings == [upkeep.LOST]
    await instance.close()
    assert upkeep.LOST in caplog.text
    for sound in (path, copy):
        instance = await InstanceLock.take(sound)
        assert instance.store.warnings == [], "a proper end leaves no log, and nothing is missing"
        await instance.close()
