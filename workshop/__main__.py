"""The one entry to the workshop: `python -m workshop` lists the programs, `python -m workshop NAME ...` runs one."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent


def programs() -> Mapping[str, Path]:
    """Every program by its name: a package that can be run, or a module with a `main`."""
    found = {path.parent.name: path for path in HERE.glob("*/__main__.py")}
    for path in HERE.glob("*.py"):
        if path.name != "__main__.py" and "\ndef main(" in path.read_text("utf-8"):
            found[path.stem] = path
    return dict(sorted(found.items()))


def purpose(path: Path) -> str:
    """What a program is for: the first paragraph of its docstring. Nothing of it is imported for that."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def listed() -> str:
    """All programs with what they are for."""
    found = programs()
    width = max(map(len, found))
    lines = [f"  {name:<{width}}  {purpose(path)}" for name, path in found.items()]
    return "\n".join(["python -m workshop NAME ... runs one of these; most tell more with --help:", "", *lines])


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(listed())
        return 0
    name, *rest = arguments
    found = programs()
    if name not in found:
        print(f"There is no program {name!r} in the workshop; there is {', '.join(found)}.", file=sys.stderr)
        return 2
    module = f"workshop.{name}.__main__" if found[name].name == "__main__.py" else f"workshop.{name}"
    sys.argv = [f"python -m workshop {name}", *rest]
    code: int = importlib.import_module(module).main(rest)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
