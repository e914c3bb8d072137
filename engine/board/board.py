"""The map in a position: what lies where, who has stations where, and whom a full city stops."""

from __future__ import annotations

from engine.board.faces import CITY, FIRST_STOP, OFFBOARD, Face
from engine.board.tiling import Fit, Lying, Tiling
from engine.state import Board as BoardState
from engine.state import Company


class Board:
    """A view on tiles and stations; every change of the map goes through its methods."""

    def __init__(self, tiling: Tiling, state: BoardState, companies: dict[str, Company]) -> None:
        self.tiling = tiling
        self.map = tiling.map
        self.state = state
        self.companies = companies
        faces = {at: spot.face for at, spot in self.map.hexes.items()}
        tiles = tiling.definition.tiles
        for at, (tile, rotation) in state.tiles.items():
            faces[at] = tiles[tile].faces[rotation]
        self.faces: dict[str, Face] = faces

    def lying(self, at: str) -> Lying:
        return self.state.tiles.get(at)

    # ------------------------------------------------------------------ stations

    def spaces(self, at: str, stop: int) -> list[str]:
        """The station spaces of a stop: "" is free, otherwise whose token lies there."""
        return self.state.stations[at][stop]

    def stations_of(self, company: str) -> list[tuple[str, int]]:
        """Hex and stop of each active station of a company."""
        if not self.companies[company].active:
            return []
        return [
            (at, stop)
            for at, stops in self.state.stations.items()
            for stop, spaces in enumerate(stops)
            if company in spaces
        ]

    def has_station(self, company: str, at: str) -> bool:
        return any(company in spaces for spaces in self.state.stations.get(at, ()))

    def free_space(self, at: str, stop: int) -> bool:
        return "" in self.state.stations[at][stop]

    def open_for(self, company: str, at: str, stop: int) -> bool:
        """Whether a company may run through this stop itself (parts of one city are asked separately).

        Tokens of companies that have not floated lie there but do not block.
        """
        kind = self.faces[at].stops[stop].kind
        if kind == OFFBOARD:
            return False
        if kind != CITY:
            return True
        for token in self.state.stations[at][stop]:
            if not token or token == company or not self.companies[token].active:
                return True
        return not self.state.stations[at][stop]

    def barred_for(self, company: str, at: str, stop: int) -> bool:
        """Whether a foreign station closes an off-board field to a company."""
        if self.faces[at].stops[stop].kind != OFFBOARD:
            return False
        tokens = [token for token in self.state.stations[at][stop] if token and self.companies[token].active]
        return bool(tokens) and company not in tokens and len(tokens) == len(self.state.stations[at][stop])

    def partner(self, at: str, stop: int) -> int | None:
        """The other part of the same city across a ferry, if there is one."""
        face = self.faces[at]
        if face.ferry:
            for one, other in face.ferry:
                if one - FIRST_STOP == stop:
                    return other - FIRST_STOP
                if other - FIRST_STOP == stop:
                    return one - FIRST_STOP
        return None

    # ------------------------------------------------------------------ changes

    def place_station(self, company: str, at: str, stop: int) -> None:
        spaces = self.state.stations[at][stop]
        spaces[spaces.index("")] = company
        self.state.token_version += 1

    def remove_stations(self, company: str) -> None:
        """Take all tokens of a company off the map; their spaces are free."""
        for stops in self.state.stations.values():
            for spaces in stops:
                spaces[:] = ["" if token == company else token for token in spaces]
        self.state.token_version += 1

    def lay(self, at: str, fit: Fit) -> str:
        """Put a tile down, move the tokens along, return what lay there to the supply; gives its name."""
        old = self.state.tiles.get(at)
        self.state.tiles[at] = (fit.tile, fit.rotation)
        self.state.supply[fit.tile] -= 1
        if old is not None:
            self.state.supply[old[0]] += 1
        self.faces[at] = fit.face
        tokens: list[list[str]] = [[] for _ in fit.face.stops]
        for stop, spaces in enumerate(self.state.stations.get(at, ())):
            tokens[fit.stops[stop]].extend(token for token in spaces if token)
        if tokens:
            self.state.stations[at] = [
                held + [""] * (stop.slots - len(held)) for held, stop in zip(tokens, fit.face.stops, strict=True)
            ]
        self.state.track_version += 1
        self.state.token_version += 1
        return old[0] if old else ""
