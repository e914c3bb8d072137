"""How many tiles are missing on the way of the Investor's company to its harbour (9.2.2, ruling 118)."""

from __future__ import annotations

import heapq

from workshop.referees.common.hexes import End, Place, at_stop, turned
from workshop.referees.lra.board import Board
from workshop.referees.lra.sheet import COLOURS, Drawing

FAR = 99


def _steps(board: Board, at: str) -> list[list[Drawing]]:
    """What a hex can become by no tile, one, two, three; supply and phase do not matter."""
    result = [[board.drawn(at)]]
    if board.drawn(at).colour in ("grey", "red"):
        return result
    held = board.supply
    board.supply = dict.fromkeys(held, 1)
    seen: set[Drawing] = set()
    tiles = dict(board.tiles)
    for _ in COLOURS:
        found: list[Drawing] = []
        for now in result[-1]:
            for name, drawing in board.sheet.tiles.items():
                for rotation in range(6):
                    new = turned(drawing, rotation)
                    if new in seen:
                        continue
                    board._drawn[at] = now
                    if not board.fits(at, name, rotation):
                        seen.add(new)
                        found.append(new)
        if not found:
            break
        result.append(found)
    board._drawn.pop(at, None)
    board.tiles, board.supply = tiles, held
    return result


class Way:
    """Counts for one company; what a hex can become is kept as long as it shows the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Drawing], list[list[Drawing]]] = {}

    def steps(self, board: Board, at: str) -> list[list[Drawing]]:
        key = (at, board.drawn(at))
        if key not in self._known:
            self._known[key] = _steps(board, at)
        return self._known[key]

    def count(self, board: Board, company: str, home: Place, goal: str) -> int:
        """The fewest tiles to lay or upgrade from the home to the harbour hex."""
        best: dict[tuple[str, End], int] = {}
        queue: list[tuple[int, str, str]] = [(0, home[0], home[1])]
        while queue:
            cost, at, word = heapq.heappop(queue)
            end: End = int(word) if word.isdigit() else word
            if best.get((at, end), FAR) <= cost:
                continue
            best[at, end] = cost
            if at == goal and isinstance(end, str):
                return cost
            for number, drawings in enumerate(self.steps(board, at)):
                for drawing in drawings:
                    for other in self._ways(board, at, drawing, end, company, number):
                        if isinstance(other, str):
                            if at == goal:
                                heapq.heappush(queue, (cost + number, at, other))
                            continue
                        there, side = board.layout.across((at, other))
                        if there in board.sheet.hexes and self._open(board, at, other):
                            heapq.heappush(queue, (cost + number, there, str(side)))
        return FAR

    @staticmethod
    def _open(board: Board, at: str, side: int) -> bool:
        there, back = board.layout.across((at, side))
        return side not in board.sheet.hexes[at].closed and back not in board.sheet.hexes[there].closed

    def _ways(self, board: Board, at: str, drawing: Drawing, end: End, company: str, number: int) -> list[End]:
        """From one end of a hex to its other sides, through stops that are not full; at the goal to its stop."""
        if isinstance(end, str):
            letters = [end] if not number else self._moved(drawing, end)
            return [side for letter in letters for side in at_stop(drawing, letter)]
        found: list[End] = []
        for one, two in drawing.pieces:
            if end not in (one, two):
                continue
            other = two if one == end else one
            if isinstance(other, int):
                found.append(other)
                continue
            found.append(other)
            if drawing.stops["abc".index(other)].kind == "offboard" or self._full(board, at, drawing, other, company):
                continue
            found += [side for side in at_stop(drawing, other) if side != end]
        return found

    @staticmethod
    def _moved(drawing: Drawing, letter: str) -> list[str]:
        return [letter] if "abc".index(letter) < len(drawing.stops) else ["a"]

    @staticmethod
    def _full(board: Board, at: str, drawing: Drawing, letter: str, company: str) -> bool:
        """Whether a stop would be full of others' stations, also after an upgrade that brings no space."""
        stop = drawing.stops["abc".index(letter)]
        if stop.kind == "town" or at not in board.spaces:
            return False
        stops = board.spaces[at]
        names = stops["abc".index(letter)] if "abc".index(letter) < len(stops) else []
        if len(drawing.stops) < len(stops):
            names = [name for some in stops for name in some]
        others = [name for name in names if name == "marker" or (name in board.floated and name != company)]
        return company not in names and len(others) >= stop.spaces > 0
