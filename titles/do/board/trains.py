"""Trains of 18DO: so many new ones a turn, one before the track, and a last run for some that are obsolete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance.depot import obsolete, on_sale, price, scrap
from engine.finance.raising import Raising
from engine.game import Game
from engine.moves import BuyTrain, Move
from engine.offer import Choice
from engine.records import Keeps
from engine.rounds.turns import Step, Turn
from engine.state import BANK
from engine.steps.trains import BuyTrainChoice, Train, TrainStep, always, pool_or_cheapest
from titles.do.board.remembered import Purchases

# ---------------------------------------------------------------------- obsolete trains


def last_run(types: frozenset[str]) -> Callable[[Game, str], None]:
    """DO-4.5.7.3-b: trains of these types may run once more for their owners when they become obsolete; all others
    leave at once."""

    def leave(game: Game, train: str) -> None:
        scrap(game, train, types)

    return leave


def drop_obsolete(game: Game, company: str) -> None:
    """DO-4.5.7.3-b: the last run of obsolete trains is over: they leave the game."""
    state = game.company(company)
    gone = [train for train in state.trains if obsolete(game, train)]
    state.trains = [train for train in state.trains if train not in gone]
    game.state.depot.gone.extend(gone)
    for train in dict.fromkeys(gone):
        game.emit(ev.TrainsRusted(train, (company,)))


# ---------------------------------------------------------------------- buying

#: How many cards a company may take from the display in a turn, counted with a card that it would take now.
NewCards = Callable[[Game, str], int]


def by_phase(most: Mapping[str, int]) -> NewCards:
    """DO-4.5.7.1-c: so many in each phase, whatever they are."""
    return lambda game, card: most[game.phase.name]


class DoTrainStep(TrainStep):
    """DO-4.5.7-a: buying trains; `new` is how many a company may take from the display in a turn.

    A forced purchase comes up when the treasury does not reach for the cheapest new train.
    """

    def __init__(
        self,
        raising: Raising,
        new: NewCards,
        may_sell: Callable[[Game, str], bool] = lambda game, company: True,
    ) -> None:
        super().__init__(raising, must_own=always, may_sell=may_sell, forced_choice=pool_or_cheapest)
        self.new = new

    def keeps(self) -> Keeps:
        return (*super().keeps(), Purchases)

    def too_many(self, game: Game, company: str, train: str) -> Refused | None:
        """Why a new train can be bought no more in this turn."""
        most = self.new(game, train)
        if Purchases.of(game).new >= most:
            return game.refuse("train.new_per_turn", company=company, most=most)
        return None

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """Whoever is below the limit of now may buy; what is too much then goes to the pool."""
        return True

    def bank_trains(self, game: Game, company: str) -> list[Train]:
        found = super().bank_trains(game, company)
        return [
            (source, train) for source, train in found if source != BANK or self.too_many(game, company, train) is None
        ]

    def forced(self, game: Game, company: str) -> list[Train]:
        trains = self.remedies(game, company)
        new = [price(game, train) for source, train in trains if source == BANK]
        cheapest = min(new or [price(game, train) for _, train in trains], default=0)
        if not trains or (not self.raising.begun(game) and game.state.cash[company] >= cheapest):
            return []
        return self.forced_choice(game, trains)

    def raises_money(self, turn: Turn) -> bool:
        """Whether the company has to find money for a train now."""
        return turn.game.state.round.step == self.name and bool(self.forced(turn.game, turn.actor))

    def trades(self, game: Game, company: str) -> list[Train]:
        return [(seller, train) for seller, train in super().trades(game, company) if not obsolete(game, train)]

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source == BANK and move.train in on_sale(game):
            refusal = self.too_many(game, company, move.train)
            if refusal is not None:
                raise refusal
        owner = game.state.companies.get(move.source)
        if owner is not None and move.train in owner.trains and obsolete(game, move.train):
            raise game.refuse("train.last_run", company=move.source, train=move.train)
        super().check(game, company, move)

    def buy(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source == BANK:
            Purchases.of(game).new += 1
        super().buy(game, company, move)


class EarlyChoice(BuyTrainChoice):
    """DO-4.3.2.1-a: buy a new train before the track is laid."""

    def perform(self, move: BuyTrain) -> None:
        super().perform(move)
        self.game.turn.advance()


class FirstTrains(DoTrainStep):
    """DO-4.3.2.1-a: what can be bought early: a new train that the treasury pays."""

    def remedies(self, game: Game, company: str) -> list[Train]:
        """Nothing has to be bought yet."""
        return []

    def purchases(self, game: Game, company: str) -> list[Train]:
        return [(source, train) for source, train in super().purchases(game, company) if source == BANK]

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source != BANK:
            raise game.refuse("train.early.new", company=company)
        super().check(game, company, move)


class EarlyTrainStep(Step):
    """DO-4.3.2.1-a: some railways may buy one train before anything else in their first operating round, and so earn
    in it."""

    name = "early"

    def __init__(self, trains: DoTrainStep, companies: tuple[str, ...]) -> None:
        self.trains = FirstTrains(trains.raising, trains.new)
        self.companies = companies

    def keeps(self) -> Keeps:
        return (Purchases,)

    def open(self, turn: Turn) -> bool:
        game, company = turn.game, turn.actor
        return (
            company in self.companies
            and not game.company(company).operated
            and bool(self.trains.purchases(game, company))
        )

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        if not self.open(turn):
            return [turn.passing()]
        return [EarlyChoice(turn.game, turn.decider, turn.actor, self.trains), turn.passing()]

    def waiting(self, turn: Turn) -> bool:
        return self.open(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyTrain) and move.company == turn.actor:
            self.trains.check(turn.game, turn.actor, move)
