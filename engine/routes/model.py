"""Routes and their worth: what a train may do, and what it earns part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.board.board import Board
from engine.errors import Refused
from engine.routes.legs import Node


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a route's income: a stop (`F9:b`) or a bonus by its name."""

    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Route:
    """A train's run: the path of hexes and stops, what it earns part by part, the track it uses."""

    train: str
    path: tuple[str, ...]
    value: int
    parts: tuple[Part, ...]
    mask: int


@dataclass(frozen=True, slots=True)
class RouteSet:
    """Routes for a company's trains; `proved` says that no better set exists."""

    routes: tuple[Route, ...]
    proved: bool
    nodes: int = 0

    @property
    def value(self) -> int:
        return sum(route.value for route in self.routes)


class TrainRules:
    """What one type of train of one company may do in a position; a title overrides what differs.

    `mark` is a number of the title's own that is summed over the stops of a route and handed to
    `bonus` (counts of industries, for example, in separate bits).
    """

    #: No route can earn more than this in bonuses; the search prunes with it.
    bonus_bound = 0
    #: Whether two stops on one hex alone are no route.
    needs_two_hexes = False
    #: Whether a route may come to no hex again that it has left.
    hex_once = False
    #: The kind of rule that a forbidden end breaks.
    end_key = "route.end"
    #: The same for a route that is too long, and for one without a station of its own.
    long_key = "route.long"
    station_key = "route.station"

    def __init__(self, board: Board, company: str, train: str, reach: int, colour: str) -> None:
        self.board = board
        self.company = company
        self.train = train
        self.reach = reach
        self.colour = colour

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        """Whether so many cities and off-board fields, and towns on the way and at the ends, are allowed.

        A town at an end never counts less than one on the way.
        """
        return cities + towns + end_towns <= self.reach

    def barred(self, node: Node) -> bool:
        """Whether a stop can be no part of any route."""
        return self.board.barred_for(self.company, *node)

    def groups(self, node: Node) -> Iterable[str]:
        """Names of the groups of stops to which a stop belongs; a route visits only one of each."""
        return place_groups(self.board, node)

    def through(self, node: Node) -> bool:
        """Whether the stations in a city let this train run through; a red field never does."""
        return self.board.open_for(self.company, *node)

    def may_pass(self, node: Node) -> bool:
        """A ban on running through a stop, beyond the stations in it."""
        return True

    def may_end(self, node: Node) -> bool:
        """Whether a route may end at a stop."""
        return True

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        """Income and mark of a stop on the way, by `ferry` if the train uses one there; that never brings more."""
        at, stop = node
        face = self.board.faces[at]
        return (face.ferry_value if ferry else face.stops[stop].value(self.colour)), 0

    def pays_end(self, node: Node) -> bool:
        """Whether a route may earn a bonus that ends here; between two ends where it may not it earns none."""
        return True

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        """What the route earns beyond its stops."""
        return 0

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        """The bonus item by item, for a route run from `one` to `other`: one of the directions may earn less."""
        amount = self.bonus(mark, one, other)
        return [Part("bonus", amount)] if amount else []

    def ran(self, mark: int, one: Node, other: Node) -> str:
        """As what the train runs such a route: it may leave behind what is of no use there."""
        return self.train

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        """A title's condition on a route: on what its stops add up to, and on its two ends."""
        return True

    def wrong_ends(self, one: Node, other: Node) -> Refused:
        """Why two ends are not allowed."""
        return Refused("", "route.ends", train=self.train, one=one[0], other=other[0])

    def starts(self) -> list[Node]:
        """The stops one of which every route must touch."""
        return self.board.stations_of(self.company)


def place_groups(board: Board, node: Node) -> Iterable[str]:
    """Names of the groups of stops of which a route may visit only one."""
    at, stop = node
    if board.partner(at, stop) is not None:
        yield f"{at} ferry"
    if at not in board.state.tiles:
        for name, stops in board.map.hexes[at].groups:
            if stop in stops:
                yield name
