"""The board: whose tokens lie where, what they block, and which tile may be laid where (8.3, 8.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from workshop.referees.bl.sheet import Drawing, Sheet
from workshop.referees.common.hexes import COLOURS, ON_SIDES, Layout, Place, Side, at_stop, sides, turned
from workshop.referees.common.net import Net

#: The gorge of the Wupper with its bridge.
GORGE, BRIDGE = "I5", "1961"


@dataclass
class Board(Net[Drawing]):
    """Tiles and tokens on the map; the token of a company that has not acted yet keeps its place and blocks nobody."""

    layout: ClassVar[Layout] = ON_SIDES
    sheet: Sheet
    #: Companies whose home token was placed: they have acted.
    placed: set[str] = field(default_factory=set)
    #: Companies with an access token of their own.
    access: list[str] = field(default_factory=list)

    def set_up(self) -> None:
        """The map as printed, with the home tokens upside down."""
        self.supply = dict(self.sheet.counts)
        for at, drawing in self.sheet.hexes.items():
            if drawing.stops:
                self.spaces[at] = [[""] * stop.spaces for stop in drawing.stops]
        for row in self.sheet.raw["corporation"]:
            at, letter = row["home"][0].split(":")
            self.spaces[at]["abc".index(letter)][0] = row["id"]

    # ------------------------------------------------------------------ tokens

    def stations(self, company: str) -> list[Place]:
        """The stops with a token of a company that has acted."""
        if company not in self.placed:
            return []
        return [
            (at, "abc"[number])
            for at, stops in self.spaces.items()
            for number, names in enumerate(stops)
            if company in names
        ]

    def on_hex(self, company: str, at: str) -> bool:
        return any(company in names for names in self.spaces.get(at, ()))

    def remove(self, company: str) -> None:
        """7.5: all tokens of a company leave the map."""
        for stops in self.spaces.values():
            for names in stops:
                names[:] = ["" if name == company else name for name in names]
        self.placed.discard(company)
        self.changed()

    def shut(self, place: Place, company: str) -> bool:
        """P12 without an access token (8.5.3, R54)."""
        return place[0] == self.sheet.raw["access"]["hex"] and company not in self.access

    def blocks(self, place: Place, company: str) -> bool:
        """8.3.1, 8.5.1: red fields, P12 without access, and cities whose places all hold tokens of others."""
        if self.kind(place) == "offboard" or self.shut(place, company):
            return True
        names = self.names(place)
        return bool(names) and all(name in self.placed and name != company for name in names)

    def _out(self, side: Side, starts: Collection[Place], passes: Callable[[Place], bool]) -> Iterator[int]:
        # A token on a red field begins a way, but no way leads through it (8.5.3, R18).
        return super()._out(side, (), passes)

    # ------------------------------------------------------------------ tiles

    def letter(self, at: str, colour: str) -> str:
        """8.3.1, 8.3.3: the letter that a tile of a colour must have on a hex."""
        hexagon = self.sheet.hexes[at]
        shade = "yellow" if colour == "orange" else colour
        return hexagon.label if COLOURS.index(shade) >= COLOURS.index(hexagon.letter_from) else ""

    def fits(self, at: str, name: str, rotation: int) -> str:
        """Why a tile does not fit on a hex; nothing if it does."""
        if at not in self.sheet.hexes or name not in self.sheet.tiles or not 0 <= rotation < 6:
            return "no such hex or tile"
        printed, hexagon = self.sheet.tiles[name], self.sheet.hexes[at]
        old, new = self.drawn(at), turned(printed, rotation)
        if hexagon.colour in ("grey", "red"):
            return "nothing on red and grey fields [BL-8.3.1-a]"
        if (at == GORGE) != (name == BRIDGE):
            return "tile 1961 on I5 and nowhere else [BL-8.3.2-a]"
        if old.colour == "orange" or new.level != old.level + 1:
            return "colours follow each other [BL-8.3.3-a]"
        if new.label != self.letter(at, new.colour):
            return "letters of tile and field belong together [BL-8.3.1-h]"
        if printed.hexes and at not in printed.hexes:
            return "a tile for other fields [BL-8.3.3-l]"
        if not self._kind_kept(hexagon, old, new):
            return "another kind of field [BL-8.3.1-e]"
        if not self._track_kept(old, new):
            return "all tracks stay [BL-8.3.3-e]"
        if hexagon.stubs - sides(new):
            return "joins the printed tracks [BL-8.3.2-b]"
        for side in sides(new):
            there, back = self.layout.across((at, side))
            if there not in self.sheet.hexes:
                return "track off the grid [BL-8.3.1-k]"
            beyond = self.sheet.hexes[there]
            if side in hexagon.closed or back in beyond.closed:
                return "track against a brown bar [BL-8.3.1-m]"
            if beyond.colour == "red" and back not in sides(beyond):
                return "track into a blank side [BL-8.3.1-j]"
        if not self.supply[name]:
            return "none of this tile is left [BL-8.3.3-h]"
        return ""

    @staticmethod
    def _kind_kept(hexagon: Drawing, old: Drawing, new: Drawing) -> bool:
        """8.3.1, 8.3.3, R27: yellow tiles show what the field shows; later plain, town and city stay what they are."""
        if old.level < 0:
            return [stop.kind for stop in hexagon.stops] == [stop.kind for stop in new.stops]
        return {stop.kind for stop in old.stops} == {stop.kind for stop in new.stops}

    @staticmethod
    def _track_kept(old: Drawing, new: Drawing) -> bool:
        for one, two in old.pieces:
            if isinstance(one, int) and isinstance(two, int) and not {(one, two), (two, one)} & set(new.pieces):
                return False
        homes = [
            {number for number in range(len(new.stops)) if at_stop(old, letter) <= at_stop(new, "abc"[number])}
            for letter in "abc"[: len(old.stops)]
            if at_stop(old, letter)
        ]
        if not all(homes):
            return False
        # Two cities stay two unless the tile has but one.
        return len(new.stops) < len(old.stops) or len(homes) < 2 or len(set.union(*homes)) >= len(homes)

    def lay(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; tokens stay with their track."""
        old, before = self.drawn(at), self.spaces.get(at, [])
        self.put(at, name, rotation)
        new = self.drawn(at)
        if not new.stops:
            return
        after: list[list[str]] = [[] for _ in new.stops]
        for number, names in enumerate(before):
            have = at_stop(old, "abc"[number])
            fits = [other for other in range(len(new.stops)) if have <= at_stop(new, "abc"[other])]
            target = fits[0] if have else number if len(new.stops) > number else 0
            after[target] += [name for name in names if name]
        for number, stop in enumerate(new.stops):
            after[number] += [""] * (stop.spaces - len(after[number]))
        self.spaces[at] = after
