"""18Rhl by the rulebook of 2024: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.finance import shares
from engine.finance.prices import ByRatio, PriceRules, down_a_sale
from engine.finance.raising import Cash, Loan, OwnShares, Raising, Shares
from engine.game import Game
from engine.records import put
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.package import Auction
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Listener, Rules, Setup, Trains, all_that_is_kept, owned_privates
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
from titles.rhineland.course import (
    LocationCard,
    by_order_cards,
    close_privates,
    in_turn,
    left_of_last_buyer_begins,
    short_round,
)
from titles.rhineland.floating import AtShare
from titles.rhineland.link import LinkRole
from titles.rhineland.powers import PowerTrackStep, StationGrant
from titles.rhineland.running import furthest_train
from titles.rhl.contract import Contract, RheingoldPlace, with_token
from titles.rhl.house import RhlGreedy
from titles.rhl.running import RhlTrain
from titles.rhl.stations import PackageStationStep
from titles.rhl.tables import Tables


def base(setup: Setup, definition: Definition) -> Rules:
    """The base game."""
    t: Tables = definition.tables

    floating = AtShare()
    link = LinkRole(t.link_company, floating)
    other = t.alternative
    contract = Contract(other.rheingold_token, definition) if other.rheingold_token else None

    # 5.1 the starting package
    package = Auction(
        sold=partial(lot_sold, t, link),
        all_passed=short_round,
        all_sold=left_of_last_buyer_begins,
    )

    # 5 stock rounds
    trade = TradeStep(
        pars=marked_spaces,
        # RHL-4.2-b: one price, wherever a share lies.
        sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before, pool_from_round(2)),
        sell=(from_round(2), floated, once_a_turn),
    )
    stock = StockRound(Steps(trade), priority=richest)

    # 6 operating rounds
    last = () if setup.options["bankruptcy_end"] else (Loan(2),)
    station = StationStep()
    if other.free_station or other.dear_stations:
        station = PackageStationStep(other.free_station, other.dear_stations)
    trains = TrainStep(
        Raising(OwnShares(), Cash(), (Shares(), *last)),
        must_own=if_it_could_run(furthest_train(t.rheingold.train)),
    )
    railway = Steps(
        PowerTrackStep(t.powers),
        station,
        RunStep(),
        DividendStep(),
        trains,
        extras=contract.extras() if contract else (),
    )
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
        unused_tiles=without_their_private(definition),
        trains=Trains(rules=RhlTrain, depends=all_that_is_kept),
        on=in_order(
            {ev.TileLaid: (link.tile_laid,)},
            contract.listeners() if contract else {},
            {ev.PhaseChanged: (close_privates,)},
        ),
        questions={
            **(contract.questions() if contract else {}),
            "granted_station": StationGrant(station),
        },
        possessions=with_token if contract else owned_privates,
        house={"greedy": RhlGreedy(other.lots)},
    )


def in_order(*tables: Mapping[type[ev.Event], tuple[Listener, ...]]) -> Mapping[type[ev.Event], tuple[Listener, ...]]:
    """What follows from events by several tables; what the first says happens first."""
    kinds = dict.fromkeys(kind for table in tables for kind in table)
    return {kind: tuple(listener for table in tables for listener in table.get(kind, ())) for kind in kinds}


def lay_out(definition: Definition, link: LinkRole, state: State, chance: random.Random) -> None:
    """Locations by the card that was drawn, what comes with lots, and the company of the link."""
    t: Tables = definition.tables
    lay_locations(t, state, chance)
    if t.alternative.lime_quarry:
        state.board.markers.setdefault(t.alternative.lime_quarry.hex, []).append("lime")
    for built in t.alternative.built:
        state.board.tiles[built.hex] = (built.tile, built.rotation)
        state.board.supply[built.tile] -= 1
    state.companies[t.lot_certificate.corporation].certificates[t.lot_certificate.certificate] = ASIDE
    link.lay_out(definition, state)
    if t.alternative.rheingold_token:
        put(state, RheingoldPlace())


def lay_locations(t: Tables, state: State, chance: random.Random) -> None:
    """A coalmine and a steel mill by the card that was drawn."""
    card = next(card for card in t.order_card if card.number == LocationCard.within(state).location_card)
    for kind, at in (("coal", card.coal), ("steel", card.steel)):
        state.board.markers.setdefault(at, []).append(kind)


def lot_sold(t: Tables, link: LinkRole, game: Game, player: str, lot: str, price: int) -> None:
    """What a lot brings besides itself."""
    if lot == t.lot_certificate.lot:
        shares.move(game, t.lot_certificate.corporation, t.lot_certificate.certificate, player)
    if lot == t.link_company.lot:
        link.sold(game, player, price)


def without_their_private(definition: Definition) -> frozenset[str]:
    """Tiles that no phase allows, so that only a private company lays them, and none of this game does (ruling 55)."""
    t: Tables = definition.tables
    allowed = {colour for phase in definition.phases for colour in phase.tiles}
    granted = {tile for private in t.private if private.power for tile in private.power.tiles}
    return frozenset(name for name, tile in definition.tiles.items() if tile.colour not in allowed) - granted
