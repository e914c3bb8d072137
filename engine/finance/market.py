"""Share prices: moving tokens on a grid or on lines, and the stacks of tokens that share a space."""

from __future__ import annotations

from collections.abc import Collection

from engine.definition import Market
from engine.state import Cell, State


class Prices:
    """The share price table of a position; a token that arrives goes below those already there."""

    def __init__(self, market: Market, state: State) -> None:
        self.market = market
        self.state = state

    def value(self, company: str) -> int:
        """The price of one 10 % share, 0 before the company was founded."""
        cell = self.state.companies[company].price
        return 0 if cell is None else self.market.rows[cell[0]][cell[1]]

    def put(self, company: str, cell: Cell) -> None:
        """Place a token at the bottom of a space's stack."""
        self.remove(company)
        self.state.companies[company].price = cell
        self.state.stacks.setdefault(cell, []).append(company)

    def remove(self, company: str) -> None:
        """Take a token off the table."""
        old = self.state.companies[company].price
        if old is not None:
            stack = self.state.stacks[old]
            stack.remove(company)
            if not stack:
                del self.state.stacks[old]
            self.state.companies[company].price = None

    def to_bottom(self, company: str) -> None:
        """Leave the token on its space but put it under the others."""
        cell = self.state.companies[company].price
        if cell is not None:
            self.put(company, cell)

    def _along_arrow(self, cell: Cell, direction: str) -> Cell | None:
        """Where a printed arrow leads a token that should move in a direction."""
        for mark, other in self.market.arrows.get(direction, {}).items():
            if self.market.marked(cell, mark):
                return self.up(cell) if other == "up" else self.down(cell)
        return None

    def right(self, cell: Cell) -> Cell:
        """One space right; at the end of its row up; in the last space of the top row or of a line it stays."""
        row, column = cell
        led = self._along_arrow(cell, "right")
        if led is None and self.market.has(row, column + 1):
            return row, column + 1
        return led or self.up(cell)

    def left(self, cell: Cell) -> Cell:
        """One space left; in the first column down; in the bottom left corner or at the end of a line it stays."""
        row, column = cell
        led = self._along_arrow(cell, "left")
        if led is None and self.market.has(row, column - 1):
            return row, column - 1
        return led or self.down(cell)

    def up(self, cell: Cell) -> Cell:
        """One space up; on a line that is right."""
        row, column = cell
        to = (row - 1, column) if self.market.kind == "grid" else (row, column + 1)
        return to if self.market.has(*to) else cell

    def down(self, cell: Cell) -> Cell:
        """One space down; on a line that is left."""
        row, column = cell
        to = (row + 1, column) if self.market.kind == "grid" else (row, column - 1)
        return to if self.market.has(*to) else cell

    def order(self, among: Collection[str] | None = None) -> list[str]:
        """Companies with a price, all or some: highest value first, then furthest right, then top of the stack."""
        rows = self.market.rows
        cells = sorted(self.state.stacks, key=lambda cell: (-rows[cell[0]][cell[1]], -cell[1], cell[0]))
        companies = [company for cell in cells for company in self.state.stacks[cell]]
        return companies if among is None else [company for company in companies if company in among]
