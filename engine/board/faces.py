"""What is drawn on a hex, printed or by a tile: stops, track, label and cost, in any rotation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

CITY, TOWN, OFFBOARD = "city", "town", "offboard"

#: Tile colours in the order of upgrading; `plain` is a hex that carries no tile yet.
COLOURS = ("plain", "yellow", "green", "brown", "grey")

#: Ends of a piece of track: 0 to 5 are edges, 6 and up are the stops a, b, c, …
FIRST_STOP = 6

#: So many pieces of track between two stops may lie on one hex; each has a bit of its own in route masks.
MOST_LINKS = 4


def stop_letter(stop: int) -> str:
    """The letter of a stop by its index: 0 is a."""
    return chr(ord("a") + stop)


@dataclass(frozen=True, slots=True)
class Stop:
    """A city, a town or an off-board field: its income by phase colour and its station spaces.

    `reserved` says for whom each space is: "" for anybody, a company's id, or a kind of token (`harbour`);
    without it all are for anybody. The stations of an `open` stop never block.
    """

    kind: str
    revenue: tuple[tuple[str, int], ...]
    slots: int
    reserved: tuple[str, ...] = ()
    open: bool = False

    def spaces_for(self, company: str, kind: str = "") -> tuple[int, ...]:
        """The spaces that a company's token may lie on, those reserved for it first.

        A token of a kind lies only where that kind is asked for.
        """
        if not self.reserved:
            return () if kind else tuple(range(self.slots))
        if kind:
            return tuple(space for space, whose in enumerate(self.reserved) if whose == kind)
        own = [space for space, whose in enumerate(self.reserved) if whose and whose == company]
        return (*own, *(space for space, whose in enumerate(self.reserved) if not whose))

    def value(self, colour: str) -> int:
        """The income valid in a phase of this colour (the last value named up to it)."""
        if len(self.revenue) == 1:
            return self.revenue[0][1]
        rank = COLOURS.index(colour)
        worth = 0
        for since, amount in self.revenue:
            if COLOURS.index(since) <= rank:
                worth = amount
        return worth


Track = tuple[int, int]


@dataclass(frozen=True)
class Face:
    """A drawing in one orientation.

    `ferry` holds the pieces of track that are ferries: between two parts of one city, or from an edge to a
    stop. Whoever uses one gets `ferry_value` there instead of the stop's income.
    """

    colour: str
    stops: tuple[Stop, ...] = ()
    track: tuple[Track, ...] = ()
    labels: tuple[str, ...] = ()
    cost: int = 0
    icons: tuple[str, ...] = ()
    ferry: frozenset[Track] = frozenset()
    ferry_value: int = 0

    @cached_property
    def exits(self) -> int:
        """A bit for each edge that track leads to."""
        return sum(1 << edge for edge in {end for piece in self.track for end in piece if end < FIRST_STOP})

    @cached_property
    def links(self) -> tuple[tuple[int, ...], ...]:
        """For each end (edge or stop): the ends that one piece of track leads to."""
        result: list[list[int]] = [[] for _ in range(FIRST_STOP + len(self.stops))]
        for one, other in self.track:
            result[one].append(other)
            result[other].append(one)
        return tuple(tuple(ends) for ends in result)

    @cached_property
    def track_set(self) -> frozenset[Track]:
        return frozenset(self.track)

    @cached_property
    def stop_exits(self) -> tuple[int, ...]:
        """For each stop: a bit for each edge that leads straight to it."""
        return tuple(
            sum(1 << end for end in self.links[FIRST_STOP + index] if end < FIRST_STOP)
            for index in range(len(self.stops))
        )

    @cached_property
    def joints(self) -> dict[Track, int]:
        """The pieces of track between two stops, numbered."""
        return {joint: number for number, joint in enumerate(p for p in self.track if p[0] >= FIRST_STOP)}

    @cached_property
    def ferry_edges(self) -> frozenset[int]:
        """The edges at which a ferry leaves the hex."""
        return frozenset(one for one, _ in self.ferry if one < FIRST_STOP)

    @property
    def is_city(self) -> bool:
        return any(stop.kind == CITY for stop in self.stops)

    @cached_property
    def shape(self) -> tuple[object, ...]:
        """Equal for two drawings that differ in nothing but the letters of like stops."""
        stops = sorted(
            (stop.kind, stop.revenue, stop.slots, stop.reserved, stop.open, exits)
            for stop, exits in zip(self.stops, self.stop_exits, strict=True)
        )
        plain = frozenset(p for p in self.track if p[1] < FIRST_STOP)
        return tuple(stops), plain, len(self.track), self.ferry_edges

    def rotated(self, turns: int) -> Face:
        """The drawing turned clockwise by `turns` sixths."""
        if turns % 6 == 0:
            return self

        def turn(end: int) -> int:
            return (end + turns) % 6 if end < FIRST_STOP else end

        return replace(
            self,
            track=tuple(piece(turn(one), turn(other)) for one, other in self.track),
            ferry=frozenset(piece(turn(one), turn(other)) for one, other in self.ferry),
        )


def piece(one: int, other: int) -> Track:
    """A piece of track in its canonical order, the smaller end first."""
    return (one, other) if one <= other else (other, one)


@dataclass(frozen=True)
class Tile:
    """A tile of the supply; `category` is what kind of hex takes it when it carries no label."""

    id: str
    face: Face
    count: int
    category: str
    #: What kind of hex it is for its upgrade, if not the category.
    becomes: str = ""
    #: The colour as which it counts for upgrading, if not its own.
    level: str = ""
    hexes: frozenset[str] = frozenset()
    rotations: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    special: bool = False
    #: The stops to which the tokens of the stops before go, if not to those of their track.
    tokens: tuple[int, ...] = ()
    source: str = ""
    note: str = ""

    @property
    def colour(self) -> str:
        return self.face.colour

    @cached_property
    def rank(self) -> int:
        """Its place in the order of upgrading; a tile that has none follows nothing."""
        level = self.level or self.colour
        return COLOURS.index(level) if level in COLOURS else -1

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The six rotations of the drawing."""
        return tuple(self.face.rotated(turns) for turns in range(6))

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The permitted rotations that look different from each other."""
        seen: dict[tuple[object, ...], int] = {}
        for turns in self.rotations:
            seen.setdefault(self.faces[turns].shape, turns)
        return tuple(seen.values())

    def canonical(self, rotation: int) -> int:
        """The rotation by which one that looks the same is offered and kept; what is not permitted stays as it is."""
        if rotation not in self.rotations:
            return rotation
        shape = self.faces[rotation].shape
        return next(turns for turns in self.turns if self.faces[turns].shape == shape)


def category(face: Face) -> str:
    """The kind of hex or tile by its stops: plain, town, two towns, city, …

    >>> category(Face("yellow"))
    'plain'
    """
    cities = sum(stop.kind == CITY for stop in face.stops)
    towns = sum(stop.kind == TOWN for stop in face.stops)
    words = []
    for count, word, plural in ((cities, "city", "cities"), (towns, "town", "towns")):
        if count == 1:
            words.append(word)
        elif count:
            words.append(f"{('two', 'three', 'four')[count - 2]} {plural}")
    return " and ".join(words) or "plain"
