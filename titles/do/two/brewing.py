"""The Investor's brewery: a small one, then a corporation, run by the holder of Investor's Brewery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.moves import BuyOwnShare, Move, Pass
from engine.offer import Choice
from engine.records import OfGame, record
from engine.remembered import ENDLESS
from engine.rounds.turns import Turn
from engine.state import BANK, OFFERING, POOL
from engine.steps.dealing import BuyBackChoice, to_buy
from titles.do.brewery import breweries, trading
from titles.do.brewery.breweries import BREWERY
from titles.do.brewery.brewing import EquipmentStep
from titles.do.brewery.data import tables
from titles.do.two.investor import investment
from titles.do.two.running import SellFor, raise_all
from titles.do.two.stock import Dearest, InvestStep
from titles.do.two.tables import InvestorBrewery
from titles.rhineland.investor import INVESTOR


@dataclass(frozen=True, slots=True)
class BreweryConverted(ev.Event):
    """The Investor's small brewery has become his corporation; so much of it is his."""

    minor: str
    company: str
    percent: int


@record("do.investor_brewery", told="investor")
@dataclass(slots=True)
class DrawnBrewery(OfGame):
    """The corporation that was drawn for him."""

    brewery: str = ""


def his_brewery(game: Game) -> str:
    """The corporation that was drawn for him."""
    return DrawnBrewery.of(game).brewery


def his_minor(game: Game) -> str:
    """His small brewery, "" before he has it and when it has become his corporation."""
    return next(iter(trading.owned(game, INVESTOR)), "")


# ---------------------------------------------------------------------- the conversion


class ConvertStep(InvestStep):
    """DO-8.2.1.3-a: his turn in a stock round; in one of them his small brewery becomes his corporation first."""

    def __init__(self, dearest: Dearest, brewery: InvestorBrewery) -> None:
        super().__init__(dearest)
        self.brewery = brewery

    def skipped(self, turn: Turn) -> None:
        game = turn.game
        minor = his_minor(game)
        if minor and investment(game).founded and game.state.round.stock_number >= self.brewery.stock_round:
            self.convert(game, minor, his_brewery(game))
            return
        super().skipped(turn)

    def convert(self, game: Game, minor: str, company: str) -> None:
        """Property and order token go over, the price stands, then he takes his certificates."""
        place = breweries.order(game).index(minor)
        trading.leave(game, minor)
        game.pay(minor, company, game.state.cash[minor], "traded_in", minor)
        for type_ in list(breweries.equipment(game, minor)):
            if type_ in self.brewery.worn_out:
                breweries.lose(game, minor, type_, "traded_in")
        for type_ in breweries.EquipmentOwned.of(game).owned.pop(minor, []):
            breweries.add(game, company, type_)
        self.put_token(game, company)
        state = game.company(company)
        state.par, state.director = self.brewery.price, INVESTOR
        game.emit(ev.CompanyFounded(INVESTOR, company, state.par))
        breweries.OrderTokens.of(game).order = trading.moved(breweries.order(game), company, place)
        self.acquire(game, company, tables(game).minors[minor].founds_for)
        game.emit(BreweryConverted(minor, company, shares.held(game, company, INVESTOR)))
        game.rules.floating[BREWERY].sold(game, company)
        if not state.floated:  # a part of it lies in the pool
            game.rules.floating[BREWERY].float(game, company)  # type: ignore[attr-defined]
        self.dearest.trade.acted(game, INVESTOR)

    def put_token(self, game: Game, company: str) -> None:
        market = game.definition.market
        row = market.row_of(BREWERY)
        game.prices.put(company, (row, market.rows[row].index(self.brewery.price)))

    def lot(self, game: Game, company: str) -> list[int]:
        """The certificates that make up his part: the director's, then those from the top that fit."""
        found, left = [0], self.brewery.share - self.size(game, company, 0)
        for number in shares.numbers(game, company, OFFERING)[1:]:
            if self.size(game, company, number) <= left:
                found.append(number)
                left -= self.size(game, company, number)
        return found

    def size(self, game: Game, company: str, number: int) -> int:
        return shares.percent_of(game, company, number)

    def acquire(self, game: Game, company: str, free: int) -> None:
        """He pays what is more than the small brewery was worth; what he cannot pay the company sells to the pool."""
        director, *others = self.lot(game, company)
        whole = shares.worth(game, company, self.brewery.share - free)
        self.dearest.sell(game, self.dearest.sales(game, whole - game.state.cash[INVESTOR], ENDLESS))
        cost = shares.worth(game, company, self.size(game, company, director) - free)
        game.pay(INVESTOR, company, min(cost, game.state.cash[INVESTOR]), "director", company)
        shares.move(game, company, director, INVESTOR)
        pooled = 0
        for number in others:
            cost = shares.worth(game, company, self.size(game, company, number))
            if cost <= game.state.cash[INVESTOR]:
                game.pay(INVESTOR, company, cost, "share", company)
                shares.move(game, company, number, INVESTOR)
            else:
                shares.move(game, company, number, POOL)
                pooled += self.size(game, company, number)
        if pooled:
            amount = shares.worth(game, company, pooled)
            game.emit(ev.SharesSold(company, company, pooled, amount))
            game.pay(BANK, company, amount, "own_shares", company)


# ---------------------------------------------------------------------- equipment


def newest_equipment(game: Game, company: str) -> bool:
    """DO-8.2.2.2-a: whether a brewery owns equipment of the newest type that the bank offers, or of the one beside
    it."""
    return bool({*on_sale(game)} & {*breweries.equipment(game, company)})


def free_with(types: tuple[str, ...]) -> Callable[[Game, str], bool]:
    """DO-8.2.2.2-c: with some types of equipment the player decides about the income."""
    return lambda game, company: bool({*types} & {*breweries.equipment(game, company)})


class MinorEquipment(EquipmentStep):
    """DO-8.2.2.2-b: his small brewery buys as soon as its treasury pays; he may add a part."""

    def must_buy(self, game: Game, company: str) -> bool:
        return any(price(game, card) <= game.state.cash[company] for card in self.cards(game, company))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass) and self.must_buy(turn.game, turn.actor):
            raise turn.game.refuse("equipment.duty.treasury", company=turn.actor)
        super().explain(turn, move)


class CorporationEquipment(EquipmentStep):
    """DO-8.2.2.2-d: his corporation must buy the newest equipment if it lacks it and can pay; without any it is
    forced."""

    def wanted(self, game: Game, company: str) -> str:
        """The newest equipment on display, if the corporation lacks it and has room."""
        card = next(iter(on_sale(game)), "")
        open_ = card and not newest_equipment(game, company) and self.no_purchase(game, company, card) is None
        return card if open_ else ""

    def due(self, game: Game, company: str) -> str:
        card = self.wanted(game, company)
        return card if card and price(game, card) <= game.state.cash[company] else ""

    def must_buy(self, game: Game, company: str) -> bool:
        return super().must_buy(game, company) or bool(self.due(game, company))

    def affordable(self, game: Game, company: str) -> list[str]:
        due = self.due(game, company)
        return [due] if due else super().affordable(game, company)

    def check(self, game: Game, company: str, card: str) -> None:
        super().check(game, company, card)
        due = self.due(game, company)
        if due and card != due:
            raise game.refuse("equipment.newest", company=company, equipment=due)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [] if self.forced(turn.game, turn.actor) else super().choices(turn)

    def waiting(self, turn: Turn) -> bool:
        return not self.forced(turn.game, turn.actor) and super().waiting(turn)

    def skipped(self, turn: Turn) -> None:
        """A forced purchase leaves nothing to decide."""
        game, company = turn.game, turn.actor
        forced = self.forced(game, company)
        if forced:
            raise_all(self.raising, self.need(game, company, forced))
            if game.company(company).floated:
                self.buy(game, company, forced[0])

    def explain(self, turn: Turn, move: Move) -> None:
        due = self.due(turn.game, turn.actor)
        if isinstance(move, Pass) and due:
            raise turn.game.refuse("equipment.duty.newest", company=turn.actor, equipment=due)
        super().explain(turn, move)


class BreweryDeal(SellFor):
    """DO-8.2.2.2-f: one certificate sold for the newest equipment, or one bought back as its player likes."""

    def refusal(self, turn: Turn) -> Refused:
        return turn.game.refuse("investor.deal.equipment", company=turn.actor)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        found = super().choices(turn)
        if not self.sold(turn) and to_buy(turn.game, turn.actor):
            found.append(BuyBackChoice(turn.game, turn.decider, turn.actor, self.place))
        return found

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyOwnShare) and move.company == turn.actor:
            BuyBackChoice(turn.game, move.player, turn.actor, self.place).check(move)
        super().explain(turn, move)
