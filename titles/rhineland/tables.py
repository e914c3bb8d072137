"""Tables that 18Rhl and 18LRA both have: what private companies can do, cards for seats, the company with a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from engine.definition import Definition
from engine.rows import PrivateRow, Seats
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TileName

Money = Annotated[int, Span(1, 9999)]
Stop = Annotated[int, Span(0, 3)]


@dataclass(frozen=True)
class Power:
    """A tile that a private company's owner may lay once, without a route, on one of the private's hexes."""

    #: Whether there is such a tile at all; if not, the private only reserves its hexes.
    lays: bool = True
    #: Where: on any of the hexes, where no tile lies yet, or where the printed cost is to be seen.
    on: Literal["any", "bare", "cost"] = "any"
    #: From which colour of tiles on.
    since: Colour | None = None
    colours: tuple[Colour, ...] = ()
    tiles: tuple[TileName, ...] = ()
    #: Without the printed cost.
    free: bool = False
    #: The only tile of the turn, else one besides the ordinary one.
    alone: bool = False
    #: Nobody else lays the first tile there.
    reserves: bool = False
    #: What is reserved is kept for this power: whoever owns it lays there by no other right than a private company's.
    only_power: bool = False
    #: A station at once on that tile, free or for its price.
    station: Literal["free", "paid"] | None = None
    #: The private company closes with its use.
    closes: bool = False


@dataclass(frozen=True, kw_only=True)
class PowerPrivate(PrivateRow):
    """A private company with what its owner can do."""

    power: Power | None = None

    def check(self, definition: Definition) -> Iterator[str]:
        if self.power and not self.hexes:
            yield "hexes: a power needs a hex"
        for tile in self.power.tiles if self.power else ():
            if definition.tiles[tile].hexes and not definition.tiles[tile].hexes & set(self.hexes):
                yield f"power.tiles: tile {tile} does not lie on {', '.join(self.hexes)}"


@dataclass(frozen=True)
class OrderCard:
    """A card for seats."""

    number: Count


@dataclass(frozen=True)
class LocationCard(OrderCard):
    """A card for seats and for two locations."""

    coal: HexName
    steel: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        for kind, at in (("coal", self.coal), ("steel", self.steel)):
            if kind not in definition.map.hexes[at].location_space:
                yield f"{kind}: {at} has no space for {kind}"


@dataclass(frozen=True)
class LinkCompany:
    """The company whose director's certificate is a lot, and which is paid when track joins two places."""

    corporation: CompanyName
    lot: PrivateName
    par: Money
    capital: Money
    #: Its certificates that lie in the pool from the start, and what it gets for them with the link.
    pool_certificates: frozenset[Count]
    amount: Money
    #: From one place, of whose printed stops these count, over another to the third.
    start: HexName
    start_stops: frozenset[Stop]
    via: HexName
    end: HexName
    #: Hexes whose ferry is no part of the link: there it begins on one bank.
    no_ferry: tuple[HexName, ...] = ()
    #: Earlier edition: the starting prices to choose from, and for how many shares the link pays.
    pars: frozenset[Money] = frozenset()
    link_shares: Annotated[int, Span(0, 10)] = 0

    @property
    def link(self) -> tuple[str, str, str]:
        return self.start, self.via, self.end

    def check(self, definition: Definition) -> Iterator[str]:
        market = definition.market
        pars = {market.rows[row][column] for row, column in market.cells("p")}
        for key, par in (("par", self.par), *(("pars", par) for par in self.pars)):
            if par not in pars:
                yield f"{key}: {par} is no starting price"
        if self.link_shares and not self.pars:
            yield "pars: a starting price is expected"
        certificates = len(definition.corporations[self.corporation].shares)
        if not self.pool_certificates or max(self.pool_certificates) >= certificates:
            yield f"pool_certificates: numbers from 1 to {certificates - 1} are expected"
        if self.amount > definition.bank:
            yield "amount: the bank has less"
        for key, at in (("start", self.start), ("via", self.via), ("end", self.end)):
            if not definition.map.hexes[at].face.stops:
                yield f"{key}: {at} has no stop"
        if len({*self.link}) < 3:
            yield "via: three hexes are expected"
        if not self.start_stops or max(self.start_stops) >= len(definition.map.hexes[self.start].face.stops):
            yield f"start_stops: stops of {self.start} are expected"


@dataclass(frozen=True)
class LotCertificate:
    """A certificate that comes with a lot."""

    lot: PrivateName
    corporation: CompanyName
    certificate: Annotated[int, Span(1, 99)]

    def check(self, definition: Definition) -> Iterator[str]:
        count = len(definition.corporations[self.corporation].shares)
        if self.certificate >= count:
            yield f"certificate: a number from 1 to {count - 1} is expected, not {self.certificate}"


@dataclass(frozen=True)
class IronRhine:
    """A bonus for a route from one of the eastern hexes to one of the western."""

    east: tuple[HexName, ...]
    west: tuple[HexName, ...]
    bonus: Money

    def check(self, definition: Definition) -> Iterator[str]:
        yield from with_stops(definition, east=self.east, west=self.west)


def with_stops(definition: Definition, **hexes: tuple[str, ...]) -> Iterator[str]:
    """Faults of hexes that no route can end at or pass."""
    for key, found in hexes.items():
        if not found and key != "closed":
            yield f"{key}: a hex is expected"
        for at in found:
            if not definition.map.hexes[at].face.stops:
                yield f"{key}: {at} has no stop"


@dataclass(frozen=True)
class LowerCapital:
    """The option of less money."""

    starting_cash: Mapping[Seats, Money]

    def check(self, definition: Definition) -> Iterator[str]:
        for count in self.starting_cash.keys() ^ definition.starting_cash.keys():
            yield f"starting_cash.{count}: a number for each number of players is expected"
        for count, cash in self.starting_cash.items():
            if cash * count > definition.bank:
                yield "starting_cash: the players have more than the bank"
