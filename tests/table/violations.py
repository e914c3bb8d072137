"""Makes wrong bodies out of right ones: for every field that Discord's description knows, each way to get it wrong."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.table.description import Description

JSON = dict[str, Any]
Path = tuple[str | int, ...]
_MISSING = object()
#: Ceilings this high are there to bound the description, not the body.
_BOUNDLESS = 10_000
#: One of each type; what a field does not take of them is a wrong type for it.
_TYPES: dict[str, Any] = {
    "string": "words",
    "integer": 7,
    "number": 0.5,
    "boolean": True,
    "array": [[]],
    "object": {"odd": {}},
    "null": None,
}
_PYTHON: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


@dataclass(frozen=True)
class Violation:
    """A body that Discord refuses, and what is wrong with it."""

    where: str
    why: str
    body: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


class Breaker:
    """Breaks bodies, each kind of part once: a button is the same in whatever message it is."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._seen: set[int] = set()

    def violations(self, schema: JSON, body: Any) -> Iterator[Violation]:
        """Every way in which `body` can break `schema` in one place."""
        for path, why, value in self._walk(schema, body, ()):
            yield Violation(_dotted(path), why, _with(body, path, value))

    def _walk(self, schema: JSON, value: Any, path: Path) -> Iterator[tuple[Path, str, Any]]:
        branches = self._branches(schema)
        yield from self._wrong(branches, value, path)
        branch = self._chosen(branches, value)
        if branch is None:
            return
        if isinstance(value, dict):
            # The outermost fields are tried on every route, so that none can forget to look.
            if path and id(branch) in self._seen:
                return
            self._seen.add(id(branch))
            for key, inner in branch.get("properties", {}).items():
                if key in branch.get("required", ()):
                    yield (*path, key), "missing", _MISSING
                for wrong in self._walk(inner, value.get(key), (*path, key)):
                    # Another type may make another thing of it, and a right one.
                    if key != "type" or not any(self._takes(each, value | {key: wrong[2]}) for each in branches):
                        yield wrong
            extra = branch.get("additionalProperties")
            if isinstance(extra, dict):
                for key, given in value.items():
                    yield from self._walk(extra, given, (*path, key))
        elif isinstance(value, list):
            tried = False
            for index, each in enumerate(value):
                if isinstance(each, (dict, list)) or not tried:
                    yield from self._walk(branch["items"], each, (*path, index))
                tried = True

    def _branches(self, schema: JSON) -> list[JSON]:
        """The kinds of thing that a field may be, references followed."""
        schema = self._description.resolved(schema)
        unions = schema.get("oneOf") or schema.get("anyOf")
        if unions and "const" not in unions[0]:
            return [one for each in unions for one in self._branches(each)]
        return [schema]

    def _chosen(self, branches: list[JSON], value: Any) -> JSON | None:
        for each in branches:
            if isinstance(value, (dict, list)) and self._takes(each, value):
                return each
        return None

    def _wrong(self, branches: list[JSON], value: Any, path: Path) -> Iterator[tuple[Path, str, Any]]:
        """Values that no branch takes."""

        def refused(each: Any) -> bool:
            return not any(self._takes(branch, each) for branch in branches)

        yield from ((path, f"is {name}", each) for name, each in _TYPES.items() if refused(each))
        tried: list[Any] = []
        for branch in branches:
            for why, each in _out_of_bounds(branch, value):
                if each not in tried and refused(each):
                    yield path, why, each
                tried.append(each)

    def _takes(self, branch: JSON, value: Any) -> bool:
        types = branch.get("type")
        if types and not any(_is(value, each) for each in ([types] if isinstance(types, str) else types)):
            return False
        return self._description.agrees(branch, value)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _PYTHON[kind])


def _types(branch: JSON) -> set[str]:
    given = branch.get("type", ())
    return {given} if isinstance(given, str) else set(given)


def _out_of_bounds(branch: JSON, value: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    types = _types(branch)
    if "string" in types:
        text = value if isinstance(value, str) and value else "a"
        most, least = branch.get("maxLength", _BOUNDLESS), branch.get("minLength", 0)
        if most < _BOUNDLESS:
            filler = text + "a" * (most + 1 - len(text))
            found.append(("too long", filler))
        if least:
            found.append(("too short", text[: least - 1]))
        if branch.get("format") == "uri":
            found += [("no address", "not an address"), ("no scheme", "example.org/a.png")]
        if branch.get("format") == "date-time":
            found.append(("no moment", "yesterday"))
        if branch.get("pattern"):
            found += [("no id", "12a"), ("negative id", "-1")]
    if types & {"integer", "number"}:
        if "minimum" in branch:
            found.append(("too small", branch["minimum"] - 1))
        if "maximum" in branch:
            found.append(("too large", branch["maximum"] + 1))
        if branch.get("format") == "int32" and "oneOf" not in branch:
            found.append(("over 32 bits", 2**31))
    if "oneOf" in branch or "enum" in branch:
        known = branch.get("enum") or [each["const"] for each in branch["oneOf"]]
        odd: Any = "odd" if isinstance(known[0], str) else max(known) + 91
        found.append(("unknown value", odd))
    if "array" in types and isinstance(value, list) and value:
        if "maxItems" in branch and branch["maxItems"] < 1000:
            found.append(("too many", [copy.deepcopy(value[0]) for _ in range(branch["maxItems"] + 1)]))
        if branch.get("minItems"):
            found.append(("too few", value[: branch["minItems"] - 1]))
        if branch.get("uniqueItems"):
            found.append(("repeated", [value[0], value[0], *value[1:]]))
    if "object" in types and isinstance(value, dict) and value and branch.get("maxProperties", _BOUNDLESS) < 1000:
        first = next(iter(value.values()))
        found.append(("too many", {f"k{number}": first for number in range(branch["maxProperties"] + 1)}))
    return found


def _with(body: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(body)
    node = changed
    for step in path[:-1]:
        node = node[step]
    if value is _MISSING:
        node.pop(path[-1], None)
    else:
        node[path[-1]] = value
    return changed


def _dotted(path: Path) -> str:
    return ".".join(str(each) for each in path)
