"""18DO's stations: homes keep their places for good, and one place of Dortmund City can be kept for a marker."""

from __future__ import annotations

from collections.abc import Callable

from engine.game import Game
from engine.state import BLANK, State
from engine.steps.stations import StationStep
from titles.do.board.tables import Tables


def keep_city_place(t: Tables, state: State) -> None:
    """DO-4.1-f: a marker takes the last station place of Dortmund City; it is no station and stops nobody."""
    state.board.stations[t.city.hex][0][-1] = BLANK


def free_city_place(t: Tables, game: Game) -> None:
    """DO-4.5.3-d: the marker in Dortmund City leaves the game; its place is like the others."""
    spaces = game.board.spaces(t.city.hex, 0)
    if BLANK in spaces:
        spaces[spaces.index(BLANK)] = ""
        game.state.board.token_version += 1


def nobody(game: Game, company: str) -> bool:
    return False


class DoStationStep(StationStep):
    """DO-4.5.3-a: the station step; `keeper` says whether a company may use the kept place of Dortmund City now."""

    def __init__(self, t: Tables, keeper: Callable[[Game, str], bool] = nobody) -> None:
        self.t = t
        self.keeper = keeper

    def room(self, game: Game, company: str, at: str, stop: int) -> bool:
        return super().room(game, company, at, stop) or self.on_kept(game, company, at, stop)

    def on_kept(self, game: Game, company: str, at: str, stop: int) -> bool:
        """Whether a token there would take the kept place: the only one left, and the company's to take."""
        return (
            at == self.t.city.hex
            and BLANK in game.board.spaces(at, stop)
            and not game.board.free_space(at, stop, company)
            and self.keeper(game, company)
        )

    def check_space(self, game: Game, company: str, at: str, stop: int) -> None:
        drawn = game.board.faces[at].stops if at in game.board.faces else ()
        if (
            0 <= stop < len(drawn)
            and not self.room(game, company, at, stop)
            and not game.board.has_station(company, at)
        ):
            spaces = game.board.spaces(at, stop)
            if BLANK in spaces:
                raise game.refuse("station.kept", at=at)
            if drawn[stop].reserved and "" in spaces:
                raise game.refuse("station.home", at=at)
        super().check_space(game, company, at, stop)

    def place(self, game: Game, company: str, at: str, stop: int, cost: int, private: str) -> None:
        if self.on_kept(game, company, at, stop):
            free_city_place(self.t, game)
        super().place(game, company, at, stop, cost, private)
