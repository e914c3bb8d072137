"""Whether track joins places through another, whoever has stations on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from engine.board.faces import OFFBOARD
from engine.routes.legs import LegBook, Node


def joined_via(
    book: LegBook,
    ones: Iterable[Node],
    vias: Iterable[Node],
    others: Iterable[Node],
    apart: Collection[str] = (),
) -> bool:
    """Whether one continuous way, using no track twice, leads from one place over `via` to the other.

    In the hexes that are `apart` no ferry between two banks is part of it.
    """
    for via in vias:
        for first in _arms(book, via, set(ones), set(), apart):
            for _ in _arms(book, via, set(others), {first}, apart):
                return True
    return False


def _arms(book: LegBook, start: Node, targets: set[Node], avoid: set[int], apart: Collection[str]) -> Iterator[int]:
    """Masks of the ways from a stop to one of the targets that share no track with those to avoid."""
    taken = 0
    for mask in avoid:
        taken |= mask
    stack: list[tuple[Node, int, frozenset[Node]]] = [(start, taken, frozenset({start}))]
    while stack:
        node, mask, seen = stack.pop()
        if node in targets:
            yield mask & ~taken
            continue
        if book.board.faces[node[0]].stops[node[1]].kind == OFFBOARD:
            continue
        ways = [(leg.to, leg.mask) for leg in book.legs(node)]
        partner = None if node[0] in apart else book.board.partner(*node)
        if partner is not None:
            ways.append(((node[0], partner), book.link_bit(*node, partner)))
        for to, track in ways:
            if to not in seen and not mask & track:
                passed = seen | {to}
                stack.append((to, mask | track, passed))
