"""What lies on the table: purses, certificates, prices, trains; and how a certificate or a price moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from workshop.referees.common import table as common
from workshop.referees.common.routes import Route
from workshop.referees.common.table import ASIDE, BANK, OFFER, POOL, Foul, Question, allowed, need
from workshop.referees.lra import routes
from workshop.referees.lra.board import Board
from workshop.referees.lra.routes import Worth
from workshop.referees.lra.sheet import Sheet

__all__ = [
    "ASIDE",
    "BANK",
    "OFFER",
    "POOL",
    "Company",
    "Foul",
    "Question",
    "Table",
    "allowed",
    "need",
    "ways_to",
]


@dataclass
class Company(common.Company):
    """A railway corporation."""

    #: The full price of its harbour token, 0 if it has none.
    harbour: int = 0
    floats_at: int = 0
    cell: tuple[int, int] | None = None

    def position(self) -> dict[str, Any]:
        price = None if self.cell is None else list(self.cell)
        return super().position() | {"price": price, "active": self.floated}


@dataclass(kw_only=True)
class Table(common.Table[Company]):
    """The whole position."""

    sheet: Sheet
    board: Board
    options: dict[str, Any]
    order_cards: dict[str, int]
    stacks: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    aside: list[str] = field(default_factory=lambda: ["2+4"])
    loans: Counter[str] = field(default_factory=Counter)
    #: DEC and GKB once they are active: the owner and the company that got the token or the train.
    dalheim: dict[str, str] = field(default_factory=dict)
    gkb: dict[str, str] = field(default_factory=dict)
    #: Whether the function of Rhineland's Manchester was used.
    manchester: bool = False
    link: str = ""
    #: What else a new phase brings, given the train that began it.
    begins: Callable[[Any, str], None]
    #: Who has no seat but holds certificates: the Investor.
    seatless: str = ""

    def pay(self, source: str, target: str, amount: int) -> None:
        self.cash[source] -= amount
        self.cash[target] += amount
        if source == BANK and amount and self.cash[BANK] < 0 and not self.broken:
            self.broken = "operating" if self.kind == "operating" else "stock"

    def lot_sold(self, player: str, lot: str, price: int) -> None:
        """What else the sale of a lot brings."""

    # ------------------------------------------------------------------ routes

    def worths(self) -> Worth:
        return Worth(self.colour, self.dalheim.get("company", ""))

    def value(self, company: str, train: str, route: Route) -> int:
        """What a route of a train brings."""
        return self.worths().of(self.board, company, train, route)

    def foul(self, company: str, train: str, route: Route) -> str:
        """Why a train may not run along a route."""
        return routes.foul(self.board, company, train, route)

    def most_trains(self, company: str, runs: int = 1) -> int:
        """How many trains can run at once; where that is too much to look at, as many as run."""
        return routes.most_trains(self.board, company, self.companies[company].trains)

    def has_route(self, company: str) -> bool:
        """Whether an ordinary train could run."""
        return routes.has_route(self.board, company)

    # ------------------------------------------------------------------ trains

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

    def price(self, company: str) -> int:
        cell = self.companies[company].cell
        return 0 if cell is None else self.sheet.grid[cell[0]][cell[1]]

    def worth(self, company: str, percent: int) -> int:
        return self.price(company) * percent // 10

    def top(self, company: str) -> int:
        """The size of the certificate on top of a stack in the offering; 0 if there is none."""
        here = self.companies[company]
        return next((size for size, who in zip(here.sizes, here.holders, strict=True) if who == OFFER), 0)

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
        result = super().position()
        result["depot"] |= {"sold": {**self.sold, "2+4": 1}, "aside": self.aside}
        return result | {
            "stacks": {f"{row},{column}": names for (row, column), names in self.stacks.items()},
            "board": {
                "tiles": {at: list(tile) for at, tile in self.board.tiles.items()},
                "stations": self.board.spaces,
                "markers": {"I3": ["camp" if self.dalheim else "works"]},
                "supply": self.board.supply,
            },
            "facts": {
                "order_cards": self.order_cards,
                "dalheim": self.dalheim,
                "gkb": self.gkb,
                "link": self.link,
            },
            "used": ["RM"] if self.manchester else [],
            "loans": self.loans,
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
