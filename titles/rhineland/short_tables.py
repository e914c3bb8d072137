"""The short game's table, and what it makes of a title's data: everything that has to do with money is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from engine.definition import Definition, Map, Market, Phase
from engine.reading import Reader
from engine.rows import Seats
from engine.state import REMOVED, State
from engine.tables import CompanyName, Count, Span, TrainName
from titles import loading

#: The market of a form in which nothing has a price.
NO_MARKET = Market(kind="none", rows=(), marks=(), legend={})

#: Of the full game's rules these hold, unless the short game has its own; what is traded and paid for has none.
KEPT = frozenset({"tile", "route", "run"})


@dataclass(frozen=True)
class ShortGame:
    """What the short game uses, by number of players, and how its rounds follow each other."""

    #: Companies of which one certificate of 10 % is taken out.
    removed: Mapping[Seats, tuple[CompanyName, ...]]
    cert_limit: Mapping[Seats, Count]
    player_rounds: Mapping[Seats, Count]
    #: So many player rounds before a train round; another follows the last player round.
    between: Mapping[Seats, Count]
    #: The train cards, which are given out in their order; others are not used.
    trains: Mapping[TrainName, Annotated[int, Span(1, 99)]]
    #: What a phase brings, by its name.
    event: Mapping[str, str]
    event_de: Mapping[str, str]
    #: Of what the title has reconstructed, what counts here, and what is so here only.
    reconstructed: tuple[str, ...] = ()

    def check(self, definition: Definition) -> Iterator[str]:
        for key in ("removed", "cert_limit", "between"):
            for count in getattr(self, key).keys() ^ self.player_rounds.keys():
                yield f"{key}.{count}: a value for each number of players is expected"
        for phase in definition.phases:
            for train in definition.trains:
                begins = train.name in phase.on or train is definition.trains[0]
                if begins and train.name not in self.trains:
                    yield f"trains.{train.name}: is missing; a number is expected"
            for key in ("event", "event_de"):
                if phase.name not in getattr(self, key):
                    yield f"{key}.{phase.name}: is missing; a text is expected"
        total = sum(len(corporation.shares) for corporation in definition.corporations.values())
        for players, rounds in self.player_rounds.items():
            if total - len(self.removed[players]) != players * rounds:
                yield f"player_rounds.{players}: a certificate for each turn is expected"


@dataclass(frozen=True)
class ShortTables:
    """The tables of a title's file for its short game."""

    short: ShortGame
    #: The ledger's ids by kind of rule, where they are others than in the full game.
    clauses: Mapping[str, str]


def read(found: Definition, sheets: loading.Sheets) -> ShortTables:
    """A title's tables for its short game, checked against its data."""
    reader = Reader(sheets)
    reader.files.only(set(ShortTables.__dataclass_fields__))
    tables = reader.files.all(ShortTables, loading.names(found))
    loading.check(reader.files, tables, found)
    return tables


def without_money(found: Definition, tables: ShortTables) -> Definition:
    """A title's data for the short game: no prices, no bank, no private companies, and no charter says anything."""
    short = tables.short
    kept = {key: clause for key, clause in found.clauses.items() if key.partition(".")[0] in KEPT}
    granted = {tile for private in found.tables.private if private.power for tile in private.power.tiles}
    return replace(
        found,
        players=(min(short.player_rounds), max(short.player_rounds)),
        bank=0,
        starting_cash=dict.fromkeys(short.player_rounds, 0),
        cert_limit=short.cert_limit,
        pool_limit=100,
        market=NO_MARKET,
        map=Map.of(
            found.map.layout,
            {at: replace(spot, face=replace(spot.face, cost=0)) for at, spot in found.map.hexes.items()},
        ),
        tiles={
            name: replace(tile, face=replace(tile.face, cost=0))
            for name, tile in found.tiles.items()
            if name not in granted
        },
        corporations={
            name: replace(
                corporation,
                tokens=tuple(0 for _ in corporation.tokens),
                float_percent=corporation.shares[0],
                special={},
            )
            for name, corporation in found.corporations.items()
        },
        privates={},
        trains=tuple(
            replace(train, count=short.trains[train.name], price=0, available_on=(), optional=0)
            for train in found.trains
            if train.name in short.trains
        ),
        phases=tuple(_phase(phase, short) for phase in found.phases),
        reconstructed=short.reconstructed,
        clauses={**kept, **tables.clauses},
    )


def _phase(phase: Phase, short: ShortGame) -> Phase:
    event = {"en": short.event[phase.name], "de": short.event_de[phase.name]}
    return replace(phase, train_limit=1, operating_rounds=0, event=event)


def remove_certificates(short: ShortGame, definition: Definition, state: State) -> None:
    """Of each company that is named for this number of players the last certificate of 10 % is out of the game."""
    for name in short.removed[len(state.seats)]:
        percents = definition.corporations[name].shares
        last = max(number for number, percent in enumerate(percents) if percent == definition.corporations[name].unit)
        state.companies[name].certificates[last] = REMOVED
