"""What a company can reach from its stations over track: for laying, for stations, for links."""

from __future__ import annotations

from collections import deque

from engine.board import Board
from engine.faces import FIRST_STOP, OFFBOARD
from engine.hexes import OPPOSITE

Exit = tuple[str, int]


class Reach:
    """Everything that an available route from one of the starts leads to.

    The walk never uses a border of two hexes twice. It goes breadth first and keeps for each exit the
    borders used on the way; an exit that was met only by turning back on the way's own track is looked
    at again with that border closed, which tells whether some other way leads there.
    """

    def __init__(
        self,
        board: Board,
        company: str,
        starts: list[tuple[str, int]],
        *,
        ignore_stations: bool = False,
        closed: frozenset[str] = frozenset(),
    ) -> None:
        self.board = board
        self.company = company
        self.starts = starts
        self.ignore_stations = ignore_stations
        self.closed = closed
        #: For each hex: a bit for each edge at which a reached track arrives from outside.
        self.touched: dict[str, int] = {}
        self.stops: set[tuple[str, int]] = set()
        self._seen: dict[Exit, int] = {}
        self._doubtful: set[Exit] = set()
        self._queue: deque[Exit] = deque()
        self._begin(0)
        self._walk(None, 0)

    def complete(self) -> Reach:
        """Settle every doubtful exit as well; what it adds is rare, so it waits until it matters."""
        while self._doubtful:
            exit_ = self._doubtful.pop()
            if exit_ in self._seen:
                continue
            other = Reach.__new__(Reach)
            other.board, other.company = self.board, self.company
            other.starts, other.ignore_stations, other.closed = self.starts, self.ignore_stations, self.closed
            other.touched, other.stops, other._seen = {}, set(), {}
            other._doubtful, other._queue = set(), deque()
            other._begin(0)
            mask = other._walk(exit_, self.board.map.sides[exit_[0]][exit_[1]])
            if mask is not None:
                self._seen[exit_] = mask
                self._queue.append(exit_)
                self._walk(None, 0)
        return self

    def touches(self, at: str, edges: int) -> bool:
        """Whether a reached track arrives at one of these edges of a hex."""
        if self.touched.get(at, 0) & edges:
            return True
        return bool(self._doubtful) and bool(self.complete().touched.get(at, 0) & edges)

    def reaches(self, at: str, stop: int) -> bool:
        if (at, stop) in self.stops:
            return True
        return bool(self._doubtful) and (at, stop) in self.complete().stops

    # ------------------------------------------------------------------ the walk

    def _begin(self, mask: int) -> None:
        for at, stop in self.starts:
            self.stops.add((at, stop))
            self._leave(at, stop, -1, mask)
            partner = self.board.partner(at, stop)
            if partner is not None:
                self.stops.add((at, partner))
                self._leave(at, partner, -1, mask | self._ferry_bit(at))

    def _ferry_bit(self, at: str) -> int:
        return self.board.map.link_bit(at, 3)

    def _walk(self, target: Exit | None, closed: int) -> int | None:
        board = self.board
        neighbours, sides, faces = board.map.neighbours, board.map.sides, board.faces
        queue, seen, touched = self._queue, self._seen, self.touched
        while queue:
            exit_ = queue.popleft()
            at, edge = exit_
            mask = seen[exit_]
            if target == exit_:
                return mask
            if closed and sides[at][edge] == closed:
                continue
            other = neighbours[at][edge]
            if other is None:
                continue
            enter = OPPOSITE[edge]
            touched[other] = touched.get(other, 0) | 1 << enter
            for end in faces[other].links[enter]:
                if end < FIRST_STOP:
                    self._push(other, end, mask)
                else:
                    self._arrive(other, end - FIRST_STOP, enter, mask)
        return None

    def _push(self, at: str, edge: int, mask: int) -> None:
        exit_ = (at, edge)
        if exit_ in self._seen:
            return
        side = self.board.map.sides[at][edge]
        if mask & side:
            self._doubtful.add(exit_)
            return
        self._seen[exit_] = mask | side
        self._queue.append(exit_)

    def _arrive(self, at: str, stop: int, enter: int, mask: int) -> None:
        board = self.board
        if at in self.closed:
            return
        self.stops.add((at, stop))
        if board.faces[at].stops[stop].kind == OFFBOARD:
            return
        through = self.ignore_stations or board.open_for(self.company, at, stop)
        partner = board.partner(at, stop)
        if partner is not None and (
            through or self.ignore_stations or board.open_for(self.company, at, partner)
        ):
            bit = self._ferry_bit(at)
            if not mask & bit:
                self.stops.add((at, partner))
                self._leave(at, partner, -1, mask | bit)
        if through:
            self._leave(at, stop, enter, mask)

    def _leave(self, at: str, stop: int, enter: int, mask: int) -> None:
        face = self.board.faces[at]
        for end in face.links[FIRST_STOP + stop]:
            if end < FIRST_STOP:
                if end != enter:
                    self._push(at, end, mask)
            elif (min(FIRST_STOP + stop, end), max(FIRST_STOP + stop, end)) not in face.ferry:
                bit = self.board.map.link_bit(at, 0)
                if not mask & bit:
                    self._arrive(at, end - FIRST_STOP, -1, mask | bit)
