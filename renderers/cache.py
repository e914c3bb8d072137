"""A store for finished drawings that forgets the oldest when it holds too many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from PIL import Image


class Store:
    """Drawings by what they show. Several threads may use one; a drawing handed out is never changed."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self._kept: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Image.Image]) -> Image.Image:
        """The drawing of this key, made if it is not there."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self.bytes += weight(made)
                while self.bytes > self.limit and len(self._kept) > 1:
                    _, old = self._kept.popitem(last=False)
                    self.bytes -= weight(old)
            return self._kept[key]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)


def weight(image: Image.Image) -> int:
    """What a drawing takes in memory; three channels are kept in four bytes."""
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4)


#: Faces of tiles without text, and finished hexes; together with the small ones well below 150 MB.
SHAPES = Store(40_000_000)
HEXES = Store(60_000_000)
PIECES = Store(10_000_000)


def clear() -> None:
    """Forget every drawing."""
    for store in (SHAPES, HEXES, PIECES):
        store.clear()
