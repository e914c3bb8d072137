"""What leaves the game: private companies and companies.

Both are told first and heard last: who listens finds the change complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import events as ev
from engine.state import BANK, CLOSED, REMOVED

if TYPE_CHECKING:
    from engine.game import Game


def close_private(game: Game, private: str) -> None:
    """A private company leaves the game."""
    event = ev.PrivateClosed(private, game.state.privates[private])
    game.record(event)
    game.state.privates[private] = CLOSED
    game.notify(event)


def close_company(game: Game, name: str, reason: str) -> None:
    """Remove a company: tokens and certificates leave the game, the treasury goes to the bank, trains to the pool.

    If it is its own turn, the rest of the turn is dropped.
    """
    company = game.company(name)
    company.closed = True
    company.floated = company.active = False
    company.director = ""
    event = ev.CompanyClosed(name, reason)
    game.record(event)
    game.prices.remove(name)
    game.board.remove_stations(name)
    company.certificates = [REMOVED] * len(company.certificates)
    company.tokens_left.clear()
    game.pay(name, BANK, game.state.cash[name], "closed", name)
    game.state.depot.pool.extend(company.trains)
    company.trains.clear()
    game.notify(event)
    if game.state.round.actor == name:
        game.turn.cut()
