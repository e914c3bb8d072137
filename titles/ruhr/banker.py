"""Bankrupt players, and companies that nobody directs: the bank runs them and lends what they lack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.finance import shares
from engine.finance.closing import close_company, close_private
from engine.finance.depot import leaves, on_sale, price, take
from engine.finance.prices import Split, move_price, rules_of
from engine.game import Game
from engine.offer import Choice
from engine.records import Keeps
from engine.remembered import Earned, Raised
from engine.rounds.turns import Step, Turn
from engine.rules import kind_of
from engine.state import BANK, POOL
from engine.steps.run import RunStep
from titles.ruhr import works
from titles.ruhr.cards import owned
from titles.ruhr.ending import transform
from titles.ruhr.heirs import new_director
from titles.ruhr.remembered import BankLoans, TakenOver
from titles.ruhr.spending import SpendStep
from titles.ruhr.trains import RuhrTrainStep

#: Put before the kind of a company that nobody directs.
BANK_RUN = "bank_"


@dataclass(frozen=True, slots=True)
class BankLoan(ev.Event):
    """The bank lends a company that it runs what a purchase lacks."""

    company: str
    amount: int


@dataclass(frozen=True, slots=True)
class LoanRepaid(ev.Event):
    company: str
    amount: int


def kind(game: Game, actor: str) -> str:
    """Companies without a director are of a kind of their own."""
    found = kind_of(game, actor)
    if found in ("railway", works.MONTAN) and not game.company(actor).director:
        return BANK_RUN + found
    return found


# ---------------------------------------------------------------------- bankruptcy


def bankrupt(trains: RuhrTrainStep, spending: SpendStep) -> Callable[[Game, str, str], None]:
    """RUHR-10.9-a: the player leaves; all they hold is sold, and the purchase that ruined them is paid from it."""

    def leaves_game(game: Game, player: str, company: str) -> None:
        state = game.state
        chosen, cost = the_purchase(game, trains, spending, company)
        directed = [name for name, one in state.companies.items() if one.director == player]
        seats = game.from_seat(player)[1:]
        for mine in owned(game, player):
            transform(game, mine)
        for private, owner in state.privates.items():
            if owner == player:
                close_private(game, private)
        sell_everything(game, player, directed)
        missing = min(max(cost - state.cash[company], 0), state.cash[player])
        if missing:
            game.pay(player, company, missing, "forced", company)
            game.emit(ev.DirectorAdded(player, company, missing))
        game.pay(player, BANK, state.cash[player], "bankruptcy", player)
        if state.priority == player:
            state.priority = game.after(player)
            game.emit(ev.PriorityMoved(state.priority))
        state.seats.remove(player)
        state.retired.append(player)
        game.emit(ev.PlayerRetired(player))
        for name in directed:
            if works.kind(game, name) != works.MINE:
                new_director(game, name, seats)
        if len(state.seats) == 1:
            game.finish("bankruptcy")
            return
        # Whoever follows goes on with the purchase: the company's money is for that, and for nothing else.
        state.round.turn[Raised.KEY] = Raised(begun=True)
        TakenOver.of(game).chosen = chosen

    return leaves_game


def the_purchase(game: Game, trains: RuhrTrainStep, spending: SpendStep, company: str) -> tuple[list[str], int]:
    """The cheapest thing that the company must buy, and its price."""
    if works.kind(game, company) == works.MONTAN:
        card = min(spending.forced(game, company), key=lambda c: spending.t.cards[c].development_price)
        return [BANK, card], spending.t.cards[card].development_price
    source, train = min(trains.forced(game, company), key=lambda one: price(game, one[1]))
    return [source, train], price(game, train)


def sell_everything(game: Game, player: str, directed: list[str]) -> None:
    """All certificates go to the pool at their value; only prices of companies that they directed fall."""
    for name in game.prices.order():
        numbers = shares.numbers(game, name, player)
        if not numbers:
            continue
        percent = shares.held(game, name, player)
        amount = shares.worth(game, name, percent)
        if name in directed:
            game.company(name).director = ""
        for number in numbers:
            shares.move(game, name, number, POOL)
        game.emit(ev.SharesSold(player, name, percent, amount))
        game.pay(BANK, player, amount, "sale", name)
        if name in directed:
            cell = game.company(name).price
            assert cell is not None
            move_price(game, name, game.prices.down(cell), "sale")


# ---------------------------------------------------------------------- companies run by the bank


class BankRunStep(RunStep):
    """The best run, made by itself."""

    def waiting(self, turn: Turn) -> bool:
        return False

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        best = game.best_routes(company)
        revenue = game.rules.trains.revenue(best.routes)
        game.company(company).last_revenue = revenue
        Earned.of(turn.game).revenue = revenue
        if best.routes:
            runs = tuple((route.train, route.value, route.path) for route in best.routes)
            game.emit(ev.TrainsRun(company, revenue, runs))


class RepayStep(Step):
    """Everything is withheld, and pays back what the bank has lent."""

    name = "dividend"

    def keeps(self) -> Keeps:
        return (Earned,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        revenue = Earned.of(turn.game).revenue or 0
        if revenue:
            game.pay(BANK, company, revenue, "withheld")
            game.emit(ev.RevenueKept(company, revenue))
        rules_of(game, company).dividend(game, company, Split(0, revenue))
        loans = BankLoans.of(game).loans
        amount = min(loans.get(company, 0), game.state.cash[company])
        if amount:
            loans[company] -= amount
            if not loans[company]:
                del loans[company]
            game.pay(company, BANK, amount, "repaid")
            game.emit(LoanRepaid(company, amount))


def lend(game: Game, company: str, cost: int) -> None:
    """The bank lends what a purchase lacks."""
    missing = cost - game.state.cash[company]
    if missing > 0:
        loans = BankLoans.of(game).loans
        loans[company] = loans.get(company, 0) + missing
        game.pay(BANK, company, missing, "loan")
        game.emit(BankLoan(company, missing))


class BankTrainStep(Step):
    """Without a train and with a route it buys the cheapest of bank and pool."""

    name = "trains"

    def __init__(self, trains: RuhrTrainStep) -> None:
        self.trains = trains

    def keeps(self) -> Keeps:
        return self.trains.keeps()

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        chosen = TakenOver.of(turn.game).chosen
        found = self.trains.remedies(game, company)
        found = [one for one in found if list(one) == chosen] or found
        if not found:
            return
        source, train = min(found, key=lambda one: price(game, one[1]))
        cost = price(game, train)
        lend(game, company, cost)
        game.pay(company, BANK, cost, "train", train)
        if source == POOL:
            game.state.depot.pool.remove(train)
        else:
            take(game, train)
        game.company(company).trains.append(train)
        game.emit(ev.TrainBought(company, train, source, cost))
        if source == BANK:
            leaves(game, train)


class BankSpendStep(Step):
    """Without an active marker it buys the cheapest card that gives one, the highest stages first."""

    name = "spend"

    def __init__(self, spending: SpendStep) -> None:
        self.spending = spending

    def keeps(self) -> Keeps:
        return self.spending.keeps()

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company, spending = turn.game, turn.actor, self.spending
        if not spending.duty(game, company) or not on_sale(game):
            return
        cards = spending.development_cards(game, company)
        if not cards:
            close_company(game, company, "development")
            return
        card = min(cards, key=lambda c: spending.t.cards[c].development_price)
        cost = spending.t.cards[card].development_price
        markers = max(works.selections(game, company, card), key=lambda text: sorted(text, reverse=True))
        lend(game, company, cost)
        game.pay(company, BANK, cost, "development", card)
        works.use_card(game, card)
        works.add(game, company, works.parsed(markers))
        game.emit(works.MarkersTaken(company, card, markers, ""))
