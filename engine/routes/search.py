"""The search for one train's routes: a walk from the company's stations over legs, cut off where it cannot pay."""

from __future__ import annotations

from collections.abc import Callable

from engine.board.board import Board
from engine.board.faces import OFFBOARD, TOWN, stop_letter
from engine.routes.legs import Leg, LegBook, Node
from engine.routes.model import TrainRules

#: A route as the search has found it: its value, the track it uses, and the chain of its legs.
Found = tuple[int, int, object]


class Spot:
    """A stop as the search sees it: everything that does not change during the search."""

    __slots__ = ("barred", "claims", "kind_city", "legs", "mark", "may_end", "node", "partner", "through", "value")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.legs: tuple[tuple[Leg, Spot], ...] | None = None
        self.partner: Spot | None = None
        self.value = self.mark = self.claims = 0
        self.kind_city = self.barred = self.through = self.may_end = False


#: A way continues from a spot: legs, change of value and mark, bits used by a ferry, the part touched.
Way = tuple[tuple[tuple[Leg, Spot], ...], int, int, int, Spot]


class Search:
    """All legal routes of one train, or the best of them, by depth-first search with bounds."""

    def __init__(self, rules: TrainRules, book: LegBook, pulse: Pulse) -> None:
        self.rules = rules
        self.book = book
        self.board = rules.board
        self.pulse = pulse
        self.spots: dict[Node, Spot] = {}
        self.group_bits: dict[str, int] = {}
        self.next_bit = 0
        self.starts = [self.spot(node) for node in rules.starts()]
        self.city_sums: list[int] = []
        self.town_sums: list[int] = []
        self._headroom: dict[tuple[int, int], int] = {}

    def _bounds(self) -> None:
        """What cities and towns can bring at most; looked at once, and only where the best route is sought."""
        self._reachable()
        values = sorted((max(s.value, 0) for s in self.spots.values() if s.kind_city), reverse=True)
        self.city_sums = [0]
        for value in values:
            self.city_sums.append(self.city_sums[-1] + value)
        values = sorted((s.value for s in self.spots.values() if not s.kind_city), reverse=True)
        self.town_sums = [0]
        for value in values:
            self.town_sums.append(self.town_sums[-1] + value)

    def headroom(self, cities: int, towns: int) -> int:
        """The most that further stops can earn for a route with so many."""
        found = self._headroom.get((cities, towns))
        if found is None:
            within = self.rules.within
            found = self.rules.bonus_bound
            for more, earned in enumerate(self.city_sums):
                if not within(cities + more, towns, 0):
                    break
                low, high = 0, len(self.town_sums) - 1
                while low < high:
                    middle = (low + high + 1) // 2
                    if within(cities + more, towns + middle, 0):
                        low = middle
                    else:
                        high = middle - 1
                found = max(found, earned + self.town_sums[low] + self.rules.bonus_bound)
            self._headroom[cities, towns] = found
        return found

    def spot(self, node: Node) -> Spot:
        found = self.spots.get(node)
        if found is None:
            found = self.spots[node] = Spot(node)
            self._fill(found)
        return found

    def _fill(self, spot: Spot) -> None:
        board, rules = self.board, self.rules
        at, stop = spot.node
        kind = board.faces[at].stops[stop].kind
        spot.kind_city = kind != TOWN
        spot.value, spot.mark = rules.worth(spot.node, False)
        spot.barred = rules.barred(spot.node)
        spot.through = kind != OFFBOARD and board.open_for(rules.company, at, stop)
        spot.may_end = rules.may_end(spot.node)
        spot.claims = 1 << self.next_bit
        self.next_bit += 1
        for name in rules.groups(spot.node):
            bit: int | None = self.group_bits.get(name)
            if bit is None:
                bit = self.group_bits[name] = 1 << self.next_bit
                self.next_bit += 1
            spot.claims |= bit
        partner = board.partner(at, stop)
        if partner is not None:
            spot.partner = self.spot((at, partner))

    def _legs(self, spot: Spot) -> tuple[tuple[Leg, Spot], ...]:
        if spot.legs is None:
            spot.legs = tuple((leg, self.spot(leg.to)) for leg in self.book.legs(spot.node))
        return spot.legs

    def _reachable(self) -> None:
        """Visit every spot that the search can meet, so that its bounds know all values."""
        queue = list(self.starts)
        seen = {id(spot) for spot in queue}
        while queue:
            spot = queue.pop()
            following = [target for _, target in self._legs(spot)]
            if spot.partner is not None:
                following.append(spot.partner)
            for target in following:
                if id(target) not in seen:
                    seen.add(id(target))
                    queue.append(target)

    def ways(self, spot: Spot, *, begin: bool = False) -> list[Way]:
        """How a train may go on from a stop it has entered, or from one where its route begins."""
        if not begin and not self.rules.may_pass(spot.node):
            return []
        result: list[Way] = []
        partner = spot.partner
        if begin or spot.through:
            result.append((self._legs(spot), 0, 0, 0, spot))
        if partner is not None and (begin or spot.through or partner.through):
            value, mark = self.rules.worth(spot.node, True)
            bit = self.book.ferry_bit(spot.node[0])
            result.append((self._legs(partner), value - spot.value, mark - spot.mark, bit, partner))
        return result

    def run(self, taken: int, floor: int, *, keep: bool, first: bool = False) -> list[Found]:
        """Routes worth more than `floor` that avoid the `taken` track, as (value, mask, chain).

        With `keep` all of them, otherwise each better than the one before; with `first` one is enough.
        """
        rules = self.rules
        found: list[Found] = []
        if not first and not self.city_sums:
            self._bounds()
        # Where any route will do, nothing is pruned.
        headroom: Callable[[int, int], int] = (lambda cities, towns: 0) if first else self.headroom
        within, pulse = rules.within, self.pulse
        banned: set[Spot] = set()
        ways_of: dict[Spot, list[Way]] = {}

        def ways(spot: Spot) -> list[Way]:
            result = ways_of.get(spot)
            if result is None:
                result = ways_of[spot] = self.ways(spot)
            return result

        def finish(
            one: Spot, other: Spot, mask: int, cities: int, towns: int, value: int, mark: int, chain: object
        ) -> None:
            nonlocal floor
            if not (one.may_end and other.may_end):
                return
            if rules.needs_two_hexes and one.node[0] == other.node[0] and _on_one_hex(one.node[0], chain):
                return
            ends = (not one.kind_city) + (not other.kind_city)
            if not within(cities, towns - ends, ends) or not rules.allows(one.node, other.node):
                return
            total = value + rules.bonus(mark, one.node, other.node)
            if total > floor:
                found.append((total, mask, chain))
                if not keep:
                    floor = total

        # `end` is the far end of the first arm (the start itself while there is none); `order` numbers the
        # first leg of the first arm, so that each pair of arms is met once.
        def go(
            spot: Spot,
            mask: int,
            claims: int,
            cities: int,
            towns: int,
            value: int,
            mark: int,
            chain: object,
            start: Spot,
            end: Spot | None,
            order: int,
        ) -> None:
            if pulse.stop or (first and found):
                return
            pulse.beat()
            if end is None:
                finish(start, spot, mask, cities, towns, value, mark, chain)
            else:
                finish(end, spot, mask, cities, towns, value, mark, chain)
            if value + headroom(cities, towns) <= floor:
                return
            if end is None:
                second_arm(start, spot, mask, claims, cities, towns, value, mark, chain, order)
            for legs, more, marks, bits, touched in ways(spot):
                if mask & bits or (touched in banned):
                    continue
                for leg, target in legs:
                    if mask & leg.mask or claims & target.claims or target.barred or target in banned:
                        continue
                    c = cities + target.kind_city
                    t = towns + (not target.kind_city)
                    if not within(c, t, 0) and not within(c, t - 1, 1):
                        continue
                    go(
                        target,
                        mask | leg.mask | bits,
                        claims | target.claims,
                        c,
                        t,
                        value + more + target.value,
                        mark + marks + target.mark,
                        (chain, bits, leg),
                        start,
                        end,
                        order,
                    )

        def first_legs(way: list[Way]) -> list[tuple[Leg, Spot, int, int, int]]:
            return [(leg, target, more, marks, bits) for legs, more, marks, bits, _ in way for leg, target in legs]

        def second_arm(
            start: Spot,
            end: Spot,
            mask: int,
            claims: int,
            cities: int,
            towns: int,
            value: int,
            mark: int,
            chain: object,
            order: int,
        ) -> None:
            legs = first_legs(ways(start))
            for number in range(order + 1, len(legs)):
                leg, target, more, marks, bits = legs[number]
                if mask & leg.mask or mask & bits or claims & target.claims:
                    continue
                if target.barred or target in banned:
                    continue
                c = cities + target.kind_city
                t = towns + (not target.kind_city)
                if not within(c, t, 0) and not within(c, t - 1, 1):
                    continue
                go(
                    target,
                    mask | leg.mask | bits,
                    claims | target.claims,
                    c,
                    t,
                    value + more + target.value,
                    mark + marks + target.mark,
                    (chain, start.node, bits, leg),
                    start,
                    end,
                    order,
                )

        for start in self.starts:
            if start.barred:
                continue
            single = first_legs(self.ways(start, begin=True))
            for order, (leg, target, more, marks, bits) in enumerate(single):
                if leg.mask & taken or bits & taken or target.barred or target in banned:
                    continue
                if start.claims & target.claims:
                    continue
                cities = start.kind_city + target.kind_city
                towns = 2 - cities
                if not within(cities, towns, 0) and not within(cities, 0, towns):
                    continue
                go(
                    target,
                    taken | leg.mask | bits,
                    start.claims | target.claims,
                    cities,
                    towns,
                    start.value + more + target.value,
                    start.mark + marks + target.mark,
                    (start.node, bits, leg),
                    start,
                    None,
                    order,
                )
            banned.add(start)
        return [(value, mask & ~taken, chain) for value, mask, chain in found]


class Pulse:
    """Counts search steps and asks now and then whether to stop."""

    def __init__(self, enough: Callable[[], bool] | None) -> None:
        self.enough = enough
        self.nodes = 0
        self.stop = False

    def beat(self) -> None:
        self.nodes += 1
        if self.enough is not None and not self.nodes & 127 and self.enough():
            self.stop = True


def _on_one_hex(at: str, chain: object) -> bool:
    """Whether a search result that begins and ends on a hex has no stop elsewhere."""
    while isinstance(chain, tuple) and len(chain) > 2:
        if chain[-1].to[0] != at:
            return False
        chain = chain[0]
    assert isinstance(chain, tuple)
    return bool(chain[0] == at)


def path_of(board: Board, chain: object) -> tuple[str, ...]:
    """The path of a search result: from the far end of the first arm over the start to the other end."""
    arms: list[list[tuple[int, Leg]]] = [[]]
    start: Node | None = None
    item = chain
    while True:
        assert isinstance(item, tuple)
        if len(item) == 4:  # a second arm begins at the start
            item, start, bits, leg = item
            arms[-1].append((bits, leg))
            arms.append([])
            continue
        before, bits, leg = item
        arms[-1].append((bits, leg))
        if isinstance(before, tuple) and len(before) == 2 and isinstance(before[0], str):
            start = before
            break
        item = before
    assert start is not None

    def walk(arm: list[tuple[int, Leg]]) -> list[str]:
        here: Node = start
        names: list[str] = []
        for bits, leg in reversed(arm):
            if bits:
                partner = board.partner(*here)
                assert partner is not None
                names.append(f"{here[0]}:{stop_letter(partner)}")
            names.extend(leg.via)
            names.append(f"{leg.to[0]}:{stop_letter(leg.to[1])}")
            here = leg.to
        return names

    middle = [f"{start[0]}:{stop_letter(start[1])}"]
    if len(arms) == 1:
        return tuple(middle + walk(arms[0]))
    second, first = arms
    return tuple(list(reversed(walk(first))) + middle + walk(second))


def undominated(routes: list[Found]) -> list[Found]:
    """Best first, without routes for whose track a better or equal one needs less."""
    routes.sort(key=lambda route: -route[0])
    kept: list[Found] = []
    masks: list[int] = []
    for route in routes:
        mask = route[1]
        if any(other & ~mask == 0 for other in masks):
            continue
        kept.append(route)
        masks.append(mask)
    return kept
