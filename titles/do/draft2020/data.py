"""What the draft of January 2020 prints otherwise, and the data of a form with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from engine.board.faces import OFFBOARD
from engine.definition import Definition
from engine.reading import Reader
from engine.tables import CompanyName, Count, TrainName
from titles import loading
from titles.do.board.data import PACKAGE
from titles.do.board.tables import Export
from titles.do.brewery.tables import HsbTables, Money, Percent

FILE = "draft.toml"
#: Before the keys of words that the draft has in place of the others.
_WORDS = "draft."


@dataclass(frozen=True)
class Draft:
    """Its figures."""

    #: The company that waits until so many railways have floated.
    waits: CompanyName
    floated: Count
    #: What a cube of export beer brings to a railway, and at its own home.
    beer: Money
    beer_home: Money
    #: What every small brewery is worth for a director's certificate, in per cent.
    founds_for: Percent
    #: How many cards a company may buy in a turn, by the type of the card that it buys.
    cards: Mapping[TrainName, Count]
    #: How many pieces of equipment a brewery may give up in a turn.
    given_up: Count
    #: How many pieces of equipment decide about the order of the breweries.
    ranked: Count

    def check(self, definition: Definition) -> Iterator[str]:
        for name in {train.name for train in definition.trains} ^ self.cards.keys():
            yield f"cards.{name}: a number for each type of card is expected"


@dataclass(frozen=True)
class Renamed:
    """A company by the draft's name."""

    id: CompanyName
    name: str


@dataclass(frozen=True)
class DraftTables:
    """All of them."""

    draft: Draft
    charter: tuple[Renamed, ...]
    #: The ledger's ids by kind of rule, where they are others than in the German rulebook.
    clauses: Mapping[str, str]

    def check(self, definition: Definition) -> Iterator[str]:
        if len({row.id for row in self.charter}) < len(self.charter):
            yield "charter.id: two rows of one company"


@cache
def tables() -> DraftTables:
    """The draft's figures by themselves."""
    return Reader(loading.sheets(PACKAGE, FILE)).files.all(DraftTables)


def read(found: Definition, sheets: loading.Sheets) -> DraftTables:
    """Its tables, checked against a form's data; a company may be one that is not in play."""
    reader = Reader(sheets)
    reader.files.only(set(DraftTables.__dataclass_fields__))
    t: HsbTables = found.tables
    out = [company for change in t.change for company in change.companies_out]
    companies = {*found.corporations, *(row.id for row in t.brewery), *out}
    result = reader.files.all(DraftTables, {**loading.names(found), "corporation": companies})
    loading.check(reader.files, result, found)
    return result


def amended(found: Definition) -> Definition:
    """A form's data with what the draft has otherwise."""
    return with_draft(found, loading.sheets(PACKAGE, FILE))


def with_draft(found: Definition, sheets: loading.Sheets) -> Definition:
    """Other names, export beer, what small breweries are worth, clauses."""
    d, t = read(found, sheets), found.tables
    red = [at for at, spot in found.map.hexes.items() if any(stop.kind == OFFBOARD for stop in spot.face.stops)]
    names = {row.id: row.name for row in d.charter}
    return replace(
        found,
        corporations={
            name: replace(charter, name=names.get(name, charter.name)) for name, charter in found.corporations.items()
        },
        clauses={**found.clauses, **d.clauses},
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
