"""Whole games told in German: nothing stays English, nothing falls back to a bare key."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import catalogue
import titles
from bot.cards.wording import choice_text, event_lines, move_text, option_text, refusal, round_text, step_text
from bot.texts import Say, speaker
from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, from_json, to_json
from engine.offer import Options
from tests.bot.guests import NoPictures, evening
from tests.bot.positions import Position, put

GAMES = [("rhl", {}, 3), ("rhl", {"edition": "earlier"}, 4), ("bl", {}, 4), ("rhl:short", {}, 3), ("lra:short", {}, 4)]
#: Words that both languages write alike.
SAME = {"bank", "pool", "name", "info", "server", "bot"}


def vocabulary(language: str) -> set[str]:
    packages = ["bot", "renderers", "titles.rhineland", *(f"titles.{box.id}" for box in titles.known())]
    return {
        word
        for package in packages
        for text in catalogue.read(package, language).values()
        for word in words_of(re.sub(r"\{[^}]*\}", " ", text))
    }


def words_of(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W\d_]{3,}", text)}


def told(say: Say, game: Game, events: Any, move: Move) -> Iterator[str]:
    """All that is said about a position and the move that led to it."""
    yield from event_lines(say.of(game.definition.id), [event.data() for event in events])
    yield move_text(say, game, to_json(move))
    yield round_text(say, game)
    yield step_text(say, game)
    for choice in game.offer().choices:
        yield choice_text(say, choice)
        domain = None if choice.name == "run" else choice.ask({})
        if isinstance(domain, Options):
            yield from (option_text(say, game, domain.name, option) for option in domain.options[:5])


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
    box, form = titles.find_form(title)
    game, chance = titles.new_game(box.id, names, options, seed=7, form=form.id), random.Random(7)
    english, german = speaker("en"), speaker("de")
    proper = words_of(" ".join(_names(game)))
    foreign = vocabulary("en") - vocabulary("de") - proper - SAME
    keys = {key.rpartition(".")[2] for key in catalogue.read("bot", "en")} - vocabulary("de")
    told_before: set[str] = set()
    for _ in range(350):
        if game.finished:
            break
        player = game.offer().deciders[0]
        move = HOUSES[house]().choose(game, player, chance)
        for refused in refusals(game, move, chance):
            line, original = refusal(german, refused), refusal(english, refused)
            assert line != original
            assert not words_of(line) & foreign - {"z"}, line
        events = game.apply(move)
        for line in told(german, game, events, move):
            if line in told_before:
                continue
            told_before.add(line)
            assert not words_of(line) & foreign, line
            assert not {word for word in re.findall(r"\b[a-z]+_[a-z_]+\b", line) if word in keys}, line
    assert len(told_before) > 200


def _names(game: Game) -> Iterator[str]:
    definition = game.definition
    yield from game.players
    yield from definition.corporations
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
        assert "Auf TF werden mindestens 85 M geboten." in refused.text
        assert not words_of(refused.text) & (vocabulary("en") - vocabulary("de") - SAME), refused.text
