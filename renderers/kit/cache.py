"""A store for finished drawings that forgets the oldest when it holds too many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from PIL import Image


class Drawings:
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


class Boards:
    """The last drawing of each board with a note of what it shows, the oldest forgotten first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[object, Image.Image]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> tuple[object, Image.Image] | None:
        with self._lock:
            return self._kept.get(key)

    def put(self, key: Hashable, shown: object, image: Image.Image) -> None:
        with self._lock:
            self._kept[key] = (shown, image)
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    @property
    def bytes(self) -> int:
        return sum(weight(image) for _, image in tuple(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


def weight(image: Image.Image) -> int:
    """What a drawing takes in memory; three channels are kept in four bytes."""
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4)


#: Faces of tiles without text, and finished hexes; together with the small ones well below 150 MB.
SHAPES = Drawings(24_000_000)
HEXES = Drawings(48_000_000)
PIECES = Drawings(8_000_000)
#: Whole boards as last drawn, with what each of their hexes shows; the next one differs in few hexes.
BOARDS = Boards(4)


def clear() -> None:
    """Forget every drawing."""
    for store in (SHAPES, HEXES, PIECES, BOARDS):
        store.clear()
