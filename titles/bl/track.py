"""18BL's tile step: two yellow tiles at first, the lays of private companies 1 to 3, and consent for J4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.board.faces import CITY, TOWN
from engine.errors import Refused
from engine.finance.closing import close_private
from engine.game import Game
from engine.moves import LayTile
from engine.records import Keeps, OfTurn, record
from engine.remembered import Laid
from engine.rounds.proposals import Deal
from engine.rounds.turns import Question
from engine.steps.track import Permit, TrackStep
from titles.bl.tables import Power

#: Tiles that count as yellow ones: the bridge too (R10).
YELLOW = ("yellow", "orange")


@dataclass(frozen=True, slots=True)
class TileProposed(ev.Event):
    company: str
    hex: str
    tile: str
    owner: str


@record("bl.denied")
@dataclass(slots=True)
class Denied(OfTurn):
    """The hexes for which somebody did not give their leave in this turn."""

    denied: list[str] = field(default_factory=list)


class BlTrackStep(TrackStep):
    """One tile or upgrade a turn, in the first turn two yellow tiles or one upgrade."""

    any_track = (CITY, TOWN)

    def __init__(self, layers: Mapping[str, Power]) -> None:
        #: The private companies whose owner lays a tile.
        self.layers = layers

    def keeps(self) -> Keeps:
        return (*super().keeps(), Denied)

    def questions(self) -> Mapping[str, Question]:
        return {"tile_consent": TileDeal(self).asked}

    def reservation(self, game: Game, at: str) -> str:
        """The private company that reserves a hex, if one does."""
        privates = game.definition.privates
        return next((p for p, power in self.layers.items() if power.reserves and at in privates[p].hexes), "")

    def permits(self, game: Game, company: str) -> list[Permit]:
        laid = Laid.of(game)
        if laid.tiles:
            second = laid.privates == [""] and laid.colours[0] in YELLOW and not game.company(company).operated
            return [Permit(colours=YELLOW)] if second else []
        own = [(private, power) for private, power in self.layers.items() if self.usable(game, company, private)]
        privates = game.definition.privates
        return [Permit(), *(Permit(p, privates[p].hexes, free=power.lays == "free") for p, power in own)]

    def usable(self, game: Game, company: str, private: str) -> bool:
        """Whether a corporation owns a private company whose hex nobody has built on yet."""
        at = game.definition.privates[private].hexes[0]
        return game.state.privates[private] == company and at not in game.state.board.tiles

    def closed(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        for private, power in self.layers.items():
            if at not in game.definition.privates[private].hexes or at in game.state.board.tiles:
                continue
            owner = game.state.privates[private]
            if owner == company and permit.private != private:
                return game.refuse("private.hex.only", company=company, at=at, private=private)
            if power.reserves and owner in game.state.seats:
                return game.refuse("tile.reserved", at=at, private=private)
            if power.reserves and at in Denied.of(game).denied:
                return game.refuse("tile.consent", player=owner, at=at)
        return None

    def laid(self, game: Game, company: str, permit: Permit, at: str) -> None:
        super().laid(game, company, permit, at)
        for private in dict.fromkeys((permit.private, self.reservation(game, at))):
            if private and game.state.privates[private] in game.state.companies:
                close_private(game, private)

    # ------------------------------------------------------------------ consent

    def asked(self, game: Game, company: str, at: str) -> str:
        """The director who must consent to a tile: of the other corporation that owns the reservation."""
        private = self.reservation(game, at)
        if not private:
            return ""
        owner = game.state.privates[private]
        if owner == company or owner not in game.state.companies:
            return ""
        asked = game.decider(owner)
        return "" if asked == game.decider(company) else asked

    def lay(self, game: Game, company: str, permit: Permit, move: LayTile) -> None:
        director = self.asked(game, company, move.hex)
        if not director:
            super().lay(game, company, permit, move)
            return
        owner = game.state.privates[self.reservation(game, move.hex)]
        game.emit(TileProposed(company, move.hex, move.tile, owner))
        tile = {"hex": move.hex, "tile": move.tile, "rotation": move.rotation}
        game.ask("tile_consent", [director], company=company, **tile, seller=owner, price=0)


class TileDeal(Deal):
    """Leave for another corporation to lay the tile on the reserved hex; no money changes hands (R30)."""

    what = "hex"
    counter_key = "tile.consent.counter"

    def __init__(self, step: BlTrackStep) -> None:
        self.step = step

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        return 1, 0

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        company = data["company"]
        move = LayTile(game.decider(company), company, data["hex"], data["tile"], data["rotation"])
        TrackStep.lay(self.step, game, company, self.step.permits(game, company)[0], move)

    def decline(self, game: Game, data: dict[str, Any]) -> None:
        Denied.of(game).denied.append(data["hex"])
