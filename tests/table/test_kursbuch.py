"""The bot's own client at the table: on the production path, supervised, and from the command line."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import sys
from pathlib import Path

import aiohttp
import discord
import pytest
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.client import Kursbuch, least_intents, supervise
from bot.settings import Settings, SettingsError
from table.gateway import Op
from workshop.evening.house import connected, eventually, point_to, running_table
from workshop.evening.remote import RemoteTable


class EverythingIsHere(AbstractResolver):
    """Resolves every name to the table, and notes which were asked for."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: set[str] = set()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.add(host)
        return [ResolveResult(hostname=host, host="127.0.0.1", port=self.port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None: ...


async def test_without_settings_the_bot_talks_to_the_real_discord_by_its_real_names() -> None:
    names = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com")
    authority = trustme.CA()
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*names).configure_cert(serving)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with running_table(tls=serving, hosts=names) as table:
        resolver = EverythingIsHere(table.port)
        connector = aiohttp.TCPConnector(resolver=resolver, ssl=trusting)
        settings = Settings(table.token, sync_commands=True)
        assert discord.http.Route.BASE == "https://discord.com/api/v10"
        async with connected(Kursbuch(settings, connector=connector, guild_ready_timeout=0.02), table):
            outcome = await table.person("ann").slash("lobby", "about")
            assert "Kursbuch" in outcome.text
        assert resolver.asked == {"discord.com", "gateway.discord.gg"}


async def test_about_and_help_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        client = Kursbuch(Settings(table.token, sync_commands=True), guild_ready_timeout=0.02)
        async with connected(client, table):
            english = await table.person("ann").slash("lobby", "about")
            german = await table.person("bo").slash("lobby", "about")
            listed = await table.person("ann").slash("lobby", "help")
        assert "reads no messages" in english.text
        assert "liest keine Nachrichten" in german.text
        assert "`/about`" in listed.text
        assert english.message is not None
        assert english.message.reader == table.person("ann").id


def test_least_is_asked_of_discord() -> None:
    assert [name for name, asked in least_intents() if asked] == ["guilds"]
    mentions = Kursbuch(Settings("x")).allowed_mentions
    assert mentions is not None
    assert (mentions.everyone, mentions.roles, mentions.users) == (False, False, False)


async def test_a_client_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        settings = Settings(table.token, table.api_url, table.gateway_url, sync_commands=True)
        task = asyncio.create_task(supervise(settings, guild_ready_timeout=0.02))
        await table.bot_is_here()
        # A message without an author is nothing that discord.py survives.
        lobby = table.person("ann").place("lobby")
        table.gateway.dispatch("MESSAGE_CREATE", {"id": "1", "channel_id": lobby.id}, lobby.guild_id)
        await eventually(lambda: table.gateway.received.count(Op.IDENTIFY) == 2)
        await eventually(lambda: table.gateway.connected)
        assert "Kursbuch" in (await table.person("ann").slash("lobby", "about")).text
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_wrong_token_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        with pytest.raises(discord.LoginFailure):
            await supervise(Settings("wrong", table.api_url, table.gateway_url))


def test_settings_from_the_environment() -> None:
    real = Settings.from_environment({"DISCORD_TOKEN": "t"})
    assert (real.api_base, real.gateway, real.sync_commands) == (None, None, False)
    local = Settings.from_environment(
        {
            "DISCORD_TOKEN": "t",
            "DISCORD_API_BASE": "http://a",
            "DISCORD_GATEWAY": "ws://g",
            "KURSBUCH_SYNC": "1",
        }
    )
    assert (local.api_base, local.gateway, local.sync_commands) == ("http://a", "ws://g", True)
    with pytest.raises(SettingsError, match="DISCORD_TOKEN"):
        Settings.from_environment({})
    with pytest.raises(SettingsError, match="both"):
        Settings.from_environment({"DISCORD_TOKEN": "t", "DISCORD_API_BASE": "http://a"})


async def run_table(data: Path, port: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys; from bot.cli import main; sys.exit(main())",
        "table", "--port", str(port), "--data", str(data),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=dict(os.environ),
    )  # fmt: skip


async def test_kursbuch_table_serves_until_ctrl_c_and_is_taken_up_again(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for visit in range(2):
        process = await run_table(tmp_path / "data", port)
        assert process.stdout is not None
        try:
            line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
            assert f"http://127.0.0.1:{port}" in line
            async with RemoteTable(f"http://127.0.0.1:{port}") as table:
                ann = table.person("ann")
                if visit == 0:
                    assert "/help" in (await ann.sees("Welcome to **Stellwerk**", "lobby"))["content"]
                    people = (await table.get("people"))["people"]
                    assert [each["global_name"] for each in people] == ["Ann", "Bo", "Cy", "Dora"]
                    await ann.say("lobby", "I was here")
                else:
                    await ann.sees("I was here", "lobby")
                    assert len(await ann.messages("lobby")) == 3
                await until_commands(table)
                assert (await ann.slash("lobby", "about"))["failed"] is False
            process.send_signal(signal.SIGINT)
            _, told = await asyncio.wait_for(process.communicate(), 30)
            assert (process.returncode, told.decode()) == (0, "")
        finally:
            if process.returncode is None:
                process.kill()


async def until_commands(table: RemoteTable) -> None:
    """The bot registers its commands while it starts; `/about` is there when it has."""
    query = {"as": "ann", "channel": "lobby"}
    async with asyncio.timeout(30):
        while True:
            state = await table.get("state", **{"as": "ann"})
            if state["connected"] and await table.get("commands", **query):
                return
            await asyncio.sleep(0.05)


async def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    async with running_table() as table:
        process = await run_table(tmp_path, table.port)
        _, told = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 1
    assert told.decode().startswith(f"The table cannot listen on port {table.port}")
    assert "Traceback" not in told.decode()
