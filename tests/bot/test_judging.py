"""The pass after a start: every running game gets its verdict in the background, and one bad game stops nobody."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.games import judging, snapshots
from bot.games.judging import Given, Judging, Worker, WorkerDied
from bot.games.service import GameService, Unsettled
from bot.games.verdicts import DIFFERS, EQUAL, REFUSED, UNREADABLE, Verdict
from engine.game import Game
from engine.moves import Move
from storage.records import PAUSED, PLAYING, GameRecord
from storage.sqlite import SqliteStore
from tests.bot.test_cold import begin, play_on

MOVES = 12
KILLS = int(os.environ.get("KURSBUCH_KILLS", "6"))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


@pytest.fixture
async def service(store: SqliteStore) -> AsyncIterator[GameService]:
    made = GameService(store)
    yield made
    await made.close()


async def earlier(store: SqliteStore, seed: int, *, pays: bool = False, moves: int = MOVES) -> GameRecord:
    """A game that another program has played, by whose rules somebody may have had a mark more."""
    real = Game.apply

    def apply(game: Game, move: Move) -> Any:
        told = real(game, move)
        if len(game.moves) == moves // 2 and pays:
            game.state.cash["bank"] -= 1
            game.state.cash[game.state.seats[0]] += 1
        return told

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "program", lambda: "an earlier program")
        patch.setattr(Game, "apply", apply)
        service = GameService(store)
        record = await begin(store, seed=seed)
        await play_on(service, record.id, moves, random.Random(seed))
        await service.close()
    return record


async def kinds(store: SqliteStore) -> dict[int, str]:
    """The verdicts that this program has given."""
    found = {}
    for game in await store.games():
        row = await store.verdict(game.id)
        if row is not None and row.program == snapshots.program():
            found[game.id] = str(row.body["kind"])
    return found


def paused_notices(path: Path) -> dict[int, int]:
    """How often each game was to be told that it is paused."""
    with closing(sqlite3.connect(path)) as db:
        return dict(
            db.execute("SELECT game, count(*) FROM notices WHERE kind = 'settled.paused' GROUP BY game").fetchall()
        )


async def whole(service: GameService) -> Judging:
    found = Judging(service)
    await found.start()
    await found.done()
    return found


@pytest.mark.slow
async def test_every_running_game_is_judged_and_a_bad_one_stops_nobody(store: SqliteStore, tmp_path: Path) -> None:
    sound = [await earlier(store, seed) for seed in (1, 2)]
    other = await earlier(store, 3, pays=True)
    gone, garbled, refused = [await earlier(store, seed) for seed in (4, 5, 6)]
    last = await earlier(store, 7)
    before = await store.kept(other.id)

    def spoil(db: sqlite3.Connection) -> None:
        db.execute("DROP TRIGGER log_is_never_changed")
        db.execute("UPDATE games SET title = '1830' WHERE id = ?", (gone.id,))
        db.execute("UPDATE games SET reminder_hours = '7' WHERE id = ?", (garbled.id,))
        db.execute(
            "UPDATE log SET body = json_object('type', 'go_bankrupt', 'player', player, 'company', 'RhE')"
            " WHERE game = ? AND seq = 9",
            (refused.id,),
        )

    await store._write(spoil)
    service = GameService(store)
    try:
        pass_ = await whole(service)
    finally:
        await service.close()
    found = await kinds(store)
    assert found[last.id] == EQUAL
    assert {found[game.id] for game in sound} == {EQUAL}
    assert (found[other.id], found[gone.id]) == (DIFFERS, UNREADABLE)
    assert found[refused.id] == REFUSED
    assert garbled.id not in found
    assert [trouble["game"] for trouble in service.problems.all()] == [garbled.id]
    assert pass_.given == {EQUAL: 3, DIFFERS: 1, REFUSED: 1, UNREADABLE: 1, "left out": 1}
    assert not pass_.waiting
    after = await store.kept(other.id)
    assert before is not None
    assert after is not None
    assert (after.record.status, after.snapshot) == (PAUSED, before.snapshot), "the evidence is gone"
    # What goes on has a snapshot of this program now, and is not replayed when somebody asks for it.
    kept = await store.kept(sound[0].id)
    assert kept is not None
    assert snapshots.fits(kept)
    counts = judging.counted(await store.verdict_counts(snapshots.program()))
    assert counts == {"judged": 6, "waiting": 1, "paused": 3}


async def test_a_game_that_somebody_asks_for_goes_first(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = await earlier(store, 3, pays=True)
    sound = await earlier(store, 2)
    begun, go_on = asyncio.Event(), asyncio.Event()
    real = GameService.judged_here

    async def no_worker(path: str) -> Worker:
        raise WorkerDied("there is none here")

    async def slowly(self: GameService, game: int) -> Given:
        found = await real(self, game)
        begun.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(Worker, "start", no_worker)
    monkeypatch.setattr(GameService, "judged_here", slowly)
    found = Judging(service)
    await found.start()
    await begun.wait()
    with pytest.raises(Unsettled):
        await service.live(record.id)
    assert (await service.live(sound.id)).record.status == PLAYING
    await play_on(service, sound.id, 2, random.Random(1))
    await service.keep_position(record.id, 11, expected=MOVES)
    go_on.set()
    await found.done()
    # The pass comes too late for both, and leaves them as they are: one has been moved in, one is settled.
    assert found.given == {"judged meanwhile": 2}
    assert (await service.live(record.id)).record.status == PLAYING
    assert len((await service.live(sound.id)).game.moves) == MOVES + 2
    assert paused_notices(tmp_path / "games.sqlite3") == {record.id: 1}


@pytest.mark.slow
async def test_a_process_that_dies_over_one_game_is_replaced(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [(await earlier(store, seed)).id for seed in (1, 2, 3)]
    real = Worker.judge

    async def judge(self: Worker, game: int) -> Given:
        if game == games[1]:
            self._process.kill()
            await self._process.wait()
        return await real(self, game)

    monkeypatch.setattr(Worker, "judge", judge)
    found = await whole(service)
    assert found.given == {EQUAL: 2, "left out": 1}
    assert [trouble["game"] for trouble in service.problems.all()] == [games[1]]
    # Whoever asks for it is answered all the same.
    assert (await service.live(games[1])).record.status == PLAYING


async def test_a_process_of_another_program_judges_nothing(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await earlier(store, 1)
    monkeypatch.setattr(snapshots, "program", lambda: "what runs here, while the files are newer")
    with pytest.raises(WorkerDied, match="files have changed"):
        await Worker.start(store.path)
    found = await whole(service)
    assert found.given == {EQUAL: 1}
    assert await kinds(store) == {record.id: EQUAL}


async def test_a_game_of_this_program_needs_no_replay(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 5, random.Random(1))
    await store._write(lambda db: db.execute("DELETE FROM verdicts").close())
    kept = await store.kept(record.id)
    assert kept is not None
    monkeypatch.setattr(judging, "judge", None)
    assert judging.given_of(kept) == Given(Verdict(EQUAL, 5))
    with pytest.raises(TypeError):
        judging.given_of(replace(kept, snapshot=None))


@pytest.mark.slow
async def test_it_is_killed_again_and_again_and_nothing_is_lost_or_told_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with await SqliteStore.open(path) as store:
        games = {(await earlier(store, seed, pays=seed % 2 == 0)).id: seed for seed in range(1, 25)}
        bad = {game for game, seed in games.items() if seed % 2 == 0}
        sound = games.keys() - bad
        before = {game: await store.kept(game) for game in bad | sound}
    chance = random.Random(18)
    told: list[int] = []
    for _ in range(KILLS):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bot.judged", str(path), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        worker = int(await process.stdout.readline())
        for _ in range(chance.randint(1, 3)):
            await process.stdout.readline()
        # In the middle of the transaction that keeps a verdict, before it or after it.
        await asyncio.sleep(chance.uniform(0.0, 0.01))
        process.send_signal(signal.SIGKILL)
        await process.wait()
        told.append(sum(paused_notices(path).values()))
        assert await gone(worker), "the process that judges outlives the bot"
    assert 0 < told[-1] < len(bad), "it was always killed before it had begun, or never"
    async with await SqliteStore.open(path) as store:
        service = GameService(store)
        await whole(service)
        await service.close()
        found = await kinds(store)
        assert {game for game, kind in found.items() if kind == DIFFERS} == bad
        assert {game for game, kind in found.items() if kind == EQUAL} == sound
        assert paused_notices(path) == dict.fromkeys(bad, 1)
        for game, old in before.items():
            kept = await store.kept(game)
            assert kept is not None
            assert old is not None
            assert (kept.moves, kept.seqs, kept.length, kept.digests) == (old.moves, old.seqs, old.length, old.digests)
            assert kept.record.status == (PAUSED if game in bad else PLAYING)
            assert (kept.snapshot == old.snapshot) == (game in bad)
        assert await store.check() == []


async def gone(process: int) -> bool:
    """Whether a process has ended, after a moment at most."""
    for _ in range(100):
        if _ended(process):
            return True
        await asyncio.sleep(0.05)
    return False


def _ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
