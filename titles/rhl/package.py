"""18Rhl's starting package: what each lot brings, and the short operating round when all pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.moves import Found
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.rounds.package import StartingPackage
from engine.state import CLOSED
from titles.rhl.tables import Tables

if TYPE_CHECKING:
    from titles.rhl.earlier import Earlier
    from titles.rhl.rules import Rhl


def _rules(game: Game) -> Rhl:
    return cast("Rhl", game.rules)


class Package(StartingPackage):
    """Five private companies and the director's certificate of RhE."""

    def sold(self, game: Game, player: str, lot: str, price: int) -> None:
        tables: Tables = game.definition.tables
        given = tables.lot_certificate
        if lot == given.lot:
            shares.move(game, given.corporation, given.certificate, player)
        if lot == tables.link_company.lot:
            game.state.privates[lot] = CLOSED  # a share, not a private company
            _rules(game).sell_rhe(game, player, price)

    def all_passed(self, game: Game) -> None:
        """A short operating round: only the private companies pay."""
        game.emit(ev.RoundBegan("short", game.state.round.stock_number, 0))
        _rules(game).operating.pay_privates(game)

    def all_sold(self, game: Game, last_buyer: str) -> None:
        game.state.priority = _rules(game).first_priority(game, last_buyer)
        game.emit(ev.PriorityMoved(game.state.priority))
        game.rules.round_over(game)


class FoundRheChoice(Choice[Found]):
    """Earlier edition: the buyer of lot 6 chooses RhE's starting price."""

    kind = Found

    def __init__(self, game: Game, player: str, package: Package) -> None:
        super().__init__(game, player, game.definition.tables.link_company.corporation)

    def pars(self) -> list[int]:
        return sorted(self.game.definition.tables.link_company.pars)

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options("company", [Option(self.company)])
        if "par" not in picked:
            return Options("par", [Option(par) for par in self.pars()])
        return None

    def move(self, picked: Picked) -> Found:
        return Found(self.player, picked["company"], picked["par"])

    def check(self, move: Found) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", f"the starting price of {self.company} comes first")
        if move.par not in self.pars():
            raise self.game.refuse("stock.par", f"{self.company} starts at one of {self.pars()}")

    def perform(self, move: Found) -> None:
        pause = self.game.state.pauses.pop(0)
        data: dict[str, Any] = pause.data
        cast("Earlier", self.game.rules).found_rhe(self.game, self.player, move.par, data["price"])
