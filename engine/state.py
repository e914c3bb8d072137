"""The changing part of a game: plain data that can be copied, hashed and compared. Rules live elsewhere."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from engine.copying import copier, quick
from engine.plain import flattened, restored
from engine.records import OfGame, OfPlayer, OfRound, OfTurn

BANK = "bank"

#: Who can hold a certificate besides players and corporations; `REMOVED` is out of the game.
OFFERING, POOL, ASIDE, REMOVED = "offering", "pool", "aside", "removed"

#: Tokens that no company owns: one closes a space without blocking anybody, the other blocks like a station.
BLANK, MARKER = "blank", "marker"

#: Owner of a private company that is out of the game.
CLOSED = "closed"

#: Names of owners that are nobody's, so that no player may bear them.
HOLDERS = frozenset({BANK, OFFERING, POOL, ASIDE, REMOVED, CLOSED})

#: Counters that say when to recompute something and mean nothing by themselves.
DERIVED = frozenset({"track_version", "token_version"})

Cell = tuple[int, int]


@quick
@dataclass(slots=True)
class Board:
    """Tiles and station tokens on the map, markers beside them, and the supply of tiles."""

    tiles: dict[str, tuple[str, int]]
    #: For each hex with stops: for each stop, its spaces, each empty or with a corporation's token.
    stations: dict[str, list[list[str]]]
    markers: dict[str, list[str]]
    supply: dict[str, int]
    #: Stations that lie on a hex beside the spaces: they are joined to all its cities and fields, and block nobody.
    beside: dict[str, list[str]] = field(default_factory=dict)
    #: Counts changes of track and of tokens, so that what was derived from them can be kept.
    track_version: int = 0
    token_version: int = 0


@quick
@dataclass(slots=True)
class Company:
    """A railway corporation in play. `certificates[n]` is the holder of its n-th certificate."""

    certificates: list[str]
    tokens_left: list[int]
    director: str = ""
    par: int = 0
    price: Cell | None = None
    floated: bool = False
    active: bool = False
    operated: bool = False
    #: Removed from the game for good.
    closed: bool = False
    trains: list[str] = field(default_factory=list)
    last_revenue: int | None = None


@quick
@dataclass(slots=True)
class Depot:
    """Trains still for sale (by type), discarded ones in the pool, some laid aside, some out of the game."""

    left: dict[str, int]
    sold: dict[str, int]
    pool: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


@quick
@dataclass(slots=True)
class Round:
    """Where the game is: the kind of round, its numbers, and what has happened in it so far."""

    kind: str
    stock_number: int = 0
    operating_number: int = 0
    operating_total: int = 0
    #: Whose turn: a player in stock rounds, a company in operating rounds.
    actor: str = ""
    step: str = ""
    #: What is remembered of this round and of this turn, by the keys of the records.
    own: dict[str, OfRound] = field(default_factory=dict)
    turn: dict[str, OfTurn] = field(default_factory=dict)


@quick
@dataclass(slots=True)
class Pause:
    """A decision that must be made before the turn goes on: a proposal, a discard, money to be raised."""

    kind: str
    players: list[str]
    data: dict[str, Any]


@quick
@dataclass(slots=True)
class State:
    """A whole position."""

    #: Who still plays, clockwise.
    seats: list[str]
    priority: str
    cash: dict[str, int]
    loans: dict[str, int]
    companies: dict[str, Company]
    #: Owner of each private company: a player or a corporation, "" while for sale, or "closed".
    privates: dict[str, str]
    #: Privates whose once-a-game function has been used.
    used: list[str]
    stacks: dict[Cell, list[str]]
    board: Board
    depot: Depot
    phase: int
    round: Round
    pauses: list[Pause] = field(default_factory=list)
    #: What is remembered of the whole game, by the keys of the records.
    own: dict[str, OfGame] = field(default_factory=dict)
    #: What only one player may see, by player and by the keys of the records: the only place for it.
    secrets: dict[str, dict[str, OfPlayer]] = field(default_factory=dict)
    #: Players who have left the game; what they hold still counts.
    retired: list[str] = field(default_factory=list)
    #: Who holds certificates and money without a seat.
    seatless: list[str] = field(default_factory=list)
    bank_broken: str = ""
    finished: str = ""

    @property
    def players(self) -> list[str]:
        """Everybody who has cash and shares, whether or not they sit at the table."""
        return [*self.seats, *self.retired, *self.seatless]

    def copy(self) -> State:
        """An independent copy."""
        return copier(State)(self)

    def data(self) -> Any:
        """The position as JSON values."""
        return flattened(State, DERIVED)(self)

    @classmethod
    def from_data(cls, data: Any) -> State:
        """The position that `data` was made from; ValueError if it was made from something else."""
        return restored(cls, data)

    def text(self) -> str:
        """The position as one line of JSON, the same for equal positions and only for them."""
        return text_of(self.data())

    def digest(self) -> str:
        """A hash that is equal for equal positions and only for them."""
        return digest_of(self.text())


def text_of(data: Any) -> str:
    """The line of JSON that says a position, from its data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(text: str) -> str:
    """The digest of the position that a text says."""
    return hashlib.sha256(text.encode()).hexdigest()
