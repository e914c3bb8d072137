"""What hosts decide, what people set for themselves, and how they are told that it is their turn."""

from __future__ import annotations

import random
import zoneinfo
from pathlib import Path

import pytest

from bot.cogs.people import quiet_hours
from bot.games.service import ServiceError
from bot.zones import suggested
from engine.game import Game
from storage.records import ENDED, PAUSED, PLAYING, NewNotice, Seat
from table.people import Outcome, Person, text_of
from workshop.evening.guests import Guest, NoPictures, buttons, done, evening, made, pass_of
from workshop.evening.positions import Position, put, search

START = Position(4, ())


async def said(outcome: Outcome) -> str:
    """The answer, which only one person sees."""
    assert not outcome.failed
    await outcome.settled()
    assert outcome.message is not None
    assert outcome.message.reader is not None
    return outcome.text


# ---------------------------------------------------------------------- the host


async def confirmed(person: Person, outcome: Outcome) -> str:
    """Confirm what was asked; what is true then."""
    await said(outcome)
    assert outcome.message is not None
    panel = outcome.message
    await person.click(panel, "Confirm")
    return text_of(await person.table.until(lambda: None if buttons(person.find(panel)) else person.find(panel)))


async def test_host_pauses_and_resumes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        ann = home.person("ann")
        player = home.person(START.game().offer().deciders[0].lower())
        old = home.cards()[-1]
        assert "The game was paused" in await said(await ann.slash("lobby", "host pause"))
        await home.settled()
        assert (await home.record()).status == PAUSED
        card = home.cards()[-1]
        assert "The game is paused." in text_of(card)
        assert buttons(card) == ["Map", "Market", "Sheet"]
        assert "The game is paused" in await said(await player.slash("lobby", "pass"))
        assert await home.bot.store.waiting() == []
        await said(await ann.slash("lobby", "host pause"))
        assert "The game goes on" in await said(await ann.slash("lobby", "host resume"))
        await home.settled()
        assert (await home.record()).status == PLAYING
        assert len(await home.bot.store.waiting(game=record.id)) == 1
        assert Guest(home, player.user.name, random.Random(1)).card("lobby") is not None
        panel = await (await player.click(home.cards()[-1], pass_of(home.cards()[-1]))).settled()
        assert panel.message is not None
        assert made(panel.message), "passing counts at once"
        assert old.id


async def test_host_extends_a_turn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann = home.person("ann")
        for hours in (5, 7):
            assert "hours in all" in await said(await ann.slash("lobby", "host extend", hours=hours))
        await home.settled()
        assert (await home.record()).extension_hours == 12
        assert "The host has granted 7 more hours" in text_of(home.cards()[-1])
        player = home.person(START.game().offer().deciders[0].lower())
        await done(player, "lobby", "pass")
        assert (await home.record()).extension_hours == 0


async def test_host_replaces_a_player_by_a_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        ann, dora = home.person("ann"), home.person("dora")
        name = START.game().offer().deciders[0]
        assert [each["value"] for each in await ann.autocomplete("lobby", "host replace", "player", player="b")] == [
            "Bo"
        ]
        refused = await ann.slash("lobby", "host replace", player=name, by=home.person("bo").id)
        assert "cannot take this seat" in await said(refused)
        refused = await ann.slash("lobby", "host replace", player="nobody")
        assert "is not possible" in await said(refused)
        await confirmed(ann, await ann.slash("lobby", "host replace", player=name, by=dora.id))
        await home.settled()
        assert [row.user for row in await home.bot.store.waiting(game=record.id)] == [int(dora.id)]
        card = home.cards()[-1]
        assert dora.mention in text_of(card)
        old = home.person(name.lower())
        assert "You are not playing in this game." in await said(await old.slash("lobby", "pass"))
        await done(dora, "lobby", "pass")
        made = (await home.bot.store.log(record.id))[-1]
        assert (made.player, made.user) == ("Dora", int(dora.id))


async def test_everything_shows_the_name_of_whoever_sits_there_now(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = search(lambda game: len(game.moves) == 60)
    async with evening(monkeypatch, tmp_path) as home:
        record = await put(home, position)
        ann, dora = home.person("ann"), home.person("dora")
        live = await home.live()
        # Somebody who is not waited for: a new card comes all the same, for an edit would ping nobody.
        name = next(each for each in live.game.players if each not in live.game.offer().deciders)
        before = live.game.state.digest()
        assert "can play no more" in await said(await ann.slash("lobby", "host replace", player=name, by=dora.id))
        told = await confirmed(ann, await ann.slash("lobby", "host replace", player=name, by=dora.id))
        assert f"The seat of {name} belongs to {dora.mention} now." in told
        await home.settled()
        card = home.cards()[-1]
        assert f"{name} is replaced by {dora.mention}." in text_of(card)
        assert dora.id in card.mentions
        live = await home.live()
        assert name not in live.game.players
        assert name not in str(live.game.state.data())
        assert "Dora" in live.game.players
        log = await said(await ann.slash("lobby", "log"))
        assert f"{name} " not in log
        assert "Dora gets" in log
        offered = await ann.autocomplete("lobby", "host replace", "player", player="")
        assert "Dora" in [each["value"] for each in offered]
        sheet = await said_with_picture(await ann.slash("lobby", "sheet"))
        assert "Dora" in sheet
        assert name not in sheet
        # What was played before can be taken back and brought back under the new name.
        count = len(live.game.moves)
        await home.bot.service.undo(record.id, record.host, 20, interaction=None, expected=live.length)
        # By a host who does not play.
        await home.bot.store.set_game(record.id, host=1)
        home.bot.service.forget(record.id)
        assert await home.bot.service.redo(record.id, 1, interaction=None) == 20
        await home.bot.store.set_game(record.id, host=record.host)
        home.bot.service.forget(record.id)
        live = await home.live()
        assert len(live.game.moves) == count
        # And the one who left may come back; the position has not changed by any of it.
        await confirmed(ann, await ann.slash("lobby", "host replace", player="Dora", by=home.person(name.lower()).id))
        home.bot.service.forget(record.id)
        assert (await home.live()).game.state.digest() == before


async def said_with_picture(outcome: Outcome) -> str:
    """The words of the picture in an answer."""
    await said(outcome)
    message = outcome.message
    assert message is not None
    return " ".join(attachment.description or "" for attachment in message.attachments)


async def test_a_host_whose_seat_is_given_away_hands_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann, dora = home.person("ann"), home.person("dora")
        await confirmed(ann, await ann.slash("lobby", "host replace", player="Ann", by=dora.id))
        assert (await home.record()).host == int(dora.id)
        assert home.person("bo").mention in await said(await dora.slash("lobby", "host hand", to=home.person("bo").id))
        card = await home.person("bo").sees("to be the host", "lobby")
        await home.person("bo").click(card, "Accept")
        await home.table.until(lambda: "is the host of this game now" in text_of(dora.find(card)))
        assert (await home.record()).host == int(home.person("bo").id)
        assert (await home.live()).record.host == int(home.person("bo").id)
        assert "Only the host" in await said(await dora.slash("lobby", "host extend", hours=1))


async def test_nothing_grave_is_done_before_it_is_confirmed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann = home.person("ann")
        asked = await ann.slash("lobby", "host end")
        assert "cannot be taken up again" in await said(asked)
        assert asked.message is not None
        assert (await home.record()).status == PLAYING
        await ann.click(asked.message, "Cancel")
        await ann.sees("Nothing was done.", "lobby")
        assert (await home.record()).status == PLAYING


async def test_a_game_goes_on_when_somebody_is_replaced_by_the_house(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        ann = home.person("ann")
        name = START.game().offer().deciders[0]
        other = next(each for each in ("Ann", "Bo", "Cy") if each != name)
        await confirmed(ann, await ann.slash("lobby", "host replace", player=name))
        await home.settled()
        log = await home.bot.store.log(record.id)
        assert log
        assert {entry.player for entry in log} == {"Buffer"}
        live = await home.live()
        assert "Buffer" not in live.game.offer().deciders
        assert "is replaced by Buffer" in "\n".join(text_of(card) for card in home.cards())
        # And the house can be replaced by a person again.
        dora = home.person("dora")
        await confirmed(ann, await ann.slash("lobby", "host replace", player="Buffer", by=dora.id))
        assert (await home.live()).player_of(int(dora.id)) == "Dora"
        assert other in {seat.name for seat in (await home.record()).seats}


async def test_host_ends_a_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann = home.person("ann")
        await confirmed(ann, await ann.slash("lobby", "host end"))
        await home.settled()
        card = home.cards()[-1]
        assert "The game is over** (ended by the host)" in text_of(card)
        assert "your turn" not in text_of(card)
        assert (await home.record()).status == ENDED
        for command in ("pass", "undo", "host pause"):
            assert "The game is over." in await said(await ann.slash("lobby", command))
        assert "Map" in buttons(card)
        await home.lobby("ann", "bo")


# ---------------------------------------------------------------------- settings


async def test_everybody_sets_what_they_want(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        assert "Time zone: UTC" in await said(await ann.slash("lobby", "me"))
        zones = await ann.autocomplete("lobby", "me", "zone", zone="berl")
        assert [each["value"] for each in zones] == ["Europe/Berlin"]
        saved = await ann.slash("lobby", "me", zone="Europe/Berlin", quiet="22-7", language="en", ping="direct")
        text = await said(saved)
        assert "Saved." in text
        assert "Europe/Berlin" in text
        assert "22–7" in text
        person = await home.bot.store.person(int(ann.id))
        assert (person.zone, person.quiet_from, person.quiet_to, person.ping) == ("Europe/Berlin", 22, 7, "direct")
        assert "is no time zone I know" in await said(await ann.slash("lobby", "me", zone="Mars/Base"))
        for wrong in ("22", "25-7", "a-b", "7-7", "0-24"):
            assert "Quiet hours look like 22-7" in await said(await ann.slash("lobby", "me", quiet=wrong))
        assert await home.bot.store.person(int(ann.id)) == person
        assert "Quiet hours: none" in await said(await ann.slash("lobby", "me", quiet="off"))
        assert "Vacation: until" in await said(await ann.slash("lobby", "vacation", days=7))
        assert "Vacation: none" in await said(await ann.slash("lobby", "vacation", days=0))


async def test_settings_are_there_after_a_restart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await said(await home.person("ann").slash("lobby", "me", zone="Europe/Berlin"))
        table = home.table
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            assert "Europe/Berlin" in await said(await anew.person("ann").slash("lobby", "me"))


@pytest.mark.parametrize("ping", ["channel", "direct", "off"])
async def test_people_are_told_as_they_wish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ping: str) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(lambda game: bool(game.moves) and game.offer().deciders == ("Bo",))
        bo = home.person("bo")
        await said(await bo.slash("lobby", "me", ping=ping))
        await put(home, position)
        card = home.cards()[-1]
        assert bo.mention in text_of(card)
        assert (bo.id in card.pinged) == (ping == "channel")
        direct = [text_of(each) for each in bo.messages(bo.direct())]
        assert bool(direct) == (ping == "direct")


async def test_only_those_are_pinged_whose_turn_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A turn of several moves is one message that is edited, and an edit pings nobody."""

    def same_turn(game: Game) -> bool:
        choice = game.offer().find("pass")
        if choice is None or game.state.round.kind != "operating":
            return False
        after = game.copy()
        after.apply(choice.move({}))
        again = after.offer().find("pass")
        return (
            again is not None
            and after.offer().deciders == (choice.player,)
            and after.state.round.actor == game.state.round.actor
        )

    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(same_turn)
        await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        cards = len(home.cards())
        await done(person, "lobby", "pass")
        await home.settled()
        assert len(home.cards()) == cards
        assert "passes" in text_of(home.cards()[-1])
        # An old message is not edited: a new one is posted.
        live = await home.live()
        await home.bot.store.set_card(
            live.record.id, int(home.cards()[-1].id), live.length, live.record.created.replace(year=2020)
        )
        await done(person, "lobby", "pass")
        await home.settled()
        assert len(home.cards()) == cards + 1


@pytest.mark.parametrize("typed", ["22-7", "22:00-07:00", " 22 - 7 ", "22.00 – 7.00", "22:00 bis 07:00"])
def test_quiet_hours_are_taken_as_people_type_them(typed: str) -> None:
    assert quiet_hours(typed) == (22, 7)


@pytest.mark.parametrize("typed", ["22", "22:30-7", "25-7", "7-7", "-7", "²2-7", "a-b", "22--7"])
def test_quiet_hours_that_mean_nothing_are_refused(typed: str) -> None:
    with pytest.raises(ServiceError):
        quiet_hours(typed)


def test_zones_of_the_language_come_first_and_cities_are_found() -> None:
    assert suggested("", "de")[:2] == ["Europe/Berlin", "Europe/Vienna"]
    assert suggested("", "en-GB")[0] == "Europe/London"
    assert suggested("york", "de")[0] == "America/New_York"
    assert suggested("zürich", "en-US") == ["Europe/Zurich"]
    assert suggested("San Fran", "de") == ["America/Los_Angeles"]
    assert suggested("nowhere at all", "de") == []
    assert all(zone in zoneinfo.available_timezones() for zone in suggested("", "ja"))


async def test_own_games_and_settings_in_a_direct_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        live = await home.live()
        decider = home.person(live.game.offer().deciders[0].lower())
        dora = home.person("dora")
        here = decider.direct()
        there = dora.direct()
        for command in ("game mine", "game list"):
            mine = await said(await decider.slash(here, command))
            assert f"waiting for {decider.user.display_name}, asked <t:" in mine
            assert "You have no games now" in await said(await dora.slash(there, command))
        assert "not in a direct message" in await said(await dora.slash(there, "game new", title="rhl"))
        assert "not in a direct message" in await said(await dora.slash(there, "game info"))
        assert "Time zone" in await said(await dora.slash(there, "me", quiet="22 - 7"))
        assert "until" in await said(await dora.slash(there, "vacation", days=3))
        mine = await said(await decider.slash("lobby", "game mine"))
        assert "18Rhl" in mine


#: Commands that ask or change nothing for good, with what they need.
COMMANDS: tuple[tuple[str, dict[str, object]], ...] = (
    ("map", {}), ("market", {}), ("sheet", {}), ("tiles", {}), ("trains", {}), ("log", {}), ("turn", {}),
    ("rules", {}), ("cards", {}), ("game info", {}), ("game mine", {}), ("game list", {}), ("map", {"move": 2}),
    ("pass", {}), ("bid", {"lot": "TF"}), ("undo", {}), ("redo", {}),
)  # fmt: skip


async def test_every_command_works_with_replaced_seats_after_a_restart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        record = await put(home, Position(4, ()))
        for _ in range(4):
            player = (await home.live()).game.offer().deciders[0]
            await done(home.person(player.lower()), "lobby", "pass")
        first = (await home.live()).game.moves[0].player
        dora = home.person("dora")
        notice = NewNotice("host.replaced", {"old": first, "new": "Dora"})
        await home.bot.service.replace(record.id, first, Seat("Dora", int(dora.id)), notice)
        await home.settled()
        # Somebody looks, so that a snapshot is kept under the new names.
        await home.live()
        await done(home.person((await home.live()).game.offer().deciders[0].lower()), "lobby", "pass")
        await home.settled()
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            names = {move.player for move in (await anew.live()).game.moves}
            assert names <= {seat.name for seat in (await anew.record()).seats}
            for command, options in COMMANDS:
                told = await said(await anew.person("dora").slash("lobby", command, **options))
                assert "not in this game" not in told, command
                assert "reference" not in told.lower(), f"/{command}: {told}"
            assert "Dora" in await said(await anew.person("ann").slash("lobby", "log"))
