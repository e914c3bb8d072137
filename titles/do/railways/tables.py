"""The Railway Game's own tables: private breweries, cubes, what trains carry, and numbers of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from engine.definition import Definition
from engine.rows import PrivateRow, Seats
from engine.tables import Count, Span, TrainName
from titles.do.board.tables import Money, Tables

Few = Annotated[int, Span(0, 99)]
Percent = Annotated[int, Span(1, 100)]
PhaseName = str

#: What a marker does for its railway: the kept place in Dortmund City, a cheap station there, more for each transport
#: of export beer, or room for more of it.
Marker = Literal["place", "cheap", "transport", "load"]


@dataclass(frozen=True)
class Power:
    """The bid boxes of a private brewery, the cubes on its card at the start, and its marker."""

    boxes: tuple[Money, ...]
    cubes: Few = 0
    marker: Marker | None = None


@dataclass(frozen=True, kw_only=True)
class PrivateBrewery(PrivateRow):
    """A private brewery."""

    power: Power = field()

    def check(self, definition: Definition) -> Iterator[str]:
        boxes = self.power.boxes
        if not boxes or list(boxes) != sorted(set(boxes)) or self.price != boxes[0]:
            yield "power.boxes: rising numbers are expected, first the price"


@dataclass(frozen=True)
class Cubes:
    """All cubes, how many a link brings, and how many one of the highest value from a phase on."""

    all: Count
    a_link: Count
    highest: Count
    highest_from: PhaseName


@dataclass(frozen=True)
class Markers:
    """What markers do, in Mark and cubes; `load_not_for` are trains that never carry beer."""

    transport: Money
    load: Count
    load_not_for: tuple[TrainName, ...]
    cheap_percent: Percent
    #: The phases in which private breweries are turned and in which the kept place of Dortmund City is free.
    turned_in: PhaseName
    place_free_in: PhaseName


@dataclass(frozen=True)
class Trg:
    """Numbers of the rules."""

    share_limit: Mapping[Seats, Percent]
    #: How many new trains a railway may buy in a turn, by phase.
    new_trains: Mapping[PhaseName, Count]
    #: Trains that run once more when they are obsolete.
    last_run: tuple[TrainName, ...]
    rounded: Count
    loan_factor: Count
    #: Operating rounds that follow a stock round in which the bank has run out of money.
    last_rounds: Count

    def check(self, definition: Definition) -> Iterator[str]:
        for count in definition.cert_limit.keys() ^ self.share_limit.keys():
            yield f"share_limit.{count}: a number for each number of players is expected"
        for phase in {phase.name for phase in definition.phases} ^ self.new_trains.keys():
            yield f"new_trains.{phase}: a number for each phase is expected"


@dataclass(frozen=True)
class TrgTables(Tables):
    """All tables of the form."""

    private: tuple[PrivateBrewery, ...]
    #: How many cubes a train carries.
    loads: Mapping[TrainName, Count]
    cubes: Cubes
    markers: Markers
    trg: Trg

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        return {row.id: row.power for row in self.private}

    def check(self, definition: Definition) -> Iterator[str]:
        names = {phase.name for phase in definition.phases}
        for key, phase in (
            ("cubes.highest_from", self.cubes.highest_from),
            ("markers.turned_in", self.markers.turned_in),
            ("markers.place_free_in", self.markers.place_free_in),
        ):
            if phase not in names:
                yield f"{key}: there is no phase {phase!r}"
