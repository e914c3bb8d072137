"""The store against a model of it in plain lists: any sequence of appends, undos, clicks and restarts."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from storage.errors import RepeatedError, StaleError, StorageError
from storage.records import NewNotice
from storage.sqlite import SqliteStore
from workshop.evening.making import ANN, BO, CY, NAMES, NOON, hours, log_length, playing, standing_moves, untold

Entry = dict[str, Any]
users = st.sampled_from([ANN, BO, CY])


class Machine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.directory = tempfile.TemporaryDirectory()
        self.path = Path(self.directory.name) / "db"
        self.logs: dict[int, list[Entry]] = {}
        self.clicks: dict[int, int] = {}
        self.notices: list[tuple[int, int]] = []
        self.waiting: dict[tuple[int, int], Any] = {}
        self.hour = 0

    @initialize(games=st.integers(1, 2))
    def begin(self, games: int) -> None:
        self.store = self.runner.run(SqliteStore.open(self.path))
        for _ in range(games):
            self.logs[self.runner.run(playing(self.store)).id] = []

    def teardown(self) -> None:
        with contextlib.suppress(AttributeError):
            self.runner.run(self.store.close())
        self.runner.close()
        self.directory.cleanup()

    def standing(self, game: int) -> list[int]:
        return [seq for seq, entry in enumerate(self.logs[game], 1) if "move" in entry and "undone" not in entry]

    def refusal(self, game: int, expected: int, click: int | None) -> type[StorageError] | None:
        if click in self.clicks:
            return RepeatedError
        return StaleError if expected != len(self.logs[game]) else None

    def changed(self, game: int, click: int | None, first: int, who: dict[int, str] | None, actor: int) -> None:
        if click is not None:
            self.clicks[click] = first
        self.notices.append((game, len(self.logs[game])))
        if who is None:
            return
        for user in NAMES:
            row = self.waiting.pop((game, user), None)
            if user in who:
                self.waiting[game, user] = (
                    row[0] if row else hours(self.hour),
                    hours(self.hour) if row and user == actor else row and row[1],
                )

    @rule(
        data=st.data(),
        count=st.integers(1, 3),
        late=st.integers(-1, 1),
        click=st.none() | st.integers(0, 20),
        user=users,
        who=st.none() | st.lists(users, unique=True),
    )
    def append(
        self, data: st.DataObject, count: int, late: int, click: int | None, user: int, who: list[int] | None
    ) -> None:
        game = data.draw(st.sampled_from(sorted(self.logs)))
        expected = max(0, len(self.logs[game]) + (late if data.draw(st.booleans()) else 0))
        self.hour += 1
        moves = [{"type": "pass", "n": self.hour, "part": part} for part in range(count)]
        people = None if who is None else {user: NAMES[user] for user in who}
        change = self.store.append(
            game,
            expected,
            moves,
            user=user,
            players=[NAMES[user]] * count,
            interaction=click,
            at=hours(self.hour),
            notices=[NewNotice("moved")],
            waiting=people,
        )
        refusal = self.refusal(game, expected, click)
        if refusal:
            with pytest.raises(refusal) as caught:
                self.runner.run(change)
            assert not isinstance(caught.value, RepeatedError) or caught.value.seq == self.clicks[click or 0]
            return
        assert self.runner.run(change) == expected + count
        self.logs[game] += [{"move": move, "user": user, "click": click, "at": hours(self.hour)} for move in moves]
        self.changed(game, click, expected + 1, people, user)

    @precondition(lambda self: any(self.standing(game) for game in self.logs))
    @rule(data=st.data(), stale=st.booleans(), click=st.none() | st.integers(0, 20), user=users)
    def undo(self, data: st.DataObject, stale: bool, click: int | None, user: int) -> None:
        game = data.draw(st.sampled_from([game for game in sorted(self.logs) if self.standing(game)]))
        seqs = self.standing(game)[-data.draw(st.integers(1, 3)) :]
        expected = len(self.logs[game]) - stale
        self.hour += 1
        change = self.store.undo(
            game, expected, seqs, user=user, interaction=click, at=hours(self.hour), notices=[NewNotice("undone")]
        )
        refusal = self.refusal(game, expected, click)
        if refusal:
            with pytest.raises(refusal):
                self.runner.run(change)
            return
        assert self.runner.run(change) == expected + 1
        for seq in seqs:
            self.logs[game][seq - 1]["undone"] = (hours(self.hour), user)
        self.logs[game].append({"undoes": tuple(seqs)})
        self.changed(game, click, expected + 1, None, user)

    @precondition(lambda self: any("undone" in entry for log in self.logs.values() for entry in log))
    @rule(data=st.data())
    def undo_what_does_not_stand(self, data: st.DataObject) -> None:
        fallen = [
            (game, seq)
            for game, log in self.logs.items()
            for seq, entry in enumerate(log, 1)
            if "undone" in entry or "undoes" in entry
        ]
        game, seq = data.draw(st.sampled_from(fallen))
        with pytest.raises(StorageError, match="no move that stands"):
            self.runner.run(self.store.undo(game, len(self.logs[game]), [seq], user=ANN, interaction=None, at=NOON))

    @rule()
    def restart(self) -> None:
        self.runner.run(self.store.close())
        self.store = self.runner.run(SqliteStore.open(self.path))

    @invariant()
    def the_same(self) -> None:
        self.runner.run(self.compare())

    async def compare(self) -> None:
        for game, log in self.logs.items():
            kept = await self.store.log(game)
            assert [(move.seq, move.move, move.user, move.interaction, move.at) for move in kept] == [
                (seq, entry["move"], entry["user"], entry["click"], entry["at"])
                for seq, entry in enumerate(log, 1)
                if "move" in entry
            ]
            assert [(move.undone_at, move.undone_by) for move in kept] == [
                entry.get("undone", (None, None)) for entry in log if "move" in entry
            ]
            loaded = await self.store.kept(game)
            assert loaded is not None
            assert loaded.length == len(log) == await log_length(self.store, game)
            assert list(loaded.seqs) == self.standing(game)
            assert list(loaded.moves) == [move.move for move in await standing_moves(self.store, game)]
            assert [entry.undoes for entry in await self.store.entries(game)] == [
                entry.get("undoes", ()) for entry in log
            ]
        assert [(notice.game, notice.seq) for notice in await untold(self.store)] == self.notices
        assert {(row.game, row.user): (row.since, row.acted) for row in await self.store.waiting()} == self.waiting
        assert await self.store.check() == []


TestStoreAgainstModel = Machine.TestCase
TestStoreAgainstModel.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
