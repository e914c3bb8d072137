"""What copies remember of best routes is what a search finds, in every form, at every move of whole games."""

from __future__ import annotations

import random

import pytest

import titles
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.memo import Memo

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
FORMS = [(title.id, form.id, form.players[0]) for title in titles.known() for form in title.forms]


def values(game: Game) -> dict[str, object]:
    """What every company with trains would earn, and how many of them can run."""
    own = {name: company for name, company in game.state.companies.items() if company.trains and company.active}
    return {
        name: (game.best_routes(name).value, game.most_trains(name)) for name in own if game.best_routes(name).proved
    }


@pytest.mark.slow
@pytest.mark.parametrize(("title", "form", "players"), FORMS)
def test_what_is_remembered_is_what_is_found(title: str, form: str, players: int) -> None:
    game = titles.new_game(title, NAMES[:players], {}, 5, form)
    memo, mind, chance = Memo(), TitleGreedy(), random.Random(5)
    proved = missed = 0
    while not game.finished and len(game.moves) < 450:
        if len(game.moves) % 3 == 0:
            twin = game.copy()
            twin.memo = memo
            found, true = values(twin), values(game)
            assert found == {name: true[name] for name in found}, f"after move {len(game.moves)}"
            proved += len(found)
            missed += len(true) - len(found)
        player = game.offer().deciders[0]
        game.apply(mind.choose(game, player, chance))
    assert proved > 20 * missed, "a short search finds the best nearly always"


def test_every_form_says_what_its_trains_depend_on() -> None:
    for title, form, players in FORMS:
        assert titles.rules(title, players, {}, form).trains.depends is not None, (title, form)


def test_the_game_that_is_played_has_no_memo() -> None:
    game = titles.new_game("rhl", NAMES[:3], {}, 1)
    assert game.memo is None
    assert game.copy().memo is None
    view = game.seen_by("ann", random.Random(1))
    assert view.memo is not None
    assert game.memo is None
