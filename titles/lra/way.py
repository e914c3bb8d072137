"""How far a company is from a hex: the fewest tiles still to be laid or upgraded on a way there, of any colour."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.board.faces import CITY, FIRST_STOP, OFFBOARD, Face
from engine.board.hexes import OPPOSITE
from engine.board.tiling import Cover, Fit, Tiling
from engine.game import Game
from engine.state import BLANK, MARKER

#: For each stop of a hex: how many tokens on it stop the company, and whether one is its own.
Tokens = tuple[tuple[int, bool], ...]
#: Two ends (edges, or stops as they are now) that track can join, with the number of tiles that it takes.
Joins = Mapping[tuple[int, int], int]


def missing(game: Game, company: str, goal: str, at: str = "", fit: Fit | None = None) -> int | None:
    """How many tiles are missing between a company's home and a hex, or would be with a tile; None without a way."""
    key = ("missing", company, goal, at, (fit.tile, fit.rotation) if fit else None)
    found: int | None = game.kept(key, lambda: _search(game, company, goal, at, fit))
    return found


def _search(game: Game, company: str, goal: str, changed: str, fit: Fit | None) -> int | None:
    """The shortest way, hex by hex; each hex costs the tiles that join the edges at which the way crosses it."""
    tiling, neighbours = game.rules.tiling, game.definition.map.neighbours

    def joins(at: str) -> Joins:
        held = tokens(game, company, at)
        if fit is None or at != changed:
            return joined(tiling, at, game.board.cover(at), held)
        return joined(tiling, at, (fit.tile, fit.rotation), moved(held, fit.stops, len(fit.face.stops)))

    queue: list[tuple[int, str, int]] = []
    for home in game.definition.corporations[company].homes:
        stop = next(
            (index for index, spaces in enumerate(game.state.board.stations[home.at]) if company in spaces), home.stop
        )
        if fit is not None and home.at == changed:
            stop = fit.stops[stop]
        queue += [(count, home.at, edge) for edge, count in _exits(joins(home.at), FIRST_STOP + stop)]
    heapq.heapify(queue)
    done: set[tuple[str, int]] = set()
    while queue:
        count, at, edge = heapq.heappop(queue)
        if edge >= FIRST_STOP:
            return count
        there = neighbours[at][edge]
        if (at, edge) in done or there is None:
            continue
        done.add((at, edge))
        entry = OPPOSITE[edge]
        for end, tiles in _exits(joins(there), entry, stops=there == goal):
            heapq.heappush(queue, (count + tiles, there, end))
    return None


def _exits(found: Joins, start: int, *, stops: bool = False) -> list[tuple[int, int]]:
    """Where track leads from an end, and for how many tiles: to edges, or to stops."""
    return [(other, count) for (one, other), count in found.items() if one == start and (other >= FIRST_STOP) is stops]


def tokens(game: Game, company: str, at: str) -> Tokens:
    """What lies on the stops of a hex, as far as it matters to a company's trains."""
    companies = game.state.companies
    return tuple(
        (
            sum(token == MARKER or (token not in ("", BLANK, company) and companies[token].active) for token in spaces),
            company in spaces,
        )
        for spaces in game.state.board.stations.get(at, ())
    )


def moved(held: Tokens, stops: Sequence[int], count: int) -> Tokens:
    """The tokens of the stops on a new tile with so many stops, where old stop i becomes stop `stops[i]`."""
    return tuple(
        (
            sum(held[old][0] for old, new in enumerate(stops) if new == stop and old < len(held)),
            any(held[old][1] for old, new in enumerate(stops) if new == stop and old < len(held)),
        )
        for stop in range(count)
    )


@lru_cache(maxsize=8192)
def joined(tiling: Tiling, at: str, cover: Cover, held: Tokens) -> Joins:
    """Which ends of a hex can be joined, and by how many tiles: none, one, or one upon the other.

    Cities full of others' stations must be upgraded before a way can lead through them.
    """
    present = tiling.face(at, cover)
    open_ = tiling.allowed_exits[at] if tiling.map.hexes[at].buildable else present.exits
    edges = [edge for edge in range(6) if open_ >> edge & 1]
    result: dict[tuple[int, int], int] = {}
    layer: dict[Cover, tuple[int, ...]] = {cover: tuple(range(len(present.stops)))}
    for count in range(4):
        for laid, stops in layer.items():
            face = tiling.face(at, laid)
            for pair in _pairs(face, moved(held, stops, len(face.stops)), edges, stops):
                result.setdefault(pair, count)
        if all((one, other) in result for one in edges for other in edges if one != other):
            break  # no way could want more
        following: dict[Cover, tuple[int, ...]] = {}
        for laid, stops in layer.items():
            if tiling.map.hexes[at].buildable:
                for fit in tiling.fits(at, laid):
                    following.setdefault((fit.tile, fit.rotation), tuple(fit.stops[stop] for stop in stops))
        layer = following
    return result


def _pairs(face: Face, held: Tokens, edges: Sequence[int], stops: tuple[int, ...]) -> list[tuple[int, int]]:
    """The ends that track of one drawing joins; stops by the numbers that they have now."""
    names = {stop: FIRST_STOP + now for now, stop in reversed(list(enumerate(stops)))}
    shut = {
        FIRST_STOP + index
        for index, stop in enumerate(face.stops)
        if stop.kind == OFFBOARD
        or (stop.kind == CITY and stop.slots and not held[index][1] and held[index][0] >= stop.slots)
    }
    pairs = []
    for start in (*edges, *(FIRST_STOP + stop for stop in sorted(set(stops)))):
        seen, todo = {start}, [start]
        while todo:
            here = todo.pop()
            if here != start and (here < FIRST_STOP or here in shut):
                continue
            for there in face.links[here]:
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        firsts = (
            [start] if start < FIRST_STOP else [FIRST_STOP + n for n, s in enumerate(stops) if FIRST_STOP + s == start]
        )
        for first in firsts:
            for end in seen - {start}:
                pairs.append((first, end if end < FIRST_STOP else names.get(end - FIRST_STOP, end)))
    return pairs
