"""18DO's track: one tile a turn on a route that is open, mines and steel mills grow only where they have a link."""

from __future__ import annotations

from engine.board.tiling import Fit
from engine.errors import Refused
from engine.game import Game
from engine.steps.track import Permit, TrackStep
from titles.do.board import links
from titles.do.board.tables import Tables


class DoTrackStep(TrackStep):
    """DO-4.5.2-a: the tile step of every form; colours, symbols, borders and kept track are questions of the tiles
    alone."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def closed(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        """A mine or a steel mill with track is replaced only where a location token lies."""
        goods = self.t.locations.goods.get(at)
        if goods and game.board.faces[at].track and not links.value(game, at):
            if goods == "steel":
                return game.refuse("tile.link.steel", at=at)
            return game.refuse("tile.link", at=at)
        return None

    def connected(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> bool:
        """Whether a track of the tile lies on a route that is open; what else is new on it need not."""
        reach = self.reach(game, company, permit)
        return reach.touches(at, fit.exits) or any(at == begin for begin, _ in reach.starts)
