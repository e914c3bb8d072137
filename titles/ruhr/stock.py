"""Stock rounds: what may be founded, bought and sold, how companies float, and how new corporations settle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.closing import close_private
from engine.finance.handing import settle_director
from engine.finance.prices import move_price
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Trading
from engine.rounds.operating import activate
from engine.rounds.turns import Extra, Turn
from engine.state import BANK, OFFERING, POOL
from engine.steps.trade import Trade, TradeStep
from titles.ruhr import works
from titles.ruhr.heirs import take_over
from titles.ruhr.locations import line_built
from titles.ruhr.remembered import LastTrader, NewCorporations
from titles.ruhr.tables import Tables

# ---------------------------------------------------------------------- trading


def unlocked(t: Tables) -> Any:
    """One railway is founded only after another has operated."""

    def check(game: Game, trade: Trade) -> Refused | None:
        special = t.special
        new = trade.company == special.locked and not game.company(trade.company).director
        if new and not game.company(special.locked_until).operated:
            return game.refuse("stock.locked", company=special.locked, other=special.locked_until)
        return None

    return check


class RuhrTradeStep(TradeStep):
    """Only railways are founded here; certificates are bought in any order; a sale counts for the priority deal."""

    def unfounded(self, game: Game) -> list[str]:
        return [name for name in super().unfounded(game) if works.kind(game, name) == "railway"]

    def certificate(self, game: Game, company: str, source: str, percent: int) -> int | None:
        numbers = [n for n in shares.numbers(game, company, source) if n]
        return next((n for n in numbers if shares.percent_of(game, company, n) == percent), None)

    def traded(self, game: Game, company: str) -> bool:
        """Whatever has a price is on the market, also a company that nobody directs."""
        return game.company(company).price is not None

    def bought(self, game: Game, player: str, company: str, source: str, percent: int) -> None:
        super().bought(game, player, company, source, percent)
        take_over(game, company, player)

    def sold(self, game: Game, player: str, company: str, percent: int) -> None:
        self.noted(game, player)
        super().sold(game, player, company, percent)

    def acted(self, game: Game, player: str) -> None:
        super().acted(game, player)
        self.noted(game, player)

    def noted(self, game: Game, player: str) -> None:
        Trading.of(game).last_buyer = player
        LastTrader.of(game).last_buyer = player


def priority(game: Game) -> str:
    """After the first stock round the richest, later the next after whoever bought or sold last."""
    if game.state.round.stock_number == 1:
        last = LastTrader.of(game).last_buyer
        order = game.from_seat(game.after(last)) if last in game.state.seats else game.from_seat(game.state.priority)
        return max(order, key=lambda player: game.state.cash[player])
    last = Trading.of(game).last_buyer
    return game.after(last) if last else ""


# ---------------------------------------------------------------------- the private company with a directorship


@register("remove_private")
@dataclass(frozen=True, slots=True)
class RemovePrivate(Move):
    """The owner gives up the private company that guards a directorship."""

    private: str


class RemovePrivateChoice(Choice[RemovePrivate]):
    kind = RemovePrivate

    def __init__(self, game: Game, player: str, private: str) -> None:
        super().__init__(game, player)
        self.private = private

    @property
    def granted_by(self) -> str:
        return self.private

    def ask(self, picked: Picked) -> Domain | None:
        return None if "private" in picked else Options("private", [Option(self.private)])

    def move(self, picked: Picked) -> RemovePrivate:
        return RemovePrivate(self.player, picked["private"])

    def check(self, move: RemovePrivate) -> None:
        if move.private != self.private:
            raise self.game.refuse("private.remove", private=move.private)

    def perform(self, move: RemovePrivate) -> None:
        close_private(self.game, self.private)


class RemoveGuard(Extra):
    """In their turn the owner may remove it, besides whatever else they do."""

    def __init__(self, t: Tables) -> None:
        self.private = t.aside.private

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game = turn.game
        if game.state.privates[self.private] != turn.decider:
            return []
        return [RemovePrivateChoice(game, turn.decider, self.private)]

    def waits(self, turn: Turn) -> bool:
        """Who can do nothing else is asked, for such a turn is theirs too; after a deal nobody is stopped for it."""
        return turn.untouched and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, RemovePrivate):
            raise turn.game.refuse("private.remove", private=move.private)


def guarded(t: Tables) -> Any:
    """The director who owns the private company keeps the office with the director's certificate."""

    def secure(game: Game, company: str) -> int | None:
        table = t.aside
        if company != table.corporation or game.state.privates[table.private] != game.company(company).director:
            return None
        return shares.percent_of(game, company, 0)

    return secure


def guard_lost(game: Game, event: ev.DirectorChanged) -> None:
    """Whoever loses the directorship loses the private company with it."""
    table = works.tables(game).aside
    if event.company == table.corporation and game.state.privates[table.private] == event.old:
        close_private(game, table.private)


def guard_closed(game: Game, event: ev.PrivateClosed) -> None:
    """Without the private company the most shares decide; who lost it with the office has decided already."""
    table = works.tables(game).aside
    if event.private == table.private and game.company(table.corporation).director == event.owner:
        settle_director(game, table.corporation)


# ---------------------------------------------------------------------- floating


class RailwayFloats:
    """At the end of a stock round a railway of which half has left the offer gets its capital."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source == OFFERING and game.company(company).floated else BANK

    def sold(self, game: Game, company: str) -> None:
        """Nothing happens before the end of the round."""

    def round_over(self, game: Game) -> None:
        for name in game.prices.order():
            if works.kind(game, name) == "railway" and not game.company(name).floated:
                offered = shares.held(game, name, OFFERING)
                if offered <= 100 - game.definition.corporations[name].float_percent:
                    self.float(game, name, offered)

    def float(self, game: Game, name: str, offered: int) -> None:
        """The money for what players bought; from brown on for everything, and the rest goes to the pool."""
        company, table = game.company(name), works.tables(game).aside
        late = game.phase.colour in works.tables(game).settling.all_in
        sold = 100 if late else 100 - offered
        if name == table.corporation and not late:
            sold -= sum(shares.percent_of(game, name, n) for n in range(1, table.certificates + 1))
        capital = shares.worth(game, name, sold, company.par)
        company.floated = True
        if late:
            for number in shares.numbers(game, name, OFFERING):
                shares.move(game, name, number, POOL)
        game.pay(BANK, name, capital, "float", name)
        event = ev.CompanyFloated(name, capital)
        game.emit(event)
        line_built(game, event)


class MontanSettles:
    """A corporation gets the money for its certificates at once; after its first stock round surplus ones are sold."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source == OFFERING else BANK

    def sold(self, game: Game, company: str) -> None:
        """It floats with its founding."""

    def round_over(self, game: Game) -> None:
        """One after the other in the order of their values, as they operate (R-86)."""
        fresh = NewCorporations.of(game).fresh
        NewCorporations.of(game).fresh = {}
        for name in game.prices.order(fresh):
            self.settle(game, name, fresh[name])

    def settle(self, game: Game, name: str, colour: str) -> None:
        """Excess ones bring the value before any move, the last two of a late founding the value after all moves."""
        offered = shares.numbers(game, name, OFFERING)
        settling = works.tables(game).settling
        late = colour in settling.all_in
        excess = offered[: max(0, len(offered) - settling.kept)]
        last = offered[len(excess) :] if late else []
        value = game.prices.value(name)
        for number in excess + last:
            shares.move(game, name, number, POOL)
        if excess:
            game.emit(ev.SharesSold(name, name, self.percent(game, name, excess), value * len(excess)))
            game.pay(BANK, name, value * len(excess), "own_shares", name)
        cell = game.company(name).price
        assert cell is not None
        for _ in excess + last:
            cell = game.prices.down(cell)
        move_price(game, name, cell, "sale")
        if last:
            amount = game.prices.value(name) * len(last)
            game.emit(ev.SharesSold(name, name, self.percent(game, name, last), amount))
            game.pay(BANK, name, amount, "own_shares", name)

    @staticmethod
    def percent(game: Game, name: str, numbers: list[int]) -> int:
        return sum(shares.percent_of(game, name, number) for number in numbers)


class NeverFloats:
    """Small companies have no shares to sell."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return BANK

    def sold(self, game: Game, company: str) -> None:
        """Nothing."""

    def round_over(self, game: Game) -> None:
        """Nothing."""


def first_turn(turn: Turn) -> None:
    """A railway's home station lies on the map from its first turn on."""
    if turn.actor in turn.game.state.companies and works.kind(turn.game, turn.actor) == "railway":
        activate(turn.game, turn.actor)
