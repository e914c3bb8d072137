"""Finds the best routes in recorded positions and compares the totals.

Usage: python -m workshop oracle routes POSITIONS.json
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import titles
from engine.errors import Refused
from engine.game import Game
from workshop.oracle import shapes

MARKERS = {"K": "coal", "S": "steel"}


def position(record: Mapping[str, Any], spot: Mapping[str, Any]) -> Game:
    """A game with the recorded board, stations, trains and phase."""
    game = titles.new_game(shapes.title_of(record), shapes.seats_of(record), shapes.options_of(record), seed=0)
    state, definition = game.state, game.definition
    edges = definition.map.layout.edges
    for at, key in spot["board"].items():
        if "@" in key:
            state.board.tiles[at] = shapes.tile_of(definition, key.split("@")[0], record["tile_shapes"][key])
    game._attach(state)
    for at, face in game.board.faces.items():
        if face.stops:
            state.board.stations[at] = [[""] * stop.slots for stop in face.stops]
    for token in spot["tokens"]:
        drawing = record["tile_shapes"][spot["board"][token["hex"]]]
        node = next(node for node in drawing["nodes"] if node["id"] == token["city"])
        stop = shapes.stop_of(game.board.faces[token["hex"]], edges, node["edges"], token["city"])
        spaces = state.board.stations[token["hex"]][stop]
        spaces[spaces.index("")] = token["corp"]
    for name, company in state.companies.items():
        company.floated = company.active = name in spot["floated"]
    industry = spot.get("industry", {})
    state.board.markers = {at: [MARKERS.get(kind, kind) for kind in kinds] for at, kinds in industry.items()}
    state.companies[spot["corporation"]].trains = [train["name"] for train in spot["trains"]]
    state.phase = [phase.name for phase in definition.phases].index(spot["phase"])
    state.board.track_version += 1
    state.board.token_version += 1
    game._attach(state)
    return game


def wanted(spot: Mapping[str, Any]) -> int:
    """The recorded best total, under whatever rules it was found."""
    total: int = next(value for key, value in spot.items() if key.startswith("best"))["total"]
    return total


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
    right, times = 0, []
    for spot in record["positions"]:
        try:
            game = position(record, spot)
        except (Refused, ValueError, LookupError) as error:
            print(f"{spot['index']:>5} {spot['corporation']:<4} cannot be read: {error or type(error).__name__}")
            continue
        began = time.perf_counter()
        best = game.best_routes(spot["corporation"])
        seconds = time.perf_counter() - began
        times.append(seconds)
        good = best.value == wanted(spot) and best.proved
        right += good
        trains = "+".join(train["name"] for train in spot["trains"])
        verdict = "ok" if good else f"recorded {wanted(spot)}" + ("" if best.proved else ", not proved")
        print(
            f"{spot['index']:>5} {spot['corporation']:<4} {trains:<8} {best.value:>5}  "
            f"{1000 * seconds:8.2f} ms  {best.nodes:>7} steps  {verdict}"
        )
        if not good:
            for route in best.routes:
                print("       ", route.train, route.value, " ".join(route.path))
    if times:
        times.sort()
        late = times[-1 - len(times) // 20]
        print(f"95 of 100 within {1000 * late:.1f} ms, the slowest {1000 * times[-1]:.1f} ms")
    print(f"{right}/{len(record['positions'])}")
    return 0 if right == len(record["positions"]) else 1
