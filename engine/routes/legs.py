"""Legs: the ways over plain track from one stop to the next, found once for each state of the track."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, piece
from engine.board.hexes import OPPOSITE

Node = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Leg:
    """From a stop over plain hexes `via` to the stop `to`; `mask` has a bit for each border crossed."""

    mask: int
    to: Node
    via: tuple[str, ...]


class LegBook:
    """The legs of a board, stop by stop, as they are asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.version = board.state.track_version
        self._legs: dict[Node, tuple[Leg, ...]] = {}

    def legs(self, node: Node) -> tuple[Leg, ...]:
        """All legs that leave a stop itself (not those that leave after a ferry)."""
        found = self._legs.get(node)
        if found is None:
            found = self._legs[node] = tuple(self._search(node))
        return found

    def _search(self, node: Node) -> list[Leg]:
        at, stop = node
        face = self.board.faces[at]
        result: list[Leg] = []
        for end in face.links[FIRST_STOP + stop]:
            if end < FIRST_STOP:
                self._follow(at, end, 0, (), result)
            elif piece(FIRST_STOP + stop, end) not in face.ferry:
                result.append(Leg(self.board.map.link_bit(at, 0), (at, end - FIRST_STOP), ()))
        return result

    def _follow(self, at: str, edge: int, mask: int, via: tuple[str, ...], result: list[Leg]) -> None:
        other = self.board.map.neighbours[at][edge]
        side = self.board.map.sides[at][edge]
        if other is None or mask & side:
            return
        mask |= side
        for end in self.board.faces[other].links[OPPOSITE[edge]]:
            if end >= FIRST_STOP:
                result.append(Leg(mask, (other, end - FIRST_STOP), via))
            else:
                self._follow(other, end, mask, (*via, other), result)

    def ferry_bit(self, at: str) -> int:
        """The mask bit of a hex's ferry."""
        return self.board.map.link_bit(at, 3)
