"""Arranges positions of the introductory game for tests: stacks, directors, and whose turn it is."""

from __future__ import annotations

import titles
from engine.finance import shares
from engine.game import Game
from engine.remembered import Acted
from engine.rounds.turns import OnceRound
from engine.state import OFFERING, POOL
from tests.titles.do.arrange import SEATS, take_offer
from titles.do.intro.moves import SetAside
from titles.rhineland.short_moves import DiscardCertificate, TakeCertificate


def new(players: int = 3) -> Game:
    """A new game in which ann begins, then bo, cy, …"""
    for seed in range(1000):
        game = titles.new_game("do", SEATS[:players], {}, seed, "efs")
        if game.state.seats == list(SEATS[:players]):
            return game
    raise AssertionError("no seed lets ann begin")


def hand(game: Game, company: str, holder: str, percent: int) -> None:
    """The top certificates of a stack worth `percent` go to somebody."""
    moved = 0
    for number in shares.numbers(game, company, OFFERING):
        if moved < percent:
            game.state.companies[company].certificates[number] = holder
            moved += shares.percent_of(game, company, number)
    assert moved == percent, f"{moved} % instead of {percent} %"
    take_offer(game)


def train(game: Game, company: str, name: str) -> None:
    """A railway's only train is one of this type, from the display."""
    state = game.company(company)
    game.state.depot.gone.extend(state.trains)
    game.state.depot.left[name] -= 1
    game.state.depot.sold[name] += 1
    state.trains = [name]
    take_offer(game)


def directed(game: Game, company: str, director: str, percent: int = 0, trains: str = "2") -> None:
    """Somebody directs a railway with so much of it; without a number with the director's certificate alone."""
    hand(game, company, director, percent or game.definition.corporations[company].shares[0])
    state = game.company(company)
    state.director, state.floated = director, True
    if trains:
        train(game, company, trains)
    take_offer(game)


def certificates(game: Game, player: str, count: int, *, but: tuple[str, ...] = ()) -> None:
    """Somebody holds so many certificates: what is missing are ordinary ones from the display."""
    for company in game.state.companies:
        for number in shares.numbers(game, company, OFFERING):
            room = shares.held(game, company, player) < 60 and shares.certificates(game, player) < count
            if number and company not in but and room:
                game.state.companies[company].certificates[number] = player
    assert shares.certificates(game, player) == count
    take_offer(game)


def turn(game: Game, player: str, step: str = "track", number: int = 1) -> Game:
    """It is a player's turn, at a step of it."""
    rules = game.rules.rounds["player"]
    assert isinstance(rules, OnceRound)
    game.state.round.stock_number = number
    total = 60 // len(game.players)
    rules.begin(game, 0, total)
    Acted.of(game).acted = game.state.seats[: game.state.seats.index(player)]
    rules.begin_turn(game, player)
    game.state.round.step = step
    take_offer(game)
    return game


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
