"""18LRA's short game: what it has besides what both titles share."""

from __future__ import annotations

from dataclasses import replace

from engine.definition import Definition
from engine.game import Game
from engine.rules import Rules, Setup, Trains, all_that_is_kept
from titles import loading
from titles.lra import data
from titles.lra.harbour import HarbourStep, PlaceHarbour, token_kinds
from titles.lra.running import train_rules
from titles.lra.tables import Tables
from titles.rhineland.course import by_order_cards
from titles.rhineland.short import by_name
from titles.rhineland.short import short as shared
from titles.rhineland.short_moves import DirectorTrack, stay
from titles.rhineland.short_tables import ShortTables, read, without_money


class OpenHarbours(HarbourStep):
    """Harbours are open to all and cost nothing; nobody has a station without a route."""

    def free_places(self, game: Game, company: str) -> list[tuple[str, int]]:
        return []

    def harbour_cost(self, game: Game, company: str, at: str) -> int:
        return 0


def definition(setup: Setup) -> tuple[Definition, ShortTables]:
    """The title's data for the short game: all corporations, and no private company keeps a harbour."""
    found = data.whole(setup)
    tables = read(found, loading.sheets(data.PACKAGE, "short.toml"))
    own: Tables = found.tables
    harbour = replace(own.harbour, reserved={})
    return replace(without_money(found, tables), tables=replace(own, harbour=harbour)), tables


def short(setup: Setup) -> Rules:
    """The short game."""
    changed, tables = definition(setup)
    own: Tables = changed.tables
    rules = shared(
        setup,
        changed,
        tables.short,
        track=DirectorTrack(),
        station=OpenHarbours(own),
        trains=Trains(rules=train_rules, obsolete=stay, discard_order=by_name, depends=all_that_is_kept),
        seating=by_order_cards(own.order_card, locations=False),
        actions=(PlaceHarbour,),
    )
    return replace(rules, token_kinds=token_kinds)
