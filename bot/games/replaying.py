"""Games from their records and moves, and what follows from a position for those who sit at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import titles
from bot.games.seats import in_present_names
from engine import events as ev
from engine import older, position, renames
from engine.changes import View
from engine.game import Game
from engine.moves import from_json
from storage.records import GameRecord, Kept


def seen_by_all(events: Iterable[ev.Event]) -> list[dict[str, Any]]:
    """Events for a channel: what only one player may see is not in them."""
    return [event.seen_by("").data() for event in events]


@dataclass(frozen=True)
class Start:
    """The position in the log that a replay begins with, under present names, and how many moves stand before it."""

    number: int
    position: Mapping[str, Any]


def at_seam(kept: Kept) -> Start | None:
    """Where a replay of a game begins, if it is not the beginning that is drawn from its seed today."""
    seam = kept.seam
    if seam is None:
        opening = kept.begun.opening if kept.begun is not None else None
        if opening is None or _drawn_again(kept):
            return None
        return Start(0, _under_present_names(kept, opening.position, opening.players))
    number = sum(seq < seam.seq for seq in kept.seqs)
    return Start(number, _under_present_names(kept, seam.position, seam.players))


def _drawn_again(kept: Kept) -> bool:
    """Whether the seed still draws the seats, cards and scenario of the beginning, as far as that can be said."""
    assert kept.begun is not None
    game = Replay.begin(kept.record, ()).game
    now = position.digest(game.state.data(), game.players)
    return now[0] != kept.begun.drawn[0] or now == kept.begun.drawn


def _under_present_names(kept: Kept, found: Mapping[str, Any], players: Sequence[str]) -> Mapping[str, Any]:
    named: Mapping[str, Any] = with_names(found, dict(zip(players, (s.name for s in kept.record.seats), strict=True)))
    return named


def with_names(value: Any, names: Mapping[str, str]) -> Any:
    """A position in which people have other names."""
    if all(old == new for old, new in names.items()):
        return value
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {names.get(key, key): with_names(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_names(item, names) for item in value]
    return value


class Replay:
    """A game that is being replayed from its record, move by move, with what each player saw after their last one."""

    def __init__(self, game: Game, moves: Sequence[Mapping[str, Any]], number: int) -> None:
        self.game = game
        self.seen: dict[str, View] = {}
        self._moves = moves
        #: So many moves have been made.
        self.number = number
        self._last = {str(move.get("player")): place for place, move in enumerate(moves, start=1)}

    @classmethod
    def begin(cls, record: GameRecord, moves: Sequence[Mapping[str, Any]], start: Start | None = None) -> Replay:
        """Under the rules of today, from the beginning or from a seam."""
        names = tuple(seat.name for seat in record.seats)
        form, options = renames.form(record.title, record.form), renames.options(record.title, record.options)
        moves = [renames.move(in_present_names(record, move)) for move in moves]
        if start is None:
            return cls(titles.new_game(record.title, names, options, record.seed, form), moves, 0)
        rules = titles.rules_for(record.title, len(names), options, record.seed, form)
        before = [from_json(move) for move in moves[: start.number]]
        kept = older.position(rules, names, record.seed, start.position)
        game = Game.resume(rules, names, record.seed, before, kept)
        return cls(game, moves, start.number)

    @property
    def left(self) -> bool:
        return self.number < len(self._moves)

    def step(self) -> None:
        """Make the next move."""
        move = self._moves[self.number]
        self.game.apply(from_json(move))
        self.number += 1
        if self._last[str(move["player"])] == self.number:
            self.seen[str(move["player"])] = View.of(self.game)


def replay(record: GameRecord, moves: Sequence[Mapping[str, Any]]) -> Game:
    """A game from its record and moves."""
    return replay_seen(record, moves)[0]


def replay_seen(
    record: GameRecord, moves: Sequence[Mapping[str, Any]], start: Start | None = None
) -> tuple[Game, dict[str, View]]:
    """A game replayed, with what each player saw after their last move."""
    made = Replay.begin(record, moves, start)
    while made.left:
        made.step()
    return made.game, made.seen


def waiting_users(record: GameRecord, game: Game) -> dict[int, str]:
    """The people who have to decide, with their names in the game."""
    names = game.offer().deciders
    return {seat.user: seat.name for seat in record.seats if seat.name in names and not seat.house}
