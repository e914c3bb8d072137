"""Titles, forms and options by their names: what is found, and which sentence is said of what is not."""

from __future__ import annotations

from typing import Any

import pytest

import titles
from engine.errors import Refused
from titles import registry


def refused(title: str, players: int = 3, options: dict[str, Any] | None = None, form: str = "") -> Refused:
    with pytest.raises(Refused) as caught:
        titles.rules(title, players, options or {}, form)
    return caught.value


def test_every_title_and_form_is_found_by_its_name() -> None:
    assert len(registry.known()) > 1
    for title in registry.known():
        assert registry.find(title.id) is title
        assert registry.find_form(title.id) == (title, title.forms[0])
        for form in title.forms:
            assert registry.find_form(f"{title.id}:{form.id}") == (title, form)


def test_what_is_not_there_is_refused_with_what_is() -> None:
    unknown = refused("1830")
    assert (unknown.key, unknown.facts["title"]) == ("unknown.title", "1830")
    assert set(unknown.facts["titles"]) == {title.id for title in registry.known()}
    form = refused("bl", form="long")
    assert (form.key, form.facts) == (
        "unknown.form",
        {"title": registry.find("bl").name, "form": "long", "forms": ("base",)},
    )
    option = refused("rhl", options={"nonsense": True})
    assert (option.key, option.facts) == ("unknown.option", {"option": "nonsense"})
    value = refused("rhl", options={"lower_capital": 1})
    assert (value.key, value.facts["values"]) == ("option.value", (False, True)), "1 is not True here"


@pytest.mark.parametrize(("title", "low", "high"), [("rhl", 3, 5), ("bl", 2, 6)])
def test_the_number_of_players_is_that_of_the_form(title: str, low: int, high: int) -> None:
    for players in (low, high):
        assert titles.rules(title, players).setup.players == players
    for players in (low - 1, high + 1):
        found = refused(title, players)
        assert found.key == "players.count"
        assert (found.facts["low"], found.facts["high"], found.facts["count"]) == (low, high, players)


def test_options_that_are_not_chosen_have_their_first_value() -> None:
    chosen = titles.rules("rhl", 3, {"lower_capital": True}).setup.options
    assert chosen["lower_capital"] is True
    assert (chosen["edition"], chosen["optional_2_train"], chosen["bankruptcy_end"]) == ("2024", False, False)


def test_the_same_question_has_the_same_answer() -> None:
    assert titles.rules("rhl", 3, {"edition": "2024"}) is titles.rules("rhl", 3)
    assert titles.rules("rhl", 4) is not titles.rules("rhl", 3)


def test_a_title_speaks_with_the_words_of_its_family_and_nobody_else_with_them() -> None:
    assert registry.texts("1830", "en") == {}
    families = [title for title in registry.known() if title.family]
    assert families
    for title in registry.known():
        assert registry.texts(title.id, "en").keys() == registry.texts(title.id, "de").keys()
        assert registry.texts(title.id, "en")
