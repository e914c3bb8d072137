"""Games in memory and in the database: load, play, undo. Save first; what is announced comes from the outbox."""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import titles
from engine import events as ev
from engine.errors import BadMove, KursbuchError, Refused
from engine.game import Game
from engine.house import HOUSES
from engine.moves import Move, from_json, to_json
from storage.records import ENDED, FINISHED, LOBBY, PAUSED, PLAYING, GameRecord, NewNotice, Seat
from storage.store import Store

#: Idle games beyond this number leave memory; they come back by replay.
MOST_LIVE_GAMES = 200


class ServiceError(KursbuchError):
    """Something that a person asked for is not possible; `key` and `values` make the sentence."""

    def __init__(self, key: str, **values: Any) -> None:
        self.key = key
        self.values = values
        super().__init__(key)


class Stale(ServiceError):
    """The panel that somebody used was made for an earlier position."""

    def __init__(self) -> None:
        super().__init__("refuse.stale")


@dataclass
class Live:
    """A game being played, as it is in memory."""

    record: GameRecord
    game: Game
    #: The length of the log, and the entries of the moves that stand.
    length: int
    seqs: list[int]

    def player_of(self, user: int) -> str:
        """The name in the game of a person; empty if he has no seat."""
        return next((seat.name for seat in self.record.seats if seat.user == user and not seat.house), "")

    def seat(self, player: str) -> Seat:
        return next(seat for seat in self.record.seats if seat.name == player)


def utc_now() -> datetime:
    return datetime.now(UTC)


class GameService:
    """Everything that changes a game goes through here, one change of a game at a time."""

    def __init__(self, store: Store, now: Callable[[], datetime] = utc_now) -> None:
        self.store = store
        self.now = now
        self._live: OrderedDict[int, Live] = OrderedDict()
        self._locks: dict[int, asyncio.Lock] = {}
        #: Called after every change, so that announcements and reminders are looked at.
        self.changed: Callable[[int], None] = lambda game: None

    @asynccontextmanager
    async def _locked(self, game: int) -> AsyncIterator[None]:
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            yield

    # ------------------------------------------------------------------ loading

    async def live(self, game: int) -> Live:
        """A game that has begun, from memory or by replay."""
        async with self._locked(game):
            return await self._load(game)

    def remembered(self, game: int) -> Live | None:
        """A game if it is in memory; for answers that cannot wait."""
        return self._live.get(game)

    async def _load(self, game: int) -> Live:
        found = self._live.get(game)
        if found is not None:
            self._live.move_to_end(game)
            return found
        record = await self.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        if record.status == LOBBY:
            raise ServiceError("refuse.not_playing")
        moves = await self.store.moves(game)
        length = await self.store.length(game)
        played = await asyncio.to_thread(replay, record, [move.move for move in moves])
        live = Live(record, played, length, [move.seq for move in moves])
        self._live[game] = live
        while len(self._live) > MOST_LIVE_GAMES:
            self._live.popitem(last=False)
        return live

    def forget(self, game: int) -> None:
        """Drop a game from memory; it is loaded anew when it is next needed."""
        self._live.pop(game, None)

    # ------------------------------------------------------------------ lobby

    async def start(self, game: int, user: int) -> Live:
        """Seat the players and begin."""
        async with self._locked(game):
            record = await self._record(game)
            if record.status != LOBBY:
                raise ServiceError("refuse.not_lobby")
            if user != record.host:
                raise ServiceError("refuse.host_only")
            title = titles.find(record.title)
            low, high = title.players
            if not low <= len(record.seats) <= high:
                raise ServiceError("refuse.too_few", title=title.name, low=low, high=high, count=len(record.seats))
            begun = await asyncio.to_thread(replay, record, [])
            data = {"events": [event.data() for event in begun.opening], "started": True}
            await self.store.set_waiting(game, waiting_users(record, begun), self.now())
            record = await self.store.set_status(
                game, PLAYING, at=self.now(), notices=[NewNotice("moved", data)]
            )
            live = Live(record, begun, await self.store.length(game), [])
            self._live[game] = live
        self.changed(game)
        await self.play_house(game)
        return live

    async def _record(self, game: int) -> GameRecord:
        record = await self.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        return record

    async def change_seats(self, game: int, change: Callable[[GameRecord], Sequence[Seat]]) -> GameRecord:
        """Change the seats of a lobby."""
        async with self._locked(game):
            record = await self._record(game)
            if record.status != LOBBY:
                raise ServiceError("refuse.not_lobby")
            await self.store.set_seats(game, change(record))
            return await self._record(game)

    # ------------------------------------------------------------------ moves

    async def play(
        self, game: int, user: int, move: Move, *, interaction: int | None, expected: int | None = None
    ) -> tuple[ev.Event, ...]:
        """Make a move for a person: checked, saved, then remembered. Whatever refuses it changes nothing."""
        async with self._locked(game):
            live = await self._load(game)
            self._check_playing(live)
            player = live.player_of(user)
            if not player:
                raise ServiceError("refuse.not_your_game")
            if expected is not None and expected != live.length:
                raise Stale
            if move.player != player:
                raise ServiceError("refuse.not_for_you")
            events = await self._append(live, move, user, interaction)
        self.changed(game)
        await self.play_house(game)
        return events

    def _check_playing(self, live: Live) -> None:
        if live.record.status == PAUSED:
            raise ServiceError("refuse.paused")
        if live.record.status in (FINISHED, ENDED):
            raise ServiceError("refuse.over")

    async def _append(self, live: Live, move: Move, user: int, interaction: int | None) -> tuple[ev.Event, ...]:
        """Apply to a copy, save, and only then let the copy take the game's place."""
        after = live.game.copy()
        events = after.apply(move)
        status = FINISHED if after.finished else None
        try:
            length = await self.store.append(
                live.record.id,
                live.length,
                [to_json(move)],
                user=user,
                players=[move.player],
                interaction=interaction,
                at=self.now(),
                notices=[NewNotice("moved", {"events": [event.data() for event in events], "by": move.player})],
                waiting=waiting_users(live.record, after),
                status=status,
            )
        except Exception:
            # Whatever is in the database now is the truth; memory may be behind it.
            self.forget(live.record.id)
            raise
        live.game = after
        live.length = length
        live.seqs.append(length)
        if status:
            live.record = await self._record(live.record.id)
        return events

    async def preview(self, game: int, move: Move) -> tuple[Game, tuple[ev.Event, ...]]:
        """What a move would lead to, without making it."""
        live = await self.live(game)
        after = live.game.copy()
        return after, after.apply(move)

    async def play_house(self, game: int) -> None:
        """Let house players move until a person has to decide."""
        moved = False
        while True:
            async with self._locked(game):
                live = await self._load(game)
                if live.record.status != PLAYING or live.game.finished:
                    break
                seat = next(
                    (live.seat(name) for name in live.game.offer().deciders if live.seat(name).house), None
                )
                if seat is None:
                    break
                chance = random.Random(f"{live.record.seed} {live.length}")
                house = HOUSES[seat.house]()
                move = await asyncio.to_thread(house.choose, live.game, seat.name, chance)
                await self._append(live, move, 0, None)
                moved = True
        if moved:
            self.changed(game)

    # ------------------------------------------------------------------ undo and redo

    async def undo(
        self, game: int, user: int, count: int, *, interaction: int | None, expected: int
    ) -> Sequence[Mapping[str, Any]]:
        """Take back the last moves; gives them, oldest first."""
        async with self._locked(game):
            live = await self._load(game)
            if expected != live.length:
                raise Stale
            if not 0 < count <= len(live.seqs):
                raise ServiceError("refuse.nothing_to_undo")
            taken = live.seqs[-count:]
            moves = [to_json(move) for move in live.game.moves]
            fallen, rest = moves[-count:], moves[:-count]
            before = await asyncio.to_thread(replay, live.record, rest)
            status = PLAYING if live.record.status == FINISHED else None
            length = await self.store.undo(
                game,
                live.length,
                taken,
                user=user,
                interaction=interaction,
                at=self.now(),
                notices=[NewNotice("undone", {"count": count, "user": user})],
                waiting=waiting_users(live.record, before),
                status=status,
            )
            live.game, live.length, live.seqs = before, length, live.seqs[:-count]
            if status:
                live.record = await self._record(game)
        self.changed(game)
        return fallen

    async def redo(self, game: int, user: int, *, interaction: int | None) -> int:
        """Bring back what the last undo took, if nothing has been played since."""
        async with self._locked(game):
            live = await self._load(game)
            log = await self.store.log(game)
            undone = [entry for entry in log if entry.undone_at is not None]
            if not undone:
                raise ServiceError("refuse.nothing_to_redo")
            last = max(entry.undone_at for entry in undone if entry.undone_at is not None)
            batch = [entry for entry in undone if entry.undone_at == last]
            if live.seqs and live.seqs[-1] > batch[-1].seq:
                raise ServiceError("refuse.nothing_to_redo")
            after = live.game.copy()
            try:
                for entry in batch:
                    after.apply(from_json(entry.move))
            except (Refused, BadMove):
                raise ServiceError("refuse.nothing_to_redo") from None
            length = await self.store.append(
                game,
                live.length,
                [entry.move for entry in batch],
                user=user,
                players=[entry.player for entry in batch],
                interaction=interaction,
                at=self.now(),
                notices=[NewNotice("redone", {"count": len(batch), "user": user})],
                waiting=waiting_users(live.record, after),
                status=FINISHED if after.finished else None,
            )
            live.seqs += range(length - len(batch) + 1, length + 1)
            live.game, live.length = after, length
            live.record = await self._record(game)
        self.changed(game)
        return len(batch)

    def own_last_moves(self, live: Live, user: int) -> tuple[int, bool]:
        """How many moves an undo takes back for somebody, and whether all of them are his own.

        Moves of the house in between fall with them and need nobody's consent.
        """
        player = live.player_of(user)
        own = True
        for count, move in enumerate(reversed(live.game.moves), start=1):
            if move.player == player:
                return count, own
            if not live.seat(move.player).house:
                own = False
        return 0, False

    # ------------------------------------------------------------------ the host

    async def set_status(self, game: int, status: str, notice: NewNotice) -> None:
        async with self._locked(game):
            record = await self.store.set_status(game, status, at=self.now(), notices=[notice])
            live = self._live.get(game)
            if live is not None:
                live.record = record
        self.changed(game)
        if status == PLAYING:
            await self.play_house(game)

    async def extend(self, game: int, hours: int, notice: NewNotice) -> None:
        async with self._locked(game):
            record = await self._record(game)
            await self.store.set_game(game, extension_hours=record.extension_hours + hours)
            record = await self.store.set_status(game, record.status, at=self.now(), notices=[notice])
            if game in self._live:
                self._live[game].record = record
        self.changed(game)

    async def replace(self, game: int, player: str, seat: Seat, notice: NewNotice) -> None:
        """Give somebody's seat to another person or to the house; the name in the game stays."""
        async with self._locked(game):
            record = await self._record(game)
            seats = [seat if old.name == player else old for old in record.seats]
            await self.store.set_seats(game, seats)
            record = await self.store.set_status(game, record.status, at=self.now(), notices=[notice])
            live = self._live.get(game)
            if live is not None:
                live.record = record
                await self.store.set_waiting(game, waiting_users(record, live.game), self.now())
        self.changed(game)
        if record.status == PLAYING:
            await self.play_house(game)


def replay(record: GameRecord, moves: Sequence[Mapping[str, Any]]) -> Game:
    """A game from its record and moves, under the version of its title that it was begun with."""
    title = titles.find(record.title)
    if title.version != record.title_version:
        raise KursbuchError(
            f"this game was begun under version {record.title_version} of {title.name}; "
            f"this bot knows version {title.version} only"
        )
    game = titles.new_game(record.title, [seat.name for seat in record.seats], record.options, record.seed)
    for move in moves:
        game.apply(from_json(move))
    return game


def waiting_users(record: GameRecord, game: Game) -> dict[int, str]:
    """The people who have to decide, with their names in the game."""
    names = game.offer().deciders
    return {seat.user: seat.name for seat in record.seats if seat.name in names and not seat.house}
