"""Answers about a company's routes: the best set of them, and what a given path is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, OFFBOARD, TOWN, stop_letter
from engine.errors import Refused
from engine.routes.legs import LegBook, Node
from engine.routes.model import Part, Route, RouteSet, TrainRules
from engine.routes.search import Effort, Found, Search, path_of

#: A train and the route chosen for it.
Pick = tuple[str, Found]

#: More than all routes of a company can earn: what one more train counts where as many as possible must run.
PRIZE = 1_000_000

#: Less than any set of routes is worth.
NOTHING = -1


def total(routes: Iterable[Route]) -> int:
    """The sum of what routes earn."""
    return sum(route.value for route in routes)


class RulesOfTrains(dict[str, TrainRules]):
    """What each train may do, found when somebody asks for that train: a title may have very many."""

    def __init__(self, make: Callable[[str], TrainRules]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, train: str) -> TrainRules:
        found = self[train] = self.make(train)
        return found


class Router:
    """Answers every question about a company's routes in a position."""

    def __init__(self, book: LegBook, rules: dict[str, TrainRules]) -> None:
        self.book = book
        self.board = book.board
        self.rules = rules
        self._searches: dict[str, Search] = {}

    def search(self, train: str) -> Search:
        """The search for one train's routes, kept with what it has found."""
        found = self._searches.get(train)
        if found is None:
            found = self._searches[train] = Search(self.rules[train], self.book)
        return found

    # ------------------------------------------------------------------ the best set

    def best(
        self, trains: Sequence[str], *, as_many_as_possible: bool, enough: Callable[[], bool] | None = None
    ) -> RouteSet:
        """The most valuable set of routes, one for each train at most, that share no track.

        With `as_many_as_possible` only sets count that use the greatest possible number of trains.
        """
        return self.best_of([trains], as_many_as_possible=as_many_as_possible, enough=enough)

    def best_of(
        self,
        fleets: Sequence[Sequence[str]],
        *,
        as_many_as_possible: bool,
        revenue: Callable[[Sequence[Route]], int] = total,
        enough: Callable[[], bool] | None = None,
    ) -> RouteSet:
        """The best set of routes of several fleets, one of which runs: most trains if need be, then most revenue.

        `revenue` is what a set brings: never more than the sum of its routes, and within one fleet never less
        for a greater sum. A set that was found before `enough` was said can be run, but is not `proved`.
        """
        effort = Effort(enough)
        prize = PRIZE if as_many_as_possible else 0
        best: tuple[Route, ...] = ()
        worth: tuple[int, int, int] | None = None

        def judge(picks: list[Pick]) -> None:
            nonlocal best, worth
            routes = tuple(self._route(name, pick) for name, pick in picks)
            judged = (len(routes) if prize else 0, revenue(routes), total(routes))
            if worth is None or judged > worth:
                best, worth = routes, judged

        for fleet in fleets:
            floor = NOTHING if worth is None else worth[0] * prize + worth[1]
            picks = self._best_of_fleet(fleet, prize, floor, effort)
            if picks is not None:
                judge(picks)
        if effort.stop and (prize or not best):
            # Too few trains may run in what was found; a set with the most can always be had.
            for fleet in fleets:
                judge(self._most(fleet))
        return RouteSet(best, not effort.stop, effort.nodes)

    def _best_of_fleet(self, trains: Sequence[str], prize: int, floor: int, effort: Effort) -> list[Pick] | None:
        """The best set of a fleet, None if it is worth no more than `floor`; a prize comes with each train."""
        searches = {name: self.search(name) for name in dict.fromkeys(trains)}
        order = sorted(trains, key=lambda name: -self.rules[name].reach)
        best_alone = {name: search.alone(effort) for name, search in searches.items()}
        order = [name for name in order if best_alone[name] is not None]
        limit = sum((best_alone[name] or (0,))[0] + prize for name in order)
        if limit <= floor and not effort.stop:
            return None
        chosen: list[Pick] = []
        taken = 0
        for name in order:
            alone = best_alone[name]
            assert alone is not None
            if not alone[1] & taken:
                pick = alone
            else:
                found = searches[name].run(effort, taken, -1, keep=False)
                if not found:
                    continue
                pick = found[-1]
            chosen.append((name, pick))
            taken |= pick[1]
        reached = sum(pick[0] + prize for _, pick in chosen)
        if max(reached, floor) < limit and not effort.stop:
            better = self._combine(order, best_alone, max(reached, floor), prize, effort)
            if better is not None:
                return better
        return chosen if reached > floor else None

    def _combine(
        self, order: list[str], best_alone: dict[str, Found | None], reached: int, prize: int, effort: Effort
    ) -> list[Pick] | None:
        """Branch and bound over all routes that can be part of a set worth more than what was reached."""
        tops = [(best_alone[name] or (0, 0, None))[0] + prize for name in order]
        limit = sum(tops)
        lists: dict[str, list[Found]] = {}
        for name, top in zip(order, tops, strict=True):
            if name not in lists:
                floor = max(reached - (limit - top) - prize, -1)
                lists[name] = self.search(name).better(effort, floor)
        rest = [sum(tops[index:]) for index in range(len(tops) + 1)]
        best: list[Pick] | None = None

        def branch(index: int, begin: int, taken: int, value: int, picks: list[Pick]) -> None:
            nonlocal reached, best
            if value > reached:
                reached, best = value, list(picks)
            if index == len(order) or effort.stop or value + rest[index] <= reached:
                return
            name = order[index]
            same_next = index + 1 < len(order) and order[index + 1] == name
            options = lists[name]
            for number in range(begin, len(options)):
                pick = options[number]
                if value + pick[0] + prize + rest[index + 1] <= reached:
                    break
                effort.count()
                if effort.stop:
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
        branch = None  # type: ignore[assignment]  # it knows itself, and all that was found
        return best

    def _route(self, train: str, pick: Found) -> Route:
        """The route that was found, in the direction in which it earns what was found."""
        path = path_of(self.board, pick[2])
        route = self.trace(train, path)
        if route.value >= pick[0]:
            return route
        return max(route, self.trace(train, path[::-1]), key=lambda found: found.value)

    # ------------------------------------------------------------------ how many trains can run

    def any_route(self, train: str) -> bool:
        """Whether this type of train could run at all."""
        return self.search(train).any()

    def most(self, fleets: Iterable[Sequence[str]]) -> int:
        """The greatest number of trains of one of these fleets that can run at once, whatever they earn."""
        return max((len(self._most(fleet)) for fleet in fleets), default=0)

    def _most(self, trains: Sequence[str]) -> list[Pick]:
        """A set of routes for as many trains as possible: the shortest ways will do."""
        able = sorted((name for name in trains if self.any_route(name)), key=lambda name: self.rules[name].reach)
        best: list[Pick] = []
        taken = 0
        for name in able:
            found = self.search(name).run(Effort(None), taken, -1, keep=True, first=True)
            if found:
                best.append((name, found[0]))
                taken |= found[0][1]
        if len(best) == len(able):
            return best

        def branch(index: int, begin: int, taken: int, picks: list[Pick]) -> None:
            nonlocal best
            if len(picks) > len(best):
                best = list(picks)
            if len(picks) + len(able) - index <= len(best):
                return
            name = able[index]
            same_next = index + 1 < len(able) and able[index + 1] == name
            options = self.search(name).shortest()
            for number in range(begin, len(options)):
                pick = options[number]
                if not pick[1] & taken:
                    picks.append((name, pick))
                    branch(index + 1, number + 1 if same_next else 0, taken | pick[1], picks)
                    picks.pop()
                    if len(picks) + len(able) - index <= len(best):
                        return
            following = index + 1
            while following < len(able) and able[following] == name:
                following += 1
            branch(following, 0, taken, picks)

        branch(0, 0, 0, [])
        branch = None  # type: ignore[assignment]  # it knows itself, and the game
        return best

    # ------------------------------------------------------------------ one given route

    def trace(self, train: str, path: Sequence[str]) -> Route:
        """The route along a path of hexes and stops, checked in full; Refused if it is not legal."""
        rules = self.rules[train]
        board = self.board
        nodes = [_parse(board, word) for word in path]
        if len(nodes) < 2 or nodes[0][1] is None or nodes[-1][1] is None:
            raise Refused("", "route.least.ends")
        mask, ferried = self._track_mask(nodes)
        visits: list[tuple[Node, bool, tuple[Node, ...]]] = []  # stop, by ferry, parts touched
        for number, (at, stop) in enumerate(nodes):
            if stop is None:
                continue
            node = (at, stop)
            if number and nodes[number - 1] == (at, board.partner(at, stop)):
                entered = visits[-1][0]
                visits[-1] = (entered, True, (entered, node))
            else:
                visits.append((node, number in ferried, (node,)))
        if rules.hex_once:
            hexes = [at for number, (at, _) in enumerate(nodes) if not number or nodes[number - 1][0] != at]
            if len(set(hexes)) < len(hexes):
                raise Refused("", "route.hex_twice", train=train)
        self._check(rules, visits)
        mark = 0
        parts = []
        for node, ferry, _ in visits:
            amount, add = rules.worth(node, ferry)
            mark += add
            parts.append(Part(f"{node[0]}:{stop_letter(node[1])}", amount))
        one, other = visits[0][0], visits[-1][0]
        if not rules.allows(mark, one, other):
            raise rules.wrong_ends(one, other)
        parts += rules.bonus_parts(mark, one, other)
        return Route(rules.ran(mark, one, other), tuple(path), sum(part.amount for part in parts), tuple(parts), mask)

    def _track_mask(self, nodes: list[tuple[str, int | None]]) -> tuple[int, set[int]]:
        """Follow the track from node to node, every border and link at most once.

        Gives the mask, and the places in the path of stops that were come to or left over a ferry to an edge.
        """
        board = self.board
        mask = 0
        ferried: set[int] = set()
        entered: int | None = None
        for number, ((at, stop), (to, to_stop)) in enumerate(pairwise(nodes)):
            face = board.faces[at]
            if at == to:
                if stop is None or to_stop is None:
                    raise Refused("", "route.track.none", at=at)
                joined = (min(stop, to_stop) + 6, max(stop, to_stop) + 6)
                if joined not in face.track_set:
                    raise Refused("", "route.track.stops", at=at)
                bit = board.map.link_bit(at, face.joints[joined])
                entered = None
            else:
                edges = [edge for edge, other in enumerate(board.map.neighbours[at]) if other == to]
                if not edges:
                    raise Refused("", "route.track.apart", at=at, to=to)
                edge = edges[0]
                here = entered if stop is None else 6 + stop
                if here is None or edge not in face.links[here]:
                    ends = face.links[here] if stop is None and here is not None else ()
                    if any(end >= FIRST_STOP for end in ends):
                        raise Refused("", "route.skip", at=at)
                    raise Refused("", "route.track", at=at, to=to)
                bit = board.map.sides[at][edge]
                entered = (edge + 3) % 6
                if to_stop is not None and 6 + to_stop not in board.faces[to].links[entered]:
                    raise Refused("", "route.track", at=at, to=f"{to}:{stop_letter(to_stop)}")
                if (edge, here) in face.ferry:
                    ferried.add(number)
                if to_stop is not None and (entered, 6 + to_stop) in board.faces[to].ferry:
                    ferried.add(number + 1)
            if mask & bit:
                raise Refused("", "route.twice", at=at, to=to)
            mask |= bit
        return mask, ferried

    def _check(self, rules: TrainRules, visits: list[tuple[Node, bool, tuple[Node, ...]]]) -> None:
        board = self.board
        if len(visits) < 2 or (rules.needs_two_hexes and len({node[0] for node, _, _ in visits}) < 2):
            raise Refused("", "route.least")
        starts = set(rules.starts())
        if not any(part in starts for _, _, parts in visits for part in parts):
            raise Refused(rules.station_key, "route.station", company=rules.company)
        seen: set[object] = set()
        cities = towns = 0
        for number, (node, ferry, _) in enumerate(visits):
            at, stop = node
            kind = board.faces[at].stops[stop].kind
            groups = list(rules.groups(node))
            if node in seen:
                raise Refused("", "route.stop_twice", at=at)
            for group in groups:
                if group in seen:
                    raise Refused(f"route.stop_twice.{group}", "route.stop_twice", at=at)
            seen.update([node, *groups])
            if rules.barred(node):
                raise Refused("", "route.barred", at=at, company=rules.company)
            inner = 0 < number < len(visits) - 1
            if inner:
                self._check_through(rules, node, ferry, visits[number][2])
            elif not rules.may_end(node):
                raise Refused(rules.end_key, "route.end", train=rules.train, at=at)
            if kind == TOWN:
                towns += 1
            else:
                cities += 1
        ends = sum(board.faces[n[0]].stops[n[1]].kind == TOWN for n in (visits[0][0], visits[-1][0]))
        if not rules.within(cities, towns - ends, ends):
            raise Refused(rules.long_key, "route.long", train=rules.train)

    def _check_through(self, rules: TrainRules, node: Node, ferry: bool, parts: tuple[Node, ...]) -> None:
        board = self.board
        at, stop = node
        if board.faces[at].stops[stop].kind == OFFBOARD:
            raise Refused("", "route.through_red", at=at)
        if not rules.may_pass(node):
            raise Refused("", "route.banned", train=rules.train, at=at)
        if not any(rules.through(part) for part in parts):
            partner = board.partner(at, stop)
            if partner is not None and not ferry and rules.through((at, partner)):
                raise Refused("", "route.bank", at=at)
            raise Refused("", "route.full", at=at)


def _parse(board: Board, word: str) -> tuple[str, int | None]:
    at, colon, letter = word.partition(":")
    if at not in board.faces:
        raise Refused("", "route.track.hex", at=at)
    if not colon:
        return at, None
    stop = ord(letter) - ord("a") if len(letter) == 1 else -1
    if not 0 <= stop < len(board.faces[at].stops):
        raise Refused("", "route.track.stop", stop=word)
    return at, stop
