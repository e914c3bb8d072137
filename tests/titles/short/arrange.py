"""Arranges positions of the short game for tests: companies under directors, and whose turn it is."""

from __future__ import annotations

import titles
from engine.finance import shares
from engine.game import Game
from engine.state import POOL
from tests.titles.arranging import (
    SEATS,
    certificates,
    hand,
    lay,
    names,
    only_train,
    refused,
    seated,
    station,
    take_offer,
    turn_of,
)
from tests.titles.rhl.arrange import phase
from tests.titles.rhl.lines import turns
from titles.rhineland.short_moves import TakeCertificate

__all__ = [
    "SEATS",
    "asked",
    "certificates",
    "directed",
    "hand",
    "lay",
    "names",
    "new",
    "phase",
    "refused",
    "running",
    "station",
    "take",
    "take_offer",
    "train",
    "turn",
    "turns",
]


def new(players: int = 3, title: str = "rhl") -> Game:
    """A new short game whose seats are ann, bo, cy, … in this order, without location tokens."""
    game = seated(lambda seed: titles.new_game(title, SEATS[:players], {}, seed, "short"))
    game.state.board.markers.clear()
    take_offer(game)
    return game


train = only_train


def directed(game: Game, company: str, director: str, percent: int = 20, *, trains: str = "2") -> None:
    """Somebody directs a company with so much of it in their hands."""
    state = game.company(company)
    hand(game, company, director, percent)
    state.director, state.floated, state.active = director, True, True
    if trains:
        train(game, company, trains)
    take_offer(game)


def turn(game: Game, player: str, step: str = "action", number: int = 1) -> Game:
    """It is a player's turn in a player round, at a step of it."""
    game.state.round.stock_number = number
    before = game.state.seats[: game.state.seats.index(player)]
    turn_of(game, player, step, 0, 23, kind="player", after=before)
    return game


def running(game: Game, company: str) -> Game:
    """It is a company's turn in a train round."""
    turn_of(game, company, "", 1, 8, kind="train")
    return game


def take(game: Game, company: str) -> None:
    """Whoever has to decide takes a certificate of a company."""
    game.apply(TakeCertificate(game.offer().deciders[0], company))


def asked(game: Game, name: str, company: str = "") -> bool:
    """Whether a kind of move is on offer, for a company if one is named."""
    return any(choice.name == name and company in ("", choice.company) for choice in game.offer().choices)


def pooled(game: Game, company: str) -> int:
    return shares.held(game, company, POOL)
