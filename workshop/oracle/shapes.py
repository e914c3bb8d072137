"""Reads the oracle's notation: tiles by their drawn track, cities by their exits, names of companies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import titles
from engine.board.faces import FIRST_STOP, Face
from engine.definition import Definition
from engine.game import Game


def title_of(record: Mapping[str, Any]) -> str:
    """Our id of the record's title: `18Rhl` is rhl."""
    return re.split(r"\W", record["title"])[0].lower().removeprefix("18")


def options_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The edition under which the record was played."""
    return {"edition": "earlier"} if "before" in record.get("edition", "") else {}


def seats_of(record: Mapping[str, Any]) -> list[str]:
    """The players' seats; a file of positions may do without them."""
    if "players" in record:
        return [player["seat"] for player in record["players"]]
    fewest, _ = titles.find(title_of(record)).form().players
    return [f"P{number + 1}" for number in range(fewest)]


def edge_bits(edges: tuple[str, ...], names: Any) -> int:
    return sum(1 << edges.index(name) for name in names)


def shape(edges: tuple[str, ...], drawing: Mapping[str, Any]) -> tuple[frozenset[Any], frozenset[Any]]:
    """The drawing as sets: exits of each stop (by kind), and pieces of plain track."""
    plain: set[Any] = set()
    stops: dict[str, Any] = {}
    for segment in drawing["segments"]:
        one, other = segment[:2]
        if one in edges and other in edges:
            plain.add(frozenset((edges.index(one), edges.index(other))))
        elif one in edges or other in edges:
            edge, node = (one, other) if one in edges else (other, one)
            stops.setdefault(node, set()).add(edges.index(edge))
    kinds = {node["id"]: node["kind"] for node in drawing["nodes"]}
    return frozenset(plain), frozenset((kinds[node], frozenset(exits)) for node, exits in stops.items())


def face_shape(face: Face) -> tuple[frozenset[Any], frozenset[Any]]:
    plain = {frozenset(piece) for piece in face.track if piece[1] < FIRST_STOP}
    stops = {
        (stop.kind, frozenset(edge for edge in range(6) if exits >> edge & 1))
        for stop, exits in zip(face.stops, face.stop_exits, strict=True)
        if exits
    }
    return frozenset(plain), frozenset(stops)


def tile_of(definition: Definition, name: str, drawing: Mapping[str, Any]) -> tuple[str, int]:
    """Our tile and rotation for a tile of the oracle, found by its drawing."""
    tile = definition.tiles.get(name) or definition.tiles.get(name.lstrip("X"))
    if tile is None:
        raise ValueError(f"there is no tile {name}")
    wanted = shape(definition.map.layout.edges, drawing)
    for rotation in tile.rotations:
        if face_shape(tile.faces[rotation]) == wanted:
            return tile.id, rotation
    raise ValueError(f"no rotation of tile {name} looks like {drawing['segments']}")


def stop_of(face: Face, edges: tuple[str, ...], exits: Any, node: str) -> int:
    """Our stop for one that the oracle names by its exits, or by its number where it has none."""
    bits = edge_bits(edges, exits)
    for index, have in enumerate(face.stop_exits):
        if have == bits and bits:
            return index
    return int(node[1:])


def begin(record: Mapping[str, Any], initial: Mapping[str, Any]) -> Game:
    """A game of the record's edition with its seats and locations: some seed deals them."""
    seats = seats_of(record)
    for seed in range(100_000):
        game = titles.new_game(title_of(record), seats, options_of(record), seed)
        markers = {kind: at for at, kinds in game.state.board.markers.items() for kind in kinds}
        if game.state.seats == seats and markers == initial["variable_industry"]:
            return game
    raise ValueError("no seed deals these seats and locations")
