"""The Railway Game: its rounds, the steps of a railway's turn, and the policy at each joint."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine import events as ev
from engine.definition import Definition
from engine.finance.prices import PriceRules, down_a_share, to_bottom
from engine.finance.raising import Loan
from engine.game import Game
from engine.mechanism import Mechanism, compose
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Seating, Setup, fewest, printed_limit
from engine.state import BANK
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from titles.do.board import abilities, data
from titles.do.board.abilities import FreeCoal
from titles.do.board.bidding import BiddingRound, Won
from titles.do.board.forcing import raising
from titles.do.board.founding import StraightToTreasury
from titles.do.board.links import Links, LinkStep
from titles.do.board.prices import ByDividend, RoundedOrNothing, by_seller, left_a_share
from titles.do.board.stock import DoTradeStep, opened, share_limit
from titles.do.board.track import DoTrackStep
from titles.do.board.trains import DoTrainStep, EarlyTrainStep, by_phase
from titles.do.railways import private_breweries, running, showing
from titles.do.railways.house import TrgGreedy
from titles.do.railways.private_breweries import PrivateBreweries, TrgStationStep, TurnBreweryExtra
from titles.do.railways.running import BeerRunStep
from titles.do.railways.tables import TrgTables


def trg(setup: Setup) -> Rules:
    """The game for three to five."""
    return RailwayGame(setup, box(setup)).rules()


def box(setup: Setup) -> Definition:
    """The box as this game uses it."""
    return data.definition(setup, "trg.toml", TrgTables)


class RailwayGame:
    """The game with its parts by name. A form for two adds mechanisms, some of which the parts must know."""

    def __init__(
        self,
        setup: Setup,
        definition: Definition,
        *mechanisms: Mechanism,
        seating: Seating | None = None,
        bought: Won | None = None,
        stock: Callable[..., StockRound] = StockRound,
    ) -> None:
        self.setup, self.definition = setup, definition
        self.t: TrgTables = definition.tables
        t = self.t
        self.seating = seating or private_breweries.dealt(t)
        self.mechanisms: tuple[Mechanism, ...] = (Links(t), FreeCoal(t), PrivateBreweries(t), *mechanisms)

        # 4.2.2 the private breweries
        self.package = BiddingRound(private_breweries.lots, bought or lowest_number_begins)

        # 4.2.3, 4.4 stock rounds
        self.turning = TurnBreweryExtra()
        checks = (check for each in mechanisms for check in each.buy())
        self.trade = DoTradeStep(buy=(share_limit(t.trg.share_limit), opened(t.abilities.opens_after), *checks))
        self.stock = stock(Steps(self.trade, extras=(self.turning,)), priority=left_of_last_buyer)

        # 4.5 operating rounds
        self.new_cards = by_phase(t.trg.new_trains)
        self.trains = DoTrainStep(raising(Loan(t.trg.loan_factor)), self.new_cards, self.may_sell_trains)
        self.track, self.station, self.link = DoTrackStep(t), TrgStationStep(t), LinkStep(t, abilities.free_token(t))
        self.payout = RoundedOrNothing(t.trg.rounded)
        railway = Steps(
            EarlyTrainStep(self.trains, t.abilities.early_train),
            self.track,
            self.station,
            self.link,
            BeerRunStep(),
            DividendStep(self.payout),
            self.trains,
            extras=(OwnDeal(on_charter, stops=("run", "trains"), sold=self.trains.raises_money), self.turning),
        )
        self.operating = OnceRound("operating", order, {"railway": railway}, begins=begins, keeps=(OrderOfRound,))

    def may_sell_trains(self, game: Game, company: str) -> bool:
        return all(each.may_sell_trains(game, company) for each in self.mechanisms)

    def then(self, game: Game) -> None:
        """DO-4.2-a, DO-4.6-a: what follows a round."""
        state, round_ = game.state, game.state.round
        if round_.kind == self.package.name:
            self.stock.begin(game)
        elif round_.kind == self.stock.name:
            rounds = game.phase.operating_rounds
            self.operating.begin(game, 1, self.t.trg.last_rounds if state.bank_broken else rounds)
        elif round_.operating_number < round_.operating_total:
            self.operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif state.bank_broken:
            game.finish("bank")
        elif game.stands_still():
            game.finish("standstill")
        else:
            round_.stock_number += 1
            self.stock.begin(game)

    def rules(self, *more: Mechanism) -> Rules:
        """The rules with what the parts know of, and with more mechanisms."""
        plain = Rules(
            setup=self.setup,
            definition=self.definition,
            clauses=self.definition.clauses,
            rounds={round_.name: round_ for round_ in (self.package, self.stock, self.operating)},
            first=self.package.begin,
            then=self.then,
            seating=self.seating,
            prices={
                "railway": PriceRules(
                    sale=by_seller(left_a_share, down_a_share()),
                    dividend=ByDividend(((300, 2), (100, 1)), below=to_bottom),
                    sold_out=1,
                )
            },
            floating={"railway": StraightToTreasury()},
            limits=Limits(printed_limit, privates=False, in_pool=lambda game, company: 100),
            trains=running.trains(self.t, self.definition),
            handed=fewest,
            covered=frozenset({"loan"}),
            pages=showing.pages(self.t),
            house={"greedy": TrgGreedy()},
        )
        return compose(plain, *self.mechanisms, *more)


def take_cards(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """DO-4.2.2-c: everybody pays their bid and takes their card."""
    for private, (player, bid) in sorted(won.items(), key=lambda item: game.definition.privates[item[0]].number):
        game.pay(player, BANK, bid, "lot", private)
        game.state.privates[private] = player
        game.emit(ev.LotSold(player, private, bid))


def lowest_number_begins(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """DO-4.2.2-d: everybody has their card; whoever has the lowest number begins."""
    take_cards(game, won)
    first = min(won, key=lambda private: game.definition.privates[private].number)
    game.state.priority = won[first][0]
    game.emit(ev.PriorityMoved(game.state.priority))


def begins(game: Game) -> None:
    """DO-4.5-a: revenue of the private breweries, then all act in the order of now, whatever prices do."""
    private_breweries.pay(game)
    OrderOfRound.of(game).order = by_price(game)


def order(game: Game) -> list[str]:
    """DO-4.5-a: the order of the round as it was when it began."""
    return OrderOfRound.of(game).order
