"""The board: what lies on each hex, which track joins which, who reaches what, and which tile may be laid where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from tests.referees.lra.sheet import COLOURS, Drawing, End, Piece, Sheet

#: A stop of a hex by its letter.
Place = tuple[str, str]
#: A side of a hex, seen from inside.
Side = tuple[str, int]
STEPS = ((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1))
#: A blank token of an unused home; GKB's station.
BLANK, GKB = "blank", "marker"
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
    return replace(drawing, pieces=pieces, ferry=frozenset((side + rotation) % 6 for side in drawing.ferry))


@cache
def sides(drawing: Drawing) -> frozenset[int]:
    """The sides to which track leads."""
    return frozenset(end for piece in drawing.pieces for end in piece if isinstance(end, int))


@cache
def at_stop(drawing: Drawing, letter: str) -> frozenset[int]:
    """The sides that are joined with a stop."""
    return frozenset(end for piece in drawing.pieces if letter in piece for end in piece if isinstance(end, int))


@dataclass
class Board:
    """Tiles and tokens on the map."""

    sheet: Sheet
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: Spaces of the stops of a hex: a company, BLANK, GKB or nothing.
    spaces: dict[str, list[list[str]]] = field(default_factory=dict)
    supply: dict[str, int] = field(default_factory=dict)
    #: Companies that have floated: stations of the others do not block.
    floated: set[str] = field(default_factory=set)
    homes: dict[str, Place] = field(default_factory=dict)
    _drawn: dict[str, Drawing] = field(default_factory=dict)
    _reached: dict[str, tuple[set[Place], set[Side]]] = field(default_factory=dict)

    def set_up(self, homes: dict[str, Place], unused: Iterable[str]) -> None:
        """The map as printed, homes with their tokens, those of unused companies covered (3.1, 3.3)."""
        self.supply = dict(self.sheet.counts)
        self.homes = {name: place for name, place in homes.items() if name not in unused}
        for at, drawing in self.sheet.hexes.items():
            if drawing.stops:
                self.spaces[at] = [[""] * stop.spaces for stop in drawing.stops]
        for name, (at, letter) in homes.items():
            self.spaces[at]["ab".index(letter)][0] = BLANK if name in unused else name

    def drawn(self, at: str) -> Drawing:
        """What is to be seen on a hex now."""
        if at not in self._drawn:
            name, rotation = self.tiles.get(at, ("", 0))
            self._drawn[at] = turned(self.sheet.tiles[name], rotation) if name else self.sheet.hexes[at]
        return self._drawn[at]

    def kind(self, place: Place) -> str:
        return self.drawn(place[0]).stops["ab".index(place[1])].kind

    # ------------------------------------------------------------------ tokens

    def names(self, place: Place) -> list[str]:
        return self.spaces[place[0]]["ab".index(place[1])]

    def stations(self, company: str) -> list[Place]:
        """The stops with a station of a company that has floated."""
        if company not in self.floated:
            return []
        return [
            (at, "ab"[number])
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
                if self.drawn(at).stops[number].harbour and names[-1] == company:
                    return at, "ab"[number]
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
        for node in seen.keys() - good:
            if self._another(node, starts, passes):
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
    def _plain(node: Place | Side, seen: dict[Place | Side, Place | Side | None]) -> bool:
        used = []
        step: Place | Side | None = node
        while step is not None:
            if isinstance(step[1], int):
                side = (step[0], step[1])
                used.append(frozenset((side, across(side))))
            step = seen[step]
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
        """What a company reaches from its stations without passing what blocks it (6.1.2)."""
        if company not in self._reached:
            self._reached[company] = self.walk(self.stations(company), lambda place: not self.blocks(place, company))
        return self._reached[company]

    def changed(self) -> None:
        """Something was laid, placed or floated: what was reached must be looked up anew."""
        self._reached.clear()

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
        if hexagon.label != new.label:
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
            there = beyond(at, side)
            if there not in self.sheet.hexes:
                return "track off the map [RHL-6.2.1-e]"
            if side in hexagon.closed or (side + 3) % 6 in self.sheet.hexes[there].closed:
                return "track against the Rhine [LRA-6.2.1-d]"
            drawing = self.drawn(there)
            if drawing.colour in ("grey", "red") and (side + 3) % 6 not in sides(drawing):
                return "track into a blank side [RHL-6.2.1-e]"
        if not self.supply[name]:
            return "none of this tile is left [RHL-6.2.1.1-e]"
        return ""

    @staticmethod
    def _kept(old: Drawing, new: Drawing) -> bool:
        for one, two in old.pieces:
            if isinstance(one, int) and isinstance(two, int) and not {(one, two), (two, one)} & set(new.pieces):
                return False
        for letter in "ab"[: len(old.stops)]:
            have = at_stop(old, letter)
            if have and not any(have <= at_stop(new, other) for other in "ab"[: len(new.stops)]):
                return False
        return True

    def new_pieces(self, at: str, new: Drawing) -> list[Piece]:
        """The track that a tile adds; which stop it leads to is nothing to this."""

        def plain(piece: Piece) -> frozenset[End]:
            return frozenset("stop" if isinstance(end, str) else end for end in piece)

        old = {plain(piece) for piece in self.drawn(at).pieces}
        return [piece for piece in new.pieces if plain(piece) not in old]

    def lay(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; what lay there goes back, tokens stay with their track."""
        if at in self.tiles:
            self.supply[self.tiles[at][0]] += 1
        self.supply[name] -= 1
        old, before = self.drawn(at), self.spaces.get(at, [])
        self.tiles[at] = (name, rotation)
        self._drawn.pop(at, None)
        self.changed()
        new = self.drawn(at)
        if not new.stops:
            return
        targets = self._targets(old, new)
        after: list[list[str]] = [[] for _ in new.stops]
        harbours: list[str] = [""] * len(new.stops)
        for number, names in enumerate(before):
            tokens = list(names)
            if tokens and old.stops[number].harbour:
                harbours[targets[number]] = tokens.pop()
            after[targets[number]] += [token for token in tokens if token]
        for number, stop in enumerate(new.stops):
            ordinary = stop.spaces - stop.harbour
            after[number] += [""] * (ordinary - len(after[number]))
            if stop.harbour:
                after[number].append(harbours[number])
        self.spaces[at] = after
        # A home without a floated company follows its stop.
        self.homes = {
            company: (at, "ab"[targets["ab".index(letter)]]) if where == at and before else (where, letter)
            for company, (where, letter) in self.homes.items()
        }

    @staticmethod
    def _targets(old: Drawing, new: Drawing) -> list[int]:
        """To which new stop the tokens of each old one go."""
        if new.tokens:
            return ["ab".index(letter) for letter in new.tokens]
        if len(new.stops) == 1:
            return [0] * len(old.stops)
        found: list[int] = []
        for letter in "ab"[: len(old.stops)]:
            have = at_stop(old, letter)
            fits = [n for n in range(len(new.stops)) if have and have <= at_stop(new, "ab"[n])]
            found.append(fits[0] if fits else -1)
        free = [number for number in range(len(new.stops)) if number not in found]
        return [number if number >= 0 else free.pop(0) for number in found]
