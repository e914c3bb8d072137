"""The company whose director's certificate is a lot, and which is paid for pool shares when its link is built."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from engine import events as ev
from engine.definition import Definition
from engine.finance import shares
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import OfGame, put, record
from engine.routes.legs import Node
from engine.routes.links import joined_via
from engine.rules import Listener
from engine.state import ASIDE, BANK, CLOSED, POOL, State
from titles.rhineland.floating import AtShare
from titles.rhineland.tables import LinkCompany


@dataclass(frozen=True, slots=True)
class LinkBuilt(ev.Event):
    company: str
    name: str
    amount: int


@record("rhineland.link")
@dataclass(slots=True)
class LinkMoney(OfGame):
    """What is paid when the link is built; 0 once it has been, or before it is known."""

    link_money: int = 0


class LinkRole(Mechanism):
    """It starts at a fixed price, and the money for its pool shares lies aside until the link is built."""

    def __init__(self, table: LinkCompany, floating: AtShare, definition: Definition) -> None:
        self.table = table
        self.floating = floating
        self.definition = definition

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.TileLaid: self.tile_laid}

    # ------------------------------------------------------------------ set-up

    def lay_out(self, state: State, chance: random.Random) -> None:
        company = state.companies[self.table.corporation]
        company.certificates[0] = ASIDE
        for number in self.table.pool_certificates:
            company.certificates[number] = POOL
        self.start(state)

    def start(self, state: State) -> None:
        """The token stands on its starting price, and the money lies aside."""
        market = self.definition.market
        cell = next(c for c in market.cells("p") if market.rows[c[0]][c[1]] == self.table.par)
        company = state.companies[self.table.corporation]
        company.price, company.par = cell, self.table.par
        state.stacks[cell] = [self.table.corporation]
        state.cash[BANK] -= self.table.amount
        state.cash[ASIDE] = self.table.amount
        put(state, LinkMoney(self.table.amount))

    # ------------------------------------------------------------------ the lot

    def sold(self, game: Game, player: str, price: int) -> None:
        """The company gets the printed price, floats from its par at once, and rises."""
        game.state.privates[self.table.lot] = CLOSED  # a share, not a private company
        game.pay(BANK, self.table.corporation, self.table.capital, "director", self.table.corporation)
        self.float(game, player)

    def float(self, game: Game, player: str) -> None:
        name = self.table.corporation
        company = game.company(name)
        company.director = player
        shares.move(game, name, 0, player)
        game.emit(ev.CompanyFounded(player, name, company.par))
        self.floating.float(game, name, 0)

    # ------------------------------------------------------------------ the link

    def tile_laid(self, game: Game, event: ev.TileLaid) -> None:
        """The money is paid as soon as track joins the two places through the third, whoever built it."""
        amount = LinkMoney.of(game).link_money
        if not amount:
            return
        if self.joined(game):
            LinkMoney.of(game).link_money = 0
            self.pay(game, amount)
            game.emit(LinkBuilt(self.table.corporation, "–".join(self.table.link), amount))

    def joined(self, game: Game) -> bool:
        """Whether the link is there."""
        vias, ends = stops(game, self.table.via), stops(game, self.table.end)
        return joined_via(game.book(), self.starts(game), vias, ends, self.table.no_ferry)

    def starts(self, game: Game) -> list[Node]:
        """The circles from which the link may begin: some of the printed hex, and those that have their track now."""
        at = self.table.start
        if at not in game.state.board.tiles:
            return [(at, stop) for stop in sorted(self.table.start_stops)]
        printed = game.definition.map.hexes[at].face.stop_exits
        exits = game.board.faces[at].stop_exits
        found = [n for n, edges in enumerate(exits) if any(edges & printed[old] for old in self.table.start_stops)]
        return [(at, stop) for stop in found or [0]]

    def pay(self, game: Game, amount: int) -> None:
        game.pay(ASIDE, self.table.corporation, amount, "link", self.names(game))

    def names(self, game: Game) -> str:
        hexes = game.definition.map.hexes
        return "–".join(hexes[at].name or at for at in (self.table.start, self.table.end))


def stops(game: Game, at: str) -> list[Node]:
    """All stops of a hex as it is now."""
    return [(at, stop) for stop in range(len(game.board.faces[at].stops))]
