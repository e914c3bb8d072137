"""18Rhl's track and station steps: what private companies add, E14's block, a first tile at home."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.game import Game
from engine.moves import PlaceStation
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.rounds.operating import next_step
from engine.state import Pause
from engine.steps.stations import StationStep
from engine.steps.track import Permit, TrackStep
from titles.rhl.tables import Power, Tables


def powers(game: Game) -> Mapping[str, Power]:
    """What each private company can do."""
    tables: Tables = game.definition.tables
    return tables.powers


def usable(game: Game, private: str, director: str) -> bool:
    """Whether a director owns a private company whose function is unused."""
    return game.state.privates[private] == director and private not in game.state.used


class RhlTrackStep(TrackStep):
    """One tile a turn, and the lays that the private companies grant."""

    def permits(self, game: Game, company: str) -> list[Permit]:
        laid: list[str] = game.state.round.turn.get("laid", [])
        if any(private and powers(game)[private].alone for private in laid):
            return []
        director = game.company(company).director
        result = []
        if "" not in laid:
            home = self.home_first(game, company)
            result.append(Permit(hexes=(home,) if home else None))
        for private, power in powers(game).items():
            if not usable(game, private, director) or (power.alone and laid):
                continue
            hexes = self.open_hexes(game, private, power)
            if hexes and (not power.since or power.since in game.phase.tiles):
                colours = power.colours or None
                result.append(Permit(private, hexes, False, power.free, colours, power.tiles))
        return result

    def open_hexes(self, game: Game, private: str, power: Power) -> tuple[str, ...]:
        """The hexes on which a private company's tile may lie now."""
        hexes = game.definition.privates[private].hexes
        if power.on == "bare":
            return tuple(at for at in hexes if at not in game.state.board.tiles)
        if power.on == "cost":
            # A mountain under a tile that does not show it is built over and costs nothing any more.
            return tuple(at for at in hexes if game.board.faces[at].cost)
        return hexes

    def home_first(self, game: Game, company: str) -> str:
        """The home hex on which a company's first turn must lay a tile: it has no link and one fits."""
        if game.company(company).operated:
            return ""
        homes = game.definition.corporations[company].homes
        if any(game.board.faces[home.at].track for home in homes):
            return ""
        for home in homes:
            if any(True for _ in self.lays(game, company, Permit(hexes=(home.at,)), home.at)):
                return home.at
        return ""

    def obliged(self, game: Game, company: str) -> bool:
        return "" not in game.state.round.turn.get("laid", []) and bool(self.home_first(game, company))

    def check_hex(self, game: Game, company: str, permit: Permit, at: str) -> None:
        if at in game.state.board.tiles:
            return
        for private, power in powers(game).items():
            owner = game.state.privates[private]
            if (
                power.reserves
                and at in game.definition.privates[private].hexes
                and owner in game.state.seats
                and owner != game.company(company).director
            ):
                raise game.refuse("tile.reserved", f"only the owner of {private} may lay the first tile on {at}")

    def laid(self, game: Game, company: str, permit: Permit, at: str) -> None:
        super().laid(game, company, permit, at)
        private = permit.private
        if not private:
            return
        game.state.used.append(private)
        power = powers(game)[private]
        if power.station:
            self._grant_station(game, company, private, at)
        if power.closes:
            game.rules.close_private(game, private)

    def _grant_station(self, game: Game, company: str, private: str, at: str) -> None:
        """The function allows a station on the tile, right now and without a route."""
        pause = Pause(
            "granted_station",
            [game.company(company).director],
            {"company": company, "hex": at, "private": private, "free": powers(game)[private].station == "free"},
        )
        if granted_stops(game, pause):
            game.state.pauses.append(pause)


def granted_stops(game: Game, pause: Pause) -> list[int]:
    """The stops of the tile on which the granted station may go."""
    data = pause.data
    company, at = data["company"], data["hex"]
    tokens = game.company(company).tokens_left
    if not tokens or game.state.round.turn.get("station") or game.board.has_station(company, at):
        return []
    if not data["free"] and tokens[0] > game.state.cash[company]:
        return []
    return [stop for stop in range(len(game.board.faces[at].stops)) if game.board.free_space(at, stop)]


class GrantedStationChoice(Choice[PlaceStation]):
    """Place the station that a private company's function grants with its tile."""

    kind = PlaceStation

    def __init__(self, game: Game, player: str, pause: Pause, step: StationStep) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause
        self.step = step

    @classmethod
    def offer(cls, game: Game, pause: Pause, step: StationStep, decline: Callable[[Game], None]) -> list[Choice[Any]]:
        player = pause.players[0]
        return [
            cls(game, player, pause, step),
            PassChoice(game, player, pause.data["company"], lambda: decline(game)),
        ]

    def cost(self) -> int:
        return 0 if self.pause.data["free"] else self.game.company(self.company).tokens_left[0]

    def ask(self, picked: Picked) -> Domain | None:
        if "stop" in picked:
            return None
        stops = granted_stops(self.game, self.pause)
        facts = {"hex": self.pause.data["hex"], "cost": self.cost()}
        return Options("stop", [Option(stop, facts) for stop in stops])

    def move(self, picked: Picked) -> PlaceStation:
        data = self.pause.data
        return PlaceStation(self.player, self.company, data["hex"], picked["stop"], data["private"])

    def check(self, move: PlaceStation) -> None:
        game, data = self.game, self.pause.data
        if (move.company, move.hex, move.private) != (self.company, data["hex"], data["private"]):
            raise game.refuse(
                "private.hex", f"{data['private']} grants {self.company} a station on {data['hex']} now, nothing else"
            )
        if move.stop not in granted_stops(game, self.pause):
            raise game.refuse("station.space", f"there is no free space at that stop of {data['hex']}")

    def perform(self, move: PlaceStation) -> None:
        self.step.place(self.game, self.company, move.hex, move.stop, self.cost(), move.private)
        decline_grant(self.game)


def decline_grant(game: Game) -> None:
    """The granted station is placed or not wanted; the tile step goes on, or ends with the last lay."""
    pause = game.state.pauses.pop(0)
    # Placed or not, it was the turn's only opportunity (4.1).
    game.state.round.turn["station"] = True
    step = game.rules.rounds["operating"].steps["track"]  # type: ignore[attr-defined]
    if not step.permits(game, pause.data["company"]):
        next_step(game)
