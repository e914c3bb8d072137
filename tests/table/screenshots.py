"""Pictures of the page, wide and narrow, dark and light: python -m tests.table.screenshots DIR."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.table import echo
from tests.table.browser import DESKTOP, PHONE, chromium
from tests.table.house import Running, house

SIZES = {"desktop": DESKTOP, "phone": PHONE}
TEXT = """# Heading
## Smaller
### Smallest
**bold** *italic* __underlined__ ~~struck~~ ||spoiler|| `code`
> a quote
- one
  - inner
- two
1. first
2. second
```py
print("Kurs")
```
<@{bo}> sees [a link](https://example.org) <t:1700000000:R> -# no
-# a small line"""


async def furnish(home: Running) -> None:
    """Something of everything."""
    ann, bo = home.ann, home.bo
    await ann.say("lobby", "Shall we play tonight?")
    await ann.say("lobby", "I have the board ready.")
    await bo.say("lobby", TEXT.format(bo=bo.id))
    await ann.slash("lobby", "pick")
    await bo.slash("lobby", "show")
    await ann.open_thread("lobby", "Rules questions", message=bo.last("lobby"))
    card = await ann.slash("lobby", "card")
    assert card.message is not None
    await bo.click(card.message, "Sell")
    await ann.slash("lobby", "whisper", text="nobody else reads this")


async def shots(page: Page, folder: Path, name: str) -> None:
    """The channel, the completion, a form, the menu and an enlarged picture."""
    await page.wait_for_selector("text=Stock round 1")
    await page.wait_for_timeout(300)
    await page.screenshot(path=folder / f"{name}-channel.png")
    await page.evaluate("document.getElementById('scroller').scrollTop = 0")
    await page.wait_for_timeout(100)
    await page.screenshot(path=folder / f"{name}-text.png")
    await page.evaluate("document.getElementById('scroller').scrollTop = 1e6")
    await page.fill("#box", "/t")
    await page.wait_for_selector(".popup .option")
    await page.screenshot(path=folder / f"{name}-commands.png")
    await page.press("#box", "Enter")
    await page.wait_for_selector(".slash .popup .option")
    await page.screenshot(path=folder / f"{name}-options.png")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.fill("#box", "/bid ")
    await page.wait_for_selector(".slash")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("dialog.modal")
    await page.screenshot(path=folder / f"{name}-form.png")
    await page.keyboard.press("Escape")
    await page.locator(".select-button", has_text="Buy a share").last.click()
    await page.screenshot(path=folder / f"{name}-menu.png")
    await page.keyboard.press("Escape")
    await page.locator(".gallery .picture").last.click()
    await page.wait_for_selector("dialog.lightbox img")
    await page.screenshot(path=folder / f"{name}-picture.png")
    await page.keyboard.press("Escape")
    if name.startswith("phone"):
        await page.get_by_role("button", name="Channels", exact=True).click()
        await page.wait_for_timeout(350)
        await page.screenshot(path=folder / f"{name}-drawer.png")


async def main(folder: Path) -> None:
    """Take them all."""
    patch = pytest.MonkeyPatch()
    async with house(patch, echo.build()) as home, chromium() as browser:
        await furnish(home)
        for size, (width, height) in SIZES.items():
            for scheme in ("dark", "light"):
                context = await browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if scheme == "dark" else "light",
                    has_touch=size == "phone",
                )
                page = await context.new_page()
                page.on("console", lambda each: print("console:", each.text))
                page.on("pageerror", lambda each: print("error:", each))
                await page.goto(f"{home.table.url}/#as=ann")
                await shots(page, folder, f"{size}-{scheme}")
                await context.close()
    patch.undo()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(target))
