"""What differs between two positions of one game, for marking and for alt texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from engine.game import Game
from engine.state import Cell


@dataclass(frozen=True)
class View:
    """What somebody saw of a position: the tiles, the companies with a station on each hex, and the prices.

    A few kilobytes, where a whole game takes half a megabyte.
    """

    moves: int
    tiles: Mapping[str, tuple[str, int]]
    stations: Mapping[str, frozenset[str]]
    prices: Mapping[str, Cell | None]

    @classmethod
    def of(cls, game: Game) -> View:
        return cls(
            len(game.moves),
            dict(game.state.board.tiles),
            _stations(game),
            {code: company.price for code, company in game.state.companies.items()},
        )


@dataclass(frozen=True)
class Changes:
    """New tiles, new stations (hex, stop, space, company) and moved prices since a move.

    A station beside the spaces stands after the last space of the first stop.
    """

    since: int
    tiles: tuple[tuple[str, str], ...]
    stations: tuple[tuple[str, int, int, str], ...]
    prices: tuple[tuple[str, Cell | None, Cell | None], ...]

    @property
    def hexes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([at for at, _ in self.tiles] + [at for at, *_ in self.stations]))


def changes(before: View, now: Game) -> Changes:
    """Compare what was seen earlier with a position."""
    board = now.state.board
    tiles = tuple((at, cover[0]) for at, cover in board.tiles.items() if before.tiles.get(at) != cover)
    stations = tuple(
        (at, stop, space, code)
        for at, codes in _stations(now).items()
        if (new := codes - before.stations.get(at, frozenset()))
        for stop, spaces in enumerate(board.stations[at])
        for space, code in enumerate([*spaces, *(board.beside.get(at, ()) if not stop else ())])
        if code in new
    )
    prices = tuple(
        (code, before.prices[code], company.price)
        for code, company in now.state.companies.items()
        if before.prices[code] != company.price
    )
    return Changes(before.moves, tiles, stations, prices)


def _stations(game: Game) -> dict[str, frozenset[str]]:
    """The active companies with a station on each hex that has one."""
    board = game.state.board
    active = frozenset(code for code, company in game.state.companies.items() if company.active)
    found = {at: active.intersection(chain(*stops, board.beside.get(at, ()))) for at, stops in board.stations.items()}
    return {at: codes for at, codes in found.items() if codes}
