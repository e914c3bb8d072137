"""Short ways to make games and moves for tests of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from storage import changes, rows
from storage.records import PLAYING, GameRecord, MoveRecord, NewGame, NewNotice, Notice, Seat
from storage.sqlite import SqliteStore

NOON = datetime(2026, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
#: Discord's numbers are large; these do not fit into 32 bits or a float.
ANN, BO, CY = 1_152_921_504_606_846_977, 1_152_921_504_606_846_978, 1_152_921_504_606_846_979
NAMES = {ANN: "ann", BO: "bo", CY: "cy"}


def hours(number: float) -> datetime:
    return NOON + timedelta(hours=number)


async def create(store: SqliteStore, at: datetime, **values: Any) -> GameRecord:
    """A lobby in whatever place, and beyond any quota."""
    return await store._write(lambda db: changes.add_game(db, NewGame(**values), rows.ticks(at)))


async def log_length(store: SqliteStore, game: int) -> int:
    """The log's length."""
    kept = await store.kept(game)
    return kept.length if kept is not None else 0


async def standing_moves(store: SqliteStore, game: int) -> list[MoveRecord]:
    """The moves that stand."""
    return [move for move in await store.log(game) if move.undone_at is None]


async def untold(store: SqliteStore) -> list[Notice]:
    """All that is still to be told, in the order in which it happened."""
    found = [await store.to_tell(game) for game in await store.games_to_tell()]
    notices = [notice for each in found if each is not None for notice in each.notices]
    return sorted(notices, key=lambda notice: notice.id)


async def new_game(
    store: SqliteStore, *, channel: int = 70, host: int = ANN, at: datetime = NOON, **more: Any
) -> GameRecord:
    values: dict[str, Any] = {
        "guild": 7,
        "title": "rhl",
        "options": {"optional_2_train": True},
        "seed": 18,
        "seats_wanted": 3,
        "reminder_hours": (),
    }
    return await create(store, at, channel=channel, host=host, **(values | more))


async def playing(store: SqliteStore, *, waiting: Mapping[int, str] | None = None, **more: Any) -> GameRecord:
    """A game of three that has begun."""
    game = await new_game(store, **more)
    await store.set_seats(game.id, [Seat(name, user) for user, name in NAMES.items()])
    return await store.set_status(game.id, PLAYING, at=more.get("at", NOON), waiting=waiting)


async def append(
    store: SqliteStore,
    game: int,
    expected: int,
    moves: Sequence[Mapping[str, Any]] = ({"type": "pass", "player": "ann"},),
    *,
    user: int = ANN,
    interaction: int | None = None,
    at: datetime = NOON,
    notices: Sequence[NewNotice] = (),
    waiting: Mapping[int, str] | None = None,
    status: str | None = None,
) -> int:
    return await store.append(
        game,
        expected,
        moves,
        user=user,
        players=["ann"] * len(moves),
        interaction=interaction,
        at=at,
        notices=notices,
        waiting=waiting,
        status=status,
    )
