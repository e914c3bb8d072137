"""What lies on the table: purses, certificates, prices, trains; and how a certificate or a price moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tests.referees.lra.board import Board
from tests.referees.lra.sheet import Sheet

BANK, OFFER, POOL, ASIDE = "bank", "offering", "pool", "aside"


class Foul(Exception):
    """A move against the rules, with the clause."""


def need(holds: bool, words: str) -> None:
    """A condition of a move."""
    if not holds:
        raise Foul(words)


@dataclass
class Company:
    """A railway corporation; its first certificate is the director's."""

    sizes: tuple[int, ...]
    holders: list[str]
    tokens: list[int]
    #: The full price of its harbour token, 0 if it has none.
    harbour: int
    floats_at: int
    director: str = ""
    par: int = 0
    cell: tuple[int, int] | None = None
    floated: bool = False
    operated: bool = False
    trains: list[str] = field(default_factory=list)
    revenue: int = 0


@dataclass
class Question:
    """What somebody is asked outside the turn."""

    kind: str
    player: str
    data: dict[str, Any]


@dataclass
class Table:
    """The whole position."""

    sheet: Sheet
    seats: list[str]
    limit: int
    board: Board
    options: dict[str, Any]
    order_cards: dict[str, int]
    cash: dict[str, int] = field(default_factory=dict)
    companies: dict[str, Company] = field(default_factory=dict)
    stacks: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    privates: dict[str, str] = field(default_factory=dict)
    priority: str = ""
    left: dict[str, int] = field(default_factory=dict)
    sold: Counter[str] = field(default_factory=Counter)
    pool: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=lambda: ["2+4"])
    phase: int = 0
    kind: str = "package"
    stock_number: int = 1
    operating_number: int = 0
    operating_total: int = 0
    actor: str = ""
    step: str = ""
    turn: dict[str, Any] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    loans: Counter[str] = field(default_factory=Counter)
    #: DEC and GKB once they are active: the owner and the company that got the token or the train.
    dalheim: dict[str, str] = field(default_factory=dict)
    gkb: dict[str, str] = field(default_factory=dict)
    #: Whether the function of Rhineland's Manchester was used.
    manchester: bool = False
    link: str = ""
    broken: str = ""
    finished: str = ""
    #: Who has no seat but holds certificates: the Investor.
    seatless: str = ""

    # ------------------------------------------------------------------ people and money

    def left_of(self, player: str) -> list[str]:
        """Everybody who plays, clockwise from the left of a player, who comes last."""
        at = self.seats.index(player)
        return [*self.seats[at + 1 :], *self.seats[: at + 1]]

    def pay(self, source: str, target: str, amount: int) -> None:
        self.cash[source] -= amount
        self.cash[target] += amount
        if source == BANK and amount and self.cash[BANK] < 0 and not self.broken:
            self.broken = "operating" if self.kind == "operating" else "stock"

    # ------------------------------------------------------------------ phases and trains

    @property
    def colour(self) -> str:
        return str(self.sheet.raw["phase"][self.phase]["color"])

    @property
    def train_limit(self) -> int:
        return int(self.sheet.raw["phase"][self.phase]["train_limit"])

    def phase_with(self, train: str) -> int:
        """The phase that there is once a new train of a type has been bought."""
        phases = [row["on"] for row in self.sheet.raw["phase"]]
        return max(self.phase, phases.index(train)) if train in phases else self.phase

    def on_sale(self) -> list[str]:
        """The new trains that may be bought: in order of size, 6 beside 5 (6.2.6)."""
        types = [name for name, count in self.left.items() if count]
        found = types[:1]
        for name in types[1:]:
            since = self.sheet.rows("train", "name")[name].get("available_on")
            if since and self.sold[since] and name not in found:
                found.append(name)
        return found

    def price_of(self, train: str) -> int:
        return int(self.sheet.rows("train", "name")[train]["price"])

    # ------------------------------------------------------------------ certificates

    def held(self, company: str, owner: str) -> int:
        """How many per cent somebody holds."""
        here = self.companies[company]
        return sum(size for size, holder in zip(here.sizes, here.holders, strict=True) if holder == owner)

    def normal(self, company: str, owner: str) -> list[int]:
        """The sizes of the certificates that somebody holds, without the director's."""
        here = self.companies[company]
        pairs = zip(here.sizes[1:], here.holders[1:], strict=True)
        return sorted((size for size, holder in pairs if holder == owner), reverse=True)

    def price(self, company: str) -> int:
        cell = self.companies[company].cell
        return 0 if cell is None else self.sheet.grid[cell[0]][cell[1]]

    def worth(self, company: str, percent: int) -> int:
        return self.price(company) * percent // 10

    def top(self, company: str) -> int:
        """The size of the certificate on top of a stack in the offering; 0 if there is none."""
        here = self.companies[company]
        return next((size for size, who in zip(here.sizes, here.holders, strict=True) if who == OFFER), 0)

    def move(self, company: str, percent: int, source: str, target: str) -> None:
        """Hand over one normal certificate of a size."""
        here = self.companies[company]
        for number, size in enumerate(here.sizes):
            if number and size == percent and here.holders[number] == source:
                here.holders[number] = target
                return
        raise AssertionError(f"{source} has no {percent} of {company}")

    def papers(self, player: str) -> int:
        """How many certificates count against the limit (5.2.2)."""
        certificates = sum(company.holders.count(player) for company in self.companies.values())
        return certificates + sum(owner == player for owner in self.privates.values())

    def directed(self, player: str) -> list[str]:
        """The companies whose director's certificate somebody holds."""
        return sorted(name for name, company in self.companies.items() if company.director == player)

    # ------------------------------------------------------------------ prices

    def place(self, company: str, cell: tuple[int, int]) -> None:
        """Put a token on a space, under those already there."""
        here = self.companies[company]
        if here.cell is not None:
            self.stacks[here.cell].remove(company)
        here.cell = cell
        self.stacks.setdefault(cell, []).append(company)

    def exists(self, row: int, column: int) -> bool:
        grid = self.sheet.grid
        return 0 <= row < len(grid) and 0 <= column < len(grid[row])

    def shift(self, company: str, *ways: tuple[int, int]) -> None:
        """Move a token to the first of some neighbouring spaces that exists."""
        cell = self.companies[company].cell
        assert cell is not None
        for down, right in ways:
            new = (cell[0] + down, cell[1] + right)
            if self.exists(*new):
                self.place(company, new)
                return

    def up(self, company: str) -> None:
        self.shift(company, (-1, 0))

    def down(self, company: str) -> None:
        self.shift(company, (1, 0))

    def in_order(self) -> list[str]:
        """Floated companies: the highest price, further right, top of the stack (6)."""
        floated = [name for name, company in self.companies.items() if company.floated]

        def key(name: str) -> tuple[int, int, int]:
            cell = self.companies[name].cell
            assert cell is not None
            return -self.price(name), -cell[1], self.stacks[cell].index(name)

        return sorted(floated, key=key)

    # ------------------------------------------------------------------ as the frame wants it

    def position(self) -> dict[str, Any]:
        companies = {}
        for name, company in self.companies.items():
            companies[name] = {
                "certificates": sorted([size, who] for size, who in zip(company.sizes, company.holders, strict=True)),
                "tokens_left": company.tokens,
                "director": company.director,
                "par": company.par,
                "price": None if company.cell is None else list(company.cell),
                "floated": company.floated,
                "active": company.floated,
                "operated": company.operated,
                "trains": sorted(company.trains),
                "last_revenue": company.revenue,
            }
        return {
            "seats": self.seats,
            "priority": self.priority,
            "cash": self.cash,
            "companies": companies,
            "privates": self.privates,
            "stacks": {f"{row},{column}": names for (row, column), names in self.stacks.items()},
            "board": {
                "tiles": {at: list(tile) for at, tile in self.board.tiles.items()},
                "stations": self.board.spaces,
                "markers": {"I3": ["camp" if self.dalheim else "works"]},
                "supply": self.board.supply,
            },
            "depot": {
                "left": self.left,
                "sold": {**self.sold, "2+4": 1},
                "pool": sorted(self.pool),
                "gone": sorted(self.gone),
                "aside": self.aside,
            },
            "phase": self.sheet.raw["phase"][self.phase]["name"],
            "round": {
                "kind": self.kind,
                "stock_number": self.stock_number,
                "operating_number": self.operating_number,
                "operating_total": self.operating_total,
                "actor": self.actor,
            },
            "facts": {
                "order_cards": self.order_cards,
                "dalheim": self.dalheim,
                "gkb": self.gkb,
                "link": self.link,
            },
            "used": ["RM"] if self.manchester else [],
            "loans": self.loans,
            "bank_broken": self.broken,
            "finished": self.finished,
        }


def ways_to(sizes: list[int], total: int) -> list[tuple[int, ...]]:
    """The different choices of certificates that make up a share, the largest certificates first."""
    found = {
        tuple(sorted(some, reverse=True))
        for number in range(1, len(sizes) + 1)
        for some in combinations(sizes, number)
        if sum(some) == total
    }
    return sorted(found, reverse=True)


def allowed(judge: Callable[[Table, dict[str, Any]], None], table: Table, move: dict[str, Any]) -> bool:
    """Whether a move would pass a judge."""
    try:
        judge(table, move)
    except Foul:
        return False
    return True
