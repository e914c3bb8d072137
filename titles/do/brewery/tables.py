"""Tables of the games with breweries: the beer market, equipment, cards, what phases bring, and the breweries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from engine.definition import Corporation, Definition
from engine.reading import no_colour
from engine.rows import Seats
from engine.tables import REPEATED, Count, Span, TrainName
from titles.do.board.tables import Tables

Money = Annotated[int, Span(0, 99_999)]
Few = Annotated[int, Span(0, 99)]
Percent = Annotated[int, Span(0, 100)]
Type = Annotated[str, REPEATED]


@dataclass(frozen=True)
class Hsb:
    """Money, limits and the course of the game, and what is left out for a number of players."""

    bank: Money
    starting_cash: Mapping[Seats, Money]
    cert_limit: Mapping[Seats, Count]
    #: As 6.4.4 prints them; a table may choose them.
    book_limit: Mapping[Seats, Count]
    #: The most that somebody may hold of a company, in per cent.
    share_limit: Mapping[Seats, Percent]
    #: How many pairs of rounds each set has.
    rounds: tuple[Count, ...]
    #: The small brewery that is always in the package.
    package: str
    bids: tuple[Money, ...]
    not_used: Mapping[Seats, tuple[str, ...]]
    #: Trains that run once more when they are obsolete.
    last_run: tuple[TrainName, ...]
    #: Dividends are rounded down to a multiple of this.
    rounded: Count
    loan_factor: Count
    #: What a director may sell when a company floats late, in per cent.
    sold_at_floating: Percent
    #: What is left of a brewery corporation that is founded again, in per cent.
    refounded: Percent
    #: What the owner of a small brewery with equipment may add to a purchase, in per cent of its price.
    owner_adds_percent: Percent

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.rounds:
            yield "rounds: a list that is not empty is expected"
        if not self.bids or list(self.bids) != sorted(set(self.bids)):
            yield "bids: rising numbers are expected"


@dataclass(frozen=True)
class Segment:
    """A segment of the beer market: what a cube brings, and to how many new customers come back."""

    number: Count
    regular: Money
    new: Money
    refill: Count


@dataclass(frozen=True)
class BeerTable:
    """The rest of the beer market: where cubes lie at the start, by players."""

    export_price: Money
    no_demand: tuple[Count, ...]
    markers: Count
    cubes: Mapping[Seats, Count]
    first: Mapping[Seats, Count]
    second: Mapping[Seats, Count]
    export: Mapping[Seats, Count]
    stock: Mapping[Seats, Count]


@dataclass(frozen=True)
class Equipment:
    """What a piece of equipment can deliver; some are there from the start."""

    type: str
    cubes: Count
    arrows: Few = 0
    start: Few = 0
    #: Whether small breweries may buy it.
    minors: bool = True

    @property
    def reach(self) -> int:
        """The highest segment that it serves."""
        return int(self.type)


@dataclass(frozen=True)
class Capex:
    """A stack of cards: how many there are, and the demand that one brings when it is removed for a link."""

    stack: str
    card: TrainName
    count: Mapping[Seats, Count]
    regular: Few = 0
    new: Few = 0
    #: Whether a link ever removes one.
    link: bool = True
    #: How many cubes it carries as a train.
    squares: Few = 0


@dataclass(frozen=True)
class Brewing:
    """What a phase brings to breweries and to the beer market."""

    phase: str
    minor: Count
    corporation: Count
    cards: Count
    event: str
    event_de: str
    opens: Few = 0
    closes: Few = 0
    export_ends: bool = False


@dataclass(frozen=True)
class Minor:
    """A small brewery; `founds_for` is what it is worth, in per cent, for a director's certificate."""

    company: str
    number: Count
    price: Money
    equipment: tuple[Type, ...]
    treasury: Money
    founds_for: Percent = 10


@dataclass(frozen=True)
class BreweryRow:
    """A brewery's charter: a small one of one owner, or a corporation."""

    id: str
    name: str
    kind: Literal["minor", "brewery"]
    shares: tuple[Percent, ...]
    color: str
    float: Percent
    unit: Percent = 10

    def check(self, definition: Definition) -> Iterator[str]:
        if reason := no_colour(self.color):
            yield f"color: {reason}"

    def charter(self) -> Corporation:
        return Corporation(self.id, self.name, self.shares, (), (), self.color, self.float, self.kind, self.unit)


@dataclass(frozen=True)
class HsbTables(Tables):
    """All of them, with those that all forms share."""

    hsb: Hsb
    segment: tuple[Segment, ...]
    beer: BeerTable
    equipment: tuple[Equipment, ...]
    capex: tuple[Capex, ...]
    brewing: tuple[Brewing, ...]
    minor: tuple[Minor, ...]
    brewery: tuple[BreweryRow, ...]

    @cached_property
    def segments(self) -> Mapping[int, Segment]:
        return {row.number: row for row in self.segment}

    @cached_property
    def types(self) -> Mapping[str, Equipment]:
        """Equipment by its type, ascending."""
        return {row.type: row for row in self.equipment}

    @cached_property
    def phases(self) -> Mapping[str, Brewing]:
        return {row.phase: row for row in self.brewing}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The printed numbers of the small breweries."""
        return {row.company: row.number for row in self.minor}

    @cached_property
    def minors(self) -> Mapping[str, Minor]:
        return {row.company: row for row in self.minor}

    def cards(self, players: int) -> dict[str, int]:
        """How many cards of each type there are; two stacks of one type lie on each other."""
        found: dict[str, int] = {}
        for row in self.capex:
            found[row.card] = found.get(row.card, 0) + row.count[players]
        return found

    def stack(self, card: str, gone: int, players: int) -> Capex:
        """The stack of which the next card of a type is, when so many of the type have gone."""
        for row in self.capex:
            if row.card == card:
                if gone < row.count[players]:
                    return row
                gone -= row.count[players]
        raise KeyError(card)

    def check(self, definition: Definition) -> Iterator[str]:
        by_players: list[tuple[str, Mapping[int, object]]] = [
            *(
                (f"hsb.{key}", getattr(self.hsb, key))
                for key in ("cert_limit", "book_limit", "starting_cash", "share_limit", "not_used")
            ),
            *((f"beer.{key}", getattr(self.beer, key)) for key in ("cubes", "first", "second", "export", "stock")),
            *(("capex.count", row.count) for row in self.capex),
        ]
        for players in {count for _, numbers in by_players for count in numbers}:
            for key, numbers in by_players:
                if players not in numbers:
                    yield f"{key}.{players}: a value for each number of players is expected"
        for key, found in (
            ("capex.stack", [row.stack for row in self.capex]),
            ("equipment.type", [row.type for row in self.equipment]),
            ("minor.company", [row.company for row in self.minor]),
            ("brewery.id", [row.id for row in self.brewery]),
        ):
            if len(set(found)) < len(found):
                yield f"{key}: two rows of one name"
        if not definition.market.kinds:
            yield "market.kinds: a row of prices for railways and one for breweries are expected"
        segments = len(self.segment)
        if [row.number for row in self.segment] != [*range(1, segments + 1)]:
            yield "segment.number: 1, 2, … are expected"
        for players, total in self.beer.cubes.items():
            laid = 2 * (self.beer.first[players] + self.beer.second[players])
            laid += self.beer.export[players] + self.beer.stock[players]
            if laid != total:
                yield f"beer.cubes.{players}: {laid} are laid out, not {total}"
        for row in self.minor:
            if not row.equipment:
                yield f"minor.equipment: {row.company} starts with some"
            for type_ in row.equipment:
                if type_ not in self.types or not self.types[type_].start:
                    yield f"minor.equipment: {row.company} cannot start with {type_!r}"
        for brewery in self.brewery:
            if sum(brewery.shares) != 100:
                yield f"brewery.shares: those of {brewery.id} sum to {sum(brewery.shares)} per cent"
        if [row.id for row in self.brewery if row.kind == "minor"] != list(self.minors):
            yield "minor.company: a row for each small brewery, in its order, is expected"
        if [row.phase for row in self.brewing] != [phase.name for phase in definition.phases]:
            yield "brewing.phase: a row for each phase is expected"
        if self.hsb.package not in self.minors:
            yield f"hsb.package: {self.hsb.package} is no small brewery"
