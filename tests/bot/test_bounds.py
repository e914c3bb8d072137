"""Numbers that people type are bounded, and what is wrong with one game stops no other."""

from __future__ import annotations

import asyncio
import logging
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import health
from bot.games.service import GameService
from bot.reminders.plan import plan
from engine.house.players import Greedy
from storage.errors import StorageError
from storage.records import PLAYING, GameRecord, Person, Seat, Waiting
from table.people import Outcome, text_of
from workshop.evening.guests import NoPictures, evening
from workshop.evening.making import untold
from workshop.evening.positions import Position, put

START = Position(4, ())
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
LONG = "9" * 6000


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


def game(number: int, **more: Any) -> GameRecord:
    values: dict[str, Any] = {
        "id": number, "guild": 7, "channel": number, "title": "rhl", "options": {}, "seed": 1,
        "host": 5, "seats_wanted": 3, "status": PLAYING, "seats": (), "created": NOON,
    }  # fmt: skip
    return GameRecord(**(values | more))


@pytest.mark.parametrize("wrong", [{"reminder_hours": (99_999_999,)}, {"extension_hours": 10**9}])
def test_one_game_with_absurd_hours_keeps_nobody_elses_reminders_back(wrong: dict[str, Any]) -> None:
    games = {1: game(1, **wrong), 2: game(2)}
    rows = [Waiting(1, 11, "ann", NOON), Waiting(2, 12, "bo", NOON)]
    found = plan(rows, games, {}, NOON + timedelta(hours=13))
    assert [reminder.person.user for reminder in found.due] == [12]
    assert list(found.faults) == [1]


@pytest.mark.parametrize(
    ("row", "person"),
    [
        ({"last_sent": datetime.max.replace(tzinfo=UTC)}, {}),
        ({"since": datetime.max.replace(tzinfo=UTC) - timedelta(hours=50)}, {"zone": "Pacific/Auckland"}),
        ({}, {"vacation_until": datetime.max.replace(tzinfo=UTC)}),
        ({}, {"reminder_hours": ("soon",)}),
    ],
    ids=["sent", "since", "vacation", "hours"],
)
def test_a_row_at_the_end_of_all_calendars_keeps_nobody_elses_reminders_back(
    row: dict[str, Any], person: dict[str, Any]
) -> None:
    games = {number: game(number) for number in (1, 2, 3)}
    people = {11: Person(11, **({"quiet_from": 20, "quiet_to": 22} | person))}
    rows = [
        Waiting(1, 11, "ann", **({"since": NOON} | row)),
        Waiting(2, 12, "bo", NOON),
        *([Waiting(3, 11, "ann", NOON)] if row else []),
    ]
    found = plan(rows, games, people, NOON + timedelta(hours=13))
    assert list(found.faults) == [1]
    assert [reminder.person.user for reminder in found.due] == ([11, 12] if row else [12])


#: A year that no calendar has, and lists that are none.
SENSELESS = {
    "person": "INSERT INTO people VALUES (%(user)d, 'de', 'UTC', NULL, NULL, 'off', 9e18, '[]')",
    "their hours": "INSERT INTO people VALUES (%(user)d, 'de', 'UTC', NULL, NULL, 'off', NULL, '7')",
    "server": "INSERT INTO servers (guild, channels, locale) VALUES (%(guild)d, '7', 'de')",
    "held": "INSERT INTO held (game, since, why) VALUES (%(game)d, 9e18, 'x')",
    "notice": "INSERT INTO notices (game, kind, seq, data, created) VALUES (%(game)d, 'moved', 0, '{}', 9e18)",
    "waiting": "UPDATE waiting SET last_sent = 9e18 WHERE game = %(game)d",
}


@pytest.mark.parametrize("what", SENSELESS)
async def test_a_row_that_makes_no_sense_stops_neither_the_start_nor_anybody_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        bad = await put(home, START)
        other = await put(home, START, "other", ("bo", "cy", "ann"))
        store = home.bot.store
        user = int(home.person(START.game().offer().deciders[0].lower()).id)
        change = SENSELESS[what] % {"user": user, "guild": bad.guild, "game": bad.id}
        await home.bot.announcer.idle()
        await store._write(lambda db: db.execute(change).close())
        await store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            waited = next(iter(await anew.bot.store.waiting(game=other.id)))
            reminded = next(name for name in ("ann", "bo", "cy") if int(anew.person(name).id) == waited.user)
            await anew.person(reminded).sees("waiting for you", "other")
            problems: Any = (await health.state(anew.bot))["troubles"]
            whose = {"person": ("person", user), "their hours": ("person", user), "server": ("server", bad.guild)}
            of, number = whose.get(what, ("game", bad.id))
            # What is told of the game itself is told, and somebody can move in it.
            decider = START.game().offer().deciders[0]
            live = await anew.bot.service.live(bad.id)
            seat = live.seat(decider)
            move = Greedy().choose(live.game.copy(), decider, random.Random(1))
            await anew.bot.service.play(bad.id, seat.user, move, interaction=None)
            await anew.bot.announcer.idle()
            assert [each for each in await untold(anew.bot.store) if each.game == bad.id] == []
            # Who is waited for now is another; a server is asked for only when something is told there.
            problems += (await health.state(anew.bot))["troubles"]  # type: ignore[operator]
            assert {(each.get(of), each["what"]) for each in problems} == {(number, "database")}
            assert f"{of} {number} is left out" in caplog.text


async def test_absurd_hours_in_the_database_are_told_by_health_and_the_others_are_reminded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bad = await put(home, START)
        other = await put(home, START, "other", ("cy", "bo", "ann"))
        store = home.bot.store
        await store.set_game(bad.id, reminder_hours=[99_999_999])
        await store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        with caplog.at_level(logging.ERROR):
            await home.bot.clock.tick()
        told = [text_of(each) for each in home.person("ann").messages("other")]
        assert any("is waiting for you; you were asked" in text for text in told)
        problems: Any = (await health.state(home.bot))["troubles"]
        assert [(each["game"], each["what"]) for each in problems] == [(bad.id, "reminders")]
        assert f"game {bad.id} is left out of reminders" in caplog.text
        assert "Nobody is reminded" in await said(await home.person("bo").slash("lobby", "game info"))
        await store.set_game(bad.id, reminder_hours=[12])
        await home.bot.clock.tick()
        assert (await health.state(home.bot))["troubles"] == []
        assert other.id != bad.id


async def test_a_game_that_cannot_be_read_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        bad = await put(home, START)
        await put(home, START, "other", ("cy", "bo", "ann"))
        store = home.bot.store
        # A year that no calendar has.
        await store._write(lambda db: db.execute("UPDATE games SET created = 9e18 WHERE id = ?", (bad.id,)).close())
        await store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            ann = anew.person("ann")
            await ann.sees("is waiting for you", "other")
            assert "18Rhl" in await said(await ann.slash("other", "game list"))
            problems: Any = (await health.state(anew.bot))["troubles"]
            assert [(each["game"], each["what"]) for each in problems] == [(bad.id, "database")]
            assert f"game {bad.id} is left out" in caplog.text


@pytest.mark.parametrize("hours", ["99999999", LONG, "0", "-5", "12 many", "721", "1 2 3 4 5 6 7"])
async def test_reminders_that_nobody_can_mean_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hours: str
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        told = await said(await ann.slash("lobby", "game new", title="rhl", where="here", reminders=hours))
        assert "Reminders are hours from 1 to 720" in told
        assert await home.bot.store.games() == []


async def test_a_turn_is_made_longer_within_bounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann = home.person("ann")
        for _ in range(3):
            assert "hours in all" in await said(await ann.slash("lobby", "host extend", hours=720))
        told = await said(await ann.slash("lobby", "host extend", hours=1))
        assert "by 2160 hours in all" in told
        assert (await home.record()).extension_hours == 2160


async def test_numbers_of_six_thousand_digits_are_no_numbers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = home.person(START.game().offer().deciders[0].lower())
        lots = await person.autocomplete("lobby", "bid", "lot", lot="")
        lot = next(each["value"] for each in lots if "from" in each["name"])
        for command, given in (
            ("bid", {"lot": lot, "price": LONG}),
            ("move", {"move": "bid", "first": lot, "second": LONG}),
        ):
            told = await said(await person.slash("lobby", command, **given))
            assert "is not possible now" in told, told
        assert "Quiet hours look like" in await said(await person.slash("lobby", "me", quiet=f"{LONG[:5000]}-7"))
        suggested = await person.autocomplete("lobby", "bid", "price", lot=lot, price=LONG)
        assert suggested == []
        assert await home.bot.store.log(record.id) == []
        assert "unexpected" not in caplog.text
        assert "no suggestions" not in caplog.text


async def test_a_title_that_this_bot_does_not_know_spoils_no_list_and_no_reminder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        strange = await put(home, START)
        await put(home, START, "other")
        await home.bot.store._write(
            lambda db: db.execute("UPDATE games SET title = 'lost' WHERE id = ?", (strange.id,)).close()
        )
        listed = await said(await home.person("ann").slash("lobby", "game list"))
        assert "**lost**" in listed
        assert "18Rhl" in listed
        await home.bot.store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        await home.bot.clock.tick()
        rows = await home.bot.store.waiting()
        assert [row.steps_sent for row in rows] == [1, 1]


async def test_a_house_that_cannot_move_in_one_game_moves_in_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        records = [await put(home, START), await put(home, START, "other")]
        name = START.game().offer().deciders[0]
        store = home.bot.store
        for record in records:
            seats = [Seat(s.name, 0, "greedy") if s.name == name else s for s in (await _record(home, record)).seats]
            await store.set_seats(record.id, seats)
            home.bot.service.forget(record.id)
        await store._write(
            lambda db: db.execute("UPDATE games SET title = '1830' WHERE id = ?", (records[0].id,)).close()
        )
        await home.bot.service.houses.wake_all()
        assert await store.log(records[0].id) == []
        assert await store.log(records[1].id) != []
        problems: Any = (await health.state(home.bot))["troubles"]
        assert (records[0].id, "loading") in [(each["game"], each["what"]) for each in problems]


async def _record(home: Any, record: GameRecord) -> GameRecord:
    found: GameRecord | None = await home.bot.store.game(record.id)
    assert found is not None
    return found


async def test_a_house_whose_database_fails_holds_up_no_other_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        records = [await put(home, START), await put(home, START, "other")]
        name = START.game().offer().deciders[0]
        store = home.bot.store
        for record in records:
            seats = [Seat(s.name, 0, "greedy") if s.name == name else s for s in (await _record(home, record)).seats]
            await store.set_seats(record.id, seats)
            home.bot.service.forget(record.id)
        move = GameService.house_move

        async def failing(service: GameService, number: int) -> bool:
            if number == records[0].id:
                raise StorageError("the disk failed")
            return await move(service, number)

        monkeypatch.setattr(GameService, "house_move", failing)
        async with asyncio.timeout(4):
            await home.bot.service.houses.wake_all()
        assert await store.log(records[1].id) != []
        assert f"house {records[0].id}" in home.bot.scheduler.names(), "it tries again later"
