"""Every route of a recorded position, found by walking the recorded drawings; nothing of the engine is used.

For positions whose Rhine Metropolises are brown or grey (no ferries), by the rules of the public record: towns
are free and no ends; off-board pairs; coal and steel; Iron Rhine; the 8-train has an end on a field of the
Rheingold, touches no other red hex, and the best eight of its stops pay, Metropolises twice if both ends are such
fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

COLOURS = ["yellow", "green", "brown", "gray"]
OPPOSITE = {"NE": "SW", "E": "W", "SE": "NW", "SW": "NE", "W": "E", "NW": "SE"}
STEP = {"NE": (-1, 1), "E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1)}
METROPOLISES = {"D9", "F9", "I10"}
GOLD = {"A4", "A6", "L11", "L13"}
RED = {"A14", "B15", "C2", "C14", "D15", "E2", "G2", "J1", "L1", "L9"}
CLOSED_BY_STATION = {"A14", "B15", "C2"}
RUHR = {"C14", "D15"}
RUHR_SITES = {("C14", "SW"): "S", ("C14", "W"): "K", ("D15", "SW"): "K", ("D15", "W"): "S"}
AREAS = ({"A4", "A6"}, {"L11", "L13"}, RUHR)

Node = tuple[str, str]


def beyond(at: str, edge: str) -> str:
    down, right = STEP[edge]
    return f"{chr(ord(at[0]) + down)}{int(at[1:]) + right}"


class Ground:
    """The stops of a position, and the track between them."""

    def __init__(self, record: Mapping[str, Any], spot: Mapping[str, Any]) -> None:
        self.spot = spot
        self.shapes = {at: record["tile_shapes"][key] for at, key in spot["board"].items()}
        self.colour = COLOURS.index(spot["tile_colors"][-1])
        self.company = spot["corporation"]
        self.nodes: dict[Node, Mapping[str, Any]] = {
            (at, node["id"]): node for at, shape in self.shapes.items() for node in shape["nodes"]
        }
        self.tokens: dict[Node, list[str]] = {node: [] for node in self.nodes}
        for token in spot["tokens"]:
            self.tokens[token["hex"], token["city"]].append(token["corp"])
        self.bits: dict[frozenset[str], int] = {}
        self.legs = {node: list(self._legs(node)) for node in self.nodes}
        self.number = {node: n for n, node in enumerate(self.nodes)}

    def _ends(self, at: str, end: str) -> Iterator[str]:
        for one, other, *_ in self.shapes[at]["segments"]:
            if one == end:
                yield other
            elif other == end:
                yield one

    def _legs(self, node: Node) -> Iterator[tuple[int, Node]]:
        at, name = node
        for end in self._ends(at, name):
            assert end in STEP, "no ferries here"
            yield from self._roll(at, end, 0)

    def _roll(self, at: str, edge: str, mask: int) -> Iterator[tuple[int, Node]]:
        onto = beyond(at, edge)
        if onto not in self.shapes:
            return
        bit = 1 << self.bits.setdefault(frozenset((at, onto)), len(self.bits))
        if mask & bit:
            return
        for end in self._ends(onto, OPPOSITE[edge]):
            if end in STEP:
                yield from self._roll(onto, end, mask | bit)
            else:
                yield mask | bit, (onto, end)

    def own(self, node: Node) -> bool:
        return self.company in self.tokens[node]

    def full(self, node: Node) -> bool:
        """Whether foreign stations stop every run through a city."""
        spaces = self.nodes[node].get("slots") or 0
        return bool(spaces) and len(self.tokens[node]) >= spaces and not self.own(node)

    def closed(self, node: Node) -> bool:
        return node[0] in CLOSED_BY_STATION and bool(self.tokens[node]) and not self.own(node)

    def town(self, node: Node) -> bool:
        return bool(self.nodes[node]["kind"] == "town")

    def value(self, node: Node) -> int:
        revenue = self.nodes[node]["revenue"]
        return int(max((COLOURS.index(c), v) for c, v in revenue.items() if COLOURS.index(c) <= self.colour)[1])


class Train:
    """All routes of one type of train: for each set of track the most it earns."""

    def __init__(self, ground: Ground, name: str) -> None:
        self.ground = ground
        self.gold = name == "8"
        self.reach = 99 if self.gold else int(name)
        self.found: dict[int, int] = {}
        for start in ground.nodes:
            if self._end(start) and self._open(start) and (not self.gold or start[0] in GOLD):
                self._walk((start,), 0, 1)

    def _open(self, node: Node) -> bool:
        return not self.ground.closed(node) and not (self.gold and node[0] in RED)

    def _end(self, node: Node) -> bool:
        return not self.ground.town(node)

    def _walk(self, way: tuple[Node, ...], mask: int, cities: int) -> None:
        ground, here = self.ground, way[-1]
        if len(way) > 1:
            first = ground.number[way[0]] < ground.number[here] or (self.gold and here[0] not in GOLD)
            if first and self._end(here) and any(map(ground.own, way)) and self._apart(way):
                self.found[mask] = max(self.found.get(mask, 0), self._earned(way))
            if ground.full(here) or ground.nodes[here]["kind"] == "offboard":
                return
        for leg, target in ground.legs[here]:
            count = cities + (not ground.town(target))
            if not leg & mask and target not in way and count <= self.reach and self._open(target):
                self._walk((*way, target), mask | leg, count)

    def _apart(self, way: tuple[Node, ...]) -> bool:
        """Not both fields of an area; the Rheingold may join the southern ones."""
        areas = AREAS[:1] if self.gold else AREAS
        return all(sum(node[0] in area for node in way) < 2 for area in areas)

    def _earned(self, way: tuple[Node, ...]) -> int:
        ground = self.ground
        hexes = {at for at, _ in way}
        if self.gold:
            double = way[0][0] in GOLD and way[-1][0] in GOLD
            values = [
                ground.value(node) * (1 + (double and node[0] in METROPOLISES)) for node in way if not ground.town(node)
            ]
            return sum(sorted(values)[-8:])
        total = sum(map(ground.value, way))
        if hexes & RUHR:
            total += 10 * len(ground.spot["eastern_ruhr_links"])
        sites = {kind: self._sites(way, kind) for kind in "KS"}
        total += min(*sites.values(), 2) * (40 if ground.colour >= 2 else 20)
        return total + 80 * (bool(hexes & RUHR) and "G2" in hexes)

    def _sites(self, way: tuple[Node, ...], kind: str) -> int:
        hexes = {at for at, _ in way if kind in self.ground.spot["industry"].get(at, ())}
        links = [(at, edge) for at, node in way if at in RUHR for edge in self.ground.nodes[at, node]["edges"]]
        return len(hexes) + any(RUHR_SITES[link] == kind for link in links)


def best(record: Mapping[str, Any], spot: Mapping[str, Any]) -> int:
    """The most that all trains together can earn."""
    ground = Ground(record, spot)
    names = sorted((train["name"] for train in spot["trains"]), reverse=True)
    routes = {name: sorted(((v, m) for m, v in Train(ground, name).found.items()), reverse=True) for name in set(names)}
    tops = [routes[name][0][0] if routes[name] else 0 for name in names]
    reached = 0

    def combine(index: int, taken: int, value: int) -> None:
        nonlocal reached
        reached = max(reached, value)
        if index == len(names) or value + sum(tops[index:]) <= reached:
            return
        for earned, mask in routes[names[index]]:
            if value + earned + sum(tops[index + 1 :]) <= reached:
                break
            if not mask & taken:
                combine(index + 1, taken | mask, value + earned)
        combine(index + 1, taken, value)

    combine(0, 0, 0)
    return reached
