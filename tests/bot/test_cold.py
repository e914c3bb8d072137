"""Games that are not in memory: read from snapshots, replayed at any doubt, never waited for by suggestions."""

from __future__ import annotations

import asyncio
import gc
import random
import sqlite3
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.cli import main
from bot.games import preview_cache, snapshots
from bot.games import service as games
from bot.games.service import GameService, Live
from bot.games.verdicts import EQUAL
from engine.house.players import Greedy
from engine.moves import to_json
from storage.records import PLAYING, GameRecord, Kept, Seat
from storage.sqlite import SqliteStore
from table.people import text_of
from tests.bot.test_refusals import START, open_bid
from workshop.evening.guests import Guest, NoPictures, evening, pass_of
from workshop.evening.making import create
from workshop.evening.positions import put

PEOPLE = {"ann": 11, "bo": 12, "cy": 13}
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


@pytest.fixture
async def service(store: SqliteStore) -> AsyncIterator[GameService]:
    made = GameService(store)
    yield made
    await made.close()


async def begin(store: SqliteStore, title: str = "rhl", seed: int = 3) -> GameRecord:
    found = titles.find(title)
    record = await create(
        store, NOW,
        guild=1, channel=seed, title=title, options=found.form().full_options({}),
        seed=seed, host=11, seats_wanted=3, reminder_hours=(),
    )  # fmt: skip
    await store.set_seats(record.id, [Seat(name, user) for name, user in PEOPLE.items()])
    return await store.set_status(record.id, PLAYING, at=NOW)


async def play_on(service: GameService, game: int, moves: int, chance: random.Random) -> None:
    for _ in range(moves):
        live = await service.live(game)
        if live.game.finished:
            return
        player = chance.choice(live.game.offer().deciders)
        move = Greedy().choose(live.game.copy(), player, chance)
        await service.play(game, PEOPLE[player], move, interaction=None, expected=live.length)


def facts(live: Live) -> Any:
    """Everything that can be seen of a game."""
    game = live.game
    return (
        live.record, live.length, live.seqs, live.seen, game.state.data(), [to_json(move) for move in game.moves],
        game.players, game.seed, game.opening, game.rules, [(c.name, c.player) for c in game.offer().choices],
    )  # fmt: skip


def replayed(kept: Kept) -> Live:
    """The game from its log, which this very program has written."""
    verdict, live = games.from_log(kept)
    assert verdict.kind == EQUAL, verdict
    assert live is not None
    return live


class Counted:
    """Counts how games are loaded."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.replays = 0
        real = games.from_log

        def from_log(kept: Any) -> Any:
            self.replays += 1
            return real(kept)

        patch.setattr(games, "from_log", from_log)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.mark.parametrize("title", [title.id for title in titles.known()])
async def test_a_game_read_from_its_snapshot_is_the_one_that_was_replayed(
    store: SqliteStore, service: GameService, counted: Counted, title: str
) -> None:
    record = await begin(store, title)
    chance = random.Random(1)
    for _ in range(6):
        await play_on(service, record.id, 17, chance)
        if len((await service.live(record.id)).seqs) > 2:
            live = await service.live(record.id)
            await service.undo(record.id, 11, 2, interaction=None, expected=live.length)
        service.forget(record.id)
        before = counted.replays
        short = facts(await service.live(record.id))
        assert counted.replays == before, "it was replayed"
        kept = await store.kept(record.id)
        assert kept is not None
        assert short == facts(replayed(kept))


async def test_deleting_all_snapshots_changes_nothing_but_time(
    store: SqliteStore, service: GameService, counted: Counted
) -> None:
    record = await begin(store)
    chance = random.Random(2)
    for _ in range(5):
        await play_on(service, record.id, 20, chance)
        before = facts(await service.live(record.id))
        await store._write(lambda db: db.execute("DELETE FROM snapshots").close())
        service.forget(record.id)
        replays = counted.replays
        assert facts(await service.live(record.id)) == before
        assert counted.replays == replays + 1
        # The replay has left a new one.
        service.forget(record.id)
        assert facts(await service.live(record.id)) == before
        assert counted.replays == replays + 1


def damaged(body: bytes) -> bytes:
    return body[:40] + bytes([body[40] ^ 1]) + body[41:]


def other_state(body: bytes) -> bytes:
    import json
    import zlib

    position, views, _ = zlib.decompress(body).decode().split("\n")
    data = json.loads(position)
    cash = next(value for value in data.values() if isinstance(value, dict) and "ann" in value)
    cash["ann"] += 1000
    position = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(f"{position}\n{views}".encode())


def _change(column: str, change: Callable[[Any], Any]) -> Callable[[sqlite3.Connection], None]:
    def work(db: sqlite3.Connection) -> None:
        (value,) = db.execute(f"SELECT {column} FROM snapshots").fetchone()
        db.execute(f"UPDATE snapshots SET {column} = ?", (change(value),))

    return work


DOUBTS = {
    "a damaged body": _change("body", damaged),
    "an empty body": _change("body", lambda _: b""),
    "another position": _change("body", other_state),
    "another digest": _change("digest", lambda text: text[::-1]),
    "another length": _change("length", lambda length: length - 1),
    "another basis": _change("basis", lambda text: text[::-1]),
}


@pytest.mark.parametrize("doubt", DOUBTS)
async def test_at_any_doubt_the_game_is_replayed(
    store: SqliteStore, service: GameService, counted: Counted, doubt: str
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 30, random.Random(3))
    before = facts(await service.live(record.id))
    await store._write(DOUBTS[doubt])
    service.forget(record.id)
    assert facts(await service.live(record.id)) == before
    assert counted.replays == 2, "the empty log at the beginning, and now"


async def test_check_tells_when_a_snapshot_shows_another_position(
    store: SqliteStore, service: GameService, capsys: pytest.CaptureFixture[str]
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 30, random.Random(3))
    assert await asyncio.to_thread(main, ["check", "--database", store.path]) == 0
    await store._write(DOUBTS["another digest"])
    assert await asyncio.to_thread(main, ["check", "--database", store.path]) == 1
    assert "its snapshot shows another position" in capsys.readouterr().out


async def test_a_snapshot_of_another_program_is_not_read(
    store: SqliteStore, service: GameService, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 30, random.Random(3))
    service.forget(record.id)
    monkeypatch.setattr(snapshots, "program", lambda: "another one")
    await service.live(record.id)
    assert counted.replays == 2


def test_the_program_is_known_by_every_source_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {name for package in snapshots._DECIDING for name, _ in snapshots._files(_package(package), package)}
    root = Path(__file__).parents[2]
    wanted = {
        str(file.relative_to(root))
        for package in ("engine", "titles")
        for file in (root / package).rglob("*")
        if file.suffix in (".py", ".toml")
    }
    assert names == wanted
    before = snapshots.program.__wrapped__()
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "rules.py").write_text("NEW = True\n", "utf-8")
    real = snapshots.resources.files
    monkeypatch.setattr(
        snapshots.resources, "files", lambda name: tmp_path / "engine" if name == "engine" else real(name)
    )
    assert snapshots.program.__wrapped__() != before


def _package(name: str) -> Any:
    return snapshots.resources.files(name)


async def test_a_snapshot_that_cannot_be_kept_stops_nobody(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 10, random.Random(3))

    async def full(*_: object) -> None:
        raise games.StorageError("there is no room left")

    monkeypatch.setattr(store, "keep_snapshot", full)
    await store._write(lambda db: db.execute("DELETE FROM snapshots").close())
    service.forget(record.id)
    assert (await service.live(record.id)).length == 10


async def test_a_snapshot_that_cannot_be_taken_stops_nobody(
    store: SqliteStore, service: GameService, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await begin(store)
    await play_on(service, record.id, 10, random.Random(3))

    def fail(*_: object) -> None:
        raise TypeError("this cannot be made plain")

    monkeypatch.setattr(snapshots, "take", fail)
    await play_on(service, record.id, 5, random.Random(4))
    before = facts(await service.live(record.id))
    assert before[1] == 15
    service.forget(record.id)
    assert facts(await service.live(record.id)) == before
    assert counted.replays == 2, "the snapshot of the tenth move was not taken for that of the fifteenth"


# --- suggestions ------------------------------------------------------------------------------------


async def test_suggestions_of_a_cold_game_come_at_once_and_hold_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        record = await home.begin("ann", "bo", "cy")
        await home.settled()
        slow = threading.Event()
        real = games.from_log
        monkeypatch.setattr(games, "from_log", lambda kept: (slow.wait(20), real(kept))[1])
        await home.bot.store._write(lambda db: db.execute("DELETE FROM snapshots").close())
        home.bot.service.forget(record.id)
        ann = next(name for name in ("ann", "bo", "cy") if home.person(name).mention in str(home.cards()[-1].content)
                   or home.person(name).mention in str(home.cards()[-1].components))  # fmt: skip
        longest = 0.0

        async def watch() -> None:
            nonlocal longest
            while True:
                began = time.perf_counter()
                await asyncio.sleep(0.01)
                longest = max(longest, time.perf_counter() - began)

        watching = asyncio.create_task(watch())
        began = time.perf_counter()
        assert await home.person(ann).autocomplete("lobby", "move", "move", move="") == []
        took = time.perf_counter() - began
        assert took < 2.0, "it waited for the replay"
        assert longest < 1.0, "the event loop stood still"
        slow.set()
        await home.bot.service.live(record.id)
        watching.cancel()
        assert await home.person(ann).autocomplete("lobby", "move", "move", move="")


async def test_a_form_of_a_cold_game_is_acknowledged_before_the_game_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        guest = Guest(home, START.game().offer().deciders[0].lower(), random.Random(1))
        panel, form = await open_bid(guest)
        assert form.modal is not None
        slow = threading.Event()
        real = games.from_log
        monkeypatch.setattr(games, "from_log", lambda kept: (slow.wait(20), real(kept))[1])
        await home.bot.store._write(lambda db: db.execute("DELETE FROM snapshots").close())
        home.bot.service.forget(record.id)
        label = next(each["label"] for each in form.modal["components"])
        assert not (await guest.person.submit(form, {label: "60"})).failed
        slow.set()
        await home.table.until(lambda: "bids 60 M" in text_of(guest.person.find(panel)))


async def test_nobody_waits_for_the_house_to_think(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        first = START.game().offer().deciders[0]
        seats = [replace(seat, user=0, house="greedy") if seat.name == first else seat for seat in record.seats]
        await home.bot.store.set_seats(record.id, seats)
        home.bot.service.forget(record.id)
        thinking, enough = threading.Event(), threading.Event()
        monkeypatch.setattr(games, "search_all", lambda game: (thinking.set(), enough.wait(20)))
        home.bot.service.houses.wake(record.id)
        try:
            await asyncio.to_thread(thinking.wait, 20)
            other = next(home.person(seat.name.lower()) for seat in seats if not seat.house)
            pressed = await other.click(home.cards()[0], pass_of(home.cards()[0]))
            assert not pressed.failed
            await pressed.settled()
            assert pressed.text == "This button is not for you."
        finally:
            enough.set()
        await home.bot.service.houses.idle()
        assert await home.bot.store.log(record.id) != []


async def test_suggestions_of_a_cold_game_with_a_snapshot_are_the_real_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SUGGESTION_SECONDS", 20.0)
    async with evening(monkeypatch, tmp_path) as home:
        record = await home.begin("ann", "bo", "cy")
        await home.settled()
        warm = [await home.person(name).autocomplete("lobby", "move", "move", move="") for name in ("ann", "bo", "cy")]
        assert any(warm)
        for name, offered in zip(("ann", "bo", "cy"), warm, strict=True):
            home.bot.service.forget(record.id)
            assert await home.person(name).autocomplete("lobby", "move", "move", move="") == offered


async def test_suggestions_do_not_wait_for_a_slow_database_and_ask_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        record = await home.begin("ann", "bo", "cy")
        await home.settled()
        warm = [await home.person(name).autocomplete("lobby", "move", "move", move="") for name in ("ann", "bo", "cy")]
        assert any(warm)
        answering, asked = asyncio.Event(), 0
        real = home.bot.store.game_in

        async def slow(channel: int) -> GameRecord | None:
            nonlocal asked
            asked += 1
            await answering.wait()
            return await real(channel)

        monkeypatch.setattr(home.bot.store, "game_in", slow)
        home.bot.service.forget(record.id)
        for name in ("ann", "bo", "cy", "ann"):
            async with asyncio.timeout(2):
                assert await home.person(name).autocomplete("lobby", "move", "move", move="") == []
        assert asked == 1, "every key asked again"
        answering.set()
        await asyncio.gather(*home.bot.service._loading.values())
        assert home.bot.service.remembered(record.id), "nobody brought it back"
        for name, offered in zip(("ann", "bo", "cy"), warm, strict=True):
            assert await home.person(name).autocomplete("lobby", "move", "move", move="") == offered


async def test_in_a_crowd_suggestions_do_not_wait_and_every_game_still_comes(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SUGGESTION_SECONDS", 20.0)
    records = [await begin(store, seed=seed) for seed in range(1, games.MANY_LOADING + 3)]
    answering = asyncio.Event()

    async def find(record: GameRecord) -> GameRecord:
        await answering.wait()
        return record

    def ask(record: GameRecord) -> asyncio.Task[Live | None]:
        return asyncio.create_task(service.soon(record.channel, lambda: find(record)))

    few = [ask(record) for record in records[: games.MANY_LOADING]]
    await asyncio.sleep(0)
    for record in records[games.MANY_LOADING :]:
        assert await asyncio.wait_for(ask(record), 2) is None
    answering.set()
    assert [live and live.record.id for live in await asyncio.gather(*few)] == [
        record.id for record in records[: games.MANY_LOADING]
    ]
    await asyncio.gather(*service._loading.values())
    assert all(service.remembered(record.id) for record in records)
    assert not service._loading


async def test_a_game_that_leaves_memory_leaves_nothing_there(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MOST_LIVE_GAMES", 2)
    records = [await begin(store, seed=seed) for seed in range(1, 7)]
    for _ in range(2):
        for record in records:
            await play_on(service, record.id, 3, random.Random(record.id))
    assert len(service._live) == 2
    assert len(service._locks) <= 2
    assert not service._loading
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM snapshots").fetchone() == (6,), "one each, however many moves"


async def test_positions_that_were_played_on_from_are_gone_without_the_collector(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_cache, "MOST_KEPT", 1)
    record = await begin(store)
    gc.collect()
    gc.disable()
    try:
        seen = []
        for number in range(12):
            await play_on(service, record.id, 1, random.Random(number))
            live = service.remembered(record.id)
            assert live is not None
            live.game.offer()
            seen.append(weakref.ref(live.game))
            del live
        assert sum(each() is not None for each in seen) <= 3
    finally:
        gc.enable()
