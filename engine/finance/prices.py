"""What moves a share price: sales, dividends, a company that is sold out, and a space that ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import events as ev
from engine.finance import shares
from engine.remembered import Sales
from engine.state import BANK, Cell

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class ShareSale:
    """Shares that went to the pool; `director` is who it was before."""

    company: str
    seller: str
    percent: int
    director: str


@dataclass(frozen=True, slots=True)
class Split:
    """One way of using a revenue."""

    paid: int
    kept: int


def stays(game: Game, company: str) -> None:
    """Nothing happens to the token."""


def to_bottom(game: Game, company: str) -> None:
    """The token goes below the others on its space."""
    game.prices.to_bottom(company)


@dataclass(frozen=True, kw_only=True)
class PriceRules:
    """What moves the prices of one kind of company."""

    sale: Callable[[Game, ShareSale], None]
    dividend: Callable[[Game, str, Split], None]
    #: So many spaces up at the end of a stock round in which players hold everything.
    sold_out: int = 0
    #: What a token's arrival on a new space brings: company and reason of the move.
    arrival: Callable[[Game, str, str], None] = lambda game, company, reason: None


def rules_of(game: Game, company: str) -> PriceRules:
    return game.rules.prices[game.definition.corporations[company].kind]


def move_price(game: Game, company: str, cell: Cell, reason: str) -> None:
    """Move a token to another space, below the tokens there; on its own space it stays as it is."""
    if game.company(company).price == cell:
        return
    old = game.prices.value(company)
    game.prices.put(company, cell)
    new = game.prices.value(company)
    if old != new:
        game.emit(ev.SharePriceMoved(company, old, new, reason))
    rules_of(game, company).arrival(game, company, reason)


def rise(game: Game, company: str, reason: str, spaces: int = 1) -> None:
    """Some spaces up."""
    cell = game.company(company).price
    assert cell is not None
    for _ in range(spaces):
        cell = game.prices.up(cell)
    move_price(game, company, cell, reason)


def rise_if_sold_out(game: Game) -> None:
    """At the end of a stock round: companies that are wholly in players' hands, the dearest first."""
    players = set(game.state.players)
    for company in game.prices.order():
        spaces = rules_of(game, company).sold_out
        if spaces and players.issuperset(game.company(company).certificates):
            rise(game, company, "sold_out", spaces)


# ---------------------------------------------------------------------- sales


def down_a_sale(game: Game, sale: ShareSale) -> None:
    """One space down, however much is sold."""
    cell = game.company(sale.company).price
    assert cell is not None
    move_price(game, sale.company, game.prices.down(cell), "sale")


def down_a_share(stops: str = "") -> Callable[[Game, ShareSale], None]:
    """One space down for each share sold; a space with the mark `stops` ends the fall."""

    def fall(game: Game, sale: ShareSale) -> None:
        cell = game.company(sale.company).price
        assert cell is not None
        for _ in range(sale.percent // shares.unit(game, sale.company)):
            if not (stops and game.definition.market.marked(cell, stops)):
                cell = game.prices.down(cell)
        move_price(game, sale.company, cell, "sale")

    return fall


def if_director_sells(fall: Callable[[Game, ShareSale], None]) -> Callable[[Game, ShareSale], None]:
    """A price falls only when the director sells, their own or the company's, also if it costs them the office."""

    def maybe(game: Game, sale: ShareSale) -> None:
        if sale.seller in (sale.director, sale.company):
            fall(game, sale)

    return maybe


def sell(
    game: Game,
    seller: str,
    company: str,
    percent: int,
    swapped: tuple[int, ...] | None = None,
    sold: tuple[int, ...] | None = None,
) -> None:
    """Somebody sells shares into the pool: money, certificates (small ones if none are named), director and price."""
    amount = shares.worth(game, company, percent)
    sale = ShareSale(company, seller, percent, game.company(company).director)
    shares.sell_to_pool(game, company, seller, percent, swapped, sold)
    settle_sale(game, sale, amount)


def settle_sale(game: Game, sale: ShareSale, amount: int) -> None:
    """The certificates of a sale lie in the pool: money and price."""
    game.emit(ev.SharesSold(sale.seller, sale.company, sale.percent, amount))
    game.pay(BANK, sale.seller, amount, "sale", sale.company)
    turn = Sales.seen(game)
    if turn is not None:
        turn.sold.append(sale.company)
    rules_of(game, sale.company).sale(game, sale)


# ---------------------------------------------------------------------- dividends


@dataclass(frozen=True)
class ByRatio:
    """Right by so many spaces from so many per cent of the price on, a smaller dividend as `below` says, none: left."""

    steps: tuple[tuple[int, int], ...] = ((100, 1),)
    below: Callable[[Game, str], None] = to_bottom

    def __call__(self, game: Game, company: str, split: Split) -> None:
        cell = game.company(company).price
        assert cell is not None
        if not split.paid:
            move_price(game, company, game.prices.left(cell), "no_dividend")
            return
        value = game.prices.value(company)
        spaces = next((n for percent, n in self.steps if 100 * split.paid >= percent * value), 0)
        if not spaces:
            self.below(game, company)
            return
        move_price(game, company, self.forward(game, cell, spaces), "dividend")

    def forward(self, game: Game, cell: Cell, spaces: int) -> Cell:
        """Where so many spaces to the right lead."""
        for _ in range(spaces):
            cell = game.prices.right(cell)
        return cell
