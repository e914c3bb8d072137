"""The greedy house player of The Railway Game, where its judgement keeps a game moving."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.game import Game
from engine.remembered import Earned
from tests.titles.do import railway as r
from titles.do.railways.house import TrgGreedy


def chosen(game: Game, times: int = 12) -> list[mv.Move]:
    """What it does in a position, with different luck."""
    player = r.asked(game)
    return [TrgGreedy().choose(game, player, random.Random(seed)) for seed in range(times)]


def test_it_founds_at_a_price_at_which_its_money_floats_the_railway() -> None:
    game = r.started(1, 2, 3)
    r.cash(game, "ann", 290)
    r.take_offer(game)
    founded = [move for move in chosen(game) if isinstance(move, mv.Found)]
    assert founded
    assert {move.par for move in founded} == {55}, "five shares at 60 would cost 300"


def railway(phase: str, *trains: str, treasury: int, step: str = "trains") -> Game:
    game = r.later(1, 2, 3)
    r.floated(game, "BME", treasury=treasury)
    r.phase(game, phase)
    r.trains(game, "BME", *trains)
    r.operating(game, "BME", step)
    return game


def test_it_buys_as_long_as_a_place_is_left_for_what_comes_after() -> None:
    game = railway("2", "2", "2", treasury=400)
    assert all(isinstance(move, mv.BuyTrain) for move in chosen(game)), "nobody counts a treasury"
    game = railway("2", "2", "2", "2", treasury=400)
    assert not any(isinstance(move, mv.BuyTrain) for move in chosen(game)), (
        "a fourth would leave no place for a 3-train"
    )


def test_it_puts_money_by_for_a_train_that_lasts() -> None:
    game = railway("5", "4", treasury=300, step="dividend")
    Earned.of(game).revenue = 100
    r.left(game, t6=2)
    assert {move.kind for move in chosen(game) if isinstance(move, mv.Dividend)} == {"withhold"}
    game = railway("5", "4", "4", treasury=300, step="dividend")
    Earned.of(game).revenue = 100
    r.left(game, t6=2)
    assert {move.kind for move in chosen(game) if isinstance(move, mv.Dividend)} == {"pay"}, "there is no place for it"
