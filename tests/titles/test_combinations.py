"""Every choice of options that a form knows can be begun and played; what does not go together is refused."""

from __future__ import annotations

from typing import Any

import pytest

import titles
from engine.errors import Refused
from engine.house.players import HOUSES
from engine.house.simulation import play

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
#: Enough to come through the first rounds, in which most of what an option changes shows.
MOVES = 90

FORMS = [(box, form) for box in titles.known() for form in box.forms]


@pytest.mark.slow
@pytest.mark.parametrize(("box", "form"), FORMS, ids=[f"{box.id}-{form.id}" for box, form in FORMS])
def test_every_combination_of_options_can_be_played(box: titles.Title, form: titles.Form) -> None:
    low, high = form.players
    for number, options in enumerate(form.combinations()):
        players = low + number % (high - low + 1)
        game = titles.new_game(box.id, NAMES[:players], options, number, form.id)
        house = HOUSES[("greedy", "random")[number % 2]]()
        result = play(game, house, number, most_moves=MOVES)
        assert result.faults in ([], [f"not finished after {MOVES} moves"]), (options, players)


@pytest.mark.parametrize(("box", "form"), FORMS, ids=[f"{box.id}-{form.id}" for box, form in FORMS])
def test_what_does_not_go_together_is_refused_and_all_else_is_known(box: titles.Title, form: titles.Form) -> None:
    known = [tuple(sorted(options.items())) for options in form.combinations()]
    assert len(set(known)) == len(known) > 0
    for apart in form.apart:
        chosen: dict[str, Any] = dict(apart.values)
        with pytest.raises(Refused) as caught:
            titles.rules(box.id, form.players[0], chosen, form.id)
        assert caught.value.key == "option.apart"
        assert caught.value.title == box.id
        # Each of them alone is no harm.
        for option, value in chosen.items():
            titles.rules(box.id, form.players[0], {option: value}, form.id)
        for options in known:
            assert not set(chosen.items()) <= set(options)
