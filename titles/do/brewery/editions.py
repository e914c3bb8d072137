"""Where the editions of the games with breweries differ: one value for each joint, which another edition replaces."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.definition import Definition
from engine.finance.handing import WholeCertificates
from engine.mechanism import Mechanism
from engine.records import OfGame, record
from engine.rules import Floating, Seated, Seating, Setup, Trains
from engine.steps.trade import Check
from titles.do.board.stock import opened
from titles.do.board.trains import NewCards, by_phase
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, brewing, loading
from titles.do.brewery.selling import Selling
from titles.do.brewery.stock import HsbFloats
from titles.do.brewery.tables import HsbTables
from titles.do.brewery.trading import Placing


@record("do.seat_numbers")
@dataclass(slots=True)
class SeatNumbers(OfGame):
    """The private brewery by whose number each player was seated."""

    numbers: dict[str, int] = field(default_factory=dict)


def by_numbers(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    """DO-6.1.6-b: private breweries are dealt; the lowest number begins, seats ascend."""
    deal = dict(zip(players, chance.sample(range(1, 6), len(players)), strict=True))
    return sorted(players, key=lambda player: deal[player]), (SeatNumbers(deal),)


@dataclass(frozen=True, kw_only=True)
class Edition:
    """What a form with breweries asks of its edition; what stands here is the German rulebook.

    What needs figures is a function of the tables, which the edition may have amended.
    """

    #: The data of a form as the edition prints them.
    amended: Callable[[Definition], Definition] = lambda definition: definition
    #: Seats clockwise and what the draw leaves.
    seating: Seating = by_numbers
    #: What holds a company back that waits for others.
    opened: Callable[[HsbTables], Check] = lambda t: opened(t.abilities.opens_after)
    #: The order token of a new corporation.
    placing: Placing = field(default_factory=Placing)
    #: How a player's sale is made up.
    parts: WholeCertificates = field(default_factory=WholeCertificates)
    floats: Floating = field(default_factory=HsbFloats)
    #: How many cards a company takes from the display in a turn.
    new_cards: Callable[[HsbTables], NewCards] = lambda t: by_phase({row.phase: row.cards for row in t.brewing})
    trains: Callable[[Definition, HsbTables], Trains] = loading.trains
    #: Where the cubes for a link come from when the stock is short.
    short: Callable[[HsbTables], market.Source] = lambda t: market.lowest_below
    selling: Callable[[HsbTables], Selling] = lambda t: Selling()
    #: What the owner of a small brewery adds to a purchase.
    owner_adds: brewing.OwnerAdds = brewing.half_or_all
    #: What decides about the order of the breweries.
    rank: Callable[[HsbTables], breweries.Rank] = lambda t: breweries.by_all
    #: What else there is.
    mechanisms: tuple[Mechanism, ...] = ()


FINAL = Edition()
