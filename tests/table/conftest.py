"""Fixtures: a table by itself, a table with the echo bot, and Discord's API without a library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from table.server import Table
from tests.table.witness import discord_agrees as discord_agrees
from workshop.evening import echo
from workshop.evening.house import Running, house, running_table


@pytest.fixture
async def home(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    """A fresh table with the echo bot at it."""
    async with house(monkeypatch, echo.build()) as running:
        yield running


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A fresh table without a bot."""
    async with running_table() as made:
        yield made


class Api:
    """Discord's API as the wire has it."""

    def __init__(self, table: Table, session: aiohttp.ClientSession) -> None:
        self.table = table
        self.session = session
        self.lobby = next(each for each in table.world.channels.values() if each.name == "lobby")

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        """Send a request; the status and the body."""
        headers = {"Authorization": f"Bot {self.table.token}"} | options.pop("headers", {})
        url = f"{self.table.api_url}{path}"
        if body is not None:
            options["json"] = body
        async with self.session.request(method, url, headers=headers, **options) as answer:
            if answer.content_type == "application/json":
                return answer.status, await answer.json()
            return answer.status, await answer.text()

    async def send(self, **body: Any) -> tuple[int, Any]:
        """Send a message to the lobby."""
        return await self.call("POST", f"/channels/{self.lobby.id}/messages", body)

    async def send_components(self, components: list[Any], flags: int = 1 << 15) -> tuple[int, Any]:
        """Send components, V2 ones unless the flags say otherwise."""
        return await self.send(components=components, flags=flags)


@pytest.fixture
async def api(table: Table) -> AsyncIterator[Api]:
    """The API of a table without a bot, and without rate limits unless a test switches them on."""
    table.rates.enforced = False
    async with aiohttp.ClientSession() as session:
        yield Api(table, session)
