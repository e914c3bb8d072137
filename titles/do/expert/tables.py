"""Tables of the Expert game: small investment markers and special event markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.board.faces import COLOURS
from engine.definition import Definition
from engine.game import Game
from engine.rows import Seats
from engine.tables import Count, TrainName
from titles.do.brewery.tables import Few, HsbTables, Money, Percent

Colour = Literal["yellow", "green", "brown", "grey"]

#: The kinds of small investments.
PUB, BOTTLING, WAGON = "pub", "bottling", "wagon"


@dataclass(frozen=True)
class Expert:
    """Numbers of the Expert game."""

    #: How many small investment markers a brewery's charter has room for.
    kim_boxes: Mapping[str, Count]
    #: What a marker may cost between companies, in per cent of its price: at least and at most.
    trade_percent: tuple[Count, Count]
    #: How many small investments a company may buy from the bank in a turn.
    kim_a_turn: Count
    #: Trains on which no beer wagon lies.
    wagon_not_on: tuple[TrainName, ...]
    half_percent: Percent
    #: What a fair brings.
    fair: Money
    #: What equipment that is given in brings, for each number of its type.
    trade_in_a_type: Money
    #: What a brewery may sell to an investor at most, in per cent.
    investor_percent: Percent
    #: How many certificates that may be where an edition counts them.
    investor_certificates: Count
    #: For how many cubes at most somebody else brews.
    contract_cubes: Count


@dataclass(frozen=True)
class Kim:
    """A kind of small investment: from which phase on it works, and what it brings in a round or for a cube."""

    code: str
    kind: Literal["pub", "bottling", "wagon"]
    phase: Colour
    price: Money
    count: Mapping[Seats, Few]
    income: Money = 0


@dataclass(frozen=True)
class Sem:
    """A special event, and from which phase on it can be used."""

    code: str
    phase: Colour


@dataclass(frozen=True)
class ExpTables(HsbTables):
    """All of them, with those of the game that they extend."""

    expert: Expert
    kim: tuple[Kim, ...]
    sem: tuple[Sem, ...]
    expert_clauses: Mapping[str, str]

    @cached_property
    def investments(self) -> Mapping[str, Kim]:
        return {row.code: row for row in self.kim}

    @cached_property
    def specials(self) -> Mapping[str, Sem]:
        return {row.code: row for row in self.sem}

    @cached_property
    def wagon(self) -> Kim:
        """The beer wagon."""
        return next(row for row in self.kim if row.kind == WAGON)

    def check(self, definition: Definition) -> Iterator[str]:
        yield from super().check(definition)
        if len(self.investments) < len(self.kim):
            yield "kim.code: two markers have the same code"
        if len({*self.investments, *self.specials}) < len(self.kim) + len(self.sem):
            yield "sem.code: two markers have the same code"
        everybody = {players for kim in self.kim for players in kim.count}  # not all who can play without markers
        for kim in self.kim:
            for players in (everybody ^ kim.count.keys()) | (kim.count.keys() - self.hsb.cert_limit.keys()):
                yield f"kim.count.{players}: a number for each number of players is expected"
        if sum(row.kind == WAGON for row in self.kim) != 1:
            yield "kim.kind: one beer wagon is expected"
        for brewery in {row.id for row in self.brewery} ^ self.expert.kim_boxes.keys():
            yield f"expert.kim_boxes.{brewery}: a number for each brewery is expected"


def reached(game: Game, colour: str) -> bool:
    """Whether the phase has come in which something works first."""
    return COLOURS.index(game.phase.colour) >= COLOURS.index(colour)


def expert(game: Game) -> ExpTables:
    found: ExpTables = game.definition.tables
    return found
