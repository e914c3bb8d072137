"""Things break: the move stands or nothing has changed, the person is told plainly, and nothing is lost in silence."""

from __future__ import annotations

import logging
import random
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.announce import announcer
from bot.card import pictures
from bot.client import DATABASE
from bot.games.service import GameService
from engine.game import Game
from engine.house.players import RandomHouse
from engine.moves import Pass
from engine.rounds.package import Auction
from storage.records import ENDED, Seat
from table.model import Overwrite
from table.people import Outcome, Person, text_of
from table.permissions import Permission
from tests.bot.test_refusals import passes_twice
from workshop.evening.guests import Evening, Guest, NoPictures, done, evening, pass_of
from workshop.evening.house import eventually
from workshop.evening.making import untold
from workshop.evening.positions import Position, put, search

START = Position(4, ())


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses between attempts, shortened."""
    monkeypatch.setattr(announcer, "PAUSES", (0.05, 0.1))
    monkeypatch.setattr(announcer, "HELD_PAUSES", (0.05, 0.1))


async def said(outcome: Outcome, person: Person) -> str:
    assert not outcome.failed
    await outcome.settled()
    assert outcome.message is not None
    assert outcome.message.reader == person.id
    return outcome.text


async def confirm(home: Evening, person: Person, outcome: Outcome) -> str:
    """Confirm what a panel shows: what it says then, or the answer that comes instead."""
    await said(outcome, person)
    panel = outcome.message
    assert panel is not None
    known = {message.id for message in person.messages("lobby")}
    assert not (await person.click(panel, "Confirm")).failed

    def answer() -> str:
        seen = person.messages("lobby")
        new = [each for each in seen if each.reader == person.id and each.id not in known]
        told = next((text_of(each) for each in seen if each.id == panel.id), None)
        if told is None:
            # The move counted, and the panel has gone with the turn.
            return "✓"
        return told if "✓" in told else text_of(new[-1]) if new else ""

    return await home.table.until(answer)


def decider(home: Evening, position: Position = START) -> Person:
    return home.person(position.game().offer().deciders[0].lower())


async def on_writer(home: Evening, pragma: str) -> None:
    await home.bot.store._writer.execute(pragma)


# ---------------------------------------------------------------------- the database


async def test_a_full_disk_changes_nothing_and_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await on_writer(home, "PRAGMA max_page_count = 1")  # SQLite takes the present size, if that is more
        made = 0
        while True:
            live = await home.live()
            person = home.person(live.game.offer().deciders[0].lower())
            move = "pass" if live.game.offer().find("pass") else "buy_lot"
            told = await confirm(home, person, await person.slash("lobby", "move", move=move))
            if "✓" not in told:
                break
            made += 1
        assert "I could not save that, so nothing was changed" in told
        assert "no room left on the disk" in told
        assert len(await home.bot.store.log(record.id)) == made
        assert (await home.live()).game.state.digest() == live.game.state.digest()
        await on_writer(home, "PRAGMA max_page_count = 1000000")
        await done(person, "lobby", "move", move=move)
        await home.settled()
        assert await untold(home.bot.store) == []


async def test_a_locked_database_changes_nothing_and_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = decider(home)
        await on_writer(home, "PRAGMA busy_timeout = 50")
        with locked(tmp_path / DATABASE):
            told = await confirm(home, person, await person.slash("lobby", "pass"))
            assert "another program keeps the database locked" in told
            joined = await said(await person.slash("lobby", "me", zone="Europe/Berlin"), person)
            assert "another program keeps the database locked" in joined
            panel = await said(await person.slash("lobby", "turn"), person)
            assert "Buy" in panel, "what only reads still works"
        assert await home.bot.store.log(record.id) == []
        await done(person, "lobby", "pass")


async def test_announcements_wait_for_a_locked_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = decider(home)
        await on_writer(home, "PRAGMA busy_timeout = 50")
        with monkeypatch.context() as patch:
            patch.setattr(home.bot.announcer, "wake", lambda game: None)
            await done(person, "lobby", "pass")
        with locked(tmp_path / DATABASE):
            home.bot.announcer.wake(record.id)
            cards = len(home.cards())
            await person.slash("lobby", "turn")
            assert len(home.cards()) == cards
        await home.told("passes")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program writes."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


# ---------------------------------------------------------------------- places and messages


async def test_a_deleted_channel_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        gone = await put(home, START, "gone")
        await put(home, START)
        person = decider(home)
        home.table.world.drop_channel(person.place("gone"))
        await eventually(lambda: home.bot.get_channel(gone.channel) is None)
        live = await home.bot.service.live(gone.id)
        choice = live.game.offer().find("pass")
        assert choice is not None
        await home.bot.service.play(gone.id, int(person.id), choice.move({}), interaction=1)
        await home.settled()
        assert "the channel of game 1 is gone" in caplog.text
        assert await untold(home.bot.store) == []
        await done(person, "lobby", "pass")
        assert len(await home.bot.store.log(gone.id)) == 1


def forbid(home: Evening, where: str, denied: Permission) -> None:
    world = home.table.world
    channel = home.person("ann").place(where)
    channel.overwrites[world.bot_id] = Overwrite(world.bot_id, 1, 0, int(denied))
    world.save_channel(channel)


async def test_without_permission_to_send_a_lobby_is_refused_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        forbid(home, "lobby", Permission.SEND_MESSAGES)
        told = await said(await ann.slash("lobby", "game new", title="rhl", where="here"), ann)
        assert "I lack the permission" in told
        assert (await home.record()).status == ENDED
        forbid(home, "lobby", Permission(0))
        await home.lobby("ann", "bo")


async def test_without_permission_to_send_moves_stand_and_are_told_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        cards = len(home.cards())
        forbid(home, "lobby", Permission.SEND_MESSAGES)
        names = []
        for _ in range(2):
            person = home.person((await home.live()).game.offer().deciders[0].lower())
            await done(person, "lobby", "pass")
            names.append(person.user.display_name)
        assert len(await home.bot.store.log(record.id)) == 2
        assert len(home.cards()) == cards
        forbid(home, "lobby", Permission(0))
        card = await home.told(f"{names[-1]} passes")
        lines = [line for line in text_of(card).splitlines() if line.endswith("passes.")]
        # What ended others' turns is quoted above the present one.
        assert lines == [f"> {name} passes." for name in names]
        assert "made again" not in text_of(card)


async def test_a_deleted_card_is_posted_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        await put(home, position)
        person = decider(home, position)
        home.table.world.drop_message(home.cards()[-1])
        assert home.cards() == []
        await done(person, "lobby", "pass")
        await home.settled()
        assert len(home.cards()) == 1
        assert Guest(home, person.user.name, random.Random(1)).card("lobby") is not None


async def test_a_dismissed_panel_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = decider(home)
        panel = await person.slash("lobby", "turn")
        await panel.settled()
        assert panel.message is not None
        panel_message = panel.message
        await person.click(panel_message, pass_of(panel_message))
        person.dismiss(panel_message)
        await home.told("passes")
        assert len(await home.bot.store.log(record.id)) == 1
        assert "unexpected" not in caplog.text


# ---------------------------------------------------------------------- pictures


def broken(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("the pen is broken")


async def test_a_renderer_that_fails_leaves_the_move_standing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        record = await put(home, START)
        person = decider(home)
        monkeypatch.setattr(pictures, "draw_map", broken)
        await done(person, "lobby", "pass")
        await home.settled()
        card = home.cards()[-1]
        assert "passes" in text_of(card)
        assert [attachment.filename for attachment in card.attachments] == ["auction.png"]
        assert len(await home.bot.store.log(record.id)) == 1
        told = await said(await person.slash("lobby", "map"), person)
        assert "The picture could not be drawn" in told
        assert "the pen is broken" in caplog.text


async def test_a_renderer_that_takes_too_long_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, START)
        person = decider(home)
        monkeypatch.setattr(pictures, "PATIENCE_SECONDS", 0.01)
        draw = pictures.draw_map
        monkeypatch.setattr(pictures, "draw_map", lambda *a, **k: (time.sleep(0.2), draw(*a, **k))[1])
        await done(person, "lobby", "pass")
        await home.told("passes")


# ---------------------------------------------------------------------- the unexpected


async def test_an_unexpected_error_gives_a_reference_that_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = decider(home)
        monkeypatch.setattr(GameService, "play", broken)
        typed = await person.slash("lobby", "pass")
        # On the card passing counts at once; what is typed is shown first.
        pressed = await (await person.click(home.cards()[-1], pass_of(home.cards()[-1]))).settled()
        for told in (pressed.text, await confirm(home, person, typed)):
            found = re.search(r"Reference: `([0-9a-f]{8})`", told)
            assert found, told
            entry = next(each for each in caplog.records if found[1] in each.getMessage())
            assert entry.levelno == logging.ERROR
            assert entry.exc_info is not None
            assert f"by {person.id}" in entry.getMessage()
            assert "the pen is broken" not in told
        assert await home.bot.store.log(record.id) == []


@pytest.mark.parametrize("error", [KeyError("J4"), AssertionError("no such step"), RecursionError("too deep")])
async def test_rules_that_fail_in_one_game_change_nothing_there_and_stop_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    other, broken = Position(5, ()), True
    passed = Auction.passed

    def failing(auction: Auction, game: Game, player: str) -> None:
        if game.seed != START.seed or not broken:
            return passed(auction, game, player)
        # Not before something has changed.
        game.state.players[player].cash = 1
        raise error

    monkeypatch.setattr(Auction, "passed", failing)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await put(home, other, "other")
        person = decider(home)
        before = (await home.bot.service.live(record.id)).game.state.digest()
        for panel in [
            await person.slash("lobby", "pass"),
            await person.click(home.cards()[0], pass_of(home.cards()[0])),
        ]:
            told = await said(panel, person)
            found = re.search(r"Something went wrong on my side.*Reference: `([0-9a-f]{8})`", told)
            assert found, told
            assert any(found[1] in each.getMessage() and each.exc_info for each in caplog.records)
        # Whatever else there is can still be done.
        assert "Buy" in await said(await person.slash("lobby", "turn"), person)
        # The house is no better off, and says so.
        people = (await home.record()).seats
        seats = [Seat(seat.name, 0, "random") if seat.user == int(person.id) else seat for seat in people]
        monkeypatch.setattr(RandomHouse, "choose", lambda house, game, player, chance: Pass(player))
        await home.bot.store.set_seats(record.id, seats)
        home.bot.service.forget(record.id)
        await home.bot.service.houses.wake_all()
        assert home.bot.problems.of(record.id).keys() == {"house"}
        await home.bot.store.set_seats(record.id, people)
        home.bot.service.forget(record.id)
        # Meanwhile another game goes on.
        await done(decider(home, other), "other", "pass")
        await home.told("passes", "other")
        assert (await home.bot.service.live(record.id)).game.state.digest() == before
        assert await home.bot.store.log(record.id) == []
        # And this one, when its rules are mended.
        broken = False
        await done(person, "lobby", "pass")
        assert len(await home.bot.store.log(record.id)) == 1
