"""18LRA by the rulebook of 2024: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from engine.board.board import put_token
from engine.definition import Definition, Home
from engine.finance import shares
from engine.finance.prices import ByRatio, PriceRules, down_a_sale
from engine.finance.raising import Cash, Loan, OwnShares, Raising, Shares
from engine.game import Game
from engine.mechanism import Mechanism, compose
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.package import Auction
from engine.rounds.stock import Priority, StockRound, richest
from engine.rounds.turns import OnceRound, Order, Steps
from engine.rules import Floating, Rules, Seating, Setup, Trains, all_that_is_kept
from engine.state import ASIDE, BLANK, OFFERING, POOL, State
from engine.steps.run import DividendStep, Payout, RunStep
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
from titles.lra import data
from titles.lra.dalheim import Camp
from titles.lra.gkb import KeepsGkb, Kreisbahn
from titles.lra.harbour import Harbours, HarbourStep, token_kinds
from titles.lra.house import LraGreedy
from titles.lra.links import Link
from titles.lra.running import train_rules
from titles.lra.tables import Tables
from titles.lra.track import LraTrackStep
from titles.rhineland.course import PrivatesClose, by_order_cards, in_turn, left_of_last_buyer_begins, short_round
from titles.rhineland.floating import AtShare
from titles.rhineland.powers import StationGrant
from titles.rhineland.running import furthest_train


def base(setup: Setup) -> Rules:
    """The base game."""
    return LowerRhine(setup, data.definition(setup)).rules()


class LowerRhine:
    """The game with its parts by name. What the form for two has otherwise within them is a keyword."""

    def __init__(
        self,
        setup: Setup,
        definition: Definition,
        *mechanisms: Mechanism,
        seating: Seating | None = None,
        pay: Callable[[Game], None] = pay_privates,
        trade: Callable[..., TradeStep] = TradeStep,
        priority: Priority = richest,
        order: Order | None = None,
        payout: Payout | None = None,
        floating: Floating | None = None,
    ) -> None:
        self.setup, self.definition = setup, definition
        self.t: Tables = definition.tables
        t = self.t
        self.seating = seating or by_order_cards(t.order_card, locations=False)
        self.floating = floating or AtShare()
        # 6.3: Dalheim, then GKB, then the others close (ruling 79)
        self.mechanisms = (
            Link(t.link_payment),
            Harbours(t.harbour),
            Camp(t),
            Kreisbahn(t.gkb),
            PrivatesClose(),
            *mechanisms,
        )

        # 5.1 the starting package
        self.package = Auction(
            sold=partial(lot_sold, t), all_passed=partial(short_round, pay=pay), all_sold=left_of_last_buyer_begins
        )

        # 5 stock rounds
        self.trade = trade(
            pars=marked_spaces,
            sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
            buy=(certificate_limit, not_sold_before, pool_from_round(2)),
            sell=(from_round(2), floated, once_a_turn),
        )
        self.stock = StockRound(Steps(self.trade), priority=priority, order=order)

        # 6 operating rounds
        last = () if setup.options["bankruptcy_end"] else (Loan(2),)
        self.station = HarbourStep(t)
        self.grant = StationGrant(self.station)
        self.trains = TrainStep(
            Raising(OwnShares(), Cash(), (Shares(), *last)),
            must_own=if_it_could_run(furthest_train(t.gkb.train)),
            may_sell=self.may_sell_trains,
        )
        dividend = DividendStep(payout or KeepsGkb())
        railway = Steps(LraTrackStep(t, self.grant), self.station, RunStep(), dividend, self.trains)
        self.operating = OnceRound("operating", by_price, {"railway": railway}, begins=pay)

    def may_sell_trains(self, game: Game, company: str) -> bool:
        return all(each.may_sell_trains(game, company) for each in self.mechanisms)

    def rules(self, *more: Mechanism) -> Rules:
        """The rules with what the parts know of, and with more mechanisms."""
        plain = Rules(
            setup=self.setup,
            definition=self.definition,
            clauses=self.definition.clauses,
            rounds={"package": self.package, "stock": self.stock, "operating": self.operating},
            first=self.package.begin,
            then=in_turn(self.stock, self.operating),
            seating=self.seating,
            lay_out=partial(lay_out, self.t, data.covered(self.setup)),
            prices={"railway": PriceRules(sale=down_a_sale, dividend=ByRatio(), sold_out=1)},
            floating={"railway": self.floating},
            trains=Trains(rules=train_rules, depends=all_that_is_kept),
            token_kinds=token_kinds,
            house={"greedy": LraGreedy()},
        )
        return compose(plain, *self.mechanisms, *more)


def lay_out(t: Tables, covered: tuple[Home, ...], state: State, chance: random.Random) -> None:
    """The certificate that comes with a lot, and blank tokens on homes that are not used."""
    state.companies[t.lot_certificate.corporation].certificates[t.lot_certificate.certificate] = ASIDE
    for home in covered:
        put_token(state.board, BLANK, home.at, home.stop)


def lot_sold(t: Tables, game: Game, player: str, lot: str, price: int) -> None:
    """What a lot brings besides itself."""
    if lot == t.lot_certificate.lot:
        shares.move(game, t.lot_certificate.corporation, t.lot_certificate.certificate, player)
