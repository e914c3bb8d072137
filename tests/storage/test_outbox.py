"""Announcements: kept with the move they tell of, in order, until they are made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from storage.records import ENDED, NewNotice
from storage.sqlite import NOTICES_KEPT, SqliteStore
from storage.store import MissingError
from tests.storage.making import ANN, NOON, append, hours, playing


async def test_notices_are_kept_with_the_change_they_tell_of(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("turn", {"to": ANN}), NewNotice("phase")], at=hours(1))
    await store.set_status(game, ENDED, at=hours(2), notices=[NewNotice("ended", {"by": "Änn"})])
    turn, phase, ended = await store.pending(now=hours(2))
    assert (turn.game, turn.kind, turn.seq, turn.data, turn.created) == (game, "turn", 1, {"to": ANN}, hours(1))
    assert (phase.kind, phase.data, ended.data, ended.seq) == ("phase", {}, {"by": "Änn"}, 1)
    assert (turn.attempts, turn.begun, turn.next_try, turn.done) == (0, None, None, None)


async def test_a_notice_that_was_begun_says_so_until_it_is_done(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("turn")])
    notice = (await store.pending(now=NOON))[0].id
    await store.begin_notice(notice, hours(1))
    await store.begin_notice(notice, hours(2))
    (begun,) = await store.pending(now=hours(2))
    assert (begun.begun, begun.attempts) == (hours(1), 2)
    await store.delay_notice(notice, hours(3), unsent=True)
    (again,) = await store.pending(now=hours(3))
    assert (again.begun, again.attempts, again.next_try) == (None, 2, hours(3))
    await store.finish_notice(notice, hours(3))
    await store.finish_notice(notice, hours(4))
    assert await store.pending(now=hours(9)) == []


async def test_a_delayed_notice_holds_back_later_ones_of_its_game_only(store: SqliteStore) -> None:
    game, other = (await playing(store)).id, (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("a"), NewNotice("b")])
    await append(store, other, 0, notices=[NewNotice("c")])
    await append(store, game, 1, notices=[NewNotice("d")])
    kinds = [(notice.id, notice.kind) for notice in await store.pending(now=NOON)]
    assert [kind for _, kind in kinds] == ["a", "b", "c", "d"]
    await store.delay_notice(kinds[1][0], hours(1))
    assert [notice.kind for notice in await store.pending(now=NOON)] == ["a", "c"]
    assert [notice.kind for notice in await store.pending(now=NOON, game=game)] == ["a"]
    assert [notice.kind for notice in await store.pending(now=hours(1))] == ["a", "b", "c", "d"]
    await store.finish_notice(kinds[1][0], hours(1))
    assert [notice.kind for notice in await store.pending(now=NOON)] == ["a", "c", "d"]


async def test_announcements_that_were_made_are_dropped_after_a_while(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, notices=[NewNotice("old"), NewNotice("new")])
    old, new = await store.pending(now=NOON)
    await store.finish_notice(old.id, NOON)
    later = NOON + NOTICES_KEPT + timedelta(seconds=1)
    await store.finish_notice(new.id, later)
    with pytest.raises(MissingError, match=str(old.id)):
        await store.begin_notice(old.id, later)
    await store.begin_notice(new.id, later)
