"""Keeps other web sites out: only the table's own names, only its own page may change anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

if TYPE_CHECKING:
    from table.server import Table

_READING: Final = frozenset({"GET", "HEAD"})
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob: https:; style-src 'self' 'unsafe-inline'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
}


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:  # brackets that belong to no address
        return None


def guard(table: Table) -> Middleware:
    """The middleware that every request passes first."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        # Against DNS rebinding: a foreign name that points to loopback is not ours.
        if _host(f"//{request.host}") not in table.hosts():
            return web.Response(status=403, text="This table answers to its own name only.")
        origin = request.headers.get("Origin")
        changes = request.method not in _READING or "Upgrade" in request.headers
        if changes and origin is not None and origin.partition("://")[2] != request.host:
            return web.Response(status=403, text="Another site may not act at this table.")
        if changes and request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            return web.Response(status=403, text="Another site may not act at this table.")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    return check
