"""Backup and check, also from the command line: the copy replays to the same end, faults are named."""

# ruff: noqa: ASYNC240 (a test may look at its files)

from __future__ import annotations

import asyncio
import io
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.cli import main
from engine.game import Game
from engine.house.players import Greedy
from engine.house.simulation import play
from engine.moves import from_json, to_json
from storage.errors import StorageError
from storage.records import FINISHED, PLAYING, Seat
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, CY, NOON, append, log_length, new_game, playing, standing_moves

PLAYERS = {"ann": ANN, "bo": BO, "cy": CY}


@pytest.fixture(scope="module")
def played() -> Game:
    game = titles.new_game("rhl", list(PLAYERS), {}, 11)
    play(game, Greedy(), 11, check=False)
    return game


async def keep(store: SqliteStore, game: Game, moves: int | None = None) -> int:
    """Put a game into the store, as many of its moves as asked."""
    record = await new_game(store, options=dict(game.rules.setup.options), seed=game.seed)
    await store.set_seats(record.id, [Seat(name, PLAYERS[name]) for name in game.players])
    await store.set_status(record.id, PLAYING, at=NOON)
    kept = game.moves[:moves]
    await store.append(
        record.id,
        0,
        [to_json(move) for move in kept],
        user=ANN,
        players=[move.player for move in kept],
        interaction=None,
        at=NOON,
        status=FINISHED if moves is None else None,
    )
    return record.id


async def test_a_backup_made_while_others_write_replays_to_the_same_position(
    store: SqliteStore, tmp_path: Path, played: Game
) -> None:
    whole = await keep(store, played)
    game = await keep(store, played, 0)
    data = [to_json(move) for move in played.moves]
    target = tmp_path / "copy.sqlite3"
    copies: list[int] = []

    async def write() -> None:
        for seq, (move, item) in enumerate(zip(played.moves, data, strict=True)):
            await store.append(
                game, seq, [item], user=PLAYERS[move.player], players=[move.player], interaction=seq, at=NOON
            )

    async def copy() -> None:
        while not writing.done():
            before = await log_length(store, game)
            await store.backup(str(target))
            async with await SqliteStore.open(target, create=False) as backup:
                assert await backup.check() == []
                moves = [move.move for move in await standing_moves(backup, game)]
                assert before <= len(moves) <= await log_length(store, game)
                assert moves == data[: len(moves)]
                copies.append(len(moves))

    writing = asyncio.create_task(write())
    await asyncio.gather(writing, copy())
    assert copies
    await store.backup(str(target))
    async with await SqliteStore.open(target, create=False) as backup:
        for number in (whole, game):
            again = titles.new_game("rhl", list(PLAYERS), {}, 11)
            for record in await standing_moves(backup, number):
                again.apply(from_json(record.move))
            assert again.state == played.state
    assert not list(tmp_path.glob("*.part"))


async def test_a_backup_is_one_file_that_can_be_read_alone(store: SqliteStore, tmp_path: Path) -> None:
    await playing(store)
    (tmp_path / "backups").mkdir()
    target = tmp_path / "backups" / "copy.sqlite3"
    await store.backup(str(target))
    assert [file.name for file in target.parent.iterdir()] == ["copy.sqlite3"]
    with closing(sqlite3.connect(f"{target.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)


async def test_a_backup_that_cannot_be_made_leaves_nothing_and_harms_nothing(
    store: SqliteStore, tmp_path: Path
) -> None:
    game = (await playing(store)).id
    os.link(store.path, tmp_path / "other-name")
    for target in (store.path, tmp_path / "other-name"):
        with pytest.raises(StorageError, match="over the database itself"):
            await store.backup(str(target))
    (tmp_path / "directory").mkdir()
    with pytest.raises(StorageError, match="no file"):
        await store.backup(str(tmp_path / "directory"))
    with pytest.raises(StorageError):
        await store.backup(str(tmp_path / "missing" / "copy.sqlite3"))
    assert not list(tmp_path.rglob("*.part"))
    assert await append(store, game, 0) == 1


async def test_check_names_gaps_and_lost_references(store: SqliteStore) -> None:
    game = (await playing(store)).id
    for seq in range(4):
        await append(store, game, seq)
    assert await store.check() == []
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER log_is_never_cut")
        connection.execute(f"DELETE FROM log WHERE game = {game} AND seq = 2")
        connection.execute("INSERT INTO seats VALUES (404, 0, 'x', 1, '', '[]', '[]', NULL)")
        connection.execute(f"INSERT INTO undone VALUES ({game}, 1, 3)")
    gap, reference, undone = sorted(await store.check(), key=lambda fault: ("gaps" not in fault, "row" not in fault))
    assert gap == f"game {game}: the log has gaps: 3 entries, but the last is number 4"
    assert reference == "a row of seats refers to something that is not in games"
    assert undone == f"game {game}: entry 1 is marked as undone by an entry that does not undo it"


# ---------------------------------------------------------------------- from the command line


def prepare(path: Path, *steps: Callable[[SqliteStore], Any]) -> None:
    async def work() -> None:
        async with await SqliteStore.open(path) as store:
            for step in steps:
                await step(store)

    asyncio.run(work())


def test_check_replays_every_game(
    tmp_path: Path, played: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kursbuch.sqlite3"
    prepare(path, lambda store: keep(store, played), lambda store: keep(store, played, 40), new_game)
    monkeypatch.setenv("KURSBUCH_DATA", str(tmp_path))
    # Of games from before there were digests and snapshots nothing is known to compare with, and it is said.
    assert main(["check"]) == 0
    running = capsys.readouterr().out.splitlines()
    assert running[0].split() == ["game", "title", "status", "moves", "verdict", "why"]
    assert running[1].split() == ["2", "rhl", "playing", "40", "new_rules", "unproved"]
    assert running[-2].split() == ["new_rules", "1", "0"]
    assert running[-1] == "the database is sound; 1 games replay"
    assert main(["check", "--data", str(tmp_path), "--all"]) == 0
    every = capsys.readouterr()
    assert [line.split()[0] for line in every.out.splitlines()[1:3]] == ["2", "1"], "running games come first"
    assert every.out.splitlines()[-2].split() == ["new_rules", "1", "1"]
    assert every.out.endswith("the database is sound; 2 games replay\n")
    assert every.err == "", "there is no bar where there is no terminal"


@pytest.mark.slow
def test_several_games_at_once_get_the_same_verdicts(
    tmp_path: Path, played: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "db"
    prepare(path, *[lambda store, count=count: keep(store, played, count) for count in (30, 31, 32, 33)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET title = '1830' WHERE id = 2")
    codes = [main(["check", "--database", str(path), "--jobs", jobs]) for jobs in ("1", "2")]
    assert codes == [1, 1]
    out = capsys.readouterr().out.splitlines()
    assert out[: len(out) // 2] == out[len(out) // 2 :]
    assert [line.split()[4] for line in out[1:5]] == ["new_rules", "unreadable", "new_rules", "new_rules"]


def test_a_terminal_is_shown_how_far_it_is(
    tmp_path: Path, played: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "db"
    prepare(path, lambda store: keep(store, played, 30), lambda store: keep(store, played, 31))

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "__stderr__", screen)
    assert main(["check", "--database", str(path)]) == 0
    assert screen.getvalue().split("\r")[-1] == f"[{'#' * 40}] 2 of 2 games\n"
    assert "#" not in capsys.readouterr().out


def test_check_names_each_game_that_does_not_replay(
    tmp_path: Path, played: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "db"
    bad: dict[str, int] = {}

    async def break_some(store: SqliteStore) -> None:
        for name in ("good", "illegal", "unread", "short", "unknown"):
            bad[name] = await keep(store, played, None if name == "short" else 30)
        await store.append(
            bad["illegal"], 30, [to_json(played.moves[0])], user=1, players=["x"], interaction=None, at=NOON
        )
        await store.append(bad["unread"], 30, [{"type": "fly"}], user=1, players=["x"], interaction=None, at=NOON)
        last = len(played.moves)
        await store.undo(bad["short"], last, [last], user=1, interaction=None, at=NOON)

    prepare(path, break_some)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE games SET title = '1830' WHERE id = {bad['unknown']}")
    assert main(["check", "--database", str(path), "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[:3] + line.split()[4:5] for line in lines[:5]] == [
        [str(bad["good"]), "rhl", "playing", "new_rules"],
        [str(bad["illegal"]), "rhl", "playing", "refused"],
        [str(bad["unread"]), "rhl", "playing", "unreadable"],
        [str(bad["unknown"]), "1830", "playing", "unreadable"],
        [str(bad["short"]), "rhl", "finished", "differs"],
    ]
    assert "entry 31" in lines[1]
    assert "entry 31" in lines[2]
    assert "'fly'" in lines[2]
    assert "marked as finished" in lines[4]


def test_check_of_a_damaged_database_names_the_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "db"
    prepare(path, *[playing] * 40)
    content = bytearray(path.read_bytes())
    content[6 * 4096 : 8 * 4096] = b"\xff" * 2 * 4096
    path.write_bytes(content)
    assert main(["check", "--database", str(path)]) == 1
    captured = capsys.readouterr()
    assert "damaged" in captured.out + captured.err


def test_backup_from_the_command_line(tmp_path: Path, played: Game, capsys: pytest.CaptureFixture[str]) -> None:
    path, copy = tmp_path / "kursbuch.sqlite3", tmp_path / "copy"
    prepare(path, lambda store: keep(store, played))
    assert main(["backup", str(copy), "--data", str(tmp_path)]) == 0
    assert "is copied to" in capsys.readouterr().out
    assert main(["check", "--database", str(copy)]) == 0
    assert main(["backup", str(copy), "--data", str(tmp_path)]) == 0, "an older copy is replaced"


def test_a_backup_before_an_upgrade_does_not_upgrade(tmp_path: Path) -> None:
    path, copy = tmp_path / "db", tmp_path / "copy"
    prepare(path, playing)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    assert main(["backup", str(copy), "--database", str(path)]) == 0
    for file in (path, copy):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (0,)


def test_a_check_leaves_the_file_as_it_is(tmp_path: Path, played: Game) -> None:
    path = tmp_path / "db"
    prepare(path, lambda store: keep(store, played, 30))
    before = path.read_bytes()
    assert main(["check", "--database", str(path)]) == 0
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["db"]


def test_databases_that_are_missing_or_not_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"what is this " * 100)
    for command in (["check"], ["backup", str(tmp_path / "copy")]):
        assert main([*command, "--data", str(tmp_path / "none")]) == 1
        assert "there is no database" in capsys.readouterr().err
        assert main([*command, "--database", str(garbage)]) == 1
        assert "not a database of Kursbuch" in capsys.readouterr().err
    foreign = tmp_path / "foreign"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    assert main(["backup", str(tmp_path / "copy"), "--database", str(foreign)]) == 1
    assert "not a database of Kursbuch" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()
