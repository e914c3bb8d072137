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
    """The same where a walk may come to no hex again that it has left.

    Whatever a walk without that ban reaches is looked at again: most ends lie on a walk that never comes back to
    a hex, found breadth first; for each of the few others all walks are tried that could still lead there.
    """

    def _search(self) -> None:
        super()._search()
        possible = set(self._entered) - {_ROOT}
        found = self._simple()
        for end in sorted(possible - found.keys()):
            if self._try(end):
                found[end] = _ROOT
        self._entered = {_ROOT: _ROOT}
        self.touched, self.stops = {}, set(self.starts)
        for end in found:
            self._enter(end, end)
        self._queue.clear()

    def _simple(self) -> dict[End, End]:
        """Ends that a walk reaches without coming back to a hex, each with the end before on one such walk."""
        before: dict[End, End] = {}
        queue = deque((_ROOT, out) for out in self._turns(_ROOT))
        while queue:
            here, out = queue.popleft()
            beyond = self._across(out)
            if beyond is None or beyond in before or self._comes_back(before, here, out, beyond):
                continue
            before[beyond] = here
            queue.extend((beyond, further) for further in self._turns(beyond))
        return before

    def _comes_back(self, before: dict[End, End], here: End, out: End, beyond: End) -> bool:
        """Whether the walk to `here` that goes on over `out` comes to a hex, or to a link in it, once more."""
        if beyond[1] < FIRST_STOP:
            if beyond[0] == out[0]:
                return True
            while here is not _ROOT:
                if here[0] == beyond[0]:
                    return True
                if before[here] is _ROOT:
                    break
                here = before[here]
            return beyond[0] in self._begins(here, out)
        while here is not _ROOT and here[0] == beyond[0]:
            if here[1] >= FIRST_STOP and {here, self._across(here)} & {beyond, out}:
                return True
            here = before[here]
        return False

    def _begins(self, first: End, out: End) -> set[str]:
        """The hexes in which a walk can have begun that first entered a hex at an end."""
        left = out if first is _ROOT else self._across(first)
        assert left is not None
        return {left[0]}

    def _try(self, target: End) -> bool:
        """Whether some walk that never comes back to a hex enters at an end."""

        def goes(out: End, gone: frozenset[str], links: frozenset[End]) -> bool:
            beyond = self._across(out)
            if beyond is None:
                return False
            if beyond[1] >= FIRST_STOP:
                if beyond in links or out in links:
                    return False
                links = links | {out, beyond}
            elif beyond[0] in gone:
                return False
            else:
                gone, links = gone | {beyond[0]}, frozenset()
            if beyond == target:
                return True
            if not self._leads(beyond, target, gone):
                return False
            return any(goes(further, gone, links) for further in self._turns(beyond))

        return any(goes(out, frozenset({out[0]}), frozenset()) for out in self._turns(_ROOT))

    def _leads(self, start: End, target: End, gone: frozenset[str]) -> bool:
        """Whether a way leads on to the target over hexes that are not gone, even if it comes back to some."""
        if target[1] < FIRST_STOP and target[0] in gone:
            return False
        seen, queue = {start}, [start]
        while queue:
            here = queue.pop()
            for out in self._turns(here):
                beyond = self._across(out)
                if beyond is None or beyond in seen or (beyond[1] < FIRST_STOP and beyond[0] in gone):
                    continue
                if beyond == target:
                    return True
                seen.add(beyond)
                queue.append(beyond)
        return False
