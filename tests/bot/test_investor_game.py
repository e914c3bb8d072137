"""A game with somebody who has no seat: two people play it whole in the panel, and everything tells of him."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest

import titles
from bot.card.rules_help import topic_text
from bot.cli.text import describe
from bot.cogs.look import rules_text
from bot.texts import LANGUAGES, speaker
from bot.words.briefing import decider_facts
from engine.game import Game
from engine.house.players import HOUSES
from renderers import draw_charter, draw_final, draw_sheet
from table.model import Message
from table.people import text_of
from tests.bot.test_railway_game import Brewer
from tests.bot.test_whole_game import check_end, kinds
from workshop.evening.guests import Guest, NoPictures, Sitter, evening, play_out
from workshop.occurrences import investors_company

PEOPLE = ("ann", "bo")


@dataclass(frozen=True)
class Meeting:
    """A form with the Investor: what people like to do in it, what they do at least, and what must be told."""

    title: str
    form: str
    seed: int
    options: Mapping[str, Any]
    taste: tuple[tuple[str, float], ...]
    done: frozenset[str]
    told: tuple[str, ...]
    #: What somebody is asked about him, and what is compulsory with its clause.
    asked: frozenset[str]
    musts: tuple[str, ...]


CARDS = (("choose_card", 1.0), ("answer_card", 1.0), ("offer_for_card", 0.4))
LRA = Meeting(
    title="lra",
    form="investor",
    seed=3,
    options={"card_offer": True, "lower_capital": True},
    taste=(*CARDS, ("place_harbour", 1.0), *Guest.TASTE),
    done=frozenset({"buy_lot", "found", "choose_card", "lay_tile", "run", "offer_for_card", "pass"}),
    told=("The Investor's corporation is", "The Investor takes", "gets the Investor's card", "runs next"),
    asked=frozenset({"choose_card"}),
    musts=("must take one of the two cards (LRA-9.3-b)",),
)
TRG = Meeting(
    title="do",
    form="trg2",
    seed=4,
    options={"card_offer": True},
    taste=(*CARDS, *Brewer.TASTE),
    done=frozenset({"bid", "choose_card", "found", "run", "offer_for_card", "answer_card", "pass"}),
    told=(
        "The Investor's railway is",
        "runs the Investor's railway",
        "The Investor buys next",
        "Investor buys 10 %",
        "gets Investor's Railway",
    ),
    asked=frozenset({"choose_card", "keep_card", "card_offer"}),
    musts=("must take one of the two cards (DO-8.3.2-b)", "must answer the offer (DO-8.3.5-b)"),
)
HSB = Meeting(
    title="do",
    form="hsb2",
    seed=6,
    options={},
    taste=(
        ("choose_card", 1.0),
        ("deliver_best", 1.0),
        ("buy_equipment", 0.9),
        ("answer", 1.0),
        ("give_up_equipment", 0.0),
        *Brewer.TASTE,
    ),
    done=frozenset(
        {"bid", "choose_card", "found", "buy_share", "lay_tile", "link_location", "run", "buy_train", "dividend"}
        | {"deliver_best", "buy_equipment", "pass"}
    ),
    told=(
        "The Investor's brewery corporation will be",
        "has Investor's Railway",
        "runs the Investor's brewery",
        "The Investor's **B",
        "Investor buys 10 %",
    ),
    asked=frozenset({"choose_card"}),
    musts=("must take one of the two cards (DO-8.4.2-a)",),
)
MEETINGS = [pytest.param(LRA, id="lra"), pytest.param(TRG, id="trg2"), pytest.param(HSB, id="hsb2")]


def whole_sentences(card: Message) -> None:
    text = text_of(card)
    assert not re.search(r"\b[A-Z][a-z]{2,}[A-Z]\w*: ", text), f"an event without words: {text}"
    assert "went wrong" not in text
    assert not re.search(r"\binvestor\b(?!_)", text), f"his name as the rules have it: {text}"


@pytest.mark.slow
@pytest.mark.parametrize("meeting", MEETINGS)
async def test_two_people_play_a_game_with_the_investor_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, meeting: Meeting
) -> None:
    said: list[str] = []

    class PanelPlayer(Sitter):
        TASTE: ClassVar = meeting.taste

    def watch(card: Message) -> None:
        whole_sentences(card)
        said.append(text_of(card))

    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(meeting.seed)
        options = " ".join(f"{key}={str(value).lower()}" for key, value in meeting.options.items())
        await home.begin(*PEOPLE, title=f"{meeting.title}:{meeting.form}", seed=meeting.seed, options=options)
        guests: list[Guest] = [PanelPlayer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=watch)
        await check_end(home)
        assert await kinds(home) >= meeting.done
        told = "\n".join(said)
        for sentence in meeting.told:
            assert sentence in told, sentence
        for name in PEOPLE:
            for panel in home.person(name).messages("lobby"):
                if panel.reader is not None:
                    whole_sentences(panel)


# ---------------------------------------------------------------------- texts and pictures in many positions


@cache
def positions(title: str, form: str, *options: str) -> list[Game]:
    """The last position of each step of a game with these options, and its end."""
    game = titles.new_game(title, ["Ann", "Bo"], dict.fromkeys(options, True), 8, form)
    chance, mind = random.Random(8), HOUSES["greedy"]()
    found: dict[tuple[str, str, str, bool], Game] = {}
    while not game.finished:
        asked = game.state.pauses[0].kind if game.state.pauses else ""
        own = game.state.round.actor == investors_company(game)
        found[game.state.round.kind, game.state.round.step, asked, own] = game.copy()
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    return [*found.values(), game]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("meeting", MEETINGS)
def test_help_facts_and_pictures_tell_of_him(meeting: Meeting, language: str) -> None:
    say = speaker(language, meeting.title)
    seen = positions(meeting.title, meeting.form, *meeting.options)
    assert meeting.asked <= {game.state.pauses[0].kind for game in seen if game.state.pauses}
    for game in seen:
        own = investors_company(game)
        texts = [topic_text(say, game, topic) for topic in ("order", "limit")]
        texts += [rules_text(say, game)]
        if not game.finished:
            facts = decider_facts(say, game)
            assert any("Investor" in line and own in line for line in facts)
            texts += facts
        for text in texts:
            assert not re.search(r"\binvestor\b", text), text
        alt = draw_sheet(game, language=language).alt[language]
        assert "investor" not in alt
        assert game.finished or "Investor" in alt
        cash = game.state.cash["investor"]
        assert not cash or f"Investor {cash}" in alt, "what he has is on the sheet"
        if game.company(own).director:
            assert "Investor" in draw_charter(game, own, language=language).alt[language]
        assert "worth     -" in describe(game)
    assert "Investor" in rules_text(say, seen[0])
    final = draw_final(seen[-1], language=language).alt[language]
    assert "Ann" in final
    assert "nvestor" not in final, "only the players have a place"


@pytest.mark.parametrize("meeting", MEETINGS)
def test_what_must_be_done_for_his_company_is_told_with_its_clause(meeting: Meeting) -> None:
    say = speaker("en", meeting.title)
    seen = positions(meeting.title, meeting.form, *meeting.options)
    lines = [line for game in seen if not game.finished for line in decider_facts(say, game)]
    for sentence in meeting.musts:
        assert any(sentence in line for line in lines), sentence
