"""From a clause of a rulebook to the code that carries it.

Usage: python -m workshop where CLAUSE [--lines]

Prints the clause, the lines of `engine/` and `titles/` that name it, those that refuse with a key for which a title's
`[clauses]` cite it, and the tests that are marked with it; then the lines that only these tests run, or the functions
that fewest others run beside them. For that the modules of these tests are run, which takes seconds. The notes of
`workshop.mutants` know it of all tests: they are used if they fit the present state, and made (that takes minutes,
once) with `--lines`.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from titles.ledger import clauses
from workshop import ROOT
from workshop.marks import marked_tests
from workshop.mutants import running
from workshop.mutants.__main__ import PACKAGES, TESTS

#: So many functions are told where no line is run by the clause's tests alone.
MOST_FUNCTIONS = 5
_CITED = re.compile(r'^"?([\w.]+)"? *= *"([A-Z]+-[\w.*-]+)"', re.MULTILINE)


@dataclass(frozen=True, order=True)
class Place:
    """A line of a file, and the function or class around it ("" at the top of a module)."""

    file: str
    line: int
    inside: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f"  {self.inside}" if self.inside else "")


@dataclass(frozen=True)
class Carriers:
    """The code that carries a clause."""

    #: Lines that name it: docstrings, comments, constants; and data of a title.
    named: tuple[Place, ...]
    #: Lines that refuse with a key, by the key that stands for the clause in a title's `[clauses]`.
    refusing: Mapping[str, tuple[Place, ...]]

    def __bool__(self) -> bool:
        return bool(self.named or any(self.refusing.values()))


def carriers(clause: str, root: Path = ROOT) -> Carriers:
    """What names a clause, directly or by the key of a refusal."""
    exactly = re.compile(rf"(?<![\w.-]){re.escape(clause)}(?![\w-]|\.\w)")
    named, keys = [], []
    for path in _sources(root):
        cited = {key for key, other in _cited(path) if other == clause}
        keys += sorted(cited)
        for number, line in enumerate(_lines(path), start=1):
            if exactly.search(line) and not any(line.lstrip().startswith((f'"{key}"', f"{key} ")) for key in cited):
                named.append(_place(root, path, number))
    return Carriers(tuple(named), {key: tuple(_uses(root, key)) for key in dict.fromkeys(keys)})


def named_clauses(root: Path = ROOT) -> set[str]:
    """The clauses of the ledger that some code names, or that it cites in a refusal."""
    words = {
        word.rstrip(".-")
        for path in _sources(root)
        for line in _lines(path)
        for word in re.findall(r"[A-Z]+-[\w.*-]+", line)
    }
    return words & clauses().keys()


def _uses(root: Path, key: str) -> list[Place]:
    """The lines that say a key; where none does, those with a longer one, or those that put such keys together."""
    first = key.partition(".")[0]
    return _saying(root, f'"{key}"') or _saying(root, f'"{key}.') or _saying(root, f'f"{first}.{{')


def _saying(root: Path, words: str) -> list[Place]:
    return [
        _place(root, path, number)
        for path in _sources(root)
        if path.suffix == ".py"
        for number, line in enumerate(_lines(path), start=1)
        if words in line
    ]


@cache
def _sources(root: Path) -> tuple[Path, ...]:
    found = (path for package in PACKAGES for path in (root / package).rglob("*") if path.suffix in (".py", ".toml"))
    return tuple(sorted(path for path in found if path.parent.name != "texts"))


@cache
def _lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text("utf-8").splitlines())


@cache
def _cited(path: Path) -> tuple[tuple[str, str], ...]:
    """The keys of a title's `[clauses]` with the clauses that they cite."""
    if path.suffix != ".toml":
        return ()
    _, _, table = path.read_text("utf-8").partition("\n[clauses]\n")
    return tuple(_CITED.findall(table.partition("\n[")[0]))


def _place(root: Path, path: Path, line: int) -> Place:
    return Place(path.relative_to(root).as_posix(), line, _inside(path, line))


@cache
def _blocks(path: Path) -> tuple[tuple[int, int, str], ...]:
    """The functions and classes of a module with their lines, an outer one before what is in it."""
    found: list[tuple[int, int, str]] = []

    def look(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}" if prefix else child.name
                found.append((child.lineno, child.end_lineno or child.lineno, name))
            look(child, name)

    if path.suffix == ".py":
        look(ast.parse(path.read_text("utf-8")), "")
    return tuple(found)


def _inside(path: Path, line: int) -> str:
    return next((name for first, last, name in reversed(_blocks(path)) if first <= line <= last), "")


# ---------------------------------------------------------------------- what the tests run


def notes(tests: Collection[str], whole: bool = False) -> running.Notes:
    """Which tests run which line: of all tests if that is known or wanted, else of those that stand beside these."""
    every = running.Plan(ROOT, PACKAGES, TESTS, ROOT / ".mutants")
    if whole or running.noted(every):
        return running.notes(every)
    modules = tuple(sorted({test.partition("::")[0] for test in tests}))
    return running.notes(running.Plan(ROOT, PACKAGES, modules, ROOT / ".mutants" / "where"))


def alone(noted: running.Notes, tests: Collection[str], root: Path = ROOT) -> list[str]:
    """The lines that no other test runs, joined by function; else the functions that others run least beside them."""
    mine = set(tests)
    only: dict[tuple[str, str], list[int]] = defaultdict(list)
    runs: Counter[tuple[str, str]] = Counter()
    others: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file, lines in noted.lines.items():
        for number, runners in lines.items():
            if mine.isdisjoint(runners):
                continue
            place = file, _inside(root / file, int(number))
            if mine.issuperset(runners):
                only[place].append(int(number))
            runs[place] += 1
            others[place].update(set(runners) - mine)
    if only:
        return [f"{file}:{_ranges(numbers)}  {inside}".rstrip() for (file, inside), numbers in sorted(only.items())]
    nearest = sorted((len(others[place]), place) for place in runs if place[1])[:MOST_FUNCTIONS]
    return [f"{file}  {inside} (beside {count} other tests)" for count, (file, inside) in nearest]


def _ranges(numbers: list[int]) -> str:
    """
    >>> _ranges([4, 5, 6, 9])
    '4-6,9'
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def told(clause: str, make_notes: bool = False) -> list[str]:
    """Everything that is known of a clause, in lines."""
    entry = clauses()[clause]
    found = carriers(clause)
    result = [f"{clause} ({entry.section})", f"  {entry.text.strip()}"]
    if found.named:
        result += ["named in", *(f"  {place}" for place in found.named)]
    for key, places in found.refusing.items():
        result += [
            f"cited with the key {key}",
            *(f"  {place}" for place in places or ("the bot, which asks by the key",)),
        ]
    marked = marked_tests(*TESTS)
    if marked is None:
        return [*result, "the tests could not be collected; see `make test`"]
    tests = list(dict.fromkeys(test.partition("[")[0] for test in marked.get(clause, ())))
    result += ["shown by", *(f"  {test}" for test in tests or ("no test",))]
    if marked.get(clause):
        lines = alone(notes(marked[clause], make_notes), marked[clause])
        result += ["run by these tests alone, or by few others", *(f"  {line}" for line in lines or ("nothing",))]
    return result


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m workshop where", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clause", help="an id of docs/ledger, such as BL-8.8.3-a")
    parser.add_argument("--lines", action="store_true", help="find out which lines only its tests run")
    asked = parser.parse_args(arguments)
    if asked.clause not in clauses():
        print(f"There is no clause {asked.clause}; docs/ledger has them all.", file=sys.stderr)
        return 2
    try:
        print("\n".join(told(asked.clause, asked.lines)))
    except running.Broken as error:
        print(error, file=sys.stderr)
        return 2
    return 0
