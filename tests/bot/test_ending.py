"""The end: a final card that names everybody, a rematch with the same people, and the game as a file."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta
from pathlib import Path

import pytest

import titles
from engine import codec
from engine.game import Game
from engine.house.players import HOUSES, Greedy
from renderers.kit.fonts import fitted
from renderers.kit.tables import Text
from renderers.kit.theme import LIGHT
from renderers.kit.words import Words
from renderers.pages.final import draw_final, final_table, standings
from storage.records import LOBBY
from table.people import Outcome, Person, text_of
from workshop.evening.guests import NoPictures, buttons, evening
from workshop.evening.positions import Position, put, search

START = Position(4, ())


def last_position() -> Position:
    """One move before the end of a game."""
    position = search(lambda game: game.finished)
    return Position(position.seed, position.moves[:-1], position.options)


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


def files(person: Person) -> list[str]:
    """The files that only this person got."""
    messages = [message for message in person.messages("lobby") if message.reader]
    return [file.filename for message in messages for file in message.attachments]


def finished(title: str) -> Game:
    game = titles.new_game(title, ["Ann", "Bo", "Cy", "Dora"], {}, 3)
    chance = random.Random(3)
    while not game.finished:
        game.apply(Greedy().choose(game, game.offer().deciders[0], chance))
    return game


async def test_the_final_card_names_all_and_offers_a_rematch_and_the_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = last_position()
    done = search(lambda game: game.finished)
    async with evening(monkeypatch, tmp_path) as home:
        record = await put(home, position)
        live = await home.live()
        move = done.moves[len(position.moves)]
        await home.bot.service.play(record.id, live.seat(move.player).user, move, interaction=None)
        await home.settled()
        card = home.cards()[-1]
        text = text_of(card)
        people = [home.person(name) for name in ("ann", "bo", "cy")]
        _, winner, score = standings((await home.live()).game)[0]
        assert f"★ **{winner}** wins with {score} M." in text
        assert all(person.mention in text for person in people)
        assert set(card.mentions) == {person.id for person in people}, "an end is told to all"
        assert re.search(r"\d+ stock rounds$", text, re.MULTILINE), "less than a day is not told"
        assert card.attachments[0].filename == "final.png"
        assert f"1. {winner} {score}" in (card.attachments[0].description or "")
        # The game to take home plays through again.
        exported = await people[1].click(card, "Export")
        await said(exported)
        file = next(
            message.attachments[0]
            for message in reversed(people[1].messages("lobby"))
            if message.reader and message.attachments
        )
        assert file.filename == f"rhl-{record.id}.json"
        # Rematch: by those who have played, with the same options and people, a new seed.
        assert "You are not playing in this game" in await said(await home.person("dora").click(card, "Rematch"))
        assert "The lobby is open" in await said(await people[1].click(card, "Rematch"))
        again = await home.record()
        assert again.status == LOBBY
        assert again.host == int(people[1].id)
        assert [seat.user for seat in again.seats] == [int(people[1].id)]
        assert set(again.invited) == {int(people[0].id), int(people[2].id)}
        assert again.options == record.options
        assert again.seed != record.seed
        lobby = people[0].last("lobby")
        assert "Start" in buttons(lobby)
        assert set(lobby.mentions) == {people[0].id, people[2].id}


async def test_a_person_and_a_server_get_so_many_exports_within_an_hour(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        ann, bo, cy = (home.person(name) for name in ("ann", "bo", "cy"))
        now = home.bot.service.now()
        monkeypatch.setattr(home.bot.service, "now", lambda: now)
        asked = await ann.slash("lobby", "host end")
        await said(asked)
        assert asked.message is not None
        await said(await ann.click(asked.message, "Confirm"))
        card = await home.told("The host has ended the game")

        async def exports(person: Person) -> bool:
            before = len(files(person))
            text = await said(await person.click(card, "Export"))
            got = len(files(person)) > before
            assert got != ("that is the most" in text)
            return got

        assert "within an hour: 2" in await said(
            await ann.slash("lobby", "server limits", what="exports_of_person", most=2)
        )
        assert [await exports(bo) for _ in range(3)] == [True, True, False]
        assert await exports(cy), "what one person has had is not counted for another"
        await said(await ann.slash("lobby", "server limits", what="exports_of_server", most=4))
        assert [await exports(person) for person in (ann, cy)] == [True, False]
        now += timedelta(hours=1)
        assert await exports(bo), "an hour later"


@pytest.mark.parametrize("title", [title.id for title in titles.known()])
def test_the_parts_of_a_score_add_up(title: str) -> None:
    game = finished(title)
    picture = draw_final(game)
    assert picture.width == 900
    table = final_table(game, Words("de"), LIGHT, 872)
    # People are drawn with the badge of their seat; all else is text.
    rows = [[cell if isinstance(cell, str) else getattr(cell, "text", "") for cell in row] for row in table.rows]
    # Where there are many companies they stand below each other, and people side by side.
    down = len(rows) > len(game.players)
    people = [list(column) for column in zip(*rows, strict=True)][1:] if down else [row[2:] for row in rows]
    for texts, (_, name, score) in zip(people, standings(game), strict=True):
        *parts, _, total = texts
        assert sum(int(part.replace("−", "-")) for part in parts if part != "·") == int(total) == score, name


def test_nothing_in_a_final_table_is_cut_off_where_there_are_many_companies() -> None:
    game, chance = titles.new_game("ruhr", ["Ann", "Bo", "Cy"], {}, 3), random.Random(3)
    while not game.finished:
        game.apply(HOUSES["greedy"]().choose(game, game.offer().deciders[0], chance))
    table = final_table(game, Words("de"), LIGHT, 872)
    for column, wide in zip(table.columns, table.widths, strict=True):
        if isinstance(column.title, str):
            least = round(table.head_size * 0.7)
            assert fitted(column.title, wide - table.pad, table.head_size, least)[0] == column.title
        else:
            assert column.title.width <= wide
    for row in table.rows:
        for number, cell in enumerate(row):
            item = Text(cell) if isinstance(cell, str) else cell
            if not isinstance(item, Text):
                continue
            assert "…" not in "".join(table._lines(item, table.widths[number] - table.pad)[0]), item


def test_an_exported_game_is_a_saved_game() -> None:
    game = finished("rhl")
    text = codec.write(game)
    assert json.loads(text)
    assert titles.load_game(text).state.digest() == game.state.digest()
