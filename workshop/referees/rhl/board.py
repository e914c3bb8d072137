"""The board of 18Rhl: Metropolises on both banks of the Rhine, the tile of a private, industry locations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from workshop.referees.common.hexes import Place, Side, files, sides
from workshop.referees.lra import board as rhine
from workshop.referees.lra.sheet import Sheet, facts

#: Tile 935, its hex, and the colour in which it is printed.
CONCESSION, OSTERATH, ORANGE = "935", "E8", "orange"
COAL, STEEL = "coal", "steel"


@cache
def sheet() -> Sheet:
    """The data files of the title, read once."""
    return facts(files("rhl", "game", "map", "tiles"))


@dataclass
class Board(rhine.Board):
    """Tiles and tokens on the map."""

    #: Location tokens of the order card.
    tokens: dict[str, list[str]] = field(default_factory=dict)

    # ------------------------------------------------------------------ Metropolises

    def linked(self, at: str) -> bool:
        """Two stops of a hex joined by track: the ferry of a green Metropolis, the branch of tile 935."""
        return any(isinstance(one, str) and isinstance(two, str) for one, two in self.drawn(at).pieces)

    def ferry(self, at: str) -> bool:
        """A green Metropolis: one city on both banks."""
        return bool(self.drawn(at).ferry_value)

    def open(self, place: Place, company: str) -> bool:
        """6.2.3.1, ruling 33: a bank with an own station or with a space that no floated other holds."""
        return not self.blocks(place, company)

    def full(self, place: Place, company: str) -> bool:
        names = self.names(place) if self.kind(place) != "town" else []
        return company not in names and super().full(place, company)

    def city(self, place: Place) -> tuple[str, str]:
        """Which city a stop belongs to: the banks of a yellow Metropolis are two (ruling 32)."""
        at, letter = place
        if self.ferry(at):
            return at, "both"
        if at not in self.tiles:
            for row in self.sheet.raw["hex"]:
                if at in row["at"]:
                    for bank, letters in row.get("banks", {}).items():
                        if letter in letters:
                            return at, bank
        return place

    def sides_from(self, at: str, letter: str) -> Iterator[int]:
        for way in self.ways(at, letter):
            if isinstance(way, int):
                yield way
            else:
                yield from (out for out in self.ways(at, way) if isinstance(out, int))

    def _out(self, side: Side, starts: Collection[Place], passes: Callable[[Place], bool]) -> Iterator[int]:
        at, came = side
        if at not in self.sheet.hexes or not self.linked(at):
            yield from super()._out(side, starts, passes)
            return

        def may(letter: str) -> bool:
            return (at, letter) in starts or passes((at, letter))

        for letter in self.ways(at, came):
            if isinstance(letter, int):
                yield letter
                continue
            other = "b" if letter == "a" else "a"
            if may(letter):
                yield from (out for out in self.ways(at, letter) if isinstance(out, int) and out != came)
            across = may(letter) or may(other) if self.ferry(at) else may(letter) and may(other)
            if across:
                yield from (out for out in self.ways(at, other) if isinstance(out, int))

    def walk(self, starts: Collection[Place], passes: Callable[[Place], bool]) -> tuple[set[Place], set[Side]]:
        places, entered = super().walk(starts, passes)
        for at, letter in list(places):
            if self.linked(at) and (self.ferry(at) or (at, letter) in starts or passes((at, letter))):
                places |= {(at, "a"), (at, "b")}
        return places, entered

    # ------------------------------------------------------------------ tiles

    def fits(self, at: str, name: str, rotation: int) -> str:
        """Tile 935 comes by its private alone and goes upon whatever lies there (4.1.1)."""
        if name == CONCESSION:
            return "only by private no. 2 [RHL-3.2-b]"
        if at in self.sheet.hexes and self.drawn(at).colour == ORANGE:
            return "tile 935 stays"
        return super().fits(at, name, rotation)

    def concession(self, at: str, name: str, rotation: int) -> str:
        """Why the private's tile may not be laid."""
        if at != OSTERATH or name != CONCESSION or rotation not in self.sheet.tiles[name].rotations:
            return "tile 935 on E8 [RHL-4.1.1-e]"
        return "" if self.supply[name] else "laid already [RHL-4.1-d]"

    # ------------------------------------------------------------------ locations

    def locations(self, place: Place) -> list[str]:
        """6.2.4.2: coalmines and steel mills at a stop: of its hex, or of this link of the Eastern Ruhr."""
        at, letter = place
        rows = [row for row in self.sheet.raw["hex"] if at in row["at"]]
        found = list(self.tokens.get(at, ()))
        for row in rows:
            single: dict[str, str] = row.get("stop_icons", {})
            if letter in single:
                found.append(single[letter])
            found += [icon for icon in row.get("icons", ()) if icon in (COAL, STEEL) and not row.get("after")]
        tile: dict[str, Any] = self.sheet.raw["tile"].get(self.tiles.get(at, ("", 0))[0], {})
        return found + [icon for icon in tile.get("icons", ()) if icon in (COAL, STEEL)]

    def eastern_links(self) -> int:
        """6.2.4.3, ruling 35: how many links of the Eastern Ruhr a tile joins."""
        names = {"NE": 0, "E": 1, "SE": 2, "SW": 3, "W": 4, "NW": 5}
        links = self.sheet.raw["eastern_ruhr"]["links"]
        return sum(at in self.tiles and names[side] in sides(self.drawn(at)) for at, side in links)
