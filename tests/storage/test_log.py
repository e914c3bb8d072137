"""The log: append, undo, who acted for whom, and that only one of two gets an entry."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from storage.errors import RepeatedError, StaleError, StorageError
from storage.records import FINISHED, PAUSED, PLAYING, NewNotice
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, CY, NOON, append, hours, log_length, playing, standing_moves, untold

LAY = {"type": "lay_tile", "player": "ann", "company": "RhE", "hex": "K6", "tile": "57", "rotation": 0}
PASS = {"type": "pass", "player": "bo"}


async def test_moves_come_back_in_order_with_who_acted_for_whom_and_when(store: SqliteStore) -> None:
    game = (await playing(store)).id
    length = await store.append(
        game, 0, [LAY, PASS], user=CY, players=["ann", "bo"], interaction=900, at=hours(1), notices=()
    )
    assert length == 2 == await log_length(store, game)
    first, second = await standing_moves(store, game)
    assert (first.seq, first.move, first.user, first.player, first.at) == (1, LAY, CY, "ann", hours(1))
    assert (second.seq, second.move, second.player, second.interaction) == (2, PASS, "bo", 900)
    assert first.undone_at is None


async def test_an_older_position_is_refused_and_nothing_of_it_is_kept(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann"})).id
    await append(store, game, 0, interaction=1)
    before = [await store.log(game), await store.waiting(), await store.game(game)]
    for expected in (0, 2):
        with pytest.raises(StaleError):
            await append(
                store, game, expected, interaction=2, notices=[NewNotice("turn")], waiting={BO: "bo"}, status=FINISHED
            )
    assert [await store.log(game), await store.waiting(), await store.game(game)] == before
    assert await untold(store) == []


async def test_a_repeated_interaction_is_told_where_it_was_carried_out(store: SqliteStore) -> None:
    game, other = (await playing(store)).id, (await playing(store)).id
    await append(store, game, 0)
    await append(store, game, 1, [LAY, PASS], interaction=77)
    for where, expected in ((game, 1), (game, 3), (other, 0)):
        with pytest.raises(RepeatedError) as caught:
            await append(store, where, expected, interaction=77)
        assert caught.value.seq == 2
    with pytest.raises(RepeatedError):
        await store.undo(game, 3, [3], user=ANN, interaction=77, at=NOON)
    assert await log_length(store, game) == 3
    assert await log_length(store, other) == 0


async def test_undone_moves_stay_in_the_log_marked_and_the_undo_is_an_entry(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, [LAY, PASS, LAY], at=hours(1))
    assert await store.undo(game, 3, [2, 3], user=BO, interaction=78, at=hours(2)) == 4
    assert await log_length(store, game) == 4
    assert [move.seq for move in await standing_moves(store, game)] == [1]
    assert [(m.seq, m.undone_at, m.undone_by) for m in await store.log(game)] == [
        (1, None, None),
        (2, hours(2), BO),
        (3, hours(2), BO),
    ]
    assert await append(store, game, 4, [PASS]) == 5
    assert [move.seq for move in await standing_moves(store, game)] == [1, 5]
    entries = await store.entries(game)
    assert [(entry.seq, bool(entry.move), entry.undoes) for entry in entries] == [
        (1, True, ()),
        (2, True, ()),
        (3, True, ()),
        (4, False, (2, 3)),
        (5, True, ()),
    ]
    assert (entries[3].user, entries[3].interaction, entries[3].at) == (BO, 78, hours(2))


async def test_only_moves_that_stand_can_be_undone(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, [LAY, PASS])
    await store.undo(game, 2, [2], user=ANN, interaction=None, at=NOON)
    for seqs in ([2], [3], [1, 9]):
        with pytest.raises(StorageError, match="no move that stands"):
            await store.undo(game, 3, seqs, user=ANN, interaction=None, at=NOON)
    with pytest.raises(StaleError):
        await store.undo(game, 2, [1], user=ANN, interaction=None, at=NOON)
    for seqs in ([], [1, 1]):
        with pytest.raises(ValueError, match="no moves to undo"):
            await store.undo(game, 3, seqs, user=ANN, interaction=None, at=NOON)
    assert [move.seq for move in await standing_moves(store, game)] == [1]
    assert await log_length(store, game) == 3


async def test_what_the_caller_got_wrong_is_refused_before_the_database_is_asked(store: SqliteStore) -> None:
    game = (await playing(store)).id
    with pytest.raises(ValueError, match="players"):
        await store.append(game, 0, [LAY, PASS], user=ANN, players=["ann"], interaction=None, at=NOON)
    with pytest.raises(ValueError, match="interaction"):
        await store.append(game, 0, [], user=ANN, players=[], interaction=5, at=NOON)
    with pytest.raises(TypeError):
        await append(store, game, 0, [{"type": object()}])
    with pytest.raises(ValueError):
        await append(store, game, 0, [{"price": float("nan")}])
    assert await log_length(store, game) == 0
    assert await append(store, game, 0) == 1


async def test_the_log_cannot_be_changed_or_cut_even_by_hand(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0, [LAY, PASS])
    await store.undo(game, 2, [2], user=ANN, interaction=None, at=NOON)
    await store.close()
    with closing(sqlite3.connect(store.path)) as connection:
        for statement in ("UPDATE log SET body = '{}'", "DELETE FROM log", "DELETE FROM undone"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


async def test_a_game_that_is_not_begun_has_an_empty_log(store: SqliteStore) -> None:
    assert await log_length(store, 404) == 0
    assert await standing_moves(store, 404) == await store.log(404) == await store.entries(404) == []


async def test_two_stores_on_one_file_never_both_append_the_same_entry(store: SqliteStore) -> None:
    game = (await playing(store)).id
    other = await SqliteStore.open(store.path)
    try:
        for seq in range(20):
            results = await asyncio.gather(
                append(store, game, seq, interaction=2 * seq),
                append(other, game, seq, interaction=2 * seq + 1),
                return_exceptions=True,
            )
            assert sorted(type(result).__name__ for result in results) == ["StaleError", "int"]
        repeated = await asyncio.gather(
            append(store, game, 20, interaction=99), append(other, game, 20, interaction=99), return_exceptions=True
        )
        assert sorted(type(result).__name__ for result in repeated) == ["RepeatedError", "int"]
    finally:
        await other.close()
    assert [move.seq for move in await standing_moves(store, game)] == list(range(1, 22))


async def test_a_caller_who_is_cancelled_leaves_the_move_whole_or_not_there(store: SqliteStore) -> None:
    game = (await playing(store)).id
    for _ in range(30):
        length = await log_length(store, game)
        task = asyncio.create_task(append(store, game, length, [LAY, PASS], notices=[NewNotice("turn")]))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        # Queued behind the cancelled one in the same thread: what comes is decided by now.
        await store.set_card(game, 1, 1, NOON)
        assert await log_length(store, game) in (length, length + 2)
    assert len(await untold(store)) * 2 == await log_length(store, game)


async def test_many_games_written_at_once_keep_their_own_order(store: SqliteStore) -> None:
    games = [(await playing(store)).id for _ in range(8)]

    async def play(game: int) -> None:
        for seq in range(15):
            await append(store, game, seq, [{"type": "pass", "player": "ann", "n": seq}], interaction=game * 1000 + seq)

    await asyncio.gather(*map(play, games))
    for game in games:
        assert [move.move["n"] for move in await standing_moves(store, game)] == list(range(15))


async def test_a_paused_or_resumed_game_keeps_its_log(store: SqliteStore) -> None:
    game = (await playing(store)).id
    await append(store, game, 0)
    for status in (PAUSED, PLAYING):
        await store.set_status(game, status, at=hours(1))
    assert await append(store, game, 1) == 2
