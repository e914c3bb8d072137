"""Buying trains: from the bank, the pool or another company, and the forced purchase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.finance.depot import (
    counting,
    leaves,
    movable,
    on_sale,
    phase_after,
    price,
    take,
)
from engine.finance.raising import BankruptChoice, Need, Raising
from engine.moves import BuyTrain, Move, Pass
from engine.offer import Choice, Domain, Number, Option, Options, Picked
from engine.remembered import Declined
from engine.rounds.proposals import Deal, declined
from engine.rounds.turns import Question, Step, Turn
from engine.state import BANK, POOL

if TYPE_CHECKING:
    from engine.game import Game

#: Source and type of a train on sale.
Train = tuple[str, str]


# ---------------------------------------------------------------------- the duty to own a train


def always(game: Game, company: str) -> bool:
    return True


def if_it_could_run(train: Callable[[Game], str]) -> Callable[[Game, str], bool]:
    """A company must own a train if one of this type would find a route now."""

    def duty(game: Game, company: str) -> bool:
        return game.any_route(company, train(game))

    return duty


# ---------------------------------------------------------------------- among which a forced purchase chooses


def pool_or_cheapest(game: Game, trains: list[Train]) -> list[Train]:
    """Any train of the pool, and the cheapest new one."""
    new = [train for source, train in trains if source == BANK]
    cheapest = min(new, key=lambda train: price(game, train), default="")
    return [(source, train) for source, train in trains if source == POOL or train == cheapest]


class BuyTrainChoice(Choice[BuyTrain]):
    """Buy a train from the bank, the pool or another company."""

    kind = BuyTrain

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    @cached_property
    def _offers(self) -> list[Train]:
        return self.step.purchases(self.game, self.company)

    def ask(self, picked: Picked) -> Domain | None:
        game, step, offers = self.game, self.step, self._offers
        if "source" not in picked:
            return Options("source", [Option(source) for source in dict.fromkeys(s for s, _ in offers)])
        if "train" not in picked:
            trains = dict.fromkeys(train for source, train in offers if source == picked["source"])
            return Options("train", [Option(train, self._facts(picked["source"], train)) for train in trains])
        if "price" not in picked:
            if picked["source"] in (BANK, POOL):
                return Options("price", [Option(price(game, picked["train"]))])
            least = step.least_price(game, picked["source"], picked["train"])
            return Number("price", least, step.most_price(game, self.company, picked["train"]))
        return None

    def _facts(self, source: str, train: str) -> dict[str, int]:
        """The printed price, and what of it the director pays in a forced purchase."""
        cost = price(self.game, train)
        missing = cost - self.game.state.cash[self.company]
        forced = source in (BANK, POOL) and missing > 0
        return {"price": cost, "director_adds": missing} if forced else {"price": cost}

    def move(self, picked: Picked) -> BuyTrain:
        return BuyTrain(self.player, self.company, picked["train"], picked["source"], picked["price"])

    def check(self, move: BuyTrain) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check(self.game, self.company, move)

    def perform(self, move: BuyTrain) -> None:
        self.step.buy(self.game, self.company, move)


class TrainStep(Step):
    """Buying trains. Where a company must own one and cannot pay it, the money is raised."""

    name = "trains"

    def __init__(
        self,
        raising: Raising,
        *,
        must_own: Callable[[Game, str], bool],
        may_trade: Callable[[Game], bool] = lambda game: True,
        may_sell: Callable[[Game, str], bool] = lambda game, company: True,
        forced_choice: Callable[[Game, list[Train]], list[Train]] = pool_or_cheapest,
    ) -> None:
        self.raising = raising
        self.must_own = must_own
        #: Whether companies may sell trains to each other now.
        self.may_trade = may_trade
        #: Whether a company ever sells one.
        self.may_sell = may_sell
        self.forced_choice = forced_choice

    # ------------------------------------------------------------------ ordinary purchases

    def no_room(self, game: Game, company: str, train: str) -> Refused | None:
        """Why a company may not own one more train of a type."""
        if len(counting(game, company)) < game.phase.train_limit:
            return None
        return game.refuse("train.limit", company=company)

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """Whether the buyer stays within the limit of the phase that the purchase would begin.

        Everything counts that it owns at that moment, also what the same purchase makes obsolete.
        """
        if game.state.depot.sold[train]:
            return True
        limit = game.definition.phases[phase_after(game, train)].train_limit
        return len(counting(game, company)) + 1 <= limit

    def bank_trains(self, game: Game, company: str) -> list[Train]:
        """Source and type of every train of bank and pool, whether or not it can be paid."""
        new = [(BANK, train) for train in on_sale(game) if self.keeps_limit(game, company, train)]
        old = [(POOL, train) for train in dict.fromkeys(game.state.depot.pool)]
        return [(source, train) for source, train in new + old if self.no_room(game, company, train) is None]

    def remedies(self, game: Game, company: str) -> list[Train]:
        """Those of bank and pool that would end the lack of a train; empty while there is none."""
        if movable(game, company) or not self.obliged(game, company):
            return []
        return [(s, train) for s, train in self.bank_trains(game, company) if game.rules.trains.counts(train)]

    def forced(self, game: Game, company: str) -> list[Train]:
        """The trains among which a forced purchase chooses; empty when it is none."""
        cash = game.state.cash[company]
        trains = self.remedies(game, company)
        if not self.raising.begun(game) and any(price(game, train) <= cash for _, train in trains):
            return []
        return self.forced_choice(game, trains)

    def obliged(self, game: Game, company: str) -> bool:
        result: bool = game.kept(("must_own_train", company), lambda: self.must_own(game, company))
        return result

    def need(self, game: Game, company: str, trains: list[Train]) -> Need:
        """The money that a forced purchase asks for."""
        return self.raising.need(game, company, [price(game, train) for _, train in trains])

    def purchases(self, game: Game, company: str) -> list[Train]:
        """Source and type of every train that the company may buy and can pay."""
        cash = game.state.cash[company]
        forced = self.forced(game, company)
        if forced:
            payable = self.raising.payable(self.need(game, company, forced))
            result = [(source, train) for source, train in forced if price(game, train) in payable]
            if self.raising.begun(game):
                return result
        else:
            result = [(s, t) for s, t in self.bank_trains(game, company) if price(game, t) <= cash]
        if self.may_trade(game):
            result += self.trades(game, company)
        return result

    def trades(self, game: Game, company: str) -> list[Train]:
        """Seller and type of every train that the company can offer something for."""
        return [
            (other, train)
            for other, state in game.state.companies.items()
            if other != company and state.floated and game.decider(other) and self.may_sell(game, other)
            for train in dict.fromkeys(movable(game, other))
            if self.least_price(game, other, train) <= self.most_price(game, company, train)
            and not self.no_room(game, company, train)
        ]

    def most_price(self, game: Game, company: str, train: str) -> int:
        """What a company can pay another for a train: no more than it has."""
        return game.state.cash[company]

    def least_price(self, game: Game, seller: str, train: str) -> int:
        """What a proposal must name at least: more than what was declined in this turn."""
        return max(self.lowest_price(game), declined(game, seller, train) + 1)

    def lowest_price(self, game: Game) -> int:
        """What can be agreed at least, also by a counter."""
        return 1

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        trains = {train.name for train in game.definition.trains}
        if move.train not in trains:
            raise game.refuse("unknown.train", train=move.train)
        if move.source in game.state.companies and not game.rules.trains.counts(move.train):
            raise game.refuse("train.no_trade", train=move.train)
        if game.rules.trains.bound(move.train):
            raise game.refuse("train.bound", company=move.source, train=move.train)
        full = self.no_room(game, company, move.train)
        if full is not None:
            raise full
        if move.source in (BANK, POOL):
            self._check_bank(game, company, move)
            return
        seller = game.state.companies.get(move.source)
        if seller is None or move.source == company:
            raise game.refuse("unknown.seller", seller=move.source)
        if move.train not in seller.trains:
            raise game.refuse("unknown.train.seller", seller=move.source, train=move.train)
        if not self.may_trade(game):
            raise game.refuse("train.trade")
        if not game.decider(move.source):
            raise game.refuse("train.no_director", company=move.source)
        if not self.may_sell(game, move.source):
            raise game.refuse("train.no_seller", company=move.source)
        if self.raising.begun(game) and (move.source, move.train) not in self.purchases(game, company):
            raise game.refuse("forced.choice.company")
        if move.price < 1:
            raise game.refuse("train.price")
        most = self.most_price(game, company, move.train)
        if move.price > most:
            raise game.refuse("train.treasury.trade", company=company, cash=most)
        if move.price < self.least_price(game, move.source, move.train):
            bar = self.least_price(game, move.source, move.train) - 1
            raise game.refuse("train.price.declined", company=move.source, price=bar)

    def _check_bank(self, game: Game, company: str, move: BuyTrain) -> None:
        offered = self.bank_trains(game, company)
        if (move.source, move.train) not in offered:
            if move.source == BANK and move.train in on_sale(game):
                raise game.refuse("train.new_limit", company=company)
            raise game.refuse("train.order", train=move.train)
        cost = price(game, move.train)
        if move.price != cost:
            raise game.refuse("train.printed", train=move.train, cost=cost)
        forced = self.forced(game, company)
        if not forced:
            if cost > game.state.cash[company]:
                raise game.refuse("train.treasury", company=company, cash=game.state.cash[company], cost=cost)
            return
        if (move.source, move.train) not in forced:
            raise game.refuse("forced.choice", trains=tuple(dict.fromkeys(train for _, train in forced)))
        need = self.need(game, company, forced)
        if cost > self.raising.funds(need):
            raise game.refuse("forced.order", cost=cost)
        if cost not in self.raising.payable(need):
            raise game.refuse("forced.no_more.raised")

    def buy(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source in (BANK, POOL):
            self.raising.pay(self.need(game, company, [(move.source, move.train)]), move.price)
            game.pay(company, BANK, move.price, "train", move.train)
            if move.source == POOL:
                game.state.depot.pool.remove(move.train)
            else:
                take(game, move.train)
            game.company(company).trains.append(move.train)
            game.emit(ev.TrainBought(company, move.train, move.source, move.price))
            if move.source == BANK:
                leaves(game, move.train)
            return
        if game.decider(move.source) == move.player:
            self.trade(game, company, move.train, move.source, move.price)
            return
        game.emit(ev.TrainProposed(company, move.train, move.source, move.price))
        game.ask(
            "train_sale",
            [game.decider(move.source)],
            company=company,
            train=move.train,
            seller=move.source,
            price=move.price,
        )

    def trade(self, game: Game, company: str, train: str, seller: str, amount: int) -> None:
        self.raising.pay(self.raising.need(game, company, [amount]), amount)
        game.pay(company, seller, amount, "train", train)
        game.company(seller).trains.remove(train)
        game.company(company).trains.append(train)
        game.emit(ev.TrainBought(company, train, seller, amount))

    # ------------------------------------------------------------------ the step

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company = turn.game, turn.actor
        result: list[Choice[Any]] = []
        purchases = self.purchases(game, company)
        if purchases:
            result.append(BuyTrainChoice(game, turn.decider, company, self))
        forced = self.forced(game, company)
        if forced:
            need = self.need(game, company, forced)
            sources = self.raising.choices(need)
            result += sources
            # Nothing but a trade with another company, which may fail, could bring a train.
            if not sources and all(source not in (BANK, POOL) for source, _ in purchases):
                result.append(BankruptChoice(need))
        if not self.must_buy(game, company):
            result.append(turn.passing())
        return result

    def must_buy(self, game: Game, company: str) -> bool:
        """Whether the turn may not end without a purchase."""
        return bool(self.remedies(game, company))

    def waiting(self, turn: Turn) -> bool:
        game, company = turn.game, turn.actor
        return bool(self.purchases(game, company)) or self.must_buy(game, company) or self.barred(game, company)

    def barred(self, game: Game, company: str) -> bool:
        """Whether nothing but a declined price keeps a train of another company from being bought."""
        return (
            game.state.cash[company] >= 1
            and self.may_trade(game)
            and any(
                seller in game.state.companies
                and train in game.company(seller).trains
                and self.no_room(game, company, train) is None
                for seller, train, _ in Declined.of(game).declined
            )
        )

    def explain(self, turn: Turn, move: Move) -> None:
        game, company = turn.game, turn.actor
        if isinstance(move, BuyTrain) and move.company == company:
            self.check(game, company, move)
        forced = self.forced(game, company)
        if forced:
            self.raising.refuse_sale(self.need(game, company, forced), move)
        if isinstance(move, Pass) and self.must_buy(game, company):
            raise game.refuse("train.duty", company=company)

    def questions(self) -> Mapping[str, Question]:
        return {"train_sale": TrainDeal(self).asked}


class TrainDeal(Deal):
    """The sale of a train from one company to another, with the consent of both directors."""

    what = "train"

    def __init__(self, step: TrainStep) -> None:
        self.step = step

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        return self.step.lowest_price(game), self.step.most_price(game, data["company"], data["train"])

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        self.step.trade(game, data["company"], data["train"], data["seller"], data["price"])
