"""What lies on the table: purses, certificates, prices, cards, markers; and how a certificate or a price moves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from workshop.referees.common import table as common
from workshop.referees.common.table import ASIDE, BANK, OFFER, POOL, Foul, Question, allowed, need
from workshop.referees.ruhr.sheet import Sheet
from workshop.referees.ruhr.track import Board

__all__ = [
    "ASIDE",
    "BANK",
    "GONE",
    "OFFER",
    "POOL",
    "Charter",
    "Company",
    "Foul",
    "Location",
    "Question",
    "Table",
    "allowed",
    "need",
]

GONE = "removed"


@dataclass
class Company(common.Company):
    """A railway, a MONTAN corporation or a small company."""

    box: int | None = None
    active: bool = False
    closed: bool = False

    def position(self) -> dict[str, Any]:
        price = None if self.box is None else [0, self.box]
        return super().position() | {"price": price, "active": self.active, "closed": self.closed}


@dataclass
class Charter:
    """What lies on the charter of a Montan company; small ones keep what finds no box in the treasury."""

    markers: Counter[str] = field(default_factory=Counter)
    engines: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)


@dataclass
class Location:
    """A Montan location: active, passive, merged, founded or empty, and whose."""

    state: str
    company: str = ""
    linked: bool = False


@dataclass(kw_only=True)
class Table(common.Table[Company]):
    """The whole position."""

    sheet: Sheet
    board: Board
    stacks: dict[int, list[str]] = field(default_factory=dict)
    retired: list[str] = field(default_factory=list)
    scenario: str = ""
    drawn: dict[str, int] = field(default_factory=dict)
    package: list[list[str]] = field(default_factory=lambda: [[], []])
    cards: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    fresh: dict[str, str] = field(default_factory=dict)
    loans: dict[str, int] = field(default_factory=dict)
    last: str = ""
    ends: bool = False
    last_buyer: str = ""
    charters: dict[str, Charter] = field(default_factory=dict)
    supply: dict[str, Counter[str]] = field(default_factory=dict)
    engines: Counter[str] = field(default_factory=Counter)
    removed: dict[str, Counter[str]] = field(default_factory=dict)
    scrapped: Counter[str] = field(default_factory=Counter)
    locations: dict[str, Location] = field(default_factory=dict)
    #: Runs that were told of companies without a director, for boards too large to search.
    runs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    # ------------------------------------------------------------------ money

    def pay(self, source: str, target: str, amount: int) -> None:
        self.cash[source] -= amount
        self.cash[target] += amount
        if source == BANK and amount and self.cash[BANK] <= 0:
            self._broke()

    def _broke(self) -> None:
        """15.1: in a brown operating round it ends the game, if no 8 came first; in stock rounds 600 M are paid in."""
        if self.kind == "operating":
            self.broken = "operating"
            if self.colour == "brown" and not self.last:
                self.ends = True
            return
        while self.cash[BANK] <= 0:
            self._refill(int(self.sheet.raw["bank"]["refill"]))
            self.broken = ""

    def _refill(self, missing: int) -> None:
        """Everybody gives the same; what one does not have the others give (R-52)."""
        givers = [name for name in self.seats if self.cash[name]]
        while missing and givers:
            share = -(-missing // len(givers))
            for name in givers:
                amount = min(share, self.cash[name], missing)
                self.cash[name] -= amount
                self.cash[BANK] += amount
                missing -= amount
            givers = [name for name in givers if self.cash[name]]

    # ------------------------------------------------------------------ phases and cards

    def begun(self, card: str, phase: int | None = None) -> bool:
        """Whether the phase of a card has begun."""
        phases = self.sheet.raw["phase"]
        order = [row["on"] for row in phases]
        now = self.phase if phase is None else phase
        return card == "2+2" or order.index(card) <= now

    def on_sale(self) -> list[str]:
        """The new cards that may be bought: in order, the last type beside the one before it (10.8.1)."""
        last = self.sheet.raw["last"]
        types = [name for name, count in self.left.items() if count]
        return types[:1] + [name for name in types[1:] if name == last["card"] and self.sold[last["before"]]]

    def inactive(self, stage: str, phase: int | None = None) -> bool:
        """Whether markers of a stage earn nothing any more (9.1.3)."""
        ends = self.sheet.rows("stage", "stage")[stage].get("inactive_on")
        return ends is not None and self.begun(ends, phase)

    # ------------------------------------------------------------------ certificates

    def sizes(self, company: str) -> tuple[int, ...]:
        return self.companies[company].sizes

    def unit(self, company: str) -> int:
        return {"railway": 10, "montan": 20, "mine": 100}[self.sheet.kind[company]]

    def price(self, company: str) -> int:
        box = self.companies[company].box
        return 0 if box is None else self.sheet.values[box]

    def worth(self, company: str, percent: int) -> int:
        return self.price(company) * percent // self.unit(company)

    def mines_of(self, player: str) -> list[str]:
        """A player's small companies by number."""
        return [
            name for name, kind in self.sheet.kind.items() if kind == "mine" and self.companies[name].director == player
        ]

    def protected(self, company: str) -> bool:
        """4.1.1: the owner of the private company stays director."""
        aside = self.sheet.raw["aside"]
        return bool(company == aside["corporation"] and self.privates[aside["private"]] not in ("", "closed"))

    def heir(self, company: str, former: str, least: int = 0) -> str:
        """Who becomes director: the most shares above `least` and enough for the paper, closest to the left (5.3)."""
        order = self.left_of(former) if former else self.seats
        able = [
            name
            for name in order
            if name != former
            and self.held(company, name) > least
            and self.held(company, name) >= self.sizes(company)[0]
        ]
        return max(able, key=lambda name: self.held(company, name)) if able else ""

    def exchange(self, company: str, new: str) -> None:
        """The director's certificate against normal ones of the same size, as few as can be (5.3, R-71)."""
        here = self.companies[company]
        old = here.holders[0]
        for number in (1, 2):
            for papers in combinations(self.normal(company, new), number):
                if sum(papers) == self.sizes(company)[0]:
                    for size in papers:
                        self.move(company, size, new, old)
                    here.holders[0] = new
                    here.director = new
                    return
        raise AssertionError(f"{new} cannot take over {company}")

    def settle_director(self, company: str) -> None:
        """5.3: whoever has more than the director takes over; without one (10.9c) whoever has enough."""
        here = self.companies[company]
        if here.box is None or here.closed or self.protected(company):
            return
        if here.director:
            new = self.heir(company, here.director, self.held(company, here.director))
        elif here.holders[0] == POOL:
            new = self.heir(company, "")
        else:
            return
        if new:
            self.exchange(company, new)

    # ------------------------------------------------------------------ prices

    def place(self, company: str, box: int) -> None:
        """Put a marker into a box, under those already there (14.2)."""
        here = self.companies[company]
        if here.box is not None:
            self.stacks[here.box].remove(company)
        here.box = box
        self.stacks.setdefault(box, []).append(company)

    def shift(self, company: str, boxes: int) -> None:
        """Move a marker up or down, as far as there are boxes."""
        box = self.companies[company].box
        assert box is not None
        new = min(max(box + boxes, 0), len(self.sheet.values) - 1)
        if new != box:
            self.place(company, new)

    def in_order(self) -> list[str]:
        """All corporations with a price, highest first, in a box from the top."""
        return [name for box in sorted(self.stacks, reverse=True) for name in self.stacks[box]]

    # ------------------------------------------------------------------ as the frame wants it

    def position(self) -> dict[str, Any]:
        return super().position() | {
            "stacks": {f"0,{box}": names for box, names in self.stacks.items()},
            "board": {
                "tiles": {at: list(tile) for at, tile in self.board.tiles.items()},
                "stations": self.board.spaces,
                "beside": self.board.beside,
                "supply": self.board.supply,
            },
            "facts": {
                "player_cards": self.drawn,
                "scenario": self.scenario,
                "cards": self.cards,
                "lost": self.lost,
                "fresh": self.fresh,
                "loans": self.loans,
                "aside": self.cash[ASIDE],
                "last": self.last,
                "ends": self.ends,
                "last_buyer": self.last_buyer,
                "charters": {
                    name: {"markers": charter.markers, "engines": charter.engines, "locations": charter.locations}
                    for name, charter in self.charters.items()
                },
                "supply": self.supply,
                "engines": self.engines,
                "removed": self.removed,
                "scrapped": self.scrapped,
                "locations": {
                    at: {"linked": here.linked, "state": here.state, "company": here.company}
                    for at, here in self.locations.items()
                },
                "package": self.package,
            },
            "retired": self.retired,
        }
