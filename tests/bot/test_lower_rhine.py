"""A whole game of 18LRA with four, in the panel; and what its things are called there."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import ClassVar

import pytest

import titles
from bot.cogs.look import rules_text
from bot.picking.entries import spread
from bot.texts import LANGUAGES, speaker
from bot.words.briefing import decider_facts
from bot.words.wording import event_lines
from engine.game import Game
from engine.house.players import HOUSES
from table.model import Message
from table.people import text_of
from tests.bot.test_whole_game import KINDS, check_end, kinds
from workshop.evening.guests import Guest, NoPictures, Sitter, evening, play_out

PEOPLE = ("ann", "bo", "cy", "dora")
TASTE = (("assign_to", 1.0), ("place_harbour", 1.0))


class PanelPlayer(Sitter):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


def told_in_words(card: Message) -> None:
    text = text_of(card)
    assert not re.search(r"\b(?:[A-Z][a-z]+){2,}: ", text), f"an event without words: {text}"
    assert "went wrong" not in text


@pytest.mark.slow
async def test_four_people_play_a_whole_game_in_the_panel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(3)
        await home.begin(*PEOPLE, title="lra", seed=3)
        guests: list[Guest] = [PanelPlayer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=told_in_words)
        await check_end(home)
        assert await kinds(home) >= {*KINDS, "place_station", "place_harbour"}
        for name in PEOPLE:
            for panel in home.person(name).messages("lobby"):
                if panel.reader is not None:
                    told_in_words(panel)


# ---------------------------------------------------------------------- words


def positions(*, wanted: str) -> tuple[Game, tuple[object, ...]]:
    """The first position of house players' games in which a kind of move is on offer, and what it brought last."""
    for seed in range(40):
        game = titles.new_game("lra", ["Ann", "Bo", "Cy"], {"scenario": "2"}, seed)
        chance, mind = random.Random(seed), HOUSES["greedy"]()
        happened: tuple[object, ...] = ()
        while not game.finished:
            if game.offer().find(wanted) is not None:
                return game, happened
            happened = game.apply(mind.choose(game, game.offer().deciders[0], chance))
    raise AssertionError(f"nobody ever has {wanted}")


def test_the_harbour_token_stands_on_the_card_with_its_price() -> None:
    say = speaker("en", "lra")
    game, _ = positions(wanted="place_harbour")
    choice = game.offer().find("place_harbour")
    assert choice is not None
    option = choice.ask({}).options[0]  # type: ignore[union-attr]
    found = spread(say, game, choice.player, panel=True)
    labels = [entry.text for entry in (*found.entries, *found.kinds)]
    assert any("harbour" in label for label in labels), labels
    happened = game.apply(choice.move({"hex": option.value}))
    lines = event_lines(say, [event.data() for event in happened])
    assert f"**{choice.company}** places its harbour token on {option.value} for {option.facts['cost']} M." in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_must_choose_a_company_is_told_what_for(language: str) -> None:
    say = speaker(language, "lra")
    game, _ = positions(wanted="assign_to")
    asked = game.state.pauses[0].kind
    told = decider_facts(say, game)[-1]
    assert say(f"question.{asked}") in told
    assert {"dalheim": "LRA-4.1.2-d", "gkb": "LRA-4.1.2-o"}[asked] in told


def test_the_rules_say_what_is_reconstructed_or_repaired() -> None:
    game = titles.new_game("lra", ["Ann", "Bo", "Cy"], {}, 1)
    text = rules_text(speaker("en", "lra"), game)
    for part in ("how many 6-trains there are", "river sides", "homes of CCE and CME"):
        assert part in text, part
