"""The last cards of a game as they stand in its channel: what each tells, and what it shrinks to when its turn is over.

A record holds exactly its turn: the moves from the card to the next one, those of others under their names.

They are kept in the database, so that a card is closed, or struck through, whatever happened in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.card.stuck import STUCK
from bot.card.turn import Card
from bot.games.parts import OVER
from bot.limits import TEXT_IN_MESSAGE, cut
from bot.names import shown
from bot.texts import Say

#: What became of a card: it asks, its turn is over, its turn goes on in a newer one, its turn was taken back; what it
#: told of a game that could not go on has passed.
OPEN, DONE, ON, UNDONE, PASSED = "open", "done", "on", "undone", "passed"
#: Cards of a game that are remembered; the lines of older ones stay as they are.
MOST_KEPT = 6
#: Lines that a closed card keeps; of its own turn all but what no message would have room for.
_LINES, _MOST_OWN = 30, 80


@dataclass(frozen=True)
class Line:
    """A line of a card: the entry of the log that it tells of, and the turn that it belongs to, and whose that is.

    Without a turn it belongs to that of its card.
    """

    seq: int
    text: str
    turn: str = ""
    whose: str = ""


@dataclass
class Told:
    """A card in a channel. `base` is the log's length when it was posted."""

    message: int
    base: int
    turn: str
    head: str
    who: str
    lines: list[Line] = field(default_factory=list)
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
    #: Who has to decide in which turn. Cards of versions before 0.3 had this as their turn.
    question: str = ""
    #: What happened before it, as it says above its own lines: that stands in the record of the card before.
    news: list[Line] = field(default_factory=list)
    #: Whether it asks somebody else than whose turn it is.
    aside: bool = False

    @classmethod
    def of(cls, data: dict[str, Any]) -> Told:
        """A card from the database, also as versions before 0.3 kept it: with lines that belonged to nobody."""
        lines = {name: [Line(*each) for each in data.get(name, ())] for name in ("lines", "news")}
        return cls(**{"question": data["turn"], **data, **lines})

    def data(self) -> dict[str, Any]:
        lines = {name: [list(vars(each).values()) for each in getattr(self, name)] for name in ("lines", "news")}
        return {**vars(self), **lines}

    def goes_on(self, turn: str) -> bool:
        """Whether a turn is that of this card."""
        return self.turn == turn or (self.turn == self.question and self.turn.startswith(f"{turn} "))

    def told(self, line: Line) -> str:
        """A line as it stands now."""
        return struck(line.text) if line.seq in self.taken else line.text

    def texts(self) -> list[str]:
        """Its lines, those that were taken back struck through."""
        return [self.told(line) for line in self.lines]

    def earlier(self) -> list[str]:
        """What happened before it, as long as it asks."""
        return [self.told(line) for line in self.news]

    def take_back(self, seqs: Collection[int]) -> None:
        """Moves were taken back; perhaps some that this card tells of, or the one that it came with."""
        found = sorted({line.seq for line in (*self.lines, *self.news)} & set(seqs) - set(self.taken))
        if found:
            self.taken += found
            self.shown = False
            if self.state == DONE:
                # Its last move has fallen: the turn is not over after all.
                self.state = ON
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
            self.state = ON if turn == STUCK or self.goes_on(turn) else DONE

    def card(self, say: Say) -> Card:
        """What it shrinks to: the record of what it told, without a question, a picture or a button."""
        foot = say(f"card.closed_{self._foot()}", who=self.who)
        if self.again:
            foot = f"{say('card.again')}\n{foot}"
        head = struck(self.head) if self.state == UNDONE else self.head
        body = cut("\n".join([head, *self._record(say)]), TEXT_IN_MESSAGE - len(foot) - 1)
        return Card(f"{body}\n{foot}")

    def _foot(self) -> str:
        return "answered" if self.state == ON and self.aside else self.state

    def _record(self, say: Say) -> list[str]:
        """Its lines, those of other turns under the name of whose they are. Of too many the others' oldest go."""
        stays = _fitting(self.lines, self.turn)
        result: list[str] = []
        before, gap = ("", ""), 0
        for number, line in enumerate(self.lines):
            if number not in stays:
                gap += 1
                continue
            if gap:
                result.append(say("card.more", count=gap))
                gap = 0
            own = line.turn in ("", self.turn)
            now = ("", "") if own else (line.turn, line.whose)
            if now != before and (line.whose or own):
                result.append(say("card.turn_part", who=self.who if own else f"**{shown(line.whose)}**"))
            before = now
            text = struck(line.text) if self.state == UNDONE else self.told(line)
            result.append(f"- {text}")
        return [*result, say("card.more", count=gap)] if gap else result


def _fitting(lines: Sequence[Line], turn: str) -> set[int]:
    """Which lines of a record have room: all of its own turn, and of the others' the newest."""
    own = [number for number, line in enumerate(lines) if line.turn in ("", turn)]
    others = [number for number, line in enumerate(lines) if line.turn not in ("", turn)]
    left = max(_LINES - len(own), 0)
    return {*own[-_MOST_OWN:], *(others[-left:] if left else ())}


def struck(text: str) -> str:
    """A text struck through."""
    return text if text.startswith("~~") else f"~~{text}~~"


def read(kept: Sequence[dict[str, Any]]) -> list[Told]:
    """The cards of a game from the database; what an earlier version kept otherwise is forgotten."""
    try:
        return [Told.of(each) for each in kept]
    except (TypeError, KeyError, ValueError):
        return []
