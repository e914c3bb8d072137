"""DO-6.5.2.4-e, R-57: weighs export against Dortmund: what a brewery gives away that delivers everything at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Game
from titles.do.board.export import loaded
from titles.do.board.remembered import SoldBeer
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, loading
from titles.do.brewery.data import tables

if TYPE_CHECKING:
    from titles.do.brewery.brewing import DeliverStep


@dataclass(frozen=True, slots=True)
class Forgone:
    """So many cubes named for export first bring so much more; for that the directors of some railways must agree."""

    cubes: int
    more: int
    asks: tuple[str, ...] = ()


def forgone(step: DeliverStep, game: Game, company: str) -> Forgone | None:
    """What delivering everything at once gives away; None if nothing better is to be had by naming export first."""
    if not step.may_load(game, company):
        return None
    at_once = _at_once(step, game.copy(), company)
    twin, asks = game.copy(), list[str]()
    best, found = at_once, None
    count = 0
    while step.may_load(twin, company):
        railway, needs_consent = _name(step, twin, company)
        count += 1
        asks += [railway] * (needs_consent and railway not in asks)
        brings = _worth(step, twin, company)
        if brings > best:
            best, found = brings, Forgone(count, brings - at_once, tuple(asks))
    return found


def _at_once(step: DeliverStep, twin: Game, company: str) -> int:
    """What everything delivered at once brings, with what can be named for export after it."""
    brings = _worth(step, twin, company)
    step.deliver(twin, company, step.best(twin, company))
    while step.may_load(twin, company):
        _name(step, twin, company)
        brings += tables(twin).beer.export_price
    return brings


def _name(step: DeliverStep, twin: Game, company: str) -> tuple[str, bool]:
    """Name the unit that Dortmund misses least, on a train of one's own first; the railway, and whether it is asked."""
    player = twin.decider(company)
    targets = step.loading.targets(twin)
    railway, train = min(targets, key=lambda target: step.loading.asks(twin, player, target[0]))
    named = SoldBeer.of(twin).named

    def left(equipment: str) -> int:
        named.append((equipment, railway, *load))
        brings = _worth(step, twin, company)
        named.pop()
        return brings

    load = next(entry for entry in loading.planned(twin, railway) if loaded(*entry) == train)
    equipment = max(step.loading.units(twin, company), key=left)
    named.append((equipment, railway, *load))
    return railway, step.loading.asks(twin, player, railway)


def _worth(step: DeliverStep, twin: Game, company: str) -> int:
    """What the free units bring in Dortmund, with what is named for export as far as Dortmund leaves cubes for it."""
    beer, plan = breweries.beer(twin), step.best(twin, company)
    cubes = beer.stock + sum(market.wanted(beer).values()) - len(plan)
    return step.brings(twin, company, plan) + min(cubes, len(loading.named(twin))) * tables(twin).beer.export_price
