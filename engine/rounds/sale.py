"""What a round that sells lots has to show: every lot with its price and bids, and what everybody can still spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: How a lot stands: it can be bought now, can be bid on, is being auctioned, must wait, or has an owner.
BUY, BID, AUCTION, WAIT, SOLD = "buy", "bid", "auction", "wait", "sold"


@dataclass(frozen=True)
class Lot:
    """A lot: `price` is what it costs now, or the least bid; `bids` are those that stand, in the order made."""

    id: str
    number: int
    name: str
    state: str
    price: int
    revenue: int = 0
    bids: tuple[tuple[str, int], ...] = ()
    owner: str = ""
    #: In which of several piles it lies, from the top; piles lie side by side.
    pile: int = 0


@dataclass(frozen=True)
class Sale:
    """All lots in their order, and the cash of each player that no bid binds."""

    lots: tuple[Lot, ...]
    free: Mapping[str, int]
    #: Those who are still in an auction that is going on.
    bidders: tuple[str, ...] = ()
