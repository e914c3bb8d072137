"""Export beer on trains: breweries load it with the consent of a railway's director, and the trains must carry it.

A loaded train goes by a name of its own (`8+2`), in routes and wherever somebody chooses one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from engine import events as ev
from engine.board.reach import HexOnceReach
from engine.definition import Definition, TrainType
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import BuyTrain, Move, Run, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame, put, record
from engine.rounds.proposals import Deal
from engine.rounds.turns import Turn
from engine.routes.best import PRIZE
from engine.routes.legs import Node
from engine.routes.model import TrainRules
from engine.rules import Question, Trains, all_of_the_turn
from engine.state import State
from engine.steps.run import RunChoice, RunStep
from engine.steps.trains import Train
from titles.do.board import running
from titles.do.board.export import ExportTrain, load_of, loaded, vehicles
from titles.do.board.remembered import SoldBeer
from titles.do.board.trains import DoTrainStep, drop_obsolete, last_run
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering
from titles.do.brewery.data import tables
from titles.do.brewery.tables import HsbTables

#: What the search counts for a loaded train on its way: more than all other trains together.
CARRIED = 100 * PRIZE


@register("load_export")
@dataclass(frozen=True, slots=True)
class LoadExport(Move):
    """Name a unit of equipment for export, and the train that is to carry the cube."""

    company: str
    equipment: str
    railway: str
    train: str


@dataclass(frozen=True, slots=True)
class ExportProposed(ev.Event):
    """A brewery asks a railway's director to carry a cube."""

    company: str
    railway: str
    train: str


@dataclass(frozen=True, slots=True)
class ExportNamed(ev.Event):
    """A cube is to be loaded after the deliveries to Dortmund."""

    company: str
    railway: str
    train: str


@dataclass(frozen=True, slots=True)
class BeerLoaded(ev.Event):
    """Cubes lie on trains; what they bring to the brewery."""

    company: str
    cubes: int
    amount: int


# ---------------------------------------------------------------------- loads


@record("do.loads")
@dataclass(slots=True)
class Loads(OfGame):
    """The loaded trains of each railway: type and cubes."""

    trains: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"trains": "loads"}


def loads(game: Game, railway: str) -> Sequence[tuple[str, int]]:
    """The loaded trains of a railway: type and cubes."""
    return Loads.of(game).trains.get(railway, [])


def cubes(game: Game) -> int:
    """All cubes on trains."""
    return sum(load for railway in Loads.of(game).trains for _, load in loads(game, railway))


def squares(t: HsbTables, train: str) -> int:
    """How many cubes a train carries at most."""
    return next((row.squares for row in t.capex if row.card == train), 0)


def fleet(game: Game, railway: str, more: Sequence[tuple[str, int]] = ()) -> list[tuple[str, int]]:
    """All trains of a railway with their loads, and with what is named for them; `more` are loads put on top."""
    found = Counter(game.company(railway).trains)
    laden = [*loads(game, railway), *more]
    found.subtract(train for train, _ in laden)
    return [*laden, *((train, 0) for train in found.elements())]


def planned(game: Game, railway: str) -> list[tuple[str, int]]:
    """The trains of a railway with their loads, as if all that is named in this turn were loaded."""
    trains = fleet(game, railway)
    for _, other, train, load in named(game):
        if other == railway:
            trains[trains.index((train, load))] = (train, load + 1)
    return trains


def named(game: Game) -> list[tuple[str, str, str, int]]:
    """What is named for export in this turn: equipment, railway, type of train, and its load before."""
    now = SoldBeer.seen(game)
    return list(now.named) if now else []


def exported(game: Game) -> list[str]:
    """The equipment of every unit that was named for export or loaded in this turn."""
    now = SoldBeer.seen(game)
    return [*(type_ for type_, *_ in now.named), *now.loaded] if now else []


# ---------------------------------------------------------------------- what may be loaded


def find_ways(game: Game, railway: str, names: Sequence[str]) -> bool:
    """DO-6.5.2.4-d: whether all these loaded trains of a railway can run at once; that depends on track, tokens and
    the trains."""
    wanted = tuple(sorted(names))

    def search() -> bool:
        return game.router(railway).most([wanted]) == len(wanted)

    found: bool = game.kept(("find ways", railway, wanted), search)
    return found


def can_carry(game: Game, railway: str, trains: Sequence[tuple[str, int]]) -> bool:
    """DO-6.5.2.4-d: whether all these loaded trains find export routes without track in common, however many cubes
    each has."""
    return find_ways(game, railway, [loaded(train, 1) for train, load in trains if load])


class Loading:
    """DO-6.5.2.4-a: what breweries may load on which trains, and whom they ask; a form replaces what is different in
    it."""

    def units(self, game: Game, company: str) -> list[str]:
        """The types of equipment of which a unit may still be named for export."""
        t, owned = tables(game), breweries.equipment(game, company)
        left = Counter(delivering.arrows(t, owned))
        left.subtract(exported(game))
        now = SoldBeer.seen(game)
        local = [type_ for type_, *_ in now.delivered] if now else []
        free = delivering.units(t, owned, [*local, *exported(game)])
        return [type_ for type_, count in left.items() if min(count, free.get(type_, 0)) > 0]

    def room(self, game: Game, railway: str, trains: Sequence[tuple[str, int]]) -> bool:
        """Whether trains of a railway have squares for these loads."""
        return all(load <= squares(tables(game), train) for train, load in trains)

    def elsewhere(self, game: Game) -> int:
        """The cubes that lie neither on the market nor on trains."""
        return 0

    def willing(self, game: Game, railway: str, name: str) -> bool:
        """Whether the director of a railway has not declined in this turn."""
        now = SoldBeer.seen(game)
        return now is None or (railway, name) not in now.unwilling

    def asks(self, game: Game, player: str, railway: str) -> bool:
        """Whether somebody needs the consent of a railway's director."""
        return game.decider(railway) != player

    def no_room(self, game: Game, railway: str, name: str) -> Refused | None:
        """Why one more cube cannot be loaded on a train of a railway."""
        state = game.state.companies.get(railway)
        train, load = load_of(name)
        trains = planned(game, railway) if state is not None and state.floated else []
        if (train, load) not in trains:
            return game.refuse("load.train", railway=railway, train=name)
        if railway == tables(game).abilities.no_beer:
            return game.refuse("load.railway", railway=railway)
        trains[trains.index((train, load))] = (train, load + 1)
        if not self.room(game, railway, trains):
            return game.refuse("load.square", railway=railway, train=name)
        if not can_carry(game, railway, trains):
            return game.refuse("load.route", railway=railway, train=name)
        if not self.willing(game, railway, name):
            return game.refuse("load.consent", railway=railway)
        return None

    def targets(self, game: Game) -> list[tuple[str, str]]:
        """Railways and trains that can take one more cube."""
        return [
            (railway, loaded(*entry))
            for railway, state in game.state.companies.items()
            if state.floated and state.trains
            for entry in dict.fromkeys(planned(game, railway))
            if self.no_room(game, railway, loaded(*entry)) is None
        ]

    def possible(self, game: Game, company: str) -> bool:
        """Whether a brewery may name a unit for export now."""
        return bool(self.units(game, company)) and available(game) and bool(self.targets(game))


def available(game: Game) -> bool:
    """DO-6.5.2.4-c: whether there is a cube for one more unit, as far as that is known before the deliveries to
    Dortmund."""
    beer = breweries.beer(game)
    return bool(beer.stock + sum(market.wanted(beer).values()) > len(named(game)))


#: What happens when a railway's director agrees.
Agreed = Callable[[Game, dict[str, Any]], None]


class LoadChoice(Choice[LoadExport]):
    """DO-6.5.2.4-a: name a unit for export: which equipment, which train."""

    kind = LoadExport

    def __init__(self, game: Game, player: str, company: str, loading: Loading, agreed: Agreed) -> None:
        super().__init__(game, player, company)
        self.loading = loading
        self.agreed = agreed

    def ask(self, picked: Picked) -> Domain | None:
        if "equipment" not in picked:
            return Options("equipment", [Option(type_) for type_ in self.loading.units(self.game, self.company)])
        found = self.loading.targets(self.game)
        if "railway" not in picked:
            return Options("railway", [Option(railway) for railway in dict.fromkeys(railway for railway, _ in found)])
        if "train" not in picked:
            return Options("train", [Option(train) for railway, train in found if railway == picked["railway"]])
        return None

    def move(self, picked: Picked) -> LoadExport:
        return LoadExport(self.player, self.company, picked["equipment"], picked["railway"], picked["train"])

    def check(self, move: LoadExport) -> None:
        game, company = self.game, self.company
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if move.equipment not in self.loading.units(game, company):
            raise game.refuse("load.arrow", company=company, equipment=move.equipment)
        refused = self.loading.no_room(game, move.railway, move.train)
        if refused is not None:
            raise refused
        if not available(game):
            raise game.refuse("load.cube")

    def perform(self, move: LoadExport) -> None:
        game, company = self.game, self.company
        data = {
            "company": company,
            "equipment": move.equipment,
            "seller": move.railway,
            "load": move.train,
            "price": 0,
        }
        if not self.loading.asks(game, self.player, move.railway):
            self.agreed(game, data)
            return
        game.emit(ExportProposed(company, move.railway, move.train))
        game.ask(CONSENT, [game.decider(move.railway)], **data)


#: The kind of the question.
CONSENT = "export_consent"


class Consent(Deal):
    """DO-6.5.2.4-d: a railway's director agrees to carry a cube, or does not; nothing is paid for it."""

    what = "load"

    def __init__(self, agreed: Agreed) -> None:
        self.agreed = agreed

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        return 1, 0

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        self.agreed(game, data)

    def decline(self, game: Game, data: dict[str, Any]) -> None:
        """Nobody is asked twice in a turn for the same train."""
        SoldBeer.of(game).unwilling.append((data["seller"], data["load"]))


def name(game: Game, data: dict[str, Any]) -> None:
    """A unit is named for export."""
    train, load = load_of(data["load"])
    SoldBeer.of(game).named.append((data["equipment"], data["seller"], train, load))
    game.emit(ExportNamed(data["company"], data["seller"], data["load"]))


def load(game: Game, company: str) -> None:
    """DO-6.5.2.4-c: what was named is loaded, as far as there are cubes."""
    t, turn, done = tables(game), SoldBeer.of(game), 0
    for type_, railway, train, before in named(game):
        if not market.take_for_export(t, breweries.beer(game)):
            break
        turn.loaded.append(type_)
        entries = Loads.of(game).trains.setdefault(railway, [])
        if (train, before) in entries:
            entries[entries.index((train, before))] = (train, before + 1)
        else:
            entries.append((train, 1))
        done += 1
    turn.named = []
    if done:
        game.emit(BeerLoaded(company, done, done * t.beer.export_price))


# ---------------------------------------------------------------------- loaded trains on the track


def unload(game: Game, railway: str) -> int:
    """Whatever lies on the trains of a railway goes to the stock; gives how many cubes."""
    count = sum(cubes for _, cubes in loads(game, railway))
    Loads.of(game).trains.pop(railway, None)
    breweries.beer(game).stock += count
    return count


def fleets(game: Game, railway: str) -> list[tuple[str, ...]]:
    """DO-6.5.1-f: the ways to put a railway's trains on the track: as many loaded ones as possible carry their beer.

    The others of them run without it, like trains that were never loaded.
    """
    trains = fleet(game, railway)
    laden = [entry for entry in trains if entry[1]]
    empty = [train for train, load in trains if not load]
    if not laden:
        return [tuple(empty)]
    for size in range(len(laden), -1, -1):
        found = []
        for chosen in combinations(range(len(laden)), size):
            if can_carry(game, railway, [laden[index] for index in chosen]):
                names = [loaded(*laden[index]) for index in chosen]
                rest = [train for index, (train, _) in enumerate(laden) if index not in chosen]
                found.append((*names, *rest, *empty))
        if found:
            return list(dict.fromkeys(found))
    return [tuple(empty)]


class LoadedTrain(ExportTrain):
    """DO-6.5.1-f: a loaded train; whatever else a railway runs, as many of them as possible come first."""

    def __init__(self, t: HsbTables, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(t, game, company, train, colour)
        self.bonus_bound += CARRIED

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        return CARRIED + super().bonus(mark, one, other)

    def wrong_ends(self, one: Node, other: Node) -> Refused:
        return Refused("", "route.export", train=self.train, city=self.city)


def train_rules(t: HsbTables) -> Callable[[Game, str, TrainType, str], TrainRules]:
    """DO-6.5.1-f: loaded trains, and all others as in every form."""
    plain = running.train_rules(t)

    def rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        if load_of(train.name)[1]:
            return LoadedTrain(t, game, company, train, colour)
        return plain(game, company, train, colour)

    return rules


def trains(definition: Definition, t: HsbTables) -> Trains:
    """DO-6.5.1-a: trains of the games with breweries: those with beer must carry it, some run once more when they are
    obsolete."""
    return Trains(
        rules=train_rules(t),
        vehicles=vehicles(definition, {row.card: row.squares for row in t.capex}),
        fleets=fleets,
        labels=lambda game, railway: [loaded(*entry) for entry in fleet(game, railway)],
        reach=HexOnceReach,
        obsolete=last_run(frozenset(t.hsb.last_run)),
        depends=all_of_the_turn,
    )


class LoadedRunChoice(RunChoice):
    """DO-6.5.1-f: run trains; those that are loaded come first."""

    def due(self) -> int:
        """How many loaded trains have to carry their beer."""
        return sum(load_of(name)[1] > 0 for name in self.game.rules.trains.fleets(self.game, self.company)[0])

    def judged(self) -> bool:
        return self.due() > 0 or super().judged()

    def check(self, move: Run) -> None:
        due = self.due()
        if sum(load_of(path.train)[1] > 0 for path in move.routes) < due:
            raise self.game.refuse("run.loaded", company=self.company, most=due)
        super().check(move)

    def most(self) -> int:
        if not self.due():
            return super().most()
        return len(self.game.best_routes(self.company).routes)

    def perform(self, move: Run) -> None:
        super().perform(move)
        ran(self.game, self.company)


class LoadedRunStep(RunStep):
    """DO-6.5.1-f: run trains; beer that finds no way goes to the stock all the same."""

    def __init__(self, run: type[RunChoice] = LoadedRunChoice) -> None:
        super().__init__(run)

    def skipped(self, turn: Turn) -> None:
        super().skipped(turn)
        ran(turn.game, turn.actor)


def ran(game: Game, railway: str) -> None:
    """DO-6.5.1-f: after the run no beer is left on the trains, and obsolete ones leave the game."""
    unload(game, railway)
    drop_obsolete(game, railway)


def unloaded(game: Game, railway: str, train: str) -> bool:
    """Whether a railway has a train of a type that is not loaded."""
    laden = [type_ for type_, _ in loads(game, railway)]
    return game.company(railway).trains.count(train) > laden.count(train)


class HsbTrainStep(DoTrainStep):
    """DOD-5.6.1.7-b: buying trains; nobody sells one that is loaded."""

    def trades(self, game: Game, company: str) -> list[Train]:
        return [(seller, train) for seller, train in super().trades(game, company) if unloaded(game, seller, train)]

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        super().check(game, company, move)
        if move.source in game.state.companies and not unloaded(game, move.source, move.train):
            raise game.refuse("load.sale", railway=move.source, train=move.train)


class LoadedTrains(Mechanism):
    """DO-6.5.2.4-b: beer on trains: where it lies, and who is asked before it does."""

    def __init__(self, t: HsbTables, loading: Loading, agreed: Agreed) -> None:
        self.t = t
        self.loading = loading
        self.agreed = agreed

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, Loads())

    def questions(self) -> Mapping[str, Question]:
        return {CONSENT: Consent(self.agreed).asked}

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        """The beer on a railway's trains."""
        laden = sum(cubes for _, cubes in loads(game, holder))
        return {"cubes": laden} if laden else {}

    def faults(self, game: Game) -> list[str]:
        """Loads lie on trains that there are and have the squares; no cube is made or lost."""
        result = []
        for railway, entries in Loads.of(game).trains.items():
            if Counter(train for train, _ in entries) - Counter(game.company(railway).trains):
                result.append(f"{railway} has beer on trains that it does not own")
            if not self.loading.room(game, railway, entries) or any(count < 1 for _, count in entries):
                result.append(f"{railway} has loads that do not fit: {entries}")
        total = market.total(breweries.beer(game)) + cubes(game) + self.loading.elsewhere(game)
        due = self.t.beer.cubes[len(game.players)]
        if total != due:
            result.append(f"there are {total} cubes instead of {due}")
        return result
