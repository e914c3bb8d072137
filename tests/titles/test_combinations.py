"""Every choice of options that a form knows can be begun and played; what does not go together is refused."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

import titles
from engine.errors import Refused
from engine.house.players import HOUSES
from engine.house.simulation import play

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
#: Of more than so many combinations only so many are played that every two values of two options have met.
MANY = 100
#: Enough to come through the first rounds, in which most of what an option changes shows.
MOVES = 90

FORMS = [(box, form) for box in titles.known() for form in box.forms]


def chosen(form: titles.Form) -> Iterator[dict[str, Any]]:
    """All combinations; where there are many, some in which whatever two options can have together occurs.

    With KURSBUCH_COMBINATIONS=all it is all of them in any case.
    """
    few = list(islice(form.combinations(), MANY + 1))
    if len(few) <= MANY:
        yield from few
        return
    if os.environ.get("KURSBUCH_COMBINATIONS") == "all":
        yield from form.combinations()
        return
    chance = random.Random(18)
    met: set[Any] = set()
    in_vain = 0
    while in_vain < 500:
        options = {spec.id: chance.choice(spec.values) for spec in form.options}
        pairs = set(combinations(sorted(options.items()), 2))
        if pairs <= met or any(apart.names(options) for apart in form.apart):
            in_vain += 1
            continue
        met |= pairs
        in_vain = 0
        yield options


@pytest.mark.slow
@pytest.mark.parametrize(("box", "form"), FORMS, ids=[f"{box.id}-{form.id}" for box, form in FORMS])
def test_every_combination_of_options_can_be_played(box: titles.Title, form: titles.Form) -> None:
    low, high = form.players
    for number, options in enumerate(chosen(form)):
        players = low + number % (high - low + 1)
        game = titles.new_game(box.id, NAMES[:players], options, number, form.id)
        house = HOUSES[("greedy", "random")[number % 2]]()
        result = play(game, house, number, most_moves=MOVES)
        assert result.faults in ([], [f"not finished after {MOVES} moves"]), (options, players)


@pytest.mark.parametrize(("box", "form"), FORMS, ids=[f"{box.id}-{form.id}" for box, form in FORMS])
def test_what_does_not_go_together_is_refused_and_all_else_is_known(box: titles.Title, form: titles.Form) -> None:
    known = [tuple(sorted(options.items())) for options in islice(form.combinations(), 5000)]
    assert len(set(known)) == len(known) > 0
    for apart in form.apart:
        together: dict[str, Any] = dict(apart.values)
        with pytest.raises(Refused) as caught:
            titles.rules(box.id, form.players[0], together, form.id)
        assert caught.value.key == ("option.apart.why" if apart.why else "option.apart")
        assert caught.value.title == box.id
        # Each of them alone is no harm.
        for option, value in together.items():
            titles.rules(box.id, form.players[0], {option: value}, form.id)
        for options in known:
            assert not set(together.items()) <= set(options)
