"""Whatever is sent to the table, it says what is wrong with it; it never has a fault of its own."""

from __future__ import annotations

import asyncio
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest

from table.composing import Upload
from tests.table.conftest import Api
from workshop.evening.house import eventually

JSON_TYPE = {"Content-Type": "application/json"}
DEEP = b"[" * 100_000


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[1,]", b"NaN", DEEP, b'{"content": Infinity}'])
async def test_bad_json_from_the_bot(api: Api, body: bytes) -> None:
    path = f"/channels/{api.lobby.id}/messages"
    status, answer = await api.call("POST", path, data=body, headers=JSON_TYPE)
    assert (status, answer["code"]) == (400, 50109)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"--y\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y--\r\n--x--"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="payload_json"\r\n'
            b"Content-Transfer-Encoding: odd\r\n\r\n{}\r\n--x--",
        ),
    ],
)
async def test_bad_parts_from_the_bot(api: Api, kind: str, body: bytes) -> None:
    path = f"/channels/{api.lobby.id}/messages"
    status, _ = await api.call("POST", path, data=body, headers={"Content-Type": kind})
    assert status == 400


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=b"])
async def test_a_bot_that_is_gone_before_its_request_is_read_is_no_fault_of_the_table(api: Api, kind: str) -> None:
    api.table.faults.slow("POST /channels", seconds=0.2)
    address = urlsplit(api.table.api_url)
    _, writer = await asyncio.open_connection(address.hostname, address.port)
    head = (
        f"POST {address.path}/channels/{api.lobby.id}/messages HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bot {api.table.token}\r\nContent-Type: {kind}\r\nContent-Length: 5000\r\n\r\n"
    )
    writer.write(head.encode() + b'{"content": "h')
    await writer.drain()
    await eventually(lambda: bool(api.table.requests))
    writer.transport.abort()
    await asyncio.sleep(0.5)
    assert list(api.table.requests) == [f"POST /channels/{api.lobby.id}/messages"]
    assert api.table.crashes == []
    assert list(api.table.world.history(api.lobby.id)) == []


async def raw(api: Api, method: str, path: str, **options: Any) -> int:
    async with api.session.request(method, f"{api.table.url}{path}", **options) as answer:
        await answer.read()
        return answer.status


@pytest.mark.parametrize("body", [b"{", b"\xff", b"3", DEEP, b"{}"])
@pytest.mark.parametrize("verb", ["say", "click", "people", "delete", "thread"])
async def test_bad_json_from_the_page(api: Api, verb: str, body: bytes) -> None:
    assert await raw(api, "POST", f"/table/{verb}", data=body, headers=JSON_TYPE) == 400


async def test_bad_json_in_another_alphabet(api: Api) -> None:
    headers = {"Content-Type": "application/json; charset=klingon"}
    assert await raw(api, "POST", "/table/say", data=b"{", headers=headers) == 400


@pytest.mark.parametrize("value", ["many", "-1", "²", "1e3", "9" * 5000])
@pytest.mark.parametrize("name", ["limit", "before"])
async def test_bad_limits_of_the_page(api: Api, name: str, value: str) -> None:
    query = {"as": "ann", "channel": api.lobby.id, name: value}
    assert await raw(api, "GET", "/table/messages", params=query) == 404


async def test_news_for_nobody(api: Api) -> None:
    assert await raw(api, "GET", "/table/events?as=nobody") == 404


@pytest.mark.parametrize("host", ["[", "[::1", "a]b", "x" * 4000, "é"])
async def test_odd_hosts_are_not_ours(api: Api, host: str) -> None:
    assert await raw(api, "GET", "/", headers={"Host": host}) in (400, 403)
    assert await raw(api, "POST", "/table/say", json={}, headers={"Origin": f"http://{host}"}) in (400, 403)


@pytest.mark.parametrize(("number", "wanted"), [("0", 200), ("12345678901234567890", 200), ("²", 404), ("x", 404)])
async def test_avatars(api: Api, number: str, wanted: int) -> None:
    assert await raw(api, "GET", f"/embed/avatars/{number}.png") == wanted


async def test_a_file_with_an_odd_name_can_be_fetched(api: Api) -> None:
    message = await api.table.person("ann").say("lobby", files=[Upload('a "b"\r\nc é.bin', b"x")])
    kept = message.attachments[0]
    for name in (kept.filename, "%22%0d%0aX: y.bin"):
        assert await raw(api, "GET", f"/attachments/{api.lobby.id}/{kept.id}/{name}") == 200


@pytest.mark.parametrize("port", ["99999999", "-1", "65536"])
@pytest.mark.parametrize("program", ["table", "bot"])
async def test_a_port_that_is_none_is_refused_in_one_sentence(program: str, port: str, tmp_path: Any) -> None:
    start = {"table": ["-m", "table"], "bot": ["-c", "import sys, bot.cli; sys.exit(bot.cli.main())", "table"]}
    made = await asyncio.create_subprocess_exec(
        *(sys.executable, *start[program], "--port", port, "--data", str(tmp_path / "data")),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await asyncio.wait_for(made.communicate(), 60)
    assert made.returncode == 2
    assert told.decode() == f"{port} is no port: choose one from 0 to 65535 with --port.\n"
