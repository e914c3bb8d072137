"""Small breweries traded in: for a director's certificate, a share of a corporation, or one of the pool."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import settle_director
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame, put, record
from engine.rules import Listener, Question
from engine.state import BANK, OFFERING, POOL, REMOVED, Pause, State
from engine.steps.trade import Trade, certificate_limit
from titles.do.board.founding import StraightToTreasury
from titles.do.brewery import breweries
from titles.do.brewery.breweries import BREWERY
from titles.do.brewery.data import tables

if TYPE_CHECKING:
    from titles.do.brewery.stock import HsbTradeStep

#: The kind of the question about the place in the order.
PLACE = "order_place"


@register("trade_in")
@dataclass(frozen=True, slots=True)
class TradeIn(Move):
    """Give a small brewery for a certificate of a corporation; `par` is the starting price if that founds it."""

    minor: str
    company: str
    source: str
    percent: int
    par: int = 0


@register("order_place")
@dataclass(frozen=True, slots=True)
class OrderPlace(Move):
    """A director says whether a corporation takes the place of a small brewery in the order: `take` or `leave`."""

    company: str
    place: str


@dataclass(frozen=True, slots=True)
class TradedIn(ev.Event):
    player: str
    minor: str
    company: str
    percent: int
    source: str


@dataclass(frozen=True, slots=True)
class PlaceTaken(ev.Event):
    """A corporation acts where a small brewery acted before."""

    company: str


@record("do.for_minors")
@dataclass(slots=True)
class ForMinors(OfGame):
    """The corporations that were founded for a small brewery in this stock round."""

    founded: list[str] = field(default_factory=list)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"founded": "traded_in"}


def owned(game: Game, player: str) -> list[str]:
    """The small breweries of a player."""
    return [name for name in tables(game).minors if game.company(name).director == player]


def cost(game: Game, minor: str, company: str, source: str, percent: int, par: int = 0) -> int:
    """DO-6.4.5-a: what is to be paid besides the small brewery, which stands for a share; for a founding perhaps for
    more."""
    if source == OFFERING:
        return shares.worth(game, company, max(0, percent - tables(game).minors[minor].founds_for), par)
    return shares.worth(game, company, percent - shares.unit(game, company))


class TradeInChoice(Choice[TradeIn]):
    """DO-6.4.5-g: trade a small brewery in: which, for what, from where, and at which starting price if it is a
    founding."""

    kind = TradeIn

    def __init__(self, game: Game, player: str, step: HsbTradeStep) -> None:
        super().__init__(game, player)
        self.step = step

    def refusal(self, company: str, source: str, percent: int) -> Refused | None:
        """Why a certificate cannot be had for a small brewery, money apart."""
        game, step = self.game, self.step
        if "green" not in game.phase.tiles:
            return game.refuse("tradein.phase")
        if company not in game.state.companies or breweries.kind(game, company) != BREWERY:
            return game.refuse("tradein.company", company=company)
        if source not in (OFFERING, company, POOL):
            return game.refuse("stock.partner", source=source)
        trade = Trade(self.player, company, source, percent)
        for check in step.buy:
            # The limit is counted after the exchange, which takes a certificate and gives one.
            found = None if check is certificate_limit else check(game, trade)
            if found is not None:
                return found
        if source == OFFERING:
            if company not in step.unfounded(game):
                return game.refuse("stock.founded", company=company)
            whole = shares.percent_of(game, company, 0)
            return None if percent == whole else game.refuse("tradein.percent", company=company, percent=whole)
        if not step.traded(game, company):
            return game.refuse("stock.order.founded", company=company)
        if step.certificate(game, company, source, percent) is None:
            return game.refuse("stock.order.none", company=company)
        return None

    def bargains(self) -> list[tuple[str, str, str, int]]:
        """Small brewery, company, source and share of all that the player may do and can pay."""
        game, cash, result = self.game, self.game.state.cash[self.player], []
        for minor in owned(game, self.player):
            for company, state in game.state.companies.items():
                if breweries.kind(game, company) != BREWERY:
                    continue
                for source in (OFFERING, company, POOL):
                    if source not in state.certificates:
                        continue
                    founding = source == OFFERING
                    sizes = [shares.percent_of(game, company, 0)] if founding else shares.sizes(game, company, source)
                    for percent in sizes:
                        if self.refusal(company, source, percent) is not None:
                            continue
                        pars = self.step.pars(game, company) if founding else {0: None}
                        if any(cost(game, minor, company, source, percent, par) <= cash for par in pars):
                            result.append((minor, company, source, percent))
        return result

    def ask(self, picked: Picked) -> Domain | None:
        game, found = self.game, self.bargains()
        for index, name in enumerate(("minor", "company", "source", "percent")):
            if name not in picked:
                fitting = [row for row in found if row[:index] == tuple(picked.values())[:index]]
                return Options(name, [Option(value) for value in dict.fromkeys(row[index] for row in fitting)])
        if picked["source"] == OFFERING and "par" not in picked:
            cash = game.state.cash[self.player]
            minor, company, source, percent = (picked[key] for key in ("minor", "company", "source", "percent"))
            prices = {par: cost(game, minor, company, source, percent, par) for par in self.step.pars(game, company)}
            return Options("par", [Option(par, {"price": price}) for par, price in prices.items() if price <= cash])
        return None

    def move(self, picked: Picked) -> TradeIn:
        minor, company, source, percent = (picked[key] for key in ("minor", "company", "source", "percent"))
        return TradeIn(self.player, minor, company, source, percent, picked.get("par", 0))

    def check(self, move: TradeIn) -> None:
        game = self.game
        if move.minor not in owned(game, self.player):
            raise game.refuse("tradein.minor", minor=move.minor)
        refused = self.refusal(move.company, move.source, move.percent)
        if refused is not None:
            raise refused
        if move.source == OFFERING:
            pars = self.step.pars(game, move.company)
            if move.par not in pars:
                raise game.refuse("stock.par", par=move.par, pars=tuple(sorted(pars)))
        elif move.par:
            raise game.refuse("tradein.par", company=move.company)
        price = cost(game, move.minor, move.company, move.source, move.percent, move.par)
        if price > game.state.cash[self.player]:
            raise game.refuse("money.share", price=price)

    def perform(self, move: TradeIn) -> None:
        trade_in(self.game, self.step, move)


def trade_in(game: Game, step: HsbTradeStep, move: TradeIn) -> None:
    """DO-6.4.5-c: the small brewery leaves the game; what it owned goes to the corporation, or out of the game for a
    pool share."""
    company, minor, player = move.company, move.minor, move.player
    price = cost(game, minor, company, move.source, move.percent, move.par)
    game.emit(TradedIn(player, minor, company, move.percent, move.source))
    place = breweries.order(game).index(minor)
    leave(game, minor)
    if move.source == POOL:
        game.pay(minor, BANK, game.state.cash[minor], "closed", minor)
        step.break_up(game, minor)
    else:
        game.pay(minor, company, game.state.cash[minor], "traded_in", minor)
        step.hand_over(game, minor, company)
    if move.source == OFFERING:
        step.found(game, player, company, move.par, price)
        ForMinors.of(game).founded.append(company)
        floats = game.rules.floating[BREWERY]
        assert isinstance(floats, StraightToTreasury)
        floats.founded_for(game, company)
    else:
        number = step.certificate(game, company, move.source, move.percent)
        assert number is not None
        game.pay(player, BANK if move.source == POOL else company, price, "share", company)
        shares.move(game, company, number, player)
        settle_director(game, company)
        game.rules.floating[BREWERY].sold(game, company)
        step.acted(game, player)
    if move.source != POOL:
        step.keep_limits(game, company)
        step.placing.traded_in(game, company, place, founded=move.source == OFFERING)


def leave(game: Game, minor: str) -> None:
    """DO-6.4.5-e: a small brewery's charter and order token leave the game."""
    state = game.company(minor)
    state.director = ""
    state.floated, state.closed = False, True
    state.certificates = [REMOVED]
    breweries.order(game).remove(minor)


class Placing:
    """DO-6.4.1-c: a corporation's order token comes last when it is founded; for a small brewery traded in it may
    take its place.

    A corporation that has not floated is passed over.
    """

    def founded(self, game: Game, event: ev.CompanyFounded) -> None:
        if breweries.kind(game, event.company) == BREWERY:
            breweries.order(game).append(event.company)

    def floated(self, game: Game, event: ev.CompanyFloated) -> None:
        """Its token lies there already."""

    def traded_in(self, game: Game, company: str, place: int, *, founded: bool) -> None:
        ask_for_place(game, company, place)


def ask_for_place(game: Game, company: str, place: int) -> None:
    """DO-6.4.5-e: the director may let a corporation act where the small brewery did, if that is another place."""
    order = breweries.order(game)
    if moved(order, company, place) != order:
        game.ask(PLACE, [game.decider(company)], company=company, place=place)


def moved(order: list[str], company: str, place: int) -> list[str]:
    """An order with a company in the gap before `place`."""
    before = [name for name in order[:place] if name != company]
    after = [name for name in order[place:] if name != company]
    return [*before, company, *after]


class PlaceChoice(Choice[OrderPlace]):
    """DO-6.4.5-e: take the small brewery's place in the order, or leave it."""

    kind = OrderPlace

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        return None if "place" in picked else Options("place", [Option("take"), Option("leave")])

    def move(self, picked: Picked) -> OrderPlace:
        return OrderPlace(self.player, self.company, picked["place"])

    def check(self, move: OrderPlace) -> None:
        if move.company != self.company or move.place not in ("take", "leave"):
            raise self.game.refuse("tradein.place", company=self.company)

    def perform(self, move: OrderPlace) -> None:
        game = self.game
        game.answered(self.pause)
        if move.place == "take":
            breweries.OrderTokens.of(game).order = moved(breweries.order(game), self.company, self.pause.data["place"])
            game.emit(PlaceTaken(self.company))


def place_asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [PlaceChoice(game, player, pause) for player in pause.players]


class TradingIn(Mechanism):
    """DO-6.4.5-a: small breweries that are traded in, and where the order tokens of corporations come to lie."""

    def __init__(self, placing: Placing) -> None:
        self.placing = placing

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, ForMinors())

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.CompanyFounded: self.placing.founded, ev.CompanyFloated: self.placing.floated}

    def questions(self) -> Mapping[str, Question]:
        return {PLACE: place_asked}
