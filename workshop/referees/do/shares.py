"""Certificates of 18DO's companies: who holds which, and who directs (rulebook 3.2.1, 4.3.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

DISPLAY, POOL = "offering", "pool"


@dataclass
class Certificates:
    """All certificates of a company: the first is the director's."""

    sizes: Sequence[int]
    holders: list[str]

    @classmethod
    def on_display(cls, sizes: Sequence[int]) -> Certificates:
        return cls(tuple(sizes), [DISPLAY] * len(sizes))

    @property
    def director(self) -> str:
        """Who holds the director's certificate; nobody while it lies on the display."""
        return "" if self.holders[0] == DISPLAY else self.holders[0]

    def share(self, holder: str) -> int:
        """What somebody holds in per cent."""
        return sum(size for size, owner in zip(self.sizes, self.holders, strict=True) if owner == holder)

    def count(self, holder: str) -> int:
        """How many certificates somebody holds."""
        return self.holders.count(holder)

    def ordinary(self, holder: str) -> list[int]:
        """The sizes of what somebody holds, without the director's certificate."""
        return [self.sizes[number] for number in range(1, len(self.sizes)) if self.holders[number] == holder]

    def held(self, players: Sequence[str]) -> int:
        """What players hold together."""
        return sum(self.share(player) for player in players)

    def move(self, size: int, source: str, target: str) -> None:
        """An ordinary certificate changes hands; which of equal ones is nothing to anybody."""
        for number in range(1, len(self.sizes)):
            if self.sizes[number] == size and self.holders[number] == source:
                self.holders[number] = target
                return
        raise LookupError(f"{source} has no ordinary certificate of {size} %")

    def hand_over(self, new: str) -> None:
        """The director's certificate for ordinary ones of the same share, as few as possible (R-113)."""
        old = self.holders[0]
        for size in fewest(self.ordinary(new), self.sizes[0]):
            self.move(size, new, old)
        self.holders[0] = new

    def overtaken(self, players: Sequence[str]) -> str:
        """Who has more shares than the director: the most, then the next after them in order (DO-4.3.2.2-b)."""
        director = self.director
        if director not in players:
            return ""
        place = players.index(director)
        after = [*players[place + 1 :], *players[:place]]
        best = max(after, key=self.share, default="")
        return best if best and self.share(best) > self.share(director) else ""

    def pairs(self) -> list[list[object]]:
        """Size and holder of each, sorted, as the frame asks for them."""
        return [[size, holder] for size, holder in sorted(zip(self.sizes, self.holders, strict=True))]


def fewest(sizes: Sequence[int], percent: int) -> tuple[int, ...]:
    """The fewest certificates that make up a share; nothing at all if none do."""
    for number in range(1, len(sizes) + 1):
        for chosen in combinations(sorted(sizes, reverse=True), number):
            if sum(chosen) == percent:
                return chosen
    return ()


def makes_up(sizes: Sequence[int], percent: int) -> set[tuple[int, ...]]:
    """All different sets of certificates that make up a share, largest first in each."""
    found = set()
    for number in range(1, len(sizes) + 1):
        for chosen in combinations(sorted(sizes, reverse=True), number):
            if sum(chosen) == percent:
                found.add(chosen)
    return found
