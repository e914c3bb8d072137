"""18Rhl's short game: what it has besides what both titles share."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from engine.definition import Definition
from engine.rules import Rules, Setup, Trains, all_that_is_kept
from engine.steps.stations import StationStep
from titles import loading
from titles.rhineland.course import by_order_cards
from titles.rhineland.short import by_name
from titles.rhineland.short import short as shared
from titles.rhineland.short_moves import DirectorTrack, stay
from titles.rhineland.short_tables import ShortTables, read, without_money
from titles.rhl.data import PACKAGE
from titles.rhl.main import lay_locations
from titles.rhl.running import RhlTrain
from titles.rhl.tables import Tables


def definition(found: Definition) -> tuple[Definition, ShortTables]:
    """The title's data for the short game; the phases do not change the industry bonus (ruling 70)."""
    tables = read(found, loading.sheets(PACKAGE, "short.toml"))
    own: Tables = found.tables
    amount = own.industry_bonus.amount
    industry = replace(own.industry_bonus, amount=dict.fromkeys(amount, amount["yellow"]))
    return replace(without_money(found, tables), tables=replace(own, industry_bonus=industry)), tables


def short(setup: Setup, found: Definition) -> Rules:
    """The short game."""
    changed, tables = definition(found)
    own: Tables = changed.tables
    return shared(
        setup,
        changed,
        tables.short,
        track=DirectorTrack(),
        station=StationStep(),
        trains=Trains(rules=RhlTrain, obsolete=stay, discard_order=by_name, depends=all_that_is_kept),
        seating=by_order_cards(own.order_card, locations=True),
        lay_out=partial(lay_locations, own),
    )
