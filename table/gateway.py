"""The gateway: sessions of the bot, their sockets, and what each hears of the world."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import deque
from enum import IntEnum, IntFlag
from typing import Any, Final

from aiohttp import WSMessage, WSMsgType, web

from table import limits, wire
from table.model import JSON
from table.world import Event, World


class Op(IntEnum):
    """Gateway operations."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Close codes."""

    UNKNOWN_OP = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    RATE_LIMITED = 4008
    SESSION_TIMED_OUT = 4009
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


class Intent(IntFlag):
    """What a session wants to hear."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


#: How long a heartbeat's answer is under way; on loopback it would be there before the client expects one.
ANSWER_SECONDS: Final = 0.05
PRIVILEGED: Final = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
ALL_INTENTS: Final = (1 << 26) - 1


class Session:
    """What the bot has heard so far; it outlives its socket so that nothing is lost in between."""

    def __init__(self, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.heard: deque[tuple[int, str]] = deque(maxlen=limits.RESUME_BUFFER)
        self.socket: Socket | None = None
        self.away_since: float | None = None

    def wants(self, intent: int, guild_id: str | None) -> bool:
        """Whether an event belongs to this session."""
        if guild_id is not None and (int(guild_id) >> 22) % self.shard[1] != self.shard[0]:
            return False
        if guild_id is None and self.shard[0] != 0:
            return False
        return intent == 0 or bool(self.intents & intent)

    def dispatch(self, name: str, data: JSON) -> None:
        """Tell the bot, now or when it comes back."""
        self.sequence += 1
        text = json.dumps({"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": data}, separators=(",", ":"))
        self.heard.append((self.sequence, text))
        if self.socket is not None:
            self.socket.write(text)

    def can_replay(self, sequence: int) -> bool:
        """Whether everything after `sequence` is still there."""
        return sequence == self.sequence or (bool(self.heard) and self.heard[0][0] <= sequence + 1)

    def acknowledge(self, sequence: int) -> None:
        """Forget what the bot says it has."""
        while self.heard and self.heard[0][0] <= sequence:
            self.heard.popleft()


class Socket:
    """One connection, written to in order by a task of its own, compressed if the bot asked for it."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self.session: Session | None = None
        self._commands: deque[float] = deque()
        self._request = request
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        wanted = request.query.get("compress") == "zlib-stream"
        self._compressor = zlib.compressobj() if wanted else None
        self._writer = asyncio.create_task(self._write(), name="table-gateway-writer")

    def is_flooded(self, now: float) -> bool:
        """Count a command; whether there were too many of them of late."""
        most, seconds = limits.GATEWAY_COMMANDS
        while self._commands and self._commands[0] <= now - seconds:
            self._commands.popleft()
        self._commands.append(now)
        return len(self._commands) > most

    def write(self, text: str) -> None:
        """Send, after everything written before."""
        self._queue.put_nowait(text)

    def send(self, op: Op, data: Any = None) -> None:
        """Send an operation other than a dispatch."""
        self.write(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def _write(self) -> None:
        while (text := await self._queue.get()) is not None:
            try:
                if self._compressor is None:
                    await self.ws.send_str(text)
                else:
                    data = self._compressor.compress(text.encode())
                    await self.ws.send_bytes(data + self._compressor.flush(zlib.Z_SYNC_FLUSH))
            except (ConnectionError, RuntimeError):
                return  # the reader notices the loss and parts the session from this socket

    async def close(self, code: int) -> None:
        """Say all that was to be said, then close."""
        self._queue.put_nowait(None)
        await asyncio.wait({self._writer}, timeout=5)
        await self.ws.close(code=code)

    def abort(self) -> None:
        """Cut the wire."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def stop(self) -> None:
        """End the writing task."""
        self._writer.cancel()


class Gateway:
    """All sessions of the bot, and the switches with which tests break them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.sessions: dict[str, Session] = {}
        self.heartbeat_seconds: float = limits.HEARTBEAT_SECONDS
        #: Operations received, in order, so that tests can say "resumed once, identified never".
        self.received: list[Op] = []
        self.refuse_resumes = 0
        self.acknowledges_heartbeats = True
        self._sockets: set[Socket] = set()
        self._stop_listening = world.listen(self._hear)

    # --- faults -------------------------------------------------------------------------------------
    @property
    def connected(self) -> bool:
        """Whether a bot is identified and listening."""
        return any(each.socket is not None for each in self.sessions.values())

    def drop(self) -> None:
        """Cut every socket without a word."""
        for socket in tuple(self._sockets):
            socket.abort()

    async def close(self, code: int) -> None:
        """Close every socket with a code."""
        await asyncio.gather(*(socket.close(code) for socket in tuple(self._sockets)))

    def ask_to_reconnect(self) -> None:
        """Send operation 7, as Discord does several times a day."""
        for socket in tuple(self._sockets):
            socket.send(Op.RECONNECT)

    def invalidate(self, *, resumable: bool) -> None:
        """Send operation 9; unless `resumable`, the sessions are gone."""
        for socket in tuple(self._sockets):
            socket.send(Op.INVALID_SESSION, resumable)
        if not resumable:
            self.forget()

    def forget(self) -> None:
        """Lose all sessions, as when Discord's gateway restarts."""
        for session in self.sessions.values():
            session.socket = None
        self.sessions.clear()

    async def shut(self) -> None:
        """Close everything for good."""
        self._stop_listening()
        await self.close(1001)

    # --- what the bot hears ---------------------------------------------------------------------------
    def dispatch(self, name: str, data: JSON, guild_id: str | None, intent: int = 0) -> None:
        """Tell every session that wants to know."""
        self._expire()
        for session in self.sessions.values():
            if session.wants(intent, guild_id):
                session.dispatch(name, data)

    def _expire(self) -> None:
        now = self._world.clock.now()
        for session in tuple(self.sessions.values()):
            if session.away_since is not None and now - session.away_since > limits.RESUME_SECONDS:
                del self.sessions[session.id]

    def _hear(self, event: Event) -> None:
        if not self.sessions:
            return
        if event.channel is not None:
            self._hear_channel(event)
        elif "guild_id" in event.data and event.name.startswith("GUILD"):
            self._hear_guild(event)

    def _hear_channel(self, event: Event) -> None:
        world, channel = self._world, event.channel
        assert channel is not None
        if channel.id in world.channels and not world.sees(world.bot_id, channel):
            return
        if event.message is not None:
            self._hear_message(event)
            return
        if channel.is_direct:
            return  # a bot learns of a direct channel by its first message
        data = wire.channel(world, channel, world.bot_id)
        match event.name:
            case "THREAD_CREATE":
                data["newly_created"] = True
            case "THREAD_DELETE":
                data = {key: data[key] for key in ("id", "guild_id", "parent_id", "type")}
            case "THREAD_MEMBERS_UPDATE":
                data = {
                    "id": channel.id,
                    "guild_id": channel.guild_id,
                    "member_count": len(channel.members),
                    "added_members": [wire.thread_member(channel, each) for each in event.data["added"]],
                    "removed_member_ids": event.data["removed"],
                }
            case "CHANNEL_PINS_UPDATE":
                data = {"guild_id": channel.guild_id, "channel_id": channel.id, "last_pin_timestamp": None}
            case "TYPING_START":
                return
        self.dispatch(event.name, data, channel.guild_id, Intent.GUILDS)

    def _hear_message(self, event: Event) -> None:
        world, channel, message = self._world, event.channel, event.message
        assert channel is not None
        assert message is not None
        if message.reader is not None:
            return
        intent = Intent.DIRECT_MESSAGES if channel.is_direct else Intent.GUILD_MESSAGES
        if event.name == "MESSAGE_DELETE":
            data: JSON = {"id": message.id, "channel_id": channel.id}
            if channel.guild_id:
                data["guild_id"] = channel.guild_id
            self.dispatch(event.name, data, channel.guild_id, intent)
            return
        for session in self.sessions.values():
            if session.wants(intent, channel.guild_id):
                readable = bool(session.intents & Intent.MESSAGE_CONTENT)
                session.dispatch(event.name, wire.for_bot(world, message, with_content=readable))

    def _hear_guild(self, event: Event) -> None:
        world = self._world
        guild = world.guilds[event.data["guild_id"]]
        if world.bot_id not in guild.members and event.name != "GUILD_DELETE":
            return
        user_id = event.data.get("user_id")
        match event.name:
            case "GUILD_CREATE":
                for session in self.sessions.values():
                    if session.wants(Intent.GUILDS, guild.id):
                        session.dispatch(event.name, self._guild(session, guild.id))
            case "GUILD_DELETE":
                self.dispatch(event.name, {"id": guild.id}, guild.id, Intent.GUILDS)
            case "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE":
                data = wire.member(world, guild.members[str(user_id)]) | {"guild_id": guild.id}
                # A bot hears of changes to itself even without the members intent.
                intent = Intent.GUILDS if user_id == world.bot_id else Intent.GUILD_MEMBERS
                self.dispatch(event.name, data, guild.id, intent)
            case "GUILD_MEMBER_REMOVE":
                data = {"guild_id": guild.id, "user": wire.user(world.users[str(user_id)])}
                self.dispatch(event.name, data, guild.id, Intent.GUILD_MEMBERS)
            case "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE":
                data = {"guild_id": guild.id, "role": wire.role(guild.roles[event.data["role_id"]])}
                self.dispatch(event.name, data, guild.id, Intent.GUILDS)

    def _guild(self, session: Session, guild_id: str) -> JSON:
        everybody = bool(session.intents & Intent.GUILD_MEMBERS)
        guild = self._world.guilds[guild_id]
        return wire.guild(self._world, guild, self._world.bot_id, all_members=everybody)

    # --- the socket -----------------------------------------------------------------------------------
    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Speak with one connection until it ends."""
        ws = web.WebSocketResponse(max_msg_size=16 * 1024, autoping=True, compress=False)
        await ws.prepare(request)
        socket = Socket(ws, request)
        self._sockets.add(socket)
        socket.send(Op.HELLO, {"heartbeat_interval": int(self.heartbeat_seconds * 1000)})
        code: int | None = None
        left_for_good = False
        try:
            while code is None:
                # Discord gives up on a client that has missed a heartbeat.
                message = await ws.receive(timeout=self.heartbeat_seconds * 2 + 10)
                if message.type is not WSMsgType.TEXT:
                    # With 1000 or 1001 a client says that it will not resume.
                    left_for_good = message.type is WSMsgType.CLOSE and message.data in (1000, 1001)
                    break
                code = self._take(socket, message)
        except TimeoutError:
            code = Close.SESSION_TIMED_OUT
        finally:
            self._sockets.discard(socket)
            session = socket.session
            if session is not None and session.socket is socket:
                session.socket = None
                session.away_since = self._world.clock.now()
                if left_for_good:
                    self.sessions.pop(session.id, None)
                self._tell_presence()
            if code is not None:
                await socket.close(code)
            socket.stop()
        return ws

    def _take(self, socket: Socket, message: WSMessage) -> int | None:
        """Do what the bot asks; a close code if it must not go on."""
        try:
            payload = json.loads(message.data)
            op, data = Op(payload["op"]), payload.get("d")
        except (ValueError, KeyError, TypeError) as problem:
            return Close.UNKNOWN_OP if "Op" in str(problem) else Close.DECODE_ERROR
        self.received.append(op)
        if op is not Op.HEARTBEAT and socket.is_flooded(self._world.clock.now()):
            return Close.RATE_LIMITED
        match op:
            case Op.HEARTBEAT:
                if socket.session is not None and isinstance(data, int):
                    socket.session.acknowledge(data)
                if self.acknowledges_heartbeats:
                    # discord.py notes in another thread that it has sent: an answer that is there before seems late.
                    asyncio.get_running_loop().call_later(ANSWER_SECONDS, socket.send, Op.HEARTBEAT_ACK)
                return None
            case Op.IDENTIFY:
                return self._identify(socket, data)
            case Op.RESUME:
                return self._resume(socket, data)
        if socket.session is None:
            return Close.NOT_AUTHENTICATED
        if op is Op.REQUEST_MEMBERS:
            self._send_members(socket.session, data)
            return None
        return None if op in (Op.PRESENCE, Op.VOICE_STATE) else Close.UNKNOWN_OP

    def _identify(self, socket: Socket, data: JSON) -> int | None:
        world = self._world
        if socket.session is not None:
            return Close.ALREADY_AUTHENTICATED
        if data.get("token") != world.application.token:
            return Close.AUTHENTICATION_FAILED
        intents = data.get("intents", 0)
        if not isinstance(intents, int) or not 0 <= intents <= ALL_INTENTS:
            return Close.INVALID_INTENTS
        if intents & PRIVILEGED & ~world.application.privileged_intents:
            return Close.DISALLOWED_INTENTS
        shard = data.get("shard")
        session = Session(intents, (shard[0], shard[1]) if shard else (0, 1))
        self.sessions[session.id] = session
        socket.session, session.socket = session, socket
        mine = [each.id for each in world.guilds.values() if world.bot_id in each.members and session.wants(0, each.id)]
        ready: JSON = {
            "v": 10,
            "user": wire.user(world.users[world.bot_id]),
            "session_id": session.id,
            "resume_gateway_url": world.base_url.replace("http", "ws", 1) + "/gateway/",
            "guilds": [{"id": each, "unavailable": True} for each in mine],
            "application": {"id": world.bot_id, "flags": 0},
        }
        if shard:
            ready["shard"] = shard
        session.dispatch("READY", ready)
        self._tell_presence()
        if intents & Intent.GUILDS:
            for each in mine:
                session.dispatch("GUILD_CREATE", self._guild(session, each))
        return None

    def _resume(self, socket: Socket, data: JSON) -> int | None:
        if socket.session is not None:
            return Close.ALREADY_AUTHENTICATED
        if data.get("token") != self._world.application.token:
            return Close.AUTHENTICATION_FAILED
        self._expire()
        session = self.sessions.get(str(data.get("session_id")))
        sequence = data.get("seq") or 0
        if self.refuse_resumes > 0:
            self.refuse_resumes -= 1
            session = None
        if session is None or not session.can_replay(sequence):
            socket.send(Op.INVALID_SESSION, False)
            return None
        if sequence > session.sequence:
            return Close.INVALID_SEQUENCE
        socket.session, session.socket, session.away_since = session, socket, None
        for number, text in session.heard:
            if number > sequence:
                socket.write(text)
        session.dispatch("RESUMED", {})
        self._tell_presence()
        return None

    def _tell_presence(self) -> None:
        self._world.tell(Event("PRESENCE_UPDATE", data={"connected": self.connected}))

    def _send_members(self, session: Session, data: JSON) -> None:
        world = self._world
        guild = world.guilds.get(str(data.get("guild_id")))
        if guild is None:
            return
        wanted = {str(each) for each in data.get("user_ids") or []}
        query = str(data.get("query") or "").lower()
        found = [
            wire.member(world, each)
            for each in guild.members.values()
            if (not wanted or each.user_id in wanted) and world.users[each.user_id].name.lower().startswith(query)
        ]
        most = data.get("limit") or len(found)
        session.dispatch(
            "GUILD_MEMBERS_CHUNK",
            {
                "guild_id": guild.id,
                "members": found[:most],
                "chunk_index": 0,
                "chunk_count": 1,
                "not_found": sorted(wanted - set(guild.members)),
                "presences": [],
                "nonce": data.get("nonce"),
            },
        )
