"""The Investor as a holder without a seat, and what is remembered of his company."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Game

#: The name under which he holds certificates; nobody at the table may bear it.
INVESTOR = "investor"


@dataclass(frozen=True, slots=True)
class Investment:
    """His company, the private company that belongs to it, who holds his card, and whether the way is built."""

    company: str
    private: str
    card: str
    joined: bool


def investment(game: Game) -> Investment:
    return Investment(**game.state.facts["investor"])


def hand_card(game: Game, player: str) -> None:
    """His card goes to somebody."""
    game.state.facts["investor"]["card"] = player
