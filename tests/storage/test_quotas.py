"""Lobbies and games within quotas, and games that are held: what is checked and what is written are one transaction."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from storage.errors import QuotaError, TakenError
from storage.records import ENDED, LOBBY, PAUSED, PLAYING, NewGame, Quotas
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, NOON, hours

LOBBY_OF_ANN = NewGame(7, 70, "rhl", {}, 18, ANN, 3)


async def test_of_many_who_open_a_lobby_in_a_channel_at_once_one_does(path: Path) -> None:
    stores = [await SqliteStore.open(path) for _ in range(4)]
    try:
        hosts = (replace(LOBBY_OF_ANN, host=number) for number in range(4))
        results = await asyncio.gather(
            *(store.open_lobby(game, NOON) for store, game in zip(stores, hosts, strict=True)), return_exceptions=True
        )
        assert sorted(isinstance(result, TakenError) for result in results) == [False, True, True, True]
        assert len(await stores[0].games()) == 1
    finally:
        for store in stores:
            await store.close()


async def test_lobbies_are_counted_for_their_host_and_for_the_server(store: SqliteStore) -> None:
    await store.set_quotas(Quotas(7, lobbies_of_person=2, lobbies_of_server=3))
    first = await store.open_lobby(LOBBY_OF_ANN, NOON)
    await store.open_lobby(replace(LOBBY_OF_ANN, channel=71), NOON)
    with pytest.raises(QuotaError) as refused:
        await store.open_lobby(replace(LOBBY_OF_ANN, channel=72), NOON)
    assert (refused.value.what, refused.value.most) == ("lobbies_of_person", 2)
    await store.open_lobby(replace(LOBBY_OF_ANN, channel=72, host=BO), NOON)
    with pytest.raises(QuotaError, match="lobbies of server"):
        await store.open_lobby(replace(LOBBY_OF_ANN, channel=73, host=BO), NOON)
    # Other servers have their own, and what is over does not count.
    await store.open_lobby(replace(LOBBY_OF_ANN, channel=74, guild=8), NOON)
    await store.set_status(first.id, ENDED, at=NOON)
    await store.open_lobby(LOBBY_OF_ANN, NOON)


async def test_lobbies_that_were_closed_count_for_a_day(store: SqliteStore) -> None:
    await store.set_quotas(Quotas(7, lobbies_a_day=2))
    for _ in range(2):
        game = await store.open_lobby(LOBBY_OF_ANN, NOON)
        await store.set_status(game.id, ENDED, at=NOON)
    with pytest.raises(QuotaError, match="lobbies a day"):
        await store.open_lobby(LOBBY_OF_ANN, hours(23))
    await store.open_lobby(replace(LOBBY_OF_ANN, channel=71, host=BO), hours(23))
    await store.open_lobby(LOBBY_OF_ANN, hours(24))


@pytest.mark.parametrize("what", ["games_of_person", "games_of_server"])
async def test_a_game_beyond_the_quota_does_not_start(store: SqliteStore, what: str) -> None:
    quotas: Any = {what: 1}
    await store.set_quotas(Quotas(7, **quotas))
    games = [await store.open_lobby(replace(LOBBY_OF_ANN, channel=70 + number), NOON) for number in range(2)]
    begun = await store.start_game(games[0].id, seed=18, at=NOON, notices=[], waiting={ANN: "ann"})
    assert begun.status == PLAYING
    with pytest.raises(QuotaError):
        await store.start_game(games[1].id, seed=18, at=NOON, notices=[], waiting={ANN: "ann"})
    kept = await store.game(games[1].id)
    assert kept is not None
    assert kept.status == LOBBY
    assert [row.game for row in await store.waiting()] == [games[0].id]
    # A game that rests is not over.
    await store.set_status(games[0].id, PAUSED, at=NOON)
    with pytest.raises(QuotaError):
        await store.start_game(games[1].id, seed=18, at=NOON, notices=[], waiting={ANN: "ann"})


async def test_quotas_are_kept_and_have_defaults(store: SqliteStore) -> None:
    assert await store.quotas(7) == Quotas(7)
    wanted = Quotas(7, 1, 2, 3, 4, 0)
    await store.set_quotas(wanted)
    assert await store.quotas(7) == wanted
    assert await store.quotas(8) == Quotas(8)


async def test_only_lobbies_without_a_card_are_closed(store: SqliteStore) -> None:
    seen, unseen, begun = [
        await store.open_lobby(replace(LOBBY_OF_ANN, channel=70 + number), NOON) for number in range(3)
    ]
    await store.set_card(seen.id, 1, None, NOON)
    await store.start_game(begun.id, seed=18, at=NOON, notices=[], waiting={})
    assert await store.end_unseen_lobbies(hours(1)) == 1
    assert {game.id: game.status for game in await store.games()} == {
        seen.id: LOBBY, unseen.id: ENDED, begun.id: PLAYING,
    }  # fmt: skip


async def test_a_held_game_keeps_its_first_moment_and_its_last_reason(store: SqliteStore) -> None:
    game = await store.open_lobby(LOBBY_OF_ANN, NOON)
    await store.hold(game.id, "Missing Access", NOON)
    await store.host_was_told(game.id, hours(1))
    held = await store.hold(game.id, "Missing Permissions", hours(2))
    assert (held.guild, held.since, held.why, held.host_told) == (7, NOON, "Missing Permissions", hours(1))
    assert await store.held() == [held]
    await store.release(game.id)
    assert await store.held() == []
