"""Proposals that need somebody else's consent: they are accepted, declined, or countered with another price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from engine import events as ev
from engine.moves import Answer
from engine.offer import Choice, Domain, Number, Option, Options, Picked
from engine.remembered import Declined

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Pause


#: So many counter-offers are made in a turn, by all together: then there is nothing left but yes and no.
MOST_COUNTERS = 12


class Deal(ABC):
    """What is proposed. A pause's data holds `company` (which proposes), `seller`, the thing, and `price`."""

    #: The key of the thing that changes hands.
    what: ClassVar[str]
    #: The kind of rule that a wrong price breaks.
    counter_key: ClassVar[str] = "train.price.counter"

    def parties(self, game: Game, data: dict[str, Any]) -> tuple[str, str]:
        """The player who proposes and the one who is asked."""
        return game.decider(data["company"]), game.decider(data["seller"])

    @abstractmethod
    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        """The lowest and the highest price that can be agreed; none if the first is the greater."""

    @abstractmethod
    def accept(self, game: Game, data: dict[str, Any]) -> None:
        """Carry it out."""

    def asked(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        """What those who are asked may answer."""
        return [AnswerChoice(game, player, pause, self) for player in pause.players]

    def decline(self, game: Game, data: dict[str, Any]) -> None:
        """The one who was asked does not agree: remember it, so that it is not proposed again in this turn."""
        Declined.of(game).declined.append((data["seller"], data[self.what], data["price"]))

    def countered(self, game: Game, data: dict[str, Any]) -> None:
        """The two go on talking: what was declined before bars nothing any more."""
        thing = (data["seller"], data[self.what])
        now = Declined.of(game)
        now.declined = [entry for entry in now.declined if entry[:2] != thing]
        now.counters += 1


def declined(game: Game, seller: str, what: str) -> int:
    """The highest price that the one who was asked did not take for a thing in this turn, 0 if there is none."""
    now = Declined.seen(game)
    return max((entry[2] for entry in now.declined if entry[:2] == (seller, what)), default=0) if now else 0


class AnswerChoice(Choice[Answer]):
    """Accept, decline or counter a proposal."""

    kind = Answer

    def __init__(self, game: Game, player: str, pause: Pause, deal: Deal) -> None:
        proposer, _ = deal.parties(game, pause.data)
        own: str = pause.data["company" if player == proposer else "seller"]
        # The answer is given for one's own side, which may be a person.
        super().__init__(game, player, own if own in game.state.companies else "")
        self.pause = pause
        self.deal = deal

    def haggled(self) -> bool:
        """Whether there have been as many counter-offers in this turn as there may be."""
        now = Declined.seen(self.game)
        return now is not None and now.counters >= MOST_COUNTERS

    def counters(self) -> tuple[int, int]:
        """The prices that a counter may name: a seller asks for more, a buyer offers less; none after too many."""
        if self.haggled():
            return 1, 0
        proposed = self.pause.data["price"]
        low, high = self.deal.prices(self.game, self.pause.data)
        if self.player == self.deal.parties(self.game, self.pause.data)[0]:
            return low, min(high, proposed - 1)
        return max(low, proposed + 1), high

    def ask(self, picked: Picked) -> Domain | None:
        data = self.pause.data
        low, high = self.counters()
        if "reply" not in picked:
            known = ["company", self.deal.what, "seller", *(["price"] if data["price"] else [])]
            facts = {key: data[key] for key in known}
            replies = ["accept", "decline", *(["counter"] if low <= high else [])]
            return Options("reply", [Option(reply, facts) for reply in replies])
        if picked["reply"] == "counter" and "price" not in picked:
            return Number("price", low, high)
        return None

    def move(self, picked: Picked) -> Answer:
        return Answer(self.player, picked["reply"], picked.get("price", 0))

    def check(self, move: Answer) -> None:
        game, data = self.game, self.pause.data
        if move.reply not in ("accept", "decline", "counter"):
            raise game.refuse("answer.reply", reply=move.reply)
        if move.reply == "counter" and self.haggled():
            raise game.refuse("answer.haggled", most=MOST_COUNTERS)
        low, high = self.counters()
        if move.reply == "counter" and not low <= move.price <= high:
            raise game.refuse(self.deal.counter_key, low=low, high=high, company=self.company)
        if move.reply != "counter" and move.price not in (0, data["price"]):
            raise game.refuse("answer.price", price=data["price"])

    def perform(self, move: Answer) -> None:
        game, data = self.game, self.pause.data
        game.emit(ev.ProposalAnswered(self.player, move.reply, move.price or data["price"]))
        proposer, asked = self.deal.parties(game, data)
        if move.reply == "decline" and self.player == asked:
            self.deal.decline(game, data)
        if move.reply == "counter":
            self.deal.countered(game, data)
            self.pause.players = [asked if self.player == proposer else proposer]
            data["price"] = move.price
            return
        game.answered(self.pause)
        if move.reply == "accept":
            self.deal.accept(game, data)
