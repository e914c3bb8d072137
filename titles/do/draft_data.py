"""What the draft of January 2020 prints otherwise, and the data of a form with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from engine.board.faces import OFFBOARD
from engine.definition import Definition
from engine.reading import Reader
from engine.tables import Count
from titles import loading
from titles.do.data import PACKAGE
from titles.do.hsb_tables import HsbTables, Money, Percent
from titles.do.tables import Export

FILE = "draft.toml"
#: Before the keys of words that the draft has in place of the others.
_WORDS = "draft."


@dataclass(frozen=True)
class Draft:
    """Its figures."""

    #: The company that waits until so many railways have floated.
    waits: str
    floated: Count
    #: What a cube of export beer brings to a railway, and at its own home.
    beer: Money
    beer_home: Money
    #: What every small brewery is worth for a director's certificate, in per cent.
    founds_for: Percent
    #: How many cards a company may buy in a turn, by the type of the card that it buys.
    cards: Mapping[str, Count]
    #: How many pieces of equipment a brewery may give up in a turn.
    given_up: Count
    #: How many pieces of equipment decide about the order of the breweries.
    ranked: Count


@dataclass(frozen=True)
class Renamed:
    """A company by the draft's name."""

    id: str
    name: str


@dataclass(frozen=True)
class DraftTables:
    """All of them."""

    draft: Draft
    charter: tuple[Renamed, ...]


def _reader() -> Reader:
    reader = Reader(loading.sheets(PACKAGE, FILE))
    reader.files.only({"draft", "charter", "clauses"})
    return reader


@cache
def tables() -> DraftTables:
    found: DraftTables = _reader().files.all(DraftTables, {})
    return found


def amended(found: Definition) -> Definition:
    """A form's data with what the draft has otherwise: names, export beer, what small breweries are worth, clauses."""
    d, t = tables(), found.tables
    assert isinstance(t, HsbTables)
    red = [at for at, spot in found.map.hexes.items() if any(stop.kind == OFFBOARD for stop in spot.face.stops)]
    names = {row.id: row.name for row in d.charter}
    return replace(
        found,
        corporations={
            name: replace(charter, name=names.get(name, charter.name)) for name, charter in found.corporations.items()
        },
        clauses={**found.clauses, **_reader().texts("clauses")},
        words={
            language: {
                **words,
                **{key.removeprefix(_WORDS): text for key, text in words.items() if key.startswith(_WORDS)},
            }
            for language, words in found.words.items()
        },
        tables=replace(
            t,
            minor=tuple(replace(row, founds_for=d.draft.founds_for) for row in t.minor),
            export=Export(dict.fromkeys(red, d.draft.beer)),
        ),
    )
