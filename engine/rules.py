"""What a title must say and may change: its data, its rounds, and a few hooks with plain defaults."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from engine import events as ev
from engine.board.tiling import Tiling
from engine.definition import Definition, TrainType
from engine.errors import Refused
from engine.finance import shares
from engine.moves import Move
from engine.offer import Choice
from engine.routes.model import Route, TrainRules
from engine.state import BANK, CLOSED, HOLDERS, OFFERING, REMOVED, Board, Company, Depot, Pause, Round, State

if TYPE_CHECKING:
    from engine.game import Game


class RoundRules(ABC):
    """A kind of round: what is on offer in it and how it goes on."""

    @abstractmethod
    def choices(self, game: Game) -> list[Choice[Any]]:
        """What may be done now."""

    @abstractmethod
    def settle(self, game: Game) -> bool:
        """Go on by one step where nothing is to be decided; True when somebody must decide."""

    def explain(self, game: Game, move: Move) -> None:
        """Raise Refused with the rule that keeps a kind of move out of the offer, if the round knows it."""


class Rules(ABC):
    """One title with its options chosen. Holds no state of a game."""

    #: Whether a company must run as many of its trains as it can.
    must_run_all_trains: ClassVar[bool] = True
    #: Whether a company that could run may leave all its trains standing.
    may_stand_still: ClassVar[bool] = False

    def __init__(self, definition: Definition, options: Mapping[str, Any]) -> None:
        self.definition = definition
        self.options = dict(options)
        self.tiling = Tiling(definition)
        self.rounds: dict[str, RoundRules] = self.make_rounds()
        self.clauses: Mapping[str, str] = definition.clauses

    # ------------------------------------------------------------------ a title must say

    @abstractmethod
    def make_rounds(self) -> dict[str, RoundRules]:
        """The rounds of the title by name."""

    @abstractmethod
    def begin(self, game: Game) -> None:
        """Start the first round."""

    @abstractmethod
    def round_over(self, game: Game) -> None:
        """Start whatever follows the round that has just ended, or finish the game."""

    @abstractmethod
    def train_rules(self, game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        """What a type of train may do for a company now."""

    # ------------------------------------------------------------------ a title may change

    def clause(self, key: str) -> str:
        """The ledger's id for a kind of rule; ids pass through unchanged."""
        return self.clauses.get(key, key if "-" in key else "")

    def seating(self, players: tuple[str, ...], chance: random.Random) -> tuple[list[str], dict[str, Any]]:
        """Seats clockwise, first the holder of the priority deal, and the facts that the draw leaves."""
        seats = list(players)
        chance.shuffle(seats)
        return seats, {}

    def new_state(self, players: tuple[str, ...], seed: int) -> State:
        """The position before anything has happened."""
        definition = self.definition
        low, high = definition.players
        if not low <= len(players) <= high:
            raise Refused(
                self.clause("players"), f"{definition.name} is for {low} to {high} players, not {len(players)}"
            )
        if len(set(players)) != len(players):
            raise Refused("", "two players have the same name")
        taken = {*HOLDERS, *definition.corporations} & set(players)
        if taken:
            raise Refused("", f"nobody can be called {sorted(taken)[0]}: that is a name in the game")
        chance = random.Random(seed)
        seats, facts = self.seating(players, chance)
        stations = {
            at: [[""] * stop.slots for stop in spot.face.stops]
            for at, spot in definition.map.hexes.items()
            if spot.face.stops
        }
        companies = {}
        for corporation in definition.corporations.values():
            companies[corporation.id] = Company(
                certificates=[OFFERING] * len(corporation.shares),
                tokens_left=list(corporation.tokens[len(corporation.homes) :]),
            )
            for home in corporation.homes:
                spaces = stations[home.at][home.stop]
                spaces[spaces.index("")] = corporation.id
        cash = {BANK: definition.bank, **dict.fromkeys(seats, 0), **dict.fromkeys(companies, 0)}
        state = State(
            seats=seats,
            priority=seats[0],
            cash=cash,
            credits=dict.fromkeys(seats, 0),
            companies=companies,
            privates=dict.fromkeys(definition.privates, ""),
            used=[],
            stacks={},
            board=Board(
                tiles={},
                stations=stations,
                markers={},
                supply={tile.id: tile.count for tile in definition.tiles.values()},
            ),
            depot=Depot(
                left={train.name: train.count for train in definition.trains},
                sold={train.name: 0 for train in definition.trains},
            ),
            phase=0,
            round=Round(kind=""),
            facts=facts,
        )
        for seat in seats:
            amount = self.starting_cash(len(seats))
            cash[BANK] -= amount
            cash[seat] += amount
        self.set_up(state, chance)
        return state

    def starting_cash(self, players: int) -> int:
        return self.definition.starting_cash[players]

    def set_up(self, state: State, chance: random.Random) -> None:
        """What the title lays out besides the common things."""

    def vehicles(self) -> tuple[TrainType, ...]:
        """Everything that can run a route by itself."""
        return self.definition.trains

    def fleets(self, game: Game, company: str) -> list[tuple[str, ...]]:
        """The ways in which a company can put its trains on the track; one of them is run."""
        return [tuple(game.company(company).trains)]

    def counts_as_train(self, train: str) -> bool:
        """Whether a vehicle counts for the limit and for the duty to own a train."""
        return True

    def possessions(self, game: Game, holder: str) -> dict[str, int]:
        """What a company or the pool owns besides money, certificates and trains, with its number."""
        return {private: 1 for private, owner in game.state.privates.items() if owner == holder}

    def discard_order(self, game: Game) -> list[str]:
        """The order in which companies over a new limit give up trains."""
        return game.prices.order()

    def revenue(self, routes: Sequence[Route]) -> int:
        """What a company earns with a set of routes."""
        return sum(route.value for route in routes)

    def closed_hexes(self, game: Game, company: str) -> frozenset[str]:
        """Hexes that no way of this company may touch."""
        return frozenset()

    def counts_for_limit(self, game: Game, company: str) -> bool:
        """Whether a company's certificates count against the certificate limit."""
        return True

    def broken(self, game: Game) -> list[str]:
        """Sentences about what is wrong with the title's own components in a position."""
        return []

    def house(self, name: str) -> Any:
        """The title's own house player of a name, if it has one."""
        return None

    def pause_choices(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        """What may be done about a pending decision."""
        raise KeyError(pause.kind)

    def phase_began(self, game: Game) -> None:
        """Effects of a new phase beyond colours, limits and rusting."""

    def tile_laid(self, game: Game, at: str) -> None:
        """Effects of new track (links, markers)."""

    def trains_ran(self, game: Game, company: str, routes: list[Route]) -> None:
        """Effects of a run besides its revenue."""

    def bankrupt(self, game: Game, player: str, company: str) -> None:
        """A director cannot raise the money for a train he must buy."""
        game.finish("bankruptcy")

    def bank_short(self, game: Game) -> None:
        """The bank could not pay a sum in full; it owes what is missing."""

    def company_closed(self, game: Game, company: str) -> None:
        """What else happens when a company leaves the game; its treasury and trains are gone by then."""

    def explain_missing(self, game: Game, move: Move) -> Refused:
        """Why a kind of move is not on offer at all."""
        try:
            self.rounds[game.state.round.kind].explain(game, move)
        except Refused as refusal:
            return refusal
        names = sorted({choice.name for choice in game.offer().of(move.player)})
        reason = f"{move.TYPE} is not possible now; possible is: {', '.join(names)}"
        return Refused(self.turn_clause(game), reason)

    def turn_clause(self, game: Game) -> str:
        """The clause that says whose turn it is and what a turn is, in the present kind of round."""
        return self.clause(f"turn.{game.state.round.kind}") or self.clause("turn.order")

    def certificate_limit(self, game: Game) -> int:
        return self.definition.cert_limit[len(game.players)]

    def scores(self, game: Game) -> dict[str, int]:
        """What each player is worth: cash and shares, less twice any credit."""
        state = game.state
        return {
            player: state.cash[player]
            + sum(shares.held(game, company, player) // 10 * game.prices.value(company) for company in state.companies)
            - 2 * state.credits[player]
            for player in state.players
        }

    def move_price(self, game: Game, company: str, cell: tuple[int, int], reason: str) -> None:
        """Move a token to another space, below the tokens there; on its own space it stays as it is."""
        if game.company(company).price == cell:
            return
        old = game.prices.value(company)
        game.prices.put(company, cell)
        new = game.prices.value(company)
        if old != new:
            game.emit(ev.SharePriceMoved(company, old, new, reason))

    def sale_moves_price(self, game: Game, company: str, percent: int) -> None:
        """Move the price after a sale: one space down, however much is sold."""
        cell = game.company(company).price
        assert cell is not None
        self.move_price(game, company, game.prices.down(cell), "sale")

    def close_private(self, game: Game, private: str) -> None:
        """A private company leaves the game."""
        game.emit(ev.PrivateClosed(private, game.state.privates[private]))
        game.state.privates[private] = CLOSED

    def close_company(self, game: Game, name: str, reason: str) -> None:
        """Remove a company: tokens and certificates leave the game, the treasury goes to the bank, trains to the pool.

        If it is its own turn, the rest of the turn is dropped.
        """
        company = game.company(name)
        company.closed = True
        company.floated = company.active = False
        company.director = ""
        game.emit(ev.CompanyClosed(name, reason))
        game.prices.remove(name)
        game.board.remove_stations(name)
        company.certificates = [REMOVED] * len(company.certificates)
        company.tokens_left.clear()
        game.pay(name, BANK, game.state.cash[name], "treasury of a closed company")
        game.state.depot.pool.extend(company.trains)
        company.trains.clear()
        self.company_closed(game, name)
        if game.state.round.actor == name:
            game.state.round.step = ""
