"""A database of a hundred commits ago: no running game goes on in another position without a word."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.games import snapshots
from bot.games.verdicts import DIFFERS, EQUAL, NEW_RULES, REFUSED, UNREADABLE, judge
from engine.state import digest_of, text_of
from storage.records import Kept
from workshop.upgrades.reading import FIXTURE, Found, found, games, then

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def judged() -> list[Found]:
    return list(found(FIXTURE))


def test_every_game_of_then_gets_a_verdict_and_none_is_silent(judged: list[Found]) -> None:
    table = Counter(each.verdict.kind for each in judged)
    assert [each.kept.record.id for each in judged if each.silent] == []
    assert table.total() >= 30
    assert {each.kept.record.title for each in judged} == {"rhl", "lra", "bl", "ruhr", "do"}
    # There is something to be noticed in it, and something that simply goes on.
    assert table[EQUAL] >= 15
    assert table[REFUSED] >= 1
    assert table[UNREADABLE] == table[NEW_RULES] == 0
    for each in judged:
        assert each.same == (each.verdict.kind == EQUAL), each.verdict
        # The position of then is still there to be kept, whatever becomes of the moves.
        assert each.verdict.sound or each.verdict.keepable, each.verdict


def changed(kept: Kept, change: Any) -> Kept:
    """A game of which another position was kept, in the form of then."""
    assert kept.snapshot is not None
    data = then(kept)
    change(data)
    text = text_of(data)
    body = zlib.compress(f"{text}\n{json.dumps({})}".encode())
    return replace(kept, snapshot=replace(kept.snapshot, body=body, digest=digest_of(text)))


def richer(data: Any) -> None:
    data["cash"]["ann"] += 1


def sold(data: Any) -> None:
    certificates = next(iter(data["companies"].values()))["certificates"]
    certificates[-1] = "ann" if certificates[-1] != "ann" else "bo"


def turned(data: Any) -> None:
    at, (tile, rotation) = next(iter(data["board"]["tiles"].items()))
    data["board"]["tiles"][at] = [tile, (rotation + 1) % 6]


def another_turn(data: Any) -> None:
    data["round"]["actor"] = "nobody"


@pytest.mark.parametrize("change", [richer, sold, turned, another_turn])
def test_a_game_that_stood_elsewhere_is_never_called_equal(judged: list[Found], change: Any) -> None:
    sound = [each.kept for each in judged if each.verdict.kind == EQUAL]
    tried = 0
    for kept in sound:
        if change is turned and not then(kept)["board"]["tiles"]:
            continue
        tried += 1
        assert judge(changed(kept, change)).verdict.kind == DIFFERS, kept.record
    assert tried >= 10


def test_a_log_of_then_has_no_digests_and_its_snapshot_is_read_by_meaning() -> None:
    for kept in games(FIXTURE):
        assert not any(kept.digests)
        assert kept.begun is None
        assert kept.snapshot is not None
        assert snapshots.position_of(kept.snapshot) is not None
        assert not snapshots.fits(kept)
