"""Cards that railways buy as trains and breweries as equipment; a link removes one and brings new demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import events as ev
from engine.finance.depot import leaves, on_sale, take
from engine.game import Game
from engine.mechanism import Mechanism
from engine.rules import Listener
from titles.do.board.links import LinkMade
from titles.do.brewery import beer as market
from titles.do.brewery import breweries
from titles.do.brewery.beer import CUSTOMERS
from titles.do.brewery.data import tables


@dataclass(frozen=True, slots=True)
class CardRemoved(ev.Event):
    """A card has left the game for a link."""

    train: str


@dataclass(frozen=True, slots=True)
class DemandAdded(ev.Event):
    """A removed card brings customers."""

    segment: int
    customers: str
    cubes: int


def use(game: Game, card: str) -> None:
    """DO-5.4.4-a: a card leaves the display and is a train no more; the first of its type begins a phase."""
    take(game, card)
    game.state.depot.gone.append(card)
    leaves(game, card)


def next_for_link(game: Game) -> str:
    """DO-6.5.1-b: the card that a link removes, "" if there is none."""
    t, players = tables(game), len(game.players)
    sold = game.state.depot.sold
    return next((card for card in on_sale(game) if t.stack(card, sold[card], players).link), "")


class LinkedCards(Mechanism):
    """DO-6.5.1-b: a link removes the next card; after what that begins, its customers come."""

    def __init__(self, short: market.Source) -> None:
        self.short = short

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {LinkMade: self.linked}

    def linked(self, game: Game, event: LinkMade) -> None:
        t = tables(game)
        card = next_for_link(game)
        if not card:
            return
        row = t.stack(card, game.state.depot.sold[card], len(game.players))
        game.emit(CardRemoved(card))
        use(game, card)
        for customers in CUSTOMERS:
            field = int(card), customers
            cubes = market.add_demand(breweries.beer(game), field, getattr(row, customers), self.short)
            if cubes:
                game.emit(DemandAdded(int(card), customers, cubes))
