"""Who answers a pending decision: a step of the turn going on, the title, or the engine."""

from __future__ import annotations

import pytest

import titles
from engine.rounds.turns import Either, Steps, TurnRound
from engine.steps.trains import TrainDeal, TrainStep

FORMS = [(title.id, form.id, form.players[0]) for title in titles.known() for form in title.forms]
NAMES = ("ann", "bo", "cy", "di", "ed", "flo")


def test_a_decision_that_nobody_answers_is_refused_when_it_is_asked_for() -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    with pytest.raises(ValueError, match="nobody answers 'made_up'"):
        game.ask("made_up", ["ann"])
    assert game.state.pauses == []


def test_a_step_that_is_one_of_several_is_asked_as_well() -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    round_ = game.rules.rounds["operating"]
    assert isinstance(round_, TurnRound)
    step = next(step for step in round_.steps["railway"].named.values() if isinstance(step, TrainStep))
    assert Steps(Either("several", step)).questions.keys() == step.questions().keys() == {"train_sale"}


@pytest.mark.parametrize(("title", "form", "players"), FORMS, ids=[":".join(each[:2]) for each in FORMS])
def test_the_sale_of_a_train_is_answered_by_the_train_step_of_the_buyers_own_turn(
    title: str, form: str, players: int
) -> None:
    game = titles.new_game(title, list(NAMES[:players]), {}, 1, form)
    for round_ in game.rules.rounds.values():
        for steps in round_.steps.values() if isinstance(round_, TurnRound) else ():
            own = [step for step in steps.named.values() if isinstance(step, TrainStep)]
            if own:
                answers = getattr(steps.questions["train_sale"], "__self__", None)
                assert isinstance(answers, TrainDeal)
                assert answers.step is own[-1]
    assert not {"train_sale", "discard", "hand_over"} & game.rules.questions.keys(), "named a second time"
