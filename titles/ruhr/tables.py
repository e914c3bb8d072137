"""18Ruhr's own tables: packages, locations, Montan companies, cards for them, and what the phases bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from engine.definition import Definition
from engine.rows import PrivateRow, Seats
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TileName, TrainName

Money = Annotated[int, Span(1, 9999)]
Few = Annotated[int, Span(0, 99)]
Industry = Literal["coal", "steel"]
if TYPE_CHECKING:
    # One of the letters below; a type checker need not follow single letters through every sum.
    Stage = str
    Shade = str
else:
    Stage = Literal["A", "B", "C", "D", "E", "X"]
    Shade = Colour
EngineName = Literal["W1", "W2", "W3", "W4"]
#: The stages in their order; a marker of the last stands outside the staircase.
STAGES: tuple[Stage, ...] = ("A", "B", "C", "D", "E", "X")


@dataclass(frozen=True)
class Power:
    """Until when a private company is in play, and whether it can make a railway link."""

    closes_on: TrainName
    links: bool = False


@dataclass(frozen=True, kw_only=True)
class RuhrPrivate(PrivateRow):
    """A private company with its power."""

    power: Power = field()


@dataclass(frozen=True)
class Components:
    """What the box holds, by the rulebook."""

    yellow_tiles: Count
    green_tiles: Count
    brown_tiles: Count
    grey_tiles: Count
    capex_cards: Count
    capex_optional: Few
    montan_round_cards: Count
    private_certificates: Count
    connection_markers: Count
    switch_engines: Count
    station_markers: Count
    pmc_charters: Count
    passive_location_markers: Count
    montan_location_markers: Count
    stock_markers: Count
    development_markers: Mapping[Stage, Count]
    hexes_playable: Count
    hexes_total: Count

    def check(self, definition: Definition) -> Iterator[str]:
        tables: Tables = definition.tables
        tiles: dict[str, int] = {}
        for tile in definition.tiles.values():
            tiles[tile.colour] = tiles.get(tile.colour, 0) + tile.count
        charters = definition.corporations.values()
        optional = sum(train.optional for train in definition.trains)
        spots = definition.map.hexes.values()
        counted = {
            **{f"{colour}_tiles": tiles.get(colour, 0) for colour in ("yellow", "green", "brown", "grey")},
            "capex_cards": sum(train.count for train in definition.trains) + optional,
            "capex_optional": optional,
            "montan_round_cards": definition.players[1],
            "private_certificates": len(definition.privates),
            "switch_engines": sum(engine.count for engine in tables.engine),
            "station_markers": sum(len(charter.tokens) for charter in charters),
            "pmc_charters": len(tables.mine),
            "passive_location_markers": len(tables.mine) - self.connection_markers,
            "montan_location_markers": len(tables.montan),
            "stock_markers": sum(charter.kind != "mine" for charter in charters),
            "hexes_playable": sum(spot.buildable for spot in spots),
            "hexes_total": len(spots),
        }
        for key, count in counted.items():
            if getattr(self, key) != count:
                yield f"{key}: {count} are expected as in the other tables, not {getattr(self, key)}"
        for stage in tables.stage:
            if self.development_markers.get(stage.stage) != stage.count:
                yield f"development_markers.{stage.stage}: {stage.count} are expected as in [[stage]]"


@dataclass(frozen=True)
class Package:
    """Which private companies are sold beside the small Montan companies, and what a skipped lot costs."""

    privates: Mapping[Seats, tuple[PrivateName, ...]]
    certificates: Mapping[Seats, Count]
    surcharge: Money

    def check(self, definition: Definition) -> Iterator[str]:
        low, high = definition.players
        active = len(definition.tables.scenario[0].active)
        for count in {*range(low, high + 1)} ^ self.privates.keys():
            yield f"privates.{count}: a list for each number of players is expected"
        for count, privates in self.privates.items():
            if self.certificates.get(count) != len(privates) + active + 1:
                yield f"certificates.{count}: {len(privates) + active + 1} are expected as in privates"


@dataclass(frozen=True)
class Links:
    """Railway links: their price, and what a location is worth to a train."""

    cost: Money
    linked: Money
    corporation: Money
    developed: Money
    developed_with: tuple[Stage, ...]

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.developed_with:
            yield "developed_with: a stage is expected"


@dataclass(frozen=True)
class Bank:
    """What the players pay in together when the bank is empty in a stock round."""

    refill: Money


@dataclass(frozen=True)
class Aside:
    """The corporation that comes with a private company, and the money that waits for its line."""

    corporation: CompanyName
    private: PrivateName
    pars: tuple[Money, Money]
    certificates: Count
    at: HexName
    start: HexName
    end: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        for key in ("start", "end"):
            if not definition.map.hexes[getattr(self, key)].face.stops:
                yield f"{key}: {getattr(self, key)} has no stop"
        prices = definition.market.rows[0]
        for par in self.pars:
            if par not in prices:
                yield f"pars: {par} is no stock value"
        if self.certificates >= len(definition.corporations[self.corporation].shares):
            yield f"certificates: {self.corporation} has fewer"


@dataclass(frozen=True)
class Pars:
    """Starting values of MONTAN corporations."""

    montan_passive: Mapping[Shade, tuple[Money, ...]]
    per_marker: Money
    most: Money

    def check(self, definition: Definition) -> Iterator[str]:
        prices = definition.market.rows[0]
        for colour in {phase.colour for phase in definition.phases if phase.colour != "yellow"}:
            if colour not in self.montan_passive:
                yield f"montan_passive.{colour}: starting values are expected"
        for colour, pars in self.montan_passive.items():
            if not pars or len(set(pars)) < len(pars) or any(par not in prices for par in pars):
                yield f"montan_passive.{colour}: stock values are expected, each once"
        if self.most not in prices:
            yield f"most: {self.most} is no stock value"


@dataclass(frozen=True)
class Mine:
    """A small Montan company: where it is, and its charter."""

    number: Count
    company: CompanyName
    industry: Industry
    hex: HexName
    price: Money
    start_treasury: Money
    start_markers: Mapping[Stage, Count]
    boxes: Mapping[Stage, Count]
    boxes_with_link: Mapping[Stage, Count]
    engine_boxes: Count

    def check(self, definition: Definition) -> Iterator[str]:
        spot = definition.map.hexes[self.hex]
        if spot.location_space != (self.industry,):
            yield f"hex: {self.hex} has no location of {self.industry}"
        if definition.corporations[self.company].kind != "mine":
            yield f"company: {self.company} is no small company"
        for stage, count in self.start_markers.items():
            if count > self.boxes.get(stage, 0):
                yield f"start_markers.{stage}: there are fewer boxes"


@dataclass(frozen=True)
class Scenario:
    """Which of the small companies are active."""

    id: str
    name: str
    active: tuple[Count, ...]

    def check(self, definition: Definition) -> Iterator[str]:
        tables: Tables = definition.tables
        industries = [mine.industry for mine in tables.mine if mine.number in self.active]
        half = tables.components.connection_markers // 2
        if industries.count("coal") != half or industries.count("steel") != half:
            yield f"active: {half} of each industry are expected"


@dataclass(frozen=True)
class Montan:
    """A MONTAN corporation's charter."""

    company: CompanyName
    industry: Industry
    circles: Count
    engine_boxes: Count
    boxes: Mapping[Stage, Count]

    def check(self, definition: Definition) -> Iterator[str]:
        if definition.corporations[self.company].kind != "montan":
            yield f"company: {self.company} is no MONTAN corporation"


@dataclass(frozen=True)
class Capex:
    """What a card is to a Montan company."""

    card: TrainName
    squares: Count
    stages: tuple[Stage, ...]
    development_price: Money
    engine: EngineName
    engine_price: Money


@dataclass(frozen=True)
class StageRow:
    """A stage of development: how many markers each industry has, what one earns, and when."""

    stage: Stage
    count: Count
    income: Money
    available_on: TrainName
    small: bool
    inactive_on: TrainName = ""


@dataclass(frozen=True)
class Engine:
    """A type of switch engine."""

    type: EngineName
    count: Count
    available_on: TrainName
    scrapped_on: TrainName = ""


@dataclass(frozen=True)
class Development:
    """Limits of development."""

    most_a: Count
    stairs: tuple[Stage, ...]


@dataclass(frozen=True)
class Switching:
    """Trains sold as switch engines, and a second engine."""

    train_price_min: Money
    train_price_max_percent: Annotated[int, Span(1, 999)]
    second_engine_locations: Count


@dataclass(frozen=True)
class MontanRound:
    """From when there are Montan rounds, what an active company must have, what a passive one begins with."""

    from_card: TrainName
    markers: Count
    start_markers: Mapping[Shade, Mapping[Stage, Count]]
    transforms_after: TrainName


@dataclass(frozen=True)
class Destinations:
    """The red fields whose worth depends on the locations of a route."""

    montan: HexName
    montan_value: Money
    coal: HexName
    coal_value: Money
    double_for: tuple[TrainName, ...]


@dataclass(frozen=True)
class Special:
    """Who waits for a card, who for another, and the tiles that need a MONTAN corporation."""

    waits: CompanyName
    waits_for: TrainName
    locked: CompanyName
    locked_until: CompanyName
    needs_corporation: tuple[TileName, ...]


@dataclass(frozen=True)
class Track:
    """How many tiles a railway lays in a turn; one of them may be an upgrade."""

    tiles: Count


@dataclass(frozen=True)
class Settling:
    """Colours in which a company that is new gets all its money, and what a MONTAN corporation of others may keep."""

    all_in: tuple[Shade, ...]
    kept: Count


@dataclass(frozen=True)
class Last:
    """The card of the last set, its operating rounds, and the card before: while there is one, nobody helps with it."""

    card: TrainName
    operating_rounds: Annotated[int, Span(1, 9)]
    before: TrainName


@dataclass(frozen=True)
class Tables:
    """All of them."""

    private: tuple[RuhrPrivate, ...]
    components: Components
    package: Package
    links: Links
    bank: Bank
    aside: Aside
    pars: Pars
    mine: tuple[Mine, ...]
    scenario: tuple[Scenario, ...]
    montan: tuple[Montan, ...]
    capex: tuple[Capex, ...]
    stage: tuple[StageRow, ...]
    engine: tuple[Engine, ...]
    development: Development
    switching: Switching
    montan_round: MontanRound
    destinations: Destinations
    special: Special
    track: Track
    settling: Settling
    last: Last

    @cached_property
    def mines(self) -> Mapping[str, Mine]:
        """The small companies by the names under which they act."""
        return {mine.company: mine for mine in self.mine}

    @cached_property
    def corporations(self) -> Mapping[str, Montan]:
        return {row.company: row for row in self.montan}

    @cached_property
    def cards(self) -> Mapping[str, Capex]:
        return {row.card: row for row in self.capex}

    @cached_property
    def stages(self) -> Mapping[str, StageRow]:
        return {row.stage: row for row in self.stage}

    @cached_property
    def places(self) -> Mapping[str, Mine]:
        """The small companies by their hexes."""
        return {mine.hex: mine for mine in self.mine}

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        return {private.id: private.power for private in self.private}

    def check(self, definition: Definition) -> Iterator[str]:
        cards = [train.name for train in definition.trains]
        if [row.card for row in self.capex] != cards:
            yield "capex.card: a row for each train, in its order, is expected"
        if tuple(row.stage for row in self.stage) != STAGES:
            yield f"stage.stage: {', '.join(STAGES)} are expected"
        if len({mine.hex for mine in self.mine}) < len(self.mine):
            yield "mine.hex: two of them lie on one hex"
