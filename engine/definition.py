"""A title's boards and components as data; `engine.reading` makes them from plain tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.board.faces import MOST_LINKS, Face, Tile
from engine.board.hexes import OPPOSITE, Layout


@dataclass(frozen=True)
class Hex:
    """A hex of the map as printed."""

    at: str
    face: Face
    name: str = ""
    category: str = "plain"
    terrain: str = ""
    impassable: frozenset[int] = frozenset()
    stubs: int = 0
    icons: tuple[str, ...] = ()
    stop_icons: tuple[tuple[int, str], ...] = ()
    icons_after: str = ""
    groups: tuple[tuple[str, tuple[int, ...]], ...] = ()
    location_space: tuple[str, ...] = ()
    #: The colour of tiles from which on the printed label counts.
    label_from: str = ""
    #: The colour of tiles from which on a first tile may be laid: a coloured border.
    tiles_from: str = ""
    note: str = ""
    source: str = ""

    @property
    def buildable(self) -> bool:
        """Whether tiles may ever be laid here."""
        return self.face.colour not in ("red", "grey")


@dataclass(frozen=True)
class Map:
    """All hexes with who adjoins whom; a neighbour across an impassable border is none."""

    layout: Layout
    hexes: Mapping[str, Hex]
    neighbours: Mapping[str, tuple[str | None, ...]]
    sides: Mapping[str, tuple[int, ...]]
    order: Mapping[str, int]

    @classmethod
    def of(cls, layout: Layout, hexes: Mapping[str, Hex]) -> Map:
        neighbours: dict[str, tuple[str | None, ...]] = {}
        bits: dict[str, list[int]] = {at: [0] * 6 for at in hexes}
        next_bit = 0
        for at, spot in hexes.items():
            row: list[str | None] = []
            for edge in range(6):
                other = layout.neighbour(at, edge)
                if other is None or other not in hexes:
                    row.append(None)
                    continue
                barred = edge in spot.impassable or OPPOSITE[edge] in hexes[other].impassable
                row.append(None if barred else other)
                if not bits[at][edge]:
                    bits[at][edge] = bits[other][OPPOSITE[edge]] = 1 << next_bit
                    next_bit += 1
            neighbours[at] = tuple(row)
        return cls(
            layout,
            hexes,
            neighbours,
            {at: tuple(row) for at, row in bits.items()},
            {at: number for number, at in enumerate(hexes)},
        )

    def link_bit(self, at: str, link: int) -> int:
        """The mask bit of a hex's `link`-th piece of track between two stops."""
        return 1 << (len(self.hexes) * 3 + self.order[at] * MOST_LINKS + link)


@dataclass(frozen=True)
class Home:
    """A home station: hex and stop."""

    at: str
    stop: int


@dataclass(frozen=True)
class Corporation:
    """A company as printed on its charter; one with a single owner has one certificate of 100 %.

    `kind` says which steps, prices and policies are its; `unit` is the share, in per cent, that the price is for.
    """

    id: str
    name: str
    shares: tuple[int, ...]
    tokens: tuple[int, ...]
    homes: tuple[Home, ...]
    colour: str
    float_percent: int
    kind: str
    unit: int
    #: What is particular about it, by language.
    special: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True)
class Private:
    """A private company, or another lot of the starting package."""

    id: str
    number: int
    name: str
    price: int
    revenue: int
    hexes: tuple[str, ...] = ()
    ability: str = ""
    closes: str = ""


@dataclass(frozen=True)
class TrainType:
    """A type of train card. `reach` is its number; what counts against it is the title's rule.

    `rusts_on` names the types whose first sale makes it obsolete. `available_on` says what sets it free,
    each by itself: the first sale of a type (`6`), the second one (`2 6`), all of a type sold (`all 3`), a colour
    (`phase green`).
    """

    name: str
    count: int
    price: int
    reach: int
    kind: str = "train"
    rusts_on: tuple[str, ...] = ()
    available_on: tuple[str, ...] = ()
    optional: int = 0


@dataclass(frozen=True)
class Phase:
    """What holds from the first train of a type on."""

    name: str
    colour: str
    on: tuple[str, ...]
    tiles: tuple[str, ...]
    train_limit: int
    #: So many follow a stock round; none where the rounds do not depend on the phase.
    operating_rounds: int
    #: What it brings, by language.
    event: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Market:
    """The share price table: rows of values, a cell's marks (p for par, …); a grid, a line or several lines.

    Without rows there are no share prices. A cell of `gaps` is no space. `arrows` says for a direction which
    marks lead the token elsewhere. A row of `lines` is for one kind of company, named in `kinds`, or for all if
    these are not given.
    """

    kind: str
    rows: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[str, ...], ...]
    legend: Mapping[str, str]
    gaps: frozenset[tuple[int, int]] = frozenset()
    arrows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    def row_of(self, kind: str) -> int:
        """The row for a kind of company.

        >>> Market("lines", ((50,), (40,)), (("",), ("",)), {}, kinds=("railway", "quarry")).row_of("quarry")
        1
        """
        return self.kinds.index(kind)

    def has(self, row: int, column: int) -> bool:
        """Whether there is a space."""
        return 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]) and (row, column) not in self.gaps

    def marked(self, cell: tuple[int, int] | None, mark: str) -> bool:
        """Whether a space carries a mark."""
        return cell is not None and mark in self.marks[cell[0]][cell[1]]

    def cells(self, mark: str) -> tuple[tuple[int, int], ...]:
        """The cells that carry a mark, from the highest value down."""
        found = [
            (row, column) for row, cells in enumerate(self.marks) for column, marks in enumerate(cells) if mark in marks
        ]
        return tuple(sorted(found, key=lambda cell: (-self.rows[cell[0]][cell[1]], cell)))


@dataclass(frozen=True)
class Definition:
    """Everything printed of one title."""

    id: str
    name: str
    players: tuple[int, int]
    bank: int
    starting_cash: Mapping[int, int]
    cert_limit: Mapping[int, int]
    pool_limit: int
    map: Map
    tiles: Mapping[str, Tile]
    market: Market
    corporations: Mapping[str, Corporation]
    privates: Mapping[str, Private]
    trains: tuple[TrainType, ...]
    phases: tuple[Phase, ...]
    reconstructed: tuple[str, ...]
    #: Kinds of tokens, besides companies, for which spaces can be reserved.
    token_kinds: tuple[str, ...] = ()
    #: The ledger's ids by kind of rule.
    clauses: Mapping[str, str] = field(default_factory=dict)
    #: The title's own words by language and key; the engine hands them on to whoever draws.
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: The title's own tables: a dataclass of its own.
    tables: Any = None

    @property
    def priced(self) -> bool:
        """Whether anything has a price: in a form without share prices all is free and money is only received."""
        return bool(self.market.rows)

    def train(self, name: str) -> TrainType:
        for train in self.trains:
            if train.name == name:
                return train
        raise KeyError(name)
