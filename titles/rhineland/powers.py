"""What private companies add to a turn: tiles without a route, reserved hexes, a station on the new tile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board.faces import FIRST_STOP
from engine.errors import Refused
from engine.finance.closing import close_private
from engine.game import Game
from engine.moves import PlaceStation
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.records import Keeps
from engine.remembered import Laid, Placed
from engine.rounds.turns import Question
from engine.state import Pause
from engine.steps.stations import StationStep
from engine.steps.track import Permit, TrackStep
from titles.rhineland.tables import Power


class PowerTrackStep(TrackStep):
    """One tile a turn, and the lays that private companies grant; a first tile at home where there is no track yet."""

    def __init__(self, powers: Mapping[str, Power], grant: Question) -> None:
        self.powers = powers
        #: What may be done about the station that a power grants with its tile.
        self.grant = grant

    def questions(self) -> Mapping[str, Question]:
        return {"granted_station": self.grant}

    def keeps(self) -> Keeps:
        return (*super().keeps(), Placed)

    def permits(self, game: Game, company: str) -> list[Permit]:
        laid = Laid.of(game).privates
        if any(self.powers[private].alone for private in laid if private in self.powers):
            return []
        result = []
        home = "" if "" in laid else self.home_first(game, company)
        if "" not in laid:
            result.append(Permit(hexes=(home,) if home else None))
        for private, power in self.powers.items():
            # The only tile of the turn cannot lie elsewhere while the first one is due at home (6.2.1).
            if not power.lays or not self.usable(game, company, private) or (power.alone and (laid or home)):
                continue
            hexes = self.hexes(game, private, power)
            if hexes:
                result.append(
                    Permit(
                        private,
                        hexes,
                        needs_route=False,
                        free=power.free,
                        colours=power.colours or None,
                        tiles=power.tiles,
                    )
                )
        return result

    def usable(self, game: Game, company: str, private: str) -> bool:
        """Whether whoever decides owns the private company, its power is unused, and its time has come."""
        since = self.powers[private].since
        return (
            game.state.privates[private] == game.decider(company)
            and private not in game.state.used
            and (since is None or since in game.phase.tiles)
        )

    def hexes(self, game: Game, private: str, power: Power) -> tuple[str, ...]:
        """Where the power can be used now."""
        hexes = game.definition.privates[private].hexes
        if power.on == "bare":
            return tuple(at for at in hexes if at not in game.state.board.tiles)
        if power.on == "cost":
            # What is built over so that it does not show any more costs nothing any more.
            return tuple(at for at in hexes if game.board.faces[at].cost)
        return hexes

    def home_first(self, game: Game, company: str) -> str:
        """The home hex on which a company's first turn must lay a tile: it has no link and one fits."""
        if game.company(company).operated:
            return ""
        homes = game.board.stations_of(company)
        if any(game.board.faces[at].links[FIRST_STOP + stop] for at, stop in homes):
            return ""
        for at, _ in homes:
            if any(True for _ in self.lays(game, company, Permit(hexes=(at,)), at)):
                return at
        return ""

    def obliged(self, game: Game, company: str) -> bool:
        return "" not in Laid.of(game).privates and bool(self.home_first(game, company))

    def closed(self, game: Game, company: str, permit: Permit, at: str) -> Refused | None:
        for private, power in self.powers.items():
            owner = game.state.privates[private]
            if (
                not power.reserves
                or permit.private == private
                or at not in game.definition.privates[private].hexes
                or at in game.state.board.tiles
                or owner not in game.state.seats
            ):
                continue
            if owner != game.decider(company):
                return Refused(f"tile.reserved.{private}", "tile.reserved", private=private, at=at)
            if power.only_power and not (permit.private and self.usable(game, company, private)):
                return Refused(f"tile.reserved.{private}", "tile.reserved.power", private=private, at=at)
        return None

    def laid(self, game: Game, company: str, permit: Permit, at: str) -> None:
        super().laid(game, company, permit, at)
        private = permit.private
        if private not in self.powers:
            return
        power = self.powers[private]
        game.state.used.append(private)
        if power.station:
            self.grant_station(game, company, private, at)
        if power.closes:
            close_private(game, private)

    def grant_station(self, game: Game, company: str, private: str, at: str) -> None:
        """The power allows a station on the tile, right now and without a route."""
        free = self.powers[private].station == "free"
        data = {"company": company, "hex": at, "private": private, "free": free}
        if granted_stops(game, data):
            game.ask("granted_station", [game.decider(company)], **data)


def granted_stops(game: Game, data: Mapping[str, Any]) -> list[int]:
    """The stops of the tile on which the granted station may go."""
    company, at = data["company"], data["hex"]
    tokens = game.company(company).tokens_left
    if not tokens or Placed.of(game).station or game.board.has_station(company, at):
        return []
    if not data["free"] and tokens[0] > game.state.cash[company]:
        return []
    return [stop for stop in range(len(game.board.faces[at].stops)) if game.board.free_space(at, stop)]


class GrantedStationChoice(Choice[PlaceStation]):
    """Place the station that a private company's power grants with its tile."""

    kind = PlaceStation

    def __init__(self, game: Game, player: str, pause: Pause, step: StationStep) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause
        self.step = step

    def cost(self) -> int:
        return 0 if self.pause.data["free"] else self.game.company(self.company).tokens_left[0]

    def ask(self, picked: Picked) -> Domain | None:
        if "stop" in picked:
            return None
        facts = {"hex": self.pause.data["hex"], "cost": self.cost()}
        return Options("stop", [Option(stop, facts) for stop in granted_stops(self.game, self.pause.data)])

    def move(self, picked: Picked) -> PlaceStation:
        data = self.pause.data
        return PlaceStation(self.player, self.company, data["hex"], picked["stop"], data["private"])

    def check(self, move: PlaceStation) -> None:
        game, data = self.game, self.pause.data
        if (move.company, move.hex, move.private) != (self.company, data["hex"], data["private"]):
            raise game.refuse("private.hex.station", private=data["private"], company=self.company, at=data["hex"])
        if move.stop not in granted_stops(game, data):
            raise game.refuse("station.space.granted", at=data["hex"])

    def perform(self, move: PlaceStation) -> None:
        self.step.place(self.game, self.company, move.hex, move.stop, self.cost(), move.private)
        self.game.answered(self.pause)


class StationGrant:
    """What may be done about a granted station: placed or not, it was the turn's only opportunity (4.1)."""

    def __init__(self, step: StationStep) -> None:
        self.step = step

    def __call__(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        player = pause.players[0]
        return [
            GrantedStationChoice(game, player, pause, self.step),
            PassChoice(game, player, pause.data["company"], lambda: self.decline(game, pause)),
        ]

    def decline(self, game: Game, pause: Pause) -> None:
        game.answered(pause)
        Placed.of(game).station = True
