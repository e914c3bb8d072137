"""Every sentence of the bot, by key and language. A language that lacks a sentence borrows the English one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "de")
Say = Callable[..., str]


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The flat sentences of a language, keys joined with dots; empty where there is no file yet."""
    file = resources.files(__name__).joinpath(f"{language}.toml")
    if not file.is_file():
        return {}
    return dict(_flat(tomllib.loads(file.read_text("utf-8")), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    result: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            result += _flat(value, f"{name}.")
        else:
            result.append((name, str(value)))
    return result


def language_of(locale: str) -> str:
    """The language for a locale of Discord's."""
    short = locale.split("-")[0]
    return short if short in LANGUAGES else "en"


def say(locale: str, key: str, /, **values: Any) -> str:
    """A sentence in somebody's language, with its values filled in."""
    text = catalogue(language_of(locale)).get(key) or catalogue("en")[key]
    return text.format(**values) if values else text


def known(key: str) -> bool:
    return key in catalogue("en")


def speaker(locale: str) -> Say:
    """`say` for one language."""

    def speak(key: str, /, **values: Any) -> str:
        return say(locale, key, **values)

    return speak
