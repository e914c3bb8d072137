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
    assert refused("rhl", options={"edition": "1999"}).facts["value"] == "1999"


def test_what_does_not_go_together_is_refused_with_its_clause() -> None:
    forms = [(title.id, form) for title in registry.known() for form in title.forms if form.apart]
    assert forms
    for title, form in forms:
        for apart in form.apart:
            found = refused(title, form.players[1], dict(apart.values), form.id)
            assert (found.key, found.rule) == ("option.apart.why" if apart.why else "option.apart", apart.clause)
            for option in apart.values:
                rest = {name: value for name, value in apart.values.items() if name != option}
                if not any(other.names({**form.full_options({}), **rest}) for other in form.apart):
                    assert form.full_options(rest).items() >= rest.items(), "each of them may be had without the others"


def test_what_is_left_to_the_lot_is_drawn_by_the_seed() -> None:
    specs = [spec for title in registry.known() for form in title.forms for spec in form.options if spec.by_lot]
    assert specs
    for spec in specs:
        drawn = [spec.drawn(seed) for seed in range(60)]
        assert set(drawn) == set(spec.values) - {spec.by_lot}
        assert drawn == [spec.drawn(seed) for seed in range(60)]


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


def test_an_option_that_is_nothing_to_a_number_of_players_stands_on_its_default() -> None:
    specs = [
        (form, spec) for title in registry.known() for form in title.forms for spec in form.options if spec.players
    ]
    assert specs
    for form, spec in specs:
        last = spec.values[-1]
        for players in range(form.players[0], form.players[1] + 1):
            chosen = form.options_for({spec.id: last}, players)[spec.id]
            assert chosen == (last if players in spec.players else spec.values[0])
            drawn = form.draw({spec.id: spec.by_lot}, players, 7)[spec.id]
            assert drawn == (spec.drawn(7) if players in spec.players else spec.by_lot)


def test_every_option_is_a_choice_between_different_values() -> None:
    for title in registry.known():
        for form in title.forms:
            for spec in form.options:
                assert len(set(spec.values)) == len(spec.values) > 1, (title.id, form.id, spec.id)
