"""18Rhl's own tables: bonuses, the Rheingold-Express, the company with a link, what private companies can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from engine.definition import Definition
from engine.rows import Edge
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TileName, TrainName
from titles.rhineland.tables import (
    IronRhine,
    LinkCompany,
    LocationCard,
    LotCertificate,
    LowerCapital,
    Money,
    Power,
    PowerPrivate,
    with_stops,
)
from titles.rhl.alternative_tables import Alternative
from titles.rhl.decks import DestinyCard, TargetCard, unlike

#: What hexes and tiles may show; it counts for routes.
ICONS = frozenset({"coal", "steel", "rails", "crown"})


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
        yield from with_stops(definition, start=self.start, far_end=self.far_end, doubled=self.doubled)
        yield from with_stops(definition, not_through=self.not_through, closed=self.closed)
        groups = {name for spot in definition.map.hexes.values() for name, _ in spot.groups}
        for name in self.apart:
            if name not in groups:
                yield f"apart: there is no group {name!r}"


@dataclass(frozen=True)
class Tables:
    """All of them."""

    private: tuple[PowerPrivate, ...]
    order_card: tuple[LocationCard, ...]
    industry_bonus: IndustryBonus
    eastern_ruhr: EasternRuhr
    iron_rhine: IronRhine
    rheingold: Rheingold
    link_company: LinkCompany
    lot_certificate: LotCertificate
    lower_capital: LowerCapital
    target_card: tuple[TargetCard, ...]
    destiny_card: tuple[DestinyCard, ...]
    alternative: Alternative = field(default_factory=Alternative)

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        """What private companies can do, in their order."""
        return {private.id: private.power for private in self.private if private.power}

    def check(self, definition: Definition) -> Iterator[str]:
        numbers = [card.number for card in self.order_card]
        if len(set(numbers)) < len(numbers) or len(numbers) < definition.players[1]:
            yield "order_card.number: a number for each card, and a card for each player is expected"
        if fault := unlike(self.target_card, definition.players[1], each=1, more=2):
            yield f"target_card.{fault}"
        if fault := unlike(self.destiny_card, definition.players[1], each=2, more=0):
            yield f"destiny_card.{fault}"
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
class EarlierPower:
    """What a private company could do: none was discarded when it was used."""

    lays: bool
    alone: bool
    ability: str
    closes: str


@dataclass(frozen=True)
class EarlierTables:
    """What the earlier edition has otherwise, besides hexes."""

    tile_counts: Mapping[TileName, Count]
    corporation: Mapping[CompanyName, Renamed]
    power: Mapping[PrivateName, EarlierPower]
    link_company: EarlierLink
    iron_rhine: EarlierIronRhine
    rheingold: EarlierRheingold
