"""House players that look ahead think in a process of their own, outside of the game's lock, people's questions first.

A question is a position as plain data; what comes back is a move, or reasons. What takes too long is ended: the house
then makes the easy player's move, which is counted and logged, and a person is told that there is no answer.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import titles
from bot.games import worker
from bot.games.worker import WorkerDied
from engine.game import Game
from engine.house import ahead
from engine.house.ahead import LookAhead
from engine.house.reasons import Reason, luck_of, reasons
from engine.moves import Move
from engine.state import State

_log = logging.getLogger(__name__)

#: A fuse: a decision that takes longer is made by the easy player. On a quick machine it takes a tenth of a second.
FUSE_SECONDS = 30.0
#: Starting the process takes longer than a thought.
START_SECONDS = 120.0
#: A worker that has died so often will not live; then every move is the easy player's.
MOST_DEATHS = 20
#: Who is answered first: somebody who asks, or the house.
PERSON, HOUSE = 0, 1


@dataclass(frozen=True)
class Question:
    """A position, who decides in it, and how much they look at; with `reasons` somebody wants to know why."""

    title: str
    form: str
    options: dict[str, Any]
    players: tuple[str, ...]
    seed: int
    moves: tuple[Move, ...]
    state: State
    player: str
    level: str
    #: The most positions of a decision, 0 for as many as the level has.
    positions: int = 0
    #: Whether reasons are wanted, who asks for them, and the move that they are about.
    reasons: bool = False
    eyes: str = ""
    made: Move | None = None

    def game(self) -> Game:
        rules = titles.rules(self.title, len(self.players), self.options, self.form)
        return Game.restore(rules, self.players, self.seed, list(self.moves), self.state)


def question(game: Game, player: str, level: str, **more: Any) -> Question:
    """The position of a game as it is now, with nothing that the one who asks may not know."""
    eyes: str = more.get("eyes", "") or player
    view = game.seen_by(eyes, luck_of(game, eyes)) if game.rules.secret else game
    setup = game.rules.setup
    return Question(
        game.definition.id, setup.form, dict(setup.options), game.players, game.seed,
        tuple(view.moves), view.state.copy(), player, level, **more,
    )  # fmt: skip


# ---------------------------------------------------------------------- the worker's side


def work() -> None:
    """Think about the positions that come in."""
    minds: dict[tuple[str, int], LookAhead] = {}

    def answer(asked: Question) -> Move | Sequence[Reason] | str:
        try:
            return thought(asked, minds)
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"

    worker.serve(answer)


def thought(asked: Question, minds: dict[tuple[str, int], LookAhead]) -> Move | Sequence[Reason]:
    """The move of a position, or the reasons that somebody wants to know."""
    level = bounded(asked.level, asked.positions)
    mind = minds.setdefault((asked.level, asked.positions), LookAhead(level))
    game = asked.game()
    if asked.reasons:
        return reasons(game, asked.player, mind=mind, made=asked.made)
    return mind.choose(game, asked.player, random.Random(0))


def bounded(level: str, positions: int) -> ahead.Level:
    """A level with no more positions than a host allows."""
    found = ahead.LEVELS[level]
    return replace(found, positions=min(found.positions, positions)) if positions else found


# ---------------------------------------------------------------------- the bot's side


class NoAnswer(Exception):
    """Nothing was found within the time that there is."""


class Thinking:
    """One process that thinks, and the queue of those who wait for it."""

    def __init__(self, positions: int = 0) -> None:
        self.positions = positions
        self._worker: worker.Worker | None = None
        self._queue: asyncio.PriorityQueue[tuple[int, int, Question, asyncio.Future[Any]]] = asyncio.PriorityQueue()
        self._number = 0
        self._task: asyncio.Task[None] | None = None
        self._deaths = 0
        #: What was asked, and how often nothing came back.
        self.counts: Counter[str] = Counter()

    async def move(self, asked: Question) -> Move:
        """The move of a house player; NoAnswer if it took too long."""
        found = await self._ask(asked, HOUSE)
        assert isinstance(found, Move)
        return found

    async def reasons(self, asked: Question) -> Sequence[Reason]:
        """Why; NoAnswer if it took too long."""
        found: Sequence[Reason] = await self._ask(asked, PERSON)
        return found

    async def _ask(self, asked: Question, urgency: int) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._number += 1
        self.counts["asked"] += 1
        self._queue.put_nowait((urgency, self._number, replace(asked, positions=self.positions), future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="house thinks")
        found = await future
        if isinstance(found, str):
            self.counts["without answer"] += 1
            raise NoAnswer(found)
        return found

    async def _run(self) -> None:
        while not self._queue.empty():
            _, _, asked, future = self._queue.get_nowait()
            if future.cancelled():
                continue
            found = await self._answered(asked)
            if not future.done():
                future.set_result(found)

    async def _answered(self, asked: Question) -> Any:
        """What the process says, or why it says nothing."""
        try:
            if self._worker is None:
                if self._deaths >= MOST_DEATHS:
                    return "the process that thinks has ended too often"
                self._worker = await worker.Worker.begin(__name__, patience=START_SECONDS)
            return await self._worker.ask(asked, FUSE_SECONDS)
        except WorkerDied as died:
            self._deaths += 1
            began, self._worker = self._worker, None
            if began is not None:
                await began.close()
            _log.warning("a house player that looks ahead gave no answer: %s", died)
            return str(died)

    async def close(self) -> None:
        """Stop at once; nothing is lost."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        while not self._queue.empty():
            self._queue.get_nowait()[3].cancel()
        if self._worker is not None:
            await self._worker.close()
            self._worker = None
