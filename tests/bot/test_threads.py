"""Games in threads: the lobby card stays in the channel, and the thread is named after round and turn."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import health
from bot.announce import announcer
from engine.moves import Pass
from storage.records import PLAYING, GameRecord
from table import errors
from table.model import Channel, Message
from table.people import Outcome, text_of
from workshop.evening.guests import Evening, NoPictures, buttons, done, evening


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


def threads(home: Evening) -> list[Channel]:
    return [each for each in home.table.world.channels.values() if each.is_thread]


async def opened(home: Evening, host: str = "ann", **options: object) -> tuple[Message, Channel]:
    """A lobby made as most people make it: without a word about where."""
    person = home.person(host)
    before = {each.id for each in threads(home)}
    await said(await person.slash("lobby", "game new", title="rhl", seats=3, **options))
    thread = next(each for each in threads(home) if each.id not in before)
    return person.find(thread.id), thread


async def begun(home: Evening) -> tuple[Message, Channel, GameRecord]:
    card, thread = await opened(home, seed=4)
    for name in ("bo", "cy"):
        await home.person(name).click(card, "Join")
    await home.table.until(lambda: "Seats (3" in text_of(home.person("ann").find(card)))
    await home.person("ann").click(card, "Start")
    await home.person("ann").sees("your turn", thread)
    await home.settled()
    record = await home.bot.store.game_in(int(thread.id))
    assert record is not None
    return card, thread, record


async def test_a_new_game_gets_a_thread_and_its_lobby_stays_in_the_channel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        card, thread = await opened(home)
        lobby = home.person("ann").place("lobby")
        assert card.channel_id == lobby.id
        assert "Join" in buttons(card)
        assert thread.name == "18Rhl-Rhineland · Ann"
        second, other = await opened(home, "bo")
        assert other.id != thread.id
        assert second.channel_id == lobby.id
        told = await said(await home.person("ann").slash("lobby", "turn"))
        assert f"<#{thread.id}>" in told
        assert f"<#{other.id}>" in told


NAME = "18Rhl-Rhineland · "


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that threads get from now on."""
    names: list[str] = []
    edit = discord.Thread.edit

    async def noted(self: discord.Thread, **values: object) -> object:
        names.append(str(values["name"]))
        return await edit(self, **values)  # type: ignore[arg-type]

    monkeypatch.setattr(discord.Thread, "edit", noted)
    return names


async def rest(home: Evening, thread: Channel) -> None:
    """Ten minutes in which nobody moves: what is put down for then is called."""
    job = home.bot.scheduler._scheduler.get_job(f"name {thread.id}")
    job.args[0]()
    await asyncio.gather(*home.bot.names._tasks)


async def test_a_thread_has_a_name_that_holds_while_its_game_moves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        names = counted(monkeypatch)
        card, thread, record = await begun(home)
        seats = ", ".join(seat.name for seat in record.seats)
        await home.table.until(lambda: thread.name == f"{NAME}{seats}")
        for _ in range(5):
            player = (await home.bot.service.live(record.id)).game.offer().deciders[0]
            await done(home.person(player.lower()), thread, "pass")
            await home.settled()
        assert len(names) == 1
        assert record.status == PLAYING
        assert f"The game has begun in <#{thread.id}>" in text_of(home.person("ann").find(card))
        # The only game in the threads of a channel is found from the channel.
        assert "turn" in await said(await home.person("ann").slash("lobby", "turn"))


async def test_a_thread_says_who_is_waited_for_when_nothing_has_happened_for_a_while(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        names = counted(monkeypatch)
        _, thread, record = await begun(home)
        real, minutes = home.bot.service.now, 0
        monkeypatch.setattr(home.bot.service, "now", lambda: real() + timedelta(minutes=minutes))
        for number in range(3):
            minutes += 10
            player = (await home.bot.service.live(record.id)).game.offer().deciders[0]
            await rest(home, thread)
            assert thread.name is not None
            assert thread.name.startswith(f"{player} · ")
            assert "18Rhl" in thread.name
            # The next move takes it back at once, which is the second renaming in ten minutes, and never a third.
            await done(home.person(player.lower()), thread, "pass")
            await home.settled()
            await asyncio.gather(*home.bot.names._tasks)
            assert thread.name.startswith(NAME)
            assert len(names) == 1 + 2 * (number + 1)


async def test_a_name_that_no_longer_holds_is_taken_back_after_a_restart_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        _, thread, record = await begun(home)
        real = home.bot.service.now
        monkeypatch.setattr(home.bot.service, "now", lambda: real() + timedelta(minutes=10))
        await rest(home, thread)
        player = (await home.bot.service.live(record.id)).game.offer().deciders[0]
        assert (thread.name or "").startswith(player)
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            await done(anew.person(player.lower()), thread, "pass")
            await anew.settled()
            await asyncio.gather(*anew.bot.names._tasks)
            assert (thread.name or "").startswith(NAME)


async def test_a_thread_gets_its_old_name_back_while_another_is_being_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        _, thread, _ = await begun(home)
        await home.table.until(lambda: (thread.name or "").startswith(NAME))
        channel = home.bot.get_channel(int(thread.id))
        assert isinstance(channel, discord.Thread)
        await home.table.until(lambda: channel.name == thread.name)
        home.bot.names._renamed[channel.id].clear()
        old = channel.name
        home.bot.names.want(channel, "somebody else's turn")
        home.bot.names.want(channel, old)
        home.bot.names.want(channel, old)
        await asyncio.gather(*home.bot.names._tasks)
        assert thread.name == old
        assert len(home.bot.names._renamed[channel.id]) == 2, "what is being set is not set again"


async def test_a_server_can_let_games_live_in_channels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        refused = await said(await bo.slash("lobby", "server place", where="here"))
        assert "Only people who may manage the server" in refused
        assert "live in the channel" in await said(await ann.slash("lobby", "server place", where="here"))
        await said(await bo.slash("lobby", "game new", title="rhl"))
        assert not threads(home)
        assert (await home.record()).channel == int(ann.place("lobby").id)
        # Its host may say otherwise.
        await said(await ann.slash("lobby", "game new", title="rhl", where="thread"))
        assert len(threads(home)) == 1


async def test_a_host_who_leaves_hands_over_and_an_empty_lobby_is_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        card, _ = await opened(home)
        await bo.click(card, "Join")
        await home.table.until(lambda: "Seats (2" in text_of(ann.find(card)))
        await ann.click(card, "Leave")
        await home.table.until(lambda: f"Host: {bo.mention}" in text_of(ann.find(card)))
        await bo.click(card, "Leave")
        await home.table.until(lambda: "This lobby is closed." in text_of(ann.find(card)))


@pytest.mark.parametrize("answer", [(403, 50083), (400, 50083), (403, 160005)])
async def test_a_locked_thread_is_held_told_to_the_host_and_woken_when_it_is_open_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: tuple[int, int]
) -> None:
    """With the permissions of the invitation, whichever of its words Discord uses."""
    monkeypatch.setattr(announcer, "HELD_PAUSES", (3600.0,))
    monkeypatch.setattr(announcer, "PAUSES", (3600.0,))
    monkeypatch.setattr(errors, "archived_thread", lambda: errors.ApiError(*answer, "Thread is archived"))
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        _, thread, record = await begun(home)
        ann = home.person("ann")
        cards = len(home.cards(thread))
        live = await home.bot.service.live(record.id)
        decider = home.person(live.game.offer().deciders[0].lower())
        thread.locked = True
        home.table.world.save_channel(thread)
        await home.bot.service.play(record.id, int(decider.id), Pass(decider.user.display_name), interaction=None)
        await home.table.until(lambda: any("18Rhl" in text_of(each) for each in ann.messages(ann.direct())))
        found: Any = (await health.state(home.bot))["troubles"]
        assert [(each["game"], each["what"]) for each in found] == [(record.id, "announcements")]
        assert "Thread is archived" in await said(await ann.slash(thread, "game info"))
        assert len(home.cards(thread)) == cards
        thread.locked = False
        home.table.world.save_channel(thread)
        card = await home.told(f"{decider.user.display_name} passes", thread)
        assert "made again" not in text_of(card)
        async with asyncio.timeout(20):
            while await home.bot.store.held():  # noqa: ASYNC110 (in the database)
                await asyncio.sleep(0.01)
        await home.settled()
        assert (await health.state(home.bot))["troubles"] == []
