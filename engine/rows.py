"""The tables that every title has, as they stand in its files; `engine.reading` makes the definition of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from engine.tables import BLANK, REPEATED, Colour, Count, Span

#: The tables that are read here.
COMMON = (
    "title", "hex", "tile", "market", "corporation", "private", "train", "phase", "clauses",
)  # fmt: skip

Seats = Annotated[int, Span(1, 12)]
Edge = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
StopText = Annotated[str, REPEATED]
Letter = Literal["a", "b", "c", "d"]


@dataclass(frozen=True)
class TitleRow:
    """What a title is called, for how many it is, and its money."""

    id: str
    name: str
    players: tuple[Seats, Seats]
    bank: Annotated[int, Span(1, 99_999)]
    layout: Literal["flat", "pointy"]
    starting_cash: Mapping[Seats, Annotated[int, Span(1, 99_999)]]
    cert_limit: Mapping[Seats, Count]
    pool_limit: Annotated[int, Span(0, 100)] = 50
    reconstructed: tuple[str, ...] = ()
    token_kinds: tuple[str, ...] = ()
    rulebook: str = ""
    designer: str = ""
    publisher: str = ""
    currency: str = ""
    year: int = 0


@dataclass(frozen=True, kw_only=True)
class FaceRow:
    """A drawing: stops, track, label and cost."""

    color: str
    stops: tuple[StopText, ...] = ()
    track: tuple[str, ...] = ()
    ferry: tuple[str, ...] = ()
    ferry_value: Annotated[int, Span(0, 999)] = 0
    label: str = ""
    cost: Annotated[int, Span(0, 999)] = 0
    icons: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True, kw_only=True)
class HexRow(FaceRow):
    """Hexes of the map that are alike."""

    at: tuple[str, ...]
    color: Literal["plain", "yellow", "green", "brown", "grey", "red"]
    name: str = ""
    terrain: Literal["river", "mountain", "water", "urban"] | None = None
    impassable: tuple[Edge, ...] = ()
    stubs: tuple[Edge, ...] = ()
    stop_icons: Mapping[Letter, str] = field(default_factory=dict)
    after: Colour | None = None
    group: str = ""
    banks: Mapping[str, tuple[Letter, ...]] = field(default_factory=dict)
    location_space: tuple[str, ...] = ()
    label_from: Colour | None = None
    tiles_from: Colour | None = None
    note: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class TileRow(FaceRow):
    """A kind of tile."""

    color: Literal["yellow", "green", "brown", "grey", "orange"]
    count: Count
    track: tuple[str, ...]
    becomes: str = ""
    level: Colour | None = None
    hexes: tuple[str, ...] = ()
    rotations: frozenset[Annotated[int, Span(0, 5)]] = frozenset(range(6))
    #: Where the tokens of the stops before go, in their order, if not where their track goes.
    tokens: tuple[Letter, ...] = ()
    special: bool = False
    note: str = ""
    source: str = ""


@dataclass(frozen=True)
class MarketRow:
    """The share price table; `none` has no rows, because nothing has a price."""

    kind: Literal["grid", "line", "lines", "none"]
    rows: tuple[tuple[Annotated[str, BLANK, REPEATED], ...], ...] = ()
    legend: Mapping[str, str] = field(default_factory=dict)
    arrows: Mapping[Literal["left", "right"], Mapping[str, Literal["up", "down"]]] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    start_stack: str = ""
    moves: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CorporationRow:
    """A corporation's charter."""

    id: str
    name: str
    shares: tuple[Annotated[int, Span(1, 100)], ...]
    tokens: tuple[Annotated[int, Span(0, 999)], ...]
    home: tuple[str, ...]
    color: str
    float: Annotated[int, Span(1, 100)]
    kind: str = "railway"
    unit: Annotated[int, Span(1, 100)] = 10
    special: str = ""
    special_de: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class PrivateRow:
    """A private company, or another lot of the starting package; what it can do is the title's own."""

    id: str
    number: Count
    name: str
    price: Annotated[int, Span(1, 9999)]
    revenue: Annotated[int, Span(0, 999)]
    hexes: tuple[str, ...] = ()
    ability: str = ""
    closes: str = ""
    power: Any = None


@dataclass(frozen=True)
class TrainRow:
    """A type of train."""

    name: str
    count: Count
    #: 0 for a train that is never sold; it lies aside until a rule of the title brings it.
    price: Annotated[int, Span(0, 9999)]
    reach: Annotated[int, Span(0, 99)] | None = None
    kind: str = "train"
    rusts_on: str | tuple[str, ...] = ()
    available_on: str | tuple[str, ...] = ()
    optional: Annotated[int, Span(0, 99)] = 0
    runs: str = ""


@dataclass(frozen=True)
class PhaseRow:
    """What holds from the first train of a type on."""

    name: str
    color: Colour
    on: str | tuple[str, ...]
    tiles: tuple[Literal["yellow", "green", "brown", "grey", "orange"], ...]
    train_limit: Annotated[int, Span(1, 99)]
    operating_rounds: Annotated[int, Span(1, 9)]
    lay: str = ""
    event: str = ""
    event_de: str = ""
