"""Heat, Sweat & Beer: railways, breweries and the beer market, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.finance.prices import PriceRules, if_director_sells
from engine.finance.raising import Loan, Raising
from engine.game import Game
from engine.mechanism import Mechanism, compose
from engine.records import OfGame, put, record
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Order, Steps
from engine.rules import Limits, Rules, Seating, Setup, cash_and_shares, fewest, printed_limit
from engine.state import BANK, REMOVED, State
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from engine.steps.trade import from_round, once_a_turn, operated
from titles.do.board import abilities, forcing
from titles.do.board.abilities import FreeCoal
from titles.do.board.bidding import BiddingRound, Boxes, Won
from titles.do.board.links import Links, LinkStep
from titles.do.board.prices import ByDividend, RoundedOrNothing, left_a_share
from titles.do.board.stations import DoStationStep
from titles.do.board.stock import share_limit
from titles.do.board.track import DoTrackStep
from titles.do.board.trains import EarlyTrainStep, NewCards
from titles.do.brewery import breweries, brewing, data, failing, loading, showing, trading
from titles.do.brewery import stock as hsb_stock
from titles.do.brewery.breweries import BREWERY, MINOR, Breweries
from titles.do.brewery.capex import LinkedCards
from titles.do.brewery.data import tables
from titles.do.brewery.editions import FINAL, Edition
from titles.do.brewery.failing import Failing
from titles.do.brewery.house import HsbGreedy
from titles.do.brewery.loading import LoadedTrains
from titles.do.brewery.selling import Selling
from titles.do.brewery.stock import FloatSales, HsbTradeStep
from titles.do.brewery.tables import HsbTables
from titles.do.brewery.trading import TradingIn

#: How far a price moves, from which part of it on, in per cent.
STEPS = ((300, 2), (100, 1))
RAILWAY = "railway"

#: Which small breweries play, drawn by lot.
Drawn = Callable[[HsbTables, State, random.Random], Collection[str]]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The classes of parts that forms with breweries have of their own."""

    trade: type[HsbTradeStep] = HsbTradeStep
    trains: Callable[[Raising, NewCards, Callable[[Game, str], bool]], loading.HsbTrainStep] = loading.HsbTrainStep
    deliver: Callable[[loading.Loading, Selling], brewing.DeliverStep] = brewing.DeliverStep
    loading: loading.Loading = field(default_factory=loading.Loading)
    equipment: Callable[[Raising, NewCards, brewing.OwnerAdds], brewing.EquipmentStep] = brewing.EquipmentStep
    brewing: type[brewing.BrewingRound] = brewing.BrewingRound


def hsb(setup: Setup) -> Rules:
    """The game."""
    return of_edition(setup, FINAL)


def of_edition(setup: Setup, edition: Edition) -> Rules:
    """The game by an edition of the rules."""
    return BreweryGame(setup, edition.amended(data.definition(setup)), edition).rules()


class BreweryGame:
    """A game with breweries, its parts by name. Other forms add mechanisms, some of which the parts must know."""

    def __init__(
        self,
        setup: Setup,
        definition: Definition,
        edition: Edition,
        *mechanisms: Mechanism,
        parts: Parts | None = None,
        seating: Seating | None = None,
        minors: Drawn | None = None,
        won: Won | None = None,
        stock: Callable[..., StockRound] = StockRound,
        in_stock_rounds: Order | None = None,
        sells_at_floating: Callable[[Game, str], bool] = lambda game, company: True,
    ) -> None:
        self.setup, self.definition, self.edition = setup, definition, edition
        self.t: HsbTables = definition.tables
        t, parts = self.t, parts or Parts()
        self.dealt = bool(setup.options.get("dealt")) and minors is None
        self.seating = seating or edition.seating
        self.selling = edition.selling(t)
        self.mechanisms: tuple[Mechanism, ...] = (
            Links(t),
            FreeCoal(t),
            LinkedCards(edition.short(t)),
            Breweries(t, setup.players),
            SmallBreweries(t, minors or for_everybody(setup.players, dealt=self.dealt), dealt=self.dealt),
            TradingIn(edition.placing),
            FloatSales(sells_at_floating),
            LoadedTrains(t, parts.loading, self.selling.agreed),
            Failing(),
            *edition.mechanisms,
            *mechanisms,
        )

        # 6.2.2 the small breweries
        self.package = BiddingRound(boxes(t), won or take_minors, cost=minor_price, numbers=t.numbers)

        # 6.4 stock rounds
        self.trade = parts.trade(
            edition.placing,
            edition.parts,
            buy=(
                share_limit(t.hsb.share_limit),
                edition.opened(t),
                hsb_stock.breweries_from_green,
                failing.again,
                *(check for each in mechanisms for check in each.buy()),
            ),
            sell=(hsb_stock.no_small_brewery, from_round(2), operated, once_a_turn),
        )
        self.stock = stock(Steps(self.trade), priority=left_of_last_buyer, order=in_stock_rounds or stock_order)

        # 6.5.1 railway rounds
        self.raising = forcing.raising(Loan(t.hsb.loan_factor))
        self.new_cards = edition.new_cards(t)
        self.trains = parts.trains(self.raising, self.new_cards, self.may_sell_trains)
        self.track, self.station, self.link = DoTrackStep(t), DoStationStep(t), LinkStep(t, abilities.free_token(t))
        self.payout = RoundedOrNothing(t.hsb.rounded)
        self.dividend = DividendStep(self.payout)
        railway = Steps(
            EarlyTrainStep(self.trains, t.abilities.early_train),
            self.track,
            self.station,
            self.link,
            loading.LoadedRunStep(),
            self.dividend,
            self.trains,
            extras=(OwnDeal(on_charter, stops=("run", "trains"), sold=self.trains.raises_money),),
        )
        self.railways = OnceRound("operating", order, {RAILWAY: railway}, begins=railways_begin, keeps=(OrderOfRound,))

        # 6.5.2 brewery rounds
        self.equipment = parts.equipment(self.raising, self.new_cards, edition.owner_adds)
        self.deliver = parts.deliver(parts.loading, self.selling)
        self.income = brewing.BeerIncomeStep(self.deliver)
        self.half = brewing.HalfRounded(t.hsb.rounded)
        deal = OwnDeal(on_charter, stops=("deliver", "equipment"), sold=self.equipment.raises_money)
        self.brewing = parts.brewing(
            {
                MINOR: Steps(self.deliver, self.income, DividendStep(self.half), self.equipment),
                BREWERY: Steps(self.deliver, self.income, self.dividend, self.equipment, extras=(deal,)),
            },
            self.selling,
            edition.rank(t),
        )

    def may_sell_trains(self, game: Game, company: str) -> bool:
        return all(each.may_sell_trains(game, company) for each in self.mechanisms)

    def first(self, game: Game) -> None:
        """DO-6.2.2-a: the small breweries are bid for, or everybody has theirs already."""
        if not self.dealt:
            self.package.begin(game)
            return
        dealt = Start.of(game).dealt or {}
        take_minors(game, {minor: (player, 0) for player, minor in dealt.items()})
        game.rules.then(game)

    def then(self, game: Game) -> None:
        """DO-6.2-b: what follows a round; a mechanism may bring one before the first stock round."""
        round_, sets = game.state.round, self.t.hsb.rounds
        number, total = round_.operating_number, round_.operating_total
        if round_.kind == self.stock.name:
            self.railways.begin(game, 1, sets[round_.stock_number - 1])
        elif round_.kind == self.railways.name:
            self.brewing.begin(game, number, total)
        elif round_.kind != self.brewing.name:
            self.stock.begin(game)
        elif number < total:
            self.railways.begin(game, number + 1, total)
        elif round_.stock_number == len(sets):
            game.finish("sets")
        else:
            round_.stock_number += 1
            self.stock.begin(game)

    def rules(self, *more: Mechanism) -> Rules:
        """The rules with what the parts know of, and with more mechanisms."""
        prices = PriceRules(sale=if_director_sells(left_a_share), dividend=ByDividend(STEPS), arrival=failing.arrived)
        floats = self.edition.floats
        plain = Rules(
            setup=self.setup,
            definition=self.definition,
            clauses=self.definition.clauses,
            rounds={round_.name: round_ for round_ in (self.package, self.stock, self.railways, self.brewing)},
            first=self.first,
            then=self.then,
            seating=self.seating,
            prices={RAILWAY: prices, BREWERY: prices, MINOR: prices},
            floating={RAILWAY: floats, BREWERY: floats},
            limits=Limits(printed_limit, in_pool=lambda game, company: 100),
            trains=self.edition.trains(self.definition, self.t),
            handed=fewest,
            score=score,
            bank_matters=False,
            remarks=partial(showing.remarks, self.deliver),
            pages=partial(showing.pages, self.deliver),
            house={"greedy": HsbGreedy()},
        )
        return compose(plain, *self.mechanisms, *more)


def railways_begin(game: Game) -> None:
    """DO-6.5.1-a: railways act in the order of now, whatever prices do."""
    OrderOfRound.of(game).order = [name for name in by_price(game) if breweries.kind(game, name) == RAILWAY]


def order(game: Game) -> list[str]:
    """DO-6.5.1-a: those of them that have not failed since."""
    return [name for name in OrderOfRound.of(game).order if game.company(name).floated]


# ---------------------------------------------------------------------- the start


@record("do.start")
@dataclass(slots=True)
class Start(OfGame):
    """The small breweries on offer, who was dealt which (None where they are bid for), and who begins."""

    package: list[str] = field(default_factory=list)
    dealt: dict[str, str] | None = None
    first_order: list[str] = field(default_factory=list)


class SmallBreweries(Mechanism):
    """DO-6.1.5-a: the small breweries that play, dealt or in the package; all others are out of the game."""

    def __init__(self, t: HsbTables, drawn: Drawn, *, dealt: bool) -> None:
        self.t = t
        self.drawn = drawn
        self.dealt = dealt

    def lay_out(self, state: State, chance: random.Random) -> None:
        chosen = self.drawn(self.t, state, chance)
        dealt = dict(zip(state.seats, chosen, strict=True)) if self.dealt else None
        put(state, Start([name for name in self.t.minors if name in chosen], dealt))
        for name in self.t.minors:
            if name not in chosen:
                out_of_the_game(state, name)


def for_everybody(players: int, *, dealt: bool) -> Drawn:
    """DO-6.1.5-a: one for each player if they are dealt; else one that is always there, and as many as play."""

    def drawn(t: HsbTables, state: State, chance: random.Random) -> Collection[str]:
        if dealt:
            return chance.sample(list(t.minors), players)
        others = [name for name in t.minors if name != t.hsb.package]
        return [t.hsb.package, *chance.sample(others, players)]

    return drawn


def out_of_the_game(state: State, minor: str) -> None:
    state.companies[minor].closed = True
    state.companies[minor].certificates = [REMOVED]


def boxes(t: HsbTables) -> Boxes:
    """DO-6.2.2-a: the small breweries on offer, all with the same boxes."""

    def offered(game: Game) -> Mapping[str, tuple[int, ...]]:
        return dict.fromkeys(Start.of(game).package, t.hsb.bids)

    return offered


def minor_price(game: Game, minor: str, bid: int) -> int:
    return tables(game).minors[minor].price + bid


def take_minors(game: Game, sold: Mapping[str, tuple[str, int]]) -> None:
    """DO-6.2.2-c: everybody pays and gets a small brewery with treasury and equipment; one without a bid leaves the
    game."""
    t, start = tables(game), Start.of(game)
    for minor in start.package:
        if minor not in sold:
            out_of_the_game(game.state, minor)
            continue
        player, bid = sold[minor]
        row, state = t.minors[minor], game.company(minor)
        game.pay(player, BANK, minor_price(game, minor, bid), "lot", minor)
        state.certificates = [player]
        state.director, state.floated = player, True
        game.pay(BANK, minor, row.treasury, "treasury", minor)
        for type_ in row.equipment:
            breweries.add(game, minor, type_)
        game.emit(ev.LotSold(player, minor, minor_price(game, minor, bid)))
    start.package = []
    tokens = breweries.OrderTokens.of(game)
    tokens.order = sorted(sold, key=lambda minor: -t.minors[minor].number)
    cash, seats = game.state.cash, game.state.seats
    start.first_order = sorted(seats, key=lambda player: (-cash[player], seats.index(player)))
    game.state.priority = start.first_order[0]
    game.emit(breweries.OrderSet(tuple(tokens.order)))


def stock_order(game: Game) -> list[str]:
    """DO-6.2.2-e: in the first stock round by the money that is left, later by the seats."""
    return Start.of(game).first_order if game.state.round.stock_number == 1 else game.state.seats


# ---------------------------------------------------------------------- the end


def score(game: Game) -> dict[str, int]:
    """DO-6.6-a: cash and shares less twice any loan, and a small brewery at its printed price."""
    minors = tables(game).minors
    return {
        player: worth + sum(minors[name].price for name in trading.owned(game, player))
        for player, worth in cash_and_shares(game).items()
    }
