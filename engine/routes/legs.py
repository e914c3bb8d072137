"""Legs: the ways over plain track from one stop to the next, found once for each state of the track."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, piece
from engine.board.hexes import OPPOSITE

Node = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Leg:
    """From a stop over plain hexes `via` to the stop `to`; `mask` has a bit for each border crossed.

    `out` and `into` say that the first and the last piece of it are ferries between a stop and an edge.
    """

    mask: int
    to: Node
    via: tuple[str, ...]
    out: bool = False
    into: bool = False


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
                self._follow(at, end, 0, (), (end, FIRST_STOP + stop) in face.ferry, result)
            elif piece(FIRST_STOP + stop, end) not in face.ferry:
                result.append(Leg(self.link_bit(at, stop, end - FIRST_STOP), (at, end - FIRST_STOP), ()))
        return result

    def _follow(self, at: str, edge: int, mask: int, via: tuple[str, ...], out: bool, result: list[Leg]) -> None:
        other = self.board.map.neighbours[at][edge]
        side = self.board.map.sides[at][edge]
        if other is None or mask & side:
            return
        mask |= side
        face = self.board.faces[other]
        arrival = OPPOSITE[edge]
        for end in face.links[arrival]:
            if end >= FIRST_STOP:
                result.append(Leg(mask, (other, end - FIRST_STOP), via, out, (arrival, end) in face.ferry))
            else:
                self._follow(other, end, mask, (*via, other), out, result)

    def link_bit(self, at: str, one: int, other: int) -> int:
        """The mask bit of the track between two stops of a hex, a ferry or not."""
        joints = self.board.faces[at].joints
        return self.board.map.link_bit(at, joints[piece(FIRST_STOP + one, FIRST_STOP + other)])
