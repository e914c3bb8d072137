"""What somebody looked at is not computed again when it is made, and never mistaken for another position."""

from __future__ import annotations

import gc
import random
import weakref
from collections import Counter

import pytest

import titles
from bot.games import preview_cache
from bot.games.preview_cache import previewed
from bot.games.searching import search, time_limit
from bot.picking.effects import Effect, Unsearched, may_repeat, passing, same_again, ways
from bot.picking.entries import spread
from bot.texts import speaker
from engine.errors import Refused
from engine.game import Game
from engine.house.players import Greedy
from engine.moves import Move, Pass, Run
from engine.steps.run import RunChoice


def played(seed: int, moves: int) -> Game:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, seed)
    chance = random.Random(seed)
    while len(game.moves) < moves:
        game.apply(next_move(game, chance))
    return game


def next_move(game: Game, chance: random.Random) -> Move:
    return Greedy().choose(game, chance.choice(game.offer().deciders), chance)


def test_a_move_that_was_previewed_is_applied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(4, 60)
    move = next_move(game, random.Random(1))
    applied = Counter[Move]()
    real = Game.apply

    def counted(game: Game, move: Move) -> object:
        applied[move] += 1
        return real(game, move)

    monkeypatch.setattr(Game, "apply", counted)
    effect = Effect.of(game, [move])
    after, events = previewed(game, [move])
    assert (after, events) == (effect.after, effect.events)
    assert applied[move] == 1
    assert len(game.moves) == 60, "looking at it has made it"


def test_whole_games_are_foreseen_as_they_are_played() -> None:
    chance = random.Random(7)
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 7)
    told = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 7)
    for _ in range(150):
        move = next_move(game, chance)
        # Others look at what else is possible.
        for player in game.offer().deciders:
            if any(choice.name == "pass" for choice in game.offer().of(player)):
                passing(speaker("en"), game, player)
        game, events = previewed(game, [move])
        assert events == told.apply(move)
        assert game.state.digest() == told.state.digest()


def test_a_game_that_goes_on_is_another_position() -> None:
    """Passing again is the same move of the same game, and leads elsewhere."""
    game = played(3, 100)
    while game.state.round.kind != "stock" or game.offer().find("pass") is None:
        game.apply(next_move(game, random.Random(0)))
    seen = []
    for _ in range(3):
        player = game.offer().deciders[0]
        found = spread(speaker("en"), game, player)
        seen.append((previewed(game, [Pass(player)])[0].state.digest(), found))
        game.apply(Pass(player))
        assert game.state.digest() == seen[-1][0]


def test_a_refused_move_is_refused_again() -> None:
    game = played(3, 60)
    stranger = next(name for name in game.players if name not in game.offer().deciders)
    for _ in range(2):
        with pytest.raises(Refused):
            previewed(game, [Pass(stranger)])
    assert len(game.moves) == 60


def test_a_position_that_is_kept_no_longer_is_gone_without_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview_cache, "MOST_KEPT", 3)
    game = played(4, 60)
    seen = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(12):
            game, _ = previewed(game, [next_move(game, random.Random(1))])
            seen.append(weakref.ref(game))
        assert sum(each() is not None for each in seen) <= 4
    finally:
        gc.enable()


def to_be_run(seed: int) -> list[Game]:
    """Positions in which a company that has paid before is to run."""
    game = played(seed, 1)
    chance = random.Random(seed)
    found = []
    while len(game.moves) < 260 and not game.finished:
        offer = game.offer()
        if isinstance(offer.choices[0], RunChoice) and may_repeat(game, offer.choices[0].player):
            found.append(game.copy())
        game.apply(next_move(game, chance))
    return found


def test_the_rest_of_a_turn_whose_run_is_shown_is_the_one_that_is_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Move] = []
    real = Game.apply

    def counted(game: Game, move: Move) -> object:
        applied.append(move)
        return real(game, move)

    monkeypatch.setattr(Game, "apply", counted)
    found = 0
    for game in to_be_run(4):
        choice = game.offer().choices[0]
        player, company = choice.player, choice.company
        with pytest.raises(Unsearched):
            same_again(game, player, None)
        slow = same_again(game.copy(), player, lambda: False)
        search(game, time_limit(), company)
        best = game.best_routes(company).routes
        assert best
        domain = choice.asked({})
        assert domain is not None
        ways(speaker("en"), game, choice.move({domain.name: domain.options[0].value}), player, company)  # type: ignore[union-attr]
        applied.clear()
        quick = same_again(game, player, None)
        assert not any(isinstance(move, Run) for move in applied), "what was previewed is played again"
        assert (quick is None) == (slow is None)
        if quick is not None and slow is not None:
            found += 1
            assert (quick.moves, quick.revenue, quick.kind, quick.proved) == (
                slow.moves,
                slow.revenue,
                slow.kind,
                slow.proved,
            )
            assert quick.effect.events == slow.effect.events
            assert quick.effect.after.state.digest() == slow.effect.after.state.digest()
    assert found > 2
