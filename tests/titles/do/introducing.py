"""Arranges positions of the introductory game for tests: stacks, directors, and whose turn it is."""

from __future__ import annotations

import titles
from engine.finance import shares
from engine.game import Game
from engine.state import OFFERING, POOL
from tests.titles import arranging
from tests.titles.arranging import SEATS, hand, only_train, seated, take_offer, turn_of
from titles.do.intro.moves import SetAside
from titles.rhineland.short_moves import DiscardCertificate, TakeCertificate


def new(players: int = 3) -> Game:
    """A new game in which ann begins, then bo, cy, …"""
    return seated(lambda seed: titles.new_game("do", SEATS[:players], {}, seed, "efs"))


train = only_train


def directed(game: Game, company: str, director: str, percent: int = 0, trains: str = "2") -> None:
    """Somebody directs a railway with so much of it; without a number with the director's certificate alone."""
    hand(game, company, director, percent or game.definition.corporations[company].shares[0])
    state = game.company(company)
    state.director, state.floated = director, True
    if trains:
        train(game, company, trains)
    take_offer(game)


def turn(game: Game, player: str, step: str = "track", number: int = 1) -> Game:
    """It is a player's turn, at a step of it."""
    game.state.round.stock_number = number
    before = game.state.seats[: game.state.seats.index(player)]
    turn_of(game, player, step, 0, 60 // len(game.players), kind="player", after=before)
    return game


def certificates(game: Game, player: str, count: int, *, but: tuple[str, ...] = ()) -> None:
    """Somebody holds so many certificates: what is missing are ordinary ones from the display."""
    arranging.certificates(game, player, count, but=but, most=60)


def take(game: Game, company: str) -> None:
    """Whoever has to decide takes a certificate."""
    game.apply(TakeCertificate(game.offer().deciders[0], company))


def drop(game: Game, company: str, percent: int = 10) -> None:
    game.apply(DiscardCertificate(game.offer().deciders[0], company, percent))


def set_aside(game: Game, company: str) -> None:
    game.apply(SetAside(game.offer().deciders[0], company))


def pooled(game: Game, company: str) -> int:
    return shares.held(game, company, POOL)


def finish(game: Game) -> None:
    """The last turn of the last round ends: the display is empty, and the trains run."""
    for company in game.state.companies.values():
        company.certificates = [POOL if holder == OFFERING else holder for holder in company.certificates]
    last = game.state.seats[-1]
    turn(game, last, "exchange", 60 // len(game.players))
    game.state.round.step = ""
    game.settle()
