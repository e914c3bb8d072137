"""What single railways can do: one has a coal token that costs it nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from engine.events import Event
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import Bag, OfGame, put, record
from engine.rules import Listener
from engine.state import State
from titles.do.board.links import LinkMade, LinkTokens, Price
from titles.do.board.tables import Tables


@record("do.free_token")
@dataclass(slots=True)
class FreeToken(OfGame):
    """Whether the token that costs nothing lies on the map."""

    used: bool = False

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"used": "token_used"}


class FreeCoal(Mechanism):
    """DO-4.3.2.1-b: the token that costs its railway nothing, and that it has but one."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, FreeToken())

    def on(self) -> Mapping[type[Event], Listener]:
        return {LinkMade: self.linked}

    def linked(self, game: Game, event: LinkMade) -> None:
        """The free token lies on the map."""
        if event.company == self.t.abilities.free_coal_link and not event.cost:
            FreeToken.of(game).used = True


def free_token(t: Tables) -> Price:
    """DO-4.3.2.1-b: what a link costs: nothing for the railway with the token, at a coal mine that has none."""

    def cost(game: Game, company: str, at: str) -> int:
        own = company == t.abilities.free_coal_link and not FreeToken.of(game).used
        new = at not in LinkTokens.of(game).values and t.locations.goods.get(at) == "coal"
        return 0 if own and new else t.locations.cost

    return cost
