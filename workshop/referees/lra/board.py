"""The board: whose tokens lie where, what they block, and which tile may be laid where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from workshop.referees.common.hexes import ON_CORNERS, End, Layout, Piece, Place, at_stop, sides, turned
from workshop.referees.common.net import Net
from workshop.referees.lra.sheet import COLOURS, HARBOUR, Drawing, Sheet

#: A blank token of an unused home; GKB's station.
BLANK, GKB = "blank", "marker"


@dataclass
class Board(Net[Drawing]):
    """Tiles and tokens on the map; a space holds a company, BLANK, GKB or nothing."""

    layout: ClassVar[Layout] = ON_CORNERS
    sheet: Sheet
    #: Companies that have floated: stations of the others do not block.
    floated: set[str] = field(default_factory=set)
    homes: dict[str, Place] = field(default_factory=dict)

    def set_up(self, homes: dict[str, Place], unused: Iterable[str]) -> None:
        """The map as printed, homes with their tokens, those of unused companies covered (3.1, 3.3)."""
        self.supply = dict(self.sheet.counts)
        self.homes = {name: place for name, place in homes.items() if name not in unused}
        for at, drawing in self.sheet.hexes.items():
            if drawing.stops:
                self.spaces[at] = [[""] * stop.spaces for stop in drawing.stops]
        for name, (at, letter) in homes.items():
            self.spaces[at]["abc".index(letter)][0] = BLANK if name in unused else name

    # ------------------------------------------------------------------ tokens

    def stations(self, company: str) -> list[Place]:
        """The stops with a station of a company that has floated."""
        if company not in self.floated:
            return []
        return [
            (at, "abc"[number])
            for at, stops in self.spaces.items()
            for number, names in enumerate(stops)
            if company in names
        ]

    def on_hex(self, company: str, at: str) -> bool:
        return any(company in names for names in self.spaces.get(at, ()))

    def harbour(self, company: str) -> Place | None:
        """Where its harbour token lies with the harbour side up."""
        for at, stops in self.spaces.items():
            for number, names in enumerate(stops):
                if HARBOUR in self.drawn(at).stops[number].words and names[-1] == company:
                    return at, "abc"[number]
        return None

    def full(self, place: Place, company: str) -> bool:
        """6.1.2, 6.2.2: all spaces hold stations of other floated companies; blank tokens block nobody (ruling 71)."""
        if self.kind(place) == "town":
            return False
        names = self.names(place)
        others = [name for name in names if name == GKB or (name in self.floated and name != company)]
        return bool(names) and len(others) == len(names)

    def blocks(self, place: Place, company: str) -> bool:
        """Whether a company's way ends at a stop: a red field or a city full of others."""
        return self.kind(place) == "offboard" or self.full(place, company)

    def barred(self, place: Place, company: str) -> bool:
        """6.2.2: a station on a red field bars all other companies."""
        return self.kind(place) == "offboard" and any(
            name in self.floated and name != company for name in self.names(place)
        )

    def joined(self, start: Place, goals: Iterable[str]) -> bool:
        """Whether unbroken track joins a stop with one of some hexes; stations do not matter (rulings 36, 83)."""
        places, _ = self.walk([start], lambda place: self.kind(place) != "offboard")
        return any(at in set(goals) for at, _ in places)

    # ------------------------------------------------------------------ tiles

    def fits(self, at: str, name: str, rotation: int) -> str:
        """Why a tile does not fit on a hex; nothing if it does."""
        if at not in self.sheet.hexes or name not in self.sheet.tiles or not 0 <= rotation < 6:
            return "no such hex or tile"
        printed, hexagon = self.sheet.tiles[name], self.sheet.hexes[at]
        old, new = self.drawn(at), turned(printed, rotation)
        if old.colour in ("grey", "red"):
            return "grey and red hexes are not built on [RHL-2.1.1-a]"
        before = -1 if old.colour == "plain" else COLOURS.index(old.colour)
        if COLOURS.index(new.colour) != before + 1:
            return "colours follow each other [RHL-6.2.1-j]"
        if (printed.hexes and at not in printed.hexes) or (printed.rotations and rotation not in printed.rotations):
            return "a tile for one hex [LRA-6.2.1.3-a]"
        if hexagon.label not in new.label.split("/"):
            return "codes of tile and hex belong together [LRA-6.2.1-c]"
        if not new.label:
            double = len(hexagon.stops) == 2
            if before < 0:
                if [stop.kind for stop in hexagon.stops] != [stop.kind for stop in new.stops]:
                    return "another kind of hex [RHL-6.2.1-d]"
            elif (new.category == "two towns") != double:
                return "two towns become a tile of their kind [ruling 49]"
            elif not double and [stop.kind for stop in old.stops] != [stop.kind for stop in new.stops]:
                return "another kind of hex [RHL-6.2.1-d]"
        if not self._kept(old, new):
            return "existing track is kept [RHL-6.2.1.1-d]"
        if hexagon.stubs - sides(new):
            return "the printed stub must be joined [LRA-6.2.1-e]"
        for side in sides(new):
            there, back = self.layout.across((at, side))
            if there not in self.sheet.hexes:
                return "track off the map [RHL-6.2.1-e]"
            if side in hexagon.closed or back in self.sheet.hexes[there].closed:
                return "track against the Rhine [LRA-6.2.1-d]"
            drawing = self.sheet.hexes[there]
            if drawing.colour in ("grey", "red") and back not in sides(drawing):
                return "track into a blank side [RHL-6.2.1-e]"
        if not self.supply[name]:
            return "none of this tile is left [RHL-6.2.1.1-e]"
        return ""

    @staticmethod
    def _kept(old: Drawing, new: Drawing) -> bool:
        for one, two in old.pieces:
            if isinstance(one, int) and isinstance(two, int) and not {(one, two), (two, one)} & set(new.pieces):
                return False
        homes = [
            {other for other in "abc"[: len(new.stops)] if at_stop(old, letter) <= at_stop(new, other)}
            for letter in "abc"[: len(old.stops)]
            if at_stop(old, letter)
        ]
        if not all(homes):
            return False
        # As many stops as before: no two become one, unless the tile itself says where their tokens go (ruling 72).
        fewer = bool(new.tokens) or len(new.stops) < len(old.stops)
        return fewer or len(homes) < 2 or len(set.union(*homes)) >= len(homes)

    def new_pieces(self, at: str, new: Drawing) -> list[Piece]:
        """The track that a tile adds; which stop it leads to is nothing to this."""

        def plain(piece: Piece) -> frozenset[End]:
            return frozenset("stop" if isinstance(end, str) else end for end in piece)

        old = {plain(piece) for piece in self.drawn(at).pieces}
        return [piece for piece in new.pieces if plain(piece) not in old]

    def lay(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; what lay there goes back, tokens stay with their track."""
        old, before = self.drawn(at), self.spaces.get(at, [])
        self.put(at, name, rotation)
        new = self.drawn(at)
        if not new.stops:
            return
        targets = self._targets(old, new)
        after: list[list[str]] = [[] for _ in new.stops]
        harbours: list[str] = [""] * len(new.stops)
        for number, names in enumerate(before):
            tokens = list(names)
            if tokens and HARBOUR in old.stops[number].words:
                harbours[targets[number]] = tokens.pop()
            after[targets[number]] += [token for token in tokens if token]
        for number, stop in enumerate(new.stops):
            harbour = HARBOUR in stop.words
            ordinary = stop.spaces - harbour
            after[number] += [""] * (ordinary - len(after[number]))
            if harbour:
                after[number].append(harbours[number])
        self.spaces[at] = after
        # A home without a floated company follows its stop.
        self.homes = {
            company: (at, "abc"[targets["abc".index(letter)]]) if where == at and before else (where, letter)
            for company, (where, letter) in self.homes.items()
        }

    @staticmethod
    def _targets(old: Drawing, new: Drawing) -> list[int]:
        """To which new stop the tokens of each old one go."""
        if new.tokens:
            return ["abc".index(letter) for letter in new.tokens]
        if len(new.stops) == 1:
            return [0] * len(old.stops)
        found: list[int] = []
        for letter in "abc"[: len(old.stops)]:
            have = at_stop(old, letter)
            fits = [n for n in range(len(new.stops)) if have and have <= at_stop(new, "abc"[n])]
            found.append(fits[0] if fits else -1)
        free = [number for number in range(len(new.stops)) if number not in found]
        return [number if number >= 0 else free.pop(0) for number in found]
