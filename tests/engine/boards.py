"""Small random boards of real tiles, with stations and trains, for tests that compare with brute force."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, Face, Stop, Tile
from engine.board.hexes import FLAT, OPPOSITE, POINTY, Layout
from engine.board.tiling import Tiling
from engine.definition import Definition, Hex, Map, Market
from engine.reading import Reader
from engine.routes.best import Router
from engine.routes.legs import LegBook, Node
from engine.routes.model import TrainRules
from engine.state import BLANK, MARKER, Company
from engine.state import Board as BoardState

#: The company whose trains run, one that has floated, and one whose tokens do not count yet.
OWN, RIVAL, SLEEPER = "OWN", "RIVAL", "SLEEPER"

#: What a cube earns that a train takes along.
CUBE = 30

#: For each hex, for each stop, whose tokens lie on its spaces.
Stations = dict[str, list[list[str]]]

#: KURSBUCH_EXAMPLES raises the number of boards for each property.
EXAMPLES = int(os.environ.get("KURSBUCH_EXAMPLES", "300"))


def boards_tried(share: float = 1.0) -> settings:
    """Settings for a property: this share of the examples asked for."""
    return settings(
        max_examples=max(10, int(EXAMPLES * share)),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


# ------------------------------------------------------------------ tiles

_PLAIN = {
    "7": "0-1", "8": "0-2", "9": "0-3",
    "16": "0-2 1-3", "18": "1-2 0-3", "19": "0-3 2-4", "20": "0-3 1-4",
    "23": "0-3 0-4", "24": "0-2 0-3", "25": "0-2 0-4", "26": "0-3 0-5", "27": "0-1 0-3",
    "28": "0-4 0-5", "29": "0-1 0-2", "30": "0-1 0-4", "31": "0-2 0-5",
    "39": "0-1 0-2 1-2", "40": "0-2 0-4 2-4", "41": "0-1 0-3 1-3", "42": "0-3 0-5 3-5",
    "43": "0-2 1-2 0-3 1-3", "44": "0-1 0-3 1-4 3-4", "45": "0-3 2-3 0-4 2-4",
    "46": "0-2 0-3 2-4 3-4", "47": "0-3 1-3 0-4 1-4", "70": "0-1 0-2 1-3 2-3",
}  # fmt: skip
_TOWNS = {
    "1": ("town 10, town 10", "1-a 3-a 0-b 4-b"),
    "2": ("town 10, town 10", "0-a 3-a 1-b 2-b"),
    "3": ("town 10", "0-a 1-a"),
    "4": ("town 10", "0-a 3-a"),
    "55": ("town 10, town 10", "0-a 3-a 1-b 4-b"),
    "56": ("town 10, town 10", "0-a 2-a 1-b 3-b"),
    "58": ("town 10", "0-a 2-a"),
    "69": ("town 10, town 10", "0-a 3-a 2-b 4-b"),
    "88": ("town 10", "0-a 1-a 3-a 4-a"),
    "141": ("town 10", "0-a 1-a 3-a"),
    "933": ("town 20", "0-a 1-a 2-a 4-a 5-a"),
    "town beside a line": ("town 10", "0-a 3-a 1-4"),
}
_CITIES = {
    "5": ("city 20", "0-a 1-a"),
    "6": ("city 20", "0-a 2-a"),
    "57": ("city 20", "0-a 3-a"),
    "15": ("city 30 x2", "0-a 1-a 2-a 3-a"),
    "934": ("city 40 x2", "0-a 2-a 3-a 4-a"),
    "216": ("city 50 x2", "0-a 1-a 2-a 3-a 4-a"),
    "931": ("city 40 x3", "0-a 1-a 3-a 5-a"),
    "one space, five exits": ("city 30", "0-a 1-a 2-a 3-a 5-a"),
    "city beside a line": ("city 30", "0-a 3-a 1-4"),
    "937": ("city 20, city 20", "0-a 4-b"),
    "938": ("city 30, city 30", "0-a 2-b 4-b"),
    "942": ("city 30, city 30", "0-a 3-a 5-b"),
    "916": ("city 40, city 40", "1-a 4-a 0-b 3-b"),
    "919": ("city 40, city 40", "0-a 2-a 4-b 5-b"),
    "935": ("city 20, town 10", "0-b 2-a 3-a 4-a 5-a a-b"),
    "two cities joined": ("city 20, city 40", "0-a 1-a 3-b 4-b a-b"),
    "a city and two towns, all joined": ("city 30, town 10, town 20", "0-a 1-a 2-b 4-c a-b b-c a-c"),
    "open to all": ("city 30 open", "0-a 1-a 2-a 4-a"),
    "a space for harbours": ("city 20 x2 harbour", "0-a 1-a 3-a 4-a"),
}
_FERRIES = {
    "921": ("city 40, city 40 x2", "3-a 0-b 1-b 2-b a-b"),
    "922": ("city 40, city 40 x2", "3-a 5-a 1-b 2-b a-b"),
    "923": ("city 40 x2, city 40", "3-a 4-a 5-a 0-b a-b"),
    "924": ("city 40 x2, city 40", "3-a 5-a 0-b 1-b a-b"),
    "unlike banks": ("city 30, city 50", "0-a 1-a 2-a 3-b 4-b 5-b a-b"),
}
#: Ferries between an edge and a stop, with the lower value.
_LANDINGS = {
    "one ferry": ("city 40 x2", "0-a 2-a 3-a 5-a", "3-a", 30),
    "two ferries": ("city 20", "0-a 1-a 3-a 4-a", "0-a 3-a", 10),
    "a town's ferry": ("town 20", "0-a 2-a 4-a", "2-a", 0),
    "one of two cities": ("city 30, city 40", "0-a 2-a 3-b 5-b", "3-b", 10),
    "a city by the line": ("city 40", "0-a 1-a 3-a 1-4", "1-a", 20),
}


def _table(stops: str, track: str, ferry: str = "", value: int = 0) -> dict[str, Any]:
    table: dict[str, Any] = {"color": "green", "count": 99, "track": track.split()}
    if stops:
        table["stops"] = stops.split(", ")
    if ferry:
        table |= {"ferry": ferry.split(), "ferry_value": value}
    return table


def _tiles() -> dict[str, Tile]:
    tables = {name: _table("", track) for name, track in _PLAIN.items()}
    tables |= {name: _table(*texts) for name, texts in (_TOWNS | _CITIES).items()}
    tables |= {name: _table(*texts, "a-b", 30) for name, texts in _FERRIES.items()}
    tables |= {name: _table(*texts) for name, texts in _LANDINGS.items()}
    return dict(Reader({"tests": {"tile": tables}}).tiles())


TILES = _tiles()

_RED = Stop("offboard", (("yellow", 20), ("brown", 60)), 0)
_RED_WITH_SPACE = Stop("offboard", (("yellow", 40), ("brown", 50)), 1)
_BANK = Stop("city", (("plain", 20),), 1)

#: Printed drawings: red fields with one or two stops, and a yellow city of two banks with three circles.
_PRINTED = (
    Face("red", (_RED,), ((0, 6), (1, 6))),
    Face("red", (_RED,), ((0, 6),)),
    Face("red", (_RED_WITH_SPACE,), ((0, 6), (2, 6), (3, 6))),
    Face("red", (_RED, _RED), ((0, 6), (1, 7))),
    Face("yellow", (_BANK, _BANK, _BANK), ((0, 6), (2, 7), (3, 8))),
)

#: What may lie on a hex of a random board, the likelier kinds more than once.
_KINDS = (*["plain"] * 3, *["town"] * 2, *["city"] * 5, *["ferry"] * 2, *["red"] * 2, "banks", *["landing"] * 2)
#: The same for boards of many junctions, where ways meet head on and run back into themselves.
_TANGLED = (*["plain"] * 7, "town", "city", "city", "ferry", "landing")
_NAMES: dict[str, tuple[str | int, ...]] = {
    "plain": tuple(_PLAIN),
    "town": tuple(_TOWNS),
    "city": tuple(_CITIES),
    "ferry": tuple(_FERRIES),
    "landing": tuple(_LANDINGS),
    "red": (0, 1, 2, 3),
    "banks": (4,),
}


# ------------------------------------------------------------------ trains


@dataclass(frozen=True)
class TrainKind:
    """What one type of train may do and earn, as plain data that both searches read in their own way."""

    name: str
    reach: int
    #: What counts against the reach: all "stops", cities and towns at the "ends", or "cities" alone.
    counts: str = "stops"
    town_ends: bool = True
    #: Income for each coalmine with a steel mill on the route, up to so many pairs.
    pair: int = 0
    pairs: int = 0
    #: Income for a route from the east to the west, and whether it doubles the cities on the Rhine.
    across: int = 0
    doubles: bool = False
    #: Where one end of the route must lie (anywhere if empty), and hexes that it may not run through.
    needs: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    #: Hexes whose full cities let it through, and whether it may come to no hex twice.
    opens: frozenset[str] = frozenset()
    hex_once: bool = False
    #: Cubes on board: each earns this where the route begins or ends in the east and touches the Rhine.
    cubes: int = 0


class DrawnBoard(Board):
    """A board that can show itself in a failing test."""

    def __repr__(self) -> str:
        lines = [f"Board, {self.map.layout.name}"]
        for at, spot in self.map.hexes.items():
            what = self.cover(at) or "printed"
            words = [f"{at}: {what} {self.faces[at].track} {self.state.stations.get(at, '')}"]
            words += [f"beside {self.state.beside[at]}"] if at in self.state.beside else []
            words += [f"groups {spot.groups}"] if spot.groups else []
            words += [f"no way over {sorted(spot.impassable)}"] if spot.impassable else []
            lines.append(", ".join(words))
        return "\n    ".join(lines)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(repr(self))


@dataclass
class Scene:
    """A board with everything around it that matters for routes."""

    board: DrawnBoard
    colour: str
    coal: frozenset[Node]
    steel: frozenset[Node]
    east: frozenset[str]
    west: frozenset[str]
    rhine: frozenset[str]
    kinds: dict[str, TrainKind]
    trains: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [
            repr(self.board),
            f"{self.colour}, trains {self.trains}",
            f"coal {set(self.coal)}, steel {set(self.steel)}, Rhine {set(self.rhine)}",
            f"east {set(self.east)}, west {set(self.west)}",
            *(repr(kind) for kind in self.kinds.values()),
        ]
        return "\n    ".join(["Scene", *lines])

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(repr(self))

    def router(self) -> Router:
        """The engine's answers about this scene."""
        return Router(LegBook(self.board), {name: KindRules(self, kind) for name, kind in self.kinds.items()})


class KindRules(TrainRules):
    """A TrainKind in the engine's terms. A mark holds coal, steel and the income on the Rhine."""

    def __init__(self, scene: Scene, kind: TrainKind) -> None:
        super().__init__(scene.board, OWN, kind.name, kind.reach, scene.colour)
        self.scene = scene
        self.kind = kind
        self.hex_once = kind.hex_once
        self.bonus_bound = kind.pair * kind.pairs + kind.across + CUBE * kind.cubes
        if kind.doubles:
            self.bonus_bound += sum(
                stop.value(scene.colour) for at in scene.rhine for stop in scene.board.faces[at].stops
            )

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        if self.kind.counts == "stops":
            return super().within(cities, towns, end_towns)
        return cities + (end_towns if self.kind.counts == "ends" else 0) <= self.reach

    def through(self, node: Node) -> bool:
        return node[0] in self.kind.opens or super().through(node)

    def may_pass(self, node: Node) -> bool:
        return node[0] not in self.kind.closed

    def may_end(self, node: Node) -> bool:
        return self.kind.town_ends or self.board.faces[node[0]].stops[node[1]].kind != "town"

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        value, _ = super().worth(node, ferry)
        mark = (node in self.scene.coal) + ((node in self.scene.steel) << 8)
        rhine = node[0] in self.scene.rhine
        return value, mark + (rhine << 16) + ((value << 24) if rhine else 0)

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        return not self.kind.needs or one[0] in self.kind.needs or other[0] in self.kind.needs

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        total = self.kind.pair * min(mark & 255, mark >> 8 & 255, self.kind.pairs)
        east, west = self.scene.east, self.scene.west
        if (one[0] in east and other[0] in west) or (one[0] in west and other[0] in east):
            total += self.kind.across + (mark >> 24 if self.kind.doubles else 0)
        if self.kind.cubes and mark >> 16 & 255 and (one[0] in east or other[0] in east):
            total += CUBE * self.kind.cubes
        return total


# ------------------------------------------------------------------ random boards


def spiral(layout: Layout) -> list[str]:
    """A hex in the middle, the six around it, and three of the next ring."""
    middle = "F10"
    around = [layout.neighbour(middle, edge) for edge in range(6)]
    outer = [layout.neighbour(around[edge], edge + 1) for edge in range(3)]
    return [middle, *around, *outer]


def board_of(
    layout: Layout,
    printed: dict[str, Hex],
    cover: dict[str, tuple[str, int]],
    stations: Stations | None = None,
    beside: dict[str, list[str]] | None = None,
) -> DrawnBoard:
    """A board of these hexes and tiles; stations that are not given are empty spaces."""
    definition = Definition(
        id="test", name="Test", players=(2, 2), bank=0, starting_cash={}, cert_limit={}, pool_limit=50,
        map=Map.of(layout, printed), tiles=TILES, market=Market("line", (), (), {}), corporations={},
        privates={}, trains=(), phases=(), reconstructed=(),
    )  # fmt: skip
    tiling = Tiling(definition)
    spaces = {}
    for at in printed:
        stops = tiling.face(at, cover.get(at)).stops
        if stops:
            spaces[at] = [[""] * stop.slots for stop in stops]
    supply = dict.fromkeys(TILES, 9)
    state = BoardState(tiles=cover, stations=spaces | (stations or {}), markers={}, supply=supply, beside=beside or {})
    companies = {name: Company([], [], active=name != SLEEPER) for name in (OWN, RIVAL, SLEEPER)}
    return DrawnBoard(tiling, state, companies)


def tiled(layout: Layout, cover: dict[str, tuple[str, int]], stations: Stations | None = None) -> DrawnBoard:
    """A board of these tiles and their hexes alone."""
    return board_of(layout, {at: Hex(at, Face("plain")) for at in cover}, cover, stations)


#: A drawing in a rotation: the tile's name, or the place of a printed drawing in `_PRINTED`.
_Drawing = tuple[str | int, int]


def _face(drawing: _Drawing) -> Face:
    name, turns = drawing
    return TILES[name].faces[turns] if isinstance(name, str) else _PRINTED[name].rotated(turns)


_DRAWINGS: dict[str, list[_Drawing]] = {
    kind: [(name, turns) for name in names for turns in range(6)] for kind, names in _NAMES.items()
}
_EXITS = {drawing: _face(drawing).exits for drawings in _DRAWINGS.values() for drawing in drawings}


def _fitting(kind: str, taste: int, at: str, layout: Layout, exits: dict[str, int]) -> list[_Drawing]:
    """The drawings of a kind that join up well: with many neighbours, or (taste 1) without loose ends.

    `exits` has the edges in use of the hexes drawn so far, and -1 for the others of the board.
    """
    useful = 0
    for edge in range(6):
        other = layout.neighbour(at, edge)
        if other in exits and exits[other] & 1 << OPPOSITE[edge]:
            useful |= 1 << edge
    score = {}
    for drawing in _DRAWINGS[kind]:
        joined, loose = (_EXITS[drawing] & useful).bit_count(), (_EXITS[drawing] & ~useful).bit_count()
        score[drawing] = -loose if taste else min(joined, 4) - loose // 2
    best = max(score.values())
    return [drawing for drawing, points in score.items() if points == best]


#: One strategy for all numbers: making a new one for each question takes most of the time.
_NUMBER = st.integers(0, 2**24 - 1)
_SPACES = ("", "", "", "", "", RIVAL, RIVAL, RIVAL, RIVAL, RIVAL, RIVAL, SLEEPER, BLANK, MARKER, OWN, OWN)
_TASTES = (0, 0, 0, 0, 0, 1, 1, 1, 2)
_Thing = TypeVar("_Thing")


def _pick(draw: st.DrawFn, things: Sequence[_Thing]) -> _Thing:
    """One of several things; simpler examples have the first."""
    return things[draw(_NUMBER) % len(things)]


def _rarely(draw: st.DrawFn) -> bool:
    return draw(_NUMBER) % 10 == 9


def _groups(draw: st.DrawFn, at: str, kind: str, face: Face) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The groups printed on a hex; those under a tile count no longer."""
    every = tuple(range(len(face.stops)))
    if kind == "banks":
        return (f"{at} left", (0,)), (f"{at} right", (1, 2))
    if kind == "red":
        area = _pick(draw, ("", "north", "south"))
        return ((area, every),) if area else ()
    return ((f"{at} left", every),) if _rarely(draw) else ()


@st.composite
def boards(draw: st.DrawFn, most: int = 9, *, tangled: bool = False) -> DrawnBoard:
    """A random board of 3 to `most` hexes; a tangled one is mostly junctions."""
    layout = _pick(draw, (POINTY, FLAT))
    hexes = spiral(layout)[: _pick(draw, (*range(3, most + 1), most - 1, most, most))]
    exits = dict.fromkeys(hexes, -1)
    printed: dict[str, Hex] = {}
    cover: dict[str, tuple[str, int]] = {}
    faces: dict[str, Face] = {}
    for at in hexes:
        kind = _pick(draw, _TANGLED if tangled else _KINDS)
        taste = _pick(draw, _TASTES)
        drawings = _DRAWINGS[kind] if taste == 2 else _fitting(kind, taste, at, layout, exits)
        name, turns = drawing = _pick(draw, drawings)
        faces[at] = _face(drawing)
        exits[at] = _EXITS[drawing]
        groups = _groups(draw, at, kind, faces[at])
        walls = frozenset({_pick(draw, range(6))}) if _rarely(draw) else frozenset()
        if isinstance(name, str):
            cover[at] = (name, turns)
        printed[at] = Hex(at, Face("plain") if at in cover else faces[at], impassable=walls, groups=groups)
    return board_of(layout, printed, cover, *_stations(draw, faces))


def _stations(draw: st.DrawFn, faces: dict[str, Face]) -> tuple[Stations, dict[str, list[str]]]:
    """Tokens on the spaces and a few beside them, and somewhere one of our own if there is any space."""
    stations, beside = {}, {}
    for at, face in faces.items():
        if face.stops:
            number = draw(_NUMBER)  # sixteen possibilities for each of three spaces of two stops
            stations[at] = [
                [_SPACES[number >> 4 * (stop % 2 * 3 + space) & 15] for space in range(each.slots)]
                for stop, each in enumerate(face.stops)
            ]
            if any(stop.kind != "town" for stop in face.stops) and _rarely(draw):
                beside[at] = _pick(draw, ([OWN], [OWN, RIVAL], [RIVAL], [SLEEPER]))
    every = [spaces for stops in stations.values() for spaces in stops if spaces]
    if every and not any(OWN in spaces for spaces in every):
        _pick(draw, every)[0] = OWN
    return stations, beside


def _some(draw: st.DrawFn, things: list[Any]) -> frozenset[Any]:
    """A random subset, mostly a small one."""
    bits = draw(_NUMBER) & draw(_NUMBER)
    return frozenset(thing for number, thing in enumerate(things) if bits & 1 << number)


def _kind(draw: st.DrawFn, name: str, hexes: list[str], reach: int) -> TrainKind:
    """A random type of train: plain, like 18Rhl's, or with conditions and bonuses."""
    counts = _pick(draw, ("stops", "ends", "ends", "cities"))
    flavour = _pick(draw, range(6))
    if flavour == 0:
        return TrainKind(name, reach, counts)
    if flavour == 4:
        return TrainKind(
            name,
            reach,
            counts,
            opens=_pick(draw, (frozenset(hexes), _some(draw, hexes))),
            hex_once=_pick(draw, (True, False)),
        )
    if flavour == 5:
        return TrainKind(name, reach, counts, hex_once=True, pair=_pick(draw, (0, 20)), pairs=2)
    return TrainKind(
        name, reach, counts,
        town_ends=_pick(draw, (True, False)),
        pair=_pick(draw, (0, 20, 40)),
        pairs=2,
        across=_pick(draw, (0, 0, 80)),
        doubles=flavour == 3,
        needs=_some(draw, hexes) if flavour == 2 else frozenset(),
        closed=_some(draw, hexes) if flavour == 3 else frozenset(),
    )  # fmt: skip


@st.composite
def scenes(draw: st.DrawFn, most: int = 9, longest: int = 6) -> Scene:
    """A random board with one to four trains of one or two types."""
    board = draw(boards(most))
    hexes = [at for at, face in board.faces.items() if face.stops]
    nodes = [(at, stop) for at in hexes for stop in range(len(board.faces[at].stops))]
    names = _pick(draw, (["T0"], ["T0", "T1"]))
    types = {name: _kind(draw, name, hexes, _pick(draw, range(2, longest + 1))) for name in names}
    trains = [_pick(draw, names) for _ in range(_pick(draw, (1, 1, 2, 2, 3, 4)))]
    return Scene(
        board=board,
        colour=_pick(draw, ("yellow", "green", "brown", "grey")),
        coal=_whole_cities(board, _some(draw, nodes)),
        steel=_whole_cities(board, _some(draw, nodes)),
        east=_some(draw, hexes),
        west=_some(draw, hexes),
        rhine=_some(draw, hexes),
        kinds=types,
        trains=tuple(trains),
    )


def _whole_cities(board: Board, nodes: frozenset[Node]) -> frozenset[Node]:
    """Stops, with both parts of a city that a ferry joins."""
    more = set(nodes)
    for at, stop in nodes:
        if any(FIRST_STOP + stop in piece for piece in board.faces[at].ferry):
            more |= {(at, end - FIRST_STOP) for piece in board.faces[at].ferry for end in piece}
    return frozenset(more)
