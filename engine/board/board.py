"""The map in a position: what lies where, who has stations where, and whom a full city stops."""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.faces import CITY, FIRST_STOP, OFFBOARD, TOWN, Face, Stop
from engine.board.tiling import Cover, Fit, Tiling
from engine.state import BLANK, MARKER, Company
from engine.state import Board as BoardState


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

    def cover(self, at: str) -> Cover:
        return self.state.tiles.get(at)

    # ------------------------------------------------------------------ stations

    def spaces(self, at: str, stop: int) -> list[str]:
        """The station spaces of a stop: "" is free, otherwise whose token lies there."""
        return self.state.stations[at][stop]

    def stations_of(self, company: str) -> list[tuple[str, int]]:
        """Hex and stop of each active station of a company; one beside the spaces serves every city and field."""
        if not self.companies[company].active:
            return []
        found = [
            (at, stop)
            for at, stops in self.state.stations.items()
            for stop, spaces in enumerate(stops)
            if company in spaces
        ]
        for at, tokens in self.state.beside.items():
            if company in tokens:
                found += [
                    (at, stop)
                    for stop, drawn in enumerate(self.faces[at].stops)
                    if drawn.kind != TOWN and (at, stop) not in found
                ]
        return found

    def has_station(self, company: str, at: str) -> bool:
        if company in self.state.beside.get(at, ()):
            return True
        return any(company in spaces for spaces in self.state.stations.get(at, ()))

    def free_space(self, at: str, stop: int, company: str = "", kind: str = "") -> bool:
        """Whether a stop has room for a token of a company (for anybody's if none is named), or of a kind."""
        return self._room(at, stop, company, kind) is not None

    def _room(self, at: str, stop: int, company: str, kind: str) -> int | None:
        spaces = self.state.stations[at][stop]
        drawn = self.faces[at].stops[stop]
        if not drawn.reserved and not kind:
            return spaces.index("") if "" in spaces else None
        return next((space for space in drawn.spaces_for(company, kind) if not spaces[space]), None)

    def lies_on(self, company: str, at: str, stop: int, kind: str) -> bool:
        """Whether a company's token lies on a space of a stop that is reserved for a kind."""
        spaces = self.state.stations[at][stop]
        return any(spaces[space] == company for space in self.faces[at].stops[stop].spaces_for(company, kind))

    def open_for(self, company: str, at: str, stop: int) -> bool:
        """Whether a company may run through this stop itself (parts of one city are asked separately).

        Tokens of companies that have not floated lie there but do not block, nor do blank ones.
        """
        drawn = self.faces[at].stops[stop]
        if drawn.kind == OFFBOARD:
            return False
        if drawn.kind != CITY or drawn.open:
            return True
        spaces = self.state.stations[at][stop]
        for token in spaces:
            if not token or token in (company, BLANK):
                return True
            if token != MARKER and not self.companies[token].active:
                return True
        return not spaces or (bool(self.state.beside) and company in self.state.beside.get(at, ()))

    def barred_for(self, company: str, at: str, stop: int) -> bool:
        """Whether a foreign station closes an off-board field to a company."""
        drawn = self.faces[at].stops[stop]
        if drawn.kind != OFFBOARD or drawn.open:
            return False
        spaces = self.state.stations[at][stop]
        if not spaces or company in spaces:
            return False
        for token in spaces:
            if not token or token == BLANK or (token != MARKER and not self.companies[token].active):
                return False
        return company not in self.state.beside.get(at, ())

    def partner(self, at: str, stop: int) -> int | None:
        """The other part of the same city across a ferry, if there is one."""
        face = self.faces[at]
        if face.ferry:
            for one, other in face.ferry:
                if one < FIRST_STOP:
                    continue
                if one - FIRST_STOP == stop:
                    return other - FIRST_STOP
                if other - FIRST_STOP == stop:
                    return one - FIRST_STOP
        return None

    # ------------------------------------------------------------------ changes

    def place_station(self, company: str, at: str, stop: int, kind: str = "") -> None:
        """Put a token on a free space; there must be one for it."""
        space = self._room(at, stop, company, kind)
        if space is None:
            raise ValueError(f"{at} has no free space for a token of {company}")
        self.state.stations[at][stop][space] = company
        self.state.token_version += 1

    def place_beside(self, company: str, at: str) -> None:
        """Put a token on a hex beside its spaces."""
        lay_beside(self.state, company, at)
        self.state.token_version += 1

    def remove_stations(self, company: str, at: str = "") -> None:
        """Take all tokens of a company off the map, or those on one hex; their spaces are free."""
        for where, stops in self.state.stations.items():
            if at in ("", where):
                for spaces in stops:
                    spaces[:] = ["" if token == company else token for token in spaces]
        for where, tokens in list(self.state.beside.items()):
            if at in ("", where):
                _keep_beside(self.state, where, [token for token in tokens if token != company])
        self.state.token_version += 1

    def lay(self, at: str, fit: Fit) -> str:
        """Put a tile down, move the tokens along, return what lay there to the supply; gives its name.

        A token beside the spaces goes on the first space that the new tile has free for it.
        """
        old = self.state.tiles.get(at)
        before = self.faces[at].stops
        self.state.tiles[at] = (fit.tile, fit.rotation)
        self.state.supply[fit.tile] -= 1
        if old is not None:
            self.state.supply[old[0]] += 1
        self.faces[at] = fit.face
        if fit.face.stops:
            self.state.stations[at] = settled(before, self.state.stations.get(at, ()), fit.face.stops, fit.stops)
        if at in self.state.beside:
            _keep_beside(self.state, at, taken_in(fit.face.stops, self.state.stations[at], self.state.beside[at]))
        self.state.track_version += 1
        self.state.token_version += 1
        return old[0] if old else ""


def settled(
    before: Sequence[Stop], stations: Sequence[Sequence[str]], after: Sequence[Stop], moved: Sequence[int]
) -> list[list[str]]:
    """The spaces of a new tile with the tokens of the old one, whose stop i becomes stop `moved[i]`."""
    tokens: list[list[tuple[str, str]]] = [[] for _ in after]
    for stop, spaces in enumerate(stations):
        whose = before[stop].reserved or ("",) * len(spaces)
        tokens[moved[stop]].extend((token, kind) for token, kind in zip(spaces, whose, strict=False) if token)
    return [_settled(stop, held) for held, stop in zip(tokens, after, strict=True)]


def taken_in(stops: Sequence[Stop], stations: Sequence[list[str]], beside: Sequence[str]) -> list[str]:
    """Move tokens from beside the spaces onto spaces that are free for them; gives those that stay."""
    left = []
    for company in beside:
        for stop, spaces in zip(stops, stations, strict=True):
            space = next((space for space in stop.spaces_for(company) if not spaces[space]), None)
            if space is not None:
                spaces[space] = company
                break
        else:
            left.append(company)
    return left


def _settled(stop: Stop, held: list[tuple[str, str]]) -> list[str]:
    """The spaces of a stop with the tokens that come to lie there, each with the reservation it lay on."""
    if not stop.reserved:
        return [token for token, _ in held] + [""] * (stop.slots - len(held))
    spaces = [""] * stop.slots
    for token, kind in held:
        kept = stop.spaces_for(token, kind) if kind in stop.reserved else ()
        free = [space for space in (*kept, *stop.spaces_for(token)) if not spaces[space]]
        if free:
            spaces[free[0]] = token
        else:
            spaces.append(token)  # a fault of the tiles, which the invariants name
    return spaces


def put_token(board: BoardState, company: str, at: str, stop: int, reserved: Sequence[str] = ()) -> None:
    """Lay out a token before the game begins: on a space of the stop, beside the spaces if none is free for it."""
    spaces = board.stations[at][stop]
    whose = reserved or ("",) * len(spaces)
    free = [space for space, token in enumerate(spaces) if not token]
    for wanted in (company, ""):
        for space in free:
            if whose[space] == wanted:
                spaces[space] = company
                return
    lay_beside(board, company, at)


def lay_beside(board: BoardState, company: str, at: str) -> None:
    board.beside.setdefault(at, []).append(company)


def _keep_beside(board: BoardState, at: str, tokens: list[str]) -> None:
    if tokens:
        board.beside[at] = tokens
    else:
        board.beside.pop(at, None)
