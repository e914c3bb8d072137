"""Lobbies, threads, several games in one server, house players and what administrators decide."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import titles
from bot.cogs.lobby import house_name
from bot.texts import LANGUAGES, speaker
from storage.records import ENDED, LOBBY, PLAYING, Seat
from table import components
from table.model import Message
from table.people import Outcome, Person, text_of
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, evening


async def said(outcome: Outcome) -> str:
    """The private answer."""
    assert not outcome.failed
    await outcome.settled()
    assert outcome.message is not None
    return outcome.text


async def told(home: Evening, person: Person, text: str) -> None:
    """The person is told something that nobody else sees."""
    message = await person.sees(text, "lobby")
    assert message.reader == person.id
    home.table.world.drop_message(message)


async def test_join_leave_full_and_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo, cy, dora = (home.person(name) for name in ("ann", "bo", "cy", "dora"))
        card = await home.lobby("ann", "bo", seats=3)
        await bo.click(card, "Join")
        await told(home, bo, "You have a seat already.")
        await dora.click(card, "Leave")
        await told(home, dora, "You have no seat here.")
        await bo.click(card, "Start")
        await told(home, bo, "Only the host")
        await bo.click(card, "Add a house player")
        await told(home, bo, "Only the host")
        await ann.click(card, "Start")
        await told(home, ann, "needs 3 to 5 players; there are 2.")
        await bo.click(card, "Leave")
        await ann.sees("Seats (1 of 3)", "lobby")
        for person in (bo, cy):
            await person.click(card, "Join")
        await ann.sees("Seats (3 of 3)", "lobby")
        await dora.click(card, "Join")
        await told(home, dora, "All 3 seats are taken.")
        again = await ann.slash("lobby", "game new", title="rhl", where="here")
        assert "There is a game in this channel already" in await said(again)
        await ann.click(card, "Start")
        await ann.sees("your turn", "lobby")
        await home.table.until(lambda: "The game has begun in" in text_of(ann.find(card)))
        assert buttons(ann.find(card)) == []
        record = await home.record()
        assert record.status == PLAYING
        assert [seat.name for seat in record.seats] == ["Ann", "Bo", "Cy"]
        assert "18Rhl" in await said(await dora.slash("lobby", "game list"))
        assert "Seed" in await said(await dora.slash("lobby", "game info"))


def styles(card: Message) -> dict[str, int]:
    """How each button of a lobby is lit."""
    return {each["label"]: each["style"] for each in components.walk(card.components) if each.get("label")}


async def test_what_cannot_work_in_a_lobby_is_not_lit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        card = await home.lobby("ann", "bo", seats=3)
        plain, join, start = 2, 1, 3
        lit = styles(ann.find(card))
        assert (lit["Join"], lit["Start"]) == (join, plain)
        await home.person("cy").click(card, "Join")
        await ann.sees("Seats (3 of 3)", "lobby")
        lit = styles(ann.find(card))
        assert (lit["Join"], lit["Start"]) == (plain, start)


async def test_house_players_have_short_names_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No two begin with the same letter, whoever sits there already; in German they are called in German."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        card = await home.lobby("ann", title="bl", seats=6)
        for count in range(2, 7):
            await ann.click(card, "Add a house player")
            await ann.sees(f"Seats ({count} of 6)", "lobby")
        names = [seat.name for seat in (await home.record()).seats]
        assert len({name[0] for name in names}) == 6
        assert max(map(len, names)) <= 9
        record = replace(await home.record(), seats=(Seat("Prellbock", 1), Seat("Wanda", 2)))
        assert house_name(record, speaker("de")) == "Signal"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_house_players_are_no_companies_and_differ_at_the_first_letter(language: str) -> None:
    names = speaker(language)("house.names").split()
    assert len({name[0] for name in names}) == len(names) >= 9
    companies = {code.casefold() for box in titles.known() for code in titles.rules(box.id, 3).definition.corporations}
    assert not {name.casefold() for name in names} & companies


async def test_options_seed_and_reminders_are_offered_and_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        offered = await ann.autocomplete("lobby", "game new", "options", title="rhl", options="low")
        assert [each["value"] for each in offered] == ["lower_capital=true"]
        wrong = await ann.slash("lobby", "game new", title="rhl", where="here", options="nothing=1")
        assert "is not possible" in await said(wrong)
        wrong = await ann.slash("lobby", "game new", title="nothing")
        assert "nothing" in await said(wrong)
        card = await home.lobby("ann", options="lower_capital=true", seed=77, reminders="6 12")
        text = text_of(ann.find(card))
        assert "Lower total starting capital: yes" in text
        assert "seed 77" in text
        assert "reminders after 6/12 hours" in text


async def test_a_lobby_that_nobody_wants_is_closed_by_its_host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        card = await home.lobby("bo", "ann")
        assert "Only the host" in await said(await home.person("cy").slash("lobby", "host end"))
        asked = await bo.slash("lobby", "host end")
        assert "Whoever has a seat in it (2 people)" in await said(asked)
        assert asked.message is not None
        assert (await home.record()).status == LOBBY
        await bo.click(asked.message, "Confirm")
        await home.table.until(lambda: "This lobby is closed." in text_of(ann.find(card)))
        assert (await home.record()).status == ENDED
        await home.settled()
        await home.lobby("ann", "bo")


def _full(person: Person, card: Message) -> bool:
    return "Seats (3" in text_of(person.find(card))


async def test_a_game_in_its_own_thread_and_others_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        await home.begin("ann", "bo", "cy", seed=4)
        for number in range(2):
            opened = await ann.slash("lobby", "game new", title="rhl", seats=3, seed=number)
            assert "The lobby is open in" in await said(opened)
        threads = [each for each in home.table.world.channels.values() if each.is_thread]
        assert len(threads) == 2
        for thread in threads:
            # The thread hangs on the lobby card, which stays in the channel.
            card = ann.find(thread.id)
            assert "Seats (1" in text_of(card)
            for name in ("bo", "cy"):
                await home.person(name).click(card, "Join")
            await home.table.until(partial(_full, ann, card))
            await ann.click(card, "Start")
            await ann.sees("your turn", thread)
        await home.settled()
        games = await home.bot.store.games(statuses=[PLAYING])
        assert len(games) == 3
        # A move in one thread is a move of that game alone.
        chance = random.Random(1)
        for name in ("ann", "bo", "cy"):
            guest = Guest(home, name, chance)
            if guest.card(threads[0].id) is not None:
                await guest.turn(threads[0].id)
                break
        await home.settled()
        lengths = {game.channel: len(await home.bot.store.log(game.id)) for game in games}
        assert lengths == {int(threads[0].id): 1, int(threads[1].id): 0, int(ann.place("lobby").id): 0}
        # No second game in a thread that has one.
        busy = await ann.slash(threads[0].id, "game new", title="rhl")
        assert "There is a game in this channel already" in await said(busy)


async def test_house_players_fill_seats_and_play_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        card = await home.lobby("ann", seats=3)
        for number in (2, 3):
            await ann.click(card, "Add a house player")
            await ann.sees(f"Seats ({number} of 3)", "lobby")
        await ann.click(card, "Start")
        await ann.sees("your turn", "lobby")
        await home.settled()
        record = await home.record()
        assert [seat.house for seat in record.seats] == ["", "normal", "normal"]
        chance = random.Random(2)
        guest = Guest(home, "ann", chance)
        for _ in range(6):
            await home.settled()
            assert guest.card("lobby") is not None, text_of(home.cards()[-1])
            await guest.turn("lobby")
        await home.settled()
        log = await home.bot.store.log(record.id)
        assert {entry.player for entry in log} == {seat.name for seat in record.seats}
        assert {entry.user for entry in log if entry.player != "Ann"} == {0}


async def test_the_house_goes_on_after_a_restart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process may end between a person's move and the house's."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        ann = home.person("ann")
        card = await home.lobby("ann", seats=3)
        for number in (2, 3):
            await ann.click(card, "Add a house player")
            await ann.sees(f"Seats ({number} of 3)", "lobby")
        # The house is kept from moving, as if the process had died.
        monkeypatch.setattr(home.bot.service.houses, "wake", lambda game: None)
        await ann.click(card, "Start")
        await ann.sees("starting package", "lobby")
        guest = Guest(home, "ann", random.Random(1))
        while guest.card("lobby") is not None:
            await guest.turn("lobby")
            await home.settled()
        record = await home.record()
        assert await home.bot.store.waiting(game=record.id) == []
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            await anew.table.until(lambda: Guest(anew, "ann", random.Random(1)).card("lobby") is not None)


# ---------------------------------------------------------------------- administrators


async def test_administrators_say_where_games_are_made_and_in_which_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        world = home.table.world
        guild = next(iter(world.guilds.values()))
        games = world.add_channel(guild, "games")
        refused = await bo.slash("lobby", "server channel", channel=games.id)
        assert "Only people who may manage the server" in await said(refused)
        assert games.id in await said(await ann.slash("lobby", "server channel", channel=games.id))
        refused = await ann.slash("lobby", "game new", title="rhl", where="here")
        assert "Games are not made in this channel" in await said(refused)
        assert "The lobby is open" in await said(await ann.slash("games", "game new", title="rhl", where="here"))
        assert "every channel" in await said(await ann.slash("lobby", "server channel"))
        assert "The lobby is open" in await said(await ann.slash("lobby", "game new", title="rhl", where="here"))
        assert "Only people who may" in await said(await bo.slash("lobby", "server language", language="de"))
        await said(await ann.slash("lobby", "server language", language="de"))
        assert (await home.bot.store.server(int(guild.id))).locale == "de"
