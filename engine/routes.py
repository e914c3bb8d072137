"""Routes: whether one is legal and what it earns, and the exact best set for all trains of a company."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.board import Board
from engine.errors import Refused
from engine.faces import CITY, FIRST_STOP, OFFBOARD, TOWN, stop_letter
from engine.legs import Leg, LegBook, Node


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

    def may_pass(self, node: Node) -> bool:
        """A ban on running through a stop, beyond the stations in it."""
        return True

    def may_end(self, node: Node) -> bool:
        """Whether a route may end at a stop."""
        return True

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        """Income and mark of a stop on the way."""
        at, stop = node
        face = self.board.faces[at]
        return (face.ferry_value if ferry else face.stops[stop].value(self.colour)), 0

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        """What the route earns beyond its stops."""
        return 0

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        """The same, item by item."""
        amount = self.bonus(mark, one, other)
        return [Part("bonus", amount)] if amount else []

    def allows(self, one: Node, other: Node) -> bool:
        """A title's condition on the two ends of a route."""
        return True

    def has_own_station(self, node: Node) -> bool:
        return self.company in self.board.state.stations[node[0]][node[1]]

    def starts(self) -> list[Node]:
        """The stops one of which every route must touch."""
        return self.board.stations_of(self.company)


class _Spot:
    """A stop as the search sees it: everything that does not change during the search."""

    __slots__ = ("barred", "claims", "kind_city", "legs", "mark", "may_end", "node", "partner", "through", "value")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.legs: tuple[tuple[Leg, _Spot], ...] | None = None
        self.partner: _Spot | None = None
        self.value = self.mark = self.claims = 0
        self.kind_city = self.barred = self.through = self.may_end = False


#: A train and the route chosen for it: value, mask, chain.
_Pick = tuple[str, tuple[int, int, object]]

#: A way continues from a spot: legs, change of value and mark, bits used by a ferry, the part touched.
_Way = tuple[tuple[tuple[Leg, _Spot], ...], int, int, int, _Spot]


class _Search:
    """All legal routes of one train, or the best of them, by depth-first search with bounds."""

    def __init__(self, rules: TrainRules, book: LegBook, pulse: _Pulse) -> None:
        self.rules = rules
        self.book = book
        self.board = rules.board
        self.pulse = pulse
        self.spots: dict[Node, _Spot] = {}
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

    def spot(self, node: Node) -> _Spot:
        found = self.spots.get(node)
        if found is None:
            found = self.spots[node] = _Spot(node)
            self._fill(found)
        return found

    def _fill(self, spot: _Spot) -> None:
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

    def _legs(self, spot: _Spot) -> tuple[tuple[Leg, _Spot], ...]:
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

    def ways(self, spot: _Spot, *, begin: bool = False) -> list[_Way]:
        """How a train may go on from a stop it has entered, or from one where its route begins."""
        if not begin and not self.rules.may_pass(spot.node):
            return []
        result: list[_Way] = []
        partner = spot.partner
        if begin or spot.through:
            result.append((self._legs(spot), 0, 0, 0, spot))
        if partner is not None and (begin or spot.through or partner.through):
            value, mark = self.rules.worth(spot.node, True)
            bit = self.book.ferry_bit(spot.node[0])
            result.append((self._legs(partner), value - spot.value, mark - spot.mark, bit, partner))
        return result

    def run(self, taken: int, floor: int, *, keep: bool, first: bool = False) -> list[tuple[int, int, object]]:
        """Routes worth more than `floor` that avoid the `taken` track, as (value, mask, chain).

        With `keep` all of them, otherwise each better than the one before; with `first` one is enough.
        """
        rules = self.rules
        found: list[tuple[int, int, object]] = []
        if not first and not self.city_sums:
            self._bounds()
        # Where any route will do, nothing is pruned.
        headroom: Callable[[int, int], int] = (lambda cities, towns: 0) if first else self.headroom
        within, pulse = rules.within, self.pulse
        banned: set[_Spot] = set()
        ways_of: dict[_Spot, list[_Way]] = {}

        def ways(spot: _Spot) -> list[_Way]:
            result = ways_of.get(spot)
            if result is None:
                result = ways_of[spot] = self.ways(spot)
            return result

        def finish(one: _Spot, other: _Spot, mask: int, cities: int, towns: int, value: int, mark: int,
                   chain: object) -> None:
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
        def go(spot: _Spot, mask: int, claims: int, cities: int, towns: int, value: int, mark: int,
               chain: object, start: _Spot, end: _Spot | None, order: int) -> None:
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
                    go(target, mask | leg.mask | bits, claims | target.claims, c, t,
                       value + more + target.value, mark + marks + target.mark,
                       (chain, bits, leg), start, end, order)

        def first_legs(way: list[_Way]) -> list[tuple[Leg, _Spot, int, int, int]]:
            return [
                (leg, target, more, marks, bits) for legs, more, marks, bits, _ in way for leg, target in legs
            ]

        def second_arm(start: _Spot, end: _Spot, mask: int, claims: int, cities: int, towns: int,
                       value: int, mark: int, chain: object, order: int) -> None:
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
                go(target, mask | leg.mask | bits, claims | target.claims, c, t,
                   value + more + target.value, mark + marks + target.mark,
                   (chain, start.node, bits, leg), start, end, order)

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
                go(target, taken | leg.mask | bits, start.claims | target.claims, cities, towns,
                   start.value + more + target.value, start.mark + marks + target.mark,
                   (start.node, bits, leg), start, None, order)
            banned.add(start)
        return [(value, mask & ~taken, chain) for value, mask, chain in found]


class _Pulse:
    """Counts search steps and asks now and then whether to stop."""

    def __init__(self, enough: Callable[[], bool] | None) -> None:
        self.enough = enough
        self.nodes = 0
        self.stop = False

    def beat(self) -> None:
        self.nodes += 1
        if self.enough is not None and not self.nodes & 127 and self.enough():
            self.stop = True


def place_groups(board: Board, node: Node) -> Iterable[str]:
    """Names of the groups of stops of which a route may visit only one."""
    at, stop = node
    if board.partner(at, stop) is not None:
        yield f"{at} ferry"
    if at not in board.state.tiles:
        for name, stops in board.map.hexes[at].groups:
            if stop in stops:
                yield name


def _on_one_hex(at: str, chain: object) -> bool:
    """Whether a search result that begins and ends on a hex has no stop elsewhere."""
    while isinstance(chain, tuple) and len(chain) > 2:
        if chain[-1].to[0] != at:
            return False
        chain = chain[0]
    assert isinstance(chain, tuple)
    return bool(chain[0] == at)


def _path(board: Board, chain: object) -> tuple[str, ...]:
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


class Router:
    """Answers every question about a company's routes in a position."""

    def __init__(self, book: LegBook, rules: dict[str, TrainRules]) -> None:
        self.book = book
        self.board = book.board
        self.rules = rules

    # ------------------------------------------------------------------ the best set

    def best(
        self, trains: Sequence[str], *, as_many_as_possible: bool, enough: Callable[[], bool] | None = None
    ) -> RouteSet:
        """The most valuable set of routes, one for each train at most, that share no track.

        With `as_many_as_possible` only sets count that use the greatest possible number of trains.
        """
        pulse = _Pulse(enough)
        prize = 1_000_000 if as_many_as_possible else 0
        searches = {name: _Search(self.rules[name], self.book, pulse) for name in set(trains)}
        order = sorted(trains, key=lambda name: -self.rules[name].reach)
        best_alone: dict[str, tuple[int, int, object] | None] = {}
        for name, search in searches.items():
            found = search.run(0, -1, keep=False)
            best_alone[name] = found[-1] if found else None
        order = [name for name in order if best_alone[name] is not None]
        chosen: list[tuple[str, tuple[int, int, object]]] = []
        taken = 0
        for name in order:
            alone = best_alone[name]
            assert alone is not None
            if not alone[1] & taken:
                pick = alone
            else:
                found = searches[name].run(taken, -1, keep=False)
                if not found:
                    continue
                pick = found[-1]
            chosen.append((name, pick))
            taken |= pick[1]
        reached = sum(pick[0] + prize for _, pick in chosen)
        limit = sum((best_alone[name] or (0,))[0] + prize for name in order)
        if reached < limit and not pulse.stop:
            chosen = self._combine(order, searches, best_alone, chosen, reached, limit, prize, pulse)
        routes = tuple(self._route(name, pick) for name, pick in chosen)
        return RouteSet(routes, not pulse.stop, pulse.nodes)

    def _combine(
        self,
        order: list[str],
        searches: dict[str, _Search],
        best_alone: dict[str, tuple[int, int, object] | None],
        chosen: list[tuple[str, tuple[int, int, object]]],
        reached: int,
        limit: int,
        prize: int,
        pulse: _Pulse,
    ) -> list[tuple[str, tuple[int, int, object]]]:
        """Branch and bound over all routes that can be part of a better set than the one at hand."""
        tops = [(best_alone[name] or (0, 0, None))[0] + prize for name in order]
        lists: dict[str, list[tuple[int, int, object]]] = {}
        for name, top in zip(order, tops, strict=True):
            if name not in lists:
                floor = max(reached - (limit - top) - prize, -1)
                lists[name] = _undominated(searches[name].run(0, floor, keep=True))
        rest = [sum(tops[index:]) for index in range(len(tops) + 1)]
        best = list(chosen)

        def branch(index: int, begin: int, taken: int, value: int, picks: list[_Pick]) -> None:
            nonlocal reached, best
            if value > reached:
                reached, best = value, list(picks)
            if index == len(order) or pulse.stop or value + rest[index] <= reached:
                return
            name = order[index]
            same_next = index + 1 < len(order) and order[index + 1] == name
            options = lists[name]
            for number in range(begin, len(options)):
                pick = options[number]
                if value + pick[0] + prize + rest[index + 1] <= reached:
                    break
                pulse.beat()
                if pulse.stop:
                    return
                if not pick[1] & taken:
                    picks.append((name, pick))
                    branch(index + 1, number + 1 if same_next else 0, taken | pick[1], value + pick[0] + prize, picks)
                    picks.pop()
            following = index + 1
            while following < len(order) and order[following] == name:
                following += 1
            branch(following, 0, taken, value, picks)

        branch(0, 0, 0, 0, [])
        return best

    def _route(self, train: str, pick: tuple[int, int, object]) -> Route:
        return self.trace(train, _path(self.board, pick[2]))

    def any_route(self, train: str) -> bool:
        """Whether this type of train could run at all."""
        pulse = _Pulse(None)
        return bool(_Search(self.rules[train], self.book, pulse).run(0, -1, keep=True, first=True))

    # ------------------------------------------------------------------ one given route

    def trace(self, train: str, path: Sequence[str]) -> Route:
        """The route along a path of hexes and stops, checked in full; Refused if it is not legal."""
        rules = self.rules[train]
        board = self.board
        nodes = [_parse(board, word) for word in path]
        if len(nodes) < 2 or nodes[0][1] is None or nodes[-1][1] is None:
            raise Refused("route.least", "a route begins and ends at a city, a town or an off-board field")
        mask = self._track_mask(nodes)
        visits: list[tuple[Node, bool, tuple[Node, ...]]] = []  # stop, by ferry, parts touched
        for number, (at, stop) in enumerate(nodes):
            if stop is None:
                continue
            node = (at, stop)
            if number and nodes[number - 1] == (at, board.partner(at, stop)):
                entered = visits[-1][0]
                visits[-1] = (entered, True, (entered, node))
            else:
                visits.append((node, False, (node,)))
        self._check(rules, visits)
        mark = 0
        parts = []
        for node, ferry, _ in visits:
            amount, add = rules.worth(node, ferry)
            mark += add
            parts.append(Part(f"{node[0]}:{stop_letter(node[1])}", amount))
        one, other = visits[0][0], visits[-1][0]
        if not rules.allows(one, other):
            raise Refused("route.ends", f"a {train}-train may not run between {one[0]} and {other[0]}")
        parts += rules.bonus_parts(mark, one, other)
        return Route(train, tuple(path), sum(part.amount for part in parts), tuple(parts), mask)

    def _track_mask(self, nodes: list[tuple[str, int | None]]) -> int:
        """Follow the track from node to node; every border and ferry at most once."""
        board = self.board
        mask = 0
        entered: int | None = None
        for (at, stop), (to, to_stop) in pairwise(nodes):
            face = board.faces[at]
            if at == to:
                if stop is None or to_stop is None:
                    raise Refused("route.track", f"there is no such track on {at}")
                joined = (min(stop, to_stop) + 6, max(stop, to_stop) + 6)
                if joined not in face.track_set:
                    raise Refused("route.track", f"no track joins the two stops on {at}")
                bit = self.book.ferry_bit(at) if joined in face.ferry else board.map.link_bit(at, 0)
                entered = None
            else:
                edges = [edge for edge, other in enumerate(board.map.neighbours[at]) if other == to]
                if not edges:
                    raise Refused("route.track", f"{at} and {to} do not adjoin")
                edge = edges[0]
                here = entered if stop is None else 6 + stop
                if here is None or edge not in face.links[here]:
                    ends = face.links[here] if stop is None and here is not None else ()
                    if any(end >= FIRST_STOP for end in ends):
                        raise Refused("route.skip", f"{at} is a stop and may not be skipped")
                    raise Refused("route.track", f"no track leads from {at} to {to}")
                bit = board.map.sides[at][edge]
                entered = (edge + 3) % 6
                if to_stop is not None and 6 + to_stop not in board.faces[to].links[entered]:
                    raise Refused("route.track", f"no track leads from {at} to {to}:{stop_letter(to_stop)}")
            if mask & bit:
                raise Refused("route.twice", f"track between {at} and {to} is used twice")
            mask |= bit
        return mask

    def _check(self, rules: TrainRules, visits: list[tuple[Node, bool, tuple[Node, ...]]]) -> None:
        board = self.board
        if len(visits) < 2 or (rules.needs_two_hexes and len({node[0] for node, _, _ in visits}) < 2):
            raise Refused("route.least", "a route joins at least two income hexes")
        if not any(part in rules.starts() for _, _, parts in visits for part in parts):
            raise Refused("route.station", f"the route touches no station of {rules.company}")
        seen: set[object] = set()
        cities = towns = 0
        for number, (node, ferry, _) in enumerate(visits):
            at, stop = node
            kind = board.faces[at].stops[stop].kind
            names: list[object] = [node, *rules.groups(node)]
            if any(name in seen for name in names):
                raise Refused("route.stop_twice", f"the route visits {at} or its area twice")
            seen.update(names)
            if rules.barred(node):
                raise Refused("route.barred", f"{at} is closed to {rules.company}")
            inner = 0 < number < len(visits) - 1
            if inner:
                self._check_through(rules, node, ferry, visits[number][2])
            elif not rules.may_end(node):
                raise Refused("route.end", f"a {rules.train}-train may not end at {at}")
            if kind == TOWN:
                towns += 1
            else:
                cities += 1
        ends = sum(board.faces[n[0]].stops[n[1]].kind == TOWN for n in (visits[0][0], visits[-1][0]))
        if not rules.within(cities, towns - ends, ends):
            raise Refused("route.long", f"the route is too long for a {rules.train}-train")

    def _check_through(
        self, rules: TrainRules, node: Node, ferry: bool, parts: tuple[Node, ...]
    ) -> None:
        board = self.board
        at, stop = node
        if board.faces[at].stops[stop].kind == OFFBOARD:
            raise Refused("route.through_red", f"no train runs through {at}")
        if not rules.may_pass(node):
            raise Refused("route.banned", f"a {rules.train}-train may not run through {at}")
        if not any(board.open_for(rules.company, *part) for part in parts):
            partner = board.partner(at, stop)
            if partner is not None and not ferry and board.open_for(rules.company, at, partner):
                raise Refused("route.bank", f"at {at} the train must cross to the other bank")
            raise Refused("route.full", f"{at} is full of foreign stations")


def _undominated(routes: list[tuple[int, int, object]]) -> list[tuple[int, int, object]]:
    """Best first, without routes for whose track a better or equal one needs less."""
    routes.sort(key=lambda route: -route[0])
    kept: list[tuple[int, int, object]] = []
    masks: list[int] = []
    for route in routes:
        mask = route[1]
        if any(other & ~mask == 0 for other in masks):
            continue
        kept.append(route)
        masks.append(mask)
    return kept


def _parse(board: Board, word: str) -> tuple[str, int | None]:
    at, colon, letter = word.partition(":")
    if at not in board.faces:
        raise Refused("route.track", f"{at!r} is not on the map")
    if not colon:
        return at, None
    stop = ord(letter) - ord("a") if len(letter) == 1 else -1
    if not 0 <= stop < len(board.faces[at].stops):
        raise Refused("route.track", f"{word!r} is no stop")
    return at, stop


__all__ = ["CITY", "Part", "Route", "RouteSet", "Router", "TrainRules"]
