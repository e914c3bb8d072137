"""The table's memory and its doors: what survives, who may come in, and tables in other processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from pathlib import Path

import aiohttp
import pytest

from table.clock import Clock, moment_of
from table.composing import Upload
from table.errors import Refused
from table.people import text_of
from table.server import Table
from workshop.evening import echo
from workshop.evening.house import connected, point_to, running_table
from workshop.evening.remote import RemoteTable


# --- memory -----------------------------------------------------------------------------------------
async def test_everything_is_there_after_a_restart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    async with running_table(path=path) as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        client = echo.build()
        ann = table.person("ann")
        async with connected(client, table):
            await client.tree.sync()
            card = (await ann.slash("lobby", "card")).message
            assert card is not None
            await ann.slash("lobby", "whisper", text="secret")
            thread = await ann.open_thread("lobby", "side", message=card)
            await ann.say(thread, "in the thread", files=[Upload("a.txt", b"abc")])
            await ann.say(ann.direct(), "direct")
            pressed = (await ann.slash("lobby", "press")).message
            assert pressed is not None
        table.person("bo").read("lobby")
        token = table.token
    async with running_table(path=path) as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        assert table.token == token
        ann, bo = table.person("ann"), table.person("bo")
        assert text_of(ann.find(card.id)) == text_of(card)
        assert ann.find(card.id).components == card.components
        assert [text_of(each) for each in bo.messages("lobby") if "psst" in text_of(each)] == []
        assert [text_of(each) for each in ann.messages("lobby") if "psst" in text_of(each)] == ["psst: secret"]
        attached = ann.last("side").attachments[0]
        assert table.store.file(attached.id) == b"abc"
        assert ann.last(ann.direct()).content == "direct"
        assert table.world.unread(bo.id, bo.place("lobby")) == (0, 0)
        async with connected(echo.build(), table):  # no sync: the commands were kept
            assert (await ann.slash("lobby", "echo", text="again")).text == "again"
            assert not (await ann.click(pressed.id, "Pressed 0")).failed
        async with aiohttp.ClientSession() as session:
            picture = table.world.base_url + f"/attachments/{card.channel_id}/{card.attachments[0].id}/board.png"
            async with session.get(picture) as answer:
                assert answer.content_type == "image/png"


async def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    with pytest.raises(RuntimeError, match="another version"):
        Table(path)


async def test_deleted_messages_leave_no_bytes_behind(tmp_path: Path) -> None:
    async with running_table(path=tmp_path / "table.sqlite3") as table:
        said = await table.person("ann").say("lobby", files=[Upload("a.bin", b"x" * 100)])
        table.world.drop_message(said)
        assert table.store.file(said.attachments[0].id) is None


async def test_ids_increase_though_the_clock_goes_back() -> None:
    clock = Clock()
    first = clock.snowflake()
    clock.advance(-3600)
    assert int(clock.snowflake()) > int(first)


async def test_a_world_can_begin_in_the_past() -> None:
    async with running_table(clock=Clock(offset=-7200)) as table:
        said = await table.person("ann").say("lobby", "two hours ago")
        table.clock.advance(7200)
        assert table.clock.now() - moment_of(said.id) >= 7200


async def test_people_are_unique_and_can_join_later(table: Table) -> None:
    with pytest.raises(Refused, match="already somebody"):
        table.world.add_user("ann")
    with pytest.raises(Refused, match="Nobody at the table"):
        table.person("eve")


# --- doors ------------------------------------------------------------------------------------------
async def test_only_loopback_is_listened_on(table: Table) -> None:
    assert table._runner is not None
    assert [each[0] for each in table._runner.addresses] == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Host": "evil.example:{port}"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
async def test_no_other_site_may_post(table: Table, headers: dict[str, str], status: int) -> None:
    sent = {"Content-Type": "application/json"} | {key: value.format(port=table.port) for key, value in headers.items()}
    body = json.dumps({"as": "ann", "channel": "lobby", "text": "hi"})
    async with aiohttp.ClientSession(headers=sent) as session:
        answer = await session.post(f"{table.url}/table/say", data=body)
        assert answer.status == status
    assert len(table.person("ann").messages("lobby")) == (status == 200)


async def test_no_other_site_may_open_the_gateway(table: Table) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(table.gateway_url, headers={"Origin": "https://evil.example"})
    assert refused.value.status == 403


async def test_uploads_never_run_as_pages(table: Table) -> None:
    said = await table.person("ann").say("lobby", files=[Upload("evil.html", b"<script>1</script>", "text/html")])
    url = f"{table.url}/attachments/{said.channel_id}/{said.attachments[0].id}/evil.html"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


async def test_orders_are_not_taken_unless_allowed(table: Table) -> None:
    async with aiohttp.ClientSession() as session:
        answer = await session.post(f"{table.url}/table/control/advance", json={"seconds": 1})
        assert answer.status == 404


async def test_page_and_avatars_are_served(table: Table) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(table.url) as answer:
            assert "main.js" in await answer.text()
        async with session.get(f"{table.url}/page/js/main.js") as answer:
            assert answer.content_type.endswith("/javascript")
        async with session.get(f"{table.url}/embed/avatars/3.png") as answer:
            assert (await answer.read()).startswith(b"\x89PNG")
        async with session.get(f"{table.url}/page/../store.py") as answer:
            assert answer.status == 404


# --- other processes --------------------------------------------------------------------------------
async def start(*command: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, **environment}
    )


async def end(process: asyncio.subprocess.Process, how: signal.Signals = signal.SIGTERM) -> int:
    if process.returncode is None:
        process.send_signal(how)
    return await asyncio.wait_for(process.wait(), 30)


async def test_bot_is_killed_and_another_takes_over_at_a_running_table() -> None:
    server = await start("table", "--control")
    assert server.stdout is not None
    bots: list[asyncio.subprocess.Process] = []
    try:
        about = json.loads(await asyncio.wait_for(server.stdout.readline(), 30))
        settings = {
            "DISCORD_TOKEN": about["token"],
            "DISCORD_API_BASE": about["api"],
            "DISCORD_GATEWAY": about["gateway"],
        }
        async with RemoteTable(about["url"]) as table:
            ann = table.person("ann")
            bots.append(await start("workshop.evening.echo", **settings))
            await ann.sees("ready", "lobby")
            card = await ann.slash("lobby", "press")
            assert (await ann.click(card["message"], "Pressed 0"))["failed"] is False
            await end(bots[0], signal.SIGKILL)
            bots.append(await start("workshop.evening.echo", **settings))
            await ann.sees("ready again", "lobby")
            assert (await ann.click(card["message"], "Pressed 1"))["failed"] is False
            assert (await ann.messages("lobby"))[1]["content"] == "pressed 2"
            await table.control("gateway", do="drop")
            assert (await ann.slash("lobby", "echo", text="through"))["failed"] is False
            await table.control("fault", where="POST /interactions", status=429, retry_after=0.01)
            form = await ann.slash("lobby", "note")
            sent = await ann.submit(form, {"Text": "remote"})
            assert sent["failed"] is False
            await table.control("age", message=card["message"], seconds=4000)
            await table.control("advance", seconds=10)
            assert [each["value"] for each in await ann.autocomplete("lobby", "travel", "town", town="59")] == [
                "Town 59"
            ]
            with pytest.raises(Refused, match="no command"):
                await ann.slash("lobby", "nothing")
            status = await table.control("status")
            assert status["unknown_routes"] == []
            assert status["crashes"] == []
            assert status["received"].count("RESUME") == 1
        assert await end(server) == 0
    finally:
        for each in (*bots, server):
            await end(each, signal.SIGKILL)
