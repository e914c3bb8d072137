"""18Rhl by the edition before the rulebook of 2024 (docs/editions.md says what is different)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from engine import events as ev
from engine.definition import Definition, TrainType
from engine.errors import Refused
from engine.finance.depot import price
from engine.finance.prices import ByRatio, PriceRules, down_a_sale, rise, stays
from engine.finance.raising import Cash, Raising, Shares
from engine.game import Game
from engine.mechanism import compose
from engine.moves import Found
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import OfGame, put, record
from engine.remembered import Passes, Placed
from engine.rounds.operating import activate_at_first_turn, by_price, pay_privates
from engine.rounds.package import Auction, Bids, lowest_bidder
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.routes.legs import Node
from engine.routes.model import Part
from engine.rules import Question, Rules, Setup, Trains, all_that_is_kept
from engine.state import BANK, CLOSED, OFFERING, POOL, Pause, State
from engine.steps.run import DividendStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.track import Permit
from engine.steps.trade import (
    CHARTER,
    TradeStep,
    at_price,
    certificate_limit,
    from_round,
    marked_spaces,
    not_sold_before,
    operated,
)
from engine.steps.trains import Train, TrainStep, if_it_could_run
from titles.rhineland.course import PrivatesClose, by_order_cards, in_turn, short_round
from titles.rhineland.floating import AtShare
from titles.rhineland.link import LinkMoney, LinkRole
from titles.rhineland.powers import PowerTrackStep, StationGrant
from titles.rhl.house import RhlGreedy
from titles.rhl.main import lay_out, lot_sold, without_their_private
from titles.rhl.running import RhlTrain
from titles.rhl.tables import Tables

# The mark of a Rheingold-Express has so many bits for the number of its stops of each value.
_COUNT = 6


def earlier(setup: Setup, definition: Definition) -> Rules:
    """The base game with what the earlier edition has otherwise."""
    t: Tables = definition.tables
    floating = RisesAtRoundEnd()
    link = ChosenPrice(t.link_company, floating, definition)
    package = Auction(
        sold=partial(lot_sold, t, link),
        all_passed=short_round,
        all_sold=the_richest_begins,
        follows=lowest_again,
        bid_step=1,
    )
    trade = TradeStep(
        pars=marked_spaces,
        sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before),
        sell=(from_round(2), operated),
    )
    stock = StockRound(Steps(trade), priority=richest_or_next)
    station = StationStep()
    trains = BeyondNewLimit(
        Raising(Cash(), Shares(may_sell=has_operated_or_acts, may_depose=only_others)),
        must_own=if_it_could_run(lambda game: game.definition.trains[0].name),
        forced_choice=cheapest,
    )
    railway = Steps(NoFirstTile(t.powers, OrdinaryInstead(station)), station, RunStep(), DividendStep(), trains)
    operating = OnceRound(
        "operating", by_price, {"railway": railway}, begins=pay_privates, turn_begins=activate_at_first_turn
    )
    plain = Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={"package": package, "stock": stock, "operating": operating},
        first=package.begin,
        then=in_turn(stock, operating),
        seating=by_order_cards(t.order_card, locations=True),
        lay_out=partial(lay_out, t),
        prices={"railway": PriceRules(sale=down_a_sale, dividend=ByRatio(below=stays), sold_out=1)},
        floating={"railway": floating},
        unused_tiles=without_their_private(definition),
        trains=Trains(rules=EarlierTrain, must_run="none", depends=all_that_is_kept),
        house={"greedy": RhlGreedy(t.alternative.lots)},
    )
    return compose(plain, link, PrivatesClose())


def the_richest_begins(game: Game, last_buyer: str) -> None:
    """Whoever has most cash begins after the package; if several have, whoever's turn it would be."""
    game.state.priority = alone_richest(game) or game.state.round.actor
    game.emit(ev.PriorityMoved(game.state.priority))
    game.rules.then(game)


def richest_or_next(game: Game) -> str:
    """Whoever has most cash; if several have, whoever's turn it would be."""
    following: str = Passes.of(game).next
    return alone_richest(game) or following


def alone_richest(game: Game) -> str:
    """Who has more cash than anybody else, "" if nobody has."""
    found = richest(game)
    cash = game.state.cash
    return found if sum(cash[player] == cash[found] for player in game.state.seats) == 1 else ""


def lowest_again(game: Game, player: str, bidders: list[str], bids: Bids) -> str:
    """After each answer whoever has bid least is asked."""
    return lowest_bidder(game, bids)


def cheapest(game: Game, trains: list[Train]) -> list[Train]:
    """A forced purchase is of a train that costs least, new or from the pool."""
    least = min((price(game, train) for _, train in trains), default=0)
    return [(source, train) for source, train in trains if price(game, train) == least]


def has_operated_or_acts(game: Game, acting: str, company: str) -> Refused | None:
    if game.company(company).operated or company == acting:
        return None
    return game.refuse("forced.unsaleable", company=company)


def only_others(acting: str, company: str) -> bool:
    """A forced sale may depose the director of any company but the acting one."""
    return company != acting


@record("rhl.rising")
@dataclass(slots=True)
class Rising(OfGame):
    """The new companies that rise at the end of the stock round, in the order in which they have floated."""

    to_rise: list[str] | None = None


class RisesAtRoundEnd(AtShare):
    """New companies rise at the end of the stock round; home stations are placed when their company first operates."""

    def opens(self, game: Game, name: str) -> None:
        """Not yet."""

    def rises(self, game: Game, name: str) -> None:
        rising = Rising.of(game)
        rising.to_rise = [*(rising.to_rise or ()), name]

    def round_over(self, game: Game) -> None:
        """They rise in the order in which they have floated."""
        rising = Rising.of(game)
        waiting, rising.to_rise = rising.to_rise or (), None
        for company in waiting:
            rise(game, company, "float")


class NoFirstTile(PowerTrackStep):
    """No duty to lay the first tile at home; no more tiles after a station that a private company has granted."""

    def permits(self, game: Game, company: str) -> list[Permit]:
        return [] if Placed.of(game).station else super().permits(game, company)

    def home_first(self, game: Game, company: str) -> str:
        return ""


class OrdinaryInstead(StationGrant):
    """Who does without the granted station may place an ordinary one."""

    def decline(self, game: Game, pause: Pause) -> None:
        game.answered(pause)


class BeyondNewLimit(TrainStep):
    """A company may buy a train with which it is over the limit of the phase that begins with it, and discards then."""

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        return True


# ---------------------------------------------------------------------- the company of the link


class ChosenPrice(LinkRole):
    """The buyer chooses the starting price, the whole bid goes to the company, and the bank pays the link."""

    def start(self, state: State) -> None:
        put(state, LinkMoney())
        put(state, Rising())

    def questions(self) -> Mapping[str, Question]:
        return {"found_link_company": lambda game, pause: [FoundLinkCompany(game, pause, self)]}

    def sold(self, game: Game, player: str, price: int) -> None:
        game.state.privates[self.table.lot] = CLOSED  # a share, not a private company
        game.ask("found_link_company", [player], price=price)

    def found(self, game: Game, player: str, par: int, price: int) -> None:
        """The buyer has chosen the starting price."""
        name = self.table.corporation
        game.prices.put(name, marked_spaces(game, name)[par])
        game.company(name).par = par
        game.pay(BANK, name, price, "director", name)
        LinkMoney.of(game).link_money = self.table.link_shares * par
        self.float(game, player)

    def pay(self, game: Game, amount: int) -> None:
        game.pay(BANK, self.table.corporation, amount, "link", self.names(game))


class FoundLinkCompany(Choice[Found]):
    """The buyer of the lot chooses the starting price."""

    kind = Found

    def __init__(self, game: Game, pause: Pause, link: ChosenPrice) -> None:
        super().__init__(game, pause.players[0], link.table.corporation)
        self.pause = pause
        self.link = link

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options("company", [Option(self.company)])
        if "par" not in picked:
            return Options("par", [Option(par) for par in sorted(self.link.table.pars)])
        return None

    def move(self, picked: Picked) -> Found:
        return Found(self.player, picked["company"], picked["par"])

    def check(self, move: Found) -> None:
        pars = self.link.table.pars
        if move.company != self.company:
            raise self.game.refuse("turn.order.par", company=self.company)
        if move.par not in pars:
            raise self.game.refuse("stock.par.link", company=self.company, pars=tuple(sorted(pars)))

    def perform(self, move: Found) -> None:
        self.game.answered(self.pause)
        self.link.found(self.game, self.player, move.par, self.pause.data["price"])


# ---------------------------------------------------------------------- trains


class EarlierTrain(RhlTrain):
    """A train of the earlier edition: the Rheingold-Express may start in the south and skips what pays least."""

    needs_two_hexes = False
    town_ends = False

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game, company, train, colour)
        #: Where a mark counts the Rheingold's stops of a value, apart for the Metropolises.
        self.counters: dict[tuple[int, bool], int] = {}

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return self.is_rheingold or super().within(cities, towns, end_towns)

    def barred(self, node: Node) -> bool:
        return super().barred(node) or (self.is_rheingold and node[0] in self.gold.closed)

    def groups(self, node: Node) -> Iterable[str]:
        apart = self.gold.apart if self.is_rheingold else ()
        return (name for name in super().groups(node) if name not in apart)

    def _mark(self, node: Node, value: int) -> int:
        if not self.is_rheingold:
            return super()._mark(node, value)
        kind = (value, node[0] in self.gold.doubled)
        return 1 << _COUNT * self.counters.setdefault(kind, len(self.counters))

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        if not self.is_rheingold:
            return super().bonus_parts(mark, one, other)
        full = self._full_length(one, other)
        values, doubled = [], 0
        for (value, metropolis), place in self.counters.items():
            count = mark >> _COUNT * place & (1 << _COUNT) - 1
            doubled += value * count * (metropolis and full)
            values += [value * (1 + (metropolis and full))] * count
        skipped = sum(sorted(values, reverse=True)[self.reach :])
        return [part for part in (Part("rheingold", doubled), Part("skipped", -skipped)) if part.amount]

    def _full_length(self, one: Node, other: Node) -> bool:
        return {one[0], other[0]} <= set(self.gold.start)
