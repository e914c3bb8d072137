"""A game: a fold over its moves. It makes an offer, checks a move against it, and tells what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.board.board import Board
from engine.board.reach import Reach
from engine.definition import Definition, Phase
from engine.errors import Refused
from engine.finance.market import Prices
from engine.moves import Move
from engine.offer import Choice, Offer
from engine.routes.best import Router
from engine.routes.legs import LegBook
from engine.routes.model import RouteSet
from engine.rules import Rules
from engine.state import BANK, Company, State


class Game:
    """One game of one title. `offer`, `apply` and `copy` are all that most callers need.

    `players` are the seats in the order people joined; `seed` decides what the rulebook leaves to chance.
    """

    def __init__(self, rules: Rules, players: tuple[str, ...], seed: int) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.moves: list[Move] = []
        self._attach(rules.new_state(players, seed))
        self._events: list[ev.Event] = []
        rules.begin(self)
        self._settle()
        self.opening: tuple[ev.Event, ...] = tuple(self._events)

    def _attach(self, state: State) -> None:
        self.state = state
        self.definition: Definition = self.rules.definition
        self.prices = Prices(self.definition.market, state)
        self.board = Board(self.rules.tiling, state.board, state.companies)
        self._offer: Offer | None = None
        self._reaches: dict[str, tuple[int, Reach]] = {}
        self._book: LegBook | None = None
        self._kept: dict[object, tuple[tuple[int, int], Any]] = {}

    # ------------------------------------------------------------------ the closed surface

    @property
    def finished(self) -> bool:
        return bool(self.state.finished)

    def offer(self) -> Offer:
        """Who has to decide, and what each of them may do."""
        if self._offer is None:
            self._offer = Offer(tuple(self._choices()))
        return self._offer

    def check(self, move: Move) -> Choice[Any]:
        """The choice that a move belongs to; Refused if the move is not allowed now."""
        if self.finished:
            raise Refused("", "the game is over")
        if move.player not in self.state.seats:
            raise Refused("", f"{move.player} does not play in this game")
        refusal: Refused | None = None
        offer = self.offer()
        for choice in offer.choices:
            if choice.matches(move):
                try:
                    choice.check(move)
                except Refused as error:
                    refusal = refusal or self._with_clause(error)
                    continue
                return choice
        if refusal is not None:
            raise refusal
        if move.player not in offer.deciders:
            waiting = ", ".join(offer.deciders)
            raise Refused(self.rules.turn_clause(self), f"it is not {move.player}'s turn but {waiting}'s")
        raise self._with_clause(self.rules.explain_missing(self, move))

    def apply(self, move: Move) -> tuple[ev.Event, ...]:
        """Make a move that is on offer and tell what happened; a refused move changes nothing."""
        choice = self.check(move)
        self._events = []
        choice.perform(move)
        self.moves.append(move)
        self._settle()
        self._offer = None
        return tuple(self._events)

    def copy(self) -> Game:
        """An independent game in the same position."""
        return Game.restore(self.rules, self.players, self.seed, list(self.moves), self.state.copy(), self.opening)

    @classmethod
    def restore(
        cls,
        rules: Rules,
        players: tuple[str, ...],
        seed: int,
        moves: list[Move],
        state: State,
        opening: tuple[ev.Event, ...] = (),
    ) -> Game:
        """A game in a position that these moves are known to lead to; nothing is played or checked."""
        game = cls.__new__(cls)
        game.rules, game.players, game.seed = rules, players, seed
        game.moves = moves
        game.opening = opening
        game._events = []
        game._attach(state)
        return game

    # ------------------------------------------------------------------ for rules and steps

    def emit(self, event: ev.Event) -> None:
        self._events.append(event)

    def pay(self, source: str, target: str, amount: int, reason: str) -> None:
        """Move money; the only way in which cash changes."""
        if amount < 0:
            raise ValueError(f"{reason}: a payment of {amount}")
        if amount == 0:
            return
        cash = self.state.cash
        if source != BANK and cash[source] < amount:
            raise ValueError(f"{reason}: {source} has {cash[source]} and should pay {amount}")
        cash[source] -= amount
        cash[target] += amount
        self.emit(ev.Paid(source, target, amount, reason))
        if source == BANK and cash[BANK] < 0:
            if not self.state.bank_broken:
                self.state.bank_broken = self.state.round.kind
                self.emit(ev.BankBroke(-cash[BANK]))
            self.rules.bank_short(self)

    def refuse(self, key: str, reason: str) -> Refused:
        """A refusal that cites the title's clause for this kind of rule."""
        return Refused(self.rules.clause(key), reason)

    def _with_clause(self, error: Refused) -> Refused:
        clause = self.rules.clause(error.rule) if error.rule else ""
        return Refused(clause, error.reason)

    @property
    def phase(self) -> Phase:
        return self.definition.phases[self.state.phase]

    def company(self, name: str) -> Company:
        return self.state.companies[name]

    def after(self, player: str) -> str:
        """The next seat clockwise."""
        seats = self.state.seats
        return seats[(seats.index(player) + 1) % len(seats)]

    def from_seat(self, player: str) -> list[str]:
        """All seats clockwise, beginning with this one."""
        seats = self.state.seats
        index = seats.index(player)
        return seats[index:] + seats[:index]

    def reach(self, company: str) -> Reach:
        """What a company's stations lead to, kept until track or tokens change."""
        version = self.state.board.token_version
        kept = self._reaches.get(company)
        if kept is None or kept[0] != version:
            closed = self.rules.closed_hexes(self, company)
            kept = (version, Reach(self.board, company, self.board.stations_of(company), closed=closed))
            self._reaches[company] = kept
        return kept[1]

    def tracks(self, starts: list[tuple[str, int]]) -> Reach:
        """What track leads to from these stops, whoever has stations on the way."""
        return Reach(self.board, "", starts, ignore_stations=True)

    def book(self) -> LegBook:
        if self._book is None or self._book.version != self.state.board.track_version:
            self._book = LegBook(self.board)
        return self._book

    def router(self, company: str) -> Router:
        """Answers questions about a company's routes now."""
        colour = self.phase.colour
        rules = {train.name: self.rules.train_rules(self, company, train, colour) for train in self.rules.vehicles()}
        return Router(self.book(), rules)

    def best_routes(self, company: str, enough: Callable[[], bool] | None = None) -> RouteSet:
        """The best set of routes for all trains of a company, with the best use of what they may take along."""
        router = self.router(company)
        sets = [
            router.best(fleet, as_many_as_possible=self.rules.must_run_all_trains, enough=enough)
            for fleet in self.rules.fleets(self, company)
        ]
        best = max(sets, key=lambda found: found.value)
        return RouteSet(best.routes, all(found.proved for found in sets), sum(found.nodes for found in sets))

    def kept(self, key: object, make: Callable[[], Any]) -> Any:
        """A value derived from the board, computed again only when track, tokens or the phase changed."""
        version = (self.state.board.token_version, self.state.phase)
        found = self._kept.get(key)
        if found is None or found[0] != version:
            found = (version, make())
            self._kept[key] = found
        return found[1]

    def finish(self, reason: str) -> None:
        """End the game and tell the scores."""
        self.state.finished = reason
        self.state.pauses.clear()
        scores = self.rules.scores(self)
        self.emit(ev.GameEnded(reason, tuple(sorted(scores.items(), key=lambda item: -item[1]))))

    # ------------------------------------------------------------------ inner workings

    def _choices(self) -> list[Choice[Any]]:
        if self.finished:
            return []
        pauses = self.state.pauses
        if pauses:
            return [
                choice
                for pause in pauses
                if pause.kind == pauses[0].kind
                for choice in self.rules.pause_choices(self, pause)
            ]
        return self.rules.rounds[self.state.round.kind].choices(self)

    def _settle(self) -> None:
        """Carry on by itself until somebody has something to decide or the game is over."""
        self._offer = None
        while not self.finished and not self.state.pauses:
            if self.rules.rounds[self.state.round.kind].settle(self):
                return
