"""What operating rounds share: their order, what private companies pay, and a home station at the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game
    from engine.rounds.turns import Turn


def by_price(game: Game) -> list[str]:
    """Floated companies, the highest price first."""
    companies = game.state.companies
    return [name for name in game.prices.order() if companies[name].floated]


def pay_privates(game: Game) -> None:
    """Every private company pays its owner."""
    for private, owner in game.state.privates.items():
        if owner in game.state.cash:
            game.pay(BANK, owner, game.definition.privates[private].revenue, "private", private)


def activate(game: Game, company: str) -> None:
    """Turn the home stations over: from now on they block."""
    if not game.company(company).active:
        game.company(company).active = True
        game.state.board.token_version += 1


def activate_at_first_turn(turn: Turn) -> None:
    """A company's home station lies on the map from its first turn on."""
    activate(turn.game, turn.actor)
