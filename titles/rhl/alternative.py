"""The alternative starting package (8.5): its options, and the base game's data with the lots that are chosen."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from engine.board.hexes import parse
from engine.definition import Corporation, Definition, Map
from engine.errors import BadData
from engine.reading import Reader, in_languages
from titles import loading
from titles.registry import Apart, OptionSpec
from titles.rhl.alternative_tables import Alternative, AlternativeTables, Charter
from titles.rhl.tables import Tables

#: For each number of the starting package the lot of the base game and the other one.
LOTS = {
    1: ("PWB", "ATB"),
    2: ("KEO", "MB"),
    3: ("THS", "RGC"),
    4: ("TF", "KSW"),
    5: ("NLK", "AMD"),
    6: ("RHE-DIR", "CME-DIR"),
}

#: Which package, and for each number a lot if it is to be another than the package's; the base package and the other
#: lots by their numbers would be enough to say every game.
OPTIONS = (
    OptionSpec("package", ("base", "alternative", "drawn"), "RHL-8.5-a", needless=("alternative", "drawn")),
    *(OptionSpec(f"no_{number}", ("package", *lots), "RHL-8.5-a", needless=lots[:1]) for number, lots in LOTS.items()),
)

#: Only the edition of 2024 has it.
APART = (
    *(Apart({"edition": "earlier", "package": package}, "RHL-8.5-a") for package in ("alternative", "drawn")),
    *(Apart({"edition": "earlier", f"no_{number}": lots[1]}, "RHL-8.5-a") for number, lots in LOTS.items()),
)


def drawn(options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The options with a lot for each number that is left to chance."""
    result = dict(options)
    if options["package"] == "drawn":
        chance = random.Random(f"package {seed}")
        for number, lots in LOTS.items():
            lot = chance.choice(lots)
            if result[f"no_{number}"] == "package":
                result[f"no_{number}"] = lot
    return result


def chosen(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The alternative lots among those that the options name; what is still to be drawn is not yet."""
    package = options.get("package", "base")
    picks = ((options.get(f"no_{number}", "package"), lots[1]) for number, lots in LOTS.items())
    return tuple(other for pick, other in picks if pick == other or (pick, package) == ("package", "alternative"))


def alternative(found: Definition, sheets: loading.Sheets, lots: Collection[str]) -> Definition:
    """The base game with these lots instead of those of the same numbers, and with what they bring."""
    reader = Reader(sheets)
    reader.files.only({"hex", "tile", *AlternativeTables.__dataclass_fields__})
    hexes = reader.map_hexes(found.map.layout)
    for at in hexes:
        if at not in found.map.hexes:
            reader.at("hex", at)
            raise reader.fault(f"{at} is expected to be a hex of the map", "at")
    tiles = reader.tiles()
    for tile in tiles:
        if tile in found.tiles:
            reader.at("tile", tile)
            raise reader.fault("the base game has this tile")
    everything = replace(
        found,
        map=Map.of(
            found.map.layout, dict(sorted({**found.map.hexes, **hexes}.items(), key=lambda item: parse(item[0])))
        ),
        tiles={**found.tiles, **tiles},
        privates=reader.privates(),
    )
    tables = reader.files.all(AlternativeTables, loading.names(everything))
    _check_numbers(reader, found, tables)
    reader.cross_check(everything)
    loading.check(reader.files, tables, everything)
    _check_brought(reader, tables, hexes, tiles)
    return _with(found, everything, tables, frozenset(lots))


def _with(found: Definition, everything: Definition, tables: AlternativeTables, lots: frozenset[str]) -> Definition:
    """The definition with some of the lots."""
    brought = [brings for lot, brings in tables.with_lot.items() if lot in lots]
    hexes = {at: everything.map.hexes[at] for brings in brought for at in brings.hexes}
    tiles = {tile: everything.tiles[tile] for brings in brought for tile in brings.tiles}
    numbers = {everything.privates[lot].number for lot in lots}
    kept = {name: private for name, private in found.privates.items() if private.number not in numbers}
    privates = {**kept, **{lot: everything.privates[lot] for lot in lots}}
    charters = {row.corporation: row for row in tables.charter if row.lot in lots}
    old: Tables = found.tables
    rows = [*(row for row in old.private if row.number not in numbers), *(tables.lots()[lot] for lot in lots)]
    own = replace(
        old,
        private=tuple(sorted(rows, key=lambda row: row.number)),
        lot_certificate=tables.lot_certificate if tables.lot_certificate.lot in lots else old.lot_certificate,
        link_company=tables.link_company if tables.link_company.lot in lots else old.link_company,
        alternative=Alternative(
            lots=lots,
            lime_quarry=tables.lime_quarry if tables.lime_quarry.lot in lots else None,
            rheingold_token=tables.rheingold_token if tables.rheingold_token.lot in lots else None,
            free_station=tables.free_station if tables.free_station.lot in lots else None,
            dear_stations=tables.dear_stations if tables.dear_stations.lot in lots else None,
            built=tuple(row for row in tables.built if row.lot in lots),
        ),
    )
    return replace(
        found,
        map=Map.of(found.map.layout, {at: hexes.get(at, spot) for at, spot in found.map.hexes.items()}),
        tiles={**found.tiles, **tiles},
        privates=dict(sorted(privates.items(), key=lambda item: item[1].number)),
        corporations={name: _chartered(row, charters.get(name)) for name, row in found.corporations.items()},
        reconstructed=(*found.reconstructed, *(what for brings in brought for what in brings.reconstructed)),
        tables=own,
    )


def _chartered(corporation: Corporation, change: Charter | None) -> Corporation:
    if change is None:
        return corporation
    special = in_languages(change.special, change.special_de)
    return replace(corporation, float_percent=change.float, special=special)


def _check_numbers(reader: Reader, found: Definition, tables: AlternativeTables) -> None:
    """A lot has the number of another of the base game."""
    known = {private.number for private in found.privates.values()}
    for row in tables.private:
        if row.number not in known:
            reader.at("private", row.id)
            raise reader.fault(f"the base game has no private company of number {row.number}", "number")
        if row.id in found.privates:
            reader.at("private", row.id)
            raise reader.fault("the base game has this private company", "id")


def _check_brought(reader: Reader, tables: AlternativeTables, hexes: Collection[str], tiles: Collection[str]) -> None:
    """Every hex and tile of the file comes with one lot."""
    for key, own in (("hexes", hexes), ("tiles", tiles)):
        brought = [name for brings in tables.with_lot.values() for name in getattr(brings, key)]
        for name in sorted({*own} ^ {*brought}):
            raise BadData(f"{reader.files.where('with_lot')}.{key}: {name} stands only here or only there")
        if len(brought) > len(set(brought)):
            raise BadData(f"{reader.files.where('with_lot')}.{key}: one comes with two lots")
