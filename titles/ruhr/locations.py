"""Locations of Montan companies on the map, and their railway links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.board.faces import CITY, COLOURS
from engine.finance.closing import close_private
from engine.finance.raising import raising
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps, put
from engine.rounds.turns import Extra, Turn
from engine.state import BANK, MARKER, State
from titles.ruhr import works
from titles.ruhr.remembered import LineMoney, Linked, Location, Locations, Works
from titles.ruhr.tables import Tables

#: What became of a small company: it has an owner or waits for one, belongs to nobody, belongs to a corporation,
#: gave its place to a corporation, or nothing is left there.
ACTIVE, PASSIVE, MERGED, FOUNDED, EMPTY = "active", "passive", "merged", "founded", "empty"


@register("make_link")
@dataclass(frozen=True, slots=True)
class MakeLink(Move):
    """Link a Montan company's location to the railways; `private` names the horse tramway that does it, if any."""

    company: str
    hex: str
    private: str = ""


@dataclass(frozen=True, slots=True)
class LinkMade(ev.Event):
    """A location has its railway link; `company` made it, or a new tile did."""

    company: str
    hex: str
    cost: int
    private: str


@dataclass(frozen=True, slots=True)
class LineBuilt(ev.Event):
    """The money that lay aside for a line goes to its corporation."""

    company: str
    amount: int


def location(game: Game, at: str) -> Location:
    return Locations.of(game).locations[at]


def lay_out(t: Tables, state: State, active: tuple[int, ...]) -> None:
    """All locations without a value; those of the scenario wait for an owner."""
    found = {
        mine.hex: Location(False, ACTIVE, mine.company) if mine.number in active else Location(False, PASSIVE, "")
        for mine in t.mine
    }
    put(state, Locations(found))


def value(game: Game, at: str) -> int:
    """What a location adds to a route."""
    links = works.tables(game).links
    found = location(game, at)
    if found.state == FOUNDED:
        markers = works.charter(game, found.company).markers
        return links.developed if any(markers.get(stage) for stage in links.developed_with) else links.corporation
    return links.linked if found.linked and found.state != EMPTY else 0


def linkable(game: Game) -> list[str]:
    """Locations of small companies, active, passive or merged, that have no link yet."""
    return [
        at
        for at, found in Locations.of(game).locations.items()
        if not found.linked and found.state in (ACTIVE, PASSIVE, MERGED)
    ]


def joined(game: Game) -> set[tuple[str, int]]:
    """All stops that track joins to a railway's station, whoever's stations lie between.

    A railway has none before it has floated and taken its first turn.
    """

    def search() -> set[tuple[str, int]]:
        starts = [node for name in game.state.companies for node in game.board.stations_of(name)]
        return game.tracks(starts).stops

    found: set[tuple[str, int]] = game.kept("joined", search)
    return found


def link(game: Game, company: str, at: str, cost: int = 0, private: str = "") -> None:
    """A location gets its link; stored markers find their boxes by it."""
    if cost:
        game.pay(company, BANK, cost, "link", at)
    location(game, at).linked = True
    # What trains earn there depends on it, though neither track nor tokens have changed.
    game.state.board.token_version += 1
    game.emit(LinkMade(company, at, cost, private))


class LinkChoice(Choice[MakeLink]):
    """Make one railway link, by the company itself or by a horse tramway."""

    kind = MakeLink

    def __init__(self, game: Game, player: str, company: str, hexes: list[str], cost: int, private: str = "") -> None:
        super().__init__(game, player, company)
        self.hexes = hexes
        self.cost = cost
        self.private = private

    @property
    def granted_by(self) -> str:
        return self.private

    def matches(self, move: object) -> bool:
        return isinstance(move, MakeLink) and move.player == self.player and move.private == self.private

    def ask(self, picked: Picked) -> Domain | None:
        if "hex" in picked:
            return None
        return Options("hex", [Option(at, {"cost": self.cost}) for at in self.hexes])

    def move(self, picked: Picked) -> MakeLink:
        return MakeLink(self.player, self.company, picked["hex"], self.private)

    def check(self, move: MakeLink) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        if move.hex not in self.hexes:
            raise refusal(game, self.company, move.hex, self.private)

    def perform(self, move: MakeLink) -> None:
        if self.private:
            close_private(self.game, self.private)
        else:
            Linked.of(self.game).link = True
        link(self.game, self.company, move.hex, self.cost, self.private)


def refusal(game: Game, company: str, at: str, private: str = "") -> Exception:
    """Why a location cannot be linked by a company or a private company."""
    if at not in Locations.of(game).locations:
        return game.refuse("link.none", at=at)
    found = location(game, at)
    if at not in linkable(game):
        return game.refuse("link.linked", at=at)
    cost = works.tables(game).links.cost
    if private:
        return game.refuse("link.private.net", at=at)
    if works.kind(game, company) == "railway":
        if Linked.of(game).link:
            return game.refuse("link.one", company=company)
        if (at, 0) not in game.reach(company).stops:
            return game.refuse("link.route", company=company, at=at)
    elif found.company != company:
        return game.refuse("link.own", company=company, at=at)
    elif (at, 0) not in joined(game):
        return game.refuse("link.net", at=at)
    return game.refuse("link.money", cost=cost, company=company, cash=game.state.cash[company])


def own_links(game: Game, company: str) -> list[str]:
    """The locations that a Montan company can link in its turn: its own, or those merged into it."""
    if game.state.cash[company] < works.tables(game).links.cost:
        return []
    net = joined(game)
    return [at for at in linkable(game) if location(game, at).company == company and (at, 0) in net]


class RailwayLinks(Extra):
    """A railway may link one location that its route includes, at any time of its turn but while money is raised."""

    def keeps(self) -> Keeps:
        return (Linked,)

    def hexes(self, turn: Turn) -> list[str]:
        game, company = turn.game, turn.actor
        if Linked.of(turn.game).link or raising(turn.game):
            return []
        if game.state.cash[company] < works.tables(game).links.cost:
            return []
        stops = game.reach(company).stops
        return [at for at in linkable(game) if (at, 0) in stops]

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        hexes = self.hexes(turn)
        cost = works.tables(turn.game).links.cost
        return [LinkChoice(turn.game, turn.decider, turn.actor, hexes, cost)] if hexes else []

    def waits(self, turn: Turn) -> bool:
        """Nobody is stopped for it but before the run and at the end: in between nothing changes for a link."""
        return turn.game.state.round.step in ("run", "trains") and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, MakeLink) and not move.private and move.company == turn.actor:
            if raising(turn.game):
                raise turn.game.refuse("forced.no_more.link", company=turn.actor)
            raise refusal(turn.game, turn.actor, move.hex)


class TramwayLinks(Extra):
    """Whoever owns a horse tramway may close it for a link, in a turn in which they act for a company."""

    def __init__(self, t: Tables) -> None:
        self.privates = [private for private, power in t.powers.items() if power.links]

    def owned(self, turn: Turn) -> list[str]:
        return [private for private in self.privates if turn.game.state.privates[private] == turn.decider]

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game = turn.game
        owned = self.owned(turn)
        if not owned:
            return []
        net = joined(game)
        hexes = [at for at in linkable(game) if (at, 0) in net]
        return [LinkChoice(game, turn.decider, turn.actor, hexes, 0, private) for private in owned if hexes]

    def waits(self, turn: Turn) -> bool:
        """It is asked for once a turn, before the company earns or runs, unless a step waits anyway."""
        return turn.game.state.round.step in ("income", "run") and super().waits(turn)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, MakeLink) and move.private:
            if move.private not in self.owned(turn):
                raise turn.game.refuse("link.private", private=move.private)
            raise refusal(turn.game, turn.actor, move.hex, move.private)


def tile_laid(game: Game, event: ev.TileLaid) -> None:
    """A brown tile links what lies there, and in a city its location marker takes a space."""
    if event.hex not in Locations.of(game).locations:
        return
    face = game.board.faces[event.hex]
    if COLOURS.index(face.colour) < COLOURS.index("brown"):
        return
    if event.hex in linkable(game):
        link(game, event.company, event.hex)
    was_city = game.definition.map.hexes[event.hex].face.stops[0].kind == CITY
    if was_city and location(game, event.hex).state != EMPTY and not game.board.has_station(MARKER, event.hex):
        game.board.place_station(MARKER, event.hex, 0)


def line_built(game: Game, event: ev.Event) -> None:
    """The money aside is paid once track joins the two places and the corporation has floated."""
    table = works.tables(game).aside
    amount = LineMoney.of(game).aside
    if not amount or not game.company(table.corporation).floated:
        return
    if (table.end, 0) in game.tracks([(table.start, 0)]).stops:
        LineMoney.of(game).aside = 0
        game.pay("aside", table.corporation, amount, "line", table.corporation)
        game.emit(LineBuilt(table.corporation, amount))


def faults(game: Game) -> list[str]:
    """Every active small company has its location, every corporation one it was founded on."""
    result = []
    charters = Works.of(game).charters
    for at, found in Locations.of(game).locations.items():
        if found.state in (MERGED, FOUNDED):
            owner = charters.get(found.company)
            if owner is None or at not in owner.locations:
                result.append(f"{at} is not among the locations of {found.company}")
    return result
