"""Room for lettering on a part of the map: what is taken is kept as bits, a row of small squares a number."""

from __future__ import annotations

from collections.abc import Iterable

#: Pixels along a side of a square.
CELL = 5

Box = tuple[int, int, int, int]
Spot = tuple[float, float]


class Room:
    """What nothing may cover (stops, lettering), and what had better not be covered (track)."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        rows = height // CELL + 1
        self.hard, self.soft = [0] * rows, [0] * rows
        self.boxes: list[Box] = []

    def _mark(self, rows: list[int], box: Box) -> None:
        left, right = max(box[0] // CELL, 0), min(-(-box[2] // CELL), self.width // CELL + 1)
        if left < right:
            bits = ((1 << (right - left)) - 1) << left
            for row in range(max(box[1] // CELL, 0), min(-(-box[3] // CELL), len(rows))):
                rows[row] |= bits

    def block(self, middle: Spot, radius: float, *, soft: bool = False) -> None:
        x, y = middle
        box = (round(x - radius), round(y - radius), round(x + radius), round(y + radius))
        self._mark(self.soft if soft else self.hard, box)

    def take(self, box: Box) -> None:
        self.boxes.append(box)
        self._mark(self.hard, box)

    def box(self, middle: Spot, wide: float, high: float) -> Box:
        x, y = middle
        return round(x - wide / 2), round(y - high / 2), round(x + wide / 2), round(y + high / 2)

    def find(
        self, wide: float, high: float, middles: Iterable[Spot], *, slope: float = 0.4, soft: float = 0.5
    ) -> tuple[Spot | None, float]:
        """The best middle for a box among those proposed, earlier ones preferred, with its cost; none off the edge."""
        best: Spot | None = None
        cheapest = 1e9
        for number, middle in enumerate(middles):
            cost = slope * number
            if cost >= cheapest:
                break
            left, top, right, bottom = self.box(middle, wide, high)
            if left < 2 or top < 2 or right > self.width - 2 or bottom > self.height - 2:
                continue
            first, last = left // CELL, -(-right // CELL)
            bits = ((1 << (last - first)) - 1) << first
            for row in range(top // CELL, min(-(-bottom // CELL), len(self.hard))):
                cost += 8 * (self.hard[row] & bits).bit_count() + soft * (self.soft[row] & bits).bit_count()
            if cost < cheapest:
                best, cheapest = middle, cost
        return best, cheapest
