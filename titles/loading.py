"""Reads a title's TOML files into checked tables."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from engine.definition import Definition
from engine.errors import BadData
from engine.reading import Reader


def tables(package: str, *files: str) -> dict[str, Any]:
    """The tables of several files of a title's package as one; a table in two files is a fault."""
    merged: dict[str, Any] = {}
    for name in files:
        for key, value in read(package, name).items():
            if key in merged:
                raise BadData(f"{package}/{name}: [{key}] stands in another file as well")
            merged[key] = value
    return merged


def read(package: str, name: str) -> dict[str, Any]:
    """One file of a title's package."""
    try:
        text = resources.files(package).joinpath(name).read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise BadData(f"{package}/{name}: cannot be read ({error.__class__.__name__})") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"{package}/{name}: {error}") from None


def definition(package: str, data: Mapping[str, Any]) -> Definition:
    """A title's definition from its tables."""
    return Reader(package.replace(".", "/"), data).definition()
