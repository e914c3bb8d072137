"""Runs every measurement, or those named: python -m tests.bench [engine] …"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import tests.bench

PARTS = sorted(
    module.name for module in pkgutil.iter_modules(tests.bench.__path__) if module.name not in ("__main__", "yardstick")
)


def main(names: list[str]) -> int:
    unknown = set(names) - set(PARTS)
    if unknown:
        print(f"there is no part {sorted(unknown)[0]!r}; there is {', '.join(PARTS)}")
        return 2
    for name in names or PARTS:
        importlib.import_module(f"tests.bench.{name}").run()
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
