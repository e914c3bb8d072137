"""The turn of the Investor's railway: the card's holder decides what is free, the rest goes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.finance.prices import Split
from engine.finance.raising import Cash, Loan, LoanChoice, Need, Part, Raising, Shares, any_room
from engine.game import Game
from engine.moves import BuyOwnShare, BuyTrain, Move, Pass, SellOwnShares, TakeLoan
from engine.offer import Choice, Options
from engine.rounds.turns import Step, Turn
from engine.state import BANK
from engine.steps.dealing import BuyBackChoice, OwnDeal, SellOneChoice, on_charter, to_buy
from engine.steps.run import BestRunChoice, DividendStep, Payout
from engine.steps.trains import Train
from titles.do.board.forcing import RestOfItsOwn, enough
from titles.do.board.trains import DoTrainStep
from titles.do.railways.running import BeerRunChoice
from titles.do.two.investor import investment, owe, repay
from titles.rhineland.investor import INVESTOR


class BestBeerRunChoice(BeerRunChoice, BestRunChoice):
    """Run for the most, with export beer where that earns more."""


# ---------------------------------------------------------------------- trains of the present


def current(game: Game) -> str:
    """DO-8.2.2.1-c: the train of the present phase, or the next one if the bank has none left; "" if it has no trains
    at all."""
    offered = on_sale(game)
    return game.phase.name if game.phase.name in offered else next(iter(offered), "")


def up_to_date(game: Game, company: str) -> bool:
    """DO-8.2.2.1-c: whether a railway owns a train of the present phase, or of the type that stands for it on
    display."""
    return bool({game.phase.name, current(game)} & {*game.company(company).trains})


def permanent(game: Game, company: str) -> bool:
    return any(not game.definition.train(train).rusts_on for train in game.company(company).trains)


def newest(game: Game, company: str) -> bool:
    """DO-8.2.2.1-b: whether a railway owns a train of the newest type that the bank offers, or one that lasts."""
    return bool({*on_sale(game)[:1]} & {*game.company(company).trains}) or permanent(game, company)


# ---------------------------------------------------------------------- dividends


class IfNewest:
    """DO-8.2.2.1-b: who has the newest and owes nothing pays as `plain` does; others keep everything. `free` says who
    may choose."""

    def __init__(
        self,
        plain: Payout,
        newest: Callable[[Game, str], bool],
        free: Callable[[Game, str], bool] = lambda game, company: False,
    ) -> None:
        self.plain = plain
        self.newest = newest
        self.free = free

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        found = self.plain.ways(game, company, revenue)
        if company in investment(game).owed:
            return {"withhold": found["withhold"]}
        if self.free(game, company):
            return found
        kind = next(iter(found)) if self.newest(game, company) else "withhold"
        return {kind: found[kind]}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return self.plain.earners(game, company)


class RepayingStep(DividendStep):
    """DO-8.2.2.1-e: income that is kept pays back a loan first."""

    def settle(self, game: Game, company: str, split: Split) -> None:
        super().settle(game, company, split)
        repay(game, company, split.kept)


# ---------------------------------------------------------------------- raising money


class CheapestFirst(Shares):
    """DO-8.2.2.1-e: the Investor's certificates of players' companies, in the reverse of the order in which he buys."""

    def __init__(self, ranked: Callable[[Game], list[str]]) -> None:
        super().__init__(room=any_room)
        self.ranked = ranked

    def sales(self, need: Need, target: int, within: int) -> list[Part]:
        """The next sale: no more of the cheapest company than needed, and nothing of those that he directs."""
        game = need.game
        missing = min(need.prices) - need.all_cash
        if missing <= 0:
            return []
        for company in reversed(self.ranked(game)):
            parts = [part for part in self.saleable(need) if part[0] == company]
            if parts:
                percents = [percent for _, percent, _ in parts]
                wanted = enough(percents, game.prices.value(company), missing, shares.unit(game, company))
                return [part for part in parts if part[1] == wanted]
        return []


class FreeLoanChoice(LoanChoice):
    """DO-8.2.2.1-e: the bank lends what is missing without interest; the company pays it back out of its income."""

    def perform(self, move: TakeLoan) -> None:
        game, need = self.game, self.need
        need.raised.begun, need.raised.loan = True, self.source.sums(need)[move.amount]
        owe(game, need.company, move.amount)
        game.pay(BANK, need.payer, move.amount, "loan")
        game.emit(ev.LoanTaken(need.payer, move.amount))


class FreeLoan(Loan):
    """DO-8.2.2.1-e: a loan without interest."""

    def __init__(self) -> None:
        super().__init__(factor=1)

    def choices(self, need: Need, target: int, within: int) -> list[Choice[Any]]:
        return [FreeLoanChoice(need, self)] if self.sums(need) else []


def raising(ranked: Callable[[Game], list[str]]) -> Raising:
    """DO-8.2.2.1-e: the sources in their order: the company's certificates, his cash, his other certificates, a
    loan."""
    return Raising(RestOfItsOwn(), Cash(), CheapestFirst(ranked), FreeLoan(), payer=lambda game, company: INVESTOR)


def raise_all(raising: Raising, need: Need) -> None:
    """All that a price needs, source by source; nowhere is there more than one way, and a company may fail by it."""
    while need.game.company(need.company).floated and (found := raising.choices(need)):
        choice = found[0]
        picked: dict[str, Any] = {}
        while (domain := choice.ask(picked)) is not None:
            assert isinstance(domain, Options)
            picked[domain.name] = domain.options[0].value
        choice.perform(choice.move(picked))


# ---------------------------------------------------------------------- buying trains


class InvestedTrainStep(DoTrainStep):
    """DO-8.2.2.1-d: new trains only: one of the present phase is a duty if the treasury pays it, and without any it
    is forced."""

    def bank_trains(self, game: Game, company: str) -> list[Train]:
        return [(source, train) for source, train in super().bank_trains(game, company) if source == BANK]

    def trades(self, game: Game, company: str) -> list[Train]:
        return []

    def wanted(self, game: Game, company: str) -> str:
        """The train of the present that the railway lacks and has room for, "" if there is none."""
        train = current(game)
        open_ = not up_to_date(game, company) and (BANK, train) in self.bank_trains(game, company)
        return train if open_ else ""

    def due(self, game: Game, company: str) -> str:
        """The train that it must buy now, since it can pay it."""
        train = self.wanted(game, company)
        return train if train and price(game, train) <= game.state.cash[company] else ""

    def must_buy(self, game: Game, company: str) -> bool:
        return super().must_buy(game, company) or bool(self.due(game, company))

    def purchases(self, game: Game, company: str) -> list[Train]:
        due = self.due(game, company)
        return [(BANK, due)] if due else super().purchases(game, company)

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source != BANK:
            raise game.refuse("train.new_only", company=company)
        super().check(game, company, move)
        due = self.due(game, company)
        if due and move.train != due:
            raise game.refuse("train.current", company=company, train=due)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [] if self.forced(turn.game, turn.actor) else super().choices(turn)

    def waiting(self, turn: Turn) -> bool:
        return not self.forced(turn.game, turn.actor) and super().waiting(turn)

    def skipped(self, turn: Turn) -> None:
        """A forced purchase leaves nothing to decide."""
        game, company = turn.game, turn.actor
        forced = self.forced(game, company)
        if forced:
            source, train = forced[0]
            raise_all(self.raising, self.need(game, company, forced))
            if not game.company(company).floated:
                return
            self.buy(game, company, BuyTrain(turn.decider, company, train, source, price(game, train)))

    def explain(self, turn: Turn, move: Move) -> None:
        due = self.due(turn.game, turn.actor)
        if isinstance(move, Pass) and due:
            raise turn.game.refuse("train.duty.current", company=turn.actor, train=due)
        super().explain(turn, move)


# ---------------------------------------------------------------------- its own certificates


class SellForChoice(SellOneChoice):
    """DO-8.2.2.1-f: sell one of the company's own certificates, if that pays for what it lacks."""

    def __init__(self, game: Game, player: str, company: str, cost: int, refused: Refused) -> None:
        super().__init__(game, player, company, on_charter)
        self.cost = cost
        self.refused = refused

    def check(self, move: SellOwnShares) -> None:
        if move.company == self.company and move.percent not in self.percents():
            raise self.refused
        super().check(move)

    def percents(self) -> list[int]:
        game, company = self.game, self.company
        cash = game.state.cash[company]
        if not self.cost or cash >= self.cost:
            return []
        return [p for p in super().percents() if cash + shares.worth(game, company, p) >= self.cost]


class Shopping(Protocol):
    """A step in which something is bought."""

    name: str

    def wanted(self, game: Game, company: str) -> str:
        """The card of the present that a company lacks and has room for, "" if there is none."""
        ...

    def raises_money(self, turn: Turn) -> bool:
        """Whether the company has to find money now."""
        ...


class SellFor(OwnDeal):
    """DO-8.2.2.1-f: a company sells one certificate only for what it lacks of the present, in the step in which that
    is bought."""

    def __init__(self, shopping: Shopping, *stops: str) -> None:
        super().__init__(on_charter, stops=(*stops, shopping.name), sold=shopping.raises_money)
        self.shopping = shopping

    def sale(self, turn: Turn) -> SellForChoice:
        game, company = turn.game, turn.actor
        card = self.shopping.wanted(game, company) if game.state.round.step == self.shopping.name else ""
        return SellForChoice(game, turn.decider, company, price(game, card) if card else 0, self.refusal(turn))

    def refusal(self, turn: Turn) -> Refused:
        return turn.game.refuse("investor.deal", company=turn.actor)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        sale = self.sale(turn)
        return [sale] if sale.percents() and not self.sold(turn) else []

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, SellOwnShares | BuyOwnShare) and move.company == turn.actor:
            raise self.refusal(turn)


class BuyBackStep(Step):
    """DO-8.2.2.1-f: with a train that lasts it buys one certificate back at the end of its turn, if it can."""

    name = "buy_back"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        sizes = to_buy(game, company)
        if sizes and permanent(game, company):
            choice = BuyBackChoice(game, turn.decider, company, on_charter)
            choice.perform(BuyOwnShare(turn.decider, company, sizes[-1]))
