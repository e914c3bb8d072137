"""What happens with each move, and whose turn it belongs to: cards keep it, and panels tell what happened since.

Two keys tell moves apart. The turn is the round with its numbers and whose turn it is; the question is the turn and
who has to decide in it. A card belongs to a question, a record to a turn.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.games.seats import in_present_names
from engine.game import Game
from storage.records import ENDED, GameRecord

#: The key of the turn and the question when a game is over.
OVER = "over"
#: Parts of a game that stay in memory for panels that are open, and games of which some do.
MOST_PARTS, MOST_GAMES = 60, 400


def turn_key(game: Game) -> str:
    """Whose turn it is; of a decision between two turns, whose decision."""
    round_ = game.state.round
    if game.finished:
        return OVER
    whose = round_.actor or "/".join(game.offer().deciders)
    return f"{round_.kind} {round_.stock_number}.{round_.operating_number} {whose}"


def question_key(game: Game) -> str:
    """Whose turn it is and who has to decide in it."""
    return OVER if game.finished else f"{turn_key(game)} {'/'.join(game.offer().deciders)}"


def keys_now(record: GameRecord, game: Game) -> tuple[str, str]:
    """Turn and question of a game as its channel sees it: one that was ended has neither."""
    return (OVER, OVER) if record.status == ENDED else (turn_key(game), question_key(game))


@dataclass(frozen=True)
class Part:
    """One move in a notice: its entry in the log, who made it, in which turn, at which question, and what happened."""

    seq: int
    by: str
    turn: str
    question: str
    events: Sequence[Mapping[str, Any]]

    def data(self) -> dict[str, Any]:
        return {**vars(self), "events": list(self.events)}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Part:
        return cls(**data)


def owners(part: Part) -> list[tuple[str, str]]:
    """For each event of a part the turn that it belongs to, and whose that is.

    A round that begins belongs to nobody, and what comes with a turn that goes by by itself to whoever has that turn.
    """
    found, turn, whose = list[tuple[str, str]](), part.turn, part.by
    for event in part.events:
        if event["type"] == "RoundBegan":
            turn, whose = "round", ""
        elif event["type"] == "TurnBegan":
            turn, whose = f"auto {event['actor']}", str(event["actor"])
        elif event["type"] == "Passed" and not event["company"] and event["player"] != whose:
            # Whoever can do nothing is passed over.
            turn, whose = f"auto {event['player']}", str(event["player"])
        found.append((turn, whose))
    return found


def parts_of(record: GameRecord, seq: int, kind: str, data: Mapping[str, Any]) -> list[Part]:
    """The parts of a notice, under present names; one that was kept by an earlier version is one part."""
    if "parts" in data:
        return [Part.of(in_present_names(record, each)) for each in data["parts"]]
    if kind == "moved":
        return [Part(seq, str(data.get("by", "")), "", "", in_present_names(record, data["events"]))]
    return []


class Recent:
    """The last parts of the games that are being played, for whoever has a panel open; nothing of it is needed."""

    def __init__(self) -> None:
        self._parts: OrderedDict[int, list[Part]] = OrderedDict()

    def add(self, game: int, parts: Sequence[Part]) -> None:
        self._parts[game] = [*self._parts.pop(game, ()), *parts][-MOST_PARTS:]
        while len(self._parts) > MOST_GAMES:
            self._parts.popitem(last=False)

    def since(self, game: int, seq: int, length: int) -> list[Part] | None:
        """What happened after an entry of the log, up to another; None if not all of it is in memory."""
        found = [part for part in self._parts.get(game, ()) if seq < part.seq <= length]
        return found if [part.seq for part in found] == list(range(seq + 1, length + 1)) else None

    def forget(self, game: int) -> None:
        self._parts.pop(game, None)
