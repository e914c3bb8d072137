"""Dataclasses as plain data and back, by their annotations alone: it knows no single field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_ATOMS = frozenset({str, int, bool, float, type(None)})


def plain(value: Any) -> Any:
    """Dataclasses, dicts, lists, tuples and sets of names as JSON values."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is dict:
        return {
            key if type(key) is str else ",".join(map(str, key)): item if type(item) in _ATOMS else plain(item)
            for key, item in value.items()
        }
    if kind is list or kind is tuple:
        return [item if type(item) in _ATOMS else plain(item) for item in value]
    if kind is frozenset:
        return sorted(value)
    return {field.name: plain(getattr(value, field.name)) for field in fields(value)}


@cache
def flattened(kind: Any, without: frozenset[str] = frozenset()) -> Callable[[Any], Any]:
    """What does the same for values of one kind, several times as quickly: a function written from its annotations.

    `without` are names of fields to leave out.
    """
    written = f"lambda value: {_written(kind, 'value', without)}"
    make: Callable[[Any], Any] = eval(written, {"plain": plain})
    return make


def _written(kind: Any, value: str, without: frozenset[str], depth: int = 0) -> str:
    """The expression that makes JSON values of what the expression `value` gives."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _ATOMS:
        return value
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        inner = [
            f"{field.name!r}: {_written(hints[field.name], f'{value}.{field.name}', without, depth)}"
            for field in fields(kind)
            if field.name not in without
        ]
        return f"{{{', '.join(inner)}}}"
    if getattr(kind, "KINDS", None) is not None:
        # A record of whatever kind: each kind has a function of its own.
        return f"{value}.flat({value})"
    key, each = f"key{depth}", f"each{depth}"
    if origin is frozenset and parts[0] in _ATOMS:
        return f"sorted({value})"
    if origin is list or (origin is tuple and parts[-1] is ...):
        item = _written(parts[0], each, without, depth + 1)
        return f"list({value})" if item == each else f"[{item} for {each} in {value}]"
    if origin is tuple and all(part in _ATOMS for part in parts):
        return f"list({value})"
    if origin in (dict, Mapping):
        item = _written(parts[1], each, without, depth + 1)
        if parts[0] is str:
            return f"dict({value})" if item == each else f"{{{key}: {item} for {key}, {each} in {value}.items()}}"
        return f"{{','.join(map(str, {key})): {item} for {key}, {each} in {value}.items()}}"
    if origin in (Union, UnionType) and len(parts) == 2 and type(None) in parts:
        inner = next(part for part in parts if part is not type(None))
        return f"(None if {value} is None else {_written(inner, value, without, depth)})"
    # Whatever a title keeps there: its annotation tells nothing.
    return f"plain({value})"


def restored(kind: type[T], data: Any) -> T:
    """A value of a kind from JSON values; ValueError if they do not fit it."""
    try:
        return maker(kind)(data)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"this is no {kind.__name__}: {error!r:.200}") from None


def maker(kind: type[T]) -> Callable[[Any], T]:
    """What makes values of a kind from JSON values, for those who make many; it fails with whatever Python says."""
    make: Callable[[Any], T] = _maker(kind)  # type: ignore[arg-type]
    return make


def shape(kind: Any) -> str:
    """How a kind is made up, field by field: another text means that older data do not fit."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        inner = ",".join(f"{field.name}:{shape(hints[field.name])}" for field in fields(kind))
        return f"{getattr(kind, '__name__', kind)}({inner})"
    parts = [shape(part) for part in get_args(kind)]
    return f"{get_origin(kind) or kind}[{','.join(parts)}]" if parts else str(kind)


@cache
def _maker(kind: Any) -> Callable[[Any], Any]:
    """How values of a kind are made; found once for each kind."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _dataclass_maker(kind)
    if kind is Any or kind in (str, int, bool, float, type(None)):
        return _as_it_is
    if origin in (Union, UnionType):
        (inner,) = (_maker(part) for part in parts if part is not type(None))
        return lambda data: None if data is None else inner(data)
    if origin in (dict, Mapping):
        key, value = parts
        kinds = None if is_dataclass(value) else getattr(value, "KINDS", None)
        if kinds is not None:
            # Records, each of the kind that its key says.
            return lambda data: {k: _maker(kinds[k])(v) for k, v in data.items()}
        make = _maker(value)
        if key is str:
            return _copied_dict if make is _as_it_is else lambda data: {k: make(v) for k, v in data.items()}
        # Keys of JSON are texts: `plain` has joined a tuple of numbers with commas.
        return lambda data: {tuple(map(int, k.split(","))): make(v) for k, v in data.items()}
    if origin in (list, frozenset) or (origin is tuple and parts[-1] is ...):
        make = _maker(parts[0])
        return lambda data: origin(data) if make is _as_it_is else origin(make(each) for each in data)
    if origin is tuple:
        makers = [_maker(part) for part in parts]
        if all(make is _as_it_is for make in makers):
            return tuple
        return lambda data: tuple(make(each) for make, each in zip(makers, data, strict=True))
    raise TypeError(f"plain data cannot be made into {kind}")


def _as_it_is(data: Any) -> Any:
    return data


def _copied_dict(data: Any) -> Any:
    return dict(data)


def _dataclass_maker(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    makers = {field.name: _maker(hints[field.name]) for field in fields(kind)}
    if all(make is _as_it_is for make in makers.values()):
        return lambda data: kind(**data)
    return lambda data: kind(**{name: makers[name](value) for name, value in data.items()})
