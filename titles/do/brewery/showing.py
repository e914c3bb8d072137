"""What the games with breweries show besides map and prices: the beer market, all breweries, and the cards."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.rules import Page, Pieces, Remark
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, loading
from titles.do.brewery.beer import NEW, REGULAR
from titles.do.brewery.data import tables
from titles.do.brewery.weighing import Forgone

#: Colours of the fields of the beer market.
COLOURS = {REGULAR: "yellow", NEW: "orange", "delivered": "grey", "stock": "brown", "export": "brown"}
#: Regular customers have their own sign in the table of cards.
SIGNS = {REGULAR: "★", NEW: ""}

#: The steps of a brewery's turn in which the others matter as well.
_ORDER = ("dividend", "order")


class Forecast(Protocol):
    """Who knows what breweries could deliver."""

    def could_deliver(self, game: Game, company: str) -> tuple[int, int]:
        """How many cubes at best as the market stands, and what they would bring."""
        ...

    def forgone(self, game: Game, company: str) -> Forgone | None:
        """What is given away by delivering everything before beer is named for export."""
        ...


def pages(selling: Forecast, game: Game) -> list[Page]:
    return [beer_market(game), stores(game), brewery_sheet(selling, game), card_display(game)]


def beer_market(game: Game) -> Page:
    """The segments from the highest down: demand with its price and what was delivered, for both kinds of customers."""
    t, beer = tables(game), breweries.beer(game)
    rows: list[tuple[str | Pieces, ...]] = []
    for row in reversed(t.segment):
        number, index = str(row.number), row.number - 1
        if row.number in beer.closed:
            values = [str(market.price(t, (row.number, customers))) for customers in (REGULAR, NEW)]
            rows.append((number, values[0], "×", "", values[1], "×", ""))
            continue
        cells: list[str | Pieces] = [number]
        for customers in (REGULAR, NEW):
            cells += [
                str(market.price(t, (row.number, customers))),
                Pieces(beer.demand[customers][index], COLOURS[customers]),
                Pieces(beer.delivered[customers][index], COLOURS["delivered"]),
            ]
        rows.append(tuple(cells))
    columns = ("segment", "pays", "regular", "delivered", "pays_new", "new", "delivered_new")
    return Page("beer", columns, tuple(rows), steps=("deliver",))


def stores(game: Game) -> Page:
    """Cubes that nobody wants yet, those for export, and those on trains."""
    beer = breweries.beer(game)
    rows: list[tuple[str | Pieces, ...]] = [
        (
            str(tables(game).beer.export_price),
            Pieces(beer.stock, COLOURS["stock"]),
            Pieces(beer.export, COLOURS["export"]),
            Pieces(loading.cubes(game), COLOURS["export"]),
        )
    ]
    return Page("stores", ("pays_export", "stock", "export", "on_trains"), tuple(rows), steps=("deliver",))


def brewery_sheet(selling: Forecast, game: Game) -> Page:
    """Breweries in the order in which they act; in a brewery round with what they could deliver."""
    rows: list[tuple[str, ...]] = []
    brewing_now = not game.finished and game.state.round.kind == "brewing"
    for number, name in enumerate(breweries.order(game), 1):
        state = game.company(name)
        income = state.last_revenue
        rows.append(
            (
                str(number),
                name,
                state.director or "–",
                " ".join(shown_equipment(game, name)) or "–",
                str(breweries.limit(game, name)),
                str(game.state.cash[name]),
                "–" if income is None else str(income),
                *([_deliverable(selling, game, name)] if brewing_now else []),
            )
        )
    columns: tuple[str, ...] = ("order", "company", "owner", "equipment", "limit", "treasury", "income")
    if brewing_now:
        columns = (*columns, "possible")
    return Page("breweries", columns, tuple(rows), steps=_ORDER)


def _deliverable(selling: Forecast, game: Game, brewery: str) -> str:
    """How many cubes a brewery could deliver now, and for how much, as long as it has not acted."""
    round_ = game.state.round
    cubes, amount = 0, 0
    if brewery in (round_.actor, *game.rules.rounds[round_.kind].upcoming(game)):
        cubes, amount = selling.could_deliver(game, brewery)
    return f"{cubes} → {amount}" if cubes else "–"


def remarks(selling: Forecast, game: Game) -> list[Remark]:
    """What the brewery whose turn it is could deliver, and what it would give away that export brings."""
    if game.finished or game.state.round.step != "deliver":
        return []
    company = game.state.round.actor
    cubes, amount = selling.could_deliver(game, company)
    found = [Remark("could_deliver", {"company": company, "cubes": cubes, "amount": amount})] if cubes else []
    missed = selling.forgone(game, company) if cubes else None
    if missed is not None:
        facts = {"cubes": missed.cubes, "amount": missed.more}
        asks = {"railways": ", ".join(missed.asks)} if missed.asks else {}
        found.append(Remark("export_first_asks" if asks else "export_first", {**facts, **asks}))
    return found


def shown_equipment(game: Game, company: str) -> list[str]:
    """The types of a brewery's equipment; what is turned carries a sign."""
    turned = Counter(breweries.idle(game, company))
    result = []
    for type_ in breweries.equipment(game, company):
        turned[type_] -= 1
        result.append(f"{type_}↻" if turned[type_] >= 0 else type_)
    return result


def card_display(game: Game) -> Page:
    """The cards that are left: what one costs, what it delivers and carries, and what a link brings with it."""
    t, sale = tables(game), on_sale(game)
    rows = []
    for train in game.definition.trains:
        left = game.state.depot.left[train.name]
        if not left:
            continue
        row, stack = t.types[train.name], t.stack(train.name, game.state.depot.sold[train.name], len(game.players))
        brings = (
            "" if not stack.link else " ".join(f"+{n}{SIGNS[c]}" for c in (REGULAR, NEW) if (n := getattr(stack, c)))
        )
        rows.append(
            (
                train.name + (" ←" if train.name in sale else ""),
                str(left),
                str(price(game, train.name)),
                str(row.cubes),
                str(row.arrows or "–"),
                str(stack.squares or "–"),
                brings or "–",
            )
        )
    return Page(
        "capex", ("card", "left", "price", "cubes", "arrows", "squares", "link"), tuple(rows), steps=("equipment",)
    )
