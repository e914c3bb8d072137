"""Where water is drawn: along borders that no track may cross, and through hexes that join two of them."""

from __future__ import annotations

from collections import defaultdict
from weakref import ref

from engine.definition import Map
from renderers.hexes.geometry import Grid

Crossings = dict[str, tuple[int, int]]

#: By the map's identity, because maps hold dictionaries and have no hash; a map that is gone is forgotten.
_kept: dict[int, tuple[ref[Map], Crossings]] = {}


def borders(board: Map) -> list[tuple[str, int]]:
    """Hex and edge of each border that is barred, every border once."""
    result = []
    seen: set[frozenset[str]] = set()
    for at, spot in board.hexes.items():
        for edge in sorted(spot.impassable):
            other = board.layout.neighbour(at, edge) or f"{at}/{edge}"
            pair = frozenset((at, other))
            if pair not in seen:
                seen.add(pair)
                result.append((at, edge))
    return result


def rivers(board: Map) -> Crossings:
    """Hexes that a river crosses: the two corners at which barred borders end and nothing goes on."""
    kept = _kept.get(id(board))
    if kept is not None and kept[0]() is board:
        return kept[1]
    found = _crossing(board)
    key = id(board)
    _kept[key] = (ref(board, lambda _: _kept.pop(key, None) and None), found)
    return found


def _crossing(board: Map) -> Crossings:
    grid = Grid.over(board.layout, board.hexes, 60, 0, 0)
    meet: defaultdict[tuple[int, int], int] = defaultdict(int)

    def corner(at: str, offset: tuple[float, float]) -> tuple[int, int]:
        x, y = grid.centre(at)
        return round(x + offset[0]), round(y + offset[1])

    for at, edge in borders(board):
        for end in grid.frame.side(edge):
            meet[corner(at, end)] += 1
    ends = {point for point, count in meet.items() if count == 1}
    result = {}
    for at, spot in board.hexes.items():
        if spot.terrain != "river" or spot.impassable:
            continue
        own = [number for number, c in enumerate(grid.frame.corners()) if corner(at, c) in ends]
        if len(own) == 2:
            result[at] = (own[0], own[1])
    return result
