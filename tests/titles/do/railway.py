"""Arranges positions of The Railway Game for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

from functools import cache

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.rules import Setup
from engine.state import BANK, POOL
from tests.titles import arranging
from tests.titles.arranging import (
    SEATS,
    asked,
    begin_stock,
    cash,
    floats,
    give,
    keep,
    lay,
    names,
    passing,
    refused,
    seen,
    station,
    stock,
    take_offer,
    turn_of,
)
from tests.titles.do.arrange import full, link, offered, phase, put, south
from titles import registry
from titles.do.railways.private_breweries import SUPPLY, BreweryCards

__all__ = [
    "SEATS",
    "asked",
    "begin_stock",
    "cash",
    "cell",
    "cubes",
    "end_stock",
    "floated",
    "founded",
    "full",
    "give",
    "held",
    "later",
    "lay",
    "link",
    "marker",
    "names",
    "new",
    "offered",
    "operating",
    "own",
    "passing",
    "phase",
    "price",
    "put",
    "refused",
    "seen",
    "south",
    "started",
    "station",
    "stock",
    "take_offer",
    "trains",
]


@cache
def seeds(players: int) -> dict[tuple[int, ...], int]:
    """A seed for each package of private breweries that seats ann, bo, cy, … in this order."""
    found: dict[tuple[int, ...], int] = {}
    rules = registry.rules("do", players, {}, "trg")
    for seed in range(2000):
        game = Game(rules, SEATS[:players], seed)
        if game.state.seats == list(SEATS[:players]):
            cards = tuple(sorted(int(card[1]) for card in BreweryCards.of(game).cubes if card != SUPPLY))
            found.setdefault(cards, seed)
    return found


def new(*cards: int) -> Game:
    """A new game with these private breweries, of which ann was dealt the lowest, bo the next, and so on."""
    seed = seeds(len(cards))[cards]
    return Game(registry.rules("do", len(cards), {}, "trg"), SEATS[: len(cards)], seed)


def setup(players: int) -> Setup:
    return registry.rules("do", players, {}, "trg").setup


def started(*cards: int) -> Game:
    """A game in its first stock round: ann owns the first of these private breweries, bo the next, …; all have 1000."""
    game = new(*(cards or (1, 2, 3, 4)))
    for player, card in zip(game.state.seats, cards or (1, 2, 3, 4), strict=True):
        game.state.privates[f"P{card}"] = player
        cash(game, player, 1000)
    begin_stock(game, "ann")
    return game


def later(*cards: int, player: str = "ann") -> Game:
    """A game in the second stock round, with one player to act."""
    game = started(*cards)
    stock(game, player)
    return game


# ---------------------------------------------------------------------- companies


def cell(game: Game, company: str, row: int, column: int) -> None:
    """Put a price token on a space, counted from 1 from the top left."""
    game.prices.put(company, (row - 1, column - 1))
    take_offer(game)


def price(game: Game, company: str) -> tuple[int, int, int]:
    """The price of a company with its row and column."""
    at = game.company(company).price
    assert at is not None
    return game.prices.value(company), at[0] + 1, at[1] + 1


def founded(game: Game, company: str, director: str = "ann", row: int = 4, column: int = 3) -> None:
    """Found a railway for a director without payment; its other certificates lie on the charter."""
    state = game.company(company)
    state.certificates = [director, *[company] * (len(state.certificates) - 1)]
    state.director = director
    cell(game, company, row, column)
    state.par = game.prices.value(company)


def floated(
    game: Game,
    company: str,
    director: str = "ann",
    row: int = 4,
    column: int = 3,
    treasury: int = 1000,
    *,
    operated: bool = True,
) -> None:
    """A railway that has floated with 50 % in its director's hands, the rest on its charter."""
    founded(game, company, director, row, column)
    own(game, company, director, 50)
    floats(game, company, treasury, operated=operated)


def own(game: Game, company: str, holder: str, percent: int) -> None:
    """Let somebody hold exactly so much of a company; the charter gives or takes the difference, small ones first."""
    arranging.own(game, company, holder, percent, company)


def held(game: Game, company: str, holder: str) -> int:
    return shares.held(game, company, holder)


def pool(game: Game, company: str) -> int:
    return shares.held(game, company, POOL)


def trains(game: Game, company: str, *kinds: str) -> None:
    """Give a railway trains out of the display, or back from those that are gone, without a phase change."""
    depot = game.state.depot
    for name in kinds:
        if name in depot.gone:
            depot.gone.remove(name)
        else:
            depot.left[name] -= 1
            depot.sold[name] += 1
        game.company(company).trains.append(name)
    take_offer(game)


def left(game: Game, **types: int) -> None:
    """So many trains of a type (`t3`) are left on the display, of earlier types none; later ones are untouched."""
    order = [train.name for train in game.definition.trains]
    for name in order[: max(order.index(key[1:]) for key in types) + 1]:
        keep(game, name, types.get(f"t{name}", 0))
    take_offer(game)


def begin(game: Game, name: str) -> None:
    """A phase begins with all that it brings; one train of each type up to it is out of the game."""
    phase(game, name)
    game.notify(ev.PhaseChanged(game.phase.name, game.phase.colour))
    take_offer(game)


# ---------------------------------------------------------------------- breweries


def cubes(game: Game, player: str, count: int, *, turned: bool = True) -> None:
    """So many cubes lie on a player's card, on its back if it is turned."""
    card = next(card for card, owner in game.state.privates.items() if owner == player)
    heap = BreweryCards.of(game).cubes
    heap[SUPPLY] += heap[card] - count
    heap[card] = count
    if turned and card not in BreweryCards.of(game).turned:
        BreweryCards.of(game).turned.append(card)
        if BreweryCards.of(game).markers.get(card) == "":
            BreweryCards.of(game).markers[card] = "gone"
    take_offer(game)


def marker(game: Game, number: int, company: str) -> None:
    """A railway has the marker of a private brewery, whose card is turned."""
    card = f"P{number}"
    BreweryCards.of(game).markers[card] = company
    if card not in BreweryCards.of(game).turned:
        BreweryCards.of(game).turned.append(card)
    take_offer(game)


# ---------------------------------------------------------------------- turns


def operating(game: Game, actor: str, step: str = "track", number: int = 1, total: int = 2) -> None:
    """It is the turn of a railway in an operating round, at a step of its turn; no brewery has paid for it."""
    turn_of(game, actor, step, number, total, paid=False)
    game.state.bank_broken = ""
    take_offer(game)


def end_stock(game: Game) -> None:
    """Everybody passes until the stock round is over."""
    number = game.state.round.stock_number
    while game.state.round.kind == "stock" and game.state.round.stock_number == number:
        game.apply(mv.Pass(asked(game)))


def bank(game: Game) -> int:
    return game.state.cash[BANK]
