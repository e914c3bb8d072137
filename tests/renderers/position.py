"""A fixed position of 18Rhl for pictures that are compared: set by hand, whatever the house would play."""

from __future__ import annotations

from functools import cache

from engine.board.tiling import Misfit
from engine.game import Game
from tests.titles.rhl import arrange


def arranged() -> Game:
    """Three companies with stations and trains on a board of all colours; a copy for each caller."""
    return _arranged().copy()


@cache
def _arranged() -> Game:
    game = arrange.after_package(4)
    arrange.phase(game, "5")
    for company, director in (("CME", "ann"), ("DEE", "bo"), ("ADR", "di")):
        arrange.floated(game, company, director, par=80, treasury=500)
    for at, tile, turns in (
        ("I10", "924", 0), ("F9", "921", 0), ("H11", "8", 3), ("G10", "2", 5), ("K8", "9", 1), ("J9", "8", 3),
        ("K4", "4", 1), ("E8", "69", 0), ("G8", "7", 5), ("H9", "4", 2), ("G6", "942", 0), ("H5", "9", 0),
    ):  # fmt: skip
        fitting = next(turn for turn in (turns, *range(6)) if _fits(game, at, tile, turn))
        arrange.lay(game, at, tile, fitting)
    arrange.station(game, "CME", "F9", 1)
    arrange.station(game, "ADR", "K6", 0)
    arrange.trains(game, "CME", "5")
    arrange.trains(game, "ADR", "6")
    arrange.stock(game, "bo", 5)
    return game


def _fits(game: Game, at: str, tile: str, turns: int) -> bool:
    try:
        game.rules.tiling.placed(at, game.board.cover(at), game.definition.tiles[tile], turns)
    except Misfit:
        return False
    return True


def earlier() -> Game:
    """The arranged game before one lay, one station and two moves of prices."""
    game = arranged()
    game.state.board.tiles.pop("H5")
    game.state.board.stations["K6"][0][0] = ""
    game.prices.put("CME", (1, 4))
    game.prices.put("DEE", (0, 2))
    arrange.take_offer(game)
    return game
