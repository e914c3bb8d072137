"""Beer wagons: one lies on a train and takes a cube more, or lets a brewery load a cube without an arrow.

A train with wagons goes by a name of its own where somebody chooses one: `5C` is a 5-train with one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps, put
from engine.rounds.turns import Extra, Turn
from engine.rules import Listener, Trains
from engine.state import State
from titles.do.board.remembered import ExpertTurn, Reserved, WagonsMoved, WagonsOnTrains
from titles.do.brewery import breweries, delivering, loading
from titles.do.brewery.selling import used
from titles.do.expert import markers
from titles.do.expert.tables import WAGON, ExpTables, expert, reached

#: Where a wagon lies that is on no train.
LOOSE = "loose"


@register("move_wagon")
@dataclass(frozen=True, slots=True)
class MoveWagon(Move):
    """A railway lays a beer wagon on a train; `wagon` is the train on which it lay, or `loose`."""

    company: str
    wagon: str
    train: str


@dataclass(frozen=True, slots=True)
class WagonMoved(ev.Event):
    company: str
    train: str


# ---------------------------------------------------------------------- where they lie


def called(game: Game, train: str, wagons: int) -> str:
    """The name of a train with wagons."""
    return train + expert(game).wagon.code * wagons


def placed(game: Game, railway: str) -> Sequence[tuple[str, int]]:
    """The trains of a railway with wagons: type and number of wagons."""
    return WagonsOnTrains.of(game).trains.get(railway, [])


def loose(game: Game, railway: str) -> int:
    """How many wagons of a railway lie on no train."""
    have = markers.owned(game, railway).count(expert(game).wagon.code)
    return have - sum(count for _, count in placed(game, railway))


def all_trains(game: Game, railway: str, wagons: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """All trains of a railway with their wagons, when these have some."""
    left = Counter(game.company(railway).trains)
    left.subtract(train for train, _ in wagons)
    return [*wagons, *((train, 0) for train in left.elements())]


def fits(game: Game, wagons: Sequence[tuple[str, int]], loads: Sequence[tuple[str, int]]) -> bool:
    """DO-7.1.3-d: whether trains with wagons have room for loads: of each type the greatest loads on the roomiest
    trains."""
    t = expert(game)
    works = reached(game, t.wagon.phase)
    for train in {train for train, _ in loads}:
        rooms = sorted(
            (loading.squares(t, train) + count * works for own, count in wagons if own == train), reverse=True
        )
        cubes = sorted((load for own, load in loads if own == train), reverse=True)
        if len(cubes) > len(rooms) or any(load > room for load, room in zip(cubes, rooms, strict=False)):
            return False
    return True


def settle(game: Game, event: ev.Event | None = None) -> None:
    """Wagons of trains that are gone lie on none, and beer on trains that are gone goes to the stock."""
    wagons, laden = WagonsOnTrains.of(game).trains, loading.Loads.of(game).trains
    for railway in list(wagons):
        wagons[railway] = _on_trains(game, railway, placed(game, railway))
        if not wagons[railway]:
            del wagons[railway]
    for railway in list(laden):
        before = loading.loads(game, railway)
        kept = _on_trains(game, railway, before)
        breweries.beer(game).stock += sum(n for _, n in before) - sum(n for _, n in kept)
        laden[railway] = kept
        if not kept:
            del laden[railway]


def _on_trains(game: Game, railway: str, entries: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those of some entries whose trains a railway still has."""
    left, kept = Counter(game.company(railway).trains), []
    for train, count in sorted(entries, key=lambda entry: -entry[1]):
        if left[train] > 0:
            left[train] -= 1
            kept.append((train, count))
    return kept


# ---------------------------------------------------------------------- moving one


def rearranged(game: Game, railway: str, wagon: str, train: str) -> list[tuple[str, int]]:
    """All trains of a railway, by type and wagons, when a wagon has gone from one to another."""
    found = all_trains(game, railway, placed(game, railway))
    names = [called(game, *entry) for entry in found]
    if wagon != LOOSE:
        number = names.index(wagon)
        found[number] = (found[number][0], found[number][1] - 1)
        names[number] = ""  # the same train is no other one
    number = names.index(train)
    found[number] = (found[number][0], found[number][1] + 1)
    return found


def lay(game: Game, railway: str, trains: Sequence[tuple[str, int]]) -> None:
    """Wagons of a railway lie so."""
    entries = [(train, count) for train, count in trains if count]
    if entries:
        WagonsOnTrains.of(game).trains[railway] = entries
    else:
        WagonsOnTrains.of(game).trains.pop(railway, None)


def lying(game: Game, railway: str) -> list[str]:
    """Trains from which a wagon can be taken, and `loose` if one lies on none."""
    names = [called(game, *entry) for entry in placed(game, railway)]
    return [*([LOOSE] if loose(game, railway) else []), *dict.fromkeys(names)]


def no_move(game: Game, railway: str, wagon: str, train: str) -> Refused | None:
    """DO-7.1.3-d: why a wagon cannot go from one train to another."""
    t = expert(game)
    if wagon not in lying(game, railway):
        return game.refuse("wagon.none", company=railway)
    moved = len(now.wagons) if (now := WagonsMoved.seen(game)) else 0
    if moved >= markers.owned(game, railway).count(t.wagon.code):
        return game.refuse("wagon.moved", company=railway)
    found = all_trains(game, railway, placed(game, railway))
    names = [called(game, *entry) for entry in found]
    if wagon != LOOSE:
        names.remove(wagon)
    if train not in names:
        return game.refuse("wagon.train", company=railway, train=train)
    if train.rstrip(t.wagon.code) in t.expert.wagon_not_on:
        return game.refuse("wagon.type", train=train)
    if not fits(game, rearranged(game, railway, wagon, train), loading.loads(game, railway)):
        return game.refuse("wagon.loaded", company=railway)
    return None


def moves(game: Game, railway: str) -> list[tuple[str, str]]:
    """From which train to which other a wagon of a railway may go."""
    names = dict.fromkeys(called(game, *entry) for entry in all_trains(game, railway, placed(game, railway)))
    return [
        (wagon, train)
        for wagon in lying(game, railway)
        for train in names
        if no_move(game, railway, wagon, train) is None
    ]


def lay_new(game: Game, railway: str) -> None:
    """A wagon that a railway has just got lies on its best train, if it has one for it; it can be moved."""
    t = expert(game)
    trains = [train for train in game.company(railway).trains if train not in t.expert.wagon_not_on]
    if trains:
        best = max(trains, key=lambda train: game.definition.train(train).reach)
        plain = all_trains(game, railway, placed(game, railway))
        name = next(called(game, *entry) for entry in reversed(plain) if entry[0] == best)
        lay(game, railway, rearranged(game, railway, LOOSE, name))


def spare(game: Game, railway: str) -> list[tuple[str, int]] | None:
    """How the wagons of a railway lie once one has left it; None if beer lies on every one of them."""
    now = all_trains(game, railway, placed(game, railway))
    if loose(game, railway):
        return now
    shortest = sorted(enumerate(now), key=lambda item: (game.definition.train(item[1][0]).reach, -item[1][1]))
    for number, (train, count) in shortest:
        if count:
            then = [*now[:number], (train, count - 1), *now[number + 1 :]]
            if fits(game, then, loading.loads(game, railway)):
                return then
    return None


class MoveWagonChoice(Choice[MoveWagon]):
    """DO-7.1.3-d: lay a beer wagon on a train: which wagon, which train."""

    kind = MoveWagon

    def ask(self, picked: Picked) -> Domain | None:
        found = moves(self.game, self.company)
        if "wagon" not in picked:
            return Options("wagon", [Option(wagon) for wagon in dict.fromkeys(wagon for wagon, _ in found)])
        if "train" not in picked:
            return Options("train", [Option(train) for wagon, train in found if wagon == picked["wagon"]])
        return None

    def move(self, picked: Picked) -> MoveWagon:
        return MoveWagon(self.player, self.company, picked["wagon"], picked["train"])

    def check(self, move: MoveWagon) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        refused = no_move(self.game, self.company, move.wagon, move.train)
        if refused is not None:
            raise refused

    def perform(self, move: MoveWagon) -> None:
        game, company = self.game, self.company
        lay(game, company, rearranged(game, company, move.wagon, move.train))
        WagonsMoved.of(game).wagons.append((move.wagon, move.train))
        game.emit(WagonMoved(company, move.train))


class MoveWagons(Extra):
    """DO-7.1.3-d: a railway may lay its wagons on other trains in its turn; it is asked once, when it has bought its
    trains."""

    def keeps(self) -> Keeps:
        return (WagonsMoved,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        if not moves(turn.game, turn.actor):
            return []
        return [MoveWagonChoice(turn.game, turn.decider, turn.actor)]

    def waits(self, turn: Turn) -> bool:
        return turn.game.state.round.step == "trains" and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, MoveWagon) and move.company == turn.actor:
            MoveWagonChoice(turn.game, move.player, turn.actor).check(move)


# ---------------------------------------------------------------------- loading


class WagonLoading(loading.Loading):
    """DO-7.1.3-c: loading with wagons on trains and in breweries; one railway may be bound by a contract."""

    def units(self, game: Game, company: str) -> list[str]:
        """Units with an arrow, and for each wagon of the brewery one without."""
        t, named = expert(game), Counter(loading.exported(game))
        pieces = Counter(useful(game, company))
        arrows = delivering.arrows(t, pieces.elements())
        beyond = sum(max(0, count - arrows.get(type_, 0)) for type_, count in named.items())
        more = len(markers.working(game, company, WAGON)) > beyond
        free = delivering.units(t, pieces.elements(), [*used(game), *reserved(game, company)])
        return [
            type_
            for type_ in dict.fromkeys(useful(game, company))
            if free[type_] > 0 and (more or named[type_] < arrows.get(type_, 0))
        ]

    def room(self, game: Game, railway: str, trains: Sequence[tuple[str, int]]) -> bool:
        laden = [(train, load) for train, load in trains if load]
        return fits(game, all_trains(game, railway, placed(game, railway)), laden)

    def elsewhere(self, game: Game) -> int:
        """Cubes lie on equipment, unless their segment has been closed since."""
        return sum(not closed for *_, closed in Reserved.of(game).cubes.values())

    def willing(self, game: Game, railway: str, name: str) -> bool:
        return bound(game, railway) or super().willing(game, railway, name)

    def asks(self, game: Game, player: str, railway: str) -> bool:
        return not bound(game, railway) and super().asks(game, player, railway)


class AllWilling(WagonLoading):
    """Loading as if every director agreed."""

    def willing(self, game: Game, railway: str, name: str) -> bool:
        return True


def bound(game: Game, railway: str) -> bool:
    """Whether a railway has to carry what the brewery loads in this turn."""
    return bool((now := ExpertTurn.seen(game)) and now.contract == railway)


def useful(game: Game, company: str) -> list[str]:
    """The equipment of a brewery but for a piece that rests in this turn."""
    found = list(breweries.equipment(game, company))
    now = ExpertTurn.seen(game) if game.state.round.actor == company else None
    rests = now.rests if now else None
    if rests in found:
        found.remove(rests)
    return found


def reserved(game: Game, company: str) -> list[str]:
    """The type of equipment on which a cube lies for customers that a brewery has won in advance."""
    entry = Reserved.of(game).cubes.get(company)
    return [entry[0]] if entry else []


def roomy(t: ExpTables, players: int) -> ExpTables:
    """The tables as if all wagons lay on every train: what trains can ever carry."""
    more = t.wagon.count[players]
    return replace(
        t,
        capex=tuple(
            row if row.card in t.expert.wagon_not_on else replace(row, squares=row.squares + more) for row in t.capex
        ),
    )


class Wagons(Mechanism):
    """DO-7.1.3-a: beer wagons: on which trains they lie, and what trains can carry with them."""

    def __init__(self, definition: Definition, made: Callable[[Definition, ExpTables], Trains], players: int) -> None:
        self.definition = definition
        #: What an edition makes of a box and its tables.
        self.made = made
        self.players = players

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, WagonsOnTrains())

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return dict.fromkeys((ev.TrainBought, ev.TrainDiscarded, ev.TrainsRusted), settle)

    def trains(self, trains: Trains) -> Trains:
        """Trains as if all wagons lay on every one of them."""
        roomier = self.made(self.definition, roomy(self.definition.tables, self.players))
        return replace(trains, vehicles=roomier.vehicles)

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (MoveWagons(),) if (round_, kind) == ("operating", "railway") else ()

    def faults(self, game: Game) -> list[str]:
        """Wagons lie on trains that there are, and no more than a railway has."""
        t, result = expert(game), []
        for railway, entries in WagonsOnTrains.of(game).trains.items():
            if Counter(train for train, _ in entries) - Counter(game.company(railway).trains):
                result.append(f"{railway} has wagons on trains that it does not own")
            if loose(game, railway) < 0 or any(count < 1 for _, count in entries):
                result.append(f"{railway} has wagons on trains that it does not have")
            if any(train in t.expert.wagon_not_on for train, _ in entries):
                result.append(f"{railway} has a wagon on a train that takes none")
        return result
