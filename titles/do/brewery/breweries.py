"""Breweries: their equipment, its limits, and the order in which they act."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame, put, record
from engine.rules import Listener, Question
from engine.state import Pause, State
from titles.do.brewery import beer as market
from titles.do.brewery.data import tables
from titles.do.brewery.tables import Brewing, HsbTables

MINOR, BREWERY = "minor", "brewery"


@register("give_up_equipment")
@dataclass(frozen=True, slots=True)
class GiveUpEquipment(Move):
    """A brewery gives up a piece of equipment."""

    company: str
    equipment: str


@dataclass(frozen=True, slots=True)
class EquipmentGone(ev.Event):
    """Equipment leaves the game."""

    company: str
    equipment: str
    reason: str


@dataclass(frozen=True, slots=True)
class SegmentOpened(ev.Event):
    segment: int


@dataclass(frozen=True, slots=True)
class SegmentClosed(ev.Event):
    """A No Demand marker is laid; `amount` cubes go to the stock."""

    segment: int
    amount: int


@dataclass(frozen=True, slots=True)
class ExportEnded(ev.Event):
    """The cubes of the export field go to the stock."""

    amount: int


@dataclass(frozen=True, slots=True)
class OrderSet(ev.Event):
    """The order of the breweries in the next round."""

    breweries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemandRefilled(ev.Event):
    """The beer market is ready for the next round; so many cubes are wanted."""

    cubes: int
    stock: int


# ---------------------------------------------------------------------- what there is


@record("do.equipment")
@dataclass(slots=True)
class EquipmentOwned(OfGame):
    """The types of every brewery's equipment, the highest first; and what has left the game, by type."""

    owned: dict[str, list[str]] = field(default_factory=dict)
    used_up: dict[str, int] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"owned": "equipment", "used_up": "used_up"}


@record("do.order")
@dataclass(slots=True)
class OrderTokens(OfGame):
    """Breweries by their order tokens, from left to right."""

    order: list[str] = field(default_factory=list)


@record("do.idle")
@dataclass(slots=True)
class Idle(OfGame):
    """The equipment of each brewery that is turned, where that matters; None as long as no brewery has acted."""

    equipment: dict[str, list[str]] | None = None

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"equipment": "idle"}


def beer(game: Game) -> market.Beer:
    return market.Beer.of(game)


def order(game: Game) -> list[str]:
    """Breweries by their order tokens; whoever changes the list changes the order."""
    return OrderTokens.of(game).order


def kind(game: Game, company: str) -> str:
    return game.definition.corporations[company].kind


def equipment(game: Game, company: str) -> list[str]:
    """The types of a brewery's equipment, the highest first."""
    return EquipmentOwned.of(game).owned.get(company, [])


def idle(game: Game, company: str) -> list[str]:
    """The equipment of a brewery that is turned because it had no use in the last round, where that matters."""
    turned = Idle.seen(game)
    return [] if turned is None or turned.equipment is None else turned.equipment.get(company, [])


def limit(game: Game, company: str) -> int:
    """DO-6.5.2.2-b: how many pieces of equipment a brewery may own now."""
    row = tables(game).phases[game.phase.name]
    return row.minor if kind(game, company) == MINOR else row.corporation


def add(game: Game, company: str, type_: str) -> None:
    owned = EquipmentOwned.of(game).owned.setdefault(company, [])
    owned.append(type_)
    owned.sort(key=int, reverse=True)


def lose(game: Game, company: str, type_: str, reason: str) -> None:
    """DO-5.4.4-b: a piece of equipment leaves the game."""
    equipment = EquipmentOwned.of(game)
    equipment.owned[company].remove(type_)
    if not equipment.owned[company]:
        del equipment.owned[company]
    equipment.used_up[type_] = equipment.used_up.get(type_, 0) + 1
    game.emit(EquipmentGone(company, type_, reason))


# ---------------------------------------------------------------------- limits


class DropEquipmentChoice(Choice[GiveUpEquipment]):
    """Choose a piece of equipment to do without."""

    kind = GiveUpEquipment

    def matches(self, move: object) -> bool:
        return isinstance(move, GiveUpEquipment) and move.player == self.player and move.company == self.company

    def ask(self, picked: Picked) -> Domain | None:
        if "equipment" in picked:
            return None
        return Options("equipment", [Option(type_) for type_ in dict.fromkeys(equipment(self.game, self.company))])

    def move(self, picked: Picked) -> GiveUpEquipment:
        return GiveUpEquipment(self.player, self.company, picked["equipment"])

    def check(self, move: GiveUpEquipment) -> None:
        if move.equipment not in equipment(self.game, self.company):
            raise self.game.refuse("equipment.owned", company=self.company, equipment=move.equipment)

    def perform(self, move: GiveUpEquipment) -> None:
        lose(self.game, self.company, move.equipment, "given_up")


class SurplusChoice(DropEquipmentChoice):
    """DO-6.5.2.2-b: give up equipment beyond the limit."""

    def perform(self, move: GiveUpEquipment) -> None:
        game = self.game
        lose(game, self.company, move.equipment, "surplus")
        if len(equipment(game, self.company)) <= limit(game, self.company):
            game.answered(game.state.pauses[0])


#: The kind of the question.
SURPLUS = "surplus_equipment"


def surplus_asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [SurplusChoice(game, player, pause.data["company"]) for player in pause.players]


def keep_limit(game: Game, company: str) -> None:
    """DO-6.5.2.2-b: a brewery over its limit gives equipment up; somebody is asked only where there is a choice."""
    owned = equipment(game, company)
    while len(owned) > limit(game, company) and len(set(owned)) == 1:
        lose(game, company, owned[0], "surplus")
        owned = equipment(game, company)
    asked = any(pause.kind == SURPLUS and pause.data["company"] == company for pause in game.state.pauses)
    if len(owned) > limit(game, company) and not asked:
        game.ask(SURPLUS, [game.decider(company)], company=company)


# ---------------------------------------------------------------------- phases and rounds


def phase_began(game: Game, event: ev.PhaseChanged) -> None:
    """DO-6.2.1-a: a phase begins, with all that it brings."""
    bring(game, tables(game).phases[event.phase])


def bring(game: Game, row: Brewing, ended: int = 0) -> None:
    """DO-6.2.1-b: a phase opens and closes segments, none that has `ended`; then breweries keep their limits, in
    their order."""
    market_ = beer(game)
    if row.opens and row.opens != ended:
        market.open_segment(market_, row.opens)
        game.emit(SegmentOpened(row.opens))
    if row.closes and row.closes not in market_.closed:
        game.emit(SegmentClosed(row.closes, market.close_segment(market_, row.closes)))
    if row.export_ends:
        game.emit(ExportEnded(market.end_export(market_)))
    for company in owners(game):
        keep_limit(game, company)


def owners(game: Game) -> list[str]:
    """All breweries in the order of their tokens; then those that have equipment but no token yet."""
    first = order(game)
    return [*first, *(company for company in EquipmentOwned.of(game).owned if company not in first)]


def acting(game: Game) -> list[str]:
    """DO-6.5.2-a: who acts in a brewery round: small breweries, and corporations that have floated."""
    return [company for company in order(game) if game.company(company).floated]


def round_begins(game: Game) -> None:
    """DO-6.5.2.2-c: equipment for a segment that nobody can serve any more leaves the game."""
    gone = {str(number) for number in market.dead(beer(game))}
    for company in owners(game):
        for type_ in [type_ for type_ in equipment(game, company) if type_ in gone]:
            lose(game, company, type_, "no_demand")


#: What decides about a brewery's place in the next round, by the types of its equipment, the highest first.
Rank = Callable[[list[int]], list[int]]


def by_all(types: list[int]) -> list[int]:
    """DO-6.5.2.8-a: the highest equipment, then the next, down to the last."""
    return types


def round_over(game: Game, rank: Rank = by_all) -> None:
    """DO-6.5.2.8-a: the order of the next round by equipment, then the demand."""
    order(game).sort(key=lambda company: rank([int(type_) for type_ in equipment(game, company)]), reverse=True)
    game.emit(OrderSet(tuple(order(game))))
    market_ = beer(game)
    for number in market.refill(tables(game), market_):
        game.emit(SegmentClosed(number, 0))
    game.emit(DemandRefilled(sum(market.wanted(market_).values()), market_.stock))


# ---------------------------------------------------------------------- what must always hold


class Breweries(Mechanism):
    """DO-6.3.2-a: the beer market, and the equipment and order tokens of breweries."""

    def __init__(self, t: HsbTables, players: int) -> None:
        self.t = t
        self.players = players

    def lay_out(self, state: State, chance: random.Random) -> None:
        for kept in (market.lay_out(self.t, self.players), EquipmentOwned(), OrderTokens()):
            put(state, kept)

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.PhaseChanged: phase_began}

    def questions(self) -> Mapping[str, Question]:
        return {SURPLUS: surplus_asked}

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        """The small breweries of a player, the equipment of a brewery."""
        if holder not in game.state.companies:
            return {name: 1 for name in self.t.minors if game.company(name).director == holder}
        owned = equipment(game, holder)
        return {f"equipment {type_}": owned.count(type_) for type_ in dict.fromkeys(owned)}

    def faults(self, game: Game) -> list[str]:
        """Equipment is neither made nor lost, limits are kept, and everybody with an order token can act one day."""
        result, now, tokens = market.faults(self.t, beer(game)), EquipmentOwned.of(game), order(game)
        owned = Counter(type_ for types in now.owned.values() for type_ in types)
        gone = Counter(now.used_up)
        taken = game.state.depot.sold
        for type_, row in self.t.types.items():
            if owned[type_] + gone[type_] > row.start + taken.get(type_, 0):
                result.append(f"{owned[type_]} pieces of equipment {type_} and {gone[type_]} that are gone")
        for company, types in now.owned.items():
            if company not in tokens and game.company(company).floated:
                result.append(f"{company} has equipment but no order token")
            if types != sorted(types, key=int, reverse=True):
                result.append(f"the equipment of {company} is out of order")
            if not game.state.pauses and len(types) > limit(game, company):
                result.append(f"{company} has {len(types)} pieces of equipment")
        if len(set(tokens)) != len(tokens):
            result.append("a brewery has two order tokens")
        return result
