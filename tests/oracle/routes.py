"""Finds the best routes in recorded positions and compares the totals.

Usage: python tests/oracle/routes.py POSITIONS.json
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import titles
from engine.game import Game
from tests.oracle import shapes


def position(record: Mapping[str, Any], spot: Mapping[str, Any]) -> Game:
    """A game with the recorded board, stations, trains and phase."""
    seats = [player["seat"] for player in record["players"]]
    options = {"edition": "earlier"} if "before" in record.get("edition", "") else {}
    game = titles.new_game(shapes.TITLES[record["title"]], seats, options, seed=0)
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
    state.board.markers = {
        at: [{"K": "coal", "S": "steel"}[kind] for kind in kinds]
        for at, kinds in spot["industry"].items()
        if at not in ("D7", "J15")  # printed on the map or on a tile
    }
    state.companies[spot["corporation"]].trains = [train["name"] for train in spot["trains"]]
    state.phase = next(n for n, phase in enumerate(definition.phases) if phase.name == spot["phase"])
    state.board.track_version += 1
    state.board.token_version += 1
    game._attach(state)
    return game


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
    right = 0
    for spot in record["positions"]:
        game = position(record, spot)
        began = time.perf_counter()
        best = game.best_routes(spot["corporation"])
        seconds = time.perf_counter() - began
        wanted = spot["best_18xx_rules"]["total"]
        good = best.value == wanted and best.proved
        right += good
        trains = "+".join(train["name"] for train in spot["trains"])
        verdict = "ok" if good else f"recorded {wanted}"
        print(
            f"{spot['index']:>5} {spot['corporation']:<4} {trains:<8} {best.value:>5}  "
            f"{1000 * seconds:8.2f} ms  {best.nodes:>7} steps  {verdict}"
        )
        if not good:
            for route in best.routes:
                print("       ", route.train, route.value, " ".join(route.path))
    print(f"{right}/{len(record['positions'])}")
    return 0 if right == len(record["positions"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
