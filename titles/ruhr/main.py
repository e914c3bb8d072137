"""18Ruhr by the rules 2.1: its rounds, the steps of railways and Montan companies, and the policy at each joint."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.finance.prices import ByRatio, PriceRules, down_a_sale, if_director_sells, stays
from engine.finance.raising import Cash, Raising, Shares
from engine.game import Game
from engine.records import put
from engine.remembered import Passes, SeatCards
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.stock import StockRound
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Seated, Setup, Trains, all_that_is_kept, fewest, printed_limit
from engine.state import ASIDE, OFFERING, POOL, REMOVED, State
from engine.steps.dealing import OneOfItsOwn, OwnDeal, in_offering
from engine.steps.run import AllOrNothing, DividendStep, HalfOrNothing, IncomeStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.trade import (
    at_price,
    certificate_limit,
    from_round,
    marked_by_colour,
    not_sold_before,
    once_a_turn,
    operated,
)
from engine.steps.trains import if_it_could_run
from titles import loading
from titles.ruhr import bank, banker, cards, ending, founding, hints, locations, package, showing, works
from titles.ruhr.banker import BANK_RUN, BankRunStep, BankSpendStep, BankTrainStep, RepayStep
from titles.ruhr.house import RuhrGreedy
from titles.ruhr.locations import RailwayLinks, TramwayLinks
from titles.ruhr.package import PackageRound
from titles.ruhr.remembered import (
    BankLoans,
    Drawn,
    Ending,
    LastTrader,
    LineMoney,
    NewCorporations,
    RoundCards,
)
from titles.ruhr.running import RuhrTrain, shortest_train
from titles.ruhr.spending import EngineDeal, SpendStep
from titles.ruhr.stock import (
    MontanSettles,
    NeverFloats,
    RailwayFloats,
    RemoveGuard,
    RuhrTradeStep,
    first_turn,
    guard_closed,
    guard_lost,
    guarded,
    priority,
    unlocked,
)
from titles.ruhr.tables import Tables
from titles.ruhr.track import RuhrTrackStep
from titles.ruhr.trains import RuhrTrainStep

PACKAGE = "titles.ruhr"
FILES = ("game.toml", "map.toml", "tiles.toml")


class OfferToTreasury(AllOrNothing):
    """Certificates in the offer pay into the treasury, those in the pool nothing."""

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [*((player, player) for player in game.state.players), (OFFERING, company)]


def definition(setup: Setup) -> Definition:
    """The title's data with the options applied."""
    found = loading.load(loading.sheets(PACKAGE, *FILES), Tables)
    if setup.options["optional_cards"]:
        found = replace(found, trains=tuple(replace(t, count=t.count + t.optional) for t in found.trains))
    return found


def base(setup: Setup) -> Rules:
    """The game."""
    data = definition(setup)
    t: Tables = data.tables

    # 3, 13, 14 stock rounds
    trade = RuhrTradeStep(
        pars=marked_by_colour,
        sources={OFFERING: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before, unlocked(t)),
        sell=(from_round(2), operated, once_a_turn),
    )
    stock = StockRound(Steps(trade, extras=(RemoveGuard(t),)), priority=priority)

    # 7 to 10 operating rounds
    certificates = Shares(may_sell=may_be_sold, may_depose=lambda acting, company: company != acting)
    raising = Raising(OneOfItsOwn(in_offering), Cash(), certificates)
    trains = RuhrTrainStep(raising, must_own=if_it_could_run(shortest_train))
    spending = SpendStep(t, raising)
    deal = OwnDeal(in_offering, stops=("income", "run", "trains", "spend"))
    tramways = TramwayLinks(t)
    dividend = DividendStep(OfferToTreasury())
    operating = OnceRound(
        "operating",
        order(t),
        {
            works.MINE: Steps(IncomeStep(earned), DividendStep(HalfOrNothing()), spending, extras=(tramways,)),
            "railway": Steps(
                RuhrTrackStep(t),
                StationStep(),
                RunStep(),
                dividend,
                trains,
                extras=(deal, RailwayLinks(), tramways),
            ),
            works.MONTAN: Steps(IncomeStep(earned), dividend, spending, extras=(deal, tramways)),
            # 10.9 companies that nobody directs
            BANK_RUN + "railway": Steps(BankRunStep(), RepayStep(), BankTrainStep(trains)),
            BANK_RUN + works.MONTAN: Steps(IncomeStep(earned), RepayStep(), BankSpendStep(spending)),
        },
        begins=pay_privates,
        turn_begins=first_turn,
    )

    # 12 the Montan round
    founding_round, merging = founding.rounds()

    def then(game: Game) -> None:
        """What follows a round (7.4, 12, 13.1, 15.1)."""
        state, round_, ending_ = game.state, game.state.round, Ending.of(game)
        if round_.kind == "package":
            if package.unsold(game):
                operating.begin(game, 1, 1)
            else:
                stock.begin(game, Passes.of(game).next)
        elif round_.kind == "stock":
            if round_.stock_number == 1:
                cards.deal(game, first=True)
            rounds = game.phase.operating_rounds
            if ending_.last == "due":
                ending_.last = "now"
                rounds = t.last.operating_rounds
            operating.begin(game, 1, rounds)
        elif round_.kind == "operating":
            if package.unsold(game):
                last = LastTrader.of(game).last_buyer
                package_round.begin(game, game.after(last) if last in state.seats else state.priority)
            elif round_.operating_number < round_.operating_total:
                operating.begin(game, round_.operating_number + 1, round_.operating_total)
            elif ending_.ends:
                game.finish("bank")
            elif ending_.last == "now":
                game.finish("last_card")
            elif works.happened(game, t.montan_round.from_card):
                founding_round.begin(game)
            else:
                next_set(game)
        elif round_.kind == founding_round.name:
            merging.begin(game)
        else:
            next_set(game)

    def next_set(game: Game) -> None:
        if game.stands_still():
            # Corporations that nobody directs or that have closed, and players without money: nothing ends it.
            game.finish("standstill")
            return
        game.state.round.stock_number += 1
        stock.begin(game)

    package_round = PackageRound(then)
    return Rules(
        setup=setup,
        definition=data,
        clauses=data.clauses,
        rounds={
            "package": package_round,
            "stock": stock,
            "operating": operating,
            founding_round.name: founding_round,
            merging.name: merging,
        },
        first=package_round.begin,
        then=then,
        seating=by_cards,
        lay_out=partial(lay_out, setup, t),
        kind=banker.kind,
        prices={
            "railway": PriceRules(
                sale=if_director_sells(down_a_sale), dividend=ByRatio(((200, 2), (100, 1)), below=stays)
            ),
            works.MONTAN: PriceRules(sale=if_director_sells(down_a_sale), dividend=ByRatio(((100, 1),), below=stays)),
            works.MINE: PriceRules(sale=down_a_sale, dividend=ByRatio()),
        },
        floating={"railway": RailwayFloats(), works.MONTAN: MontanSettles(), works.MINE: NeverFloats()},
        limits=Limits(printed_limit, in_pool=lambda game, company: 100),
        trains=Trains(rules=RuhrTrain, must_run="some", depends=all_that_is_kept),
        secure=guarded(t),
        handed=fewest,
        on={
            ev.Paid: (bank.paid,),
            ev.TileLaid: (locations.tile_laid, locations.line_built),
            ev.PhaseChanged: (works.phase_began, bank.card_gone),
            ev.DirectorChanged: (guard_lost,),
            ev.PrivateClosed: (guard_closed,),
            ev.CompanyClosed: (ending.closed,),
        },
        questions={
            "par": package.par_asked,
            "engine_sale": EngineDeal().asked,
            "surplus_engine": ending.surplus_asked,
        },
        bankrupt=banker.bankrupt(trains, spending),
        score=bank.score,
        possessions=showing.possessions,
        marks=showing.marks,
        pages=showing.pages,
        remarks=partial(hints.remarks, spending),
        faults=faults,
        house={"greedy": RuhrGreedy()},
    )


def may_be_sold(game: Game, acting: str, company: str) -> Any:
    """In a forced purchase too, only certificates of corporations that have operated are sold (R-66)."""
    if works.kind(game, company) == works.MINE:
        return game.refuse("stock.mine", company=company)
    if not game.company(company).operated:
        return game.refuse("forced.unsaleable", company=company)
    return None


def earned(turn: Any) -> int:
    return works.income(turn.game, turn.actor)


def order(t: Tables) -> Any:
    """Small companies by their numbers, then corporations by their value; one waits for a card."""

    def acting(game: Game) -> list[str]:
        small = [name for name in t.mines if game.company(name).director]
        waiting = "" if works.happened(game, t.special.waits_for) else t.special.waits
        return [*small, *(name for name in by_price(game) if name != waiting)]

    return acting


def by_cards(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    """Montan Round Cards from 1 to n: the first begins, seats ascend."""
    deal = dict(zip(players, chance.sample(range(1, len(players) + 1), len(players)), strict=True))
    return sorted(players, key=lambda player: deal[player]), (SeatCards(deal),)


def lay_out(setup: Setup, t: Tables, state: State, chance: random.Random) -> None:
    """The scenario, the package, all supplies; passive companies have no charter."""
    chosen = setup.options["scenario"]
    drawn = chance.choice(t.scenario)
    scenario = drawn if chosen == "drawn" else next(row for row in t.scenario if row.id == chosen)
    for kept in (Drawn(scenario.id), RoundCards(), NewCorporations(), BankLoans(), LineMoney(), Ending(), LastTrader()):
        put(state, kept)
    state.cash[ASIDE] = 0
    works.lay_out(t, state)
    locations.lay_out(t, state, scenario.active)
    package.lay_out(t, state, setup.players, scenario.active)
    for mine in t.mine:
        if mine.number not in scenario.active:
            state.companies[mine.company].closed = True
            state.companies[mine.company].certificates = [REMOVED]


def faults(game: Game) -> list[str]:
    return [*works.faults(game), *locations.faults(game)]
