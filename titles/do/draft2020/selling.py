"""How breweries sell by the draft of 2020: the highest segment first, export at once, and idle equipment is lost."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.errors import Refused
from engine.events import Event
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import put
from engine.rounds.turns import Turn
from engine.rules import Listener
from engine.state import POOL, State
from titles.do.board.remembered import SoldBeer
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, loading
from titles.do.brewery.beer import REGULAR, Field
from titles.do.brewery.breweries import EquipmentGone, Idle
from titles.do.brewery.data import tables
from titles.do.brewery.delivering import Delivery, Units
from titles.do.brewery.selling import Selling, used
from titles.do.brewery.tables import HsbTables
from titles.do.brewery.trading import TradedIn


def first(t: HsbTables, wanted: Mapping[Field, int], free: Units) -> Field | None:
    """DOD-5.6.2.1-d: the field that is served first: the highest segment that a free unit reaches, in it regular
    customers."""
    reach = max((t.types[type_].reach for type_, count in free.items() if count), default=0)
    fields = [field for field, cubes in wanted.items() if cubes and field[0] <= reach]
    return max(fields, key=lambda field: (field[0], field[1] == REGULAR), default=None)


class HighestFirst(Selling):
    """DOD-5.6.2.1-c: deliveries have a fixed order; a unit may be loaded for export at any time before it has
    delivered."""

    def __init__(self, given_up: int) -> None:
        self.given_up = given_up

    # ------------------------------------------------------------------ Dortmund

    def fields(self, game: Game, company: str, free: Units, equipment: str) -> list[Field]:
        t = tables(game)
        field = first(t, market.wanted(breweries.beer(game)), free)
        return [field] if field is not None and field[0] <= t.types[equipment].reach else []

    def too_early(self, game: Game, free: Units, field: Field) -> Refused | None:
        before = first(tables(game), market.wanted(breweries.beer(game)), free)
        if before is None or before == field:
            return None
        return game.refuse("deliver.order", segment=before[0], customers=before[1])

    def best(self, game: Game, company: str, free: Units) -> list[Delivery]:
        """All deliveries in their order; which equipment does it is chosen so that as little as possible stays idle."""
        t = tables(game)
        wanted, left = market.wanted(breweries.beer(game)), dict(free)
        cards, worked = Counter(self.pieces(game, company)), Counter(self.busy(game, company))
        turned = Counter(breweries.idle(game, company))
        result = []
        while (field := first(t, wanted, left)) is not None:
            able = [type_ for type_, count in left.items() if count and t.types[type_].reach >= field[0]]
            fresh = [type_ for type_ in able if worked[type_] < cards[type_]]
            if fresh:
                type_ = max(fresh, key=lambda type_: (worked[type_] < turned[type_], t.types[type_].reach))
            else:
                type_ = min(able, key=lambda type_: t.types[type_].reach)
            left[type_] -= 1
            worked[type_] += 1
            wanted[field] -= 1
            result.append(Delivery(type_, *field))
        return result

    def order(self, game: Game, company: str, free: Units) -> list[Field] | None:
        return [delivery.field for delivery in self.best(game, company, free)]

    # ------------------------------------------------------------------ export

    def agreed(self, game: Game, data: dict[str, Any]) -> None:
        loading.name(game, data)
        loading.load(game, data["company"])

    # ------------------------------------------------------------------ equipment

    def no_disposal(self, game: Game, company: str) -> Refused | None:
        if SoldBeer.of(game).given_up >= self.given_up:
            return game.refuse("equipment.given_up", company=company, most=self.given_up)
        return super().no_disposal(game, company)

    def pieces(self, game: Game, company: str) -> list[str]:
        """The equipment that can have a use in this turn."""
        return breweries.equipment(game, company)

    def busy(self, game: Game, company: str) -> list[str]:
        """The equipment of every unit that has a use in this turn, one entry for each."""
        return used(game)

    def done(self, turn: Turn) -> None:
        """Equipment without use is turned; what was turned before and was of no use again leaves after the turn."""
        game, company = turn.game, turn.actor
        worked = Counter(self.pieces(game, company)) & Counter(self.busy(game, company))
        before = Counter(breweries.idle(game, company))
        idle, leaving = [], []
        for type_, count in Counter(breweries.equipment(game, company)).items():
            working = worked[type_]
            idle += [type_] * (count - working)
            leaving += [type_] * max(0, before[type_] - working)
        set_idle(game, company, idle)
        SoldBeer.of(turn.game).leaving = leaving

    def turn_ends(self, turn: Turn) -> None:
        for type_ in list(SoldBeer.of(turn.game).leaving):
            breweries.lose(turn.game, turn.actor, type_, "idle")


def set_idle(game: Game, company: str, idle: list[str]) -> None:
    turned = Idle.of(game)
    turned.equipment = {name: types for name, types in (turned.equipment or {}).items() if name != company}
    if idle:
        turned.equipment[company] = idle


class IdleEquipment(Mechanism):
    """DOD-5.6.2.1-b: dOD-5.5.2 which equipment is turned, whoever has it."""

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, Idle())

    def on(self) -> Mapping[type[Event], Listener]:
        return {EquipmentGone: self.gone, TradedIn: self.handed_over}

    def gone(self, game: Game, event: EquipmentGone) -> None:
        """Of equal equipment whatever is turned goes first."""
        idle = list(breweries.idle(game, event.company))
        if event.equipment in idle:
            idle.remove(event.equipment)
            set_idle(game, event.company, idle)
        turn = SoldBeer.seen(game)
        if turn is not None and game.state.round.actor == event.company and event.equipment in turn.leaving:
            turn.leaving.remove(event.equipment)

    def handed_over(self, game: Game, event: TradedIn) -> None:
        """Equipment that is turned stays so when a small brewery is traded in."""
        idle = breweries.idle(game, event.minor)
        set_idle(game, event.minor, [])
        if event.source != POOL:
            set_idle(game, event.company, [*breweries.idle(game, event.company), *idle])

    def faults(self, game: Game) -> list[str]:
        """Only equipment that a brewery has can be turned."""
        return [
            f"{company} has idle equipment that it does not own: {idle}"
            for company, idle in (Idle.of(game).equipment or {}).items()
            if Counter(idle) - Counter(breweries.equipment(game, company))
        ]
