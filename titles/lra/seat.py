"""What is remembered of the Investor's company."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Game


@dataclass(frozen=True, slots=True)
class Investment:
    """His company, the private company that belongs to it, who holds his card, and whether the way is built."""

    company: str
    private: str
    card: str
    joined: bool


def investment(game: Game) -> Investment:
    return Investment(**game.state.facts["investor"])
