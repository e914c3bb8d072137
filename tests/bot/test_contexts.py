"""Every command says where it can be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from workshop.evening.guests import evening


async def test_groups_too_say_that_they_are_for_servers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path) as home:
        registered = {each.data["name"]: each.data for each in home.table.world.commands.values()}
    assert {"game", "host", "server", "stock", "train"} <= registered.keys()
    for name, data in registered.items():
        assert (data["contexts"] == [0]) == (data["dm_permission"] is False), name
    assert registered["stock"]["contexts"] == registered["host"]["contexts"] == [0]
    assert registered["game"]["contexts"] == [0, 1], "`/game mine` works in direct messages too"
