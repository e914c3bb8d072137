"""Laying track: which tiles a company may lay where now, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.board.faces import CITY, FIRST_STOP
from engine.board.reach import Reach
from engine.board.tiling import Fit, Misfit
from engine.errors import Refused
from engine.moves import LayTile, Move, Pass
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Laid, Lay
from engine.rounds.turns import Step, Turn, meant_for
from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True)
class Permit:
    """A right to lay one tile: the normal one of the turn, or one that a private company grants."""

    private: str = ""
    hexes: tuple[str, ...] | None = None
    needs_route: bool = True
    free: bool = False
    colours: tuple[str, ...] | None = None
    #: Tiles that only this permit lays, over whatever lies there.
    tiles: tuple[str, ...] = ()


class LayTileChoice(Choice[LayTile]):
    """Lay or upgrade a tile under one permit."""

    kind = LayTile

    def __init__(self, game: Game, player: str, company: str, step: TrackStep, permit: Permit) -> None:
        super().__init__(game, player, company)
        self.step = step
        self.permit = permit

    @property
    def granted_by(self) -> str:
        return self.permit.private

    def matches(self, move: object) -> bool:
        return (
            isinstance(move, LayTile)
            and move.player == self.player
            and move.private == self.permit.private
            and meant_for(self, move.company)
        )

    def hexes(self) -> list[str]:
        """The hexes on which some tile may be laid."""
        step, game = self.step, self.game
        return [
            at
            for at in step.candidates(game, self.company, self.permit)
            if any(True for _ in step.lays(game, self.company, self.permit, at))
        ]

    def fits(self, at: str) -> list[Fit]:
        """Every tile and rotation that may be laid on a hex."""
        return list(self.step.lays(self.game, self.company, self.permit, at))

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        if "hex" not in picked:
            return Options("hex", [Option(at, {"cost": step.cost(game, self.permit, at)}) for at in self.hexes()])
        fits = self.fits(picked["hex"])
        if "tile" not in picked:
            tiles = dict.fromkeys(fit.tile for fit in fits)
            supply = game.state.board.supply
            return Options("tile", [Option(tile, {"left": supply[tile]}) for tile in tiles])
        if "rotation" not in picked:
            return Options("rotation", [Option(f.rotation) for f in fits if f.tile == picked["tile"]])
        return None

    def move(self, picked: Picked) -> LayTile:
        return LayTile(
            self.player, self.company, picked["hex"], picked["tile"], picked["rotation"], self.permit.private
        )

    def check(self, move: LayTile) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check(self.game, self.company, self.permit, move.hex, move.tile, move.rotation)

    def perform(self, move: LayTile) -> None:
        self.step.lay(self.game, self.company, self.permit, move)


class TrackStep(Step):
    """The tile step. A title says which permits a company has and what else restricts a hex."""

    name = "track"
    #: For a hex with such a stop it is enough that a route leads to any track of the new tile.
    any_track: tuple[str, ...] = (CITY,)

    # ------------------------------------------------------------------ hooks

    def permits(self, game: Game, company: str) -> list[Permit]:
        """The lays that are still open in this turn, the normal one first."""
        return [] if Laid.of(game).tiles else [Permit()]

    def closed(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        """Why a hex is reserved or otherwise closed, None if it is open."""
        return None

    def builders(self, turn: Turn) -> list[str]:
        """For whom the decider may lay a tile."""
        return turn.companies

    def laid(self, game: Game, company: str, permit: Permit, at: str) -> None:
        """After a lay: remember it, and do what the permit brings."""
        Laid.of(game).tiles.append(Lay(at, game.board.faces[at].colour, permit.private))

    # ------------------------------------------------------------------ rules

    def cost(self, game: Game, permit: Permit, at: str) -> int:
        return 0 if permit.free else game.board.faces[at].cost

    def too_early(self, game: Game, at: str) -> bool:
        """Whether a border keeps the first tile off a hex before tiles of its colour are available."""
        since = game.definition.map.hexes[at].tiles_from
        return bool(since) and since not in game.phase.tiles and game.board.cover(at) is None

    def candidates(self, game: Game, company: str, permit: Permit) -> list[str]:
        """Hexes worth looking at."""
        if not permit.needs_route:
            return list(permit.hexes or ())
        reach = self.reach(game, company, permit)
        near = set(reach.touched) | {at for at, _ in reach.starts}
        wanted = near if permit.hexes is None else near & set(permit.hexes)
        return [at for at in game.definition.map.hexes if at in wanted]

    def reach(self, game: Game, company: str, permit: Permit) -> Reach:
        """What the lays of a permit must be connected with: the company's stations."""
        return game.reach(company)

    def connected(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> bool:
        """Whether the lay extends an available route, or upgrades what lies on one."""
        old = game.board.faces[at]
        reach = self.reach(game, company, permit)
        if (not old.track or any(stop.kind in self.any_track for stop in old.stops)) and (
            reach.touches(at, fit.exits) or any(at == begin for begin, _ in reach.starts)
        ):
            return True
        if not old.track:
            return False
        if fit.joins and reach.touches(at, old.exits):
            return True
        for one, other in fit.new_track:
            edges = sum(1 << end for end in (one, other) if end < FIRST_STOP)
            if reach.touches(at, edges):
                return True
            for end in (one, other):
                if end >= FIRST_STOP and reach.touches(at, fit.face.stop_exits[end - FIRST_STOP]):
                    return True
        return False

    def no_hex(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        """Why a permit lays no tile at all on a hex, None if it may lay one."""
        if permit.hexes is not None and at not in permit.hexes:
            if permit.private:
                return game.refuse("private.hex", private=permit.private, at=at)
            return game.refuse("tile.only", company=company, hexes=tuple(permit.hexes), at=at)
        if self.too_early(game, at):
            return game.refuse("tile.border", at=at, colour=game.definition.map.hexes[at].tiles_from)
        refused = self.closed(game, company, permit, at)
        if refused is not None:
            return refused
        cost = self.cost(game, permit, at)
        if cost and cost > game.state.cash[company]:
            return game.refuse("tile.money", cost=cost, company=company, cash=game.state.cash[company])
        return None

    def no_fit(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> str:
        """The key of the rule that keeps a tile which fits off an open hex, "" if none does.

        It is asked for every tile in every rotation; what else is to be told is gathered when somebody is refused.
        """
        if not permit.tiles and fit.face.colour not in (permit.colours or game.phase.tiles):
            return "tile.phase" if permit.private or fit.face.colour not in game.phase.tiles else "tile.further"
        if game.state.board.supply[fit.tile] < 1:
            return "tile.supply"
        if not permit.needs_route or self.connected(game, company, permit, at, fit):
            return ""
        old = game.board.faces[at]
        extends = old.track and not any(stop.kind in self.any_track for stop in old.stops)
        return "tile.new_track" if extends else "tile.route"

    def told(self, game: Game, company: str, at: str, fit: Fit) -> dict[str, Any]:
        """What a refusal by `no_fit` may have to tell."""
        return {"company": company, "at": at, "tile": fit.tile, "colour": fit.face.colour}

    def fits(self, game: Game, permit: Permit, at: str) -> Iterable[Fit]:
        """The tiles and rotations of a permit that fit on a hex, by geometry alone."""
        tiling, cover = game.rules.tiling, game.board.cover(at)
        if not permit.tiles:
            return tiling.fits(at, cover)
        tiles = [game.definition.tiles[name] for name in permit.tiles if name in game.definition.tiles]
        return tiling.placements(at, cover, tiles)

    def lays(self, game: Game, company: str, permit: Permit, at: str) -> Iterator[Fit]:
        """The legal lays on a hex, one after the other."""
        if self.no_hex(game, company, permit, at) is None:
            for fit in self.fits(game, permit, at):
                if not self.no_fit(game, company, permit, at, fit):
                    yield fit

    def check(self, game: Game, company: str, permit: Permit, at: str, tile: str, rotation: int) -> Fit:
        """Judge one lay directly, by the rules that list them."""
        definition, tiling = game.definition, game.rules.tiling
        if at not in definition.map.hexes:
            raise game.refuse("unknown.hex", at=at)
        if tile not in definition.tiles:
            raise game.refuse("unknown.tile", tile=tile)
        refused = self.no_hex(game, company, permit, at)
        if refused is not None:
            raise refused
        if permit.tiles and tile not in permit.tiles:
            raise game.refuse("private.hex.tiles", private=permit.private, tiles=tuple(permit.tiles))
        piece = definition.tiles[tile]
        try:
            judge = tiling.placed if permit.tiles else tiling.fit
            fit = judge(at, game.board.cover(at), piece, piece.canonical(rotation))
        except Misfit as misfit:
            raise game.refuse(misfit.key, **misfit.facts) from None
        key = self.no_fit(game, company, permit, at, fit)
        if key:
            raise game.refuse(key, **self.told(game, company, at, fit))
        return fit

    # ------------------------------------------------------------------ the step

    def keeps(self) -> Keeps:
        return (Laid,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game = turn.game
        result: list[Choice[Any]] = [
            LayTileChoice(game, turn.decider, company, self, permit)
            for company in self.builders(turn)
            for permit in self.permits(game, company)
            if self.possible(game, company, permit)
        ]
        if not any(self.obliged(game, company) for company in self.builders(turn)):
            result.append(turn.passing())
        return result

    def explain(self, turn: Turn, move: Move) -> None:
        game = turn.game
        due = [company for company in self.builders(turn) if self.obliged(game, company)]
        if due and isinstance(move, Pass):
            raise game.refuse("tile.only.home", company=due[0])
        if not isinstance(move, LayTile):
            return
        for company in self.builders(turn):
            for permit in self.permits(game, company):
                choice = LayTileChoice(game, move.player, company, self, permit)
                if choice.matches(move):
                    choice.check(move)
        if move.private:
            if move.company in due:
                raise game.refuse("tile.only.home", company=move.company)
            raise game.refuse("private.use", private=move.private)
        if Laid.of(turn.game).tiles and move.company in self.builders(turn):
            raise game.refuse("tile.one", company=move.company)

    def obliged(self, game: Game, company: str) -> bool:
        """Whether the company must lay a tile now."""
        return False

    def possible(self, game: Game, company: str, permit: Permit) -> bool:
        return any(True for at in self.candidates(game, company, permit) for _ in self.lays(game, company, permit, at))

    def waiting(self, turn: Turn) -> bool:
        game = turn.game
        return any(
            self.possible(game, company, permit)
            for company in self.builders(turn)
            for permit in self.permits(game, company)
        )

    def done(self, turn: Turn) -> bool:
        """Whether a tile was laid and no other may follow."""
        return bool(Laid.of(turn.game).tiles) and not any(
            self.permits(turn.game, company) for company in self.builders(turn)
        )

    def lay(self, game: Game, company: str, permit: Permit, move: LayTile) -> None:
        fit = self.check(game, company, permit, move.hex, move.tile, move.rotation)
        cost = self.cost(game, permit, move.hex)
        if cost:
            game.pay(company, BANK, cost, "terrain", move.hex)
        replaced = game.board.lay(move.hex, fit)
        game.emit(ev.TileLaid(company, move.hex, move.tile, fit.rotation, replaced, cost, permit.private))
        self.laid(game, company, permit, move.hex)
