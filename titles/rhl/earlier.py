"""18Rhl by the edition before the rulebook of 2024 (docs/editions.md says what is different)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.definition import TrainType
from engine.game import Game
from engine.rounds.operating import OperatingRound
from engine.routes.legs import Node
from engine.routes.model import Part
from engine.rules import RoundRules
from engine.state import BANK, Pause, State
from engine.steps.run import DividendStep
from engine.steps.trains import TrainStep
from titles.rhl.rules import Rhl
from titles.rhl.running import RhlTrain
from titles.rhl.track import RhlTrackStep

# The mark of a Rheingold-Express has so many bits for the number of its stops of each value.
_COUNT = 6


class _EarlierTrack(RhlTrackStep):
    """No duty to lay the first tile at home."""

    def home_first(self, game: Game, company: str) -> str:
        return ""


class _EarlierDividend(DividendStep):
    """A dividend below the price leaves the stack as it is."""

    def move_price(self, game: Game, company: str, dividend: int) -> None:
        if not 0 < dividend < game.prices.value(company):
            super().move_price(game, company, dividend)


class _EarlierTrains(TrainStep):
    """The director pays before the company sells its own shares, and sells only what has operated."""

    own_shares_first = False

    def may_be_sold(self, game: Game, company: str) -> bool:
        return game.company(company).operated or game.state.round.actor == company

    def may_change_director(self, game: Game, company: str, name: str) -> bool:
        return name != company


class _EarlierOperating(OperatingRound):
    """Home stations are placed when their company first operates."""

    def turn_begins(self, game: Game, company: str) -> None:
        if not game.company(company).active:
            assert isinstance(game.rules, Rhl)
            game.rules.activate(game, company)


class EarlierTrain(RhlTrain):
    """A train of the earlier edition: the Rheingold-Express may start in the south and skips what pays least."""

    needs_two_hexes = False

    def __init__(self, game: Game, company: str, train: TrainType, colour: str, *, town_ends: bool) -> None:
        super().__init__(game, company, train, colour, town_ends=town_ends)
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


class Earlier(Rhl):
    """18Rhl by the edition before the rulebook of 2024."""

    must_run_all_trains = False
    may_stand_still = True
    rise_at_float = False
    active_at_float = False
    town_ends = False
    train_step = _EarlierTrains
    dividend_step = _EarlierDividend
    track_step = _EarlierTrack
    train_kind = EarlierTrain

    def make_rounds(self) -> dict[str, RoundRules]:
        rounds = super().make_rounds()
        self.package.bid_step = 1
        self.stock.sale_after_operating = True
        self.stock.one_sale = False
        self.stock.ties_by_turn = True
        self.operating = _EarlierOperating(list(self.operating.steps.values()))
        return {**rounds, "operating": self.operating}

    def set_up_rhe(self, state: State) -> None:
        state.facts["link_money"] = 0

    def first_priority(self, game: Game, last_buyer: str) -> str:
        cash = game.state.cash
        return max(game.from_seat(game.state.priority), key=lambda player: cash[player])

    def sell_rhe(self, game: Game, player: str, price: int) -> None:
        game.state.pauses.append(Pause("found_rhe", [player], {"price": price}))

    def found_rhe(self, game: Game, player: str, par: int, price: int) -> None:
        """The buyer has chosen the starting price; the whole bid goes to RhE."""
        rhe = self.definition.tables.link_company
        name = rhe.corporation
        cell = next(cell for cell in self.definition.market.cells("p") if self.stock.par_value(game, cell) == par)
        game.prices.put(name, cell)
        game.company(name).par = par
        game.pay(BANK, name, price, "director's certificate RhE")
        game.state.facts["link_money"] = rhe.link_shares * par
        self.float_rhe(game, player)

    def pay_link(self, game: Game, company: str, amount: int) -> None:
        game.pay(BANK, company, amount, "link Köln–Aachen")
