"""18Ruhr's track: two yellow tiles, or an upgrade and a yellow one; an upgrade must only be reached."""

from __future__ import annotations

from engine.board.tiling import Fit
from engine.errors import Refused
from engine.game import Game
from engine.remembered import Laid
from engine.steps.track import Permit, TrackStep
from titles.ruhr.locations import FOUNDED
from titles.ruhr.remembered import Locations
from titles.ruhr.tables import Tables


class RuhrTrackStep(TrackStep):
    """Several tiles a turn, at most one of them no yellow one, each on another hex."""

    def __init__(self, t: Tables) -> None:
        self.needs_corporation = frozenset(t.special.needs_corporation)
        self.most = t.track.tiles

    def permits(self, game: Game, company: str) -> list[Permit]:
        laid = Laid.of(game).colours
        if len(laid) >= self.most:
            return []
        return [Permit(colours=("yellow",))] if any(colour != "yellow" for colour in laid) else [Permit()]

    def closed(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        if any(lay.at == at for lay in Laid.of(game).tiles):
            return game.refuse("tile.again", at=at)
        return None

    def connected(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> bool:
        """Whether a route leads to the new tile; it need not bring the company anything."""
        reach = self.reach(game, company, permit)
        return reach.touches(at, fit.exits) or any(at == begin for begin, _ in reach.starts)

    def no_fit(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> str:
        key = super().no_fit(game, company, permit, at, fit)
        return key or ("" if self.allowed(game, at, fit.tile) else "tile.corporation")

    def allowed(self, game: Game, at: str, tile: str) -> bool:
        """Some tiles lie only where a MONTAN corporation has its own location."""
        return tile not in self.needs_corporation or Locations.of(game).locations[at].state == FOUNDED
