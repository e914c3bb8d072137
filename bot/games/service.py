"""Games in memory and in the database: load, play, undo. Save first; what is announced comes from the outbox."""

from __future__ import annotations

import asyncio
import logging
import random
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, TypeVar

import titles
from bot.games import snapshots
from bot.games.house import Houses
from bot.games.judging import Given, given_of
from bot.games.parts import Part, Recent, question_key, turn_key
from bot.games.preview_cache import previewed
from bot.games.replaying import at_seam, replay, replay_seen, seen_by_all, waiting_users
from bot.games.searching import search_all
from bot.games.seats import in_present_names
from bot.games.seeds import drawn_seed
from bot.games.stuck import Stuck, examined, unknown
from bot.games.thinking import NoAnswer, question
from bot.games.verdicts import EQUAL, NEW_RULES, Verdict, judge, kept_game, last_verdict, old_position
from bot.numbers import MOST_EXTENSION
from bot.problems import Problems
from bot.scheduler import Scheduler
from engine import events as ev
from engine import fingerprint, position
from engine.changes import View
from engine.errors import BadMove, KursbuchError, Refused
from engine.game import Game
from engine.house import ahead
from engine.house.levels import HOUSES
from engine.moves import Move, from_json, to_json
from storage.errors import QuotaError, StaleError, StorageError, TakenError
from storage.records import (
    ENDED,
    FINISHED,
    LOBBY,
    PAUSED,
    PLAYING,
    Begun,
    GameRecord,
    Kept,
    NewGame,
    NewNotice,
    Opening,
    Seat,
    Snapshot,
)
from storage.sqlite import SqliteStore

_log = logging.getLogger(__name__)

T = TypeVar("T")

#: Idle games beyond this number leave memory; they come back from their snapshots.
MOST_LIVE_GAMES = 200
#: Suggestions wait no longer than this for a game that is not in memory, the database's answer included. It is several
#: times what that takes; whoever has to wait longer waits for a crowd, and is better served by the next key.
SUGGESTION_SECONDS = 0.1
#: While so many games are being brought back, suggestions do not wait at all: the event loop has enough to do.
MANY_LOADING = 4


class ServiceError(KursbuchError):
    """Something that a person asked for is not possible; `key` and `values` make the sentence.

    `rule` is the clause that it rests on, if it is one of the rules.
    """

    def __init__(self, key: str, *, rule: str = "", **values: Any) -> None:
        self.key = key
        self.rule = rule
        self.values = values
        super().__init__(key)


class Stale(ServiceError):
    """The panel that somebody used was made for an earlier position."""

    def __init__(self) -> None:
        super().__init__("refuse.stale")


class Unsettled(ServiceError):
    """The program has changed what a game's moves lead to, and its host has not chosen yet how it goes on."""

    def __init__(self, record: GameRecord, verdict: Verdict) -> None:
        self.record = record
        self.verdict = verdict
        super().__init__("refuse.unsettled")


class NotLoaded(ServiceError):
    """What somebody asked for needs a game that can go on, and this one cannot."""

    def __init__(self, stuck: Stuck) -> None:
        self.stuck = stuck
        super().__init__(f"stuck.{stuck.why}", **stuck.facts)


@dataclass(frozen=True)
class Live:
    """A game being played, as it was at one moment.

    Every change puts a new one in its place: whoever holds one over an await still has a position, its number and
    its offer that belong together.
    """

    record: GameRecord
    game: Game
    #: The length of the log, and the entries of the moves that stand.
    length: int
    seqs: tuple[int, ...]
    #: What each player saw after their last move.
    seen: Mapping[str, View]

    def player_of(self, user: int) -> str:
        """The name in the game of a person; empty for somebody without a seat."""
        return next((seat.name for seat in self.record.seats if seat.user == user and not seat.house), "")

    def shows_hand(self, player: str) -> bool:
        """Whether a seat shows its hidden cards: one that changed hands does so from its next decision on."""
        taken = self.seat(player).taken
        if taken is None or player in self.game.offer().deciders:
            return True
        # From the last one back: a game whose position was kept has no moves from before that.
        moves = zip(reversed(self.seqs), reversed(self.game.moves), strict=False)
        return any(seq > taken and move.player == player for seq, move in moves)

    def neutral(self, user: int) -> bool:
        """Whether somebody is the host and does not play: nobody decides alone in their own cause."""
        return user == self.record.host and not self.player_of(user)

    def seat(self, player: str) -> Seat:
        return next(seat for seat in self.record.seats if seat.name == player)

    def snapshot(self, data: Any = None) -> Snapshot | None:
        """This position as it is kept beside the log. A move is never refused because there can be none."""
        try:
            return snapshots.take(self.record, self.game, self.length, self.seqs, self.seen, data)
        except Exception:
            _log.exception("no snapshot can be taken of game %d", self.record.id)
            return None


class Made:
    """The positions after some moves as plain data, for what is kept of them: each is made once."""

    def __init__(self, passed: Sequence[Game]) -> None:
        self._passed = passed
        self._last: Any = None

    def kept(self, now: Live) -> tuple[Sequence[bytes | None], Snapshot | None]:
        """What is kept of them beside the log: a digest of each, and the last of them, which is that of `now`."""
        return self.digests(), now.snapshot(self.last())

    def digests(self) -> Sequence[bytes | None]:
        """A digest of each. A move is never refused because there can be none."""
        try:
            *before, last = self._passed
            return [position.digest(each.state.data(), each.players) for each in before] + [
                position.digest(self.last(), last.players)
            ]
        except Exception:
            _log.exception("no digests can be made of the moves of a game")
            return [None] * len(self._passed)

    def last(self) -> Any:
        """The data of the last position."""
        if self._last is None:
            self._last = self._passed[-1].state.data()
        return self._last


def utc_now() -> datetime:
    return datetime.now(UTC)


class GameService:
    """Everything that changes a game goes through here, one change of a game at a time."""

    def __init__(
        self,
        store: SqliteStore,
        now: Callable[[], datetime] = utc_now,
        *,
        scheduler: Scheduler | None = None,
        problems: Problems | None = None,
    ) -> None:
        self.store = store
        self.now = now
        self.scheduler = scheduler or Scheduler()
        self.problems = problems or Problems()
        self._live: OrderedDict[int, Live] = OrderedDict()
        #: Games that could not be loaded: nobody waits for it twice.
        self._stuck: OrderedDict[int, Stuck] = OrderedDict()
        #: Gone as soon as nobody holds or awaits them.
        self._locks: weakref.WeakValueDictionary[int, asyncio.Lock] = weakref.WeakValueDictionary()
        #: Games that are being looked for and brought back, by channel, for those who cannot wait for it.
        self._loading: dict[int, asyncio.Task[Live | None]] = {}
        #: A thread each, so that a short reading never waits for a long replay, and several replays never for the
        #: interpreter: then the event loop, too, would wait for all of them.
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="snapshots")
        self._replaying = ThreadPoolExecutor(1, thread_name_prefix="replays")
        #: What is kept beside the log is put together here, so that the database gets values and calls nobody.
        self._keeping = ThreadPoolExecutor(1, thread_name_prefix="positions")
        #: What happened lately in each game, for panels that are open.
        self.recent = Recent()
        self.houses = Houses(self)
        #: Called after every change, so that announcements and reminders are looked at.
        self.changed: Callable[[int], None] = lambda game: None

    @asynccontextmanager
    async def _locked(self, game: int) -> AsyncIterator[None]:
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            yield

    @contextmanager
    def _saving(self, game: int) -> Iterator[None]:
        """Around a change of the log: if it fails, what is in the database is the truth and memory may be behind it."""
        try:
            yield
        except BaseException:
            self.forget(game)
            raise

    # ------------------------------------------------------------------ loading

    async def live(self, game: int, at_least: int = 0) -> Live:
        """A game that has begun, from memory or by replay; `at_least` is a length that somebody has seen.

        From memory without waiting for a change that is being made: the house may think for seconds. Unsettled if it
        cannot go on.
        """
        found = self.remembered(game, at_least)
        if found is not None:
            return found
        async with self._locked(game):
            return await self._load(game, at_least)

    async def found(self, game: int, at_least: int = 0) -> Live | Stuck:
        """A game with its position, for whoever can do with one that cannot go on."""
        known = self._stuck.get(game)
        if known is not None and known.length >= at_least:
            return known
        try:
            return await self.live(game, at_least)
        except Unsettled as unsettled:
            kept = await self.store.kept(game)
            if kept is None:
                raise ServiceError("refuse.no_game") from None
            verdict = unsettled.verdict
            stuck = await self._in(self._replaying, lambda: examined(kept, verdict))
            self.problems.note("loading", game, verdict.why)
        self._stuck[game] = stuck
        while len(self._stuck) > MOST_LIVE_GAMES:
            self._stuck.popitem(last=False)
        return stuck

    def remembered(self, game: int, at_least: int = 0) -> Live | None:
        """A game if it is in memory; for answers that cannot wait."""
        found = self._live.get(game)
        # A panel that is ahead of us was made by another process: then memory is behind the database.
        if found is None or found.length < at_least:
            return None
        self._live.move_to_end(game)
        return found

    def known_stuck(self, record: GameRecord) -> Stuck | None:
        """A game or lobby of which it is known, without loading anything, that it cannot go on."""
        if record.id in self._live:
            return None
        if record.status == LOBBY:
            found = unknown(record)
            return Stuck(record, *found) if found is not None else None
        return self._stuck.get(record.id)

    def played_in(self, channel: int) -> Live | None:
        """The game that is being played in a channel, if it is in memory; for answers that cannot wait."""
        for live in self._live.values():
            if live.record.channel == channel and live.record.status in (PLAYING, PAUSED):
                self._live.move_to_end(live.record.id)
                return live
        return None

    async def soon(self, place: int, find: Callable[[], Awaitable[GameRecord]]) -> Live | None:
        """The game of a place for answers that cannot wait: if it is found and there within a moment.

        It comes in any case, so that the next key has it; whoever else types there meanwhile waits for the same.
        """
        crowded = len(self._loading) >= MANY_LOADING
        task = self._loading.get(place)
        if task is None:
            self._loading[place] = task = asyncio.create_task(self._bring(find), name=f"load for {place}")
            task.add_done_callback(lambda done: self._brought(place, done))
        if not crowded:
            await asyncio.wait([task], timeout=SUGGESTION_SECONDS)
        return task.result() if task.done() and not task.cancelled() and task.exception() is None else None

    async def _bring(self, find: Callable[[], Awaitable[GameRecord]]) -> Live | None:
        try:
            record = await find()
            return None if record.status == LOBBY else self._live.get(record.id) or await self.live(record.id)
        except ServiceError:
            return None

    def _brought(self, place: int, task: asyncio.Task[Live | None]) -> None:
        self._loading.pop(place, None)
        if not task.cancelled() and (problem := task.exception()) is not None:
            _log.info("the game of channel %d could not be loaded for suggestions: %r", place, problem)

    async def _load(self, game: int, at_least: int = 0) -> Live:
        found = self.remembered(game, at_least)
        if found is not None:
            return found
        kept = await self.store.kept(game)
        if kept is None:
            raise ServiceError("refuse.no_game")
        if kept.record.started is None:
            raise ServiceError("refuse.not_playing")
        live = await self._in(self._reading, lambda: from_snapshot(kept))
        known = last_verdict(kept)
        if live is None or (known is not None and not known.sound and kept.record.status in (PLAYING, PAUSED)):
            # Another program may have stopped a game that this one leads where it led.
            live = await self._judged(kept)
        self._keep(live)
        return live

    async def _judged(self, kept: Kept) -> Live:
        """A game whose position another program has left, or nobody: Unsettled if this one leads its moves elsewhere.

        Only a verdict that lets it go on puts a new snapshot in the place of the old one.
        """
        known = last_verdict(kept)
        given = kept.verdict is not None and kept.verdict.program == snapshots.program()
        if given and known is not None and not known.sound and kept.record.status in (PLAYING, PAUSED):
            raise Unsettled(kept.record, known)
        verdict, live = await self._in(self._replaying, lambda: from_log(kept))
        if kept.record.status not in (PLAYING, PAUSED):
            # What is over is shown as it ended, if that can be read.
            if live is None:
                raise Unsettled(kept.record, verdict)
            if verdict.sound:
                await self._keep_snapshot(live)
            return live
        if given and verdict.sound and live is not None:
            await self._keep_snapshot(live)
            return live
        snapshot = await self._in(self._replaying, live.snapshot) if live is not None and verdict.sound else None
        record = await self._give(kept.record, known, verdict, snapshot)
        if live is None:
            raise Unsettled(record, verdict)
        return replace(live, record=record)

    async def judged_here(self, game: int) -> Given:
        """The verdict of a game, found in a thread of this process; it is not kept."""
        kept = await self.store.kept(game)
        return await self._in(self._replaying, lambda: given_of(kept))

    async def take_verdict(self, game: int, verdict: Verdict, snapshot: Snapshot | None) -> str:
        """Keep a verdict that was found elsewhere; gives its kind, or nothing if the game has moved on meanwhile."""
        async with self._locked(game):
            row = await self.store.verdict(game)
            record = await self._record(game)
            if row is not None and row.program == snapshots.program():
                # Somebody has asked for it meanwhile.
                return ""
            if record.status not in (PLAYING, PAUSED):
                return ""
            try:
                record = await self._give(record, None if row is None else Verdict.of(row), verdict, snapshot)
            except Stale:
                return ""
            self._keep_record(record)
            if not verdict.sound:
                self.forget(game)
        if verdict.sound and any(seat.house for seat in record.seats):
            self.houses.wake(game)
        return verdict.kind

    async def _give(
        self, record: GameRecord, known: Verdict | None, verdict: Verdict, snapshot: Snapshot | None
    ) -> GameRecord:
        """Keep a verdict, pause or resume the game, and tell people of it, all at once."""
        status, notices = None, list[NewNotice]()
        if not verdict.sound:
            status = PAUSED if record.status == PLAYING else None
            if known is None or known.kind != verdict.kind or known.move != verdict.move:
                notices.append(NewNotice("settled.paused", {"move": verdict.move}))
        else:
            if known is not None and not known.sound and known.running and record.status == PAUSED:
                status = PLAYING
                notices.append(NewNotice("settled.resumed"))
            if verdict.kind == NEW_RULES:
                notices.append(NewNotice("settled.new_rules", {"tables": list(verdict.tables)}))
        try:
            given = await self.store.judge(
                verdict.row(record.id), at=self.now(), status=status, notices=notices, snapshot=snapshot
            )
        except StorageError as problem:
            _log.warning("the verdict of game %d was not kept: %s", record.id, problem)
            return record
        if given is None:
            raise Stale
        _log.log(
            logging.DEBUG if verdict.kind == EQUAL else logging.WARNING,
            "game %d (%s) after an upgrade: %s %s", record.id, record.title, verdict.kind, verdict.why,
        )  # fmt: skip
        if notices:
            self.changed(record.id)
        return given

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    async def _keep_snapshot(self, live: Live) -> None:
        snapshot = await self._in(self._replaying, live.snapshot)
        if snapshot is None:
            return
        try:
            await self.store.keep_snapshot(live.record.id, snapshot)
        except StorageError as problem:
            _log.warning("no snapshot of game %d was kept: %s", live.record.id, problem)

    def _keep(self, live: Live) -> None:
        self.forget(live.record.id)
        self.problems.clear("loading", live.record.id)
        self._live[live.record.id] = live
        while len(self._live) > MOST_LIVE_GAMES:
            self.forget(next(iter(self._live)))

    def _keep_record(self, record: GameRecord) -> None:
        """The record has changed; the position has not."""
        live = self._live.get(record.id)
        if live is not None:
            self._live[record.id] = replace(live, record=record)
        stuck = self._stuck.get(record.id)
        if stuck is not None:
            self._stuck[record.id] = replace(stuck, record=record)

    def forget(self, game: int) -> None:
        """Drop a game from memory; it is loaded anew when it is next needed."""
        self._stuck.pop(game, None)
        old = self._live.pop(game, None)
        if old is not None:
            old.game.forget()

    async def close(self) -> None:
        """Stop the house, which goes on after the next start, and what is being loaded."""
        await self.houses.close()
        tasks = list(self._loading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for thread in (self._reading, self._replaying, self._keeping):
            thread.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ lobby

    async def open_lobby(self, game: NewGame) -> GameRecord:
        """A new lobby, unless there is a game in its place or too many elsewhere."""
        try:
            return await self.store.open_lobby(game, self.now())
        except TakenError:
            raise ServiceError("refuse.busy") from None
        except QuotaError as error:
            raise ServiceError(f"quota.{error.what}", most=error.most) from None

    async def start(self, game: int, user: int) -> Live:
        """Seat the players and begin."""
        async with self._locked(game):
            record = await self._record(game)
            if record.status != LOBBY:
                raise ServiceError("refuse.not_lobby")
            if user != record.host:
                raise ServiceError("refuse.host_only")
            check_known(record)
            title = titles.find(record.title)
            low, high = title.form(record.form).players
            if not low <= len(record.seats) <= high:
                raise ServiceError("refuse.too_few", title=title.name, low=low, high=high, count=len(record.seats))
            if record.invited:
                raise ServiceError("refuse.held_seats", names=", ".join(f"<@{each}>" for each in record.invited))
            if not record.seed_typed:
                # Not before: whoever knew the seed could choose a seat by joining earlier or later.
                record = replace(record, seed=drawn_seed(record.title, record.form, record.options))
            begun = await self._in(self._replaying, lambda: replay(record, []))
            opening = Part(0, "", "", "", seen_by_all(begun.opening))
            data = {"parts": [opening.data()], "started": True}
            try:
                record = await self.store.start_game(
                    game,
                    seed=record.seed,
                    at=self.now(),
                    notices=[NewNotice("moved", data)],
                    waiting=waiting_users(record, begun),
                    begun=begun_with(begun),
                    verdict=Verdict(EQUAL, 0).row(game),
                )
            except QuotaError as error:
                raise ServiceError(f"quota.{error.what}", most=error.most) from None
            live = Live(record, begun, 0, (), {})
            self._keep(live)
        self._has_changed(game)
        return live

    def _has_changed(self, game: int) -> None:
        self.changed(game)
        self.houses.wake(game)

    async def _record(self, game: int) -> GameRecord:
        record = await self.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        return record

    async def change_seats(self, game: int, change: Callable[[GameRecord], GameRecord]) -> GameRecord:
        """Change the seats of a lobby, and for whom some are held. A lobby that its last person leaves is closed."""
        async with self._locked(game):
            record = await self._record(game)
            if record.status != LOBBY:
                raise ServiceError("refuse.not_lobby")
            changed = change(record)
            people = [seat.user for seat in changed.seats if not seat.house]
            invited = [user for user in changed.invited if user not in people]
            record = await self.store.set_seats(game, changed.seats, invited=invited)
            if not people:
                return await self.store.set_status(game, ENDED, at=self.now())
            if record.host not in people:
                # A host who leaves hands over.
                record = await self.store.set_game(game, host=people[0])
            return record

    # ------------------------------------------------------------------ moves

    async def play(
        self, game: int, user: int, *moves: Move, interaction: int | None, expected: int | None = None
    ) -> tuple[ev.Event, ...]:
        """Make moves for a person: checked, saved, then remembered. Whatever refuses one of them changes nothing."""
        async with self._locked(game):
            live = await self._load(game, expected or 0)
            self.check_playing(live)
            player = live.player_of(user)
            if not player:
                raise ServiceError("refuse.not_your_game")
            if expected is not None and expected != live.length:
                raise Stale
            if any(move.player != player for move in moves):
                raise ServiceError("refuse.not_for_you")
            events = await self._append(live, moves, user, interaction)
        self._has_changed(game)
        return events

    def check_playing(self, live: Live) -> None:
        """Refuse what can only be done while the game is being played."""
        if live.record.status == PAUSED:
            raise ServiceError("refuse.paused")
        if live.record.status in (FINISHED, ENDED):
            raise ServiceError("refuse.over")

    def check_undoable(self, live: Live) -> None:
        """Refuse to take back what is over for good."""
        if live.record.status == ENDED:
            raise ServiceError("refuse.over")
        if live.game.finished and live.game.rules.secret:
            # Whoever ends the game sees what the others had hidden, and must not play on with that.
            raise ServiceError("refuse.shown")

    async def _append(
        self,
        live: Live,
        moves: Sequence[Move],
        user: int,
        interaction: int | None,
        notice: NewNotice | None = None,
    ) -> tuple[ev.Event, ...]:
        """Apply to a copy, save, and only then let the copy take the game's place. Tells what happens, or `notice`."""
        after, seen = live.game, dict(live.seen)
        events: list[ev.Event] = []
        parts: list[Part] = []
        passed: list[Game] = []
        last = {move.player: number for number, move in enumerate(moves)}
        for number, move in enumerate(moves):
            before = after
            after, told = previewed(after, [move])
            events += told
            turn, question = turn_key(before), question_key(before)
            parts.append(Part(live.length + number + 1, move.player, turn, question, seen_by_all(told)))
            passed.append(after)
            if last[move.player] == number:
                seen[move.player] = View.of(after)
        record = live.record
        if after.finished:
            record = replace(record, status=FINISHED, ended=self.now())
        length = live.length + len(moves)
        seqs = (*live.seqs, *range(live.length + 1, length + 1))
        now = Live(record, after, length, seqs, seen)
        made = Made(passed)
        notice = notice or NewNotice("moved", {"by": moves[0].player})
        notice = replace(notice, data={**notice.data, "parts": [part.data() for part in parts]})
        digests, snapshot = await self._in(self._keeping, lambda: made.kept(now))
        with self._saving(record.id):
            await self.store.append(
                record.id,
                live.length,
                [to_json(move) for move in moves],
                user=user,
                players=[move.player for move in moves],
                interaction=interaction,
                at=self.now(),
                notices=[notice],
                waiting=waiting_users(record, after),
                status=FINISHED if after.finished else None,
                snapshot=snapshot,
                digests=digests,
            )
        self._keep(now)
        self.recent.add(record.id, parts)
        return tuple(events)

    async def house_move(self, game: int) -> bool:
        """One move of the house; False if it is not its turn."""
        async with self._locked(game):
            if self.remembered(game) is None and (await self._record(game)).status != PLAYING:
                # A lobby that was closed, or a game that is over, need not be loaded for that.
                return False
            try:
                live = await self._load(game)
            except Unsettled:
                return False
            if live.record.status != PLAYING:
                return False
            seats = [live.seat(name) for name in live.game.offer().deciders]
            seat = next((seat for seat in seats if seat.house), None)
            if seat is None:
                return False
            if seat.house in ahead.LEVELS:
                asked = question(live.game, seat.name, seat.house)
            else:
                await self._easy_move(live, seat)
                return True
            length = live.length
        # Nobody waits for what is thought: whoever changes the game meanwhile is answered at once.
        try:
            move = await self.houses.thinking.move(asked)
        except NoAnswer as problem:
            _log.warning("game %d: the easy player moves for %s: %s", game, seat.name, problem)
            move = None
        async with self._locked(game):
            live = await self._load(game)
            if live.length != length or live.record.status != PLAYING or seat not in live.record.seats:
                raise StaleError
            if move is None:
                await self._easy_move(live, seat)
            else:
                await self._thought_move(live, seat, move)
            return True

    async def _thought_move(self, live: Live, seat: Seat, move: Move) -> None:
        """A move that was thought of elsewhere; whatever is wrong with it, the house goes on."""
        twin = live.game.copy()
        await asyncio.to_thread(search_all, twin)
        live.game.learn(twin)
        try:
            live.game.check(move)
        except Refused as refusal:
            _log.warning("game %d: what was thought for %s is not allowed: %r", live.record.id, seat.name, refusal)
            await self._easy_move(live, seat)
            return
        await self._append(live, [move], 0, None)

    async def _easy_move(self, live: Live, seat: Seat) -> None:
        """A move of a house player that does not look ahead; the game's lock is held."""
        # By the moves that stand, so that an undo throws no dice anew, and by what nobody is shown.
        chance = random.Random(f"{live.record.salt} {len(live.seqs)} {live.game.state.digest()}")
        house = HOUSES["easy" if seat.house in ahead.LEVELS else seat.house]()
        # On a copy: what is derived from a position is kept in it, and the event loop uses it meanwhile.
        twin = live.game.copy()
        await asyncio.to_thread(search_all, twin)
        move = await asyncio.to_thread(house.choose, twin, seat.name, chance)
        live.game.learn(twin)
        await self._append(live, [move], 0, None)

    # ------------------------------------------------------------------ undo and redo

    async def undo(
        self, game: int, user: int, count: int, *, interaction: int | None, expected: int, ping: Sequence[int] = ()
    ) -> Sequence[Mapping[str, Any]]:
        """Take back the last moves, and tell it to some by a ping; gives them, oldest first."""
        async with self._locked(game):
            live = await self._load(game, expected)
            if expected != live.length:
                raise Stale
            self.check_undoable(live)
            if not 0 < count <= len(live.seqs):
                raise ServiceError("refuse.nothing_to_undo")
            start = at_seam(await self._kept(game))
            if start is not None and len(live.seqs) - count < start.number:
                # What led to the position of a seam leads elsewhere now, or nowhere.
                raise ServiceError("refuse.before_seam", most=len(live.seqs) - start.number)
            taken = live.seqs[-count:]
            moves = [to_json(move) for move in live.game.moves]
            fallen, rest = moves[-count:], moves[:-count]
            before, seen = await self._in(self._replaying, lambda: replay_seen(live.record, rest, start))
            record = live.record
            if record.status == FINISHED:
                record = replace(record, status=PLAYING, ended=None)
            now = Live(record, before, live.length + 1, live.seqs[:-count], seen)
            snapshot = await self._in(self._keeping, now.snapshot)
            with self._saving(game):
                await self.store.undo(
                    game,
                    live.length,
                    taken,
                    user=user,
                    interaction=interaction,
                    at=self.now(),
                    notices=[
                        NewNotice("undone", {"count": count, "user": user, "seqs": list(taken), "ping": list(ping)})
                    ],
                    waiting=waiting_users(record, before),
                    status=record.status if record is not live.record else None,
                    snapshot=snapshot,
                )
            self._keep(now)
        self._has_changed(game)
        return fallen

    async def redoable(self, game: int) -> list[Mapping[str, Any]]:
        """The moves that the last undo took, if nothing else has been played since."""
        record = await self._record(game)
        batches: list[list[Mapping[str, Any]]] = []
        moves: dict[int, Mapping[str, Any]] = {}
        for entry in await self.store.entries(game):
            if entry.seam:
                batches.clear()
                continue
            if entry.undoes:
                batches.append([moves[seq] for seq in sorted(entry.undoes) if seq in moves])
                continue
            move = in_present_names(record, entry.move)
            moves[entry.seq] = move
            # The same move again, by hand or by a redo, brings it back; any other begins a new line.
            if batches and batches[-1][0] == move:
                batches[-1].pop(0)
                if not batches[-1]:
                    batches.pop()
            else:
                batches.clear()
        return batches[-1] if batches else []

    async def redo(self, game: int, user: int, *, interaction: int | None) -> int:
        """Bring back what the last undo took: for those who made these moves, or for a host who does not play."""
        async with self._locked(game):
            live = await self._load(game)
            self.check_playing(live)
            batch = await self.redoable(game)
            if not batch:
                raise ServiceError("refuse.nothing_to_redo")
            makers = {seat.user for seat in live.record.seats if not seat.house} & {
                live.seat(str(move["player"])).user for move in batch
            }
            if makers - {user} and not live.neutral(user):
                raise ServiceError("refuse.not_your_redo")
            notice = NewNotice("redone", {"count": len(batch), "user": user})
            try:
                await self._append(live, [from_json(move) for move in batch], user, interaction, notice)
            except (Refused, BadMove):
                raise ServiceError("refuse.nothing_to_redo") from None
        self._has_changed(game)
        return len(batch)

    def own_last_moves(self, live: Live, user: int) -> tuple[int, bool]:
        """How many moves an undo takes back for somebody, and whether all of them are their own.

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

    async def set_status(self, game: int, status: str, notice: NewNotice) -> GameRecord:
        """Pause, resume or end. All but going on is possible with a game that cannot be loaded."""
        async with self._locked(game):
            if status == PLAYING and (unsettled := await self.verdict(game)) is not None:
                raise Unsettled(await self._record(game), unsettled)
            record = await self.store.set_status(game, status, at=self.now(), notices=[notice])
            self._keep_record(record)
        self._has_changed(game)
        return record

    # ------------------------------------------------------------------ after an upgrade

    async def verdict(self, game: int) -> Verdict | None:
        """The verdict of a game whose host has yet to choose how it goes on."""
        row = await self.store.verdict(game)
        found = None if row is None else Verdict.of(row)
        return None if found is None or found.sound else found

    async def _kept(self, game: int) -> Kept:
        kept = await self.store.kept(game)
        if kept is None:
            raise ServiceError("refuse.no_game")
        return kept

    async def _to_settle(self, game: int, user: int, expected: int, force: bool) -> tuple[Kept, Verdict]:
        """A game that waits for this choice, as it was when the choice was shown; for the host, or an administrator."""
        kept = await self._kept(game)
        verdict = last_verdict(kept)
        if user != kept.record.host and not force:
            raise ServiceError("refuse.host_only")
        if kept.length != expected or verdict is None or verdict.sound or kept.record.status in (FINISHED, ENDED):
            # Somebody has chosen before.
            raise Stale
        if kept.verdict is None or kept.verdict.program != snapshots.program():
            # It is another program's, and this one may find otherwise.
            raise Stale
        return kept, verdict

    async def keep_position(self, game: int, user: int, *, expected: int, force: bool = False) -> None:
        """The position stays as it stands, and the rules of today hold from here: a seam in the log."""
        async with self._locked(game):
            kept, verdict = await self._to_settle(game, user, expected, force)
            old = old_position(kept)
            found = None if old is None else await self._in(self._replaying, lambda: kept_game(kept, old))
            if old is None or found is None:
                raise ServiceError("refuse.not_keepable")
            record, length = kept.record, kept.length + 1
            status = PLAYING if verdict.running else None
            now = Live(record, found, length, kept.seqs, {})
            snapshot = await self._in(self._keeping, now.snapshot)
            with self._saving(game):
                await self.store.add_seam(
                    game,
                    kept.length,
                    position=old,
                    players=[seat.name for seat in record.seats],
                    reason=verdict.why,
                    user=user,
                    at=self.now(),
                    notices=[NewNotice("settled.kept", {"user": user})],
                    waiting=waiting_users(record, found),
                    status=status,
                    snapshot=snapshot,
                    verdict=Verdict(EQUAL, length).row(game),
                )
            self.forget(game)
        self._has_changed(game)

    async def go_back(self, game: int, user: int, *, expected: int, force: bool = False) -> int:
        """Back to before the first move that differs; gives how many moves were undone."""
        async with self._locked(game):
            kept, verdict = await self._to_settle(game, user, expected, force)
            if not verdict.backable or not verdict.move:
                raise ServiceError("refuse.not_backable")
            record, stay = kept.record, verdict.move - 1
            rest, taken = kept.moves[:stay], kept.seqs[stay:]
            before, seen = await self._in(self._replaying, lambda: replay_seen(record, rest, at_seam(kept)))
            now = Live(record, before, kept.length + 1, kept.seqs[:stay], seen)
            snapshot = await self._in(self._keeping, now.snapshot)
            told = {"count": len(taken), "move": verdict.move, "seqs": list(taken), "user": user}
            with self._saving(game):
                await self.store.undo(
                    game,
                    kept.length,
                    taken,
                    user=user,
                    interaction=None,
                    at=self.now(),
                    notices=[NewNotice("settled.back", told)],
                    waiting=waiting_users(record, before),
                    status=PLAYING if verdict.running else None,
                    snapshot=snapshot,
                    verdict=Verdict(EQUAL, now.length).row(game),
                    reason=verdict.why,
                )
            self.forget(game)
        self._has_changed(game)
        return len(taken)

    async def end_unsettled(self, game: int, user: int, *, expected: int, force: bool = False) -> GameRecord:
        """End a game with the standing as it was; its log and its last position stay as they are."""
        async with self._locked(game):
            await self._to_settle(game, user, expected, force)
            notice = NewNotice("settled.ended", {"user": user})
            record = await self.store.set_status(game, ENDED, at=self.now(), notices=[notice])
            self.forget(game)
        self._has_changed(game)
        return record

    async def set_host(self, game: int, user: int, notice: NewNotice) -> GameRecord:
        """Make somebody the host, and say so."""
        async with self._locked(game):
            record = await self.store.set_game(game, host=user)
            record = await self.store.set_status(game, record.status, at=self.now(), notices=[notice])
            self._keep_record(record)
        self.changed(game)
        return record

    async def extend(self, game: int, hours: int, notice: NewNotice) -> None:
        """Grant more hours for the turn."""
        async with self._locked(game):
            record = (await self._load(game)).record
            if record.extension_hours + hours > MOST_EXTENSION:
                raise ServiceError("refuse.too_long", most=MOST_EXTENSION, had=record.extension_hours)
            await self.store.set_game(game, extension_hours=record.extension_hours + hours)
            record = await self.store.set_status(game, record.status, at=self.now(), notices=[notice])
            self._keep_record(record)
        self.changed(game)

    async def replace(self, game: int, player: str, seat: Seat, notice: NewNotice) -> None:
        """Give somebody's seat, with all that belongs to it, to another person or to the house."""
        async with self._locked(game):
            live = await self._load(game)
            before = live.seat(player)
            users = (*before.former_users, *(() if before.house else (before.user,)))
            seat = replace(
                seat,
                former=tuple(dict.fromkeys((*before.former, player))),
                former_users=tuple(dict.fromkeys(users)),
                taken=live.length,
            )
            seats = tuple(seat if old is before else old for old in live.record.seats)
            names = {seat.name if name == player else name for name in live.game.offer().deciders}
            waiting = {each.user: each.name for each in seats if each.name in names and not each.house}
            await self.store.set_seats(game, seats, at=self.now(), notices=[notice], waiting=waiting)
            if live.record.host == before.user and not before.house:
                # A host who leaves hands over: to whoever takes the seat, or else to the first person at the table.
                people = [each.user for each in (seat, *seats) if not each.house]
                await self.store.set_game(game, host=people[0] if people else live.record.host)
            # From now on it is a game of other names.
            self.forget(game)
            self.recent.forget(game)
        self._has_changed(game)


def begun_with(game: Game) -> Begun:
    """What a game is begun with, to be kept with it."""
    tables = fingerprint.tables(game.definition)
    drawn = position.digest(game.state.data(), game.players)
    opening = Opening(game.state.data(), game.players)
    return Begun(metadata.version("kursbuch"), fingerprint.fingerprint(tables), tables, drawn, opening)


def shown_of(found: Live | Stuck) -> Game:
    """What there is to look at of a game; NotLoaded if there is nothing."""
    if isinstance(found, Live):
        return found.game
    if found.shown is None:
        raise NotLoaded(found)
    return found.shown


def check_known(record: GameRecord) -> None:
    """Refuse to begin what this program does not know."""
    found = unknown(record)
    if found is not None:
        raise NotLoaded(Stuck(record, *found))


def from_snapshot(kept: Kept) -> Live | None:
    """A game from its snapshot; None if it has none that fits. Its offer is made here, not in the event loop."""
    found = snapshots.read(kept)
    return None if found is None else _offered(kept, *found)


def from_log(kept: Kept) -> tuple[Verdict, Live | None]:
    """A game from its log, replayed and judged; of one that is over, the position in which it was left."""
    judged = judge(kept)
    if judged.game is not None:
        return judged.verdict, _offered(kept, judged.game, judged.seen or {})
    if kept.record.status in (FINISHED, ENDED) and (old := old_position(kept)) is not None:
        game = kept_game(kept, old)
        return judged.verdict, None if game is None else _offered(kept, game, {})
    return judged.verdict, None


def _offered(kept: Kept, game: Game, seen: Mapping[str, View]) -> Live:
    game.offer()
    return Live(kept.record, game, kept.length, kept.seqs, seen)
