"""One bot at a time on a database: who holds it is said, and whoever was killed is followed at once."""

# ruff: noqa: ASYNC240 (a test may look at its files)

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from storage import instance_lock
from storage.errors import OwnedError, StorageError
from storage.instance_lock import InstanceLock
from storage.sqlite import SqliteStore
from tests.storage.test_failures import somebody_without_rights
from workshop.evening.making import NOON, playing

ROOT = Path(__file__).parents[2]
HOLDER = """
import asyncio, pathlib, sys
from storage.instance_lock import InstanceLock
async def hold():
    instance = await InstanceLock.take(pathlib.Path(sys.argv[1]))
    print("taken", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await instance.close()
asyncio.run(hold())
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdin
        assert process.stdout.readline() == b"taken\n"
        yield process
        process.stdin.close()


async def test_a_second_bot_is_told_who_has_the_database(path: Path) -> None:
    with held_by_another_process(path) as process:
        told = rf"another bot is using it: process {process.pid} on .+, since .+ UTC"
        with pytest.raises(OwnedError, match=told):
            await InstanceLock.take(path)
    instance = await InstanceLock.take(path)
    await instance.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["kursbuch.begun", path.name], (
        "no lock is left behind"
    )


async def test_a_bot_that_was_killed_is_followed_at_once(path: Path) -> None:
    with held_by_another_process(path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        began = time.monotonic()
        instance = await InstanceLock.take(path)
        assert time.monotonic() - began < instance_lock.BEAT_SECONDS / 2
        assert (await instance.store.owner()) == instance.owner
        await instance.close()


async def test_two_in_one_process_are_two_as_well(path: Path) -> None:
    instance = await InstanceLock.take(path)
    with pytest.raises(OwnedError, match=f"process {os.getpid()}"):
        await InstanceLock.take(path)
    await instance.close()
    await instance.close()
    await (await InstanceLock.take(path)).close()


async def elsewhere(path: Path, **more: object) -> None:
    """Leave the mark of a bot on another machine."""
    async with await SqliteStore.open(path) as store:
        instance = await InstanceLock.take(path)
        other = replace(instance.owner, host="other", machine="another machine", token="other", **more)
        await instance.close()
        await store.set_owner(other, instead_of=None)


async def test_a_bot_on_another_machine_that_beats_keeps_the_database(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance_lock, "LEASE_SECONDS", 20.0)
    await elsewhere(path)
    async with await SqliteStore.open(path) as store:

        async def beat() -> None:
            await asyncio.sleep(0.5)
            found = await store.owner()
            assert found is not None
            await store.set_owner(replace(found, seen=found.seen + timedelta(seconds=1)), instead_of="other")

        beating = asyncio.create_task(beat())
        with pytest.raises(OwnedError, match="on other"):
            await InstanceLock.take(path)
        await beating


async def test_a_bot_on_another_machine_that_is_silent_loses_it_and_hears_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance_lock, "LEASE_SECONDS", 1.0)
    await elsewhere(path)
    began = time.monotonic()
    instance = await InstanceLock.take(path)
    assert time.monotonic() - began >= 1.0, "it was waited for"
    async with await SqliteStore.open(path) as store:
        with pytest.raises(OwnedError, match="taken the database over"):
            await store.set_owner(instance.owner, instead_of="other")
    await instance.beat()
    await instance.close()


async def test_one_that_has_been_silent_for_long_is_not_waited_for(path: Path) -> None:
    await elsewhere(path, seen=NOON)
    began = time.monotonic()
    await (await InstanceLock.take(path)).close()
    assert time.monotonic() - began < 10


async def test_a_database_that_can_be_read_but_not_written_is_refused(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        await playing(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Less than a write-ahead log needs, but enough for its index: as on a full disk, what is there can still be read.
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        async with await SqliteStore.open(path) as store:
            assert len(await store.games()) == 1
            with pytest.raises(StorageError, match=r"the disk failed|no room left"):
                await store.probe()
        with pytest.raises(StorageError, match=r"the disk failed|no room left"):
            await InstanceLock.take(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await (await InstanceLock.take(path)).close()


async def test_a_disk_that_has_room_for_the_name_of_the_owner_but_for_no_game_is_refused(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        await playing(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The file has the room that it has; the probe would make it longer.
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 16_000, hard))
    try:
        with pytest.raises(StorageError, match=r"the disk failed|no room left"):
            await InstanceLock.take(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await (await InstanceLock.take(path)).close()


async def test_a_database_of_another_owner_is_refused() -> None:
    # As after a restore by somebody else: the folder can be written, the file cannot.
    directory = Path(tempfile.mkdtemp())
    try:
        path = directory / "kursbuch.sqlite3"
        async with await SqliteStore.open(path) as store:
            await playing(store)
        path.chmod(0o444)
        directory.chmod(0o777)
        with somebody_without_rights(), pytest.raises(StorageError, match="may only be read, not written"):
            await InstanceLock.take(path)
        path.chmod(0o644)
        await (await InstanceLock.take(path)).close()
    finally:
        shutil.rmtree(directory)


async def test_a_probe_leaves_nothing_behind(store: SqliteStore) -> None:
    await store.probe()
    await store.tidy()
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT probe FROM upkeep").fetchone() == (None,)


@pytest.mark.parametrize("odd", ["{}", "7", '{"since": 9e18, "seen": 0}'])
async def test_an_owner_that_makes_no_sense_is_nobody(path: Path, odd: str) -> None:
    async with await SqliteStore.open(path) as store:
        await store._write(lambda db: db.execute("UPDATE upkeep SET owner = ?", (odd,)).close())
    instance = await InstanceLock.take(path)
    found = await instance.store.owner()
    assert found is not None
    assert found.process == os.getpid()
    await instance.close()
