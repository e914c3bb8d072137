"""What belongs to a title and to nobody else, and where a file outside `titles/` says it: by imports and constants."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import catalogue
import titles
from engine.board.hexes import LAYOUTS

#: What of `titles/` everybody may import: which titles there are, not what is in one.
OPEN = {"registry", "loading", "ledger"}
#: Words of every such game: a coal mine or a harbour is drawn like any other sign, a game or a round may be short.
COMMON = frozenset(
    (
        *("coal", "steel", "lime", "harbour", "brewery", "crown", "rails", "works", "camp", "industry"),
        *("RoundBegan", "skipped", "base", "short", "do", "US"),
    )
)
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")


@dataclass(frozen=True)
class Words:
    """What only titles say: constants, and names as people say them, which no sentence may have either."""

    constants: frozenset[str]
    names: frozenset[str]

    def in_constant(self, said: str) -> str | None:
        """The title's word that a constant is, or the name of a title that it contains."""
        if said in self.constants:
            return said
        return next((name for name in sorted(self.names) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)), None)


def of_titles() -> Words:
    """The words of all titles: their ids and forms, companies, own moves, events, things and ways of paying."""
    own = {box.id for box in titles.known()} | {form.id for box in titles.known() for form in box.forms}
    for box in titles.known():
        for form in box.forms:
            for players in form.players:
                definition = titles.rules(box.id, players, {}, form.id).definition
                own |= {*definition.corporations, *definition.privates}
        for key in titles.texts(box.id, "en"):
            group, _, name = key.partition(".")
            if group in ("move", "event", "thing") and not catalogue.read("bot", "en").get(key):
                own.add(name.partition("_")[0] if group == "event" else name)
    return Words(frozenset(word for word in own - common() if len(word) > 1), frozenset(_names()))


def common() -> set[str]:
    """What no title owns though one may use it: directions on a map, keys of common words, words of any game."""
    directions = {edge for layout in LAYOUTS.values() for edge in layout.edges}
    keys = {
        part for package in ("bot", "renderers") for key in catalogue.read(package, "en") for part in key.split(".")
    }
    return COMMON | directions | keys


def _names() -> Iterator[str]:
    for box in titles.known():
        yield box.name
        first = box.name.replace("-", " ").split()[0]
        if any(mark.isdigit() for mark in first):  # 18Rhl of 18Rhl-Rhineland; a word of the language is nobody's own
            yield first


def in_file(path: Path, words: Words) -> Iterator[tuple[int, str]]:
    """Lines of a file that say a word of a title, and the word."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        yield from in_python(text, words)
    elif path.suffix == ".toml":
        yield from ((0, said) for said in in_toml(tomllib.loads(text), words))
    else:
        yield from in_page(text, words)


def in_python(text: str, words: Words) -> Iterator[tuple[int, str]]:
    """Imports of a title, and string constants (docstrings and parts of f-strings too) that say one's word."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found = [_of_title(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [_of_title(f"{node.module}.{alias.name}", node.module == "titles") for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = [_of_title(node.value) or words.in_constant(node.value)]
        else:
            continue
        yield from ((node.lineno, said) for said in found if said)


def _of_title(module: str, may_be_a_function: bool = False) -> str | None:
    """A module of one title, given what is imported: `titles.bl.main`, not `titles.registry`."""
    packages = re.match(r"titles\.(\w+)(\.\w+)*$", module)
    if packages is None or packages[1] in OPEN:
        return None
    inside = (Path(titles.__file__).parent / packages[1]).is_dir()
    return module if inside or not may_be_a_function else None


def in_toml(data: Mapping[str, object], words: Words) -> Iterator[str]:
    """Keys and values of a data file that are a word of a title, and sentences that name one."""
    for key, value in data.items():
        if key in words.constants:
            yield key
        if isinstance(value, Mapping):
            yield from in_toml(value, words)
        elif isinstance(value, str) and (said := words.in_constant(value)):
            yield said


def in_page(text: str, words: Words) -> Iterator[tuple[int, str]]:
    """What a page's script or sheet says in quotes."""
    for number, line in enumerate(text.splitlines(), 1):
        for quoted in _QUOTED.finditer(line):
            constant = next(part for part in quoted.groups() if part is not None)
            if said := words.in_constant(constant):
                yield number, said
