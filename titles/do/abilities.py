"""What single railways can do: one has a coal token that costs it nothing; the fact `token_used` says when it lies."""

from __future__ import annotations

from collections.abc import Callable

from engine.game import Game
from engine.state import State
from titles.do.links import LinkMade, LinkTokens, Price
from titles.do.tables import Tables


def lay_out(state: State) -> None:
    state.facts["token_used"] = False


def free_token(t: Tables) -> Price:
    """What a link costs: nothing for the railway with the token, at a coal mine that has none."""

    def cost(game: Game, company: str, at: str) -> int:
        own = company == t.abilities.free_coal_link and not game.state.facts["token_used"]
        new = at not in LinkTokens.of(game).values and t.locations.goods.get(at) == "coal"
        return 0 if own and new else t.locations.cost

    return cost


def token_used(t: Tables) -> Callable[[Game, LinkMade], None]:
    """The free token lies on the map."""

    def note(game: Game, event: LinkMade) -> None:
        if event.company == t.abilities.free_coal_link and not event.cost:
            game.state.facts["token_used"] = True

    return note
