"""Announcements: kept with the move they tell of, in order, until they are made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from storage import rows, schema
from storage.errors import MissingError
from storage.records import ENDED, NewNotice
from storage.sqlite import NOTICES_KEPT, SqliteStore
from workshop.evening.making import ANN, NOON, append, hours, playing, untold


async def test_notices_are_kept_with_the_change_they_tell_of(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("turn", {"to": ANN}), NewNotice("phase")], at=hours(1))
    await store.set_status(game, ENDED, at=hours(2), notices=[NewNotice("ended", {"by": "Änn"})])
    turn, phase, ended = await untold(store)
    assert (turn.game, turn.kind, turn.seq, turn.data, turn.created) == (game, "turn", 1, {"to": ANN}, hours(1))
    assert (phase.kind, phase.data, ended.data, ended.seq) == ("phase", {}, {"by": "Änn"}, 1)
    assert turn.begun is None


async def test_a_notice_that_was_begun_says_so_until_it_is_done(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("turn")])
    notice = (await untold(store))[0].id
    await store.begin_notice(notice, hours(1))
    await store.begin_notice(notice, hours(2))
    (begun,) = await untold(store)
    assert begun.begun == hours(1)
    await store.unsend_notice(notice)
    (again,) = await untold(store)
    assert again.begun is None
    await store.finish_notice(notice, hours(3))
    await store.finish_notice(notice, hours(4))
    assert await untold(store) == []


async def test_each_game_has_its_own_notices_in_their_order(store: SqliteStore) -> None:
    game, other = (await playing(store)).id, (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("a"), NewNotice("b")])
    await append(store, other, 0, notices=[NewNotice("c")])
    await append(store, game, 1, notices=[NewNotice("d")])
    found = await store.to_tell(game)
    assert found is not None
    assert [notice.kind for notice in found.notices] == ["a", "b", "d"]
    await store.finish_notice(found.notices[1].id, hours(1))
    assert [notice.kind for notice in await untold(store)] == ["a", "c", "d"]
    assert await store.games_to_tell() == [game, other]


async def test_announcements_that_were_made_are_dropped_after_a_while(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("old"), NewNotice("new")])
    old, new = await untold(store)
    await store.finish_notice(old.id, NOON)
    later = NOON + NOTICES_KEPT + timedelta(seconds=1)
    await store.finish_notice(new.id, later)
    with pytest.raises(MissingError, match=str(old.id)):
        await store.begin_notice(old.id, later)
    await store.begin_notice(new.id, later)


async def test_announcements_outlive_the_loss_of_columns_that_nobody_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = schema.migrations()
    with monkeypatch.context() as older:
        older.setattr(schema, "migrations", lambda: known[:5])
        await (await SqliteStore.open(path)).close()
    noon = rows.ticks(NOON)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        # As the program wrote it then.
        db.execute(
            "INSERT INTO games (guild, channel, title, title_version, options, seed, host, seats_wanted, status,"
            " created, reminder_hours) VALUES (7, 70, 'rhl', 1, '{}', 18, 1, 3, 'playing', ?, '[]')",
            (noon,),
        )
        insert = "INSERT INTO notices (game, kind, seq, data, created, begun) VALUES (1, ?, 0, ?, ?, ?)"
        db.execute(insert, ("moved", '{"events":[]}', noon, noon))
        db.execute(insert, ("paused", "{}", noon, None))
    async with await SqliteStore.open(path) as store:
        found = await untold(store)
        assert [(notice.kind, notice.data, notice.begun) for notice in found] == [
            ("moved", {"events": []}, NOON),
            ("paused", {}, None),
        ]
        game = await store.game(1)
        assert game is not None
        assert (game.opener, game.seed_typed) == (1, False)
        assert len(game.salt) == 32
        assert await store.check() == []
    with closing(sqlite3.connect(path)) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(notices)")]
    assert columns == ["id", "game", "kind", "seq", "data", "created", "begun", "done"]
