"""Taking back and bringing back: one's own last move at once, more with the others' consent or the host's word."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from pathlib import Path

import pytest

from bot.games.replaying import replay
from engine.game import Game
from storage.records import FINISHED, PLAYING
from table.people import Outcome, Person, text_of
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, done, evening
from workshop.evening.making import standing_moves
from workshop.evening.positions import Position, offered, put, search

START = Position(4, ())


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


async def passes(home: Evening, count: int) -> list[Person]:
    """Everybody in turn passes or buys; the people who did."""
    made = []
    for _ in range(count):
        live = await home.live()
        person = home.person(live.game.offer().deciders[0].lower())
        command = "pass" if live.game.offer().find("pass") else ""
        assert command
        await done(person, "lobby", "pass")
        made.append(person)
    await home.settled()
    return made


async def standing(home: Evening, game: int) -> int:
    return len(await standing_moves(home.bot.store, game))


async def test_own_last_move_is_taken_back_at_once_and_brought_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        before = (await home.live()).game.state.digest()
        [person] = await passes(home, 1)
        after = (await home.live()).game.state.digest()
        other = home.person((await home.live()).game.offer().deciders[0].lower())
        assert "has taken back 1 move" in await said(await person.slash("lobby", "undo"))
        await home.settled()
        assert (await home.live()).game.state.digest() == before
        assert "has taken back 1 move" in text_of(home.cards()[-1])
        assert Guest(home, person.user.name, random.Random(1)).card("lobby") is not None
        assert [row.user for row in await home.bot.store.waiting(game=record.id)] == [int(person.id)]
        # Somebody else's move is not for everybody to bring back.
        if other.id != str(record.host):
            assert "Only those whose moves these are" in await said(await other.slash("lobby", "redo"))
        assert "has brought back 1 move" in await said(await person.slash("lobby", "redo"))
        await home.settled()
        assert (await home.live()).game.state.digest() == after
        assert "nothing to bring back" in await said(await person.slash("lobby", "redo"))
        # Everything stays in the log: the move, its undoing, and the move again.
        entries = await home.bot.store.entries(record.id)
        assert [bool(entry.undoes) for entry in entries] == [False, True, False]
        log = await home.bot.store.log(record.id)
        assert [entry.undone_at is not None for entry in log] == [True, False]
        moves = await standing_moves(home.bot.store, record.id)
        assert replay(record, [move.move for move in moves]).state.digest() == after


async def test_two_undos_are_brought_back_one_after_the_other_until_somebody_plays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        # The host does not play: nobody else brings back what others did.
        host = home.person("dora")
        await home.bot.store.set_game(record.id, host=int(host.id))
        home.bot.service.forget(record.id)
        people = await passes(home, 2)
        for person in reversed(people):
            assert "has taken back 1 move" in await said(await person.slash("lobby", "undo"))
        for _ in people:
            assert "has brought back 1 move" in await said(await host.slash("lobby", "redo"))
        assert await standing(home, record.id) == 2
        assert "has taken back 1 move" in await said(await people[-1].slash("lobby", "undo"))
        buyer = people[-1]
        lots = await buyer.autocomplete("lobby", "bid", "lot", lot="")
        lot = next(each["value"] for each in lots if "from" not in each["name"])
        await done(buyer, "lobby", "bid", lot=lot)
        assert "nothing to bring back" in await said(await host.slash("lobby", "redo"))


async def request(home: Evening, asker: Person, **options: int) -> str:
    """Ask for an undo that needs consent; the id of the card."""
    assert "The others are asked" in await said(await asker.slash("lobby", "undo", **options))
    card = await asker.sees("asks to take back", "lobby")
    assert card.reader is None
    return card.id


def others(home: Evening, asker: Person) -> list[Person]:
    return [home.person(name) for name in ("ann", "bo", "cy") if name != asker.user.name]


async def test_all_concerned_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await home.bot.store.set_game(record.id, host=int(home.person("dora").id))
        home.bot.service.forget(record.id)
        made = await passes(home, 3)
        asker = made[0]
        card = await request(home, asker)
        text = text_of(asker.find(card))
        for person in made:
            assert f"- {person.user.display_name}: Pass" in text
        await asker.click(card, "Agree")
        assert (await asker.sees("This button is not for you.", "lobby")).reader == asker.id
        first, second = others(home, asker)
        await first.click(card, "Agree")
        await asker.sees("Agreed so far", "lobby")
        assert await standing(home, record.id) == 3
        await second.click(card, "Agree")
        await home.table.until(lambda: "has taken back 3 move" in text_of(asker.find(card)))
        assert await standing(home, record.id) == 0
        assert len(await home.bot.store.log(record.id)) == 3
        assert buttons(asker.find(card)) == []


async def test_two_agree_at_the_same_moment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await home.bot.store.set_game(record.id, host=int(home.person("dora").id))
        home.bot.service.forget(record.id)
        made = await passes(home, 3)
        card = await request(home, made[0])
        await asyncio.gather(*(person.click(card, "Agree") for person in others(home, made[0])))
        await home.table.until(lambda: "has taken back 3 move" in text_of(made[0].find(card)))
        assert await standing(home, record.id) == 0


async def test_one_declines_and_the_moves_stand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        made = await passes(home, 3)
        card = await request(home, made[0])
        dora = home.person("dora")
        await dora.click(card, "Decline")
        assert (await dora.sees("You are not playing", "lobby")).reader == dora.id
        await others(home, made[0])[1].click(card, "Decline")
        await home.table.until(lambda: "has declined; the moves stand" in text_of(made[0].find(card)))
        assert await standing(home, record.id) == 3


async def test_who_agreed_to_a_request_that_was_declined_has_not_agreed_to_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        # The host is none of the three: they could decide alone.
        record = await put(home, START)
        await home.bot.store.set_game(record.id, host=int(home.person("dora").id))
        home.bot.service.forget(record.id)
        made = await passes(home, 3)
        first, second = others(home, made[0])
        card = await request(home, made[0])
        await first.click(card, "Agree")
        await home.table.until(lambda: "Agreed so far" in text_of(first.find(card)))
        await second.click(card, "Decline")
        await home.table.until(lambda: "has declined" in text_of(first.find(card)))
        now = home.bot.service.now
        monkeypatch.setattr(home.bot.service, "now", lambda: now() + timedelta(minutes=6))
        again = await request(home, made[0])
        assert again != card
        await second.click(again, "Agree")
        await home.table.until(lambda: "Agreed so far" in text_of(first.find(again)))
        assert await standing(home, record.id) == 3, "the first has agreed to another request only"
        await first.click(again, "Agree")
        await home.table.until(lambda: "has taken back 3 move" in text_of(first.find(again)))


async def test_a_request_that_is_declined_stays_declined_whoever_agrees_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await home.bot.store.set_game(record.id, host=int(home.person("dora").id))
        home.bot.service.forget(record.id)
        made = await passes(home, 3)
        first, second = others(home, made[0])
        card = await request(home, made[0])
        await first.click(card, "Agree")
        await home.table.until(lambda: "Agreed so far" in text_of(first.find(card)))
        old = second.find(card).components
        await second.click(card, "Decline")
        await home.table.until(lambda: "has declined" in text_of(first.find(card)))
        # A client that is behind still shows the buttons.
        second.find(card).components = old
        await second.click(card, "Agree")
        await home.table.until(lambda: "has declined" in text_of(first.find(card)))
        assert await standing(home, record.id) == 3


async def test_a_host_who_does_not_play_decides_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        await home.bot.store.set_game(record.id, host=int(home.person("dora").id))
        home.bot.service.forget(record.id)
        made = await passes(home, 3)
        asker = made[0]
        card = await request(home, asker, moves=3)
        await home.person("dora").click(card, "Agree")
        await home.table.until(lambda: "has taken back 3 move" in text_of(asker.find(card)))
        assert await standing(home, record.id) == 0


async def test_a_request_is_stale_after_another_move(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        made = await passes(home, 2)
        card = await request(home, made[0])
        await passes(home, 1)
        await others(home, made[0])[0].click(card, "Agree")
        await home.table.until(lambda: "The game has moved on; ask again" in text_of(made[0].find(card)))
        assert await standing(home, record.id) == 3


async def test_a_finished_game_is_taken_up_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("go_bankrupt"), bankruptcy_end=True)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        await done(person, "lobby", "move", move="go_bankrupt")
        await home.settled()
        assert (await home.record()).status == FINISHED
        assert "The game is over" in text_of(home.cards()[-1])
        refused = await said(await person.slash("lobby", "pass"))
        assert "The game is over." in refused
        assert "has taken back 1 move" in await said(await person.slash("lobby", "undo"))
        await home.settled()
        assert (await home.record()).status == PLAYING
        assert Guest(home, person.user.name, random.Random(1)).card("lobby") is not None


def _two_own_moves(game: Game) -> bool:
    moves = game.moves
    return len(moves) > 2 and moves[-1].player == moves[-2].player and game.offer().deciders == (moves[-1].player,)


async def test_several_own_moves_need_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(_two_own_moves)
        record = await put(home, position)
        person = home.person(position.moves[-1].player.lower())
        assert "has taken back 2 move" in await said(await person.slash("lobby", "undo", moves=2))
        assert await standing(home, record.id) == len(position.moves) - 2
        assert "has brought back 2 move" in await said(await person.slash("lobby", "redo"))
        assert await standing(home, record.id) == len(position.moves)
