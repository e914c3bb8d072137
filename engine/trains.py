"""Trains: what is on sale, phases and rusting, the limit, trade between companies, forced purchase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine import shares
from engine.moves import (
    Answer,
    BuyTrain,
    DiscardTrain,
    GoBankrupt,
    Move,
    SellOwnShares,
    SellShares,
    TakeCredit,
)
from engine.offer import Choice, Domain, Number, Option, Options, PassChoice, Picked
from engine.operating import Step, passed
from engine.state import BANK, POOL, Pause

if TYPE_CHECKING:
    from engine.game import Game

# ---------------------------------------------------------------------- the depot


def on_sale(game: Game) -> list[str]:
    """New trains that can be bought now: the first type that is left, and types set free by another."""
    depot = game.state.depot
    result = []
    first = True
    for train in game.definition.trains:
        if depot.left[train.name] <= 0:
            continue
        if first or (train.available_on and depot.sold[train.available_on] > 0):
            result.append(train.name)
        first = False
    return result


def price(game: Game, train: str) -> int:
    return game.definition.train(train).price


def phase_after(game: Game, train: str) -> int:
    """The number of the phase once the first train of a type is bought."""
    for index, phase in enumerate(game.definition.phases):
        if phase.on == train and index > game.state.phase:
            return index
    return game.state.phase


def survivors(game: Game, company: str, new: str) -> list[str]:
    """The trains a company would keep if it bought a new one of this type."""
    rusting = {t.name for t in game.definition.trains if t.rusts_on == new}
    return [train for train in [*game.company(company).trains, new] if train not in rusting]


def take_new(game: Game, company: str, train: str) -> None:
    """A new train leaves the depot, with all that its first sale brings."""
    state = game.state
    state.depot.left[train] -= 1
    state.depot.sold[train] += 1
    game.company(company).trains.append(train)
    if state.depot.sold[train] == 1:
        first_sold(game, train)


def first_sold(game: Game, train: str) -> None:
    """The first train of a type: obsolete trains go, a phase may begin, the limit may fall."""
    state = game.state
    rusting = [t.name for t in game.definition.trains if t.rusts_on == train]
    for name in rusting:
        owners = []
        for owner, company in state.companies.items():
            while name in company.trains:
                company.trains.remove(name)
                state.depot.gone.append(name)
                owners.append(owner)
        while name in state.depot.pool:
            state.depot.pool.remove(name)
            state.depot.gone.append(name)
        game.emit(ev.TrainsRusted(name, tuple(owners)))
    phase = phase_after(game, train)
    if phase != state.phase:
        state.phase = phase
        game.emit(ev.PhaseChanged(game.phase.name, game.phase.colour))
        game.rules.phase_began(game)
        ask_for_discards(game)


def ask_for_discards(game: Game) -> None:
    """Every company over the limit discards; where there is no choice it happens by itself."""
    limit = game.phase.train_limit
    for company in game.prices.order():
        trains = game.company(company).trains
        while len(trains) > limit and len(set(trains)) == 1:
            discard(game, company, trains[0])
        if len(trains) > limit:
            game.state.pauses.append(
                Pause("discard", [game.company(company).director], {"company": company})
            )


def discard(game: Game, company: str, train: str) -> None:
    game.company(company).trains.remove(train)
    game.state.depot.pool.append(train)
    game.emit(ev.TrainDiscarded(company, train))


class DiscardChoice(Choice[DiscardTrain]):
    """A director chooses which surplus train goes to the pool."""

    kind = DiscardTrain

    def matches(self, move: object) -> bool:
        return (
            isinstance(move, DiscardTrain) and move.player == self.player and move.company == self.company
        )

    def ask(self, picked: Picked) -> Domain | None:
        if "train" in picked:
            return None
        trains = dict.fromkeys(self.game.company(self.company).trains)
        return Options("train", [Option(train) for train in trains])

    def move(self, picked: Picked) -> DiscardTrain:
        return DiscardTrain(self.player, self.company, picked["train"])

    def check(self, move: DiscardTrain) -> None:
        if move.train not in self.game.company(self.company).trains:
            raise self.game.refuse("train.discard", f"{self.company} has no {move.train}-train")

    def perform(self, move: DiscardTrain) -> None:
        game = self.game
        discard(game, self.company, move.train)
        if len(game.company(self.company).trains) <= game.phase.train_limit:
            game.state.pauses = [
                pause
                for pause in game.state.pauses
                if not (pause.kind == "discard" and pause.data["company"] == self.company)
            ]


# ---------------------------------------------------------------------- trade between companies


class AnswerChoice(Choice[Answer]):
    """Accept, decline or counter the sale of a train between two companies."""

    kind = Answer

    def __init__(self, game: Game, player: str, pause: Pause, step: TrainStep) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause
        self.step = step

    def counters(self) -> tuple[int, int]:
        """The prices that a counter may name: a seller asks for more, a buyer offers less."""
        proposed = self.pause.data["price"]
        if self.player == self.game.company(self.company).director:
            return 1, proposed - 1
        return proposed + 1, self.game.state.cash[self.company]

    def ask(self, picked: Picked) -> Domain | None:
        data = self.pause.data
        low, high = self.counters()
        if "reply" not in picked:
            facts = {key: data[key] for key in ("company", "train", "seller", "price")}
            replies = ["accept", "decline", *(["counter"] if low <= high else [])]
            return Options("reply", [Option(reply, facts) for reply in replies])
        if picked["reply"] == "counter" and "price" not in picked:
            return Number("price", low, high)
        return None

    def move(self, picked: Picked) -> Answer:
        return Answer(self.player, picked["reply"], picked.get("price", 0))

    def check(self, move: Answer) -> None:
        game, data = self.game, self.pause.data
        if move.reply not in ("accept", "decline", "counter"):
            raise game.refuse("", f"one may accept, decline or counter, not {move.reply!r:.20}")
        low, high = self.counters()
        if move.reply == "counter" and not low <= move.price <= high:
            raise game.refuse(
                "train.price",
                f"a counter is from {low} to {high}: at least 1, at most what {self.company} has, "
                "more than proposed from the seller, less from the buyer",
            )
        if move.reply != "counter" and move.price not in (0, data["price"]):
            raise game.refuse("", f"the price proposed is {data['price']}")

    def perform(self, move: Answer) -> None:
        game, data = self.game, self.pause.data
        game.emit(ev.ProposalAnswered(self.player, move.reply, move.price or data["price"]))
        if move.reply == "counter":
            buyer = game.company(data["company"]).director
            seller = game.company(data["seller"]).director
            self.pause.players = [seller if self.player == buyer else buyer]
            data["price"] = move.price
            return
        game.state.pauses.remove(self.pause)
        if move.reply == "accept":
            self.step.trade(game, data["company"], data["train"], data["seller"], data["price"])
        else:
            game.state.round.turn.setdefault("declined", []).append(
                [data["seller"], data["train"], data["price"]]
            )


# ---------------------------------------------------------------------- the step


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
            return Options("train", [Option(train, {"price": price(game, train)}) for train in trains])
        if "price" not in picked:
            if picked["source"] in (BANK, POOL):
                return Options("price", [Option(price(game, picked["train"]))])
            return Number(
                "price",
                step.least_price(game, picked["source"], picked["train"]),
                game.state.cash[self.company],
            )
        return None

    def move(self, picked: Picked) -> BuyTrain:
        return BuyTrain(self.player, self.company, picked["train"], picked["source"], picked["price"])

    def check(self, move: BuyTrain) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        self.step.check(self.game, self.company, move)

    def perform(self, move: BuyTrain) -> None:
        self.step.buy(self.game, self.company, move)


class SellOwnSharesChoice(Choice[SellOwnShares]):
    """In a forced purchase a company first sells its own certificates."""

    kind = SellOwnShares

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        value = self.game.prices.value(self.company)
        return Options(
            "percent",
            [
                Option(percent, {"amount": value * percent // 10})
                for percent in self.step.own_sales(self.game, self.company)
            ],
        )

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def check(self, move: SellOwnShares) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        if move.percent not in self.step.own_sales(game, self.company):
            raise game.refuse(
                "forced.no_more",
                f"{self.company} cannot sell {move.percent} %: more than needed, not in its hands, or too much "
                "for the bank pool",
            )

    def perform(self, move: SellOwnShares) -> None:
        game = self.game
        group = shares.subset(
            {n: shares.percent_of(game, self.company, n) for n in shares.numbers(game, self.company, self.company)},
            move.percent,
        )
        assert group is not None
        amount = game.prices.value(self.company) * move.percent // 10
        self.step.raised(game, self.company, game.state.cash[self.company], amount, group)
        for number in group:
            shares.move(game, self.company, number, POOL)
        game.emit(ev.SharesSold(self.company, self.company, move.percent, amount))
        game.pay(BANK, self.company, amount, "sale of own shares")
        self.step.sale_moves_price(game, self.company, move.percent)


class ForcedSaleChoice(Choice[SellShares]):
    """In a forced purchase a director sells certificates, no more than needed, keeping every directorship."""

    kind = SellShares

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        sales = self.step.director_sales(self.game, self.company)
        if "company" not in picked:
            return Options(
                "company",
                [Option(c, {"price": self.game.prices.value(c)}) for c in dict.fromkeys(c for c, _ in sales)],
            )
        if "percent" not in picked:
            value = self.game.prices.value(picked["company"])
            return Options(
                "percent",
                [Option(p, {"amount": value * p // 10}) for c, p in sales if c == picked["company"]],
            )
        return None

    def move(self, picked: Picked) -> SellShares:
        return SellShares(self.player, picked["company"], picked["percent"])

    def check(self, move: SellShares) -> None:
        if (move.company, move.percent) not in self.step.director_sales(self.game, self.company):
            raise self.game.refuse(*self.step.why_no_sale(self.game, self.company, move.company, move.percent))

    def perform(self, move: SellShares) -> None:
        game, director = self.game, self.player
        plan = shares.sale(game, move.company, director, move.percent)
        assert plan is not None
        amount = game.prices.value(move.company) * move.percent // 10
        funds = game.state.cash[self.company] + game.state.cash[director]
        self.step.raised(game, move.company, funds, amount, plan[0])
        shares.sell_to_pool(game, move.company, director, move.percent)
        game.emit(ev.SharesSold(director, move.company, move.percent, amount))
        game.pay(BANK, director, amount, f"sale of {move.company}")
        self.step.sale_moves_price(game, move.company, move.percent)


class CreditChoice(Choice[TakeCredit]):
    """In a forced purchase a director borrows what is still missing."""

    kind = TakeCredit

    def __init__(self, game: Game, player: str, company: str, step: TrainStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "amount" in picked:
            return None
        return Options("amount", [Option(a, {"owed": 2 * a}) for a in self.step.credits(self.game, self.company)])

    def move(self, picked: Picked) -> TakeCredit:
        return TakeCredit(self.player, self.company, picked["amount"])

    def check(self, move: TakeCredit) -> None:
        if move.amount not in self.step.credits(self.game, self.company):
            raise self.game.refuse("forced.no_more", "a credit is for exactly the sum that is missing")

    def perform(self, move: TakeCredit) -> None:
        game = self.game
        funds = game.state.cash[self.company] + game.state.cash[self.player]
        game.state.round.turn["raising"] = True
        game.state.round.turn["floor"] = funds + move.amount - 1
        game.state.credits[self.player] += move.amount
        game.pay(BANK, self.player, move.amount, "bank credit")
        game.emit(ev.CreditTaken(self.player, move.amount))


class BankruptChoice(Choice[GoBankrupt]):
    """Nothing is left to sell: the director is bankrupt."""

    kind = GoBankrupt

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> GoBankrupt:
        return GoBankrupt(self.player, self.company)

    def check(self, move: GoBankrupt) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", f"{self.company} is operating, not {move.company}")

    def perform(self, move: GoBankrupt) -> None:
        self.game.rules.bankrupt(self.game, self.player, self.company)


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

    def sale_moves_price(self, game: Game, company: str, percent: int) -> None:
        cell = game.company(company).price
        assert cell is not None
        game.rules.move_price(game, company, game.prices.down(cell), "sale")

    def may_trade(self, game: Game) -> bool:
        """Whether companies may sell trains to each other."""
        return True

    # ------------------------------------------------------------------ ordinary purchases

    def room(self, game: Game, company: str) -> bool:
        return len(game.company(company).trains) < game.phase.train_limit

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """Whether the buyer stays within the limit of the phase that the purchase would begin."""
        if game.state.depot.sold[train]:
            return True
        limit = game.definition.phases[phase_after(game, train)].train_limit
        return len(survivors(game, company, train)) <= limit

    def bank_trains(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Source and type of every train of bank and pool, whether or not it can be paid."""
        new = [(BANK, train) for train in on_sale(game) if self.keeps_limit(game, company, train)]
        return new + [(POOL, train) for train in dict.fromkeys(game.state.depot.pool)]

    def forced(self, game: Game, company: str) -> list[tuple[str, str]]:
        """The trains among which a forced purchase chooses; empty when it is none."""
        if game.company(company).trains or not self.obliged(game, company):
            return []
        cash = game.state.cash[company]
        trains = self.bank_trains(game, company)
        if not trains:
            return []
        began = game.state.round.turn.get("raising")
        if not began and any(price(game, train) <= cash for _, train in trains):
            return []
        new = [train for source, train in trains if source == BANK]
        cheapest = min(new, key=lambda train: price(game, train), default="")
        return [(source, train) for source, train in trains if source == POOL or train == cheapest]

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
        if not self.room(game, company):
            return []
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
                    for train in dict.fromkeys(state.trains):
                        if self.least_price(game, other, train) <= cash:
                            result.append((other, train))
        return result

    def least_price(self, game: Game, seller: str, train: str) -> int:
        """At least 1; and more than what was declined in this turn."""
        declined = [
            entry[2] for entry in game.state.round.turn.get("declined", ()) if entry[:2] == [seller, train]
        ]
        return max(declined, default=0) + 1

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        trains = {train.name for train in game.definition.trains}
        if move.train not in trains:
            raise game.refuse("", f"there is no train {move.train!r:.12}")
        if not self.room(game, company):
            raise game.refuse("train.limit", f"{company} has {game.phase.train_limit} trains, as many as it may")
        if move.source in (BANK, POOL):
            self._check_bank(game, company, move)
            return
        seller = game.state.companies.get(move.source)
        if seller is None or move.source == company:
            raise game.refuse("", f"{move.source!r:.20} is no seller of trains")
        if move.train not in seller.trains:
            raise game.refuse("", f"{move.source} has no {move.train}-train")
        if game.state.round.turn.get("raising") or not self.may_trade(game):
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
            raise game.refuse("forced.choice", "a forced purchase takes a pool train or the cheapest new one")
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

    def target(self, game: Game, company: str) -> int:
        """The dearest train that a forced purchase may take."""
        floor = game.state.round.turn.get("floor", -1)
        return max((price(game, t) for _, t in self.forced(game, company) if price(game, t) > floor), default=0)

    def own_sales(self, game: Game, company: str) -> list[int]:
        """Percentages of its own shares that a company may still have to sell."""
        if not self.own_shares_first:
            return []
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        if not owned:
            return []
        missing = self.target(game, company) - game.state.cash[company]
        return self._needed(game, company, owned, missing)

    def _needed(self, game: Game, company: str, owned: dict[int, int], missing: int) -> list[int]:
        """Percentages that can be sold without one certificate too many."""
        if missing <= 0:
            return []
        value = game.prices.value(company)
        space = game.definition.pool_limit - shares.held(game, company, POOL)
        result = []
        for percent in range(10, min(sum(owned.values()), space) + 1, 10):
            group = shares.subset(owned, percent)
            if group is None:
                continue
            smallest = min(owned[number] for number in group)
            if value * (percent - smallest) // 10 < missing:
                result.append(percent)
        return result

    def director_sales(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Company and percentage of each sale that the director may make in a forced purchase."""
        director = game.company(company).director
        if not self.forced(game, company) or self.own_sales(game, company):
            return []
        missing = self.target(game, company) - game.state.cash[company] - game.state.cash[director]
        result = []
        for name, state in game.state.companies.items():
            if not state.floated or not self.may_be_sold(game, name):
                continue
            owned = {n: shares.percent_of(game, name, n) for n in shares.numbers(game, name, director) if n}
            for percent in self._needed(game, name, owned, missing):
                plan = shares.sale(game, name, director, percent)
                if plan is not None and plan[1] == state.director:
                    result.append((name, percent))
        return result

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
        plan = shares.sale(game, name, director, percent)
        if plan is None or plan[1] != game.company(name).director:
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

    def explain(self, game: Game, company: str, move: Move) -> None:
        if isinstance(move, BuyTrain) and move.company == company:
            self.check(game, company, move)

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
        if game.company(company).trains or not self.bank_trains(game, company):
            return False
        return self.obliged(game, company)

    def waiting(self, game: Game, company: str) -> bool:
        return bool(self.purchases(game, company)) or self.must_buy(game, company)

    def pause_choices(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        """What those asked may do about a discard or a proposal."""
        if pause.kind == "discard":
            return [DiscardChoice(game, player, pause.data["company"]) for player in pause.players]
        return [AnswerChoice(game, player, pause, self) for player in pause.players]
