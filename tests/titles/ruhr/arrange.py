"""Arranges positions of 18Ruhr for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

from typing import Any

import titles
from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.rounds.turns import OnceRound, PassRound
from engine.state import CLOSED, OFFERING
from tests.titles.rhl.arrange import (
    asked,
    begin_stock,
    cash,
    give,
    hand,
    lay,
    names,
    offered,
    refused,
    station,
    stock,
    take_offer,
    walk,
)
from titles.ruhr import cards, works
from titles.ruhr.locations import PASSIVE
from titles.ruhr.remembered import Columns, Locations, RoundCards, Works

__all__ = [
    "after_package",
    "asked",
    "begin_stock",
    "cards_left",
    "cash",
    "floated",
    "founded",
    "give",
    "hand",
    "lay",
    "link",
    "markers",
    "mine",
    "montan",
    "montan_round",
    "names",
    "new",
    "offered",
    "operating",
    "own",
    "phase",
    "price_at",
    "private",
    "refused",
    "second_stock_round",
    "seen",
    "station",
    "stock",
    "take_offer",
    "trains",
    "walk",
]

SEATS = ("ann", "bo", "cy", "di", "ed", "flo")


def new(players: int = 4, scenario: str = "hellweg", **options: Any) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    for seed in range(10_000):
        game = titles.new_game("ruhr", SEATS[:players], {"scenario": scenario, **options}, seed)
        if game.state.seats == list(SEATS[:players]):
            return game
    raise AssertionError("no seed seats the players in order")


def after_package(players: int = 4, scenario: str = "hellweg") -> Game:
    """A game in its first stock round with an empty package: nobody owns anything, all private companies are gone."""
    game = new(players, scenario)
    Columns.of(game).package = [[], []]
    RoundCards.of(game).cards = list(game.state.seats)
    for private_ in game.state.privates:
        game.state.privates[private_] = CLOSED
    for player in game.state.seats:
        give(game, player, 1000 - game.state.cash[player])
    begin_stock(game, "ann")
    return game


def second_stock_round(players: int = 4, scenario: str = "hellweg", player: str = "ann") -> Game:
    """As `after_package`, in the second stock round, with one player to act."""
    game = after_package(players, scenario)
    stock(game, player)
    return game


def private(game: Game, name: str, owner: str) -> None:
    game.state.privates[name] = owner
    take_offer(game)


def price_at(game: Game, company: str, value: int) -> None:
    """Put a company's token on the box of a value."""
    game.prices.put(company, (0, game.definition.market.rows[0].index(value)))
    take_offer(game)


def founded(game: Game, company: str, director: str, par: int = 70) -> None:
    """Found a railway for a director without payment."""
    state = game.company(company)
    state.certificates[0] = director
    state.director, state.par = director, par
    price_at(game, company, par)


def floated(
    game: Game, company: str, director: str = "ann", par: int = 70, treasury: int = 1000, *, operated: bool = True
) -> None:
    """A railway that has floated with 50 % in its director's hands, the rest in the offer, its home on the map."""
    founded(game, company, director, par)
    own(game, company, director, 50)
    state = game.company(company)
    state.floated = state.active = True
    state.operated = operated
    game.state.board.token_version += 1
    cash(game, company, treasury)
    take_offer(game)


def own(game: Game, company: str, holder: str, percent: int) -> None:
    """Let somebody hold exactly so much of a company; the offer gives or takes the difference, small ones first."""
    certificates = game.company(company).certificates
    for number in [n for n, owner in enumerate(certificates) if owner == holder and n]:
        certificates[number] = OFFERING
    missing = percent - shares.held(game, company, holder)
    free = {n: shares.percent_of(game, company, n) for n, owner in enumerate(certificates) if owner == OFFERING and n}
    group = shares.subset(free, missing) if missing else ()
    assert group is not None, f"no certificates of {company} make up {missing}"
    for number in group:
        certificates[number] = holder
    take_offer(game)


def mine(game: Game, number: int, owner: str, treasury: int | None = None, **stages: int) -> str:
    """A small company in somebody's hands, with these markers instead of its first ones."""
    name = f"MC{number}"
    company, t = game.company(name), works.tables(game)
    company.closed, company.floated = False, True
    company.certificates, company.director = [owner], owner
    at = t.mines[name].hex
    Locations.of(game).locations[at].become("active", name)
    if name not in Works.of(game).charters:
        works.start(game, t.mines[name])
    if stages:
        markers(game, name, **stages)
    if treasury is not None:
        cash(game, name, treasury)
    take_offer(game)
    return name


def markers(game: Game, company: str, **stages: int) -> None:
    """Give a Montan company exactly these markers; the supply gives or takes the difference."""
    own_ = works.charter(game, company).markers
    heap = Works.of(game).supply[works.industry(game, company)]
    for stage in "ABCDEX":
        heap[stage] += own_.pop(stage, 0) - stages.get(stage, 0)
        if stages.get(stage):
            own_[stage] = stages[stage]
    take_offer(game)


def montan(
    game: Game, company: str, director: str, number: int, treasury: int = 500, par: int = 70, **stages: int
) -> str:
    """A MONTAN corporation founded on the place of a small company, with one certificate at its director."""
    at = next(row.hex for row in works.tables(game).mine if row.number == number)
    state = game.company(company)
    state.director, state.par, state.floated, state.operated = director, par, True, True
    state.certificates[0] = director
    price_at(game, company, par)
    name = f"MC{number}"
    if name in Works.of(game).charters:
        markers(game, name)
        del Works.of(game).charters[name]
    small = game.company(name)
    small.closed, small.floated, small.director, small.certificates = True, False, "", ["removed"]
    Locations.of(game).locations[at].become("founded", company)
    Locations.of(game).locations[at].linked = True
    works.new_charter(game, company, [at])
    markers(game, company, **(stages or {"A": 3, "B": 1}))
    cash(game, company, treasury)
    game.state.board.token_version += 1
    take_offer(game)
    return at


def link(game: Game, *numbers: int, linked: bool = True) -> None:
    """Small companies have their links, or have none."""
    for row in works.tables(game).mine:
        if row.number in numbers:
            Locations.of(game).locations[row.hex].linked = linked
    game.state.board.token_version += 1
    take_offer(game)


def passive(game: Game, number: int, *, linked: bool = True) -> str:
    """A small company that belongs to nobody."""
    row = next(row for row in works.tables(game).mine if row.number == number)
    Locations.of(game).locations[row.hex].become(PASSIVE, "")
    Locations.of(game).locations[row.hex].linked = linked
    small = game.company(row.company)
    small.closed, small.floated, small.director, small.certificates = True, False, "", ["removed"]
    take_offer(game)
    return row.hex


def trains(game: Game, company: str, *kinds: str) -> None:
    """Give a railway trains out of the display, without a phase change."""
    for name in kinds:
        game.state.depot.left[name] -= 1
        game.state.depot.sold[name] += 1
        game.company(company).trains.append(name)
    take_offer(game)


def cards_left(game: Game, **left: int) -> None:
    """So many cards of a type are left (`t3` is 3+3), of earlier types none; later ones are untouched."""
    depot = game.state.depot
    names_ = [train.name for train in game.definition.trains]
    last = max(names_.index(f"{key[1]}+{key[1]}") for key in left)
    for name in names_[: last + 1]:
        keep = left.get(f"t{name[0]}", 0)
        out = depot.left[name] - keep
        depot.left[name] = keep
        depot.gone.extend([name] * out)
        if not keep:  # otherwise the next one sold may still be the first
            depot.sold[name] += out
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """A phase has begun with all that its beginning brings; one card of each type up to it is out of the game."""
    phases = game.definition.phases
    index = next(n for n, p in enumerate(phases) if p.name == name)
    depot = game.state.depot
    for earlier in phases[: index + 1]:
        for kind in ("2+2",) if earlier.on == ("start",) else earlier.on:
            if not depot.sold[kind]:
                depot.left[kind] -= 1
                depot.sold[kind] += 1
                depot.gone.append(kind)
    for number in range(game.state.phase + 1, index + 1):
        game.state.phase = number
        game.notify(ev.PhaseChanged(game.phase.name, game.phase.colour))
    take_offer(game)


def operating(game: Game, actor: str, step: str = "", number: int = 1, total: int = 2) -> None:
    """It is the turn of a company in an operating round, at a step of its turn; no private has paid for it."""
    rules = game.rules.rounds["operating"]
    assert isinstance(rules, OnceRound)
    before = dict(game.state.cash)
    rules.begin(game, number, total)
    game.state.cash.update(before)
    rules.begin_turn(game, actor)
    if step:
        game.state.round.step = step
    take_offer(game)


def montan_round(game: Game, *cards: str, merging: bool = False) -> None:
    """A Montan round begins, in the order of the cards (all seats in order if none are named)."""
    RoundCards.of(game).cards = list(cards) or list(game.state.seats)
    kind = "merging" if merging else "founding"
    rules = game.rules.rounds[kind]
    if isinstance(rules, OnceRound):
        rules.begin(game)
    else:
        assert isinstance(rules, PassRound)
        rules.begin(game)
    game.settle()
    take_offer(game)


def seen(game: Game, move: mv.Move, kind: type[ev.Event]) -> list[Any]:
    """The events of a kind that a move brings."""
    return [event for event in game.apply(move) if isinstance(event, kind)]


def order(game: Game) -> list[str]:
    return cards.card_order(game)


def turned(game: Game, tile: str, *sides: str) -> int:
    """The rotation in which a tile's track leads to exactly these sides."""
    edges = game.definition.map.layout.edges
    wanted = sum(1 << edges.index(side) for side in sides)
    return next(r for r in range(6) if game.definition.tiles[tile].faces[r].exits == wanted)


def put(game: Game, at: str, tile: str, *sides: str) -> None:
    """Lay a tile so that its track leads to these sides."""
    lay(game, at, tile, turned(game, tile, *sides))
