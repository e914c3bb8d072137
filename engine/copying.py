"""Copies of plain data, quickly: a function is written for each kind from the annotations of its dataclasses.

What cannot change (texts, numbers, tuples of them) is shared with the copy, everything else is the copy's own.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_ATOMS = frozenset({str, int, bool, float, type(None)})


def copier(kind: type[T]) -> Callable[[T], T]:
    """What copies values of a kind, a dataclass; written once. TypeError if its fields are no plain data."""
    copy: Callable[[T], T] = _copier(kind)  # type: ignore[arg-type]
    return copy


def quick(kind: type[T]) -> type[T]:
    """Let values of a dataclass be pickled as their class and the values of their fields, in order.

    It stands outside of `@dataclass(slots=True)`, which makes a second class.
    """
    names = [field.name for field in _plain_fields(kind)]
    values = attrgetter(*names)
    if len(names) == 1:
        kind.__reduce__ = lambda self: (kind, (values(self),))  # type: ignore[method-assign]
    else:
        kind.__reduce__ = lambda self: (kind, values(self))  # type: ignore[method-assign]
    return kind


def anything(value: Any) -> Any:
    """A copy of a value that no annotation tells about."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is dict:
        return {key: item if type(item) in _ATOMS else anything(item) for key, item in value.items()}
    if kind is list:
        return [item if type(item) in _ATOMS else anything(item) for item in value]
    return deepcopy(value)


@cache
def _copier(kind: Any) -> Callable[[Any], Any]:
    names: dict[str, Any] = {"anything": anything}
    written = f"lambda value: {_written(kind, 'value', names)}"
    copy: Callable[[Any], Any] = eval(written, names)
    return copy


def _written(kind: Any, value: str, names: dict[str, Any], depth: int = 0) -> str:
    """The expression that copies what the expression `value` gives; `names` are what it calls."""
    origin, parts = get_origin(kind), get_args(kind)
    if _shared(kind):
        return value
    if kind is Any:
        return f"anything({value})"
    if getattr(kind, "KINDS", None) is not None and not is_dataclass(kind):
        # A record of whatever kind: each kind has what copies it.
        return f"{value}.copied({value})"
    if is_dataclass(kind):
        assert isinstance(kind, type)
        made, hints = f"make_{kind.__name__}", get_type_hints(kind)
        if names.setdefault(made, kind) is not kind:
            raise TypeError(f"two kinds of data are called {kind.__name__}")
        inner = [_written(hints[field.name], f"{value}.{field.name}", names, depth) for field in _plain_fields(kind)]
        return f"{made}({', '.join(inner)})"
    key, each = f"key{depth}", f"each{depth}"
    if origin is list:
        if _shared(parts[0]):
            return f"{value}[:]"
        return f"[{_written(parts[0], each, names, depth + 1)} for {each} in {value}]"
    if origin is dict and _shared(parts[0]):
        if _shared(parts[1]):
            return f"{value}.copy()"
        if parts[1] is Any:
            return f"anything({value})"
        return f"{{{key}: {_written(parts[1], each, names, depth + 1)} for {key}, {each} in {value}.items()}}"
    if origin in (Union, UnionType):
        inner = [part for part in parts if part is not type(None)]
        if len(inner) == 1 < len(parts):
            return f"(None if {value} is None else {_written(inner[0], value, names, depth)})"
    raise TypeError(f"there is no way to copy {kind}")


def _frozen(kind: Any) -> bool:
    return bool(kind.__dataclass_params__.frozen)


def _shared(kind: Any) -> bool:
    """Whether values of a kind never change."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (tuple, frozenset, Union, UnionType):
        return all(part is ... or _shared(part) for part in parts)
    if is_dataclass(kind) and _frozen(kind):
        return all(_shared(hint) for hint in get_type_hints(kind).values())
    return kind in _ATOMS


def _plain_fields(kind: Any) -> list[Any]:
    """The fields of a dataclass, all of which its constructor takes in order."""
    found = list(fields(kind))
    for field in found:
        if not field.init or field.kw_only:
            raise TypeError(f"{kind.__name__}.{field.name} is not taken in order")
    return found
