"""Answers about a company's routes: the best set of them, and what a given path is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, OFFBOARD, TOWN, stop_letter
from engine.errors import Refused
from engine.routes.legs import LegBook, Node
from engine.routes.model import Part, Route, RouteSet, TrainRules
from engine.routes.search import Found, Pulse, Search, path_of, undominated

#: A train and the route chosen for it.
Pick = tuple[str, Found]


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
        pulse = Pulse(enough)
        prize = 1_000_000 if as_many_as_possible else 0
        searches = {name: Search(self.rules[name], self.book, pulse) for name in set(trains)}
        order = sorted(trains, key=lambda name: -self.rules[name].reach)
        best_alone: dict[str, Found | None] = {}
        for name, search in searches.items():
            found = search.run(0, -1, keep=False)
            best_alone[name] = found[-1] if found else None
        order = [name for name in order if best_alone[name] is not None]
        chosen: list[Pick] = []
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
        searches: dict[str, Search],
        best_alone: dict[str, Found | None],
        chosen: list[Pick],
        reached: int,
        limit: int,
        prize: int,
        pulse: Pulse,
    ) -> list[Pick]:
        """Branch and bound over all routes that can be part of a better set than the one at hand."""
        tops = [(best_alone[name] or (0, 0, None))[0] + prize for name in order]
        lists: dict[str, list[Found]] = {}
        for name, top in zip(order, tops, strict=True):
            if name not in lists:
                floor = max(reached - (limit - top) - prize, -1)
                lists[name] = undominated(searches[name].run(0, floor, keep=True))
        rest = [sum(tops[index:]) for index in range(len(tops) + 1)]
        best = list(chosen)

        def branch(index: int, begin: int, taken: int, value: int, picks: list[Pick]) -> None:
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

    def _route(self, train: str, pick: Found) -> Route:
        return self.trace(train, path_of(self.board, pick[2]))

    def any_route(self, train: str) -> bool:
        """Whether this type of train could run at all."""
        pulse = Pulse(None)
        return bool(Search(self.rules[train], self.book, pulse).run(0, -1, keep=True, first=True))

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

    def _check_through(self, rules: TrainRules, node: Node, ferry: bool, parts: tuple[Node, ...]) -> None:
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
