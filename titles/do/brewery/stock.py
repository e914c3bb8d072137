"""Stock rounds with breweries: what may be founded and when, trading in, and what companies sell when they float."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine import events as ev
from engine.board.faces import COLOURS
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import WholeCertificates
from engine.finance.prices import move_price
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, SellOwnShares
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.remembered import Going
from engine.rounds.turns import Turn
from engine.rules import Listener, Question
from engine.state import BANK, POOL, Cell, Pause
from engine.steps.trade import Check, Trade
from titles.do.board.founding import StraightToTreasury
from titles.do.board.stock import DoTradeStep
from titles.do.brewery import breweries
from titles.do.brewery.breweries import BREWERY, MINOR
from titles.do.brewery.data import tables
from titles.do.brewery.trading import ForMinors, Placing, TradeIn, TradeInChoice

#: From this colour on a company that floats may sell shares at once.
LATE = "brown"

#: The kind of the question.
FLOAT_SALE = "float_sale"


@dataclass(frozen=True, slots=True)
class FloatsAlone(ev.Event):
    """What the pool takes at the end of the stock round, and the price after it, if nobody else buys a share."""

    company: str
    percent: int
    price: int


# ---------------------------------------------------------------------- checks


def breweries_from_green(game: Game, trade: Trade) -> Refused | None:
    """DO-6.3.2.2-a: brewery corporations are founded from the green phase on."""
    founded = game.company(trade.company).director
    if breweries.kind(game, trade.company) == BREWERY and not founded and "green" not in game.phase.tiles:
        return game.refuse("stock.brewery", company=trade.company)
    return None


def no_small_brewery(game: Game, trade: Trade) -> Refused | None:
    """DO-6.3.2.1-b: a small brewery is never sold."""
    if breweries.kind(game, trade.company) == MINOR:
        return game.refuse("stock.minor", company=trade.company)
    return None


# ---------------------------------------------------------------------- the step


class HsbTradeStep(DoTradeStep):
    """DO-6.4.5-g: a player's stock turn, in which a small brewery may be traded in instead of a purchase."""

    def __init__(
        self, placing: Placing, parts: WholeCertificates, *, buy: tuple[Check, ...], sell: tuple[Check, ...]
    ) -> None:
        super().__init__(buy=buy, sell=sell, parts=parts)
        self.placing = placing

    def break_up(self, game: Game, minor: str) -> None:
        """What a small brewery owned leaves the game with it."""
        for type_ in list(breweries.equipment(game, minor)):
            breweries.lose(game, minor, type_, "traded_in")

    def hand_over(self, game: Game, minor: str, company: str) -> None:
        """What a small brewery owned belongs to the corporation."""
        for type_ in breweries.EquipmentOwned.of(game).owned.pop(minor, []):
            breweries.add(game, company, type_)

    def keep_limits(self, game: Game, company: str) -> None:
        """A corporation that has got more than it may own gives things up."""
        breweries.keep_limit(game, company)

    def trade_in(self, game: Game, player: str) -> TradeInChoice | None:
        choice = TradeInChoice(game, player, self)
        return choice if choice.bargains() else None

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        result = super().choices(turn)
        passing = [choice for choice in result if choice.name == "pass"]
        if Going.of(turn.game).acted or not passing:
            return result
        found = self.trade_in(turn.game, turn.decider)
        return result if found is None else [*result[:-1], found, *passing]

    def waiting(self, turn: Turn) -> bool:
        if super().waiting(turn):
            return True
        return not Going.of(turn.game).acted and self.trade_in(turn.game, turn.decider) is not None

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, TradeIn):
            if Going.of(turn.game).acted:
                raise turn.game.refuse("tradein.acted", player=move.player)
            TradeInChoice(turn.game, move.player, self).check(move)
            if self.must_sell(turn.game, move.player):
                raise turn.game.refuse("stock.over")
        super().explain(turn, move)


# ---------------------------------------------------------------------- floating


class HsbFloats(StraightToTreasury):
    """DO-6.4.5-b: a corporation founded for a small brewery floats at the end of the round at the latest: the pool
    takes shares."""

    def round_over(self, game: Game) -> None:
        waiting = [name for name in ForMinors.of(game).founded if game.company(name).director]
        ForMinors.of(game).founded = []
        for company in waiting:
            if not game.company(company).floated:
                self.sell_to_float(game, company)

    def founded_for(self, game: Game, company: str) -> None:
        """Say what happens to a corporation founded for a small brewery if nobody else buys a share of it."""
        numbers, cell = self.to_float(game, company)
        if numbers:
            value = game.definition.market.rows[cell[0]][cell[1]]
            game.emit(FloatsAlone(company, sum(shares.percent_of(game, company, n) for n in numbers), value))

    def to_float(self, game: Game, company: str) -> tuple[tuple[int, ...], Cell]:
        """The certificates that the pool would have to take now, and the space of the price after that."""
        due = game.definition.corporations[company].float_percent
        missing = due - shares.player_share(game, company) - shares.held(game, company, POOL)
        owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
        numbers = least(owned, missing)
        cell = game.company(company).price
        assert cell is not None
        for _ in range(sum(owned[n] for n in numbers) // shares.unit(game, company)):
            cell = game.prices.left(cell)
        return numbers, cell

    def sell_to_float(self, game: Game, company: str) -> None:
        """The pool takes no more than it must, the price falls for each share, and that price is paid."""
        numbers, cell = self.to_float(game, company)
        sold = sum(shares.percent_of(game, company, number) for number in numbers)
        for number in numbers:
            shares.move(game, company, number, POOL)
        amount = shares.worth(game, company, sold, game.definition.market.rows[cell[0]][cell[1]])
        game.emit(ev.SharesSold(company, company, sold, amount))
        game.pay(BANK, company, amount, "own_shares", company)
        move_price(game, company, cell, "sale")
        if game.company(company).director:
            self.float(game, company)


def least(owned: Mapping[int, int], missing: int) -> tuple[int, ...]:
    """Certificates (number to percent) that reach what is missing with as little as possible, then the fewest of them.

    Of equal choices the one that lies further up in the stack.

    >>> least({1: 20, 2: 20, 3: 10, 4: 10}, 30)
    (1, 3)
    >>> least({1: 20, 2: 20}, 30)
    (1, 2)
    """
    groups = (group for size in range(len(owned) + 1) for group in combinations(owned, size))
    enough = [group for group in groups if sum(owned[number] for number in group) >= missing]
    return min(enough, key=lambda group: (sum(owned[number] for number in group), len(group)))


# ---------------------------------------------------------------------- shares sold at a late floating


def parts(game: Game, company: str) -> dict[int, tuple[int, ...]]:
    """DO-6.4.2-b: what a company may sell of its own shares when it floats, each with the certificates for it."""
    return saleable(game, company, tables(game).hsb.sold_at_floating)


def saleable(game: Game, company: str, most: int) -> dict[int, tuple[int, ...]]:
    """What a company may sell of its own shares, so many per cent at most; each with the certificates for it."""
    most = min(most, game.definition.pool_limit - shares.held(game, company, POOL))
    owned = {n: shares.percent_of(game, company, n) for n in shares.numbers(game, company, company)}
    found: dict[int, tuple[int, ...]] = {}
    if breweries.kind(game, company) == BREWERY:
        taken: tuple[int, ...] = ()
        for number in owned:
            taken = (*taken, number)
            if sum(owned[n] for n in taken) <= most:
                found[sum(owned[n] for n in taken)] = taken
        return found
    for percent in shares.steps(game, company, most):
        group = shares.subset(owned, percent)
        if group is not None:
            found[percent] = group
    return found


def sell(game: Game, company: str, percent: int, numbers: Iterable[int]) -> None:
    """DO-6.4.7-b: a company sells certificates to the pool at its price, which does not move."""
    amount = shares.worth(game, company, percent)
    for number in numbers:
        shares.move(game, company, number, POOL)
    game.emit(ev.SharesSold(company, company, percent, amount))
    game.pay(BANK, company, amount, "own_shares", company)


class FloatSales(Mechanism):
    """DO-6.4.2-b: from brown on the director of a company that floats may sell some of its shares at once."""

    def __init__(self, sells: Callable[[Game, str], bool]) -> None:
        #: Whether a company is of those whose shares are sold so.
        self.sells = sells

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.CompanyFloated: self.floated}

    def questions(self) -> Mapping[str, Question]:
        return {FLOAT_SALE: float_sale_asked}

    def floated(self, game: Game, event: ev.CompanyFloated) -> None:
        late = COLOURS.index(game.phase.colour) >= COLOURS.index(LATE)
        if self.sells(game, event.company) and late and parts(game, event.company):
            game.ask(FLOAT_SALE, [game.company(event.company).director], company=event.company)


class FloatSaleChoice(Choice[SellOwnShares]):
    """DO-6.4.2-b: sell shares of a company that has just floated, without a change of its price."""

    kind = SellOwnShares

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        if "percent" in picked:
            return None
        game, company = self.game, self.company
        return Options("percent", [Option(p, {"amount": shares.worth(game, company, p)}) for p in parts(game, company)])

    def move(self, picked: Picked) -> SellOwnShares:
        return SellOwnShares(self.player, self.company, picked["percent"])

    def check(self, move: SellOwnShares) -> None:
        if move.company != self.company or move.percent not in parts(self.game, self.company):
            raise self.game.refuse(
                "stock.float_sale", company=self.company, parts=tuple(parts(self.game, self.company))
            )

    def perform(self, move: SellOwnShares) -> None:
        game, company = self.game, self.company
        game.answered(self.pause)
        sell(game, company, move.percent, parts(game, company)[move.percent])


def float_sale_asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    player, company = pause.players[0], pause.data["company"]

    def declined() -> None:
        game.answered(pause)
        game.emit(ev.Passed(player, company, FLOAT_SALE))

    return [FloatSaleChoice(game, player, pause), PassChoice(game, player, company, declined)]
