"""Old cards close: they shrink to their record, and what was taken back is struck through."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from engine.game import Game
from table.model import Message
from table.people import Outcome, text_of
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, done, evening, is_closed
from workshop.evening.positions import Position, offered, put, search

START = Position(4, ())


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


async def pass_turn(home: Evening) -> str:
    """Whoever's turn it is passes; the name."""
    player = (await home.live()).game.offer().deciders[0]
    await done(home.person(player.lower()), "lobby", "pass")
    await home.settled()
    return player


def open_cards(home: Evening) -> list[Message]:
    return [card for card in home.cards() if not is_closed(card)]


async def test_a_card_shrinks_to_its_record_when_the_turn_has_passed_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, START)
        first = await pass_turn(home)
        second = await pass_turn(home)
        cards = home.cards()
        assert open_cards(home) == [cards[-1]]
        old = cards[-2]
        assert f"**{second}**: this turn is over" in text_of(old)
        # Its own move and no other: that of the turn before stands in the record before.
        assert f"- {second} passes" in text_of(old)
        assert f"{first} passes" not in text_of(old)
        assert f"> {second} passes" in text_of(cards[-1])
        assert "your turn" not in text_of(old)
        assert home.person(second.lower()).mention not in text_of(old)
        assert not buttons(old)
        assert not old.attachments
        assert cards[-1].attachments


async def test_a_card_whose_turn_was_taken_back_is_struck_through(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        player = await pass_turn(home)
        record, undone = home.cards()[-2:]
        assert f"**{player}**: this turn is over" in text_of(home.person("ann").find(record))
        await said(await home.person(player.lower()).slash("lobby", "undo"))
        await home.settled()
        old = home.person("ann").find(undone)
        assert "✗ Taken back" in text_of(old)
        assert not buttons(old)
        # The turn that it ended goes on: its last move has fallen.
        before = text_of(home.person("ann").find(record))
        assert f"- ~~{player} passes.~~" in before
        assert f"**{player}**: this turn goes on below" in before
        assert len(open_cards(home)) == 1
        assert home.person(player.lower()).mention in text_of(home.cards()[-1])


async def test_a_line_that_was_taken_back_within_a_turn_is_struck_through(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, search(offered("lay_tile")))
        player = (await home.live()).game.offer().deciders[0]
        person = home.person(player.lower())
        await pass_turn(home)
        card = home.cards()[-1]
        passed = next(line for line in text_of(card).splitlines() if "passes (" in line).removeprefix("- ")
        await said(await person.slash("lobby", "undo"))
        await home.settled()
        assert home.cards()[-1].id == card.id, "the turn is the same, so its card is edited"
        assert f"- ~~{passed}~~" in text_of(home.cards()[-1])
        assert "Map" in buttons(home.cards()[-1])


async def test_several_cards_are_struck_through_when_several_turns_are_taken_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        names = [await pass_turn(home), await pass_turn(home)]
        struck = [card.id for card in home.cards()[-3:-1]]
        host = home.person("ann")
        await said(await host.slash("lobby", "undo", moves=2))
        request = await host.sees("Agree", "lobby")
        for name in {*names} - {"Ann"}:
            await home.person(name.lower()).click(request, "Agree")
        await home.told("has taken back 2 move")
        await home.settled()
        texts = {card.id: text_of(card) for card in home.cards()}
        assert [f"~~{name} passes.~~" in texts[card] for name, card in zip(names, struck, strict=True)] == [True, True]


async def test_a_card_is_closed_after_a_restart_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        await put(home, START)
        await pass_turn(home)
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            player = await pass_turn(anew)
            assert len(open_cards(anew)) == 1
            assert f"**{player}**: this turn is over" in text_of(anew.cards()[-2])


async def test_a_card_that_discord_did_not_let_us_close_is_closed_with_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        fault = home.table.faults.fail("PATCH /channels/.*/messages", status=400, times=1)
        await pass_turn(home)
        assert fault.hits
        assert len(open_cards(home)) == 2
        await pass_turn(home)
        assert len(open_cards(home)) == 1


async def test_house_players_leave_no_card_that_asks_for_their_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        card = await home.lobby("ann", seats=3)
        for number in (2, 3):
            await ann.click(card, "Add a house player")
            await ann.sees(f"Seats ({number} of 3)", "lobby")
        await ann.click(card, "Start")
        await ann.sees("your turn", "lobby")
        guest = Guest(home, "ann", random.Random(2))
        for _ in range(5):
            await home.settled()
            assert len(open_cards(home)) == 1
            await guest.turn("lobby")
        await home.settled()
        assert not [text_of(each) for each in home.cards() if "(house), it is your turn" in text_of(each)]
        assert not [text_of(each) for each in home.cards() if "(house): this turn" in text_of(each)]


async def test_head_and_lines_of_a_card_are_of_one_position(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A move that comes while a card is being made is told with the next one."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        store, service = home.bot.store, home.bot.service
        live = await service.live(record.id)
        to_tell, seen = store.to_tell, list[int]()

        async def late(game: int, **named: bool) -> object:
            found = await to_tell(game, **named)
            seen.append(game)
            if len(seen) == 1:
                # After the outbox was read, before the position is taken.
                now = await service.live(game)
                player = now.game.offer().deciders[0]
                move = now.game.offer().find("pass", player).move({})  # type: ignore[union-attr]
                await service.play(game, now.seat(player).user, move, interaction=None)
            return found

        monkeypatch.setattr(store, "to_tell", late)
        first = await pass_turn(home)
        texts = [text_of(card) for card in home.cards()]
        assert sum(text.count("- " + first + " passes") for text in texts) == 1
        assert sum(line.startswith("- ") and "passes" in line for text in texts for line in text.splitlines()) == 2
        assert live.game.offer().deciders[0] == first


async def test_the_card_of_a_starting_package_shows_the_lots_and_not_an_empty_map(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, START)
        await pass_turn(home)
        large = home.cards()[-1].attachments[0]
        assert large.filename == "auction.png"
        assert "for sale now at" in (large.description or "")


def _laying(moves: int, game: Game) -> bool:
    return len(game.moves) >= moves and offered("lay_tile")(game)


async def test_the_map_of_a_companys_turn_is_a_part_that_needs_no_bars(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = 0
    for moves in (40, 90, 150):
        position = search(partial(_laying, moves))
        async with evening(monkeypatch, tmp_path / str(moves)) as home:
            await put(home, position)
            await home.settled()
            large = home.cards()[-1].attachments[0]
            assert large.filename == "map.png"
            assert large.height is not None
            assert large.width is not None
            assert large.height <= 1.2 * large.width, "else it stands in bars on a desktop"
            seen += 1
    assert seen == 3
