"""The turn of a brewery in the Expert game: deliveries with investments and events, purchases, and the round itself."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.finance.raising import Raising
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.records import Keeps, put
from engine.rounds.turns import Extra, OnceRound, Step, Turn
from engine.rules import Listener, Question
from engine.state import Pause, State
from titles.do.board.remembered import EventsUsed, ExpertTurn, Reserved, SoldBeer
from titles.do.board.trains import NewCards
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering
from titles.do.brewery.breweries import EquipmentGone, SegmentClosed
from titles.do.brewery.brewing import BeerDelivered, BrewingRound, DeliverStep, EquipmentStep, OwnerAdds
from titles.do.brewery.delivering import Delivery
from titles.do.brewery.failing import CompanyFailed
from titles.do.brewery.loading import ExportNamed, Loading
from titles.do.brewery.selling import Selling, used
from titles.do.expert import bonuses, markers, special, wagons, yields
from titles.do.expert.events import Advertising, Exchange, GivingIn, Marketing
from titles.do.expert.investing import BuyMarker, BuyMarkerChoice, Investing
from titles.do.expert.special import Special, TakeEventStep, Used, UseEvent, UseEventChoice, UseEvents
from titles.do.expert.tables import expert


@register("rest_equipment")
@dataclass(frozen=True, slots=True)
class RestEquipment(Move):
    """A piece of equipment delivers nothing in this turn, so that it can be given in for a new one."""

    company: str
    equipment: str


@dataclass(frozen=True, slots=True)
class EquipmentRests(ev.Event):
    company: str
    equipment: str


@dataclass(frozen=True, slots=True)
class MarkerPaid(ev.Event):
    """What a marker adds to the income of a turn."""

    company: str
    marker: str
    amount: int


# ---------------------------------------------------------------------- cubes that lie on equipment


def give_back(game: Game, company: str) -> None:
    """A cube on equipment goes back to where it came from; that of a closed segment lies in the stock already."""
    _, number, customers, closed = Reserved.of(game).cubes.pop(company)
    if not closed:
        breweries.beer(game).demand[customers][number - 1] += 1


def equipment_gone(game: Game, event: EquipmentGone) -> None:
    """A cube does not stay where there is no equipment, and none of a type rests when the last one has left."""
    company, turn = event.company, ExpertTurn.seen(game)
    if turn is not None and company == game.state.round.actor and turn.rests == event.equipment:
        turn.rests = event.equipment if event.equipment in breweries.equipment(game, company) else ""
    if any(type_ not in breweries.equipment(game, company) for type_ in wagons.reserved(game, company)):
        give_back(game, company)


def segment_closed(game: Game, event: SegmentClosed) -> None:
    """A cube on equipment for customers who are gone goes to the stock like theirs; its delivery is paid."""
    cubes = Reserved.of(game).cubes
    for company, (type_, number, customers, closed) in cubes.items():
        if number == event.segment and not closed:
            cubes[company] = (type_, number, customers, True)
            breweries.beer(game).stock += 1


def company_failed(game: Game, event: CompanyFailed) -> None:
    """The cube on the equipment of a bankrupt company goes back."""
    if event.company in Reserved.of(game).cubes:
        give_back(game, event.company)


class CubesKept(Mechanism):
    """DO-7.2-a: cubes that lie on equipment for customers won in advance."""

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, Reserved())

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {EquipmentGone: equipment_gone, SegmentClosed: segment_closed, CompanyFailed: company_failed}


# ---------------------------------------------------------------------- delivering


class RestChoice(Choice[RestEquipment]):
    """Let a piece of equipment rest."""

    kind = RestEquipment

    def ask(self, picked: Picked) -> Domain | None:
        if "equipment" in picked:
            return None
        return Options("equipment", [Option(t) for t in dict.fromkeys(breweries.equipment(self.game, self.company))])

    def move(self, picked: Picked) -> RestEquipment:
        return RestEquipment(self.player, self.company, picked["equipment"])

    def check(self, move: RestEquipment) -> None:
        game, company = self.game, self.company
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if not may_rest(game, company):
            raise game.refuse("special.I.rest", company=company)
        if move.equipment not in breweries.equipment(game, company):
            raise game.refuse("equipment.owned", company=company, equipment=move.equipment)

    def perform(self, move: RestEquipment) -> None:
        ExpertTurn.of(self.game).rests = move.equipment
        self.game.emit(EquipmentRests(self.company, move.equipment))


def may_rest(game: Game, company: str) -> bool:
    """Whether a piece of equipment can be kept for giving it in: before anything is delivered."""
    held = markers.special(game, company) == "I" and special.ready(game, company)
    return held and not used(game) and ExpertTurn.of(game).rests is None


class ExpDeliverStep(DeliverStep):
    """DO-7-a: deliveries with a piece that rests, a cube kept for customers, bottling lines and events."""

    def __init__(self, loading: Loading, selling: Selling, events: UseEvents) -> None:
        super().__init__(loading, selling)
        self.events = events

    def keeps(self) -> Keeps:
        return (*super().keeps(), ExpertTurn)

    def free_units(self, game: Game, company: str) -> dict[str, int]:
        return bonuses.free_units(game, company)

    def best(self, game: Game, company: str) -> list[Delivery]:
        extras = bonuses.extras(game, company)
        plain = super().best(game, company)
        if not (extras.line or extras.uplift or extras.idle):
            return plain
        t, free = expert(game), self.free_units(game, company)
        fixed = self.selling.order(game, company, free)
        found = yields.best(t, breweries.beer(game), free, extras, fixed)
        return max((plain, found), key=lambda ways: delivering.earned(t, ways) + extras.total(free, ways))

    def could_deliver(self, game: Game, company: str) -> tuple[int, int]:
        """How many cubes a brewery could deliver at best as the market stands, and what all that would bring."""
        t, beer, kept = expert(game), breweries.beer(game), Reserved.of(game).cubes.get(company)
        if company == game.state.round.actor:
            extras, free, plan = bonuses.extras(game, company), self.free_units(game, company), self.best(game, company)
        else:
            extras = bonuses.before_turn(game, company)
            free = delivering.units(t, breweries.equipment(game, company), wagons.reserved(game, company))
            plan = yields.best(t, beer, free, extras, self.selling.order(game, company, free))
        brings = delivering.earned(t, plan) + extras.total(free, plan)
        if kept:
            brings += market.price(t, (kept[1], kept[2]))
        return len(plan) + bool(kept), brings

    def deliver(self, game: Game, company: str, deliveries: list[Delivery]) -> None:
        bring(game, company)
        super().deliver(game, company, deliveries)

    def close(self, game: Game, company: str) -> None:
        """The cube that was kept is delivered at the latest now, and markers tell what they add."""
        bring(game, company)
        super().close(game, company)
        for code, amount in bonuses.amounts(game, company).items():
            game.emit(MarkerPaid(company, code, amount))

    def brings(self, game: Game, company: str, deliveries: list[Delivery]) -> int:
        extras, free = bonuses.extras(game, company), self.free_units(game, company)
        return super().brings(game, company, deliveries) + extras.total(free, deliveries)

    def earned(self, game: Game, company: str) -> int:
        return super().earned(game, company) + sum(bonuses.amounts(game, company).values())

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company = turn.game, turn.actor
        result = super().choices(turn)
        if may_rest(game, company) and breweries.equipment(game, company):
            result.insert(0, RestChoice(game, turn.decider, company))
        return result

    def done(self, turn: Turn) -> bool:
        return super().done(turn) and not self.events.waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        special.explain(turn, move)
        if isinstance(move, RestEquipment) and move.company == turn.actor:
            RestChoice(turn.game, move.player, turn.actor).check(move)
        super().explain(turn, move)


def bring(game: Game, company: str) -> None:
    """The cube that was kept for customers comes to them."""
    entry = Reserved.of(game).cubes.pop(company, None)
    if entry is None:
        return
    type_, number, customers, closed = entry
    beer = breweries.beer(game)
    if not closed:
        beer.delivered[customers][number - 1] += 1
    SoldBeer.of(game).delivered.append((type_, number, customers))
    amount = market.price(expert(game), (number, customers))
    game.emit(BeerDelivered(company, (f"{number} {customers}",), amount, (type_,)))


# ---------------------------------------------------------------------- buying


class ExpEquipmentStep(EquipmentStep):
    """DO-7.6-a: buying equipment or a small investment; events allow a piece beyond the limit, and to give one in."""

    def __init__(self, raising: Raising, new: NewCards, owner_adds: OwnerAdds, investing: Investing) -> None:
        super().__init__(raising, new, owner_adds)
        self.investing = investing
        self.exchanges = {found.code: found for found in self.exchanging()}

    def exchanging(self) -> list[Exchange]:
        """The events with which a piece is exchanged for a new one."""
        return [GivingIn("I", self)]

    def upgrades(self, game: Game, company: str) -> bool:
        """Whether an event lets a brewery buy beyond its limit."""
        return markers.special(game, company) == "J" and special.ready(game, company)

    def room(self, game: Game, company: str) -> bool:
        return super().room(game, company) or self.upgrades(game, company)

    def buy(self, game: Game, company: str, card: str) -> None:
        beyond = not super().room(game, company)
        if beyond:
            special.spend(game, company)
        super().buy(game, company, card)
        if beyond:
            breweries.keep_limit(game, company)

    def specials(self, game: Game, company: str) -> list[Special]:
        """The event that can be used when something is bought."""
        found = self.exchanges.get(markers.special(game, company))
        usable = found is not None and special.ready(game, company) and found.ways(game, company)
        return [found] if found is not None and usable else []

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company, player = turn.game, turn.actor, turn.decider
        result = super().choices(turn)
        own: list[Choice[Any]] = [
            UseEventChoice(game, player, company, found) for found in self.specials(game, company)
        ]
        if not self.must_buy(game, company) and self.investing.offers(game, company):
            own.append(BuyMarkerChoice(game, player, company, self.investing))
        last = len(result) - (bool(result) and result[-1].name == "pass")
        return [*result[:last], *own, *result[last:]]

    def explain(self, turn: Turn, move: Move) -> None:
        game, company = turn.game, turn.actor
        if isinstance(move, BuyMarker) and move.company == company:
            if self.must_buy(game, company):
                raise game.refuse("equipment.duty", company=company)
            self.investing.check(game, move)
        if isinstance(move, UseEvent) and move.company == company and move.marker in self.exchanges:
            UseEventChoice(game, move.player, company, self.exchanges[move.marker]).check(move)
        special.explain(turn, move)
        super().explain(turn, move)


# ---------------------------------------------------------------------- the round


class AskedEvent(UseEventChoice):
    """Use an event before or after the turns of a round."""

    def __init__(self, game: Game, player: str, company: str, special: Special, pause: Pause) -> None:
        super().__init__(game, player, company, special)
        self.pause = pause

    def perform(self, move: UseEvent) -> None:
        self.game.answered(self.pause)
        super().perform(move)


#: The kind of the question.
EVENT = "special_event"
#: Events outside turns.
ASKED: Mapping[str, Special] = {found.code: found for found in (Advertising("H"), Marketing("L"))}


def asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    player, company = pause.players[0], pause.data["company"]
    found = ASKED[markers.special(game, company)]

    def declined() -> None:
        game.answered(pause)
        game.emit(ev.Passed(player, company, EVENT))

    return [AskedEvent(game, player, company, found, pause), PassChoice(game, player, company, declined)]


def ask(game: Game, code: str) -> None:
    """DO-7.2-b: whoever has an event may use it now, if it does anything."""
    for company in breweries.acting(game):
        if markers.special(game, company) == code and special.ready(game, company) and ASKED[code].ways(game, company):
            game.ask(EVENT, [game.decider(company)], company=company)


class SpecialEvents(Mechanism):
    """DO-7.2-a: special events: used in turns and around them, and taken at the end of a turn."""

    def __init__(self, events: UseEvents, used: Used) -> None:
        self.events = events
        self.used = used

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ExportNamed: bonuses.export_named}

    def questions(self) -> Mapping[str, Question]:
        return {EVENT: asked}

    def last(self, round_: str, kind: str) -> tuple[Step, ...]:
        return (TakeEventStep(self.used),) if round_ == "brewing" else ()

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (self.events,) if round_ == "brewing" else ()


class ExpBrewingRound(BrewingRound):
    """DO-7.1.1-a: before the first turn pubs pay and customers can be won in advance; after the last a place in the
    order."""

    def keeps(self) -> Keeps:
        return (*super().keeps(), EventsUsed)

    def begin(self, game: Game, number: int = 1, total: int = 1) -> None:
        super().begin(game, number, total)
        markers.pubs_pay(game)
        ask(game, "H")

    def end(self, game: Game) -> None:
        if not EventsUsed.of(game).over:
            EventsUsed.of(game).over = True
            self.over(game)
            ask(game, "L")
        if not game.state.pauses:
            OnceRound.end(self, game)
