"""18LRA's tile step: two yellow tiles at first, and the tile that GKB's train reaches."""

from __future__ import annotations

from typing import cast

from engine.board.reach import Reach
from engine.game import Game
from engine.remembered import Laid
from engine.rounds.turns import Question
from engine.steps.track import Permit
from titles.lra.gkb import GkbReach
from titles.lra.tables import Tables
from titles.rhineland.powers import PowerTrackStep


class LraTrackStep(PowerTrackStep):
    """The ordinary tile, those of private companies, a second yellow one in some companies' first turn, GKB's."""

    def __init__(self, t: Tables, grant: Question) -> None:
        super().__init__(t.powers, grant)
        self.double = t.double_yellow.corporations
        self.gkb = t.gkb

    def permits(self, game: Game, company: str) -> list[Permit]:
        found = super().permits(game, company)
        laid = Laid.of(game).privates
        if any(self.powers[private].alone for private in laid if private in self.powers):
            return found
        if (
            company in self.double
            and not game.company(company).operated
            and [lay.colour for lay in Laid.of(game).tiles if not lay.private] == ["yellow"]
        ):
            found.insert(0, Permit(colours=("yellow",)))
        if self.gkb.train in game.company(company).trains and self.gkb.private not in laid:
            found.append(Permit(self.gkb.private))
        return found

    def reach(self, game: Game, company: str, permit: Permit) -> Reach:
        if permit.private != self.gkb.private:
            return super().reach(game, company, permit)
        made = game.kept(("gkb reach", company), lambda: GkbReach(game.board, company, self.gkb))
        return cast(Reach, made)
