"""Compares a recorded game of real people with the engine: every step, or the best routes of its positions."""

from __future__ import annotations

import argparse

from workshop.oracle import replay, routes

PARTS = {"replay": replay.main, "routes": routes.main}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop oracle", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("file", help="GAME.json for a replay, POSITIONS.json for routes")
    given = parser.parse_args(arguments)
    return PARTS[given.part]([given.file])
