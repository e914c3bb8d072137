"""After a start: every running game gets its verdict, one after the other, by a process of its own at low priority.

Nobody's answer waits for it. The process reads the database itself, so that the event loop has nothing to do for a game
but to keep its verdict. A game that somebody asks for is judged at once, without it (`GameService.live`).
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from bot.games import snapshots, worker
from bot.games.verdicts import DIFFERS, EQUAL, REFUSED, UNREADABLE, Verdict, judge
from bot.games.worker import WorkerDied
from storage import schema
from storage.errors import StorageError
from storage.records import Kept, Snapshot
from storage.sqlite import read_kept

if TYPE_CHECKING:
    from bot.games.service import GameService

_log = logging.getLogger(__name__)

#: What the problems of games call it.
VERDICT = "verdict"
#: A game that takes longer is left to whoever asks for it.
PATIENCE_SECONDS = 120.0
#: Every so many games the log says how far the pass is.
EVERY = 500
#: A worker that has died so often will not live.
MOST_DEATHS = 20


@dataclass(frozen=True)
class Given:
    """What a worker has found out of one game: a verdict with the position to be kept, or why there is none."""

    verdict: Verdict | None = None
    snapshot: Snapshot | None = None
    problem: str = ""


def given_of(kept: Kept | None) -> Given:
    """The verdict of a game as it is kept, and its position if it goes on; nothing that it contains stops others."""
    if kept is None:
        return Given(problem="there is no such game")
    if snapshots.fits(kept):
        # This very program has left it so: it was judged before its last move was made.
        return Given(Verdict(EQUAL, kept.length))
    judged = judge(kept)
    snapshot = None
    if judged.game is not None and judged.verdict.sound:
        try:
            snapshot = snapshots.take(kept.record, judged.game, kept.length, kept.seqs, judged.seen or {})
        except Exception as problem:
            _log.warning("no snapshot can be taken of game %d: %r", kept.record.id, problem)
    return Given(judged.verdict, snapshot)


# ---------------------------------------------------------------------- the worker's side


def work(path: str) -> None:
    """Judge the games whose numbers come in."""
    db = schema.open_reader(path)
    worker.serve(lambda game: _judged(db, game))


def _judged(db: sqlite3.Connection, game: int) -> Given:
    try:
        db.execute("BEGIN")
        try:
            kept = read_kept(db, game)
        finally:
            db.execute("COMMIT")
        return given_of(kept)
    except Exception as problem:
        return Given(problem=f"{type(problem).__name__}: {problem}")


# ---------------------------------------------------------------------- the bot's side


class Worker(worker.Worker):
    """The process that judges, as the bot sees it."""

    @classmethod
    async def start(cls, path: str) -> Worker:
        return await cls.begin(__name__, path, patience=PATIENCE_SECONDS)

    async def judge(self, game: int) -> Given:
        found: Given = await self.ask(game, PATIENCE_SECONDS)
        return found


class Judging:
    """The pass through all running games after a start."""

    def __init__(self, service: GameService) -> None:
        self._service = service
        self._worker: Worker | None = None
        self._deaths = 0
        self._task: asyncio.Task[None] | None = None
        #: Games that are still to be judged, newest first.
        self.waiting: list[int] = []
        #: How many got which verdict.
        self.given: Counter[str] = Counter()

    async def start(self) -> None:
        """Look which games are to be judged, say so, and begin."""
        store, program = self._service.store, snapshots.program()
        try:
            self.waiting = await store.unjudged(program)
            counts = counted(await store.verdict_counts(program))
        except StorageError as problem:
            _log.warning("running games are judged when somebody asks for them: %s", problem)
            return
        _log.info(
            "Kursbuch %s (%s): of the running games %d are judged, %d wait for their verdict, "
            "%d are paused until their hosts have chosen",
            metadata.version("kursbuch"), program[:8], counts["judged"], counts["waiting"], counts["paused"],
        )  # fmt: skip
        if self.waiting:
            self._task = asyncio.create_task(self._run(), name="verdicts")

    async def done(self) -> None:
        """Wait for the end of the pass."""
        if self._task is not None:
            await self._task

    async def close(self) -> None:
        """Stop; what is not judged is at the next start, or when somebody asks for it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        began, count = time.monotonic(), len(self.waiting)
        try:
            for number, game in enumerate(list(self.waiting), start=1):
                await self._one(game)
                self.waiting.remove(game)
                if number % EVERY == 0:
                    _log.info("%d of %d running games are judged", number, count)
        finally:
            if self._worker is not None:
                await asyncio.shield(self._worker.close())
                self._worker = None
        _log.info("%d running games are judged after %.0f s: %s", count, time.monotonic() - began, self.summary())

    def summary(self) -> str:
        """How many got which verdict, in words."""
        return ", ".join(f"{count} {kind}" for kind, count in sorted(self.given.items())) or "none"

    async def _one(self, game: int) -> None:
        """One game; whatever is the matter with it, the next one's turn comes."""
        try:
            given = await self._found(game)
            if given.verdict is None:
                self._service.problems.note(VERDICT, game, given.problem)
                self.given["left out"] += 1
                return
            kind = await self._service.take_verdict(game, given.verdict, given.snapshot)
            self.given[kind or "judged meanwhile"] += 1
            self._service.problems.clear(VERDICT, game)
        except Exception as problem:
            self._service.problems.note(VERDICT, game, problem)
            self.given["left out"] += 1

    async def _found(self, game: int) -> Given:
        try:
            if self._worker is None and self._deaths < MOST_DEATHS:
                self._worker = await Worker.start(self._service.store.path)
            if self._worker is not None:
                return await self._worker.judge(game)
        except WorkerDied as died:
            self._deaths += 1
            began, self._worker = self._worker, None
            if began is not None:
                await began.close()
                # It may be this game that has ended it; the next begins with another process.
                return Given(problem=f"it could not be judged: {died}")
            self._deaths = MOST_DEATHS
            _log.warning("running games are judged by the bot itself: %s", died)
        return await self._service.judged_here(game)


def counted(rows: Sequence[tuple[str, int]]) -> dict[str, int]:
    """What health says of running games: how many are judged, wait for it, and wait for their hosts."""
    found = Counter(dict(rows))
    paused = sum(count for kind, count in found.items() if kind in (DIFFERS, REFUSED, UNREADABLE))
    return {"judged": sum(found.values()) - found[""], "waiting": found[""], "paused": paused}
