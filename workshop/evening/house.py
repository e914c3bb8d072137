"""Starts tables and clients for tests, and puts discord.py's addresses back afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import discord
import pytest
import yarl

from table.people import Person
from table.seed import furnish
from table.server import Table


def point_to(patch: pytest.MonkeyPatch, api: str, gateway: str, assets: str) -> None:
    """Let discord.py talk to a table. Its addresses are class attributes, so every test undoes this."""
    patch.setattr(discord.http.Route, "BASE", api)
    patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(gateway))
    patch.setattr(discord.Asset, "BASE", assets)


class QuickClient(discord.Client):
    """A plain discord.py client that does not wait where only the real Discord needs it."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("intents", discord.Intents.default())
        options.setdefault("guild_ready_timeout", 0.02)
        super().__init__(**options)
        self.tree = discord.app_commands.CommandTree(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once; Discord's pause of five seconds means nothing on loopback."""


@dataclass
class Running:
    """A table with a client at it."""

    table: Table
    client: discord.Client
    task: asyncio.Task[None]

    @property
    def ann(self) -> Person:
        return self.table.person("ann")

    @property
    def bo(self) -> Person:
        return self.table.person("bo")


@asynccontextmanager
async def running_table(**options: Any) -> AsyncIterator[Table]:
    """A furnished table. At the end it must have met no unknown route and made no fault of its own."""
    table = Table(**options)
    if not table.world.guilds:
        furnish(table.world)
    await table.start()
    try:
        yield table
    finally:
        await table.stop()
    assert table.unknown_routes == []
    assert table.crashes == []


@asynccontextmanager
async def connected(client: discord.Client, table: Table) -> AsyncIterator[asyncio.Task[None]]:
    """A client that is logged in and ready; its task must be alive to the end."""
    task = asyncio.create_task(client.start(table.token))
    ready = asyncio.create_task(_ready(client))
    try:
        await asyncio.wait({task, ready}, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        assert ready.done(), "the client did not become ready"
        yield task
        assert client.is_closed() or not task.done(), f"the client died: {task}"
    finally:
        ready.cancel()
        await client.close()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, 10)


async def _ready(client: discord.Client) -> None:
    # `wait_until_ready` refuses a client that has not begun to log in, so this one looks for itself.
    while not client.is_ready():  # noqa: ASYNC110
        await asyncio.sleep(0.002)


@asynccontextmanager
async def house(
    patch: pytest.MonkeyPatch, client: discord.Client, *, sync: bool = True, **options: Any
) -> AsyncIterator[Running]:
    """A table, and a client at it with its commands registered."""
    async with running_table(**options) as table:
        point_to(patch, table.api_url, table.gateway_url, table.url)
        async with connected(client, table) as task:
            tree = getattr(client, "tree", None)
            if sync and tree is not None and tree.get_commands():
                await tree.sync()
            yield Running(table, client, task)


Check = Callable[[], Any]


async def eventually(check: Check, seconds: float = 20.0) -> Any:
    """Wait until `check` gives something true."""
    async with asyncio.timeout(seconds):
        while not (found := check()):  # noqa: ASYNC110 (what is awaited may be in discord.py or a browser)
            await asyncio.sleep(0.005)
        return found
