"""18BL's vehicles on the track, and the use of the revenue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine import events as ev
from engine.board.faces import CITY, OFFBOARD, TOWN
from engine.definition import Definition, TrainType
from engine.finance import shares
from engine.finance.closing import close_private
from engine.finance.depot import counting
from engine.finance.prices import Split
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Route, TrainRules
from engine.state import POOL
from titles.bl.tables import Dividend, Tables

#: Kinds of vehicles; the last is a rail bus with a trailer behind it.
TRAIN, RAILBUS, TRAILER, WITH_TRAILER = "train", "railbus", "trailer", "railbus with trailer"


class BlTrain(TrainRules):
    """A train or rail bus of a corporation: every stop counts, a rail bus has one city and no red field."""

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        self.closed = game.rules.trains.closed(game, company)
        self.is_bus = train.kind in (RAILBUS, WITH_TRAILER)
        self.trailer = train.kind == WITH_TRAILER
        self.factor = 2 if train.name in game.definition.tables.vehicles.run_twice else 1
        self.not_doubled = game.definition.tables.access.hex

    def kind(self, node: Node) -> str:
        return self.board.faces[node[0]].stops[node[1]].kind

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities + towns + end_towns <= self.reach and not (self.is_bus and cities > 1)

    def barred(self, node: Node) -> bool:
        return node[0] in self.closed

    def may_end(self, node: Node) -> bool:
        return not (self.is_bus and self.kind(node) == OFFBOARD)

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        value, mark = super().worth(node, ferry)
        if self.trailer and self.kind(node) == TOWN and node[0] != self.not_doubled:
            value *= 2
        return value * self.factor, mark

    def starts(self) -> list[Node]:
        """A station on a red field serves trains only (R37)."""
        stations = super().starts()
        return [node for node in stations if self.kind(node) == CITY] if self.is_bus else stations


def vehicles(definition: Definition) -> tuple[TrainType, ...]:
    """Everything that runs by itself: trains, rail buses, and each rail bus with each trailer."""
    trailers = [train.name for train in definition.trains if train.kind == TRAILER]
    return tuple(train for train in definition.trains if train.kind != TRAILER) + tuple(
        replace(bus, name=f"{bus.name}+{trailer}", kind=WITH_TRAILER)
        for bus in definition.trains
        if bus.kind == RAILBUS
        for trailer in trailers
    )


def fleets(game: Game, company: str) -> list[tuple[str, ...]]:
    """All without the trailer, or one of the rail buses with it."""
    trains = counting(game, company)
    result = [tuple(trains)]
    trailers = [train for train in game.company(company).trains if not game.rules.trains.counts(train)]
    for bus in dict.fromkeys(train for train in trains if game.definition.train(train).kind == RAILBUS):
        for trailer in trailers:
            rest = list(trains)
            rest[rest.index(bus)] = f"{bus}+{trailer}"
            result.append(tuple(rest))
    return result


def rounded(table: Dividend) -> Callable[[Sequence[Route]], int]:
    """BL-8.6.1-a: the sum over the vehicles, each the sum of its stops, rounded down to full 10 Mark (BL-8.6.1-g)."""
    return lambda routes: sum(route.value for route in routes) // table.rounding * table.rounding


def trailer_used(t: Tables) -> Callable[[Game, ev.TrainsRun], None]:
    """A private company with a trailer closes when the trailer has earned something (BL-5.2-5d)."""

    def ran(game: Game, event: ev.TrainsRun) -> None:
        for private, power in t.powers.items():
            if power.trailer and game.state.privates[private] == event.company:
                used = [path for train, _, path in event.routes if train.endswith(f"+{power.trailer}")]
                if any(_doubles_a_town(game, t, path) for path in used):
                    close_private(game, private)

    return ran


def _doubles_a_town(game: Game, t: Tables, path: tuple[str, ...]) -> bool:
    for place in path:
        at, _, letter = place.partition(":")
        if letter and at != t.access.hex and game.board.faces[at].stops[ord(letter) - ord("a")].kind == TOWN:
            return True
    return False


class ThreeQuarters:
    """All, three quarters or nothing. The offering's part stays with the bank, the pool's goes to the treasury."""

    def __init__(self, table: Dividend) -> None:
        self.table = table

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        """What a share gets when not all is paid out is in whole Marks, rounded down (R20)."""
        unit = shares.unit(game, company)
        part = 100 // unit * (revenue * self.table.percent * unit // 10_000)
        result = {"pay": Split(revenue, 0)}
        if part:
            result["pay_75"] = Split(part, revenue - part)
        return {**result, "withhold": Split(0, revenue)}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [*((player, player) for player in game.state.players), (POOL, company)]
