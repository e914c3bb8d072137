"""18DO's Railway Game for two: played whole in the panel, and everything tells of the Investor and his money."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import ClassVar

import pytest

import titles
from bot.cards.facts import decider_facts
from bot.cards.rules import topic_text
from bot.cogs.look import rules_text
from bot.texts import LANGUAGES, speaker
from engine.game import Game
from engine.house.players import HOUSES
from renderers import draw_charter, draw_final, draw_sheet
from table.model import Message
from table.people import text_of
from tests.bot.guests import Guest, NoPictures, evening, play_out
from tests.bot.test_investor_game import whole_sentences
from tests.bot.test_railway_game import Brewer
from tests.bot.test_whole_game import check_end, kinds

PEOPLE = ("ann", "bo")


class Partner(Brewer):
    """Takes what is asked about the Investor's card, and often offers money for it."""

    TASTE: ClassVar = (("choose_card", 1.0), ("answer_card", 1.0), ("offer_for_card", 0.5), *Brewer.TASTE)


@pytest.mark.slow
async def test_two_people_play_the_railway_game_with_the_investor_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []

    def watch(card: Message) -> None:
        whole_sentences(card)
        said.append(text_of(card))

    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(4)
        await home.begin(*PEOPLE, title="do:trg2", seed=4, options="card_offer=true")
        guests: list[Guest] = [Partner(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=watch)
        await check_end(home)
        assert await kinds(home) >= {"bid", "choose_card", "found", "run", "offer_for_card", "answer_card", "pass"}
        told = "\n".join(said)
        for sentence in (
            "The Investor's railway is",
            "runs it with his card",
            "The Investor buys next",
            "Investor buys 10 %",
            "gets Investor's Railway",
        ):
            assert sentence in told, sentence


# ---------------------------------------------------------------------- texts and pictures in many positions


def positions() -> list[Game]:
    """The last position of each step of a game, and its end."""
    game = titles.new_game("do", ["Ann", "Bo"], {"card_offer": True}, 8, "trg2")
    chance, mind = random.Random(8), HOUSES["greedy"]()
    found: dict[tuple[str, str, str, bool], Game] = {}
    while not game.finished:
        asked = game.state.pauses[0].kind if game.state.pauses else ""
        own = game.state.round.actor == game.state.facts["investor"]["company"]
        found[game.state.round.kind, game.state.round.step, asked, own] = game.copy()
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    return [*found.values(), game]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_facts_and_pictures_tell_of_him(language: str) -> None:
    say = speaker(language, "do")
    seen = positions()
    asked = {game.state.pauses[0].kind for game in seen if game.state.pauses}
    assert {"choose_card", "keep_card", "card_offer"} <= asked
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
        assert not game.state.cash["investor"] or f"Investor {game.state.cash['investor']}" in sheet.alt[language]
        assert "nvestor" in draw_charter(game, own, language=language).alt[language] or not game.company(own).director
    final = draw_final(seen[-1], language=language).alt[language]
    assert "Ann" in final
    assert "nvestor" not in final, "only the players have a place"


def test_what_must_be_done_is_told_with_its_clause() -> None:
    say = speaker("en", "do")
    lines = [line for game in positions() if not game.finished for line in decider_facts(say, game)]
    assert any("must take one of the two cards (DO-8.3.2-b)" in line for line in lines)
    assert any("must answer the offer (DO-8.3.5-b)" in line for line in lines)
