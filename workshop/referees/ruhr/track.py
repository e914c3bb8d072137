"""The board: whose markers lie where, what they block, and which tile may be laid where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from workshop.referees.common.hexes import ON_SIDES, End, Layout, Piece, Place, sides, turned
from workshop.referees.common.net import Net
from workshop.referees.ruhr.sheet import COLOURS, Drawing, Sheet, home

MARKER = "marker"


@dataclass
class Board(Net[Drawing]):
    """Tiles and markers on the map. A home that is only printed shows its company too."""

    layout: ClassVar[Layout] = ON_SIDES
    sheet: Sheet
    #: Markers on red hexes, which have no spaces.
    beside: dict[str, list[str]] = field(default_factory=dict)
    #: Companies whose markers lie on the map; the home of any other is only printed.
    present: set[str] = field(default_factory=set)
    _fits: dict[tuple[Drawing, str, str, int, bool], str] = field(default_factory=dict)

    def set_up(self) -> None:
        """The map as printed, with the homes of the railways (5.1, 10.4)."""
        self.supply = dict(self.sheet.counts)
        for at, drawing in self.sheet.hexes.items():
            if drawing.stops:
                self.spaces[at] = [
                    [home(stop), *[""] * (stop.spaces - 1)] if stop.spaces else [] for stop in drawing.stops
                ]
        for company, at in self.sheet.homes.items():
            if self.kind((at, "a")) == "offboard":
                self.beside.setdefault(at, []).append(company)
            elif company not in self.spaces[at][0]:
                self.spaces[at][0][0] = company

    # ------------------------------------------------------------------ markers

    def stations(self, company: str) -> list[Place]:
        """The stops with a marker of a company that lies there."""
        if company not in self.present:
            return []
        found = [(at, "a") for at, names in self.beside.items() if company in names]
        for at, stops in self.spaces.items():
            found += [(at, "ab"[number]) for number, names in enumerate(stops) if company in names]
        return found

    def blocks(self, place: Place, company: str) -> bool:
        """Whether a company's trains may not pass a stop (10.4, 10.5): red, or full of others' markers."""
        stop = self.stop(place)
        if stop.kind == "offboard":
            return True
        if stop.kind == "town" or "open" in stop.words:
            return False
        names = self.names(place)
        lying = [name for name in names if name == MARKER or name in self.present]
        return len(lying) == len(names) and company not in lying

    def joined(self, one: Place, two: Place) -> bool:
        """Whether unbroken track joins two stops; markers do not matter (R-9)."""
        places, _ = self.walk([one], lambda place: self.kind(place) != "offboard")
        return two in places

    # ------------------------------------------------------------------ tiles

    def fits(self, at: str, name: str, rotation: int, corporation: bool) -> str:
        """Why a tile does not fit on a hex; nothing if it does. `corporation`: the marker of one lies here."""
        if at not in self.sheet.hexes or name not in self.sheet.tiles or not 0 <= rotation < 6:
            return "no such hex or tile"
        key = (self.drawn(at), at, name, rotation, corporation)
        if key not in self._fits:
            self._fits[key] = self._misfit(at, name, rotation, corporation)
        if self._fits[key]:
            return self._fits[key]
        for side in sides(turned(self.sheet.tiles[name], rotation)):
            there, back = self.layout.across((at, side))
            drawing = self.drawn(there)
            if drawing.colour in ("grey", "red") and back not in sides(drawing):
                return "track into a blank side [RUHR-10.1.1-i]"
        if not self.supply[name]:
            return "none of this tile is left [RUHR-10.2.1-l]"
        return ""

    def _misfit(self, at: str, name: str, rotation: int, corporation: bool) -> str:
        """Why a tile does not fit on a hex, but for what lies around it and is left."""
        old, new = self.drawn(at), turned(self.sheet.tiles[name], rotation)
        printed = self.sheet.tiles[name]
        if old.colour in ("grey", "red"):
            return "grey and red hexes are not built on [RUHR-10.1.1-a]"
        before = -1 if old.colour == "plain" else COLOURS.index(old.colour)
        if COLOURS.index(new.colour) != before + 1:
            return "colours follow each other [RUHR-10.1.1-d]"
        if (printed.hexes and at not in printed.hexes) or (printed.rotations and rotation not in printed.rotations):
            return "a tile for one hex [RUHR-10.2.2-b]"
        if self.sheet.hexes[at].label != new.label:
            return "tiles and hexes with letters or the Montan logo belong together [RUHR-10.1.3-d]"
        kinds = [stop.kind for stop in old.stops]
        if name in self.sheet.raw["special"]["needs_corporation"]:
            # 10.2.2: the only town that becomes a city
            if not corporation:
                return "only where a MONTAN corporation's marker lies [RUHR-10.2.2-e]"
        elif old.becomes:
            if new.category != old.becomes:
                return "a double town becomes a tile of its kind [R-81]"
        elif new.category or kinds != [stop.kind for stop in new.stops]:
            return "towns stay towns, cities cities, plain track plain [RUHR-10.2.1-h]"
        if not self._kept(old, new):
            return "existing track is kept [RUHR-10.2.1-g]"
        if any(self.layout.beyond(at, side) not in self.sheet.hexes for side in sides(new)):
            return "track off the map [RUHR-10.1.1-i]"
        return ""

    def _kept(self, old: Drawing, new: Drawing) -> bool:
        def plain(piece: Piece) -> frozenset[End | str]:
            # Both towns of a double town become one stop.
            return frozenset("stop" if isinstance(end, str) else end for end in piece)

        have = {plain(piece) for piece in new.pieces}
        return all(plain(piece) in have for piece in old.pieces)

    def lay(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; what lay there goes back, markers stay in their places."""
        before = self.spaces.get(at, [])
        self.put(at, name, rotation)
        stops = self.drawn(at).stops
        if not stops:
            return
        after: list[list[str]] = []
        for number, stop in enumerate(stops):
            names = before[number] if number < len(before) else []
            after.append([*names, *[""] * (stop.spaces - len(names))])
        self.spaces[at] = after
