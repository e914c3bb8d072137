"""What moves share prices in 18DO: sales of players and of companies, dividends of one and of three times the price."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.finance import shares
from engine.finance.prices import ByRatio, ShareSale, Split, move_price
from engine.game import Game
from engine.state import Cell
from engine.steps.run import AllOrNothing


def left_a_share(game: Game, sale: ShareSale) -> None:
    """DO-6.4.7-a: one space left for each share sold, at the left edge down."""
    cell = game.company(sale.company).price
    assert cell is not None
    for _ in range(sale.percent // shares.unit(game, sale.company)):
        cell = game.prices.left(cell)
    move_price(game, sale.company, cell, "sale")


def by_seller(
    company: Callable[[Game, ShareSale], None], others: Callable[[Game, ShareSale], None]
) -> Callable[[Game, ShareSale], None]:
    """DO-4.4.6-a: a company's sale of its own shares moves the price in another way than a player's."""

    def fall(game: Game, sale: ShareSale) -> None:
        (company if sale.seller == sale.company else others)(game, sale)

    return fall


@dataclass(frozen=True)
class ByDividend(ByRatio):
    """DO-4.5.6.3-c: a token at the right end of its row goes one space up; a double step with one space left stops at
    the end."""

    def forward(self, game: Game, cell: Cell, spaces: int) -> Cell:
        row, column = cell
        market = game.definition.market
        if not market.has(row, column + 1):
            return game.prices.up(cell)
        for _ in range(spaces):
            if market.has(row, column + 1):
                column += 1
        return row, column


class RoundedOrNothing(AllOrNothing):
    """DO-4.5.6.2-b: everything is paid out or kept; a dividend is rounded down first, and the rest goes to the
    treasury."""

    def __init__(self, multiple: int) -> None:
        self.multiple = multiple

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        rest = revenue % self.multiple
        pay = {"pay": Split(revenue - rest, rest)} if revenue > rest else {}
        return {**pay, "withhold": Split(0, revenue)}
