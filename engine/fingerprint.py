"""The tables of a definition as text, after all options, and a short fingerprint of it: what a game was begun with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from engine.definition import Definition

#: What decides nothing: words, and where a value stands in the rulebook.
_WORDS = frozenset({"name", "words", "clauses", "reconstructed"})


def tables(definition: Definition) -> str:
    """All tables as JSON, rows in their order: what is drawn by lot follows from it."""
    found = {field.name: _plain(getattr(definition, field.name)) for field in fields(definition)}
    kept = {name: value for name, value in found.items() if name not in _WORDS}
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False)


def fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def changed(before: str, now: str) -> tuple[str, ...]:
    """The names of the tables that are not as they were.

    >>> changed('{"bank":9000,"trains":[2]}', '{"bank":9000,"trains":[2,3]}')
    ('trains',)
    """
    old, new = json.loads(before), json.loads(now)
    # Compared as text: equal tables with their rows in another order are not the same.
    return tuple(
        sorted(name for name in old.keys() | new.keys() if json.dumps(old.get(name)) != json.dumps(new.get(name)))
    )


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if value is None or isinstance(value, str | int | float | bool):
        return value
    # A rule in a table: its name is all that can be told of it.
    return getattr(value, "__qualname__", type(value).__qualname__)
