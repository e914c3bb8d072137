"""The gateway by a plain discord.py client: coming, going, and losing nothing in between."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Awaitable, Callable

import aiohttp
import discord
import pytest
import yarl

from table.gateway import Intent, Op
from table.server import Table
from workshop.evening import echo
from workshop.evening.house import QuickClient, Running, connected, eventually, house, point_to, running_table


async def drop(table: Table) -> None:
    table.gateway.drop()


async def close_unknown(table: Table) -> None:
    await table.gateway.close(4000)


async def ask_to_reconnect(table: Table) -> None:
    table.gateway.ask_to_reconnect()


async def invalidate_but_resumable(table: Table) -> None:
    table.gateway.invalidate(resumable=True)


@pytest.mark.parametrize("fault", [drop, close_unknown, ask_to_reconnect, invalidate_but_resumable])
async def test_resume_loses_nothing(home: Running, fault: Callable[[Table], Awaitable[None]]) -> None:
    heard: list[int] = []

    @home.client.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message.id)

    before = await home.ann.say("lobby", "before")
    await eventually(lambda: len(heard) == 1)
    await fault(home.table)
    while_away = await home.ann.say("lobby", "while away")
    await eventually(lambda: Op.RESUME in home.table.gateway.received)
    after = await home.ann.say("lobby", "after")
    await eventually(lambda: len(heard) == 3)
    assert heard == [int(each.id) for each in (before, while_away, after)]
    assert home.table.gateway.received.count(Op.RESUME) == 1
    assert home.table.gateway.received.count(Op.IDENTIFY) == 1
    assert (await home.ann.slash("lobby", "echo", text="back")).text == "back"


async def test_a_click_while_the_bot_is_away_is_answered_when_it_is_back(home: Running) -> None:
    card = (await home.ann.slash("lobby", "press")).message
    assert card is not None
    home.table.gateway.drop()
    assert not (await home.ann.click(card, "Pressed 0")).failed


async def identify_after_invalid_session(table: Table) -> None:
    table.gateway.invalidate(resumable=False)


async def identify_after_refused_resume(table: Table) -> None:
    table.gateway.refuse_resumes = 1
    table.gateway.drop()


async def identify_after_server_restart(table: Table) -> None:
    await table.restart()


@pytest.mark.parametrize(
    "fault", [identify_after_invalid_session, identify_after_refused_resume, identify_after_server_restart]
)
async def test_lost_session_is_identified_anew_and_buttons_live_on(
    home: Running, fault: Callable[[Table], Awaitable[None]]
) -> None:
    card = (await home.ann.slash("lobby", "card")).message
    assert card is not None
    await fault(home.table)
    await eventually(lambda: home.table.gateway.received.count(Op.IDENTIFY) == 2)
    await home.table.bot_is_here()
    assert not (await home.ann.click(card, "Next")).failed
    assert not home.task.done()


async def test_missing_heartbeat_acknowledgements_lead_to_a_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    client = echo.build(heartbeat_timeout=0.6)
    async with house(monkeypatch, client, sync=False) as home:
        home.table.gateway.heartbeat_seconds = 0.1
        home.table.gateway.drop()  # the new interval comes with the next hello
        await eventually(lambda: Op.RESUME in home.table.gateway.received)
        home.table.gateway.acknowledges_heartbeats = False
        await eventually(lambda: home.table.gateway.received.count(Op.RESUME) >= 2)
        home.table.gateway.acknowledges_heartbeats = True
        await home.table.bot_is_here()


async def test_wrong_token_is_a_login_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        client = QuickClient()
        with pytest.raises(discord.LoginFailure):
            await client.start("wrong")
        await client.close()


async def test_privileged_intents_must_be_switched_on_first(monkeypatch: pytest.MonkeyPatch) -> None:
    intents = discord.Intents.default()
    intents.message_content = intents.members = True
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        refused = QuickClient(intents=intents)
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await refused.start(table.token)
        await refused.close()
        table.world.application.privileged_intents = int(Intent.MESSAGE_CONTENT | Intent.GUILD_MEMBERS)
        client = QuickClient(intents=intents)
        heard: list[str] = []

        @client.event
        async def on_message(message: discord.Message) -> None:
            heard.append(message.content)

        async with connected(client, table):
            await table.person("ann").say("lobby", "readable now")
            await eventually(lambda: heard == ["readable now"])
            assert {each.name for each in client.guilds[0].members} == {"ann", "bo", "cy", "dora", "bot"}
            found = await client.guilds[0].query_members("do")
            assert [each.display_name for each in found] == ["Dora"]
            assert len([each async for each in client.guilds[0].fetch_members()]) == 5


async def test_without_the_members_intent_the_bot_meets_only_itself(home: Running) -> None:
    assert [each.name for each in home.client.guilds[0].members] == ["bot"]


async def test_sharded_client_hears_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        client = discord.AutoShardedClient(intents=discord.Intents.default(), guild_ready_timeout=0.02)
        heard: list[int] = []

        @client.event
        async def on_message(message: discord.Message) -> None:
            heard.append(message.id)

        async with connected(client, table):
            said = await table.person("ann").say("lobby", "hello")
            await eventually(lambda: heard == [int(said.id)])
        assert "GET /gateway/bot" in table.requests


async def test_members_channels_and_servers_change_under_the_bots_eyes(home: Running) -> None:
    world, client = home.table.world, home.client
    second = world.add_guild("Second", home.ann.user)
    world.join(second, world.users[world.bot_id])
    await eventually(lambda: len(client.guilds) == 2)
    place = world.add_channel(second, "there")
    await eventually(lambda: client.get_channel(int(place.id)))
    world.drop_channel(place)
    await eventually(lambda: client.get_channel(int(place.id)) is None)
    world.leave(second, world.bot_id)
    await eventually(lambda: len(client.guilds) == 1)


class Raw:
    """A gateway connection without a library."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws

    async def send(self, op: int, data: object) -> None:
        await self.ws.send_json({"op": op, "d": data})

    async def next(self) -> dict[str, object]:
        message = await self.ws.receive(timeout=20)
        assert message.type is aiohttp.WSMsgType.TEXT, message
        return dict(json.loads(message.data))

    async def close_code(self) -> int | None:
        async with asyncio.timeout(20):
            while (await self.ws.receive()).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
                pass
        return self.ws.close_code


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (["not json"], 4002),
        ([{"op": 77}], 4001),
        ([{"op": 8, "d": {}}], 4003),
        ([{"op": 2, "d": {"token": "wrong", "intents": 0}}], 4004),
        ([{"op": 2, "d": {"token": "{token}", "intents": -1}}], 4013),
        ([{"op": 2, "d": {"token": "{token}", "intents": 1 << 15}}], 4014),
        ([{"op": 2, "d": {"token": "{token}", "intents": 0}}] * 2, 4005),
        ([{"op": 2, "d": {"token": "{token}", "intents": 0}}] + [{"op": 3, "d": {}}] * 121, 4008),
    ],
)
async def test_close_codes(table: Table, frames: list[object], code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(table.gateway_url) as ws:
        raw = Raw(ws)
        assert (await raw.next())["op"] == Op.HELLO
        for frame in frames:
            text = frame if isinstance(frame, str) else json.dumps(frame)
            if ws.closed:
                break
            await ws.send_str(text.replace("{token}", table.token))
        assert await raw.close_code() == code


async def test_many_commands_over_a_long_time_are_no_flood(table: Table) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(table.gateway_url) as ws:
        raw = Raw(ws)
        await raw.next()
        await raw.send(2, {"token": table.token, "intents": 0})
        await raw.next()
        for _ in range(3):
            already = len(table.gateway.received)
            for _ in range(100):
                await raw.send(3, {})
            await eventually(lambda seen=already: len(table.gateway.received) == seen + 100)
            table.clock.advance(61)
        await raw.send(1, None)
        assert (await raw.next())["op"] == Op.HEARTBEAT_ACK


async def test_zlib_stream_is_one_stream_for_all_messages(table: Table) -> None:
    url = yarl.URL(table.gateway_url).with_query(compress="zlib-stream")
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as ws:
        inflate = zlib.decompressobj()
        seen = []
        await ws.send_json({"op": 2, "d": {"token": table.token, "intents": int(Intent.GUILDS)}})
        for _ in range(3):
            message = await ws.receive(timeout=20)
            assert message.type is aiohttp.WSMsgType.BINARY
            assert message.data.endswith(b"\x00\x00\xff\xff")
            payload = json.loads(inflate.decompress(message.data))
            seen.append(payload["t"] or payload["op"])
        assert seen == [Op.HELLO, "READY", "GUILD_CREATE"]


async def test_a_session_too_far_behind_cannot_resume(table: Table) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(table.gateway_url) as ws:
        raw = Raw(ws)
        await raw.send(2, {"token": table.token, "intents": int(Intent.GUILDS)})
        await raw.next()
        ready = await raw.next()
        data = ready["d"]
        assert isinstance(data, dict)
        table.gateway.drop()
    table.clock.advance(301)
    async with aiohttp.ClientSession() as session, session.ws_connect(table.gateway_url) as ws:
        raw = Raw(ws)
        await raw.next()
        await raw.send(6, {"token": table.token, "session_id": data["session_id"], "seq": 1})
        assert (await raw.next())["op"] == Op.INVALID_SESSION


async def test_a_quick_answer_to_a_heartbeat_does_not_seem_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """discord.py notes the sending in a thread; an answer before that looks a whole interval old to it."""
    async with running_table() as table:
        table.gateway.heartbeat_seconds = interval = 0.4
        client = echo.build()
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        async with connected(client, table):
            latencies = []
            for beats in range(2, 10):
                await eventually(lambda wanted=beats: table.gateway.received.count(Op.HEARTBEAT) >= wanted)
                await asyncio.sleep(0.2)
                latencies.append(client.latency)
    assert max(latencies) < interval - 0.1


async def test_only_the_gateway_tells_the_place_of_a_message(home: Running) -> None:
    """Members and the server come with the news of a message, not with the answer to a request."""
    heard: list[discord.Message] = []

    @home.client.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message)

    told = await home.ann.say("lobby", f"for {home.bo.mention}")
    await eventually(lambda: heard)
    assert isinstance(heard[0].author, discord.Member)
    assert heard[0].guild is not None
    assert isinstance(heard[0].mentions[0], discord.Member)
    channel = home.client.get_channel(int(told.channel_id))
    assert isinstance(channel, discord.TextChannel)
    fetched = await channel.fetch_message(int(told.id))
    assert not isinstance(fetched.author, discord.Member)
