"""18Rhl's data with its options and the edition applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from engine.board.hexes import parse
from engine.definition import Corporation, Definition, Map
from engine.reading import Reader
from titles import loading
from titles.rhineland.tables import PowerPrivate
from titles.rhl.alternative import alternative, chosen
from titles.rhl.tables import EarlierPower, EarlierTables, Tables

PACKAGE = "titles.rhl"
FILES = ("game.toml", "map.toml", "tiles.toml", "cards.toml")
#: Before the keys of words that the earlier edition has in place of the present ones.
_EARLIER = "earlier."


@cache
def printed() -> Definition:
    """The title's data without any option."""
    return loading.load(loading.sheets(PACKAGE, *FILES), Tables)


@cache
def packaged(lots: tuple[str, ...]) -> Definition:
    """The title's data with some lots of the alternative package."""
    return alternative(printed(), loading.sheets(PACKAGE, "alternative.toml"), lots) if lots else printed()


def definition(options: Mapping[str, Any]) -> Definition:
    """The title's data with the options applied."""
    found = packaged(chosen(options))
    if options["optional_2_train"]:
        trains = tuple(replace(train, count=train.count + train.optional) for train in found.trains)
        found = replace(found, trains=trains)
    if options["lower_capital"]:
        found = replace(found, starting_cash=found.tables.lower_capital.starting_cash)
    if options["edition"] == "earlier":
        found = earlier(found, loading.sheets(PACKAGE, "earlier.toml"))
    return found


def earlier(found: Definition, sheets: loading.Sheets) -> Definition:
    """The edition before: other hexes, fewer tiles, a company's other name, another Rheingold-Express."""
    reader = Reader(sheets)
    reader.files.only({"hex", *EarlierTables.__dataclass_fields__})
    change = reader.files.all(EarlierTables, loading.names(found))
    hexes = reader.map_hexes(found.map.layout)
    for at in hexes:
        if at not in found.map.hexes:
            reader.at("hex", at)
            raise reader.fault(f"{at} is expected to be a hex of the map", "at")
    old: Tables = found.tables
    tables = replace(
        old,
        private=tuple(_powered(private, change.power.get(private.id)) for private in old.private),
        link_company=replace(old.link_company, **vars(change.link_company)),
        iron_rhine=replace(old.iron_rhine, **vars(change.iron_rhine)),
        rheingold=replace(old.rheingold, **vars(change.rheingold)),
        target_card=(),
        destiny_card=(),
    )
    tiles = {name: replace(tile, count=change.tile_counts.get(name, tile.count)) for name, tile in found.tiles.items()}
    corporations: dict[str, Corporation] = {}
    for corporation in found.corporations.values():
        renamed = change.corporation.get(corporation.id)
        corporations[renamed.id if renamed else corporation.id] = (
            replace(corporation, id=renamed.id, name=renamed.name) if renamed else corporation
        )
    if len(corporations) < len(found.corporations):
        reader.where = reader.files.where("corporation")
        raise reader.fault("two corporations of one id", "id")
    result = replace(
        found,
        map=Map.of(
            found.map.layout, dict(sorted({**found.map.hexes, **hexes}.items(), key=lambda item: parse(item[0])))
        ),
        tiles=tiles,
        corporations=corporations,
        privates={
            name: replace(private, ability=change.power[name].ability, closes=change.power[name].closes)
            if name in change.power
            else private
            for name, private in found.privates.items()
        },
        tables=tables,
        words={language: _earlier_words(words) for language, words in found.words.items()},
    )
    reader.cross_check(result)
    loading.check(reader.files, tables, result)
    return result


def _earlier_words(words: Mapping[str, str]) -> Mapping[str, str]:
    """The title's words with those of the earlier edition in their place."""
    own = {key.removeprefix(_EARLIER): text for key, text in words.items() if key.startswith(_EARLIER)}
    return {**words, **own}


def _powered(private: PowerPrivate, change: EarlierPower | None) -> PowerPrivate:
    """A private company with what it could do earlier."""
    if change is None or private.power is None:
        return private
    return replace(private, power=replace(private.power, lays=change.lays, alone=change.alone, closes=False))
