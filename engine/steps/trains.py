"""Buying trains: from the bank, the pool or another company, and the forced purchase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.finance import shares
from engine.finance.depot import (
    DiscardChoice,
    counting,
    discard,
    first_sold,
    on_sale,
    phase_after,
    price,
    survivors,
    take_new,
)
from engine.finance.forced import BankruptChoice, CreditChoice, ForcedSaleChoice, SellOwnSharesChoice
from engine.moves import BuyTrain, Move
from engine.offer import Choice, Domain, Number, Option, Options, PassChoice, Picked
from engine.rounds.operating import Step, passed
from engine.rounds.proposals import AnswerChoice, Deal, declined
from engine.state import BANK, POOL, Pause

if TYPE_CHECKING:
    from engine.game import Game

__all__ = [
    "BuyTrainChoice",
    "DiscardChoice",
    "TrainStep",
    "discard",
    "first_sold",
    "on_sale",
    "phase_after",
    "price",
    "survivors",
    "take_new",
]


class BuyTrainChoice(Choice[BuyTrain]):
    """Buy a train from the bank, the pool or another company."""

    kind = BuyTrain

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        offers = step.purchases(game, self.company)
        if "source" not in picked:
            return Options("source", [Option(source) for source in dict.fromkeys(s for s, _ in offers)])
        if "train" not in picked:
            trains = dict.fromkeys(train for source, train in offers if source == picked["source"])
            return Options("train", [Option(train, self._facts(picked["source"], train)) for train in trains])
        if "price" not in picked:
            if picked["source"] in (BANK, POOL):
                return Options("price", [Option(price(game, picked["train"]))])
            return Number(
                "price",
                step.least_price(game, picked["source"], picked["train"]),
                game.state.cash[self.company],
            )
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
            raise self.game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        self.step.check(self.game, self.company, move)

    def perform(self, move: BuyTrain) -> None:
        self.step.buy(self.game, self.company, move)


class TrainStep(Step):
    """Buying trains. In a forced purchase money is raised in a fixed order, never more than needed.

    While money is raised, `floor` in the turn's memory is what the director had before the last
    certificate he needed: only a train dearer than that justifies the sale.
    """

    name = "trains"
    #: Whether a company sells its own certificates before its director pays.
    own_shares_first = True
    #: Whether a director may borrow from the bank.
    credit = True

    # ------------------------------------------------------------------ hooks

    def must_own_train(self, game: Game, company: str) -> bool:
        """Whether a company without a train must buy one: it could run an ordinary train now."""
        router = game.router(company)
        return router.any_route(self.ordinary_train(game))

    def ordinary_train(self, game: Game) -> str:
        """A train without rules of its own, to ask whether any route exists."""
        return game.definition.trains[0].name

    def may_trade(self, game: Game) -> bool:
        """Whether companies may sell trains to each other."""
        return True

    def forced_choice(self, game: Game, trains: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The trains among which a forced purchase chooses: any of the pool, and the cheapest new one."""
        new = [train for source, train in trains if source == BANK]
        cheapest = min(new, key=lambda train: price(game, train), default="")
        return [(source, train) for source, train in trains if source == POOL or train == cheapest]

    def may_change_director(self, game: Game, company: str, name: str) -> bool:
        """Whether the forced sale of shares of `name` may cost its director the office."""
        return False

    # ------------------------------------------------------------------ ordinary purchases

    def room(self, game: Game, company: str, train: str) -> bool:
        """Whether a company may own one more train of a type."""
        return len(counting(game, company)) < game.phase.train_limit

    def check_room(self, game: Game, company: str, train: str) -> None:
        if not self.room(game, company, train):
            raise game.refuse("train.limit", f"{company} may own no more trains now")

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """Whether the buyer stays within the limit of the phase that the purchase would begin."""
        if game.state.depot.sold[train]:
            return True
        limit = game.definition.phases[phase_after(game, train)].train_limit
        return len(survivors(game, company, train)) <= limit

    def bank_trains(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Source and type of every train of bank and pool, whether or not it can be paid."""
        new = [(BANK, train) for train in on_sale(game) if self.keeps_limit(game, company, train)]
        old = [(POOL, train) for train in dict.fromkeys(game.state.depot.pool)]
        return [(source, train) for source, train in new + old if self.room(game, company, train)]

    def remedies(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Those of bank and pool that would end the lack of a train; empty while there is none."""
        if counting(game, company) or not self.obliged(game, company):
            return []
        return [(s, train) for s, train in self.bank_trains(game, company) if game.rules.counts_as_train(train)]

    def forced(self, game: Game, company: str) -> list[tuple[str, str]]:
        """The trains among which a forced purchase chooses; empty when it is none."""
        cash = game.state.cash[company]
        trains = self.remedies(game, company)
        began = game.state.round.turn.get("raising")
        if not began and any(price(game, train) <= cash for _, train in trains):
            return []
        return self.forced_choice(game, trains)

    def obliged(self, game: Game, company: str) -> bool:
        result: bool = game.kept(("must_own_train", company), lambda: self.must_own_train(game, company))
        return result

    def funds(self, game: Game, company: str) -> int:
        """What a forced purchase can use: the director pays only when the own shares are gone."""
        treasury = game.state.cash[company]
        if self.own_sales(game, company):
            return treasury
        return treasury + game.state.cash[game.company(company).director]

    def purchases(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Source and type of every train that the company may buy and can pay."""
        cash = game.state.cash[company]
        forced = self.forced(game, company)
        if forced:
            floor = self.floor(game, company)
            funds = self.funds(game, company)
            result = [(s, t) for s, t in forced if floor < price(game, t) <= funds]
            if game.state.round.turn.get("raising"):
                return result
        else:
            result = [(s, t) for s, t in self.bank_trains(game, company) if price(game, t) <= cash]
        if cash >= 1 and self.may_trade(game):
            for other, state in game.state.companies.items():
                if other != company and state.floated:
                    for train in dict.fromkeys(counting(game, other)):
                        if self.least_price(game, other, train) <= cash and self.room(game, company, train):
                            result.append((other, train))
        return result

    def least_price(self, game: Game, seller: str, train: str) -> int:
        """At least 1; and more than what was declined in this turn."""
        return declined(game, seller, train) + 1

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        trains = {train.name for train in game.definition.trains}
        if move.train not in trains:
            raise game.refuse("", f"there is no train {move.train!r:.12}")
        if move.source in game.state.companies and not game.rules.counts_as_train(move.train):
            raise game.refuse("train.no_trade", f"a {move.train} is never sold to another company")
        self.check_room(game, company, move.train)
        if move.source in (BANK, POOL):
            self._check_bank(game, company, move)
            return
        seller = game.state.companies.get(move.source)
        if seller is None or move.source == company:
            raise game.refuse("", f"{move.source!r:.20} is no seller of trains")
        if move.train not in seller.trains:
            raise game.refuse("", f"{move.source} has no {move.train}-train")
        if not self.may_trade(game):
            raise game.refuse("train.trade", "companies may not sell trains to each other yet")
        if game.state.round.turn.get("raising"):
            raise game.refuse("forced.choice", "in a forced purchase no train comes from another company")
        if move.price < 1:
            raise game.refuse("train.price", "a train costs at least 1")
        if move.price > game.state.cash[company]:
            raise game.refuse("train.treasury", f"{company} has {game.state.cash[company]}; only its treasury pays")
        if move.price < self.least_price(game, move.source, move.train):
            raise game.refuse("", f"{move.source}'s director has declined {move.price} in this turn")

    def _check_bank(self, game: Game, company: str, move: BuyTrain) -> None:
        offered = self.bank_trains(game, company)
        if (move.source, move.train) not in offered:
            if move.source == BANK and move.train in on_sale(game):
                raise game.refuse("train.new_limit", f"with it {company} would exceed the limit of the new phase")
            raise game.refuse("train.order", f"no {move.train}-train is on sale there")
        cost = price(game, move.train)
        if move.price != cost:
            raise game.refuse("train.printed", f"a {move.train}-train costs {cost}")
        forced = self.forced(game, company)
        if not forced:
            if cost > game.state.cash[company]:
                raise game.refuse("train.treasury", f"{company} has {game.state.cash[company]}, the train costs {cost}")
            return
        if (move.source, move.train) not in forced:
            trains = ", ".join(f"{train} ({source})" for source, train in forced)
            raise game.refuse("forced.choice", f"a forced purchase chooses among: {trains}")
        if cost > self.funds(game, company):
            raise game.refuse("forced.order", f"the money for {cost} must be raised first, in the prescribed order")
        if cost <= self.floor(game, company):
            raise game.refuse("forced.no_more", "more money was raised than this train needs")

    def buy(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source in (BANK, POOL):
            director = game.company(company).director
            missing = move.price - game.state.cash[company]
            if missing > 0:
                game.pay(director, company, missing, "forced purchase")
                game.emit(ev.DirectorAdded(director, company, missing))
            game.pay(company, BANK, move.price, f"{move.train}-train")
            game.emit(ev.TrainBought(company, move.train, move.source, move.price))
            game.state.round.turn.pop("raising", None)
            game.state.round.turn.pop("floor", None)
            if move.source == POOL:
                game.state.depot.pool.remove(move.train)
                game.company(company).trains.append(move.train)
            else:
                take_new(game, company, move.train)
            return
        if game.company(move.source).director == move.player:
            self.trade(game, company, move.train, move.source, move.price)
            return
        game.emit(ev.TrainProposed(company, move.train, move.source, move.price))
        game.state.pauses.append(
            Pause(
                "train_sale",
                [game.company(move.source).director],
                {"company": company, "train": move.train, "seller": move.source, "price": move.price},
            )
        )

    def trade(self, game: Game, company: str, train: str, seller: str, amount: int) -> None:
        game.pay(company, seller, amount, f"{train}-train")
        game.company(seller).trains.remove(train)
        game.company(company).trains.append(train)
        game.emit(ev.TrainBought(company, train, seller, amount))

    # ------------------------------------------------------------------ raising money

    def target(self, game: Game, company: str) -> int:
        """The dearest train that a forced purchase may take."""
        floor = game.state.round.turn.get("floor", -1)
        return max((price(game, t) for _, t in self.forced(game, company) if price(game, t) > floor), default=0)

    def floor(self, game: Game, company: str) -> int:
        """What a train must cost more than, so that no certificate was sold in vain.

        Nothing if no such train can be reached any more: any train is better than a bankruptcy.
        """
        floor: int = game.state.round.turn.get("floor", -1)
        if self.credit or self.own_sales(game, company) or self.director_sales(game, company):
            return floor
        funds = self.funds(game, company)
        reached = any(floor < price(game, train) <= funds for _, train in self.forced(game, company))
        return floor if reached else -1

    def own_sales(self, game: Game, company: str) -> list[int]:
        """Percentages of its own shares that a company may still have to sell."""
        if not self.own_shares_first:
            return []
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        missing = self.target(game, company) - game.state.cash[company]
        space = game.definition.pool_limit - shares.held(game, company, POOL)
        groups = {p: shares.subset(owned, p) for p in range(10, min(sum(owned.values()), space) + 1, 10)}
        return [
            percent
            for percent, group in groups.items()
            if group is not None and self.needed(game, company, percent, group, missing)
        ]

    def needed(self, game: Game, company: str, percent: int, group: tuple[int, ...], missing: int) -> bool:
        """Whether a sale has no certificate too many."""
        smallest = min(shares.percent_of(game, company, number) for number in group)
        return game.prices.value(company) * (percent - smallest) // 10 < missing

    def saleable(self, game: Game, company: str) -> list[tuple[str, int, tuple[int, ...]]]:
        """Company, percentage and certificates of each sale that the rules allow a director, needed or not."""
        director = game.company(company).director
        result = []
        for name, state in game.state.companies.items():
            if not state.floated or not self.may_be_sold(game, name):
                continue
            space = game.definition.pool_limit - shares.held(game, name, POOL)
            for percent in range(10, min(shares.held(game, name, director), space) + 1, 10):
                plan = shares.sale(game, name, director, percent)
                if plan is not None and (plan[1] == state.director or self.may_change_director(game, company, name)):
                    result.append((name, percent, plan[0]))
        return result

    def director_sales(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Company and percentage of each sale that the director may make in a forced purchase."""
        director = game.company(company).director
        if not self.forced(game, company) or self.own_sales(game, company):
            return []
        missing = self.target(game, company) - game.state.cash[company] - game.state.cash[director]
        if missing <= 0:
            return []
        sales = [
            (name, percent)
            for name, percent, group in self.saleable(game, company)
            if self.needed(game, name, percent, group, missing)
        ]
        return self.without_waste(game, sales, missing)

    def without_waste(self, game: Game, sales: list[tuple[str, int]], missing: int) -> list[tuple[str, int]]:
        """Those of a director's sales after which nothing that he has sold before was sold in vain."""
        return sales

    def may_be_sold(self, game: Game, company: str) -> bool:
        """Whether shares of a company may be sold at this time."""
        return True

    def why_no_sale(self, game: Game, company: str, name: str, percent: int) -> tuple[str, str]:
        """Key and reason for refusing a sale in a forced purchase."""
        director = game.company(company).director
        if self.own_sales(game, company):
            return "forced.order", f"{company} must sell its own shares first"
        if name not in game.state.companies or shares.held(game, name, director) < percent:
            return "", f"{director} does not hold {percent} % of {name!r:.20}"
        if shares.held(game, name, POOL) + percent > game.definition.pool_limit:
            return "forced.pool", f"at most {game.definition.pool_limit} % may lie in the bank pool"
        if not self.may_be_sold(game, name):
            return "forced.unsaleable", f"shares of {name} cannot be sold now"
        if all(entry[:2] != (name, percent) for entry in self.saleable(game, company)):
            return "forced.director", f"the sale would change the director of {name}"
        return "forced.no_more", "that is more than the purchase needs"

    def credits(self, game: Game, company: str) -> list[int]:
        """The sums that a director may borrow: exactly what is missing for one of the trains."""
        director = game.company(company).director
        if not self.credit or self.own_sales(game, company):
            return []
        funds = game.state.cash[company] + game.state.cash[director]
        floor = game.state.round.turn.get("floor", -1)
        return sorted(
            {
                price(game, train) - funds
                for _, train in self.forced(game, company)
                if price(game, train) > max(funds, floor)
            }
        )

    def raised(self, game: Game, company: str, funds: int, amount: int, group: tuple[int, ...]) -> None:
        """Remember that money was raised, and what there was without the last certificate."""
        turn = game.state.round.turn
        turn["raising"] = True
        percent = sum(shares.percent_of(game, company, number) for number in group)
        smallest = min(shares.percent_of(game, company, number) for number in group)
        turn["floor"] = funds + amount * (percent - smallest) // percent

    # ------------------------------------------------------------------ the step

    def choices(self, game: Game, company: str) -> list[Choice[Any]]:
        director = game.company(company).director
        result: list[Choice[Any]] = []
        if self.purchases(game, company):
            result.append(BuyTrainChoice(game, director, company, self))
        if self.forced(game, company):
            if self.own_sales(game, company):
                result.append(SellOwnSharesChoice(game, director, company, self))
            if self.director_sales(game, company):
                result.append(ForcedSaleChoice(game, director, company, self))
            if self.credits(game, company):
                result.append(CreditChoice(game, director, company, self))
            if not result or self.stuck(game, company):
                result.append(BankruptChoice(game, director, company))
        if not self.must_buy(game, company):
            result.append(PassChoice(game, director, company, lambda: passed(game, company)))
        return result

    def stuck(self, game: Game, company: str) -> bool:
        """Whether nothing but a trade with another company, which may fail, could bring a train."""
        return (
            all(source not in (BANK, POOL) for source, _ in self.purchases(game, company))
            and not self.own_sales(game, company)
            and not self.director_sales(game, company)
            and not self.credits(game, company)
        )

    def must_buy(self, game: Game, company: str) -> bool:
        """Whether the turn may not end without a purchase."""
        return bool(self.remedies(game, company))

    def waiting(self, game: Game, company: str) -> bool:
        return bool(self.purchases(game, company)) or self.must_buy(game, company)

    def explain(self, game: Game, company: str, move: Move) -> None:
        if isinstance(move, BuyTrain) and move.company == company:
            self.check(game, company, move)

    def pause_choices(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        """What those asked may do about a discard or a proposal."""
        if pause.kind == "discard":
            return [DiscardChoice(game, player, pause.data["company"]) for player in pause.players]
        return [AnswerChoice(game, player, pause, TrainDeal(self)) for player in pause.players]


class TrainDeal(Deal):
    """The sale of a train from one company to another, with the consent of both directors."""

    what = "train"

    def __init__(self, step: TrainStep) -> None:
        self.step = step

    def parties(self, game: Game, data: dict[str, Any]) -> tuple[str, str]:
        return game.company(data["company"]).director, game.company(data["seller"]).director

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        return 1, game.state.cash[data["company"]]

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        self.step.trade(game, data["company"], data["train"], data["seller"], data["price"])
