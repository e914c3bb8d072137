"""Arranges positions of Heat, Sweat & Beer for tests: real games, with the market or the books set as a test needs."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

from engine.finance import shares
from engine.game import Game
from engine.remembered import Earned
from engine.rounds.turns import OnceRound
from engine.rules import Rules, Setup
from engine.state import OFFERING
from tests.titles.arranging import (
    SEATS,
    begin_stock,
    cash,
    give,
    hand,
    lay,
    names,
    price_at,
    put,
    refused,
    seated,
    seen,
    station,
    take_offer,
    trains,
    turn_of,
    turned,
)
from tests.titles.do.arrange import offered, operating
from tests.titles.do.arrange import phase as taken
from titles import do
from titles.do.brewery import beer as market
from titles.do.brewery import breweries
from titles.do.brewery.beer import NEW, REGULAR
from titles.do.brewery.breweries import EquipmentOwned, OrderTokens
from titles.do.brewery.data import tables
from titles.do.brewery.game import Start, take_minors
from titles.do.brewery.loading import Loads

__all__ = [
    "SEATS",
    "after_package",
    "begin_stock",
    "brewing",
    "brewing_turn",
    "cash",
    "corporation",
    "demand",
    "equip",
    "export_line",
    "fields",
    "give",
    "hand",
    "lay",
    "loaded",
    "names",
    "new",
    "offered",
    "on_card",
    "operating",
    "own",
    "phase",
    "price_at",
    "put",
    "railway",
    "railway_turn",
    "refused",
    "rules",
    "second_stock",
    "seen",
    "station",
    "take_offer",
    "trains",
    "turned",
]


@cache
def rules(players: int, dealt: bool = False, form: str = "hsb") -> Rules:
    return do.TITLE.form(form).make(Setup(form, {"dealt": dealt}, players))


def new(players: int = 3, dealt: bool = False, form: str = "hsb") -> Game:
    """A new game whose seats are ann, bo, cy, … in this order."""
    return seated(lambda seed: Game(rules(players, dealt, form), SEATS[:players], seed))


def after_package(
    players: int = 3, minors: tuple[str, ...] = ("B4", "B8", "B2", "B5", "B7"), form: str = "hsb"
) -> Game:
    """The first stock round: ann, bo, … own these small breweries, bought at their printed prices; 1000 Mark each."""
    game = new(players, form=form)
    chosen = minors[:players]
    for name in tables(game).minors:
        game.company(name).closed = name not in chosen
        game.company(name).certificates = [OFFERING if name in chosen else "removed"]
    Start.of(game).package = list(chosen)
    take_minors(game, {name: (player, 0) for player, name in zip(SEATS, chosen, strict=False)})
    for player in game.state.seats:
        cash(game, player, 1000)
    begin_stock(game, "ann")
    return game


def second_stock(game: Game, player: str = "ann", number: int = 2) -> None:
    """It is a player's turn in a later stock round."""
    game.state.pauses.clear()
    game.state.round.stock_number = number
    begin_stock(game, player)


def own(game: Game, company: str, holder: str, percent: int) -> None:
    """Somebody gets certificates of a company from its charter, tens first."""
    owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
    group = shares.subset(owned, percent)
    assert group is not None
    for number in group:
        game.company(company).certificates[number] = holder
    take_offer(game)


def corporation(
    game: Game,
    company: str,
    director: str = "ann",
    *,
    held: int = 50,
    price: int = 60,
    treasury: int = 500,
    equipment: tuple[str, ...] = (),
) -> None:
    """A brewery corporation or a railway that has floated and operated; the rest of its shares lie on its charter."""
    state = game.company(company)
    state.certificates = [company] * len(state.certificates)
    state.certificates[0] = state.director = director
    if held > shares.percent_of(game, company, 0):
        own(game, company, director, held - shares.percent_of(game, company, 0))
    state.floated = state.operated = state.active = True
    state.par = price
    cash(game, company, treasury)
    if breweries.kind(game, company) == breweries.BREWERY:
        OrderTokens.of(game).order.append(company)
    price_at(game, company, price)
    equip(game, company, *equipment)


def railway(game: Game, company: str, director: str = "ann", **more: Any) -> None:
    corporation(game, company, director, **more)


def equip(game: Game, company: str, *types: str) -> None:
    """A brewery has exactly this equipment; cards for it are gone."""
    now = EquipmentOwned.of(game)
    for type_ in now.owned.pop(company, []):
        now.used_up[type_] = now.used_up.get(type_, 0) + 1
    for type_ in types:
        if game.state.depot.left.get(type_):
            game.state.depot.left[type_] -= 1
            game.state.depot.sold[type_] += 1
            game.state.depot.gone.append(type_)
        breweries.add(game, company, type_)
    take_offer(game)


def phase(game: Game, name: str) -> None:
    """The first card of each type up to this one has been taken, and the beer market is as that leaves it."""
    taken(game, name)
    beer = breweries.beer(game)
    for row in tables(game).brewing:
        market.open_segment(beer, row.opens)
        if row.closes:
            market.close_segment(beer, row.closes)
        if row.phase == name:
            break
    take_offer(game)


def demand(game: Game, *, stock: int = 0, closed: tuple[int, ...] | None = None, **wanted: int) -> None:
    """The market wants these cubes (`r3=1`: one for regular customers of segment 3); the rest is for export."""
    beer = breweries.beer(game)
    total = tables(game).beer.cubes[len(game.players)]
    for customers in (REGULAR, NEW):
        beer.demand[customers] = [0] * 6
        beer.delivered[customers] = [0] * 6
    for name, count in wanted.items():
        beer.demand[REGULAR if name[0] == "r" else NEW][int(name[1:]) - 1] = count
    beer.stock, beer.export = stock, total - stock - sum(wanted.values())
    beer.closed = [n for n in beer.closed if not market.served(beer, n)] if closed is None else list(closed)
    take_offer(game)


def fields(game: Game) -> dict[str, int]:
    """The filled demand fields, as `demand` takes them."""
    beer = breweries.beer(game)
    return {
        f"{customers[0]}{index + 1}": count
        for index in range(6)
        for customers in (REGULAR, NEW)
        if (count := beer.demand[customers][index])
    }


def brewing(game: Game, number: int = 1, total: int = 2) -> None:
    """A brewery round begins."""
    round_ = game.rules.rounds["brewing"]
    assert isinstance(round_, OnceRound)
    game.state.pauses.clear()
    round_.begin(game, number, total)
    take_offer(game)
    game.settle()


def brewing_turn(game: Game, company: str, step: str = "deliver", revenue: int = 0) -> None:
    """It is a brewery's turn, at a step of it, with an income; those before it in the order have acted."""
    game.state.pauses.clear()
    before = itertools.takewhile(lambda other: other != company, breweries.acting(game))
    turn_of(game, company, step, 1, 2, kind="brewing", after=before)
    Earned.of(game).revenue = revenue
    take_offer(game)
    game.settle()


def railway_turn(game: Game, company: str, step: str, revenue: int | None = None) -> None:
    """It is a railway's turn, at a step of it, with an income."""
    game.state.pauses.clear()
    turn_of(game, company, step, 1, 2)
    if revenue is not None:
        Earned.of(game).revenue = revenue
    take_offer(game)
    game.settle()


def on_card(game: Game, card: str, left: int) -> None:
    """So many cards of a type are left; all of lower types are gone."""
    depot = game.state.depot
    for train in game.definition.trains:
        now = 0 if int(train.name) < int(card) else left if train.name == card else train.count
        gone = depot.left[train.name] - now
        depot.gone.extend([train.name] * max(gone, 0))
        for _ in range(max(-gone, 0)):
            depot.gone.remove(train.name)
        depot.left[train.name] = now
        depot.sold[train.name] = train.count - now
    take_offer(game)


def loaded(game: Game, railway_: str, *loads: tuple[str, int]) -> None:
    """Trains of a railway carry cubes from the export field."""
    Loads.of(game).trains[railway_] = list(loads)
    breweries.beer(game).export -= sum(cubes for _, cubes in loads)
    take_offer(game)


def export_line(game: Game, *, second: bool = False) -> None:
    """Track from BME's home I10 over H11, G10 and F11 to Dortmund City; a second way over the mines H9, F9 and E10."""
    put(game, "H11", "8", "SW", "NW")
    put(game, "G10", "8", "SE", "NE")
    put(game, "F11", "9", "SW", "NE")
    if second:
        put(game, "H9", "1904", "SE", "NW")
        put(game, "G8", "8", "SE", "NE")
        put(game, "F9", "1904", "SW", "NE")
        put(game, "E10", "1905", "SW", "E")
    take_offer(game)
