"""What a company can reach from its stations over track: for laying, for stations, for links."""

from __future__ import annotations

from collections import deque

from engine.board.board import Board
from engine.board.faces import FIRST_STOP, OFFBOARD
from engine.board.hexes import OPPOSITE

#: A side of a hex, or of a link between two of its stops: a walk enters or leaves there.
End = tuple[str, int]
_ROOT: End = ("", -1)


class Reach:
    """Everything that an available route from one of the starts leads to.

    A walk uses no border of two hexes twice, nor a link between two stops. Borders and links are then
    like the matched edges of a graph, the turns inside hexes like its other edges, and walks are like
    alternating paths. So the ends where a walk can enter are found by Edmonds' search: breadth first,
    and where two ways meet head on, both can be run backwards up to where they part (a blossom).
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
        self.stops: set[tuple[str, int]] = set(starts)
        #: For each end where a walk can enter: the base of its blossom, or itself.
        self._entered: dict[End, End] = {_ROOT: _ROOT}
        #: For each end where a walk leaves first: where it entered the hex before.
        self._before: dict[End, End] = {}
        self._queue: deque[End] = deque()
        self._search()

    def touches(self, at: str, edges: int) -> bool:
        """Whether a reached track arrives at one of these edges of a hex."""
        return bool(self.touched.get(at, 0) & edges)

    def reaches(self, at: str, stop: int) -> bool:
        return (at, stop) in self.stops

    # ------------------------------------------------------------------ the board

    def _across(self, end: End) -> End | None:
        """The other end of a border or a link."""
        at, side = end
        if side < FIRST_STOP:
            other = self.board.map.neighbours[at][side]
            return None if other is None else (other, OPPOSITE[side])
        one, two = divmod(side - FIRST_STOP, 8)
        return at, FIRST_STOP + two * 8 + one

    def _turns(self, end: End) -> list[End]:
        """The ends at which a walk may leave a hex that it has entered at an end."""
        if end is _ROOT:
            return [out for at, stop in self.starts for out in self._out_of(at, stop)]
        at, side = end
        if side >= FIRST_STOP:
            return self._through(at, (side - FIRST_STOP) // 8, end)
        result: list[End] = []
        for other in self.board.faces[at].links[side]:
            if other < FIRST_STOP:
                result.append((at, other))
            else:
                result += self._through(at, other - FIRST_STOP, end)
        return result

    def _out_of(self, at: str, stop: int) -> list[End]:
        """The ends of all track that begins at a stop."""
        return [
            (at, end if end < FIRST_STOP else FIRST_STOP + stop * 8 + end - FIRST_STOP)
            for end in self.board.faces[at].links[FIRST_STOP + stop]
        ]

    def _through(self, at: str, stop: int, end: End) -> list[End]:
        """How a walk may go on from a stop: a free part of a city lets it cross between the parts."""
        board = self.board
        if at in self.closed or board.faces[at].stops[stop].kind == OFFBOARD:
            return []
        out = self._out_of(at, stop)
        if self.ignore_stations or board.open_for(self.company, at, stop):
            return out
        partner = board.partner(at, stop)
        if partner is None or not board.open_for(self.company, at, partner):
            return []
        ferry = (at, FIRST_STOP + stop * 8 + partner)
        return out if end == ferry else [ferry]

    # ------------------------------------------------------------------ the search

    def _search(self) -> None:
        entered, before = self._entered, self._before
        self._queue.append(_ROOT)
        while self._queue:
            here = self._queue.popleft()
            for out in self._turns(here):
                if out in entered:
                    if self._base(out) != self._base(here):
                        self._meet(here, out)
                elif out not in before:
                    beyond = self._across(out)
                    if beyond is not None:
                        before[out] = here
                        self._enter(beyond, beyond)

    def _enter(self, end: End, base: End) -> None:
        at, side = end
        self._entered[end] = base
        self._queue.append(end)
        if side >= FIRST_STOP:
            self.stops.add((at, (side - FIRST_STOP) // 8))
            return
        self.touched[at] = self.touched.get(at, 0) | 1 << side
        for other in self.board.faces[at].links[side]:
            if other >= FIRST_STOP:
                self.stops.add((at, other - FIRST_STOP))

    def _base(self, end: End) -> End:
        entered = self._entered
        while entered[end] != end:
            entered[end] = end = entered[entered[end]]
        return end

    def _back(self, base: End) -> End:
        """The base one border before a base."""
        left = self._across(base)
        assert left is not None
        return self._base(self._before[left])

    def _meet(self, one: End, other: End) -> None:
        """Two ways meet in a hex: each may be run back along the other up to where they parted."""
        passed = {base := self._base(one)}
        while base != _ROOT:
            base = self._back(base)
            passed.add(base)
        parting = self._base(other)
        while parting not in passed:
            parting = self._back(parting)
        for end in (one, other):
            base = self._base(end)
            while base != parting:
                left = self._across(base)
                assert left is not None
                following = self._base(self._before[left])
                self._entered[base] = parting
                self._enter(left, parting)
                base = following


class HexOnceReach(Reach):
    """What is reached where a walk may come to no hex again that it has left.

    Whatever a walk without that ban reaches is looked at again. Most ends lie on a walk that never comes back to a
    hex, found breadth first. For each of the few others all walks are tried, backwards from the end, since a way that
    needs a hex twice is narrow there; what is left of the board after some steps is tried only once.
    """

    def _search(self) -> None:
        super()._search()
        self._possible = set(self._entered) - {_ROOT}
        self._chains = self._simple()
        self._led_by: dict[End, list[End]] = {}
        found = set(self._chains)
        missing = sorted(self._possible - found)
        if missing:
            for end in (_ROOT, *self._possible):
                for out in self._turns(end):
                    self._led_by.setdefault(out, []).append(end)
            found |= {end for end in missing if self._back_from(end, frozenset({end[0]}), frozenset(), set())}
        self._entered = {_ROOT: _ROOT}
        self.touched, self.stops = {}, set(self.starts)
        for end in found:
            self._enter(end, end)
        self._queue.clear()

    def _simple(self) -> dict[End, frozenset[str]]:
        """Ends that a walk reaches without coming back to a hex, each with the hexes of one such walk."""
        hexes: dict[End, frozenset[str]] = {}
        queue = deque((out, frozenset({out[0]}), frozenset[End]()) for out in self._turns(_ROOT))
        while queue:
            out, gone, links = queue.popleft()
            beyond = self._across(out)
            if beyond is None or beyond in hexes:
                continue
            if beyond[1] >= FIRST_STOP:
                if beyond in links:
                    continue
                links = links | {out, beyond}
            elif beyond[0] in gone:
                continue
            else:
                gone, links = gone | {beyond[0]}, frozenset()
            hexes[beyond] = gone
            queue.extend((further, gone, links) for further in self._turns(beyond))
        return hexes

    def _back_from(self, end: End, gone: frozenset[str], links: frozenset[End], failed: set[object]) -> bool:
        """Whether a walk enters at an end over hexes that are not gone; `failed` are boards tried in vain."""
        left = self._across(end)
        assert left is not None
        if end[1] >= FIRST_STOP:  # still on the same hex
            if left in links:
                return False
            links = links | {left, end}
        elif left[0] in gone:
            return False
        else:
            gone, links = gone | {left[0]}, frozenset()
        before = self._led_by.get(left, [])
        if _ROOT in before:
            return True
        for entry in before:
            chain = self._chains.get(entry)
            if chain is not None and not links and len(chain & gone) == 1:
                return True  # only the hex itself is on both
        board = self._behind(before, gone)
        key = (left, links, board)
        if _ROOT not in board or key in failed:
            return False
        if any(self._back_from(entry, gone, links, failed) for entry in before):
            return True
        failed.add(key)
        return False

    def _behind(self, ends: list[End], gone: frozenset[str]) -> frozenset[End]:
        """All ends from which a way leads on to one of these over hexes that are not gone, coming back or not."""
        seen, queue = set(ends), list(ends)
        while queue:
            here = queue.pop()
            left = None if here is _ROOT else self._across(here)
            if left is None or (here[1] < FIRST_STOP and left[0] in gone):
                continue
            for entry in self._led_by.get(left, ()):
                if entry not in seen:
                    seen.add(entry)
                    queue.append(entry)
        return frozenset(seen)
