"""House players that look ahead, in the bot: their level, how they think, and what they tell whoever asks."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

import titles
from bot.games import thinking
from bot.games.thinking import NoAnswer, Question, Thinking, question, thought
from engine.game import Game
from engine.house.ahead import LookAhead
from engine.house.players import TitleGreedy
from engine.house.reasons import Reason
from engine.moves import Move
from storage.records import PLAYING
from table.people import text_of
from workshop.evening.guests import NoPictures, buttons, evening

#: So few positions that a test does not wait.
FEW = 40


def advanced(moves: int, **options: object) -> Game:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], options, 3)
    mind, chance = TitleGreedy(), random.Random(1)
    while len(game.moves) < moves:
        player = game.offer().deciders[0]
        game.apply(mind.choose(game, player, chance))
    return game


# ---------------------------------------------------------------------- the process that thinks


async def test_it_thinks_in_a_process_of_its_own_and_the_same_as_here() -> None:
    game = advanced(60)
    player = game.offer().deciders[0]
    asked = question(game, player, "normal")
    here = Thinking(FEW)
    try:
        move = await here.move(asked)
    finally:
        await here.close()
    same = thought(Question(**{**asked.__dict__, "positions": FEW}), {})
    assert move == same
    game.apply(move)


async def test_who_takes_too_long_is_ended_and_the_next_question_gets_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = advanced(60)
    asked = question(game, game.offer().deciders[0], "normal")
    here = Thinking(FEW)
    try:
        await here.move(asked)
        monkeypatch.setattr(thinking, "FUSE_SECONDS", 0.0)
        with pytest.raises(NoAnswer, match="no answer"):
            await here.move(asked)
        assert here.counts["without answer"] == 1
        monkeypatch.setattr(thinking, "FUSE_SECONDS", 60.0)
        assert isinstance(await here.move(asked), Move)
    finally:
        await here.close()


async def test_people_are_answered_before_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    game = advanced(60)
    player = game.offer().deciders[0]
    done: list[str] = []

    async def answered(self: Thinking, asked: Question) -> object:
        await asyncio.sleep(0)
        done.append("person" if asked.reasons else "house")
        return [] if asked.reasons else game.moves[0]

    monkeypatch.setattr(Thinking, "_answered", answered)
    here = Thinking()
    await asyncio.gather(
        here.move(question(game, player, "normal")),
        here.move(question(game, player, "normal")),
        here.reasons(question(game, player, "normal", reasons=True)),
    )
    assert done.index("person") < 2, "only what had begun is finished first"
    assert done.count("house") == 2


async def test_what_cannot_be_thought_is_no_answer_and_stops_nothing() -> None:
    game = advanced(10)
    asked = question(game, "nobody", "normal")
    here = Thinking(FEW)
    try:
        with pytest.raises(NoAnswer):
            await here.move(asked)
        assert isinstance(await here.move(question(game, game.offer().deciders[0], "normal")), Move)
    finally:
        await here.close()


def test_a_question_says_nothing_that_the_one_who_asks_cannot_know() -> None:
    game = advanced(120, destiny_cards=True)
    me = game.offer().deciders[0]
    asked = question(game, me, "normal")
    assert asked.state.secrets[me] == game.state.secrets[me]
    assert all(getattr(m, "card", "") == "" for m in asked.moves if m.TYPE == "discard_destiny" and m.player != me)
    other = next(seat for seat in game.state.seats if seat != me)
    swapped = game.copy()
    hands = [seat for seat in game.state.seats if seat != other]
    swapped.state.secrets[hands[0]], swapped.state.secrets[hands[1]] = (
        game.state.secrets[hands[1]],
        game.state.secrets[hands[0]],
    )
    one = question(game, me, "normal", reasons=True, eyes=other)
    two = question(swapped, me, "normal", reasons=True, eyes=other)
    assert one.state.secrets[other] == game.state.secrets[other]
    assert one.state == two.state, "who asks about somebody else gets the same answer whatever is hidden from them"


def test_a_level_is_bounded_by_the_host() -> None:
    assert thinking.bounded("hard", 100).positions == 100
    assert thinking.bounded("normal", 100_000).positions == thinking.bounded("normal", 0).positions


# ---------------------------------------------------------------------- at the table


async def test_the_lobby_shows_the_level_and_changes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        card = await home.lobby("ann", "bo", seats=4)
        assert not any("House plays" in label for label in buttons(ann.find(card)))
        await ann.click(card, "Add a house player")
        await ann.sees("(house, normal)", "lobby")
        await bo.click(card, "House plays: hard")
        await bo.sees("Only the host", "lobby")
        await ann.click(card, "House plays: hard")
        await ann.sees("(house, hard)", "lobby")
        await ann.click(card, "Add a house player")
        await ann.sees("Seats (4 of 4)", "lobby")
        assert [seat.house for seat in (await home.record()).seats] == ["", "", "hard", "hard"]
        await ann.click(card, "House plays: easy")
        await ann.sees("(house, easy)", "lobby")
        assert [seat.house for seat in (await home.record()).seats] == ["", "", "easy", "easy"]


async def test_a_game_alone_begins_with_two_taps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        home.bot.service.houses.thinking.positions = FEW
        ann = home.person("ann")
        page = await (await ann.slash("lobby", "game new", seats=3, where="here")).settled()
        assert page.message is not None
        await ann.click(page.message, "Play alone against the house")
        await home.table.until(lambda: any("your turn" in text_of(message) for message in ann.messages("lobby")))
        record = await home.record()
        assert record.status == PLAYING
        assert sorted(seat.house for seat in record.seats) == ["", "normal", "normal"]


async def test_hint_and_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        home.bot.service.houses.thinking.positions = FEW
        ann, bo = home.person("ann"), home.person("bo")
        card = await home.lobby("ann", "bo", title="rhl", seed=5, seats=3)
        await ann.click(card, "Add a house player")
        await ann.sees("(house, normal)", "lobby")
        await ann.click(card, "Start")
        await home.settled()
        for _ in range(8):
            await home.settled()
            live = await home.live()
            if any(live.seat(move.player).house for move in live.game.moves):
                break
            decider = live.game.offer().deciders[0]
            choice = live.game.offer().find("pass", decider)
            assert choice is not None
            user = next(seat.user for seat in live.record.seats if seat.name == decider)
            await home.bot.service.play(live.record.id, user, choice.move({}), interaction=None, expected=live.length)
        await home.settled()
        live = await home.live()
        decider = live.game.offer().deciders[0]
        me, other = (ann, bo) if decider == "Ann" else (bo, ann)
        told = [(await (await me.slash("lobby", "hint")).settled()).text for _ in range(2)]
        assert "What the house would do in your place" in told[0]
        assert told[0] == told[1], "whoever asks twice gets the same answer"
        assert "1. " in told[0]
        refused = (await (await other.slash("lobby", "hint")).settled()).text
        assert "whoever has to decide" in refused
        because = (await (await other.slash("lobby", "why")).settled()).text
        moved = next(move.player for move in reversed(live.game.moves) if live.seat(move.player).house)
        assert f"**{moved}**" in because
        assert "this is what it did" in because or "- " in because


async def test_a_move_that_was_thought_of_for_another_position_is_not_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While the house thinks the game is not locked: who ends or changes it is answered at once."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow(self: Thinking, asked: Question) -> Move:
            begun.set()
            await go_on.wait()
            return LookAhead(thinking.bounded("normal", FEW)).choose(asked.game(), asked.player, random.Random(0))

        monkeypatch.setattr(Thinking, "move", slow)
        ann = home.person("ann")
        card = await home.lobby("ann", seats=3, seed=4)
        for number in (2, 3):
            await ann.click(card, "Add a house player")
            await ann.sees(f"Seats ({number} of 3)", "lobby")
        await ann.click(card, "Start")
        await home.table.until(lambda: begun.is_set() or "your turn" in " ".join(map(text_of, ann.messages("lobby"))))
        live = await home.live()
        if not begun.is_set():
            choice = live.game.offer().find("pass")
            assert choice is not None
            await home.bot.service.play(live.record.id, ann.id, choice.move({}), interaction=None, expected=live.length)
            await asyncio.wait_for(begun.wait(), 20)
        before = (await home.live()).length
        async with asyncio.timeout(20):
            await (await ann.slash("lobby", "host pause")).settled()
        go_on.set()
        await home.bot.service.houses.idle()
        log = await home.bot.store.log(live.record.id)
        assert len([entry for entry in log if entry.user == 0]) == before - (before > 0)


def test_a_reason_compares_with_the_next_and_names_a_part() -> None:
    game = advanced(60)
    player = game.offer().deciders[0]
    asked = question(game, player, "normal", reasons=True)
    found = thought(Question(**{**asked.__dict__, "positions": 200}), {})
    assert isinstance(found, list)
    assert all(isinstance(each, Reason) for each in found)
    assert 1 <= len(found) <= 3
    assert [each.move for each in found] == list(dict.fromkeys(each.move for each in found))
    if len(found) > 1:
        assert found[0].better >= 0 or found[1].better <= 0
