"""18BL: access tokens, without which nobody runs to a certain hex; bought at any time of a turn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import events as ev
from engine.finance.raising import raising
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import OfGame, put, record
from engine.rounds.turns import Extra, Turn
from engine.rules import Listener, Trains
from engine.state import BANK, POOL, State
from titles.bl.tables import Access


@register("buy_access")
@dataclass(frozen=True, slots=True)
class BuyAccess(Move):
    """A corporation buys an access token from another corporation's treasury box or from the pool."""

    company: str
    source: str


@dataclass(frozen=True, slots=True)
class AccessBought(ev.Event):
    """A corporation may now run to a hex that is closed to others."""

    company: str
    hex: str
    source: str
    price: int


@record("bl.access", told="access")
@dataclass(slots=True)
class AccessTokens(OfGame):
    """Where the access tokens are (BL-5.2-4b)."""

    #: Still on the private company.
    private: int = 0
    #: For sale by the corporation that owns the private company.
    box: int = 0
    #: For sale by the bank.
    pool: int = 0
    #: The corporations that hold one.
    charters: list[str] = field(default_factory=list)


def take_tokens(game: Game, company: str) -> None:
    """The buyer of private 4 uses one token and offers the others (BL-5.2-4b)."""
    tokens = AccessTokens.of(game)
    tokens.box, tokens.private = tokens.private, 0
    if company not in tokens.charters:
        tokens.box -= 1
        give_access(game, company)


def give_access(game: Game, company: str) -> None:
    AccessTokens.of(game).charters.append(company)
    game.state.board.token_version += 1  # what the company can reach has changed


def tokens_to_pool(game: Game) -> None:
    """Unsold tokens go to the bank pool."""
    tokens = AccessTokens.of(game)
    tokens.pool += tokens.private + tokens.box
    tokens.private = tokens.box = 0


class BuyAccessChoice(Choice[BuyAccess]):
    """Buy an access token; nobody can refuse it."""

    kind = BuyAccess

    def __init__(self, game: Game, player: str, company: str, table: Access) -> None:
        super().__init__(game, player, company)
        self.table = table

    def possible(self) -> bool:
        """Whether the corporation has none, can pay one, and one is for sale."""
        game = self.game
        return (
            self.company not in AccessTokens.of(game).charters
            and game.state.cash[self.company] >= self.table.price
            and bool(self.sources())
        )

    def sources(self) -> list[str]:
        tokens = AccessTokens.of(self.game)
        owner = self.game.state.privates[self.table.private]
        return [owner] * bool(tokens.box) + [POOL] * bool(tokens.pool)

    def ask(self, picked: Picked) -> Domain | None:
        if "source" in picked:
            return None
        return Options("source", [Option(source, {"price": self.table.price}) for source in self.sources()])

    def move(self, picked: Picked) -> BuyAccess:
        return BuyAccess(self.player, self.company, picked["source"])

    def check(self, move: BuyAccess) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        if self.company in AccessTokens.of(game).charters or game.state.cash[self.company] < self.table.price:
            raise game.refuse("access.one", price=self.table.price)
        if move.source not in self.sources():
            raise game.refuse("access.none", source=move.source)

    def perform(self, move: BuyAccess) -> None:
        game = self.game
        table = self.table
        tokens = AccessTokens.of(game)
        if move.source == POOL:
            tokens.pool -= 1
        else:
            tokens.box -= 1
        game.pay(self.company, BANK if move.source == POOL else move.source, table.price, "access")
        game.emit(AccessBought(self.company, table.hex, move.source, table.price))
        give_access(game, self.company)


class AccessPurchases(Extra):
    """A corporation may buy an access token in every step of its turn, but not while money is raised."""

    def __init__(self, table: Access) -> None:
        self.table = table

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        choice = BuyAccessChoice(turn.game, turn.decider, turn.actor, self.table)
        return [choice] if not raising(turn.game) and choice.possible() else []

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyAccess):
            BuyAccessChoice(turn.game, move.player, turn.actor, self.table).check(move)


class AccessRights(Mechanism):
    """BL-5.2-4b: the access tokens, without which nobody runs to one hex, and where they go when something closes."""

    def __init__(self, table: Access) -> None:
        self.table = table

    def lay_out(self, state: State, chance: random.Random) -> None:
        """They lie on their private company."""
        put(state, AccessTokens(private=self.table.tokens))

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.PrivateClosed: self.private_closed, ev.CompanyClosed: self.company_closed}

    def private_closed(self, game: Game, event: ev.PrivateClosed) -> None:
        if event.private == self.table.private:
            tokens_to_pool(game)

    def company_closed(self, game: Game, event: ev.CompanyClosed) -> None:
        """BL-7.5-g: the access token of a corporation that closes goes to the pool."""
        tokens = AccessTokens.of(game)
        if event.company in tokens.charters:
            tokens.charters.remove(event.company)
            tokens.pool += 1

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (AccessPurchases(self.table),) if round_ == "operating" else ()

    def trains(self, trains: Trains) -> Trains:
        """The hex is closed to whoever has no token."""
        closed = frozenset({self.table.hex})

        def hexes(game: Game, company: str) -> frozenset[str]:
            return frozenset() if company in AccessTokens.of(game).charters else closed

        return replace(trains, closed=hexes)

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        """The token on the charter, and tokens for sale."""
        tokens = AccessTokens.of(game)
        owner = game.state.privates[self.table.private]
        for_sale = tokens.pool if holder == POOL else tokens.box if holder == owner else 0
        result = {"access_token": 1} if holder in tokens.charters else {}
        return {**result, "access_token_for_sale": for_sale} if for_sale else result

    def faults(self, game: Game) -> list[str]:
        """They are neither made nor lost."""
        tokens, total = AccessTokens.of(game), self.table.tokens
        count = tokens.private + tokens.box + tokens.pool + len(tokens.charters)
        return [] if count == total else [f"there are {count} access tokens instead of {total}"]
