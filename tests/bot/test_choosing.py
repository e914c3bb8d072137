"""Choosing a game: a few taps on a phone, whatever the number of players and of forms on the shelf."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import titles
from bot.card.game_choice import Wish, about_form, form_name, page
from bot.limits import CUSTOM_ID, OPTION_TEXT
from bot.numbers import MOST_HOURS, MOST_REMINDERS
from bot.texts import LANGUAGES, speaker
from storage.records import GameRecord
from table.components import Kind
from table.model import Message
from table.people import Person, text_of
from tests.bot.test_panels_fit import check
from titles.registry import Form, Title
from workshop.digests import recording
from workshop.evening.guests import Evening, NoPictures, buttons, evening, menu

SAY = speaker("en")
SHELF = [(box, form) for box in titles.known() for form in box.forms]
COUNTS = range(min(form.players[0] for _, form in SHELF), max(form.players[1] for _, form in SHELF) + 1)
#: Lines that a phone shows above the buttons without scrolling.
PHONE_LINES = 24
LONGEST = {
    "hours": tuple(range(MOST_HOURS - MOST_REMINDERS + 1, MOST_HOURS + 1)),
    "seed": 999_999_999,
    "where": "thread",
}


# ---------------------------------------------------------------------- what a form is


@pytest.mark.parametrize(("title", "form"), SHELF, ids=lambda each: each.id)
def test_every_form_says_what_it_is_how_hard_and_how_long(title: Title, form: Form) -> None:
    assert 1 <= form.weight <= titles.HARDEST
    assert list(form.moves) == list(range(form.players[0], form.players[1] + 1))
    # A good first game is not a hard one.
    assert not form.newcomers or form.weight <= 2
    for language in LANGUAGES:
        say = speaker(language, title.id)
        for key in ("what.title", f"what.{form.id}"):
            # It is the small line of a menu, where more would be cut off.
            assert 20 < len(say(key)) <= OPTION_TEXT
            assert say(key).endswith(".")


def test_the_lengths_are_those_of_recorded_games() -> None:
    """About as many moves as greedy house players made, with the usual options."""
    found: dict[tuple[str, int], list[float]] = {}
    for group in recording.groups():
        for game in recording.read(group):
            if game.house == "greedy" and not game.options:
                found.setdefault((game.title, len(game.players)), []).append(len(game.moves) / len(game.players))
    assert {name.partition(":")[0] for name, _ in found} >= {"rhl", "lra", "bl", "ruhr"}
    for (name, count), lengths in found.items():
        _, form = titles.find_form(name)
        assert form.moves[count] == pytest.approx(statistics.median(lengths), rel=0.2), (name, count)


def test_facts_name_what_is_reconstructed_and_whom_a_form_is_for() -> None:
    for title, form in SHELF:
        parts = titles.rules(title.id, form.players[0], {}, form.id).definition.reconstructed
        told = "\n".join(about_form(SAY, title, form, form.players[0]))
        assert (f"{len(parts)} part" in told) == bool(parts)
        assert "Reconstructed:" not in told, "one line, and the rest behind a button"
        whole = "\n".join(about_form(SAY, title, form, form.players[0], whole=True))
        assert ("Reconstructed:" in whole) == bool(parts)
        assert ("first game" in told) == form.newcomers
        assert f"about {form.moves[form.players[0]]} moves each" in told


def test_a_form_names_only_what_of_itself_is_reconstructed() -> None:
    said = {
        form: set(titles.rules("do", count, {}, form).definition.reconstructed)
        for form, count in (("trg", 3), ("trg2", 2), ("hsb", 3), ("exp", 3), ("hsb2", 2))
    }
    brewing = {"minors", "cards", "demand"}
    assert "privates" in said["trg"]
    assert not brewing & said["trg"]
    assert brewing <= said["hsb"]
    assert "privates" not in said["hsb"]
    assert said["exp"] - said["hsb"] == {"boxes"}
    assert said["hsb2"] - said["hsb"] == said["trg2"] - said["trg"] == {"two_players"}


# ---------------------------------------------------------------------- what is suggested


@pytest.mark.parametrize("count", COUNTS)
def test_suggestions_know_the_number_of_players(count: int) -> None:
    found = titles.suggested(count)
    assert {id(form) for _, form in found} == {id(form) for _, form in SHELF if form.fits(count)}
    newcomers = [form.newcomers for _, form in found]
    assert newcomers == sorted(newcomers, reverse=True)
    first = found[0][1]
    assert all(first.weight <= form.weight for _, form in found if form.newcomers == first.newcomers)


def test_without_a_number_everything_is_suggested() -> None:
    assert len(titles.suggested()) == len(SHELF)


def test_a_title_alone_means_its_form_for_so_many() -> None:
    assert titles.find_form("lra")[1].id == "base"
    assert titles.find_form("lra", 2)[1].id == "investor"
    assert titles.find_form("lra", 3)[1].id == "base"
    assert titles.find_form("lra:short", 2)[1].id == "short"
    # Nobody can play it with seven; the usual form is what they meant.
    assert titles.find_form("rhl", 7)[1].id == "base"


# ---------------------------------------------------------------------- wishes in ids


@given(st.sampled_from(SHELF), st.data())
def test_a_wish_comes_back_from_its_id_and_fits_into_it(where: tuple[Title, Form], data: st.DataObject) -> None:
    title, form = where
    options = {spec.id: data.draw(st.sampled_from(spec.values)) for spec in form.options}
    if any(apart.names(options) for apart in form.apart):
        options = {spec.id: spec.values[0] for spec in form.options}
    wish = Wish(data.draw(st.integers(1, 8)), title.id, form.id).with_options(options)
    for each in (wish, replace(wish, **LONGEST)):
        assert Wish.read(each.code) == each
        assert each.options() == options
        assert len(f"n:option:{each.code}") <= CUSTOM_ID


def test_what_is_no_longer_on_the_shelf_has_not_been_chosen() -> None:
    assert Wish.read("4:gone:base:00:t:12.24:7") == Wish(4, where="thread", hours=(12, 24), seed=7)
    assert Wish.read("4:rhl:gone:00:::") == Wish(4, "rhl")
    # Another version of the program had other options.
    assert Wish.read("4:rhl:base:01:::") == Wish(4, "rhl", "base")
    assert "A game for 4" in str(page(SAY, "form", Wish.read("4:gone:base::::")).to_components())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_and_none_is_a_long_list(language: str) -> None:
    say = speaker(language)
    names = set()
    waiting = [("games", Wish(**LONGEST))]
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, wish = waiting.pop()
        changed = wish.digits.replace("0", "")
        # Each variant by itself, and for one number of players: the others look the same.
        if (name, wish.code) in seen or name in ("open", "alone") or len(changed) > (wish.seats == 4):
            continue
        seen.add((name, wish.code))
        names.add("o" if name.startswith("o") else name)
        found = check(page(say, name, wish))
        text = "\n".join(each["content"] for each in found if each["type"] == Kind.TEXT)
        assert len(text.splitlines()) <= PHONE_LINES, text
        ids = [each["custom_id"] for each in found if each["type"] == Kind.BUTTON]
        entries = [entry for each in found if each["type"] == Kind.STRING_SELECT for entry in each["options"]]
        if name == "games" and wish.seats:
            # One suggestion, and a line for each box: never one for each form.
            assert len(entries) <= len(titles.known())
            assert len(text.splitlines()) <= 5
        waiting += [(one[1], Wish.read(one[2])) for one in (each.split(":", 2) for each in ids)]
        waiting += [(one[0], Wish.read(one[2])) for one in (entry["value"].partition(":") for entry in entries)]
    assert names == {"seats", "games", "forms", "form", "details", "o"}


def _labels(name: str, wish: Wish) -> set[str]:
    found = check(page(SAY, name, wish))
    entries = [entry["label"] for each in found if each["type"] == Kind.STRING_SELECT for entry in each["options"]]
    return {*(each["label"] for each in found if each["type"] == Kind.BUTTON), *entries}


@pytest.mark.parametrize("count", COUNTS)
def test_another_edition_stands_beside_its_form_and_not_in_the_list(count: int) -> None:
    editions = 0
    for title, form in SHELF:
        if not form.edition_of or not form.fits(count):
            continue
        editions += 1
        own = SAY.of(title.id)
        names = [own(f"form.{each}") for each in (form.id, form.edition_of)]
        wish = Wish(seats=count, title=title.id)
        assert [name in _labels("forms", wish) for name in names] == [False, True]
        assert names[0] in _labels("form", replace(wish, form=form.edition_of))
        assert names[1] in _labels("form", replace(wish, form=form.id)), "and back"
    assert editions or count not in (3, 4, 5)


# ---------------------------------------------------------------------- at the table


async def opened(home: Evening, person: Person, message: Message) -> GameRecord:
    """Open the lobby of the page, and its record."""
    await person.click(message, "Open the lobby")
    await home.table.until(lambda: "The lobby is open" in text_of(person.find(message)))
    return await home.record()


async def turned(person: Person, message: Message, text: str) -> Message:
    """The page that says something now."""
    await person.table.until(lambda: text in text_of(person.find(message)))
    return person.find(message)


async def test_three_taps_open_a_lobby_for_newcomers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        asked = await (await ann.slash("lobby", "game new", where="here")).settled()
        assert asked.message is not None
        assert asked.message.reader == ann.id
        assert buttons(asked.message) == [str(count) for count in COUNTS]
        await ann.click(asked.message, "4")
        chosen = await turned(ann, asked.message, "A game for 4")
        title, form = titles.suggested(4)[0]
        assert f"For a first game: {form_name(SAY, title, form)}" in text_of(chosen)
        await ann.click(chosen, "This one")
        shown = await turned(ann, chosen, f"{form_name(SAY, title, form)}, for 4")
        record = await opened(home, ann, shown)
        assert (record.title, record.form, record.seats_wanted, record.host) == (title.id, form.id, 4, int(ann.id))
        card = await ann.sees("Seats (1 of 4)", "lobby")
        assert SAY.of(title.id)(f"what.{form.id}") in text_of(card)
        assert f"about {form.moves[4]} moves each" in text_of(card)
        told = await (await ann.slash("lobby", "game info")).settled()
        assert SAY.of(title.id)(f"what.{form.id}") in told.text
        assert f"about {form.moves[4]} moves each" in told.text


async def test_another_box_a_form_and_variants_by_menus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        asked = await (await ann.slash("lobby", "game new", where="here", seats=3, seed=7, reminders="6 12")).settled()
        message = asked.message
        assert message is not None
        # The number was said: the page with the games comes first. With three nobody needs the form for two.
        [box] = [value for value, label in menu(message) if label == titles.find("lra").name]
        await ann.select(message, box)
        message = await turned(ann, message, "Lower Rhine")
        message = await turned(ann, message, "Base game")
        assert "Short game" in buttons(message)
        assert "Investor" not in text_of(message)
        await ann.click(message, "Base game")
        message = await turned(ann, message, "Open the lobby")
        [train] = [value for value, label in menu(message) if label == "Optional 2-train"]
        await ann.select(message, train)
        message = await turned(ann, message, "Optional 2-train: yes")
        [scenario] = [value for value, label in menu(message) if label.startswith("Scenario")]
        await ann.select(message, scenario)
        message = await turned(ann, message, "now ")
        assert len(menu(message)) == 5
        await ann.select(message, menu(message)[3][0])
        message = await turned(ann, message, "Scenario: which six")
        message = await turned(ann, message, "Open the lobby")
        record = await opened(home, ann, message)
        assert (record.title, record.form, record.seats_wanted, record.seed) == ("lra", "base", 3, 7)
        assert record.reminder_hours == (6, 12)
        changed = {key: value for key, value in record.options.items() if value not in (False, "drawn", "table")}
        assert changed == {"optional_2_train": True, "scenario": "3"}


async def test_back_leads_to_the_page_before_and_another_number_begins_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        asked = await (await ann.slash("lobby", "game new", where="here", seats=2)).settled()
        message = asked.message
        assert message is not None
        # Nothing for two is made for beginners: the easiest is said to be no more than that.
        assert "The easiest for 2" in text_of(message)
        [box] = [value for value, label in menu(message) if label == titles.find("lra").name]
        await ann.select(message, box)
        # There is one form for two: no page with a choice of one.
        message = await turned(ann, message, "Open the lobby")
        await ann.click(message, "Back")
        message = await turned(ann, message, "The easiest for 2")
        await ann.click(message, "Another number")
        message = await turned(ann, message, "How many will play?")
        await ann.click(message, "5")
        await turned(ann, message, "A game for 5")


async def test_the_command_alone_opens_a_lobby_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        offered = await ann.autocomplete("lobby", "game new", "title", title="", seats=2)
        assert {each["value"].partition(":")[0] for each in offered} == {
            title.id for title, form in SHELF if form.fits(2)
        }
        title, form = titles.suggested()[0]
        offered = await ann.autocomplete("lobby", "game new", "title", title="")
        assert offered[0]["value"] == f"{title.id}:{form.id}"
        assert "●" in offered[0]["name"]
        assert len(offered) == len(SHELF)
        told = await (await ann.slash("lobby", "game new", where="here", options="optional_2_train=true")).settled()
        assert "Variants belong to a game" in told.text
        await (await ann.slash("lobby", "game new", where="here", title="lra", seats=2)).settled()
        record = await home.record()
        assert (record.form, record.seats_wanted) == ("investor", 2)
