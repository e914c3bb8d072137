"""A game with somebody who has no seat: two people play it whole in the panel, and everything tells of him."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import ClassVar

import pytest

import titles
from bot.cards.facts import decider_facts
from bot.cards.rules import topic_text
from bot.cli.text import describe
from bot.cogs.look import rules_text
from bot.texts import LANGUAGES, speaker
from engine.game import Game
from engine.house.players import HOUSES
from renderers import draw_charter, draw_final, draw_sheet
from table.model import Message
from table.people import text_of
from tests.bot.guests import Guest, NoPictures, Sitter, evening, play_out
from tests.bot.test_whole_game import check_end, kinds

PEOPLE = ("ann", "bo")
TASTE = (("choose_card", 1.0), ("answer_card", 1.0), ("offer_for_card", 0.4), ("place_harbour", 1.0))


class PanelPlayer(Sitter):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


def whole_sentences(card: Message) -> None:
    text = text_of(card)
    assert not re.search(r"\b[A-Z][a-z]{2,}[A-Z]\w*: ", text), f"an event without words: {text}"
    assert "went wrong" not in text
    assert not re.search(r"\binvestor\b(?!_)", text), f"his name as the rules have it: {text}"


@pytest.mark.slow
async def test_two_people_play_a_game_with_the_investor_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []

    def watch(card: Message) -> None:
        whole_sentences(card)
        said.append(text_of(card))

    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(3)
        await home.begin(*PEOPLE, title="lra:investor", seed=3, options="card_offer=true lower_capital=true")
        guests: list[Guest] = [PanelPlayer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=watch)
        await check_end(home)
        found = await kinds(home)
        assert found >= {"buy_lot", "found", "choose_card", "lay_tile", "run", "offer_for_card", "pass"}
        told = "\n".join(said)
        for sentence in (
            "The Investor's corporation is",
            "The Investor takes",
            "gets the Investor's card",
            "runs next",
        ):
            assert sentence in told
        for name in PEOPLE:
            for panel in home.person(name).messages("lobby"):
                if panel.reader is not None:
                    whole_sentences(panel)


# ---------------------------------------------------------------------- texts and pictures in many positions


def positions() -> list[Game]:
    """The last position of each step of a game, and its end."""
    game = titles.new_game("lra", ["Ann", "Bo"], {"card_offer": True}, 8, "investor")
    chance, mind = random.Random(8), HOUSES["greedy"]()
    found: dict[tuple[str, str, str], Game] = {}
    while not game.finished:
        asked = game.state.pauses[0].kind if game.state.pauses else ""
        found[game.state.round.kind, game.state.round.step, asked] = game.copy()
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    return [*found.values(), game]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_facts_and_pictures_tell_of_him(language: str) -> None:
    say = speaker(language, "lra")
    seen = positions()
    assert {"choose_card"} <= {game.state.pauses[0].kind for game in seen if game.state.pauses}
    for game in seen:
        own = game.state.facts["investor"]["company"]
        texts = [topic_text(say, game, topic) for topic in ("order", "limit")]
        texts += [rules_text(say, game)]
        if not game.finished:
            facts = decider_facts(say, game)
            assert any("Investor" in line and own in line for line in facts)
            texts += facts
        for text in texts:
            assert not re.search(r"\binvestor\b", text), text
        sheet = draw_sheet(game, language=language)
        assert "investor" not in sheet.alt[language]
        assert game.finished or "Investor" in sheet.alt[language]
        assert "Investor" in draw_charter(game, own, language=language).alt[language]
        assert "worth     -" in describe(game)
    assert "Investor" in rules_text(say, seen[0])
    final = draw_final(seen[-1], language=language).alt[language]
    assert "Ann" in final
    assert "nvestor" not in final, "only the players have a place"


def test_what_must_be_done_for_his_company_is_told_with_its_clause() -> None:
    say = speaker("en", "lra")
    lines = [line for game in positions() if not game.finished for line in decider_facts(say, game)]
    assert any("must take one of the two cards (LRA-9.3-b)" in line for line in lines)
