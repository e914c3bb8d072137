"""Heat, Sweat & Beer: railways, breweries and the beer market, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.finance.prices import PriceRules, if_director_sells
from engine.finance.raising import Loan, Raising
from engine.game import Game
from engine.mechanism import compose
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import Extra, OnceRound, Step, Steps, TurnRound
from engine.rules import Limits, Rules, Setup, cash_and_shares, fewest, printed_limit
from engine.state import BANK, REMOVED, State
from engine.steps.dealing import OwnDeal, on_charter
from engine.steps.run import DividendStep
from engine.steps.trade import from_round, once_a_turn, operated
from titles.do import (
    abilities,
    breweries,
    brewing,
    capex,
    failing,
    forcing,
    hsb_data,
    hsb_pages,
    hsb_stock,
    loading,
    trading,
)
from titles.do.bidding import BiddingRound
from titles.do.breweries import BREWERY, MINOR
from titles.do.editions import FINAL, Edition
from titles.do.hsb_data import tables
from titles.do.hsb_house import HsbGreedy
from titles.do.hsb_stock import HsbTradeStep
from titles.do.hsb_tables import HsbTables
from titles.do.links import LinkMade, Links, LinkStep
from titles.do.prices import ByDividend, RoundedOrNothing, left_a_share
from titles.do.selling import Selling
from titles.do.stations import DoStationStep
from titles.do.stock import share_limit
from titles.do.track import DoTrackStep
from titles.do.trains import EarlyTrainStep, NewCards

#: How far a price moves, from which part of it on, in per cent.
STEPS = ((300, 2), (100, 1))
RAILWAY = "railway"


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts that forms with breweries have in their own way; what lies around them is replaced in the rules."""

    definition: Callable[[Setup], Definition] = hsb_data.definition
    trade: type[HsbTradeStep] = HsbTradeStep
    trains: Callable[[Raising, NewCards], loading.HsbTrainStep] = loading.HsbTrainStep
    #: A round between the starting round and the first stock round.
    between: OnceRound | None = None
    deliver: Callable[[loading.Loading, Selling], brewing.DeliverStep] = brewing.DeliverStep
    loading: loading.Loading = field(default_factory=loading.Loading)
    equipment: Callable[[Raising, NewCards, brewing.OwnerAdds], brewing.EquipmentStep] = brewing.EquipmentStep
    #: What a brewery does after it has bought, and what it may do at any time besides its deal.
    last: tuple[Step, ...] = ()
    extras: tuple[Extra, ...] = ()
    #: What a railway may do at any time besides its deal.
    railway_extras: tuple[Extra, ...] = ()
    brewing: type[brewing.BrewingRound] = brewing.BrewingRound


def hsb(setup: Setup) -> Rules:
    """The game."""
    return build(setup, Parts())


def build(setup: Setup, parts: Parts, edition: Edition = FINAL) -> Rules:
    """A game with breweries, of these parts, by an edition of the rules."""
    data = edition.amended(parts.definition(setup))
    t: HsbTables = data.tables

    # 6.2.2 the small breweries
    package = BiddingRound(boxes(t), won, cost=minor_price, numbers=t.numbers)

    # 6.4 stock rounds
    trade = parts.trade(
        edition.placing,
        edition.parts,
        buy=(
            share_limit(t.hsb.share_limit),
            edition.opened(t),
            hsb_stock.breweries_from_green,
            failing.again,
        ),
        sell=(hsb_stock.no_small_brewery, from_round(2), operated, once_a_turn),
    )
    stock = StockRound(Steps(trade), priority=left_of_last_buyer, order=stock_order)

    # 6.5.1 railway rounds
    raising = forcing.raising(Loan(t.hsb.loan_factor))
    new_cards = edition.new_cards(t)
    trains = parts.trains(raising, new_cards)
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
                extras=(deal, *parts.railway_extras),
            )
        },
        begins=railways_begin,
        keeps=(OrderOfRound,),
    )

    # 6.5.2 brewery rounds
    selling = edition.selling(t)
    equipment = parts.equipment(raising, new_cards, edition.owner_adds)
    brewery_deal = OwnDeal(on_charter, stops=("deliver", "equipment"), sold=equipment.raises_money)
    deliver = parts.deliver(parts.loading, selling)
    income = brewing.BeerIncomeStep(deliver)
    half = DividendStep(brewing.HalfRounded(t.hsb.rounded))
    brewing_ = parts.brewing(
        {
            MINOR: Steps(deliver, income, half, equipment, *parts.last, extras=parts.extras),
            BREWERY: Steps(deliver, income, dividend, equipment, *parts.last, extras=(brewery_deal, *parts.extras)),
        },
        selling,
        edition.rank(t),
    )

    rounds: list[TurnRound] = [package, stock, railways, brewing_, *([parts.between] if parts.between else [])]

    def after_package(game: Game) -> None:
        if parts.between is None:
            stock.begin(game)
        else:
            parts.between.begin(game)

    def then(game: Game) -> None:
        """What follows a round (6.2, 6.6)."""
        round_ = game.state.round
        number, total = round_.operating_number, round_.operating_total
        if round_.kind == package.name:
            after_package(game)
        elif parts.between is not None and round_.kind == parts.between.name:
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
        after_package(game)

    prices = PriceRules(sale=if_director_sells(left_a_share), dividend=ByDividend(STEPS), arrival=failing.arrived)
    floats = edition.floats
    return compose(
        Rules(
            setup=setup,
            definition=data,
            clauses=data.clauses,
            rounds={round_.name: round_ for round_ in rounds},
            first=first,
            then=then,
            seating=edition.seating,
            lay_out=partial(lay_out, setup, t),
            prices={RAILWAY: prices, BREWERY: prices, MINOR: prices},
            floating={RAILWAY: floats, BREWERY: floats},
            limits=Limits(printed_limit, in_pool=lambda game, company: 100),
            trains=edition.trains(data, t),
            handed=fewest,
            on={
                LinkMade: (abilities.token_used(t), capex.linked(edition.short(t))),
                ev.PhaseChanged: (breweries.phase_began,),
                ev.CompanyFounded: (edition.placing.founded,),
                ev.CompanyFloated: (edition.placing.floated, hsb_stock.floated),
                **edition.on,
            },
            questions={
                breweries.SURPLUS: breweries.surplus_asked,
                trading.PLACE: trading.place_asked,
                hsb_stock.FLOAT_SALE: hsb_stock.float_sale_asked,
                loading.CONSENT: loading.Consent(selling.agreed).asked,
            },
            score=score,
            bank_matters=False,
            lost_tokens=failing.lost,
            possessions=hsb_pages.possessions,
            remarks=partial(hsb_pages.remarks, deliver),
            pages=partial(hsb_pages.pages, deliver),
            house={"greedy": HsbGreedy()},
            broken=lambda game: [*broken(t, parts.loading, game), *edition.broken(game)],
        ),
        Links(t),
    )


def railways_begin(game: Game) -> None:
    """Railways act in the order of now, whatever prices do."""
    OrderOfRound.of(game).order = [name for name in by_price(game) if breweries.kind(game, name) == RAILWAY]


def order(game: Game) -> list[str]:
    """Those of them that have not failed since."""
    return [name for name in OrderOfRound.of(game).order if game.company(name).floated]


# ---------------------------------------------------------------------- the start


def lay_out(setup: Setup, t: HsbTables, state: State, chance: random.Random) -> None:
    """The beer market and the small breweries that play, dealt or in the package."""
    if setup.options["dealt"]:
        chosen = chance.sample(list(t.minors), setup.players)
        state.facts["dealt"] = dict(zip(state.seats, chosen, strict=True))
    else:
        others = [name for name in t.minors if name != t.hsb.package]
        chosen = [t.hsb.package, *chance.sample(others, setup.players)]
    lay_out_with(t, state, setup.players, chosen)


def lay_out_with(t: HsbTables, state: State, players: int, chosen: Collection[str]) -> None:
    """The beer market and these small breweries; all others are out of the game."""
    breweries.lay_out(t, state, players)
    abilities.lay_out(state)
    loading.lay_out(state)
    failing.lay_out(state)
    state.facts.update(traded_in=[], first_order=[])
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


def broken(t: HsbTables, loads: loading.Loading, game: Game) -> list[str]:
    return [*breweries.broken(game), *loading.broken(game, loads)]
