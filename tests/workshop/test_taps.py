"""A turn takes few taps, and few edits of the channel's card."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from bot.limits import EDITS, EDITS_SECONDS
from table.ratelimit import RateDecision
from workshop import taps
from workshop.evening.guests import NoPictures, evening
from workshop.evening.house import running_table


async def test_no_action_takes_more_taps_than_it_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = await taps.count(monkeypatch, tmp_path)
    print(taps.table(found))
    assert found.keys() == taps.MOST.keys()
    assert list(found)[-1] == "a whole operating turn"
    assert all(taps.TODAY[name] <= most for name, most in taps.MOST.items())
    assert not {name: number for name, number in found.items() if number > taps.TODAY[name]}


@pytest.mark.slow
@pytest.mark.parametrize("form", taps.FORMS)
async def test_no_move_of_any_form_takes_more_taps_than_it_may(
    form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        found = await taps.count_form(home, form)
    print(found)
    assert len(found) > 4
    assert not {kind: number for kind, number in found.items() if number > taps.most(kind)}


async def test_a_whole_turn_keeps_within_what_discord_allows_a_channel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the table's limits switched on, a turn as quick as can be never uses up the edits of its channel."""
    async with running_table() as table:
        assert table.rates.enforced
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as home:
            verdicts: list[tuple[str, RateDecision]] = []
            times: list[float] = []
            take = table.rates.take

            def noted(bucket: str, *arguments: Any, **named: Any) -> RateDecision:
                verdicts.append((bucket, take(bucket, *arguments, **named)))
                if bucket.startswith("PATCH /channels"):
                    times.append(time.monotonic())
                return verdicts[-1][1]

            monkeypatch.setattr(table.rates, "take", noted)
            taken = await taps.operating_turn(home, "lobby", detours=1)
            assert taken >= 10
            edits = [verdict for bucket, verdict in verdicts if bucket.startswith("PATCH /channels")]
            assert edits, "the card was edited for the others"
            assert all(verdict.allowed for _, verdict in verdicts)
            assert min(verdict.remaining for verdict in edits) >= 1, "an edit more would have had to wait"
            quickest = max(sum(0 <= other - start <= EDITS_SECONDS for other in times) for start in times)
            assert quickest <= EDITS
            print(
                f"{taken} taps: {len(edits)} edits in the channel, {quickest} at most within {EDITS_SECONDS:.0f} s, "
                f"{len(verdicts)} requests in all"
            )
