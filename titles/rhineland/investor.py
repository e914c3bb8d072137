"""The Investor, who sits between two players without a seat, and his card: chosen, handed on, or kept for money."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Number, Option, Options, PassChoice, Picked
from engine.records import Keeps, OfGame, OfTurn, record
from engine.rounds.turns import Step, Turn
from engine.state import Pause

#: The name under which he holds certificates; nobody at the table may bear it.
INVESTOR = "investor"
#: The kind of actor that he is.
SITTER = "investor"
#: The two cards between which a player chooses.
PRIORITY, CARD = "priority", "investor_card"


def reserve_name(players: tuple[str, ...]) -> None:
    """Nobody may be called like him."""
    if INVESTOR in players:
        raise Refused("", "names.taken", name=INVESTOR)


def circle(game: Game) -> list[str]:
    """Clockwise: who began the game, the Investor, the other."""
    first, *others = game.state.seats
    return [first, INVESTOR, *others]


@record("rhineland.investor_card", told="investor")
@dataclass(slots=True)
class HeldCard(OfGame):
    """Who has his card, "" before it is given out."""

    card: str = ""


def card_holder(game: Game) -> str:
    """Who has his card, "" before it is given out."""
    return HeldCard.of(game).card


@register("choose_card")
@dataclass(frozen=True, slots=True)
class ChooseCard(Move):
    """Take the priority deal or the Investor's card; the other player gets the other."""

    card: str


@register("offer_for_card")
@dataclass(frozen=True, slots=True)
class OfferForCard(Move):
    """Offer money to keep the Investor's card."""

    price: int


@register("answer_card")
@dataclass(frozen=True, slots=True)
class AnswerCard(Move):
    """Take the money, or pay as much for the card."""

    reply: str


@dataclass(frozen=True, slots=True)
class CardMoved(ev.Event):
    """The Investor's card goes to a player."""

    player: str


@dataclass(frozen=True, slots=True)
class CardOffered(ev.Event):
    """A player offers money to keep the card."""

    player: str
    price: int


@dataclass(frozen=True, slots=True)
class CardKept(ev.Event):
    """A player keeps the card and has paid for it."""

    player: str
    price: int


def give_card(game: Game, player: str) -> None:
    HeldCard.of(game).card = player
    game.emit(CardMoved(player))


# ---------------------------------------------------------------------- the choice of a card


class ChooseCardChoice(Choice[ChooseCard]):
    """Priority deal or card."""

    kind = ChooseCard
    cards = (PRIORITY, CARD)

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player)
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        return None if "card" in picked else Options("card", [Option(card) for card in self.cards])

    def move(self, picked: Picked) -> ChooseCard:
        return ChooseCard(self.player, picked["card"])

    def check(self, move: ChooseCard) -> None:
        if move.card not in self.cards:
            raise self.game.refuse("investor.choice", card=move.card)

    def perform(self, move: ChooseCard) -> None:
        self.game.answered(self.pause)
        self.deal(move.card, self.game.after(self.player))
        self.game.rules.then(self.game)

    def deal(self, card: str, other: str) -> None:
        """Everybody gets theirs."""
        game = self.game
        priority, holder = (self.player, other) if card == PRIORITY else (other, self.player)
        game.state.priority = priority
        game.emit(ev.PriorityMoved(priority))
        give_card(game, holder)


def choice_of_cards(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [ChooseCardChoice(game, player, pause) for player in pause.players]


# ---------------------------------------------------------------------- after his company's turn


class CardStep(Step):
    """The card goes to the other player."""

    name = "card"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        give_card(turn.game, turn.game.after(card_holder(turn.game)))


@record("rhineland.settled")
@dataclass(slots=True)
class Settled(OfTurn):
    """Whether it is settled who has the Investor's card."""

    settled: bool = False


class OfferStep(CardStep):
    """The holder may offer money to keep the card before it goes to the other player."""

    def keeps(self) -> Keeps:
        return (Settled,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, holder = turn.game, turn.decider
        if not game.state.cash[holder]:
            return []
        return offers(game, holder, turn.actor, lambda: self.settled(turn))

    def settled(self, turn: Turn) -> None:
        Settled.of(turn.game).settled = True

    def done(self, turn: Turn) -> bool:
        return Settled.of(turn.game).settled

    def skipped(self, turn: Turn) -> None:
        if not Settled.of(turn.game).settled:
            super().skipped(turn)


def offers(game: Game, holder: str, company: str, settled: Callable[[], None]) -> list[Choice[Any]]:
    """What the holder can do with the card: name a sum for keeping it, or hand it on; `settled` notes that."""

    def hand_on() -> None:
        settled()
        give_card(game, game.after(holder))

    return [OfferChoice(game, holder, company, settled), PassChoice(game, holder, company, hand_on)]


class OfferChoice(Choice[OfferForCard]):
    """Name a sum."""

    kind = OfferForCard

    def __init__(self, game: Game, player: str, company: str, settled: Callable[[], None]) -> None:
        super().__init__(game, player, company)
        self.settled = settled

    def ask(self, picked: Picked) -> Domain | None:
        return None if "price" in picked else Number("price", 1, self.game.state.cash[self.player])

    def move(self, picked: Picked) -> OfferForCard:
        return OfferForCard(self.player, picked["price"])

    def check(self, move: OfferForCard) -> None:
        cash = self.game.state.cash[self.player]
        if not 1 <= move.price <= cash:
            raise self.game.refuse("investor.offer", cash=cash)

    def perform(self, move: OfferForCard) -> None:
        game, other = self.game, self.game.after(self.player)
        game.emit(CardOffered(self.player, move.price))
        self.settled()
        if game.state.cash[other] < move.price:
            keep(game, self.player, move.price)
        else:
            game.ask("card_offer", [other], holder=self.player, price=move.price)


def keep(game: Game, holder: str, price: int) -> None:
    """The other takes the money; the card stays."""
    game.pay(holder, game.after(holder), price, "card")
    game.emit(CardKept(holder, price))


class AnswerCardChoice(Choice[AnswerCard]):
    """Accept, or pay the same and take the card."""

    kind = AnswerCard

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player)
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        if "reply" in picked:
            return None
        facts = {"price": self.pause.data["price"]}
        return Options("reply", [Option("accept_money", facts), Option("pay_for_card", facts)])

    def move(self, picked: Picked) -> AnswerCard:
        return AnswerCard(self.player, picked["reply"])

    def check(self, move: AnswerCard) -> None:
        if move.reply not in ("accept_money", "pay_for_card"):
            raise self.game.refuse("investor.answer", reply=move.reply)

    def perform(self, move: AnswerCard) -> None:
        game, data = self.game, self.pause.data
        game.answered(self.pause)
        if move.reply == "accept_money":
            keep(game, data["holder"], data["price"])
        else:
            game.pay(self.player, data["holder"], data["price"], "card")
            give_card(game, self.player)


def offer_of_card(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [AnswerCardChoice(game, player, pause) for player in pause.players]
