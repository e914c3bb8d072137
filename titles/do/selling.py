"""How a brewery sells its beer: to whom its units deliver, and when beer for export is named and loaded.

A turn remembers under `delivered` what went to Dortmund, under `named` what is to be loaded, and under `loaded` the
equipment of which a unit has been loaded.
"""

from __future__ import annotations

from typing import Any

from engine.errors import Refused
from engine.game import Game
from engine.rounds.turns import Turn
from titles.do import breweries, delivering, loading
from titles.do.beer import Field
from titles.do.delivering import Delivery
from titles.do.hsb_data import tables


def delivered(game: Game) -> list[Delivery]:
    """What was delivered to Dortmund in this turn."""
    return [Delivery(*entry) for entry in game.state.round.turn.get("delivered", ())]


def used(game: Game) -> list[str]:
    """The equipment of every unit that was used in this turn, one entry for each unit."""
    return [delivery.equipment for delivery in delivered(game)] + loading.exported(game)


def free_units(game: Game, company: str) -> dict[str, int]:
    """The units of a brewery that have neither delivered nor been named for export."""
    return delivering.units(tables(game), breweries.equipment(game, company), used(game))


class Selling:
    """A unit delivers to any customers in its reach; beer for export is named before and loaded afterwards."""

    # ------------------------------------------------------------------ Dortmund

    def fields(self, game: Game, company: str, equipment: str) -> list[Field]:
        """The demand fields to which a unit of a type may deliver now, the dearest first."""
        return delivering.reachable(tables(game), breweries.beer(game), equipment)

    def due(self, game: Game, company: str) -> list[str]:
        """The types of equipment that have something to deliver."""
        free = free_units(game, company)
        return [type_ for type_, count in free.items() if count and self.fields(game, company, type_)]

    def best(self, game: Game, company: str) -> list[Delivery]:
        """The deliveries that bring most for what is left to deliver."""
        return delivering.best(tables(game), breweries.beer(game), free_units(game, company))

    # ------------------------------------------------------------------ export

    def no_export(self, game: Game, company: str) -> Refused | None:
        """Why nothing can be named for export any more."""
        return game.refuse("load.late", company=company) if delivered(game) else None

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
