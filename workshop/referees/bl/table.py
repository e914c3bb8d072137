"""What lies on the table: purses, certificates, stock values, vehicles; and how they move."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from workshop.referees.bl import routes
from workshop.referees.bl.board import Board
from workshop.referees.bl.sheet import Sheet, Space
from workshop.referees.common import table as common
from workshop.referees.common.hexes import COLOURS
from workshop.referees.common.table import ASIDE, BANK, OFFER, POOL, Foul, Question, allowed, need

__all__ = ["ASIDE", "BANK", "CLOSED", "OFFER", "POOL", "Company", "Foul", "Question", "Table", "allowed", "need"]

CLOSED, REMOVED = "closed", "removed"

Cell = tuple[int, int]


@dataclass
class Company(common.Company):
    """A railway corporation."""

    cell: Cell | None = None
    active: bool = False
    closed: bool = False

    def position(self) -> dict[str, Any]:
        price = None if self.cell is None else list(self.cell)
        return super().position() | {"price": price, "active": self.active, "closed": self.closed}


@dataclass(kw_only=True)
class Table(common.Table[Company]):
    """The whole position."""

    sheet: Sheet
    board: Board
    player_cards: dict[str, int]
    stacks: dict[Cell, list[str]] = field(default_factory=dict)
    aside: list[str] = field(default_factory=list)
    #: Players who are bankrupt; they keep cash and certificates.
    retired: list[str] = field(default_factory=list)
    #: Access tokens that nobody uses: on the private company, in the box of its owner, in the pool.
    access: dict[str, int] = field(default_factory=dict)

    @property
    def people(self) -> list[str]:
        """All who hold certificates, those who are bankrupt too (R25)."""
        return [*self.seats, *self.retired]

    # ------------------------------------------------------------------ money

    def pay(self, source: str, target: str, amount: int) -> None:
        self.cash[source] -= amount
        self.cash[target] += amount
        if source != BANK or not amount or self.cash[BANK] >= 0:
            return
        if self.kind == "operating":
            self.broken = self.broken or "operating"
        else:
            self.broken = self.broken or "stock"
            self._contribute()

    def _contribute(self) -> None:
        """10.1, R24: the same from everybody, as little as does; not more than the poorest has."""
        lack = -self.cash[BANK]
        each = min(-(-lack // len(self.seats)), *(self.cash[name] for name in self.seats))
        for name in self.seats:
            self.cash[name] -= each
            self.cash[BANK] += each

    def revenues(self) -> None:
        """5.1: every private company pays its owner."""
        for name, row in self.sheet.rows("private", "id").items():
            if self.privates[name] not in ("", CLOSED):
                self.pay(BANK, self.privates[name], row["revenue"])

    # ------------------------------------------------------------------ vehicles

    def kind_of(self, vehicle: str) -> str:
        return routes.kind(self.board, vehicle)

    def vehicles(self, company: str) -> list[str]:
        """Trains and rail buses, which the limit counts."""
        return [name for name in self.companies[company].trains if self.kind_of(name) != "trailer"]

    def trailers(self, company: str) -> list[str]:
        return [name for name in self.companies[company].trains if self.kind_of(name) == "trailer"]

    def price_of(self, vehicle: str) -> int:
        return int(self.sheet.rows("train", "name")[vehicle]["price"])

    def since(self, colour: str) -> bool:
        """Whether the phases of a colour have begun."""
        return COLOURS.index(self.colour) >= COLOURS.index(colour)

    def on_sale(self) -> list[str]:
        """8.8.2: what lies in the boxes that say "available"."""
        levels = [("2",), ("3", "SB3"), ("4", "SB4"), ("5", "SB5"), ("6", "SB6")]
        found = list(levels[0])
        for below, level in pairwise(levels):
            if all(self.left[name] for name in below):
                break
            found += level
        if self.sold["6"] or self.sold["SB6"]:
            found.append("3+3")
        found += [name for name, colour in (("BW-A", "green"), ("BW-B", "brown")) if self.since(colour)]
        return [name for name in found if self.left[name]]

    # ------------------------------------------------------------------ certificates

    def papers(self, player: str) -> int:
        """7.2: certificates that count, and private companies."""
        counted = sum(
            company.holders.count(player)
            for name, company in self.companies.items()
            if self.area(name) not in ("yellow", "brown")
        )
        return counted + sum(owner == player for owner in self.privates.values())

    def directed(self, player: str) -> list[str]:
        return [name for name, company in self.companies.items() if company.director == player]

    # ------------------------------------------------------------------ stock values

    def space(self, company: str) -> Space | None:
        cell = self.companies[company].cell
        return None if cell is None else self.sheet.spaces[cell]

    def area(self, company: str) -> str:
        space = self.space(company)
        return "" if space is None else space.area

    def price(self, company: str) -> int:
        space = self.space(company)
        return 0 if space is None else space.value

    def place(self, company: str, cell: Cell) -> None:
        """Put a token on a space, under those already there; in the red area the company closes (7.5)."""
        here = self.companies[company]
        if here.cell is not None:
            self.stacks[here.cell].remove(company)
        here.cell = cell
        self.stacks.setdefault(cell, []).append(company)
        if self.sheet.spaces[cell].area == "red":
            self.close(company)

    def beside(self, company: str, down: int, right: int) -> Cell | None:
        """The next space in a direction, if there is one."""
        cell = self.companies[company].cell
        assert cell is not None
        new = (cell[0] + down, cell[1] + right)
        return new if new in self.sheet.spaces else None

    def shift(self, company: str, down: int, right: int) -> None:
        new = self.beside(company, down, right)
        if new is not None:
            self.place(company, new)

    def falls(self, company: str, steps: int) -> None:
        """7.5: down for each 10 % sold; at the bottom it stays, but for the red arrows into the red area."""
        cell = self.companies[company].cell
        assert cell is not None
        for _ in range(steps):
            space, below = self.sheet.spaces[cell], (cell[0] + 1, cell[1])
            if below not in self.sheet.spaces or (self.sheet.spaces[below].area == "red" and not space.falls):
                break
            cell = below
            if self.sheet.spaces[cell].area == "red":
                break
        if cell != self.companies[company].cell:
            self.place(company, cell)

    def no_dividend(self, company: str) -> None:
        """8.7: left, or along a red arrow."""
        space = self.space(company)
        assert space is not None
        self.shift(company, *((1, 0) if space.red else (0, -1)))

    def full_dividend(self, company: str) -> None:
        """8.7: right, or along a green arrow."""
        space = self.space(company)
        assert space is not None
        self.shift(company, *((-1, 0) if space.green else (0, 1)))

    def in_order(self) -> list[str]:
        """8.1: the highest value, further right, the higher row, top of the stack."""

        def key(name: str) -> tuple[int, int, int, int]:
            cell = self.companies[name].cell
            assert cell is not None
            return -self.price(name), -cell[1], cell[0], self.stacks[cell].index(name)

        return sorted((name for name, company in self.companies.items() if company.floated), key=key)

    # ------------------------------------------------------------------ leaving the game

    def close(self, company: str) -> None:
        """7.5: tokens, certificates and private companies leave the game, vehicles and access tokens go to the pool."""
        here = self.companies[company]
        if here.cell is not None:
            self.stacks[here.cell].remove(company)
        self.board.remove(company)
        self.pay(company, BANK, self.cash[company])
        self.pool += here.trains
        if company in self.board.access:
            self.board.access.remove(company)
            self.access["pool"] += 1
        if self.privates[self.sheet.raw["access"]["private"]] == company:
            self.tokens_to_pool()
        for name, owner in self.privates.items():
            if owner == company:
                self.privates[name] = CLOSED
        here.holders = [REMOVED] * len(here.holders)
        here.cell, here.director, here.tokens, here.trains = None, "", [], []
        here.active = here.floated = False
        here.closed = True

    def tokens_to_pool(self) -> None:
        """5.2 no. 4: access tokens that nobody has bought."""
        self.access = {"private": 0, "box": 0, "pool": sum(self.access.values())}

    # ------------------------------------------------------------------ as the frame wants it

    def position(self) -> dict[str, Any]:
        result = super().position()
        result["depot"] |= {"aside": self.aside}
        return result | {
            "retired": self.retired,
            "stacks": {f"{row},{column}": names for (row, column), names in self.stacks.items()},
            "board": {
                "tiles": {at: list(tile) for at, tile in self.board.tiles.items()},
                "stations": self.board.spaces,
                "supply": self.board.supply,
            },
            "facts": {
                "player_cards": self.player_cards,
                "access": {**self.access, "charters": self.board.access},
            },
        }
