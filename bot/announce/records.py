"""The last cards of a game as they stand in its channel: what each tells, and what it shrinks to when its turn is over.

They are kept in the database, so that a card is closed, or struck through, whatever happened in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.card.stuck import STUCK
from bot.card.turn import Card
from bot.limits import TEXT_IN_MESSAGE, cut
from bot.texts import Say

#: What became of a card: it asks, its turn is over, its turn goes on in a newer one, its turn was taken back; what it
#: told of a game that could not go on has passed.
OPEN, DONE, ON, UNDONE, PASSED = "open", "done", "on", "undone", "passed"
#: The key of a card that tells the end of a game; it is never closed, only taken back.
OVER = "over"
#: Cards of a game that are remembered; the lines of older ones stay as they are.
MOST_KEPT = 6
#: Lines that a closed card keeps.
_LINES = 30


@dataclass
class Told:
    """A card in a channel. `base` is the log's length when it was posted; a line has the entry that it tells of."""

    message: int
    base: int
    turn: str
    head: str
    who: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    state: str = OPEN
    #: Whether it says that it is made again; it goes on saying so.
    again: bool = False
    #: Entries of the log that were taken back.
    taken: list[int] = field(default_factory=list)
    #: Whether the message shows all this.
    shown: bool = True
    #: The newest notice that it tells: one that comes again because the database failed afterwards is told already.
    newest: int = 0
    #: Its copy among somebody's direct messages: the person, the channel and the message.
    direct: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Told:
        """A card from the database."""
        return cls(**{**data, "lines": [(seq, text) for seq, text in data["lines"]]})

    def data(self) -> dict[str, Any]:
        return dict(vars(self))

    def texts(self) -> list[str]:
        """Its lines, those that were taken back struck through."""
        return [struck(text) if seq in self.taken else text for seq, text in self.lines]

    def take_back(self, seqs: Collection[int]) -> None:
        """Moves were taken back; perhaps some that this card tells of, or the one that it came with."""
        found = sorted({seq for seq, _ in self.lines} & set(seqs) - set(self.taken))
        if found:
            self.taken += found
            self.shown = False
        if self.base in seqs and self.state != UNDONE:
            self.state, self.shown = UNDONE, False

    def close(self, turn: str) -> None:
        """Another card has come, for this turn."""
        if self.state != OPEN or self.turn == OVER:
            return
        self.shown = False
        if self.turn == STUCK:
            self.state = PASSED
        else:
            # A turn is not over because nobody can move.
            self.state = ON if turn in (self.turn, STUCK) else DONE

    def card(self, say: Say) -> Card:
        """What it shrinks to: the record of what it told, without a question, a picture or a button."""
        texts = [struck(text) for _, text in self.lines] if self.state == UNDONE else self.texts()
        lines = [f"- {text}" for text in texts[-_LINES:]]
        foot = say(f"card.closed_{self.state}", who=self.who)
        if self.again:
            foot = f"{say('card.again')}\n{foot}"
        head = struck(self.head) if self.state == UNDONE else self.head
        body = cut("\n".join([head, *lines]), TEXT_IN_MESSAGE - len(foot) - 1)
        return Card(f"{body}\n{foot}")


def struck(text: str) -> str:
    """A text struck through."""
    return text if text.startswith("~~") else f"~~{text}~~"


def read(kept: Sequence[dict[str, Any]]) -> list[Told]:
    """The cards of a game from the database; what an earlier version kept otherwise is forgotten."""
    try:
        return [Told.of(each) for each in kept]
    except (TypeError, KeyError, ValueError):
        return []
