"""The verbs and orders over HTTP, for a test whose table runs in a process of its own."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

import aiohttp

from table.composing import Upload
from table.errors import Refused
from table.model import JSON


class RemoteTable:
    """A table at an address. Answers are the page's JSON."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def get(self, path: str, **query: str) -> Any:
        """Look at something."""
        assert self._session is not None
        async with self._session.get(f"{self.url}/table/{path}", params=query) as answer:
            return _good(await answer.json(), answer.status)

    async def post(self, path: str, body: JSON) -> Any:
        """Do something."""
        assert self._session is not None
        async with self._session.post(f"{self.url}/table/{path}", json=body) as answer:
            return _good(await answer.json(), answer.status)

    def person(self, name: str) -> RemotePerson:
        """Somebody at that table."""
        return RemotePerson(self, name)

    async def control(self, order: str, /, **body: Any) -> Any:
        """Give an order; the table must run with control allowed."""
        return await self.post(f"control/{order}", body)

    async def bot_is_here(self, seconds: float = 20.0) -> None:
        """Wait until a bot is connected."""
        async with asyncio.timeout(seconds):
            while not (await self.control("status"))["connected"]:  # noqa: ASYNC110 (another process)
                await asyncio.sleep(0.05)


class RemotePerson:
    """Somebody at a table in another process, with the verbs of `table.people.Person`."""

    def __init__(self, table: RemoteTable, name: str) -> None:
        self.table = table
        self.name = name

    async def _do(self, verb: str, **body: Any) -> Any:
        return await self.table.post(verb, {"as": self.name, **body})

    async def state(self) -> Any:
        """Servers, channels, people and what is unread."""
        return await self.table.get("state", **{"as": self.name})

    async def messages(self, channel: str) -> list[JSON]:
        """The latest messages that this person sees in a channel, oldest first."""
        page = await self.table.get("messages", **{"as": self.name}, channel=channel, limit="100")
        return list(page["messages"])

    async def sees(self, text: str, channel: str, seconds: float = 20.0) -> JSON:
        """Wait for a message whose JSON has `text` in it."""
        seen: list[JSON] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    seen = await self.messages(channel)
                    for each in reversed(seen):
                        if text in str(each):
                            return each
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise TimeoutError(f"{self.name} never saw {text!r}; last seen: {seen[-3:]}") from None

    async def say(self, channel: str, text: str = "", *, files: Iterable[Upload] = ()) -> JSON:
        """Write into a channel."""
        packed = [
            {"name": each.filename, "type": each.content_type, "data": base64.b64encode(each.data).decode()}
            for each in files
        ]
        return dict(await self._do("say", channel=channel, text=text, files=packed))

    async def slash(self, channel: str, command: str, /, **options: Any) -> JSON:
        """Use a slash command."""
        return dict(await self._do("slash", channel=channel, command=command, options=options))

    async def autocomplete(self, channel: str, command: str, focused: str, /, **options: Any) -> list[JSON]:
        """The choices for an option that is being typed."""
        body = {"channel": channel, "command": command, "focused": focused, "options": options}
        return list(await self._do("autocomplete", **body))

    async def click(self, message: str, which: str) -> JSON:
        """Press a button."""
        return dict(await self._do("click", message=message, which=which))

    async def select(self, message: str, values: Iterable[str] | str, which: str | None = None) -> JSON:
        """Choose from a menu."""
        given = [values] if isinstance(values, str) else list(values)
        return dict(await self._do("select", message=message, values=given, which=which))

    async def submit(self, outcome: JSON, answers: dict[str, Any] | None = None) -> JSON:
        """Send a form off."""
        return dict(await self._do("submit", form=outcome["interaction"], answers=answers or {}))

    async def open_thread(self, channel: str, name: str, *, message: str | None = None) -> JSON:
        """Open a thread."""
        return dict(await self._do("thread", channel=channel, name=name, message=message))

    async def direct(self) -> str:
        """The id of the direct messages with the bot."""
        return str((await self._do("direct"))["id"])


def _good(body: Any, status: int) -> Any:
    if status >= 400:
        raise Refused(body.get("refused", str(body)) if isinstance(body, dict) else str(body))
    return body
