"""Every way to spoil one key of a title's data files: what was done, where, and the spoilt tables."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Sheets = Mapping[str, Mapping[str, Any]]
Path = tuple[Any, ...]

#: Keys that hold texts or numbers for people, any key being as good as another.
FREE = ("clauses", "investor_clauses", "investor_brewery_clauses", "expert_clauses", "moves", "banks")
#: Lists in which something may stand twice.
REPEATED = ("tokens", "stops", "rows", "equipment", "change", "rounds", "no_demand")
#: Keys that name a train, a tile, a company or a private company.
TRAINS = ("rusts_on", "available_on", "on", "train", "not_for", "run_twice", "trailer")
OTHERS = ("corporation", "lot", "private", "tiles", "apart", "layout", "kind")
#: Values of other kinds than TOML's own for a key.
ODD = (True, 7, 1.5, "seven", ["seven"], [[7]], {"seven": 7})


@dataclass(frozen=True)
class Mutation:
    """One key of one table spoilt in one way."""

    what: str
    file: str
    path: Path
    value: Any = None

    @property
    def table(self) -> str:
        return str(self.path[0])

    @property
    def key(self) -> str:
        """The innermost key that is not a place in a list."""
        return next(str(part) for part in reversed(self.path) if isinstance(part, str))

    @property
    def kind(self) -> tuple[str, ...]:
        """What it has in common with others: the same key of a like table."""
        parts = [str(part) for part in self.path if isinstance(part, str)]
        if self.table == "tile" and len(parts) > 1:
            parts[1] = "*"
        if len(parts) > 1 and parts[-2] in (*FREE, "legend", "starting_cash", "cert_limit", "tile_counts"):
            parts[-1] = "*"
        return (self.file, *parts)

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))
        return f"{self.file} {place}: {self.what}" + (f" {self.value!r:.60}" if self.value is not None else "")

    def applied(self, sheets: Sheets) -> dict[str, dict[str, Any]]:
        """The tables with the key spoilt; what lies beside the way to it is the same object."""
        result: dict[str, dict[str, Any]] = {file: dict(tables) for file, tables in sheets.items()}
        at: Any = result[self.file]
        *way, last = self.path
        for part in way:
            at[part] = copy.copy(at[part])
            at = at[part]
        if self.what == "missing":
            del at[last]
        elif self.what == "misspelt":
            at[f"{last}x"] = at.pop(last)
        elif self.what == "twice":
            at[last] = [*at[last], at[last][-1]]
        elif self.what == "without a shape":
            at[last] = {key: item for key, item in at[last].items() if key not in ("track", "stops")}
        else:
            at[last] = self.value
        return result


def mutations(sheets: Sheets) -> Iterator[Mutation]:
    """All of them, in the order of the files."""
    hexes = {at for tables in sheets.values() for row in tables.get("hex", ()) for at in row["at"]}
    for file, tables in sheets.items():
        for name, table in tables.items():
            yield from _spoilt(file, (name,), table, hexes)
        yield Mutation("unknown", file, ("rheingld",), {"train": "8"})
        for number in tables.get("tile", ()):
            yield Mutation("without a shape", file, ("tile", number))


def _spoilt(file: str, path: Path, value: Any, hexes: set[str]) -> Iterator[Mutation]:
    if isinstance(path[-1], str):
        yield Mutation("missing", file, path)
        yield Mutation("misspelt", file, path)
    for odd in ODD:
        if type(odd) is not type(value) and not (isinstance(value, list) and value == odd):
            yield Mutation("wrong kind", file, path, odd)
    if isinstance(value, dict):
        yield Mutation("unknown", file, (*path, "seven"), 7)
        for key, item in value.items():
            yield from _spoilt(file, (*path, key), item, hexes)
    elif isinstance(value, list):
        if value:
            yield Mutation("emptied", file, path, [])
            yield Mutation("twice", file, path)
        for number, item in enumerate(value):
            yield from _spoilt(file, (*path, number), item, hexes)
    elif isinstance(value, str):
        yield from _spoilt_text(file, path, value, hexes)
    elif isinstance(value, int) and not isinstance(value, bool):
        for number in (-1, -value - 1, 10**6, 10**30):
            yield Mutation("wrong number", file, path, number)


def _spoilt_text(file: str, path: Path, value: str, hexes: set[str]) -> Iterator[Mutation]:
    yield Mutation("empty", file, path, "")
    keys = [part for part in path if isinstance(part, str)]
    if value.partition(":")[0] in hexes and keys[-1] not in ("id", "name", "note", "source"):
        old, colon, letter = value.partition(":")
        between = f"{old[0]}{int(old[1:]) + 1}"
        for at in ("Z99", "A0", "nowhere", between, "B9999", "É3", "B٣"):
            yield Mutation("no such hex", file, path, at + colon + letter)
        if ":" in value:
            for letter in ("z", "ab", "7", "é"):
                yield Mutation("no such stop", file, path, f"{value.partition(':')[0]}:{letter}")
    if keys[-1] in TRAINS or (keys[-1] in OTHERS and keys[0] != "reconstruction"):
        yield Mutation("no such name", file, path, "XYZ")
    if (keys[-1] in ("category", "becomes", "label", "terrain") and keys[0] != "reconstruction") or (
        "/rhl/" in file and {"icons", "stop_icons", "location_space"} & {*keys}
    ):
        yield Mutation("no such kind", file, path, "oddity")
    if keys[-1] == "stops":
        for text in ("", "city", "city x", "village 10", "city -10", "city 10 x-1", "city 10 x99", "city 99999", "10"):
            yield Mutation("no such stop", file, path, text)
    if keys[-1] == "track":
        for text in ("0", "0-0", "a-a", "0-z", "N", "N-N", "-", "0-1-2", "9-1", "0-é"):
            yield Mutation("no such track", file, path, text)
    if keys[-1] == "rows":
        for text in ("-5", "90#", "p", "999999", "9.5", "٣"):
            yield Mutation("no such price", file, path, text)
    if keys[-1] in ("impassable", "stubs", "links") and value not in hexes:
        yield Mutation("no such edge", file, path, "UP")
    if keys[-1] in ("color", "after", "label_from", "level", "until", "since", "sold_from", "trade_from", "colours"):
        yield Mutation("no such colour", file, path, "pinkish")
