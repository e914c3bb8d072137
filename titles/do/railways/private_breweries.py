"""Private breweries: revenue until their cards are turned, markers for railways, and cubes of export beer."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, PlaceStation, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps, OfGame, record
from engine.rounds.turns import Extra, Turn, meant_for
from engine.rules import Listener, Seated, Seating, Setup
from engine.state import BANK, BLANK, CLOSED, State
from engine.steps.stations import PlaceStationChoice
from titles.do.board.links import LinkMade
from titles.do.board.remembered import Post
from titles.do.board.stations import DoStationStep, free_city_place, keep_city_place
from titles.do.railways.tables import Marker, TrgTables

#: A marker that is out of the game, and the place of the cubes that nobody has.
GONE, SUPPLY = "gone", "supply"
#: The sign for a cube in the possessions of a player.
CUBE = "cube"


@register("turn_brewery")
@dataclass(frozen=True, slots=True)
class TurnBrewery(Move):
    """Turn a private brewery and give its marker, if it has one, to a railway."""

    private: str
    company: str = ""


@dataclass(frozen=True, slots=True)
class BreweryTurned(ev.Event):
    """A card shows its back: it pays no more, and its cubes can be carried."""

    private: str
    owner: str
    company: str


@dataclass(frozen=True, slots=True)
class CubesGained(ev.Event):
    """A link has brought beer."""

    player: str
    private: str
    cubes: int


@dataclass(frozen=True, slots=True)
class CubesCarried(ev.Event):
    """A railway has exported beer."""

    company: str
    private: str
    cubes: int


@dataclass(frozen=True, slots=True)
class MarkerLeft(ev.Event):
    """A marker is out of the game."""

    private: str
    company: str


# ---------------------------------------------------------------------- the beginning


@record("do.brewery_cards")
@dataclass(slots=True)
class BreweryCards(OfGame):
    """The cards of private breweries that are in the game, their cubes and their markers."""

    #: By card, and the supply.
    cubes: dict[str, int] = field(default_factory=dict)
    #: The cards that show their back.
    turned: list[str] = field(default_factory=list)
    #: For each card with a marker: "" while it lies there, the railway that has it, or `GONE`.
    markers: dict[str, str] = field(default_factory=dict)


def begun_with(t: TrgTables, numbers: Collection[int]) -> BreweryCards:
    """DO-4.1-e: cubes and markers lie on the cards with these numbers, which are the starting package."""
    rows = [row for row in t.private if row.number in numbers]
    cubes = {row.id: row.power.cubes for row in rows}
    cubes[SUPPLY] = t.cubes.all - sum(cubes.values())
    return BreweryCards(cubes, [], {row.id: "" for row in rows if row.power.marker})


def dealt(t: TrgTables) -> Seating:
    """DO-4.1-d: a card for each player: the lowest begins, seats ascend; those cards are the starting package."""

    def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
        cards = chance.sample([row.number for row in t.private], len(players))
        seats = sorted(players, key=lambda player: cards[players.index(player)])
        return seats, (begun_with(t, cards),)

    return seating


class PrivateBreweries(Mechanism):
    """DO-4.3.1-c: private breweries: cards that are turned, markers for railways, cubes that links bring."""

    def __init__(self, t: TrgTables) -> None:
        self.t = t

    def lay_out(self, state: State, chance: random.Random) -> None:
        """Cards that were not dealt leave the game."""
        for row in self.t.private:
            if row.id not in BreweryCards.within(state).cubes:
                state.privates[row.id] = CLOSED
            elif row.power.marker == "place":
                keep_city_place(self.t, state)

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {
            LinkMade: self.linked,
            ev.PhaseChanged: self.phase_began,
            ev.CompanyFounded: took_post,
            ev.DirectorChanged: took_post,
        }

    def linked(self, game: Game, event: LinkMade) -> None:
        """A link brings cubes onto the card of the director, as long as there are any."""
        card = card_of(game, game.company(event.company).director)
        if not card:
            return
        highest = event.value == self.t.locations.steps[-1][1] and begun(game, self.t.cubes.highest_from)
        heap = BreweryCards.of(game).cubes
        cubes = min(self.t.cubes.highest if highest else self.t.cubes.a_link, heap[SUPPLY])
        if cubes:
            heap[SUPPLY] -= cubes
            heap[card] += cubes
            game.emit(CubesGained(game.state.privates[card], card, cubes))

    def phase_began(self, game: Game, event: ev.PhaseChanged) -> None:
        """All cards are turned in one phase, and markers no railway has leave; in another the kept place is free."""
        cards = BreweryCards.of(game)
        if event.phase == self.t.markers.turned_in:
            for private, owner in game.state.privates.items():
                if owner in game.state.players and private not in cards.turned:
                    turn(game, private, "")
            for private in [private for private, holder in cards.markers.items() if not holder]:
                drop(game, private)
        if event.phase == self.t.markers.place_free_in:
            free_city_place(self.t, game)

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        """The cubes of a player, the markers of a railway."""
        cards, card = BreweryCards.of(game), card_of(game, holder)
        cubes = {CUBE: cards.cubes[card]} if card and cards.cubes[card] else {}
        numbers = [game.definition.privates[private].number for private, at in cards.markers.items() if at == holder]
        return {**cubes, **{f"brewery marker {marker_name(number)}": 1 for number in numbers}}

    def faults(self, game: Game) -> list[str]:
        """All cubes are somewhere, markers and cards agree, and the kept place is kept as long as it must be."""
        cards, t, result = BreweryCards.of(game), self.t, []
        cubes = cards.cubes
        if sum(cubes.values()) != t.cubes.all or min(cubes.values()) < 0:
            result.append(f"there are {sum(cubes.values())} cubes: {cubes}")
        for private, holder in cards.markers.items():
            if holder and holder != GONE and private not in cards.turned:
                result.append(f"{private} has given its marker and is not turned")
            if not holder and private in cards.turned:
                result.append(f"{private} is turned and its marker lies there")
        kept = BLANK in game.board.spaces(t.city.hex, 0)
        place = next((private for private in cards.markers if t.powers[private].marker == "place"), "")
        if kept and (not place or begun(game, t.markers.place_free_in)):
            result.append("a place in Dortmund City is kept for nobody")
        return result


def marker_name(number: int) -> str:
    """The name of a private brewery's marker, as in the rulebook: B2 to B5."""
    return f"B{number}"


def lots(game: Game) -> dict[str, tuple[int, ...]]:
    """DO-4.1-e: the private breweries of the starting package with their bid boxes."""
    t: TrgTables = game.definition.tables
    return {row.id: row.power.boxes for row in t.private if game.state.privates[row.id] != CLOSED}


# ---------------------------------------------------------------------- cards and cubes


def card_of(game: Game, player: str) -> str:
    """The private brewery of a player, "" without one."""
    return next((private for private, owner in game.state.privates.items() if owner == player), "")


def pay(game: Game) -> None:
    """DO-4.3.1-a: every private brewery that shows its face pays its owner."""
    for private, owner in game.state.privates.items():
        if owner in game.state.cash and private not in BreweryCards.of(game).turned:
            game.pay(BANK, owner, game.definition.privates[private].revenue, "private", private)


def at_hand(game: Game, company: str) -> int:
    """DO-4.3.1.2-b: the cubes that a railway can load: those on the back of its director's card."""
    card = card_of(game, game.company(company).director)
    cards = BreweryCards.of(game)
    return cards.cubes.get(card, 0) if card in cards.turned else 0


def carried(game: Game, company: str, cubes: int) -> None:
    """DO-4.5.5.1-e: cubes go back into the supply."""
    heap = BreweryCards.of(game).cubes
    card = card_of(game, game.company(company).director)
    heap[card] -= cubes
    heap[SUPPLY] += cubes
    game.emit(CubesCarried(company, card, cubes))


def begun(game: Game, phase: str) -> bool:
    """Whether a phase has begun, now or earlier."""
    return phase in [one.name for one in game.definition.phases[: game.state.phase + 1]]


def turn(game: Game, private: str, company: str) -> None:
    """DO-4.3.1-d: a card shows its back, and its marker goes to a railway."""
    BreweryCards.of(game).turned.append(private)
    if company:
        BreweryCards.of(game).markers[private] = company
    game.emit(BreweryTurned(private, game.state.privates[private], company))


# ---------------------------------------------------------------------- markers


def marker(t: TrgTables, game: Game, company: str, kind: Marker) -> str:
    """The private brewery whose marker of a kind a railway has, "" without one."""
    for private, holder in BreweryCards.of(game).markers.items():
        if holder == company and t.powers[private].marker == kind:
            return private
    return ""


def drop(game: Game, private: str) -> None:
    """DO-4.3.1.1-a: a marker leaves the game."""
    holder = BreweryCards.of(game).markers[private]
    BreweryCards.of(game).markers[private] = GONE
    game.emit(MarkerLeft(private, holder))


def owner_in(turn: Turn) -> str:
    """Whose card may be turned in a turn: a player's own, or that of the director of the railway that acts."""
    company = turn.game.state.companies.get(turn.actor)
    return turn.decider if company is None else company.director


class TurnChoice(Choice[TurnBrewery]):
    """DO-4.3.1-e: turn a card; its marker must go to a railway that its owner directs."""

    kind = TurnBrewery

    def __init__(self, game: Game, player: str, private: str) -> None:
        super().__init__(game, player)
        self.private = private

    @property
    def granted_by(self) -> str:
        return self.private

    @property
    def marked(self) -> bool:
        return self.private in BreweryCards.of(self.game).markers

    def companies(self) -> list[str]:
        owner = self.game.state.privates[self.private]
        return [name for name, company in self.game.state.companies.items() if company.director == owner]

    def ask(self, picked: Picked) -> Domain | None:
        if "private" not in picked:
            return Options("private", [Option(self.private)])
        if self.marked and "company" not in picked:
            return Options("company", [Option(name) for name in self.companies()])
        return None

    def move(self, picked: Picked) -> TurnBrewery:
        return TurnBrewery(self.player, picked["private"], picked.get("company", ""))

    def check(self, move: TurnBrewery) -> None:
        game = self.game
        if move.private != self.private:
            raise game.refuse("brewery.own", private=move.private)
        if self.private in BreweryCards.of(game).turned:
            raise game.refuse("brewery.turned", private=self.private)
        if self.marked and move.company not in self.companies():
            raise game.refuse("brewery.director", private=self.private)
        if not self.marked and move.company:
            raise game.refuse("brewery.none", private=self.private)

    def perform(self, move: TurnBrewery) -> None:
        turn(self.game, self.private, move.company)


def took_post(game: Game, event: ev.CompanyFounded | ev.DirectorChanged) -> None:
    """A player directs one railway more than before their trade, which their turn remembers."""
    new = event.player if isinstance(event, ev.CompanyFounded) else event.new
    if new == game.state.round.actor:
        turn = Post.seen(game)
        if turn is not None:
            turn.post = True


class TurnBreweryExtra(Extra):
    """DO-4.3.1-e: in their own turn owners may turn their cards: no action, besides whatever else they do."""

    def keeps(self) -> Keeps:
        return (Post,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game = turn.game
        card = card_of(game, owner_in(turn))
        if not card or card in BreweryCards.of(game).turned:
            return []
        choice = TurnChoice(game, turn.decider, card)
        return [choice] if choice.companies() or not choice.marked else []

    def waits(self, turn: Turn) -> bool:
        """It is no action: a turn with nothing else in it is a pass, and nobody is stopped for it.

        But a marker may be given after the trade too, and only then to a railway that came to its owner by the trade.
        """
        choices = self.choices(turn) if Post.of(turn.game).post else []
        return any(isinstance(choice, TurnChoice) and choice.marked for choice in choices)

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, TurnBrewery):
            card = card_of(turn.game, owner_in(turn))
            if not card or move.private != card:
                raise turn.game.refuse("brewery.own", private=move.private)
            TurnChoice(turn.game, move.player, card).check(move)


# ---------------------------------------------------------------------- stations with markers


class MarkedStationChoice(PlaceStationChoice):
    """DO-4.3.1.1-b: put the station of the turn into Dortmund City with the help of a marker."""

    def __init__(self, game: Game, player: str, company: str, step: TrgStationStep, private: str) -> None:
        super().__init__(game, player, company, step)
        self.marked = step
        self.private = private

    @property
    def granted_by(self) -> str:
        return self.private

    def ask(self, picked: Picked) -> Domain | None:
        at = self.marked.t.city.hex
        if "hex" not in picked:
            return Options(
                "hex", [Option(at, {"cost": self.marked.marked_cost(self.game, self.company, self.private)})]
            )
        return Options("stop", [Option(0)]) if "stop" not in picked else None

    def move(self, picked: Picked) -> PlaceStation:
        return PlaceStation(self.player, self.company, picked["hex"], picked["stop"], self.private)

    def matches(self, move: object) -> bool:
        return (
            isinstance(move, PlaceStation)
            and move.player == self.player
            and move.private == self.private
            and meant_for(self, move.company)
        )

    def check(self, move: PlaceStation) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.marked.check_marked(self.game, self.company, move.hex, move.stop, self.private)

    def perform(self, move: PlaceStation) -> None:
        self.marked.place_marked(self.game, self.company, move.hex, move.stop, self.private)
        self.game.turn.advance()


class TrgStationStep(DoStationStep):
    """DO-4.3.1.1-c: the station step; two markers help with a station in Dortmund City, each once."""

    t: TrgTables

    def usable(self, company: str, game: Game) -> list[str]:
        """The markers with which the railway could build now."""
        found = [marker(self.t, game, company, "place"), marker(self.t, game, company, "cheap")]
        return [private for private in found if private and self.no_marked(game, company, private) is None]

    def marked_cost(self, game: Game, company: str, private: str) -> int:
        cost = game.company(company).tokens_left[0]
        if self.t.powers[private].marker == "cheap":
            return cost * self.t.markers.cheap_percent // 100
        return cost

    def no_marked(self, game: Game, company: str, private: str) -> Refused | None:
        """Why a marker does not help now."""
        try:
            self.check_marked(game, company, self.t.city.hex, 0, private)
        except Refused as refusal:
            return refusal
        return None

    def check_marked(self, game: Game, company: str, at: str, stop: int, private: str) -> None:
        kind = self.t.powers[private].marker if private in self.t.powers else None
        if kind not in ("place", "cheap") or BreweryCards.of(game).markers.get(private) != company:
            raise game.refuse("station.marker", private=private, company=company)
        if at != self.t.city.hex or stop:
            raise game.refuse("station.marker.city", private=private)
        if not game.company(company).tokens_left:
            raise game.refuse("station.none", company=company)
        if game.board.has_station(company, at):
            raise game.refuse("station.twice", company=company, at=at)
        if kind == "place" and BLANK not in game.board.spaces(at, stop):
            raise game.refuse("station.marker.place", private=private)
        if kind == "cheap":
            self.check_space(game, company, at, stop)
        if not self.reachable(game, company, at, stop):
            raise game.refuse("station.route", company=company, at=at)
        cost = self.marked_cost(game, company, private)
        if cost > game.state.cash[company]:
            raise game.refuse("station.cost", cost=cost, company=company, cash=game.state.cash[company])

    def place_marked(self, game: Game, company: str, at: str, stop: int, private: str) -> None:
        cost = self.marked_cost(game, company, private)
        if self.t.powers[private].marker == "place":
            free_city_place(self.t, game)
        self.place(game, company, at, stop, cost, private)
        drop(game, private)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        *found, passing = super().choices(turn)
        game, company = turn.game, turn.actor
        marked = [MarkedStationChoice(game, turn.decider, company, self, p) for p in self.usable(company, game)]
        return [*found, *marked, passing]

    def waiting(self, turn: Turn) -> bool:
        return super().waiting(turn) or bool(self.usable(turn.actor, turn.game))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, PlaceStation) and move.private and move.company == turn.actor:
            self.check_marked(turn.game, turn.actor, move.hex, move.stop, move.private)
        super().explain(turn, move)
