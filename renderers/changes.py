"""What differs between two positions of one game, for marking and for alt texts."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Game
from engine.state import Cell


@dataclass(frozen=True)
class Changes:
    """New tiles, new stations (hex, stop, space, company) and moved prices since a move."""

    since: int
    tiles: tuple[tuple[str, str], ...]
    stations: tuple[tuple[str, int, int, str], ...]
    prices: tuple[tuple[str, Cell | None, Cell | None], ...]

    @property
    def hexes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([at for at, _ in self.tiles] + [at for at, *_ in self.stations]))


def changes(before: Game, now: Game) -> Changes:
    """Compare an earlier position with a later one."""
    old, new = before.state.board, now.state.board
    tiles = tuple((at, lying[0]) for at, lying in new.tiles.items() if old.tiles.get(at) != lying)
    stations = []
    for at, stops in new.stations.items():
        had = _codes(before, old.stations.get(at, []))
        for stop, spaces in enumerate(stops):
            for space, code in enumerate(spaces):
                if code and now.company(code).active and code not in had:
                    stations.append((at, stop, space, code))
    prices = tuple(
        (code, before.company(code).price, company.price)
        for code, company in now.state.companies.items()
        if before.company(code).price != company.price
    )
    return Changes(len(before.moves), tiles, tuple(stations), prices)


def _codes(game: Game, stops: list[list[str]]) -> set[str]:
    return {code for spaces in stops for code in spaces if code and game.company(code).active}
