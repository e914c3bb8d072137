"""The Investor's sheet: which companies may be his, what he begins with, and his limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated

from engine.definition import Definition
from engine.tables import CompanyName, Count, Files, Span
from titles import loading
from titles.do.board.data import PACKAGE
from titles.do.board.tables import Money

FILE = "investor.toml"

Percent = Annotated[int, Span(10, 100)]


@dataclass(frozen=True)
class InvestorSheet:
    """Numbers of his rules."""

    #: One of these is drawn for him, and stands at this price before anybody has bought.
    railways: tuple[CompanyName, ...]
    railway_price: Money
    #: What he buys of it in his first turn, and the most he holds of a company that a player directs, in per cent.
    start_share: Percent
    share_limit: Percent
    #: So many railways of players have floated before he buys anything else.
    waits_for: Count
    #: Private breweries of the starting package.
    privates: Count

    def check(self, definition: Definition) -> Iterator[str]:
        if not self.railways:
            yield "railways: a list that is not empty is expected"
        least = self.start_share // 10 * self.railway_price
        if least > definition.starting_cash[2]:
            yield f"start_share: costs {least}, more than he has"


@dataclass(frozen=True)
class InvestorBrewery:
    """Numbers of the rules for his brewery, and of the game for two that has breweries."""

    #: In this stock round his small brewery becomes a corporation at this price, of which he takes so many per cent.
    price: Money
    stock_round: Count
    share: Percent
    #: So many small breweries lie in the starting package, none of these.
    minors: Count
    not_in_package: tuple[str, ...]
    #: Equipment that does not go over to the corporation, and with which its player decides about the income.
    worn_out: tuple[str, ...]
    free_types: tuple[str, ...]
    #: The game has so many sets; in one of them the last colour begins at the latest.
    sets: Count
    grey_set: Count

    def check(self, definition: Definition) -> Iterator[str]:
        for key in ("not_in_package", "worn_out", "free_types"):
            if not getattr(self, key):
                yield f"{key}: something is expected"
        if not self.stock_round < self.sets >= self.grey_set:
            yield "sets: more than stock_round and not less than grey_set is expected"


@dataclass(frozen=True)
class InvestorTables:
    """His sheets, and the ledger's ids by kind of rule; those with breweries over the others."""

    investor: InvestorSheet
    investor_brewery: InvestorBrewery
    investor_clauses: Mapping[str, str]
    investor_brewery_clauses: Mapping[str, str]


def read(definition: Definition) -> InvestorTables:
    """The tables of his file."""
    return checked(definition, loading.sheets(PACKAGE, FILE))


def checked(definition: Definition, sheets: loading.Sheets) -> InvestorTables:
    """His tables, checked against the box."""
    files = Files(sheets)
    files.only({field.name for field in fields(InvestorTables)})
    tables = files.all(InvestorTables, loading.names(definition))
    loading.check(files, tables, definition)
    return tables
