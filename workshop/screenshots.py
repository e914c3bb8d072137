"""Takes pictures of the local table's page, wide and narrow, dark and light."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import discord
import pytest
from playwright.async_api import Page

from workshop.evening import echo
from workshop.evening.browser import DESKTOP, PHONE, chromium
from workshop.evening.house import Running, eventually, house

COLOURS = ("#2f6f4f", "#6f2f4f", "#2f4f6f")
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


async def furnish(home: Running) -> str:
    """Something of everything."""
    ann, bo = home.ann, home.bo
    await ann.say("lobby", "Shall we play tonight?")
    await ann.say("lobby", "I have the board ready.")
    await bo.say("lobby", TEXT.format(bo=bo.id))
    await ann.slash("lobby", "pick")
    await bo.slash("lobby", "show")
    thread = await ann.open_thread("lobby", "Rules questions", message=bo.last("lobby"))
    await bo.say(thread, "What about the mountain?")
    embed = discord.Embed(title="Standings", description="After stock round 3", colour=0x2ECC71)
    embed.add_field(name="Ann", value="540 M").add_field(name="Bo", value="515 M").set_footer(text="Kursbuch")
    place = await eventually(lambda: home.client.get_channel(int(thread.id)))
    assert isinstance(place, discord.Thread)
    await place.send("Here they are:", embed=embed)
    await place.send(files=[echo.picture(each, colour=colour) for each, colour in zip("abc", COLOURS, strict=True)])
    card = await ann.slash("lobby", "card")
    assert card.message is not None
    await bo.click(card.message, "Sell")
    await ann.slash("lobby", "whisper", text="nobody else reads this")
    return thread.id


async def shots(page: Page, folder: Path, name: str, thread: str) -> None:
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
    await page.get_by_role("button", name="Company").click()
    await page.screenshot(path=folder / f"{name}-form-menu.png")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.locator(".select-button", has_text="Buy a share").last.click()
    await page.screenshot(path=folder / f"{name}-menu.png")
    await page.keyboard.press("Escape")
    await page.locator(".gallery .picture").last.click()
    await page.wait_for_selector("dialog.lightbox img")
    await page.screenshot(path=folder / f"{name}-picture.png")
    await page.keyboard.press("Escape")
    await page.evaluate("id => { location.hash = `as=ann&channel=${id}`; location.reload(); }", thread)
    await page.wait_for_selector("text=What about the mountain")
    await page.screenshot(path=folder / f"{name}-thread.png")
    if name.startswith("phone"):
        await page.get_by_role("button", name="Channels", exact=True).click()
        await page.wait_for_timeout(350)
        await page.screenshot(path=folder / f"{name}-drawer.png")


async def take(folder: Path) -> None:
    """Take them all."""
    patch = pytest.MonkeyPatch()
    async with house(patch, echo.build()) as home, chromium() as browser:
        thread = await furnish(home)
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
                await shots(page, folder, f"{size}-{scheme}", thread)
                await context.close()
    patch.undo()


def main(arguments: list[str]) -> int:
    """Take them."""
    parser = argparse.ArgumentParser(prog="python -m workshop screenshots", description=__doc__)
    parser.add_argument("folder", type=Path)
    target: Path = parser.parse_args(arguments).folder
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(target))
    return 0
