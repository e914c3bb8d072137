"""Discord's own description of its API: what it says about a route, and whether a body or an answer agrees with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

JSON = dict[str, Any]
FILE = Path(__file__).resolve().parents[3] / "shared" / "discord" / "openapi.json"
ABSENT = "Discord's description of its API is not beside the project (../shared/discord/openapi.json)."
_BASE = "urn:discord"
PERMISSIONS = ("allow", "deny", "permissions", "default_member_permissions")
_FORMATS = FormatChecker(())


@_FORMATS.checks("uri", (ValueError,))
def _is_address(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme and urlsplit(value).netloc)


@_FORMATS.checks("date-time", (ValueError,))
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value))


@_FORMATS.checks("int32")
def _is_small(value: object) -> bool:
    return not isinstance(value, int) or -(2**31) <= value < 2**31


@dataclass(frozen=True)
class Operation:
    """One route of the description."""

    method: str
    path: str
    pattern: re.Pattern[str]
    spec: JSON

    @property
    def request(self) -> JSON | None:
        """What the body must be."""
        content = self.spec.get("requestBody", {}).get("content", {}).get("application/json")
        return content["schema"] if content else None

    def answer(self, status: int) -> JSON | None:
        """What the answer with this status must be; None where it has no body."""
        found = self.spec["responses"][str(status)]
        content = found.get("content", {}).get("application/json")
        return content["schema"] if content else None

    @property
    def statuses(self) -> set[int]:
        """The good answers."""
        return {int(each) for each in self.spec["responses"] if each.startswith("2")}


class Description:
    """The file, with the answers closed: an answer may have nothing that the description does not name."""

    def __init__(self, text: str) -> None:
        self.document: JSON = json.loads(text)
        # The description wants numbers as codes inside `_errors`, where Discord sends texts.
        self.document["components"]["schemas"]["Error"]["properties"]["code"] = {"type": ["integer", "string"]}
        closed = json.loads(json.dumps(self.document))
        for name, schema in closed["components"]["schemas"].items():
            # `allOf` adds up objects that each know only a part.
            if "properties" in schema and name != "Error":
                schema.setdefault("additionalProperties", False)
        self.schemas: JSON = self.document["components"]["schemas"]
        self._take_ids_as_numbers()
        registry: Registry[Any] = Registry().with_resources(
            [
                (_BASE, Resource.from_contents(self.document, DRAFT202012)),
                (f"{_BASE}:closed", Resource.from_contents(closed, DRAFT202012)),
            ]
        )
        self._registry = registry
        self._kind = validators.extend(Draft202012Validator, {"oneOf": self._union})

    def _take_ids_as_numbers(self) -> None:
        """Discord takes ids as numbers too, and permissions as texts; what it sends itself has texts only."""
        self.schemas["SnowflakeType"]["type"] = ["string", "integer"]

        def widen(node: Any) -> None:
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):
                if key in PERMISSIONS and isinstance(value, dict) and "integer" in value.get("type", ()):
                    value["type"] = ["integer", "string", "null"]
                    value["pattern"] = "^[0-9]+$"
                elif isinstance(value, (dict, list)):
                    widen(value)

        widen(self.document)

    @cached_property
    def operations(self) -> list[Operation]:
        """All routes, those without a variable part first."""
        found = [
            Operation(method.upper(), path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), spec)
            for path, methods in self.document["paths"].items()
            for method, spec in methods.items()
            if method in ("get", "put", "post", "patch", "delete")
        ]
        return sorted(found, key=lambda each: each.path.count("{"))

    def operation(self, method: str, path: str) -> Operation | None:
        """The route that a request goes to."""
        return next((each for each in self.operations if each.method == method and each.pattern.fullmatch(path)), None)

    def resolved(self, schema: JSON) -> JSON:
        """The schema that a reference stands for."""
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition("/")[2]]
        return schema

    def _union(self, validator: Any, branches: list[JSON], value: Any, schema: JSON) -> Iterator[ValidationError]:
        """Of things with different types only the one that is meant is tried: that is quick, and says why."""
        if isinstance(value, dict) and "type" in value:
            kinds = [self.resolved(each).get("properties", {}).get("type", {}).get("enum") for each in branches]
            meant = [each for each, kind in zip(branches, kinds, strict=True) if kind and value["type"] in kind]
            if len(meant) == 1:
                yield from validator.descend(value, meant[0])
                return
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, branches, value, schema)

    def problems(self, schema: JSON, value: Any, *, closed: bool = False) -> list[str]:
        """Where a value does not agree with a schema."""
        return [f"{each.json_path}: {each.message[:300]}" for each in self._errors(_key(schema), value, closed)]

    def agrees(self, schema: JSON, value: Any) -> bool:
        """Whether a value agrees with a schema."""
        return bool(self._validator(_key(schema), False).is_valid(value))

    def _errors(self, key: str, value: Any, closed: bool) -> Iterator[ValidationError]:
        for each in self._validator(key, closed).iter_errors(value):
            yield _deepest(each)

    @cache  # noqa: B019 (there is one description in a run)
    def _validator(self, key: str, closed: bool) -> Any:
        base = f"{_BASE}:closed" if closed else _BASE
        schema = json.loads(key.replace('"#/', f'"{base}#/'))
        return self._kind(schema, registry=self._registry, format_checker=_FORMATS)


def _key(schema: JSON) -> str:
    return json.dumps(schema, sort_keys=True)


def _deepest(problem: ValidationError) -> ValidationError:
    """Of the branches of a union the one that got furthest: it says what is meant."""
    while problem.context:
        branches: dict[Any, list[ValidationError]] = {}
        for each in problem.context:
            branches.setdefault(each.schema_path[0], []).append(each)
        best = min(branches.values(), key=lambda some: (any(e.validator == "enum" for e in some), len(some)))
        problem = max(best, key=lambda each: len(each.absolute_path))
    return problem


@cache
def description() -> Description | None:
    """The description, where it lies beside the project."""
    return Description(FILE.read_text(encoding="utf-8")) if FILE.exists() else None


def required() -> Description:
    """The description, or the test is skipped."""
    found = description()
    if found is None:
        pytest.skip(ABSENT)
    return found


def shape(value: Any, key: str = "") -> Any:
    """What a body is made of, without its words: which fields, of which types, and which kinds of thing."""
    if isinstance(value, dict):
        return frozenset((name, shape(each, name)) for name, each in value.items())
    if isinstance(value, list):
        return ("list", frozenset(shape(each) for each in value))
    if isinstance(value, str):
        return ("text", bool(value))
    if key in ("type", "style"):
        return value
    return type(value).__name__
