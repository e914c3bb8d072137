"""How a brewery sells its beer: to whom its units deliver, and when beer for export is named and loaded.

A turn remembers under `delivered` what went to Dortmund, under `named` what is to be loaded, under `loaded` the
equipment of every unit that has been loaded, and under `given_up` how many pieces of equipment were given up.
"""

from __future__ import annotations

from typing import Any

from engine.errors import Refused
from engine.game import Game
from engine.rounds.turns import Turn
from titles.do.board.remembered import SoldBeer
from titles.do.brewery import breweries, delivering, loading
from titles.do.brewery.beer import Field
from titles.do.brewery.data import tables
from titles.do.brewery.delivering import Delivery, Units


def delivered(game: Game) -> list[Delivery]:
    """What was delivered to Dortmund in this turn."""
    now = SoldBeer.seen(game)
    return [Delivery(*entry) for entry in now.delivered] if now else []


def used(game: Game) -> list[str]:
    """The equipment of every unit that was used in this turn, one entry for each unit."""
    return [delivery.equipment for delivery in delivered(game)] + loading.exported(game)


class Selling:
    """DO-6.5.2.1-b: a unit delivers to any customers in its reach, or is named for export, which is loaded after all
    deliveries."""

    # ------------------------------------------------------------------ Dortmund

    def fields(self, game: Game, company: str, free: Units, equipment: str) -> list[Field]:
        """The demand fields to which a unit of a type may deliver now, the dearest first; `free` are all free units."""
        return delivering.reachable(tables(game), breweries.beer(game), equipment)

    def too_early(self, game: Game, free: Units, field: Field) -> Refused | None:
        """Why others are served before these customers."""
        return None

    def best(self, game: Game, company: str, free: Units) -> list[Delivery]:
        """The deliveries that bring most with these units."""
        return delivering.best(tables(game), breweries.beer(game), free)

    def order(self, game: Game, company: str, free: Units) -> list[Field] | None:
        """The customers whom these units serve, where that is fixed; None where a brewery chooses."""
        return None

    def could_deliver(self, game: Game, company: str) -> tuple[int, int]:
        """How many cubes a brewery could deliver at best as the market stands, and what they would bring."""
        t = tables(game)
        spent = used(game) if company == game.state.round.actor else ()
        found = self.best(game, company, delivering.units(t, breweries.equipment(game, company), spent))
        return len(found), delivering.earned(t, found)

    # ------------------------------------------------------------------ export

    def agreed(self, game: Game, data: dict[str, Any]) -> None:
        """A railway takes a cube."""
        loading.name(game, data)

    # ------------------------------------------------------------------ equipment

    def no_disposal(self, game: Game, company: str) -> Refused | None:
        """Why no equipment can be given up any more."""
        return game.refuse("equipment.late", company=company) if used(game) else None

    def done(self, turn: Turn) -> None:
        """Everything is delivered and loaded."""

    def turn_ends(self, turn: Turn) -> None:
        """A brewery's turn is over."""
