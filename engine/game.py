"""A game: a fold over its moves. It makes an offer, checks a move against it, and tells what happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine import events as ev
from engine.board.board import Board
from engine.board.reach import Reach
from engine.definition import Definition, Phase
from engine.errors import Refused
from engine.finance.depot import discard_choices
from engine.finance.handing import HAND_OVER, hand_over_choices
from engine.finance.market import Prices
from engine.memo import Memo, exact
from engine.moves import Move, TrainPath
from engine.offer import Choice, Offer
from engine.plain import flattened
from engine.records import OfPlayer, told
from engine.rounds.turns import Question, Steps, Turn, TurnRound
from engine.routes.best import Router, RulesOfTrains
from engine.routes.legs import LegBook
from engine.routes.model import Route, RouteSet
from engine.routes.search import by_steps
from engine.rules import Rules
from engine.setting import new_state
from engine.state import BANK, Company, Pause, State

T = TypeVar("T")

#: Decisions that may come up in anybody's turn, whatever its steps are.
COMMON_QUESTIONS: Mapping[str, Question] = {"discard": discard_choices, HAND_OVER: hand_over_choices}

#: So many steps without a decision are more than any round takes: rules that turn in a circle end here, not in a hang.
MOST_STEPS = 3_000


class Game:
    """One game of one title. `offer`, `apply` and `copy` are all that most callers need.

    `players` are the seats in the order people joined; `seed` decides what the rulebook leaves to chance.
    """

    def __init__(self, rules: Rules, players: tuple[str, ...], seed: int) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.moves: list[Move] = []
        self._root: tuple[int, State] | None = None
        #: What copies share that somebody looks ahead in; a game that is really played has none.
        self.memo: Memo | None = None
        self._attach(new_state(rules, players, seed))
        self._events: list[ev.Event] = []
        rules.first(self)
        self.settle()
        self._opening: tuple[ev.Event, ...] | None = tuple(self._events)

    def _attach(self, state: State) -> None:
        self.state = state
        self.definition: Definition = self.rules.definition
        self.prices = Prices(self.definition.market, state)
        self.board = Board(self.rules.tiling, state.board, state.companies)
        self._offer: Offer | None = None
        self._reaches: dict[str, tuple[int, Reach]] = {}
        self._book: LegBook | None = None
        self._kept: dict[object, tuple[tuple[int, int], Any]] = {}
        #: What was searched in this very position; the position itself says whether it still holds.
        self._searched: dict[object, Any] = {}
        self._searched_in = b""
        #: Best routes of a search that was cut short from outside, for people; no rule looks here.
        self._advised: dict[str, RouteSet] = {}
        #: The positions that the game went through by itself since the last decision.
        self._passed: set[bytes] = set()
        self._board_number: tuple[int, int] | None = None

    # ------------------------------------------------------------------ the closed surface

    @property
    def opening(self) -> tuple[ev.Event, ...]:
        """What happened before the first move."""
        if self._opening is None:
            self._opening = Game(self.rules, self.players, self.seed).opening
        return self._opening

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
            raise Refused("", "over")
        if move.player not in self.state.seats:
            raise Refused("", "unknown.player", player=move.player)
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
            raise Refused(self._turn_clause(), "turn.player", player=move.player, players=offer.deciders)
        raise self._with_clause(self._explain(move))

    def apply(self, move: Move) -> tuple[ev.Event, ...]:
        """Make a move that is on offer and tell what happened; a refused move changes nothing."""
        choice = self.check(move)
        self._events = []
        if choice.noted is not None:
            choice.noted()
        choice.perform(move)
        self.moves.append(move)
        try:
            self.settle()
        except Refused:
            self._attach(self._before_last_move())
            raise
        self._searched.clear()
        self._advised.clear()
        return tuple(self._events)

    def _before_last_move(self) -> State:
        """The position before the last move, which is forgotten; played anew, so that no other move costs a copy."""
        self.moves.pop()
        number, state = self._root or (0, None)
        if state is None:
            again = Game(self.rules, self.players, self.seed)
        else:
            again = Game.restore(self.rules, self.players, self.seed, self.moves[:number], state.copy())
        for move in self.moves[number:]:
            again.apply(move)
        return again.state

    def copy(self) -> Game:
        """An independent game in the same position."""
        moves, state = list(self.moves), self.state.copy()
        twin = Game.restore(self.rules, self.players, self.seed, moves, state)
        twin._opening, twin._root = self._opening, self._root
        # Whoever uses what was searched compares the position then; to do it here too would cost as much as the copy.
        twin._searched, twin._searched_in = dict(self._searched), self._searched_in
        twin._advised = dict(self._advised)
        twin.memo, twin._board_number = self.memo, self._board_number
        return twin

    def seen_by(self, player: str, chance: random.Random) -> Game:
        """A copy in which everything that a player cannot know is drawn anew, to look ahead in."""
        twin = self.copy()
        if self.rules.secret:
            self.rules.redraw(twin, player, chance)
            twin.moves = [move.seen_by(player) for move in self.moves]
            # Moves of which something is left out cannot be played again.
            twin.rest_on(len(twin.moves), twin.state.copy())
        twin.memo = twin.memo or Memo()
        return twin

    def play(self, choice: Choice[Any], move: Move) -> None:
        """Make a move that is known to be on offer, unchecked and without a way back: for copies to look ahead in."""
        self._events = []
        if choice.noted is not None:
            choice.noted()
        choice.perform(move)
        self.moves.append(move)
        self.settle()

    def board_number(self, memo: Memo) -> int:
        """The number that a memo has for the board as it is."""
        version = self.state.board.token_version
        if self._board_number is None or self._board_number[0] != version:
            self._board_number = version, memo.board(self)
        return self._board_number[1]

    def forget(self) -> None:
        """Let go of the offer, which is found again if somebody asks for it.

        A game and its choices know each other: without this, one that is needed no more would stay in memory until
        Python's collector of circles looks at it.
        """
        self._offer = None

    @classmethod
    def restore(
        cls,
        rules: Rules,
        players: tuple[str, ...],
        seed: int,
        moves: list[Move],
        state: State,
    ) -> Game:
        """A game in a position that these moves are known to lead to; nothing is played or checked."""
        game = cls.__new__(cls)
        game.rules, game.players, game.seed = rules, players, seed
        game.moves = moves
        game._opening = None
        game._root = None
        game.memo = None
        game._events = []
        game._attach(state)
        return game

    @classmethod
    def resume(cls, rules: Rules, players: tuple[str, ...], seed: int, moves: list[Move], state: State) -> Game:
        """A game in a position to which these moves need not lead under these rules: it is replayed from here."""
        game = cls.restore(rules, players, seed, moves, state)
        game.rest_on(len(moves), state.copy())
        return game

    def rest_on(self, number: int, state: State) -> None:
        """Say from which position the game is replayed, and how many of its moves were made before it."""
        self._root = (number, state)

    @property
    def rests_at(self) -> int:
        """How many of its moves were made before the position from which it is replayed."""
        return self._root[0] if self._root is not None else 0

    def rewound(self, number: int) -> Game:
        """The game after so many of its moves, none of them before the position from which it is replayed."""
        if self._root is None:
            game = Game(self.rules, self.players, self.seed)
        else:
            first, state = self._root
            game = Game.resume(self.rules, self.players, self.seed, list(self.moves[:first]), state)
        for move in self.moves[self.rests_at : number]:
            game.apply(move)
        return game

    # ------------------------------------------------------------------ for rules and steps

    def emit(self, event: ev.Event) -> None:
        """Tell what happened, after the change; who listens acts at once."""
        self._events.append(event)
        for listener in self.rules.on.get(type(event), ()):
            listener(self, event)

    def record(self, event: ev.Event) -> None:
        """Tell what is happening, where a reader expects it; `notify` follows when the change is complete."""
        self._events.append(event)

    def notify(self, event: ev.Event) -> None:
        for listener in self.rules.on.get(type(event), ()):
            listener(self, event)

    def ask(self, kind: str, players: list[str], **data: Any) -> None:
        """A decision that must be made before the turn goes on; somebody must be there who answers such ones."""
        self._question(kind)
        self.state.pauses.append(Pause(kind, players, data))

    def answered(self, pause: Pause) -> None:
        """A pending decision has been made."""
        self.state.pauses = [other for other in self.state.pauses if other is not pause]

    @property
    def turn(self) -> Turn:
        """The turn going on."""
        return Turn(self)

    def steps(self) -> Steps:
        """What the present actor walks."""
        round_ = self.rules.rounds[self.state.round.kind]
        assert isinstance(round_, TurnRound)
        return round_.steps_of(self, self.state.round.actor)

    def decider(self, actor: str) -> str:
        """The person who decides for an actor; the only question that an offer asks. Nobody is ""."""
        return self.rules.decides(self, actor)

    def owner(self, company: str) -> str:
        """The one owner of a company that has a single certificate, else ""."""
        certificates = self.state.companies[company].certificates
        return certificates[0] if len(certificates) == 1 and certificates[0] in self.state.players else ""

    def hidden(self, player: str) -> Mapping[str, Any]:
        """What only this player may see, by name."""
        return told({key: type(kept).flat(kept) for key, kept in self.state.secrets.get(player, {}).items()}, OfPlayer)

    def pay(self, source: str, target: str, amount: int, reason: str, about: str = "") -> None:
        """Move money; the only way in which cash changes. The reason is a key, `about` the thing it is about."""
        if amount < 0:
            raise ValueError(f"{reason}: a payment of {amount}")
        if amount == 0:
            return
        cash = self.state.cash
        if source != BANK and cash[source] < amount:
            raise ValueError(f"{reason}: {source} has {cash[source]} and should pay {amount}")
        cash[source] -= amount
        cash[target] += amount
        self.emit(ev.Paid(source, target, amount, reason, about))
        if source == BANK and cash[BANK] < 0 and self.definition.priced and reason not in self.rules.covered:
            if self.rules.bank_matters and not self.state.bank_broken:
                self.state.bank_broken = self.state.round.kind
                self.emit(ev.BankBroke(-cash[BANK]))
            self.rules.short(self)

    def refuse(self, key: str, /, **facts: Any) -> Refused:
        """A refusal that cites the title's clause for this kind of rule."""
        return self._with_clause(Refused("", key, **facts))

    def _with_clause(self, error: Refused) -> Refused:
        """A refusal of a part that knows no clauses, now with the title's: of its key, or of another that it names."""
        error.title = self.definition.id
        error.rule = self.rules.clause(error.rule or error.key)
        named = {fact: self.lot(fact) for about, fact in error.facts.items() if about in ("lot", "lowest")}
        error.lots = {lot: found for lot, found in named.items() if found is not None}
        return error

    def lot(self, lot: str) -> tuple[int, str] | None:
        """The number and the name printed on a lot, or on a private company."""
        private, charter = self.definition.privates.get(lot), self.definition.corporations.get(lot)
        if private is not None:
            return private.number, private.name
        if charter is None:
            return None
        return max((each.printed_number(self, lot) for each in self.rules.rounds.values()), default=0), charter.name

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
            trains = self.rules.trains
            closed = trains.closed(self, company)
            kept = (version, trains.reach(self.board, company, self.board.stations_of(company), closed=closed))
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
        colour, vehicles = self.phase.colour, {train.name: train for train in self.rules.vehicles}
        make = self.rules.trains.rules
        return Router(self.book(), RulesOfTrains(lambda train: make(self, company, vehicles[train], colour)))

    def best_routes(self, company: str) -> RouteSet:
        """The best set of routes for all trains of a company, with the best use of what they may take along.

        Rules judge by it: it is searched once for a position, and ends after very many steps at the latest, which are
        the same on every machine and at every replay. What was found so far can be run, but is not proved.
        """
        return self._of_trains(
            "best", company, lambda: self._best_routes(company, by_steps(ahead=self.memo is not None))
        )

    def _of_trains(self, what: object, company: str, make: Callable[[], T]) -> T:
        """A value about a company's trains, found once for a position, or once for all copies that share a memo."""
        if self.memo is not None and self.rules.trains.depends is not None:
            return self.memo.once(self, what, company, make)
        return self._once((what, company), make)

    def any_route(self, company: str, train: str) -> bool:
        """Whether a company would have a route for a type of train."""
        if self.memo is not None and self.rules.trains.depends is not None:
            return self.memo.once(self, ("any", train), company, lambda: self.router(company).any_route(train))
        return self.router(company).any_route(train)

    def advice(self, company: str, enough: Callable[[], bool] | None = None) -> RouteSet:
        """The best set of routes as people are told it: that of the rules, or what was found before `enough` was said.

        What was cut short stands until the next move, so that whoever asks again gets the same answer; it can be run,
        but is not proved, and no rule knows it. Without `enough` it is searched as for the rules.
        """
        if self.memo is not None:
            return self.best_routes(company)
        self._know({})
        if enough is not None and company not in self._advised:
            self.search_best(company, enough)
        if ("best", company) not in self._searched and company in self._advised:
            return self._advised[company]
        return self.best_routes(company)

    def search_best(self, company: str, enough: Callable[[], bool]) -> None:
        """Search the best routes as the rules do; if `enough` was said meanwhile, what was found is only advice."""
        self._know({})
        if ("best", company) in self._searched:
            return
        cut, steps = False, by_steps()

        def stop() -> bool:
            nonlocal cut
            if steps():
                return True
            cut = enough()
            return cut

        found = self._best_routes(company, stop)
        if cut:
            self._advised[company] = found
        else:
            # It took every step of the rules' own search and no other.
            self._searched["best", company] = found

    def _best_routes(self, company: str, enough: Callable[[], bool]) -> RouteSet:
        trains = self.rules.trains
        return self.router(company).best_of(
            trains.fleets(self, company),
            as_many_as_possible=trains.must_run == "all",
            revenue=trains.revenue,
            enough=enough,
        )

    def routes(self, company: str, paths: tuple[TrainPath, ...]) -> tuple[Route, ...]:
        """The routes of a company's trains along paths, each checked in full; traced once for a position."""

        def trace() -> tuple[Route, ...]:
            router = self.router(company)
            return tuple(router.trace(path.train, path.path) for path in paths)

        if self.memo is not None and self.rules.trains.depends is not None:
            best = self.best_routes(company)
            if tuple(TrainPath(route.train, route.path) for route in best.routes) == paths:
                return best.routes
            return self.memo.once(self, ("routes", paths), company, trace)
        return self._once(("routes", company, paths), trace)

    def learn(self, twin: Game) -> None:
        """Take over what was searched in a copy of this game, if both are still in the same position."""
        if (twin._searched or twin._advised) and twin._searched_in == twin._position() == self._position():
            self._know(twin._searched)
            self._advised.update(twin._advised)

    def runs_known(self, company: str) -> bool:
        """Whether the rules' best routes and the number of trains that can run need no search any more."""
        known = ("best", company) in self._searched and ("most", company) in self._searched
        return known and self._searched_in == self._position()

    def runs_advised(self, company: str) -> bool:
        """Whether people can be told best routes, and how many trains can run, without a search."""
        known = ("best", company) in self._searched or company in self._advised
        return known and ("most", company) in self._searched and self._searched_in == self._position()

    def most_trains(self, company: str) -> int:
        """How many of its trains a company can run at once: always exact, however long it takes."""
        return self._of_trains("most", company, lambda: self._most_trains(company))

    def _most_trains(self, company: str) -> int:
        fleets = self.rules.trains.fleets(self, company)
        largest = max(map(len, fleets), default=0)
        best = self.best_routes(company) if self.memo is not None else self._searched.get(("best", company))
        # Where the best routes are of as many trains as there are, nobody has to look for a way.
        return largest if best is not None and len(best.routes) == largest else self.router(company).most(fleets)

    def _position(self) -> bytes:
        """The whole position as bytes, quickly: equal only if nothing at all differs."""
        # Of its plain values: each record would be written with the name of its class, and looked up by it.
        return exact(flattened(State)(self.state))

    def _once(self, key: object, make: Callable[[], T]) -> T:
        """A value found once for a position, whatever in it the value depends on."""
        self._know({})
        if key not in self._searched:
            self._searched[key] = make()
        found: T = self._searched[key]
        return found

    def _know(self, more: Mapping[object, Any]) -> None:
        """Keep more values of the present position, and none of another."""
        position = self._position()
        if self._searched_in != position:
            self._searched, self._searched_in, self._advised = {}, position, {}
        self._searched.update(more)

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
        self.rules.over(self)
        self.emit(ev.GameEnded(reason, tuple((player, score) for _, player, score in self.standings())))

    def standings(self) -> list[tuple[int, str, int]]:
        """Place, player and score, the best first; who is equal in everything shares a place."""
        scores, tie = self.rules.score(self), self.rules.tie
        ranks = {player: (score, tie(self, player)) for player, score in scores.items()}
        order = sorted(ranks, key=lambda player: ranks[player], reverse=True)
        places = {player: 1 + sum(other > rank for other in ranks.values()) for player, rank in ranks.items()}
        return [(places[player], player, scores[player]) for player in order]

    # ------------------------------------------------------------------ inner workings

    def _choices(self) -> list[Choice[Any]]:
        if self.finished:
            return []
        if self.state.pauses:
            pause = self.state.pauses[0]
            return self._question(pause.kind)(self, pause)
        return self.rules.rounds[self.state.round.kind].choices(self)

    def _question(self, kind: str) -> Question:
        """Who answers a kind of decision: a step of the turn going on, the title, or the engine in anybody's turn."""
        round_ = self.state.round
        rules = self.rules.rounds.get(round_.kind)
        if isinstance(rules, TurnRound) and round_.actor:
            steps = rules.steps.get(self.rules.kind(self, round_.actor))
            if steps is not None and kind in steps.questions:
                return steps.questions[kind]
        found = self.rules.questions.get(kind) or COMMON_QUESTIONS.get(kind)
        if found is None:
            raise ValueError(f"nobody answers {kind!r}")
        return found

    def settle(self) -> None:
        """Carry on by itself until somebody has something to decide or the game is over."""
        self._offer = None
        self._passed.clear()
        for _ in range(MOST_STEPS):
            if self.finished or self.state.pauses or self.rules.rounds[self.state.round.kind].settle(self):
                return
        raise self.refuse("endless", round=self.state.round.kind)

    def stands_still(self) -> bool:
        """Whether the game was in this very position before, with no decision since then but another stock round.

        Then nothing will ever happen again. A title asks it where rounds follow each other without a number that ends.
        """
        round_ = self.state.round
        number, round_.stock_number = round_.stock_number, 0
        position = self._position()
        round_.stock_number = number
        if position in self._passed:
            return True
        self._passed.add(position)
        return False

    def _explain(self, move: Move) -> Refused:
        """Why a kind of move is not on offer at all."""
        try:
            self.rules.rounds[self.state.round.kind].explain(self, move)
        except Refused as refusal:
            return refusal
        names = tuple(sorted({choice.name for choice in self.offer().of(move.player)}))
        return Refused(self._turn_clause(), "turn.move", move=move.TYPE, moves=names)

    def _turn_clause(self) -> str:
        """The clause that says whose turn it is and what a turn is, in the present kind of round."""
        return self.rules.clause(f"turn.{self.state.round.kind}") or self.rules.clause("turn.order")
