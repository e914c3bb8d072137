"""The board: what lies on each hex, which track joins which, who reaches what, and which tile may be laid where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from tests.referees.ruhr.sheet import COLOURS, Drawing, End, Piece, Sheet

#: A stop of a hex by its letter.
Place = tuple[str, str]
#: A side of a hex, seen from inside.
Side = tuple[str, int]
STEPS = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))
MARKER = "marker"
#: So many steps a search for another way takes at most; what it has not found then counts as not reached.
MOST = 4_000


@cache
def beyond(at: str, side: int) -> str:
    """The hex on the other side of a side, on the map or not."""
    rows, columns = STEPS[side]
    return f"{chr(ord(at[0]) + rows)}{int(at[1:]) + columns}"


@cache
def across(side: Side) -> Side:
    """The same side seen from the other hex."""
    return beyond(*side), (side[1] + 3) % 6


@cache
def turned(drawing: Drawing, rotation: int) -> Drawing:
    """A tile turned clockwise by sixths."""

    def turn(end: End) -> End:
        return (end + rotation) % 6 if isinstance(end, int) else end

    pieces = tuple((turn(one), turn(two)) for one, two in drawing.pieces)
    return Drawing(drawing.colour, drawing.stops, pieces, drawing.label, drawing.category, drawing.becomes)


@cache
def sides(drawing: Drawing) -> frozenset[int]:
    """The sides to which track leads."""
    return frozenset(end for piece in drawing.pieces for end in piece if isinstance(end, int))


@dataclass
class Board:
    """Tiles and markers on the map."""

    sheet: Sheet
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: Spaces of the stops of a hex: a company, MARKER or nothing. A home that is only printed shows its company too.
    spaces: dict[str, list[list[str]]] = field(default_factory=dict)
    #: Markers on red hexes, which have no spaces.
    beside: dict[str, list[str]] = field(default_factory=dict)
    supply: dict[str, int] = field(default_factory=dict)
    #: Companies whose markers lie on the map; the home of any other is only printed.
    present: set[str] = field(default_factory=set)
    _drawn: dict[str, Drawing] = field(default_factory=dict)
    _reached: dict[str, tuple[set[Place], set[Side]]] = field(default_factory=dict)

    def set_up(self) -> None:
        """The map as printed, with the homes of the railways (5.1, 10.4)."""
        self.supply = dict(self.sheet.counts)
        for at, drawing in self.sheet.hexes.items():
            if drawing.stops:
                self.spaces[at] = [
                    [stop.home, *[""] * (stop.spaces - 1)] if stop.spaces else [] for stop in drawing.stops
                ]
        for company, at in self.sheet.homes.items():
            if self.drawn(at).stops[0].kind == "offboard":
                self.beside.setdefault(at, []).append(company)
            elif company not in self.spaces[at][0]:
                self.spaces[at][0][0] = company

    def drawn(self, at: str) -> Drawing:
        """What is to be seen on a hex now."""
        if at not in self._drawn:
            name, rotation = self.tiles.get(at, ("", 0))
            self._drawn[at] = turned(self.sheet.tiles[name], rotation) if name else self.sheet.hexes[at]
        return self._drawn[at]

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
        at, letter = place
        stop = self.drawn(at).stops["ab".index(letter)]
        if stop.kind == "offboard":
            return True
        if stop.kind == "town" or stop.open:
            return False
        names = self.spaces[at]["ab".index(letter)]
        lying = [name for name in names if name == MARKER or name in self.present]
        return len(lying) == len(names) and company not in lying

    # ------------------------------------------------------------------ walking

    def ways(self, at: str, end: End) -> Iterator[End]:
        """Where track leads from an end within a hex."""
        for one, two in self.drawn(at).pieces:
            if one == end:
                yield two
            elif two == end:
                yield one

    def walk(self, starts: Iterable[Place], passes: Callable[[Place], bool]) -> tuple[set[Place], set[Side]]:
        """The stops reached on track from others, and the sides by which hexes are entered.

        No piece of track is used twice on one way: where the shortest way would do so, another is looked for.
        """
        starts = list(starts)
        seen: dict[Place | Side, Place | Side | None] = dict.fromkeys(starts)
        todo: list[Place | Side] = list(starts)
        while todo:
            node = todo.pop(0)
            for other in self._next(node, node in starts or self._may(node, passes)):
                if other not in seen:
                    seen[other] = node
                    todo.append(other)
        good = {node for node in seen if self._plain(node, seen)}
        known = {at for at, _ in good}
        for node in seen.keys() - good:
            # Another side of a hex that is reached in any case adds nothing: its track is kept by every upgrade.
            if (isinstance(node[1], str) or node[0] not in known) and self._another(node, starts, passes):
                good.add(node)
        return (
            {node for node in good if isinstance(node[1], str)},
            {node for node in good if isinstance(node[1], int)},
        )

    def _may(self, node: Place | Side, passes: Callable[[Place], bool]) -> bool:
        return isinstance(node[1], int) or passes((node[0], node[1]))

    def _next(self, node: Place | Side, passing: bool) -> Iterator[Place | Side]:
        """From a stop to the hexes around it; from a side by which a hex is entered to its stops and out of it."""
        at, end = node
        if at not in self.sheet.hexes or not passing:
            return
        for way in self.ways(at, end):
            if isinstance(way, str):
                yield at, way
            else:
                yield across((at, way))

    @staticmethod
    def _crossed(node: Place | Side, seen: dict[Place | Side, Place | Side | None]) -> list[frozenset[Side]]:
        used = []
        step: Place | Side | None = node
        while step is not None:
            if isinstance(step[1], int):
                side = (step[0], step[1])
                used.append(frozenset((side, across(side))))
            step = seen[step]
        return used

    def _plain(self, node: Place | Side, seen: dict[Place | Side, Place | Side | None]) -> bool:
        used = self._crossed(node, seen)
        return len(used) == len(set(used))

    def _another(self, goal: Place | Side, starts: list[Place], passes: Callable[[Place], bool]) -> bool:
        """Whether some way to a goal uses no side twice, looked for one by one, as far as that is practical."""
        steps = 0

        def search(node: Place | Side, used: frozenset[frozenset[Side]], first: bool) -> bool:
            nonlocal steps
            steps += 1
            if node == goal:
                return True
            if steps > MOST:
                return False
            for other in self._next(node, first or self._may(node, passes)):
                if isinstance(other[1], int):
                    side = (other[0], other[1])
                    crossed = frozenset((side, across(side)))
                    if crossed in used:
                        continue
                    if search(other, used | {crossed}, False):
                        return True
                elif search(other, used, False):
                    return True
            return False

        return any(search(start, frozenset(), True) for start in starts)

    def reach(self, company: str) -> tuple[set[Place], set[Side]]:
        """What a railway reaches from its markers without passing what blocks it (10.1.1, 10.4)."""
        if company not in self._reached:
            self._reached[company] = self.walk(self.stations(company), lambda place: not self.blocks(place, company))
        return self._reached[company]

    def changed(self) -> None:
        """Something was laid or placed: what was reached must be looked up anew."""
        self._reached.clear()

    def joined(self, one: Place, two: Place) -> bool:
        """Whether unbroken track joins two stops; markers do not matter (R-9)."""
        places, _ = self.walk([one], lambda place: self.drawn(place[0]).stops[0].kind != "offboard")
        return two in places

    # ------------------------------------------------------------------ tiles

    def fits(self, at: str, name: str, rotation: int, corporation: bool) -> str:
        """Why a tile does not fit on a hex; nothing if it does. `corporation`: the marker of one lies here."""
        if at not in self.sheet.hexes or name not in self.sheet.tiles or not 0 <= rotation < 6:
            return "no such hex or tile"
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
        for side in sides(new):
            there = beyond(at, side)
            if there not in self.sheet.hexes:
                return "track off the map [RUHR-10.1.1-i]"
            drawing = self.drawn(there)
            if drawing.colour in ("grey", "red") and (side + 3) % 6 not in sides(drawing):
                return "track into a blank side [RUHR-10.1.1-i]"
        if not self.supply[name]:
            return "none of this tile is left [RUHR-10.2.1-l]"
        return ""

    def _kept(self, old: Drawing, new: Drawing) -> bool:
        def plain(piece: Piece) -> frozenset[End | str]:
            # Both towns of a double town become one stop.
            return frozenset("stop" if isinstance(end, str) else end for end in piece)

        have = {plain(piece) for piece in new.pieces}
        return all(plain(piece) in have for piece in old.pieces)

    def lay(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; what lay there goes back, markers stay in their places."""
        if at in self.tiles:
            self.supply[self.tiles[at][0]] += 1
        self.supply[name] -= 1
        before = self.spaces.get(at, [])
        self.tiles[at] = (name, rotation)
        self._drawn.pop(at, None)
        self.changed()
        stops = self.drawn(at).stops
        if not stops:
            return
        after: list[list[str]] = []
        for number, stop in enumerate(stops):
            names = before[number] if number < len(before) else []
            after.append([*names, *[""] * (stop.spaces - len(names))])
        self.spaces[at] = after
