"""The bot does nothing for people that they may not do themselves, and nobody can fill a server with games."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from storage.records import ENDED, LOBBY, PLAYING, Seat
from table.model import Overwrite
from table.people import Outcome, Person
from table.permissions import Permission
from tests.bot.test_threads import begun
from workshop.evening.guests import Evening, NoPictures, buttons, done, evening
from workshop.evening.making import create
from workshop.evening.positions import Position, put

START = Position(4, ())


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


def deny(home: Evening, person: Person, denied: Permission, where: str = "lobby") -> None:
    """Take permissions from a person in a channel."""
    channel = person.place(where)
    channel.overwrites[person.id] = Overwrite(person.id, 1, 0, int(denied))
    home.table.world.save_channel(channel)


def threads(home: Evening) -> int:
    return sum(each.is_thread for each in home.table.world.channels.values())


async def opened(home: Evening) -> int:
    return len(await home.bot.store.games(statuses=[LOBBY]))


async def test_who_may_not_write_makes_the_bot_write_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bo = home.person("bo")
        deny(home, bo, Permission.SEND_MESSAGES)
        for where in ("here", "thread"):
            told = await said(await bo.slash("lobby", "game new", title="rhl", where=where))
            assert "you lack: Send Messages" in told
        assert threads(home) == 0
        assert await home.bot.store.games() == []


@pytest.mark.parametrize("denied", [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS])
async def test_who_may_not_make_threads_gets_none_from_the_bot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, denied: Permission
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bo = home.person("bo")
        deny(home, bo, denied)
        told = await said(await bo.slash("lobby", "game new", title="rhl"))
        assert "you lack:" in told
        assert threads(home) == 0
        assert await home.bot.store.games() == []
        assert "The lobby is open" in await said(await bo.slash("lobby", "game new", title="rhl", where="here"))


async def test_who_may_not_write_asks_nobody_for_an_undo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START, people=("ann", "bo", "cy"))
        bo = home.person("bo")
        deny(home, bo, Permission.SEND_MESSAGES)
        for _ in range(3):
            live = await home.live()
            person = home.person(live.game.offer().deciders[0].lower())
            await done(person, "lobby", "pass")
        told = await said(await bo.slash("lobby", "undo", moves=3))
        assert "you lack: Send Messages" in told
        assert not any("asks to take back" in str(each.components) for each in bo.messages("lobby"))


@pytest.mark.parametrize("denied", [Permission.SEND_MESSAGES, Permission.CREATE_PUBLIC_THREADS])
async def test_who_may_not_write_or_make_threads_gets_no_rematch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, denied: Permission
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        _, thread, record = await begun(home)
        ann, bo = home.person("ann"), home.person("bo")
        asked = await ann.slash(thread, "host end")
        await said(asked)
        assert asked.message is not None
        await said(await ann.click(asked.message, "Confirm"))
        await ann.sees("The host has ended the game", thread)
        await home.settled()
        card = next(each for each in reversed(bo.messages(thread)) if "Rematch" in buttons(each))
        deny(home, bo, denied)
        assert "you lack:" in await said(await bo.click(card, "Rematch"))
        assert (threads(home), await opened(home)) == (1, 0)
        assert "The lobby is open" in await said(await ann.click(card, "Rematch"))
        assert record.lobby_channel == int(bo.place("lobby").id)


async def test_one_person_opens_no_more_lobbies_than_the_server_allows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo, cy = (home.person(name) for name in ("ann", "bo", "cy"))
        answers = [await said(await bo.slash("lobby", "game new", title="rhl")) for _ in range(5)]
        assert ["The lobby is open" in text for text in answers] == [True, True, True, False, False]
        assert "You have 3 open lobbies here" in answers[-1]
        assert threads(home) == 3, "no thread is made for a lobby that there may not be"
        assert "The lobby is open" in await said(await cy.slash("lobby", "game new", title="rhl", where="here"))
        refused = await said(await bo.slash("lobby", "server limits", what="lobbies_of_person", most=9))
        assert "Only people who may manage the server" in refused
        shown = await said(await ann.slash("lobby", "server limits", what="lobbies_of_person", most=4))
        assert "Open lobbies of one person: 4" in shown
        assert "The lobby is open" in await said(await bo.slash("lobby", "game new", title="rhl"))
        await said(await ann.slash("lobby", "server limits", what="lobbies_of_server", most=5))
        assert "This server has 5 open lobbies" in await said(await ann.slash("lobby", "game new", title="rhl"))
        assert "say which one and the new number" in await said(await ann.slash("lobby", "server limits", most=5))
        assert "Open lobbies on this server: 5" in await said(await ann.slash("lobby", "server limits"))


async def test_as_many_games_run_as_the_server_allows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        await put(home, START, "elsewhere")
        card = await home.lobby("ann", "bo", "cy")
        for what, told in (
            ("games_of_person", "has opened 1 of the running games here"),
            ("games_of_server", "This server has 1"),
        ):
            await said(await ann.slash("lobby", "server limits", what=what, most=1))
            await ann.click(card, "Start")
            await ann.sees(told, "lobby")
            assert (await home.record()).status == LOBBY
            await said(await ann.slash("lobby", "server limits", what=what, most=2))
        await ann.click(card, "Start")
        await ann.sees("your turn", "lobby")
        assert (await home.record()).status == PLAYING


async def test_two_people_at_once_open_one_lobby_in_a_channel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        people = [home.person(name) for name in ("ann", "bo", "cy", "dora")]
        outcomes = await asyncio.gather(
            *(each.slash("lobby", "game new", title="rhl", where="here") for each in people)
        )
        answers = [await said(outcome) for outcome in outcomes]
        assert sorted("The lobby is open" in text for text in answers) == [False, False, False, True]
        assert sum("There is a game in this channel already" in text for text in answers) == 3
        assert await opened(home) == 1


async def test_a_lobby_whose_card_was_never_posted_is_closed_at_the_next_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        await home.lobby("ann", "bo")
        world = table.world
        world.add_channel(next(iter(world.guilds.values())), "other")
        record = await home.record()
        # The process ended between the lobby and its card.
        lost = await create(
            home.bot.store, record.created,
            guild=record.guild, channel=int(home.person("bo").place("other").id), title="rhl",
            options={}, seed=1, host=int(home.person("bo").id), seats_wanted=3, reminder_hours=(),
        )  # fmt: skip
        await home.bot.store.set_seats(lost.id, [Seat("Bo", lost.host)])
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            found = await anew.bot.store.game(lost.id)
            assert found is not None
            assert found.status == ENDED
            assert (await anew.record()).status == LOBBY, "a lobby that people can see stays open"
            told = await said(await anew.person("bo").slash("other", "game new", title="rhl", where="here"))
            assert "The lobby is open" in told
