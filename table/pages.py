"""The page's own interface: what a person sees as JSON, news as server-sent events, and the verbs."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import re
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from aiohttp import web

from table import views
from table.composing import Upload
from table.control import Control
from table.errors import ApiError, Refused
from table.model import JSON
from table.people import Person
from table.world import Event

if TYPE_CHECKING:
    from table.server import Table

#: Pictures that a browser shows; anything else is only ever downloaded, so that no upload runs as a page.
SHOWN_INLINE: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_KEEP_ALIVE_SECONDS: Final = 15.0
_FOLDER: Final = Path(str(resources.files("table") / "page"))

Verb = Callable[[Person, JSON], Awaitable[Any]]


class Pages:
    """Serves the page and everything it asks for."""

    def __init__(self, table: Table, *, control: bool) -> None:
        self._table = table
        self._control = Control(table) if control else None
        self._streams: set[asyncio.Queue[str | None]] = set()
        self._verbs: dict[str, Verb] = {
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "thread": self._thread,
            "direct": self._direct,
            "dismiss": self._dismiss,
            "delete": self._delete,
            "channel": self._channel,
            "delete_channel": self._delete_channel,
            "read": self._read,
            "profile": self._profile,
        }

    def add_routes(self, app: web.Application) -> None:
        """Add the page's routes to the server."""
        app.router.add_get("/", self._index)
        app.router.add_static("/page/", _FOLDER)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._attachment)
        app.router.add_get("/ephemeral-attachments/{channel}/{id}/{name}", self._attachment)
        app.router.add_get("/embed/avatars/{number}.png", self._avatar)
        app.router.add_get("/table/events", self._events)
        app.router.add_get("/table/{what:people|state|messages|commands}", self._look)
        app.router.add_post("/table/people", self._sit_down)
        app.router.add_post("/table/{verb}", self._act)
        if self._control is not None:
            app.router.add_post("/table/control/{order}", self._obey)

    def end_streams(self) -> None:
        """Let every open event stream end."""
        for queue in self._streams:
            queue.put_nowait(None)

    # --- files --------------------------------------------------------------------------------------
    async def _index(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            # A client that was told nothing of a table connects to the root of the gateway's host.
            return await self._table.gateway.serve(request)
        text = (_FOLDER / "index.html").read_text(encoding="utf-8")
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})

    async def _attachment(self, request: web.Request) -> web.Response:
        data = self._table.store.file(request.match_info["id"])
        if data is None:
            raise web.HTTPNotFound
        name = unquote(request.match_info["name"])
        kind = views.content_type(name)
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        if kind not in SHOWN_INLINE:
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
        return web.Response(body=data, content_type=kind, headers=headers)

    async def _avatar(self, request: web.Request) -> web.Response:
        number = request.match_info["number"]
        if not re.fullmatch(r"[0-9]{1,20}", number):
            raise web.HTTPNotFound
        return web.Response(body=views.avatar(int(number) % views.AVATARS), content_type="image/png")

    # --- looking ------------------------------------------------------------------------------------
    async def _look(self, request: web.Request) -> web.Response:
        try:
            return self._json(self._view(request.match_info["what"], dict(request.query)))
        except (Refused, ApiError) as problem:
            return self._json({"refused": str(problem)}, status=404)

    def _view(self, what: str, query: dict[str, str]) -> Any:
        if what == "people":
            return views.people(self._table)
        person = self._table.person(query.get("as", ""))
        if what == "state":
            return views.state(person)
        channel = person.place(query.get("channel", ""))
        if what == "commands":
            return views.commands(person, channel)
        before, most = _number(query.get("before")), _number(query.get("limit"))
        return views.messages(person, channel, before=before, most=50 if most is None else most)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        try:
            person = self._table.person(request.query.get("as", ""))
        except Refused as problem:
            return self._json({"refused": str(problem)}, status=404)
        queue: asyncio.Queue[str | None] = asyncio.Queue()

        def hear(event: Event) -> None:
            if (news := views.news(person, event)) is not None:
                queue.put_nowait(self._text(news))

        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        # Listen before answering: once the browser sees the stream open, it misses nothing.
        stop = self._table.world.listen(hear)
        self._streams.add(queue)
        try:
            await response.prepare(request)
            await response.write(b"retry: 500\n\n")
            while True:
                try:
                    async with asyncio.timeout(_KEEP_ALIVE_SECONDS):
                        text = await queue.get()
                except TimeoutError:
                    await response.write(b": still here\n\n")
                    continue
                if text is None:
                    break
                await response.write(f"data: {text}\n\n".encode())
        except ConnectionError:
            pass  # the browser has gone; nothing is lost, it reads the state anew when it is back
        finally:
            stop()
            self._streams.discard(queue)
        return response

    # --- acting -------------------------------------------------------------------------------------
    async def _act(self, request: web.Request) -> web.Response:
        verb = self._verbs.get(request.match_info["verb"])
        if verb is None:
            raise web.HTTPNotFound
        try:
            body = await self._body(request)
            person = self._table.person(str(body.get("as", "")))
            return self._json(await verb(person, body))
        except ApiError as problem:
            return self._json({"refused": problem.message, "code": problem.code}, status=400)
        except Refused as problem:
            return self._json({"refused": str(problem)}, status=400)
        except (KeyError, TypeError, AttributeError) as problem:
            return self._json({"refused": f"The request is not complete: {problem}"}, status=400)

    async def _obey(self, request: web.Request) -> web.Response:
        assert self._control is not None
        try:
            result = await self._control.obey(request.match_info["order"], await self._body(request))
        except (Refused, KeyError, TypeError, ValueError) as problem:
            return self._json({"refused": str(problem)}, status=400)
        return self._json(result)

    async def _body(self, request: web.Request) -> JSON:
        # A plain HTML form of another site cannot send this type without asking first.
        if request.content_type != "application/json":
            raise Refused("JSON, please.")
        try:
            body = json.loads(await request.read())
        except (ValueError, RecursionError):
            raise Refused("This is no JSON.") from None
        if not isinstance(body, dict):
            raise Refused("A JSON object, please.")
        return body

    async def _sit_down(self, request: web.Request) -> web.Response:
        try:
            body = await self._body(request)
            return self._json(views.sit_down(self._table, body))
        except Refused as problem:
            return self._json({"refused": str(problem)}, status=400)

    async def _say(self, person: Person, body: JSON) -> Any:
        files = [_upload(each) for each in body.get("files") or []]
        message = await person.say(
            body["channel"], str(body.get("text") or ""), files=files, reply_to=body.get("reply_to")
        )
        return views.message(person, message)

    async def _slash(self, person: Person, body: JSON) -> Any:
        options = {key: _file_or_value(value) for key, value in (body.get("options") or {}).items()}
        return (await person.slash(body["channel"], body["command"], **options)).brief()

    async def _autocomplete(self, person: Person, body: JSON) -> Any:
        options = body.get("options") or {}
        return await person.autocomplete(body["channel"], body["command"], body["focused"], **options)

    async def _click(self, person: Person, body: JSON) -> Any:
        return (await person.click(body["message"], body["which"])).brief()

    async def _select(self, person: Person, body: JSON) -> Any:
        return (await person.select(body["message"], body["values"], body.get("which"))).brief()

    async def _submit(self, person: Person, body: JSON) -> Any:
        answers = {
            key: [_file_or_value(each) for each in value] if isinstance(value, list) else value
            for key, value in (body.get("answers") or {}).items()
        }
        return (await person.submit(body["form"], answers)).brief()

    async def _thread(self, person: Person, body: JSON) -> Any:
        thread = await person.open_thread(
            body["channel"], body["name"], message=body.get("message"), private=bool(body.get("private"))
        )
        return {"id": thread.id, "name": thread.name}

    async def _direct(self, person: Person, body: JSON) -> Any:
        other = body.get("with")
        return {"id": person.direct(self._table.world.user(str(other)) if other else None).id}

    async def _dismiss(self, person: Person, body: JSON) -> Any:
        person.dismiss(body["message"])
        return {}

    async def _delete(self, person: Person, body: JSON) -> Any:
        person.delete(str(body["message"]))
        return {}

    async def _channel(self, person: Person, body: JSON) -> Any:
        return {"id": person.make_channel(str(body["server"]), str(body["name"])).id}

    async def _delete_channel(self, person: Person, body: JSON) -> Any:
        person.delete_channel(str(body["channel"]))
        return {}

    async def _read(self, person: Person, body: JSON) -> Any:
        person.read(body["channel"])
        return {}

    async def _profile(self, person: Person, body: JSON) -> Any:
        views.change_profile(person, body)
        return {}

    # --- form ---------------------------------------------------------------------------------------
    def _text(self, data: Any) -> str:
        # Addresses without host, so that the page may be opened as localhost too.
        return json.dumps(data, separators=(",", ":")).replace(f'"{self._table.world.base_url}/', '"/')

    def _json(self, data: Any, status: int = 200) -> web.Response:
        headers = {"Cache-Control": "no-store"}
        return web.Response(status=status, text=self._text(data), content_type="application/json", headers=headers)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,20}", text):
        raise Refused(f"{text[:20]} is not a number.")
    return int(text)


def _upload(data: JSON) -> Upload:
    try:
        return Upload(str(data["name"]), base64.b64decode(data["data"], validate=True), data.get("type"))
    except (binascii.Error, ValueError):
        raise Refused("The file did not arrive whole.") from None


def _file_or_value(value: Any) -> Any:
    return _upload(value) if isinstance(value, dict) and "data" in value else value
