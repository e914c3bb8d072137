"""Many hexes to pick from: bands of the map's rows, each with no more than a few lines of short buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.board.hexes import parse
from engine.definition import Map
from renderers.hexes.geometry import Grid

#: Short names of hexes stand side by side on a phone in fours, and four lines of them leave room for the map.
IN_ROW = 4
MOST = 4 * IN_ROW
#: So many are always shown at once.
FEW = 10
#: A part of the map that is higher than this share of the map's width would have to be drawn too small.
_TALLEST = 1.15


@dataclass(frozen=True)
class Band:
    """Rows of the map that lie together, with the numbers of the options that are in them."""

    first: str
    last: str
    numbers: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.first if self.first == self.last else f"{self.first}–{self.last}"


def bands(board: Map, hexes: Sequence[str]) -> tuple[Band, ...]:
    """As few bands as can be, as equal as can be; one if a panel can show all of these hexes at once."""
    if len(hexes) <= FEW:
        return (_band(hexes, range(len(hexes))),)
    order = sorted(range(len(hexes)), key=lambda number: parse(hexes[number]))
    rows = [tuple(found) for _, found in groupby(order, key=lambda number: hexes[number][0])]
    highest = _highest(board)

    def fits(part: Rows) -> bool:
        """Few enough hexes, in a part of the map that is not too tall; one row always fits."""
        between = parse(hexes[part[-1][0]])[0] - parse(hexes[part[0][0]])[0]
        return len(part) == 1 or (sum(map(len, part)) <= MOST and between + 1 <= highest)

    def split(rest: Rows, count: int) -> list[Rows] | None:
        """The rows in so many parts that all fit, the largest of them as small as can be."""
        if count == 1:
            return [rest] if fits(rest) else None
        best: list[Rows] | None = None
        for end in range(1, len(rest) - count + 2):
            if not fits(rest[:end]):
                break
            others = split(rest[end:], count - 1)
            if others is not None and (best is None or _largest([rest[:end], *others]) < _largest(best)):
                best = [rest[:end], *others]
        return best

    found = next(filter(None, (split(rows, count) for count in range(1, len(rows) + 1))))
    return tuple(_band(hexes, [number for row in part for number in row]) for part in found)


Rows = Sequence[tuple[int, ...]]


def _largest(parts: Sequence[Rows]) -> int:
    return max(sum(map(len, part)) for part in parts)


def _highest(board: Map) -> int:
    """How many rows of a map may be shown, with a row of neighbours above and below them."""
    grid = Grid.over(board.layout, board.hexes, 100, 0, 0)
    return int(_TALLEST * grid.size(board.hexes)[0] / grid.steps[1]) - 3


def _band(hexes: Sequence[str], numbers: Sequence[int]) -> Band:
    letters = sorted(hexes[number][0] for number in numbers) or [""]
    return Band(letters[0], letters[-1], tuple(numbers))
