"""Who is waited for, and what was sent to remind them."""

from __future__ import annotations

from datetime import datetime, timedelta

from storage.records import ENDED, FINISHED, PAUSED, PLAYING, ReminderPart, Waiting
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, CY, NOON, append, hours, playing


async def row(store: SqliteStore, game: int, user: int) -> Waiting:
    (found,) = await store.waiting(game=game, user=user)
    return found


async def remind(store: SqliteStore, game: int, user: int, steps: int, at: datetime) -> None:
    """Somebody has had so many reminders."""
    parts = await store.begin_reminder([ReminderPart(game, user, NOON, steps, host=False, begun=None)], at)
    assert len(parts) == 1
    await store.finish_reminder(parts, at=at, channel=70, message=71)


async def test_the_next_turn_replaces_who_is_waited_for_and_keeps_those_who_stay(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann", BO: "bo"})).id
    await remind(store, game, BO, 1, hours(12))
    bo = await row(store, game, BO)
    assert bo == Waiting(game, BO, "bo", NOON, 1, hours(12), 70, 71)
    await append(store, game, 0, user=ANN, waiting={BO: "bo", CY: "cy"}, at=hours(13))
    assert await store.waiting() == [bo, Waiting(game, CY, "cy", hours(13))]
    await append(store, game, 1, user=CY, at=hours(14))
    assert len(await store.waiting()) == 2, "a move that does not say who is waited for changes nothing"
    await append(store, game, 2, user=CY, waiting={}, at=hours(15))
    assert await store.waiting() == []


async def test_whoever_moves_in_the_middle_of_a_turn_is_reminded_anew(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann", BO: "bo"})).id
    for user in (ANN, BO):
        await remind(store, game, user, 2, hours(24))
    await append(store, game, 0, user=ANN, waiting={ANN: "ann", BO: "bo"}, at=hours(25))
    ann, bo = await row(store, game, ANN), await row(store, game, BO)
    assert (ann.since, ann.acted, ann.steps_sent, ann.last_sent) == (NOON, hours(25), 0, hours(24))
    assert (bo.since, bo.acted, bo.steps_sent) == (NOON, None, 2)


async def test_only_games_that_are_being_played_wait(store: SqliteStore) -> None:
    games = [(await playing(store, waiting={ANN: "ann"})).id for _ in range(4)]
    for game, status in zip(games, (PAUSED, FINISHED, ENDED), strict=False):
        await store.set_status(game, status, at=hours(1))
    assert [waiting.game for waiting in await store.waiting()] == games[3:]
    assert await store.waiting(user=BO) == []


async def test_the_time_of_a_pause_does_not_count(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann", BO: "bo"})).id
    await append(store, game, 0, user=ANN, waiting={ANN: "ann", BO: "bo"}, at=hours(2))
    await store.set_status(game, PAUSED, at=hours(10))
    await store.set_status(game, PAUSED, at=hours(20), waiting={ANN: "ann", BO: "bo", CY: "cy"})
    assert (await store.set_status(game, PAUSED, at=hours(25))).paused == hours(10)
    assert (await store.set_status(game, PLAYING, at=hours(110))).paused is None
    ann = await row(store, game, ANN)
    assert (ann.since, ann.acted) == (hours(100), hours(102))
    assert (await row(store, game, BO)).since == hours(100)
    assert (await row(store, game, CY)).since == hours(110)


async def test_an_extension_ends_with_the_turn_it_was_granted_for(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann", BO: "bo"})).id
    await store.set_game(game, extension_hours=24)
    await append(store, game, 0, waiting={BO: "bo", CY: "cy"})
    record = await store.game(game)
    assert record is not None
    assert record.extension_hours == 24
    await append(store, game, 1, user=BO, waiting={ANN: "ann"})
    record = await store.game(game)
    assert record is not None
    assert record.extension_hours == 0


async def test_a_reminder_is_marked_before_and_recorded_after_it_is_sent(store: SqliteStore) -> None:
    game = (await playing(store, waiting={ANN: "ann"})).id
    part = ReminderPart(game, ANN, NOON, 1)
    (begun,) = await store.begin_reminder([part], hours(12))
    assert begun.begun == hours(12)
    assert (await row(store, game, ANN)).begun == hours(12)
    assert await store.begin_reminder([part], hours(12)) == [], "somebody else who read the same row does not begin it"
    assert await store.begin_reminder([begun], hours(13)) == [begun], "after a crash the first mark stays"
    await store.finish_reminder([begun], at=hours(13), channel=70, message=71)
    assert await row(store, game, ANN) == Waiting(game, ANN, "ann", NOON, 1, hours(13), 70, 71)
    assert await store.begin_reminder([part], hours(14)) == [], "it has been sent"


async def test_a_reminder_of_a_turn_that_has_passed_on_falls_away(store: SqliteStore) -> None:
    game, paused = [(await playing(store, waiting={ANN: "ann"})).id for _ in range(2)]
    parts = [ReminderPart(game, ANN, NOON, 1), ReminderPart(paused, ANN, NOON, 1)]
    await store.set_status(paused, PAUSED, at=hours(1))
    begun = await store.begin_reminder(parts, hours(12))
    assert [part.game for part in begun] == [game]
    await append(store, game, 0, waiting={BO: "bo"}, at=hours(13))
    await append(store, game, 1, user=BO, waiting={ANN: "ann"}, at=hours(14))
    await store.finish_reminder(begun, at=hours(14), channel=70, message=71)
    assert await row(store, game, ANN) == Waiting(game, ANN, "ann", hours(14))


async def test_telling_the_host_is_recorded_apart(store: SqliteStore) -> None:
    game = (await playing(store, waiting={BO: "bo"})).id
    part = ReminderPart(game, BO, NOON, 3, host=True)
    begun = await store.begin_reminder([part], hours(48))
    assert (await row(store, game, BO)).host_begun == hours(48)
    await store.finish_reminder(begun, at=hours(48) + timedelta(seconds=1), channel=None, message=None)
    bo = await row(store, game, BO)
    assert (bo.host_told, bo.host_begun, bo.steps_sent) == (hours(48) + timedelta(seconds=1), None, 0)
    assert await store.begin_reminder([part], hours(49)) == []
