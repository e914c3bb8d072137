"""What each hex of a position shows: the game's facts, gathered for drawing. No rule is applied here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.board.board import settled, taken_in
from engine.board.faces import OFFBOARD, Face
from engine.game import Game
from engine.routes.model import Route
from engine.state import BLANK, MARKER
from renderers.hexes.hex import Look, Station, Value
from renderers.hexes.paths import by_hex
from renderers.hexes.rivers import rivers
from renderers.kit.livery import NOBODY, Livery, liveries


class Looks:
    """Reads a position; asks the engine for every value that depends on the phase."""

    def __init__(self, game: Game, *, coordinates: bool = False, routes: Sequence[Route] = ()) -> None:
        self.game = game
        self.routes = by_hex(game.definition.map.layout, routes)
        self.coordinates = coordinates
        self.liveries: Mapping[str, Livery] = liveries(game.definition)
        self.rivers = rivers(game.definition.map).through
        self.markers = game.rules.marks(game)
        companies = next(iter(game.definition.corporations), None)
        self._train = (
            game.rules.trains.rules(game, companies, game.definition.trains[0], game.phase.colour)
            if companies is not None and game.definition.trains
            else None
        )

    def look(self, at: str) -> Look:
        """A hex as it is now."""
        game = self.game
        cover = game.board.cover(at)
        if cover is None:
            return self._of(at, game.definition.map.hexes[at].face, 0, "")
        tile, turns = cover
        return self._of(at, game.definition.tiles[tile].face, turns, tile)

    def with_tile(self, at: str, tile: str, turns: int, stops: tuple[int, ...]) -> Look:
        """A hex as it would be with a tile; `stops[i]` is where the old stop i goes."""
        face = self.game.definition.tiles[tile].face
        before = self.game.board.faces[at].stops
        tokens = settled(before, self.game.state.board.stations.get(at, ()), face.stops, stops)
        beside = taken_in(face.stops, tokens, self.game.state.board.beside.get(at, ()))
        return self._of(at, face, turns, tile, tokens, beside)

    def _of(
        self,
        at: str,
        face: Face,
        turns: int,
        number: str,
        tokens: list[list[str]] | None = None,
        beside: list[str] | None = None,
    ) -> Look:
        spot = self.game.definition.map.hexes[at]
        bare = number == ""
        signs = face.icons if not bare else tuple(dict.fromkeys((*spot.icons, *face.icons)))
        markers = tuple(self.markers.get(at, ()))
        faint = spot.location_space if not self.markers else ()
        return Look(
            face=face,
            turns=turns,
            number=number,
            at=at if self.coordinates else "",
            name=spot.name,
            cost=face.cost,
            terrain=spot.terrain if face.cost else "",
            labels=face.labels,
            signs=tuple(sign for sign in signs if sign not in markers),
            faint_signs=faint,
            markers=markers,
            stop_signs=spot.stop_icons if bare else (),
            stations=self._stations(at, face, tokens),
            beside=tuple(
                self._station(code) for code in (self.game.state.board.beside.get(at, ()) if beside is None else beside)
            ),
            values=tuple(self.value(at, face, index, own=tokens is None) for index in range(len(face.stops))),
            stubs=spot.stubs if bare else 0,
            river=self.rivers.get(at),
            border=spot.tiles_from if bare and tokens is None else "",
            routes=self.routes.get(at, ()) if tokens is None else (),
        )

    def _stations(self, at: str, face: Face, tokens: list[list[str]] | None) -> tuple[tuple[Station | None, ...], ...]:
        spaces = tokens if tokens is not None else self.game.state.board.stations.get(at, [])
        kinds = [stop.reserved for stop in face.stops]
        return tuple(
            tuple(
                self._station(code, whose[space] if space < len(whose) else "") if code else None
                for space, code in enumerate(row)
            )
            for row, whose in zip(spaces, kinds, strict=False)
        )

    def _station(self, code: str, kind: str = "") -> Station:
        """A token; those of no company are grey, with the name of what their space is kept for; a blank one is pale."""
        if code in (BLANK, MARKER):
            return Station(kind.upper() or "×", NOBODY, code == BLANK)
        return Station(code, self.liveries[code], not self.game.state.companies[code].active)

    def value(self, at: str, face: Face, index: int, own: bool = True) -> Value:
        """The printed values of a stop; where only one is printed for a field, the engine's present one."""
        stop = face.stops[index]
        if len(stop.revenue) > 1:
            now = stop.value(self.game.phase.colour)
            valid = max(
                (n for n, (_, amount) in enumerate(stop.revenue) if amount == now), default=len(stop.revenue) - 1
            )
            return Value(stop.revenue, valid)
        if stop.kind == OFFBOARD and own and self._train is not None:
            return Value((("plain", self._train.worth((at, index), False)[0]),))
        return Value(stop.revenue)
