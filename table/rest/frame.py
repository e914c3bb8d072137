"""What every request goes through: routing, faults, the token, rate limits, the body, and the answer."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import re
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from aiohttp import BodyPartReader, web

from table import errors, limits
from table.composing import Upload
from table.errors import ApiError, FormErrors
from table.faults import Fault
from table.model import JSON, Channel
from table.permissions import Permission
from table.ratelimit import RateDecision
from table.schema import Rule, Whole
from table.world import World

if TYPE_CHECKING:
    from table.server import Table

_log = logging.getLogger(__name__)
_VIA: Final = {"Via": "1.1 table"}
_MAJOR: Final = ("channel", "guild", "token")


@dataclass
class Call:
    """One request on its way through a handler."""

    table: Table
    params: dict[str, str]
    query: dict[str, str]
    body: Any = field(default_factory=dict)
    uploads: dict[int, Upload] = field(default_factory=dict)
    #: Of a good answer that has a body.
    status: int = 200

    @property
    def world(self) -> World:
        """The world at the table."""
        return self.table.world

    def checked(self, rule: Rule) -> JSON:
        """The body, if it is what it must be."""
        form = FormErrors()
        rule.check(self.body, (), form)
        form.check()
        body: JSON = self.body
        return body

    def asked(self, **rules: Rule) -> JSON:
        """What the query says, numbers as such, if it is what it must be."""
        form = FormErrors()
        found: JSON = {}
        for key, rule in rules.items():
            if (given := self.query.get(key)) is not None:
                number = isinstance(rule, Whole) and re.fullmatch(r"-?[0-9]{1,20}", given)
                found[key] = int(given) if number else given
                rule.check(found[key], (key,), form)
        form.check()
        return found

    def channel(self, needed: int = 0) -> Channel:
        """The channel of the route; refused unless the bot sees it and may do what is `needed`."""
        channel = self.world.channel(self.params["channel"])
        if not self.world.sees(self.world.bot_id, channel):
            raise errors.missing_access()
        if not self.world.may(self.world.bot_id, channel, needed):
            raise errors.missing_permissions()
        return channel

    def sending_channel(self) -> Channel:
        """The channel of the route, if the bot may write there."""
        channel = self.channel()
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        return self.channel(needed)


@dataclass(frozen=True)
class Traffic:
    """A body that the table took and what it answered."""

    method: str
    path: str
    body: Any
    status: int
    answer: Any


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    """A path with what answers it and how often it may be called."""

    method: str
    template: str
    pattern: re.Pattern[str]
    handler: Handler
    rate: tuple[int, float]
    # Interaction routes carry their right in the path, and are not counted globally.
    by_token: bool


class Endpoints:
    """A family of routes."""

    def __init__(self) -> None:
        self.routes: list[Endpoint] = []

    def on(
        self,
        method: str,
        template: str,
        *,
        rate: tuple[int, float] = limits.RATE_DEFAULT,
        by_token: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Register a handler."""
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template) + "/?")

        def register(handler: Handler) -> Handler:
            self.routes.append(Endpoint(method, template, pattern, handler, rate, by_token))
            return handler

        return register


class RestFrame:
    """Takes requests from the web server and leads them to their handlers."""

    def __init__(self, table: Table, routers: list[Endpoints]) -> None:
        self._table = table
        self._routes: dict[str, list[Endpoint]] = {}
        for router in routers:
            for route in router.routes:
                self._routes.setdefault(route.method, []).append(route)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one request of the bot."""
        table = self._table
        path = "/" + request.match_info["tail"]
        table.requests.append(f"{request.method} {path}")
        if table.rates.banned():
            # Discord's front door answers a banned address in HTML and without `Via`.
            return web.Response(status=429, text="error code: 1015", content_type="text/html")
        fault = table.faults.take(request.method, path)
        if fault is not None and (early := await self._suffer(request, fault)) is not None:
            return early
        response = await self._answer(request, path)
        if fault is not None and fault.reset == "after":
            _reset(request)
        table.answered[response.status] += 1
        if response.status in (401, 403, 429):
            table.rates.invalid()
        return response

    async def _suffer(self, request: web.Request, fault: Fault) -> web.Response | None:
        if fault.delay:
            await asyncio.sleep(fault.delay)
        if fault.reset == "before":
            _reset(request)
            return web.Response(status=500)
        if fault.status == 429:
            body = {
                "message": "You are being rate limited.",
                "retry_after": fault.retry_after,
                "global": fault.everything,
            }
            return _json(429, body, dict(_VIA) if fault.via else {})
        if fault.status is not None:
            return web.Response(status=fault.status, text="upstream error", content_type="text/html")
        return None

    async def _answer(self, request: web.Request, path: str) -> web.Response:
        table = self._table
        route, params = self._find(request.method, path)
        if route is None:
            table.unknown_routes.append(f"{request.method} {path}")
            return _json(404, errors.not_found().body())
        headers: dict[str, str] = {}
        try:
            if not route.by_token and request.headers.get("Authorization") != f"Bot {table.token}":
                raise errors.unauthorized()
            verdict = table.rates.take(
                f"{route.method} {route.template}",
                "+".join(params.get(each, "") for each in _MAJOR),
                route.rate,
                counts_globally=not route.by_token,
            )
            headers = _rate_headers(verdict, table.world.clock.now())
            if not verdict.allowed:
                return _too_many(verdict, headers)
            call = Call(table, params, dict(request.query))
            try:
                await _read_body(request, call)
            except ConnectionError:
                # Whoever asked is gone, and hears no answer.
                return _json(400, {"message": "400: Bad Request", "code": 0}, headers)
            sent = copy.deepcopy(call.body) if table.ears else None
            result = await route.handler(call)
        except ApiError as problem:
            via = _VIA if problem.status == 429 else {}
            return _json(problem.status, problem.body(), headers | via)
        except Exception as problem:  # a fault of the table itself: Discord would say 500
            _log.exception("%s %s", request.method, path)
            table.crashes.append(problem)
            return _json(500, {"message": "500: Internal Server Error", "code": 0}, headers)
        status = 204 if result is None else call.status
        for hear in table.ears:
            hear(Traffic(route.method, path, sent, status, result))
        return web.Response(status=204, headers=headers) if result is None else _json(status, result, headers)

    def _find(self, method: str, path: str) -> tuple[Endpoint | None, dict[str, str]]:
        for route in self._routes.get(method, ()):
            if found := route.pattern.fullmatch(path):
                return route, found.groupdict()
        return None, {}


async def _read_body(request: web.Request, call: Call) -> None:
    if (request.content_length or 0) > limits.REQUEST_BYTES:
        raise errors.too_large()
    if not request.can_read_body:
        return
    if not request.content_type.startswith("multipart/"):
        try:
            data = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise errors.too_large() from None
        if data:
            call.body = _parsed(data)
        return
    try:
        await _read_parts(request, call)
    except (ValueError, AssertionError, RuntimeError):  # aiohttp's, for parts that are cut off, nested or coded
        raise ApiError(400, 50035, "Invalid Form Body", errors={}) from None


async def _read_parts(request: web.Request, call: Call) -> None:
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read(decode=True))
        if part.name == "payload_json":
            call.body = _parsed(data)
        elif found := re.fullmatch(r"files\[([0-9]{1,20})\]", part.name or ""):
            kind = part.headers.get("Content-Type")
            call.uploads[int(found[1])] = Upload(part.filename or "file", data, kind)
    if any(len(each.data) > limits.FILE_BYTES for each in call.uploads.values()):
        raise errors.too_large()


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> web.Response:
    # Exactly this content type: discord.py reads "application/json; charset=utf-8" as plain text.
    text = json.dumps(body, separators=(",", ":")).encode()
    return web.Response(status=status, body=text, headers={"Content-Type": "application/json", **(headers or {})})


def _rate_headers(verdict: RateDecision, now: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(verdict.limit),
        "X-RateLimit-Remaining": str(verdict.remaining),
        "X-RateLimit-Reset": f"{now + verdict.reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{verdict.reset_after:.3f}",
        "X-RateLimit-Bucket": verdict.bucket,
    }


def _too_many(verdict: RateDecision, headers: dict[str, str]) -> web.Response:
    scope = "global" if verdict.everything else "user"
    more = {**_VIA, "Retry-After": str(int(verdict.reset_after) + 1), "X-RateLimit-Scope": scope}
    if verdict.everything:
        more["X-RateLimit-Global"] = "true"
    body = {
        "message": "You are being rate limited.",
        "retry_after": round(verdict.reset_after, 3),
        "global": verdict.everything,
    }
    return _json(429, body, headers | more)


def _reset(request: web.Request) -> None:
    """End the connection with a TCP reset, not with a polite farewell."""
    if request.transport is None:
        return
    wire = request.transport.get_extra_info("socket")
    if wire is not None:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
