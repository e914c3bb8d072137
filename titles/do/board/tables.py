"""What all forms of 18DO share besides the common tables: places of the map, links, and what a form changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, get_args

from engine.board.faces import CITY
from engine.definition import Definition
from engine.rows import Seats
from engine.tables import CompanyName, Count, HexName, Span, TileName

Money = Annotated[int, Span(1, 9999)]
Goods = Literal["coal", "steel"]
Tiles = Literal["yellow", "green", "brown", "grey", "special"]
TILES: tuple[Tiles, ...] = get_args(Tiles)
FormName = Literal["efs", "trg", "trg2", "hsb", "hsb2", "exp", "draft-hsb", "draft-exp"]


@dataclass(frozen=True)
class Components:
    """What the box holds, by the rulebook's list; `hexes` and `buildable` by the publisher."""

    railways: Count
    minor_breweries: Count
    brewery_corporations: Count
    railway_certificates: Count
    capex_cards: Count
    train_cards: Count
    private_breweries: Count
    phase_change_cards: Count
    investor_cards: Count
    beer_cubes: Count
    square_markers: Count
    money: Annotated[int, Span(1, 99_999)]
    hexes: Count
    buildable: Count
    #: Plain and coal tiles by colour; `special` are those of the harbour and the steel mills.
    tiles: Mapping[Tiles, Count]

    def check(self, definition: Definition) -> Iterator[str]:
        counted = Counter[str]()
        for tile in definition.tiles.values():
            counted["special" if any(stop.kind == CITY for stop in tile.face.stops) else tile.colour] += tile.count
        charters = definition.corporations.values()
        spots = definition.map.hexes.values()
        for key, count in (
            ("railways", len(charters)),
            ("railway_certificates", sum(len(charter.shares) for charter in charters)),
            ("train_cards", sum(train.count for train in definition.trains)),
            ("hexes", len(spots)),
            ("buildable", sum(spot.buildable for spot in spots)),
        ):
            if getattr(self, key) != count:
                yield f"{key}: there are {count}"
        for colour in TILES:
            if self.tiles.get(colour, 0) != counted[colour]:
                yield f"tiles.{colour}: there are {counted[colour]}"


@dataclass(frozen=True)
class LinkValues:
    """What a link adds to a route, from which colour on."""

    yellow: Money
    green: Money
    brown: Money


@dataclass(frozen=True)
class Locations:
    """Coal mines and steel mills, and what a link to one of them is worth."""

    coal: tuple[HexName, ...]
    steel: tuple[HexName, ...]
    values: LinkValues
    cost: Money
    #: Location tokens: low ones for first links, high ones for extended links.
    low: Mapping[Goods, Count]
    high: Mapping[Goods, Count]

    @cached_property
    def goods(self) -> Mapping[str, Goods]:
        """What is made at each location."""
        return {**dict.fromkeys(self.coal, "coal"), **dict.fromkeys(self.steel, "steel")}

    @cached_property
    def steps(self) -> tuple[tuple[str, int], ...]:
        """The values in rising order, each with the colour that it needs."""
        return tuple(sorted(vars(self.values).items(), key=lambda item: item[1]))

    def check(self, definition: Definition) -> Iterator[str]:
        for goods, places in (("coal", self.coal), ("steel", self.steel)):
            for at in places:
                spot = definition.map.hexes[at]
                if goods not in spot.icons or not spot.buildable:
                    yield f"{goods}: {at} is no such place"
            for height in (self.low, self.high):
                if height.get(goods, 0) < len(places):  # type: ignore[call-overload]
                    yield f"low.{goods}: a token for each of {len(places)} places is expected"
        for spot in definition.map.hexes.values():
            for icon in {"coal", "steel"} & {*spot.icons}:
                if spot.at not in self.goods:
                    yield f"{icon}: {spot.at} is missing"


@dataclass(frozen=True)
class Yards:
    """Freight yards; a railway with a token there gets `a_token` more for every token on the hex."""

    hexes: tuple[HexName, ...]
    a_token: Money

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.hexes:
            yield "hexes: a list that is not empty is expected"


@dataclass(frozen=True)
class City:
    """Dortmund City."""

    hex: HexName


@dataclass(frozen=True)
class Export:
    """What a red field pays for a cube of export beer."""

    bonus: Mapping[HexName, Money]

    def check(self, definition: Definition) -> Iterator[str]:
        red = {spot.at for spot in definition.map.hexes.values() if spot.face.colour == "red"}
        for at in red ^ self.bonus.keys():
            yield f"bonus.{at}: a number for each red field, and for nothing else, is expected"


@dataclass(frozen=True)
class Abilities:
    """What single railways can do, and which of them wait for another to be founded."""

    early_train: tuple[CompanyName, ...]
    free_coal_link: CompanyName
    through_steel: CompanyName
    no_beer: CompanyName
    opens_after: Mapping[CompanyName, CompanyName]


@dataclass(frozen=True, kw_only=True)
class Change:
    """What some forms, with some numbers of players, change of what is printed."""

    forms: tuple[FormName, ...]
    #: Without any it holds for every number of players.
    players: frozenset[Seats] = frozenset()
    #: Hexes as they stand in overlays.toml.
    put: tuple[str, ...] = ()
    hexes_out: tuple[HexName, ...] = ()
    tiles_out: tuple[TileName, ...] = ()
    companies_out: tuple[CompanyName, ...] = ()
    homes: Mapping[CompanyName, tuple[str, ...]] | None = None
    #: What of it is reconstructed, besides what is so in every form.
    reconstructed: tuple[str, ...] = ()

    def holds(self, form: str, players: int) -> bool:
        return form in self.forms and (not self.players or players in self.players)

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.forms:
            yield "forms: a list that is not empty is expected"
        printed = (self.put, self.hexes_out, self.tiles_out, self.companies_out, self.homes)
        if not any((*printed, self.reconstructed)):
            yield "reconstructed: a list that is not empty is expected where nothing else changes"


@dataclass(frozen=True)
class Tables:
    """All of them."""

    components: Components
    locations: Locations
    yards: Yards
    city: City
    export: Export
    abilities: Abilities
    change: tuple[Change, ...]
