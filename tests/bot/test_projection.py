"""If trains ran now: what the sheet and the turn card tell is what happens when they do."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import titles
from bot.card.turn import turn_card
from bot.games.service import Live
from bot.texts import speaker
from bot.words.projection import Projection
from engine.game import Game
from engine.house.players import TitleGreedy
from storage.records import Seat
from tests.bot.test_panels_fit import live

PEOPLE = ("Ann", "Bo", "Cy")


def seated(game: Game) -> Live:
    """A game of the database with its players at it."""
    people = tuple(Seat(name, number + 1) for number, name in enumerate(game.players))
    return replace(live(game), record=replace(live(game).record, title=game.definition.id, seats=people))


def played(form: str, moves: int) -> Game:
    box, found = titles.find_form(form)
    game, chance = titles.new_game(box.id, PEOPLE, {}, 7, found.id), random.Random(7)
    while not game.finished and len(game.moves) < moves:
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))
    return game


@pytest.fixture(scope="module")
def introductory() -> tuple[Game, Game]:
    """The introductory game just before its trains run, and at its end."""
    game, chance = played("do:efs", 40), random.Random(7)
    before = game.copy()
    while not game.finished:
        before = game.copy()
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))
    return before, game


def test_what_everybody_would_have_is_what_they_have_when_the_trains_have_run(introductory: tuple[Game, Game]) -> None:
    before, after = introductory
    found = Projection.of(before, lambda: False)
    assert sum(found.earned.values()) > 0
    scores = after.rules.score(after)
    would = {name: before.state.cash[name] + amount for name, amount in found.received.items()}
    # The last move may still lay track or bring a train: what it adds is all that may differ.
    assert would.keys() == scores.keys()
    assert sum(would.values()) <= sum(scores.values())
    leader = max(would, key=lambda name: would[name])
    assert found.standing(speaker("en", "do"), before).index(leader) < len("**If it ended now**: ") + 1


def test_the_leader_is_told_first_in_both_languages() -> None:
    game = played("do:efs", 90)
    found = Projection.of(game, lambda: False)
    order = sorted(game.players, key=lambda name: -found.received[name])
    for language, lead in (("en", "If it ended now"), ("de", "Wäre es jetzt zu Ende")):
        line = found.standing(speaker(language, "do"), game)
        assert lead in line
        assert [line.index(name) for name in order] == sorted(line.index(name) for name in order)


def test_a_game_with_prices_tells_what_would_be_paid_out() -> None:
    game = played("rhl:base", 120)
    found = Projection.of(game, lambda: False)
    assert found.earned
    for code, amount in found.earned.items():
        assert amount == game.rules.trains.revenue(game.best_routes(code).routes)
    runs, paid = found.lines(speaker("en", "rhl"), game)
    assert all(f"{code} {amount} M" in runs for code, amount in found.earned.items())
    assert "receive" in paid


def test_the_introductory_game_tells_its_goal_on_every_card() -> None:
    game = played("do:efs", 20)
    card = turn_card(seated(game), speaker("en", "do"), (), (), ping=True, standing="**If it ended now**: Ann: 10 M.")
    text = "\n".join(str(getattr(item, "content", "")) for item in card.walk_children())
    assert "Goal: receive the most" in text
    assert "If it ended now" in text


def test_a_final_card_begins_with_the_winner(introductory: tuple[Game, Game]) -> None:
    _, after = introductory
    lines = [f"line {number}" for number in range(30)]
    card = turn_card(seated(after), speaker("en", "do"), lines, (), ping=True)
    text = "\n".join(str(getattr(item, "content", "")) for item in card.walk_children())
    assert text.index("wins with") < text.index("line 29")
    assert "line 3\n" not in text
