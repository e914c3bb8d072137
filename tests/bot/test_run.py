"""`kursbuch run` in a process of its own, at a table in another: settings, health, a graceful stop, logs."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot import logs
from bot.settings import Settings, SettingsError, read_env_file
from storage.presence import MARK
from workshop.evening.remote import RemoteTable

PATIENCE = 60.0
DATABASE = "kursbuch.sqlite3"
#: A table's token is short and random; this one has the form of a real one.
REAL_LOOKING = "MTA5OTk5OTk5OTk5OTk5OTk5OQ.GabcdE.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789ab"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def surroundings(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment without settings of the machine's own, and with these."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "KURSBUCH_"))}
    # The process works in a folder of its own, from where the packages are to be found as well.
    root = str(Path(__file__).parents[2])
    return {**kept, "PYTHONPATH": root, **settings}


@dataclass
class Running:
    """A process and the lines it has written so far."""

    process: asyncio.subprocess.Process
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    readers: list[asyncio.Task[None]] = field(default_factory=list)

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            code = await self.process.wait()
            await asyncio.gather(*self.readers)
        return code

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return await self.ended()

    @property
    def log(self) -> list[dict[str, Any]]:
        """The lines of the log; each must be an object of JSON."""
        return [json.loads(line) for line in self.err]

    async def says(self, text: str) -> None:
        """Wait until the log has a line with a text."""
        async with asyncio.timeout(PATIENCE):
            while not any(text in line for line in self.err):
                assert self.process.returncode is None, self.err
                await asyncio.sleep(0.02)


async def read(stream: asyncio.StreamReader, lines: list[str]) -> None:
    async for line in stream:
        lines.append(line.decode().rstrip("\n"))


@asynccontextmanager
async def started(*command: str, folder: Path, settings: Mapping[str, str]) -> AsyncIterator[Running]:
    """A process that is gone at the end, whatever happened."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=folder, env=surroundings(settings),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=2**22,
    )  # fmt: skip
    running = Running(process)
    assert process.stdout is not None
    assert process.stderr is not None
    running.readers = [
        asyncio.create_task(read(process.stdout, running.out)),
        asyncio.create_task(read(process.stderr, running.err)),
    ]
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await running.ended()


@asynccontextmanager
async def table_of_its_own(folder: Path, *options: str) -> AsyncIterator[tuple[RemoteTable, dict[str, str]]]:
    """A table in another process, and the settings that lead to it."""
    async with started("-m", "table", "--control", *options, folder=folder, settings={}) as process:
        async with asyncio.timeout(PATIENCE):
            while not process.out:
                assert process.process.returncode is None, process.err
                await asyncio.sleep(0.02)
        about = json.loads(process.out[0])
        settings = {
            "DISCORD_TOKEN": about["token"],
            "DISCORD_API_BASE": about["api"],
            "DISCORD_GATEWAY": about["gateway"],
        }
        async with RemoteTable(about["url"]) as table:
            yield table, settings


def kursbuch(folder: Path, settings: Mapping[str, str], *arguments: str) -> Any:
    """`kursbuch run` in a folder, with these settings and none of the machine's own."""
    program = "import sys; from bot.cli import main; sys.exit(main())"
    return started("-c", program, "run", *arguments, folder=folder, settings=settings)


async def health(port: int) -> tuple[int, dict[str, Any]]:
    """What the health endpoint says; 0 if nobody answers."""
    async with aiohttp.ClientSession() as session:
        try:
            async with session.get(f"http://127.0.0.1:{port}/health") as answer:
                return answer.status, await answer.json()
        except aiohttp.ClientConnectionError:
            return 0, {}


async def until_health(port: int, status: int) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while (found := await health(port))[0] != status:  # noqa: ASYNC110 (another process)
            await asyncio.sleep(0.05)
    return found[1]


async def asked_for(table: RemoteTable, path: str) -> None:
    """Wait until the bot has asked Discord for something."""
    async with asyncio.timeout(PATIENCE):
        while not any(path in each for each in (await table.control("status"))["requests"]):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def sentence(running: Running) -> str:
    """The one line that a person is told, without a traceback and beside the log."""
    told = [line for line in running.err if not line.startswith("{")]
    assert len(told) == 1, running.err
    assert told[0].startswith("kursbuch: ")
    assert told[0].endswith(".")
    return told[0]


# --- at a table -------------------------------------------------------------------------------------


async def test_it_starts_answers_and_stops_with_settings_from_the_environment(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (table, settings):
        port = free_port()
        more = {"KURSBUCH_DATA": "games", "KURSBUCH_HEALTH_PORT": str(port)}
        ann = table.person("ann")
        async with kursbuch(tmp_path, settings | more, "--sync") as bot:
            assert (await until_health(port, 200)) == {
                "ok": True, "version": metadata.version("kursbuch"), "discord": "ok", "database": "ok", "servers": 1,
                "troubles": [], "games": {"judged": 0, "waiting": 0, "paused": 0},
            }  # fmt: skip
            answer = await ann.slash("lobby", "about")
            assert answer["failed"] is False
            assert "Kursbuch" in str(await ann.sees("reads no messages", "lobby"))
            await ann.slash("lobby", "game new", title="rhl", where="here", seats=3)
            await ann.sees("Seats (", "lobby")
            assert await bot.stop() == 0
            assert [entry["message"] for entry in bot.log][-2:] == ["asked to stop", "stopped"]
            assert any("registered" in entry["message"] for entry in bot.log)
        assert await health(port) == (0, {})
        status = await table.control("status")
        assert (status["connected"], status["unknown_routes"], status["crashes"]) == (False, [], [])
    # A database that was closed properly leaves no write-ahead log behind.
    assert sorted(file.name for file in (tmp_path / "games").iterdir()) == sorted([MARK, DATABASE])
    with sqlite3.connect(tmp_path / "games" / DATABASE) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (1,)
    db.close()


async def test_it_starts_with_settings_from_a_file_and_without_registering_commands_again(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (table, settings):
        async with kursbuch(tmp_path, settings, "--sync") as bot:
            await bot.says("is at 1 servers")
            assert await bot.stop(signal.SIGINT) == 0
        port = free_port()
        lines = [f'export {name}="{value}"' for name, value in settings.items()]
        text = "\n".join(["# the bot's settings", *lines, f"KURSBUCH_HEALTH_PORT={port}  # for the monitor", ""])
        (tmp_path / ".env").write_text(text, "utf-8")
        async with kursbuch(tmp_path, {"DISCORD_TOKEN": ""}) as bot:
            await until_health(port, 200)
            assert (await table.person("bo").slash("lobby", "about"))["failed"] is False
            assert await bot.stop() == 0
            assert not any("registered" in entry["message"] for entry in bot.log)
    assert (tmp_path / "data" / DATABASE).is_file()


async def test_health_says_no_while_discord_is_away(tmp_path: Path) -> None:
    kept = ("--data", "table.sqlite3", "--port", str(free_port()))
    async with table_of_its_own(tmp_path, *kept) as (_, settings):
        pass
    port = free_port()
    async with kursbuch(tmp_path, settings | {"KURSBUCH_HEALTH_PORT": str(port)}) as bot:
        assert (await until_health(port, 503))["ok"] is False
        async with table_of_its_own(tmp_path, *kept):
            await until_health(port, 200)
        found = await until_health(port, 503)
        assert (found["discord"], found["database"]) == ("not connected", "ok")
        # It waits for Discord, but not when it is asked to stop.
        assert await bot.stop() == 0
        assert settings["DISCORD_TOKEN"] not in "\n".join(bot.err)
        assert all(entry["level"] for entry in bot.log)


async def test_a_move_under_way_is_finished_before_the_stop(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path, "--no-rate-limits") as (table, settings):
        ann = table.person("ann")
        async with kursbuch(tmp_path, settings, "--sync") as bot:
            await bot.says("is at 1 servers")
            # Discord takes its time over the lobby's card, and the stop is asked for in the meantime.
            await table.control("fault", where="POST /channels", delay=0.5)
            asked = asyncio.create_task(ann.slash("lobby", "game new", title="rhl", where="here", seats=3))
            await asked_for(table, "/messages")
            assert await bot.stop() == 0
            assert (await asked)["failed"] is False
            await ann.sees("Seats (", "lobby")
            await ann.sees("The lobby is open", "lobby")


# --- what is wrong is told in a sentence ------------------------------------------------------------


async def test_a_wrong_token(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path) as (_, settings):
        async with kursbuch(tmp_path, settings | {"DISCORD_TOKEN": REAL_LOOKING}) as bot:
            assert await bot.ended() == 2
        assert "does not accept this DISCORD_TOKEN" in sentence(bot)
        assert REAL_LOOKING not in "\n".join(bot.err)
        assert bot.out == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "Set DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": f"Bot {REAL_LOOKING}"}, "no word Bot"),
        ({"DISCORD_TOKEN": "t", "KURSBUCH_HEALTH_PORT": "many"}, "KURSBUCH_HEALTH_PORT is a port number"),
        ({"DISCORD_TOKEN": "t", "KURSBUCH_HEALTH_PORT": "9" * 5000}, "KURSBUCH_HEALTH_PORT is a port number"),
        (
            {"DISCORD_TOKEN": "t", "DISCORD_API_BASE": "http://", "DISCORD_GATEWAY": "ws://a"},
            "DISCORD_API_BASE is an address with a host",
        ),
    ],
)
async def test_settings_that_are_missing_or_wrong(tmp_path: Path, settings: dict[str, str], told: str) -> None:
    async with kursbuch(tmp_path, settings) as bot:
        assert await bot.ended() == 2
    assert told in sentence(bot)
    assert REAL_LOOKING not in "\n".join(bot.err)
    assert os.listdir(tmp_path) == []


async def test_a_database_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / DATABASE).write_bytes(b"this is a letter and no database" * 100)
    (tmp_path / "file").write_text("in the way", "utf-8")
    async with table_of_its_own(tmp_path) as (_, settings):
        async with kursbuch(tmp_path, settings) as bot:
            assert await bot.ended() == 1
        assert f"The games in data/{DATABASE} cannot be opened: the file is not a database" in sentence(bot)
        async with kursbuch(tmp_path, settings | {"KURSBUCH_DATA": "file"}) as bot:
            assert await bot.ended() == 1
        assert f"The games in file/{DATABASE} cannot be opened" in sentence(bot)


async def test_a_health_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = {"DISCORD_TOKEN": "t", "KURSBUCH_HEALTH_PORT": str(port)}
        nowhere = {"DISCORD_API_BASE": "http://127.0.0.1:1", "DISCORD_GATEWAY": "ws://127.0.0.1:1"}
        async with kursbuch(tmp_path, settings | nowhere) as bot:
            assert await bot.ended() == 1
    assert f"cannot listen on 127.0.0.1:{port}" in sentence(bot)


# --- logs -------------------------------------------------------------------------------------------


async def test_logs_hold_no_token_even_when_everything_goes_wrong(tmp_path: Path) -> None:
    async with table_of_its_own(tmp_path, "--no-rate-limits") as (table, settings):
        ann = table.person("ann")
        async with kursbuch(tmp_path, settings | {"KURSBUCH_LOG_LEVEL": "DEBUG"}, "--sync") as bot:
            await bot.says("is at 1 servers")
            # Answers that cannot be given: the addresses of these requests hold the interaction's token. What Discord
            # refuses is a traceback; what is too late after many attempts is a line.
            await table.control("fault", where="POST /interactions", status=400)
            await ann.slash("lobby", "about")
            await table.control("fault", where="POST /interactions", status=500, times=20)
            await ann.slash("lobby", "about")
            await table.control("fault", clear=True)
            await table.control("gateway", do="drop")
            await ann.slash("lobby", "game new", title="rhl", where="here", seats=3)
            await ann.sees("Seats (", "lobby")
            assert await bot.stop() == 0
    text = "\n".join(bot.err)
    assert settings["DISCORD_TOKEN"] not in text
    assert any("traceback" in entry for entry in bot.log)
    assert any("too late for Discord" in entry["message"] for entry in bot.log)
    for entry in bot.log:
        assert {"time", "level", "logger", "message"} <= entry.keys()
        for word in str(entry).replace("/", " ").split():
            # A table's interaction tokens are 64 characters without a break; nothing else here is so long.
            assert not (len(word) >= 60 and word.replace("-", "").replace("_", "").isalnum()), word


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bot {REAL_LOOKING}",
        "POST https://discord.com/api/v10/interactions/123456/aW50ZXJhY3Rpb246/callback failed",
        "PATCH https://discord.com/api/v10/webhooks/123456/aW50ZXJhY3Rpb246/messages/@original?wait=true",
        "{'id': '1', 'token': 'aW50ZXJhY3Rpb246', 'type': 2}",
        '{"token": "aW50ZXJhY3Rpb246"}',
        "the word swordfish",
    ],
)
def test_tokens_are_hidden_wherever_they_stand(text: str) -> None:
    formatter = logs.JsonFormatter("swordfish")
    try:
        raise ValueError(text)
    except ValueError:
        record = logging.LogRecord("bot", logging.ERROR, "", 0, "failed: %s", (text,), sys.exc_info())
    line = formatter.format(record)
    entry = json.loads(line)
    assert logs.HIDDEN in entry["message"]
    assert logs.HIDDEN in entry["traceback"]
    for secret in (REAL_LOOKING, "aW50ZXJhY3Rpb246", "swordfish"):
        assert secret not in line
    for kept in ("/interactions/123456/", "/webhooks/123456/", "/messages/@original?wait=true"):
        assert (kept in text) == (kept in line)


# --- settings ---------------------------------------------------------------------------------------


def test_an_env_file_as_people_write_it(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    lines = [
        "\ufeffFIRST=1", "# DISCORD_TOKEN=old", "", "export A = b ", "B='with # and \"'", 'C="two words" # why',
        "D=x # y", "E=a#b", "F=", "no equals sign", "G='open",
    ]  # fmt: skip
    file.write_text("\n".join(lines), "utf-8")
    assert read_env_file(file) == {
        "FIRST": "1", "A": "b", "B": 'with # and "', "C": "two words", "D": "x", "E": "a#b", "F": "", "G": "'open",
    }  # fmt: skip
    assert read_env_file(tmp_path / "none") == {}
    with pytest.raises(SettingsError, match="more than"):
        read_env_file(Path("/dev/zero"))
    file.write_bytes(b"A=\xff")
    with pytest.raises(SettingsError, match="not UTF-8"):
        read_env_file(file)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_text("DISCORD_TOKEN=file\nKURSBUCH_DATA=there\nKURSBUCH_SYNC=on\n", "utf-8")
    read = Settings.from_environment({"KURSBUCH_ENV": str(file), "DISCORD_TOKEN": "own", "KURSBUCH_DATA": ""})
    assert (read.token, read.data, read.sync_commands, read.health_port) == ("own", Path("there"), True, None)
    assert "own" not in repr(read)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", "  "),
        ("DISCORD_GATEWAY", "ws://127.0.0.1:1"),
        ("KURSBUCH_ENV", "nowhere.env"),
        ("KURSBUCH_SYNC", "perhaps"),
        ("KURSBUCH_LOG_LEVEL", "LOUD"),
        ("KURSBUCH_HEALTH_PORT", "70000"),
        ("KURSBUCH_HEALTH_PORT", "²"),
        ("KURSBUCH_HEALTH_PORT", "9" * 5000),
        ("KURSBUCH_BACKUPS_KEPT", "0"),
        ("KURSBUCH_BACKUP_HOURS", "often"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({"DISCORD_TOKEN": "t", name: value})


@pytest.mark.parametrize(
    "address", ["http://", "http://:80", "http://[::1", "http://a:99999", "http://a:0", "http://a b", "http:///path"]
)
def test_an_address_without_a_host_or_with_an_impossible_port_is_named(address: str) -> None:
    given = {"DISCORD_TOKEN": "t", "DISCORD_API_BASE": address, "DISCORD_GATEWAY": "ws://a"}
    with pytest.raises(SettingsError, match="DISCORD_API_BASE is an address with a host"):
        Settings.from_environment(given)
    given = {"DISCORD_TOKEN": "t", "DISCORD_API_BASE": "http://a", "DISCORD_GATEWAY": address.replace("http", "ws")}
    with pytest.raises(SettingsError, match="DISCORD_GATEWAY is an address with a host"):
        Settings.from_environment(given)


def test_addresses_of_another_discord_are_checked() -> None:
    with pytest.raises(SettingsError, match="DISCORD_GATEWAY begins with ws"):
        Settings.from_environment({"DISCORD_TOKEN": "t", "DISCORD_API_BASE": "http://a", "DISCORD_GATEWAY": "http://a"})


# --- make play --------------------------------------------------------------------------------------


async def test_the_table_opens_no_browser_where_there_is_no_display(tmp_path: Path) -> None:
    # A browser for the terminal would take the terminal away and never come back.
    port = free_port()
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\ntouch opened\nsleep 600\n", "utf-8")
    browser.chmod(0o755)
    program = "import sys; from bot.cli import main; sys.exit(main())"
    settings = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": str(browser)}
    command = ("-c", program, "table", "--open", "--port", str(port), "--data", "kept")
    async with started(*command, folder=tmp_path, settings=settings) as table:
        async with asyncio.timeout(PATIENCE):
            while not table.out:
                assert table.process.returncode is None, table.err
                await asyncio.sleep(0.02)
        assert f"http://127.0.0.1:{port}" in table.out[0]
        assert await table.stop() == 0
    assert "opened" not in os.listdir(tmp_path)


async def test_a_table_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    program = "import sys; from bot.cli import main; sys.exit(main())"
    command = ("-c", program, "table", "--port", str(free_port()), "--data", "file/table")
    async with started(*command, folder=tmp_path, settings={}) as table:
        assert await table.ended() == 1
    assert len(table.err) == 1
    assert table.err[0].startswith("The table cannot use the folder file/table")
