"""Games after an upgrade: the same positions, or the host is asked. The rule that changes is broken in the test."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.games import snapshots
from bot.games.service import GameService, ServiceError, Stale, Unsettled, begun_with
from bot.games.verdicts import DIFFERS, EQUAL, NEW_RULES, REFUSED, UNREADABLE, judge
from engine import position
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move
from engine.offer import Offer
from storage import changes
from storage.records import ENDED, PAUSED, PLAYING, GameRecord, Kept, NewNotice, Seat
from storage.sqlite import SqliteStore
from tests.bot.test_cold import begin, play_on

HOST = 11
MOVES = 30
CHANGED = 20


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


@pytest.fixture
async def service(store: SqliteStore) -> AsyncIterator[GameService]:
    made = GameService(store)
    yield made
    await made.close()


async def played(store: SqliteStore, service: GameService) -> GameRecord:
    record = await begin(store)
    await play_on(service, record.id, MOVES, random.Random(3))
    service.forget(record.id)
    return record


def upgrade(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """Another program: its rules give a mark to the bank's debtor, or refuse, from one move on."""
    monkeypatch.setattr(snapshots, "program", lambda: f"another program: {rule}")
    real = Game.apply

    def apply(game: Game, move: Move) -> Any:
        if len(game.moves) == CHANGED - 1 and rule == "refuses":
            raise Refused("RHL-1", "over")
        told = real(game, move)
        if len(game.moves) == CHANGED and rule == "pays":
            first = game.state.seats[0]
            game.state.cash["bank"] -= 1
            game.state.cash[first] += 1
        return told

    monkeypatch.setattr(Game, "apply", apply)


async def everything(store: SqliteStore, game: int) -> Kept:
    kept = await store.kept(game)
    assert kept is not None
    return kept


async def without_digests(store: SqliteStore) -> None:
    """As games were kept before: the log cannot be changed, so it is opened for this."""

    def work(db: Any) -> None:
        db.execute("DROP TRIGGER log_is_never_changed")
        db.execute("UPDATE log SET digest = NULL")

    await store._write(work)


@pytest.mark.parametrize(("rule", "kind"), [("same", EQUAL), ("pays", DIFFERS), ("refuses", REFUSED)])
async def test_a_game_gets_its_verdict_before_it_is_shown(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch, rule: str, kind: str
) -> None:
    record = await played(store, service)
    before = await everything(store, record.id)
    upgrade(monkeypatch, rule)
    assert judge(before).verdict.kind == kind
    if kind == EQUAL:
        assert (await service.live(record.id)).record.status == PLAYING
        assert await service.verdict(record.id) is None
        return
    for _ in range(2):
        with pytest.raises(Unsettled) as refused:
            await service.live(record.id)
        assert (refused.value.verdict.kind, refused.value.verdict.move) == (kind, CHANGED)
    after = await everything(store, record.id)
    assert after.record.status == PAUSED
    assert after.snapshot == before.snapshot, "the only evidence of the old position is gone"
    with pytest.raises(Unsettled):
        await service.set_status(record.id, PLAYING, games_notice())


def games_notice() -> Any:
    return NewNotice("host.resumed")


async def test_a_difference_is_told_by_what_differs(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(store, service)
    upgrade(monkeypatch, "pays")
    kept = await everything(store, record.id)
    told = judge(kept).verdict.told
    assert {each.what for each in told} == {"cash"}
    assert "bank" in {each.about for each in told}
    assert all(each.about in ("bank", "ann", "bo", "cy") for each in told)


@pytest.mark.parametrize(("rule", "kind", "move"), [("pays", DIFFERS, 0), ("refuses", REFUSED, CHANGED)])
async def test_a_game_without_digests_is_judged_by_its_snapshot(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch, rule: str, kind: str, move: int
) -> None:
    record = await played(store, service)
    await without_digests(store)
    assert judge(await everything(store, record.id)).verdict.kind == EQUAL
    upgrade(monkeypatch, rule)
    verdict = judge(await everything(store, record.id)).verdict
    assert (verdict.kind, verdict.move, verdict.keepable, verdict.backable) == (kind, move, True, move > 0)


async def test_without_any_evidence_people_are_told_so(store: SqliteStore, service: GameService) -> None:
    record = await played(store, service)
    await without_digests(store)
    await store._write(lambda db: db.execute("DELETE FROM snapshots").close())
    verdict = judge(await everything(store, record.id)).verdict
    assert (verdict.kind, verdict.tables) == (NEW_RULES, ("unproved",))


async def test_a_game_of_a_title_that_is_gone_is_unreadable(store: SqliteStore, service: GameService) -> None:
    record = await played(store, service)
    await store._write(lambda db: db.execute("UPDATE games SET title = '1830'").close())
    assert judge(await everything(store, record.id)).verdict.kind == UNREADABLE


@pytest.mark.parametrize("rule", ["pays", "refuses"])
async def test_the_position_is_kept_and_the_game_goes_on(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    record = await played(store, service)
    old = (await service.live(record.id)).game.state.data()
    service.forget(record.id)
    upgrade(monkeypatch, rule)
    with pytest.raises(Unsettled) as refused:
        await service.live(record.id)
    with pytest.raises(ServiceError, match="host_only"):
        await service.keep_position(record.id, 12, expected=refused.value.verdict.length)
    await service.keep_position(record.id, HOST, expected=refused.value.verdict.length)
    live = await service.live(record.id)
    assert live.record.status == PLAYING
    assert live.game.state.data() == old
    await play_on(service, record.id, 5, random.Random(4))
    after = (await service.live(record.id)).game.state.data()
    # Without a snapshot it is replayed, from the seam.
    await store._write(lambda db: db.execute("DELETE FROM snapshots").close())
    service.forget(record.id)
    live = await service.live(record.id)
    assert live.game.state.data() == after
    # An undo leads to the seam and no further.
    with pytest.raises(ServiceError, match="before_seam"):
        await service.undo(record.id, HOST, 6, interaction=None, expected=live.length)
    await service.undo(record.id, HOST, 5, interaction=None, expected=live.length)
    assert (await service.live(record.id)).game.state.data() == old


@pytest.mark.parametrize("rule", ["pays", "refuses"])
async def test_the_game_goes_back_to_before_the_difference(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    record = await played(store, service)
    before = await everything(store, record.id)
    upgrade(monkeypatch, rule)
    with pytest.raises(Unsettled) as refused:
        await service.live(record.id)
    assert await service.go_back(record.id, HOST, expected=refused.value.verdict.length) == MOVES - CHANGED + 1
    live = await service.live(record.id)
    assert (live.record.status, len(live.game.moves)) == (PLAYING, CHANGED - 1)
    assert position.digest(live.game.state.data(), live.game.players) == before.digests[CHANGED - 2]
    assert len(await store.log(record.id)) == MOVES, "a move was deleted"


async def test_the_game_ends_with_its_standing(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(store, service)
    old = (await service.live(record.id)).game.state.data()
    service.forget(record.id)
    upgrade(monkeypatch, "pays")
    with pytest.raises(Unsettled) as refused:
        await service.live(record.id)
    await service.end_unsettled(record.id, HOST, expected=refused.value.verdict.length)
    live = await service.live(record.id)
    assert (live.record.status, live.game.state.data()) == (ENDED, old)


async def test_of_two_who_choose_at_once_one_is_told_that_it_is_settled(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(store, service)
    upgrade(monkeypatch, "pays")
    with pytest.raises(Unsettled) as refused:
        await service.live(record.id)
    length = refused.value.verdict.length
    done = await asyncio.gather(
        service.go_back(record.id, HOST, expected=length),
        service.keep_position(record.id, 99, expected=length, force=True),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Stale) for each in done) == 1
    assert (await everything(store, record.id)).length == MOVES + 1


async def test_a_seat_that_changed_hands_makes_no_difference(store: SqliteStore, service: GameService) -> None:
    record = await played(store, service)
    await service.replace(record.id, "bo", Seat("dee", 14), NewNotice("host.resumed"))
    assert judge(await everything(store, record.id)).verdict.kind == EQUAL


async def test_another_offer_in_the_same_position_is_told(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All moves lead where they led, but something else may be done next: the game goes on, and people are told."""
    record = await played(store, service)
    kept = await everything(store, record.id)
    assert judge(kept).verdict.kind == EQUAL
    monkeypatch.setattr(snapshots, "program", lambda: "another program")
    real = Game.offer

    def offer(game: Game) -> Offer:
        found = real(game)
        return Offer(found.choices[:-1]) if len(game.moves) == MOVES else found

    monkeypatch.setattr(Game, "offer", offer)
    verdict = judge(kept).verdict
    assert (verdict.kind, verdict.tables) == (NEW_RULES, ("offer",))
    assert (await service.live(record.id)).record.status == PLAYING
    notices = await store._read(lambda db: db.execute("SELECT kind, data FROM notices").fetchall())
    assert [data for kind, data in notices if kind == "settled.new_rules"] == ['{"tables":["offer"]}']


def draw_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program: a seed gives other seats and another order card."""
    real = titles.new_game

    def begin_otherwise(title: str, names: Any, options: Any, seed: int, form: str) -> Game:
        return real(title, names, options, seed + 1, form)

    monkeypatch.setattr(titles, "new_game", begin_otherwise)


async def with_beginning(store: SqliteStore, service: GameService, record: GameRecord) -> None:
    """What a game is begun with is kept with it, as it is when a lobby starts."""
    live = await service.live(record.id)
    begun = begun_with(live.game.rewound(0))
    await store._write(lambda db: changes.keep_begun(db, record.id, begun))
    service.forget(record.id)


async def test_a_program_that_draws_otherwise_goes_on_with_what_was_drawn(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(store, service)
    await with_beginning(store, service, record)
    live = await service.live(record.id)
    before, board = live.game.state.data(), live.game.rewound(0).state.board.markers
    service.forget(record.id)
    monkeypatch.setattr(snapshots, "program", lambda: "another program: rows in another order")
    draw_otherwise(monkeypatch)
    kept = await everything(store, record.id)
    other = titles.new_game(record.title, live.game.players, record.options, record.seed, record.form)
    assert other.state.seats != live.game.state.seats or other.state.board.markers != board, "another draw"
    judged = judge(kept)
    assert judged.verdict.kind == EQUAL
    assert judged.game is not None
    assert position.digest(judged.game.state.data(), judged.game.players) == position.digest(before, live.game.players)
    # It is played, taken back to its beginning and looked back on as it was begun.
    await play_on(service, record.id, MOVES + 4, random.Random(4))
    now = await service.live(record.id)
    assert now.game.rewound(0).state.board.markers == board
    assert now.game.rewound(MOVES).state.cash[live.game.state.seats[1]] == before["cash"][live.game.state.seats[1]]


async def test_without_the_beginning_another_draw_is_a_difference(
    store: SqliteStore, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(store, service)
    await with_beginning(store, service, record)
    await store._write(lambda db: db.execute("UPDATE begun SET opening = NULL"))
    draw_otherwise(monkeypatch)
    verdict = judge(await everything(store, record.id)).verdict
    assert (verdict.kind, verdict.why) == (DIFFERS, "another beginning is drawn from its seed")
