"""A form in which nothing has a price: whole games by what people see, and nothing speaks of prices."""

from __future__ import annotations

import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import titles
from bot.card.offering import choice_rows
from bot.card.rules_help import TOPICS, topic_text
from bot.cogs.look import rules_text, trains_text
from bot.picking.entries import spread
from bot.texts import LANGUAGES, speaker
from bot.words.briefing import decider_facts
from engine.game import Game
from engine.house.players import HOUSES
from table.model import Message
from table.people import text_of
from tests.bot.test_panels_fit import Walker, live, seats
from tests.bot.test_whole_game import PEOPLE, check_end, kinds
from workshop.evening.guests import Evening, Guest, NoPictures, Sitter, Typist, buttons, evening, play_out, stood

KINDS = {"take_certificate", "discard_certificate", "replace_train", "swap_trains", "lay_tile", "place_station", "run"}
#: Words that belong to games with prices.
PRICED = re.compile(
    r"\b(bank|treasury|market|stock round|operating round|price|cash|private|Bank|Kasse|Kurs\w*|Aktienrunde|"
    r"Operationsrunde|Privatbahn\w*|None|for 0 M|0 M\b.*→)"
)

#: Topics that say only that there are no prices.
FREE = ("prices", "forced")

TASTE = (("take_certificate", 1.0), ("discard_certificate", 1.0), ("replace_train", 0.7), ("swap_trains", 0.15))


class Player(Guest):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


class PanelPlayer(Sitter):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


class TypingPlayer(Typist):
    TASTE: ClassVar = (*TASTE, *Guest.TASTE)


def without_prices(text: str) -> None:
    assert not PRICED.search(text), text


def tells_no_prices(card: Message) -> None:
    text = text_of(card)
    assert not re.search(r"\b[A-Z][a-z]+[A-Z][a-z]\w*: ", text), f"an event without words: {text}"
    without_prices(text)
    assert not re.search(r"train round \d+ of \d+ · \d+ M", text), "a company has no money"
    assert "Market" not in buttons(card)
    assert "went wrong" not in text


async def check_panels(home: Evening) -> None:
    """What people were shown in private."""
    for name in PEOPLE:
        for panel in home.person(name).messages("lobby"):
            if panel.reader is not None:
                tells_no_prices(panel)


@pytest.mark.slow
async def test_three_people_play_a_short_game_by_buttons_and_menus(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names: set[str] = set()

    def watch(card: Message) -> None:
        tells_no_prices(card)
        names.update(attachment.filename for attachment in card.attachments)

    async with evening(monkeypatch, tmp_path) as home:
        chance = random.Random(4)
        await home.begin(*PEOPLE, title="rhl:short", seed=4)
        guests = [Player(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=watch)
        await check_end(home)
        await check_panels(home)
        assert names == {"map.png", "final.png"}
        assert await kinds(home) >= KINDS - {"place_station"}
        final = text_of(home.cards()[-1])
        assert "all certificates are taken" in final


@pytest.mark.slow
@pytest.mark.parametrize("title", ["rhl", "lra"])
async def test_three_people_play_a_short_game_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, title: str
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(2)
        await home.begin(*PEOPLE, title=f"{title}:short", seed=2)
        guests: list[Guest] = [PanelPlayer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=tells_no_prices)
        await check_end(home)
        await check_panels(home)
        assert await kinds(home) >= KINDS - {"place_station"}


@pytest.mark.slow
async def test_three_people_play_a_short_game_by_slash_commands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(6)
        await home.begin(*PEOPLE, title="rhl:short", seed=6)
        guests: list[Guest] = [TypingPlayer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        assert await kinds(home) >= KINDS - {"place_station"}


#: The most taps for a kind of move, from the card to where it is made; a menu counts as two.
MOST_TAPS = {
    "take_certificate": 2, "discard_certificate": 3, "run": 2, "pass": 2, "lay_tile": 5, "place_station": 4,
    "replace_train": 3, "swap_trains": 3,
}  # fmt: skip


async def test_few_taps_make_a_move(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taps: dict[str, int] = {}
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(3)
        await home.begin(*PEOPLE, title="rhl:short", seed=3)
        guests = [Player(home, name, chance) for name in PEOPLE]
        record = await home.record()
        for _ in range(90):
            guest = guests[PEOPLE.index((await home.live()).game.offer().deciders[0].lower())]
            guest.taps = 0
            await guest.turn("lobby")
            await home.settled()
            kind = str((await home.bot.store.log(record.id))[-1].move["type"])
            taps[kind] = max(taps.get(kind, 0), guest.taps)
    assert taps.keys() >= {"take_certificate", "lay_tile", "run", "swap_trains", "replace_train"}
    assert {kind: count for kind, count in taps.items() if count > MOST_TAPS[kind]} == {}


async def test_looking_things_up_rematch_and_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(1)
        await home.begin(*PEOPLE, title="rhl:short", seed=1)
        lobby = next(m for m in home.person("ann").messages("lobby") if "Seats (" in text_of(m))
        assert "18Rhl-Rhineland: Short game" in text_of(lobby)
        guests = [Player(home, name, chance) for name in PEOPLE]
        for _ in range(12):
            player = (await home.live()).game.offer().deciders[0].lower()
            await guests[PEOPLE.index(player)].turn("lobby")
            await home.settled()
        ann = home.person("ann")

        async def said(command: str, **options: object) -> str:
            outcome = await (await ann.slash("lobby", command, **options)).settled()
            assert outcome.message is not None
            return text_of(outcome.message)

        assert "there is no market" in await said("market")
        log = await said("log")
        assert "player round 1 of 23" in log
        assert "takes the director's certificate" in log
        assert "player round 1 of 23" in await said("log", round="pr1")
        assert "player round 1 of 23" not in await said("log", round="PR2")
        for command in ("trains", "turn", "rules"):
            without_prices((await said(command)).replace("There is no money", ""))
        await (await ann.slash("lobby", "host end")).settled()


# ---------------------------------------------------------------------- texts in every position


def positions(title: str) -> list[Game]:
    """Positions of a game in which each step is asked, and the end."""
    game = titles.new_game(title, ["Ann", "Bo", "Cy"], {}, 8, "short")
    chance, mind = random.Random(8), HOUSES["random"]()
    found: dict[tuple[str, str], Game] = {}
    while not game.finished:
        found[game.state.round.kind, game.state.round.step] = game.copy()
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    return [*found.values(), game]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", ["rhl", "lra"])
def test_help_and_facts_speak_of_no_prices(title: str, language: str) -> None:
    say = speaker(language, title)
    for game in positions(title):
        texts = [rules_text(say, game), trains_text(say, game)]
        texts += [topic_text(say, game, topic).partition("\n-# **")[0] for topic in TOPICS if topic not in FREE]
        if not game.finished:
            texts += decider_facts(say, game)
        for text in texts:
            without_prices(text)
    for topic in FREE:
        assert topic_text(say, game, topic).endswith(say("rules.free"))
    assert "RHL-10.4-a" in topic_text(say, game, "end")
    assert "RHL-10.3.1.1-b" in topic_text(say, game, "limit")
    assert "RHL-10.3.1.2-d" in topic_text(say, game, "trains")
    assert "RHL-10.3.1.1-a" in topic_text(say, game, "order")


@pytest.mark.parametrize("title", ["rhl", "lra"])
def test_cards_and_panels_fit_for_whoever_directs_everything(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passing is never lost among the buttons."""
    names = [seat.name for seat in seats(3)]
    game, chance = titles.new_game(title, names, {}, 8, "short"), random.Random(8)
    mind = HOUSES["greedy"]()
    while game.state.round.stock_number < 12 or game.state.round.step != "action":
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    player = game.state.round.actor
    for company in game.state.companies.values():
        company.certificates[0] = company.director = player
    game._attach(game.state)
    choices = game.offer().choices
    assert len(choices) > 12
    Walker(game, chance, branches=1).look()
    monkeypatch.setattr("bot.card.offering.MOST_ON_CARD", 10)
    shown = {choices[press.number].name for press in _presses(choice_rows(live(game), speaker("en")))}
    assert shown == {choice.name for choice in choices}


def _presses(rows: list[Any]) -> list[Any]:
    ids = [str(item["custom_id"]) for row in rows for item in row.to_component_dict()["components"]]
    return [SimpleNamespace(number=stood(each.split(":")[3])) for each in ids]


def test_what_must_be_done_is_told_with_its_clause() -> None:
    say = speaker("en", "rhl")
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 8, "short")
    assert "must take a certificate (RHL-10.3.1.1-a)" in decider_facts(say, game)[-1]


def test_certificates_stand_on_the_card_and_companies_on_the_buttons_of_an_action() -> None:
    say = speaker("en")
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 8, "short")
    player = game.offer().deciders[0]
    found = spread(say, game, player)
    assert len(found.entries) == 8
    assert found.entries[0].text == "ADR: director, 20 %, 2-train"
    assert all(entry.complete for entry in found.entries)
    chance, mind = random.Random(8), HOUSES["greedy"]()
    while sum(choice.name == "lay_tile" for choice in game.offer().choices) < 2:
        game.apply(mind.choose(game, game.offer().deciders[0], chance))
    player = game.offer().deciders[0]
    own = {choice.company for choice in game.offer().choices if choice.name == "lay_tile"}
    for panel in (False, True):
        labels = [entry.text for entry in spread(say, game, player, panel=panel).kinds]
        assert {f"Lay track ({company})" for company in own} <= set(labels)
