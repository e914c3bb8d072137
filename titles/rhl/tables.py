"""18Rhl's own tables: bonuses, the Rheingold-Express, the company with a link, what private companies can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from engine.definition import Definition
from engine.rows import Edge, PrivateRow, Seats
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TileName, TrainName

Money = Annotated[int, Span(1, 9999)]
#: What hexes and tiles may show; it counts for routes.
ICONS = frozenset({"coal", "steel", "iron_rhine", "rheingold"})
Stop = Annotated[int, Span(0, 3)]


@dataclass(frozen=True)
class Power:
    """A tile that a private company's owner may lay once, without a route, on one of the private's hexes."""

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
    #: A station at once on that tile, free or for its price.
    station: Literal["free", "paid"] | None = None
    #: The private company closes with its use.
    closes: bool = False


@dataclass(frozen=True, kw_only=True)
class RhlPrivate(PrivateRow):
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
    """A card for seats and locations."""

    number: Count
    coal: HexName
    steel: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        for kind, at in (("coal", self.coal), ("steel", self.steel)):
            if kind not in definition.map.hexes[at].location_space:
                yield f"{kind}: {at} has no space for {kind}"


@dataclass(frozen=True)
class IndustryBonus:
    """What a coalmine and a steel mill on one route bring."""

    amount: Mapping[Colour, Money]
    sets: Count
    not_for: tuple[TrainName, ...]

    def check(self, definition: Definition) -> Iterator[str]:
        for phase in definition.phases:
            if phase.colour not in self.amount:
                yield f"amount.{phase.colour}: is missing; a number is expected"


@dataclass(frozen=True)
class EasternRuhr:
    """Its hexes, the edges by which one comes there, and its value by how many of them have track."""

    hexes: tuple[HexName, ...]
    links: tuple[tuple[HexName, Edge], ...]
    value_by_links: tuple[Annotated[int, Span(0, 999)], ...]

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.hexes:
            yield "hexes: a hex is expected"
        if len(self.value_by_links) != len(self.links) + 1:
            yield f"value_by_links: {len(self.links) + 1} numbers are expected, not {len(self.value_by_links)}"
        for at, edge in self.links:
            if edge not in definition.map.layout.edges:
                yield f"links: one of {', '.join(definition.map.layout.edges)} is expected, not {edge!r}"
            elif definition.map.neighbours[at][definition.map.layout.edge(edge)] not in self.hexes:
                yield f"links: {edge} of {at} does not lead to {' or '.join(self.hexes)}"


@dataclass(frozen=True)
class IronRhine:
    """A bonus for a route from one of the eastern hexes to one of the western."""

    east: tuple[HexName, ...]
    west: tuple[HexName, ...]
    bonus: Money

    def check(self, definition: Definition) -> Iterator[str]:
        yield from _with_stops(definition, east=self.east, west=self.west)


@dataclass(frozen=True)
class Rheingold:
    """The train with a way of its own."""

    train: TrainName
    start: tuple[HexName, ...]
    far_end: tuple[HexName, ...]
    doubled: tuple[HexName, ...]
    not_through: tuple[HexName, ...]
    #: Earlier edition: hexes that it does not touch, and fields of which it may visit several.
    closed: tuple[HexName, ...] = ()
    apart: tuple[str, ...] = ()

    def check(self, definition: Definition) -> Iterator[str]:
        yield from _with_stops(definition, start=self.start, far_end=self.far_end, doubled=self.doubled)
        yield from _with_stops(definition, not_through=self.not_through, closed=self.closed)
        groups = {name for spot in definition.map.hexes.values() for name, _ in spot.groups}
        for name in self.apart:
            if name not in groups:
                yield f"apart: there is no group {name!r}"


def _with_stops(definition: Definition, **hexes: tuple[str, ...]) -> Iterator[str]:
    """Faults of hexes that no route can end at or pass."""
    for key, found in hexes.items():
        if not found and key != "closed":
            yield f"{key}: a hex is expected"
        for at in found:
            if not definition.map.hexes[at].face.stops:
                yield f"{key}: {at} has no stop"


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
class LowerCapital:
    """The option of less money."""

    starting_cash: Mapping[Seats, Money]

    def check(self, definition: Definition) -> Iterator[str]:
        for count in self.starting_cash.keys() ^ definition.starting_cash.keys():
            yield f"starting_cash.{count}: a number for each number of players is expected"
        for count, cash in self.starting_cash.items():
            if cash * count > definition.bank:
                yield "starting_cash: the players have more than the bank"


@dataclass(frozen=True)
class Tables:
    """All of them."""

    private: tuple[RhlPrivate, ...]
    order_card: tuple[OrderCard, ...]
    industry_bonus: IndustryBonus
    eastern_ruhr: EasternRuhr
    iron_rhine: IronRhine
    rheingold: Rheingold
    link_company: LinkCompany
    lot_certificate: LotCertificate
    lower_capital: LowerCapital

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        """What private companies can do, in their order."""
        return {private.id: private.power for private in self.private if private.power}

    def check(self, definition: Definition) -> Iterator[str]:
        numbers = [card.number for card in self.order_card]
        if len(set(numbers)) < len(numbers) or len(numbers) < definition.players[1]:
            yield "order_card.number: a number for each card, and a card for each player is expected"
        for spot in definition.map.hexes.values():
            at_stops = [icon for _, icon in spot.stop_icons]
            for key, icons in {
                "icons": spot.icons,
                "stop_icons": at_stops,
                "location_space": spot.location_space,
            }.items():
                if not set(icons) <= ICONS:
                    yield f"hex.{spot.at}.{key}: one of {', '.join(sorted(ICONS))} is expected"
        for tile in definition.tiles.values():
            if not set(tile.face.icons) <= ICONS:
                yield f"tile.{tile.id}.icons: one of {', '.join(sorted(ICONS))} is expected"


# ---------------------------------------------------------------------- the earlier edition


@dataclass(frozen=True)
class Renamed:
    """A corporation's earlier name."""

    id: str
    name: str


@dataclass(frozen=True)
class EarlierLink:
    """The starting prices to choose from, and for how many shares the link pays."""

    pars: frozenset[Money]
    link_shares: Annotated[int, Span(1, 10)]


@dataclass(frozen=True)
class EarlierIronRhine:
    """Where the Iron Rhine ended."""

    west: tuple[HexName, ...]


@dataclass(frozen=True)
class EarlierRheingold:
    """Where the Rheingold-Express began, and what it left out."""

    start: tuple[HexName, ...]
    closed: tuple[HexName, ...]
    apart: tuple[str, ...]


@dataclass(frozen=True)
class EarlierTables:
    """What the earlier edition has otherwise, besides hexes."""

    tile_counts: Mapping[TileName, Count]
    corporation: Mapping[CompanyName, Renamed]
    link_company: EarlierLink
    iron_rhine: EarlierIronRhine
    rheingold: EarlierRheingold
