"""Heat, Sweat & Beer: railways, breweries and the beer market, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import events as ev
from engine.board.reach import HexOnceReach
from engine.finance.prices import PriceRules, if_director_sells
from engine.finance.raising import Loan
from engine.game import Game
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Setup, Trains, cash_and_shares, fewest, printed_limit
from engine.state import BANK, REMOVED, State
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from engine.steps.trade import from_round, once_a_turn, operated
from titles.do import (
    abilities,
    breweries,
    brewing,
    capex,
    export,
    failing,
    forcing,
    hsb_data,
    hsb_pages,
    hsb_stock,
    links,
    loading,
    trading,
)
from titles.do.bidding import BiddingRound
from titles.do.breweries import BREWERY, MINOR
from titles.do.hsb_data import tables
from titles.do.hsb_house import HsbGreedy
from titles.do.hsb_stock import HsbFloats, HsbTradeStep
from titles.do.hsb_tables import HsbTables
from titles.do.links import LinkMade, LinkStep
from titles.do.prices import ByDividend, RoundedOrNothing, left_a_share
from titles.do.stations import DoStationStep
from titles.do.stock import opened, share_limit
from titles.do.track import DoTrackStep
from titles.do.trains import EarlyTrainStep, last_run

#: How far a price moves, from which part of it on, in per cent.
STEPS = ((300, 2), (100, 1))
RAILWAY = "railway"


def hsb(setup: Setup) -> Rules:
    """The game."""
    data = hsb_data.definition(setup)
    t: HsbTables = data.tables

    # 6.2.2 the small breweries
    package = BiddingRound(boxes(t), won, cost=minor_price, numbers={row.company: row.number for row in t.minor})

    # 6.4 stock rounds
    trade = HsbTradeStep(
        buy=(
            share_limit(t.hsb.share_limit),
            opened(t.abilities.opens_after),
            hsb_stock.breweries_from_green,
            failing.again,
        ),
        sell=(hsb_stock.no_small_brewery, from_round(2), operated, once_a_turn),
    )
    stock = StockRound(Steps(trade), priority=left_of_last_buyer, order=stock_order)

    # 6.5.1 railway rounds
    raising = forcing.raising(Loan(t.hsb.loan_factor))
    trains = loading.HsbTrainStep(raising, {row.phase: row.cards for row in t.brewing})
    dividend = DividendStep(RoundedOrNothing(t.hsb.rounded))
    deal = OwnDeal(on_charter, stops=("run", "trains"), sold=trains.raises_money)
    railways = OnceRound(
        "operating",
        order,
        {
            RAILWAY: Steps(
                EarlyTrainStep(trains, t.abilities.early_train),
                DoTrackStep(t),
                DoStationStep(t),
                LinkStep(t, abilities.free_token(t)),
                loading.LoadedRunStep(),
                dividend,
                trains,
                extras=(deal,),
            )
        },
        begins=railways_begin,
    )

    # 6.5.2 brewery rounds
    equipment = brewing.EquipmentStep(raising)
    brewery_deal = OwnDeal(on_charter, stops=("deliver", "equipment"), sold=equipment.raises_money)
    brewing_ = brewing.BrewingRound(
        {
            MINOR: Steps(
                brewing.DeliverStep(),
                brewing.BeerIncomeStep(),
                DividendStep(brewing.HalfRounded(t.hsb.rounded)),
                equipment,
            ),
            BREWERY: Steps(
                brewing.DeliverStep(), brewing.BeerIncomeStep(), dividend, equipment, extras=(brewery_deal,)
            ),
        }
    )

    def then(game: Game) -> None:
        """What follows a round (6.2, 6.6)."""
        round_ = game.state.round
        number, total = round_.operating_number, round_.operating_total
        if round_.kind == package.name:
            stock.begin(game)
        elif round_.kind == stock.name:
            railways.begin(game, 1, t.hsb.rounds[round_.stock_number - 1])
        elif round_.kind == railways.name:
            brewing_.begin(game, number, total)
        elif number < total:
            railways.begin(game, number + 1, total)
        elif round_.stock_number == len(t.hsb.rounds):
            game.finish("sets")
        else:
            round_.stock_number += 1
            stock.begin(game)

    def first(game: Game) -> None:
        if not setup.options["dealt"]:
            package.begin(game)
            return
        won(game, {minor: (player, 0) for player, minor in game.state.facts["dealt"].items()})
        stock.begin(game)

    prices = PriceRules(sale=if_director_sells(left_a_share), dividend=ByDividend(STEPS), arrival=failing.arrived)
    floats = HsbFloats()
    return Rules(
        setup=setup,
        definition=data,
        clauses=data.clauses,
        rounds={package.name: package, stock.name: stock, railways.name: railways, brewing_.name: brewing_},
        first=first,
        then=then,
        seating=by_numbers,
        lay_out=partial(lay_out, setup, t),
        prices={RAILWAY: prices, BREWERY: prices, MINOR: prices},
        floating={RAILWAY: floats, BREWERY: floats},
        limits=Limits(printed_limit, in_pool=lambda game, company: 100),
        trains=Trains(
            rules=loading.train_rules(t),
            vehicles=export.vehicles(data, {row.card: row.squares for row in t.capex}),
            fleets=loading.fleets,
            reach=HexOnceReach,
            obsolete=last_run(frozenset(t.hsb.last_run)),
        ),
        handed=fewest,
        on={
            LinkMade: (abilities.token_used(t), capex.linked),
            ev.PhaseChanged: (breweries.phase_began,),
            ev.CompanyFounded: (hsb_stock.order_token,),
            ev.CompanyFloated: (hsb_stock.floated,),
        },
        questions={
            **trade.questions(),
            **trains.questions(),
            breweries.SURPLUS: breweries.surplus_asked,
            trading.PLACE: trading.place_asked,
            hsb_stock.FLOAT_SALE: hsb_stock.float_sale_asked,
            loading.CONSENT: loading.Consent().asked,
        },
        score=score,
        lost_tokens=failing.lost,
        possessions=hsb_pages.possessions,
        remarks=hsb_pages.remarks,
        marks=links.marks,
        pages=hsb_pages.pages,
        house={"greedy": HsbGreedy()},
        broken=partial(broken, t),
    )


def railways_begin(game: Game) -> None:
    """Railways act in the order of now, whatever prices do."""
    game.state.round.memory["order"] = [name for name in by_price(game) if breweries.kind(game, name) == RAILWAY]


def order(game: Game) -> list[str]:
    """Those of them that have not failed since."""
    return [name for name in game.state.round.memory["order"] if game.company(name).floated]


# ---------------------------------------------------------------------- the start


def by_numbers(setup: Setup, players: tuple[str, ...], chance: random.Random) -> tuple[list[str], dict[str, Any]]:
    """Private breweries are dealt: the lowest number begins, seats ascend."""
    deal = dict(zip(players, chance.sample(range(1, 6), len(players)), strict=True))
    return sorted(players, key=lambda player: deal[player]), {"numbers": deal}


def lay_out(setup: Setup, t: HsbTables, state: State, chance: random.Random) -> None:
    """The beer market and the small breweries that play; all others are out of the game."""
    breweries.lay_out(t, state, setup.players)
    links.lay_out(state)
    abilities.lay_out(state)
    loading.lay_out(state)
    failing.lay_out(state)
    state.facts.update(traded_in=[], first_order=[])
    if setup.options["dealt"]:
        chosen = chance.sample(list(t.minors), setup.players)
        state.facts["dealt"] = dict(zip(state.seats, chosen, strict=True))
    else:
        others = [name for name in t.minors if name != t.hsb.package]
        chosen = [t.hsb.package, *chance.sample(others, setup.players)]
    state.facts["package"] = [name for name in t.minors if name in chosen]
    for name in t.minors:
        if name not in chosen:
            out_of_the_game(state, name)


def out_of_the_game(state: State, minor: str) -> None:
    state.companies[minor].closed = True
    state.companies[minor].certificates = [REMOVED]


def boxes(t: HsbTables) -> Any:
    """The small breweries on offer, all with the same boxes."""

    def offered(game: Game) -> Mapping[str, tuple[int, ...]]:
        return dict.fromkeys(game.state.facts["package"], t.hsb.bids)

    return offered


def minor_price(game: Game, minor: str, bid: int) -> int:
    return tables(game).minors[minor].price + bid


def won(game: Game, sold: Mapping[str, tuple[str, int]]) -> None:
    """Everybody pays and gets a small brewery with its treasury and equipment; one without a bid leaves the game."""
    t, facts = tables(game), game.state.facts
    for minor in facts["package"]:
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
    facts["package"] = []
    facts["order"] = sorted(sold, key=lambda minor: -t.minors[minor].number)
    cash, seats = game.state.cash, game.state.seats
    facts["first_order"] = sorted(seats, key=lambda player: (-cash[player], seats.index(player)))
    game.state.priority = facts["first_order"][0]
    game.emit(breweries.OrderSet(tuple(facts["order"])))


def stock_order(game: Game) -> list[str]:
    """In the first stock round by the money that is left, later by the seats."""
    if game.state.round.stock_number == 1:
        order: list[str] = game.state.facts["first_order"]
        return order
    return game.state.seats


# ---------------------------------------------------------------------- the end


def score(game: Game) -> dict[str, int]:
    """Cash and shares less twice any loan, and a small brewery at its printed price."""
    minors = tables(game).minors
    return {
        player: worth + sum(minors[name].price for name in trading.owned(game, player))
        for player, worth in cash_and_shares(game).items()
    }


def broken(t: HsbTables, game: Game) -> list[str]:
    return [*links.broken(t, game), *breweries.broken(game), *loading.broken(game)]
