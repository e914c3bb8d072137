"""Arranges positions of the short game for tests: companies under directors, and whose turn it is."""

from __future__ import annotations

import titles
from engine.finance import shares
from engine.game import Game
from engine.remembered import Acted
from engine.rounds.turns import OnceRound
from engine.state import OFFERING, POOL
from tests.titles.rhl.arrange import SEATS, lay, names, phase, refused, station, take_offer
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
    for seed in range(10_000):
        game = titles.new_game(title, SEATS[:players], {}, seed, "short")
        if game.state.seats == list(SEATS[:players]):
            game.state.board.markers.clear()
            take_offer(game)
            return game
    raise AssertionError("no seed seats the players in order")


def hand(game: Game, company: str, holder: str, percent: int) -> None:
    """Certificates of a company worth `percent` go from the display to somebody, the top ones first."""
    moved = 0
    for number in shares.numbers(game, company, OFFERING):
        if moved < percent:
            game.state.companies[company].certificates[number] = holder
            moved += shares.percent_of(game, company, number)
    assert moved == percent, f"{moved} % instead of {percent} %"


def train(game: Game, company: str, name: str) -> None:
    """A company's only train is one of this type."""
    state = game.company(company)
    game.state.depot.gone.extend(state.trains)
    game.state.depot.left[name] -= 1
    game.state.depot.sold[name] += 1
    state.trains = [name]


def directed(game: Game, company: str, director: str, percent: int = 20, *, trains: str = "2") -> None:
    """Somebody directs a company with so much of it in their hands."""
    state = game.company(company)
    hand(game, company, director, percent)
    state.director, state.floated, state.active = director, True, True
    if trains:
        train(game, company, trains)
    take_offer(game)


def certificates(game: Game, player: str, count: int, *, but: tuple[str, ...] = ()) -> None:
    """Somebody holds so many certificates: what is missing comes from the display, not of the companies named."""
    for company in game.state.companies:
        for number in shares.numbers(game, company, OFFERING):
            if number and company not in but and shares.certificates(game, player) < count:
                game.state.companies[company].certificates[number] = player
    assert shares.certificates(game, player) == count
    take_offer(game)


def turn(game: Game, player: str, step: str = "action", number: int = 1) -> Game:
    """It is a player's turn in a player round, at a step of it."""
    rules = game.rules.rounds["player"]
    assert isinstance(rules, OnceRound)
    game.state.round.stock_number = number
    rules.begin(game, 0, 23)
    Acted.of(game).acted = game.state.seats[: game.state.seats.index(player)]
    rules.begin_turn(game, player)
    game.state.round.step = step
    take_offer(game)
    return game


def running(game: Game, company: str) -> Game:
    """It is a company's turn in a train round."""
    rules = game.rules.rounds["train"]
    assert isinstance(rules, OnceRound)
    rules.begin(game, 1, 8)
    rules.begin_turn(game, company)
    take_offer(game)
    return game


def take(game: Game, company: str) -> None:
    """Whoever has to decide takes a certificate of a company."""
    game.apply(TakeCertificate(game.offer().deciders[0], company))


def asked(game: Game, name: str, company: str = "") -> bool:
    """Whether a kind of move is on offer, for a company if one is named."""
    return any(choice.name == name and company in ("", choice.company) for choice in game.offer().choices)


def pooled(game: Game, company: str) -> int:
    return shares.held(game, company, POOL)
