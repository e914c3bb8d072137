"""The company that is paid when track joins two places."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from engine import events as ev
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import OfGame, put, record
from engine.rules import Listener
from engine.state import BANK, State
from titles.lra.tables import LinkPayment
from titles.rhineland.link import LinkBuilt


@record("lra.link")
@dataclass(slots=True)
class LinkDue(OfGame):
    """Whether the link has been built: then it is `due`, and at last `paid`."""

    link: str | None = None


class Link(Mechanism):
    """LRA-4.2.3-e: paid once, whoever built it; if the company has not floated yet, when it does."""

    def __init__(self, table: LinkPayment) -> None:
        self.table = table

    def lay_out(self, state: State, chance: random.Random) -> None:
        put(state, LinkDue())

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.TileLaid: self.tile_laid, ev.CompanyFloated: self.floated}

    def tile_laid(self, game: Game, event: ev.TileLaid) -> None:
        if self.table.corporation not in game.state.companies or LinkDue.of(game).link:
            return
        if joined(game, self.table):
            LinkDue.of(game).link = "due"
            self.pay(game)

    def floated(self, game: Game, event: ev.CompanyFloated) -> None:
        if event.company == self.table.corporation:
            self.pay(game)

    def pay(self, game: Game) -> None:
        table, hexes = self.table, game.definition.map.hexes
        if LinkDue.of(game).link == "due" and game.company(table.corporation).floated:
            LinkDue.of(game).link = "paid"
            name = f"{hexes[table.starts[0]].name}–{hexes[table.end].name}"
            game.pay(BANK, table.corporation, table.amount, "link", name)
            game.emit(LinkBuilt(table.corporation, name, table.amount))


def joined(game: Game, table: LinkPayment) -> bool:
    """Whether track leads from one of the places to the other, whoever has stations on the way."""
    starts = [(at, stop) for at in table.starts for stop in range(len(game.board.faces[at].stops))]
    return game.tracks(starts).reaches(table.end, 0)
