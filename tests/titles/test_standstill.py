"""A game of the Rhineland goes on to an end whatever people leave undone, and ends where nobody can do anything."""

from __future__ import annotations

from typing import Any

import pytest

import titles
from engine.finance.closing import close_private
from engine.game import Game
from engine.moves import BuyLot, Move, Pass
from engine.state import BANK

NAMES = ("ann", "bo", "cy")
FORMS = [
    ("rhl", "base", 3, {}),
    ("rhl", "base", 3, {"edition": "earlier"}),
    ("rhl", "base", 3, {"package": "alternative"}),
    ("lra", "base", 3, {"scenario": "1"}),
    ("lra", "investor", 2, {"scenario": "1"}),
]
EVERY_FORM = pytest.mark.parametrize(("title", "form", "players", "options"), FORMS)


def idle(game: Game) -> None:
    """Somebody passes; if they may not, or lots are for sale, they do the first thing that they are offered."""
    choices = game.offer().choices
    lots = [choice for choice in choices if choice.kind is BuyLot]
    passes = [choice for choice in choices if choice.kind is Pass]
    choice = (lots or passes or list(choices))[0]
    picked: dict[str, Any] = {}
    while (domain := choice.ask(picked)) is not None:
        options = getattr(domain, "options", None)
        picked[domain.name] = options[0].value if options is not None else getattr(domain, "low", 0)
    move: Move = choice.move(picked)
    game.apply(move)


def after_package(title: str, form: str, players: int, options: dict[str, Any]) -> Game:
    """The first position after the package, whose lots were all bought by whoever could."""
    game = titles.new_game(title, NAMES[:players], options, 1, form)
    while game.state.round.kind == "package":
        idle(game)
    return game


@EVERY_FORM
def test_the_bank_breaks_though_nobody_does_anything(
    title: str, form: str, players: int, options: dict[str, Any]
) -> None:
    game = after_package(title, form, players, options)
    while not game.finished:
        idle(game)
        assert len(game.moves) < 5_000
    assert game.state.finished == "bank"


@EVERY_FORM
def test_a_game_in_which_nothing_can_happen_any_more_ends(
    title: str, form: str, players: int, options: dict[str, Any]
) -> None:
    game = after_package(title, form, players, options)
    while not (game.state.round.kind == "stock" and game.state.round.stock_number == 2):
        idle(game)
    for private, owner in game.state.privates.items():
        if owner:
            close_private(game, private)
    for player in game.state.seats:
        game.state.cash[BANK] += game.state.cash[player]
        game.state.cash[player] = 0
    for company in game.state.companies.values():
        company.floated = company.active = False
    game.settle()
    assert game.state.finished == "standstill"
    assert game.state.round.stock_number <= 3 + players, "the priority deal goes round once at most"


def test_a_round_in_which_a_private_company_pays_is_no_standstill() -> None:
    game = after_package("rhl", "base", 3, {})
    for player in game.state.seats:
        game.state.cash[BANK] += game.state.cash[player]
        game.state.cash[player] = 0
    game.settle()
    assert not game.finished
    assert game.offer().deciders, "somebody has earned enough to have a choice"
