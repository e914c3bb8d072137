"""What is to be told arrives: no wake-up is lost, repetitions say so, and a channel that refuses loses nothing."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot import health
from bot.announce import announcer
from bot.texts import speaker
from bot.words.wording import event_lines
from engine.house.players import Greedy
from storage.errors import StorageError
from storage.records import NewNotice
from table.model import Overwrite
from table.people import Outcome, text_of
from table.permissions import Permission
from workshop.evening.guests import Evening, NoPictures, done, evening
from workshop.evening.making import untold
from workshop.evening.positions import Position, offered, put, search

START = Position(4, ())
SAY = speaker("en")


@pytest.fixture(autouse=True)
def retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between attempts: short where Discord failed, and longer than any test where it refused."""
    monkeypatch.setattr(announcer, "PAUSES", (0.05, 0.1))


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


async def pass_turn(home: Evening) -> str:
    """Whoever's turn it is passes; the name."""
    player = (await home.live()).game.offer().deciders[0]
    await done(home.person(player.lower()), "lobby", "pass")
    return player


def forbid(home: Evening, denied: Permission, *, tell: bool = True) -> None:
    """Take permissions from the bot in the lobby, or give them back."""
    world = home.table.world
    channel = home.person("ann").place("lobby")
    channel.overwrites[world.bot_id] = Overwrite(world.bot_id, 1, 0, int(denied))
    world.save_channel(channel, tell=tell)


async def pending(home: Evening) -> int:
    return len(await untold(home.bot.store))


async def told_everything(home: Evening) -> None:
    async with asyncio.timeout(20):
        while await pending(home):  # noqa: ASYNC110 (what is waited for is in the database)
            await asyncio.sleep(0.01)


async def released(home: Evening) -> None:
    async with asyncio.timeout(20):
        while await home.bot.store.held() or home.bot.problems.all():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_wake_up_between_the_end_of_the_work_and_the_news_of_it_is_heard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        telling = home.bot.announcer
        tell = telling._tell
        late = 0

        async def tell_and_be_late(game: int) -> bool:
            nonlocal late
            found = await tell(game)
            if not found and not late:
                late += 1
                # Something more happens when the work has found nothing left to do, and before its task is cleared
                # away: callbacks run in the order in which they were asked for.
                await home.bot.store.set_status(
                    game, "playing", at=home.bot.service.now(), notices=[NewNotice("host.resumed")]
                )
                asyncio.get_running_loop().call_soon(telling.wake, game)
            return found

        monkeypatch.setattr(telling, "_tell", tell_and_be_late)
        await pass_turn(home)
        await home.table.until(lambda: late)
        await told_everything(home)
        assert "The host has resumed the game." in text_of(home.cards()[-1])


async def test_a_card_that_may_be_the_second_says_so_though_discord_refused_it_in_between(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        with monkeypatch.context() as patch:
            patch.setattr(home.bot.announcer, "wake", lambda game: None)
            await pass_turn(home)
        # The process was killed when the card had arrived and was not recorded: the notice is begun and not done.
        for notice in await untold(home.bot.store):
            await home.bot.store.begin_notice(notice.id, home.bot.service.now())
        refusal = home.table.faults.fail("POST /channels/.*/messages", status=403)
        home.bot.announcer.wake(record.id)
        await home.table.until(lambda: refusal.hits)
        name = await pass_turn(home)
        card = await home.told(f"{name} passes")
        assert "made again" in text_of(card)


@pytest.mark.parametrize("lost", ["set_told", "set_card", "finish_notice"])
async def test_what_the_database_failed_to_note_is_told_once_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: str
) -> None:
    """A card is posted, then edited (the same person goes on); each time the database is locked just afterwards."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, search(offered("lay_tile")))
        store = home.bot.store
        real, failed = getattr(store, lost), 0

        async def fail(*given: Any) -> Any:
            nonlocal failed
            if failed % 2 == 0:
                failed += 1
                raise StorageError("the database is locked")
            return await real(*given)

        monkeypatch.setattr(store, lost, fail)
        expected: list[str] = []
        cards = set()
        for number in range(6):
            live = await home.live()
            move = Greedy().choose(live.game, live.game.offer().deciders[0], random.Random(number))
            user = live.seat(move.player).user
            events = await home.bot.service.play(record.id, user, move, interaction=None)
            expected += event_lines(SAY.of("rhl"), [event.data() for event in events], live.game)
            await told_everything(home)
            cards.add(home.cards()[-1].id)
            failed += failed % 2
        assert failed, "the database was never locked"
        assert 1 < len(cards) < 6, "some were posted, some edited"
        lines = [line.removeprefix("- ") for card in home.cards() for line in text_of(card).splitlines()]
        assert Counter(line for line in lines if line in expected) == Counter(expected)
        assert not any("made again" in line for line in lines)
        found = await store.game(record.id)
        assert found is not None
        assert str(found.card_message) == home.cards()[-1].id


async def test_a_channel_that_refuses_keeps_its_announcements_and_the_host_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        ann = home.person("ann")
        cards = len(home.cards())
        forbid(home, Permission.VIEW_CHANNEL)
        names = []
        with monkeypatch.context() as patch:
            # As after a restart: the channel is not remembered, and asking for it is refused.
            patch.setattr(home.bot, "get_channel", lambda channel: None)
            for _ in range(3):
                live = await home.live()
                name = live.game.offer().deciders[0]
                choice = live.game.offer().find("pass")
                assert choice is not None
                user = int(home.person(name.lower()).id)
                await home.bot.service.play(record.id, user, choice.move({}), interaction=None)
                names.append(name)
                letter = await ann.sees("I may not write in", ann.direct())
            # Whatever was under way has found the channel closed.
            await home.bot.announcer.idle()
        assert "Missing Access" in text_of(letter)
        assert await pending(home) == 3
        assert len(home.cards()) == cards
        found: Any = await health.state(home.bot)
        assert found["ok"], "one game's channel is no reason to restart the bot"
        assert [(each["game"], each["what"]) for each in found["troubles"]] == [(record.id, "announcements")]
        forbid(home, Permission(0))
        card = await home.told(f"{names[-1]} passes")
        lines = [line for line in text_of(card).splitlines() if line.endswith("passes.")]
        assert lines == [f"- {name} passes." for name in names]
        assert "made again" not in text_of(card)
        await released(home)
        assert (await health.state(home.bot))["troubles"] == []
        letters = [text_of(each) for each in ann.messages(ann.direct())]
        assert len([text for text in letters if "I may not write in" in text]) == 1


async def test_a_refusal_is_shown_in_the_game_and_outlives_a_restart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        await put(home, START)
        ann = home.person("ann")
        forbid(home, Permission.SEND_MESSAGES, tell=False)
        await pass_turn(home)
        await ann.sees("I may not write in", ann.direct())
        assert "What happens cannot be told in this channel" in await said(await ann.slash("lobby", "game info"))
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            problems: Any = (await health.state(anew.bot))["troubles"]
            assert [each["what"] for each in problems] == ["announcements"]
            await pass_turn(anew)
            letters = [text_of(each) for each in ann.messages(ann.direct())]
            assert len([text for text in letters if "I may not write in" in text]) == 1
            forbid(anew, Permission(0))
            await anew.told("passes")
            await released(anew)
            assert "cannot be told" not in await said(await ann.slash("lobby", "game info"))


async def test_what_is_held_waits_quietly_until_the_permission_is_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        forbid(home, Permission.SEND_MESSAGES)
        name = await pass_turn(home)
        telling = home.bot.announcer
        # It has been refused and waits for the next attempt, in a minute.
        async with asyncio.timeout(20):
            while f"announce {record.id}" not in home.bot.scheduler.names() or telling._bells[record.id].is_set():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        asked = len(home.table.requests)
        await asyncio.sleep(0.5)
        assert not any("POST" in each and "/messages" in each for each in list(home.table.requests)[asked:])
        assert await pending(home) == 1
        forbid(home, Permission(0))
        await home.told(f"{name} passes")


async def test_only_a_channel_that_does_not_exist_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        odd = home.table.faults.fail("POST /channels/.*/messages", status=404)
        name = await pass_turn(home)
        await home.told(f"{name} passes")
        assert odd.hits == 1


async def test_a_notice_that_makes_no_sense_is_left_out_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        with monkeypatch.context() as patch:
            patch.setattr(home.bot.announcer, "wake", lambda game: None)
            await home.bot.store.set_status(
                record.id, "playing", at=home.bot.service.now(), notices=[NewNotice("nothing.known", {"x": 1})]
            )
            name = await pass_turn(home)
        home.bot.announcer.wake(record.id)
        await home.told(f"{name} passes")
        problems: Any = (await health.state(home.bot))["troubles"]
        assert [(each["game"], each["what"]) for each in problems] == [(record.id, "announcements")]


async def test_a_reminder_goes_another_way_where_one_is_closed_and_is_kept_where_both_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = home.person(START.game().offer().deciders[0].lower())
        forbid(home, Permission.SEND_MESSAGES)
        person.user.accepts_direct_messages = False
        await home.bot.store._write(lambda db: db.execute("UPDATE waiting SET since = since - 13 * 3600000000").close())
        await home.bot.clock.tick()
        (row,) = await home.bot.store.waiting(game=record.id)
        assert (row.steps_sent, row.begun) == (0, None), "it has not gone out, and will be no repetition"
        person.user.accepts_direct_messages = True
        home.bot.clock._retries.clear()
        await home.bot.clock.tick()
        assert "is waiting for you" in text_of(person.last(person.direct()))
        (row,) = await home.bot.store.waiting(game=record.id)
        assert row.steps_sent == 1
