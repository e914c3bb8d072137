"""The write-ahead log: what was written is soon in the file itself, and a log that was lost is noticed."""

# ruff: noqa: ASYNC240 (a test may look at its files)

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import main
from storage import upkeep, wal
from storage.sqlite import SqliteStore
from workshop.evening.making import append, new_game, playing

ROOT = Path(__file__).parents[2]


def alone(path: Path, folder: Path) -> Path:
    """A copy of the file without its write-ahead log, as somebody makes it who does not know of it."""
    folder.mkdir()
    return Path(shutil.copy(path, folder / path.name))


async def test_a_new_database_is_in_its_file_as_soon_as_it_is_made(store: SqliteStore, tmp_path: Path) -> None:
    copy = alone(Path(store.path), tmp_path / "copy")
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (0,)


async def test_what_was_written_is_in_the_file_after_tidying(store: SqliteStore, tmp_path: Path) -> None:
    game = (await playing(store)).id
    await append(store, game, 0)
    await store.tidy()
    copy = alone(Path(store.path), tmp_path / "copy")
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM log").fetchone() == (1,)


async def test_the_log_stays_short_while_much_is_written(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wal, "LONGEST_BYTES", 200_000)
    game = (await playing(store)).id
    for seq in range(250):
        await append(store, game, seq, [{"type": "pass", "player": "ann", "text": "x" * 4000}])
    assert Path(f"{store.path}-wal").stat().st_size < 2_000_000


async def test_tidying_does_not_wait_for_those_who_read(store: SqliteStore) -> None:
    game = (await playing(store)).id
    with closing(sqlite3.connect(store.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        await append(store, game, 0)
        async with asyncio.timeout(2):
            await store.tidy()
        assert reader.execute("SELECT count(*) FROM log").fetchone() == (0,), "they see what they saw"
        assert await append(store, game, 1) == 2


def test_check_tells_a_lost_log_from_an_empty_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kursbuch.sqlite3"

    async def work() -> None:
        async with await SqliteStore.open(path) as store:
            await playing(store)
            alone(path, tmp_path / "young")
            await store.tidy()
            await playing(store)
            alone(path, tmp_path / "older")

    asyncio.run(work())
    for folder in ("young", "older"):
        assert main(["check", "--database", str(tmp_path / folder / path.name)]) == 1
        assert "write-ahead log" in capsys.readouterr().out
    main(["check", "--database", str(path)])
    assert "write-ahead log" not in capsys.readouterr().out

    empty = tmp_path / "empty.sqlite3"

    async def nothing() -> None:
        async with await SqliteStore.open(empty):
            pass

    asyncio.run(nothing())
    assert main(["check", "--database", str(empty)]) == 0


KILLED = """
import asyncio, os, signal, sys
from storage.sqlite import SqliteStore
from workshop.evening.making import append, playing
async def work():
    store = await SqliteStore.open(sys.argv[1])
    game = (await playing(store)).id
    for seq in range(int(sys.argv[2])):
        await append(store, game, seq)
        if seq % 7 == 3:
            await store.tidy()
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(work())
"""


@pytest.mark.parametrize("moves", [0, 4, 9])
def test_a_killed_bot_is_no_lost_log_and_looking_at_it_changes_nothing(
    tmp_path: Path, moves: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kursbuch.sqlite3"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), str(moves)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    before = {name: (tmp_path / name).read_bytes() for name in (path.name, f"{path.name}-wal")}
    upkeep.backup_file(path, tmp_path / "copy")
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    for file in (tmp_path / "copy", path):
        main(["check", "--database", str(file)])
        assert "write-ahead" not in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM log").fetchone() == (moves,)
    # Another program may have brought the log in by now; nothing was lost by that.
    assert not os.path.exists(f"{path}-wal")
    main(["check", "--database", str(path)])
    assert "write-ahead" not in capsys.readouterr().out


async def test_four_backups_at_once_to_one_target_are_one_whole_backup(store: SqliteStore, tmp_path: Path) -> None:
    for _ in range(30):
        await new_game(store, options={"x": "x" * 20_000})
    target = tmp_path / "backups" / "copy.sqlite3"
    target.parent.mkdir()
    command = [sys.executable, "-c", "import sys; from bot.cli import main; sys.exit(main())", "backup", str(target)]
    several = [
        await asyncio.create_subprocess_exec(
            *command, "--database", store.path, cwd=ROOT, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(4)
    ]
    said = await asyncio.gather(*(each.communicate() for each in several))
    assert [each.returncode for each in several] == [0, 0, 0, 0], said
    assert [file.name for file in target.parent.iterdir()] == [target.name]
    await asyncio.gather(*(store.backup(str(target)) for _ in range(4)))
    assert [file.name for file in target.parent.iterdir()] == [target.name]
    async with await SqliteStore.open(target, create=False) as copy:
        assert await copy.check() == []
        assert len(await copy.games()) == 30


async def test_what_a_killed_backup_left_is_removed_by_a_later_one(store: SqliteStore, tmp_path: Path) -> None:
    target = tmp_path / "backups" / "copy.sqlite3"
    target.parent.mkdir()
    old, young = target.with_name("copy.sqlite3.aa.part"), target.with_name("copy.sqlite3.bb.part")
    for part in (old, young):
        part.write_bytes(b"x")
    os.utime(old, (0, 0))
    await store.backup(str(target))
    assert sorted(file.name for file in target.parent.iterdir()) == ["copy.sqlite3", young.name]
