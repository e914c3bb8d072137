"""18DO's introductory game by what newcomers see: whole games in the panel, a lesson at every step, its own table."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import ClassVar

import pytest

import titles
from bot.cogs.look import rules_text
from bot.panel.pages import home_card
from bot.picking.entries import spread
from bot.texts import LANGUAGES, speaker
from bot.words.wording import event_lines, lesson
from engine import events as ev
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import LayTile
from engine.rounds.turns import TurnRound
from renderers.pages.own import draw_pages
from table.model import Message
from table.people import text_of
from tests.bot.test_panels_fit import live
from tests.bot.test_short_game import without_prices
from tests.bot.test_whole_game import PEOPLE, check_end, kinds
from workshop.evening.guests import Guest, NoPictures, Sitter, Typist, evening, play_out

KINDS = {
    "take_certificate", "discard_certificate", "set_aside", "lay_tile", "place_station", "link_location",
    "replace_train",
}  # fmt: skip
TASTE = (
    ("take_certificate", 1.0), ("set_aside", 0.4), ("discard_certificate", 1.0), ("replace_train", 0.9),
    ("swap_trains", 0.3), ("link_location", 0.5),
)  # fmt: skip


class Newcomer(Sitter):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


class TypingNewcomer(Typist):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


def tells_all(card: Message) -> None:
    text = text_of(card)
    assert not re.search(r"\b[A-Z][a-z]+[A-Z][a-z]\w*: ", text), f"an event without words: {text}"
    assert "went wrong" not in text
    assert "****" not in text, "a sentence without its company"
    without_prices(text.replace("no money", "").replace("runs for 0 M", ""))


@pytest.mark.slow
async def test_three_newcomers_play_a_whole_game_in_the_panel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(2)
        await home.begin(*PEOPLE, title="do:efs", seed=2)
        guests: list[Guest] = [Newcomer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=tells_all)
        await check_end(home)
        assert await kinds(home) >= KINDS
        for name in PEOPLE:
            for panel in home.person(name).messages("lobby"):
                if panel.reader is not None:
                    tells_all(panel)


@pytest.mark.slow
async def test_one_person_plays_against_the_house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two house players fill the table, and the game comes to its end."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(5)
        # A whole game is what is tested here, not how well the house plays it.
        home.bot.service.houses.thinking.positions = 40
        ann = home.person("ann")
        card = await home.lobby("ann", title="do:efs", seed=5, seats=3)
        for number in (2, 3):
            await (await ann.click(card, "Add a house player")).settled()
            await ann.sees(f"Seats ({number} of", "lobby")
        await ann.click(card, "Start")
        await ann.sees("your turn", "lobby", 120)
        await home.settled()
        await play_out(home, [Newcomer(home, "ann", chance)], "lobby", chance, watch=tells_all)
        live = await home.live()
        assert live.game.finished
        assert sum(live.game.rules.score(live.game).values()) > 0
        assert sum(seat.house != "" for seat in live.record.seats) == 2


@pytest.mark.slow
async def test_three_people_play_by_slash_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(6)
        await home.begin(*PEOPLE, title="do:efs", seed=6)
        guests: list[Guest] = [TypingNewcomer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        assert await kinds(home) >= {"take_certificate", "lay_tile"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_lobby_recommends_it(players: int) -> None:
    title, form = titles.suggested(players)[0]
    assert (title.id, form.id) == ("do", "efs")


# ---------------------------------------------------------------------- lessons


def positions() -> dict[str, Game]:
    """A position for each step of a turn."""
    game = titles.new_game("do", ["Ann", "Bo", "Cy"], {}, 8, "efs")
    chance, mind = random.Random(8), HOUSES["random"]()
    found: dict[str, Game] = {}
    while not game.finished:
        found.setdefault(game.state.round.step, game.copy())
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_a_form_for_learning_has_its_lesson(language: str) -> None:
    taught = 0
    for box in titles.known():
        say = speaker(language, box.id)
        for form in box.forms:
            rounds = titles.rules(box.id, form.players[0], form=form.id).rounds.values()
            turns = [found for round_ in rounds if isinstance(round_, TurnRound) for found in round_.steps.values()]
            steps = [name for found in turns for name in found.order]
            with_lesson = [step for step in steps if say.known(f"lesson.{form.id}.{step}")]
            asked = [step for step in steps if step not in ("run", "dividend")]
            assert not with_lesson or with_lesson == asked
            taught += len(with_lesson)
    assert taught == 5


def test_the_lesson_stands_in_the_panel_under_the_step() -> None:
    say = speaker("en")
    found = positions()
    assert found.keys() >= {"take", "track", "build", "exchange"}
    for step, game in found.items():
        text = lesson(say, game)
        assert text.startswith("> "), step
        player = game.offer().deciders[0]
        card = home_card(live(game), say, player, spread(say, game, player, panel=True), [])
        assert text in "\n".join(str(part) for part in _texts(card)), step
        assert not re.search(r"\d\sM\b", _texts(card)[0].partition("\n")[0]), "nothing has a price here"
    over = found["take"].copy()
    over.state.finished = "certificates"
    assert lesson(say, over) == ""
    other = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 1)
    assert lesson(say, other) == ""


def _texts(card: object) -> list[str]:
    return [item.content for item in card.walk_children() if hasattr(item, "content")]  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tile_by_somebody_without_a_railway_is_told_without_one(language: str) -> None:
    say = speaker(language, "do")
    event = ev.TileLaid("", "H9", "1904", 2, "", 0, "")
    (line,) = event_lines(say, [event.data()])
    assert "**" not in line
    assert "H9" in line
    game = positions()["track"]
    assert LayTile("Ann", "", "H9", "1904", 2).company == ""
    assert rules_text(say, game)


# ---------------------------------------------------------------------- the table


def test_the_table_shows_stacks_and_trains() -> None:
    game = titles.new_game("do", ["Ann", "Bo", "Cy"], {}, 8, "efs")
    stacks, trains = game.rules.pages(game)
    rows = {row[0]: row for row in stacks.rows}
    assert rows["BME"] == ("BME", "–", "–", "20 % ★", "9", "–")
    assert rows["DGEE"][3:5] == ("30 % ★", "8")
    assert (trains.columns, trains.rows) == (("2", "3", "4", "5", "6", "8"), (("3", "2", "2", "2", "2", "3"),))
    player = game.offer().deciders[0]
    game.apply(game.offer().choices[0].move({"company": "BME"}))
    assert {row[0]: row for row in game.rules.pages(game)[0].rows}["BME"] == ("BME", player, "2", "10 %", "8", "–")
    picture = draw_pages(game)
    assert picture.width > 300
    assert "BME" in picture.alt["en"]
