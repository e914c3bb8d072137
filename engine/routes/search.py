"""The search for one train's routes: a walk from the company's stations over legs, cut off where it cannot pay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations
from typing import Any

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, OFFBOARD, TOWN, stop_letter
from engine.routes.legs import Leg, LegBook, Node
from engine.routes.model import TrainRules

#: The legs of an arm, the last one first: (those before it, or the start; the ferry it begins with; the leg).
Legs = tuple[object, int, Leg]
#: A route as the search has found it: its value, the track it uses, and its one or two arms.
Found = tuple[int, int, tuple[Legs, ...]]


class Spot:
    """A stop as the search sees it: everything that does not change during the search.

    A stop with a ferry to an edge is two spots: its `landing` is where a train arrives over the ferry.
    """

    __slots__ = (
        "barred", "bit", "claims", "hops", "kind_city", "landing", "mark", "may_end", "node", "over", "partner",
        "pays", "through", "value",
    )  # fmt: skip

    def __init__(self, node: Node) -> None:
        self.node = node
        self.hops: tuple[Hop, ...] | None = None
        #: The hops that leave over a ferry, where this alone changes what the stop brings.
        self.over: tuple[Hop, ...] = ()
        self.partner: Spot | None = None
        self.landing: Spot | None = None
        self.value = self.mark = self.claims = self.bit = 0
        self.kind_city = self.barred = self.through = self.may_end = self.pays = False


#: A leg as the search sees it: the track it uses, what must not be claimed before, the spot it leads to.
Hop = tuple[int, int, Spot, Leg]
#: A way continues from a spot: hops, change of value and mark, bits used by a ferry, the bit of the part touched.
Way = tuple[tuple[Hop, ...], int, int, int, int]
#: A hop out of a start, with the way that it belongs to.
First = tuple[int, int, Spot, Leg, int, int, int, bool]
#: An arm of a route, from a start to its end: value and mark with the start's, claims, track, its end and its legs.
Arm = tuple[int, int, int, int, Spot, Legs]
#: Arms by their cities and towns, and by whether a route may earn a bonus for ending there.
Shelves = dict[tuple[int, int, bool], list[Arm]]


class Search:
    """All legal routes of one train, or the best of them, by depth-first search with bounds.

    What was found whole is kept, so that several fleets with the same train ask once.
    """

    def __init__(self, rules: TrainRules, book: LegBook) -> None:
        self.rules = rules
        self.book = book
        self.board = rules.board
        self.spots: dict[Node, Spot] = {}
        self.group_bits: dict[str, int] = {}
        self.next_bit = 1
        self.starts = [self.spot(node) for node in rules.starts()]
        self.city_sums: list[int] = []
        self.town_sums: list[int] = []
        self._headroom: dict[int, int] = {}
        self._fits: dict[int, bool] = {}
        self._ways: dict[Spot, list[Way]] = {}
        self._alone: list[Found] | None = None
        self._better: tuple[int, list[Found]] | None = None
        self._any: bool | None = None
        self._shortest: list[Found] | None = None

    # ------------------------------------------------------------------ what is kept

    def alone(self, effort: Effort) -> Found | None:
        """The best route on free track."""
        found = self._alone
        if found is None:
            found = self.run(effort, 0, -1, keep=False)[-1:]
            if not effort.stop:
                self._alone = found
        return found[0] if found else None

    def better(self, effort: Effort, floor: int) -> list[Found]:
        """All routes worth more than `floor` that are not dominated, best first."""
        if self._better is None or self._better[0] > floor:
            found = undominated(self.run(effort, 0, floor, keep=True))
            if effort.stop:
                return found
            self._better = (floor, found)
        return [route for route in self._better[1] if route[0] > floor]

    def any(self) -> bool:
        """Whether the train could run at all."""
        if self._any is None:
            self._any = bool(self.run(Effort(None), 0, -1, keep=True, first=True))
        return self._any

    def shortest(self) -> list[Found]:
        """Routes none of which needs all the track of another, and one of them within any route there is."""
        if self._shortest is None:
            found = self.run(Effort(None), 0, -1, keep=True, short=True)
            self._shortest = undominated(found, key=lambda route: route[1].bit_count())
        return self._shortest

    # ------------------------------------------------------------------ bounds

    def _bounds(self) -> None:
        """What cities and towns can bring at most; looked at once, and only where the best route is sought."""
        self._reachable()
        values = sorted((max(_most(s), 0) for s in self.spots.values() if s.kind_city), reverse=True)
        self.city_sums = [0]
        for value in values:
            self.city_sums.append(self.city_sums[-1] + value)
        values = sorted((_most(s) for s in self.spots.values() if not s.kind_city), reverse=True)
        self.town_sums = [0]
        for value in values:
            self.town_sums.append(self.town_sums[-1] + value)

    def headroom(self, cities: int, towns: int) -> int:
        """The most that further stops can earn for a route with so many."""
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
        return found

    # ------------------------------------------------------------------ spots

    def spot(self, node: Node) -> Spot:
        found = self.spots.get(node)
        if found is None:
            found = self.spots[node] = Spot(node)
            self._fill(found)
        return found

    def _fill(self, spot: Spot) -> None:
        board, rules = self.board, self.rules
        at, stop = spot.node
        face = board.faces[at]
        kind = face.stops[stop].kind
        spot.kind_city = kind != TOWN
        spot.value, spot.mark = rules.worth(spot.node, False)
        spot.barred = rules.barred(spot.node)
        spot.through = kind != OFFBOARD and rules.through(spot.node)
        spot.may_end = rules.may_end(spot.node)
        spot.pays = rules.pays_end(spot.node)
        spot.claims = spot.bit = self._bit()
        for name in rules.groups(spot.node):
            spot.claims |= self._group(name)
        if face.ferry:
            partner = board.partner(at, stop)
            if partner is not None:
                spot.partner = self.spot((at, partner))
            elif any(other - FIRST_STOP == stop for _, other in face.ferry):
                spot.landing = self._landing(spot)

    def _landing(self, spot: Spot) -> Spot:
        """A stop as it is for a train that comes over its ferry."""
        landing = Spot(spot.node)
        landing.value, landing.mark = self.rules.worth(spot.node, True)
        landing.kind_city, landing.through, landing.may_end = spot.kind_city, spot.through, spot.may_end
        landing.claims, landing.bit, landing.pays = spot.claims, spot.bit, spot.pays
        return landing

    def _bit(self) -> int:
        """A bit that nothing else has."""
        self.next_bit <<= 1
        return self.next_bit

    def _group(self, name: str) -> int:
        """The bit of a group of stops, or of a hex where a route may come only once."""
        bit = self.group_bits.get(name)
        if bit is None:
            bit = self.group_bits[name] = self._bit()
        return bit

    def _hops(self, spot: Spot) -> tuple[Hop, ...]:
        if spot.hops is None:
            plain: list[Hop] = []
            over: list[Hop] = []
            hex_once = self.rules.hex_once
            for leg in self.book.legs(spot.node):
                target = self.spots.get(leg.to) or self.spot(leg.to)
                if target.barred:
                    continue
                if leg.into:
                    assert target.landing is not None
                    target = target.landing
                claims = target.claims
                if hex_once:
                    hexes = _hexes(spot.node, leg)
                    if hexes is None:
                        continue
                    for at in hexes:
                        claims |= self._group(f"hex {at}")
                if leg.out and spot.landing is not None:
                    over.append((leg.mask, claims, target, leg))
                else:
                    plain.append((leg.mask, claims, target, leg))
            spot.hops, spot.over = tuple(plain), tuple(over)
        return spot.hops

    def _reachable(self) -> None:
        """Visit every spot that the search can meet, so that its bounds know all values."""
        seen = set(self.starts)
        queue = [hop[2] for start in self.starts for hop in self._firsts(start)]
        while queue:
            spot = queue.pop()
            if spot not in seen:
                seen.add(spot)
                ways = self._ways[spot] = self.ways(spot)
                queue += [hop[2] for way in ways for hop in way[0]]

    def ways(self, spot: Spot, *, begin: bool = False) -> list[Way]:
        """How a train may go on from a stop it has entered, or from one where its route begins."""
        if not begin and not self.rules.may_pass(spot.node):
            return []
        result: list[Way] = []
        partner = spot.partner
        if begin or spot.through:
            result.append((self._hops(spot), 0, 0, 0, 0))
            landing = spot.landing
            if spot.over and landing is not None:
                result.append((spot.over, landing.value - spot.value, landing.mark - spot.mark, 0, 0))
        if partner is not None and (begin or spot.through or partner.through):
            value, mark = self.rules.worth(spot.node, True)
            bit = self.book.link_bit(*spot.node, partner.node[1])
            result.append((self._hops(partner), value - spot.value, mark - spot.mark, bit, partner.bit))
        return result

    def _firsts(self, start: Spot) -> list[First]:
        """Every hop with which a route can leave a start, numbered by its place."""
        return [
            (*hop, more, marks, bits, bool(hop[3].out and start.landing is not None))
            for hops, more, marks, bits, _ in self.ways(start, begin=True)
            for hop in hops
        ]

    def run(
        self, effort: Effort, taken: int, floor: int, *, keep: bool, first: bool = False, short: bool = False
    ) -> list[Found]:
        """Routes worth more than `floor` that avoid the `taken` track, as (value, track, arms).

        With `keep` all of them, otherwise each better than the one before; with `first` one is enough; with
        `short` none that goes on from another. A route is one arm from a start, or two that have nothing in common
        (docs/design/search.md has the picture).
        """
        rules = self.rules
        found: list[Found] = []
        # Where any route will do, nothing is pruned.
        prune = not first and not short
        if prune and not self.city_sums:
            self._bounds()
        within, enough, between = rules.within, effort.enough, STEPS_BETWEEN - 1
        headroom, fits = self._headroom, self._fits
        needs_two_hexes, allows = rules.needs_two_hexes, rules.allows
        bonus, bonus_bound = rules.bonus, rules.bonus_bound
        ways_of = self._ways
        noted: Shelves | None = None
        claimed_before = 0

        def fitting(cities: int, towns: int) -> bool:
            fit = fits[cities << 8 | towns] = within(cities, towns, 0) or within(cities, towns - 1, 1)
            return fit

        def finish(
            one: Spot, other: Spot, mask: int, cities: int, towns: int, value: int, mark: int, arms: tuple[Legs, ...]
        ) -> bool:
            """Note a route if it is legal and worth more; whether it is, where the floor is below all."""
            nonlocal floor
            if value + bonus_bound <= floor or not (one.may_end and other.may_end):
                return False
            if needs_two_hexes and one.node[0] == other.node[0] and _on_one_hex(one.node[0], arms):
                return False
            ends = (not one.kind_city) + (not other.kind_city)
            if not within(cities, towns - ends, ends) or not allows(mark, one.node, other.node):
                return False
            total = value + bonus(mark, one.node, other.node)
            if total > floor:
                found.append((total, mask, arms))
                if not keep:
                    floor = total
            return True

        def go(
            spot: Spot,
            mask: int,
            claims: int,
            cities: int,
            towns: int,
            value: int,
            mark: int,
            start: Spot,
            chain: Legs,
        ) -> None:
            """Follow an arm, and note it for the pairs."""
            if effort.stop or (first and found):
                return
            effort.nodes += 1
            if enough is not None and not effort.nodes & between and enough():
                effort.stop = True
            if finish(start, spot, mask ^ taken, cities, towns, value, mark, (chain,)) and short:
                return
            if prune:
                room = headroom.get(cities << 8 | towns)
                if room is None:
                    room = headroom[cities << 8 | towns] = self.headroom(cities, towns)
                if value + room <= floor:
                    return
            if noted is not None:
                noted[cities, towns, spot.pays].append(
                    (value, claims ^ claimed_before, mask ^ taken, mark, spot, chain)
                )
            ways = ways_of.get(spot)
            if ways is None:
                ways = ways_of[spot] = self.ways(spot)
            for hops, more, marks, bits, touched in ways:
                if mask & bits or claims & touched:
                    continue
                for track, claimed, target, leg in hops:
                    if mask & track or claims & claimed:
                        continue
                    c, t = (cities + 1, towns) if target.kind_city else (cities, towns + 1)
                    fit = fits.get(c << 8 | t)
                    if fit or (fit is None and fitting(c, t)):
                        go(
                            target,
                            mask | track | bits,
                            claims | claimed,
                            c,
                            t,
                            value + more + target.value,
                            mark + marks + target.mark,
                            start,
                            (chain, bits, leg),
                        )

        def pair(start: Spot, one: Arms, other: Arms) -> None:
            """Join the arms of two first hops, best first."""
            partner = start.partner
            if not start.through and not (partner is not None and partner.through and one.bits | other.bits):
                return
            # What both have of the start; over two ferries it brings the lower value once.
            twice = one.ferry and other.ferry
            less, marks = start.value + (other.more if twice else 0), start.mark + (other.marks if twice else 0)
            city, town = (1, 0) if start.kind_city else (0, 1)
            for most, cities, towns, paid, ones in one.sorted:
                for top, c, t, pays, others in other.sorted:
                    bound = bonus_bound if paid or pays else 0
                    if most + top - less + bonus_bound <= floor:
                        break
                    if most + top - less + bound <= floor:
                        continue
                    c += cities - city
                    t += towns - town
                    fit = fits.get(c << 8 | t)
                    if not (fit or (fit is None and fitting(c, t))):
                        continue
                    for value, claims, mask, mark, end, chain in ones:
                        need = floor - bound - value + less
                        if top <= need:
                            break
                        for more, claimed, track, m, last, way in others:
                            if more <= need:
                                break
                            if claims & claimed or mask & track:
                                continue
                            effort.count()
                            if effort.stop or (first and found):
                                return
                            finish(end, last, mask | track, c, t, value + more - less, mark + m - marks, (chain, way))
                            need = floor - bound - value + less

        # The bits of starts that have been looked at: every route over them is known.
        done = 0
        for start in self.starts:
            if start.barred:
                continue
            goes_on = bool(self.ways(start))
            claimed_before = start.claims | done
            if rules.hex_once:
                claimed_before |= self._group(f"hex {start.node[0]}")
            noted = None
            arms: list[Arms] = []
            for track, claimed, target, leg, more, marks, bits, ferry in self._firsts(start):
                if track & taken or bits & taken or claimed_before & claimed:
                    continue
                if bits and start.partner is not None and done & start.partner.bit:
                    continue
                cities = start.kind_city + target.kind_city
                towns = 2 - cities
                if not within(cities, towns, 0) and not within(cities, 0, towns):
                    continue
                if goes_on:
                    arms.append(Arms(more, marks, bits, ferry))
                    noted = arms[-1].shelves
                go(
                    target,
                    taken | track | bits,
                    claimed_before | claimed,
                    cities,
                    towns,
                    start.value + more + target.value,
                    start.mark + marks + target.mark,
                    start,
                    (start.node, bits, leg),
                )
            for group in arms:
                group.sort()
            for one, other in sorted(combinations(arms, 2), key=lambda two: -two[0].top - two[1].top):
                if effort.stop or (first and found):
                    break
                pair(start, one, other)
            done |= start.bit
        # It calls itself and knows the game: left alone, it would stay in memory until the collector looks.
        go = None  # type: ignore[assignment]
        return found


class Arms:
    """All arms that begin with one hop: what the start brings more or less for it, and the arms by their length."""

    __slots__ = ("bits", "ferry", "marks", "more", "shelves", "sorted", "top")

    def __init__(self, more: int, marks: int, bits: int, ferry: bool) -> None:
        self.more, self.marks, self.bits, self.ferry = more, marks, bits, ferry
        self.shelves: Shelves = defaultdict(list)
        self.sorted: list[tuple[int, int, int, bool, list[Arm]]] = []
        self.top = 0

    def sort(self) -> None:
        """Best first, on a shelf and of the shelves."""
        for (cities, towns, pays), arms in self.shelves.items():
            arms.sort(key=_value, reverse=True)
            self.sorted.append((arms[0][0], cities, towns, pays, arms))
        self.sorted.sort(key=_value, reverse=True)
        self.top = self.sorted[0][0] if self.sorted else 0


def _value(item: tuple[Any, ...]) -> Any:
    return item[0]


def _most(spot: Spot) -> int:
    return spot.value if spot.landing is None else max(spot.value, spot.landing.value)


def _hexes(start: Node, leg: Leg) -> tuple[str, ...] | None:
    """The hexes that a leg comes to; none if it stays on one, None if it comes to one again."""
    if not leg.via and leg.to[0] == start[0]:
        return ()
    hexes = (*leg.via, leg.to[0])
    return None if start[0] in hexes or len(set(hexes)) < len(hexes) else hexes


#: A search that nobody limits goes on for so many steps, some ten seconds: a hundred times what games have needed.
MOST_STEPS = 500_000
#: Whoever looks ahead searches many positions for so many steps at most, and takes what was found.
AHEAD_STEPS = 6_000
#: So often a search asks whether it was enough: a power of two.
STEPS_BETWEEN = 128


def by_steps(ahead: bool = False) -> Callable[[], bool]:
    """Enough after so many steps, the same on every machine: whoever plays a game once more finds the same routes."""
    left = iter(range((AHEAD_STEPS if ahead else MOST_STEPS) // STEPS_BETWEEN))
    return lambda: next(left, None) is None


class Effort:
    """Counts search steps and asks now and then whether to stop."""

    def __init__(self, enough: Callable[[], bool] | None) -> None:
        self.enough = enough
        self.nodes = 0
        self.stop = False

    def count(self) -> None:
        self.nodes += 1
        if self.enough is not None and not self.nodes % STEPS_BETWEEN and self.enough():
            self.stop = True


def _on_one_hex(at: str, arms: tuple[Legs, ...]) -> bool:
    """Whether a route that begins and ends on a hex has no stop elsewhere."""
    return all({start[0], *(leg.to[0] for _, leg in legs)} == {at} for start, legs in map(_unwound, arms))


def _unwound(arm: Legs) -> tuple[Node, list[tuple[int, Leg]]]:
    """The start of an arm, and its legs from there, each with the ferry that it begins with."""
    legs: list[tuple[int, Leg]] = []
    item: object = arm
    while isinstance(item, tuple) and len(item) == 3:
        item, bits, leg = item
        legs.append((bits, leg))
    assert isinstance(item, tuple)
    return item, legs[::-1]


def path_of(board: Board, arms: tuple[Legs, ...]) -> tuple[str, ...]:
    """The path of a route: from the far end of the first arm over the start to the other end."""
    first, *second = (_words(board, arm) for arm in arms)
    return (*reversed(first), *second[0][1:]) if second else tuple(first)


def _words(board: Board, arm: Legs) -> list[str]:
    """The path of an arm from the start."""
    here, legs = _unwound(arm)
    words = [f"{here[0]}:{stop_letter(here[1])}"]
    for bits, leg in legs:
        if bits:
            partner = board.partner(*here)
            assert partner is not None
            words.append(f"{here[0]}:{stop_letter(partner)}")
        words.extend(leg.via)
        words.append(f"{leg.to[0]}:{stop_letter(leg.to[1])}")
        here = leg.to
    return words


def undominated(routes: list[Found], key: Callable[[Found], int] = lambda route: -route[0]) -> list[Found]:
    """Best first, without routes for whose track a better or equal one needs less."""
    routes.sort(key=key)
    often: Counter[int] = Counter()
    split: dict[int, list[int]] = {}
    for route in routes:
        if route[1] not in split:
            bits = split[route[1]] = _bits(route[1])
            often.update(bits)
    kept: list[Found] = []
    # By its rarest bit: track that lies within a route's has one of that route's bits for its own rarest.
    masks: dict[int, list[int]] = {}
    for route in routes:
        mask = route[1]
        bits = split.pop(mask, [])
        if bits and not any(other & mask == other for bit in bits if bit in masks for other in masks[bit]):
            kept.append(route)
            masks.setdefault(min(bits, key=often.__getitem__), []).append(mask)
    return kept


def _bits(mask: int) -> list[int]:
    result = []
    while mask:
        bit = mask & -mask
        result.append(bit)
        mask ^= bit
    return result
