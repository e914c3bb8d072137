"""What a form of play is made of: its data, its rounds, and the policies at the joints where titles differ.

A title builds one `Rules` value from parts; nobody subclasses it. A part gets what it needs by its constructor.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from engine.board.reach import Reach
from engine.board.tiling import Tiling
from engine.definition import Definition, TrainType
from engine.events import Event
from engine.finance import shares
from engine.finance.depot import highest_price_first, scrap
from engine.finance.prices import PriceRules
from engine.memo import exact
from engine.moves import Move
from engine.records import OfGame
from engine.rounds.turns import Question, RoundRules
from engine.routes.model import Route, TrainRules
from engine.state import BANK, State

if TYPE_CHECKING:
    from engine.game import Game

#: The kind of an actor that is a person; a company's kind is on its charter.
PLAYER = "player"


@dataclass(frozen=True)
class Setup:
    """What a definition is made from: the form of play, its options, and how many play."""

    form: str
    options: Mapping[str, Any]
    players: int


# ---------------------------------------------------------------------- joints


class Floating(Protocol):
    """How a company comes to life and to money."""

    def payee(self, game: Game, company: str, source: str) -> str:
        """Who gets the money for a certificate that comes from somewhere."""
        ...

    def sold(self, game: Game, company: str) -> None:
        """A certificate has left the offering or the charter."""
        ...

    def round_over(self, game: Game) -> None:
        """A stock round ends."""
        ...


@dataclass(frozen=True)
class Limits:
    """How many certificates somebody may hold, and what counts."""

    certificates: Callable[[Game, str], int]
    counts: Callable[[Game, str], bool] = lambda game, company: True
    #: Whether private companies count as well.
    privates: bool = True
    #: The most of a company that can come to lie in the pool, in per cent; sales keep the printed limit anyway.
    in_pool: Callable[[Game, str], int] = lambda game, company: game.definition.pool_limit


def printed_limit(game: Game, player: str) -> int:
    """The limit on the title's card for the number of players."""
    return game.definition.cert_limit[len(game.players)]


def own_trains(game: Game, company: str) -> list[tuple[str, ...]]:
    """All trains of a company, each by itself."""
    return [tuple(game.company(company).trains)]


def part_of_a_fleet(game: Game, company: str, vehicles: Sequence[str]) -> bool:
    """Whether one of a company's fleets has all of these vehicles."""
    used = Counter(vehicles)
    return any(used <= Counter(fleet) for fleet in game.rules.trains.fleets(game, company))


def summed(routes: Sequence[Route]) -> int:
    return sum(route.value for route in routes)


def nowhere(game: Game, company: str) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True, kw_only=True)
class Trains:
    """What runs: the vehicles, what each may do, and what a company makes of all of them together."""

    #: What a vehicle may do for a company now, in the colour of the phase.
    rules: Callable[[Game, str, TrainType, str], TrainRules]
    #: Everything that can run a route by itself; the title's train cards if none are named.
    vehicles: tuple[TrainType, ...] = ()
    #: The ways in which a company can put its trains on the track; the best run is one of them, or a part of one.
    fleets: Callable[[Game, str], list[tuple[str, ...]]] = own_trains
    #: What a company's trains are called where they are shown: with what lies on them.
    labels: Callable[[Game, str], list[str]] = lambda game, company: list(game.company(company).trains)
    #: Whether a company may run just these vehicles together; lesser loads than any of its fleets has, for example.
    may_run: Callable[[Game, str, Sequence[str]], bool] = part_of_a_fleet
    #: What a company earns with a set of routes.
    revenue: Callable[[Sequence[Route]], int] = summed
    #: Whether a vehicle counts for the limit and for the duty to own one.
    counts: Callable[[str], bool] = lambda train: True
    #: Whether a vehicle stays with its company: it is neither sold nor discarded and does not meet that duty.
    bound: Callable[[str], bool] = lambda train: False
    #: What a company's stations lead to, for tiles, stations and links: as its trains could run.
    reach: type[Reach] = Reach
    #: Hexes that no way of a company may touch.
    closed: Callable[[Game, str], frozenset[str]] = nowhere
    #: What the first card of a type does to the trains that it makes obsolete.
    obsolete: Callable[[Game, str], None] = scrap
    #: The order in which companies over a new limit give up trains.
    discard_order: Callable[[Game], list[str]] = highest_price_first
    #: How many of its trains a company must run, if it can: `all`, at least one (`some`), or `none`.
    must_run: str = "all"
    #: What a company's routes depend on besides the board, the phase and its trains; without it nothing is remembered.
    depends: Callable[[Game, str], object] | None = None


def all_that_is_kept(game: Game, company: str) -> object:
    """What a title keeps for longer than a turn, and who owns and directs what: more than most trains depend on."""
    state = game.state
    return tuple(c.director for c in state.companies.values()), exact((state.own, state.privates))


def all_of_the_turn(game: Game, company: str) -> object:
    """All that is kept of a company's game, with what is remembered of the round and of the turn."""
    return all_that_is_kept(game, company), exact((game.state.round.own, game.state.round.turn))


@dataclass(frozen=True)
class Remark:
    """Something that everybody should know about a position: the key of a sentence of the title, and its facts."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pieces:
    """Small pieces that lie in a field: how many, and in which colour the field is printed."""

    count: int
    colour: str

    def __str__(self) -> str:
        return str(self.count)


@dataclass(frozen=True)
class Page:
    """A table of the title's own: `page.<name>` is its heading, `column.<name>` heads a column in the title's texts.

    A cell that is the code of a company is shown as its token, but in a column named `code`.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | Pieces, ...], ...]
    #: Whether it is for looking up only: the sheet has it, a turn's card does not.
    aside: bool = False
    #: The steps of a turn that it is about; without any, all of them. Of the others a turn shows only the actor's row.
    steps: tuple[str, ...] = ()


Listener = Callable[["Game", Any], None]
#: Seats clockwise, first the holder of the priority deal, and what is remembered of the draw.
Seated = tuple[list[str], Sequence[OfGame]]
Seating = Callable[[Setup, tuple[str, ...], random.Random], Seated]


class House(Protocol):
    """Chooses a move for a player who has to decide."""

    def choose(self, game: Game, player: str, chance: random.Random) -> Move: ...


@dataclass(frozen=True)
class OpenCard:
    """A card that everybody sees: whose it is (nobody's is ""), what it is worth, whether that has been paid."""

    id: str
    owner: str
    worth: int
    paid: bool


# ---------------------------------------------------------------------- plain answers


def kind_of(game: Game, actor: str) -> str:
    """A person is a player; a company is of the kind on its charter."""
    charter = game.definition.corporations.get(actor)
    return PLAYER if charter is None else charter.kind


def owner_or_director(game: Game, actor: str) -> str:
    """A person decides for themselves, a director for their company; nobody for a company without one."""
    company = game.state.companies.get(actor)
    if company is None:
        return actor if actor in game.state.seats else ""
    return company.director


def seated(game: Game) -> list[str]:
    """Everybody at the table, clockwise."""
    return game.state.seats


def shuffled(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    """Seats drawn by lot, first the holder of the priority deal."""
    seats = list(players)
    chance.shuffle(seats)
    return seats, ()


def nothing_more(state: State, chance: random.Random) -> None:
    """Nothing is laid out besides the common things."""


def owed(game: Game) -> None:
    """The bank owes what it cannot pay."""


def nobody_secure(game: Game, company: str) -> int | None:
    """The most shares decide who is director."""
    return None


def any_mix(mixes: Mapping[str, tuple[int, ...]]) -> Mapping[str, tuple[int, ...]]:
    """A new director chooses among all certificates that make up the director's."""
    return mixes


def fewest(mixes: Mapping[str, tuple[int, ...]]) -> Mapping[str, tuple[int, ...]]:
    """A new director hands over as few certificates as possible."""
    best = min(mixes, key=lambda mix: len(mixes[mix]), default="")
    return {best: mixes[best]} if mixes else {}


def ends_the_game(game: Game, player: str, company: str) -> None:
    game.finish("bankruptcy")


def cash_and_shares(game: Game) -> dict[str, int]:
    """What each player is worth: cash and shares, less twice any loan. Who has no seat has no score."""
    state = game.state
    return {
        player: state.cash[player]
        + sum(shares.worth(game, company, shares.held(game, company, player)) for company in state.companies)
        - 2 * state.loans[player]
        for player in (*state.seats, *state.retired)
    }


def level(game: Game, player: str) -> int:
    """Equal scores share a place."""
    return 0


def owned_privates(game: Game, holder: str) -> dict[str, int]:
    """The private companies of a company."""
    return {private: 1 for private, owner in game.state.privates.items() if owner == holder}


def ordinary_tokens(game: Game, company: str) -> list[str]:
    """None of the tokens that a company has left is of a special kind."""
    return [""] * len(game.state.companies[company].tokens_left)


def laid_markers(game: Game) -> Mapping[str, Sequence[str]]:
    """The markers that lie on the map."""
    return game.state.board.markers


def none_lost(game: Game, company: str) -> int:
    return 0


def no_pages(game: Game) -> list[Page]:
    return []


def no_remarks(game: Game) -> list[Remark]:
    return []


def sound(game: Game) -> list[str]:
    return []


def no_cards(game: Game) -> Sequence[OpenCard]:
    return ()


def nothing_left(game: Game) -> None:
    """Nothing else happens when the game is over."""


def nothing_drawn(game: Game, player: str, chance: random.Random) -> None:
    """Nothing is hidden."""


def nothing_besides(game: Game, player: str) -> float:
    """What a player has besides money and shares is worth nothing by itself."""
    return 0.0


def by_the_bank(game: Game) -> float:
    """How many rounds companies will still earn in: until what they pay out has emptied the bank, as things are."""
    if not game.rules.bank_matters or not game.definition.priced:
        return 3.0
    revenue = sum(company.last_revenue or 0 for company in game.state.companies.values() if company.floated)
    return min(max(game.state.cash[BANK], 0) / (revenue + 60), 8.0)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One form of a title with its options, for a number of players. Holds no state of a game."""

    setup: Setup
    definition: Definition
    rounds: Mapping[str, RoundRules]
    #: Begins the first round.
    first: Callable[[Game], None]
    #: Begins whatever follows the round that has just ended, or finishes the game.
    then: Callable[[Game], None]
    #: By kind of company.
    prices: Mapping[str, PriceRules]
    floating: Mapping[str, Floating]
    trains: Trains
    limits: Limits = Limits(printed_limit)
    #: The ledger's ids by kind of rule.
    clauses: Mapping[str, str] = field(default_factory=dict)
    #: Who sits where, and what is remembered of the draw.
    seating: Seating = shuffled
    #: What the title lays out besides the common things.
    lay_out: Callable[[State, random.Random], None] = nothing_more
    kind: Callable[[Game, str], str] = kind_of
    decides: Callable[[Game, str], str] = owner_or_director
    #: From which holding on, in per cent, a director keeps the office whatever others hold; None if never.
    secure: Callable[[Game, str], int | None] = nobody_secure
    #: Which mixes of certificates a new director may hand over for the director's.
    handed: Callable[[Mapping[str, tuple[int, ...]]], Mapping[str, tuple[int, ...]]] = any_mix
    #: Who sits around the table, clockwise, with those who have no seat but a place between the others.
    circle: Callable[[Game], list[str]] = seated
    #: What else happens after an event, in this order; a listener may ask, it never advances a turn.
    on: Mapping[type[Event], tuple[Listener, ...]] = field(default_factory=dict)
    #: What may be done about a pending decision, by its kind, where neither a step of the turn nor the engine says it.
    questions: Mapping[str, Question] = field(default_factory=dict)
    #: Somebody cannot raise the money that they must.
    bankrupt: Callable[[Game, str, str], None] = ends_the_game
    #: The bank could not pay a sum in full.
    short: Callable[[Game], None] = owed
    #: Tiles of the box that nobody can lay in this game: they are counted, and nobody is shown them.
    unused_tiles: frozenset[str] = frozenset()
    #: Whether anything depends on the bank's money; where nothing does, nobody is told that it has run out.
    bank_matters: bool = True
    #: Reasons of payments of the bank that only cover a price and come back at once: they never empty it.
    covered: frozenset[str] = frozenset()
    #: What is still to be shown or counted when the game is over, before the scores are told.
    over: Callable[[Game], None] = nothing_left
    score: Callable[[Game], dict[str, int]] = cash_and_shares
    #: What decides between players of equal score; the greater number is the better.
    tie: Callable[[Game, str], int] = level
    #: What a player, a company or the pool owns besides money, certificates and trains, with its number.
    possessions: Callable[[Game, str], dict[str, int]] = owned_privates
    #: The kind of each token that a company has left, "" for an ordinary one.
    token_kinds: Callable[[Game, str], list[str]] = ordinary_tokens
    #: How many station tokens of a company have left the game.
    lost_tokens: Callable[[Game, str], int] = none_lost
    #: What lies on hexes besides tiles and stations, by the names of the signs.
    marks: Callable[[Game], Mapping[str, Sequence[str]]] = laid_markers
    #: The title's own tables, for the sheet and for turns that are about them rather than about the map.
    pages: Callable[[Game], list[Page]] = no_pages
    #: What no common page tells of a position.
    remarks: Callable[[Game], list[Remark]] = no_remarks
    #: What each card of the title's decks is worth.
    cards: Mapping[str, int] = field(default_factory=dict)
    #: The cards that lie open on the table or before players.
    open_cards: Callable[[Game], Sequence[OpenCard]] = no_cards
    #: Whether anything is hidden from somebody: then the seed is neither shown nor chosen by people.
    secret: bool = False
    #: Draws anew, in a copy, everything hidden that a player does not know: for whoever looks ahead.
    redraw: Callable[[Game, str, random.Random], None] = nothing_drawn
    #: What a player's own things that the score does not count yet may be worth, for whoever looks ahead.
    besides: Callable[[Game, str], float] = nothing_besides
    #: In about how many rounds companies will still earn.
    horizon: Callable[[Game], float] = by_the_bank
    #: Sentences about what is wrong with the title's own components in a position.
    faults: Callable[[Game], list[str]] = sound
    #: The title's own house players by name.
    house: Mapping[str, House] = field(default_factory=dict)

    @cached_property
    def tiling(self) -> Tiling:
        return Tiling(self.definition)

    @cached_property
    def vehicles(self) -> tuple[TrainType, ...]:
        """Everything that can run a route by itself."""
        return self.trains.vehicles or self.definition.trains

    def clause(self, key: str) -> str:
        """The ledger's id for a kind of rule: of `stock.limit.exchange`, or else of `stock.limit`; ids stay."""
        if "-" in key:
            return key
        while key:
            if key in self.clauses:
                return self.clauses[key]
            key = key.rpartition(".")[0]
        return ""


__all__ = [
    "BANK",
    "PLAYER",
    "Floating",
    "House",
    "Limits",
    "Listener",
    "OpenCard",
    "Page",
    "Question",
    "Remark",
    "Rules",
    "Seated",
    "Seating",
    "Setup",
    "Trains",
]
