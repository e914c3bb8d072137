"""The data of the games with breweries: the box as they use it, with breweries, cards and phases of their own."""

from __future__ import annotations

from dataclasses import replace

from engine.definition import Definition
from engine.game import Game
from engine.rules import Setup
from titles.do.board import data
from titles.do.brewery.tables import HsbTables

FILE = "hsb.toml"


def definition(setup: Setup, file: str = FILE, tables: type[HsbTables] = HsbTables, *more: str) -> Definition:
    """The box for a number of players: railways, breweries, and as many cards as are used; `more` files of a form."""
    return with_breweries(setup, data.definition(setup, file, tables, *more))


def with_breweries(setup: Setup, found: Definition) -> Definition:
    t: HsbTables = found.tables
    cards = t.cards(setup.players)
    unused = t.hsb.not_used[setup.players]
    breweries = {row.id: row.charter() for row in t.brewery if row.id not in unused}
    return replace(
        found,
        players=(min(t.hsb.cert_limit), max(t.hsb.cert_limit)),
        bank=t.hsb.bank,
        starting_cash=t.hsb.starting_cash,
        cert_limit=t.hsb.book_limit if setup.options.get("limits") == "book" else t.hsb.cert_limit,
        corporations={**found.corporations, **breweries},
        trains=tuple(replace(train, count=cards[train.name]) for train in found.trains),
        phases=tuple(
            replace(phase, operating_rounds=0, event={"en": row.event, "de": row.event_de})
            for phase, row in zip(found.phases, t.brewing, strict=True)
        ),
    )


def tables(game: Game) -> HsbTables:
    found: HsbTables = game.definition.tables
    return found
