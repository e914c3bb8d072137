"""The catalogues are whole: both languages have every key with the same facts, and whatever can be said is in them."""

from __future__ import annotations

import dataclasses

import pytest

import catalogue
import titles
from bot.texts import speaker
from bot.words.wording import _SILENT, event_line
from catalogue import LANGUAGES
from engine import events as ev
from engine import moves as mv
from engine.game import COMMON_QUESTIONS
from engine.rounds.turns import TurnRound
from engine.rules import Rules
from renderers.kit.words import Words
from tests.bot.sources import Spoken, refusals

PACKAGES = ["bot", "renderers", "titles.rhineland", *(f"titles.{box.id}" for box in titles.known())]
TITLES = [box.id for box in titles.known()]


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_have_the_same_keys_and_facts(package: str) -> None:
    english, german = (catalogue.read(package, language) for language in LANGUAGES)
    assert english.keys() == german.keys()
    for key, text in english.items():
        assert catalogue.placeholders(text) == catalogue.placeholders(german[key]), key


@pytest.mark.parametrize("spoken", refusals(), ids=lambda spoken: f"{spoken.file}:{spoken.line}")
def test_every_refusal_has_a_sentence_in_both_languages_and_the_facts_for_it(spoken: Spoken) -> None:
    for language in LANGUAGES:
        for title in spoken.titles:
            say = speaker(language, title)
            key = f"refused.{spoken.key}"
            assert say.known(key), f"{title} has no sentence for {key}"
            text = {**catalogue.read("bot", language), **titles.texts(title, language)}[key]
            given = spoken.facts | ({"colours"} if "colour" in spoken.facts else set())
            assert catalogue.placeholders(text) <= given, key
            assert text[0].isupper() or text[0] in "{“„", key
            assert text.endswith("."), key


def test_no_sentence_for_a_refusal_is_left_over() -> None:
    said = {spoken.key for spoken in refusals()}
    for package in PACKAGES:
        for key in catalogue.read(package, "en"):
            group, _, name = key.partition(".")
            assert group != "refused" or name in said, f"{package}: {key}"


def test_numbers_with_a_noun_and_unknown_languages() -> None:
    assert [catalogue.fill("{n:#train|trains}", {"n": n}) for n in (0, 1, 2)] == ["0 trains", "1 train", "2 trains"]
    assert catalogue.placeholders("{n:#train|trains} of {company}") == {"n", "company"}
    assert [catalogue.language_of(locale) for locale in ("de", "de-AT", "en-GB", "fr")] == ["de", "de", "en", "en"]
    with pytest.raises(ValueError, match="no words in 'fr'"):
        catalogue.read("bot", "fr")


# ---------------------------------------------------------------------- whatever a form can say


def forms() -> list[tuple[str, Rules]]:
    """The rules of every form of every title, with every value of every option."""
    found = []
    for box in titles.known():
        for form in box.forms:
            chosen = [{}, *({spec.id: value} for spec in form.options for value in spec.values[1:])]
            found += [(box.id, titles.rules(box.id, form.players[0], options, form.id)) for options in chosen]
    return found


def events() -> set[str]:
    """The kinds of events that sentences tell, of engine and titles."""
    kinds = [kind for kind in ev.Event.__subclasses__() if not kind.__module__.startswith("tests.")]
    return {kind.__name__ for kind in kinds} - _SILENT - {"RoundBegan", "ProposalAnswered"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_round_step_and_question_of_every_form_has_words(language: str) -> None:
    for title, rules in forms():
        say = speaker(language, title)
        for kind, round_ in rules.rounds.items():
            assert say.known(f"round.{kind}"), kind
            assert say.known(f"event.RoundBegan_{kind}"), kind
            steps = round_.steps.values() if isinstance(round_, TurnRound) else ()
            for name in {name for each in steps for name in each.order}:
                assert say.known(f"step.{name}"), name
        rounds = [round_ for round_ in rules.rounds.values() if isinstance(round_, TurnRound)]
        of_steps = {kind for round_ in rounds for each in round_.steps.values() for kind in each.questions}
        for kind in (*rules.questions, *of_steps, *COMMON_QUESTIONS):
            assert say.known(f"question.{kind}"), kind
        for mark in rules.definition.market.legend:
            assert say.known(f"zone.{mark}"), mark
        own = rules.definition.words[language]
        for private in rules.definition.privates:
            assert f"power.{private}" in own, private
            assert f"brief.{private}" in own, private
        for part in rules.definition.reconstructed:
            assert f"reconstructed.{part}" in own, part
        signs = {sign for spot in rules.definition.map.hexes.values() for sign in spot.icons}
        for sign in signs - catalogue.read("renderers", language).keys():
            assert f"thing.{sign}" in own, "a legend would show the bare key"
        shorter = ["short"] if "event.RoundBegan_short" in own else []
        for kind in (*rules.rounds, *shorter):
            short = Words(language).round_short(rules.definition, kind, 2, 1)
            assert short != kind, "a chart would show the bare key"
            assert "{" not in short


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_event_form_and_option_has_words(language: str) -> None:
    for box in titles.known():
        say = speaker(language, box.id)
        for form in box.forms:
            assert say.known(f"form.{form.id}")
            for spec in form.options:
                assert say.known(f"option.{spec.id}")
                for value in spec.values:
                    assert say.known(f"value.{str(value).lower()}"), value
    for kind, move in mv._REGISTRY.items():
        if move.__module__.startswith("tests."):
            continue  # a form that only tests play
        for title in _owners(move):
            say = speaker(language, title)
            assert say.known(f"move.{kind}")
            for field in dataclasses.fields(move):
                assert field.name == "player" or say.known(f"field.{field.name}")
    for event in ev.Event.__subclasses__():
        if event.__name__ in events() and not event.__module__.startswith("tests."):
            for title in _owners(event):
                assert speaker(language, title).known(f"event.{event.__name__}"), event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_to_a_proposal_is_told(language: str) -> None:
    say = speaker(language)
    for reply, price in (("accept", 5), ("decline", 5), ("counter", 5), ("accept", 0), ("decline", 0)):
        assert "ann" in event_line(say, ev.ProposalAnswered("ann", reply, price).data())


def _owners(kind: type[object]) -> list[str]:
    """The titles that use a kind of move or event: its own title's, its family's, or all."""
    package = ".".join(kind.__module__.split(".")[:2])
    own = [box.id for box in titles.known() if package in (f"titles.{box.id}", *box.family)]
    return own or TITLES
