"""18BL's own tables: limits, vehicles, the dividend, access tokens, what private companies can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from engine.definition import Definition
from engine.rows import PrivateRow
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TrainName

Money = Annotated[int, Span(1, 9999)]
Percent = Annotated[int, Span(1, 100)]


@dataclass(frozen=True)
class Power:
    """What a private company is good for in a corporation's hands."""

    #: The colour of phase from which on a corporation may buy it.
    sold_from: Colour
    #: It lays a tile on its hex, without the printed cost or for it.
    lays: Literal["free", "paid"] | None = None
    #: Nobody else lays a tile there without consent.
    reserves: bool = False
    #: The trailer that lies on it.
    trailer: TrainName = ""


@dataclass(frozen=True, kw_only=True)
class BlPrivate(PrivateRow):
    """A private company with its power."""

    power: Power = field()

    def check(self, definition: Definition) -> Iterator[str]:
        if self.power.lays and not self.hexes:
            yield "hexes: the hex of its tile is expected"
        if self.power.reserves and not self.power.lays:
            yield "power.reserves: a private company that lays a tile is expected"
        if self.power.trailer and definition.train(self.power.trailer).kind != "trailer":
            yield f"power.trailer: {self.power.trailer} is no trailer"


@dataclass(frozen=True)
class Shares:
    """How much of a corporation a player may hold."""

    limit: Percent
    limit_from_offering: Percent

    def check(self, definition: Definition) -> Iterator[str]:
        if self.limit_from_offering < self.limit:
            yield f"limit_from_offering: at least {self.limit} is expected, not {self.limit_from_offering}"


@dataclass(frozen=True)
class Components:
    """What the box holds, by the rulebook."""

    tiles: Mapping[Literal["yellow", "green", "brown", "grey", "orange"], Count]
    train_cards: Count
    rail_bus_cards: Count
    trailer_tokens: Count
    private_certificates: Count
    corporation_certificates: Count
    station_tokens: Count
    access_tokens: Count
    impassable_rods: Count

    def check(self, definition: Definition) -> Iterator[str]:
        found: dict[str, int] = {}
        for tile in definition.tiles.values():
            found[tile.colour] = found.get(tile.colour, 0) + tile.count
        printed: dict[str, int] = {str(colour): count for colour, count in self.tiles.items()}
        for colour in found | printed:
            if found.get(colour) != printed.get(colour):
                yield f"tiles.{colour}: {found.get(colour, 0)} are expected as in [tile]"
        kinds = {"train": "train_cards", "railbus": "rail_bus_cards", "trailer": "trailer_tokens"}
        for kind, key in kinds.items():
            yield from _counted(self, key, sum(train.count for train in definition.trains if train.kind == kind))
        yield from _counted(self, "private_certificates", len(definition.privates))
        charters = definition.corporations.values()
        yield from _counted(self, "corporation_certificates", sum(len(charter.shares) for charter in charters))
        yield from _counted(self, "station_tokens", sum(len(charter.tokens) for charter in charters))
        yield from _counted(self, "access_tokens", definition.tables.access.tokens)


def _counted(components: Components, key: str, count: int) -> Iterator[str]:
    if getattr(components, key) != count:
        yield f"{key}: {count} are expected as in the other tables, not {getattr(components, key)}"


@dataclass(frozen=True)
class Fields:
    """How many hexes the map has, by the publisher's count."""

    playable: Count
    total: Count
    red: Count
    grey: Count


@dataclass(frozen=True)
class Reconstruction:
    """How the board was reconstructed."""

    fields: Fields
    counting: str
    grid: str
    layout: str
    projection: str
    anchors: str
    fit: str
    terrain: str
    special_tiles: str
    off_board: str
    opening: str
    tile_mix: str
    economy: str
    p_fields: str

    def check(self, definition: Definition) -> Iterator[str]:
        spots = definition.map.hexes.values()
        colours = [spot.face.colour for spot in spots]
        found = Fields(sum(spot.buildable for spot in spots), len(colours), colours.count("red"), colours.count("grey"))
        if found != self.fields:
            yield f"fields: as many as the map has are expected, {vars(found)}"


@dataclass(frozen=True)
class PriceRange:
    """What a corporation pays for a private company, in per cent of the printed price."""

    min_percent: Annotated[int, Span(1, 1000)]
    max_percent: Annotated[int, Span(1, 1000)]


@dataclass(frozen=True)
class PrivateRules:
    """The sale of private companies to corporations."""

    corporation_price: PriceRange
    until: Colour

    def check(self, definition: Definition) -> Iterator[str]:
        if self.corporation_price.min_percent > self.corporation_price.max_percent:
            yield "corporation_price.max_percent: at least min_percent is expected"


@dataclass(frozen=True)
class Exchange:
    """The private company that can be exchanged for shares."""

    private: PrivateName
    corporation: CompanyName
    certificates: Count
    max_percent: Percent

    def check(self, definition: Definition) -> Iterator[str]:
        count = len(definition.corporations[self.corporation].shares)
        if self.certificates >= count:
            yield f"certificates: a number below {count} is expected, not {self.certificates}"


@dataclass(frozen=True)
class Access:
    """The hex that only holders of an access token run to."""

    hex: HexName
    private: PrivateName
    tokens: Count
    price: Money

    def check(self, definition: Definition) -> Iterator[str]:
        if not definition.map.hexes[self.hex].face.stops:
            yield f"hex: {self.hex} has no stop"


@dataclass(frozen=True)
class Vehicles:
    """Trailers, trains that run twice, and trade among corporations."""

    trailer_limit: Count
    run_twice: tuple[TrainName, ...]
    trade_from: Colour
    surplus: str = ""


@dataclass(frozen=True)
class Dividend:
    """The smaller of the two dividends."""

    #: Of the revenue.
    percent: Percent
    #: Of the stock value; from there on it moves the token.
    moves_at_percent: Annotated[int, Span(1, 1000)]
    rounding: Annotated[int, Span(1, 100)]


@dataclass(frozen=True)
class End:
    """The last operating rounds."""

    operating_rounds_after_stock_round: Annotated[int, Span(1, 9)]


@dataclass(frozen=True)
class Tables:
    """All of them."""

    private: tuple[BlPrivate, ...]
    shares: Shares
    components: Components
    reconstruction: Reconstruction
    private_rules: PrivateRules
    exchange: Exchange
    access: Access
    vehicles: Vehicles
    dividend: Dividend
    end: End

    def check(self, definition: Definition) -> Iterator[str]:
        for train in definition.trains:
            if train.kind not in ("train", "railbus", "trailer"):
                yield f"train.{train.name}.kind: 'train', 'railbus' or 'trailer' is expected, not {train.kind!r}"

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        """What private companies are good for, in their order."""
        return {private.id: private.power for private in self.private}

    @cached_property
    def layers(self) -> Mapping[str, Power]:
        """The private companies that lay a tile."""
        return {private: power for private, power in self.powers.items() if power.lays}
