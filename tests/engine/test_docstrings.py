"""A docstring stands by itself: who jumps to a name sees that one, not its neighbour."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "titles", "bot", "storage", "renderers", "table", "catalogue", "workshop", "tests")


def leaning(text: str) -> Iterator[tuple[int, str]]:
    """Docstrings that begin with what only their neighbour says; the name of a test is a sentence about two things."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if re.match(r"(The same|Ditto)\b", ast.get_docstring(node) or ""):
            name = getattr(node, "name", "")
            if not name.startswith("test_"):
                yield getattr(node, "lineno", 1), name


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_leans_on_its_neighbour(room: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, name in leaning(path.read_text("utf-8"))
    ] == []


def test_one_that_does_is_found() -> None:
    program = '''
def ask():
    """What may be picked."""

def asked():
    """The same, found once."""
'''
    assert list(leaning(program)) == [(5, "asked")]
