"""Many hexes to pick from: regions of the map, each with a few named buttons under a picture that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.definition import Map
from renderers.hexes.regions import MOST, nearest_name, regions

#: Short labels stand side by side on a phone in fours.
IN_ROW = 4
__all__ = ["IN_ROW", "MOST", "Band", "bands", "numbering"]


@dataclass(frozen=True)
class Band:
    """Hexes that lie together, by the numbers of their options, with the name of their region."""

    name: str
    numbers: tuple[int, ...]


def bands(board: Map, hexes: Sequence[str]) -> tuple[Band, ...]:
    """As few regions as can be; one if a picture can show all of these hexes at once."""
    if not hexes:
        return (Band("", ()),)
    index: dict[str, list[int]] = {}
    for number, at in enumerate(hexes):
        index.setdefault(at, []).append(number)
    found = regions(board, hexes)
    names = [nearest_name(board, part) for part in found]
    twice = Counter(names)
    return tuple(
        Band(name if twice[name] == 1 else f"{name} ({part[0]})", tuple(number for at in part for number in index[at]))
        for name, part in zip(names, found, strict=True)
    )


def numbering(board: Map, hexes: Sequence[str]) -> dict[str, int]:
    """The number of each hex on picture and button: through the regions, in each row by row."""
    order = dict.fromkeys(hexes[number] for band in bands(board, hexes) for number in band.numbers)
    return {at: number for number, at in enumerate(order, start=1)}
