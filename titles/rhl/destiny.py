"""Destiny cards (8.4.2): everybody keeps one hidden card to the end, where a fulfilled wish adds to the score."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from engine import events as ev
from engine.board.faces import TOWN
from engine.definition import TrainType
from engine.finance import shares
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps, OfGame, OfPlayer, OfRound, deal, put, record
from engine.remembered import Acted
from engine.rounds.turns import OnceRound, RoundRules
from engine.routes.best import Router
from engine.routes.legs import Node
from engine.routes.model import Part
from engine.rules import OpenCard, cash_and_shares
from engine.state import State
from titles.rhl.contract import directed
from titles.rhl.decks import DestinyCard
from titles.rhl.running import RhlTrain, locations_at
from titles.rhl.tables import Tables

#: So many cards everybody gets, and so many they keep.
DEALT, KEPT = 2, 1


@register("discard_destiny")
@dataclass(frozen=True, slots=True)
class DiscardDestiny(Move):
    """Give up one of two hidden cards, unseen."""

    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    card: str


@dataclass(frozen=True, slots=True)
class DestinyDiscarded(ev.Event):
    """Somebody has given up a card; nobody is told which."""

    player: str


@dataclass(frozen=True, slots=True)
class DestinyShown(ev.Event):
    """The game is over: a card, and what it adds to its owner's score."""

    REVEALS: ClassVar[bool] = True
    player: str
    card: str
    amount: int


#: How much of a fulfilled wish counts before the end, for whoever looks ahead.
LIKELY = 0.7


class DiscardChoice(Choice[DiscardDestiny]):
    """Which of one's cards goes."""

    kind = DiscardDestiny
    secret = True

    def hand(self) -> list[str]:
        return DestinyHand.of(self.game, self.player).destiny

    def ask(self, picked: Picked) -> Domain | None:
        return None if "card" in picked else Options("card", [Option(card) for card in self.hand()])

    def move(self, picked: Picked) -> DiscardDestiny:
        return DiscardDestiny(self.player, picked["card"])

    def check(self, move: DiscardDestiny) -> None:
        if move.card not in self.hand():
            raise self.game.refuse("cards.hand")

    def perform(self, move: DiscardDestiny) -> None:
        DestinyHand.of(self.game, self.player).destiny.remove(move.card)
        Waiting.of(self.game).waiting.remove(self.player)
        self.game.emit(DestinyDiscarded(self.player))


@record("rhl.destiny_hand")
@dataclass(slots=True)
class DestinyHand(OfPlayer):
    """The cards in somebody's hand."""

    destiny: list[str] = field(default_factory=list)


@record("rhl.destiny")
@dataclass(slots=True)
class DestinyEnd(OfGame):
    """Everybody's card and what it has brought, once the game is over."""

    destiny: dict[str, tuple[str, int]] | None = None


@record("rhl.waiting")
@dataclass(slots=True)
class Waiting(OfRound):
    """Who has still to give up a card."""

    waiting: list[str] = field(default_factory=list)


class DiscardRound(RoundRules):
    """All discard at once, in any order; the game waits for everybody."""

    name = "destiny"

    def begin(self, game: Game) -> None:
        round_ = game.state.round
        round_.kind, round_.actor, round_.step, round_.turn = self.name, "", "", {}
        round_.own = {Waiting.KEY: Waiting(list(game.state.seats))}
        game.emit(ev.RoundBegan(self.name, round_.stock_number, 0))

    def keeps(self) -> Keeps:
        return (Waiting,)

    def choices(self, game: Game) -> list[Choice[Any]]:
        return [DiscardChoice(game, player) for player in Waiting.of(game).waiting]

    def settle(self, game: Game) -> bool:
        if Waiting.of(game).waiting:
            return True
        game.rules.then(game)
        return False


class Destiny(Mechanism):
    """RHL-8.4.2: the cards, when they are dealt, given up and shown, and what each is worth."""

    def __init__(self, tables: Tables, operating: OnceRound) -> None:
        self.deck: Mapping[str, DestinyCard] = {card.id: card for card in tables.destiny_card}
        self.round = DiscardRound()
        #: The round that follows when everybody has given up a card.
        self.operating = operating

    def rounds(self) -> Mapping[str, RoundRules]:
        return {self.round.name: self.round}

    def cards(self) -> Mapping[str, int]:
        return {card.id: card.bonus for card in self.deck.values()}

    def lay_out(self, state: State, chance: random.Random) -> None:
        """Two cards to everybody."""
        put(state, DestinyEnd())
        cards = chance.sample(sorted(self.deck), DEALT * len(state.seats))
        for number, seat in enumerate(state.seats):
            deal(state, seat, DestinyHand(cards[DEALT * number : DEALT * (number + 1)]))

    def interrupts(self, game: Game) -> bool:
        """After the first stock round everybody discards, then the operating rounds begin."""
        round_ = game.state.round
        if round_.kind == "stock" and round_.stock_number == 1:
            self.round.begin(game)
        elif round_.kind == self.round.name:
            self.operating.begin(game, 1, game.phase.operating_rounds)
        else:
            return False
        return True

    # ------------------------------------------------------------------ the end

    def over(self, game: Game) -> None:
        """The cards are shown, and what is fulfilled counts."""
        shown: dict[str, tuple[str, int]] = {}
        for player in game.state.seats:
            for card in DestinyHand.of(game, player).destiny[:KEPT]:
                amount = self.deck[card].bonus if self.fulfilled(game, player, card) else 0
                shown[player] = (card, amount)
        DestinyEnd.of(game).destiny = shown
        for player, (card, amount) in shown.items():
            game.emit(DestinyShown(player, card, amount))

    def score(self, game: Game) -> dict[str, int]:
        """Cash and shares; the cards count only when they have been shown."""
        shown = DestinyEnd.of(game).destiny or {}
        return {player: worth + shown.get(player, ("", 0))[1] for player, worth in cash_and_shares(game).items()}

    def redraw(self, game: Game, player: str, chance: random.Random) -> None:
        """Others' hands out of all cards that a player has not seen: neither in their hand nor given up by them."""
        hands = {seat: DestinyHand.of(game, seat) for seat in game.state.secrets if seat != player}
        given_up = {move.card for move in game.moves if isinstance(move, DiscardDestiny) and move.player == player}
        unseen = set(self.deck) - set(DestinyHand.of(game, player).destiny) - given_up
        drawn = chance.sample(sorted(unseen), sum(len(hand.destiny) for hand in hands.values()))
        for seat in game.state.seats:
            if seat in hands:
                hands[seat].destiny = [drawn.pop() for _ in hands[seat].destiny]

    def besides(self, game: Game, player: str) -> float:
        """What a player's cards promise: most of what is fulfilled now."""
        if DestinyEnd.of(game).destiny is not None:
            return 0.0
        hand = DestinyHand.of(game, player).destiny
        return max((LIKELY * self.deck[card].bonus for card in hand if self.fulfilled(game, player, card)), default=0.0)

    def open_cards(self, game: Game) -> list[OpenCard]:
        """What has been shown at the end."""
        shown = DestinyEnd.of(game).destiny or {}
        return [OpenCard(card, player, self.deck[card].bonus, amount > 0) for player, (card, amount) in shown.items()]

    def fulfilled(self, game: Game, player: str, name: str) -> bool:
        """Whether a player's wish is fulfilled now."""
        card = self.deck[name]
        if card.wish in EVERYBODYS:
            return EVERYBODYS[card.wish](game, card)
        if card.wish in OF_ONE:
            return any(OF_ONE[card.wish](game, card, company) for company in directed(game, player))
        if card.wish in BEST_COMPANY:
            floated = [name for name, company in game.state.companies.items() if company.floated]
            best = alone_on_top({company: BEST_COMPANY[card.wish](game, company) for company in floated})
            return best in directed(game, player)
        return alone_on_top({each: BEST_PLAYER[card.wish](game, each) for each in game.state.seats}) == player

    def faults(self, game: Game) -> list[str]:
        """What is wrong with the hands in a position."""
        hands = [DestinyHand.of(game, player).destiny for player in game.state.secrets]
        cards = [card for hand in hands for card in hand]
        result = []
        if len(set(cards)) < len(cards) or not set(cards) <= set(self.deck):
            result.append(f"the destiny cards in the hands are {cards}")
        round_ = game.state.round
        for player in game.state.seats:
            before = round_.kind in ("targets", "package") or (round_.kind == "stock" and round_.stock_number == 1)
            waits = round_.kind == self.round.name and player in Waiting.of(game).waiting
            if len(DestinyHand.of(game, player).destiny) != (DEALT if before or waits else KEPT):
                result.append(f"{player} has a wrong number of destiny cards")
        return result


def alone_on_top(values: Mapping[str, int]) -> str:
    """Who has most, "" on a draw or if nobody has anything."""
    most = max(values.values(), default=0)
    best = [name for name, value in values.items() if value == most]
    return best[0] if most > 0 and len(best) == 1 else ""


# ---------------------------------------------------------------------- whoever has brought it about


def upgraded(game: Game, card: DestinyCard) -> bool:
    """So many of the Metropolises are grey, the others brown."""
    colours = [game.board.faces[at].colour for at in card.hexes]
    return colours.count("grey") >= card.least and set(colours) <= {"grey", "brown"}


EVERYBODYS: Mapping[str, Callable[[Game, DestinyCard], bool]] = {"upgrades": upgraded}

# ---------------------------------------------------------------------- one company that the player directs


def has_trains(game: Game, card: DestinyCard, company: str) -> bool:
    return len(game.company(company).trains) >= card.least


def stands_on_tile(game: Game, card: DestinyCard, company: str) -> bool:
    tiles = game.state.board.tiles
    return any(tiles.get(at, ("",))[0] in card.tiles for at in stations(game, company))


def has_fields(game: Game, card: DestinyCard, company: str) -> bool:
    return len(stations(game, company) & set(card.hexes)) >= card.least


def has_ways(game: Game, card: DestinyCard, company: str) -> bool:
    """Available routes lead to these places; one that a foreign station bars may still be the end of one."""
    reached = {at for at, _ in game.reach(company).stops}
    return len(reached & set(card.hexes)) >= card.least


OF_ONE: Mapping[str, Callable[[Game, DestinyCard, str], bool]] = {
    "trains": has_trains,
    "tile": stands_on_tile,
    "fields": has_fields,
    "ways": has_ways,
}

# ---------------------------------------------------------------------- the best of all companies


def value(game: Game, company: str) -> int:
    return game.prices.value(company)


def industries(game: Game, company: str) -> int:
    """The coalmines and steel mills to which available routes lead from all its stations."""
    found = {
        (kind, at)
        for at, stop in game.reach(company).stops
        for kind in locations_at(game, at, stop) & {"coal", "steel"}
    }
    return len(found)


def most_towns(game: Game, company: str) -> int:
    """The most town hexes in one legal route of one of its trains."""
    trains = [game.definition.train(name) for name in dict.fromkeys(game.company(company).trains)]
    rules = {train.name: TownHexes(game, company, train, game.phase.colour) for train in trains}
    router = Router(game.book(), dict(rules))
    return max((router.best([train], as_many_as_possible=False).value for train in rules), default=0)


def treasury(game: Game, company: str) -> int:
    return game.state.cash[company]


def last_revenue(game: Game, company: str) -> int:
    """What it has run for in the operating round that was the last, if it has had its turn there."""
    round_ = game.state.round
    now = Acted.seen(game)
    acted = (now is not None and company in now.acted) or company == round_.actor
    return (game.company(company).last_revenue or 0) if acted else 0


BEST_COMPANY: Mapping[str, Callable[[Game, str], int]] = {
    "value": value,
    "industries": industries,
    "towns": most_towns,
    "treasury": treasury,
    "revenue": last_revenue,
}

# ---------------------------------------------------------------------- the best of all players


def most_stations(game: Game, player: str) -> int:
    """The stations of all companies that a player directs; homes, and tokens beside the spaces, count."""
    return sum(len(stations(game, company)) for company in directed(game, player))


def companies(game: Game, player: str) -> int:
    """Of how many companies a player holds certificates."""
    return sum(shares.held(game, company, player) > 0 for company in game.state.companies)


BEST_PLAYER: Mapping[str, Callable[[Game, str], int]] = {"stations": most_stations, "companies": companies}

# ---------------------------------------------------------------------- what they look at


def stations(game: Game, company: str) -> set[str]:
    """The hexes on which a company has a station."""
    return {at for at, _ in game.board.stations_of(company)}


class TownHexes(RhlTrain):
    """A train that is run for the number of town hexes alone: two towns of one hex count once."""

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game, company, train, colour)
        self.bonus_bound = 0
        #: For each hex with two towns what one visit adds to the mark: two bits that count the visits.
        self.doubles: dict[str, int] = {}

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        at, stop = node
        drawn = self.board.faces[at].stops
        if self.is_rheingold or drawn[stop].kind != TOWN:
            return 0, 0
        if len(drawn) == 1:
            return 1, 0
        return 1, self.doubles.setdefault(at, 1 << 2 * len(self.doubles))

    def bonus(self, mark: int, one: Node, other: Node) -> int:
        """What was counted twice is taken off again."""
        return -sum(mark & 3 * once == 2 * once for once in self.doubles.values()) if mark else 0

    def bonus_parts(self, mark: int, one: Node, other: Node) -> list[Part]:
        return [Part("twice", self.bonus(mark, one, other))]
