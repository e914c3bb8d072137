"""Which tile fits on which hex, by geometry alone: colour, code, borders, kept track. Kept for reuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.board.faces import COLOURS, FIRST_STOP, Face, Stop, Tile, Track, piece
from engine.board.hexes import OPPOSITE
from engine.definition import Definition, Hex

#: What lies on a hex: "" for the printed hex, or a tile and its rotation.
Cover = tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Fit:
    """A tile in a rotation that fits. `stops[i]` is where the hex's old stop i goes."""

    tile: str
    rotation: int
    face: Face
    stops: tuple[int, ...]
    new_track: tuple[Track, ...]
    exits: int
    #: Whether separate stops become one, so that track is joined that was not before.
    joins: bool


class Misfit(Exception):
    """Why a tile does not fit: the key of a refusal and its facts."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        self.key = key
        self.facts = facts
        super().__init__(key, facts)


class Tiling:
    """All questions of geometry about one title's map and tiles; answers never depend on the position."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.map = definition.map
        self._fits: dict[tuple[str, Cover], tuple[Fit, ...]] = {}
        self.allowed_exits = {at: self._allowed(at) for at in self.map.hexes}

    def _allowed(self, at: str) -> int:
        bits = 0
        for edge, other in enumerate(self.map.neighbours[at]):
            if other is None:
                continue
            spot = self.map.hexes[other]
            if spot.buildable or spot.face.exits & 1 << OPPOSITE[edge]:
                bits |= 1 << edge
        return bits

    def face(self, at: str, cover: Cover) -> Face:
        """The drawing on a hex, printed or by its tile."""
        if cover is None:
            return self.map.hexes[at].face
        return self.definition.tiles[cover[0]].faces[cover[1]]

    def fits(self, at: str, cover: Cover) -> tuple[Fit, ...]:
        """Every ordinary tile and rotation that may replace what lies on a hex."""
        key = (at, cover)
        found = self._fits.get(key)
        if found is None:
            result = []
            next_rank = _rank(self.face(at, cover)) + 1
            for tile in self.definition.tiles.values():
                if tile.rank != next_rank:
                    continue
                for rotation in tile.turns:
                    try:
                        result.append(self.fit(at, cover, tile, rotation))
                    except Misfit:
                        continue
            found = self._fits[key] = tuple(result)
        return found

    def fit(self, at: str, cover: Cover, tile: Tile, rotation: int) -> Fit:
        """One tile in one rotation, or Misfit with the reason."""
        spot = self.map.hexes[at]
        old = self.face(at, cover)
        if not spot.buildable:
            raise Misfit("tile.fixed", at=at)
        if tile.special:
            raise Misfit("tile.special", tile=tile.id)
        rank = _rank(old)
        if tile.rank > rank + 1:
            raise Misfit("tile.colour.skipped", colour=tile.colour, old=old.colour, at=at)
        if tile.rank != rank + 1:
            raise Misfit("tile.colour", colour=tile.colour, old=old.colour, at=at)
        self._code(spot, cover, tile)
        return self.placed(at, cover, tile, rotation)

    def placed(self, at: str, cover: Cover, tile: Tile, rotation: int) -> Fit:
        """The borders and the kept track of a lay, whatever the colours and codes are."""
        spot = self.map.hexes[at]
        if tile.hexes and at not in tile.hexes:
            raise Misfit("tile.code.hex", tile=tile.id, at=at)
        if rotation not in tile.rotations:
            raise Misfit("tile.rotation", tile=tile.id, at=at)
        old = self.face(at, cover)
        face = tile.faces[rotation]
        wrong = face.exits & ~self.allowed_exits[at]
        if wrong:
            edge = (wrong & -wrong).bit_length() - 1
            compass = self.map.layout.edges[edge]
            barred = self.map.layout.neighbour(at, edge) in self.map.hexes and (self.map.neighbours[at][edge] is None)
            if barred:
                raise Misfit("tile.barred", at=at, side=compass)
            raise Misfit("tile.dead_end", at=at)
        if cover is None and spot.stubs & ~face.exits:
            raise Misfit("tile.stub", at=at)
        if tile.special:  # it replaces whatever lies there
            return Fit(tile.id, rotation, face, (0,) * len(old.stops), face.track, face.exits, True)
        tokens = tile.tokens if len(tile.tokens) == len(old.stops) else ()
        stops = _stop_map(old, face, apart=not tokens)
        kept = _kept(old, face, stops)
        if stops is None or kept is None:
            raise Misfit("tile.kept", tile=tile.id, at=at)
        new_track = tuple(track for track in face.track if track not in kept)
        joins = len(set(stops)) < len(stops)
        return Fit(tile.id, rotation, face, tokens or stops, new_track, face.exits, joins)

    def placements(self, at: str, cover: Cover, tiles: Iterable[Tile]) -> Iterator[Fit]:
        """Where these tiles fit, whatever the colours and codes are."""
        for tile in tiles:
            for rotation in tile.turns:
                try:
                    yield self.placed(at, cover, tile, rotation)
                except Misfit:
                    continue

    def _code(self, spot: Hex, cover: Cover, tile: Tile) -> None:
        labels = spot.face.labels
        if spot.label_from and tile.rank < COLOURS.index(spot.label_from):
            labels = ()
        if labels or tile.face.labels:
            if not set(labels) & set(tile.face.labels):
                raise Misfit("tile.code", tile=tile.id, at=spot.at)
            return
        below = None if cover is None else self.definition.tiles[cover[0]]
        have = spot.category if below is None else below.becomes or below.category
        if have != tile.category:
            raise Misfit("tile.kind", tile=tile.id, at=spot.at)


def _rank(face: Face) -> int:
    """The place of what lies on a hex in the order of upgrading; nothing follows what has none."""
    return COLOURS.index(face.colour) if face.colour in COLOURS else len(COLOURS)


def _stop_map(old: Face, new: Face, *, apart: bool = True) -> tuple[int, ...] | None:
    """Where each old stop goes: to the stop that takes over its track, or to a free one."""
    result: list[int] = [-1] * len(old.stops)
    for index, exits in enumerate(old.stop_exits):
        if exits:
            for target, target_exits in enumerate(new.stop_exits):
                if exits & ~target_exits == 0:
                    result[index] = target
                    break
            else:
                return None
    for index, target in enumerate(result):
        if target < 0:
            free = [stop for stop in range(len(new.stops)) if stop not in result]
            if free:
                result[index] = free[0]
            elif new.stops:
                result[index] = 0
            else:
                return None
    # Separate stops stay separate as long as the new tile has as many.
    if not apart:  # the tile says where tokens go
        return tuple(result)
    if len(set(result)) < min(len(old.stops), len(new.stops)):
        return None
    for target, stop in enumerate(new.stops):
        if not _has_room(stop, [old.stops[index] for index, to in enumerate(result) if to == target]):
            return None
    return tuple(result)


def _has_room(stop: Stop, olds: list[Stop]) -> bool:
    """Whether every token that may lie on the old stops finds a space; one that was reserved may become ordinary."""
    if sum(old.slots for old in olds) > stop.slots:
        return False
    if not stop.reserved:
        return True
    room = Counter(stop.reserved)
    needed = Counter(whose for old in olds for whose in old.reserved or ("",) * old.slots)
    displaced = sum(max(count - room[whose], 0) for whose, count in needed.items() if whose)
    return needed[""] + displaced <= room[""]


def _kept(old: Face, new: Face, stops: tuple[int, ...] | None) -> set[Track] | None:
    """The old track as it appears on the new face, or None if some is missing."""
    if stops is None:
        return None
    kept: set[Track] = set()
    for one, other in old.track:
        ends = [end if end < FIRST_STOP else FIRST_STOP + stops[end - FIRST_STOP] for end in (one, other)]
        if ends[0] == ends[1]:
            continue  # two stops of one city became one
        same = piece(ends[0], ends[1])
        if same not in new.track_set:
            return None
        kept.add(same)
    return kept
