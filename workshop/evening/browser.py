"""How tests sit people down in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Error, Page, async_playwright

from table.server import Table

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# As root in a container there is no sandbox, and /dev/shm is often too small.
LAUNCH: dict[str, Any] = {
    "executable_path": CHROMIUM,
    "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
}
DESKTOP = (1280, 820)
PHONE = (390, 844)
PATIENCE_MS = 20_000


class Browsers:
    """A browser in which people sit down, each with cookies and storage of their own."""

    def __init__(self, browser: Browser, table: Table) -> None:
        self.browser = browser
        self.table = table
        #: What the page complained about; tests that expect nothing assert that it is empty.
        self.complaints: list[str] = []
        self._contexts: list[BrowserContext] = []

    async def sit_down(self, who: str, size: tuple[int, int] = DESKTOP, **options: Any) -> Page:
        """Open the table as somebody and wait until the channel is there."""
        context = await self.browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", self._fail)
        await page.goto(f"{self.table.url}/#as={who}")
        await page.wait_for_selector("#box")
        return page

    async def leave(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            await context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        # That a verb was refused is shown on the page, and noted by the browser too.
        if message.type == "error" and "status of 400" not in message.text:
            self.complaints.append(message.text)

    def _fail(self, problem: Error) -> None:
        self.complaints.append(str(problem))


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser."""
    async with async_playwright() as play:
        browser = await play.chromium.launch(**LAUNCH)
        try:
            yield browser
        finally:
            await browser.close()
