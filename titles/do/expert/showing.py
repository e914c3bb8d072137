"""What the Expert game shows besides the pages with breweries: all markers, and trains with wagons."""

from __future__ import annotations

from collections.abc import Callable

from engine.game import Game
from engine.rules import Page, Pieces
from titles.do.board.export import loaded
from titles.do.brewery import breweries, loading
from titles.do.expert import markers, wagons
from titles.do.expert.tables import expert


def pages(plain: Callable[[Game], list[Page]], game: Game) -> list[Page]:
    beer, stores, breweries_, cards = plain(game)
    found = [beer, stores, brewery_sheet(breweries_, game), investments(game), specials(game), cards]
    on_trains = wagon_trains(game)
    return [*found, on_trains] if on_trains.rows else found


def marker(code: str) -> str:
    """A marker's code as a cell; a small brewery may have the same code, and a cell that is one shows its token."""
    return f"{code}\N{NO-BREAK SPACE}"


def brewery_sheet(plain: Page, game: Game) -> Page:
    """Breweries in the order in which they act, with their markers."""
    rows = []
    for name, row in zip(breweries.order(game), plain.rows, strict=True):
        own = [*markers.owned(game, name), *(["–"] * (markers.boxes(game, name) - len(markers.owned(game, name))))]
        rows.append((*row, marker(" ".join(own)), markers.special(game, name) or "–"))
    return Page("breweries", (*plain.columns, "investments", "special"), tuple(rows), steps=plain.steps)


def investments(game: Game) -> Page:
    """Small investments: price, what they bring, from which phase on, how many are left."""
    rows: list[tuple[str | Pieces, ...]] = []
    for row in expert(game).kim:
        owners = [name for name in markers.investors(game) if row.code in markers.owned(game, name)]
        left = markers.display(game)[row.code]
        rows.append(
            (
                marker(row.code),
                str(row.price),
                str(row.income or "–"),
                Pieces(left, row.phase),
                " ".join(sorted(owners)) or "–",
            )
        )
    return Page(
        "investments", ("code", "price", "brings", "on_display", "owners"), tuple(rows), steps=("equipment", "marker")
    )


def specials(game: Game) -> Page:
    """Special events: whether they lie on the display, or who has them."""
    rows: list[tuple[str | Pieces, ...]] = []
    for row in expert(game).sem:
        owner = next((name for name, own in markers.MarkersHeld.of(game).specials.items() if row.code in own), "–")
        rows.append((row.code, Pieces(markers.display(game)[row.code], row.phase), owner))
    return Page("specials", ("code", "on_display", "owner"), tuple(rows), aside=True, steps=("event", "marker"))


def wagon_trains(game: Game) -> Page:
    """The trains of railways that have wagons."""
    code, rows = expert(game).wagon.code, []
    for name in markers.investors(game):
        if breweries.kind(game, name) == "railway":
            trains = wagons.all_trains(game, name, wagons.placed(game, name))
            beer = [loaded(*entry) for entry in loading.loads(game, name)]
            on_trains = " ".join(wagons.called(game, *entry) for entry in sorted(trains, reverse=True))
            rows.append((name, on_trains or "–", code * wagons.loose(game, name) or "–", " ".join(beer) or "–"))
    return Page("wagons", ("company", "trains", "loose", "laden"), tuple(rows), aside=True)
