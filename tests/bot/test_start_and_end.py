"""How the bot begins and ends: one to a database, only where it can write, and ready to stop from the first moment."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.cli import main
from bot.settings import Settings
from bot.upkeep import Upkeep, backups_in
from storage.errors import OwnedError, StorageError
from storage.instance_lock import InstanceLock
from storage.sqlite import SqliteStore
from tests.bot.test_run import (
    DATABASE,
    PATIENCE,
    asked_for,
    free_port,
    health,
    kursbuch,
    sentence,
    started,
    table_of_its_own,
    until_health,
)
from workshop.evening.making import new_game

NOWHERE = {"DISCORD_TOKEN": "t", "DISCORD_API_BASE": "http://127.0.0.1:1", "DISCORD_GATEWAY": "ws://127.0.0.1:1"}


# --- one bot to a database --------------------------------------------------------------------------


async def test_a_second_bot_says_who_has_the_database_and_ends(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (table, settings):
        async with kursbuch(tmp_path, settings, "--sync") as first:
            await first.says("is at 1 servers")
            async with kursbuch(tmp_path, settings) as second:
                assert await second.ended() == 1
            told = sentence(second)
            assert f"another bot is using it: process {first.process.pid} on " in told
            # The first one is not disturbed, and Discord heard of the second one not at all.
            assert (await table.person("ann").slash("lobby", "about"))["failed"] is False
            assert (await table.control("status"))["sessions"] == 1
            assert await first.stop() == 0
        async with kursbuch(tmp_path, settings) as third:
            await third.says("is at 1 servers")
            third.process.kill()
            await third.ended()
        async with kursbuch(tmp_path, settings) as fourth:
            await fourth.says("is at 1 servers")
            assert await fourth.stop() == 0


async def test_a_bot_whose_database_was_taken_over_ends(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (_, settings):
        # Beats every tenth of a second, so that the test need not wait.
        program = (
            "import sys; from storage import instance_lock; instance_lock.BEAT_SECONDS = 0.1; from bot.cli import main;"
            " sys.exit(main())"
        )
        async with started("-c", program, "run", folder=tmp_path, settings=settings) as bot:
            await bot.says("is at 1 servers")
            with closing(sqlite3.connect(tmp_path / "data" / DATABASE, isolation_level=None)) as db:
                (text,) = db.execute("SELECT owner FROM upkeep").fetchone()
                other = json.loads(text) | {"token": "other", "host": "other"}
                db.execute("UPDATE upkeep SET owner = ?", (json.dumps(other),))
            assert await bot.ended() == 1
        assert "another bot has taken the database over" in sentence(bot)


# --- only where it can write ------------------------------------------------------------------------


def limited(size: int) -> str:
    """The bot with a limit for the size of files, which stands in for a full disk."""
    return (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY));"
        " from bot.start import main; sys.exit(main())"
    )


async def make_database(folder: Path) -> None:
    (folder / "data").mkdir()
    async with await SqliteStore.open(folder / "data" / DATABASE):
        pass


async def test_a_database_that_cannot_be_written_ends_the_start(tmp_path: Path) -> None:
    await make_database(tmp_path)
    async with started("-c", limited(40_000), "run", folder=tmp_path, settings=NOWHERE) as bot:
        assert await bot.ended() == 1
    assert f"The games in data/{DATABASE} cannot be opened" in sentence(bot)


async def test_health_says_when_nothing_can_be_written_any_more(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (_, settings):
        port = free_port()
        async with kursbuch(tmp_path, settings | {"KURSBUCH_HEALTH_PORT": str(port)}) as bot:
            assert (await until_health(port, 200))["database"] == "ok"
            pid = bot.process.pid
            soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (40_000, hard))
            found = await until_health(port, 503)
            assert (found["ok"], found["discord"]) == (False, "ok")
            assert "disk" in str(found["database"])
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
            await until_health(port, 200)
            with closing(sqlite3.connect(tmp_path / "data" / DATABASE, isolation_level=None)) as db:
                db.execute("BEGIN EXCLUSIVE")
                found = await until_health(port, 503)
                assert "locked" in str(found["database"]) or "does not answer" in str(found["database"])
                db.execute("ROLLBACK")
            await until_health(port, 200)
            assert await bot.stop() == 0


# --- a signal at any moment -------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_while_everything_is_being_loaded_ends_with_0(tmp_path: Path, how: signal.Signals) -> None:
    # discord.py is what takes longest to load; this one takes for ever.
    (tmp_path / "discord.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(600)\n", "utf-8")
    program = "import sys; sys.path.insert(0, '.'); from bot.start import main; sys.exit(main())"
    async with started("-c", program, "run", folder=tmp_path, settings=NOWHERE) as bot:
        async with asyncio.timeout(PATIENCE):
            while not bot.out:
                assert bot.process.returncode is None, bot.err
                await asyncio.sleep(0.01)
        assert await bot.stop(how) == 0
    assert bot.err == []


async def test_a_signal_at_any_moment_of_the_start_ends_with_0(tmp_path: Path) -> None:
    program = "import sys; from bot.start import main; print('in', flush=True); sys.exit(main())"
    async with table_of_its_own(tmp_path) as (_, settings):
        for begun, wait in ((False, 0.1), (False, 0.7), (True, 0.0), (True, 0.1), (True, 0.3), (True, 0.6)):
            async with started("-c", program, "run", folder=tmp_path, settings=settings) as bot:
                async with asyncio.timeout(PATIENCE):
                    while not bot.out:  # noqa: ASYNC110 (another process)
                        await asyncio.sleep(0.01)
                if begun:
                    await bot.says("begins")
                # Never quite at once: the signal's meaning is settled in the first lines of the program.
                await asyncio.sleep(wait)
                assert await bot.stop() == 0, (wait, bot.err)
            assert [line for line in bot.err if not line.startswith("{")] == []
    assert await asyncio.to_thread(main, ["check", "--data", str(tmp_path / "data")]) == 0


def test_the_command_is_the_one_that_settles_signals_first() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert 'kursbuch = "bot.start:main"' in project
    loaded = "import sys, bot.start; print([name for name in ('discord', 'PIL', 'asyncio') if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["silent", "gone"])
async def test_a_bot_whose_discord_has_vanished_ends_within_three_seconds(tmp_path: Path, how: signal.Signals) -> None:
    """Whether Discord says nothing any more or is gone, with a card that it has not taken yet."""
    async with table_of_its_own(tmp_path, "--no-rate-limits") as (table, settings):
        ann = table.person("ann")
        async with kursbuch(tmp_path, settings, "--sync") as bot:
            await bot.says("is at 1 servers")
            await ann.slash("lobby", "game new", title="rhl", where="here", seats=3)
            card = await ann.sees("Seats (", "lobby")
            for seats in (2, 3):
                await ann.click(card["id"], "Add a house player")
                await ann.sees(f"Seats ({seats} of 3)", "lobby")
            await table.control("fault", where="POST /channels", delay=600.0, times=10)
            await ann.click(card["id"], "Start")
            await asked_for(table, "/messages")
            discord = (await table.control("status"))["process"]
            os.kill(discord, how)
            try:
                begin = time.monotonic()
                assert await bot.stop() == 0
                took = time.monotonic() - begin
            finally:
                if how == signal.SIGSTOP:
                    os.kill(discord, signal.SIGCONT)
        asked, *_, stopped = [entry for entry in bot.log if entry["message"] in ("asked to stop", "stopped")]
        times = [datetime.fromisoformat(entry["time"]) for entry in (asked, stopped)]
        assert times[1] - times[0] < timedelta(seconds=3)
        # And nothing keeps the process alive after that; more than three seconds only because machines are busy.
        assert took < 5.0
    assert await asyncio.to_thread(main, ["check", "--data", str(tmp_path / "data")]) == 0


# --- backups by the bot itself ----------------------------------------------------------------------


async def nobody(_: OwnedError) -> None:
    raise AssertionError("nobody has taken the database over")


def settings(folder: Path, **more: object) -> Settings:
    return Settings("t", data=folder, backups=folder / "backups", **more)  # type: ignore[arg-type]


async def until_backups(folder: Path, count: int) -> list[tuple[datetime, Path]]:
    async with asyncio.timeout(PATIENCE):
        while len(found := backups_in(folder)) < count:  # noqa: ASYNC110 (the scheduler's own thread of things)
            await asyncio.sleep(0.02)
    return found


async def test_a_backup_made_by_the_running_bot_is_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with table_of_its_own(tmp_path) as (table, found):
        port = free_port()
        more = {"KURSBUCH_BACKUPS": "copies", "KURSBUCH_HEALTH_PORT": str(port)}
        ann = table.person("ann")
        async with kursbuch(tmp_path, found | more, "--sync") as bot:
            await bot.says("is made")
            await until_health(port, 200)
            assert (await health(port))[1]["backups"] == "ok"
            await ann.slash("lobby", "game new", title="rhl", seats=3)
            await ann.sees("Seats (", "lobby")
            assert await bot.stop() == 0
        # A day later.
        (_, first), *_ = backups_in(tmp_path / "copies")
        yesterday = datetime.now(UTC) - timedelta(hours=25)
        first.rename(first.with_name(f"kursbuch-{yesterday:%Y%m%dT%H%M%SZ}.sqlite3"))
        async with kursbuch(tmp_path, found | more) as bot:
            await bot.says("is made")
            assert await bot.stop() == 0
        _, (_, newest) = backups_in(tmp_path / "copies")
        assert await asyncio.to_thread(main, ["check", "--database", str(newest)]) == 0
        # As docs/hosting.md says: the copy takes the file's place.
        shutil.rmtree(tmp_path / "data")
        (tmp_path / "data").mkdir()
        shutil.copy(newest, tmp_path / "data" / DATABASE)
        async with kursbuch(tmp_path, found) as bot:
            await bot.says("is at 1 servers")
            answer = await ann.slash("lobby", "game list")
            assert answer["failed"] is False
            await ann.sees("18Rhl", "lobby")
            assert await bot.stop() == 0
    capsys.readouterr()


async def test_backups_are_made_when_they_are_due_and_only_so_many_are_kept(tmp_path: Path) -> None:
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    instance = await InstanceLock.take(tmp_path / DATABASE)
    folder = tmp_path / "backups"
    for day in range(5):
        at = now
        upkeep = Upkeep(instance, settings(tmp_path, backups_kept=3), nobody, now=lambda at=at: at)
        await new_game(instance.store)
        await upkeep.start()
        await until_backups(folder, min(day + 1, 3))
        async with asyncio.timeout(PATIENCE):
            while upkeep.backups != "ok":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert backups_in(folder)[-1][0] == now
        await upkeep.close()
        now += timedelta(hours=24)
    assert [at.day for at, _ in backups_in(folder)] == [6, 7, 8], "the newest three"
    (folder / "mine.sqlite3").write_bytes(b"x")
    soon = Upkeep(instance, settings(tmp_path), nobody, now=lambda: now - timedelta(hours=23))
    await soon.start()
    await asyncio.sleep(0.3)
    assert soon.backups == "none yet"
    assert len(backups_in(folder)) == 3, "none is due"
    assert soon._scheduler.get_job("backup") is not None
    await soon.close()
    await instance.close()
    assert (folder / "mine.sqlite3").exists()


async def test_a_backup_that_fails_is_shown_and_tried_again(tmp_path: Path) -> None:
    instance = await InstanceLock.take(tmp_path / DATABASE)
    upkeep = Upkeep(instance, settings(tmp_path), nobody)
    await upkeep.start()
    await until_backups(tmp_path / "backups", 1)
    shutil.rmtree(tmp_path / "backups")
    await upkeep._backup()
    assert upkeep.backups.startswith("failed at ")
    assert upkeep._scheduler.get_job("backup").next_run_time < datetime.now(UTC) + timedelta(minutes=11)
    (tmp_path / "backups").mkdir()
    await upkeep._backup()
    assert upkeep.backups == "ok"
    await upkeep.close()
    await instance.close()


async def test_a_folder_that_can_keep_no_backups_ends_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    async with kursbuch(tmp_path, NOWHERE | {"KURSBUCH_BACKUPS": "file"}) as bot:
        assert await bot.ended() == 1
    assert "backups cannot be kept in file" in sentence(bot)


async def test_a_heartbeat_goes_on_while_the_database_is_in_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from storage import instance_lock

    monkeypatch.setattr(instance_lock, "BEAT_SECONDS", 0.02)
    instance = await InstanceLock.take(tmp_path / DATABASE)
    real, failed = instance.beat, 0

    async def fail() -> None:
        nonlocal failed
        failed += 1
        if failed < 3:
            raise StorageError("the database is locked")
        await real()

    monkeypatch.setattr(instance, "beat", fail)
    since = instance.owner.seen
    upkeep = Upkeep(instance, Settings("t", data=tmp_path), nobody)
    await upkeep.start()
    async with asyncio.timeout(PATIENCE):
        while instance.owner.seen == since:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await upkeep.close()
    await instance.close()


async def test_what_was_written_is_in_the_file_itself_after_the_next_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from storage import instance_lock

    monkeypatch.setattr(instance_lock, "BEAT_SECONDS", 0.05)
    instance = await InstanceLock.take(tmp_path / DATABASE)
    upkeep = Upkeep(instance, Settings("t", data=tmp_path), nobody)
    await upkeep.start()
    await new_game(instance.store)
    alone = tmp_path / "alone.sqlite3"
    found = 0
    async with asyncio.timeout(PATIENCE):
        while not found:
            await asyncio.sleep(0.05)
            shutil.copy(tmp_path / DATABASE, alone)
            # A copy may be made in the middle of a write.
            with closing(sqlite3.connect(alone)) as db, suppress(sqlite3.DatabaseError):
                (found,) = db.execute("SELECT count(*) FROM games").fetchone()
    await upkeep.close()
    await instance.close()


WASTE = """
import collections, gc
from bot.client import _settle

class Circle:
    made = gone = 0
    def __init__(self):
        self.itself = self
        Circle.made += 1
    def __del__(self):
        Circle.gone += 1

_settle()
alive, most = collections.deque(maxlen=70_000), 0
for number in range(800_000):
    alive.append(Circle())
    most = max(most, Circle.made - Circle.gone - len(alive))
print(most)
"""


def test_what_lives_for_a_while_and_then_is_waste_does_not_fill_memory() -> None:
    """A position that was looked at outlives some looks of the collector, and dies in a circle with its offer."""
    done = subprocess.run([sys.executable, "-c", WASTE], capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) < 300_000
