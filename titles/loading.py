"""Reads a title's TOML files: the common tables make its definition, its own become a dataclass of its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from importlib import resources
from typing import Any

from catalogue import LANGUAGES
from engine.definition import Definition
from engine.errors import BadData
from engine.reading import Reader
from engine.rows import COMMON, PrivateRow
from engine.tables import Files, Names, label
from titles.registry import texts

#: The tables of files by their paths.
Sheets = Mapping[str, Mapping[str, Any]]


def sheets(package: str, *names: str) -> dict[str, dict[str, Any]]:
    """The tables of several files of a title's package, unchecked."""
    return {f"{package.replace('.', '/')}/{name}": read(package, name) for name in names}


def read(package: str, name: str) -> dict[str, Any]:
    """One file of a title's package."""
    path = f"{package.replace('.', '/')}/{name}"
    try:
        text = resources.files(package).joinpath(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{path}: cannot be read ({error.__class__.__name__})") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"{path}: {error}") from None


def load(found: Sheets, own: type[Any]) -> Definition:
    """A title's definition with its own tables, all checked; `own` is a dataclass with a field for each table."""
    reader = Reader(found)
    known = {field.name for field in fields(own)}
    reader.files.only({*COMMON, *known})
    definition = reader.definition()
    if definition.privates and "private" not in known:
        for where, row in reader.files.rows(PrivateRow, "private"):
            if row.power is not None:
                raise BadData(f"{where}.power: this title knows no powers of private companies")
    tables = reader.files.all(own, names(definition))
    words = {language: texts(definition.id, language) for language in LANGUAGES}
    definition = replace(definition, tables=tables, words=words)
    check(reader.files, tables, definition)
    return definition


def names(definition: Definition) -> Names:
    """What the tables of a title may name."""
    return {
        "hex": definition.map.hexes.keys(),
        "tile": definition.tiles.keys(),
        "train": {train.name for train in definition.trains},
        "corporation": definition.corporations.keys(),
        "private": definition.privates.keys(),
    }


def check(files: Files, tables: object, definition: Definition) -> None:
    """Ask the tables whether they agree with the definition; the first that does not is a fault."""
    for reason in getattr(tables, "check", _nothing)(definition):
        table, _, rest = reason.partition(".")
        raise BadData(f"{files.where(table)}.{rest}")
    for where, table in _tables(files, tables):
        for reason in getattr(table, "check", _nothing)(definition):
            raise BadData(f"{where}.{reason}")


def _tables(files: Files, tables: object) -> Iterator[tuple[str, object]]:
    for field in fields(tables):  # type: ignore[arg-type]
        table = getattr(tables, field.name)
        if not isinstance(table, tuple):
            yield files.where(field.name), table
            continue
        for number, row in enumerate(table, 1):
            yield f"{files.file.get(field.name, files.names)} [[{field.name}]] {label(vars(row), number)}", row


def _nothing(definition: Definition) -> tuple[str, ...]:
    return ()
