"""Measures speed and memory beside a yardstick: every part, or those named."""

from __future__ import annotations

import argparse
import importlib
import pkgutil

import workshop.bench

PARTS = sorted({module.name for module in pkgutil.iter_modules(workshop.bench.__path__)} - {"__main__", "yardstick"})


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args(arguments).parts
    unknown = set(parts) - set(PARTS)
    if unknown:
        print(f"there is no part {sorted(unknown)[0]!r}; there is {', '.join(PARTS)}")
        return 2
    for name in parts or PARTS:
        importlib.import_module(f"workshop.bench.{name}").run()
        print()
    return 0
