"""Rules that would turn in a circle for ever end in a refusal that changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.game import MOST_STEPS, Game
from engine.rounds.turns import OnceRound
from tests.engine.toy import new


class Circle(OnceRound):
    """A round in which nobody acts."""

    steps_taken = 0

    def settle(self, game: Game) -> bool:
        Circle.steps_taken += 1
        return super().settle(game)


def circling(most: int) -> Game:
    """The toy with rounds in which nobody acts instead of operating rounds, so many of them."""
    plain = new()
    circle = Circle("circle", lambda game: [], {})
    begun = 0

    def then(game: Game) -> None:
        nonlocal begun
        begun += 1
        if begun <= most:
            circle.begin(game, begun)
        else:
            game.finish("tired")

    rules = replace(plain.rules, rounds={**plain.rules.rounds, "circle": circle}, then=then)
    return Game(rules, plain.players, plain.seed)


def last_pass(game: Game) -> None:
    while game.state.round.kind == "stock":
        choice = game.offer().find("pass")
        assert choice is not None
        game.apply(choice.move({}))


def test_rules_that_turn_in_a_circle_are_stopped_and_the_move_is_taken_back() -> None:
    game = circling(10 * MOST_STEPS)
    Circle.steps_taken = 0
    with pytest.raises(Refused) as refused:
        last_pass(game)
    assert (refused.value.key, refused.value.facts) == ("endless", {"round": "circle"})
    assert Circle.steps_taken <= MOST_STEPS
    # One has passed; the pass of the other has left nothing behind, and they may still do something else.
    assert len(game.moves) == 1
    untouched = circling(0)
    untouched.apply(game.moves[0])
    assert game.state.data() == untouched.state.data()
    assert game.offer().deciders == untouched.offer().deciders
    assert game.board.state is game.state.board


def test_a_long_way_to_the_next_decision_is_no_circle() -> None:
    game = circling(MOST_STEPS // 2)
    last_pass(game)
    assert game.state.finished == "tired"
    assert (game.state.round.actor, game.state.round.step) == ("", ""), "nobody had a turn in the last of the rounds"
