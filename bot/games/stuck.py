"""Games that cannot go on with the present program: why, what can still be shown of them, and what can be done.

Nothing here changes a game. Its record and its log are as they were, and a program that knows it plays it on.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import titles
from bot.games.replaying import Replay, at_seam
from bot.games.seats import in_present_names
from bot.games.verdicts import DIFFERS as LEADS_ELSEWHERE
from bot.games.verdicts import UNREADABLE, Verdict, kept_game, old_position
from engine import codec
from engine.changes import View
from engine.errors import Refused
from engine.game import Game
from storage.records import GameRecord, Kept, Seat

_log = logging.getLogger(__name__)

#: Why a game cannot go on: its title or its options are not known to this program; an entry of its log cannot be read;
#: a move of it is not allowed; its moves lead elsewhere than they did; what was kept of it cannot be read.
TITLE, OPTIONS, LOG, MOVE, DIFFERS, KEPT = "title", "options", "log", "move", "differs", "kept"


@dataclass(frozen=True)
class Stuck:
    """A game that has begun and cannot be loaded, as far as it is known; given where a sound one would be a Live."""

    record: GameRecord
    why: str
    #: What the sentence tells besides: `stuck.<why>` in the catalogue.
    facts: Mapping[str, Any] = field(default_factory=dict)
    length: int = 0
    #: The moves that stand, as far as they can be read, and how many stand in all.
    moves: tuple[Mapping[str, Any], ...] = ()
    count: int = 0
    #: The position that people saw last, if what was kept of it can be read.
    last: Game | None = None
    #: The position after the last good move, if the game can be played through up to there.
    good: Game | None = None
    #: What its host is to choose by.
    verdict: Verdict | None = None
    #: Why the first move that is not good is not, if the rules say so; not known of a game with hidden things.
    refused: Refused | None = None

    @property
    def shown(self) -> Game | None:
        """What can be shown: as it was last seen, or else up to the last good move."""
        return self.last or self.good

    @property
    def hidden(self) -> bool:
        """Whether its log may tell what nobody may see; of a game whose rules are not known it has to be assumed."""
        game = self.shown
        return game is None or game.rules.secret

    @property
    def first(self) -> int:
        """The first move that is not good, counted from 1; 0 if that is not known."""
        return self.verdict.move if self.verdict is not None else 0

    @property
    def falling(self) -> int:
        """How many moves would be taken back by going back to before the difference."""
        return self.count - self.first + 1 if self.first else 0

    def falling_of(self) -> dict[str, int]:
        """Whose moves these are, under present names, as far as they can be read."""
        moves = in_present_names(self.record, list(self.moves[self.first - 1 :])) if self.first else []
        names = {seat.name for seat in self.record.seats}
        return dict(Counter(str(move.get("player")) for move in moves if move.get("player") in names))

    def player_of(self, user: int) -> str:
        """The name in the game of a person; empty for somebody without a seat."""
        return next((seat.name for seat in self.record.seats if seat.user == user and not seat.house), "")

    def seat(self, player: str) -> Seat:
        return next(seat for seat in self.record.seats if seat.name == player)

    def shows_hand(self, player: str) -> bool:
        """Whether a seat shows its hidden cards: one that changed hands has nothing to decide as long as this lasts."""
        return self.seat(player).taken is None

    def saved(self) -> str:
        """The game as a file, all of it that can be read."""
        return saved(self.record, self.moves)


def saved(record: GameRecord, moves: Sequence[Mapping[str, Any]], digests: Sequence[bytes | None] = ()) -> str:
    """A game as a file, as its log has it: nobody has played it through. Its digests are its proof."""
    head = {
        "format": codec.FORMAT,
        "version": codec.VERSION,
        "title": record.title,
        "form": record.form,
        "players": [seat.name for seat in record.seats],
        "options": dict(record.options),
        "seed": record.seed,
        "seed_by": codec.seed_by(record.seed_typed),
        "moves": [in_present_names(record, move) for move in moves],
    }
    if any(digests):
        head["proof"] = ["" if each is None else each.hex() for each in digests[: len(moves)]]
    return json.dumps(head, ensure_ascii=False, indent=1) + "\n"


def unknown(record: GameRecord) -> tuple[str, dict[str, Any]] | None:
    """What a game or a lobby was made with and this program does not know; None if it knows all of it."""
    try:
        title = titles.find(record.title)
    except Refused:
        return TITLE, {"title": record.title}
    if not isinstance(record.options, dict):
        return OPTIONS, {}
    try:
        low, _ = title.form(record.form).players
        titles.chosen(title, title.form(record.form), record.options)
        titles.rules(record.title, max(low, len(record.seats)), record.options, record.form)
    except Exception as problem:
        _log.info("game %d: its options are not known: %r", record.id, problem)
        return OPTIONS, {}
    return None


def examined(kept: Kept, verdict: Verdict) -> Stuck:
    """Why a game that could not be loaded cannot be, and what is left to show of it."""
    record = kept.record
    count = len(kept.seqs)
    found = unknown(record)
    if found is not None:
        why, facts = found
        return Stuck(record, why, facts, kept.length, kept.moves, count, verdict=verdict)
    first = verdict.move
    good, problem = _until(kept, first - 1 if first else len(kept.moves))
    last = last_seen(kept)
    facts = {"number": first, "count": count}
    if verdict.kind == LEADS_ELSEWHERE:
        why = DIFFERS
        facts |= _mover(kept, first) if first else {}
    elif not first:
        why = KEPT
    elif verdict.kind == UNREADABLE and first > len(kept.moves):
        why = LOG
    else:
        why, facts = MOVE, facts | _mover(kept, first)
    refused = None
    if why == MOVE and good is not None and not good.rules.secret:
        problem = _until(kept, first)[1]
        refused = problem if isinstance(problem, Refused) else None
        facts["rule"] = refused.rule if refused is not None else ""
    if problem is not None:
        _log.warning("game %d: %s", record.id, verdict.why)
    return Stuck(record, why, facts, kept.length, kept.moves, count, last, good, verdict, refused)


def _mover(kept: Kept, number: int) -> dict[str, Any]:
    move = in_present_names(kept.record, kept.moves[number - 1])
    return {"player": str(move.get("player", "")), "rule": ""}


def _until(kept: Kept, count: int) -> tuple[Game | None, Exception | None]:
    """The game after so many moves, from its beginning or from where its position was kept; what is the matter if not.

    Of a game that breaks before that there is nothing to show.
    """
    try:
        replay = Replay.begin(kept.record, kept.moves[:count], at_seam(kept))
        while replay.left:
            replay.step()
    except Exception as problem:
        return None, problem
    return replay.game, None


def last_seen(kept: Kept) -> Game | None:
    """The position that was kept beside the log, whatever program has put it there; None if it cannot be read."""
    try:
        old = old_position(kept)
        game = None if old is None else kept_game(kept, old)
        if game is not None:
            # Whatever shows a position asks it this.
            View.of(game)
            game.rules.score(game)
            game.offer()
    except Exception as problem:
        _log.info("game %d: the position that was last seen cannot be read: %r", kept.record.id, problem)
        return None
    return game
