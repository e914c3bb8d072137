"""What this program makes of a game that another has played: whether its moves still lead where they led.

The log has a digest of the position after each move, the snapshot the last position whole; a game from before there
were digests has the snapshot alone. `judge` replays and compares, changes nothing, and runs in any thread or process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import titles
from bot.games import snapshots
from bot.games.replaying import Replay, at_seam, with_names
from engine import fingerprint, older, position, renames
from engine.changes import View
from engine.errors import KursbuchError, Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.position import Difference
from storage.records import FINISHED, PLAYING, GameRecord, Kept, VerdictRow

#: It goes on · it goes on, and people are told what is new · the host has to choose, in the last three.
EQUAL, NEW_RULES, DIFFERS, REFUSED, UNREADABLE = "equal", "new_rules", "differs", "refused", "unreadable"
#: A table whose name says that nothing is there to compare with.
UNPROVED = "unproved"
#: One that stands for what may be done next.
OFFER = "offer"


@dataclass(frozen=True)
class Verdict:
    """How a game stands with this program."""

    kind: str
    #: The length of the log that it was given for.
    length: int
    #: The first move that differs or is refused, counted from 1 among those that stand; 0 if that is not known.
    move: int = 0
    #: Its entry in the log.
    seq: int = 0
    #: For operators, in English.
    why: str = ""
    #: Tables that are not those that the game was begun with.
    tables: tuple[str, ...] = ()
    #: The position as it stood beside that to which the moves lead now, where both are known.
    told: tuple[Difference, ...] = ()
    #: The clause of a refusal, if it has one.
    clause: str = ""
    #: Whether the position as it stood can be read and is sound; whether there is a good move to go back to.
    keepable: bool = False
    backable: bool = False
    #: Whether the game was being played when it was judged: it is again when the host has chosen.
    running: bool = True

    @property
    def sound(self) -> bool:
        """Whether the game simply goes on."""
        return self.kind in (EQUAL, NEW_RULES)

    def row(self, game: int) -> VerdictRow:
        return VerdictRow(game, snapshots.program(), self.length, asdict(self))

    @classmethod
    def of(cls, row: VerdictRow) -> Verdict:
        told = tuple(Difference(**each) for each in row.body.get("told", ()))
        return cls(**{**row.body, "tables": tuple(row.body.get("tables", ())), "told": told, "length": row.length})


def last_verdict(kept: Kept) -> Verdict | None:
    """The verdict that was last given of a game, by whichever program."""
    return None if kept.verdict is None else Verdict.of(kept.verdict)


@dataclass(frozen=True)
class Judged:
    """A verdict, and the game in the position to which its moves lead now, where they do."""

    verdict: Verdict
    game: Game | None = None
    seen: Mapping[str, View] | None = None


def judge(kept: Kept) -> Judged:
    """Replay a game and compare it with what is known of it."""
    old = old_position(kept)
    if len(kept.moves) != len(kept.seqs):
        missing = len(kept.moves)
        return Judged(_bad(kept, old, UNREADABLE, missing + 1, f"entry {kept.seqs[missing]} of the log cannot be read"))
    try:
        replay = Replay.begin(kept.record, kept.moves, at_seam(kept))
    except Exception as problem:
        # Whatever it is that this program cannot read: the others are still to be judged.
        return Judged(_bad(kept, old, UNREADABLE, 0, _sentence(problem)))
    # Until a game had one before, only what the log says of its beginning is known.
    names = [seat.name for seat in kept.record.seats]
    if kept.begun is not None and replay.number == 0:
        drawn = position.digest(replay.game.state.data(), names)
        if _contradicts(kept.begun.drawn, drawn):
            return Judged(_bad(kept, old, DIFFERS, 0, "another beginning is drawn from its seed"))
    while replay.left:
        number = replay.number + 1
        try:
            replay.step()
        except Refused as refused:
            return Judged(_bad(kept, old, REFUSED, number, _sentence(refused), clause=refused.rule))
        except Exception as problem:
            return Judged(_bad(kept, old, UNREADABLE, number, _sentence(problem)))
        known = kept.digests[number - 1] if kept.digests else None
        if known is not None and _contradicts(known, position.digest(replay.game.state.data(), names)):
            return Judged(_bad(kept, old, DIFFERS, number, f"move {number} leads elsewhere", now=_end(replay)))
    return _ended(kept, old, replay, names)


def _ended(kept: Kept, old: Mapping[str, Any] | None, replay: Replay, names: list[str]) -> Judged:
    """The verdict of a game in which every move is legal and none contradicts what is known of it."""
    game, record = replay.game, kept.record
    before = _seen(old, names)
    if before is not None and before != position.view(game.state.data(), names):
        return Judged(_bad(kept, old, DIFFERS, 0, "its moves lead to another position than it had", now=game))
    if record.status == FINISHED and not game.finished:
        return Judged(
            _bad(kept, old, DIFFERS, 0, f"it is marked as finished, but after {len(kept.moves)} moves it is not")
        )
    changed: tuple[str, ...] = ()
    if kept.begun is not None:
        now = fingerprint.tables(game.definition)
        if fingerprint.fingerprint(now) != kept.begun.fingerprint:
            changed = fingerprint.changed(kept.begun.tables, now)
    if before is None and kept.moves and not any(kept.digests):
        changed = (UNPROVED,)
    if before is not None and kept.snapshot is not None and not game.finished:
        might = snapshots.offer_of(kept.snapshot)
        if might is not None and might != snapshots.offered(game):
            changed = (*changed, OFFER)
    kind = NEW_RULES if changed else EQUAL
    return Judged(Verdict(kind, kept.length, tables=changed, why=", ".join(changed)), game, replay.seen)


def _seen(old: Mapping[str, Any] | None, names: list[str]) -> position.View | None:
    """An old position by meaning; None if this program does not know all that stands in it."""
    try:
        return None if old is None else position.view(old, names)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _end(replay: Replay) -> Game | None:
    """The position to which the other moves would lead; None if one of them is refused."""
    try:
        while replay.left:
            replay.step()
    except Exception:
        return None
    return replay.game


def _bad(
    kept: Kept,
    old: Mapping[str, Any] | None,
    kind: str,
    number: int,
    why: str,
    *,
    clause: str = "",
    now: Game | None = None,
) -> Verdict:
    names = [seat.name for seat in kept.record.seats]
    told: tuple[Difference, ...] = ()
    before = _seen(old, names)
    if before is not None and now is not None:
        told = position.differences(before, position.view(now.state.data(), names), names)
    earlier = last_verdict(kept)
    after_seam = sum(seq < kept.seam.seq for seq in kept.seqs) if kept.seam else 0
    return Verdict(
        kind,
        kept.length,
        move=number,
        seq=kept.seqs[number - 1] if number else 0,
        why=why,
        told=told,
        clause=clause,
        keepable=old is not None and kept_game(kept, old) is not None,
        # A position from before the seam is not to be had: the moves that led there were refused, or led elsewhere.
        backable=number > after_seam,
        running=kept.record.status == PLAYING or (earlier is not None and not earlier.sound and earlier.running),
    )


def _contradicts(known: bytes, now: bytes) -> bool:
    """Whether two digests are of different positions; those of different views say nothing of each other."""
    return known[:1] == now[:1] and known != now


def _sentence(problem: Exception) -> str:
    return str(problem) if isinstance(problem, KursbuchError) else f"the rules failed: {problem!r:.200}"


def old_position(kept: Kept) -> Mapping[str, Any] | None:
    """The last position as it was kept, under present names, whatever program kept it; None if there is none."""
    if kept.snapshot is None or kept.snapshot.length != kept.length:
        return None
    data = snapshots.position_of(kept.snapshot)
    return None if data is None else in_present_seats(kept.record, data)


def in_present_seats(record: GameRecord, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A position under the names of those who sit there now."""
    try:
        then = [
            next(name for name in (seat.name, *reversed(seat.former)) if name in data["cash"]) for seat in record.seats
        ]
    except (StopIteration, KeyError, TypeError):
        return None
    found: Mapping[str, Any] = with_names(data, dict(zip(then, (seat.name for seat in record.seats), strict=True)))
    return found


def kept_game(kept: Kept, old: Mapping[str, Any]) -> Game | None:
    """The game in the position as it stood, under today's rules; None if it cannot be read or is not sound."""
    record = kept.record
    try:
        names = tuple(seat.name for seat in record.seats)
        form = renames.form(record.title, record.form)
        options = renames.options(record.title, record.options)
        rules = titles.rules_for(record.title, len(names), options, record.seed, form)
        moves = [snapshots.logged_move(data) for data in kept.moves]
        state = older.position(rules, names, record.seed, json.loads(json.dumps(old)))
        game = Game.resume(rules, names, record.seed, moves, state)
        return None if faults(game) else game
    except Exception:
        return None
