"""Brute force: every route and every reachable track of a small board, by walking all of it.

Written from the rules alone, without the engine's search: plain recursion over the drawn track, with
explicit sets of the borders and links that a walk has used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.board.board import Board
from engine.state import MARKER
from tests.engine.boards import CUBE, OWN, RIVAL, Scene, TrainKind

#: Edges are 0 to 5; the stops of a hex come after them.
_STOPS = 6
_COLOURS = ["plain", "yellow", "green", "brown", "grey"]

#: A border between two hexes, or ("link", hex, stop, stop) for track between two stops of a hex.
Used = frozenset[object]
Visits = tuple["Visit", ...]
Words = tuple[str, ...]
#: Stops by their hex and number.
Places = set[tuple[str, int]]


class TooManyError(Exception):
    """The board has more walks than brute force has patience for."""


@dataclass(frozen=True)
class Visit:
    """A stop on the way; two parts if the train took the ferry inside the city.

    `landed` says that it came or left over a ferry that leads to an edge.
    """

    at: str
    parts: tuple[int, ...]
    landed: bool = False

    @property
    def ferry(self) -> bool:
        return len(self.parts) == 2


@dataclass(frozen=True)
class Trail:
    """A walk from stop to stop that breaks no rule of track and stations."""

    words: Words
    visits: Visits
    used: Used


class Ground:
    """The board as the rules see it."""

    def __init__(
        self, board: Board, company: str = OWN, *, ignore_stations: bool = False, opens: frozenset[str] = frozenset()
    ) -> None:
        self.board = board
        self.company = company
        self.ignore_stations = ignore_stations
        self.opens = opens

    def across(self, at: str, edge: int) -> str | None:
        """The hex on the other side of an edge, unless the border cannot be crossed."""
        hexes = self.board.map.hexes
        other = self.board.map.layout.neighbour(at, edge)
        if other is None or other not in hexes:
            return None
        if edge in hexes[at].impassable or (edge + 3) % 6 in hexes[other].impassable:
            return None
        return other

    def onward(self, at: str, end: int) -> list[int]:
        """Where the pieces of track lead that begin at an end."""
        ends = []
        for one, other in self.board.faces[at].track:
            if one == end:
                ends.append(other)
            elif other == end:
                ends.append(one)
        return ends

    def kind(self, at: str, stop: int) -> str:
        return self.board.faces[at].stops[stop].kind

    def far_part(self, at: str, stop: int) -> int | None:
        """The other part of a city that a ferry joins."""
        for one, other in self.board.faces[at].ferry:
            if one >= _STOPS and stop + _STOPS in (one, other):
                return one + other - stop - 2 * _STOPS
        return None

    def lands(self, at: str, edge: int, stop: int) -> bool:
        """Whether the piece of track between an edge and a stop is a ferry."""
        return (edge, stop + _STOPS) in self.board.faces[at].ferry

    def full_for(self, at: str, stop: int) -> bool:
        """Whether only stations of floated foreign companies and markers stand on the spaces of a city's part."""
        if self.ignore_stations or self.kind(at, stop) != "city" or at in self.opens:
            return False
        return self._taken(at, stop)

    def _taken(self, at: str, stop: int) -> bool:
        tokens = self.board.state.stations[at][stop]
        if self.board.faces[at].stops[stop].open or self.company in self.board.state.beside.get(at, []):
            return False
        return bool(tokens) and all(token in (RIVAL, MARKER) for token in tokens)

    def closed_field(self, at: str, stop: int) -> bool:
        """Whether a foreign station on a red field keeps the company out."""
        if self.kind(at, stop) != "offboard":
            return False
        return self._taken(at, stop)

    def lets_through(self, visit: Visit) -> bool:
        """Whether a train may run through the parts of a stop that it touches."""
        if self.kind(visit.at, visit.parts[0]) == "offboard":
            return False
        return any(not self.full_for(visit.at, part) for part in visit.parts)

    def clash(self, one: Visit, other: Visit) -> bool:
        """Whether two visits are to the same town, city or area."""
        for part in one.parts:
            for second in other.parts:
                same_hex = one.at == other.at
                if same_hex and (part == second or self.far_part(one.at, part) == second):
                    return True
                if self.areas(one.at, part) & self.areas(other.at, second):
                    return True
        return False

    def areas(self, at: str, stop: int) -> set[str]:
        """The printed areas that a stop belongs to; a tile covers them."""
        if at in self.board.state.tiles:
            return set()
        return {name for name, stops in self.board.map.hexes[at].groups if stop in stops}

    def own_station(self, visit: Visit) -> bool:
        if self.company in self.board.state.beside.get(visit.at, []) and self.kind(visit.at, visit.parts[0]) != "town":
            return True
        return any(self.company in self.board.state.stations[visit.at][part] for part in visit.parts)


def _word(at: str, stop: int) -> str:
    return f"{at}:{'abcdef'[stop]}"


class _Walker:
    """Walks all trails with at most so many cities and red fields."""

    def __init__(self, ground: Ground, most_cities: int, patience: int) -> None:
        self.ground = ground
        self.most_cities = most_cities
        self.patience = patience
        self.found: list[Trail] = []

    def all(self) -> list[Trail]:
        for at, face in self.ground.board.faces.items():
            for stop in range(len(face.stops)):
                self.arrive(at, stop, (), (), frozenset())
        return self.found

    def arrive(self, at: str, stop: int, visits: Visits, words: Words, used: Used, landed: bool = False) -> None:
        visit = Visit(at, (stop,), landed)
        if self.ground.closed_field(at, stop) or any(self.ground.clash(visit, other) for other in visits):
            return
        visits = (*visits, visit)
        if sum(self.ground.kind(v.at, v.parts[0]) != "town" for v in visits) > self.most_cities:
            return
        self.stand(stop, visits, (*words, _word(at, stop)), used)

    def stand(self, stop: int, visits: Visits, words: Words, used: Used) -> None:
        """The train stands at a stop: it may end here, cross to the other bank, or run on."""
        self.patience -= 1
        if self.patience < 0:
            raise TooManyError
        if len(visits) > 1:
            self.found.append(Trail(words, visits, used))
        here = visits[-1]
        at = here.at
        far = self.ground.far_part(at, stop)
        if far is not None and not here.ferry:
            crossed = Visit(at, (stop, far))
            self.stand(far, (*visits[:-1], crossed), (*words, _word(at, far)), used | {_link(at, stop, far)})
        if len(visits) > 1 and not self.ground.lets_through(here):
            return
        for end in self.ground.onward(at, stop + _STOPS):
            if end < _STOPS:
                landed = here.landed or self.ground.lands(at, end, stop)
                self.roll(at, end, (*visits[:-1], replace(here, landed=landed)), words, used)
            elif end - _STOPS != far:
                link = _link(at, stop, end - _STOPS)
                if link not in used:
                    self.arrive(at, end - _STOPS, visits, words, used | {link})

    def roll(self, at: str, edge: int, visits: Visits, words: Words, used: Used) -> None:
        """The train leaves a hex over an edge."""
        other = self.ground.across(at, edge)
        border = frozenset({at, other})
        if other is None or border in used:
            return
        for end in self.ground.onward(other, (edge + 3) % 6):
            if end < _STOPS:
                self.roll(other, end, visits, (*words, other), used | {border})
            else:
                stop = end - _STOPS
                landed = self.ground.lands(other, (edge + 3) % 6, stop)
                self.arrive(other, stop, visits, words, used | {border}, landed)


def _link(at: str, one: int, other: int) -> tuple[object, ...]:
    return ("link", at, min(one, other), max(one, other))


def joined(ground: Ground, ones: Places, vias: Places, others: Places, apart: frozenset[str], patience: int) -> bool:
    """Whether a way that uses no track twice leads from one place over a second to a third; red fields only end it."""
    left = patience

    def stand(at: str, stop: int, used: Used, over: bool) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooManyError
        over = over or (at, stop) in vias
        if over and (at, stop) in others:
            return True
        if used and ground.kind(at, stop) == "offboard":
            return False
        return any(leave(at, stop, end, used, over) for end in ground.onward(at, stop + _STOPS))

    def leave(at: str, stop: int, end: int, used: Used, over: bool) -> bool:
        if end < _STOPS:
            return roll(at, end, used, over)
        link = _link(at, stop, end - _STOPS)
        if link in used or (at in apart and ground.far_part(at, stop) == end - _STOPS):
            return False
        return stand(at, end - _STOPS, used | {link}, over)

    def roll(at: str, edge: int, used: Used, over: bool) -> bool:
        other = ground.across(at, edge)
        border = frozenset({at, other})
        if other is None or border in used:
            return False
        for end in ground.onward(other, (edge + 3) % 6):
            if end < _STOPS:
                if roll(other, end, used | {border}, over):
                    return True
            elif stand(other, end - _STOPS, used | {border}, over):
                return True
        return False

    return any(stand(at, stop, frozenset(), False) for at, stop in ones)


def trails(scene: Scene, opens: frozenset[str] = frozenset(), patience: int = 4000) -> list[Trail]:
    """Every trail that touches a station of the company, in both directions, for a train to which hexes are open."""
    ground = Ground(scene.board, opens=opens)
    longest = max(kind.reach for kind in scene.kinds.values())
    walked = _Walker(ground, longest, patience).all()
    return [trail for trail in walked if any(ground.own_station(visit) for visit in trail.visits)]


# ------------------------------------------------------------------ what a train may run and earns


def _income(scene: Scene, visit: Visit) -> int:
    face = scene.board.faces[visit.at]
    if visit.ferry or visit.landed:
        return face.ferry_value
    amount = 0
    for since, value in face.stops[visit.parts[0]].revenue:
        if _COLOURS.index(since) <= _COLOURS.index(scene.colour):
            amount = value
    return amount


def _fits(scene: Scene, kind: TrainKind, visits: Visits) -> bool:
    """Whether the train is long enough and may end and pass where the trail does."""
    towns = [scene.board.faces[visit.at].stops[visit.parts[0]].kind == "town" for visit in visits]
    end_towns = towns[0] + towns[-1]
    if end_towns and not kind.town_ends:
        return False
    if any(visit.at in kind.closed for visit in visits[1:-1]):
        return False
    if kind.needs and visits[0].at not in kind.needs and visits[-1].at not in kind.needs:
        return False
    cities = len(visits) - sum(towns)
    counted = {"stops": len(visits), "ends": cities + end_towns, "cities": cities}[kind.counts]
    return counted <= kind.reach


def earned(scene: Scene, kind: TrainKind, trail: Trail) -> int | None:
    """What a train earns on a trail, or None if it may not run there."""
    visits = trail.visits
    if not _fits(scene, kind, visits) or (kind.hex_once and _comes_again(trail.words)):
        return None
    total = sum(_income(scene, visit) for visit in visits)
    coal = sum(any((visit.at, part) in scene.coal for part in visit.parts) for visit in visits)
    steel = sum(any((visit.at, part) in scene.steel for part in visit.parts) for visit in visits)
    total += kind.pair * min(coal, steel, kind.pairs)
    ends = (visits[0].at, visits[-1].at)
    if any(a in scene.east and b in scene.west for a, b in (ends, ends[::-1])):
        total += kind.across
        if kind.doubles:
            total += sum(_income(scene, visit) for visit in visits if visit.at in scene.rhine)
    if set(ends) & scene.east and any(visit.at in scene.rhine for visit in visits):
        total += CUBE * kind.cubes
    return total


def _comes_again(words: Words) -> bool:
    """Whether a way comes to a hex that it has left."""
    hexes = [word.partition(":")[0] for word in words]
    left = set()
    for number, at in enumerate(hexes[:-1]):
        if hexes[number + 1] != at:
            left.add(at)
        if hexes[number + 1] in left:
            return True
    return False


@dataclass(frozen=True)
class Run:
    """A legal route of a train."""

    words: Words
    value: int
    used: Used


def runs(scene: Scene) -> dict[str, list[Run]]:
    """All legal routes of each type of train."""
    result: dict[str, list[Run]] = {name: [] for name in scene.kinds}
    every: dict[frozenset[str], list[Trail]] = {}
    for name, kind in scene.kinds.items():
        if kind.opens not in every:
            every[kind.opens] = trails(scene, kind.opens)
        for trail in every[kind.opens]:
            value = earned(scene, kind, trail)
            if value is not None:
                result[name].append(Run(trail.words, value, trail.used))
    return result


def affordable(scene: Scene, legal: dict[str, list[Run]], most: int = 100_000) -> tuple[str, ...]:
    """As many of the scene's trains, from the first on, as all combinations can be tried for."""
    product, trains = 1, []
    for train in scene.trains:
        product *= 1 + len({run.used for run in legal[train]})
        if product > most and trains:
            break
        trains.append(train)
    return tuple(trains)


def best_sets(legal: dict[str, list[Run]], trains: tuple[str, ...]) -> tuple[int, int, int]:
    """By trying every combination: the highest income; and the most trains, with their highest income."""
    worth: dict[str, dict[Used, int]] = {}
    for name in set(trains):
        worth[name] = {}
        for run in legal[name]:  # of routes over the same track, one of the best
            worth[name][run.used] = max(run.value, worth[name].get(run.used, 0))
    richest, most = 0, (0, 0)
    for count, value in _combinations(worth, trains, frozenset()):
        richest = max(richest, value)
        most = max(most, (count, value))
    return richest, *most


def _combinations(worth: dict[str, dict[Used, int]], trains: tuple[str, ...], taken: Used) -> Iterator[tuple[int, int]]:
    """Number and income of the trains of every set of routes that share no track."""
    if not trains:
        yield 0, 0
        return
    yield from _combinations(worth, trains[1:], taken)
    for used, value in worth[trains[0]].items():
        if used.isdisjoint(taken):
            for count, income in _combinations(worth, trains[1:], taken | used):
                yield count + 1, income + value


# ------------------------------------------------------------------ what a network leads to


class Spread:
    """All borders and stops that walks from the starts lead to, no border or link used twice on a walk.

    A walk may come to a stop more than once, to a hex too unless `hex_once`; it never runs through a red field or a
    full city.
    """

    def __init__(self, ground: Ground, starts: list[tuple[str, int]], patience: int, *, hex_once: bool = False) -> None:
        self.ground = ground
        self.hex_once = hex_once
        self.patience = patience
        self.entered: set[tuple[str, int]] = set()
        self.stops: set[tuple[str, int]] = set()
        self._known: set[tuple[object, ...]] = set()
        for at, stop in starts:
            self.stops.add((at, stop))
            self._leave(at, stop, frozenset())
            self._ferry(at, stop, frozenset())

    def _new(self, *state: object) -> bool:
        """Whether a state of the walk is new; what follows depends on nothing else."""
        if state in self._known:
            return False
        self._known.add(state)
        if len(self._known) > self.patience:
            raise TooManyError
        return True

    def _arrive(self, at: str, stop: int, used: Used) -> None:
        self.stops.add((at, stop))
        if self.ground.lets_through(Visit(at, (stop,))):
            self._leave(at, stop, used)
        far = self.ground.far_part(at, stop)
        if far is not None and self.ground.lets_through(Visit(at, (stop, far))):
            self._ferry(at, stop, used)

    def _ferry(self, at: str, stop: int, used: Used) -> None:
        far = self.ground.far_part(at, stop)
        if far is not None and _link(at, stop, far) not in used:
            self.stops.add((at, far))
            self._leave(at, far, used | {_link(at, stop, far)})

    def _leave(self, at: str, stop: int, used: Used) -> None:
        if not self._new(at, stop, used):
            return
        for end in self.ground.onward(at, stop + _STOPS):
            if end < _STOPS:
                self._roll(at, end, used)
            elif end - _STOPS != self.ground.far_part(at, stop):
                link = _link(at, stop, end - _STOPS)
                if link not in used:
                    self._arrive(at, end - _STOPS, used | {link})

    def _roll(self, at: str, edge: int, used: Used) -> None:
        other = self.ground.across(at, edge)
        border = frozenset({at, other})
        if other is None or border in used or not self._new(at, "edge", edge, used):
            return
        if self.hex_once and any(other in seen for seen in used if isinstance(seen, frozenset)):
            return
        self.entered.add((other, (edge + 3) % 6))
        for end in self.ground.onward(other, (edge + 3) % 6):
            if end < _STOPS:
                self._roll(other, end, used | {border})
            else:
                self._arrive(other, end - _STOPS, used | {border})
