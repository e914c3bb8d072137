"""Trains by the draft of 2020: plain hexes twice, never between two red fields alone, and beer even through a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from engine.board.faces import CITY, OFFBOARD
from engine.board.reach import Reach
from engine.definition import Definition, TrainType
from engine.errors import Refused
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import Part, TrainRules
from engine.rules import Trains
from titles.do.board import running
from titles.do.board.export import FORCED, load_of, loaded
from titles.do.board.running import DoTrain
from titles.do.board.tables import Tables
from titles.do.brewery import loading
from titles.do.brewery.loading import LoadedTrain
from titles.do.brewery.tables import HsbTables
from titles.do.draft2020.data import Draft

#: What every stop but a red field adds to the mark of a route, above the bit of Dortmund City.
STOP = 2


class DraftTrain(DoTrain):
    """DOD-5.6.1.4-c: a route may cross a plain hex twice; one of two red fields alone is none."""

    hex_once = False

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        income, mark = super().worth(node, ferry)
        at, stop = node
        return income, mark if self.board.faces[at].stops[stop].kind == OFFBOARD else mark + STOP

    def allows(self, mark: int, one: Node, other: Node) -> bool:
        return mark >= STOP and super().allows(mark, one, other)

    def wrong_ends(self, one: Node, other: Node) -> Refused:
        return Refused("", "route.two_red", one=one[0], other=other[0])


class DraftLoadedTrain(LoadedTrain, DraftTrain):
    """DOD-5.6.1.5-a: a loaded train: all red fields pay alike, its railway's home more."""

    def __init__(self, t: HsbTables, draft: Draft, game: Game, company: str, train: TrainType, colour: str) -> None:
        homes = game.definition.corporations[company].homes
        self.at_home = {home.at: draft.beer_home for home in homes if home.at in t.export.bonus}
        super().__init__(t, game, company, train, colour)

    def prices(self, t: Tables) -> Mapping[str, int]:
        return {**t.export.bonus, **self.at_home}


class ForcedTrain(DraftLoadedTrain):
    """DOD-5.6.1.4-b: a loaded train that has no free way: it runs through full stations, which count for its length
    alone."""

    def __init__(self, t: HsbTables, draft: Draft, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(t, draft, game, company, train, colour)
        faces = self.board.faces.items()
        full = [(at, n) for at, face in faces for n in range(len(face.stops)) if self.full((at, n))]
        self.bonus_bound += 2 * max((self.end_worth(node) for node in full), default=0)

    def full(self, node: Node) -> bool:
        """Whether others have taken all places of a stop."""
        at, stop = node
        return self.board.faces[at].stops[stop].kind == CITY and not self.board.open_for(self.company, at, stop)

    def through(self, node: Node) -> bool:
        return super().through(node) or self.full(node)

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        income, mark = super().worth(node, ferry)
        return 0 if self.full(node) else income, mark

    def end_worth(self, node: Node) -> int:
        """What a full stop is worth to a route that ends there, as it may."""
        return super().worth(node, False)[0] if self.full(node) else 0

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        return super().bonus(mark, one, other) + self.end_worth(one) + self.end_worth(other)

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        ends = [Part("full_end", worth) for node in (one, other) if (worth := self.end_worth(node))]
        return [*super().bonus_parts(mark, one, other), *ends]


def fleets(game: Game, railway: str) -> list[tuple[str, ...]]:
    """DOD-5.6.1.4-b: as many loaded trains as possible carry their beer, and as few of them as possible through full
    stations."""
    trains = loading.fleet(game, railway)
    laden = [entry for entry in trains if entry[1]]
    empty = [train for train, load in trains if not load]

    def named(index: int, pressed: Sequence[int], load: int) -> str:
        return loaded(laden[index][0], load) + FORCED * (index in pressed)

    for size in range(len(laden), 0, -1):
        for forced in range(size + 1):
            found = []
            for chosen in combinations(range(len(laden)), size):
                for pressed in combinations(chosen, forced):
                    if loading.find_ways(game, railway, [named(index, pressed, 1) for index in chosen]):
                        names = [named(index, pressed, laden[index][1]) for index in chosen]
                        rest = [train for index, (train, _) in enumerate(laden) if index not in chosen]
                        found.append((*names, *rest, *empty))
            if found:
                return list(dict.fromkeys(found))
    return [(*(train for train, _ in laden), *empty)]


def train_rules(t: HsbTables, draft: Draft) -> Callable[[Game, str, TrainType, str], TrainRules]:
    plain = running.train_rules(t, DraftTrain)

    def rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        if train.name.endswith(FORCED):
            return ForcedTrain(t, draft, game, company, train, colour)
        if load_of(train.name)[1]:
            return DraftLoadedTrain(t, draft, game, company, train, colour)
        return plain(game, company, train, colour)

    return rules


def trains(draft: Draft) -> Callable[[Definition, HsbTables], Trains]:
    """The trains of a form with breweries as the draft has them."""

    def made(definition: Definition, t: HsbTables) -> Trains:
        usual = loading.trains(definition, t)
        forced = (replace(train, name=train.name + FORCED) for train in usual.vehicles if load_of(train.name)[1])
        return replace(
            usual, rules=train_rules(t, draft), vehicles=(*usual.vehicles, *forced), fleets=fleets, reach=Reach
        )

    return made
