"""What is wrong with a database is said in a plain sentence, and nothing is changed."""

# ruff: noqa: ASYNC240 (a test may look at its files)

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from storage import schema
from storage.errors import StorageError
from storage.records import FINISHED, NewNotice
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, NOON, append, log_length, new_game, playing, standing_moves, untold

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def unchanged(store: SqliteStore, game: int) -> AsyncIterator[None]:
    async def all_of_it() -> list[object]:
        return [
            await store.game(game),
            await store.entries(game),
            await store.waiting(),
            await untold(store),
        ]

    before = await all_of_it()
    yield
    assert await all_of_it() == before


async def try_everything(store: SqliteStore, game: int, match: str) -> None:
    """A change of each kind is refused with the same sentence."""
    large = [{"type": "pass", "player": "ann", "text": "x" * 50_000}]
    changes = [
        append(store, game, 1, large, notices=[NewNotice("turn")], waiting={BO: "bo"}, status=FINISHED),
        store.undo(game, 1, [1], user=ANN, interaction=None, at=NOON, notices=[NewNotice("x", {"t": "x" * 50_000})]),
        new_game(store, options={"x": "x" * 50_000}),
    ]
    for change in changes:
        with pytest.raises(StorageError, match=match):
            await change


LOCKER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.readline()
"""


@contextmanager
def locked_by_another_process(path: Path) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"locked\n"
        yield
        process.stdin.close()


async def test_a_locked_database(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.2)
    async with await SqliteStore.open(path) as store:
        game = (await playing(store, waiting={ANN: "ann"})).id
        await append(store, game, 0)
        async with unchanged(store, game):
            with locked_by_another_process(path):
                await try_everything(store, game, "keeps the database locked; try again")
                assert await log_length(store, game) == 1, "reading goes on"
        assert await append(store, game, 1) == 2


async def test_a_short_lock_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 60)
    async with await SqliteStore.open(path) as store:
        game = (await playing(store)).id
        with locked_by_another_process(path):
            waiting = asyncio.create_task(append(store, game, 0))
            await asyncio.sleep(0.1)
            assert not waiting.done()
        assert await waiting == 1


async def test_a_new_database_that_two_open_at_once_is_made_once(path: Path) -> None:
    stores = await asyncio.gather(*(SqliteStore.open(path) for _ in range(4)))
    try:
        assert [(await new_game(store)).id for store in stores] == [1, 2, 3, 4]
    finally:
        for store in stores:
            await store.close()


async def test_a_full_disk(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann"})).id
    await append(store, game, 0)
    # SQLite's own ceiling stands in for the disk's: the same error at the same place.
    (pages,) = await (await store._writer.execute("PRAGMA page_count")).fetchone() or (0,)
    await store._writer.execute(f"PRAGMA max_page_count = {pages}")
    async with unchanged(store, game):
        await try_everything(store, game, "no room left on the disk")
    await store._writer.execute("PRAGMA max_page_count = 1000000")
    assert await append(store, game, 1) == 2


async def test_a_disk_that_takes_no_more_from_the_operating_system(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann"})).id
    await append(store, game, 0)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    async with unchanged(store, game):
        resource.setrlimit(resource.RLIMIT_FSIZE, (Path(store.path + "-wal").stat().st_size, hard))
        try:
            await try_everything(store, game, "the disk failed|no room left")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert await append(store, game, 1) == 2


@contextmanager
def somebody_without_rights() -> Iterator[None]:
    """Nobody may override permissions here, not even a superuser."""
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(65534)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)


async def test_a_database_that_may_only_be_read_or_not_even_that() -> None:
    # Not pytest's own directory, which only its owner may enter.
    directory = Path(tempfile.mkdtemp())
    try:
        path = directory / "kursbuch.sqlite3"
        async with await SqliteStore.open(path) as store:
            game = (await playing(store)).id
        path.chmod(0o444)
        directory.chmod(0o555)
        content = path.read_bytes()
        with somebody_without_rights(), pytest.raises(StorageError, match=r"read, not written|permission"):
            await SqliteStore.open(path)
        path.chmod(0)
        with somebody_without_rights(), pytest.raises(StorageError, match="permission"):
            await SqliteStore.open(path)
        with somebody_without_rights(), pytest.raises(StorageError, match=r"cannot be opened|cannot be used"):
            await SqliteStore.open(directory / "new" / "other.sqlite3")
        directory.chmod(0o755)
        path.chmod(0o644)
        assert path.read_bytes() == content
        async with await SqliteStore.open(path) as store:
            assert await store.game(game) is not None
    finally:
        shutil.rmtree(directory)


async def test_a_database_that_becomes_read_only(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann"})).id
    await append(store, game, 0)
    await store._writer.execute("PRAGMA query_only = ON")
    async with unchanged(store, game):
        await try_everything(store, game, "may only be read, not written")


@pytest.mark.parametrize("size", [1, 100, 511, 512, 100_000])
async def test_a_file_that_is_no_database(path: Path, size: int) -> None:
    content = bytes(number * 37 % 251 for number in range(size))
    path.write_bytes(content)
    with pytest.raises(StorageError, match="not a database of Kursbuch"):
        await SqliteStore.open(path)
    assert path.read_bytes() == content


async def test_the_database_of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    content = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        await SqliteStore.open(path)
    assert path.read_bytes() == content


async def test_a_database_of_a_newer_version(path: Path) -> None:
    async with await SqliteStore.open(path):
        pass
    newer = len(schema.migrations()) + 1
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {newer}")
    content = path.read_bytes()
    with pytest.raises(StorageError, match=f"of version {newer}.*newer Kursbuch"):
        await SqliteStore.open(path)
    assert path.read_bytes() == content


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await SqliteStore.open(path) as store:
        game = (await playing(store)).id
    known = schema.migrations()
    number = len(known) + 1
    text = "-- Reason: a test.\nCREATE TABLE extra (a INTEGER) STRICT;\nINSERT INTO extra VALUES ('no number');\n"
    monkeypatch.setattr(schema, "migrations", lambda: [*known, schema.Migration(number, "x.sql", text)])
    with pytest.raises(StorageError, match="cannot store TEXT"):
        await SqliteStore.open(path)
    right = text.replace("'no number'", "5")
    monkeypatch.setattr(schema, "migrations", lambda: [*known, schema.Migration(number, "x.sql", right)])
    async with await SqliteStore.open(path) as store:
        assert await store.game(game) is not None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT a FROM extra").fetchall() == [(5,)]
        assert connection.execute("PRAGMA user_version").fetchone() == (number,)


def test_migrations_are_numbered_and_give_their_reason() -> None:
    found = schema.migrations()
    assert found
    for migration in found:
        assert re.match(rf"-- {migration.number}: .+\n-- Reason: .+", migration.text), migration.name


async def test_a_damaged_database(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        game = (await playing(store)).id
        for seq in range(40):
            await append(store, game, seq, [{"type": "pass", "player": "ann", "text": "x" * 3000}])
    with closing(sqlite3.connect(path)) as db:
        last = db.execute("SELECT max(rootpage) FROM sqlite_schema").fetchone()[0]
    with path.open("r+b") as file:
        # Behind the first pages of all tables: the moves.
        file.seek(last * 4096)
        file.write(b"\xff" * 8 * 4096)
    async with await SqliteStore.open(path) as store:
        faults = await store.check()
        assert faults
        assert all("damaged" in fault or "more" in fault for fault in faults)
        with pytest.raises(StorageError, match="damaged; restore a backup"):
            await standing_moves(store, game)


async def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        await SqliteStore.open(tmp_path)
    with pytest.raises(StorageError, match="cannot be opened"):
        await SqliteStore.open(tmp_path / "none.sqlite3", create=False)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be used"):
        await SqliteStore.open(tmp_path / "file" / "x.sqlite3")
    async with await SqliteStore.open(tmp_path / "new" / "deep" / "x.sqlite3") as store:
        assert await store.games() == []


async def test_a_store_that_is_closed_says_so_and_leaves_no_thread_behind(path: Path) -> None:
    threads = threading.active_count()
    store = await SqliteStore.open(path)
    await store.close()
    await store.close()
    with pytest.raises(StorageError, match="closed"):
        await store.games()
    with pytest.raises(StorageError, match="closed"):
        await new_game(store)
    path.write_bytes(b"not a database, and long enough to be seen as such" * 100)
    with pytest.raises(StorageError):
        await SqliteStore.open(path)
    for _ in range(500):
        if threading.active_count() <= threads:
            break
        await asyncio.sleep(0.01)
    assert threading.active_count() <= threads


def test_a_process_that_fails_and_closes_nothing_ends(path: Path) -> None:
    code = """
import asyncio, sys
from storage.sqlite import SqliteStore
async def fail():
    kept.append(await SqliteStore.open(sys.argv[1]))
    raise RuntimeError("on purpose")
kept = []
asyncio.run(fail())
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert "on purpose" in ended.stderr


async def test_settings_of_the_connection_are_as_promised(store: SqliteStore) -> None:
    async def pragma(name: str) -> object:
        return (await (await store._writer.execute(f"PRAGMA {name}")).fetchone() or [None])[0]

    assert [await pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")] == [
        "wal",
        2,
        1,
        5000,
    ]
    tables = await (await store._writer.execute("PRAGMA table_list")).fetchall()
    assert all(strict for _, name, kind, _, _, strict in tables if kind == "table" and not name.startswith("sqlite_"))
