"""Where water is drawn: along borders that no track may cross, and where the river goes on between them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from weakref import ref

from engine.definition import Map
from renderers.hexes.geometry import Grid

Crossings = dict[str, tuple[int, int]]
Corner = tuple[int, int]


@dataclass(frozen=True)
class Water:
    """Where a map's rivers run besides the borders that are barred."""

    #: Hexes that a river crosses, with the two corners that it joins.
    through: Crossings
    #: Hex and edge of each border along which a river goes on, but which track may cross.
    fords: tuple[tuple[str, int], ...]


#: By the map's identity, because maps hold dictionaries and have no hash; a map that is gone is forgotten.
_kept: dict[int, tuple[ref[Map], Water]] = {}


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


def rivers(board: Map) -> Water:
    """Where barred borders end and the river goes on: through a hex, or along a border that may be crossed."""
    kept = _kept.get(id(board))
    if kept is not None and kept[0]() is board:
        return kept[1]
    found = _water(board)
    key = id(board)
    _kept[key] = (ref(board, lambda _: _kept.pop(key, None) and None), found)
    return found


def _water(board: Map) -> Water:
    grid = Grid.over(board.layout, board.hexes, 60, 0, 0)
    meet: defaultdict[Corner, int] = defaultdict(int)

    def corner(at: str, offset: tuple[float, float]) -> Corner:
        x, y = grid.centre(at)
        return round(x + offset[0]), round(y + offset[1])

    for at, edge in borders(board):
        for end in grid.frame.side(edge):
            meet[corner(at, end)] += 1
    ends = {point for point, count in meet.items() if count == 1}
    through = {}
    fords: dict[frozenset[str | None], tuple[str, int]] = {}
    for at, spot in board.hexes.items():
        if spot.terrain != "river":
            continue
        if not spot.impassable:
            own = [number for number, c in enumerate(grid.frame.corners()) if corner(at, c) in ends]
            if len(own) == 2:
                through[at] = (own[0], own[1])
            continue
        for edge in range(6):
            if board.neighbours[at][edge] is not None and all(corner(at, c) in ends for c in grid.frame.side(edge)):
                fords.setdefault(frozenset((at, board.neighbours[at][edge])), (at, edge))
    return Water(through, tuple(fords.values()))
