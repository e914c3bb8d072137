"""18Rhl by the rulebook of 2024: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from engine.definition import Definition
from engine.finance import shares
from engine.finance.prices import ByRatio, PriceRules, down_a_sale
from engine.finance.raising import Cash, Loan, OwnShares, Raising, Shares
from engine.game import Game
from engine.mechanism import Mechanism, compose
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.package import Auction
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Rules, Seating, Setup, Trains, all_that_is_kept
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
    PrivatesClose,
    by_order_cards,
    in_turn,
    left_of_last_buyer_begins,
    short_round,
)
from titles.rhineland.floating import AtShare
from titles.rhineland.link import LinkRole
from titles.rhineland.powers import PowerTrackStep, StationGrant
from titles.rhineland.running import furthest_train
from titles.rhl.contract import Contract
from titles.rhl.house import RhlGreedy
from titles.rhl.running import RhlTrain
from titles.rhl.stations import PackageStationStep
from titles.rhl.tables import Tables


def base(setup: Setup, definition: Definition) -> Rules:
    """The base game by the rulebook of 2024."""
    return RhinelandGame(setup, definition).rules()


class RhinelandGame:
    """The game with its parts by name. Decks of cards are mechanisms; with one, seats and beginning are others."""

    def __init__(
        self,
        setup: Setup,
        definition: Definition,
        *,
        seating: Seating | None = None,
        first: Callable[[Game], None] | None = None,
    ) -> None:
        self.setup, self.definition = setup, definition
        self.t: Tables = definition.tables
        t, other = self.t, self.t.alternative
        self.seating = seating or by_order_cards(t.order_card, locations=True)
        self.floating = AtShare()
        self.link = LinkRole(t.link_company, self.floating, definition)
        # The contract is settled before the private companies close (8.5.2).
        contract = (Contract(other.rheingold_token, definition),) if other.rheingold_token else ()
        self.mechanisms: tuple[Mechanism, ...] = (self.link, *contract, PrivatesClose())

        # 5.1 the starting package
        self.package = Auction(
            sold=partial(lot_sold, t, self.link),
            all_passed=short_round,
            all_sold=left_of_last_buyer_begins,
        )

        #: Begins the game.
        self.first = first or self.package.begin

        # 5 stock rounds
        self.trade = TradeStep(
            pars=marked_spaces,
            # RHL-4.2-b: one price, wherever a share lies.
            sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
            buy=(certificate_limit, not_sold_before, pool_from_round(2)),
            sell=(from_round(2), floated, once_a_turn),
        )
        self.stock = StockRound(Steps(self.trade), priority=richest)

        # 6 operating rounds
        last = () if setup.options["bankruptcy_end"] else (Loan(2),)
        self.station = StationStep()
        if other.free_station or other.dear_stations:
            self.station = PackageStationStep(other.free_station, other.dear_stations)
        self.trains = TrainStep(
            Raising(OwnShares(), Cash(), (Shares(), *last)),
            must_own=if_it_could_run(furthest_train(t.rheingold.train)),
        )
        track = PowerTrackStep(t.powers, StationGrant(self.station))
        railway = Steps(track, self.station, RunStep(), DividendStep(), self.trains)
        self.operating = OnceRound("operating", by_price, {"railway": railway}, begins=pay_privates)

    def rules(self, *more: Mechanism) -> Rules:
        """The rules with all mechanisms."""
        plain = Rules(
            setup=self.setup,
            definition=self.definition,
            clauses=self.definition.clauses,
            rounds={"package": self.package, "stock": self.stock, "operating": self.operating},
            first=self.first,
            then=in_turn(self.stock, self.operating),
            seating=self.seating,
            lay_out=partial(lay_out, self.t),
            prices={"railway": PriceRules(sale=down_a_sale, dividend=ByRatio(), sold_out=1)},
            floating={"railway": self.floating},
            unused_tiles=without_their_private(self.definition),
            trains=Trains(rules=RhlTrain, depends=all_that_is_kept),
            house={"greedy": RhlGreedy(self.t.alternative.lots)},
        )
        return compose(plain, *self.mechanisms, *more)


def lay_out(t: Tables, state: State, chance: random.Random) -> None:
    """Locations by the card that was drawn, and what comes with lots."""
    lay_locations(t, state, chance)
    if t.alternative.lime_quarry:
        state.board.markers.setdefault(t.alternative.lime_quarry.hex, []).append("lime")
    for built in t.alternative.built:
        state.board.tiles[built.hex] = (built.tile, built.rotation)
        state.board.supply[built.tile] -= 1
    state.companies[t.lot_certificate.corporation].certificates[t.lot_certificate.certificate] = ASIDE


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
