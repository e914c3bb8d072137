"""Track on a map: what is to be seen on each hex, where it leads, and what is reached on it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Generic

from workshop.referees.common import hexes
from workshop.referees.common.hexes import D, End, Facts, Layout, Place, Side, Stop, turned

#: So many steps a search for another way takes at most; what it has not found then counts as not reached.
MOST = 500
#: A way that uses a piece of track twice.
TWICE = -1


@dataclass
class Net(Generic[D]):
    """Tiles and spaces on the map."""

    layout: ClassVar[Layout]
    sheet: Facts[D]
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: Spaces of the stops of a hex: who lies there, or nothing.
    spaces: dict[str, list[list[str]]] = field(default_factory=dict)
    supply: dict[str, int] = field(default_factory=dict)
    _drawn: dict[str, D] = field(default_factory=dict)
    _reached: dict[str, tuple[set[Place], set[Side]]] = field(default_factory=dict)

    def stations(self, company: str) -> list[Place]:
        """The stops from which a company's ways begin."""
        raise NotImplementedError

    def blocks(self, place: Place, company: str) -> bool:
        """Whether a company's ways end at a stop."""
        raise NotImplementedError

    def drawn(self, at: str) -> D:
        """What is to be seen on a hex now."""
        if at not in self._drawn:
            name, rotation = self.tiles.get(at, ("", 0))
            self._drawn[at] = turned(self.sheet.tiles[name], rotation) if name else self.sheet.hexes[at]
        return self._drawn[at]

    def stop(self, place: Place) -> Stop:
        return self.drawn(place[0]).stops["abc".index(place[1])]

    def kind(self, place: Place) -> str:
        return self.stop(place).kind

    def names(self, place: Place) -> list[str]:
        """Who lies at a stop."""
        return self.spaces[place[0]]["abc".index(place[1])]

    def put(self, at: str, name: str, rotation: int) -> None:
        """Put a tile on a hex; what lay there goes back to the supply."""
        if at in self.tiles:
            self.supply[self.tiles[at][0]] += 1
        self.supply[name] -= 1
        self.tiles[at] = (name, rotation)
        self._drawn.pop(at, None)
        self.changed()

    def changed(self) -> None:
        """Something was laid or placed: what was reached must be looked up anew."""
        self._reached.clear()

    # ------------------------------------------------------------------ walking

    def ways(self, at: str, end: End) -> tuple[End, ...]:
        """Where track leads from an end within a hex."""
        return hexes.ways(self.drawn(at), end)

    def reach(self, company: str) -> tuple[set[Place], set[Side]]:
        """What a company reaches from its stations without passing what blocks it."""
        if company not in self._reached:
            self._reached[company] = self.walk(self.stations(company), lambda place: not self.blocks(place, company))
        return self._reached[company]

    def walk(self, starts: Collection[Place], passes: Callable[[Place], bool]) -> tuple[set[Place], set[Side]]:
        """The stops reached on track from others, and the sides by which hexes are entered.

        No piece of track is used twice on one way: where the first way that is found does so, another is looked for.
        """
        known: dict[Side, list[tuple[Side, int]]] = {}

        def onward(side: Side) -> list[tuple[Side, int]]:
            if side not in known:
                known[side] = [self._over(side[0], out) for out in self._out(side, starts, passes)]
            return known[side]

        first = [self._over(at, out) for at, letter in starts for out in self.sides_from(at, letter)]
        crossed: dict[Side, int] = dict(first)
        todo: deque[Side] = deque(crossed)
        while todo:
            side = todo.popleft()
            used = crossed[side]
            for other, bit in onward(side):
                plain = used != TWICE and not used & bit
                if other not in crossed or (plain and crossed[other] == TWICE):
                    crossed[other] = used | bit if plain else TWICE
                    todo.append(other)
        entered = {side for side, used in crossed.items() if used != TWICE or self._another(side, first, onward)}
        places = {(at, end) for at, side in entered if at in self.sheet.hexes for end in self.ways(at, side)}
        return {(at, end) for at, end in places if isinstance(end, str)} | set(starts), entered

    def sides_from(self, at: str, letter: str) -> Iterator[int]:
        """The sides by which one leaves a stop."""
        return (out for out in self.ways(at, letter) if isinstance(out, int))

    def _over(self, at: str, side: int) -> tuple[Side, int]:
        """The hex that is entered over a side, and the border."""
        return self.layout.across((at, side)), self.layout.bit((at, side))

    def _out(self, side: Side, starts: Collection[Place], passes: Callable[[Place], bool]) -> Iterator[int]:
        """By which sides a hex that was entered is left, through a stop or beside it; never the way it came."""
        at, came = side
        if at not in self.sheet.hexes:
            return
        for way in self.ways(at, came):
            if isinstance(way, int):
                yield way
            elif (at, way) in starts or passes((at, way)):
                yield from (out for out in self.ways(at, way) if isinstance(out, int) and out != came)

    def _another(
        self,
        goal: Side,
        first: Iterable[tuple[Side, int]],
        onward: Callable[[Side], Iterable[tuple[Side, int]]],
    ) -> bool:
        """Whether some way to a goal uses no track twice, looked for one by one, as far as that is practical."""
        steps = 0
        # The border by which the goal is entered is the last of its way.
        last = self.layout.bit(goal)

        def leads(side: Side, used: int) -> bool:
            """Whether the goal may still be reached at all."""
            seen, todo = {side}, [side]
            while todo:
                for other, bit in onward(todo.pop()):
                    if other == goal:
                        return True
                    if other not in seen and not bit & used:
                        seen.add(other)
                        todo.append(other)
            return False

        def search(side: Side, used: int) -> bool:
            nonlocal steps
            steps += 1
            if steps > MOST or not leads(side, used):
                return False
            return any(other == goal or (not bit & used and search(other, used | bit)) for other, bit in onward(side))

        return any(side == goal or (bit != last and search(side, bit | last)) for side, bit in first)
