"""The kinds of rule that a body must follow. `table.bodies` says which field follows which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from table.errors import FormErrors

Path = tuple[str | int, ...]
INT32: Final = 2**31 - 1
INT53: Final = 2**53 - 1
INT64: Final = 2**63 - 1


class Rule(Protocol):
    """Something that a value can break."""

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about the value at `path` unless it is right."""


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _length(size: int, low: int, high: int | None, path: Path, form: FormErrors) -> None:
    if low and high is not None and not low <= size <= high:
        form.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
    elif size < low:
        form.add(path, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")
    elif high is not None and size > high:
        form.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")


@dataclass(frozen=True)
class String:
    """A text of so many characters."""

    low: int = 0
    high: int | None = None

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what is no text, or of another length."""
        if not isinstance(value, str):
            form.add(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        else:
            _length(len(value), self.low, self.high, path, form)


@dataclass(frozen=True)
class Whole:
    """A whole number in a range."""

    low: int = -INT64 - 1
    high: int = INT64

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what is no whole number, or out of range."""
        if not _whole(value):
            form.add(path, "NUMBER_TYPE_COERCE", f"Value {value!r} is not int.")
        else:
            _range(value, self.low, self.high, path, form)


@dataclass(frozen=True)
class Decimal:
    """Any number in a range."""

    low: float = float("-inf")
    high: float = float("inf")

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what is no number, or out of range."""
        if not _whole(value) and not isinstance(value, float):
            form.add(path, "NUMBER_TYPE_COERCE", f"Value {value!r} is not float.")
        else:
            _range(value, self.low, self.high, path, form)


def _range(value: float, low: float, high: float, path: Path, form: FormErrors) -> None:
    if value < low:
        form.add(path, "NUMBER_TYPE_MIN", f"Value should be greater than or equal to {low}.")
    elif not value <= high:
        form.add(path, "NUMBER_TYPE_MAX", f"Value should be less than or equal to {high}.")


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about anything else."""
        if not isinstance(value, bool):
            form.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")


@dataclass(frozen=True)
class Digits:
    """An id or a set of permissions: a whole number, or a text of its digits."""

    high: int = INT64

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what cannot be read as one."""
        written = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20
        if not written and not (_whole(value) and value >= 0):
            form.add(path, "NUMBER_TYPE_COERCE", f"Value {value!r} is not snowflake.")
        elif int(value) > self.high:
            form.add(path, "NUMBER_TYPE_MAX", f"snowflake value should be less than or equal to {self.high}.")


@dataclass(frozen=True)
class OneOf:
    """One of these."""

    values: tuple[int | str, ...]

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about anything else."""
        if not isinstance(value, (int, str)) or isinstance(value, bool) or value not in self.values:
            names = ", ".join(str(each) for each in self.values)
            form.add(path, "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")


@dataclass(frozen=True)
class Address:
    """An address with one of these schemes."""

    high: int
    schemes: tuple[str, ...] = ("http", "https", "attachment")

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what is no address, or too long."""
        if not isinstance(value, str):
            form.add(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return
        _length(len(value), 0, self.high, path, form)
        try:
            parts = urlsplit(value)
        except ValueError:
            form.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
            return
        if parts.scheme and parts.scheme not in self.schemes:
            message = f"Scheme {parts.scheme!r} is not supported. Scheme must be one of {self.schemes}."
            form.add(path, "URL_TYPE_INVALID_SCHEME", message)
        elif not parts.scheme or not parts.netloc or any(each.isspace() for each in value):
            form.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


@dataclass(frozen=True)
class Timestamp:
    """A date and a time of day."""

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about what cannot be read as one."""
        try:
            datetime.fromisoformat(value)
        except (TypeError, ValueError):
            form.add(path, "DATE_TIME_TYPE_PARSE", f"Could not parse {value!r}. Should be ISO8601.")


@dataclass(frozen=True)
class Many:
    """A list of so many entries that all follow one rule."""

    rule: Rule
    low: int = 0
    high: int | None = None
    unique: bool = False
    nulls: bool = False

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about the list, and about each entry."""
        if not isinstance(value, list):
            form.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return
        _length(len(value), self.low, self.high, path, form)
        if self.unique and len({str(each) for each in value}) < len(value):
            form.add(path, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
        for index, each in enumerate(value):
            if each is not None or not self.nulls:
                _required(self.rule, each, (*path, index), form)


@dataclass(frozen=True)
class Localised:
    """A text for each of some keys, as in localisations."""

    rule: Rule
    keys: frozenset[str] | None = None

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about unknown keys and wrong texts."""
        if not isinstance(value, dict):
            form.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return
        for key, each in value.items():
            if self.keys is not None and key not in self.keys:
                form.add((*path, key), "BASE_TYPE_CHOICES", f"Value must be one of ({', '.join(sorted(self.keys))}).")
            else:
                _required(self.rule, each, (*path, key), form)


@dataclass(frozen=True)
class AnyOf:
    """What follows at least one of these rules."""

    rules: tuple[Rule, ...]

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain as the first rule does if every one is broken."""
        trials = [FormErrors() for _ in self.rules]
        for rule, trial in zip(self.rules, trials, strict=True):
            rule.check(value, (), trial)
        if all(each.any for each in trials):
            self.rules[0].check(value, path, form)


@dataclass(frozen=True)
class Object:
    """An object with fields. One that may be left out may be null too, as everywhere in Discord's API."""

    required: Mapping[str, Rule] = field(default_factory=dict)
    optional: Mapping[str, Rule] = field(default_factory=dict)
    #: Fields that may be left out but not be null.
    solid: Mapping[str, Rule] = field(default_factory=dict)

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about every field that is missing or wrong. Discord ignores those that it does not know."""
        if not isinstance(value, dict):
            form.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return
        for key, rule in self.required.items():
            _required(rule, value.get(key), (*path, key), form)
        for key, rule in self.optional.items():
            if value.get(key) is not None:
                rule.check(value[key], (*path, key), form)
        for key in self.solid.keys() & value.keys():
            _required(self.solid[key], value[key], (*path, key), form)


@dataclass(frozen=True)
class Kinds:
    """One of several records, told apart by their `type`."""

    records: Mapping[int, Object]

    def check(self, value: Any, path: Path, form: FormErrors) -> None:
        """Complain about an unknown type, or as the record does."""
        if not isinstance(value, dict):
            form.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return
        kind = value.get("type")
        record = self.records.get(kind) if isinstance(kind, int) and not isinstance(kind, bool) else None
        if record is None:
            names = ", ".join(str(int(each)) for each in sorted(self.records))
            form.add((*path, "type"), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")
        else:
            record.check(value, path, form)


def _required(rule: Rule, value: Any, path: Path, form: FormErrors) -> None:
    if value is None:
        form.add(path, "BASE_TYPE_REQUIRED", "This field is required")
    else:
        rule.check(value, path, form)
