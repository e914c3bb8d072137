"""A card marks what is new since the last move of those who have to decide."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bot.announce.announcer import last_seen
from engine.changes import View
from engine.house.players import Greedy
from workshop.evening.guests import Evening, evening

PEOPLE = ("ann", "bo", "cy")


async def play(home: Evening, moves: int) -> None:
    """So many moves by the house's judgement, made by the people at the table."""
    record = await home.record()
    users = {seat.name: seat.user for seat in record.seats}
    chance = random.Random(5)
    for _ in range(moves):
        live = await home.live()
        player = live.game.offer().deciders[0]
        move = Greedy().choose(live.game, player, chance)
        await home.bot.service.play(record.id, users[player], move, interaction=None, expected=live.length)


async def test_what_somebody_saw_is_known_after_moves_undo_redo_and_a_restart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        record = await home.begin(*PEOPLE, seed=5)
        assert last_seen(await home.live()) is None
        await play(home, 60)
        service = home.bot.service

        async def right() -> None:
            live = await home.live()
            for name in (seat.name for seat in record.seats):
                moves = [number for number, move in enumerate(live.game.moves, start=1) if move.player == name]
                assert live.seen[name].moves == moves[-1]
            seen = last_seen(live)
            assert seen is not None
            assert seen.moves == min(live.seen[name].moves for name in live.game.offer().deciders)

        await right()
        before = (await home.live()).seen
        live = await home.live()
        host = record.seats[0].user
        await service.undo(record.id, host, 7, interaction=None, expected=live.length)
        await right()
        # By a host who does not play.
        await home.bot.store.set_game(record.id, host=1)
        service.forget(record.id)
        await service.redo(record.id, 1, interaction=None)
        await right()
        assert (await home.live()).seen == before
        service.forget(record.id)
        assert (await home.live()).seen == before


async def test_the_market_of_a_card_tells_what_moved_since_the_players_own_last_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        await home.begin(*PEOPLE, seed=6)
        await play(home, 45)
        told = 0
        for _ in range(12):
            await home.settled()
            live = await home.live()
            seen = last_seen(live)
            assert seen is not None
            turn_of_before = live.game.moves[-1].player not in live.game.offer().deciders
            text = " ".join(each.description or "" for each in home.cards()[-1].attachments)
            moved = {code for code, price in seen.prices.items() if live.game.company(code).price != price}
            if turn_of_before and moved:
                assert f"Since move {seen.moves}:" in text
                told += 1
            await play(home, 1)
        assert told >= 2


async def test_a_view_is_not_changed_by_later_moves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        await home.begin(*PEOPLE, seed=5)
        await play(home, 40)
        live = await home.live()
        view = View.of(live.game)
        await play(home, 20)
        assert view == View.of(live.game)
        assert view != View.of((await home.live()).game)


async def test_nothing_is_new_since_a_move_that_was_taken_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        record = await home.begin(*PEOPLE, seed=5)
        for taken in (1, 3):
            await play(home, taken)
            await home.settled()
            live = await home.live()
            await home.bot.service.undo(record.id, record.host, taken, interaction=None, expected=live.length)
            await home.settled()
            texts = [attachment.description or "" for attachment in home.cards()[-1].attachments]
            told = [int(number) for text in texts for number in re.findall(r"(?i)since move (\d+)", text)]
            now = len((await home.live()).game.moves)
            assert all(number <= now for number in told), texts
