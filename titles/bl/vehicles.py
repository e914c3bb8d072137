"""18BL's purchase of vehicles: two kinds and trailers, their limits, what a forced purchase takes and may sell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine import events as ev
from engine.board.faces import COLOURS
from engine.definition import Definition
from engine.errors import Refused
from engine.finance.depot import counting, price
from engine.finance.raising import Raising
from engine.game import Game
from engine.records import Keeps, OfTurn, record
from engine.remembered import Sales
from engine.state import BANK, POOL
from engine.steps.trains import Train, TrainStep
from titles.bl.running import RAILBUS, TRAILER
from titles.bl.tables import Vehicles


@record("bl.full")
@dataclass(slots=True)
class Full(OfTurn):
    """Whether the corporation has reached its limit of vehicles in this turn."""

    full: bool = False


class VehicleStep(TrainStep):
    """Trains and rail buses have one limit, trailers another; a purchase may exceed the limit of a new phase."""

    def __init__(
        self,
        raising: Raising,
        table: Vehicles,
        *,
        must_own: Callable[[Game, str], bool],
        forced_choice: Callable[[Game, list[Train]], list[Train]],
    ) -> None:
        super().__init__(
            raising,
            must_own=must_own,
            may_trade=lambda game: COLOURS.index(game.phase.colour) >= COLOURS.index(table.trade_from),
            forced_choice=forced_choice,
        )
        self.table = table

    def counts(self, definition: Definition) -> Callable[[str], bool]:
        """A trailer counts neither for the limit nor for the duty to own a vehicle."""
        trailers = {train.name for train in definition.trains if train.kind == TRAILER}
        return lambda train: train not in trailers

    def no_room(self, game: Game, company: str, train: str) -> Refused | None:
        if game.definition.train(train).kind == TRAILER:
            kinds = [game.definition.train(t).kind for t in game.company(company).trains]
            if RAILBUS not in kinds:
                return game.refuse("trailer.bus", company=company)
            if kinds.count(TRAILER) >= self.table.trailer_limit:
                return game.refuse("trailer.limit", company=company)
            return None
        if Full.of(game).full:
            return game.refuse("train.limit", company=company)
        return super().no_room(game, company, train)

    def keeps(self) -> Keeps:
        return (*super().keeps(), Full)

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """A purchase may exceed the limit of the phase it begins; the surplus goes to the pool (R22)."""
        return True


def note_limit(game: Game, event: ev.TrainBought) -> None:
    """Who reaches the limit buys no more in this turn, even if some vehicles vanish (BL-8.8.1-j)."""
    if game.rules.trains.counts(event.train) and len(counting(game, event.company)) >= game.phase.train_limit:
        Full.of(game).full = True


def cheapest_of_each_kind(game: Game, trains: list[Train]) -> list[Train]:
    """The cheapest train and the cheapest rail bus on offer; only if there is none, the cheapest of the pool."""
    new: dict[str, str] = {}
    for train in sorted((t for source, t in trains if source == BANK), key=lambda t: price(game, t)):
        new.setdefault(game.definition.train(train).kind, train)
    if new:
        return [(BANK, train) for train in new.values()]
    pool = [train for source, train in trains if source == POOL]
    return [(POOL, min(pool, key=lambda t: price(game, t)))] if pool else []


def operated_and_unsold(game: Game, acting: str, company: str) -> Refused | None:
    """In a forced purchase the shares of a corporation are sold once, and only of one that has operated."""
    if not game.company(company).operated:
        return game.refuse("forced.unsaleable", company=company)
    if company in Sales.of(game).sold:
        return game.refuse("stock.one_sale", company=company)
    return None


def only_others(acting: str, company: str) -> bool:
    """A forced sale may depose the director of any corporation but the acting one (BL-8.8.4-f)."""
    return company != acting
