"""18Rhl by the rulebook of 2024: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.finance import shares
from engine.finance.prices import ByRatio, PriceRules, down_a_sale
from engine.finance.raising import Cash, Loan, OwnShares, Raising, Shares
from engine.game import Game
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.package import Auction
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Rules, Setup, Trains
from engine.state import ASIDE, OFFERING, POOL, State
from engine.steps.run import DividendStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.trade import (
    CHARTER,
    TradeStep,
    at_price,
    certificate_limit,
    floated,
    from_round,
    marked_spaces,
    not_sold_before,
    once_a_turn,
    pool_from_round,
)
from engine.steps.trains import TrainStep, if_it_could_run
from titles.rhineland.course import by_order_cards, close_privates, in_turn, left_of_last_buyer_begins, short_round
from titles.rhineland.floating import AtShare
from titles.rhineland.link import LinkRole
from titles.rhineland.powers import PowerTrackStep, StationGrant
from titles.rhineland.running import furthest_train
from titles.rhl.running import RhlTrain
from titles.rhl.tables import Tables


def base(setup: Setup, definition: Definition) -> Rules:
    """The base game."""
    t: Tables = definition.tables

    floating = AtShare()
    link = LinkRole(t.link_company, floating)

    # 5.1 the starting package
    package = Auction(
        sold=partial(lot_sold, t, link),
        all_passed=short_round,
        all_sold=left_of_last_buyer_begins,
    )

    # 5 stock rounds
    trade = TradeStep(
        pars=marked_spaces,
        sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before, pool_from_round(2)),
        sell=(from_round(2), floated, once_a_turn),
    )
    stock = StockRound(Steps(trade), priority=richest)

    # 6 operating rounds
    last = () if setup.options["bankruptcy_end"] else (Loan(2),)
    station = StationStep()
    trains = TrainStep(
        Raising(OwnShares(), Cash(), (Shares(), *last)),
        must_own=if_it_could_run(furthest_train(t.rheingold.train)),
    )
    railway = Steps(PowerTrackStep(t.powers), station, RunStep(), DividendStep(), trains)
    operating = OnceRound("operating", by_price, {"railway": railway}, begins=pay_privates)

    return Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={"package": package, "stock": stock, "operating": operating},
        first=package.begin,
        then=in_turn(stock, operating),
        seating=by_order_cards(t.order_card, locations=True),
        lay_out=partial(lay_out, definition, link),
        prices={"railway": PriceRules(sale=down_a_sale, dividend=ByRatio(), sold_out=1)},
        floating={"railway": floating},
        trains=Trains(rules=RhlTrain),
        on={ev.TileLaid: (link.tile_laid,), ev.PhaseChanged: (close_privates,)},
        questions={**trade.questions(), **trains.questions(), "granted_station": StationGrant(station)},
    )


def lay_out(definition: Definition, link: LinkRole, state: State, chance: random.Random) -> None:
    """Locations by the card that was drawn, the certificate that comes with a lot, and the company of the link."""
    t: Tables = definition.tables
    lay_locations(t, state, chance)
    state.companies[t.lot_certificate.corporation].certificates[t.lot_certificate.certificate] = ASIDE
    link.lay_out(definition, state)


def lay_locations(t: Tables, state: State, chance: random.Random) -> None:
    """A coalmine and a steel mill by the card that was drawn."""
    card = next(card for card in t.order_card if card.number == state.facts["location_card"])
    for kind, at in (("coal", card.coal), ("steel", card.steel)):
        state.board.markers.setdefault(at, []).append(kind)


def lot_sold(t: Tables, link: LinkRole, game: Game, player: str, lot: str, price: int) -> None:
    """What a lot brings besides itself."""
    if lot == t.lot_certificate.lot:
        shares.move(game, t.lot_certificate.corporation, t.lot_certificate.certificate, player)
    if lot == t.link_company.lot:
        link.sold(game, player, price)
