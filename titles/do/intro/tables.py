"""The introductory game's tables, and what it makes of the box: everything that has to do with money is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from engine.definition import Definition, Map
from engine.rows import Seats
from engine.rules import Setup
from engine.tables import Colour, Count, Span, TrainName
from titles.do.board import data
from titles.do.board.tables import Tables


@dataclass(frozen=True)
class Efs:
    """What the introductory game uses of the box."""

    players: tuple[Seats, Seats]
    cert_limit: Mapping[Seats, Count]
    #: The most that somebody may hold of a railway, in per cent.
    share_limit: Annotated[int, Span(1, 100)]
    #: The train cards, which are given out in their order; others are not used.
    trains: Mapping[TrainName, Count]
    #: The colour of the phase in whose values the trains run at the end.
    values: Colour
    #: Income is rounded down to a multiple of this.
    rounded: Count
    #: What a phase brings, by its name.
    event: Mapping[str, str]
    event_de: Mapping[str, str]
    reconstructed: tuple[str, ...] = ()

    def check(self, definition: Definition) -> Iterator[str]:
        low, high = self.players
        for count in self.cert_limit.keys() ^ {*range(low, high + 1)}:
            yield f"cert_limit.{count}: a number for each from {low} to {high} players is expected"
        total = sum(len(corporation.shares) for corporation in definition.corporations.values())
        for count in range(low, high + 1):
            if total % count:
                yield f"players: {total} certificates make no whole rounds for {count}"
        for train in definition.trains:
            if not 0 < self.trains.get(train.name, 0) <= train.count:
                yield f"trains.{train.name}: from 1 to {train.count} are expected"
        for phase in definition.phases:
            for key in ("event", "event_de"):
                if phase.name not in getattr(self, key):
                    yield f"{key}.{phase.name}: is missing; a text is expected"


@dataclass(frozen=True)
class EfsTables(Tables):
    """All tables of the form."""

    efs: Efs


def definition(setup: Setup) -> Definition:
    """The box as the introductory game uses it."""
    return without_money(data.definition(setup, "efs.toml", EfsTables))


def without_money(found: Definition) -> Definition:
    """The box without money: nothing has a price, no charter says anything, and each railway has one train."""
    tables: EfsTables = found.tables
    efs = tables.efs
    return replace(
        found,
        players=efs.players,
        bank=0,
        starting_cash=dict.fromkeys(efs.cert_limit, 0),
        cert_limit=efs.cert_limit,
        pool_limit=100,
        map=Map.of(
            found.map.layout,
            {at: replace(spot, face=replace(spot.face, cost=0)) for at, spot in found.map.hexes.items()},
        ),
        corporations={
            name: replace(
                corporation,
                tokens=tuple(0 for _ in corporation.tokens),
                float_percent=corporation.shares[0],
                special={},
            )
            for name, corporation in found.corporations.items()
        },
        trains=tuple(replace(train, count=efs.trains[train.name], price=0, available_on=()) for train in found.trains),
        phases=tuple(
            replace(
                phase,
                train_limit=1,
                operating_rounds=0,
                event={"en": efs.event[phase.name], "de": efs.event_de[phase.name]},
            )
            for phase in found.phases
        ),
        reconstructed=efs.reconstructed,
    )
