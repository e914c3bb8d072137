"""What happened, as typed facts. Turning them into sentences is the work of whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from engine.moves import hidden


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events. One with secret fields has a `player`, who alone may see them."""

    SECRET: ClassVar[tuple[str, ...]] = ()
    #: Whether it shows what was hidden before: nobody who only looks ahead may see it.
    REVEALS: ClassVar[bool] = False

    def seen_by(self, viewer: str) -> Event:
        """The event as somebody may see it; whoever looks on is ""."""
        return hidden(self, self.SECRET) if self.SECRET and getattr(self, "player", "") != viewer else self

    def data(self) -> dict[str, Any]:
        """The event as JSON values, with its type."""
        # Its fields are plain values, and tuples of them, that nobody can change: none need be copied.
        return {"type": type(self).__name__, **{name: getattr(self, name) for name in self._names()}}

    @classmethod
    @cache
    def _names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


@dataclass(frozen=True, slots=True)
class Paid(Event):
    """Money has moved; the reason is a key, `about` the thing it is about."""

    source: str
    target: str
    amount: int
    reason: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Passed(Event):
    player: str
    company: str
    step: str


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    player: str
    lot: str
    price: int


@dataclass(frozen=True, slots=True)
class AuctionOpened(Event):
    lot: str
    bidders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuctionLeft(Event):
    player: str
    lot: str


@dataclass(frozen=True, slots=True)
class LotSold(Event):
    player: str
    lot: str
    price: int


@dataclass(frozen=True, slots=True)
class LotReduced(Event):
    lot: str
    price: int


@dataclass(frozen=True, slots=True)
class CompanyFounded(Event):
    player: str
    company: str
    par: int


@dataclass(frozen=True, slots=True)
class CompanyFloated(Event):
    company: str
    capital: int


@dataclass(frozen=True, slots=True)
class CompanyClosed(Event):
    company: str
    reason: str


@dataclass(frozen=True, slots=True)
class CertificateMoved(Event):
    company: str
    number: int
    percent: int
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class SharesSold(Event):
    seller: str
    company: str
    percent: int
    amount: int


@dataclass(frozen=True, slots=True)
class ShareBoughtBack(Event):
    """A company buys one of its certificates back from the pool."""

    company: str
    percent: int
    amount: int


@dataclass(frozen=True, slots=True)
class DirectorChanged(Event):
    company: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class SharePriceMoved(Event):
    company: str
    old: int
    new: int
    reason: str


@dataclass(frozen=True, slots=True)
class TileLaid(Event):
    company: str
    hex: str
    tile: str
    rotation: int
    replaced: str
    cost: int
    private: str


@dataclass(frozen=True, slots=True)
class StationPlaced(Event):
    company: str
    hex: str
    stop: int
    cost: int
    private: str


@dataclass(frozen=True, slots=True)
class TrainsRun(Event):
    company: str
    revenue: int
    routes: tuple[tuple[str, int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class DividendPaid(Event):
    company: str
    amount: int


@dataclass(frozen=True, slots=True)
class RevenueKept(Event):
    company: str
    amount: int


@dataclass(frozen=True, slots=True)
class TrainBought(Event):
    company: str
    train: str
    source: str
    price: int


@dataclass(frozen=True, slots=True)
class DirectorAdded(Event):
    """A director pays a part of a forced purchase."""

    player: str
    company: str
    amount: int


@dataclass(frozen=True, slots=True)
class TrainProposed(Event):
    company: str
    train: str
    seller: str
    price: int


@dataclass(frozen=True, slots=True)
class ProposalAnswered(Event):
    player: str
    answer: str
    price: int


@dataclass(frozen=True, slots=True)
class TrainsRusted(Event):
    train: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrainDiscarded(Event):
    company: str
    train: str


@dataclass(frozen=True, slots=True)
class PhaseChanged(Event):
    phase: str
    colour: str


@dataclass(frozen=True, slots=True)
class PrivateClosed(Event):
    private: str
    owner: str


@dataclass(frozen=True, slots=True)
class PlayerRetired(Event):
    player: str


@dataclass(frozen=True, slots=True)
class LoanTaken(Event):
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class PriorityMoved(Event):
    player: str


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    kind: str
    stock_number: int
    operating_number: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    actor: str


@dataclass(frozen=True, slots=True)
class BankBroke(Event):
    amount: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over; its scores may tell of what was hidden."""

    REVEALS: ClassVar[bool] = True
    reason: str
    scores: tuple[tuple[str, int], ...]
