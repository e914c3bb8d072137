"""The table: one web server on loopback that is Discord to the bot and a page to the people."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, Final, TypeVar

from aiohttp import web

from table.clock import Clock
from table.errors import Refused
from table.faults import Faults
from table.gateway import Gateway
from table.guard import guard
from table.interactions import Interactions
from table.pages import Pages
from table.people import Person
from table.ratelimit import RateLimits
from table.rest import applications, channels, guilds, interactions, messages
from table.rest.frame import RestFrame, Traffic
from table.store import Store
from table.world import Event, World

T = TypeVar("T")
HOST: Final = "127.0.0.1"
_MIB: Final = 1024 * 1024


class Table:
    """Everything together. Tests hold one of these; `python -m table` runs one by itself."""

    #: Those who hear every body that any table takes, with its answer.
    ears: ClassVar[list[Callable[[Traffic], None]]] = []

    def __init__(
        self,
        path: Path | str = ":memory:",
        *,
        port: int = 0,
        clock: Clock | None = None,
        bot_name: str = "Bot",
        rate_limits: bool = True,
        control: bool = False,
        tls: ssl.SSLContext | None = None,
        hosts: Iterable[str] = (),
    ) -> None:
        self.clock = clock or Clock()
        self.store = Store(path)
        self.world = World(self.store, self.clock, bot_name)
        self.gateway = Gateway(self.world)
        self.interactions = Interactions(self.world, self.gateway.dispatch)
        self.rates = RateLimits(self.clock.now, enforced=rate_limits)
        self.faults = Faults()
        self.pages = Pages(self, control=control)
        #: Requests of the bot, the routes among them that do not exist here, and faults of the table itself.
        self.requests: deque[str] = deque(maxlen=10_000)
        #: How many requests of the bot were answered with which status.
        self.answered: Counter[int] = Counter()
        self.unknown_routes: list[str] = []
        self.crashes: list[Exception] = []
        self.port = port
        self._tls = tls
        self._hosts = frozenset({HOST, "localhost", *hosts})
        self._runner: web.AppRunner | None = None

    # --- where it is --------------------------------------------------------------------------------
    @property
    def token(self) -> str:
        """The bot's token."""
        return self.world.application.token

    @property
    def url(self) -> str:
        """The page's address."""
        return f"{'https' if self._tls else 'http'}://{HOST}:{self.port}"

    @property
    def api_url(self) -> str:
        """What the bot takes for Discord's API."""
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """What the bot takes for Discord's gateway."""
        return f"{self.url.replace('http', 'ws', 1)}/gateway/"

    # --- coming and going ---------------------------------------------------------------------------
    async def start(self) -> Table:
        """Listen on loopback."""
        app = web.Application(client_max_size=32 * _MIB, middlewares=[guard(self)])
        routers = [each.router for each in (applications, guilds, channels, messages, interactions)]
        frame = RestFrame(self, routers)
        app.router.add_route("*", "/api/v10/{tail:.*}", frame.serve)
        app.router.add_get("/gateway/", self.gateway.serve)
        self.pages.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self.port, ssl_context=self._tls)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self.port = int(self._runner.addresses[0][1])
        self.world.base_url = self.url
        return self

    async def stop(self) -> None:
        """Close every connection and the file."""
        await self.gateway.shut()
        await self._silence()
        self.store.close()

    async def restart(self) -> None:
        """Go away and come back at the same address with all sessions of the gateway lost."""
        self.gateway.drop()
        self.gateway.forget()
        await self._silence()
        await self.start()

    async def _silence(self) -> None:
        self.pages.end_streams()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def hosts(self) -> frozenset[str]:
        """The names under which the table may be addressed."""
        return self._hosts

    # --- people -------------------------------------------------------------------------------------
    def person(self, who: str) -> Person:
        """Somebody at the table, by name or id."""
        for user in self.world.users.values():
            if who in (user.id, user.name) and not user.bot:
                return Person(self, user)
        raise Refused(f"Nobody at the table is called {who}.")

    def age(self, message_id: str, seconds: float) -> None:
        """Make a message older than it is."""
        for kept in self.world.messages.values():
            if message_id in kept:
                kept[message_id].created -= seconds
                self.store.put("message", message_id, kept[message_id])
                return
        raise Refused("There is no such message.")

    async def until(self, check: Callable[[], T | None], seconds: float = 20.0) -> T:
        """Wait until `check` gives something true, looking again whenever the world changes."""
        changed = asyncio.Event()

        def note(_: Event) -> None:
            changed.set()

        stop = self.world.listen(note)
        try:
            async with asyncio.timeout(seconds):
                while not (found := check()):
                    changed.clear()
                    await changed.wait()
                return found
        finally:
            stop()

    async def bot_is_here(self, seconds: float = 20.0) -> None:
        """Wait until the bot is connected."""
        await self.until(lambda: self.gateway.connected, seconds)
