"""18Rhl's private companies and its company with a link are what the tables say, whatever they are called."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.house.players import Greedy
from engine.house.simulation import play
from engine.rules import Setup
from engine.state import POOL
from tests.titles.rhl.asking import permits
from titles import loading
from titles.rhl.data import FILES
from titles.rhl.main import base
from titles.rhl.tables import Tables

OPTIONS = {"edition": "2024", "optional_2_train": False, "lower_capital": False, "bankruptcy_end": False}
MOVES = 160


def tables() -> dict[str, dict[str, Any]]:
    return loading.sheets("titles.rhl", *FILES)


def played(sheets: dict[str, dict[str, Any]]) -> tuple[Game, set[str]]:
    """A game by these tables some way into it, and the private companies whose lays were on offer."""
    game = Game(base(Setup("base", OPTIONS, 3), loading.load(sheets, Tables)), ("ann", "bo", "cy"), 18)
    offered: set[str] = set()
    result = play(game, Greedy(), 18, most_moves=MOVES, watch=lambda game: offered.update(permits(game)))
    assert result.faults == [f"not finished after {MOVES} moves"]
    return game, offered


def test_another_private_company_takes_the_place_of_the_first() -> None:
    sheets = tables()
    first = sheets["titles/rhl/game.toml"]["private"][0]
    first.update(id="RSB", name="Rhein-Sieg-Bahn", hexes=["G14"], power={"on": "cost", "free": True})
    _, offered = played(sheets)
    assert "RSB" in offered
    assert "PWB" not in offered


def test_another_company_takes_the_part_of_the_one_with_the_link() -> None:
    sheets = tables()
    sheets["titles/rhl/game.toml"]["link_company"].update(corporation="CME")
    game, _ = played(sheets)
    assert game.company("CME").floated
    assert game.company("CME").par == 70
    opening = Game(game.rules, ("ann", "bo", "cy"), 18)
    assert [opening.company("CME").certificates[number] for number in (1, 2, 3)] == [POOL] * 3
    assert POOL not in opening.company("RhE").certificates
