"""Bankrupt companies: a price token on the last space closes a company until somebody founds it again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import put
from engine.state import BANK, OFFERING, REMOVED, State
from engine.steps.trade import Trade
from titles.do.board.abilities import FreeToken
from titles.do.board.remembered import Failed
from titles.do.brewery import breweries, loading
from titles.do.brewery.data import tables

#: The mark of the space that ends a company.
BANKRUPT = "B"


@dataclass(frozen=True, slots=True)
class CompanyFailed(ev.Event):
    company: str


class Failing(Mechanism):
    """DO-6.4.8-a: which companies have failed, and which tokens are gone with them."""

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, Failed())

    def lost_tokens(self, game: Game, company: str) -> int:
        return Failed.of(game).lost.get(company, 0)


def arrived(game: Game, company: str, reason: str) -> None:
    """DO-6.4.8-a: a token that comes to the bankrupt space ends its company."""
    if game.definition.market.marked(game.company(company).price, BANKRUPT):
        fail(game, company)


def fail(game: Game, company: str) -> None:
    """DO-6.4.8-b: certificates go back to the display, the treasury to the bank, cards and placed tokens leave the
    game."""
    state = game.company(company)
    failed = CompanyFailed(company)
    game.record(failed)
    state.director, state.par, state.last_revenue = "", 0, None
    state.floated = state.active = state.operated = False
    for number, holder in enumerate(state.certificates):
        if holder not in (OFFERING, REMOVED):
            shares.move(game, company, number, OFFERING)
    game.pay(company, BANK, game.state.cash[company], "closed", company)
    loading.unload(game, company)
    game.state.depot.gone.extend(state.trains)
    state.trains.clear()
    for type_ in list(breweries.equipment(game, company)):
        breweries.lose(game, company, type_, "bankrupt")
    if company in breweries.order(game):
        breweries.order(game).remove(company)
    if breweries.kind(game, company) == breweries.BREWERY:
        shrink(game, company)
    if company == tables(game).abilities.free_coal_link:
        FreeToken.of(game).used = False
    leave_map(game, company)
    Failed.of(game).failed[company] = game.state.round.stock_number
    game.notify(failed)
    if game.state.round.actor == company:
        game.turn.cut()


def shrink(game: Game, company: str) -> None:
    """DO-6.4.9-a: a brewery corporation that is founded again has fewer shares: its last single ones leave the game."""
    owners = game.company(company).certificates
    unit = shares.unit(game, company)
    for number in reversed(range(len(owners))):
        left = 100 - shares.held(game, company, REMOVED)
        single = shares.percent_of(game, company, number) == unit and owners[number] != REMOVED
        if single and left > tables(game).hsb.refounded:
            shares.move(game, company, number, REMOVED)


def leave_map(game: Game, company: str) -> None:
    """DO-6.4.8-b: all tokens of a railway but its home leave the game."""
    homes = {home.at for home in game.definition.corporations[company].homes}
    placed = {at for at in game.state.board.stations if game.board.has_station(company, at)} - homes
    for at in placed:
        game.board.remove_stations(company, at)
    if placed:
        lost = Failed.of(game).lost
        lost[company] = lost.get(company, 0) + len(placed)
    game.state.board.token_version += 1


def again(game: Game, trade: Trade) -> Refused | None:
    """DO-6.4.9-a: a bankrupt company is founded again in the next stock round at the earliest."""
    if Failed.of(game).failed.get(trade.company) == game.state.round.stock_number:
        return game.refuse("stock.failed", company=trade.company)
    return None
