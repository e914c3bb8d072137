"""18DO's board as its referees read it: hexes, tiles, stations, links, what is open to a railway, and routes.

Clauses are those of the ledger of 18DO. Facts come from the title's data files, rules from the rulebook alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

SHEETS = Path(__file__).parents[3] / "titles" / "do"
#: The sides of a hex clockwise from the north east, and the way to the hex beyond them.
SIDES = ("NE", "E", "SE", "SW", "W", "NW")
BEYOND = ((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1))
COLOURS = ("plain", "yellow", "green", "brown", "grey")
#: What keeps a place of Dortmund City for private brewery No. 2: no station token (R-112).
RESERVED = "blank"


class TooMuch(Exception):
    """A search would take too long to be sure."""


@cache
def sheet(name: str) -> dict[str, Any]:
    """A data file of the title."""
    return tomllib.loads((SHEETS / f"{name}.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Face:
    """What a hex shows: printed, or a tile in its rotation."""

    colour: str
    label: str = ""
    #: What the stop is ("city", "town", "offboard"; nothing on plain hexes), what it is worth, its station places.
    kind: str = ""
    values: tuple[tuple[str, int], ...] = ()
    places: int = 0
    home: str = ""
    #: The DHB home never blocks (DO-3.2.2.3-c).
    never_full: bool = False
    #: Sides joined to the stop, and pairs of sides joined to each other.
    spokes: frozenset[int] = frozenset()
    rails: frozenset[frozenset[int]] = frozenset()

    @cached_property
    def sides(self) -> frozenset[int]:
        """All sides that track runs to."""
        return self.spokes.union(*self.rails)

    @property
    def red(self) -> bool:
        return self.kind == "offboard"

    def worth(self, colour: str) -> int:
        """The printed value in a colour phase: the lower one in yellow and green (DO-4.5.6.1-b)."""
        value = 0
        for since, amount in self.values:
            if COLOURS.index(since) <= COLOURS.index(colour):
                value = amount
        return value

    def turned(self, rotation: int) -> Face:
        """The face turned so many sixths clockwise."""
        spokes = frozenset((side + rotation) % 6 for side in self.spokes)
        rails = frozenset(frozenset((side + rotation) % 6 for side in rail) for rail in self.rails)
        return Face(
            self.colour, self.label, self.kind, self.values, self.places, self.home, self.never_full, spokes, rails
        )

    def keeps(self, old: Face) -> bool:
        """Whether all former tracks still exist (DO-3.2.2.1-e)."""
        return old.spokes <= self.spokes and old.rails <= self.rails


def _side(word: str) -> int:
    return SIDES.index(word) if word in SIDES else int(word)


def _face(data: Mapping[str, Any]) -> Face:
    kind, values, places, home, never_full = "", [], 0, "", False
    for stop in data.get("stops", ()):
        kind, *words = stop.split()
        for word in words:
            if word.isdigit():
                values.append(("plain", int(word)))
            elif ":" in word:
                since, amount = word.split(":")
                values.append((since, int(amount)))
            elif word[0] == "x" and word[1:].isdigit():
                places = int(word[1:])
            elif word == "open":
                never_full = True
            else:
                home = word
    spokes, rails = set(), set()
    for track in data.get("track", ()):
        one, other = track.split("-")
        if other == "a":
            spokes.add(_side(one))
        else:
            rails.add(frozenset((_side(one), _side(other))))
    label = data.get("label", "")
    return Face(
        data["color"], label, kind, tuple(values), places, home, never_full, frozenset(spokes), frozenset(rails)
    )


@dataclass(frozen=True)
class Box:
    """What a form of play uses of the box with so many players."""

    printed: Mapping[str, Face]
    costs: Mapping[str, int]
    #: Two hexes that are one destination (R-16).
    groups: Mapping[str, str]
    tiles: Mapping[str, Face]
    counts: Mapping[str, int]
    railways: Mapping[str, Mapping[str, Any]]

    @cached_property
    def turned(self) -> dict[tuple[str, int], Face]:
        """Every tile in its six rotations."""
        return {(name, rotation): face.turned(rotation) for name, face in self.tiles.items() for rotation in range(6)}


@cache
def box(form: str, players: int) -> Box:
    """The box after the changes that the rulebook names for a form (DO-4.1-b, DO-5.1.1-a, DO-8.3.1-a)."""
    printed, costs, groups = {}, {}, {}
    for row in sheet("map")["hex"]:
        for at in row["at"]:
            printed[at] = _face(row)
            if "cost" in row:
                costs[at] = int(row["cost"])
            if "group" in row:
                groups[at] = str(row["group"])
    over = {at: row for row in sheet("overlays")["hex"] for at in row["at"]}
    tiles = {name: _face(row) for name, row in sheet("tiles")["tile"].items()}
    counts = {name: int(row["count"]) for name, row in sheet("tiles")["tile"].items()}
    railways = {row["id"]: row for row in sheet("game")["corporation"]}
    for change in sheet("game")["change"]:
        if form not in change["forms"] or players not in change.get("players", [players]):
            continue
        for at in change.get("put", ()):
            printed[at] = _face(over[at])
        for name in change.get("tiles_out", ()):
            tiles.pop(name, None)
            counts.pop(name, None)
        for at in change.get("hexes_out", ()):
            printed.pop(at, None)
        for name in change.get("companies_out", ()):
            railways.pop(name, None)
        for name, homes in change.get("homes", {}).items():
            railways[name] = {**railways[name], "home": [f"{at}:a" for at in homes]}
    return Box(printed, costs, groups, tiles, counts, railways)


@cache
def beyond(at: str, side: int) -> str:
    """The name of the place beyond a side, on the map or not."""
    down, right = BEYOND[side]
    return f"{chr(ord(at[0]) + down)}{int(at[1:]) + right}"


#: A way into a hex: the hex and the side by which it is entered.
Way = tuple[str, int]


@dataclass
class Board:
    """The map in a position. `face_up` are the railways whose home token counts (DO-4.1-a)."""

    box: Box
    lying: dict[str, tuple[str, int]] = field(default_factory=dict)
    supply: dict[str, int] = field(default_factory=dict)
    #: Station places of each hex with a stop; homes on red fields lie beside.
    places: dict[str, list[str]] = field(default_factory=dict)
    beside: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    face_up: set[str] = field(default_factory=set)
    _known: dict[object, Any] = field(default_factory=dict)
    _stands: object = None

    def __post_init__(self) -> None:
        self.supply = dict(self.box.counts)
        for at, face in self.box.printed.items():
            if face.kind:
                self.places[at] = [""] * face.places
        for name, row in self.box.railways.items():
            for home in row["home"]:
                at = home.partition(":")[0]
                if self.box.printed[at].red:
                    self.beside.setdefault(at, []).append(name)
                else:
                    self.places[at][-1] = name

    # ------------------------------------------------------------------ what lies there

    def face(self, at: str) -> Face:
        """What a hex shows now."""
        if at in self.lying:
            return self.box.turned[self.lying[at]]
        return self.box.printed[at]

    def has_token(self, railway: str, at: str) -> bool:
        """Whether a station token of a railway counts in a hex: a home token only when it is face up (R-111)."""
        if railway in self.beside.get(at, ()):
            return railway in self.face_up
        if railway not in self.places.get(at, ()):
            return False
        return self.box.printed[at].home != railway or railway in self.face_up

    def tokens(self, railway: str) -> list[str]:
        """The hexes with a token of a railway."""
        return [at for at in {**self.places, **self.beside} if self.has_token(railway, at)]

    def full(self, at: str, railway: str) -> bool:
        """All station places are taken by tokens of others (DO-3.2.2-d); none at all is not full (R-10)."""
        face = self.face(at)
        if face.never_full or face.red or not face.places or self.has_token(railway, at):
            return False
        return all(owner not in ("", RESERVED) and self.has_token(owner, at) for owner in self.places[at])

    def free(self, at: str, reserved_too: bool = False) -> int | None:
        """The first place that a station may be built on; the printed home is kept for good (DO-4.5.3-e)."""
        for number, owner in enumerate(self.places.get(at, ())):
            if owner == "" or (reserved_too and owner == RESERVED):
                return number
        return None

    # ------------------------------------------------------------------ what is open to a railway

    def onward(self, way: Way, railway: str) -> Iterator[Way]:
        """Where track leads on after a hex was entered: no sharp turn, not through full hexes or red fields."""
        at, side = way
        face = self.face(at)
        out: set[int] = set()
        for rail in face.rails:
            if side in rail:
                out |= rail - {side}
        if side in face.spokes and not face.red and not self.full(at, railway):
            out |= face.spokes - {side}
        yield from self._across(at, out)

    def _across(self, at: str, sides: Iterable[int]) -> list[Way]:
        ways = ((beyond(at, side), (side + 3) % 6) for side in sorted(sides))
        return [way for way in ways if way[0] in self.box.printed]

    def _starts(self, railway: str) -> Iterator[tuple[str, Way]]:
        for home in self.tokens(railway):
            for way in self._across(home, self.face(home).spokes):
                yield home, way

    def known(self, key: object, make: Callable[[], T]) -> T:
        """What was found for the board as it lies; it is found anew when a tile or a token has come or gone."""
        stands = (tuple(self.lying.items()), tuple(map(tuple, self.places.values())), tuple(sorted(self.face_up)))
        if self._stands != stands:
            self._stands, self._known = stands, {}
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    def ways(self, railway: str) -> tuple[set[Way], set[Way]]:
        """All ways into hexes from own tokens (R-130): those surely without a hex twice, and those that may be."""
        return self.known(railway, lambda: self._ways(railway))

    def _ways(self, railway: str) -> tuple[set[Way], set[Way]]:
        sure: dict[Way, frozenset[str]] = {}
        queue = []
        for home, way in self._starts(railway):
            sure.setdefault(way, frozenset((home, way[0])))
            queue.append(way)
        for way in queue:
            for then in self.onward(way, railway):
                if then not in sure and then[0] not in sure[way]:
                    sure[then] = sure[way] | {then[0]}
                    queue.append(then)
        maybe = {way for _, way in self._starts(railway)}
        more = list(maybe)
        for way in more:
            for then in self.onward(way, railway):
                if then not in maybe:
                    maybe.add(then)
                    more.append(then)
        return set(sure), maybe - set(sure)

    def enters(self, railway: str, at: str, sides: Collection[int]) -> bool:
        """Whether track from an own token leads into a hex by one of these sides."""
        sure, maybe = self.ways(railway)
        if any((at, side) in sure for side in sides):
            return True
        goals = {(at, side) for side in sides} & maybe
        return bool(goals) and self._search(railway, goals)

    def _search(self, railway: str, goals: set[Way]) -> bool:
        """Every way without a hex twice, until one of the goals is met.

        What can still be come to from a way says all about it: where that is the same again, so is the answer.
        """
        stack = [(way, frozenset((home,))) for home, way in self._starts(railway)]
        tried: set[tuple[Way, frozenset[Way]]] = set()
        while stack:
            way, passed = stack.pop()
            if way[0] in passed:
                continue
            if way in goals:
                return True
            then = passed | {way[0]}
            ahead = self._ahead(railway, way, then)
            if goals.isdisjoint(ahead) or (way, ahead) in tried:
                continue
            tried.add((way, ahead))
            if len(tried) > 20_000:
                raise TooMuch
            stack += [(further, then) for further in self.onward(way, railway)]
        return False

    def _ahead(self, railway: str, way: Way, passed: frozenset[str]) -> frozenset[Way]:
        """The ways that can be come to over hexes that were not passed, whatever comes twice among them."""
        seen, queue = {way}, [way]
        for here in queue:
            for then in self.onward(here, railway):
                if then not in seen and then[0] not in passed:
                    seen.add(then)
                    queue.append(then)
        return frozenset(seen)

    def reaches(self, railway: str, at: str) -> bool:
        """Whether a route leads to track on a hex (DO-4.5.3-a, DO-4.5.4.1-a), or its own token lies there."""
        return self.has_token(railway, at) or self.enters(railway, at, self.face(at).sides)

    # ------------------------------------------------------------------ tiles

    def unfit(self, at: str, tile: str, rotation: int, colour: str) -> str:
        """Why a tile may not lie there in a colour phase, whoever lays it; nothing if it may."""
        if at not in self.box.printed or tile not in self.box.tiles or not 0 <= rotation < 6:
            return "no such hex, tile or rotation"
        old, new = self.face(at), self.box.turned[tile, rotation]
        if old.red or self.box.printed[at].colour == "grey":
            return "DO-2.1.1-a: no tile on a grey or red hex"
        if COLOURS.index(new.colour) != COLOURS.index(old.colour) + 1:
            return "DO-2.5-a: yellow, green, brown, grey, each on the one before"
        if COLOURS.index(new.colour) > COLOURS.index(colour):
            return "DO-4.2.1-b: the colour is not yet available"
        if new.label != self.box.printed[at].label:
            return "DO-3.2.2.1-a, -f, -h, -j: symbol and border of the hex"
        if old.colour != "plain" and new.label and new.label != "Hafen" and not self.links.get(at):
            return "DO-3.2.2.1-g, -h: no link"
        if not new.keeps(old):
            return "DO-3.2.2.1-e: former tracks are lost"
        if not self.supply.get(tile):
            return "DO-3.2.2.1-k: none left"
        for side in new.sides:
            there = beyond(at, side)
            other = self.box.printed.get(there)
            if other is None:
                return "DO-3.2.2-i: runs off the grid"
            if other.colour in ("grey", "red") and (side + 3) % 6 not in other.sides:
                return "DO-3.2.2-i: runs against a blank side"
        return ""

    def lengthens(self, railway: str, at: str, tile: str, rotation: int) -> bool:
        """Whether a track of the new tile lies on a route open to the railway (DO-3.2.2-h, R-43)."""
        return self.has_token(railway, at) or self.enters(railway, at, self.box.turned[tile, rotation].sides)

    def fitting(self, at: str, colour: str) -> Iterator[tuple[str, int]]:
        """All tiles with their rotations that may lie on a hex."""
        label = self.box.printed[at].label if at in self.box.printed else ""
        for tile, face in self.box.tiles.items():
            if face.label != label or not self.supply.get(tile):
                continue
            for rotation in range(6):
                if not self.unfit(at, tile, rotation, colour):
                    yield tile, rotation

    def could_lay(self, railways: Collection[str], colour: str, purse: Mapping[str, int] | None = None) -> bool:
        """Whether some tile may be laid for one of these railways; with purses its cost must be paid as well."""
        for railway in railways:
            sure, maybe = self.ways(railway)
            for at in sorted({way[0] for way in sure | maybe} | set(self.tokens(railway))):
                if purse is not None and self.cost(at) > purse[railway]:
                    continue
                if any(self.lengthens(railway, at, tile, rotation) for tile, rotation in self.fitting(at, colour)):
                    return True
        return False

    def cost(self, at: str) -> int:
        """Printed building costs are due with the first tile on a hex (DO-4.5.2-b)."""
        return 0 if at in self.lying else self.box.costs.get(at, 0)

    def lay(self, at: str, tile: str, rotation: int) -> None:
        """The tile that lay there returns to the supply; station places grow, tokens stay."""
        if at in self.lying:
            self.supply[self.lying[at][0]] += 1
        self.supply[tile] -= 1
        self.lying[at] = (tile, rotation)
        places = self.places.get(at)
        if places is not None:
            places += [""] * (self.face(at).places - len(places))
            if not self.box.printed[at].home:
                # Places are all alike; a bankrupt railway may have left the first one.
                places.sort(key=lambda owner: not owner)

    # ------------------------------------------------------------------ links

    def unlinkable(self, railway: str, at: str, colour: str) -> str:
        """Why a railway may not make or extend a link there; nothing if it may."""
        locations = sheet("game")["locations"]
        if at not in self.box.printed or at not in (*locations["coal"], *locations["steel"]):
            return "DO-2.1.1-b: neither coal nor steel"
        allowed = [
            value for since, value in locations["values"].items() if COLOURS.index(since) <= COLOURS.index(colour)
        ]
        if self.next_link(at) > max(locations["values"].values()):
            return "DO-4.5.4.2-a: it has the highest value"
        if self.next_link(at) not in allowed:
            return "DO-4.5.4.2-a: not in this phase"
        if not self.reaches(railway, at):
            return "DO-4.5.4.1-a: no route to track on it"
        return ""

    def next_link(self, at: str) -> int:
        """What a link is worth after the next step: 10, 20, 30."""
        return self.links.get(at, 0) + int(min(sheet("game")["locations"]["values"].values()))

    def locations(self) -> list[str]:
        """All coal and steel hexes on the map."""
        where = sheet("game")["locations"]
        return [at for at in (*where["coal"], *where["steel"]) if at in self.box.printed]

    # ------------------------------------------------------------------ income

    def income(self, at: str, railway: str, colour: str) -> int:
        """What a hex is worth to a railway: printed value, link (DO-4.5.4.3-c), tokens on a yard (DO-4.5.6.1-c)."""
        value = self.face(at).worth(colour) + self.links.get(at, 0)
        yards = sheet("game")["yards"]
        if at in yards["hexes"] and railway in self.places[at]:
            value += int(yards["a_token"]) * sum(owner not in ("", RESERVED) for owner in self.places[at])
        return value

    # ------------------------------------------------------------------ routes

    def faulty(self, railway: str, path: Sequence[str], reach: int, through: Collection[str] = ()) -> str:
        """Why a route may not be run (`C20:a`, `B19`, …); nothing if it may. `through` are full hexes it may pass."""
        hexes = [stop.partition(":")[0] for stop in path]
        if any(at not in self.box.printed for at in hexes):
            return "DO-3.2.2-a: no such hex"
        for stop, at in zip(path, hexes, strict=True):
            if stop != (f"{at}:a" if self.face(at).kind else at):
                return "DO-3.3-c: an income hex cannot be skipped, and others are none"
        stops = [at for at in hexes if self.face(at).kind]
        if len(stops) < 2:
            return "DO-3.2.2-b: fewer than two income hexes"
        if len(stops) > reach:
            return "DO-3.3-b: too long"
        groups = [self.box.groups.get(at, at) for at in hexes]
        if len(set(groups)) < len(groups):
            return "DO-3.2.2-c, R-16: a hex or a destination twice"
        if not (self.face(hexes[0]).kind and self.face(hexes[-1]).kind):
            return "DO-3.2.2-a: it begins and ends at income hexes"
        if not any(self.has_token(railway, at) for at in stops):
            return "DO-3.2.2-a: no own token"
        sides = self.crossed(hexes)
        if sides is None:
            return "DO-3.2.2-a: not continuous"
        for number, at in enumerate(hexes):
            face = self.face(at)
            before = sides[number - 1] if number else None
            after = sides[number] if number < len(sides) else None
            ends = {(before + 3) % 6 if before is not None else None, after} - {None}
            if face.kind:
                if not ends <= face.spokes:
                    return "DO-3.2.2-a: no track"
                if len(ends) == 2 and face.red:
                    return "DO-3.2.2-g: through a red field"
                if len(ends) == 2 and at not in through and self.full(at, railway):
                    return "DO-3.2.2-d: through a full hex"
            elif frozenset(ends) not in face.rails:
                return "DO-3.2.2-f: no such track"
        return ""

    @staticmethod
    def crossed(hexes: Sequence[str]) -> list[int] | None:
        """The sides by which each hex of a path is left; nothing if two are no neighbours."""
        sides = []
        for one, other in pairwise(hexes):
            side = next((side for side in range(6) if beyond(one, side) == other), None)
            if side is None:
                return None
            sides.append(side)
        return sides

    def pieces(self, path: Sequence[str]) -> frozenset[tuple[str, str]]:
        """The joints between hexes that a route uses: routes that share none share no track (DO-4.5.5-b)."""
        hexes = [stop.partition(":")[0] for stop in path]
        return frozenset((min(pair), max(pair)) for pair in pairwise(hexes))

    def routes(
        self, railway: str, reach: int, through: Collection[str] = (), most: int = 400_000
    ) -> Iterator[tuple[str, ...]]:
        """Every route that a train of a railway may run, each in both directions."""
        faces = {at: self.face(at) for at in self.box.printed}
        groups = {at: self.box.groups.get(at, at) for at in faces}
        names = {at: f"{at}:a" if face.kind else at for at, face in faces.items()}
        tokens = set(self.tokens(railway))
        ends = {at for at, face in faces.items() if face.red or (at not in through and self.full(at, railway))}
        steps = 0
        for start, face in faces.items():
            if not face.kind or not face.spokes:
                continue
            begun: tuple[tuple[str, ...], frozenset[str]] = ((start,), frozenset((groups[start],)))
            stack = [(*begun, way, 1, start in tokens) for way in self._across(start, face.spokes)]
            while stack:
                path, passed, (at, side), stops, own = stack.pop()
                steps += 1
                if steps > most:
                    raise TooMuch
                if groups[at] in passed:
                    continue
                face = faces[at]
                longer = ((*path, at), passed | {groups[at]})
                if side in face.spokes:
                    here = own or at in tokens
                    if here:
                        yield tuple(names[one] for one in longer[0])
                    if at not in ends and stops + 1 < reach:
                        out = self._across(at, face.spokes - {side})
                        stack += [(*longer, way, stops + 1, here) for way in out]
                for rail in face.rails:
                    if side in rail:
                        stack += [(*longer, way, stops, own) for way in self._across(at, rail - {side})]

    def stops(self, path: Sequence[str]) -> list[str]:
        """The income hexes of a path."""
        return [stop.partition(":")[0] for stop in path if ":" in stop]


def apart(sets: Sequence[frozenset[tuple[str, str]]]) -> bool:
    """Whether no two routes share track."""
    return all(not one & other for one, other in combinations(sets, 2))
