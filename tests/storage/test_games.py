"""Games from lobby to end, and people's and servers' settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from storage.errors import MissingError, StorageError
from storage.records import ENDED, FINISHED, LOBBY, PAUSED, PLAYING, Person, Seat, Server
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, CY, NOON, append, hours, new_game, playing, standing_moves


async def test_a_new_lobby_is_kept_with_all_it_was_made_with(store: SqliteStore) -> None:
    made = await new_game(store, reminder_hours=(6, 12), options={"länge": "kurz", "n": [1, 2]})
    assert made == await store.game(made.id)
    assert (made.status, made.created, made.reminder_hours, made.started) == (LOBBY, NOON, (6, 12), None)
    assert made.options == {"länge": "kurz", "n": [1, 2]}
    assert (made.host, made.seed, made.seats, made.extension_hours) == (ANN, 18, (), 0)


async def test_everything_is_there_after_closing_and_opening_again(store: SqliteStore) -> None:
    made = await playing(store, waiting={ANN: "ann"})
    await append(store, made.id, 0, interaction=5)
    await store.set_person(Person(ANN, "de", "Europe/Berlin", 22, 7, "direct", hours(40), (3, 9)))
    await store.close()
    again = await SqliteStore.open(store.path)
    try:
        assert await again.game(made.id) == made
        assert [move.interaction for move in await standing_moves(again, made.id)] == [5]
        assert await again.person(ANN) == Person(ANN, "de", "Europe/Berlin", 22, 7, "direct", hours(40), (3, 9))
        assert [row.user for row in await again.waiting()] == [ANN]
    finally:
        await again.close()


async def test_seats_keep_their_order_and_the_house_may_sit_in_two(store: SqliteStore) -> None:
    game = await new_game(store)
    seats = (Seat("cy", CY), Seat("Haus 1", 0, "greedy"), Seat("ann", ANN), Seat("Haus 2", 0, "greedy"))
    await store.set_seats(game.id, seats)
    assert (await store.game(game.id) or game).seats == seats
    await store.set_seats(game.id, seats[:1])
    assert (await store.game(game.id) or game).seats == seats[:1]


async def test_two_seats_of_one_name_are_refused_and_the_old_ones_stay(store: SqliteStore) -> None:
    game = await playing(store)
    with pytest.raises(StorageError):
        await store.set_seats(game.id, [Seat("ann", ANN), Seat("ann", BO)])
    assert (await store.game(game.id) or game).seats == game.seats


async def test_the_channel_shows_the_newest_running_game_else_the_newest(store: SqliteStore) -> None:
    assert await store.game_in(70) is None
    first, second, third = [await new_game(store) for _ in range(3)]
    await new_game(store, channel=71)
    assert await store.game_in(70) == third
    third = await store.set_status(third.id, ENDED, at=hours(1))
    assert await store.game_in(70) == second
    for game in (first, second):
        await store.set_status(game.id, FINISHED, at=hours(2))
    assert await store.game_in(70) == third


async def test_games_are_found_by_server_person_and_status(store: SqliteStore) -> None:
    lobby, running, other = await new_game(store), await playing(store), await new_game(store, guild=8, host=BO)
    await store.set_seats(other.id, [Seat("bo", BO)])

    async def ids(**wanted: object) -> list[int]:
        return [game.id for game in await store.games(**wanted)]  # type: ignore[arg-type]

    assert await ids() == [lobby.id, running.id, other.id]
    assert await ids(guild=7) == [lobby.id, running.id]
    assert await ids(user=BO) == [running.id, other.id]
    assert await ids(statuses=[LOBBY]) == [lobby.id, other.id]
    assert await ids(guild=8, user=BO, statuses=[LOBBY, PAUSED]) == [other.id]


async def test_start_and_end_are_dated_and_an_undone_end_is_open_again(store: SqliteStore) -> None:
    game = await playing(store, at=hours(1))
    assert (game.started, game.ended) == (hours(1), None)
    await append(store, game.id, 0, at=hours(3), status=FINISHED)
    game = await store.game(game.id) or game
    assert (game.status, game.started, game.ended) == (FINISHED, hours(1), hours(3))
    await store.undo(game.id, 1, [1], user=ANN, interaction=None, at=hours(4), status=PLAYING)
    game = await store.game(game.id) or game
    assert (game.status, game.started, game.ended) == (PLAYING, hours(1), None)


async def test_only_what_is_named_of_a_game_changes(store: SqliteStore) -> None:
    game = await playing(store)
    changed = await store.set_game(game.id, extension_hours=24, host=BO)
    assert changed == replace(game, extension_hours=24, host=BO)
    changed = await store.set_game(game.id, reminder_hours=(1, 2), channel=99)
    assert changed == replace(game, extension_hours=24, host=BO, reminder_hours=(1, 2), channel=99)
    await store.set_card(game.id, 555, 12, hours(1))
    assert await store.game(game.id) == replace(changed, card_message=555, card_seq=12, card_posted=hours(1))
    await store.set_card(game.id, None, None, None)
    assert await store.game(game.id) == changed


async def test_a_game_that_is_not_there_is_named(store: SqliteStore) -> None:
    assert await store.game(404) is None
    with pytest.raises(MissingError, match="404"):
        await store.set_status(404, PLAYING, at=NOON)
    with pytest.raises(MissingError, match="404"):
        await store.set_game(404, host=1)
    with pytest.raises(MissingError, match="404"):
        await store.set_card(404, 1, 1, NOON)
    with pytest.raises(MissingError, match="404"):
        await store.set_seats(404, [])
    with pytest.raises(MissingError, match="404"):
        await append(store, 404, 0)


async def test_a_status_or_a_time_that_makes_no_sense_changes_nothing(store: SqliteStore) -> None:
    game = await playing(store)
    with pytest.raises(ValueError, match="asleep"):
        await store.set_status(game.id, "asleep", at=hours(1))
    with pytest.raises(ValueError, match="zone"):
        await store.set_status(game.id, PAUSED, at=datetime(2026, 5, 4))  # noqa: DTZ001
    assert await store.game(game.id) == game


async def test_people_and_servers_have_settings_before_they_set_any(store: SqliteStore) -> None:
    assert await store.person(ANN) == Person(ANN)
    assert await store.server(7) == Server(7)
    ann = Person(ANN, locale="de", zone="Europe/Berlin", quiet_from=23, quiet_to=8, ping="off")
    await store.set_person(ann)
    await store.set_person(replace(ann, locale="en-GB"))
    await store.set_server(Server(7, (1, ANN), "de"))
    assert await store.people([BO, ANN]) == {BO: Person(BO), ANN: replace(ann, locale="en-GB")}
    assert await store.server(7) == Server(7, (1, ANN), "de")


async def test_settings_out_of_range_are_refused_in_a_sentence(store: SqliteStore) -> None:
    with pytest.raises(StorageError, match="quiet_from"):
        await store.set_person(Person(ANN, quiet_from=25, quiet_to=3))
    with pytest.raises(StorageError, match="too large"):
        await store.set_person(Person(2**64))
    assert await store.person(ANN) == Person(ANN)
