"""Puts target and destiny cards into a game, each where it is chosen (8.4)."""

from __future__ import annotations

from dataclasses import replace

from engine.definition import Definition
from engine.mechanism import Mechanism
from engine.rules import Rules, Setup
from titles.rhl.destiny import Destiny
from titles.rhl.main import RhinelandGame
from titles.rhl.targets import Targets


def with_cards(setup: Setup, definition: Definition) -> Rules:
    """The game by the rulebook of 2024 with the cards that its options name."""
    tables = definition.tables
    if setup.options["target_cards"]:
        targets = Targets(tables)
        core = RhinelandGame(setup, definition, seating=targets.seating(), first=targets.begin)
        decks: tuple[Mechanism, ...] = (targets.before(core.package.begin),)
    else:
        core, decks = RhinelandGame(setup, definition), ()
    if not setup.options["destiny_cards"]:
        return core.rules(*decks)
    destiny = Destiny(tables, core.operating)
    rules = core.rules(*decks, destiny)
    return replace(rules, score=destiny.score, secret=True, redraw=destiny.redraw, besides=destiny.besides)
