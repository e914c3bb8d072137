"""What 18Ruhr shows besides map and market: signs on locations, the Montan sheet, and what a card is good for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.finance.depot import on_sale
from engine.game import Game
from engine.rules import Page, owned_privates
from titles.ruhr import works
from titles.ruhr.locations import EMPTY, FOUNDED, location, value
from titles.ruhr.remembered import Works
from titles.ruhr.tables import STAGES


def marks(game: Game) -> Mapping[str, Sequence[str]]:
    """On each location its industry or its corporation, and what it adds to a route."""
    result: dict[str, Sequence[str]] = {}
    for mine in works.tables(game).mine:
        found = location(game, mine.hex)
        if found.state == EMPTY:
            continue
        sign = found.company if found.state == FOUNDED else mine.industry
        worth = value(game, mine.hex)
        result[mine.hex] = (sign, f"+{worth}") if worth else (sign,)
    return result


#: The steps that are about all Montan companies, not only about the one that acts.
_TABLE = ("found", "second", "merge")


def pages(game: Game) -> list[Page]:
    """Every Montan company in play, and every card on sale."""
    return [montan_sheet(game), capex_display(game)]


def montan_sheet(game: Game) -> Page:
    t = works.tables(game)
    rows = []
    for name in (*t.mines, *t.corporations):
        if name not in Works.of(game).charters:
            continue
        charter = works.charter(game, name)
        director = game.company(name).director
        rows.append(
            (
                name,
                director or "–",
                str(works.income(game, name)),
                str(game.state.cash[name]),
                _markers(game, name),
                " ".join(charter.engines) or "–",
                _places(game, name),
            )
        )
    columns = ("company", "owner", "income", "treasury", "markers", "engines", "places")
    return Page("montan", columns, tuple(rows), steps=_TABLE)


def _markers(game: Game, name: str) -> str:
    """Markers by stage: those that earn nothing any more in brackets, stored ones after a plus."""
    placed, stored = works.placed(game, name), works.stored(game, name)
    texts = {stage: f"{placed[stage]}{stage}" for stage in STAGES if stage in placed}
    idle = " ".join(text for stage, text in texts.items() if not works.is_active(game, stage))
    parts = [f"({idle})"] if idle else []
    parts += [text for stage, text in texts.items() if works.is_active(game, stage)]
    parts += [f"+{works.written(stored)}"] if stored else []
    return " ".join(parts) or "–"


def _places(game: Game, name: str) -> str:
    """Where a company is at home, which places have a railway link, and the circles that mergers have left free."""
    found = works.charter(game, name).locations
    row = works.tables(game).corporations.get(name)
    free = row.circles - len(found) if row is not None else 0
    return " ".join([*(at + ("∎" if location(game, at).linked else "") for at in found), *["○"] * free])


def capex_display(game: Game) -> Page:
    t, sale = works.tables(game), on_sale(game)
    rows = tuple(
        (
            row.card + (" ←" if row.card in sale else ""),
            str(game.state.depot.left[row.card]),
            str(game.definition.train(row.card).price),
            f"{row.squares} × {row.stages[0]}–{row.stages[-1]}",
            str(row.development_price),
            row.engine,
            str(row.engine_price),
        )
        for row in t.capex
        if game.state.depot.left[row.card]
    )
    return Page("capex", ("card", "left", "train", "markers", "development", "engine", "price"), rows, steps=("spend",))


def possessions(game: Game, holder: str) -> dict[str, int]:
    """Private companies and small Montan companies."""
    small = {name: 1 for name in works.tables(game).mines if game.company(name).director == holder}
    return {**owned_privates(game, holder), **small}
