"""The Railway Game: its rounds, the steps of a railway's turn, and the policy at each joint."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial

from engine import events as ev
from engine.finance.prices import PriceRules, down_a_share, to_bottom
from engine.finance.raising import Loan
from engine.game import Game
from engine.mechanism import compose
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Setup, fewest, printed_limit
from engine.state import BANK, State
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from engine.steps.trade import Check
from titles.do import abilities, data, export, privates, trg_showing
from titles.do.bidding import BiddingRound
from titles.do.export import BeerRunStep
from titles.do.forcing import raising
from titles.do.founding import StraightToTreasury
from titles.do.links import LinkMade, Links, LinkStep
from titles.do.prices import ByDividend, RoundedOrNothing, by_seller, left_a_share
from titles.do.privates import TrgStationStep, TurnBreweryExtra
from titles.do.stock import DoTradeStep, opened, share_limit
from titles.do.track import DoTrackStep
from titles.do.trains import DoTrainStep, EarlyTrainStep, by_phase
from titles.do.trg_house import TrgGreedy
from titles.do.trg_tables import TrgTables


def trg(setup: Setup) -> Rules:
    """The game for three to five."""
    return build(setup)


def build(
    setup: Setup,
    buy: tuple[Check, ...] = (),
    may_sell: Callable[[Game, str], bool] = lambda game, company: True,
) -> Rules:
    """The game with more checks of what may be bought, and railways that may sell trains to each other."""
    definition = data.definition(setup, "trg.toml", TrgTables)
    t: TrgTables = definition.tables

    # 4.2.3, 4.4 stock rounds
    turning = TurnBreweryExtra()
    trade = DoTradeStep(buy=(share_limit(t.trg.share_limit), opened(t.abilities.opens_after), *buy))
    stock = StockRound(Steps(trade, extras=(turning,)), priority=left_of_last_buyer)

    # 4.5 operating rounds
    trains = DoTrainStep(raising(Loan(t.trg.loan_factor)), by_phase(t.trg.new_trains), may_sell)
    deal = OwnDeal(on_charter, stops=("run", "trains"), sold=trains.raises_money)
    railway = Steps(
        EarlyTrainStep(trains, t.abilities.early_train),
        DoTrackStep(t),
        TrgStationStep(t),
        LinkStep(t, abilities.free_token(t)),
        BeerRunStep(),
        DividendStep(RoundedOrNothing(t.trg.rounded)),
        trains,
        extras=(deal, turning),
    )
    operating = OnceRound("operating", order, {"railway": railway}, begins=begins, keeps=(OrderOfRound,))

    def then(game: Game) -> None:
        """What follows a round (4.2, 4.6)."""
        state, round_ = game.state, game.state.round
        if round_.kind == "package":
            stock.begin(game)
        elif round_.kind == "stock":
            rounds = game.phase.operating_rounds
            operating.begin(game, 1, t.trg.last_rounds if state.bank_broken else rounds)
        elif round_.operating_number < round_.operating_total:
            operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif state.bank_broken:
            game.finish("bank")
        elif game.stands_still():
            game.finish("standstill")
        else:
            round_.stock_number += 1
            stock.begin(game)

    package = BiddingRound(privates.lots, bought)
    return compose(
        Rules(
            setup=setup,
            definition=definition,
            clauses=definition.clauses,
            rounds={"package": package, "stock": stock, "operating": operating},
            first=package.begin,
            then=then,
            seating=privates.dealt(t),
            lay_out=partial(lay_out, t),
            prices={
                "railway": PriceRules(
                    sale=by_seller(left_a_share, down_a_share()),
                    dividend=ByDividend(((300, 2), (100, 1)), below=to_bottom),
                    sold_out=1,
                )
            },
            floating={"railway": StraightToTreasury()},
            limits=Limits(printed_limit, privates=False, in_pool=lambda game, company: 100),
            trains=export.trains(t, definition),
            handed=fewest,
            covered=frozenset({"loan"}),
            on={
                LinkMade: (abilities.token_used(t), privates.linked(t)),
                ev.PhaseChanged: (privates.phase_began(t),),
                ev.CompanyFounded: (privates.took_post,),
                ev.DirectorChanged: (privates.took_post,),
            },
            possessions=trg_showing.possessions,
            pages=trg_showing.pages(t),
            house={"greedy": TrgGreedy()},
            broken=partial(broken, t),
        ),
        Links(t),
    )


def lay_out(t: TrgTables, state: State, chance: random.Random) -> None:
    """Cards, cubes and markers of the private breweries."""
    abilities.lay_out(state)
    privates.lay_out(t, state)


def take_cards(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """Everybody pays their bid and takes their card."""
    for private, (player, bid) in sorted(won.items(), key=lambda item: game.definition.privates[item[0]].number):
        game.pay(player, BANK, bid, "lot", private)
        game.state.privates[private] = player
        game.emit(ev.LotSold(player, private, bid))


def bought(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """Everybody has their card; whoever has the lowest number begins."""
    take_cards(game, won)
    first = min(won, key=lambda private: game.definition.privates[private].number)
    game.state.priority = won[first][0]
    game.emit(ev.PriorityMoved(game.state.priority))


def begins(game: Game) -> None:
    """An operating round: revenue of the private breweries, then all in the order of now, whatever prices do."""
    privates.pay(game)
    OrderOfRound.of(game).order = by_price(game)


def order(game: Game) -> list[str]:
    acting: list[str] = OrderOfRound.of(game).order
    return acting


def broken(t: TrgTables, game: Game) -> list[str]:
    return privates.broken(t, game)
