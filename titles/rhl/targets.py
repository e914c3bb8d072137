"""Target cards (8.4.1): open cards that decide seats, and that the bank pays as soon as their goal is met."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.board.hexes import OPPOSITE
from engine.board.reach import Reach
from engine.definition import TrainType
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import OfGame, record
from engine.rounds.turns import OnceRound, RoundRules, Step, Steps, Turn, nothing
from engine.routes.model import TrainRules
from engine.rules import PLAYER, Listener, OpenCard, Seated, Seating, Setup, Trains
from engine.state import BANK
from titles.rhineland.course import LocationCard
from titles.rhl.contract import directed
from titles.rhl.decks import TargetCard
from titles.rhl.running import FreeRun, RhlTrain, locations_at
from titles.rhl.tables import Tables

if TYPE_CHECKING:
    from typing import Self

#: So many more cards than players lie open.
MORE = 2


@register("take_target")
@dataclass(frozen=True, slots=True)
class TakeTarget(Move):
    """Take one of the open target cards."""

    card: str


@dataclass(frozen=True, slots=True)
class TargetTaken(ev.Event):
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class SeatsTaken(ev.Event):
    """Everybody sits down by the numbers of their cards."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TargetMet(ev.Event):
    player: str
    card: str
    amount: int


@record("rhl.targets", told="targets")
@dataclass(slots=True)
class TargetCards(OfGame):
    """The cards that were drawn, the owner of each that was taken, and those that were paid."""

    drawn: list[str] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    paid: list[str] = field(default_factory=list)


class TakeTargetChoice(Choice[TakeTarget]):
    """Take a card that nobody has taken."""

    kind = TakeTarget

    def __init__(self, game: Game, player: str, targets: Targets) -> None:
        super().__init__(game, player)
        self.targets = targets

    def ask(self, picked: Picked) -> Domain | None:
        if "card" in picked:
            return None
        cards = self.targets.left(self.game)
        return Options("card", [Option(card) for card in cards])

    def move(self, picked: Picked) -> TakeTarget:
        return TakeTarget(self.player, picked["card"])

    def check(self, move: TakeTarget) -> None:
        if move.card not in self.targets.left(self.game):
            raise self.game.refuse("cards.taken", cards=tuple(self.targets.left(self.game)))

    def perform(self, move: TakeTarget) -> None:
        TargetCards.of(self.game).owners[move.card] = self.player
        self.game.emit(TargetTaken(self.player, move.card))
        self.game.turn.advance()


class TakeStep(Step):
    """Everybody takes one card."""

    name = "target"

    def __init__(self, targets: Targets) -> None:
        self.targets = targets

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [TakeTargetChoice(turn.game, turn.decider, self.targets)]


class Targets(Mechanism):
    """RHL-8.4.1: the cards, the round in which they are taken, and when each is paid."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.deck: Mapping[str, TargetCard] = {card.id: card for card in tables.target_card}
        #: Begins the starting package.
        self.package: Callable[[Game], None] = nothing
        self.round = OnceRound("targets", lambda game: game.state.seats, {PLAYER: Steps(TakeStep(self))})

    # ------------------------------------------------------------------ the choice

    def seating(self) -> Seating:
        """One order card for the locations; the banker, drawn by lot, takes first, the others as they have joined."""
        numbers = [card.number for card in self.tables.order_card]

        def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
            location = chance.choice(numbers)
            banker = chance.randrange(len(players))
            drawn = chance.sample(sorted(self.deck), len(players) + MORE)
            cards = sorted(drawn, key=lambda card: self.deck[card].number)
            return [*players[banker:], *players[:banker]], (LocationCard(location), TargetCards(cards))

        return seating

    def before(self, package: Callable[[Game], None]) -> Self:
        """The cards with the starting package that begins when everybody has one."""
        self.package = package
        return self

    def rounds(self) -> Mapping[str, RoundRules]:
        return {self.round.name: self.round}

    def begin(self, game: Game) -> None:
        """The choice, with which the game begins."""
        self.round.begin(game, 0, 0)

    def left(self, game: Game) -> list[str]:
        """The open cards that nobody has taken."""
        found = TargetCards.of(game)
        return [card for card in found.drawn if card not in found.owners]

    def interrupts(self, game: Game) -> bool:
        """After the choice everybody sits down and the package begins; the rest of the game is as it was."""
        if game.state.round.kind != self.round.name:
            return False
        self.sit_down(game)
        self.package(game)
        return True

    def sit_down(self, game: Game) -> None:
        """The lowest number has the priority deal, the seats ascend from there."""
        owners = TargetCards.of(game).owners
        seats = [owners[card] for card in sorted(owners, key=lambda card: self.deck[card].number)]
        game.state.seats[:] = seats
        game.state.priority = seats[0]
        game.emit(SeatsTaken(tuple(seats)))
        game.emit(ev.PriorityMoved(seats[0]))

    # ------------------------------------------------------------------ the goals

    def on(self) -> Mapping[type[ev.Event], Listener]:
        """When a goal can be met."""
        return {
            ev.TileLaid: self.changed,
            ev.StationPlaced: self.placed,
            ev.CompanyFloated: self.changed,
            ev.DirectorChanged: self.changed,
            ev.TrainsRun: self.ran,
        }

    def open(self, game: Game) -> dict[str, str]:
        """The cards that may still be paid, with their owners."""
        found = TargetCards.of(game)
        return {card: owner for card, owner in found.owners.items() if card not in found.paid}

    def pay(self, game: Game, card: str, player: str) -> None:
        """The bank pays the owner, and the card is discarded."""
        bonus = self.deck[card].bonus
        TargetCards.of(game).paid.append(card)
        game.emit(TargetMet(player, card, bonus))
        game.pay(BANK, player, bonus, "target", card)

    def changed(self, game: Game, event: ev.Event) -> None:
        """Track, stations, companies or directors are different: what anybody may have brought about is looked at."""
        for name, owner in self.open(game).items():
            card = self.deck[name]
            if (
                (card.goal == "track" and self.joined(game, card))
                or (card.goal == "network" and all(self.connected(game, at) for at in card.one))
                or (card.goal == "links" and any(self.all_links(game, company) for company in directed(game, owner)))
            ):
                self.pay(game, name, owner)

    def joined(self, game: Game, card: TargetCard) -> bool:
        """Whether track leads from one side to the other, whoever has stations on the way."""
        starts = [stop for at in card.one for stop in stops(game, at)]
        reach = Reach(game.board, "", starts, ignore_stations=True, closed=frozenset(card.not_through))
        return any(stop in reach.stops for at in card.other for stop in stops(game, at))

    def connected(self, game: Game, at: str) -> bool:
        """Whether track leads from a hex to a station of some company that has floated."""
        reached = game.tracks(stops(game, at)).stops
        return any(stop in reached for company in game.state.companies for stop in game.board.stations_of(company))

    def all_links(self, game: Game, company: str) -> bool:
        """Whether available routes of a company lead to every link of the Eastern Ruhr."""
        reach, layout = game.reach(company), game.definition.map
        for at, compass in self.tables.eastern_ruhr.links:
            edge = layout.layout.edge(compass)
            beyond = layout.neighbours[at][edge]
            if beyond is None or not reach.touches(beyond, 1 << OPPOSITE[edge]):
                return False
        return True

    def placed(self, game: Game, event: ev.StationPlaced) -> None:
        """A station counts for whoever directs the company that builds it."""
        for name, owner in self.open(game).items():
            card = self.deck[name]
            if card.goal == "station" and event.hex in card.one and game.company(event.company).director == owner:
                self.pay(game, name, owner)
        self.changed(game, event)

    def ran(self, game: Game, event: ev.TrainsRun) -> None:
        """A run counts for whoever directs the company; it is paid before the dividend."""
        for name, owner in self.open(game).items():
            card = self.deck[name]
            if game.company(event.company).director != owner:
                continue
            paths = [path for _, _, path in event.routes]
            if (card.goal == "runs" and any(runs(card, path) for path in paths)) or (
                card.goal == "serves" and any(self.serves(game, card, path) for path in paths)
            ):
                self.pay(game, name, owner)

    def serves(self, game: Game, card: TargetCard, path: tuple[str, ...]) -> bool:
        """Whether one route has enough coalmines and steel mills; icons count as for the industry bonus."""
        found: dict[str, set[str]] = {"coal": set(), "steel": set()}
        for at, stop in visited(path):
            for kind in locations_at(game, at, stop) & found.keys():
                found[kind].add(at)
        return all(len(hexes) >= card.locations for hexes in found.values())

    # ------------------------------------------------------------------ what it changes

    def trains(self, trains: Trains) -> Trains:
        """While the card of such a run is open, a foreign station does not stop it for its owner's companies."""
        rules = trains.rules

        def train(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
            found = rules(game, company, train, colour)
            assert isinstance(found, RhlTrain)
            director = game.company(company).director
            for name, owner in self.open(game).items():
                card = self.deck[name]
                if card.unbarred and owner == director:
                    found.free_run = FreeRun(card.unbarred, card.one, card.other)
            return found

        return replace(trains, rules=train)

    def cards(self) -> Mapping[str, int]:
        return {card.id: card.bonus for card in self.deck.values()}

    def open_cards(self, game: Game) -> list[OpenCard]:
        """The cards on the table: those taken, and those that may still be."""
        found = TargetCards.of(game)
        return [
            OpenCard(card, found.owners.get(card, ""), self.deck[card].bonus, card in found.paid)
            for card in found.drawn
            if card in found.owners or game.state.round.kind == self.round.name
        ]

    def faults(self, game: Game) -> list[str]:
        """What is wrong with the cards in a position."""
        found = TargetCards.of(game)
        drawn, owners, paid = found.drawn, found.owners, found.paid
        result = []
        if len(set(drawn)) != len(game.players) + MORE or not set(drawn) <= set(self.deck):
            result.append(f"the target cards {drawn} lie open for {len(game.players)} players")
        if not set(owners) <= set(drawn) or len(set(owners.values())) < len(owners):
            result.append(f"the target cards are owned like this: {owners}")
        if game.state.round.kind != self.round.name and set(owners.values()) != set(game.players):
            result.append("somebody has no target card")
        if len(set(paid)) < len(paid) or not set(paid) <= set(owners):
            result.append(f"the target cards {paid} were paid")
        return result


def stops(game: Game, at: str) -> list[tuple[str, int]]:
    return [(at, stop) for stop in range(len(game.board.faces[at].stops))]


def runs(card: TargetCard, path: tuple[str, ...]) -> bool:
    """Whether a route leads from one side to the other."""
    return FreeRun(card.unbarred, card.one, card.other).joins(*(word.partition(":")[0] for word in (path[0], path[-1])))


def visited(path: tuple[str, ...]) -> list[tuple[str, int]]:
    """The stops of a route."""
    words = (word.partition(":") for word in path)
    return [(at, ord(letter) - ord("a")) for at, colon, letter in words if colon]
