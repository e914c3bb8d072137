"""A turn takes few taps, and few edits of the channel's card."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot import taps


async def test_no_action_takes_more_taps_than_it_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = await taps.count(monkeypatch, tmp_path)
    print(taps.table(found))
    assert found.keys() == taps.MOST.keys()
    assert list(found)[-1] == "a whole operating turn"
    assert not {name: number for name, number in found.items() if number > taps.MOST[name]}
