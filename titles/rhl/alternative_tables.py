"""Tables of the alternative starting package: what comes with which lot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from engine.board.tiling import Misfit, Tiling
from engine.definition import Definition
from engine.tables import Colour, CompanyName, HexName, PrivateName, Span, TileName, TrainName
from titles.rhineland.tables import LinkCompany, LotCertificate, Money, PowerPrivate


@dataclass(frozen=True)
class WithLot:
    """What a lot brings to map and tiles, and what of it nobody knows from the box."""

    hexes: tuple[HexName, ...] = ()
    tiles: tuple[TileName, ...] = ()
    reconstructed: tuple[str, ...] = ()


@dataclass(frozen=True)
class LimeQuarry:
    """A token; each steel mill on a route over its hex brings something."""

    lot: PrivateName
    hex: HexName
    steel_mill: Money
    not_for: tuple[TrainName, ...]


@dataclass(frozen=True)
class RheingoldToken:
    """A station token that only the Rheingold-Express knows, on one of the hexes of its private company."""

    lot: PrivateName
    since: Colour

    def check(self, definition: Definition) -> Iterator[str]:
        if self.lot in definition.privates and not definition.privates[self.lot].hexes:
            yield f"lot: {self.lot} has no hexes"


@dataclass(frozen=True)
class FreeStation:
    """A station for nothing on a hex, beside its spaces if all are taken."""

    lot: PrivateName
    hex: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        if not definition.map.hexes[self.hex].face.is_city:
            yield f"hex: {self.hex} has no city"


@dataclass(frozen=True)
class DearStations:
    """Hexes on which stations cost more."""

    lot: PrivateName
    hexes: tuple[HexName, ...]
    percent: Annotated[int, Span(100, 900)]

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.hexes:
            yield "hexes: a hex is expected"
        for at in self.hexes:
            if not any(stop.slots for stop in definition.map.hexes[at].face.stops):
                yield f"hexes: {at} has no space for a station"


@dataclass(frozen=True)
class Built:
    """A tile that lies on the map from the start."""

    lot: PrivateName
    hex: HexName
    tile: TileName
    rotation: Annotated[int, Span(0, 5)]

    def check(self, definition: Definition) -> Iterator[str]:
        spot, tile = definition.map.hexes[self.hex], definition.tiles[self.tile]
        try:
            Tiling(definition).fit(self.hex, None, tile, self.rotation)
        except Misfit:
            yield f"tile: {self.tile} does not fit on {self.hex} so"
        if [stop.slots for stop in spot.face.stops] != [stop.slots for stop in tile.face.stops]:
            yield f"tile: {self.tile} has other spaces than {self.hex}"


@dataclass(frozen=True)
class Charter:
    """What is otherwise on a corporation's charter; without a text nothing is particular about it."""

    lot: PrivateName
    corporation: CompanyName
    float: Annotated[int, Span(1, 100)]
    special: str = ""
    special_de: str = ""


@dataclass(frozen=True)
class Alternative:
    """What of the alternative starting package a game has besides hexes and tiles."""

    lots: frozenset[PrivateName] = frozenset()
    lime_quarry: LimeQuarry | None = None
    rheingold_token: RheingoldToken | None = None
    free_station: FreeStation | None = None
    dear_stations: DearStations | None = None
    built: tuple[Built, ...] = ()


@dataclass(frozen=True)
class AlternativeTables:
    """All of them, as they stand in the file."""

    private: tuple[PowerPrivate, ...]
    with_lot: Mapping[PrivateName, WithLot]
    lime_quarry: LimeQuarry
    rheingold_token: RheingoldToken
    free_station: FreeStation
    lot_certificate: LotCertificate
    link_company: LinkCompany
    dear_stations: DearStations
    built: tuple[Built, ...]
    charter: tuple[Charter, ...]

    def check(self, definition: Definition) -> Iterator[str]:
        """Every lot says what it brings, and nothing is brought by two or by none."""
        for private in self.private:
            if private.id not in self.with_lot:
                yield f"with_lot.{private.id}: is missing; a table is expected"
        for key, names in (
            ("built.hex", [row.hex for row in self.built]),
            ("charter.corporation", [row.corporation for row in self.charter]),
        ):
            if len(set(names)) < len(names):
                yield f"{key}: one stands twice"
        for table, lot in (("lot_certificate", self.lot_certificate.lot), ("link_company", self.link_company.lot)):
            if self.lots()[lot].power is not None:
                yield f"{table}.lot: {lot} has a power of its own"

    def lots(self) -> Mapping[str, PowerPrivate]:
        return {private.id: private for private in self.private}
