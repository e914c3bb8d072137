"""What The Railway Game shows besides map and market: private breweries with cubes and markers, and where beer goes."""

from __future__ import annotations

from collections.abc import Callable

from engine.game import Game
from engine.rules import Page
from titles.do.railways.private_breweries import GONE, SUPPLY, BreweryCards, marker_name
from titles.do.railways.tables import TrgTables


def pages(t: TrgTables) -> Callable[[Game], list[Page]]:
    def found(game: Game) -> list[Page]:
        return [breweries(t, game), loads(t), beer(t, game)]

    return found


def breweries(t: TrgTables, game: Game) -> Page:
    """Every private brewery in play: whose it is, what it pays, its cubes and its marker."""
    cards, rows = BreweryCards.of(game), []
    for row in t.private:
        if row.id not in cards.cubes:
            continue
        turned = row.id in cards.turned
        marker = cards.markers.get(row.id, GONE)
        rows.append(
            (
                str(row.number),
                game.state.privates[row.id] or "–",
                "–" if turned else str(row.revenue),
                str(cards.cubes[row.id]),
                "↻" if turned else "–",
                "–" if marker == GONE else marker or marker_name(row.number),
            )
        )
    rows.append(("", "", "", str(cards.cubes[SUPPLY]), "", ""))
    return Page("private_breweries", ("number", "owner", "revenue", "beer_cubes", "back", "marker"), tuple(rows))


def loads(t: TrgTables) -> Page:
    """How many cubes each type of train carries."""
    return Page("loads", tuple(t.loads), (tuple(map(str, t.loads.values())),))


def beer(t: TrgTables, game: Game) -> Page:
    """What red fields pay for a cube."""
    fields: dict[int, list[str]] = {}
    for at, pay in t.export.bonus.items():
        if at in game.definition.map.hexes:
            fields.setdefault(pay, []).append(at)
    rows = [(" ".join(places), str(pay)) for pay, places in sorted(fields.items())]
    return Page("export", ("fields", "a_cube"), tuple(rows))
