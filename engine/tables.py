"""Reads plain TOML tables into frozen dataclasses; a fault names file, table and key, and what is expected.

A field's type says what its key may hold: `int` a number from 0 to 99999, `Annotated[int, Span(1, 6)]` one of fewer,
`str` a text that is not empty, `Annotated[str, Name("hex")]` the name of something that stands elsewhere, `Literal`
one of some texts, `tuple` a list, `frozenset` a list of which the order is nothing, a dataclass a table of its own.
Nothing stands twice in a list but numbers and what is marked with `REPEATED`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import BadData

T = TypeVar("T")

#: The names that there are, by kind: hex, tile, train, corporation, private.
Names = Mapping[str, Collection[str]]

#: What every table may say of itself.
REMARKS = {"note": str, "source": str}


@dataclass(frozen=True)
class Name:
    """Marks a text that names something of this kind."""

    kind: str


@dataclass(frozen=True)
class Span:
    """Marks a number by its least and its greatest value."""

    low: int
    high: int


NUMBER = Span(0, 99_999)
#: Marks a text that may be empty, and one that may stand twice in a list.
BLANK, REPEATED = "blank", "repeated"

Count = Annotated[int, Span(1, 999)]
HexName = Annotated[str, Name("hex")]
TileName = Annotated[str, Name("tile")]
TrainName = Annotated[str, Name("train")]
CompanyName = Annotated[str, Name("corporation")]
PrivateName = Annotated[str, Name("private")]
Colour = Literal["yellow", "green", "brown", "grey"]


def read(cls: type[T], data: object, where: str, names: Names | None = None) -> T:
    """A table as a dataclass; without `names` nobody asks whether what it names exists.

    >>> @dataclass(frozen=True)
    ... class Special:
    ...     train: str
    >>> read(Special, {"train": 8}, "game.toml [special]")
    Traceback (most recent call last):
    engine.errors.BadData: game.toml [special].train: a text is expected, not 8
    """
    if not isinstance(data, Mapping):
        raise BadData(f"{where}: a table is expected, not {shown(data)}")
    own = _hints(cls)  # type: ignore[arg-type]
    for key in _needed(cls):  # type: ignore[arg-type]
        if key not in data:
            raise BadData(f"{where}.{key}: is missing; {expected(own[key])} is expected")
    values: dict[str, Any] = {}
    for key, item in data.items():
        if key not in own and key not in REMARKS:
            raise BadData(f"{where}.{key}: there is no such key here, only {', '.join(own)}")
        values[key] = value(own.get(key, str), item, f"{where}.{key}", names)
    return cls(**{key: item for key, item in values.items() if key in own})


class Files:
    """The tables of a title's files; a fault names the file in which a table stands."""

    def __init__(self, files: Mapping[str, Mapping[str, Any]]) -> None:
        self.names = ", ".join(files)
        self.tables: dict[str, Any] = {}
        self.file: dict[str, str] = {}
        for file, tables in files.items():
            for key, data in tables.items():
                if key in self.tables:
                    raise BadData(f"{file} [{key}]: this table stands in {self.file[key]} as well")
                self.tables[key] = data
                self.file[key] = file

    def where(self, key: str) -> str:
        return f"{self.file.get(key, self.names)} [{key}]"

    def only(self, known: Collection[str]) -> None:
        """Refuse a table that nobody reads."""
        for key in self.tables:
            if key not in known:
                raise BadData(f"{self.where(key)}: there is no such table")

    def get(self, key: str, kind: type) -> Any:
        found = self.tables.get(key)
        if type(found) is kind and found:
            return found
        what = "a list of tables" if kind is list else "a table"
        if key not in self.tables:
            raise BadData(f"{self.where(key)}: is missing; {what} is expected")
        raise BadData(f"{self.where(key)}: {what} is expected, not {shown(found)}")

    def table(self, cls: type[T], key: str, names: Names | None = None) -> T:
        return read(cls, self.get(key, dict), self.where(key), names)

    def rows(self, cls: type[T], key: str, names: Names | None = None) -> Iterator[tuple[str, T]]:
        """The tables of a list, each with where it stands."""
        for number, row in enumerate(self.get(key, list), 1):
            where = f"{self.file[key]} [[{key}]] {label(row, number)}"
            yield where, read(cls, row, where, names)

    def named(self, cls: type[T], key: str, names: Names | None = None) -> Iterator[tuple[str, str, T]]:
        """The tables of a table: their names, where each stands."""
        for name, row in self.get(key, dict).items():
            where = f"{self.file[key]} [{key}.{name}]"
            yield name, where, read(cls, row, where, names)

    def all(self, cls: type[T], names: Names | None = None) -> T:
        """All tables that a title has besides the common ones: each field is one."""
        values: dict[str, Any] = {}
        kinds = _hints(cls)  # type: ignore[arg-type]
        for field in fields(cls):  # type: ignore[arg-type]
            key, kind = field.name, kinds[field.name]
            if get_origin(kind) is tuple:
                values[key] = tuple(row for _, row in self.rows(get_args(kind)[0], key, names))
            elif key in self.tables or field.default_factory is MISSING:
                values[key] = value(kind, self.get(key, dict), self.where(key), names)
        return cls(**values)


def label(row: object, number: int) -> str:
    """What a table of a list is called: by its name, or by its place."""
    if isinstance(row, Mapping):
        for key in ("id", "name", "at", "number"):
            called = row.get(key)
            if isinstance(called, str) and called:
                return called[:40]
            if isinstance(called, list) and called and isinstance(called[0], str):
                return called[0][:40]
    return f"no. {number}"


@cache
def _needed(cls: type) -> tuple[str, ...]:
    """The keys that a table cannot do without."""
    return tuple(f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING)


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    return get_type_hints(cls, include_extras=True)


def value(kind: Any, data: object, where: str, names: Names | None = None) -> Any:
    """What a key holds, as its field's type says."""
    if kind is Any or (kind is str and type(data) is str and data):
        return data
    plain, origin, args, marks = _parts(kind)
    if origin in (Union, UnionType):
        fitting = [arm for arm in args if type(data) is _parts(arm)[0]]
        if fitting:
            return value(fitting[0], data, where, names)
    if type(data) is not plain or not _allowed(kind, data):
        raise BadData(f"{where}: {expected(kind)} is expected, not {shown(data)}")
    if isinstance(data, dict):
        if origin is None:
            return read(kind, data, where, names)
        return {
            value(args[0], _as_key(args[0], key), f"{where}.{key}", names): value(
                args[1], item, f"{where}.{key}", names
            )
            for key, item in data.items()
        }
    if isinstance(data, list):
        kinds = args if args[1:] and args[1] is not ... else (args[0],) * len(data)
        found = [value(one, item, where, names) for one, item in zip(kinds, data, strict=True)]
        first, _, _, of_first = _parts(args[0])
        if origin is frozenset or not (first is int or REPEATED in of_first):
            for number, item in enumerate(found):
                if item in found[:number]:
                    raise BadData(f"{where}: {shown(data[number])} stands twice")
        return origin(found)
    for mark in marks:
        if isinstance(mark, Name) and names is not None and data not in names[mark.kind]:
            raise BadData(f"{where}: there is no {mark.kind} {shown(data)}")
    return data


@cache
def _parts(kind: Any) -> tuple[type, Any, tuple[Any, ...], tuple[Any, ...]]:
    """How TOML gives a kind of value (true and false are no numbers), its origin, its arguments and its marks."""
    origin, args = get_origin(kind), get_args(kind)
    if is_dataclass(kind) or origin is Mapping:
        return dict, origin, args, ()
    if origin in (tuple, frozenset):
        return list, origin, args, ()
    if origin in (Union, UnionType):
        return NoneType, origin, args, ()
    if origin is Annotated:
        return args[0], origin, args, args[1:]
    return str if origin is Literal else kind, origin, args, ()


def _span(marks: tuple[Any, ...]) -> Span:
    return next((mark for mark in marks if isinstance(mark, Span)), NUMBER)


def _allowed(kind: Any, data: object) -> bool:
    """Whether a value that is of the kind may be this one."""
    _, origin, args, marks = _parts(kind)
    if origin is Literal:
        return data in args
    if isinstance(data, list):
        return origin is frozenset or args[1:] == (...,) or len(data) == len(args)
    if type(data) is int:
        span = _span(marks)
        return span.low <= data <= span.high
    return data != "" or BLANK in marks


def _as_key(kind: Any, key: str) -> object:
    """Keys are texts in TOML, numbers among them too."""
    number = _parts(kind)[0] is int and key.isascii() and key.isdecimal() and str(int(key[:9])) == key
    return int(key) if number else key


def expected(kind: Any) -> str:
    """A kind of value in words."""
    plain, origin, args, marks = _parts(kind)
    if origin in (Union, UnionType):
        return " or ".join(expected(arm) for arm in args if arm is not NoneType)
    if origin is Literal:
        return " or ".join(map(repr, args))
    if origin is tuple and args[1:] != (...,):
        return f"a list of {len(args)}"
    if plain is int:
        return f"a number from {_span(marks).low} to {_span(marks).high}"
    for mark in marks:
        if isinstance(mark, Name):
            return f"the name of a {mark.kind}"
    return {str: "a text", bool: "true or false", list: "a list", dict: "a table"}[plain]


def shown(data: object) -> str:
    """A value in a fault's sentence, on one line and not too long."""
    for empty, word in (("", "text"), ([], "list"), ({}, "table")):
        if data == empty:
            return f"an empty {word}"
    text = "a table" if isinstance(data, dict) else repr(data)
    return text if len(text) < 60 else f"{text[:56]} …"
