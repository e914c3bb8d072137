"""What the sources of engine and titles say by key: every refusal with its facts, found by reading the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import engine
import titles

ROOT = Path(engine.__file__).parents[1]


@dataclass(frozen=True)
class Spoken:
    """One place that refuses something."""

    file: str
    line: int
    key: str
    facts: frozenset[str]

    @property
    def titles(self) -> list[str]:
        """Whose words must tell it: the title's own file, its family's, or all titles'."""
        package = ".".join(Path(self.file).parts[:2])
        own = [box.id for box in titles.known() if package in (f"titles.{box.id}", *box.family)]
        return own or [box.id for box in titles.known()]


def refusals() -> list[Spoken]:
    """Every `refuse(key, …)`, `Refused(rule, key, …)`, `Misfit(key, …)` and key of a judgement in engine and titles."""
    found = [spoken for path in _files() for spoken in _in_file(path)]
    assert len(found) > 100
    return found


def _files() -> Iterator[Path]:
    for package in ("engine", "titles", "bot"):
        yield from sorted((ROOT / package).rglob("*.py"))


def _in_file(path: Path) -> Iterator[Spoken]:
    tree = ast.parse(path.read_text("utf-8"))
    file = str(path.relative_to(ROOT))
    counters = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign)]
    for node in counters:
        names = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
        if any(isinstance(name, ast.Name) and name.id == "counter_key" for name in names):
            assert isinstance(node.value, ast.Constant)
            yield Spoken(file, node.lineno, str(node.value.value), frozenset({"low", "high", "company"}))
    yield from _judged(tree, file)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = {"refuse": 0, "Misfit": 0, "Refused": 1}.get(name)
        if place is None or len(node.args) <= place:
            continue
        key = node.args[place]
        if not isinstance(key, ast.Constant):
            # Handed on from where it was said: a misfit's, a deal's, or another refusal's own key.
            assert isinstance(key, ast.Attribute | ast.Name), f"{file}:{node.lineno}: the key is made of parts"
            assert getattr(key, "attr", getattr(key, "id", "")) in ("key", "counter_key"), f"{file}:{node.lineno}"
            continue
        yield Spoken(file, node.lineno, str(key.value), frozenset(word.arg for word in node.keywords if word.arg))


def _judged(tree: ast.AST, file: str) -> Iterator[Spoken]:
    """Keys that a judgement of track gives back (`no_fit`), with the facts that `told` has for them."""
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
        if "no_fit" not in methods:
            continue
        facts = _common_facts() | (_told(methods["told"]) if "told" in methods else frozenset())
        returned = [node for node in ast.walk(methods["no_fit"]) if isinstance(node, ast.Return)]
        for node in (each for found in returned for each in ast.walk(found)):
            if isinstance(node, ast.Constant) and re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", str(node.value)):
                yield Spoken(file, node.lineno, str(node.value), facts)


@cache
def _common_facts() -> frozenset[str]:
    """What every refusal of a tile tells: `told` of the engine's step."""
    tree = ast.parse((ROOT / "engine" / "steps" / "track.py").read_text("utf-8"))
    [told] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "told"]
    return _told(told)


def _told(method: ast.FunctionDef) -> frozenset[str]:
    tables = [node for node in ast.walk(method) if isinstance(node, ast.Dict)]
    return frozenset(str(key.value) for table in tables for key in table.keys if isinstance(key, ast.Constant))
