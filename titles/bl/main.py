"""18BL by the rulebook of August 2018: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.finance.depot import acting_company_first
from engine.finance.prices import PriceRules, down_a_share
from engine.finance.raising import Cash, Raising, Shares
from engine.game import Game
from engine.mechanism import compose
from engine.remembered import SeatCards
from engine.rounds.operating import activate_at_first_turn, by_price, pay_privates
from engine.rounds.package import Auction, Bids
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Limits, Rules, Seated, Setup, Trains, all_that_is_kept, printed_limit
from engine.state import OFFERING, POOL
from engine.steps.run import DividendStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.trade import (
    TradeStep,
    at_par,
    at_price,
    certificate_limit,
    certificates_over,
    from_round,
    marked_spaces,
    not_sold_before,
    once_a_turn,
    operated,
)
from engine.steps.trains import always
from titles import loading
from titles.bl.access import AccessRights
from titles.bl.bank import players_help
from titles.bl.house import BlGreedy
from titles.bl.leaving import Privates, Trailers, bankrupt
from titles.bl.running import BlTrain, ThreeQuarters, fleets, rounded, vehicles
from titles.bl.stock import (
    Exchange,
    FiveTimesPar,
    closes_in_red,
    dividend_moves,
    outside_zones,
    over_percent,
    share_limit,
)
from titles.bl.tables import Tables
from titles.bl.track import BlTrackStep
from titles.bl.vehicles import VehicleStep, cheapest_of_each_kind, note_limit, only_others, operated_and_unsold

PACKAGE = "titles.bl"
FILES = ("game.toml", "map.toml", "tiles.toml")


def base(setup: Setup) -> Rules:
    """The game."""
    definition = loading.load(loading.sheets(PACKAGE, *FILES), Tables)
    t: Tables = definition.tables

    # 3 the starting round
    package = Auction(
        sold=lambda game, player, lot, price: None,
        all_passed=adjourned,
        all_sold=lambda game, last_buyer: game.rules.then(game),
        opens=left_of_highest,
        must_take=lambda game: game.state.priority,
    )

    # 7 stock rounds
    trade = TradeStep(
        pars=marked_spaces,
        sources={OFFERING: at_par, POOL: at_price},
        buy=(certificate_limit, not_sold_before, share_limit(t.shares)),
        sell=(from_round(2), operated, once_a_turn),
        over=(certificates_over, over_percent(t.shares)),
    )
    stock = StockRound(Steps(trade, extras=(Exchange(t.exchange, trade),)), priority=left_of_last_buyer)

    # 8 operating rounds
    track = BlTrackStep(t.layers)
    certificates = Shares(may_sell=operated_and_unsold, may_depose=only_others, once=True)
    trains = VehicleStep(
        Raising(Cash(), certificates), t.vehicles, must_own=always, forced_choice=cheapest_of_each_kind
    )
    railway = Steps(
        track,
        StationStep(),
        RunStep(),
        DividendStep(ThreeQuarters(t.dividend)),
        trains,
    )
    operating = OnceRound(
        "operating", by_price, {"railway": railway}, begins=pay_privates, turn_begins=activate_at_first_turn
    )

    def then(game: Game) -> None:
        """Package, stock round, operating rounds, and so on until the bank has broken or all stands still (10)."""
        state = game.state
        round_ = state.round
        if round_.kind == "package":
            # The richest begins, of several the next in order from the priority deal (R05).
            stock.begin(game, max(game.from_seat(state.priority), key=lambda player: state.cash[player]))
        elif round_.kind == "stock":
            last = t.end.operating_rounds_after_stock_round
            operating.begin(game, 1, last if state.bank_broken else game.phase.operating_rounds)
        elif round_.operating_number < round_.operating_total:
            operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif state.bank_broken:
            game.finish("bank")
        elif game.stands_still():
            game.finish("standstill")
        else:
            round_.stock_number += 1
            stock.begin(game)

    plain = Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={"package": package, "stock": stock, "operating": operating},
        first=package.begin,
        then=then,
        seating=partial(by_cards, definition),
        prices={
            "railway": PriceRules(
                sale=down_a_share(stops="x"), dividend=dividend_moves(t.dividend), sold_out=1, arrival=closes_in_red
            )
        },
        floating={"railway": FiveTimesPar()},
        limits=Limits(printed_limit, outside_zones("y", "b")),
        trains=Trains(
            rules=BlTrain,
            vehicles=vehicles(definition),
            fleets=fleets,
            revenue=rounded(t.dividend),
            counts=trains.counts(definition),
            discard_order=acting_company_first,
            must_run="some",
            depends=all_that_is_kept,
        ),
        on={ev.TrainBought: (note_limit,)},
        bankrupt=bankrupt(trains, certificates),
        short=players_help,
        house={"greedy": BlGreedy()},
    )
    return compose(plain, Privates(t), AccessRights(t.access), Trailers(t))


def by_cards(definition: Definition, setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    """A card from 1 to 6 for each player: the lowest begins, seats ascend."""
    cards = range(1, definition.players[1] + 1)
    deal = dict(zip(players, chance.sample(cards, len(players)), strict=True))
    return sorted(players, key=lambda player: deal[player]), (SeatCards(deal),)


def left_of_highest(game: Game, bids: Bids) -> str:
    """An auction is opened by the bidder next to the left of the highest one (BL-3-m)."""
    highest = max(bids, key=lambda entry: entry[1])[0]
    bidders = {player for player, _ in bids}
    return next(player for player in game.from_seat(highest)[1:] if player in bidders)


def adjourned(game: Game) -> None:
    """All have passed: the private companies pay, and the round goes on (BL-3-u)."""
    game.emit(ev.RoundBegan("short", game.state.round.stock_number, 0))
    pay_privates(game)
