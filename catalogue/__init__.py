"""The one loader of catalogues: what is said to people, by key and language, in `<package>/texts/<language>.toml`.

A sentence holds {facts}. `{count:#move|moves}` is a number with its noun. English and German both know one form for
one and another for all else, and say names without an article, so that no library for plurals or cases is needed.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "de")


def language_of(locale: str) -> str:
    """The language for a locale of Discord's."""
    short = locale.split("-")[0]
    return short if short in LANGUAGES else "en"


@cache
def read(package: str, language: str) -> Mapping[str, str]:
    """The flat sentences of a package in a language, keys joined with dots."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no words in {language!r}; there are {', '.join(LANGUAGES)}")
    text = resources.files(package).joinpath("texts", f"{language}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


class _Filling(string.Formatter):
    """`str.format` that also knows numbers with a noun."""

    def format_field(self, value: Any, spec: str) -> str:
        if spec.startswith("#"):
            one, _, more = spec[1:].partition("|")
            return f"{value} {one if value == 1 else more}"
        return str(super().format_field(value, spec))


_FILLING = _Filling()


def fill(text: str, facts: Mapping[str, Any]) -> str:
    """A sentence with its facts."""
    # Python's own way is many times quicker; it does not know nouns.
    return _FILLING.vformat(text, (), facts) if ":#" in text else text.format_map(facts)


def placeholders(text: str) -> set[str]:
    """The facts that a sentence asks for."""
    return {name for _, name, _, _ in _FILLING.parse(text) if name}
