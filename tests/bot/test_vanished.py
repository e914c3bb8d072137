"""The database vanishes under the running bot: people and operators are told, and nothing that counted is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import health
from bot.client import DATABASE
from bot.settings import readable_by_others
from bot.upkeep import check_backups
from storage import instance_lock, presence
from storage.errors import StorageError
from storage.sqlite import SqliteStore
from table.people import text_of
from tests.bot.test_own_cause import said
from workshop.evening.guests import Evening, NoPictures, done, evening
from workshop.evening.house import eventually
from workshop.evening.positions import Position, put


@pytest.fixture(autouse=True)
def quick_heart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance_lock, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)


async def moved(home: Evening, count: int) -> int:
    for _ in range(count):
        await done(home.person((await home.live()).game.offer().deciders[0].lower()), "lobby", "pass")
    await home.settled()
    return len((await home.live()).game.moves)


@pytest.mark.parametrize(
    ("accident", "told"),
    [
        (lambda path: path.unlink(), presence.REMOVED),
        (lambda path: Path(f"{path}-wal").unlink(), presence.LOG_REMOVED),
    ],
)
async def test_a_vanished_database_is_told_and_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    accident: Callable[[Path], None], told: str,
) -> None:  # fmt: skip
    caplog.set_level(logging.ERROR)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        game = (await put(home, Position(4, ()))).id
        count = await moved(home, 2)
        assert (await health.state(home.bot))["ok"]
        accident(tmp_path / DATABASE)
        # Nobody is told that a move counts which nobody would find again.
        player = home.person((await home.live()).game.offer().deciders[0].lower())
        await said(await player.slash("lobby", "pass"))
        await said(await player.click(player.last("lobby"), "Confirm"))
        await home.table.until(
            lambda: any(told in text_of(each) for each in player.messages("lobby") if each.reader == player.id)
        )
        await eventually(lambda: home.bot.upkeep.rescued is not None)
        found = await health.state(home.bot)
        assert not found["ok"]
        assert told in str(found["database"])
        assert found["rescued"] == str(home.bot.upkeep.rescued)
        rescued = home.bot.upkeep.rescued
        assert rescued is not None
        assert rescued.parent == tmp_path
    assert told in caplog.text
    assert str(rescued) in caplog.text
    async with await SqliteStore.open(rescued, create=False) as store:
        kept = await store.kept(game)
        assert kept is not None
        assert len(kept.moves) == count
        assert await store.check() == []
    if told == presence.REMOVED:
        with pytest.raises(StorageError, match=rescued.name):
            await instance_lock.InstanceLock.take(tmp_path / DATABASE)


async def test_health_reads_the_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A log that cannot be read would refuse every move: health says so without a move."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, Position(4, ()))
        await moved(home, 1)
        assert (await health.state(home.bot))["database"] == "ok"
        await home.bot.store._writer.execute("ALTER TABLE log RENAME TO elsewhere")
        assert "log" in str((await health.state(home.bot))["database"])
        await home.bot.store._writer.execute("ALTER TABLE elsewhere RENAME TO log")
        assert (await health.state(home.bot))["database"] == "ok"


def test_backups_without_their_database_stop_the_start(tmp_path: Path) -> None:
    backups, database = tmp_path / "backups", tmp_path / DATABASE
    check_backups(None, database)
    check_backups(backups, database)
    backups.mkdir()
    (backups / "notes.txt").touch()
    check_backups(backups, database)
    (backups / "kursbuch-20260504T120000Z.sqlite3").touch()
    with pytest.raises(StorageError, match="20260504T120000Z"):
        check_backups(backups, database)
    database.touch()
    check_backups(backups, database)


def test_settings_that_others_can_read_are_named(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    given = {"KURSBUCH_ENV": str(file)}
    assert readable_by_others(given) is None
    file.touch()
    for mode, named in ((0o600, None), (0o400, None), (0o640, file), (0o644, file), (0o604, file)):
        file.chmod(mode)
        assert readable_by_others(given) == named, oct(mode)
