"""Real positions to draw: a game that the house plays, at any of its moves."""

from __future__ import annotations

import random
from functools import cache

import titles
from engine.game import Game
from engine.house.players import Greedy, TitleGreedy
from engine.house.simulation import play
from engine.steps.track import LayTileChoice

PLAYERS = ("Anna", "Björn", "Clara", "Dörte")
SEED = 2
MID = 190


@cache
def finished(title: str = "rhl") -> Game:
    """The whole game."""
    game = titles.new_game(title, PLAYERS, {}, SEED)
    play(game, Greedy(), SEED, check=False)
    return game


@cache
def at(moves: int, title: str = "rhl") -> Game:
    """The game after so many moves; not to be changed."""
    whole = finished(title)
    game = titles.new_game(title, PLAYERS, {}, SEED)
    for move in whole.moves[:moves]:
        game.apply(move)
    return game


def late(title: str = "rhl") -> Game:
    """Near the end, before the last operating round is over."""
    return at(len(finished(title).moves) - 12, title)


def reached(title: str, form: str, moves: int, kind: str) -> Game:
    """A form's game in the first round of a kind after so many moves."""
    game, chance = titles.new_game(title, PLAYERS, {}, SEED, form), random.Random(SEED)
    while len(game.moves) < moves or game.state.round.kind != kind:
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))
    return game


@cache
def chooser() -> tuple[Game, LayTileChoice, str]:
    """A position with many tiles to choose from on one hex."""
    whole = finished()
    game = titles.new_game("rhl", PLAYERS, {}, SEED)
    best: tuple[int, int, str] = (0, 0, "")
    for number, move in enumerate(whole.moves):
        for choice in game.offer().choices:
            if isinstance(choice, LayTileChoice) and number > MID and choice.company:
                for hex_ in choice.hexes():
                    best = max(best, (len(choice.fits(hex_)), number, hex_))
        game.apply(move)
        if best[0] >= 8:
            break
    position = at(best[1])
    lays = (choice for choice in position.offer().choices if isinstance(choice, LayTileChoice))
    return position, next(choice for choice in lays if best[2] in choice.hexes()), best[2]
