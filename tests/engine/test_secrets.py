"""What is hidden stays hidden: cards in the hand of one player, and moves and events that name them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest

from engine import codec, records
from engine.events import Event
from engine.game import Game
from engine.moves import Move, from_json, register, to_json
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.state import Pause, State
from tests.engine.toy import lay_out, toy

CARDS = ("castle", "bridge", "harbour", "quarry", "tunnel", "viaduct")


@register("test_discard_card")
@dataclass(frozen=True, slots=True)
class DiscardCard(Move):
    """One of two hidden cards is given up unseen."""

    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    card: str


@dataclass(frozen=True, slots=True)
class CardDiscarded(Event):
    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    player: str
    card: str


@records.record("test.hand")
@dataclass(slots=True)
class HeldCards(records.OfPlayer):
    """The cards in somebody's hand."""

    cards: list[str] = field(default_factory=list)


class DiscardCardChoice(Choice[DiscardCard]):
    kind = DiscardCard
    secret = True

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player)
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        cards = self.game.hidden(self.player)["cards"]
        return None if "card" in picked else Options("card", [Option(card) for card in cards])

    def move(self, picked: Picked) -> DiscardCard:
        return DiscardCard(self.player, picked["card"])

    def check(self, move: DiscardCard) -> None:
        if move.card not in self.game.hidden(self.player)["cards"]:
            raise self.game.refuse("card")

    def perform(self, move: DiscardCard) -> None:
        HeldCards.of(self.game, self.player).cards.remove(move.card)
        self.pause.players.remove(self.player)
        if not self.pause.players:
            self.game.answered(self.pause)
        self.game.emit(CardDiscarded(self.player, move.card))


def deal(state: State, chance: random.Random) -> None:
    lay_out(state, chance)
    cards = list(CARDS)
    chance.shuffle(cards)
    for number, seat in enumerate(state.seats):
        records.deal(state, seat, HeldCards(cards[2 * number : 2 * number + 2]))


def ask(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [DiscardCardChoice(game, player, pause) for player in pause.players]


@pytest.fixture
def game() -> Game:
    rules = toy(3)

    def first(game: Game) -> None:
        rules.first(game)
        game.ask("card", list(game.state.seats))

    return Game(replace(rules, first=first, lay_out=deal, questions={**rules.questions, "card": ask}, secret=True),
                ("ann", "bo", "cy"), 3)  # fmt: skip


def test_everybody_is_asked_at_once_and_only_for_their_own_cards(game: Game) -> None:
    assert set(game.offer().deciders) == {"ann", "bo", "cy"}
    for player in game.state.seats:
        (choice,) = game.offer().of(player)
        assert choice.secret
        domain = choice.ask({})
        assert isinstance(domain, Options)
        assert [option.value for option in domain.options] == game.hidden(player)["cards"]
    hands = [set(game.hidden(player)["cards"]) for player in game.state.seats]
    assert not hands[0] & hands[1] | hands[1] & hands[2] | hands[0] & hands[2]


def test_a_card_is_seen_by_its_owner_alone_in_moves_and_events(game: Game) -> None:
    card = game.hidden("bo")["cards"][0]
    (event,) = game.apply(DiscardCard("bo", card))
    for value in (game.moves[-1], event):
        assert value.seen_by("bo") == value
        for viewer in ("ann", ""):
            assert value.seen_by(viewer) == replace(value, card="")  # type: ignore[call-arg]
            assert card not in json.dumps(str(value.seen_by(viewer)))
    assert game.hidden("bo")["cards"] != game.hidden("ann")["cards"]


def test_a_saved_game_holds_everything(game: Game) -> None:
    move = DiscardCard("bo", game.hidden("bo")["cards"][1])
    assert from_json(to_json(move)) == move
    game.apply(move)
    assert move.card in codec.write(game)
    twin = game.copy()
    assert twin.state.digest() == game.state.digest()
    HeldCards.of(twin, "bo").cards = []
    assert twin.state.digest() != game.state.digest()
