"""Links to coal mines and steel mills: a location token of 10, later 20 and 30, which every route earns."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, Keeps, OfGame, put, record
from engine.rounds.turns import Step, Turn, meant_for
from engine.state import BANK, State
from titles.do.board.remembered import Linked
from titles.do.board.tables import Tables

#: What a link costs a company on a hex.
Price = Callable[[Game, str, str], int]


@register("link_location")
@dataclass(frozen=True, slots=True)
class LinkLocation(Move):
    """Make the link of a mine or a steel mill, or extend it."""

    company: str
    hex: str


@dataclass(frozen=True, slots=True)
class LinkMade(ev.Event):
    """A location has its first token, or a better one."""

    company: str
    hex: str
    goods: str
    value: int
    cost: int


@record("do.links")
@dataclass(slots=True)
class LinkTokens(OfGame):
    """The value of the location token on each hex that has one."""

    values: dict[str, int] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"values": "links"}


class Links(Mechanism):
    """DO-2.6-a: the location tokens: where they lie, and that there are enough of them."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, LinkTokens())

    def marks(self, game: Game) -> Mapping[str, Sequence[str]]:
        return {at: (f"+{worth}",) for at, worth in LinkTokens.of(game).values.items()}

    def faults(self, game: Game) -> list[str]:
        """Tokens lie on locations with track, and there are enough of each height and colour."""
        goods, steps, found = self.t.locations.goods, self.t.locations.steps, LinkTokens.of(game).values
        result = [f"{at} has a location token" for at in found if at not in goods or not game.board.faces[at].track]
        result += [f"the location token on {at} shows {n}" for at, n in found.items() if n not in dict(steps).values()]
        for kind in ("coal", "steel"):
            here = [worth for at, worth in found.items() if goods.get(at) == kind]
            low = sum(worth == steps[0][1] for worth in here)
            if low > self.t.locations.low[kind] or len(here) - low > self.t.locations.high[kind]:
                result.append(f"{len(here)} location tokens for {kind}")
        return result


def value(game: Game, at: str) -> int:
    """DO-4.5.4-a: what the location token on a hex adds to every route; 0 without one."""
    return LinkTokens.of(game).values.get(at, 0)


class LinkChoice(Choice[LinkLocation]):
    """DO-4.5.4.1-a: make or extend one link to which a route of the company leads."""

    kind = LinkLocation

    def __init__(self, game: Game, player: str, company: str, step: LinkStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def matches(self, move: object) -> bool:
        return isinstance(move, LinkLocation) and move.player == self.player and meant_for(self, move.company)

    def ask(self, picked: Picked) -> Domain | None:
        if "hex" in picked:
            return None
        game, step = self.game, self.step
        return Options(
            "hex",
            [
                Option(at, {"link": step.next_value(game, at), "cost": step.cost(game, self.company, at)})
                for at in step.places(game, self.company)
            ],
        )

    def move(self, picked: Picked) -> LinkLocation:
        return LinkLocation(self.player, self.company, picked["hex"])

    def check(self, move: LinkLocation) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check(self.game, self.company, move.hex)

    def perform(self, move: LinkLocation) -> None:
        self.step.make(self.game, self.company, move.hex)
        self.game.turn.advance()


class LinkStep(Step):
    """DO-4.5.4.1-a: the link step: one link made or extended in a turn, for a price that the form names."""

    name = "link"

    def __init__(self, t: Tables, cost: Price | None = None) -> None:
        self.t = t
        self._cost = cost

    def keeps(self) -> Keeps:
        return (Linked,)

    def cost(self, game: Game, company: str, at: str) -> int:
        return self.t.locations.cost if self._cost is None else self._cost(game, company, at)

    def next_value(self, game: Game, at: str) -> int:
        """The value of the next token on a hex, 0 if there is none beyond."""
        now = value(game, at)
        return next((worth for _, worth in self.t.locations.steps if worth > now), 0)

    def needs(self, game: Game, at: str) -> str:
        """The colour of tiles that the next token needs."""
        now = value(game, at)
        return next((colour for colour, worth in self.t.locations.steps if worth > now), "")

    def places(self, game: Game, company: str) -> list[str]:
        """The locations that the company may link or extend now."""
        if Linked.of(game).linked:
            return []
        reach = game.reach(company)
        return [
            at
            for at in self.t.locations.goods
            if reach.reaches(at, 0)
            and self.needs(game, at) in game.phase.tiles
            and self.cost(game, company, at) <= game.state.cash[company]
        ]

    def check(self, game: Game, company: str, at: str) -> None:
        if at not in self.t.locations.goods or at not in game.board.faces:
            raise game.refuse("link.place", at=at)
        if Linked.of(game).linked:
            raise game.refuse("link.one", company=company)
        if not self.next_value(game, at):
            raise game.refuse("link.most", at=at, value=value(game, at))
        if self.needs(game, at) not in game.phase.tiles:
            raise game.refuse("link.phase", value=self.next_value(game, at), colour=self.needs(game, at))
        if not game.reach(company).reaches(at, 0):
            raise game.refuse("link.route", company=company, at=at)
        cost = self.cost(game, company, at)
        if cost > game.state.cash[company]:
            raise game.refuse("link.money", cost=cost, company=company, cash=game.state.cash[company])

    def make(self, game: Game, company: str, at: str) -> None:
        """Pay, and lay the next token."""
        cost, worth = self.cost(game, company, at), self.next_value(game, at)
        game.pay(company, BANK, cost, "link", at)
        LinkTokens.of(game).values[at] = worth
        Linked.of(game).linked = True
        game.emit(LinkMade(company, at, self.t.locations.goods[at], worth, cost))

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        result: list[Choice[Any]] = [
            LinkChoice(turn.game, turn.decider, company, self)
            for company in turn.companies
            if self.places(turn.game, company)
        ]
        return [*result, turn.passing()]

    def explain(self, turn: Turn, move: Move) -> None:
        for company in turn.companies:
            choice = LinkChoice(turn.game, move.player, company, self)
            if isinstance(move, LinkLocation) and choice.matches(move):
                choice.check(move)

    def waiting(self, turn: Turn) -> bool:
        return any(self.places(turn.game, company) for company in turn.companies)
