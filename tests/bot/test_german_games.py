"""Whole games told in German: nothing stays English, nothing falls back to a bare key."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from discord import ui

import catalogue
import titles
from bot.card.log import history, pages
from bot.card.rules_help import TOPICS, topic_text
from bot.card.turn import turn_text
from bot.cogs.lobby import info_lines
from bot.cogs.look import rules_text, tiles_text, trains_text
from bot.games.service import Live
from bot.panel.pages import confirm_card, home_card, question_card
from bot.panel.turns import routes_note
from bot.picking.effects import Effect, passing
from bot.picking.entries import preset, spread
from bot.picking.walk import Walk, value_token, walk
from bot.texts import Say, speaker
from bot.words.wording import choice_text, event_lines, move_text, option_text, refusal, round_text, step_text
from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, Run, from_json, to_json
from engine.offer import Options
from renderers import draw_map, draw_market, draw_sheet
from storage.records import PLAYING, GameRecord, Seat
from titles import ledger
from workshop.evening.guests import NoPictures, evening
from workshop.evening.positions import Position, put

#: Every form of every title, and the variants that have words of their own.
GAMES: list[tuple[str, dict[str, Any], int]] = [
    *((f"{box.id}:{form.id}", {}, min(4, form.players[1])) for box in titles.known() for form in box.forms),
    ("rhl:base", {"edition": "earlier"}, 4),
    ("rhl:base", {"package": "alternative", "target_cards": True, "destiny_cards": True}, 4),
]
#: Words that both languages write alike.
SAME = {"bank", "pool", "name", "info", "server", "bot"}


@cache
def vocabulary(language: str) -> frozenset[str]:
    """All words of the catalogues, of the ledger, and of what the titles' data say in a language."""
    packages = ["bot", "renderers", "titles.rhineland", *(f"titles.{box.id}" for box in titles.known())]
    texts = [re.sub(r"\{[^}]*\}", " ", text) for each in packages for text in catalogue.read(each, language).values()]
    texts += [f"{clause.section} {clause.text}" for clause in ledger.clauses(language).values() if _told(clause)]
    for box in titles.known():
        definition = titles.rules(box.id, box.form().players[0]).definition
        texts += [company.special.get(language, "") for company in definition.corporations.values()]
        texts += [phase.event.get(language, "") for phase in definition.phases]
    return frozenset(word for text in texts for word in words_of(text))


def _told(clause: ledger.Clause) -> bool:
    """Whether a clause belongs to a title on the shelf."""
    return clause.id in ledger.translated("de")


def words_of(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W\d_]{3,}", text)}


def told(say: Say, game: Game, events: Any, move: Move) -> Iterator[str]:
    """All that is said about a position and the move that led to it."""
    yield from event_lines(say.of(game.definition.id), [event.data() for event in events], game)
    yield move_text(say, game, to_json(move))
    yield round_text(say, game)
    yield step_text(say, game)
    for choice in game.offer().choices:
        yield choice_text(say, choice)
        domain = None if choice.name == "run" else choice.ask({})
        if isinstance(domain, Options):
            yield from (option_text(say, game, domain.name, option) for option in domain.options[:5])
    if len(game.moves) % 3:
        return  # the rest takes its time
    now = live(game)
    yield turn_text(now, say)
    for player in game.offer().deciders:
        yield turn_text(now, say, asker=player)
        found = spread(say, game, player, panel=True)
        yield from (entry.text for entry in (*found.entries, *found.kinds))
        if found.passing is not None:
            yield passing(say, game, player).line
        if not any(choice.name in ("run", "dividend") for choice in game.offer().of(player)):
            yield from _texts(home_card(now, say, player, found, []))
    for number, choice in enumerate(game.offer().choices if len(game.moves) % 9 == 0 else ()):
        step = walk(game, number, "")
        if choice.name not in ("run", "dividend") and step.domain is not None and not preset(say, step):
            yield from _texts(question_card(now, say, step, []))
        step = _complete(game, number)
        if step is not None:
            effect = Effect.of(game, [step.move()])
            money = effect.money(say, choice.company, choice.player)
            yield from _texts(confirm_card(now, say, step, effect.lines(say), [], money=money))


def _complete(game: Game, number: int) -> Walk | None:
    """The first move of a choice, if it asks for nothing that is typed."""
    code = ""
    for _ in range(5):
        step = walk(game, number, code)
        if step.complete:
            return step
        if not isinstance(step.domain, Options) or step.domain.open:
            return None
        code = step.then(value_token(step.domain, step.domain.options[0].value))
    return None


def _texts(card: ui.LayoutView) -> Iterator[str]:
    """All words of a card: those of its buttons and menus too."""
    for item in card.walk_children():
        inner = item.item if isinstance(item, ui.DynamicItem) else item
        if isinstance(inner, ui.TextDisplay):
            yield inner.content
        elif isinstance(inner, ui.Button):
            yield inner.label or ""
        elif isinstance(inner, ui.Select):
            yield from (inner.placeholder or "", *(option.label for option in inner.options))


def looked_up(say: Say, game: Game) -> Iterator[str]:
    """All that somebody can look up in a position: pages, the log, the game's facts, and what pictures say of it."""
    now = live(game)
    yield tiles_text(say, game)
    yield trains_text(say, game)
    yield rules_text(say, game)
    yield from (topic_text(say, game, topic) for topic in TOPICS)
    yield from info_lines(now.record, say, now)
    yield from pages(history(game)[-30:], say, game)
    pictures = [draw_map(game, side=400), draw_sheet(game), draw_market(game)] if game.definition.priced else []
    yield from (picture.alt[say.language] for picture in pictures)


def live(game: Game) -> Live:
    """A game as the bot has it."""
    seats = tuple(Seat(name, number) for number, name in enumerate(game.players, start=1))
    record = GameRecord(
        id=1, guild=1, channel=1, title=game.definition.id,
        options=dict(game.rules.setup.options), seed=7, host=1, seats_wanted=len(seats), status=PLAYING, seats=seats,
        created=datetime(2026, 1, 1, tzinfo=UTC), started=datetime(2026, 1, 1, tzinfo=UTC), form=game.rules.setup.form,
    )  # fmt: skip
    return Live(record, game, len(game.moves), tuple(range(len(game.moves))), {})


def refusals(game: Game, move: Move, chance: random.Random) -> Iterator[Refused]:
    """What is said to moves that are spoilt a little."""
    data = to_json(move)
    spoilt = [{**data, "player": player} for player in game.players]
    for key, value in data.items():
        if key not in ("type", "player"):
            spoilt.append({**data, key: 1 if isinstance(value, int) else "Z99" if isinstance(value, str) else value})
    for each in chance.sample(spoilt, min(3, len(spoilt))):
        try:
            game.check(from_json(each))
        except Refused as refused:
            yield refused


@pytest.mark.parametrize(("title", "options", "players"), GAMES)
@pytest.mark.parametrize("house", ["greedy", "random"])
def test_a_game_is_told_in_german_from_beginning_to_end(
    title: str, options: dict[str, Any], players: int, house: str
) -> None:
    names = ["Ann", "Bo", "Cy", "Dee"][:players]
    title, _, form = title.partition(":")
    game, chance = titles.new_game(title, names, options, 7, form), random.Random(7)
    english, german = speaker("en"), speaker("de")
    proper = words_of(" ".join(_names(game)))
    foreign = vocabulary("en") - vocabulary("de") - proper - SAME
    keys = {key.rpartition(".")[2] for key in catalogue.read("bot", "en")} - vocabulary("de")
    told_before: set[str] = set()
    for number in range(350):
        if game.finished:
            break
        player = game.offer().deciders[0]
        move = HOUSES[house]().choose(game, player, chance)
        for refused in refusals(game, move, chance):
            line, original = refusal(german, refused), refusal(english, refused)
            assert line != original
            assert not words_of(line) & foreign - {"z"}, line
        routes = [routes_note(game, move, german)] if isinstance(move, Run) else []
        events = game.apply(move)
        lines = [*routes, *told(german, game, events, move)]
        for line in (*lines, *(looked_up(german, game) if number % 110 == 100 else ())):
            if line in told_before:
                continue
            told_before.add(line)
            assert not words_of(line) & foreign, (words_of(line) & foreign, line)
            assert not {word for word in re.findall(r"\b[a-z]+_[a-z_]+\b", line) if word in keys}, line
    assert len(told_before) > 200


def _names(game: Game) -> Iterator[str]:
    definition = game.definition
    yield from game.players
    yield definition.name
    yield from definition.corporations
    yield from (company.name for company in definition.corporations.values())
    yield from definition.privates
    yield from definition.tiles
    yield from (private.name for private in definition.privates.values() if f"name.{private.id}" not in _own(game))
    yield from (spot.name for spot in definition.map.hexes.values())
    yield from (train.name for train in definition.trains)


def _own(game: Game) -> set[str]:
    return set(titles.texts(game.definition.id, "de"))


async def test_a_german_client_types_and_reads_german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    start = Position(4, ())
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, start)
        person = home.person(start.game().offer().deciders[0].lower())
        person.user.locale = "de"
        shown = await person.slash("lobby", "stand")
        await shown.settled()
        assert "Kaufen, Bieten" in shown.text
        refused = await person.slash("lobby", "bieten", startkarte="TF", preis="5")
        await refused.settled()
        assert "Auf Nr. 4 (Trajekt) werden mindestens 85 M geboten." in refused.text
        assert not words_of(refused.text) & (vocabulary("en") - vocabulary("de") - SAME), refused.text


@pytest.mark.parametrize(
    "package", ["bot", "renderers", "titles.rhineland", *(f"titles.{b.id}" for b in titles.known())]
)
def test_no_german_sentence_is_the_english_one(package: str) -> None:
    """A sentence that was copied and not translated would make its words German for the test above."""
    english, german = catalogue.read(package, "en"), catalogue.read(package, "de")
    plain = {key: re.sub(r"\{[^}]*\}", " ", text) for key, text in german.items() if text == english.get(key)}
    # Names of places, forms and companies are the same in both.
    alike = [key for key, text in plain.items() if len(re.findall(r"\b[a-zäöü]{3,}\b", text)) >= 2]
    assert alike == []
