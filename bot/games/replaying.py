"""Games from their records and moves, and what follows from a position for those who sit at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import titles
from bot.games.seats import in_present_names
from engine import events as ev
from engine.errors import KursbuchError
from engine.game import Game
from engine.moves import from_json
from renderers.kit.changes import View
from storage.records import GameRecord


def check_version(record: GameRecord) -> None:
    """Refuse a game that was begun under a version of its title that this bot does not know."""
    title = titles.find(record.title)
    if title.version != record.title_version:
        raise KursbuchError(
            f"this game was begun under version {record.title_version} of {title.name}; "
            f"this bot knows version {title.version} only"
        )


def seen_by_all(events: Iterable[ev.Event]) -> list[dict[str, Any]]:
    """Events for a channel: what only one player may see is not in them."""
    return [event.seen_by("").data() for event in events]


def replay(record: GameRecord, moves: Sequence[Mapping[str, Any]]) -> Game:
    """A game from its record and moves, under the version of its title that it was begun with."""
    return replay_seen(record, moves)[0]


def replay_seen(record: GameRecord, moves: Sequence[Mapping[str, Any]]) -> tuple[Game, dict[str, View]]:
    """The same, with what each player saw after their last move."""
    check_version(record)
    names = [seat.name for seat in record.seats]
    game = titles.new_game(record.title, names, record.options, record.seed, record.form)
    moves = [in_present_names(record, move) for move in moves]
    last = {move["player"]: number for number, move in enumerate(moves)}
    seen = {}
    for number, move in enumerate(moves):
        game.apply(from_json(move))
        if last[move["player"]] == number:
            seen[str(move["player"])] = View.of(game)
    return game, seen


def waiting_users(record: GameRecord, game: Game) -> dict[int, str]:
    """The people who have to decide, with their names in the game."""
    names = game.offer().deciders
    return {seat.user: seat.name for seat in record.seats if seat.name in names and not seat.house}
