"""The course of a game: seats by cards, package, stock rounds and operating rounds in turn, and what closes when."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine import events as ev
from engine.finance.closing import close_private
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import OfGame, record
from engine.rounds.operating import pay_privates
from engine.rounds.stock import StockRound
from engine.rounds.turns import OnceRound
from engine.rules import Listener, Seated, Seating, Setup
from titles.rhineland.tables import OrderCard


@record("rhineland.order_cards")
@dataclass(slots=True)
class OrderCards(OfGame):
    """The card by which each player was seated."""

    order_cards: dict[str, int] = field(default_factory=dict)


@record("rhineland.location_card")
@dataclass(slots=True)
class LocationCard(OfGame):
    """The card that says where a coalmine and a steel mill lie."""

    location_card: int = 0


def by_order_cards(cards: Sequence[OrderCard], *, locations: bool) -> Seating:
    """One card for the locations, if there are any, then one for each player: the lowest begins, seats ascend."""
    numbers = [card.number for card in cards]

    def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
        drawn = [LocationCard(chance.choice(numbers))] if locations else []
        deal = dict(zip(players, chance.sample(numbers, len(players)), strict=True))
        seats = sorted(players, key=lambda player: deal[player])
        return seats, (*drawn, OrderCards(deal))

    return seating


def short_round(game: Game, pay: Callable[[Game], None] = pay_privates) -> None:
    """All have passed in the package: only the private companies pay."""
    game.emit(ev.RoundBegan("short", game.state.round.stock_number, 0))
    pay(game)


def left_of_last_buyer_begins(game: Game, last_buyer: str) -> None:
    """All lots are sold: whoever sits left of the last buyer has the priority deal."""
    game.state.priority = game.after(last_buyer)
    game.emit(ev.PriorityMoved(game.state.priority))
    game.rules.then(game)


def in_turn(stock: StockRound, operating: OnceRound) -> Callable[[Game], None]:
    """A stock round, its operating rounds, and so on; a broken bank ends the game after the last of a set.

    The bank pays in every operating round as long as somebody owns a private company, and later for every run, so it
    breaks sooner or later. Only if nobody is paid and nobody can do anything would round follow round for ever
    (ruling 125).
    """

    def then(game: Game) -> None:
        round_ = game.state.round
        if round_.kind == "package":
            stock.begin(game)
        elif round_.kind == stock.name:
            operating.begin(game, 1, game.phase.operating_rounds)
        elif round_.operating_number < round_.operating_total:
            operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif game.state.bank_broken:
            game.finish("bank")
        elif game.stands_still():
            game.finish("standstill")
        else:
            round_.stock_number += 1
            stock.begin(game)

    return then


class PrivatesClose(Mechanism):
    """RHL-6.3-e, LRA-4.1.2-x: with the brown phase the private companies of players close, used or not."""

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.PhaseChanged: self.phase_changed}

    def phase_changed(self, game: Game, event: ev.PhaseChanged) -> None:
        if event.colour == "brown":
            for private, owner in game.state.privates.items():
                if owner in game.state.seats:
                    close_private(game, private)
