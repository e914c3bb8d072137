"""18DO's data as a form uses it: hexes put on or taken off the map, tiles, railways and homes left out or moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.board.faces import Face
from engine.board.hexes import parse
from engine.definition import Corporation, Definition, Hex, Home, Map
from engine.errors import BadData
from engine.reading import Reader
from engine.rules import Setup
from titles import loading
from titles.do.board.tables import Change, Tables

PACKAGE = "titles.do"
FILES = ("game.toml", "map.toml", "tiles.toml")
OVERLAYS = "overlays.toml"


def printed(own: str, tables: type[Tables], *more: str) -> Definition:
    """The whole box as printed, with the files of a form; its tables extend those that all forms share."""
    return loading.load(loading.sheets(PACKAGE, *FILES, own, *more), tables)


def definition(setup: Setup, own: str, tables: type[Tables], *more: str) -> Definition:
    """What a form uses of the box with a number of players: its own files beside the shared ones, and its changes."""
    return used(setup, printed(own, tables, *more), loading.sheets(PACKAGE, OVERLAYS))


def used(setup: Setup, found: Definition, overlays: loading.Sheets) -> Definition:
    """The box with the changes for a form and a number of players."""
    reader = Reader(overlays)
    reader.files.only({"hex"})
    laid = reader.map_hexes(found.map.layout)
    reader.check_kinds(replace(found, map=Map.of(found.map.layout, {**found.map.hexes, **laid})))
    shared: Tables = found.tables
    for number, change in enumerate(shared.change, 1):
        named = [("put", at) for at in change.put if at not in laid]
        for company, homes in (change.homes or {}).items():
            named += [(f"homes.{company}", at) for at in homes if at not in found.map.hexes and at not in laid]
        for key, at in named:
            raise BadData(f"titles/do/{FILES[0]} [[change]] no. {number}.{key}: there is no hex {at!r}")
    for at in laid:
        if not any(at in change.put for change in shared.change):
            reader.at("hex", at)
            raise reader.fault("no [[change]] puts it on the map", "at")
    result = changed(found, [change for change in shared.change if change.holds(setup.form, setup.players)], laid)
    reader.cross_check(result)
    return result


def changed(found: Definition, changes: Iterable[Change], overlays: Mapping[str, Hex]) -> Definition:
    """A definition with changes applied, one after the other."""
    hexes, tiles, corporations = dict(found.map.hexes), dict(found.tiles), dict(found.corporations)
    reconstructed = list(found.reconstructed)
    for change in changes:
        hexes.update({at: overlays[at] for at in change.put})
        for at in change.hexes_out:
            hexes.pop(at, None)
        for name in change.tiles_out:
            tiles.pop(name, None)
        for name in change.companies_out:
            corporations.pop(name, None)
        for name, homes in (change.homes or {}).items():
            corporations[name] = at_home(corporations[name], homes)
        reconstructed += change.reconstructed
    return replace(
        found,
        reconstructed=tuple(reconstructed),
        map=Map.of(
            found.map.layout,
            {at: unreserved(hexes[at], corporations) for at in sorted(hexes, key=parse)},
        ),
        tiles={name: replace(tile, face=for_all(tile.face, corporations)) for name, tile in tiles.items()},
        corporations=corporations,
    )


def at_home(corporation: Corporation, homes: tuple[str, ...]) -> Corporation:
    """A railway with its home elsewhere; its tokens stay the same."""
    rest = corporation.tokens[len(corporation.homes) :]
    return replace(corporation, homes=tuple(Home(at, 0) for at in homes), tokens=(*(0 for _ in homes), *rest))


def unreserved(spot: Hex, corporations: Mapping[str, Corporation]) -> Hex:
    return replace(spot, face=for_all(spot.face, corporations))


def for_all(face: Face, corporations: Mapping[str, Corporation]) -> Face:
    """A drawing on which nothing is reserved for a railway that does not play."""
    if all(whose in corporations for stop in face.stops for whose in stop.reserved if whose):
        return face
    stops = tuple(
        replace(stop, reserved=tuple(whose if whose in corporations else "" for whose in stop.reserved))
        for stop in face.stops
    )
    return replace(face, stops=stops)
