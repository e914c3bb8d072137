"""The database: moves a second, time to a move on disk, size of finished games, loading what waits."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import titles
from bot.reminders import plan as reminders
from engine.game import Game
from engine.house.players import Greedy
from engine.house.simulation import play
from engine.moves import from_json, to_json
from storage.records import FINISHED, PLAYING, NewNotice, Person, Seat
from storage.sqlite import SqliteStore
from workshop.bench import yardstick
from workshop.evening.making import create

GAMES = 1000
#: Games that are really played; the thousand repeat them.
PLAYED = 24
NAMES = ("ann", "bo", "cy", "di", "ed")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def run() -> None:
    print(f"storage (Y = {1000 * yardstick.seconds():.1f} ms)")
    games = []
    for seed in range(PLAYED):
        game = titles.new_game("rhl", NAMES[: 3 + seed % 3], {}, seed)
        play(game, Greedy(), seed, check=False)
        games.append(game)
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_writing(Path(directory) / "writing.sqlite3", games))
        asyncio.run(_thousand(Path(directory) / "thousand.sqlite3", games))


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def _begin(store: SqliteStore, game: Game, number: int) -> int:
    record = await create(
        store,
        NOON,
        guild=1,
        channel=number,
        title=game.definition.id,
        options=dict(game.rules.setup.options),
        seed=game.seed,
        host=_user(number, 0),
        seats_wanted=len(game.players),
        reminder_hours=(),
    )
    await store.set_seats(record.id, [Seat(name, _user(number, seat)) for seat, name in enumerate(game.players)])
    await store.set_status(record.id, PLAYING, at=NOON, waiting={_user(number, 0): game.players[0]})
    return record.id


def _user(game: int, seat: int) -> int:
    """A person of a few hundred, with an id as long as those of Discord."""
    return 1_150_000_000_000_000_000 + (7 * game + 31 * seat) % 400


async def _writing(path: Path, games: list[Game]) -> None:
    """Moves as the bot writes them: one transaction with an announcement and who is waited for."""
    async with await SqliteStore.open(path) as store:
        clicks = iter(range(10**9))

        async def play_on(game: Game, number: int, most: int) -> list[float]:
            record = await _begin(store, game, number)
            times = []
            for seq, move in enumerate(game.moves[:most]):
                moment = NOON + timedelta(minutes=seq)

                async def write(seq: int = seq, move: Any = move, moment: datetime = moment) -> None:
                    seat = (seq + 1) % len(game.players)
                    await store.append(
                        record,
                        seq,
                        [to_json(move)],
                        user=_user(number, game.players.index(move.player)),
                        players=[move.player],
                        interaction=next(clicks),
                        at=moment,
                        notices=[NewNotice("moved", {"seq": seq})],
                        waiting={_user(number, seat): game.players[seat]},
                    )

                times.append(await timed(write))
            return times

        alone = await play_on(games[0], 0, 500)
        yardstick.row(
            "append a move, p50", statistics.median(alone), None, f"{1 / statistics.fmean(alone):.0f} a second"
        )
        yardstick.row("append a move, p99", percentile(alone, 0.99))
        began = time.perf_counter()
        every = await asyncio.gather(*(play_on(games[n % PLAYED], n, 10) for n in range(1, 201)))
        took = time.perf_counter() - began
        times = [value for some in every for value in some]
        yardstick.row(
            "append, 200 games at once, p50", statistics.median(times), None, f"{len(times) / took:.0f} a second"
        )
        yardstick.row("append, 200 games at once, p99", percentile(times, 0.99))
        target = str(path.with_name("copy.sqlite3"))
        yardstick.row("backup", await timed(lambda: store.backup(target)), None, f"{_size(path) / 1e6:.1f} MB")


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))


async def _thousand(path: Path, games: list[Game]) -> None:
    store = await SqliteStore.open(path)
    data = [[to_json(move) for move in game.moves] for game in games]
    clicks = iter(range(10**18, 2 * 10**18))
    ids = []
    for number in range(GAMES):
        game, moves = games[number % PLAYED], data[number % PLAYED]
        record = await _begin(store, game, number)
        ids.append(record)
        # In one transaction to be done sooner; each with an interaction of its own, as if made one by one.
        rows = [(record, seq, move, next(clicks)) for seq, move in enumerate(moves)]
        await _insert(store, rows, game, number)
        await store.set_status(record, FINISHED, at=NOON)
    await store.close()
    count = sum(len(data[number % PLAYED]) for number in range(GAMES))
    size = _size(path)
    print(
        f"  {f'{GAMES} finished games':<46} {size / 1e6:10.1f} MB   "
        f"{size / GAMES / 1000:.1f} kB a game, {size / count:.0f} bytes a move, {count} moves"
    )
    async with await SqliteStore.open(path) as store:
        yardstick.row("read a game's moves", await timed(lambda: store.log(ids[-1])), None, f"{len(data[0])} moves")
        began = time.perf_counter()
        game, entries = games[0], await store.log(ids[0])
        again = titles.new_game("rhl", game.players, {}, game.seed)
        for entry in entries:
            again.apply(from_json(entry.move))
        yardstick.row("read and replay a finished game", time.perf_counter() - began, 2.0, f"{len(entries)} moves")
        for number, record in enumerate(ids):
            await store.set_status(record, PLAYING, at=NOON, waiting={_user(number, 0): "ann"})
            if number % 3 == 0:
                await store.set_person(Person(_user(number, 0), zone="Europe/Berlin", quiet_from=22, quiet_to=7))
        yardstick.row(f"load the waiting rows of {GAMES} games", min([await timed(store.waiting) for _ in range(5)]))

        async def plan() -> None:
            rows = await store.waiting()
            playing = {game.id: game for game in await store.games(statuses=[PLAYING])}
            people = await store.people([row.user for row in rows])
            reminders.plan(rows, playing, people, NOON + timedelta(hours=13))

        yardstick.row(f"what is due among {GAMES} games, all told", min([await timed(plan) for _ in range(5)]))
        yardstick.row("check of all this, without replay", await timed(store.check))
    began = time.perf_counter()
    store = await SqliteStore.open(path)
    yardstick.row("open the database", time.perf_counter() - began)
    await store.close()


async def _insert(store: SqliteStore, rows: list[tuple[int, int, Any, int]], game: Game, number: int) -> None:
    values = [
        (
            record,
            seq + 1,
            json.dumps(move, separators=(",", ":")),
            _user(number, game.players.index(move["player"])),
            move["player"],
            click,
            int(NOON.timestamp() + 60 * seq) * 1_000_000,
        )
        for record, seq, move, click in rows
    ]
    await store._write(
        lambda db: db.executemany(
            "INSERT INTO log (game, seq, kind, body, user, player, interaction, part, at)"
            " VALUES (?, ?, 'move', ?, ?, ?, ?, 0, ?)",
            values,
        ).close()
    )
